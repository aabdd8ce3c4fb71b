#include "modules/enclosures/tails.hpp"

#include <algorithm>
#include <limits>

#include "modules/enclosures/refusal.hpp"

namespace daelab {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();
// x with x <= s + a x.
double fixed_point(double s, double a) { return a < 1 ? above(s / above(1 - a) * (1 + 1e-11)) : none; }

}  // namespace

MotionTails::MotionTails(const MotionSeries& series, double rho)
    : series_(series),
      disc_(rho, series.order()),
      rho_(rho),
      L_(series.order()),
      slots_(series.equations().program.slots),
      errors_(series.unknowns()),
      errors_along_(series.unknowns()) {}

void MotionTails::add_tail_of_product(NormSeries& y, const NormSeries& a, const NormSeries& b) const {
  y.tail = above(disc_.lost_product(a, b) + a.coefficients() * b.tail + a.tail * b.all());
}

bool MotionTails::bound() {
  unknowns_.clear(), solved_.clear();
  for (std::size_t i = 0; i < series_.unknowns(); ++i) unknowns_.push_back(disc_.norms(series_.unknown(i, false)));
  for (std::size_t i = 0; i < series_.solved(); ++i) solved_.push_back(disc_.norms(series_.solved(i, false)));
  const auto& program = series_.equations().program;
  for (EnclosureSlot slot = 0; slot < program.slots; ++slot) slots_[slot] = disc_.norms(series_.program()[slot]);
  bound_inverse();
  return find(false);
}

bool MotionTails::bound_along() {
  along_.clear(), solved_along_.clear();
  for (std::size_t i = 0; i < series_.unknowns(); ++i) along_.push_back(disc_.norms(series_.unknown(i, true)));
  for (std::size_t i = 0; i < series_.solved(); ++i) solved_along_.push_back(disc_.norms(series_.solved(i, true)));
  const auto& program = series_.equations().program;
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    if (series_.program().depends_on_direction(i)) {
      const EnclosureSlot slot = program.instructions[i].result;
      slots_[slot] = disc_.norms(series_.program()[slot]);
    }
  for (const auto& input : program.inputs)
    if (input.block == EnclosureProgram::Block::direction)
      slots_[input.slot] = disc_.norms(series_.program()[input.slot]);
  return find(true);
}

// A box that is mapped into itself.
bool MotionTails::find(bool along) {
  std::vector<double>& errors = along ? errors_along_ : errors_;
  std::fill(errors.begin(), errors.end(), 0);
  for (int attempt = 0; attempt < 25; ++attempt) {
    const std::vector<double> mapped = image(along);
    bool is_inside = true;
    for (std::size_t i = 0; i < mapped.size(); ++i) {
      if (!(mapped[i] < 1e200)) return false;
      is_inside = is_inside && mapped[i] <= errors[i];
    }
    if (is_inside) {
      errors = mapped;
      return true;
    }
    const double largest = *std::ranges::max_element(mapped);
    for (std::size_t i = 0; i < mapped.size(); ++i)
      if (!(mapped[i] <= errors[i])) errors[i] = above(1.5 * mapped[i] + 1e-6 * largest + 1e-280);
  }
  return false;
}

std::vector<double> MotionTails::image(bool along) {
  using Kind = EnclosureEquations::Rate::Kind;
  put_inputs(along);
  const auto& equations = series_.equations();
  for (std::size_t i = 0; i < equations.program.instructions.size(); ++i)
    if (series_.program().depends_on_direction(i) == along) add_tail(i);
  add_tails_of_solved(along);
  std::vector<double> result;
  for (const auto& rate : equations.rates) {
    const auto index = static_cast<std::size_t>(rate.index);
    const NormSeries& slope = rate.kind == Kind::unknown  ? (along ? along_ : unknowns_)[index]
                              : rate.kind == Kind::solved ? (along ? solved_along_ : solved_)[index]
                                                          : slots_[along ? rate.along : rate.value];
    result.push_back(above(slope.tail * rho_ / (L_ + 1)));
  }
  return result;
}

