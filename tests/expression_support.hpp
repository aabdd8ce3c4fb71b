// What the tests of expressions share: random formulas that are evaluated without a graph, too, and the evaluation of
// expressions by interpreters.
#pragma once

#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/base/exact.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/program.hpp"
#include "tests/random_numbers.hpp"

namespace daelab {

/// Inputs x0, x1, ... of block 0.
inline Expressions make_inputs(Graph& graph, int count) {
  Expressions x;
  for (int i = 0; i < count; ++i) x.push_back(graph.input(0, i, "x" + std::to_string(i)));
  return x;
}

inline Tape tape_of(const Graph& graph, std::span<const Expression> f) {
  std::vector<Output> outputs;
  for (const Expression& y : f) outputs.push_back({y, 0, static_cast<int>(outputs.size())});
  return make_tape(graph, outputs);
}

template <class T>
std::vector<T> run(const Program<T>& program, const std::vector<T>& x, std::size_t outputs) {
  std::vector<T> y(outputs), work(program.work_size());
  const T* const inputs[] = {x.data()};
  T* const results[] = {y.data()};
  program.run(inputs, results, work.data());
  return y;
}

/// f at x, by an interpreter.
template <class T>
std::vector<T> evaluate(const Graph& graph, std::span<const Expression> f, const std::vector<T>& x) {
  return run(*make_interpreter<T>(tape_of(graph, f)), x, f.size());
}
template <class T>
T evaluate(const Graph& graph, const Expression& f, const std::vector<T>& x) {
  return evaluate<T>(graph, std::span(&f, 1), x)[0];
}

/// What operations mean that dual numbers know, too.
template <class T>
T operate_smoothly(Operation operation, const T& a, const T& b) {
  using std::atan2, std::cos, std::exp, std::log, std::sin, std::sqrt;
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::negate:
      return -a;
    case Operation::sqrt:
      return sqrt(a);
    case Operation::exp:
      return exp(a);
    case Operation::log:
      return log(a);
    case Operation::sin:
      return sin(a);
    case Operation::cos:
      return cos(a);
    case Operation::atan2:
      return atan2(a, b);
    default:
      std::abort();
  }
}

/// What an operation means, said without graphs: conditions are 1 or 0, `exponent` is the constant of a power.
template <class T>
T operate(Operation operation, const T& a, const T& b, const T& c, const Exact& exponent) {
  using std::abs, std::acos, std::asin, std::atan, std::cosh, std::floor, std::max, std::min, std::pow, std::sinh,
      std::tan, std::tanh;
  constexpr bool is_recorded = std::is_same_v<T, Expression>;
  const auto truth = [](const auto& statement) {
    if constexpr (is_recorded)
      return Expression(statement.truth());
    else
      return T(statement ? 1 : 0);
  };
  switch (operation) {
    case Operation::power:
      if constexpr (is_recorded)
        return pow(a, exponent);
      else
        return pow(a, exponent.as<T>());
    case Operation::tan:
      return tan(a);
    case Operation::asin:
      return asin(a);
    case Operation::acos:
      return acos(a);
    case Operation::atan:
      return atan(a);
    case Operation::sinh:
      return sinh(a);
    case Operation::cosh:
      return cosh(a);
    case Operation::tanh:
      return tanh(a);
    case Operation::abs:
      return abs(a);
    case Operation::floor:
      return floor(a);
    case Operation::min:
      return min(a, b);
    case Operation::max:
      return max(a, b);
    case Operation::less:
      return truth(a < b);
    case Operation::less_equal:
      return truth(a <= b);
    case Operation::sign:
      if constexpr (is_recorded)
        return sign(a);
      else
        return T(a > 0 ? 1 : a < 0 ? -1 : 0);
    case Operation::equal:
      if constexpr (is_recorded)
        return truth(equal(a, b));
      else
        return truth(a == b);
    case Operation::select:
      if constexpr (is_recorded)
        return select(Condition(a), b, c);
      else
        return a == 1 ? b : c;
    default:
      return operate_smoothly(operation, a, b);
  }
}

/// Random formulas, each of earlier ones, inputs and constants, at a point where all of them are defined, have
/// derivatives and are not large.
class RandomFormulas {
 public:
  static constexpr int inputs = 4;

  RandomFormulas(unsigned seed, int count, std::span<const Operation> operations,
                 std::vector<Exact> constants = {0, 1, -1, 2, "-3", "1/2", "0.1", "-1/3", "pi"});

  std::vector<double> point;
  std::size_t size() const { return steps_.size(); }
  /// First-order bound of the error of formula k at the point, in units of the unit round-off.
  double error(std::size_t k) const { return nodes_[first() + k].error; }
  Operation operation(std::size_t k) const { return steps_[k].operation; }

  /// The formulas of x, operation by operation. `number` makes a T of an Exact.
  template <class T, class Operate, class Number>
  std::vector<T> of(const std::vector<T>& x, const Operate& operation, const Number& number) const {
    std::vector<T> y(x);
    for (const Exact& constant : constants_) y.push_back(number(constant));
    for (const Step& step : steps_)
      y.push_back(operation(step.operation, y[step.a], y[step.b], y[step.c], exponents()[step.exponent]));
    return {y.begin() + static_cast<std::ptrdiff_t>(first()), y.end()};
  }
  template <class T>
  std::vector<T> operator()(const std::vector<T>& x) const {
    return of(x, operate<T>, [](const Exact& constant) { return T(constant.value()); });
  }

