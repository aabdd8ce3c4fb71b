// Expressions as text: printed and read back, LaTeX, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "core/base/exact.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/latex.hpp"
#include "core/expressions/parse.hpp"
#include "core/expressions/text.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

class ExpressionText : public testing::Test {
 protected:
  Graph graph;
  RecordingScope scope{graph};
  Names names{{"x", graph.input(1, 0, "x")},           {"y", graph.input(1, 1, "y")},
              {"x'", graph.input(2, 0, "x'")},         {"y'", graph.input(2, 1, "y'")},
              {"theta1", graph.input(1, 2, "theta1")}, {"theta1'", graph.input(2, 2, "theta1'")},
              {"t", graph.input(0, 0, "t")},           {"m", Expression(Exact("3"))}};
  Expression x = names["x"], y = names["y"], v = names["x'"];

  Expression read(const std::string& text) const { return parse_expression(text, names); }
  std::string text(const Expression& a) const { return text_of(graph, a); }
  std::string latex(const std::string& text) const { return text_of(graph, read(text), {.notation = Notation::latex}); }
  // What a text becomes when it is read and printed.
  std::string normal(const std::string& text) const { return this->text(read(text)); }
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  // Definitions read one after the other, then the expressions.
  Expressions read_back(const PrintedExpressions& printed) const {
    Names all = names;
    for (const auto& [name, definition] : printed.definitions)
      all.insert_or_assign(name, parse_expression(definition, all));
    Expressions result;
    for (const std::string& text : printed.expressions) result.push_back(parse_expression(text, all));
    return result;
  }
};

TEST_F(ExpressionText, MeansWhatFormulasMean) {
  const auto same_as = [&](const std::string& text, const Expression& meant) {
    EXPECT_TRUE(same(read(text), meant)) << text << " was read as " << this->text(read(text));
  };
  same_as("-x^2", -(x * x));
  same_as("2^3^2", Expression(512));
  same_as("x^-1", 1 / x);
  same_as("x^(1/2)", sqrt(x));
  same_as("x^3", x * x * x);
  same_as("x^0.3", pow(x, Exact("0.3")));
  same_as("x - y - 1", (x - y) - 1);
  same_as("x/y/2", (x / y) / 2);
  same_as("2*-x", -(2 * x));
  same_as("- -x", x);
  same_as("1/3*x", Exact("1/3") * x);
  same_as("9.81 * x'", Exact("9.81") * v);
  same_as("1e-3+.5", Expression(Exact("0.501")));
  same_as("pi*x", Expression(pi<Real100>()) * x);
  same_as("m/2*(x'^2 + y'^2)", Exact("3/2") * (v * v + names["y'"] * names["y'"]));
  same_as("atan2(y, x)", atan2(y, x));
  same_as("max(x, y, 1)", max(max(x, y), 1));
  same_as("select(x < 0 or not (y >= 1 and t == 2), x, -y)", select(x < 0 || !(y >= 1 && equal(names["t"], 2)), x, -y));
  same_as("select((x) <= 0, 1, 2)", select(x <= 0, 1, 2));
  same_as("truth(x > y)*t", (y < x).truth() * names["t"]);
  EXPECT_TRUE(same(parse_equation("x^2 + y^2 = m^2", names), x * x + y * y - 9));
  EXPECT_TRUE(same(parse_equation("x - y", names), x - y));
}

TEST_F(ExpressionText, PrintsFewParentheses) {
  for (const char* text : {"x + y - 1",
                           "x - (y - 1)",
                           "x*y + 1",
                           "x/(y*x')",
                           "x/y/x'",
                           "t*(x + y)",
                           "-(x + y)",
                           "-x*y",
                           "x^2",
                           "x^3",
                           "x^7",
                           "x^100",
                           "(x + 1)^2",
                           "x^0.3",
                           "x^(-0.3)",
                           "1/x",
                           "1/x^2",
                           "x/2",
                           "3/5*x",
                           "9.81*x",
                           "2*pi*x",
                           "x*(y + 1)",
                           "sin(x)^2 + cos(x)^2",
                           "select(x < y, x, y)",
                           "select(x < y and y < t or t == 0, 1, 2)",
                           "select(not (x < y), 1, 2)",
                           "select((x < 0 or y < 0) and t < 0, 1, 2)",
                           "min(x, y)",
                           "atan2(y, x)",
                           "sqrt(3)*x",
                           "x - 1e-20",
                           "t*truth(x < y)",
                           "x'^2/2",
                           "abs(x - y)",
                           "x*y*t",
                           "-2 - x",
                           "2 - x",
                           "(1 + sqrt(5))/2*x"})
    EXPECT_EQ(normal(text), text);
  EXPECT_EQ(normal("x*(y*t)"), "y*t*x");
  EXPECT_EQ(normal("x + (y + t)"), "y + t + x");
  EXPECT_EQ(normal("x*2"), "2*x");
}

