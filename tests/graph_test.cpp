// Graphs: each expression is written once, constants are exact, and nothing is simplified but what is exact in every
// scalar.
// Bounds of 1e-12 and less are round-off.
#include "core/expressions/expression.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <stdexcept>

#include "core/expressions/derivative.hpp"
#include "tests/expression_support.hpp"

namespace daelab {
namespace TEST_FILE {

class ExpressionGraph : public testing::Test {
 protected:
  Graph graph;
  const RecordingScope scope{graph};
  const Expression x = graph.input(0, 0, "x"), y = graph.input(0, 1, "y"), z = graph.input(0, 2, "z");

  // It is this operation of these operands, and not something else that means the same.
  void expect_kept(const Expression& f, Operation operation, const Expression& a, const Expression& b = {}) const {
    const NodeContents& contents = graph[f.node()];
    EXPECT_EQ(contents.operation, operation);
    if (operation == Operation::add || operation == Operation::multiply || operation == Operation::equal)
      EXPECT_THAT((std::array{contents.a, contents.b}), testing::UnorderedElementsAre(a.node(), b.node()));
    else
      EXPECT_THAT((std::array{contents.a, contents.b}), testing::ElementsAre(a.node(), b.node()));
  }
};
#define EXPECT_SAME(a, b) EXPECT_PRED2(is_same, a, b)
bool is_same(const Expression& a, const Expression& b) { return same(a, b); }

TEST_F(ExpressionGraph, StandOnce) {
  const Expression f = sin(x * y) + sqrt(z) / (x - y);
  const Node size = graph.size();
  EXPECT_SAME(f, sin(x * y) + sqrt(z) / (x - y));
  EXPECT_SAME(f, sqrt(z) / (x - y) + sin(y * x));
  EXPECT_EQ(graph.size(), size);
  EXPECT_SAME(x + y, y + x);
  EXPECT_SAME(x * y, y * x);
  EXPECT_SAME(equal(x, y).truth(), equal(y, x).truth());
  EXPECT_SAME((x > y).truth(), (y < x).truth());
  EXPECT_FALSE(same(x - y, y - x));
  EXPECT_FALSE(same(x / y, y / x));
  EXPECT_FALSE(same(atan2(x, y), atan2(y, x)));
  EXPECT_FALSE(same(min(x, y), min(y, x))) << "they differ where one is not a number";
  EXPECT_FALSE(same((x < y).truth(), (x <= y).truth()));
  EXPECT_FALSE(same(graph.input(0, 0, "x"), graph.input(0, 0, "x"))) << "an input is a new one each time";
}

TEST_F(ExpressionGraph, KnowTheirOperands) {
  EXPECT_EQ(operand_count(Operation::constant), 0);
  EXPECT_EQ(operand_count(Operation::input), 0);
  EXPECT_EQ(operand_count(Operation::select), 3);
  for (const Operation operation : every_operation) {
    EXPECT_GE(operand_count(operation), 1);
    EXPECT_LE(operand_count(operation), 3);
  }
  expect_kept(x - y, Operation::subtract, x, y);
  expect_kept(atan2(y, x), Operation::atan2, y, x);
  expect_kept(tanh(x), Operation::tanh, x);
  EXPECT_EQ(graph.input_of(y.node()).name, "y");
  EXPECT_EQ(graph.input_of(z.node()).index, 2);
}

TEST_F(ExpressionGraph, WithNeutralElements) {
  for (const Expression& zero : {0 * x, x * 0, 0 / x, x - x, -(x - x), Expression(), Expression(0), sin(Expression(0))})
    EXPECT_TRUE(zero.is_zero());
  for (const Expression& of_x :
       {x + 0, 0 + x, x - 0, 1 * x, x * 1, x / 1, -(-x), 0 - (0 - x), x + 0 * y, min(x, x), max(x, x)})
    EXPECT_SAME(of_x, x);
  EXPECT_SAME(0 - x, -x);
  EXPECT_SAME(-1 * x, -x);
  EXPECT_SAME(x / -1, -x);
  EXPECT_SAME(select(x < y, z, z), z);
  EXPECT_SAME(select(Expression(1) < 2, x, y), x);
  EXPECT_SAME(select(Expression(2) < 1, x, y), y);
}

// Sums of x and y with signs, two ways to write each.
TEST_F(ExpressionGraph, SignsOfSums) {
  EXPECT_SAME(x + (-y), x - y);
  EXPECT_SAME(x - (-y), x + y);
  EXPECT_SAME(-x + y, y - x);
  EXPECT_SAME(-x - y, -(x + y));
  EXPECT_SAME(-x + (-y), -(x + y));
  EXPECT_SAME(-x - (-y), y - x);
  EXPECT_SAME(x + -3, x - 3);
  EXPECT_SAME(-3 + x, x - 3);
  EXPECT_SAME(x - -3, x + 3);
  EXPECT_SAME(x + (-2) * y, x - 2 * y);
  EXPECT_SAME(x - y * -2, x + 2 * y);
  expect_kept(-(x - y), Operation::negate, x - y);
  expect_kept(-(x + y), Operation::negate, x + y);
}

// Every combination of signs of two factors: -x, -y, and constants below 0.
TEST_F(ExpressionGraph, SignsOfProducts) {
  using Combine = std::function<Expression(const Expression&, const Expression&)>;
  const Combine product = [](const Expression& a, const Expression& b) { return a * b; };
  const Combine quotient = [](const Expression& a, const Expression& b) { return a / b; };
  const Expression third = Exact("1/3");
  for (const Combine& f : {product, quotient})
    for (const auto& [a, b] : {std::pair(x, y), {third, y}, {x, third}, {x + y, sin(z)}, {x, Expression(8)}}) {
      expect_kept(f(-a, b), Operation::negate, f(a, b));
      EXPECT_SAME(f(a, -b), f(-a, b));
      EXPECT_SAME(f(-a, -b), f(a, b));
      EXPECT_SAME(-f(-a, b), f(a, b));
      EXPECT_SAME(f(f(-a, b), z), -f(f(a, b), z));
    }
  EXPECT_SAME(x * Exact("-1/3"), -(x * third));
  EXPECT_SAME(Exact("-1/3") / x, -(third / x));
}

TEST_F(ExpressionGraph, SignsOfFunctions) {
  using Function = Expression (*)(const Expression&);
  for (const Function odd : std::initializer_list<Function>{sin, tan, asin, atan, sinh, tanh, sign}) {
    expect_kept(odd(-x), Operation::negate, odd(x));
    EXPECT_SAME(odd(-2 * x), -odd(2 * x));
  }
  for (const Function even : std::initializer_list<Function>{cos, cosh, abs}) EXPECT_SAME(even(-x), even(x));
  const std::pair<Expression (*)(const Expression&), Operation> others[] = {{exp, Operation::exp},
                                                                            {sqrt, Operation::sqrt},
                                                                            {log, Operation::log},
                                                                            {acos, Operation::acos},
                                                                            {floor, Operation::floor}};
  for (const auto& [function, operation] : others) expect_kept(function(-x), operation, -x);
  expect_kept(atan2(-y, x), Operation::atan2, -y, x);
  expect_kept(min(-x, -y), Operation::min, -x, -y);
}

// A formula is the operations that it says, in its order.
TEST_F(ExpressionGraph, AreNotRearranged) {
  expect_kept(x * (y * z), Operation::multiply, x, y * z);
  expect_kept((x * y) * z, Operation::multiply, z, x * y);
  EXPECT_FALSE(same(x * (y * z), (x * y) * z));
  EXPECT_FALSE(same(x + (y + z), (x + y) + z));
  EXPECT_FALSE(same(x - (y - z), (x - y) + z));
  expect_kept(x + x, Operation::add, x, x);
  expect_kept(x / x, Operation::divide, x, x);
  expect_kept((x + y) - y, Operation::subtract, x + y, y);
  expect_kept(2 * (3 * x), Operation::multiply, 2, 3 * x);
  expect_kept((x + 1) + 2, Operation::add, 2, x + 1);
  expect_kept(x * y + x * z, Operation::add, x * y, x * z);
  expect_kept(x * y / y, Operation::divide, x * y, y);
  expect_kept(exp(log(x)), Operation::exp, log(x));
  expect_kept(sqrt(x * x), Operation::sqrt, x * x);
  expect_kept(abs(abs(x)), Operation::abs, abs(x));
  expect_kept(sin(x) * sin(x) + cos(x) * cos(x), Operation::add, sin(x) * sin(x), cos(x) * cos(x));
  expect_kept(equal(x, x).truth(), Operation::equal, x, x);
  expect_kept((x <= x).truth(), Operation::less_equal, x, x);
}

TEST_F(ExpressionGraph, DividedByPowersOfTwo) {
  EXPECT_SAME(x / 8, x * Exact("1/8"));
  EXPECT_SAME(x / Exact("1/4"), 4 * x);
  EXPECT_SAME(x / -2, -(x * Exact("0.5")));
  expect_kept(x / 3, Operation::divide, x, 3);
  expect_kept(x / Exact("0.1"), Operation::divide, x, Exact("0.1"));
  const Expression least = Real100::power_of_two(-1074);
  expect_kept(x / least, Operation::divide, x, least);
  EXPECT_EQ(evaluate<double>(graph, x / least, {std::ldexp(1.0, -1074), 0, 0}), 1);
}

TEST_F(ExpressionGraph, Powers) {
  EXPECT_SAME(pow(x, 0), 1);
  EXPECT_SAME(pow(x, 1), x);
  EXPECT_SAME(pow(x, 2), x * x);
  EXPECT_SAME(pow(x, 3), x * x * x);
  EXPECT_SAME(pow(x, 6), (x * x * x) * (x * x * x));
  EXPECT_SAME(pow(x, -2), 1 / (x * x));
  EXPECT_SAME(pow(x, Exact("1/2")), sqrt(x));
  EXPECT_SAME(pow(x, Exact("-1/2")), 1 / sqrt(x));
  EXPECT_SAME(pow(x, Exact("5/2")), x * x * sqrt(x));
  expect_kept(pow(x, Exact("1/3")), Operation::power, x, Exact("1/3"));
  expect_kept(pow(x, 1000), Operation::power, x, 1000);
  EXPECT_SAME(pow(Expression(2), Exact("1/2")), sqrt(Expression(2)));
  EXPECT_SAME(pow(x, Expression(6) / 3), x * x);
  EXPECT_THROW(pow(x, y), InputError);
  EXPECT_THROW(pow(Expression(2), x), InputError);
}

TEST_F(ExpressionGraph, ConstantsAreExact) {
  EXPECT_SAME(Exact("0.1"), Expression(1) / 10);
  EXPECT_SAME(Exact("0.1") + Expression(Exact("0.2")), Exact("0.3"));
  EXPECT_SAME(Expression(2) * 3 - 6, 0);
  EXPECT_SAME(square(sqrt(Expression(2))) - 2, Real100(sqrt(Real100(2)) * sqrt(Real100(2)) - 2));
  EXPECT_EQ(constant_value(Expression(1) / 3), Real100(1) / 3);
  EXPECT_EQ(constant_value(sin(Expression(1))), sin(Real100(1)));
  EXPECT_EQ(constant_value(atan2(Expression(1), -2)), atan2(Real100(1), Real100(-2)));
  EXPECT_EQ(constant_value(floor(Expression(Exact("-1.5")))), Real100(-2));
  EXPECT_FALSE(is_same(Exact("0.1"), Real100(0.1))) << "they are the same in double only";
  EXPECT_FALSE(is_same(Real100("1e-400"), 0)) << "they are the same in double only";
  EXPECT_SAME(-Expression(0), 0);
  EXPECT_SAME(Real100::infinity(), -(1 / Expression(0)) * -1);
  EXPECT_SAME(sqrt(Expression(-1)), log(Expression(-1))) << "neither is a number";
  EXPECT_TRUE(is_constant(Expression(7)) && is_constant(sin(Expression(7))));
  EXPECT_FALSE(is_constant(x) || is_constant(7 * x));
  EXPECT_THROW(constant_value(x), std::logic_error);
}

TEST_F(ExpressionGraph, StandInTheGraphOfTheScope) {
  Graph inner;
  {
    const RecordingScope inside(inner);
    EXPECT_EQ(&Graph::current(), &inner);
    const Expression sum = inner.input(0, 0, "w") + 5;
    EXPECT_EQ(sum.node() + 1, inner.size());
  }
  EXPECT_EQ(&Graph::current(), &graph);
}

TEST(ExpressionsWithoutGraph, AreZeroAndOneOnly) {
  EXPECT_NO_THROW(Expression(0));
  EXPECT_NO_THROW(Expression(1));
  EXPECT_THROW(Expression(2), std::logic_error);
  EXPECT_THROW(Expression(1) + Expression(1), std::logic_error);
  EXPECT_THROW(Graph::current(), std::logic_error);
}

TEST_F(ExpressionGraph, Substitution) {
  const Expressions f{x * y + sin(z), x - y, 3, z};
  const auto put = [&](const Expressions& from, const Expressions& to) { return substitute(f, from, to); };
  const Expressions swapped = put({x, y}, {y, x});
  EXPECT_SAME(swapped[0], f[0]) << "at once, not one after the other";
  EXPECT_SAME(swapped[1], y - x);
  const Expressions folded = put({x, y, z}, {2, Exact("1/2"), 0});
  EXPECT_SAME(folded[0], 1);
  EXPECT_SAME(folded[1], Exact("3/2"));
  EXPECT_SAME(folded[2], 3);
  EXPECT_TRUE(folded[3].is_zero());
  EXPECT_SAME(put({z}, {-z})[0], x * y - sin(z)) << "simplified as if it were written so";
  EXPECT_SAME(put({x}, {x + x * y})[1], x + x * y - y);
  EXPECT_SAME(put({}, {})[0], f[0]);
  EXPECT_SAME(substitute(std::array{select(x < y, x, pow(y, Exact("1/3")))}, std::array{y}, std::array{z})[0],
              select(x < z, x, pow(z, Exact("1/3"))));
}

TEST(RandomExpressions, SubstitutionIsComposition) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, RandomFormulas::inputs);
    const RandomFormulas outer(seed, 15, every_operation);
    Expressions inner;
    std::vector<double> point;
    for (std::size_t i = 0; i < x.size(); ++i) {  // with outer's point as values
      const double at = outer.point[i];
      inner.push_back(i % 2 == 0 ? -x[i] : x[i] / 2);
      point.push_back(i % 2 == 0 ? -at : 2 * at);
    }
    const Expressions f = outer(x);
    const std::vector<double> expected = evaluate(graph, f, outer.point);
    const std::vector<double> composed = evaluate(graph, substitute(f, x, inner), point);
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (outer.error(k) > 1e10) continue;
      // error() counts units of 1.1e-16, by first-order estimates: nine are allowed for one.
      ASSERT_NEAR(composed[k], expected[k], outer.error(k) * 1e-15) << "seed " << seed << ", formula " << k;
    }
  }
}

