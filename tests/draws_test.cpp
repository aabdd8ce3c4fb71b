// Ranges and random draws in configs, and the statistics of the experiment ensemble.
#include "lab/runs/draws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/context.hpp"
#include "experiments/measures/sample_statistics.hpp"
#include "tests/build_paths.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> values_of(const Json& range) {
  std::vector<std::string> values;
  for (const Json& run : expand_grid({{"h", range}}, "/runs")) values.push_back(run["h"]);
  return values;
}

TEST(ValueRange, HasShortDecimals) {
  EXPECT_THAT(values_of({{"from", "0.1"}, {"to", 0.5}, {"count", 5}}), ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(values_of({{"from", "1e-3"}, {"to", "1e-1"}, {"count", 3}, {"spacing", "log"}}),
              ElementsAre("0.001", "0.01", "0.1"));
  EXPECT_THAT(values_of({{"from", 1}, {"to", -1}, {"count", 3}}), ElementsAre("1", "0", "-1"));
}

TEST(ValueRange, IsAGridAnywhereInARun) {
  const Json run =
      Json::parse(R"({"problem": {"name": "pendulum", "mass": {"from": 1, "to": 2, "count": 2}}, "h": [1, 2]})");
  EXPECT_EQ(expand_grid(run, "").size(), 4u);
}

TEST(ValueRange, RefusesWhatIsNone) {
  const auto refusal = [](Json range) { return input_error_of([&] { values_of(range); }); };
  EXPECT_THAT(refusal({{"from", 0}, {"to", 1}, {"count", 3}, {"spacing", "log"}}), HasSubstr("/runs/h/spacing"));
  EXPECT_THAT(refusal({{"from", 1}, {"to", 1}, {"count", 3}}), HasSubstr("/runs/h/to"));
  EXPECT_THAT(refusal({{"from", 1}, {"to", 2}, {"count", 1}}), HasSubstr("/runs/h/count"));
  EXPECT_THAT(refusal({{"from", 1}, {"to", 2}, {"count", 3}, {"spacin", "log"}}), HasSubstr("spacing"));
}

std::vector<Json> drawn(const Json& draws, std::vector<Json> grid = {Json{{"problem", Json{{"name", "x"}}}}}) {
  Draws read;
  read.options().read(draws, "/draws");
  const DrawnRuns runs = read.applied(std::move(grid), "/draws");
  std::vector<Json> list;
  for (std::size_t i = 0; i < runs.size(); ++i) list.push_back(runs[i]);
  return list;
}

Json draws_of(int count, const Json& values, int seed = 7) {
  return {{"count", count}, {"seed", seed}, {"values", values}};
}

std::vector<double> at(const std::vector<Json>& runs, const std::string& place) {
  std::vector<double> values;
  for (const Json& run : runs) values.push_back(std::stod(run[Json::json_pointer(place)].get<std::string>()));
  return values;
}

// By another program, from the definitions of seed_seq and mt19937_64 in the standard; 1e-14: its round-off in double.
TEST(DrawsOfRuns, AreThoseOfAnotherProgram) {
  const auto runs = drawn(draws_of(3, Json::parse(R"({"/problem/length": {"normal": ["1", "0.01"]},
      "/problem/gravity": {"uniform": [9, 10]}, "/problem/mass": {"log-uniform": [1, 100]}})")));
  const auto near = [](double x) { return DoubleNear(x, 1e-14 * x); };
  EXPECT_THAT(at(runs, "/problem/length"),
              ElementsAre(near(1.0097834908636525), near(1.0059888328735773), near(0.9820116530548428)));
  EXPECT_THAT(at(runs, "/problem/gravity"),
              ElementsAre(near(9.303614922847595), near(9.808854092499239), near(9.412060953827273)));
  EXPECT_THAT(at(runs, "/problem/mass"),
              ElementsAre(near(8.988125221602349), near(10.432331689970436), near(1.2088141104000565)));
}

TEST(DrawsOfRuns, DependOnSeedPlaceAndNumberAlone) {
  const Json one = Json::parse(R"({"/problem/a": {"normal": [0, 1]}})");
  const Json two = Json::parse(R"({"/problem/b": {"uniform": [0, 1]}, "/problem/a": {"normal": [0, 1]}})");
  const auto few = at(drawn(draws_of(5, one)), "/problem/a"), more = at(drawn(draws_of(9, two)), "/problem/a");
  EXPECT_TRUE(std::equal(few.begin(), few.end(), more.begin()));
  EXPECT_NE(at(drawn(draws_of(5, one, 8)), "/problem/a"), few);
  const auto runs = drawn(draws_of(5, one), {Json{{"problem", Json{{"name", "x"}}}, {"h", 1}},
                                             Json{{"problem", Json{{"name", "x"}}}, {"h", 2}}});
  ASSERT_EQ(runs.size(), 10u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(runs[k]["problem"], runs[5 + k]["problem"]);
}

// Within five standard errors of the moments: one sample in a million is not.
TEST(DrawsOfRuns, HaveTheirMoments) {
  constexpr int n = 20000;
  const auto runs =
      drawn(draws_of(n, Json::parse(R"({"/problem/a": {"normal": [3, 2]}, "/problem/b": {"uniform": [-1, 1]}})")));
  const SampleStatistics a = sample_statistics(at(runs, "/problem/a"), {0.5}),
                         b = sample_statistics(at(runs, "/problem/b"), {0.25});
  const double root = std::sqrt(n);
  EXPECT_NEAR(a.mean, 3, 5 * 2 / root);
  EXPECT_NEAR(a.deviation, 2, 5 * 2 / std::sqrt(2) / root);
  EXPECT_NEAR(b.mean, 0, 5 / std::sqrt(3) / root);
  EXPECT_NEAR(b.quantiles[0], -0.5, 5 * 2 * std::sqrt(0.25 * 0.75) / root);
  EXPECT_GT(b.least, -1);
  EXPECT_LT(b.largest, 1);
}

TEST(DrawsOfRuns, ArePutIntoTextsToo) {
  const auto run =
      drawn(draws_of(1, Json::parse(R"({"/problem/mass": {"uniform": [1, 2]}, "/method/order": {"uniform": [1, 2]},
                                               "/start/q/x": {"uniform": [1, 2]}})")),
            {Json{{"problem", "pendulum"}, {"method", "bdf:a=1"}, {"start", "project"}}})[0];
  EXPECT_THAT(run["problem"].get<std::string>(), HasSubstr("pendulum:mass=1."));
  EXPECT_THAT(run["method"].get<std::string>(), HasSubstr("bdf:a=1,order=1."));
  EXPECT_EQ(run["start"]["analysis"], "project");
  EXPECT_TRUE(run["start"]["q"]["x"].is_string());
}

TEST(DrawsOfRuns, RefuseWhatTheyCannotDraw) {
  const auto refusal = [](const char* values) {
    return input_error_of([&] { drawn(draws_of(2, Json::parse(values))); });
  };
  EXPECT_THAT(refusal(R"({"/problem/a": {"norml": [0, 1]}})"),
              AllOf(HasSubstr("/draws/values/~1problem~1a"), HasSubstr("uniform, log-uniform, normal"),
                    HasSubstr("did you mean 'normal'?")));
  EXPECT_THAT(refusal(R"({"/problem/a": {"normal": [0, 0]}})"), HasSubstr("the second above 0"));
  EXPECT_THAT(refusal(R"({"/problem/a": {"uniform": [1, 0]}})"), HasSubstr("the first below the second"));
  EXPECT_THAT(refusal(R"({"/problem/a": {"log-uniform": [0, 1]}})"), HasSubstr("both above 0"));
  EXPECT_THAT(refusal(R"({"/problem/a": {"uniform": [1]}})"), HasSubstr("[least, largest]"));
  EXPECT_THAT(refusal(R"({"problem": {"uniform": [0, 1]}})"), HasSubstr("a place in a run"));
  EXPECT_THAT(refusal(R"({"/problem/name": {"uniform": [0, 1]}})"), HasSubstr("is given in the run, too"));
  EXPECT_THAT(refusal("{}"), HasSubstr("/draws/values"));
  EXPECT_THAT(input_error_of([] { drawn({{"values", {{"/problem/a", 1}}}}); }), HasSubstr("/draws/count"));
}

TEST(SampleStatistics, OfAFewNumbers) {
  const SampleStatistics x = sample_statistics({4, 1, 2, 3}, {0, 0.5, 1, 0.25});
  EXPECT_DOUBLE_EQ(x.mean, 2.5);
  EXPECT_DOUBLE_EQ(x.deviation, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(x.standard_error, std::sqrt(5.0 / 12));
  EXPECT_THAT(x.quantiles, ElementsAre(1, 2.5, 4, 1.75));
  EXPECT_EQ(sample_statistics({7}, {0.5}).deviation, 0);
  const Histogram bars = histogram({0, 1, 2, 3, 4, 4}, 2);
  EXPECT_THAT(bars.edges, ElementsAre(0, 2, 4));
  EXPECT_THAT(bars.counts, ElementsAre(2, 4));
  EXPECT_THAT(histogram({5, 5}, 3).counts, ElementsAre(2));
}

// y' = i w y with w normal: the mean of y is exp(-(sigma t)^2 / 2) (cos w0 t, sin w0 t), its closed form over all w.
TEST(EnsembleExperiment, FindsTheMeanOfAnOscillationOfUncertainFrequency) {
  const SmallConfig config(Json::parse(R"({"experiment": "ensemble", "quantities": ["y1"], "runs": {
    "problem": {"name": "linear-test", "re": 0}, "method": "runge-kutta", "h": "1/100", "t_end": 2, "samples": [1, 2],
    "draws": {"count": 500, "seed": 3, "values": {"/problem/im": {"normal": ["3", "0.4"]}}}}})"));
  EXPECT_EQ(config.runs().size(), 500u);
  const Json group = config.analysis()["groups"][0];
  EXPECT_EQ(group["ended"], 500);
  const Json& y = group["quantities"][0];
  const auto exact = [](double t) { return std::exp(-0.5 * 0.4 * 0.4 * t * t) * std::cos(3 * t); };
  const auto expect_near = [&](const Json& found, double t) {
    const double mean = found["mean"], error = found["standard_error"];
    EXPECT_NEAR(mean, exact(t), 4 * error);  // one sample in sixteen thousand is not
    EXPECT_LT(error, 0.05);                  // values in (-1, 1), over the root of 500
  };
  expect_near(y["end"], 2);
  EXPECT_EQ(y["course"]["t"], Json({1.0, 2.0}));
  expect_near(y["course"]["statistics"][0], 1);
  EXPECT_EQ(y["course"]["statistics"][1]["mean"], y["end"]["mean"]);
  long counted = 0;
  for (const Json& count : y["histogram"]["counts"]) counted += count.get<long>();
  EXPECT_EQ(counted, 500);
  EXPECT_EQ(config.result()["figures"].size(), 2u);
}

TEST(EnsembleExperiment, GroupsByWhatIsNotDrawn) {
  const SmallConfig config(
      Json::parse(R"({"experiment": "ensemble", "runs": {"problem": "pendulum", "h": "1/50", "t_end": "1/5",
    "method": ["runge-kutta", "bdf"], "formulation": "index-1",
    "draws": {"count": 6, "values": {"/start/v/y": {"normal": [0, "0.1"]}, "/problem/gravity": {"uniform": [9, 10]}}}}})"));
  const Json groups = config.analysis()["groups"];
  ASSERT_EQ(groups.size(), 2u);
  for (const Json& group : groups) {
    EXPECT_EQ(group["runs"], 6);
    EXPECT_EQ(group["quantities"].size(), 2u);  // x, y
  }
}

// A problem that is a document has its options among its parameters.
TEST(EnsembleExperiment, PoolsDrawsOfAProblemInAFile) {
  const std::string file = "@" + source_path("/docs/examples/my_problem.json");
  Json drawn =
      Json::parse(R"({"experiment": "ensemble", "runs": {"method": ["runge-kutta", "bdf"], "formulation": "index-1",
    "h": "1/50", "t_end": "1/5", "draws": {"count": 6, "values": {"/problem/L2": {"uniform": [1, 2]}}}}})");
  drawn["runs"]["problem"] = file;
  const Json groups = SmallConfig(drawn).analysis()["groups"];
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0]["runs"], 6);
  EXPECT_EQ(groups[0]["label"], "runge-kutta");
  Json varied = Json::parse(R"({"experiment": "ensemble", "vary": ["/problem/L2"],
    "runs": {"method": "runge-kutta", "formulation": "index-1", "h": "1/50", "t_end": "1/5"}})");
  varied["runs"]["problem"] = {file + ":L2=1", file + ":L2=2", file + ":L2=3"};
  const Json pooled = SmallConfig(varied).analysis()["groups"];
  ASSERT_EQ(pooled.size(), 1u);
  EXPECT_EQ(pooled[0]["runs"], 3);
  EXPECT_EQ(spec_text(Json::parse(R"({"name": "decay", "states": {"y": "-y"}, "end_time": "1"})")), "decay");
}

