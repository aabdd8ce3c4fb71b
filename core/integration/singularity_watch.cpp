#include "core/integration/singularity_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/start/consistent_start.hpp"

namespace daelab {
namespace {

// For the parabola through f at 0, 1/2 and 1; its least value where it has one near the step, infinite otherwise.
double vertex_near(double f0, double middle, double f1) {
  const double a = 2 * (f0 - 2 * middle + f1), b = 4 * middle - 3 * f0 - f1;
  const double x = -b / (2 * a);
  constexpr double margin = 0.25;  // of the step: the parabola is not exact
  return a > 0 && x > -margin && x < 1 + margin ? f0 + b * x / 2 : std::numeric_limits<double>::infinity();
}

}  // namespace

template <class T>
bool SingularityWatch<T>::watches(Model<T>& model) {
  if (MechanicalModel<T>* const mechanism = model.mechanical()) return mechanism->constraints() > 0;
  OrdinaryModel<T>* const ordinary = model.ordinary();
  return ordinary->algebraic_states() > 0 && ordinary->states() <= largest_dense_mechanism;
}

template <class T>
SingularityWatch<T>::SingularityWatch(Model<T>& model, bool stop)
    : mechanism_(model.mechanical()),
      ordinary_(model.ordinary()),
      columns_(mechanism_ ? mechanism_->coordinates() : ordinary_->states()),
      row_count_(mechanism_ ? mechanism_->constraints() : ordinary_->algebraic_states()),
      stop_(stop),
      algebraic_lu_(mechanism_ ? 0 : row_count_),
      factor_(mechanism_ && columns_ + row_count_ > largest_dense_mechanism ? 0 : row_count_),
      large_(mechanism_ && columns_ + row_count_ > largest_dense_mechanism) {
  const Index n = columns_, m = row_count_, width = mechanism_ ? n : m;
  q_.setZero(n), v_.setZero(mechanism_ ? n : 0), C_.setZero(m);
  if (!mechanism_) rates_.setZero(n), rates_s_.setZero(n, n);
  if (!large_) J_.setZero(m, width), rows_.setZero(m, width), gram_.setZero(m, m);
  for (Vector<double>* x : {&scale_, &unit_, &dependency_, &distance_before_, &distance_now_}) x->setZero(m);
}

template <class T>
void SingularityWatch<T>::start(const State<T>& state) {
  q_ = state.y.head(columns_);
  if (mechanism_) v_ = state.y.segment(columns_, columns_);
  scale_rows(state.t);
  if (large_) {
    before_ = sparse_distance(state.t, q_, v_);
    rank_ = large_rank();
  } else {
    rank_ = mechanism_ ? analyse_start(*mechanism_, q_, v_).rank : row_count_;
    if (rank_ > 0) before_ = dense_distance(state.t, q_, v_);
  }
  largest_ = before_;
  known_ = 0, looked_at_ = state.t, last_v_ = v_;
}

// The inverse lengths of the rows at q_, v_.
template <class T>
void SingularityWatch<T>::scale_rows(const T& t) {
  scale_.setZero();
  if (large_) {
    mechanism_->jacobian(t, q_, v_, sparse_J_);
    sparse_J_.visit([&](Index i, Index, const T& value) { scale_[i] += static_cast<double>(T(value * value)); });
    scale_ = scale_.cwiseSqrt().eval();
  } else {
    evaluate_rows(t, q_, v_);
    for (Index i = 0; i < scale_.size(); ++i) scale_[i] = J_.row(i).template cast<double>().norm();
  }
  for (double& length : scale_) length = length > 0 ? 1 / length : 1;
}

// 0, which is not looked at, where constraints are redundant. Mostly the distance before_ shows that they are not,
// without a QR decomposition.
template <class T>
Index SingularityWatch<T>::large_rank() {
  constexpr double surely_independent = 1e-4;
  unwatched_ = !(before_ > surely_independent) && analyse_redundancy(*mechanism_, q_, v_).rank() < row_count_;
  return unwatched_ ? 0 : row_count_;
}

template <class T>
Status SingularityWatch<T>::check(const State<T>& from, const State<T>& to) {
  if (rank_ == 0 || stays_far(from, to)) return {};
  const double after = distance_within(from, to, 1);
  const bool turned = !mechanism_ && turns_its_sides();
  double x = 1;
  const double least = least_within(from, to, after, x);
  before_ = after, largest_ = std::max(largest_, after);
  looked_at_ = to.t, ++looks_;
  if (mechanism_) forecast(from, to);
  const bool was_inside = std::exchange(inside_, after < threshold * largest_);
  const bool only_fades = !mechanism_ && x == 1;
  if (!turned && (!(least < threshold * largest_) || was_inside || only_fades)) return {};
  const double t = static_cast<double>(T(from.t + T(x) * (to.t - from.t)));
  if (passed_++ == 0) {
    distance_within(from, to, x);  // the factorisation there
    find_dependency();
    describe(t, least);
  }
  return stop_ ? Status{StatusCode::near_singular, first_} : Status{};
}

// Whether this step is passed over.
template <class T>
bool SingularityWatch<T>::stays_far(const State<T>& from, const State<T>& to) {
  if (!mechanism_) return false;
  const auto v = [this](const State<T>& state) { return state.y.segment(columns_, columns_); };
  if (last_v_ != v(from)) known_ = 0;
  last_v_ = v(to);
  return known_ == 3 && to.t <= far_until_;
}

// The distance is above its half until the parabola through its last three values, four times as steep, comes down to
// that; not longer than eight steps like the last one, as a mechanism at rest may start to move.
template <class T>
void SingularityWatch<T>::forecast(const State<T>& from, const State<T>& to) {
  std::rotate(times_.begin(), times_.begin() + 1, times_.end());
  std::rotate(distances_.begin(), distances_.begin() + 1, distances_.end());
  times_[2] = static_cast<double>(to.t), distances_[2] = before_;
  known_ = std::min(known_ + 1, 3);
  const double older = times_[1] - times_[0], last = times_[2] - times_[1];
  const double change = (distances_[2] - distances_[1]) / last;
  const double curvature = 2 * std::abs(change - (distances_[1] - distances_[0]) / older) / (older + last);
  const double slope = std::abs(change) + curvature * last / 2;
  constexpr double half = 0.5, steepness = 4, most_steps = 8;
  const double room = half * before_ / steepness;
  const double far = 2 * room / (slope + std::sqrt(slope * slope + 2 * curvature * room));
  far_until_ = to.t + std::min(T(far), T(most_steps * (to.t - from.t)));
}

template <class T>
std::optional<Warning> SingularityWatch<T>::warning() const {
  if (unwatched_)
    return Warning{"singularities-unwatched",
                   "singular positions on the way were not looked for: in large mechanisms this requires constraints "
                   "that are independent at the start"};
  if (passed_ == 0 || stop_) return {};
  const std::string others = passed_ > 1 ? fmt::format(" It is the first of {} such positions.", passed_) : "";
  return Warning{"near-singular", fmt::format("{}. Branches of the motion may cross there, and rounding errors decide "
                                              "which one is taken; set singular = stop to end the run before.{}",
                                              first_, others)};
}

template <class T>
double SingularityWatch<T>::distance(const T& t, const Vector<T>& q, const Vector<T>& v) {
  return large_ ? sparse_distance(t, q, v) : dense_distance(t, q, v);
}

template <class T>
double SingularityWatch<T>::sparse_distance(const T& t, const Vector<T>& q, const Vector<T>& v) {
  mechanism_->jacobian(t, q, v, sparse_J_);
  scaled_rows_.take(sparse_J_.pattern);
  Index k = 0;
  sparse_J_.visit(
      [&](Index i, Index, const T& value) { scaled_rows_.values[k++] = scale_[i] * static_cast<double>(value); });
  const double found = row_distance_.least(scaled_rows_);
  dependency_ = row_distance_.dependency();
  return found;
}

// The last pivot is the squared distance of the last row from the span of those before it.
template <class T>
double SingularityWatch<T>::dense_distance(const T& t, const Vector<T>& q, const Vector<T>& v) {
  evaluate_rows(t, q, v);
  rows_ = scale_.asDiagonal() * J_.template cast<double>();
  form_gram();
  factor_.factorize(gram_, {0.0, rank_});
  return factor_.rank() < rank_ ? 0 : factor_.root(rank_ - 1);
}

// The combination of rows whose length is that distance: a multiple of the solution for the unit vector of the last
// row; where a row is in the span of others, how it is made of them.
template <class T>
void SingularityWatch<T>::find_dependency() {
  if (large_) return;
  const bool independent = factor_.rank() == rank_;
  const Index last = factor_.pivot(independent ? rank_ - 1 : factor_.rank());
  for (Index i = 0; i < unit_.size(); ++i)
    unit_[i] = independent ? (i == last ? 1 : 0) : gram_(std::max(i, last), std::min(i, last));
  factor_.solve(unit_, dependency_);
  if (!independent) dependency_[last] = -1;
}

// Into J_.
template <class T>
void SingularityWatch<T>::evaluate_rows(const T& t, const Vector<T>& q, const Vector<T>& v) {
  if (mechanism_) {
    mechanism_->constraints_and_jacobian(t, q, v, C_, J_);
    return;
  }
  ordinary_->rates_s(t, q, ordinary_->index() - 1, rates_s_);
  J_ = rates_s_.bottomRightCorner(row_count_, row_count_);
}

// The lower triangle.
template <class T>
void SingularityWatch<T>::form_gram() {
  const Index m = rows_.rows(), n = rows_.cols();
  gram_.setZero();
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < m; ++j) {
      const double factor = rows_(j, k);
      if (factor == 0) continue;
      for (Index i = j; i < m; ++i) gram_(i, j) += rows_(i, k) * factor;
    }
}