 private:
  struct Step {
    Operation operation;
    std::size_t a, b, c, exponent;
  };
  struct Value {
    double value, error;
    bool is_truth = false;
  };

  static const std::vector<Exact>& exponents() {
    static const std::vector<Exact> all{2, 3, -1, -2, 7, "1/2", "-1/2", "5/2", "1/3", "-0.3"};
    return all;
  }
  std::size_t first() const { return inputs + constants_.size(); }

  std::size_t choose(std::size_t count) {
    return static_cast<std::size_t>((random_.next() + 1) / 2 * static_cast<double>(count));
  }
  bool is_allowed(const Step& step) const;
  double value_of(const Step& step, double da = 0, double db = 0, double dc = 0) const {
    return operate(step.operation, nodes_[step.a].value + da, nodes_[step.b].value + db, nodes_[step.c].value + dc,
                   exponents()[step.exponent]);
  }
  double error_of(const Step& step, double value) const;

  RandomNumbers random_;
  std::vector<Exact> constants_;
  std::vector<Step> steps_;
  std::vector<Value> nodes_;  // inputs, constants, steps
};

inline RandomFormulas::RandomFormulas(unsigned seed, int count, std::span<const Operation> operations,
                                      std::vector<Exact> constants)
    : random_(seed), constants_(std::move(constants)) {
  for (int i = 0; i < inputs; ++i) {
    point.push_back(2 * random_.next());
    nodes_.push_back({point.back(), 0});
  }
  for (const Exact& constant : constants_) nodes_.push_back({constant.as<double>(), std::abs(constant.as<double>())});
  std::vector<std::size_t> truths;
  while (steps_.size() < static_cast<std::size_t>(count)) {
    // Half of the operands are recent, so that formulas grow deep.
    const auto operand = [&] {
      return choose(2) == 0 ? choose(nodes_.size())
                            : nodes_.size() - 1 - choose(std::min<std::size_t>(4, nodes_.size()));
    };
    Step step{operations[choose(operations.size())], operand(), operand(), operand(), choose(exponents().size())};
    if (step.operation == Operation::select && !truths.empty()) step.a = truths[choose(truths.size())];
    if (!is_allowed(step)) continue;
    const double value = value_of(step);
    if (!(std::abs(value) < 1e4)) continue;
    const bool is_truth = step.operation == Operation::less || step.operation == Operation::less_equal ||
                          step.operation == Operation::equal;
    if (is_truth) truths.push_back(nodes_.size());
    nodes_.push_back({value, error_of(step, value), is_truth});
    steps_.push_back(step);
  }
}

inline bool RandomFormulas::is_allowed(const Step& step) const {
  const double a = nodes_[step.a].value, b = nodes_[step.b].value, margin = 1e-2;
  switch (step.operation) {
    case Operation::divide:
      return std::abs(b) > margin;
    case Operation::sqrt:
    case Operation::log:
      return a > margin;
    case Operation::power:
      return a > 10 * margin && a < 5;
    case Operation::exp:
    case Operation::sinh:
    case Operation::cosh:
      return std::abs(a) < 5;
    case Operation::tan:
      return std::abs(std::cos(a)) > margin;
    case Operation::asin:
    case Operation::acos:
      return std::abs(a) < 1 - margin;
    case Operation::atan2:
      return a * a + b * b > margin && (b > margin || std::abs(a) > margin);
    case Operation::abs:
    case Operation::sign:
      return std::abs(a) > margin;
    case Operation::floor:
      return std::abs(a - std::round(a)) > margin;
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::min:
    case Operation::max:
      return step.a == step.b || std::abs(a - b) > margin;
    case Operation::select:
      return nodes_[step.a].is_truth;
    default:
      return true;
  }
}

// The slopes by differences: two digits of them are enough here.
inline double RandomFormulas::error_of(const Step& step, double value) const {
  const double h = 1e-6;
  const int count = operand_count(step.operation) - (step.operation == Operation::power ? 1 : 0);
  double error = 0;
  if (count > 0 && step.operation != Operation::select)
    error += nodes_[step.a].error * std::abs(value_of(step, h) - value_of(step, -h)) / (2 * h);
  if (count > 1) error += nodes_[step.b].error * std::abs(value_of(step, 0, h) - value_of(step, 0, -h)) / (2 * h);
  if (count > 2) error += nodes_[step.c].error * std::abs(value_of(step, 0, 0, h) - value_of(step, 0, 0, -h)) / (2 * h);
  // A function of a mathematical library errs by a few units; a power may be made of several operations.
  return error + (step.operation == Operation::power ? 16 : 4) * std::abs(value);
}

inline constexpr std::array every_operation{
    Operation::add,  Operation::subtract,   Operation::multiply, Operation::divide, Operation::negate, Operation::power,
    Operation::sqrt, Operation::exp,        Operation::log,      Operation::sin,    Operation::cos,    Operation::tan,
    Operation::asin, Operation::acos,       Operation::atan,     Operation::atan2,  Operation::sinh,   Operation::cosh,
    Operation::tanh, Operation::abs,        Operation::sign,     Operation::floor,  Operation::min,    Operation::max,
    Operation::less, Operation::less_equal, Operation::equal,    Operation::select};

}  // namespace daelab
