// What may happen to a results folder: the program is killed at any moment, files are torn or damaged, disks are full
// or read-only, two write at once, clocks jump. Afterwards no finished run is lost, none is there twice, and the
// numbers, tables and figures are those of an undisturbed run bit for bit; or a message says which file is damaged.
//
//   DAELAB_CRASHES=1000 build/double/unit_tests --gtest_filter='CrashCampaign.*'     the full campaign
//   DAELAB_CRASH_SEED=2                                                             other moments and places
//   TEST_TMPDIR=/dev/shm                                                            faster: a disk is not waited for
#include <functional>
#include <random>
#include <set>

#include "core/base/json_file.hpp"
#include "results/packed_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

// Every run has a trajectory, which its table and figure are made of; no column of it is a time that was measured.
constexpr const char* config = R"({"name": "crash", "experiment": "trajectories", "title": "Crashes",
  "common": {"problem": "pendulum", "t_end": "1", "trajectory": 1},
  "runs": {"method": ["gauss", "radau-iia", "bdf", "hht"],
           "h": ["1/20", "1/22", "1/24", "1/26", "1/28", "1/30", "1/32", "1/34", "1/36", "1/38"]},
  "jumps": ["q", "lambda"],
  "figures": [{"id": "path", "caption": "Path.", "panels": [{"components": ["q1"], "y_label": "x [m]", "steps": true,
               "runs": ["index-1, gauss, h = 1/20", "index-3, hht, h = 1/38"]}]}],
  "claims": [{"id": "a", "location": "here", "kind": "status", "printed": "ok", "claimed": "ok", "expected": "confirmed",
              "value": {"run": {"/h": "1/20", "/method/name": "gauss"}, "pointer": "/status"}}]})";
constexpr int runs = 40;
const Arguments run_it{"run", "config.json", "--jobs", "2"};
const Arguments pack_it{"run", "config.json", "--jobs", "2", "--trajectories", "hdf5"};

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::atoi(text) : otherwise;
}

class CrashCampaign : public Cli {
 protected:
  static void SetUpTestSuite() {
    ::setenv("DAELAB_ROOT", source_path("").c_str(), 1);
    whole_ = new TemporaryFolder;
    write(whole() / "config.json", config);
    for (const Arguments& arguments : {run_it, shard("1/2"), shard("2/2")}) {
      const Outcome outcome = Child(arguments, whole()).wait();
      ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
  }
  static Arguments shard(const char* part) { return {"shard", "config.json", part, "--out", "parts", "--jobs", "2"}; }
  static void TearDownTestSuite() {
    delete whole_;
    whole_ = nullptr;
  }
  static fs::path whole() { return whole_->path(); }

  int crashes(int share = 1) const { return std::max(1, number_from("DAELAB_CRASHES", 4) / share); }
  int below(std::size_t n) { return std::uniform_int_distribution<int>(0, static_cast<int>(n) - 1)(random_); }

  // A folder with the config alone, or with all that an undisturbed run leaves.
  void begin_empty() const {
    for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
    write(folder / "config.json", config);
  }
  void begin_whole() const {
    begin_empty();
    fs::copy(whole() / "out", folder / "out", fs::copy_options::recursive);
  }

  Outcome shell(const std::string& script) const {
    const std::string command = "cd '" + folder.string() + "' && DAELAB='" + built_program() + "' bash -c '" + script +
                                "' >.stdout 2>.stderr </dev/null";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read(folder / ".stdout"), read(folder / ".stderr")};
  }

