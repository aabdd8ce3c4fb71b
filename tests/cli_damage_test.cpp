// Files of a results folder that are torn or damaged: repaired, or named and never used.
#include "core/base/json_file.hpp"
#include "results/packed_file.hpp"
#include "tests/cli_crash_support.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AnyOf;
using testing::HasSubstr;

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
    const Outcome outcome = daelab(run_crash_config);
    if (outcome.code == 0) {
      expect_same_numbers();
      expect_same_files(whole() / "out", folder / "out");
      return;
    }
    expect_named(outcome, name);
    daelab_ok(with(run_crash_config, {"--force"}));  // what the message leaves
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
  ASSERT_EQ(files.size(), static_cast<std::size_t>(crash_runs));
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

}  // namespace TEST_FILE
}  // namespace daelab