TEST_F(ExpressionText, PrintsLatex) {
  EXPECT_EQ(latex("theta1'"), "\\dot{\\theta}_{1}");
  EXPECT_EQ(latex("x/(y + 1)"), "\\frac{x}{y + 1}");
  EXPECT_EQ(latex("(x + 1)*y/2"), "\\frac{y \\left(x + 1\\right)}{2}");
  EXPECT_EQ(latex("(x + 1)/2"), "\\frac{x + 1}{2}");
  EXPECT_EQ(latex("sin(theta1)^2"), "\\sin^{2} \\theta_{1}");
  EXPECT_EQ(latex("sqrt(x^2 + y^2)"), "\\sqrt{x^{2} + y^{2}}");
  EXPECT_EQ(latex("x^(1/3)"), "\\sqrt[3]{x}");
  EXPECT_EQ(latex("y - 2.9e-7*cos(x) - x - 2.9e-7*cos(x)"), "y - 5.8 \\cdot 10^{-7} \\cos x - x");
  EXPECT_EQ(latex("2*(x*y) + y - 3*(x*y) + x*y"), "y");
  EXPECT_EQ(latex("1 + x*y + 2 + 3*x - x*y/2"), "3 + \\frac{1}{2} x y + 3 x");
  EXPECT_EQ(latex("x^(2/3)"), "x^{2/3}");
  EXPECT_EQ(latex("2/3*x"), "\\frac{2}{3} x");
  EXPECT_EQ(latex("2*pi*x"), "2 \\pi x");
  EXPECT_EQ(latex("1e-20*x"), "1 \\cdot 10^{-20} x");
  EXPECT_EQ(latex("exp(-x)*abs(y)"), "e^{-x} \\left|y\\right|");
  EXPECT_EQ(latex("select(x <= 0, -x, x)"),
            "\\begin{cases} -x & \\text{if } x \\le 0 \\\\ x & \\text{otherwise} \\end{cases}");
  EXPECT_EQ(latex_name("tip_x"), "\\mathrm{tip}_{x}");
  EXPECT_EQ(latex_name("q_12"), "q_{12}");
  EXPECT_EQ(latex_name("Omega_a_b'"), "\\dot{\\Omega}_{a,b}");
}

TEST_F(ExpressionText, PrintsConstantsExactly) {
  for (const char* text :
       {"2", "-7", "1/3", "-5/12", "9.81", "2.194e-6", "pi", "2*pi/3", "-pi/6", "sqrt(3)", "(1 - sqrt(5))/2", "exp(1)",
        "sqrt(2)*pi", "1/3 + 1e-90", "0.1234567890123456789012345678901234567890"}) {
    const Real100 value = Exact(text).value();
    EXPECT_TRUE(Exact(constant_text(value)).value() == value) << text << " became " << constant_text(value);
  }
  EXPECT_EQ(constant_text(Exact("-2/3").value()), "-2/3");
  EXPECT_EQ(constant_text(Exact("2.5").value()), "5/2");
  EXPECT_EQ(constant_text(Exact("exp(1)").value(), 6), "2.71828");
}

