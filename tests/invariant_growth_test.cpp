// Verdicts on how errors of invariants grow, on errors whose growth is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "analysis/invariant_growth.hpp"
#include "core/base/options.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

constexpr double epsilon = 0x1p-52, h = 0.01;

// Blocks of the error e(k) after each of so many steps; the invariant has the size 1.
ErrorBlocks blocks_of(long steps, const std::function<double(long k)>& error) {
  ErrorBlockWriter writer("energy");
  for (long k = 1; k <= steps; ++k) writer.add(h * static_cast<double>(k), error(k), 1);
  return writer.blocks();
}
GrowthVerdict verdict(long steps, const std::function<double(long k)>& error) {
  return judge_growth(blocks_of(steps, error), epsilon);
}

// Steps of ± a: mt19937_64 is the same everywhere.
class RandomWalk {
 public:
  RandomWalk(std::uint64_t seed, double step) : bits_(seed), step_(step) {}
  double operator()(long /*k*/) { return at_ += (bits_() & 1) != 0 ? step_ : -step_; }

 private:
  std::mt19937_64 bits_;
  double step_, at_ = 0;
};

// As many blocks as said, each with what its steps had.
TEST(ErrorBlocks, KeepExtremesAndMeansOfAllSteps) {
  const auto error = [](long k) { return k == 777 ? -5.0 : static_cast<double>(k % 8); };
  for (const long steps : {10L, 255L, 256L, 1000L, 100000L}) {
    const ErrorBlocks blocks = blocks_of(steps, error);
    EXPECT_EQ(blocks.steps, steps);
    EXPECT_LT(blocks.t.size(), 256u);
    EXPECT_EQ(static_cast<long>(blocks.t.size()), steps / blocks.block_steps);
    EXPECT_GE(blocks.t.size(), steps >= 256 ? 128u : 0u);
    EXPECT_NEAR(blocks.t.front(), h * static_cast<double>(blocks.block_steps), 1e-12);
    EXPECT_EQ(blocks.largest, 7);
    if (blocks.block_steps < 8) continue;
    const auto place = static_cast<std::size_t>(776 / blocks.block_steps);
    for (std::size_t i = 0; i < blocks.t.size(); ++i) {
      EXPECT_EQ(blocks.least[i], i == place ? -5 : 0) << i;
      EXPECT_EQ(blocks.greatest[i], 7) << i;
      EXPECT_TRUE(i == place || blocks.mean[i] == 3.5) << i;
    }
  }
}

TEST(InvariantGrowth, OscillationsAreBounded) {
  for (const double frequency : {0.5, 3.0, 40.0}) {
    const GrowthVerdict found =
        verdict(100000, [&](long k) { return 1e-6 * std::cos(frequency * h * static_cast<double>(k)); });
    EXPECT_EQ(found.verdict, Growth::bounded) << found.statement;
    EXPECT_NEAR(found.exponent.value, 0, 0.03);
    EXPECT_LE(std::abs(found.slope.value), found.slope.half_width);
  }
}

// e = s t + A cos t, the drift five times and a hundredth of the oscillation.
TEST(InvariantGrowth, DriftIsSeenOnceItLeavesTheOscillation) {
  const auto with_slope = [](double slope) {
    return verdict(100000, [=](long k) {
      const double t = h * static_cast<double>(k);
      return slope * t + 0.5 * std::cos(t);
    });
  };
  const GrowthVerdict seen = with_slope(5e-3);
  EXPECT_EQ(seen.verdict, Growth::linear_drift) << seen.statement;
  EXPECT_NEAR(seen.slope.value, 5e-3, seen.slope.half_width);
  EXPECT_LT(seen.slope.half_width, 1e-4);
  EXPECT_THAT(seen.statement, HasSubstr("linear drift: exponent"));
  EXPECT_EQ(with_slope(-5e-3).verdict, Growth::linear_drift);
  EXPECT_EQ(with_slope(1e-5).verdict, Growth::bounded);
}

// Intervals of 95 %: at least 80 of 100 walks are named, and of the others all but two are undecided.
TEST(InvariantGrowth, RandomWalksOfRoundOffAreNamed) {
  int named = 0, undecided = 0, within = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const GrowthVerdict found = verdict(20000, RandomWalk(seed, epsilon));
    named += found.verdict == Growth::random_walk, undecided += found.verdict == Growth::undecided;
    within += std::abs(found.exponent.value - 0.5) <= found.exponent.half_width;
    EXPECT_NEAR(found.roundings_a_step, 1.6, 1) << found.statement;  // E range = sqrt(8/pi) per sqrt(step)
  }
  EXPECT_GE(named, 80);
  EXPECT_GE(named + undecided, 98);
  EXPECT_GE(within, 90);
}

TEST(InvariantGrowth, RandomWalksOfOtherCausesAreUndecided) {
  const GrowthVerdict found = verdict(20000, RandomWalk(3, 1e4 * epsilon));
  EXPECT_EQ(found.verdict, Growth::undecided) << found.statement;
  EXPECT_NEAR(found.exponent.value, 0.5, 0.2);
}

TEST(InvariantGrowth, PowersBesideOneAreNoLinearDrift) {
  for (const double power : {0.5, 1.5, 2.0})
    EXPECT_EQ(verdict(20000, [&](long k) { return 1e-9 * std::pow(k, power); }).verdict, Growth::undecided) << power;
  EXPECT_EQ(verdict(20000, [&](long k) { return 1e-9 * std::pow(k, 1.05); }).verdict, Growth::linear_drift);
}

TEST(InvariantGrowth, WhatSaysNothingIsUndecided) {
  const auto line = [](long k) { return 1e-9 * static_cast<double>(k); };
  EXPECT_EQ(verdict(4096, line).verdict, Growth::linear_drift);
  EXPECT_EQ(verdict(4095, line).statement, "undecided: 4095 steps are too few, 4096 are needed");
  EXPECT_EQ(verdict(5000, [](long k) { return k == 2000 ? NAN : 0.0; }).statement,
            "undecided: the error is not finite");
  EXPECT_EQ(verdict(5000, [](long k) { return k < 2500 ? 0.0 : 1.0; }).verdict, Growth::undecided);
}

TEST(InvariantGrowth, FewRoundingsAreBounded) {
  EXPECT_EQ(verdict(5000, [](long) { return 0.0; }).statement, "bounded: within 0.0 roundings over the whole run");
  EXPECT_EQ(verdict(5000, [](long k) { return 3 * epsilon * static_cast<double>(k / 1000); }).verdict, Growth::bounded);
}

}  // namespace TEST_FILE
}  // namespace daelab
