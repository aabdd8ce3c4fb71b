// Results of experiments are data: what analysis.json holds is read as the struct that it was written from.
#include <gmock/gmock.h>

#include "core/base/write_file.hpp"
#include "lab/lab.hpp"
#include "tests/temporary_folder.hpp"

namespace daelab {
namespace {

// The result set of a config that is carried out.
class Made {
 public:
  explicit Made(Json config) {
    load_project();
    config["name"] = "made";
    write_file(path("config.json"), config.dump());
    run_configs({read_config(path("config.json"))}, {.out_dir = path("out"), .jobs = 1, .quiet = true});
    set_ = load(path("out/made"));
  }
  const LoadedSet& set() const { return set_; }
  /// The analysis read, and written again.
  template <class Result>
  Json again() const {
    return set_.result<Result>();
  }

 private:
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

TEST(Results, AreOfTheirKindAlone) {
  const Made made({{"experiment", "drift"}, {"runs", Json::array({pendulum({{"h", "1/50"}})})}});
  EXPECT_THROW(made.set().result<ConvergenceResult>(), Json::exception);
}

}  // namespace
}  // namespace daelab
