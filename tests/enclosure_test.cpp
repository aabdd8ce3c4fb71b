// Enclosures hold what they enclose: values and slopes of every operation, on random intervals and at the edges of
// domains.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/base/exact.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/enclosing_program.hpp"
#include "tests/expression_support.hpp"
#include "tests/random_numbers.hpp"

namespace daelab {
namespace TEST_FILE {

// f(t), its enclosures, and what the interpreter says of it and of its derivative.
class Enclosed {
 public:
  explicit Enclosed(const std::function<Expression(const Expression& t)>& f) {
    const RecordingScope scope(graph_);
    const Expression t = graph_.input(0, 0, "t"), value = f(t);
    const Expression slope = gradient(value, std::array{t})[0];
    enclosing_.emplace(graph_, value);
    program_ = make_interpreter<double>(tape_of(graph_, std::array{value, slope}));
  }
  Enclosure over(double a, double b) {
    for (const auto& input : enclosing_->inputs()) enclosing_->set(input, {{a, b}, {1, 1}});
    return enclosing_->run();
  }
  std::vector<double> at(double t) const { return run(*program_, std::vector{t}, 2); }

 private:
  Graph graph_;
  std::optional<EnclosingProgram> enclosing_;
  std::unique_ptr<Program<double>> program_;
};

// Values and slopes at times within the interval; at one where f jumps or has a kink the formula of the slope is that
// of one side.
void expect_held(Enclosed& f, double a, double b, const std::string& what) {
  const Enclosure enclosure = f.over(a, b);
  constexpr int parts = 37;
  for (int k = 0; k <= parts; ++k) {
    const double t = std::min(b, a + (b - a) * k / parts);
    const std::vector<double> exact = f.at(t);
    if (!std::isfinite(exact[0]) || !std::isfinite(exact[1])) continue;
    EXPECT_LE(enclosure.value.lower, exact[0]) << what << " at " << t << " in " << a << ", " << b;
    EXPECT_GE(enclosure.value.upper, exact[0]) << what << " at " << t << " in " << a << ", " << b;
    EXPECT_LE(enclosure.slope.lower, exact[1]) << what << "' at " << t << " in " << a << ", " << b;
    EXPECT_GE(enclosure.slope.upper, exact[1]) << what << "' at " << t << " in " << a << ", " << b;
  }
}

struct Named {
  const char* name;
  std::function<Expression(const Expression& t)> f;
};

const std::vector<Named>& functions() {
  static const std::vector<Named> list{
      {"1/t", [](const Expression& t) { return 1 / t; }},
      {"t^2", [](const Expression& t) { return t * t; }},
      {"t^3 - t", [](const Expression& t) { return t * t * t - t; }},
      {"t^(1/3)", [](const Expression& t) { return pow(t, Exact("1/3")); }},
      {"t^(-7/3)", [](const Expression& t) { return pow(t, Exact("-7/3")); }},
      {"t^(3/2)", [](const Expression& t) { return pow(t, Exact("3/2")); }},
      {"sqrt", [](const Expression& t) { return sqrt(t); }},
      {"exp", [](const Expression& t) { return exp(t); }},
      {"log", [](const Expression& t) { return log(t); }},
      {"sin", [](const Expression& t) { return sin(t); }},
      {"cos", [](const Expression& t) { return cos(3 * t); }},
      {"tan", [](const Expression& t) { return tan(t); }},
      {"asin", [](const Expression& t) { return asin(t / 3); }},
      {"acos", [](const Expression& t) { return acos(t / 3); }},
      {"atan", [](const Expression& t) { return atan(t); }},
      {"atan2", [](const Expression& t) { return atan2(t, t * t - 2); }},
      {"sinh", [](const Expression& t) { return sinh(t); }},
      {"cosh", [](const Expression& t) { return cosh(t); }},
      {"tanh", [](const Expression& t) { return tanh(t); }},
      {"abs", [](const Expression& t) { return abs(t * t - 1); }},
      {"sign", [](const Expression& t) { return sign(t) * t; }},
      {"floor", [](const Expression& t) { return floor(t) + t; }},
      {"min", [](const Expression& t) { return min(sin(t), t / 2); }},
      {"max", [](const Expression& t) { return max(cos(t), t * t / 4); }},
      {"select", [](const Expression& t) { return select(t < 1 || t >= 2, t * t, sin(t)); }},
      {"equal", [](const Expression& t) { return select(equal(floor(t), 1), 3, t); }}};
  return list;
}

TEST(Enclosure, HoldsValuesAndSlopes) {
  RandomNumbers random(7);
  for (const auto& [name, f] : functions()) {
    Enclosed enclosed(f);
    for (int k = 0; k < 400; ++k) {
      const double a = 4 * random.next(), width = std::pow(10.0, 6.5 * random.next() - 5.5);  // 1e-12 to 10
      expect_held(enclosed, a, a + width, name);
    }
    for (const double edge : {-3.0, -1.0, 0.0, 1.0, 2.0, 3.0}) expect_held(enclosed, edge, edge + 0.5, name);
    for (const double edge : {-3.0, -1.0, 0.0, 1.0, 2.0, 3.0}) expect_held(enclosed, edge - 0.5, edge, name);
  }
}

// Not much wider than what they hold, so that halving intervals soon decides.
TEST(Enclosure, IsTightOnShortIntervals) {
  for (const auto& [name, f] : functions()) {
    Enclosed enclosed(f);
    const double t = 1.2345, width = 1e-6;
    const Enclosure x = enclosed.over(t, t + width);
    const std::vector<double> exact = enclosed.at(t);
    EXPECT_LT(x.value.width(), 4 * width * std::max(1.0, std::abs(exact[1])) + 1e-12) << name;
    EXPECT_LT(x.slope.width(), 1e-3) << name;
  }
}

// A function that may jump has any slope, one with a kink those of both sides.
TEST(Enclosure, TellsJumpsFromKinks) {
  Enclosed jump([](const Expression& t) { return select(t < 1, t, 2 * t); });
  EXPECT_FALSE(jump.over(0.9, 1.1).slope.is_bounded());
  Enclosed kink([](const Expression& t) { return abs(t - 1); });
  const Bounds slope = kink.over(0.9, 1.1).slope;
  EXPECT_NEAR(slope.lower, -1, 1e-12);
  EXPECT_NEAR(slope.upper, 1, 1e-12);
}

}  // namespace TEST_FILE
}  // namespace daelab