  // Files whose bytes depend on the numbers alone, below a folder: none of the time or of the order of the runs.
  static std::map<std::string, fs::path> settled_files(const fs::path& top) {
    std::map<std::string, fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      const fs::path name = entry.path().filename();
      if (entry.is_regular_file() && name != "manifest.json" && name != "runs.jsonl" && name != ".lock")
        files[entry.path().lexically_relative(top).string()] = entry.path();
    }
    return files;
  }
  // The page says when and how fast its runs were made: seconds, dates "2026-11-25T08:27:55Z", and the number of its
  // script, which follows from all of it, become zeros.
  static std::string settled(const fs::path& path) {
    std::string text = read(path);
    if (path.filename() != "index.html") return text;
    const auto zero = [&](const std::string& mark, const std::string& ends) {
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size(), end = text.find_first_of(ends, begin);
        text.replace(begin, end - begin, "0");
      }
    };
    zero("_seconds\":", ",}");
    for (const char* mark : {"nonce=\"", "'nonce-"}) zero(mark, "\"'");
    for (std::size_t at = text.find('T'); at != std::string::npos; at = text.find('T', at + 1))
      if (at >= 10 && at + 9 < text.size() && text[at + 9] == 'Z' && text[at - 3] == '-' && text[at + 3] == ':')
        text.replace(at - 10, 20, "0");
    return text;
  }
  static void expect_same_files(const fs::path& a, const fs::path& b) {
    const auto in_a = settled_files(a), in_b = settled_files(b);
    for (const auto& [name, path] : in_a) {
      const auto other = in_b.find(name);
      ASSERT_TRUE(other != in_b.end()) << name << " is missing";
      ASSERT_TRUE(settled(path) == settled(other->second)) << name << " differs";
    }
    for (const auto& [name, path] : in_b) ASSERT_TRUE(in_a.contains(name)) << name << " is left over";
  }
  void expect_every_run_once() const {
    std::set<std::string> keys;
    std::ifstream file(folder / "out/crash/runs.jsonl");
    int count = 0;
    for (std::string line; std::getline(file, line); ++count) keys.insert(Json::parse(line)["key"]);
    EXPECT_EQ(count, runs);
    EXPECT_EQ(keys.size(), static_cast<std::size_t>(runs));
  }
  // Every run is there once, and all is as in the undisturbed set.
  void expect_whole() const {
    expect_every_run_once();
    expect_same_numbers();
    expect_same_files(whole() / "out", folder / "out");
  }
  // The same of a set whose trajectories are packed, which are the same text, and no longer there as files.
  void expect_packed() const {
    expect_every_run_once();
    expect_same_numbers();
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder / "out/crash/trajectories"))
      files.insert(entry.path().filename());
    EXPECT_EQ(files, (std::set<std::string>{"1.h5", "packed.json"}));
    daelab_ok({"export", "out/crash", "--to", "exported"});
    expect_same_files(whole() / "out/crash/trajectories", folder / "exported");
    fs::remove_all(folder / "exported");
  }
  void expect_same_numbers() const {
    const Outcome compared = daelab({"compare", (whole() / "out/crash").string(), "out/crash"});
    EXPECT_EQ(compared.code, 0) << compared.out << compared.err;
  }
  // The lines that are there as a whole.
  std::string finished_lines() const {
    const std::string text = read(folder / "out/crash/runs.jsonl");
    return text.substr(0, text.rfind('\n') + 1);
  }
  void expect_run_completes(const std::string& kept, const Arguments& arguments = run_it) const {
    const Outcome outcome = daelab(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const long count = std::count(kept.begin(), kept.end(), '\n');
    EXPECT_THAT(outcome.err,
                HasSubstr(std::to_string(runs - count) + " runs computed, " + std::to_string(count) + " reused"));
    EXPECT_THAT(read(folder / "out/crash/runs.jsonl"), StartsWith(kept));  // no finished run was lost or changed
    arguments == run_it ? expect_whole() : expect_packed();
  }

  std::mt19937 random_{static_cast<unsigned>(number_from("DAELAB_CRASH_SEED", 1))};

 private:
  static inline TemporaryFolder* whole_ = nullptr;
};

// ----- kill -9 -----

// What the program is doing when it is killed, and the folder before. `again`: done once more before the run that
// completes the set, by the arguments `completion`.
struct Phase {
  const char* name;
  Arguments arguments;
  std::function<void(const fs::path& folder, const fs::path& whole, int random)> prepare;
  bool again = false;
  Arguments completion = run_it;
};

void copy_set(const fs::path& folder, const fs::path& whole) {
  fs::copy(whole / "out", folder / "out", fs::copy_options::recursive);
}

