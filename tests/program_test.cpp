// What expressions evaluate to: random formulas over all operations against 100 digits, constants, bits that do not
// depend on what else a tape computes, and numbers that are not finite.
#include <gmock/gmock.h>

#include <bit>
#include <complex>
#include <limits>
#include <map>

#include "core/expressions/derivative.hpp"
#include "tests/expression_support.hpp"

namespace daelab {
namespace TEST_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

// The error of T against 100 digits, in units of what round-off may do to first order.
template <class T>
double relative_error(const T& value, const Real100& exact, double error, const T& unit) {
  const double bound = static_cast<double>(unit) * error;
  const double difference = static_cast<double>(abs(Real100(value) - exact));
  return difference == 0 ? 0 : difference / bound;
}

// 100 000 formulas, in both scalars. First-order bounds mean something where they are small beside the margins to kinks
// and poles.
// Twice those bounds: measured 0.6 of one. All formulas are checked in 50 digits, and 99 965 in double.
TEST(ExpressionValues, OfRandomFormulasMatchAHundredDigits) {
  constexpr unsigned batches = 5000;
  constexpr int formulas_each = 20;
  std::map<Operation, int> taken;
  int checked50 = 0, checked_double = 0;
  for (unsigned seed = 0; seed < batches; ++seed) {
    const RandomFormulas formulas(seed, formulas_each, every_operation);
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions f = formulas(make_inputs(graph, RandomFormulas::inputs));
    const std::vector<double>& x = formulas.point;
    const std::vector<Real100> exact = formulas(std::vector<Real100>(x.begin(), x.end()));
    const std::vector<double> y = evaluate(graph, f, x);
    const std::vector<Real50> y50 = evaluate(graph, f, std::vector<Real50>(x.begin(), x.end()));
    for (std::size_t k = 0; k < f.size(); ++k) {
      ++taken[formulas.operation(k)];
      if (const double error = formulas.error(k); error < 1e10) {
        ++checked_double;
        ASSERT_LT(relative_error(y[k], exact[k], error, std::ldexp(1.0, -53)), 2)
            << "seed " << seed << ", formula " << k;
      }
      if (const double error = formulas.error(k); error < 1e15) {
        ++checked50;
        ASSERT_LT(relative_error(y50[k], exact[k], error, epsilon<Real50>()), 2)
            << "seed " << seed << ", formula " << k;
      }
    }
  }
  EXPECT_EQ(taken.size(), every_operation.size());
  for (const auto& [operation, count] : taken) EXPECT_GT(count, 1000) << static_cast<int>(operation);
  EXPECT_GT(checked50, 99'900);
  EXPECT_GT(checked_double, 99'500);
}

// A node has the same bits whatever else is computed beside it.
TEST(ExpressionValues, DoNotDependOnWhatElseATapeComputes) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomFormulas formulas(seed, 30, every_operation);
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions f = formulas(make_inputs(graph, RandomFormulas::inputs));
    const std::vector<double> together = evaluate(graph, f, formulas.point);
    const Expressions backwards(f.rbegin(), f.rend());
    const std::vector<double> turned = evaluate(graph, backwards, formulas.point);
    for (std::size_t k = 0; k < f.size(); ++k) {
      const auto bits = std::bit_cast<std::uint64_t>(together[k]);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(turned[f.size() - 1 - k]), bits) << "seed " << seed << ", formula " << k;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(evaluate(graph, f[k], formulas.point)), bits) << "seed " << seed;
    }
  }
}

// Nor do sines and cosines depend on the angles in their group.
TEST(ExpressionValues, OfSinesDoNotDependOnTheirGroup) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 9);
  const std::vector<double> point{0.1, -3e5, 2.5, 1e-300, 12.5, 7, 1e10, -0.7, 3};
  Expressions f;
  for (const Expression& angle : x) f.insert(f.end(), {sin(angle), cos(angle)});
  const std::vector<double> together = evaluate(graph, f, point);
  for (std::size_t k = 0; k < f.size(); ++k) {
    EXPECT_EQ(evaluate(graph, f[k], point), together[k]) << k;
    // One unit in the last place: measured 0.
    EXPECT_NEAR(together[k], k % 2 == 0 ? std::sin(point[k / 2]) : std::cos(point[k / 2]), 3e-16) << k;
  }
}

TEST(ExpressionValues, OfSinesOfSines) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expression x = graph.input(0, 0, "x"), y = sin(x + cos(x + sin(2 * cos(x))));
  // Round-off.
  EXPECT_NEAR(evaluate<double>(graph, y, {0.3}), std::sin(0.3 + std::cos(0.3 + std::sin(2 * std::cos(0.3)))), 1e-15);
}

template <class T>
class ExpressionScalars : public testing::Test {};
using AllScalars = testing::Types<double, Real50, Real100, std::complex<double>>;
TYPED_TEST_SUITE(ExpressionScalars, AllScalars);

// Constants are rounded once, from 100 digits.
TYPED_TEST(ExpressionScalars, RoundConstantsOnce) {
  using T = TypeParam;
  Graph graph;
  const RecordingScope scope(graph);
  const Expression tenth = Exact("0.1"), third = Expression(1) / 3, x = graph.input(0, 0, "x");
  const std::vector<T> y = evaluate<T>(graph, std::array{tenth, third, x * tenth, sqrt(Expression(2))}, {T(3)});
  if constexpr (std::is_same_v<T, Real50> || std::is_same_v<T, Real100>) {
    EXPECT_EQ(y[0], T("0.1"));
    EXPECT_EQ(y[1], T(1) / 3);
    EXPECT_EQ(y[3], sqrt(T(2)));
  } else {
    EXPECT_EQ(y[0], T(0.1));
    EXPECT_EQ(y[1], T(1.0 / 3));
    EXPECT_EQ(y[3], T(std::sqrt(2.0)));
  }
  EXPECT_EQ(y[2], T(3) * y[0]);
}

