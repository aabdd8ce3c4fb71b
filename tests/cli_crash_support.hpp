// A set of runs whose results folder is damaged.
#pragma once

#include <random>
#include <set>

#include "results/packed_file.hpp"
#include "tests/cli_support.hpp"
#include "tests/packed_support.hpp"

namespace daelab {

// Every run has a trajectory, which its table and figure are made of; no column of it is a time that was measured.
inline constexpr const char* crash_config = R"({"name": "crash", "experiment": "trajectories", "title": "Crashes",
  "common": {"problem": "pendulum", "t_end": "1", "trajectory": 1},
  "runs": {"method": ["gauss", "radau-iia", "bdf", "hht"],
           "h": ["1/20", "1/22", "1/24", "1/26", "1/28", "1/30", "1/32", "1/34", "1/36", "1/38"]},
  "jumps": ["q", "lambda"],
  "figures": [{"id": "path", "caption": "Path.", "panels": [{"components": ["q1"], "y_label": "x [m]", "steps": true,
               "runs": ["index-1, gauss, h = 1/20", "index-3, hht, h = 1/38"]}]}],
  "claims": [{"id": "a", "location": "here", "kind": "status", "printed": "ok", "claimed": "ok", "expected": "confirmed",
              "value": {"run": {"/h": "1/20", "/method/name": "gauss"}, "pointer": "/status"}}]})";
inline constexpr int crash_runs = 40;
inline const Arguments run_crash_config{"run", "config.json", "--jobs", "2"};
inline const Arguments pack_crash_config{"run", "config.json", "--jobs", "2", "--trajectories", "hdf5"};

inline int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::atoi(text) : otherwise;
}

class CrashCampaign : public Cli {
 protected:
  static void SetUpTestSuite() {
    ::setenv("DAELAB_ROOT", source_path("").c_str(), 1);
    whole_ = new TemporaryFolder;
    write(whole() / "config.json", crash_config);
    for (const Arguments& arguments : {run_crash_config, shard("1/2"), shard("2/2")}) {
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
    write(folder / "config.json", crash_config);
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
    const std::string data = "id=\"data\">";
    if (const std::size_t begin = text.find(data); begin != std::string::npos)
      text.replace(begin + data.size(), text.find('<', begin + data.size()) - begin - data.size(),
                   data_of_page(text).dump());
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
    EXPECT_EQ(count, crash_runs);
    EXPECT_EQ(keys.size(), static_cast<std::size_t>(crash_runs));
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
  void expect_run_completes(const std::string& kept, const Arguments& arguments = run_crash_config) const {
    const Outcome outcome = daelab(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const long count = std::count(kept.begin(), kept.end(), '\n');
    EXPECT_THAT(outcome.err, testing::HasSubstr(std::to_string(crash_runs - count) + " runs computed, " +
                                                std::to_string(count) + " reused"));
    EXPECT_THAT(read(folder / "out/crash/runs.jsonl"),
                testing::StartsWith(kept));  // no finished run was lost or changed
    arguments == run_crash_config ? expect_whole() : expect_packed();
  }

  std::mt19937 random_{static_cast<unsigned>(number_from("DAELAB_CRASH_SEED", 1))};

 private:
  static inline TemporaryFolder* whole_ = nullptr;
};

}  // namespace daelab
