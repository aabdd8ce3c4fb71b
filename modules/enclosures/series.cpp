#include "modules/enclosures/series.hpp"

#include <algorithm>

#include "core/expressions/operation_facts.hpp"
#include "modules/enclosures/refusal.hpp"

namespace daelab {
namespace {

bool keeps_series_aside(Operation operation) {
  return operation == Operation::exp || operation == Operation::log || operation == Operation::sines_and_cosines;
}

[[noreturn]] void refuse_condition() { throw Refusal("a condition in the equations may change"); }

// Twice the products of different factors, and a square between them.
void square(arb_ptr y, const BallSeries& a, int k, int first, arb_ptr work, slong precision) {
  add_products(y, a, a, k, first, (k + 1) / 2 - 1, precision);
  arb_mul_2exp_si(y, y, 1);
  if (k % 2 != 0 || k / 2 < first || k / 2 > a.degree) return;
  arb_sqr(work, a.x + k / 2, precision);
  arb_add(y, y, work, precision);
}

}  // namespace

void add_products(arb_ptr y, const BallSeries& a, const BallSeries& b, int k, int first, int last, slong precision) {
  first = std::max(first, k - b.degree), last = std::min(last, a.degree);
  if (first > last)
    arb_zero(y);
  else
    arb_dot(y, nullptr, 0, a.x + first, 1, b.x + (k - first), -1, last - first + 1, precision);
}

ProgramSeries::ProgramSeries(const EnclosureProgram& program, int order, slong precision)
    : program_(program),
      order_(order),
      precision_(precision),
      memory_([&] {
        std::size_t count = program.slots;
        for (const Instruction& x : program.instructions) count += keeps_series_aside(x.operation) ? 1 : 0;
        return count * static_cast<std::size_t>(order + 1);
      }()),
      series_(program.slots),
      aside_(program.instructions.size()),
      is_along_(program.instructions.size()),
      is_uncertain_(program.slots),
      is_statement_(program.slots),
      choices_(program.instructions.size()),
      work_(2) {
  arb_ptr next = memory_.data();
  for (BallSeries& series : series_) series.x = next, next += order + 1;
  for (std::size_t i = 0; i < aside_.size(); ++i)
    if (keeps_series_aside(program.instructions[i].operation)) aside_[i] = {next, order}, next += order + 1;
  for (const auto& [slot, text] : program.constants) read_constant(series_[slot].x, text, precision);
  find_degrees();
  find_statements();
}

void ProgramSeries::find_statements() {
  for (const auto& [slot, text] : program_.constants) is_statement_[slot] = text == "0" || text == "1";
  for (const Instruction& x : program_.instructions) {
    const bool of_two = is_statement_[x.a] && is_statement_[x.b];
    switch (x.operation) {
      case Operation::less:
      case Operation::less_equal:
      case Operation::equal:
        is_statement_[x.result] = true;
        break;
      case Operation::multiply:
      case Operation::min:
      case Operation::max:
        is_statement_[x.result] = of_two;
        break;
      case Operation::subtract:
        is_statement_[x.result] = of_two && series_[x.a].degree == 0 && arb_is_one(series_[x.a].x);
        break;
      case Operation::select:
        is_statement_[x.result] = of_two && is_statement_[x.c];
        break;
      default:
        break;
    }
  }
}

void ProgramSeries::find_degrees() {
  std::vector<bool> along(program_.slots);
  for (const auto& input : program_.inputs) {
    series_[input.slot].degree = input.block == EnclosureProgram::Block::time ? std::min(1, order_) : order_;
    along[input.slot] = input.block == EnclosureProgram::Block::direction;
  }
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    const Instruction& x = program_.instructions[i];
    series_[x.result].degree =
        series_degree(x.operation, series_[x.a].degree, series_[x.b].degree, series_[x.c].degree, order_);
    bool is_along = along[x.a];
    if (x.operation == Operation::sines_and_cosines)
      series_[x.b].degree = series_[x.result].degree;
    else
      is_along = is_along || along[x.b] || along[x.c];
    along[x.result] = is_along_[i] = is_along;
  }
}

void ProgramSeries::advance(int k, bool along_direction) {
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    if (is_along_[i] != along_direction) continue;
    if (k == 0)
      begin(i);
    else if (k <= series_[program_.instructions[i].result].degree)
      go_on(i, k);
  }
}