// Complex numbers are compared by their real parts.
TYPED_TEST(ExpressionScalars, ConditionsAndChoices) {
  using T = TypeParam;
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 2);
  const Expression &a = x[0], &b = x[1];
  const auto truth = [](const Condition& condition) { return select(condition, 5, 7); };
  const Expressions f{truth(a < b),
                      truth(a <= b),
                      truth(a > b),
                      truth(a >= b),
                      truth(equal(a, b)),
                      truth(!(a < b)),
                      truth(a < b && b < 2),
                      truth(a < b || b < 2),
                      min(a, b),
                      max(a, b),
                      abs(a),
                      sign(a),
                      floor(a)};
  const auto expect = [&](const T& p, const T& q, const std::vector<T>& expected) {
    EXPECT_EQ(evaluate<T>(graph, f, {p, q}), expected);
  };
  expect(T(1.5), T(3), {T(5), T(5), T(7), T(7), T(7), T(7), T(7), T(5), T(1.5), T(3), T(1.5), T(1), T(1)});
  expect(T(-1.5), T(-1.5), {T(7), T(5), T(7), T(5), T(5), T(5), T(7), T(5), T(-1.5), T(-1.5), T(1.5), T(-1), T(-2)});
  expect(T(0), T(-2), {T(7), T(7), T(5), T(5), T(7), T(5), T(7), T(5), T(-2), T(0), T(0), T(0), T(0)});
  expect(T(1), T(1.75), {T(5), T(5), T(7), T(7), T(7), T(7), T(5), T(5), T(1), T(1.75), T(1), T(1), T(1)});
  if constexpr (std::is_same_v<T, std::complex<double>>)
    expect(T(1.5, 1), T(1.5, -1), {7, 5, 7, 5, 5, 5, 7, 5, T(1.5, 1), T(1.5, 1), T(1.5, 1), 1, 1});
}

// A value that is chosen against does no harm, and min and max are `b < a ? b : a`, `a < b ? b : a`.
TEST(ExpressionValues, ThatAreNotFinite) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 2);
  const Expression &a = x[0], &b = x[1];
  const auto of = [&](const Expression& f, double p, double q) { return evaluate<double>(graph, f, {p, q}); };
  EXPECT_EQ(of(select(a > 0, sqrt(a), 3), -1, 0), 3);
  EXPECT_EQ(of(select(a > 0, 1 / a, b), 0, 2), 2);
  EXPECT_EQ(of(select(a < b, a, b), nan, 2), 2) << "nothing is less than NaN";
  EXPECT_TRUE(std::isnan(of(select(b < a, 1, a), nan, 2)));
  EXPECT_EQ(of(min(a, b), 1, nan), 1);
  EXPECT_TRUE(std::isnan(of(min(a, b), nan, 1)));
  EXPECT_EQ(of(max(a, b), 1, nan), 1);
  EXPECT_TRUE(std::isnan(of(max(a, b), nan, 1)));
  EXPECT_EQ(of(min(a, b), -infinity, 1), -infinity);
  EXPECT_EQ(of(max(a, b), -infinity, infinity), infinity);
  EXPECT_EQ(of(sign(a), nan, 0), 0);
  EXPECT_EQ(of(sign(a), -infinity, 0), -1);
  EXPECT_EQ(of((a <= b).truth(), nan, nan), 0);
  EXPECT_EQ(of(equal(a, a).truth(), nan, nan), 0);
  EXPECT_EQ(of(equal(a, b).truth(), infinity, infinity), 1);
  EXPECT_TRUE(std::isnan(of(sqrt(a), -1, 0)));
  EXPECT_EQ(of(a / b, 1, 0), infinity);
  EXPECT_EQ(of(log(a), 0, 0), -infinity);
  EXPECT_TRUE(std::isnan(of(a - b, infinity, infinity)));
}

// f(x + ih) = f(x) + ih f'(x) to round-off, h being tiny: derivatives without any of derivative.cpp.
TEST(ExpressionValues, OfComplexNumbersGiveDerivatives) {
  constexpr double h = 1e-60;
  int checked = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const RandomFormulas formulas(seed, 10, every_operation);
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, RandomFormulas::inputs), f = formulas(x);
    std::vector<std::complex<double>> point(formulas.point.begin(), formulas.point.end());
    point[seed % 4] += std::complex<double>(0, h);
    const Expressions slopes = along(f, std::array{x[seed % 4]}, std::array{Expression(1)});
    const std::vector<double> expected = evaluate(graph, slopes, formulas.point);
    const auto value = evaluate(graph, f, point);
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (formulas.error(k) > 1e4 || std::abs(expected[k]) > 1e4) continue;
      ++checked;
      // 1e4 eps, of slopes up to 1e4: measured 5e-13.
      ASSERT_NEAR(value[k].imag() / h, expected[k], 1e-8) << "seed " << seed << ", formula " << k;
    }
  }
  EXPECT_GT(checked, 9'000);
}

}  // namespace TEST_FILE
}  // namespace daelab