// The tail of an unknown: its coefficient L, and e.
void MotionTails::put_inputs(bool along) {
  using Block = EnclosureProgram::Block;
  std::vector<NormSeries>& list = along ? along_ : unknowns_;
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i].tail = above(upper_bound(series_.unknown(i, along).x + L_, disc_.power(L_)) + error(i, along));
  for (const auto& input : series_.equations().program.inputs)
    if (input.block == (along ? Block::direction : Block::unknown))
      slots_[input.slot].tail = list[static_cast<std::size_t>(input.index)].tail;
}

void MotionTails::add_tail(std::size_t instruction) {
  const auto& x = series_.equations().program.instructions[instruction];
  NormSeries& y = slots_[x.result];
  const NormSeries &a = slots_[x.a], &b = slots_[x.b], &c = slots_[x.c];
  const int choice = series_.program().choice(instruction);
  switch (x.operation) {
    case Operation::add:
    case Operation::subtract:
      y.tail = above(a.tail + b.tail);
      break;
    case Operation::negate:
    case Operation::abs:
      y.tail = a.tail;
      break;
    case Operation::multiply:
      add_tail_of_product(y, a, b);
      break;
    case Operation::divide:
      add_tail_of_quotient(x);
      break;
    case Operation::sqrt:
      add_tail_of_root(x);
      break;
    case Operation::exp:
      y.tail = fixed_point(disc_.source(a, y), disc_.growth(a));
      break;
    case Operation::log:
      add_tail_of_logarithm(instruction);
      break;
    case Operation::sines_and_cosines:
      add_tails_of_sines(x);
      break;
    case Operation::min:
    case Operation::max:
      y.tail = (choice == 1 ? a : b).tail;
      break;
    case Operation::select:
      y.tail = (choice == 1 ? b : c).tail;
      break;
    default:
      y.tail = 0;  // constant
  }
}

// y b = a: y misses (a - Y b) / b, and |1 / b| <= |c| / (1 - |1 - c b|).
void MotionTails::add_tail_of_quotient(const EnclosureProgram::Instruction& x) {
  NormSeries& y = slots_[x.result];
  const NormSeries &a = slots_[x.a], &b = slots_[x.b];
  double rounding = 0;
  const NormSeries c = norms_of(disc_.reciprocal(series_.program()[x.b], rounding));
  const double residual = above(rounding + disc_.lost_product(c, b) + c.coefficients() * b.tail);
  const double d = above(a.tail + disc_.lost_product(y, b) + y.coefficients() * b.tail);
  y.tail = fixed_point(above(c.coefficients() * d), residual);
}

// y y = a: y misses u = (d - u^2) / (2 Y).
void MotionTails::add_tail_of_root(const EnclosureProgram::Instruction& x) {
  NormSeries& y = slots_[x.result];
  double rounding = 0;
  const NormSeries c = norms_of(disc_.reciprocal(series_.program()[x.result], rounding));
  const double residual = above(rounding + disc_.lost_product(c, y));
  const double g = fixed_point(c.coefficients() / 2, residual), d = above(slots_[x.a].tail + disc_.lost_product(y, y));
  const double root = 1 - above(4 * g * g * d);
  y.tail = root > 0 ? above(2 * g * d * (1 + 1e-11) / (1 + std::sqrt(root))) : none;
}

void MotionTails::add_tails_of_sines(const EnclosureProgram::Instruction& x) {
  NormSeries &sine = slots_[x.result], &cosine = slots_[x.b];
  const NormSeries& a = slots_[x.a];
  const double g = disc_.growth(a), s = disc_.source(a, cosine), c = disc_.source(a, sine);
  sine.tail = fixed_point(above(s + g * c), above(g * g));
  cosine.tail = fixed_point(above(c + g * s), above(g * g));
}

