// Results of experiments are data: what analysis.json holds is read as the struct that it was written from.
#include <gmock/gmock.h>

#include "core/base/write_file.hpp"
#include "lab/lab.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

// The values at a pointer whose tokens may be "*", any key or index.
std::vector<Json> values_at(const Json& json, const std::string& pointer) {
  if (pointer.empty()) return {json};
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  const std::string token = pointer.substr(1, end - 1), rest = pointer.substr(end);
  std::vector<Json> values;
  const auto add = [&](const Json& inner) {
    for (Json& value : values_at(inner, rest)) values.push_back(std::move(value));
  };
  if (json.is_array())
    for (const Json& entry : token == "*" ? json : Json::array()) add(entry);
  else if (json.is_object())
    for (const auto& [key, value] : json.items())
      if (token == "*" || token == key) add(value);
  return values;
}

// The result set of a config that is carried out.
class Made {
 public:
  /// "without" in the config: pointers of units that it has no numbers at.
  explicit Made(Json config) {
    load_project();
    const auto without = config.value("without", std::vector<std::string>());
    config.erase("without");
    config["name"] = "made";
    write_file(path("config.json"), config.dump());
    run_configs({read_config(path("config.json"))}, {.out_dir = path("out"), .jobs = 1, .quiet = true});
    set_ = load(path("out/made"));
    check_units(without);
  }
  const LoadedSet& set() const { return set_; }
  /// The analysis read, and written again.
  template <class Result>
  Json again() const {
    return set_.result<Result>();
  }

