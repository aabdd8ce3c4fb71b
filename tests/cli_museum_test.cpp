// The museum of known defects, through the program: every defect shows itself, with its verdict.
#include "core/base/json_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

class MuseumFolder : public Cli {};
class Museum : public Cli, public testing::WithParamInterface<const char*> {};

TEST_P(Museum, ShowsItsDefect) {
  const std::string name = GetParam();
  daelab_ok({"run", source_path("/experiments/museum/") + name + ".json"});
  const Json verdicts = read_json_file(folder / "out" / name / "verdicts.json")["verdicts"];
  EXPECT_GE(verdicts.size(), 3u);
  for (const Json& verdict : verdicts) {
    EXPECT_EQ(verdict["verdict"], verdict["expected"]) << verdict["id"] << ": " << verdict["ours"];
    EXPECT_FALSE(verdict["reason"].get<std::string>().empty()) << verdict["id"];
  }
}

INSTANTIATE_TEST_SUITE_P(Museum, Museum,
                         testing::Values("bdf-imaginary-axis", "bdf-oscillation", "blind-estimate",
                                         "drift-off-the-constraints", "generalized-alpha-acceleration", "knock-at-rest",
                                         "pulse-stepped-over", "rk4-energy", "uniform-collocation",
                                         "zero-acceleration-newmark", "zero-acceleration-start"));

// A config added to the folder is added here.
TEST_F(MuseumFolder, IsTestedInFull) {
  const auto configs = fs::directory_iterator(source_path("/experiments/museum"));
  EXPECT_EQ(std::distance(begin(configs), end(configs)), 11);
}

}  // namespace TEST_FILE
}  // namespace daelab
