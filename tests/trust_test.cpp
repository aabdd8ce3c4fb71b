// The experiment trust: errors in tolerances, what explains them, and how runs end.
//
// Dahlquist's equation, y' = (-1 + i) y, y(0) = (1, 0): y(1) = e^-1 (cos 1, sin 1).
#include <gmock/gmock.h>

#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

const double y1 = std::exp(-1.0) * std::cos(1.0), y2 = std::exp(-1.0) * std::sin(1.0);

Json dahlquist(double error, const Json& more = Json::object()) {
  Json record = {
      {"spec", {{"problem", "linear-test"}, {"method", "bdf"}, {"rtol", "1e-6"}, {"atol", "1e-8"}, {"t_end", 1}}},
      {"status", "ok"},
      {"t", 1.0},
      {"y", {y1 + error, y2}}};
  for (const auto& [key, value] : more.items()) record[key] = value;
  return record;
}

Json warned(const char* kind) { return {{"warnings", {{{"kind", kind}, {"text", "a sentence"}}}}}; }

TEST(Trust, MeasuresErrorsInTolerances) {
  HandMadeRuns runs;
  runs.add("", "a", dahlquist(3e-3));
  const Evaluation evaluation = runs.evaluate("trust");
  const double weight = 1e-8 + 1e-6 * y1;
  // One formula, to round-off.
  EXPECT_NEAR(*evaluation.artifacts.tables.at(0).rows.at(0)[0].real(), 3e-3 / weight, 1e-12 * 3e-3 / weight);
  EXPECT_EQ(evaluation.analysis["beyond"], 1);
  EXPECT_EQ(evaluation.analysis["unexplained"], 1);
  EXPECT_THAT(*evaluation.artifacts.tables[0].rows[0].back().text(), HasSubstr("NOT EXPLAINED"));
}

// 1000 tolerances are allowed, more are not; a value that is no number is beyond any limit.
TEST(Trust, CountsRunsBeyondTheLimit) {
  const double tolerance = 1e-8 + 1e-6 * y1;
  HandMadeRuns runs;
  runs.add("", "a", dahlquist(999 * tolerance));
  runs.add("", "b", dahlquist(1001 * tolerance));
  runs.add("", "c", dahlquist(0, {{"y", {nullptr, y2}}}));
  const Evaluation evaluation = runs.evaluate("trust");
  EXPECT_EQ(evaluation.analysis["beyond"], 2);
  EXPECT_EQ(evaluation.analysis["worst"][0]["label"], "c");
  EXPECT_EQ(evaluation.analysis["worst"][1]["label"], "b");
  EXPECT_EQ(runs.evaluate("trust", {{"limit", 1002}}).analysis["beyond"], 1);
}

TEST(Trust, TakesAWarningOfAccuracyForAnExplanation) {
  HandMadeRuns runs;
  runs.add("", "a", dahlquist(1, warned("accumulation")));
  runs.add("", "b", dahlquist(1, warned("stiff")));  // of the work, not of the numbers
  const Json analysis = runs.evaluate("trust").analysis;
  EXPECT_EQ(analysis["beyond"], 2);
  EXPECT_EQ(analysis["unexplained"], 1);
}

TEST(Trust, TakesTheExplanationsOfTheConfig) {
  HandMadeRuns runs;
  runs.add("", "a", dahlquist(1));
  const auto explained = [](const Json& selectors) {
    return Json{{"explained", {{{"runs", selectors}, {"reason", "it is chaotic"}}}}};
  };
  const Evaluation evaluation = runs.evaluate("trust", explained({{"/method/name", "bdf"}, {"/rtol", "1E-6"}}));
  EXPECT_EQ(evaluation.analysis["unexplained"], 0);
  EXPECT_THAT(*evaluation.artifacts.tables[0].rows[0].back().text(), HasSubstr("it is chaotic"));
  EXPECT_THAT(input_error_of([&] {
                runs.evaluate("trust", explained({{"/method/name", "gauss"}}));
              }),
              HasSubstr("/explained/0/runs: selects no run"));
  EXPECT_THAT(input_error_of([&] {
                runs.evaluate("trust", explained({{"method", "bdf"}}));
              }),
              HasSubstr("'method' is no JSON pointer"));
}

// A reason that makes a run 1000 tolerances off does not make it a million off, nor no number.
TEST(Trust, AnExplanationHoldsUpToItsSize) {
  const double tolerance = 1e-8 + 1e-6 * y1;
  HandMadeRuns runs;
  runs.add("", "a", dahlquist(1999 * tolerance));
  runs.add("", "b", dahlquist(2001 * tolerance));
  runs.add("", "c", dahlquist(0, {{"y", {nullptr, y2}}}));
  const auto unexplained = [&](const Json& up_to) {
    const Json explanation = {{"runs", {{"/method/name", "bdf"}}}, {"reason", "it is chaotic"}, {"up_to", up_to}};
    return runs.evaluate("trust", {{"explained", Json::array({explanation})}}).analysis["unexplained"].get<int>();
  };
  EXPECT_EQ(unexplained("2e3"), 2);
  EXPECT_EQ(unexplained("1e9"), 1);
  EXPECT_EQ(unexplained(nullptr), 0);
}

// A mended run makes its explanation idle: a claim may ask for none.
TEST(Trust, NamesExplanationsThatAreNotNeeded) {
  HandMadeRuns runs;
  runs.add("", "a", dahlquist(0));
  const Json options = {{"explained", {{{"runs", {{"/method/name", "bdf"}}}, {"reason", "it was wrong"}}}}};
  const Evaluation evaluation = runs.evaluate("trust", options);
  EXPECT_EQ(evaluation.analysis["idle_explanations"], 1);
  EXPECT_THAT(evaluation.artifacts.notes, ElementsAre(HasSubstr("/method/name=bdf")));
}

TEST(Trust, ListsRunsThatEndOtherwise) {
  HandMadeRuns runs;
  runs.add("", "a", dahlquist(1e9, {{"status", "step-limit"}, {"cause", "too many"}}));
  const Evaluation evaluation = runs.evaluate("trust");
  EXPECT_EQ(evaluation.analysis["beyond"], 0);
  EXPECT_EQ(evaluation.analysis["statuses"]["step-limit"], 1);
  EXPECT_THAT(evaluation.artifacts.tables.at(2).rows.at(0), ElementsAre("step-limit", "bdf", 1, "a", "too many"));
}

TEST(Trust, RefusesFixedStepsAndProblemsWithoutReference) {
  HandMadeRuns fixed, unknown;
  fixed.add("", "a", {{"spec", {{"problem", "pendulum"}, {"method", "bdf:k=2"}, {"h", "0.1"}, {"t_end", 1}}}});
  EXPECT_THAT(input_error_of([&] { fixed.evaluate("trust"); }), HasSubstr("has fixed steps"));
  unknown.add("", "a", {{"spec", {{"problem", "pendulum"}, {"method", "bdf"}, {"rtol", "1e-3"}, {"t_end", "1/7"}}}});
  EXPECT_THAT(input_error_of([&] { unknown.evaluate("trust"); }), HasSubstr("no reference of pendulum"));
}

}  // namespace TEST_FILE
}  // namespace daelab