void ProgramSeries::begin(std::size_t i) {
  const Instruction& x = program_.instructions[i];
  if (is_statement_[x.result]) return decide(i);
  is_uncertain_[x.result] =
      x.operation != Operation::select && (is_uncertain_[x.a] || is_uncertain_[x.b] || is_uncertain_[x.c]);
  if (x.operation == Operation::sines_and_cosines) is_uncertain_[x.b] = is_uncertain_[x.result] = is_uncertain_[x.a];
  arb_ptr y = series_[x.result].x;
  arb_srcptr a = series_[x.a].x;
  switch (x.operation) {
    case Operation::divide:
      if (arb_contains_zero(series_[x.b].x)) throw Refusal("a divisor may be zero");
      arb_div(y, a, series_[x.b].x, precision_);
      break;
    case Operation::sqrt:
      if (!arb_is_positive(a)) throw Refusal("the argument of a root may be zero or negative");
      arb_sqrt(y, a, precision_);
      break;
    case Operation::exp:
      arb_exp(y, a, precision_);
      break;
    case Operation::log:
      if (!arb_is_positive(a)) throw Refusal("the argument of a logarithm may be zero or negative");
      arb_log(y, a, precision_);
      break;
    case Operation::sines_and_cosines:
      arb_sin_cos(y, series_[x.b].x, a, precision_);
      break;
    case Operation::add:
    case Operation::subtract:
    case Operation::negate:
    case Operation::multiply:
      go_on(i, 0);
      break;
    default:
      choose(i);
  }
}

bool ProgramSeries::is_certainly(bool truth, EnclosureSlot slot) const {
  return !is_uncertain_[slot] && (truth ? arb_is_one(series_[slot].x) : arb_is_zero(series_[slot].x)) != 0;
}

// Statements that nothing is known of are fine while no value depends on them: derivatives hold the statement that
// x = 0 and y = 0, where y is certainly not.
void ProgramSeries::decide(std::size_t i) {
  const Instruction& x = program_.instructions[i];
  arb_ptr y = series_[x.result].x, difference = work_[0];
  const auto set = [&](bool is_true, bool is_false) {
    is_uncertain_[x.result] = !is_true && !is_false;
    arb_set_si(y, is_true ? 1 : 0);
  };
  const auto is = [&](bool truth, EnclosureSlot slot) { return is_certainly(truth, slot); };
  switch (x.operation) {
    case Operation::multiply:
    case Operation::min:
      return set(is(true, x.a) && is(true, x.b), is(false, x.a) || is(false, x.b));
    case Operation::max:
      return set(is(true, x.a) || is(true, x.b), is(false, x.a) && is(false, x.b));
    case Operation::subtract:  // from 1
      return set(is(false, x.b), is(true, x.b));
    case Operation::select: {
      choices_[i] = is(true, x.a) ? 1 : is(false, x.a) ? 2 : 0;
      const EnclosureSlot chosen = choices_[i] == 1 ? x.b : x.c;
      return set(choices_[i] != 0 && is(true, chosen), choices_[i] != 0 && is(false, chosen));
    }
    default:
      arb_sub(difference, series_[x.a].x, series_[x.b].x, precision_);
      if (x.operation == Operation::equal) return set(false, arb_contains_zero(difference) == 0);
      return set(arb_is_negative(difference) != 0, arb_is_positive(difference) != 0);
  }
}