void remove_evaluation(const fs::path& folder) {
  for (const char* name : {"result.json", "analysis.json", "verdicts.json", "report"})
    fs::remove_all(folder / "out/crash" / name);
}

const std::vector<Phase>& phases() {
  const auto nothing = [](const fs::path&, const fs::path&, int) {};
  const auto some_runs = [](const fs::path& folder, const fs::path& whole, int random) {
    copy_set(folder, whole);
    remove_evaluation(folder);
    const fs::path lines = folder / "out/crash/runs.jsonl";
    fs::resize_file(lines, static_cast<std::size_t>(random) % fs::file_size(lines));  // the last one may be torn
  };
  const auto all_runs = [](const fs::path& folder, const fs::path& whole, int) {
    copy_set(folder, whole);
    remove_evaluation(folder);
  };
  const auto no_report = [](const fs::path& folder, const fs::path& whole, int) {
    copy_set(folder, whole);
    fs::remove_all(folder / "out/crash/report");
  };
  const auto shards = [](const fs::path& folder, const fs::path& whole, int) {
    fs::copy(whole / "parts", folder / "parts", fs::copy_options::recursive);
  };
  const auto unpacked = [](const fs::path& folder, const fs::path& whole, int) { copy_set(folder, whole); };
  static const std::vector<Phase> list{{"running", run_it, nothing},
                                       {"resuming", run_it, some_runs},
                                       {"evaluating", run_it, all_runs},
                                       {"reporting", {"report", "out/crash"}, no_report},
                                       {"merging", {"merge", "parts/crash.shards", "--to", "out/crash"}, shards, true},
                                       {"packing", pack_it, unpacked, false, pack_it}};
  return list;
}

class Kills : public CrashCampaign, public testing::WithParamInterface<std::size_t> {
 protected:
  void begin() {
    begin_empty();
    phase().prepare(folder, whole(), below(1'000'000));
  }
  const Phase& phase() const { return phases()[GetParam()]; }
};

TEST_P(Kills, LoseNoFinishedRunAndDoubleNone) {
  if (phase().completion == pack_it && !packing_refusal().empty()) GTEST_SKIP() << packing_refusal();
  using Clock = std::chrono::steady_clock;
  begin();
  const auto start = Clock::now();
  ASSERT_EQ(Child(phase().arguments, folder).wait().code, 0);
  double most = std::chrono::duration<double>(Clock::now() - start).count();

  const int wanted = crashes(static_cast<int>(phases().size()));
  int killed = 0;
  for (int trial = 0; killed < wanted && trial < 20 + 3 * wanted && !HasFailure(); ++trial) {
    begin();
    const double delay = most * std::uniform_real_distribution<double>(0, 1)(random_);
    SCOPED_TRACE(testing::Message() << phase().name << ", trial " << trial << ", killed after " << delay << " s");
    Child child(phase().arguments, folder);
    std::this_thread::sleep_for(std::chrono::duration<double>(delay));
    child.kill();
    const int code = child.wait().code;
    ASSERT_THAT(code, AnyOf(0, 128 + SIGKILL));
    if (code == 0) {  // it had ended before: the machine is less busy than it was
      most = std::max(0.02, 0.9 * most);
      continue;
    }
    ++killed;
    const std::string kept = finished_lines();
    if (phase().again) {
      daelab_ok(phase().arguments);
      EXPECT_THAT(finished_lines(), StartsWith(kept));
    }
    expect_run_completes(finished_lines(), phase().completion);
  }
  EXPECT_EQ(killed, wanted);
  std::printf("%s: %d killed\n", phase().name, killed);
}

INSTANTIATE_TEST_SUITE_P(Phases, Kills, testing::Range(std::size_t{0}, phases().size()),
                         [](const auto& info) { return phases()[info.param].name; });

// ----- torn and damaged files -----