// Runs that differ in parameters share machine code, and have the bits of the interpreter, which shares nothing.
TEST(EnsembleExperiment, RunsHaveTheBitsOfSingleOnes) {
  const SmallConfig config(Json::parse(R"({"experiment": "ensemble", "runs": {"h": "1/50", "t_end": "1/5",
    "problem": "pendulum", "method": ["runge-kutta", "bdf", "generalized-alpha"], "formulation": ["index-1", "index-3"],
    "draws": {"count": 5, "values": {"/problem/mass": {"uniform": [1, 2]}, "/problem/gravity": {"uniform": [9, 10]}}}}})"));
  const Context context{.evaluator = Evaluator::interpreter};
  const Context::Scope scope(context);
  const std::vector<Json> stored = config.runs();
  ASSERT_EQ(stored.size(), 30u);
  for (const Json& record : stored) {
    const Json alone = Run::bind(record["spec"], "")->execute().record;
    for (const char* key : {"status", "cause", "state", "max", "start", "warnings", "multipliers"})
      EXPECT_EQ(record.value(key, Json()), alone.value(key, Json())) << key << " of " << record["spec"];
  }
}

// Runs that fail are counted, and give no numbers, also where they come first.
TEST(EnsembleExperiment, LeavesOutRunsThatFailed) {
  const SmallConfig config(
      Json::parse(R"({"experiment": "ensemble", "vary": ["/max_steps"], "runs": {"problem": "pendulum",
    "method": "extrapolation", "formulation": "index-1", "rtol": "1e-6", "t_end": 1, "samples": ["1/2", 1],
    "max_steps": [2, 1000, 2000]}})"));
  const Json group = config.analysis()["groups"][0];
  EXPECT_EQ(group["runs"], 3);
  EXPECT_EQ(group["ended"], 2);
  for (const Json& quantity : group["quantities"]) {
    EXPECT_EQ(quantity["end"]["deviation"], 0);
    EXPECT_EQ(quantity["course"]["t"], Json({0.5, 1.0}));
    EXPECT_NEAR(quantity["course"]["statistics"][1]["mean"].get<double>(), quantity["end"]["mean"].get<double>(),
                1e-14);
  }
  EXPECT_THAT(config.result()["notes"].dump(), HasSubstr("1 of 3 runs failed"));
}