// Conditions at the start of the step; that they hold until its end is checked when all is known.
void ProgramSeries::choose(std::size_t i) {
  const Instruction& x = program_.instructions[i];
  arb_ptr y = series_[x.result].x, difference = work_[0];
  arb_srcptr a = series_[x.a].x;
  if (x.operation == Operation::select) {
    if (is_uncertain_[x.a] || !is_statement_[x.a]) refuse_condition();
    choices_[i] = arb_is_zero(a) ? 2 : 1;
    is_uncertain_[x.result] = is_uncertain_[choices_[i] == 1 ? x.b : x.c];
    return go_on(i, 0);
  }
  if (x.operation == Operation::floor) {
    arb_floor(y, a, precision_);
    if (!arb_is_exact(y)) refuse_condition();
    return;
  }
  const bool is_unary = x.operation == Operation::abs || x.operation == Operation::sign;
  if (is_unary)
    arb_set(difference, a);
  else
    arb_sub(difference, a, series_[x.b].x, precision_);
  if (arb_contains_zero(difference)) refuse_condition();
  const bool is_positive = arb_is_positive(difference);
  switch (x.operation) {
    case Operation::abs:
      choices_[i] = is_positive ? 1 : -1;
      return go_on(i, 0);
    case Operation::min:
      choices_[i] = is_positive ? 2 : 1;
      return go_on(i, 0);
    case Operation::max:
      choices_[i] = is_positive ? 1 : 2;
      return go_on(i, 0);
    case Operation::sign:
      return arb_set_si(y, is_positive ? 1 : -1);
    default:
      throw Refusal("a function in the equations has no series here", "", true);
  }
}

void ProgramSeries::go_on(std::size_t i, int k) {
  const Instruction& x = program_.instructions[i];
  const BallSeries &a = series_[x.a], &b = series_[x.b];
  const BallSeries& result = series_[x.result];
  arb_ptr y = result.x + k;
  switch (x.operation) {
    case Operation::add:
      arb_add(y, a.x + k, b.x + k, precision_);
      break;
    case Operation::subtract:
      arb_sub(y, a.x + k, b.x + k, precision_);
      break;
    case Operation::negate:
      arb_neg(y, a.x + k);
      break;
    case Operation::multiply:
      if (x.a == x.b)
        square(y, a, k, 0, work_[0], precision_);
      else
        add_products(y, a, b, k, 0, k, precision_);
      break;
    case Operation::divide:  // y b = a
      add_products(y, b, result, k, 1, k, precision_);
      arb_sub(y, a.x + k, y, precision_);
      arb_div(y, y, b.x, precision_);
      break;
    case Operation::sqrt:  // y y = a
      square(y, result, k, 1, work_[0], precision_);
      arb_sub(y, a.x + k, y, precision_);
      arb_div(y, y, result.x, precision_);
      arb_mul_2exp_si(y, y, -1);
      break;
    case Operation::abs:
      if (choices_[i] > 0)
        arb_set(y, a.x + k);
      else
        arb_neg(y, a.x + k);
      break;
    case Operation::min:
    case Operation::max:
      arb_set(y, (choices_[i] == 1 ? a : b).x + k);
      break;
    case Operation::select:
      arb_set(y, (choices_[i] == 1 ? b : series_[x.c]).x + k);
      break;
    default:
      go_on_with_function(i, k);
  }
}

// Aside: k a_k; of a logarithm k y_k.
void ProgramSeries::go_on_with_function(std::size_t i, int k) {
  const Instruction& x = program_.instructions[i];
  const BallSeries &a = series_[x.a], &result = series_[x.result];
  const BallSeries& slope = aside_[i];
  arb_ptr y = result.x + k;
  const auto divisor = static_cast<ulong>(k);
  if (x.operation == Operation::log) {  // a y' = a'
    add_products(y, slope, a, k, 1, k - 1, precision_);
    arb_div_ui(y, y, divisor, precision_);
    arb_sub(y, a.x + k, y, precision_);
    arb_div(y, y, a.x, precision_);
    arb_mul_ui(slope.x + k, y, divisor, precision_);
    return;
  }
  arb_mul_ui(slope.x + k, a.x + k, divisor, precision_);
  const BallSeries slope_of_argument{slope.x, a.degree};
  if (x.operation == Operation::exp) {  // y' = a' y
    add_products(y, slope_of_argument, result, k, 1, k, precision_);
    arb_div_ui(y, y, divisor, precision_);
    return;
  }
  const BallSeries& cosine = series_[x.b];  // y' = a' b, b' = -a' y
  add_products(y, slope_of_argument, cosine, k, 1, k, precision_);
  arb_div_ui(y, y, divisor, precision_);
  add_products(cosine.x + k, slope_of_argument, result, k, 1, k, precision_);
  arb_div_ui(cosine.x + k, cosine.x + k, divisor, precision_);
  arb_neg(cosine.x + k, cosine.x + k);
}

}  // namespace daelab
