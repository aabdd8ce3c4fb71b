// Runs that keep where they differ from another one alone: the same specifications, keys and records as whole ones.
#include "lab/runs/compact_run.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include "core/base/sanitizer.hpp"
#include "lab/runs/draws.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

// Each combination of a grid, `count` times with draws.
std::vector<Json> runs_of(const Json& grid, const Json& values, int count) {
  Draws draws;
  draws.options().read({{"count", count}, {"values", values}}, "");
  const DrawnRuns drawn = draws.applied(expand_grid(grid, ""), "");
  std::vector<Json> runs;
  for (std::size_t i = 0; i < drawn.size(); ++i) runs.push_back(drawn[i]);
  return runs;
}

Json without_times(Json record) {
  record["stats"].erase("cpu_seconds"), record["stats"].erase("wall_seconds");
  return record;
}

// Of all runs first, so that none is carried out beside the model that it was bound with.
void expect_as_whole_ones(const std::vector<Json>& runs) {
  const auto binder = CompactIntegrations::kind().binder();
  std::vector<std::shared_ptr<const BoundRun>> compact;
  for (const Json& run : runs) compact.push_back(binder->bind(run, ""));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto whole = Run::bind(runs[i], "");
    EXPECT_EQ(compact[i]->specification()->dump(), whole->json().dump());
    EXPECT_EQ(compact[i]->inputs(), whole->inputs());
    EXPECT_EQ(compact[i]->expected_cost(), whole->expected_cost());
    EXPECT_EQ(compact[i]->makes_trajectory(), whole->makes_trajectory());
    const RunOutcome ours = compact[i]->execute(), theirs = whole->execute();
    EXPECT_EQ(without_times(ours.record).dump(), without_times(theirs.record).dump());
    EXPECT_EQ(ours.trajectory, theirs.trajectory);
  }
}

TEST(CompactRun, IsTheWholeRun) {
  expect_as_whole_ones(runs_of(Json::parse(R"({"problem": "pendulum", "h": "1/50", "t_end": "1/5", "samples": ["1/10"],
      "method": ["runge-kutta", "bdf:order=2", "generalized-alpha"], "formulation": ["index-1", "index-3"],
      "multiplier_solver": [null, "schur-cholesky"], "trajectory": [0, 3]})"),
                               Json::parse(R"({"/problem/gravity": {"normal": ["9.81", "0.1"]}})"), 3));
}

TEST(CompactRun, KeepsStartsTolerancesAndFiles) {
  expect_as_whole_ones(runs_of(
      Json::parse(R"({"problem": ["pendulum", "two-link-manipulator"], "start": "project", "rtol": ["1e-4", "1e-5"],
      "atol_components": {"q1": "1e-6"}, "t_end": "1/10", "method": ["extrapolation", "radau-iia:s=3"], "formulation": "index-1"})"),
      Json::parse(R"({"/start/v/v2": {"normal": [0, "0.01"]}})"), 2));
  expect_as_whole_ones(
      runs_of(Json::parse(R"({"problem": "linear-test", "h": "1/50", "t_end": 1, "method": "runge-kutta"})"),
              Json::parse(R"({"/problem/im": {"uniform": [1, 2]}})"), 3));
}

// Some of these have a stored reference, which a run keeps as it was.
TEST(CompactRun, HasTheReferenceOfTheWholeRun) {
  expect_as_whole_ones(
      expand_grid(Json::parse(R"({"problem": "seven-body", "method": "extrapolation", "formulation": "index-1",
      "rtol": ["1e-5", "1e-6"], "t_end": ["3/100", "1/100"]})"),
                  ""));
}

// A whole run takes some 20 KB.
TEST(CompactRun, TakesFewBytes) {
#ifdef DAELAB_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
  constexpr int count = 2000;
  const std::vector<Json> runs = runs_of(
      Json::parse(R"({"problem": "pendulum", "method": "bdf", "formulation": "index-3", "h": "1/50"})"),
      Json::parse(R"({"/start/v/y": {"normal": [0, "0.1"]}, "/start/v/x": {"uniform": ["-1e-9", "1e-9"]}})"), count);
  std::vector<std::shared_ptr<const BoundRun>> compact(count);
  const auto bytes = [] { return static_cast<double>(::mallinfo2().uordblks); };
  const double before = bytes();
  {
    const auto binder = CompactIntegrations::kind().binder();
    for (std::size_t i = 0; i < runs.size(); ++i) compact[i] = binder->bind(runs[i], "");
  }
  EXPECT_LT((bytes() - before) / count, 400);
}

}  // namespace TEST_FILE
}  // namespace daelab