class Damage : public CrashCampaign {
 protected:
  // Cut short, or one bit of it flipped. Returns what was done.
  std::string damage(const fs::path& path) {
    std::string text = read(path);
    const int place = below(text.size());
    const bool cut = below(3) == 0;
    const int bit = below(8);
    if (cut)
      text.resize(static_cast<std::size_t>(place));
    else
      text[static_cast<std::size_t>(place)] = static_cast<char>(text[static_cast<std::size_t>(place)] ^ (1 << bit));
    write(path, text);
    return cut ? "cut at " + std::to_string(place)
               : "bit " + std::to_string(bit) + " of byte " + std::to_string(place) + " flipped";
  }
  // Bad input, and a message that names the file.
  static void expect_named(const Outcome& outcome, const std::string& name) {
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, AnyOf(HasSubstr(name), HasSubstr("results folder out/crash")));
  }
  // A report is made of stored runs, or the file is named: never of damaged ones.
  void expect_report_is_right_or_refused(const std::string& name) const {
    const Outcome outcome = daelab({"report", "out/crash", "--to", "other"});
    if (outcome.code == 0)
      expect_same_files(whole() / "out/crash/report", folder / "other");
    else
      expect_named(outcome, name);
    fs::remove_all(folder / "other");
  }
  void expect_run_is_right_or_refused(const std::string& name) const {
    const Outcome outcome = daelab(run_it);
    if (outcome.code == 0) {
      expect_same_numbers();
      expect_same_files(whole() / "out", folder / "out");
      return;
    }
    expect_named(outcome, name);
    daelab_ok(with(run_it, {"--force"}));  // what the message leaves
    expect_same_numbers();
  }
};

// Every file of a set in turn, one trajectory for all.
TEST_F(Damage, IsRepairedOrNamedAndNeverUsed) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(whole() / "out/crash"))
    if (entry.is_regular_file() && fs::file_size(entry) > 0 && entry.path().extension() != ".pdf" &&
        (entry.path().parent_path().filename() != "trajectories"))
      files.push_back(entry.path().lexically_relative(whole()).string());
  const Json series = read_json_file(whole() / "out/crash/result.json")["figures"][0]["panels"][0]["series"];
  files.push_back("out/crash/" + series[0]["file"].get<std::string>());  // of the figure
  files.push_back("out/crash/runs.jsonl");                               // twice: it holds the most
  std::ranges::sort(files);
  std::ranges::shuffle(files, random_);
  ASSERT_GE(files.size(), 14u);
  for (int trial = 0; trial < 2 * crashes() && !HasFailure(); ++trial) {
    const std::string& file = files[static_cast<std::size_t>(trial) % files.size()];
    const std::string name = fs::path(file).filename();
    begin_whole();
    const std::string done = damage(folder / file);
    SCOPED_TRACE(testing::Message() << file << ", " << done);
    expect_report_is_right_or_refused(name);
    expect_run_is_right_or_refused(name);
  }
}

// A reader sees a damaged trajectory too.
TEST_F(Damage, OfATrajectoryIsSeenByCompare) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(whole() / "out/crash/trajectories"))
    files.push_back(entry.path().filename());
  std::ranges::sort(files);
  begin_whole();
  for (int trial = 0; trial < crashes(); ++trial) {
    const fs::path file = files[static_cast<std::size_t>(below(files.size()))],
                   path = folder / "out/crash/trajectories" / file;
    SCOPED_TRACE(testing::Message() << file << ", " << damage(path));
    const Outcome compared = daelab({"compare", (whole() / "out/crash").string(), "out/crash", "--rtol", "1"});
    EXPECT_EQ(compared.code, 1) << compared.err;
    EXPECT_THAT(compared.out, testing::ContainsRegex("/trajectory:[ \n]+there[ \n]+\\|[ \n]+damaged"));
    fs::copy_file(whole() / "out/crash/trajectories" / file, path, fs::copy_options::overwrite_existing);
  }
}

// ----- disks, writers, clocks -----

