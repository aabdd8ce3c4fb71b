// Every function of the language at its edges: value and slope against the limit, by forward and reverse accumulation,
// in the interpreter, in machine code and in 50 digits.
#include "core/expressions/edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/expressions/derivative.hpp"
#include "core/expressions/machine_code.hpp"
#include "core/expressions/parse.hpp"
#include "tests/expression_support.hpp"

namespace daelab {
namespace TEST_FILE {

struct AtEdge {
  const char* text;
  int x;
};

// Powers and roots as people write them; factors beside a root; functions where they, or their slopes, end, have a kink
// or jump, and where nothing is special.
const std::vector<AtEdge> edges{{"x^(3/2)", 0},
                                {"x^(5/2)", 0},
                                {"x^(7/2)", 0},
                                {"x^2.3", 0},
                                {"x^(4/3)", 0},
                                {"x^101", 0},
                                {"x^(1/2)", 0},
                                {"x^0.3", 0},
                                {"x^2", 0},
                                {"x*sqrt(x)", 0},
                                {"sqrt(x)*x", 0},
                                {"5*sqrt(x)*x", 0},
                                {"-7*x*sqrt(x)*x", 0},
                                {"sqrt(x)^3", 0},
                                {"sqrt(x^3)", 0},
                                {"sqrt(x)*sqrt(x)", 0},
                                {"x^(1/3)*x^(2/3)", 0},
                                {"x^0.3*x^0.9", 0},
                                {"(x^0.3)^4", 0},
                                {"sqrt(x^4)", 0},
                                {"sqrt(x^2)", 0},
                                {"(x^2)^(3/4)", 0},
                                {"(x^2)^(3/2)", 0},
                                {"x^2*sqrt(x^2)", 0},
                                {"x*sqrt(x^2)", 0},
                                {"x*(x^2)^(1/4)", 0},
                                {"x*sqrt(abs(x))", 0},
                                {"abs(x)^(3/2)", 0},
                                {"abs(x)^1.2*sign(x)", 0},
                                {"max(0, x)^(3/2)", 0},
                                {"max(0, x)^(3/2)", -1},
                                {"max(0, x)^1.3*(1 - 3*x)", 0},
                                {"max(x, 0)*sqrt(max(x, 0))", 0},
                                {"-min(0, -x)^3*sqrt(-min(0, -x))", 0},
                                {"select(x > 0, x^(3/2), 0)", 0},
                                {"select(x > 0, sqrt(x), 0)", 0},
                                {"select(x >= 0, x*sqrt(x), -x)", 0},
                                {"x*exp(sqrt(x))", 0},
                                {"x/(1 + sqrt(x))", 0},
                                {"x*(x + 3*sqrt(x) + 1)", 0},
                                {"sin(x)*sqrt(x)", 0},
                                {"sqrt(1 - x)*(1 - x)", 1},
                                {"(1 - x)*asin(x)", 1},
                                {"(1 - x)*acos(x)", 1},
                                {"(1 + x)*acos(x)", -1},
                                {"sqrt(x)", 0},
                                {"sqrt(x)", 1},
                                {"exp(x)", 0},
                                {"log(x)", 0},
                                {"log(x)", 1},
                                {"sin(x)", 0},
                                {"cos(x)", 0},
                                {"tan(x)", 0},
                                {"asin(x)", 1},
                                {"asin(x)", -1},
                                {"acos(x)", 1},
                                {"acos(x)", -1},
                                {"atan(x)", 0},
                                {"atan2(x, 1)", 0},
                                {"atan2(x, -1)", 0},
                                {"atan2(1, x)", 0},
                                {"sinh(x)", 0},
                                {"cosh(x)", 0},
                                {"tanh(x)", 0},
                                {"abs(x)", 0},
                                {"sign(x)", 0},
                                {"floor(x)", 1},
                                {"min(x, 2*x)", 0},
                                {"max(x, -x)", 0},
                                {"select(x < 0, x, x^2)", 0},
                                {"truth(x > 0)", 0}};

// The slope on one side: NaN where the function is not defined there, +-infinity where quotients are large.
double slope_beside(const Graph& graph, const Expression& f, int x, int side) {
  const Real100 h("1e-60");
  const auto at = [&](int steps) { return evaluate<Real100>(graph, f, {Real100(x) + steps * side * h}); };
  const double slope = static_cast<double>(Real100((at(2) - at(1)) / (side * h)));
  constexpr double infinite = 1e9;
  return std::abs(slope) > infinite ? std::copysign(std::numeric_limits<double>::infinity(), slope) : slope;
}

// The limit, or between the limits of both sides at a kink.
void expect_slope(double slope, const Graph& graph, const Expression& f, int x, const std::string& what) {
  std::vector<double> limits;
  for (const int side : {-1, 1})
    if (const double limit = slope_beside(graph, f, x, side); !std::isnan(limit)) limits.push_back(limit);
  ASSERT_FALSE(limits.empty()) << what;
  const auto [least, most] = std::ranges::minmax(limits);
  EXPECT_GE(slope, least - 1e-9) << what;
  EXPECT_LE(slope, most + 1e-9) << what;
}

TEST(EdgesOfFunctions, HaveTheSlopesOfTheLimit) {
  for (const auto& [text, x0] : edges) {
    Graph graph;
    const RecordingScope scope(graph);
    const Expressions x = make_inputs(graph, 1);
    const Expression f = parse_expression(text, {{"x", x[0]}});
    const Expressions all{f, along({&f, 1}, x, Expressions{1})[0], gradient(f, x)[0]};
    const std::string what = std::string(text) + " at x = " + std::to_string(x0);
    const std::vector<double> by_interpreter = evaluate<double>(graph, all, {static_cast<double>(x0)});
    const std::vector<Real50> in_50_digits = evaluate<Real50>(graph, all, {Real50(x0)});
    const bool chooses_or_jumps = what.find("sign") == 0 || what.find("floor") == 0 || what.find("truth") == 0;
    if (std::isfinite(by_interpreter[0]) && !chooses_or_jumps) {
      const Real100 beside = evaluate<Real100>(graph, f, {Real100(x0) + Real100("1e-60")}),
                    before = evaluate<Real100>(graph, f, {Real100(x0) - Real100("1e-60")});
      EXPECT_NEAR(by_interpreter[0], static_cast<double>(isnan(beside) ? before : beside), 1e-12)
          << what;  // round-off of a few functions of numbers near 1
    }
    for (const std::size_t way : {1, 2}) {
      expect_slope(by_interpreter[way], graph, f, x0, what + (way == 1 ? ", forward" : ", reverse"));
      expect_slope(static_cast<double>(in_50_digits[way]), graph, f, x0, what + ", 50 digits");
    }
    if (!machine_code_refusal().empty()) continue;
    const std::vector<double> by_machine =
        run(*make_machine_code(tape_of(graph, all)), {static_cast<double>(x0)}, all.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(by_machine[i], by_interpreter[i]) << what << ", " << i;
  }
}

TEST(EdgesOfFunctions, AreThoseOfAllFunctions) {
  for (const std::string& name : function_names())
    EXPECT_TRUE(std::ranges::any_of(edges, [&](const AtEdge& x) {
      return std::string(x.text).find(name + "(") != std::string::npos;
    })) << name;
}

// Drag along a velocity, x |(x, y)|, is differentiable at rest; of what the rule cannot know nothing is claimed.
TEST(EdgesOfFunctions, OfSeveralVariables) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 2);
  const Names names{{"x", x[0]}, {"y", x[1]}};
  for (const char* text : {"x*sqrt(x^2 + y^2)", "-3*sqrt(x^2 + y^2)*x", "(x^2 + y^2)^(3/2)", "y*(x^2 + y^2)^0.3*x"}) {
    const Expression f = parse_expression(text, names);
    const auto forward = jacobian({&f, 1}, x);
    for (const auto& entry : forward.entries) EXPECT_EQ(evaluate<double>(graph, entry.value, {0, 0}), 0) << text;
    for (const Expression& slope : gradient(f, x)) EXPECT_EQ(evaluate<double>(graph, slope, {0, 0}), 0) << text;
  }
  const Expression length = parse_expression("sqrt(x^2 + y^2)", names), bend = parse_expression("cos(sqrt(x))", names);
  EXPECT_TRUE(std::isnan(evaluate<double>(graph, gradient(length, x)[0], {0, 0})));
  EXPECT_TRUE(std::isnan(evaluate<double>(graph, gradient(bend, x)[0], {0, 0})));
}

// Off the edge second derivatives have all terms: x sqrt(y) by x and y at x = 0.
TEST(EdgesOfFunctions, LeaveMixedDerivatives) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = make_inputs(graph, 2);
  const Expression f = x[0] * sqrt(x[1]);
  const Expression by_y = along({&f, 1}, x, Expressions{0, 1})[0], by_x_y = along({&by_y, 1}, x, Expressions{1, 0})[0];
  EXPECT_EQ(evaluate<double>(graph, by_x_y, {0, 4}), 0.25);
  EXPECT_EQ(evaluate<double>(graph, gradient(gradient(f, x)[1], x)[0], {0, 4}), 0.25);
  const Expression power = pow(x[0], Exact("5/2"));
  Expression slope = power;
  for (int k = 0; k < 2; ++k) slope = along({&slope, 1}, x, Expressions{1, 0})[0];
  EXPECT_EQ(evaluate<double>(graph, slope, {0, 0}), 0);  // 15/4 sqrt(x)
  EXPECT_EQ(evaluate<double>(graph, slope, {4, 0}), 7.5);
}

}  // namespace TEST_FILE
}  // namespace daelab