// At the part x of a step.
template <class T>
double SingularityWatch<T>::distance_within(const State<T>& from, const State<T>& to, double x) {
  const Index n = columns_;
  const T h = to.t - from.t, part(x), rest = T(1) - part;
  if (!mechanism_) {
    interpolate_states(from, to, part);
    if (x < 1) solve_algebraic(T(from.t + part * h));
    return distance(T(from.t + part * h), q_, v_);
  }
  for (Index i = 0; i < n; ++i) {
    const T rise = to.y[i] - from.y[i], start = h * from.y[n + i] - rise, end = h * to.y[n + i] - rise;
    q_[i] = from.y[i] + part * rise + part * rest * (rest * start - part * end);
    v_[i] = rest * from.y[n + i] + part * to.y[n + i];
  }
  return distance(T(from.t + part * h), q_, v_);
}

// Differential states by the cubic Hermite polynomial; algebraic ones, which have no slopes, in a straight line, to be
// corrected. The solution may have turned back at the singular position, so that both ends are on the same branch.
template <class T>
void SingularityWatch<T>::interpolate_states(const State<T>& from, const State<T>& to, const T& part) {
  const T h = to.t - from.t, rest = T(1) - part;
  const Index differential = columns_ - row_count_;
  for (Index i = 0; i < columns_; ++i) {
    const T rise = to.y[i] - from.y[i];
    q_[i] = from.y[i] + part * rise;
    if (i >= differential) continue;
    q_[i] += part * rest * (rest * (h * from.ydot[i] - rise) - part * (h * to.ydot[i] - rise));
  }
}

