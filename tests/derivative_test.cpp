// Derivatives of expressions: against differences in 100 digits of formulas that are evaluated without a graph,
// against dual numbers, and by what they must not contain.
#include "core/expressions/derivative.hpp"

#include <gmock/gmock.h>

#include "tests/dual.hpp"
#include "tests/expression_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using Place = std::pair<std::uint32_t, std::uint32_t>;

constexpr int inputs = RandomFormulas::inputs;

// The columns of a Jacobian, the zeros of its structure included.
std::vector<Expressions> dense(const SparseExpressions& matrix) {
  std::vector<Expressions> columns(matrix.columns, Expressions(matrix.rows));
  for (const auto& [row, column, value] : matrix.entries) columns[column][row] = value;
  return columns;
}

std::vector<Place> places(const SparseExpressions& matrix) {
  std::vector<Place> result;
  for (const auto& [row, column, value] : matrix.entries) result.emplace_back(row, column);
  return result;
}

std::vector<Real100> moved(const std::vector<double>& point, const std::vector<double>& direction,
                           const Real100& step) {
  std::vector<Real100> x;
  for (std::size_t i = 0; i < point.size(); ++i) x.push_back(Real100(point[i]) + step * Real100(direction[i]));
  return x;
}

// Samples whose round-off and higher derivatives are small enough for the tolerances below.
constexpr double largest_error = 1e8;

void expect_near(const Real50& value, const Real100& expected, const char* tolerance, const char* what, unsigned seed,
                 std::size_t k) {
  ASSERT_LT(abs(Real100(value) - expected), Real100(tolerance) * (1 + abs(expected)))
      << what << ", seed " << seed << ", formula " << k << ": " << value << " instead of " << expected;
}

