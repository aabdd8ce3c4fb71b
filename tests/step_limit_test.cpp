// The limit on the steps of a run: where it ends, and what its cause says.
#include <gmock/gmock.h>

#include "lab/runs/run.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json pendulum(const Json& more) {
  Json spec = {
      {"problem", "pendulum"}, {"method", "runge-kutta:tableau=dormand-prince"}, {"rtol", "1e-10"}, {"t_end", 1}};
  spec.update(more);
  return spec;
}

// Each attempt is counted, accepted or not, and the last good state is kept.
TEST(StepLimit, EndsARunAfterSoManyAttempts) {
  const Json whole = record_of_run(pendulum(Json::object()));
  ASSERT_EQ(whole["status"], "ok");
  const long attempts = whole["stats"]["steps"].get<long>() + whole["stats"]["rejected"].get<long>();
  const Json enough = record_of_run(pendulum({{"max_steps", attempts}}));
  EXPECT_EQ(enough["status"], "ok");
  EXPECT_EQ(enough["q"], whole["q"]);
  const Json ended = record_of_run(pendulum({{"max_steps", attempts - 1}}));
  EXPECT_EQ(ended["status"], "step-limit");
  EXPECT_EQ(ended["stats"]["steps"].get<long>() + ended["stats"]["rejected"].get<long>(), attempts - 1);
  EXPECT_THAT(ended["cause"].get<std::string>(),
              HasSubstr(std::to_string(attempts - 1) + " steps are needed: the tolerance limits them"));
}

TEST(StepLimit, NamesStabilityWhereItLimitsTheSteps) {
  const Json record = record_of_run({{"problem", "prothero-robinson:rate=-1e4"},
                                     {"method", "runge-kutta:tableau=dormand-prince"},
                                     {"rtol", "1e-4"},
                                     {"t_end", 10},
                                     {"max_steps", 5000}});
  EXPECT_EQ(record["status"], "step-limit");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("stability limits them, not accuracy; an implicit method"));
}

TEST(StepLimit, HoldsForFixedStepsBeforeTheFirst) {
  const auto fixed = [](long most) {
    return record_of_run(
        {{"problem", "pendulum"}, {"method", "runge-kutta"}, {"h", "0.01"}, {"t_end", 1}, {"max_steps", most}});
  };
  EXPECT_EQ(fixed(100)["status"], "ok");
  const Json ended = fixed(99);
  EXPECT_EQ(ended["status"], "step-limit");
  EXPECT_EQ(ended["stats"]["steps"], 0);
  EXPECT_THAT(ended["cause"].get<std::string>(), HasSubstr("100 steps, more than 99"));
}

// Stored runs that know of no limit keep their keys.
TEST(StepLimit, StandsInTheSpecificationWhereItIsGiven) {
  EXPECT_FALSE(Run::bind(pendulum(Json::object()), "")->json().contains("max_steps"));
  EXPECT_FALSE(Run::bind(pendulum({{"max_steps", nullptr}}), "")->json().contains("max_steps"));
  EXPECT_EQ(Run::bind(pendulum({{"max_steps", "1e5"}}), "")->json()["max_steps"], "1e5");
  for (const char* wrong : {"0", "-1", "1e16"})
    EXPECT_THROW(Run::bind(pendulum({{"max_steps", wrong}}), ""), InputError) << wrong;
}

}  // namespace TEST_FILE
}  // namespace daelab
