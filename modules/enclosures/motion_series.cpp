#include "modules/enclosures/motion_series.hpp"

#include "modules/enclosures/refusal.hpp"

namespace daelab {

MotionSeries::MotionSeries(const EnclosureEquations& equations, int order, slong precision)
    : equations_(equations),
      program_(equations.program, order, precision),
      unknowns_(equations.rates.size() * static_cast<std::size_t>(order + 1)),
      along_(unknowns_.size()),
      solved_(equations.right.size() * static_cast<std::size_t>(order + 1)),
      solved_along_(solved_.size()),
      inverse_(solved() * solved()),
      time_(2),
      work_(solved() + 1) {}

void MotionSeries::put_inputs(int k, bool along) {
  using Block = EnclosureProgram::Block;
  for (const auto& input : equations_.program.inputs) {
    arb_ptr to = program_[input.slot].x + k;
    if (input.block == Block::direction) {
      if (along) arb_set(to, unknown(static_cast<std::size_t>(input.index), true).x + k);
    } else if (along) {
      continue;
    } else if (input.block == Block::unknown) {
      arb_set(to, unknown(static_cast<std::size_t>(input.index), false).x + k);
    } else if (k <= 1) {
      arb_set(to, time_[static_cast<std::size_t>(k)]);
    }
  }
}

void MotionSeries::refuse_uncertain(bool along) const {
  const auto check = [&](EnclosureSlot slot) {
    if (program_.is_uncertain(slot)) throw Refusal("a condition in the equations may change");
  };
  for (const auto& rate : equations_.rates)
    if (rate.kind == EnclosureEquations::Rate::Kind::result) check(along ? rate.along : rate.value);
  for (const auto& entry : equations_.matrix) check(along ? entry.along : entry.value);
  for (const EnclosureSlot slot : along ? equations_.along : equations_.right) check(slot);
}

void MotionSeries::invert() {
  const std::size_t n = solved();
  if (n == 0) return;
  BallMatrix K(n), inverse(n);
  for (const auto& entry : equations_.matrix)
    arb_set(K(static_cast<std::size_t>(entry.row), static_cast<std::size_t>(entry.column)), program_[entry.value].x);
  if (arb_mat_inv(inverse.get(), K.get(), precision()) == 0)
    throw Refusal("the matrix of the equations of motion may be singular",
                  "other coordinates, or leaving out constraints that are redundant");
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) arb_set(inverse_[i * n + j], inverse(i, j));
}

// K dw = dr - dK w along a direction.
void MotionSeries::solve(int k, bool along) {
  const std::size_t n = solved();
  if (n == 0) return;
  const std::vector<EnclosureSlot>& right = along ? equations_.along : equations_.right;
  arb_ptr product = work_[n];
  for (std::size_t i = 0; i < n; ++i)
    if (const BallSeries& r = program_[right[i]]; k <= r.degree)
      arb_set(work_[i], r.x + k);
    else
      arb_zero(work_[i]);
  for (const auto& entry : equations_.matrix) {
    const auto row = static_cast<std::size_t>(entry.row), column = static_cast<std::size_t>(entry.column);
    add_products(product, program_[entry.value], solved(column, along), k, 1, k, precision());
    arb_sub(work_[row], work_[row], product, precision());
    if (!along) continue;
    add_products(product, program_[entry.along], solved(column, false), k, 0, k, precision());
    arb_sub(work_[row], work_[row], product, precision());
  }
  for (std::size_t i = 0; i < n; ++i)
    arb_dot(solved(i, along).x + k, nullptr, 0, inverse_[i * n], 1, work_.data(), 1, static_cast<slong>(n),
            precision());
}

void MotionSeries::integrate(int k, bool along) {
  using Kind = EnclosureEquations::Rate::Kind;
  for (std::size_t i = 0; i < unknowns(); ++i) {
    const auto& rate = equations_.rates[i];
    const auto index = static_cast<std::size_t>(rate.index);
    const BallSeries slope = rate.kind == Kind::unknown  ? unknown(index, along)
                             : rate.kind == Kind::solved ? solved(index, along)
                                                         : program_[along ? rate.along : rate.value];
    arb_ptr to = unknown(i, along).x + k + 1;
    if (k <= slope.degree)
      arb_div_ui(to, slope.x + k, static_cast<ulong>(k + 1), precision());
    else
      arb_zero(to);
  }
}

void MotionSeries::expand(arb_srcptr t, const Balls& x) {
  arb_set_round(time_[0], t, precision());
  arb_one(time_[1]);
  for (std::size_t i = 0; i < unknowns(); ++i) arb_set_round(unknown(i, false).x, x[i], precision());
  for (int k = 0; k < order(); ++k) {
    put_inputs(k, false);
    program_.advance(k, false);
    if (k == 0) refuse_uncertain(false), invert();
    solve(k, false);
    integrate(k, false);
  }
}

void MotionSeries::expand_along(const Balls& dx) {
  for (std::size_t i = 0; i < unknowns(); ++i) arb_set_round(unknown(i, true).x, dx[i], precision());
  for (int k = 0; k < order(); ++k) {
    put_inputs(k, true);
    program_.advance(k, true);
    if (k == 0) refuse_uncertain(true);
    solve(k, true);
    integrate(k, true);
  }
}

void MotionSeries::solve_at(arb_srcptr t, const Balls& x) {
  arb_set_round(time_[0], t, precision());
  for (std::size_t i = 0; i < unknowns(); ++i) arb_set_round(unknown(i, false).x, x[i], precision());
  put_inputs(0, false);
  program_.advance(0, false);
  refuse_uncertain(false);
  invert();
  solve(0, false);
}

}  // namespace daelab