 private:
  // Results have no units of their own: taken out of the analysis here.
  void check_units(const std::vector<std::string>& without) {
    if (!set_.analysis.contains("units")) return;
    const Json units = set_.analysis["units"];
    set_.analysis.erase("units");
    for (const auto& [pointer, unit] : units.items()) {
      const std::vector<Json> values = values_at(set_.analysis, pointer);
      const bool has_none = std::ranges::find(without, pointer) != without.end();
      EXPECT_EQ(values.empty(), has_none) << pointer;
      for (const Json& value : values) EXPECT_FALSE(value.is_object() || value.is_boolean()) << pointer << value;
    }
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  TemporaryFolder folder_;
  LoadedSet set_;
};

Json pendulum(const Json& more) {
  Json run = {{"problem", "pendulum"}, {"method", "gauss"}, {"t_end", "1"}};
  run.update(more);
  return run;
}

TEST(Results, Drift) {
  const Made made(
      {{"experiment", "drift"},
       {"runs", Json::array({pendulum({{"formulation", "index-1"}, {"h", "1/50"}, {"t_end", {"1", "2", "4"}}})})}});
  const auto result = made.set().result<DriftResult>();
  EXPECT_EQ(made.again<DriftResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 3U);
  ASSERT_EQ(result.growth.size(), 1U);
  EXPECT_EQ(result.growth.front().of.size(), 3U);
  std::vector<Real50> of_result, of_records;
  for (const DriftResult::Row& row : result.runs) of_result.push_back(row.max.position_constraint.value());
  for (const LoadedRun& run : made.set().runs) of_records.push_back(run.as<>().max.position_constraint.value());
  EXPECT_THAT(of_result, testing::UnorderedElementsAreArray(of_records)) << "no digit is lost";
}

TEST(Results, SayTheirUnits) {
  EXPECT_EQ(units_json({{"/runs/*/h", "s"}, {"/runs/*/energy", "J"}}),
            Json({{"/runs/*/h", "s"}, {"/runs/*/energy", "J"}}));
  const Json json = {{"runs", {{{"h", 1}}, {{"h", 2}}}}, {"other", 3}};
  EXPECT_THAT(values_at(json, "/runs/*/h"), testing::ElementsAre(1, 2));
  EXPECT_THAT(values_at(json, "/*/h"), testing::IsEmpty());
}

TEST(Results, ConvergenceWithAShortenedStep) {
  const Made made({{"experiment", "convergence"},
                   {"runs", Json::array({pendulum({{"h", {"1/10", "3/40", "1/20", "1/40", "1/80"}}})})},
                   {"reference", pendulum({{"method", "gauss:s=5"}, {"h", "1/80"}, {"scalar", "double"}})}});
  const auto result = made.set().result<ConvergenceResult>();
  EXPECT_EQ(made.again<ConvergenceResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 1U);
  const OrderSeries& series = result.series.front();
  EXPECT_EQ(series.method, "gauss");
  EXPECT_THAT(series.classes, testing::ElementsAre("q", "v", "a", "lambda"));
  ASSERT_EQ(series.points.size(), 5U);
  EXPECT_FALSE(series.points[1].shows_order()) << "3/40 does not divide 1";
  EXPECT_EQ(series.orders.at("q").used_points.size(), static_cast<std::size_t>(series.orders.at("q").used));
}

TEST(Results, ConvergenceWithoutReference) {
  const Made made({{"experiment", "convergence"},
                   {"without", {"/series/*/t_end", "/series/*/points/*/h", "/series/*/points/*/dividing_step"}},
                   {"runs", Json::array({pendulum({{"h", {"1/10", "1/20"}}})})},
                   {"reference",
                    pendulum({{"method", "explicit-euler"}, {"h", "1/2"}, {"max_steps", "1"}, {"scalar", "double"}})}});
  EXPECT_EQ(made.again<ConvergenceResult>(), made.set().analysis);
  EXPECT_THAT(made.set().result<ConvergenceResult>().failure, testing::HasSubstr("no errors"));
}

TEST(Results, OrderReduction) {
  const Made made({{"experiment", "order-reduction"},
                   {"runs", Json::array({{{"problem", {{"name", "prothero-robinson"}, {"rate", {-1, -1000}}}},
                                          {"method", "radau-iia:s=2"},
                                          {"h", {"1/10", "1/20", "1/40"}}}})}});
  const auto result = made.set().result<OrderReductionResult>();
  EXPECT_EQ(made.again<OrderReductionResult>(), made.set().analysis);
  ASSERT_EQ(result.limits.size(), 2U);
  EXPECT_EQ(result.limits.front()->classical, 3) << "2 s - 1";
}

TEST(Results, WorkPrecision) {
  const Made made({{"experiment", "work-precision"},
                   {"runs", Json::array({pendulum({{"method", "bdf"}, {"rtol", {"1e-4", "1e-5", "1e-6"}}})})},
                   {"reference", pendulum({{"method", "gauss:s=5"}, {"h", "1/80"}, {"scalar", "double"}})},
                   {"at_accuracy", Json::array({{{"accuracy", "q"}, {"at", {"1e-4"}}}})}});
  const auto result = made.set().result<WorkPrecisionResult>();
  EXPECT_EQ(made.again<WorkPrecisionResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 1U);
  ASSERT_EQ(result.series.front().points.size(), 3U);
  const WorkPrecision::Point& loosest = result.series.front().points.front();
  EXPECT_EQ(loosest.spec.rtol->text(), "1e-4");
  EXPECT_EQ(loosest.spec.method.name(), "bdf");
  EXPECT_EQ(loosest.cost.at("steps"), loosest.stats.steps);
  EXPECT_EQ(result.series.front().costs.size(), 1U);
}

TEST(Results, StabilityRegionWithOrderStar) {
  const Made made({{"experiment", "stability-region"},
                   {"runs", Json::array({{{"method", {"gauss:s=2", "bdf:k=3", "explicit-euler"}}}})},
                   {"columns", 40},
                   {"rows", 40},
                   {"show", "both"}});
  const auto result = made.set().result<StabilityRegionResult>();
  EXPECT_EQ(made.again<StabilityRegionResult>(), made.set().analysis);
  ASSERT_EQ(result.methods.size(), 3U);
  EXPECT_TRUE(result.methods[0].a_stable.holds);
  EXPECT_TRUE(result.methods[0].order_star);
  EXPECT_FALSE(result.methods[1].order_star) << "three steps";
  EXPECT_NEAR(result.methods[2].intervals->real, 2, 1e-12) << "|1 + w| <= 1 on [-2, 0], to round-off";
}

TEST(Results, StabilityInterval) {
  const Made made({{"experiment", "stability-interval"},
                   {"runs", Json::array({{{"label", "rkc"}, {"method", {"rkc:stages=5", "rkc:stages=10"}}},
                                         {{"label", "none"}, {"method", "gauss"}}})},
                   {"laws", Json::array({{{"method", "rkc"}, {"factor", "2/3"}, {"shift", "-1"}}})}});
  const auto result = made.set().result<StabilityIntervalResult>();
  EXPECT_EQ(made.again<StabilityIntervalResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 3U);
  EXPECT_EQ(result.series[0].record.axis->stages, 5);
  EXPECT_EQ(result.series[0].law, 16) << "2/3 (25 - 1)";
  EXPECT_FALSE(result.series[2].record.ok());
}

TEST(Results, TrajectoriesWithDifferencesAndJumps) {
  const Json step = {{"h", "1/50"}, {"sample_every", "1/4"}, {"trajectory", 1}};
  Json other = step;
  other["method"] = "lobatto-iiic:s=3";
  const Made made(
      {{"experiment", "trajectories"},
       {"runs", Json::array({pendulum(step), pendulum(other)})},
       {"tables",
        Json::array(
            {{{"id", "gap"}, {"components", {"q1", "lambda1"}}, {"relative_to", "gauss"}, {"until", {"1/2", "1"}}}})},
       {"figures", Json::array({{{"id", "path"},
                                 {"panels", Json::array({{{"components", {"q1"}}},
                                                         {{"components", {"a1"}}, {"steps", true}}})}}})},
       {"jumps", {"lambda", "a2"}}});
  const auto result = made.set().result<TrajectoriesResult>();
  EXPECT_EQ(made.again<TrajectoriesResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 2U);
  ASSERT_EQ(result.runs[0].jumps.size(), 2U);
  EXPECT_EQ(result.runs[0].jumps[1].first, "a2") << "in the order of the config";
  EXPECT_GT(result.runs[0].jumps[0].second.magnitude, 0);
  ASSERT_EQ(result.tables.front().list.size(), 2U);
  EXPECT_EQ(result.tables.front().list[0].largest.size(), 2U);
  ASSERT_EQ(result.figures.front().size(), 2U);
  EXPECT_EQ(result.figures.front()[0].front().t, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_FALSE(result.figures.front()[1].front().file.empty());
}

TEST(Results, Events) {
  const Json problem = {{"name", "bouncing-pendulum"}};
  const Json run = {{"problem", problem}, {"t_end", "2"}, {"formulation", "projected"}};
  Json controlled = run, fixed = run;
  controlled.update({{"method", "dormand-prince"}, {"rtol", {"1e-6", "1e-8"}}});
  fixed.update({{"method", "rk4-classical"}, {"h", {"1/50", "1/100", "1/200", "1/400"}}});
  const Made made({{"experiment", "events"}, {"runs", Json::array({controlled, fixed})}});
  const auto result = made.set().result<EventsResult>();
  EXPECT_EQ(made.again<EventsResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_TRUE(result.series[0].controlled);
  EXPECT_FALSE(result.series[0].order);
  EXPECT_EQ(result.series[0].points[0].rtol->text(), "1e-6");
  EXPECT_EQ(result.series[0].points[0].missed, 0);
  ASSERT_TRUE(result.series[1].order);
  EXPECT_EQ(result.series[1].points[0].steps_text, "h = 1/50");
}

TEST(Results, IterationCountsWithLevelCurve) {
  const Made made(
      {{"experiment", "iteration-counts"},
       {"vary", "/multiplier_solver/eps_abs"},
       {"level", "5/4"},
       {"runs",
        Json::array({{{"problem", "rowing-boat"},
                      {"formulation", "baumgarte:velocity_gain=10,position_gain=10000"},
                      {"method", "rk4-classical"},
                      {"t_end", "1/2"},
                      {"h", {"1/250", "1/500", "1/1000"}},
                      {"multiplier_solver",
                       {{"name", "sr1-paper"}, {"eps_abs", {"1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"}}}}}})}});
  const auto result = made.set().result<IterationCountsResult>();
  EXPECT_EQ(made.again<IterationCountsResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 18U);
  const auto& counts = result.runs.front();
  EXPECT_EQ(counts.solves, counts.passes->solves);
  EXPECT_EQ(*counts.mean, counts.passes->mean_passes());
  ASSERT_EQ(result.families.size(), 1U);
  EXPECT_EQ(result.families.front().sweeps.size(), 3U);
  EXPECT_EQ(result.families.front().curve->points.size() + result.families.front().curve->missing.size(), 3U);
}

TEST(Results, NewtonIterationsHaveNoPasses) {
  const Made made({{"experiment", "iteration-counts"},
                   {"count", "newton-iterations"},
                   {"without", {"/families/*/sweeps/*/h", "/families/*/curve/points/*/h"}},
                   {"runs", Json::array({pendulum({{"h", "1/20"}})})}});
  const auto result = made.set().result<IterationCountsResult>();
  EXPECT_EQ(made.again<IterationCountsResult>(), made.set().analysis);
  EXPECT_EQ(result.runs.front().solves, 20);
  EXPECT_FALSE(result.runs.front().passes);
}

TEST(Results, Crossover) {
  const auto entry = [](const char* label, const char* method, const char* formulation) {
    return Json{{"label", label},
                {"method", method},
                {"formulation", formulation},
                {"t_end", "5"},
                {"problem", {{"name", "leader-follower"}, {"stiffness", {"10", "1000"}}}},
                {"rtol", {"1e-5", "1e-7"}}};
  };
  const Made made(
      {{"experiment", "crossover"},
       {"cost", Json::array({"evaluations"})},
       {"groups", Json::array({{{"label", "explicit"}, {"series", Json::array({"DP"})}},
                               {{"label", "implicit"}, {"series", Json::array({"Radau"})}}})},
       {"runs", Json::array({entry("DP", "dormand-prince", "projected"), entry("Radau", "radau-iia:s=3", "ggl")})}});
  const auto result = made.set().result<CrossoverResult>();
  EXPECT_EQ(made.again<CrossoverResult>(), made.set().analysis);
  ASSERT_EQ(result.swept.size(), 1U);
  const CrossoverResult::Swept& swept = result.swept.front();
  EXPECT_EQ(swept.cost, "evaluations");
  EXPECT_EQ(swept.comparisons.size(), 2U) << "the second group, and its one series";
  ASSERT_EQ(swept.series.front().points.size(), 2U);
  EXPECT_EQ(swept.series.front().points[0].value, 10);
  EXPECT_EQ(swept.first.front().cost, swept.series.front().points[0].cheapest->cost);
}

TEST(Results, CrossoverOutOfReach) {
  const Json run = {{"problem", {{"name", "leader-follower"}, {"stiffness", {"10", "1000"}}}}, {"t_end", "5"}};
  Json ours = run, theirs = run;
  ours.update({{"label", "DP"}, {"method", "dormand-prince"}, {"formulation", "projected"}, {"rtol", "1e-2"}});
  theirs.update({{"label", "Radau"}, {"method", "radau-iia:s=3"}, {"formulation", "ggl"}, {"rtol", "1e-8"}});
  const Made made({{"experiment", "crossover"},
                   {"cost", Json::array({"steps"})},
                   {"within", "1e-7"},
                   {"groups", Json::array({{{"label", "explicit"}, {"series", Json::array({"DP"})}},
                                           {{"label", "implicit"}, {"series", Json::array({"Radau"})}}})},
                   {"runs", Json::array({ours, theirs})}});
  const auto result = made.set().result<CrossoverResult>();
  EXPECT_EQ(made.again<CrossoverResult>(), made.set().analysis);
  EXPECT_FALSE(result.swept.front().series[0].points[0].cheapest);
  EXPECT_EQ(result.swept.front().first[0].cost, HUGE_VAL);
}

TEST(Results, ComparisonWithDifferences) {
  const Made made(
      {{"experiment", "comparison"},
       {"differences", true},
       {"over", Json::array({"/newton"})},
       {"runs",
        Json::array(
            {pendulum({{"label", "default"}, {"h", {"1/10", "1/20", "1/40"}}}),
             pendulum({{"label", "loose"}, {"h", {"1/10", "1/20", "1/40"}}, {"newton", {{"tolerance", "1e-3"}}}})})}});
  const auto result = made.set().result<ComparisonResult>();
  EXPECT_EQ(made.again<ComparisonResult>(), made.set().analysis);
  EXPECT_THAT(result.ways, testing::ElementsAre("default", "loose"));
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.rows.front().ways.at("loose").status, StatusCode::ok);
  ASSERT_EQ(result.differences.size(), 1U);
  EXPECT_EQ(result.differences.front().way, "loose");
}

TEST(Results, LinearIterations) {
  const Made made({{"experiment", "linear-iterations"},
                   {"runs", Json::array({{{"problem",
                                           {{"name", "random-psd"},
                                            {"size", 6},
                                            {"rank", 4},
                                            {"perturbation_rank", {1, 2}},
                                            {"seed", {1, 2, 3}}}}}})}});
  const auto result = made.set().result<LinearIterationsResult>();
  EXPECT_EQ(made.again<LinearIterationsResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_EQ(result.series[0].problems, 3U);
  EXPECT_EQ(result.series[0].status_text(), "ok");
  EXPECT_FALSE(result.series[0].first.residuals.empty());
}

TEST(Results, NullSpace) {
  const Made made(
      {{"experiment", "null-space"}, {"runs", Json::array({pendulum({{"h", "1/20"}, {"sample_every", "1/4"}})})}});
  const auto result = made.set().result<NullSpaceResult>();
  EXPECT_EQ(made.again<NullSpaceResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.runs[0].samples, 5U);
  EXPECT_EQ(result.runs[0].constraints, 1);
  for (const NullSpaceResult::Measures& of : result.runs[0].of) EXPECT_GE(of.condition, 1);
}

TEST(Results, MultiplierSystem) {
  const Made made({{"experiment", "multiplier-system"},
                   {"runs", Json::array({pendulum({{"h", "1/20"}, {"sample_every", "1/4"}})})}});
  const auto result = made.set().result<MultiplierSystemResult>();
  EXPECT_EQ(made.again<MultiplierSystemResult>(), made.set().analysis);
  ASSERT_EQ(result.systems.size(), 1U);
  const SampledSystem& system = result.systems.front();
  EXPECT_EQ(system.rank(), 1);
  EXPECT_EQ(system.samples().size(), 5U);
  EXPECT_EQ(system.changes().size(), 4U);
  EXPECT_EQ(system.samples().back().q.size(), 2);
}

TEST(Results, SpectralRadius) {
  const Made made({{"experiment", "spectral-radius"},
                   {"runs", Json::array({{{"method", {"generalized-alpha:rho=4/5", "newmark"}}, {"points", 20}}})}});
  const auto result = made.set().result<SpectralRadiusResult>();
  EXPECT_EQ(made.again<SpectralRadiusResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_NEAR(result.series[0].record.measures->rho_infinity, 0.8, 1e-12) << "by design; roots to round-off";
  EXPECT_EQ(result.series[0].record.measures->curves.Omega.size(), 20U);
}

TEST(Results, BdfLimits) {
  const Made made({{"experiment", "bdf-limits"},
                   {"caps", {"2", "1.5"}},
                   {"thresholds", {"2"}},
                   {"runs", Json::array({{{"k", {1, 2, 3}}}})}});
  const auto result = made.set().result<BdfLimitsResult>();
  EXPECT_EQ(made.again<BdfLimitsResult>(), made.set().analysis);
  ASSERT_EQ(result.orders.size(), 3U);
  EXPECT_FALSE(result.orders[0].growth_bound) << "order 1 stays zero-stable";
  EXPECT_TRUE(result.orders[2].instability);
  EXPECT_EQ(result.tests.count(3), 1U);
}

TEST(Results, StepHistory) {
  const Made made({{"experiment", "step-history"},
                   {"runs", Json::array({pendulum({{"method", "bdf"}, {"rtol", "1e-6"}, {"history", true}})})}});
  const auto result = made.set().result<StepHistoryResult>();
  EXPECT_EQ(made.again<StepHistoryResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 1U);
  const auto& run = result.runs.front();
  EXPECT_EQ(static_cast<long>(run.history.accepted().size()), run.stats.steps);
  EXPECT_EQ(static_cast<long>(run.history.dropped().size()), run.rejected_by_error + run.cut + run.failed);
}

TEST(Results, MethodReport) {
  const Made made({{"experiment", "method-report"},
                   {"runs", Json::array({{{"method", {"radau-iia:s=2", "bdf:k=2", "newmark"}}}})}});
  const auto result = made.set().result<MethodReportResult>();
  EXPECT_EQ(made.again<MethodReportResult>(), made.set().analysis);
  ASSERT_EQ(result.methods.size(), 3U);
  EXPECT_EQ(result.methods[0].record.report.order->value, 3) << "2 s - 1";
  EXPECT_TRUE(result.methods[0].order_star);
  EXPECT_TRUE(result.methods[1].region);
  EXPECT_EQ(result.methods[2].spectral_radius.size(), 2U);
}

TEST(Results, ProblemReport) {
  const Made made({{"experiment", "problem-report"}, {"runs", Json::array({{{"problem", "slider-crank"}}})}});
  const auto result = made.set().result<ProblemReportResult>();
  EXPECT_EQ(made.again<ProblemReportResult>(), made.set().analysis);
  ASSERT_EQ(result.cards.size(), 1U);
  EXPECT_FALSE(result.cards[0].shapes.empty());
  EXPECT_EQ(result.cards[0].data.front().title, "Options");
}

TEST(Results, MethodTable) {
  const Made made({{"experiment", "method-table"},
                   {"columns", {"order", "A", "error-constant"}},
                   {"runs", Json::array({{{"method", {"gauss:s=2", "bdf:k=5"}}}})}});
  const auto result = made.set().result<MethodTableResult>();
  EXPECT_EQ(made.again<MethodTableResult>(), made.set().analysis);
  ASSERT_EQ(result.methods.size(), 2U);
  EXPECT_EQ(result.methods[0].report.order->value, 4) << "2 s";
  EXPECT_EQ(result.columns.size(), 3U);
}

TEST(Results, ReferenceValues) {
  const Made made({{"experiment", "reference-values"},
                   {"runs", Json::array({{{"problem", "pendulum"}, {"t_end", {"10", "0.123"}}}})}});
  const auto result = made.set().result<ReferenceValuesResult>();
  EXPECT_EQ(made.again<ReferenceValuesResult>(), made.set().analysis);
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_EQ(result.rows[0].status, StatusCode::ok);
  EXPECT_TRUE(result.rows[0].digits_trusted);
  EXPECT_EQ(result.rows[1].status, StatusCode::not_applicable) << "nothing is stored for this time";
  EXPECT_FALSE(result.rows[1].digits_trusted);
}

TEST(Results, Trust) {
  const Made made({{"experiment", "trust"},
                   {"limit", "1/1000"},
                   {"runs", Json::array({{{"label", "pairs"},
                                          {"problem", "pendulum"},
                                          {"formulation", "index-1"},
                                          {"method", {"dormand-prince", "radau-iia:s=3"}},
                                          {"rtol", {"1e-4", "1e-6"}}}})},
                   {"explained", Json::array({{{"runs", {{"/method/name", "radau-iia"}}}, {"reason", "of a test"}}})}});
  const auto result = made.set().result<TrustResult>();
  EXPECT_EQ(made.again<TrustResult>(), made.set().analysis);
  ASSERT_EQ(result.rows.size(), 4U);
  EXPECT_EQ(result.worst().size(), 4U);
  EXPECT_EQ(result.rows.back().method, "radau-iia:s=3");
  EXPECT_EQ(result.rows.front().problem, "pendulum");
}

TEST(Results, Judge) {
  TemporaryFolder folder;
  const std::string table = folder.path() + "/theirs.csv";
  write_file(table, "h,y1\n0.1,-0.514\n0.05,-0.5365\n0.025,-0.5421\n");
  const Made made({{"experiment", "judge"},
                   {"without", {"/runs/*/drift/energy_error", "/runs/*/digits/drift/energy_error"}},
                   {"files", Json::array({{{"path", table}, {"label", "theirs"}}})},
                   {"runs", Json::array({{{"problem", "prothero-robinson"},
                                          {"method", "radau-iia:s=2"},
                                          {"h", {"1/10", "1/20", "1/40"}}}})}});
  const auto result = made.set().result<JudgeResult>();
  EXPECT_EQ(made.again<JudgeResult>(), made.set().analysis);
  EXPECT_THAT(result.classes, testing::ElementsAre("y"));
  ASSERT_EQ(result.runs.size(), 6U);
  EXPECT_EQ(result.runs[0].h->text(), "0.1");
  EXPECT_EQ(result.runs[0].states, 1);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_EQ(result.series[0].label, "theirs");
}

TEST(Results, AreOfTheirKindAlone) {
  const Made made({{"experiment", "drift"}, {"runs", Json::array({pendulum({{"h", "1/50"}})})}});
  EXPECT_THROW(made.set().result<ConvergenceResult>(), Json::exception);
}

}  // namespace TEST_FILE
}  // namespace daelab