// With X = exp(-Y), of coefficients of 1 / a: a X = 1 + r, and y misses log(1 + r).
void MotionTails::add_tail_of_logarithm(std::size_t instruction) {
  const auto& x = series_.equations().program.instructions[instruction];
  NormSeries& y = slots_[x.result];
  const NormSeries& a = slots_[x.a];
  double rounding = 0;
  const NormSeries c = norms_of(disc_.reciprocal(series_.program()[x.a], rounding));
  NormSeries without_tail = y;
  without_tail.tail = 0;
  // The coefficients of 1 / a differ from c; `rounding` bounds this relative to all of 1 / a.
  const double missing = fixed_point(above(c.coefficients() * rounding), rounding);
  const double tail = above(fixed_point(
      above(disc_.source(without_tail, c) + disc_.growth(without_tail) * missing * L_), disc_.growth(without_tail)));
  const double r = above(disc_.lost_product(a, c) + a.all() * above(tail + missing) + a.tail * c.coefficients());
  y.tail = fixed_point(r, r);
}

// C, a polynomial of matrices with C K close to 1, from the left: C_k = -(sum_j C_(k-j) K_j) C_0.
void MotionTails::bound_inverse() {
  const std::size_t n = series_.solved();
  inverse_.assign(n * n, 0), contraction_.assign(n * n, 0);
  if (n == 0) return;
  const auto& matrix = series_.equations().matrix;
  std::vector<std::vector<double>> entries;
  std::size_t degree = 0;
  for (const auto& entry : matrix) {
    entries.push_back(disc_.scaled(series_.program()[entry.value]));
    degree = std::max(degree, static_cast<std::size_t>(series_.program()[entry.value].degree));
  }
  const std::size_t terms = degree == 0 ? 1 : std::min<std::size_t>(static_cast<std::size_t>(L_), 24);
  std::vector<std::vector<double>> C(terms, std::vector<double>(n * n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) C[0][i * n + j] = series_.inverse(i, j);
  std::vector<double> sum(n * n);
  const auto add_products_of_order = [&](std::size_t k, std::size_t first) {  // sum_j C_(k-j) K_j, j >= first
    for (std::size_t e = 0; e < matrix.size(); ++e)
      for (std::size_t j = first; j <= k; ++j)
        for (std::size_t i = 0; entries[e][j] != 0 && i < n; ++i)
          sum[i * n + static_cast<std::size_t>(matrix[e].column)] +=
              C[k - j][i * n + static_cast<std::size_t>(matrix[e].row)] * entries[e][j];
  };
  for (std::size_t k = 1; k < terms; ++k) {
    std::ranges::fill(sum, 0);
    add_products_of_order(k, 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t l = 0; l < n; ++l)
        for (std::size_t j = 0; sum[i * n + l] != 0 && j < n; ++j) C[k][i * n + j] -= sum[i * n + l] * C[0][l * n + j];
  }
  // 1 - C K: orders below `terms` with their round-off, all others by their norms.
  for (std::size_t k = 0; k < terms; ++k) {
    std::ranges::fill(sum, 0);
    for (std::size_t i = 0; k == 0 && i < n; ++i) sum[i * n + i] = -1;
    add_products_of_order(k, 0);
    for (std::size_t i = 0; i < n * n; ++i) {
      inverse_[i] = above(inverse_[i] + std::abs(C[k][i]));
      contraction_[i] = above(contraction_[i] + std::abs(sum[i]));
    }
  }
  for (std::size_t e = 0; e < matrix.size(); ++e) {
    const NormSeries& K = slots_[matrix[e].value];
    const BallSeries& balls = series_.program()[matrix[e].value];
    const double radii = disc_.radii(balls);
    for (std::size_t i = 0; i < n; ++i) {
      double lost = 0, size = 0;
      for (std::size_t k = 0; k < terms; ++k) {
        const double c = std::abs(C[k][i * n + static_cast<std::size_t>(matrix[e].row)]);
        size += c, lost += c * K.from[std::min<std::size_t>(terms - k, static_cast<std::size_t>(L_))];
      }
      double& to = contraction_[i * n + static_cast<std::size_t>(matrix[e].column)];
      to = above(to + lost + size * radii +
                 (static_cast<double>(n * terms) + 16) * DiscNorms::unit * size * K.coefficients());
    }
  }
}

// K w = r: w misses e with |e| <= |C| |r - K W| + |1 - C K| |e|.
void MotionTails::add_tails_of_solved(bool along) {
  const std::size_t n = series_.solved();
  if (n == 0) return;
  const auto& equations = series_.equations();
  std::vector<NormSeries>& solved = along ? solved_along_ : solved_;
  std::vector<double> d(n), s(n, 0), contraction = contraction_;
  for (std::size_t i = 0; i < n; ++i) d[i] = slots_[(along ? equations.along : equations.right)[i]].tail;
  for (const auto& entry : equations.matrix) {
    const auto row = static_cast<std::size_t>(entry.row), column = static_cast<std::size_t>(entry.column);
    const NormSeries& K = slots_[entry.value];
    d[row] = above(d[row] + disc_.lost_product(K, solved[column]) + K.tail * solved[column].coefficients());
    for (std::size_t i = 0; K.tail > 0 && i < n; ++i)
      contraction[i * n + column] = above(contraction[i * n + column] + inverse_[i * n + row] * K.tail);
    if (!along) continue;
    const NormSeries &dK = slots_[entry.along], &w = solved_[column];
    d[row] = above(d[row] + disc_.lost_product(dK, w) + dK.coefficients() * w.tail + dK.tail * w.all());
  }
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) s[i] = above(s[i] + inverse_[i * n + j] * d[j]);
    largest = std::max(largest, s[i]);
  }
  const auto contracted = [&](const std::vector<double>& x) {
    std::vector<double> y = s;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) y[i] = above(y[i] + contraction[i * n + j] * x[j]);
    return y;
  };
  // x with s + D x <= x: a norm in which D contracts.
  std::vector<double> x(n, 0);
  bool is_bound = false;
  for (int attempt = 0; attempt < 40 && !is_bound; ++attempt) {
    const std::vector<double> y = contracted(x);
    is_bound = true;
    for (std::size_t i = 0; i < n; ++i) is_bound = is_bound && y[i] <= x[i];
    if (is_bound) break;
    for (std::size_t i = 0; i < n; ++i)
      if (!(y[i] <= x[i])) x[i] = above(1.1 * y[i] + 1e-9 * largest + 1e-280);
  }
  may_be_singular_ = !is_bound;
  for (std::size_t i = 0; i < n; ++i) solved[i].tail = is_bound ? x[i] : none;
}

double MotionTails::variation(EnclosureSlot slot, double h) const {
  const BallSeries& a = series_.program()[slot];
  const DiscNorms step(h, L_);
  double sum = slots_[slot].tail * std::pow(h / rho_, L_) * (1 + 1e-10);
  for (int k = 1; k < L_ && k <= a.degree; ++k) sum = above(sum + upper_bound(a.x + k, step.power(k)));
  return above(sum + radius(a.x));
}

double MotionTails::variation(EnclosureSlot first, EnclosureSlot second, double h) const {
  const BallSeries &a = series_.program()[first], &b = series_.program()[second];
  const DiscNorms step(h, L_);
  double sum = (slots_[first].tail + slots_[second].tail) * std::pow(h / rho_, L_) * (1 + 1e-10);
  Balls difference(1);
  for (int k = 1; k < L_ && k <= std::max(a.degree, b.degree); ++k) {
    arb_sub(difference[0], a.x + k, b.x + k, series_.precision());
    sum = above(sum + upper_bound(difference[0], step.power(k)));
  }
  return above(sum + radius(a.x) + radius(b.x));
}

}  // namespace daelab