TEST(ExpressionDerivatives, MatchDifferences) {
  const Real100 h("1e-25");
  int checked = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const RandomFormulas formulas(seed, 12, every_operation);
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, inputs), f = formulas(x);
    const std::vector<Expressions> J = dense(jacobian(f, x));
    const std::vector<Real50> point(formulas.point.begin(), formulas.point.end());
    const std::vector<Real50> by_gradient = evaluate(graph, gradient(f.back(), x), point);
    for (std::size_t j = 0; j < inputs; ++j) {
      std::vector<double> direction(inputs, 0.0);
      direction[j] = 1;
      const auto above = formulas(moved(formulas.point, direction, h));
      const auto below = formulas(moved(formulas.point, direction, -h));
      const std::vector<Real50> by_jacobian = evaluate(graph, J[j], point);
      for (std::size_t k = 0; k < f.size(); ++k) {
        if (formulas.error(k) > largest_error) continue;
        ++checked;
        const Real100 slope = (above[k] - below[k]) / (2 * h);
        expect_near(by_jacobian[k], slope, "1e-25", "Jacobian", seed, k);
        if (k + 1 == f.size()) expect_near(by_gradient[j], slope, "1e-25", "gradient", seed, k);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(checked, 23'500);  // measured 24 000: most samples are well-conditioned
}

// First, second and third derivatives along a line, the latter by repetition; the direction is an expression, too.
TEST(ExpressionDerivatives, OfHigherOrderMatchDifferences) {
  const Real100 h("1e-18");
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomFormulas formulas(seed, 8, every_operation);
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, inputs), f = formulas(x);
    const std::vector<double> direction{0.5, -1.25, 2, -0.75};
    const Expressions dx{Exact("1/2"), Exact("-5/4"), 2, Exact("-3/4")};
    const Expressions first = along(f, x, dx), second = along(first, x, dx), third = along(second, x, dx);
    const auto at = [&](int steps) { return formulas(moved(formulas.point, direction, steps * h)); };
    const auto y = std::array{at(-2), at(-1), at(0), at(1), at(2)};
    const std::vector<Real50> point(formulas.point.begin(), formulas.point.end());
    const auto d1 = evaluate(graph, first, point), d2 = evaluate(graph, second, point),
               d3 = evaluate(graph, third, point);
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (formulas.error(k) > 1e5) continue;
      expect_near(d1[k], (y[3][k] - y[1][k]) / (2 * h), "1e-18", "first derivative", seed, k);
      expect_near(d2[k], (y[3][k] - 2 * y[2][k] + y[1][k]) / (h * h), "1e-18", "second derivative", seed, k);
      expect_near(d3[k], (y[4][k] - 2 * y[3][k] + 2 * y[1][k] - y[0][k]) / (2 * h * h * h), "1e-16", "third derivative",
                  seed, k);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Forward, reverse and along a direction: the same numbers, of second derivatives, too, which are symmetric.
TEST(ExpressionDerivatives, AgreeWithEachOther) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const RandomFormulas formulas(seed, 10, every_operation);
    if (formulas.error(9) > largest_error) continue;
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, inputs), f = formulas(x);
    const Expressions slopes = gradient(f.back(), x);
    const std::vector<Expressions> forward = dense(jacobian(std::span(&f.back(), 1), x)),
                                   second = dense(jacobian(slopes, x));
    const std::vector<Real50> point(formulas.point.begin(), formulas.point.end());
    for (std::size_t i = 0; i < inputs; ++i) {
      const auto value = [&](const Expression& y) { return evaluate(graph, y, point); };
      expect_near(value(slopes[i]), Real100(value(forward[i][0])), "1e-30", "gradient", seed, i);
      const Expressions of_gradient = gradient(slopes[i], x);
      for (std::size_t j = 0; j < inputs; ++j) {
        expect_near(value(second[j][i]), Real100(value(second[i][j])), "1e-25", "symmetry", seed, i);
        expect_near(value(of_gradient[j]), Real100(value(second[j][i])), "1e-25", "second derivative", seed, i);
      }
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// ---------------------------------------------------------------- dual numbers

constexpr std::array operations_of_duals{Operation::add,    Operation::subtract, Operation::multiply, Operation::divide,
                                         Operation::negate, Operation::sqrt,     Operation::exp,      Operation::log,
                                         Operation::sin,    Operation::cos,      Operation::atan2};

template <class D>
D operate_on_duals(Operation operation, const D& a, const D& b, const D&, const Exact&) {
  return operate_smoothly(operation, a, b);
}

TEST(ExpressionDerivatives, MatchDualNumbersToSecondOrder) {
  using Gradient = Dual<Real50, inputs>;
  using Nested = Dual<Gradient, 1>;
  const Expressions none;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const RandomFormulas formulas(seed, 15, operations_of_duals);
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, inputs), f = formulas(x);
    std::vector<Nested> point;
    std::vector<Real50> direction;
    Expressions dx;
    for (int i = 0; i < inputs; ++i) {
      dx.push_back(Exact(i - 2) / 3);
      direction.push_back(Real50(i - 2) / 3);
      Gradient of_input(Real50(formulas.point[static_cast<std::size_t>(i)]));
      of_input.d[static_cast<std::size_t>(i)] = 1;
      point.emplace_back(of_input);
      point.back().d[0] = Gradient(direction.back());
    }
    const auto dual =
        formulas.of(point, operate_on_duals<Nested>, [](const Exact& c) { return Nested(c.as<Real50>()); });
    const std::vector<Expressions> J = dense(jacobian(f, x));
    const std::vector<Real50> at(formulas.point.begin(), formulas.point.end());
    for (std::size_t j = 0; j < inputs; ++j) {
      const auto first = evaluate(graph, J[j], at), second = evaluate(graph, along(J[j], x, dx), at);
      for (std::size_t k = 0; k < f.size(); ++k) {
        if (formulas.error(k) > largest_error) continue;
        expect_near(first[k], Real100(dual[k].v.d[j]), "1e-32", "first derivative", seed, k);
        expect_near(second[k], Real100(dual[k].d[0].d[j]), "1e-28", "second derivative", seed, k);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// ---------------------------------------------------------------- structure

TEST(ExpressionDerivatives, HaveNoEntriesForWhatDoesNotDepend) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 4);
  const Expressions f{x[3] * x[0],
                      sin(x[2]),
                      7,
                      x[0] - x[0] + x[1],
                      floor(x[0]) + sign(x[1]) * x[2],
                      select(x[0] < 0, x[1], x[2]),
                      select(x[0] < x[1], 1, 0),
                      0 * x[1] + 2};
  const SparseExpressions J = jacobian(f, x);
  EXPECT_EQ(J.rows, 8u);
  EXPECT_EQ(J.columns, 4u);
  EXPECT_THAT(places(J),
              ElementsAre(Place(0, 0), Place(3, 1), Place(5, 1), Place(1, 2), Place(4, 2), Place(5, 2), Place(0, 3)));
  EXPECT_TRUE(same(J.entries[0].value, x[3]));
  EXPECT_TRUE(same(J.entries[1].value, 1));
  EXPECT_TRUE(same(J.entries[4].value, sign(x[1])));
  EXPECT_TRUE(along(f, x, Expressions{0, 0, 0, 0})[0].is_zero());
  EXPECT_TRUE(along(f, x, Expressions{0, 1, 1, 0})[0].is_zero());
  EXPECT_TRUE(same(along(f, x, Expressions{0, 0, 0, 1})[0], x[0]));
  EXPECT_TRUE(gradient(f[1], x)[0].is_zero());
  EXPECT_TRUE(gradient(f[2], x)[0].is_zero());
  EXPECT_TRUE(same(gradient(x[2], x)[2], 1)) << "of an input by itself";
}

// With respect to some of the inputs, in any order.
TEST(ExpressionDerivatives, AreByTheInputsAskedFor) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 3);
  const Expressions f{x[0] * x[1] * x[2]};
  const SparseExpressions J = jacobian(f, Expressions{x[2], x[0]});
  ASSERT_THAT(places(J), ElementsAre(Place(0, 0), Place(0, 1)));
  EXPECT_TRUE(same(J.entries[0].value, x[0] * x[1]));
  EXPECT_TRUE(jacobian(f, Expressions()).entries.empty());
  const Expression late = graph.input(0, 3, "late");
  EXPECT_TRUE(jacobian(f, Expressions{late}).entries.empty());
  EXPECT_TRUE(gradient(f[0], Expressions{late})[0].is_zero());
}

