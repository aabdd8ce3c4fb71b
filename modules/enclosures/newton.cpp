#include "modules/enclosures/newton.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "modules/enclosures/refusal.hpp"

namespace daelab {
namespace {

std::size_t to_size(int i) { return static_cast<std::size_t>(i); }

[[noreturn]] void refuse() {
  throw Refusal("no consistent values are proved near those given", "values that satisfy the constraints better", true);
}

}  // namespace

Conditions::Conditions(const EnclosureConditions& conditions, std::vector<int> columns, slong precision)
    : conditions_(conditions), columns_(std::move(columns)), program_(conditions.program, 0, precision) {}

void Conditions::evaluate(arb_srcptr t, const Balls& x) {
  for (const auto& input : conditions_.program.inputs)
    arb_set_round(program_[input.slot].x, input.block == EnclosureProgram::Block::time ? t : x[to_size(input.index)],
                  program_.precision());
  program_.advance(0, false);
  const auto refuse_uncertain = [&](EnclosureSlot slot) {
    if (program_.is_uncertain(slot)) throw Refusal("a condition in the equations may change");
  };
  for (const EnclosureSlot slot : conditions_.residuals) refuse_uncertain(slot);
  for (const auto& entry : conditions_.jacobian) refuse_uncertain(entry.value);
}

void Conditions::jacobian(BallMatrix& J) {
  for (const auto& entry : conditions_.jacobian) {
    const auto place = std::ranges::find(columns_, entry.column);
    if (place != columns_.end())
      arb_set(J(to_size(entry.row), static_cast<std::size_t>(place - columns_.begin())), program_[entry.value].x);
  }
}

// Returns a bound of the last correction that is not expected to shrink any more.
double Conditions::newton(arb_srcptr t, Balls& x) {
  const std::size_t n = columns_.size();
  const slong precision = program_.precision();
  double last = 1e300;
  for (int iteration = 0; iteration < 60; ++iteration) {
    for (const int column : columns_) mag_zero(arb_radref(x[to_size(column)]));
    evaluate(t, x);
    BallMatrix J(n);
    jacobian(J);
    arb_mat_t F, delta;
    arb_mat_init(F, static_cast<slong>(n), 1), arb_mat_init(delta, static_cast<slong>(n), 1);
    for (std::size_t i = 0; i < n; ++i)
      arb_set(arb_mat_entry(F, static_cast<slong>(i), 0), program_[conditions_.residuals[i]].x);
    const bool is_regular = arb_mat_approx_solve(delta, J.get(), F, precision) != 0;
    double largest = 0;
    for (std::size_t i = 0; is_regular && i < n; ++i) {
      arb_ptr step = arb_mat_entry(delta, static_cast<slong>(i), 0), to = x[to_size(columns_[i])];
      mag_zero(arb_radref(step));
      arb_sub(to, to, step, precision);
      mag_zero(arb_radref(to));
      largest = std::max(largest, std::abs(middle(step)) / (1 + std::abs(middle(to))));
    }
    arb_mat_clear(F), arb_mat_clear(delta);
    if (!is_regular || !std::isfinite(largest)) refuse();
    if (largest == 0 || (largest < 1e-9 && largest >= last / 4))
      return std::max(largest, std::ldexp(1, -static_cast<int>(precision)));
    last = largest;
  }
  refuse();
}

void Conditions::determine(arb_srcptr t, Balls& x, Guess guess) {
  const std::size_t n = columns_.size();
  if (n == 0) return;
  const Balls first = x;
  const slong precision = program_.precision();
  double size = newton(t, x);
  evaluate(t, x);
  BallMatrix J(n), Y(n);
  jacobian(J);
  if (arb_mat_approx_inv(Y.get(), J.get(), precision) == 0) refuse();
  Balls newton_step(n);  // Y F(m)
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      mag_zero(arb_radref(Y(i, j)));
      arb_addmul(newton_step[i], Y(i, j), program_[conditions_.residuals[j]].x, precision);
    }
  for (std::size_t i = 0; i < n; ++i) size = std::max(size, upper_bound(newton_step[i]));
  const auto radius_of = [&](int column) { return size * (1 + std::abs(middle(x[to_size(column)]))); };
  for (const int column : columns_) {
    if (guess != Guess::included) break;
    Balls distance(1);
    arb_sub(distance[0], first[to_size(column)], x[to_size(column)], precision);
    while (!(upper_bound(distance[0]) <= radius_of(column)) && size < 1) size *= 2;
  }
  for (int attempt = 0; attempt < 30; ++attempt, size *= 8) {
    Balls box = x;
    for (std::size_t i = 0; i < n; ++i) widen(box[to_size(columns_[i])], radius_of(columns_[i]));
    evaluate(t, box);
    BallMatrix slope(n), product(n);
    jacobian(slope);
    arb_mat_mul(product.get(), Y.get(), slope.get(), precision);
    bool is_inside = true;
    Balls image(n), offset(1);
    for (std::size_t i = 0; i < n; ++i) {
      arb_neg(image[i], newton_step[i]);
      for (std::size_t j = 0; j < n; ++j) {
        arb_neg(product(i, j), product(i, j));
        if (i == j) arb_add_ui(product(i, j), product(i, j), 1, precision);
        arb_sub(offset[0], box[to_size(columns_[j])], x[to_size(columns_[j])], precision);
        arb_addmul(image[i], product(i, j), offset[0], precision);
      }
      arb_add(image[i], image[i], x[to_size(columns_[i])], precision);
      is_inside = is_inside && arb_contains_interior(box[to_size(columns_[i])], image[i]);
    }
    if (!is_inside) continue;
    for (std::size_t i = 0; i < n; ++i) arb_set(x[to_size(columns_[i])], image[i]);
    return;
  }
  refuse();
}

// J_columns dx_columns = -J_others dx_others.
void Conditions::determine_along(arb_srcptr t, const Balls& x, Balls& dx) {
  const std::size_t n = columns_.size();
  if (n == 0) return;
  const slong precision = program_.precision();
  evaluate(t, x);
  BallMatrix J(n), inverse(n);
  jacobian(J);
  if (arb_mat_inv(inverse.get(), J.get(), precision) == 0)
    throw Refusal("the equations of algebraic states may be singular");
  Balls right(n);
  for (const auto& entry : conditions_.jacobian)
    if (std::ranges::find(columns_, entry.column) == columns_.end())
      arb_submul(right[to_size(entry.row)], program_[entry.value].x, dx[to_size(entry.column)], precision);
  for (std::size_t i = 0; i < n; ++i) {
    arb_zero(dx[to_size(columns_[i])]);
    for (std::size_t j = 0; j < n; ++j) arb_addmul(dx[to_size(columns_[i])], inverse(i, j), right[j], precision);
  }
}

std::string Conditions::violated(arb_srcptr t, const Balls& x) {
  evaluate(t, x);
  for (std::size_t i = 0; i < conditions_.residuals.size(); ++i)
    if (!arb_contains_zero(program_[conditions_.residuals[i]].x)) return conditions_.names[i];
  return "";
}

}  // namespace daelab