TEST(EnsembleExperiment, RefusesWhatItCannotTell) {
  const auto refusal = [](const char* text) {
    Json config = Json::parse(text);
    config.update(Json{{"name", "e"}, {"experiment", "ensemble"}});
    return input_error_of([&] { make_config(config, "e.json"); });
  };
  EXPECT_THAT(refusal(R"({"runs": {"problem": "pendulum", "method": "bdf", "h": "1/10"}})"), HasSubstr("/vary"));
  EXPECT_THAT(refusal(R"({"vary": ["/problem/masss"], "runs": {"problem": "pendulum", "method": "bdf", "h": "1/10"}})"),
              HasSubstr("/vary/0: no run has '/problem/masss'"));
  EXPECT_THAT(
      refusal(
          R"({"vary": ["/h"], "quantities": ["z"], "runs": {"problem": "pendulum", "method": "bdf", "h": "1/10"}})"),
      AllOf(HasSubstr("/quantities/0"), HasSubstr("z")));
  EXPECT_THAT(refusal(R"({"runs": {"problem": "pendulum", "method": "bdf", "h": "1/10",
                          "draws": {"count": 3, "values": {"/problem/mass": {"uniform": [-2, -1]}}}}})"),
              HasSubstr("mass"));
}

}  // namespace TEST_FILE
}  // namespace daelab