// A tree of all operations, of operands that are often used again.
class RandomExpressions {
 public:
  RandomExpressions(const Names& names, unsigned seed) : random_(seed) {
    for (const auto& [name, x] : names) pool_.push_back(x);
    for (const char* text : {"2", "1/3", "-5", "9.81", "pi", "sqrt(2)/3", "1e-7"}) pool_.push_back(Exact(text));
  }
  // Never a constant: of these a few are enough, and they have a domain.
  Expression next() {
    Expression x;
    while (is_constant(x = made())) continue;
    pool_.push_back(x);
    return x;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Expression any() { return pool_[static_cast<std::size_t>(below(static_cast<int>(pool_.size())))]; }
  Condition condition() {
    const Expression a = any(), b = any();
    switch (below(6)) {
      case 0:
        return a <= b;
      case 1:
        return equal(a, b);
      case 2:
        return !(a < b);
      case 3:
        return a < b && b < any();
      case 4:
        return (a < b || b < any()) && any() < a;
      default:
        return a < b;
    }
  }
  Expression made() {
    const Expression a = any();
    switch (below(24)) {
      case 0:
      case 1:
      case 2:
        return a + any();
      case 3:
      case 4:
      case 5:
        return a - any();
      case 6:
      case 7:
      case 8:
        return a * any();
      case 9:
      case 10: {
        const Expression b = any();
        return b.is_zero() ? a : a / b;
      }
      case 11:
        return -a;
      case 12:
        return pow(a, 1 + below(9));
      case 13:
        return a * a;
      case 14:
        return sin(a);
      case 15:
        return exp(a);
      case 16:
        return sqrt(a);
      case 17:
        return atan2(a, any());
      case 18:
        return min(a, any());
      case 19:
        return select(condition(), a, any());
      case 20:
        return pow(a, Exact("-7/10"));
      case 21:
        return a / 4;
      case 22:
        return tanh(a);
      default:
        return abs(a);
    }
  }

  std::mt19937 random_;
  Expressions pool_;
};

TEST_F(ExpressionText, ReadsBackTheSameNodes) {
  int compared = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomExpressions random(names, seed);
    Expressions all;
    for (int i = 0; i < 40; ++i) all.push_back(random.next());
    for (const int operations_inline : {2, 10, 1000000}) {
      const PrintedExpressions printed = print(graph, all, {.operations_inline = operations_inline});
      const Expressions back = read_back(printed);
      for (std::size_t i = 0; i < all.size(); ++i)
        ASSERT_TRUE(same(back[i], all[i])) << printed.expressions[i] << "\nwas read as\n" << text(back[i]);
      compared += static_cast<int>(all.size());
    }
  }
  EXPECT_EQ(compared, 200 * 3 * 40);
}

// x -> x*x + x doubles the text at every step.
TEST_F(ExpressionText, IsLinearInTheGraph) {
  const auto length_at = [&](int depth) {
    Expression a = x;
    for (int i = 0; i < depth; ++i) a = a * a + y * a;
    const PrintedExpressions printed = print(graph, std::vector{a});
    EXPECT_TRUE(same(read_back(printed).front(), a));
    std::size_t length = printed.expressions.front().size();
    for (const auto& [name, definition] : printed.definitions) length += name.size() + definition.size();
    return length;
  };
  EXPECT_LT(length_at(1000), 60000u);
  Expression square = x;
  for (int i = 0; i < 1000; ++i) square = square * square;
  EXPECT_TRUE(same(read_back(print(graph, std::vector{square})).front(), square));
  Expression a = x;
  for (int i = 0; i < 1000; ++i) a = a * a + y * a;
  EXPECT_THAT(text(a), HasSubstr("operations)"));
}