TEST_F(CrashCampaign, AFileThatCannotGrowFurtherLosesNothing) {
  for (int trial = 0; trial < crashes(4) && !HasFailure(); ++trial) {
    const int kilobytes = 1 + below(110);
    SCOPED_TRACE(testing::Message() << "no file above " << kilobytes << " kB");
    begin_empty();
    const Outcome outcome =
        shell("trap \"\" XFSZ; ulimit -f " + std::to_string(kilobytes) + "; exec \"$DAELAB\" run config.json --jobs 2");
    if (outcome.code == 0)
      expect_whole();
    else
      EXPECT_THAT(outcome.err, AnyOf(HasSubstr("cannot"), HasSubstr("gnuplot"))) << outcome.code;
    expect_run_completes(finished_lines());
  }
}

TEST_F(CrashCampaign, AFullDiskLosesNothing) {
  if (shell("unshare -rm mount -t tmpfs none /mnt").code != 0) GTEST_SKIP() << "this user cannot mount a small disk";
  for (int trial = 0; trial < crashes(4) && !HasFailure(); ++trial) {
    const int kilobytes = 40 + below(700);
    SCOPED_TRACE(testing::Message() << "a disk of " << kilobytes << " kB");
    begin_empty();
    const Outcome outcome =
        shell("exec unshare -rm bash -c \"mkdir out && mount -t tmpfs -o size=" + std::to_string(kilobytes) +
              "k none out && { \\\"\\$DAELAB\\\" run config.json --jobs 2; code=\\$?; cp -a out kept; "
              "exit \\$code; }\"");
    fs::remove_all(folder / "out");
    fs::rename(folder / "kept", folder / "out");
    if (outcome.code == 0)
      expect_whole();
    else
      EXPECT_THAT(outcome.err, AnyOf(HasSubstr("No space left"), HasSubstr("gnuplot"))) << outcome.code;
    expect_run_completes(finished_lines());
  }
}

// Permissions do not bind root: there the folder is mounted read-only.
TEST_F(CrashCampaign, AReadOnlyFolderIsNamedAndStaysAsItIs) {
  begin_whole();
  fs::remove_all(folder / "out/crash/report");
  const std::string before = read(folder / "out/crash/runs.jsonl");
  const std::string program = "\\\"\\$DAELAB\\\" run config.json --jobs 2";
  const Outcome outcome =
      ::getuid() == 0
          ? shell("exec unshare -m bash -c \"mount --bind out out && mount -o remount,ro,bind out && " + program + "\"")
          : shell("chmod -R a-w out; bash -c \"" + program + "\"; code=$?; chmod -R u+w out; exit $code");
  if (::getuid() == 0 && outcome.err.find("daelab: ") == std::string::npos) GTEST_SKIP() << outcome.err;
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("out/crash"));
  EXPECT_EQ(read(folder / "out/crash/runs.jsonl"), before);
  expect_run_completes(before);
}

TEST_F(CrashCampaign, OfTwoWritersAtOnceOneIsRefused) {
  for (int trial = 0; trial < crashes(8) && !HasFailure(); ++trial) {
    begin_empty();
    shell("run() { \"$DAELAB\" run config.json --jobs 2 >out$1 2>err$1; echo $? >code$1; }; run 1 & run 2; wait");
    int refused = 0;
    for (const char* writer : {"1", "2"}) {
      const std::string code = read(folder / (std::string("code") + writer));
      if (code == "0\n") continue;
      ++refused;
      EXPECT_EQ(code, "2\n");
      EXPECT_THAT(read(folder / (std::string("err") + writer)), HasSubstr("is being written by another run"));
    }
    EXPECT_LE(refused, 1);
    expect_whole();
  }
}

TEST_F(CrashCampaign, ClocksThatJumpChangeNothing) {
  for (const char* date : {"1971-01-01", "2099-12-31"}) {
    begin_whole();
    EXPECT_EQ(shell(std::string("find out -exec touch -d ") + date + " {} +").code, 0);
    expect_run_completes(finished_lines());
    // Half of the files from before the other half.
    fs::resize_file(folder / "out/crash/runs.jsonl", 20'000);
    EXPECT_EQ(shell(std::string("touch -d ") + date + " out/crash/runs.jsonl out/crash/result.json").code, 0);
    expect_run_completes(finished_lines());
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
