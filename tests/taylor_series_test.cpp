// Taylor series of tapes: rational coefficients from the literature, random formulas over all operations against
// derivatives, solutions by feedback, branches, and numbers that are not finite.
//
// Bounds of 1e-45 and less are round-off in 50 digits.
#include "core/expressions/taylor_series.hpp"

#include <gmock/gmock.h>

#include <map>

#include "core/expressions/derivative.hpp"
#include "tests/expression_support.hpp"

namespace daelab {
namespace TEST_FILE {

constexpr int order = 9;

// Of f(t) about t_0.
std::vector<Real50> series_of(const std::function<Expression(const Expression& t)>& f, const Real50& start = 0) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expression y = f(graph.input(0, 0, "t"));
  TaylorSeries<Real50> series(tape_of(graph, std::span(&y, 1)), order, {1});
  series.input(0, 0) = start, series.input(0, 1) = 1;
  std::vector<Real50> coefficients;
  for (int k = 0; k <= order; ++k) {
    series.advance(k);
    coefficients.push_back(series.result(0, k));
  }
  return coefficients;
}

void expect_coefficients(const std::vector<Real50>& found, const std::vector<const char*>& exact) {
  for (std::size_t k = 0; k < exact.size(); ++k)
    EXPECT_LT(static_cast<double>(abs(found[k] - Exact(exact[k]).as<Real50>())), 1e-45) << "coefficient " << k;
}

// ---------------------------------------------------------------- what tables print

TEST(TaylorSeries, OfExponentialsAndLogarithms) {
  const auto one_and = [](auto f) { return [f](const Expression& t) { return f(1 + t); }; };
  expect_coefficients(series_of([](const Expression& t) { return exp(t); }),
                      {"1", "1", "1/2", "1/6", "1/24", "1/120", "1/720", "1/5040"});
  expect_coefficients(series_of(one_and([](const Expression& x) { return log(x); })),
                      {"0", "1", "-1/2", "1/3", "-1/4", "1/5", "-1/6", "1/7"});
  expect_coefficients(series_of([](const Expression& t) { return sinh(t); }),
                      {"0", "1", "0", "1/6", "0", "1/120", "0", "1/5040"});
  expect_coefficients(series_of([](const Expression& t) { return cosh(t); }), {"1", "0", "1/2", "0", "1/24", "0"});
}

TEST(TaylorSeries, OfPowersAndQuotients) {
  expect_coefficients(series_of([](const Expression& t) { return 1 / (1 - t); }), {"1", "1", "1", "1", "1", "1", "1"});
  expect_coefficients(series_of([](const Expression& t) { return t / (1 - t - t * t); }),  // Fibonacci's numbers
                      {"0", "1", "1", "2", "3", "5", "8", "13", "21", "34"});
  expect_coefficients(series_of([](const Expression& t) { return sqrt(1 + t); }),
                      {"1", "1/2", "-1/8", "1/16", "-5/128", "7/256", "-21/1024"});
  expect_coefficients(series_of([](const Expression& t) { return pow(1 + t, Exact("1/3")); }),
                      {"1", "1/3", "-1/9", "5/81", "-10/243", "22/729"});
  expect_coefficients(series_of([](const Expression& t) { return (1 + t) * (2 - t * t) * (1 + t); }),
                      {"2", "4", "1", "-2", "-1", "0", "0"});
}

// At zero: a power of t whose exponent is whole, the binomial coefficients of t^7 (1 + t)^7; what is zero throughout;
// and where the first derivatives exist alone.
TEST(TaylorSeries, OfPowersOfZero) {
  expect_coefficients(
      series_of([](const Expression& t) { return pow(t * (1 + t) * t * (1 + t) * t * (1 + t), Exact("7/3")); }),
      {"0", "0", "0", "0", "0", "0", "0", "1", "7", "21"});
  for (const char* exponent : {"1/2", "3/2", "7/3", "101"})
    for (const Real50& y :
         series_of([&](const Expression& t) { return pow(max(Expression(0), t), Exact(exponent)); }, -1))
      EXPECT_EQ(y, 0) << exponent;
  const std::vector<Real50> ends = series_of([](const Expression& t) { return pow(t, Exact("7/3")); });
  for (const std::size_t k : {0, 1, 2}) EXPECT_EQ(ends[k], 0);
  EXPECT_TRUE(isinf(ends[3]));
}

// The tangent has Bernoulli's numbers.
TEST(TaylorSeries, OfTrigonometricFunctions) {
  expect_coefficients(series_of([](const Expression& t) { return sin(t); }), {"0", "1", "0", "-1/6", "0", "1/120"});
  expect_coefficients(series_of([](const Expression& t) { return cos(2 * t); }), {"1", "0", "-2", "0", "2/3", "0"});
  expect_coefficients(series_of([](const Expression& t) { return tan(t); }),
                      {"0", "1", "0", "1/3", "0", "2/15", "0", "17/315", "0", "62/2835"});
  expect_coefficients(series_of([](const Expression& t) { return tanh(t); }),
                      {"0", "1", "0", "-1/3", "0", "2/15", "0", "-17/315", "0", "62/2835"});
  expect_coefficients(series_of([](const Expression& t) { return asin(t); }),
                      {"0", "1", "0", "1/6", "0", "3/40", "0", "5/112", "0", "35/1152"});
  expect_coefficients(series_of([](const Expression& t) { return acos(t); }),
                      {"pi/2", "-1", "0", "-1/6", "0", "-3/40", "0", "-5/112"});
  expect_coefficients(series_of([](const Expression& t) { return atan(t); }),
                      {"0", "1", "0", "-1/3", "0", "1/5", "0", "-1/7", "0", "1/9"});
  expect_coefficients(series_of([](const Expression& t) { return atan2(2 + 2 * t, 1 + t); }),  // a fixed direction
                      {"1.1071487177940905030170654601785370400700476454014", "0", "0", "0", "0"});
}

// ---------------------------------------------------------------- what derivatives say

// f(x + v h) to h^3, against derivatives of the graph in 100 digits, in units of 1 + |exact|.
TEST(TaylorSeries, OfRandomFormulasHasTheDerivatives) {
  std::map<Operation, int> taken;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const RandomFormulas formulas(seed, 8, every_operation);
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions inputs = make_inputs(graph, 2 * RandomFormulas::inputs);
    const Expressions x(inputs.begin(), inputs.begin() + RandomFormulas::inputs),
        v(inputs.begin() + RandomFormulas::inputs, inputs.end());
    Expressions f = formulas(x);
    std::vector<Real100> values(formulas.point.begin(), formulas.point.end());
    for (int i = 0; i < RandomFormulas::inputs; ++i) values.push_back(Real100(i + 1) / 3);
    const Tape tape = tape_of(graph, f);
    TaylorSeries<Real50> series(tape, 3, std::vector<int>(tape.inputs.size(), 1));
    for (std::size_t i = 0; i < tape.inputs.size(); ++i) {
      const auto place = static_cast<std::size_t>(tape.inputs[i].index);
      series.input(i, 0) = static_cast<Real50>(values[place]);
      series.input(i, 1) = static_cast<Real50>(values[place + RandomFormulas::inputs]);
    }
    int factorial = 1;
    for (int k = 0; k <= 3; ++k, factorial *= k) {
      series.advance(k);
      const std::vector<Real100> exact = evaluate(graph, f, values);
      for (std::size_t i = 0; i < f.size(); ++i) {
        const Real100 difference = abs(factorial * Real100(series.result(i, k)) - exact[i]) / (1 + abs(exact[i]));
        // Margins to poles are 1e-2, and formulas eight deep.
        ASSERT_LT(difference, Real100("1e-25")) << "seed " << seed << ", formula " << i << ", coefficient " << k;
        ++taken[formulas.operation(i)];
      }
      if (k < 3) f = along(f, x, v);
    }
  }
  EXPECT_EQ(taken.size(), every_operation.size());
}