TEST_F(ExpressionText, DeepNestingIsCutByDefinitions) {
  Expression a = x, total = 0;
  for (int i = 0; i < 20000; ++i) a = sin(a) + 1;
  for (int i = 0; i < 50000; ++i) total += graph.input(1, 3 + i, "q" + std::to_string(i + 1));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(same(read_back(print(graph, std::vector{a})).front(), a));
  EXPECT_GT(print(graph, std::vector{total}).expressions.front().size(), 300000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(ExpressionText, SharedLargeExpressionsGetNames) {
  const Expression r = sqrt((x - 1) * (x - 1) + (y - 2) * (y - 2) + square(names["t"] - x * y));
  const PrintedExpressions printed = print(graph, std::vector{r * x, r * y, x * y});
  ASSERT_EQ(printed.definitions.size(), 1u);
  EXPECT_EQ(printed.definitions[0].first, "e1");
  EXPECT_EQ(printed.definitions[0].second, "sqrt((x - 1)^2 + (y - 2)^2 + (t - x*y)^2)");
  EXPECT_EQ(printed.expressions, (std::vector<std::string>{"x*e1", "e1*y", "x*y"}));
  const Expression e1 = graph.input(1, 9, "e1");
  EXPECT_EQ(print(graph, std::vector{r * e1, r * y}).definitions[0].first, "e_1");
}

TEST_F(ExpressionText, RefusesWithThePlace) {
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_THAT(refusal(text), HasSubstr(part)) << text;
  };
  refused("", {"missing", "position 1"});
  refused("x +", {"a number, a name or '(' is missing", "position 4"});
  refused("2x", {"products are written with *", "2*x", "position 2"});
  refused("x y", {"x*y", "position 3"});
  refused("x(y + 1)", {"products are written with *", "position 2"});
  refused("(x)(y)", {"products are written with *", "position 4"});
  refused("thta1 + 1", {"unknown name 'thta1'", "did you mean 'theta1'?", "position 1"});
  refused("x + sine(y)", {"unknown function 'sine'", "did you mean 'sin'?", "position 5"});
  refused("sin x", {"sin needs its arguments in parentheses", "position 1"});
  refused("sin()", {"sin takes 1 argument, not 0"});
  refused("atan2(x)", {"atan2 takes 2 arguments, not 1"});
  refused("min(x)", {"min takes at least 2 arguments, not 1"});
  refused("select(x < 1, 2)", {"select takes 3 arguments, not 2"});
  refused("select(x, 1, 2)", {"expected a condition such as x < 0", "position 8"});
  refused("x + (y < 1)", {"a condition is not a number; use select", "position 5"});
  refused("x < y", {"a condition is not a number"});
  refused("select(x < y < t, 1, 2)", {"comparisons do not chain", "position 14"});
  refused("x = 1", {"'==' compares", "position 3"});
  refused("select(x != 1, 1, 2)", {"not (a == b)"});
  refused("select(x < 1 && y < 1, 1, 2)", {"write and, or, not"});
  refused("x**2", {"the power is ^", "position 3"});
  refused("x^y", {"an exponent must be a constant", "position 3"});
  refused("(x + 1", {"missing ')' for the '(' at position 1"});
  refused("x + 1)", {"')' without '('", "position 6"});
  refused("x'' + 1", {"unknown name 'x'''"});
  refused("x \xc3\x97 y", {"unexpected '\xc3\x97'", "position 3"});
  refused("\xcf\x80*x*q", {"expected a number, a name or '(', found '\xcf\x80'", "position 1"});
  refused("x/(1 - 1)", {"division by zero", "position 3"});
  refused("sqrt(-2)", {"square root of a negative number"});
  refused("log(0)", {"logarithm"});
  refused("asin(2)", {"asin of a number outside -1 to 1"});
  refused("1e999", {"out of the range of double"});
  refused("1e99999999", {"exponent is out of range"});
  refused("exp(1000000000000)", {"not finite"});
  refused("and", {"'and' where a number or a name is expected"});
  refused(std::string(1000000, '('), {"nested more than 200 levels"});
  refused(std::string(1000000, '-') + "x", {"nested more than 200 levels"});
  refused(std::string(900, '2'), {"out of the range of double"});
  refused(std::string(1000000, '2'), {"a number of 1000000 digits", "--limit digits=N"});
  std::string powers = "x";
  for (int i = 0; i < 100000; ++i) powers += "^1";
  refused(powers, {"nested more than 200 levels"});
  EXPECT_LT(refusal(std::string(1000000, '(')).size(), 300u);
}

// Whatever is in a file is read or refused.
TEST_F(ExpressionText, RandomTextIsReadOrRefused) {
  const std::vector<std::string> pieces{"x", "y'",  "(",        ")",    "+",    "-",   "*",    "/",       "^",
                                        "1", "2.5", ".",        "e",    "1e",   "sin", "sin(", "select(", ",",
                                        "<", "<=",  "==",       "=",    "and",  "or",  "not",  "truth(",  "pi",
                                        "'", " ",   "\xcf\x80", "\xff", "log(", "0",   "max("};
  std::mt19937 random(7);
  int accepted = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (unsigned k = random() % 9 + 1; k > 0; --k) text += pieces[random() % pieces.size()];
    const std::string message = refusal(text);
    if (message == "accepted")
      ++accepted;
    else
      EXPECT_THAT(message, HasSubstr(" at position ")) << text;
    names_in(text);
  }
  EXPECT_GT(accepted, 500);  // measured 1260 of 50 000
}

TEST_F(ExpressionText, KnowsTheNamesInAText) {
  EXPECT_EQ(names_in("m/2*x'^2 + sin(theta1)*1e5 - pi*m and q"), (std::vector<std::string>{"m", "x'", "theta1", "q"}));
  EXPECT_EQ(name_refusal("theta_1"), "");
  for (const char* bad : {"", "1x", "x'", "a-b", "sin", "pi", "and", "_x"}) EXPECT_NE(name_refusal(bad), "") << bad;
}

}  // namespace TEST_FILE
}  // namespace daelab
