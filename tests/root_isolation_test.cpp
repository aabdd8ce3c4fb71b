// Roots of functions of time: none is missed, none is found twice.
#include "core/integration/root_isolation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "core/base/exact.hpp"
#include "core/expressions/enclosing_program.hpp"

namespace daelab {
namespace TEST_FILE {

class OfTime final : public EnclosedFunction {
 public:
  explicit OfTime(const std::function<Expression(const Expression& t)>& f) {
    const RecordingScope scope(graph_);
    const Expression t = graph_.input(0, 0, "t");
    program_.emplace(graph_, f(t));
  }
  Enclosure over(double a, double b) override {
    for (const auto& input : program_->inputs()) program_->set(input, {{a, b}, {1, 1}});
    return program_->run();
  }

 private:
  Graph graph_;
  std::optional<EnclosingProgram> program_;
};

std::vector<RootIsolation::Root> roots(OfTime& f, double start, double end) {
  RootIsolation isolation;
  isolation.begin(f, start, end, 1e-13 * (end - start));
  std::vector<RootIsolation::Root> all;
  while (const auto root = isolation.next()) all.push_back(isolation.narrowed(*root, 1e-12));
  EXPECT_FALSE(isolation.gave_up());
  return all;
}

TEST(RootIsolation, FindsAllZerosOfAWave) {
  OfTime f([](const Expression& t) { return cos(2 * t); });
  const auto all = roots(f, 0, 40);
  ASSERT_EQ(all.size(), 25u);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_NEAR(all[k].before, (2 * static_cast<double>(k) + 1) * std::numbers::pi / 4, 1e-11);
    EXPECT_EQ(all[k].falls, k % 2 == 0);
  }
}

// Two roots 1E-5 apart in 1E6 s.
TEST(RootIsolation, FindsAShortVisitBelowZero) {
  OfTime f([](const Expression& t) {
    const Expression x = t - 123456;
    return x * x - Exact("1e-10") / 4;
  });
  EXPECT_EQ(roots(f, 0, 1e6).size(), 2u);
}

// The bound is two thousand round-offs of the time.
TEST(RootIsolation, FindsJumpsOverZero) {
  OfTime f([](const Expression& t) { return select(t > 20 && t < Exact("20.1"), 10000, 0) - t / 100; });
  const auto all = roots(f, 1, 40);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[0].after, 20, 1e-11);
  EXPECT_NEAR(all[1].after, 20.1, 1e-11);
}

// Touching is not passing: a square, a kink, a wave that comes down to zero.
TEST(RootIsolation, LeavesOutWhatOnlyTouchesZero) {
  for (const auto& f : std::vector<std::function<Expression(const Expression& t)>>{
           [](const Expression& t) { return (t - 3) * (t - 3); }, [](const Expression& t) { return abs(sin(t)); },
           [](const Expression& t) { return 1 - cos(t); }, [](const Expression&) { return Expression(); },
           [](const Expression& t) { return max(t - 50, 0); }}) {
    OfTime touching(f);
    EXPECT_EQ(roots(touching, 0.5, 40).size(), 0u);
  }
}

TEST(RootIsolation, SaysWhereItGaveUp) {
  OfTime f([](const Expression& t) { return sin(Exact("1e30") * t); });
  RootIsolation isolation;
  isolation.begin(f, 0, 1, 1e-13);
  while (isolation.next() && !isolation.gave_up()) {
  }
  EXPECT_TRUE(isolation.gave_up());
}

}  // namespace TEST_FILE
}  // namespace daelab
