// Expressions: handles on the nodes of a graph, written as formulas are.
//
//   Graph graph;
//   RecordingScope scope(graph);                       // the graph that expressions of this thread are in
//   const Expression x = graph.input(0, 0, "x");
//   const Expression f = sin(x) * Exact("1/3") + x * x;
//
// An expression is in its graph once: equal formulas are equal handles. Constants are exact to 100 digits and
// folded there. Simplified is only what is exact in every scalar (0 x, 1 x, x + 0, x - x, -(-x), signs of products),
// so a formula means the same operations in the same order to whatever evaluates it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/real.hpp"

namespace daelab {

class Exact;
class Graph;

enum class Operation : std::uint8_t {
  constant,
  input,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,  // with a constant exponent that is no multiple of 1/2
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  sign,
  floor,
  min,
  max,
  less,
  less_equal,
  equal,             // 1 or 0
  select,            // of a condition, the value if it is not 0, the value if it is
  sines_and_cosines  // of tapes only: those of four angles together
};

/// How many operands an operation takes: 0 to 3.
int operand_count(Operation operation);

using Node = std::uint32_t;

/// A formula. Copies are handles on the same node; zero when nothing is said. All but the constants 0 and 1 need a
/// RecordingScope, and belong to its graph.
class Expression {
 public:
  constexpr Expression() = default;
  Expression(int value);             // NOLINT: a constant
  Expression(const Exact& value);    // NOLINT: a constant
  Expression(const Real100& value);  // NOLINT: a constant
  Expression(double) = delete;       // would be exact to 16 digits only: Exact("0.1")
  static constexpr Expression of(Node node) {
    Expression result;
    result.node_ = node;
    return result;
  }
  constexpr Node node() const { return node_; }
  /// Compares nodes; `equal` compares values.
  friend constexpr bool same(const Expression& a, const Expression& b) { return a.node_ == b.node_; }
  /// The constant 0: an entry that a sparse matrix does not have.
  constexpr bool is_zero() const { return node_ == 0; }

  Expression& operator+=(const Expression& b);
  Expression& operator-=(const Expression& b);
  Expression& operator*=(const Expression& b);
  Expression& operator/=(const Expression& b);

 private:
  Node node_ = 0;
};
using Expressions = std::vector<Expression>;

/// A statement about expressions, for select(). There is no way to `if`: what is recorded has no value yet.
class Condition {
 public:
  explicit constexpr Condition(Expression truth) : truth_(truth) {}
  constexpr const Expression& truth() const { return truth_; }  // 1 or 0

 private:
  Expression truth_;
};

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
inline Expression operator+(const Expression& a) { return a; }
inline Expression& Expression::operator+=(const Expression& b) { return *this = *this + b; }
inline Expression& Expression::operator-=(const Expression& b) { return *this = *this - b; }
inline Expression& Expression::operator*=(const Expression& b) { return *this = *this * b; }
inline Expression& Expression::operator/=(const Expression& b) { return *this = *this / b; }

Expression sqrt(const Expression& x);
/// Multiplications and a square root where they do; throws InputError unless the exponent is a constant.
Expression pow(const Expression& x, const Expression& exponent);
Expression exp(const Expression& x);
Expression log(const Expression& x);
Expression sin(const Expression& x);
Expression cos(const Expression& x);
Expression tan(const Expression& x);
Expression asin(const Expression& x);
Expression acos(const Expression& x);
Expression atan(const Expression& x);
Expression atan2(const Expression& y, const Expression& x);
Expression sinh(const Expression& x);
Expression cosh(const Expression& x);
Expression tanh(const Expression& x);
Expression abs(const Expression& x);
Expression sign(const Expression& x);  // -1, 0 or 1
Expression floor(const Expression& x);
Expression min(const Expression& a, const Expression& b);
Expression max(const Expression& a, const Expression& b);
inline Expression square(const Expression& x) { return x * x; }
inline void sincos(const Expression& x, Expression& s, Expression& c) { s = sin(x), c = cos(x); }

Condition operator<(const Expression& a, const Expression& b);
Condition operator<=(const Expression& a, const Expression& b);
inline Condition operator>(const Expression& a, const Expression& b) { return b < a; }
inline Condition operator>=(const Expression& a, const Expression& b) { return b <= a; }
Condition equal(const Expression& a, const Expression& b);
Condition operator!(const Condition& a);
Condition operator&&(const Condition& a, const Condition& b);
Condition operator||(const Condition& a, const Condition& b);
/// Both values are computed wherever the condition is; derivatives are those of the value chosen.
Expression select(const Condition& condition, const Expression& if_true, const Expression& if_false);

}  // namespace daelab