// ---------------------------------------------------------------- solutions

// Kepler's problem on the circle: x = cos t, y = sin t.
TEST(TaylorSeries, ByFeedbackSolvesKeplersProblem) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions q = make_inputs(graph, 2);
  const Expression r2 = q[0] * q[0] + q[1] * q[1], r3 = r2 * sqrt(r2);
  const Expressions a{-q[0] / r3, -q[1] / r3};
  TaylorSeries<Real50> series(tape_of(graph, a), 30, {30, 30});
  std::vector<std::array<Real50, 2>> position(32), velocity(32);
  position[0] = {1, 0}, velocity[0] = {0, 1};
  Real50 factorial = 1;
  for (int k = 0; k < 30; ++k) {
    for (std::size_t i = 0; i < 2; ++i) series.input(i, k) = position[k][i];
    series.advance(k);
    for (std::size_t i = 0; i < 2; ++i) {
      position[k + 1][i] = velocity[k][i] / (k + 1);
      velocity[k + 1][i] = series.result(i, k) / (k + 1);
    }
    if (k > 0) factorial *= k;
    const int cosine = k % 2 != 0 ? 0 : k % 4 == 0 ? 1 : -1, sine = k % 2 == 0 ? 0 : k % 4 == 1 ? 1 : -1;
    // Sums of k terms of alternating sign, each below 1.
    EXPECT_LT(static_cast<double>(abs(position[k][0] - cosine / factorial)), 1e-45) << k;
    EXPECT_LT(static_cast<double>(abs(position[k][1] - sine / factorial)), 1e-45) << k;
  }
}

