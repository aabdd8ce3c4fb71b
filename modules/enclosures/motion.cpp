#include "modules/enclosures/motion.hpp"

#include <algorithm>
#include <numeric>

#include "modules/enclosures/step_conditions.hpp"

namespace daelab {
namespace {

constexpr slong set_precision = 80;

std::vector<int> last_columns(std::size_t n, int count) {
  std::vector<int> columns(static_cast<std::size_t>(count));
  std::iota(columns.begin(), columns.end(), static_cast<int>(n) - count);
  return columns;
}

// By the last two coefficients of each unknown: what the disc of the Taylor series has as radius, roughly.
double radius_of_convergence(const MotionSeries& series) {
  double largest = -1e300;
  mag_t size;
  mag_init(size);
  for (std::size_t i = 0; i < series.unknowns(); ++i)
    for (int k = series.order() - 1; k <= series.order(); ++k) {
      arb_get_mag(size, series.unknown(i, false).x + k);
      if (mag_is_special(size) == 0) largest = std::max(largest, mag_get_d_log2_approx(size) / k);
    }
  mag_clear(size);
  return std::exp2(-largest);
}

void sum_series(arb_ptr y, const BallSeries& a, arb_srcptr h, slong precision) {
  arb_set(y, a.x + a.degree);
  for (int k = a.degree - 1; k >= 0; --k) {
    arb_mul(y, y, h, precision);
    arb_add(y, y, a.x + k, precision);
  }
}

}  // namespace

EnclosedMotion::EnclosedMotion(const EnclosureTask& task, long decimals)
    : task_(task),
      decimals_(decimals),
      tolerance_(0.5 * std::pow(10.0, -static_cast<double>(decimals))),
      precision_(static_cast<slong>(3.33 * static_cast<double>(decimals)) + 64),
      order_(static_cast<int>(1.2 * static_cast<double>(decimals)) + 6),
      n_(task.names.size()),
      free_(n_ - static_cast<std::size_t>(task.algebraic)),
      centre_series_(task.equations, order_, precision_),
      set_series_(task.equations, std::max(12, order_ / 4), set_precision),
      determining_(task.determining, last_columns(n_, task.algebraic), precision_),
      determining_set_(task.determining, last_columns(n_, task.algebraic), set_precision),
      redundant_(task.redundant, {}, precision_),
      algebraic_(n_),
      derivative_(free_, std::vector<double>(free_, 0)) {
  for (std::size_t i = 0; i < free_; ++i) derivative_[i][i] = 1;
}

void EnclosedMotion::run(MotionEnclosure& result) {
  result.precision = static_cast<int>(precision_), result.order = order_;
  begin(result);
  const DecimalTime end(task_.t_end);
  const double span = end.value() - set_.t.value();
  constexpr std::size_t most_steps = 200000;
  while (set_.t < end) {
    result.reached = set_.t.value();
    if (task_.is_interrupted != nullptr && task_.is_interrupted()) throw Refusal("interrupted");
    check_redundant();
    expand();
    bound_centre();
    DecimalTime step;
    Balls B(free_ * free_);
    int attempts = 0;
    FlowBound flow = FlowBound::none;
    while (flow != FlowBound::close) {
      if (flow == FlowBound::none) bound_set(attempts++ > 0);
      double h = std::min(step_size(), 1.1 * span);
      const auto broken = [&] { return StepConditions(set_series_, *set_tails_, h).broken(); };
      for (std::string reason = broken(); !reason.empty(); reason = broken())
        if ((h /= 2) < 1e-9 * span) throw Refusal(reason, "an end before that");
      step = DecimalTime::below(h);
      if (end < set_.t + step) step = end - set_.t;
      flow = apply_flow(step, B);
    }
    advance(step, B);
    result.steps.push_back(described(true));
    if (result.steps.size() > most_steps) throw Refusal("it takes more than 200000 steps", "a nearer end", true);
  }
  result.reached = set_.t.value();
  check_redundant();
  finish(result);
}

void EnclosedMotion::begin(MotionEnclosure& result) {
  set_.t = DecimalTime(task_.t_start);
  Balls x(n_), t(1);
  set_.t.put_into(t[0], precision_);
  for (std::size_t i = 0; i < n_; ++i) read_constant(x[i], task_.given[i], precision_);
  Conditions(task_.start, task_.determined, precision_).determine(t[0], x);
  set_.centre = Balls(free_), set_.frame = unit_frame(free_), set_.radii.assign(free_, 0);
  for (std::size_t i = 0; i < free_; ++i) {
    double error = 0;
    set_.text.push_back(decimal_text(x[i], decimals_, error, precision_));
    read_decimal(set_.centre[i], set_.text.back(), precision_ + 64);
    if (arb_is_exact(x[i]) && arb_contains(set_.centre[i], x[i])) error = 0;  // the decimals are the value
    set_.radii_text.push_back(radius_text(error));
    set_.radii[i] = error;
  }
  for (std::size_t i = free_; i < n_; ++i) arb_set(algebraic_[i], x[i]);
  result.start = described(false);
  result.steps.push_back(result.start);
}

Balls EnclosedMotion::hull_of_set(slong precision) const {
  Balls x(n_);
  const std::vector<double> widths = hull(set_.frame, set_.radii);
  for (std::size_t i = 0; i < free_; ++i) {
    arb_set_round(x[i], set_.centre[i], precision);
    widen(x[i], widths[i]);
  }
  for (std::size_t i = free_; i < n_; ++i) arb_set(x[i], algebraic_[i]);
  return x;
}

void EnclosedMotion::expand() {
  Balls t(1), x(n_);
  set_.t.put_into(t[0], precision_);
  for (std::size_t i = 0; i < n_; ++i) arb_set(x[i], i < free_ ? set_.centre[i] : algebraic_[i]);
  Balls box = hull_of_set(set_precision);
  determining_set_.determine(t[0], box, Conditions::Guess::included);
  determining_.determine(t[0], x);
  for (std::size_t i = free_; i < n_; ++i) {
    if (!arb_contains(box[i], x[i])) throw Refusal("algebraic states are not unique", "more digits", true);
    arb_set(algebraic_[i], x[i]);
  }
  centre_series_.expand(t[0], x);
  set_series_.expand(t[0], box);
}

namespace {

// On a disc of a share of the radius of convergence, which is adapted.
void bound_tails(std::optional<MotionTails>& tails, const MotionSeries& series, double R, double& share) {
  share = std::min(0.8, share);
  for (int attempt = 0; attempt < 60; ++attempt, share *= 0.75) {
    tails.emplace(series, share * R);
    if (tails->bound()) return;
  }
  if (tails->may_be_singular())
    throw Refusal("the matrix of the equations of motion may become singular", "other coordinates, a nearer end");
  throw Refusal("no enclosure of the motion over any step is found", "more digits, a nearer end");
}

}  // namespace

double EnclosedMotion::radius() const {
  return std::min(radius_of_convergence(centre_series_), 100 * (DecimalTime(task_.t_end) - set_.t).value());
}

void EnclosedMotion::bound_centre() {
  centre_share_ *= 1.15;
  bound_tails(centre_tails_, centre_series_, radius(), centre_share_);
}

void EnclosedMotion::bound_set(bool with_a_smaller_disc) {
  set_share_ *= with_a_smaller_disc ? 0.75 : 1.1;
  bound_tails(set_tails_, set_series_, radius(), set_share_);
}

double EnclosedMotion::step_size() const {
  double h = 0.9 * centre_tails_->rho();
  for (std::size_t i = 0; i < n_; ++i)
    h = std::min(h, centre_tails_->rho() * std::pow(tolerance_ / centre_tails_->error(i, false), 1.0 / (order_ + 1)));
  return std::min(h, set_ratio_ * set_tails_->rho());
}

void EnclosedMotion::check_redundant() {
  if (redundant_.empty()) return;
  Balls t(1);
  set_.t.put_into(t[0], precision_);
  if (const std::string name = redundant_.violated(t[0], hull_of_set(precision_)); !name.empty())
    throw Refusal("the constraint " + name + ", left out as redundant, is violated", "", true);
}

// Columns of B: derivatives along those of the frame. They are close where what their series leave out hardly widens
// sets, in one step or in many.
EnclosedMotion::FlowBound EnclosedMotion::apply_flow(const DecimalTime& step, Balls& B) {
  Balls h(1), direction(n_), t(1), box(n_);
  step.put_into(h[0], set_precision);
  for (std::size_t i = 0; i < n_; ++i) arb_set(box[i], set_series_.unknown(i, false).x);
  set_.t.put_into(t[0], set_precision);
  const double ratio = above(std::pow(upper_bound(h[0]) / set_tails_->rho(), set_series_.order() + 1) * (1 + 1e-9));
  std::vector<double> left_out(free_ * free_);
  for (std::size_t j = 0; j < free_; ++j) {
    for (std::size_t i = 0; i < free_; ++i) arb_set(direction[i], set_.frame.entries[i * free_ + j]);
    determining_set_.determine_along(t[0], box, direction);
    set_series_.expand_along(direction);
    if (!set_tails_->bound_along()) return FlowBound::none;
    for (std::size_t i = 0; i < free_; ++i) {
      arb_ptr entry = B[i * free_ + j];
      sum_series(entry, set_series_.unknown(i, true), h[0], set_precision);
      widen(entry, left_out[i * free_ + j] = above(set_tails_->error(i, true) * ratio));
    }
  }
  set_ratio_ = std::min(0.5, 1.02 * set_ratio_);
  if (widens_little(B, left_out)) return FlowBound::close;
  set_ratio_ = 0.9 * std::min(set_ratio_, upper_bound(h[0]) / set_tails_->rho());
  return FlowBound::loose;
}

bool EnclosedMotion::widens_little(const Balls& B, const std::vector<double>& left_out) const {
  constexpr double little = 3e-3;
  const std::size_t n = free_;
  std::vector<double> flow(n * n, 0), widened(n * n, 0), widths = hull(set_.frame, set_.radii);
  bool is_little = true;
  for (std::size_t i = 0; i < n; ++i) {
    double added = 0;
    for (std::size_t j = 0; j < n; ++j) {
      added += left_out[i * n + j] * set_.radii[j];
      widths[i] += std::abs(middle(B[i * n + j])) * set_.radii[j];
      for (std::size_t k = 0; k < n; ++k) {
        const double inverse = middle(set_.frame.inverse[j * n + k]);
        flow[i * n + k] += middle(B[i * n + j]) * inverse;
        widened[i * n + k] += left_out[i * n + j] * std::abs(inverse);
      }
    }
    is_little = is_little && added <= little * widths[i] + tolerance_;
  }
  if (is_little) return true;
  for (std::size_t i = 0; i < n * n; ++i) flow[i] = std::abs(flow[i]), widened[i] += flow[i];
  return largest_growth(widened, widths) <= (1 + little) * largest_growth(flow, widths);
}

void EnclosedMotion::advance(const DecimalTime& step, const Balls& B) {
  Balls h(1), value(1), entry(1);
  step.put_into(h[0], precision_);
  const double ratio = above(std::pow(upper_bound(h[0]) / centre_tails_->rho(), order_ + 1) * (1 + 1e-9));
  std::vector<double> errors(free_, tolerance_);  // leaves room for those who check it in another way
  std::vector<std::string> text;
  Balls centre(free_);
  for (std::size_t i = 0; i < free_; ++i) {
    sum_series(value[0], centre_series_.unknown(i, false), h[0], precision_);
    widen(value[0], above(centre_tails_->error(i, false) * ratio));
    text.push_back(decimal_text(value[0], decimals_, errors[i], precision_));
    read_decimal(centre[i], text.back(), precision_ + 64);
  }
  DecimalFrame frame = fitting_frame(B, set_.radii, set_precision);
  std::vector<double> radii(free_, 0);
  std::vector<std::vector<double>> flow(free_, std::vector<double>(free_, 0)), derivative = flow;
  for (std::size_t i = 0; i < free_; ++i) {
    for (std::size_t j = 0; j < free_; ++j) {
      arb_dot(entry[0], nullptr, 0, frame.inverse[i * free_], 1, B[j], static_cast<slong>(free_),
              static_cast<slong>(free_), set_precision);
      radii[i] = above(radii[i] + upper_bound(entry[0]) * set_.radii[j] * 1.0001);
      radii[i] = above(radii[i] + upper_bound(frame.inverse[i * free_ + j]) * errors[j]);
      for (std::size_t k = 0; k < free_; ++k)
        flow[i][k] += middle(B[i * free_ + j]) * middle(set_.frame.inverse[j * free_ + k]);
    }
  }
  for (std::size_t i = 0; i < free_; ++i)
    for (std::size_t j = 0; j < free_; ++j)
      for (std::size_t k = 0; k < free_; ++k) derivative[i][k] += flow[i][j] * derivative_[j][k];
  derivative_ = std::move(derivative);
  for (std::size_t i = free_; i < n_; ++i) {  // of the centre's motion: which of the solutions is meant
    sum_series(algebraic_[i], centre_series_.unknown(i, false), h[0], precision_);
    widen(algebraic_[i], above(centre_tails_->error(i, false) * ratio));
  }
  std::vector<std::string> radii_text;
  for (double& r : radii) radii_text.push_back(radius_text(r));
  set_ = {set_.t + step, std::move(text), std::move(radii_text), std::move(centre), std::move(frame), std::move(radii)};
}

EnclosureSet EnclosedMotion::described(bool with_frame) const {
  EnclosureSet result;
  result.t = set_.t.text();
  result.centre = set_.text;
  result.radii = set_.radii_text;
  if (with_frame) result.frame = set_.frame.text;
  return result;
}

void EnclosedMotion::finish(MotionEnclosure& result) {
  Balls t(1), x = hull_of_set(precision_);
  set_.t.put_into(t[0], precision_);
  determining_.determine(t[0], x, Conditions::Guess::included);
  double largest = 0;
  const auto describe = [&](EnclosureSet& set, arb_srcptr value) {
    double error = 0;
    set.centre.push_back(decimal_text(value, decimals_, error, precision_));
    set.radii.push_back(radius_text(error));
    largest = std::max(largest, error);
  };
  result.end.t = result.solved.t = set_.t.text();
  for (std::size_t i = 0; i < n_; ++i) describe(result.end, x[i]);
  if (centre_series_.solved() > 0) {
    centre_series_.solve_at(t[0], x);
    for (std::size_t i = 0; i < centre_series_.solved(); ++i)
      describe(result.solved, centre_series_.solved(i, false).x);
  }
  result.digits = static_cast<int>(std::floor(-std::log10(2.0000001 * largest)));
  result.derivative = derivative_;
}

}  // namespace daelab