// What the graph simplifies changes no bit: arithmetic in the order in which it is written.
TEST(RandomExpressions, MeanTheOperationsThatTheySay) {
  constexpr std::array arithmetic{Operation::add,        Operation::subtract, Operation::multiply, Operation::divide,
                                  Operation::negate,     Operation::sqrt,     Operation::abs,      Operation::sign,
                                  Operation::floor,      Operation::min,      Operation::max,      Operation::less,
                                  Operation::less_equal, Operation::equal,    Operation::select};
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const RandomFormulas formulas(seed, 30, arithmetic, {});
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions f = formulas(make_inputs(graph, RandomFormulas::inputs));
    const std::vector<double> value = evaluate(graph, f, formulas.point), expected = formulas(formulas.point);
    for (std::size_t k = 0; k < f.size(); ++k) ASSERT_EQ(value[k], expected[k]) << "seed " << seed << ", formula " << k;
  }
}

// A million operations that depend on each other: nothing is recursive, and nothing quadratic.
class DeepExpressions : public ExpressionGraph {
 protected:
  static constexpr int depth = 1'000'000;

  double value_of(const Expression& f) { return evaluate<double>(graph, f, {0.25, 0.5, 0.75}); }
};

TEST_F(DeepExpressions, AreRecordedAndEvaluated) {
  Expression f = x;
  double value = 0.25;
  for (int i = 0; i < depth / 2; ++i) f = f * y + x, value = value * 0.5 + 0.25;
  EXPECT_EQ(value_of(f), value);
}

