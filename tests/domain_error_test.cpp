// Equations that leave their domain: the cause of the run names the equation, the operation and its operands.
#include <gmock/gmock.h>

#include "lab/runs/run.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json record_of(const Json& problem, const Json& more) {
  Json spec = {{"problem", problem}};
  spec.update(more);
  return Run::bind(spec, "")->execute().record;
}

// x reaches 1 at t = 0.61 and goes on.
Json root() {
  return {{"name", "root"}, {"states", {{"x", "sqrt(1 - x) + 1"}}}, {"start", {{"x", 0}}}, {"end_time", "2"}};
}

TEST(DomainError, NamesTheEquationAndTheOperation) {
  for (const Json& steps : {Json{{"method", "runge-kutta"}, {"h", "3/10"}}, Json{{"method", "bdf"}, {"rtol", "1e-6"}},
                            Json{{"method", "runge-kutta:tableau=dormand-prince"}, {"rtol", "1e-6"}}}) {
    SCOPED_TRACE(steps.dump());
    const Json record = record_of(root(), steps);
    EXPECT_EQ(record["status"], "non-finite");
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("the equation of x: sqrt(1 - x), of -"));
  }
}

// A spring that stiffens as the logarithm of its length: from 1 m at -2 m/s.
TEST(DomainError, NamesForcesOfMechanisms) {
  const Json problem = {{"name", "spring"},
                        {"coordinates", {"s"}},
                        {"mass", {{"1"}}},
                        {"forces", {{"s", "-log(s)"}}},
                        {"start", {{"s", 1}, {"s'", -2}}},
                        {"end_time", "2"}};
  const Json record = record_of(problem, {{"method", "runge-kutta"}, {"h", "1/7"}});
  EXPECT_EQ(record["status"], "non-finite");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("log(s), of -"));
}

// Both operands of a quotient, at the start.
TEST(DomainError, NamesBothOperands) {
  const Json problem = {
      {"name", "quotient"}, {"states", {{"x", "1/(x - 1)"}}}, {"start", {{"x", 1}}}, {"end_time", "1"}};
  const Json record = record_of(problem, {{"method", "runge-kutta"}, {"h", "1/10"}});
  EXPECT_EQ(record["status"], "non-finite");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("of 1 and 0"));
}

}  // namespace TEST_FILE
}  // namespace daelab
