// What runs the problems, interpreter or machine code: the same numbers, and the record says which it was.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

TEST_F(Cli, InterpreterAndMachineCodeGiveTheSameDigits) {
  const Arguments run{"solve", "--problem", "seven-body", "--method", "bdf", "--rtol", "1e-7", "--json"};
  const auto digits = [&](const char* evaluation) {
    Json json = Json::parse(daelab_ok(with(run, {"--evaluate", evaluation})).out);
    for (const char* time : {"wall_seconds", "cpu_seconds"}) json["stats"].erase(time);
    return json.dump();
  };
  const std::string by_interpreter = digits("interpreter");
  EXPECT_EQ(by_interpreter, digits("automatic"));
  EXPECT_EQ(by_interpreter, digits("machine-code"));
  expect_refused(with(run, {"--evaluate", "machine"}), {"--evaluate", "machine", "interpreter, machine-code"});
}

TEST_F(Cli, TheManifestNamesTheEvaluation) {
  write(folder / "config.json", R"({"name": "one", "experiment": "drift", "common": {"problem": "pendulum",
    "formulation": "index-3", "method": "bdf:k=2", "t_end": "1/10"}, "runs": {"h": ["1/50"]}})");
  daelab_ok({"run", "config.json", "--evaluate", "interpreter"});
  EXPECT_THAT(read(folder / "out/one/manifest.json"), HasSubstr("interpreter; SLEEF "));
}

}  // namespace TEST_FILE
}  // namespace daelab