TEST_F(DeepExpressions, AreDerivedAndSubstituted) {
  Expression f = x;
  double value = 0.25, slope = 1, by_y = 0;
  for (int i = 0; i < depth / 10; ++i) {
    f = f * y + x;
    by_y = by_y * 0.5 + value, slope = slope * 0.5 + 1, value = value * 0.5 + 0.25;
  }
  const Expressions inputs{x, y, z}, by_reverse = gradient(f, inputs);
  EXPECT_EQ(value_of(along(std::span(&f, 1), inputs, Expressions{1, 0, 0})[0]), slope);
  EXPECT_NEAR(value_of(by_reverse[0]), slope, 1e-15);
  EXPECT_NEAR(value_of(by_reverse[1]), by_y, 1e-15);
  EXPECT_TRUE(by_reverse[2].is_zero());
  EXPECT_EQ(jacobian(std::span(&f, 1), inputs).entries.size(), 2u);
  EXPECT_EQ(value_of(substitute(std::span(&f, 1), Expressions{x}, Expressions{3 * x})[0]), 3 * value);
}

TEST_F(DeepExpressions, OfSinesOfSines) {
  Expression f = x;
  for (int i = 0; i < depth / 10; ++i) f = cos(f);
  EXPECT_NEAR(value_of(f), 0.739085133215161, 1e-14) << "the fixed point of the cosine";
}

TEST_F(DeepExpressions, OfChoices) {
  Expression f = x;
  double value = 0.25;
  for (int i = 0; i < depth / 50; ++i) {
    f = select(f < y, f + x, f * y);
    value = value < 0.5 ? value + 0.25 : value * 0.5;
  }
  EXPECT_EQ(value_of(f), value);
  const Expression slope = gradient(f, Expressions{z, x})[1];
  EXPECT_NEAR(value_of(slope), value_of(along(std::span(&f, 1), Expressions{x}, Expressions{1})[0]), 1e-12);
  EXPECT_LT(tape_of(graph, std::span(&slope, 1)).instructions.size(), 15u * depth / 50);  // linear in the depth
}

}  // namespace TEST_FILE
}  // namespace daelab