// For the last row the distance from the span of the others, as a vector, against that at the end of the step before:
// the last pivot of elimination has changed its sign.
template <class T>
bool SingularityWatch<T>::turns_its_sides() {
  if (factor_.rank() < rank_) return false;
  const Index last = factor_.pivot(rank_ - 1);
  find_dependency();
  distance_now_.noalias() = rows_.transpose().lazyProduct(dependency_);
  const bool turned = last == last_row_ && distance_now_.dot(distance_before_) < 0;
  distance_before_.swap(distance_now_);
  last_row_ = last;
  return turned;
}

// Newton's method, which at a singular position halves the distance from it in each iteration.
template <class T>
void SingularityWatch<T>::solve_algebraic(const T& t) {
  constexpr int iterations = 15;
  for (int k = 0; k < iterations; ++k) {
    ordinary_->rates(t, q_, ordinary_->index() - 1, rates_);
    evaluate_rows(t, q_, v_);
    algebraic_lu_.matrix() = J_;
    if (!algebraic_lu_.factorize().ok()) return;
    C_ = rates_.tail(row_count_);
    algebraic_lu_.solve(C_);
    q_.tail(row_count_) -= C_;
  }
}

// By Brent's method where a zero is suspected, otherwise at the step end; x: the part of the step.
template <class T>
double SingularityWatch<T>::least_within(const State<T>& from, const State<T>& to, double after, double& x) {
  if (std::min(before_, after) > largest_ / 2) return after;
  if (looked_at_ < from.t) before_ = distance_within(from, to, 0);
  const double middle = distance_within(from, to, 0.5);
  const double f0 = before_ * before_, f = middle * middle, f1 = after * after;
  constexpr double suspicious = 0.05;
  if (vertex_near(f0, f, f1) > suspicious * std::max({f0, f, f1})) return after;
  const auto square = [&](double part) {
    const double d = distance_within(from, to, part);
    return d * d;
  };
  constexpr int bits = 16;
  std::uintmax_t most = 30;
  const auto [part, least] = boost::math::tools::brent_find_minima(square, 0.0, 1.0, bits, most);
  if (f1 < least) return after;
  x = part;
  return std::sqrt(least);
}

template <class T>
void SingularityWatch<T>::describe(double t, double least) {
  constexpr double involved = 0.1;  // of the largest weight in the combination that vanishes
  constexpr std::size_t most_rows = 8;
  const double largest = dependency_.cwiseAbs().maxCoeff();
  std::vector<Index> rows;
  for (Index i = 0; i < dependency_.size(); ++i)
    if (std::abs(dependency_[i]) > involved * largest) rows.push_back(i + 1);
  const std::string more = rows.size() > most_rows ? fmt::format(" and {} more", rows.size() - most_rows) : "";
  rows.resize(std::min(rows.size(), most_rows));
  const std::string which = fmt::format("{}{}", fmt::join(rows, ", "), more);
  first_ = mechanism_
               ? fmt::format(
                     "the constraint rows {} become dependent near t = {:.6g}: one of them is at a distance of {:.1e} "
                     "from the span of the others, of up to {:.2g} before",
                     which, t, least, largest_)
               : fmt::format(
                     "the algebraic equations {} do not determine the algebraic states near t = {:.6g}: their "
                     "derivative by these states is {:.1e} from a singular matrix, up to {:.2g} before",
                     which, t, least, largest_);
}

#define DAELAB_INSTANTIATE(T) template class SingularityWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