TEST(TaylorSeries, InDoubleAgreesWithFiftyDigits) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expression t = graph.input(0, 0, "t");
  const Expression y = exp(sin(t)) / (1 + square(cos(3 * t))) + atan2(t, 1 + t * t);
  const Tape tape = tape_of(graph, std::span(&y, 1));
  TaylorSeries<double> in_double(tape, 20, {1});
  TaylorSeries<Real50> in_real50(tape, 20, {1});
  in_double.input(0, 0) = 0.5, in_double.input(0, 1) = 1;
  in_real50.input(0, 0) = 0.5, in_real50.input(0, 1) = 1;
  for (int k = 0; k <= 20; ++k) {
    in_double.advance(k), in_real50.advance(k);
    const auto exact = static_cast<double>(in_real50.result(0, k));
    EXPECT_NEAR(in_double.result(0, k), exact, 1e-11 * (1 + std::abs(exact))) << k;  // measured 3e-13
  }
}

// ---------------------------------------------------------------- branches and limits

TEST(TaylorSeries, FollowsTheBranchOfTheValue) {
  const auto at = [](const char* start, auto f) { return series_of(f, Exact(start).as<Real50>()); };
  expect_coefficients(at("-1", [](const Expression& t) { return abs(t * t * t); }), {"1", "-3", "3", "-1", "0"});
  expect_coefficients(at("2", [](const Expression& t) { return min(t, t * t); }), {"2", "1", "0"});
  expect_coefficients(at("2", [](const Expression& t) { return max(t, t * t); }), {"4", "4", "1", "0"});
  expect_coefficients(at("2", [](const Expression& t) { return select(t < 1, t, 3 * t); }), {"6", "3", "0"});
  expect_coefficients(at("5/2", [](const Expression& t) { return t * floor(t) + sign(t); }), {"6", "2", "0"});
}

TEST(TaylorSeries, IsNotFiniteWhereThereIsNone) {
  const std::vector<Real50> root = series_of([](const Expression&t) { return sqrt(t); }),
                            logarithm = series_of([](const Expression&t) { return log(t); });
  EXPECT_EQ(root[0], 0);
  EXPECT_FALSE(isfinite(root[1]));
  EXPECT_FALSE(isfinite(logarithm[0]));
}

}  // namespace TEST_FILE
}  // namespace daelab
