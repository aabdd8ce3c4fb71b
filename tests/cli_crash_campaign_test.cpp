// What may happen to a results folder: the program is killed at any moment, files are torn or damaged, disks are full
// or read-only, two write at once, clocks jump. Afterwards no finished run is lost, none is there twice, and the
// numbers, tables and figures are those of an undisturbed run bit for bit; or a message says which file is damaged.
//
//   DAELAB_CRASHES=1000 build/double/unit_tests --gtest_filter='CrashCampaign.*'     the full campaign
//   DAELAB_CRASH_SEED=2                                                             other moments and places
//   TEST_TMPDIR=/dev/shm                                                            faster: a disk is not waited for
#include <functional>
#include <random>

#include "results/packed_file.hpp"
#include "tests/cli_crash_support.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

// ----- kill -9 -----

// What the program is doing when it is killed, and the folder before. `again`: done once more before the run that
// completes the set, by the arguments `completion`.
struct Phase {
  const char* name;
  Arguments arguments;
  std::function<void(const fs::path& folder, const fs::path& whole, int random)> prepare;
  bool again = false;
  Arguments completion = run_crash_config;
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
  static const std::vector<Phase> list{{"running", run_crash_config, nothing},
                                       {"resuming", run_crash_config, some_runs},
                                       {"evaluating", run_crash_config, all_runs},
                                       {"reporting", {"report", "out/crash"}, no_report},
                                       {"merging", {"merge", "parts/crash.shards", "--to", "out/crash"}, shards, true},
                                       {"packing", pack_crash_config, unpacked, false, pack_crash_config}};
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
  if (phase().completion == pack_crash_config && !packing_refusal().empty()) GTEST_SKIP() << packing_refusal();
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
