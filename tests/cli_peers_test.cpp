// A program without the modules of established codes: the methods are known, and it is said how to get them.
#include "core/base/process.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

class CliWithoutPeers : public Cli {
 protected:
  // The same program in a folder of its own, where no modules are.
  CliWithoutPeers() { fs::copy_file(built_program(), folder / "daelab"); }
  ProcessOutcome without(Arguments arguments) const {
    arguments.insert(arguments.begin(), (folder / "daelab").string());
    return run_process(arguments, folder.string());
  }
};

TEST_F(CliWithoutPeers, SaysHowToGetThem) {
  write(folder / "config.json", R"({"name": "t", "experiment": "drift", "runs": {"problem": "pendulum",
    "method": "ida", "formulation": "index-1", "rtol": "1e-6"}})");
  for (const Arguments& arguments : {Arguments{"run", "config.json"},
                                     {"solve", "--problem", "pendulum", "--method", "ida", "--rtol", "1e-6"},
                                     {"show", "method", "ida"},
                                     {"show", "ida"}}) {
    const ProcessOutcome outcome = without(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0];
    EXPECT_THAT(outcome.output,
                AllOf(HasSubstr("'ida' is not in this build"), HasSubstr("install libsundials-dev and build again")));
  }
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(CliWithoutPeers, ListsThem) {
  const ProcessOutcome outcome = without({"list", "methods"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("libsundials-dev"), HasSubstr("libgsl-dev"), HasSubstr("odeint"),
                                    HasSubstr("r-cran-desolve")));
  EXPECT_EQ(without({"list", "methods", "--json"}).output.find("odeint"), std::string::npos);
}

}  // namespace TEST_FILE
}  // namespace daelab
