// Progress: the share of the work and the time left, learnt from the runs that have ended; its line.
#include "lab/runs/progress.hpp"

#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

TEST(WorkEstimate, KnowsNothingBeforeARunHasEnded) {
  WorkEstimate estimate;
  estimate.add("bdf", 10);
  EXPECT_FALSE(estimate.work(0));
  estimate.started("bdf", 10);
  EXPECT_FALSE(estimate.work(3));
}

TEST(WorkEstimate, TakesTheRateOfTheSameMethodAndOfAllForOthers) {
  WorkEstimate estimate;
  for (int i = 0; i < 2; ++i) estimate.add("slow", 10), estimate.add("fast", 10);
  estimate.add("new", 10);
  for (const char* method : {"slow", "fast"}) estimate.started(method, 10);
  estimate.ended("slow", 10, 90, true);
  estimate.ended("fast", 10, 10, true);
  const auto work = estimate.work(0);
  ASSERT_TRUE(work);
  EXPECT_DOUBLE_EQ(work->done, 100);
  EXPECT_DOUBLE_EQ(work->left, 90 + 10 + 50);  // the new one as all of them: 100 seconds for 20 units
  EXPECT_EQ(work->percent(), 40);
}

TEST(WorkEstimate, IsCorrectedByRunsThatTakeLongerThanTheirCostSaid) {
  WorkEstimate estimate;
  for (int i = 0; i < 4; ++i) estimate.add("", 1);
  estimate.ended("", 1, 1, false);
  EXPECT_EQ(estimate.work(0)->percent(), 25);
  estimate.ended("", 1, 3, false);
  EXPECT_DOUBLE_EQ(estimate.work(0)->left, 4);
}

TEST(WorkEstimate, NeverSaysAllBeforeTheEnd) {
  WorkEstimate estimate;
  estimate.add("a", 1000), estimate.add("b", 1);
  estimate.ended("a", 1000, 1000, false);
  EXPECT_EQ(estimate.work(0)->percent(), 99);
  estimate.started("b", 1);
  const auto late = estimate.work(500);  // far longer than expected
  EXPECT_EQ(late->percent(), 99);
  EXPECT_EQ(late->left, 0);
}

TEST(WorkEstimate, CountsWhatRunningRunsHaveTaken) {
  WorkEstimate estimate;
  for (int i = 0; i < 3; ++i) estimate.add("a", 10);
  estimate.started("a", 10), estimate.started("a", 10);
  estimate.ended("a", 10, 10, true);
  EXPECT_DOUBLE_EQ(estimate.work(4)->done, 14);
  EXPECT_DOUBLE_EQ(estimate.work(4)->left, 16);
}

TEST(ProgressLine, LosesWholeWords) {
  EXPECT_EQ(cut_to_words("1 of 2 runs; now two-link-manipulator index-3", 45),
            "1 of 2 runs; now two-link-manipulator index-3");
  EXPECT_EQ(cut_to_words("1 of 2 runs; now two-link-manipulator index-3", 44),
            "1 of 2 runs; now two-link-manipulator …");
  EXPECT_EQ(cut_to_words("1 of 2 runs; now two-link-manipulator index-3", 30), "1 of 2 runs; now …");
}

}  // namespace TEST_FILE
}  // namespace daelab