// The reverse accumulation of a sum of many terms costs a small multiple of the sum.
TEST(ExpressionDerivatives, GradientsCostAFewEvaluations) {
  for (const int n : {100, 1000}) {
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, n);
    Expression f;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) f += sin(x[i]) * x[i + 1] / (2 + x[i] * x[i]);
    const std::size_t evaluation = tape_of(graph, std::span(&f, 1)).instructions.size();
    EXPECT_LT(tape_of(graph, gradient(f, x)).instructions.size(), 4 * evaluation);
  }
}

// What a choice is made against may have no value and no slope.
TEST(ExpressionDerivatives, AreThoseOfTheValueChosen) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 2);
  const Expression root = sqrt(x[0]);
  const auto expect = [&](const char* what, const Expression& f, double x0, double expected) {
    const std::vector<double> point{x0, 2};
    const Expressions by_reverse = gradient(f, x), by_forward = along(std::span(&f, 1), x, Expressions{1, 0});
    EXPECT_EQ(evaluate(graph, by_forward[0], point), expected) << what;
    EXPECT_EQ(evaluate(graph, by_reverse[0], point), expected) << what << ", by reverse accumulation";
  };
  expect("chosen", select(x[0] > 0, root, x[0]), 4, 0.25);
  expect("against NaN", select(x[0] > 0, root, x[0] * x[0]), -3, -6);
  expect("against infinity", select(x[0] > 0, root, 3 * x[0]), 0, 3);
  expect("behind a function", sin(0 * x[1] + select(x[0] > 0, exp(root), x[0])), 0, 1);
  expect("in a choice", select(x[1] > 0, select(x[0] > 0, root, x[0]), root), 0, 1);
  expect("outside of a choice", select(x[0] > 0, select(x[1] > 0, root, x[0]), 5 * x[0]), -1, 5);
  expect("shared", select(x[0] > 0, root, x[0]) + select(x[0] > 0, 2 * root, x[0]), -1, 2);
  expect("once chosen, once not", select(x[0] > 0, x[0] * x[0], 1) + select(x[0] > 7, x[0] * x[0], 1), 3, 6);
  expect("smaller", min(x[0], 1 / x[0]), 0, 1);
  expect("larger", max(x[1], log(x[0])), 0, 0);
}

// The tip of a planar chain by relative angles, as a pin that closes it has it.
Expressions tip_of_chain(const Expressions& angles) {
  Expression angle, x, y;
  for (const Expression& relative : angles) angle = angle + relative, x = x + cos(angle), y = y + sin(angle);
  return {x, y};
}

TEST(ExpressionDerivatives, OfAFewConstraintsTakeOperationsInProportionToTheLengthOfAChain) {
  std::vector<Node> operations;
  for (const int links : {64, 128}) {
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions q = make_inputs(graph, links), tip = tip_of_chain(q);
    const Node before = graph.size();
    const std::vector<Expressions> J = dense(jacobian(tip, q));
    operations.push_back(graph.size() - before);
    const std::vector<double> point(q.size(), 0.1);
    for (std::size_t j = 0; j < q.size(); j += 9) {
      Expressions direction(q.size());
      direction[j] = 1;
      const std::vector<double> by_rows = evaluate(graph, J[j], point),
                                expected = evaluate(graph, along(tip, q, direction), point);
      for (std::size_t i = 0; i < tip.size(); ++i) EXPECT_NEAR(by_rows[i], expected[i], 1e-12) << i << ", " << j;
    }
  }
  EXPECT_LT(operations[1], 2.1 * operations[0]);  // forward accumulation: 4
}

}  // namespace TEST_FILE
}  // namespace daelab
