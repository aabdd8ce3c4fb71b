// What problems in JSON are asked when they are read: singular mass matrices, sizes that matter.
#include <gmock/gmock.h>

#include "core/documents/json_problem.hpp"
#include "lab/runs/run.hpp"
#include "tests/event_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string refusal(const Json& document) {
  try {
    make_json_problem(document, "/problem");
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

// Rows as text: braces of two strings would be a JSON object.
Json two_masses(const char* mass) {
  return {{"name", "two"},          {"coordinates", {"x", "y"}}, {"mass", Json::parse(mass)},
          {"forces", {{"x", "1"}}}, {"end_time", "1"},           {"start", {{"x", "1"}}}};
}

TEST(MassMatrix, MustBeSymmetric) {
  EXPECT_EQ(refusal(two_masses(R"([["2", "1"], ["1", "2"]])")), "accepted");
  EXPECT_THAT(
      refusal(two_masses(R"([["2", "1"], ["0", "2"]])")),
      HasSubstr("/problem/mass/0/1: the mass matrix is not symmetric: row 1, column 2 is 1, row 2, column 1 is 0"));
  // Equal at the start alone, x = 1.
  EXPECT_THAT(refusal(two_masses(R"([["2", "x"], ["x^2", "2"]])")), HasSubstr("is not symmetric"));
  EXPECT_EQ(refusal(two_masses(R"([["2", "sin(x)/4"], ["cos(x)*tan(x)/4", "2"]])")), "accepted");
}

TEST(MassMatrix, MustNotBeNegative) {
  EXPECT_THAT(refusal(two_masses(R"(["1", "-2"])")),
              HasSubstr("/problem/mass: the mass matrix has the negative eigenvalue -2"));
  EXPECT_THAT(refusal(two_masses(R"([["1", "2"], ["2", "1"]])")), HasSubstr("negative eigenvalue -1 at the start"));
  EXPECT_EQ(refusal(two_masses(R"(["1", "0"])")), "accepted");  // a constraint may determine y
  EXPECT_THAT(refusal({{"name", "n"}, {"coordinates", {"x"}}, {"kinetic_energy", "-x'^2"}, {"end_time", "1"}}),
              HasSubstr("/problem/kinetic_energy: the mass matrix has the negative eigenvalue -2"));
}

Json record_of(const Json& problem, const Json& how) {
  Json spec = how;
  spec["problem"] = problem;
  return Run::bind(spec, "")->execute().record;
}

// (3 - x) x'' = 0 from x' = 2: the mass is used up at x = 3, between two steps. Accelerations by Cholesky find that it
// is negative; Newton's method on index 3 does not ask.
TEST(MassMatrix, ThatTurnsNegativeOnTheWayIsSaid) {
  const Json problem = {{"name", "used-up"},      {"coordinates", {"x"}}, {"mass", {"3 - x"}},
                        {"forces", {{"x", "0"}}}, {"end_time", "2"},      {"start", {{"x'", "2"}}}};
  const Json run = record_of(problem, {{"formulation", "index-3"}, {"method", "radau-iia:s=3"}, {"h", "1/7"}});
  EXPECT_EQ(run["status"], "ok");
  EXPECT_THAT(kinds_of_warnings(run), Contains("negative-mass"));
  EXPECT_EQ(record_of(problem, {{"formulation", "index-1"}, {"method", heun}, {"h", "1/7"}})["status"], "singular");
  EXPECT_THAT(kinds_of_warnings(record_of(problem, {{"method", heun}, {"h", "1/7"}, {"t_end", "1"}})),
              Not(Contains("negative-mass")));
}

// ----- sizes -----

Exact least_size(const Json& document) { return make_json_problem(document, "/problem")->least_size(); }

Json state_from(const std::string& start, const std::string& rate) {
  return {{"name", "s"}, {"states", {{"s", rate}}}, {"start", {{"s", start}}}, {"end_time", "10"}};
}

TEST(LeastSize, FollowsTheStart) {
  EXPECT_EQ(least_size(state_from("1", "-s")).text(), "1");
  EXPECT_EQ(least_size(state_from("1000", "-s")).text(), "1");
  EXPECT_EQ(least_size(state_from("1/2", "-s")).text(), "1");
  EXPECT_EQ(least_size(state_from("1/1000000", "-s")).value(), Real100("1e-6"));
  EXPECT_EQ(least_size(state_from("-3/1000", "-s")).value(), Real100("1e-2"));
}

TEST(LeastSize, FollowsTheFirstMotionOfWhatBeginsAtZero) {
  EXPECT_EQ(least_size(state_from("0", "1/1000000")).value(), Real100("1e-5"));  // times 10 s
  EXPECT_EQ(least_size(state_from("0", "s")).text(), "1");                       // rests
  EXPECT_EQ(
      least_size(
          {{"name", "f"}, {"coordinates", {"x"}}, {"mass", {"2"}}, {"forces", {{"x", "2e-9"}}}, {"end_time", "1"}})
          .value(),
      Real100("1e-9"));
}

TEST(LeastSize, CanBeGiven) {
  Json document = state_from("1", "-s");
  document["least_size"] = "1e-12";
  EXPECT_EQ(least_size(document).value(), Real100("1e-12"));
  document["least_size"] = "-1";
  EXPECT_THAT(refusal(document), HasSubstr("/problem/least_size: -1 is not allowed; allowed: above 0"));
}

// Lotka and Volterra's equations, and the same in other units: equal motions, so equal numbers of steps and equal
// relative errors.
TEST(LeastSize, MakesRunsIndependentOfUnits) {
  const Json whole = {{"name", "lotka"},
                      {"states", {{"a", "a*(2/3 - 4/3*b)"}, {"b", "b*(a - 1)"}}},
                      {"start", {{"a", "1"}, {"b", "1"}}},
                      {"end_time", "20"}};
  const Json small = {{"name", "lotka-small"},
                      {"states", {{"a", "a*(2/3 - 4/3*1000000*b)"}, {"b", "b*(1000000*a - 1)"}}},
                      {"start", {{"a", "1/1000000"}, {"b", "1/1000000"}}},
                      {"end_time", "20"}};
  const Json how = {{"method", dormand_prince}, {"rtol", "1e-6"}};
  const Json a = record_of(whole, how), b = record_of(small, how);
  EXPECT_EQ(a["stats"]["steps"], b["stats"]["steps"]);
  for (int i = 0; i < 2; ++i) {
    const double one = a["y"][i], other = b["y"][i];
    EXPECT_NEAR(1e6 * other / one, 1, 1e-12);  // round-off
  }
  EXPECT_THAT(kinds_of_warnings(b), Not(Contains("loose-atol")));
}

// A motion of size 1E-6 with atol = 1E-6 has no digit, whatever the problem says of sizes.
TEST(LeastSize, AMotionNoLargerThanAtolIsSaid) {
  Json document = state_from("1/1000000", "-s");
  document["least_size"] = "1";
  const Json run = record_of(document, {{"method", dormand_prince}, {"rtol", "1e-6"}});
  EXPECT_THAT(kinds_of_warnings(run), Contains("loose-atol"));
  document["start"]["s"] = "1";
  EXPECT_THAT(kinds_of_warnings(record_of(document, {{"method", dormand_prince}, {"rtol", "1e-6"}})),
              Not(Contains("loose-atol")));
}

}  // namespace TEST_FILE
}  // namespace daelab
