// Events on the command line: what solve says of them, and the verdicts of the shipped configs.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

class CliEvents : public Cli {
 protected:
  Arguments solve(const std::string& problem, const Arguments& more = {}) const {
    const Arguments projected{"--formulation", "projected", "--method", "dormand-prince", "--rtol", "1e-8"};
    return with(with({"solve", "--problem", problem}, projected), more);
  }
};

TEST_F(CliEvents, SolvePrintsHowOftenAndWhenLast) {
  EXPECT_THAT(daelab_ok(solve("bouncing-pendulum")).out,
              HasSubstr("events\n  impact                   5, the last at t = 4.6496"));
  EXPECT_THAT(daelab_ok(solve("bouncing-pendulum", {"--t-end", "1/10"})).out,
              HasSubstr("impact                   none: its function never changed sign"));
  const Json record = json_of(solve("bouncing-pendulum", {"--json"}));
  EXPECT_EQ(record["events"]["list"].size(), 5u);
  EXPECT_EQ(record["events"]["kinds"][0]["count"], 5);
}

TEST_F(CliEvents, ImpactsThatAccumulateAreAFailureWithItsCause) {
  const Outcome outcome = daelab(solve("bouncing-pendulum:wall=pi/6,restitution=1/2"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("status chattering:\n  event 'impact' occurred"));
  EXPECT_THAT(outcome.out, HasSubstr("its times accumulate at t = 1.35768"));
}

TEST_F(CliEvents, ShippedConfigsGiveTheVerdictsTheyExpect) {
  for (const char* name : {"impact-times", "impact-chain", "zeno"}) {
    const Outcome outcome = daelab({"run", source_path("/experiments/events/") + name + ".json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("all verdicts as expected"));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
