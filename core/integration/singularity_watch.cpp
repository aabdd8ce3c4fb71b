#include "core/integration/singularity_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/model/consistent_start.hpp"

namespace daelab {
namespace {

// Of the parabola through f at 0, 1/2 and 1; its least value where it has one near the step, infinite otherwise.
double vertex_near(double f0, double middle, double f1) {
  const double a = 2 * (f0 - 2 * middle + f1), b = 4 * middle - 3 * f0 - f1;
  const double x = -b / (2 * a);
  constexpr double margin = 0.25;  // of the step: the parabola is not exact
  return a > 0 && x > -margin && x < 1 + margin ? f0 + b * x / 2 : std::numeric_limits<double>::infinity();
}

}  // namespace

template <class T>
SingularityWatch<T>::SingularityWatch(MechanicalModel<T>& model, bool stop)
    : model_(model),
      stop_(stop),
      factor_(model.coordinates() + model.constraints() > largest_dense_mechanism ? 0 : model.constraints()),
      large_(model.coordinates() + model.constraints() > largest_dense_mechanism) {
  const Index n = model.coordinates(), m = model.constraints();
  q_.setZero(n), v_.setZero(n), C_.setZero(m);
  if (!large_) J_.setZero(m, n), rows_.setZero(m, n), gram_.setZero(m, m);
  for (Vector<double>* x : {&scale_, &unit_, &dependency_}) x->setZero(m);
}

template <class T>
void SingularityWatch<T>::start(const State<T>& state) {
  const Index n = q_.size();
  q_ = state.y.head(n), v_ = state.y.segment(n, n);
  rank_ = analyse_redundancy(model_, q_, v_).rank();
  unwatched_ = large_ && rank_ < model_.constraints();
  if (unwatched_) rank_ = 0;
  if (rank_ == 0) return;
  scale_.setZero();
  if (large_) {
    model_.data(state.t, q_, v_, data_);
    data_.J.visit([&](Index i, Index, const T& value) { scale_[i] += static_cast<double>(T(value * value)); });
    scale_ = scale_.cwiseSqrt().eval();
  } else {
    model_.constraints_and_jacobian(state.t, q_, v_, C_, J_);
    for (Index i = 0; i < scale_.size(); ++i) scale_[i] = J_.row(i).template cast<double>().norm();
  }
  for (double& length : scale_) length = length > 0 ? 1 / length : 1;
  before_ = largest_ = distance(state.t, q_, v_);
}

template <class T>
Status SingularityWatch<T>::check(const State<T>& from, const State<T>& to) {
  if (rank_ == 0) return {};
  const double after = distance_within(from, to, 1);
  double x = 1;
  const double least = least_within(from, to, after, x);
  before_ = after, largest_ = std::max(largest_, after);
  const bool was_inside = std::exchange(inside_, after < threshold * largest_);
  if (!(least < threshold * largest_) || was_inside) return {};
  const double t = static_cast<double>(T(from.t + T(x) * (to.t - from.t)));
  if (passed_++ == 0) {
    distance_within(from, to, x);  // the factorisation there
    describe(t, least);
  }
  return stop_ ? Status{StatusCode::near_singular, first_} : Status{};
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
  model_.data(t, q, v, data_);
  scaled_rows_.take(data_.J.pattern);
  Index k = 0;
  data_.J.visit(
      [&](Index i, Index, const T& value) { scaled_rows_.values[k++] = scale_[i] * static_cast<double>(value); });
  const double found = row_distance_.least(scaled_rows_);
  dependency_ = row_distance_.dependency();
  return found;
}

// The last pivot is the squared distance of the last row from the span of those before it. With the unit vector of that
// row on the right, it is the reciprocal of its entry of the solution.
template <class T>
double SingularityWatch<T>::dense_distance(const T& t, const Vector<T>& q, const Vector<T>& v) {
  model_.constraints_and_jacobian(t, q, v, C_, J_);
  rows_ = scale_.asDiagonal() * J_.template cast<double>();
  form_gram();
  factor_.factorize(gram_, {0.0, rank_});
  if (factor_.rank() < rank_) return 0;
  const Index last = factor_.pivot(rank_ - 1);
  unit_.setZero();
  unit_[last] = 1;
  factor_.solve(unit_, dependency_);
  return 1 / std::sqrt(dependency_[last]);
}

template <class T>
void SingularityWatch<T>::form_gram() {
  const Index m = rows_.rows(), n = rows_.cols();
  gram_.setZero();
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < m; ++j) {
      const double factor = rows_(j, k);
      if (factor == 0) continue;
      for (Index i = 0; i < m; ++i) gram_(i, j) += rows_(i, k) * factor;
    }
}

// At the part x of a step.
template <class T>
double SingularityWatch<T>::distance_within(const State<T>& from, const State<T>& to, double x) {
  const Index n = q_.size();
  const T h = to.t - from.t, part(x), rest = T(1) - part;
  for (Index i = 0; i < n; ++i) {
    const T rise = to.y[i] - from.y[i], start = h * from.y[n + i] - rise, end = h * to.y[n + i] - rise;
    q_[i] = from.y[i] + part * rise + part * rest * (rest * start - part * end);
    v_[i] = rest * from.y[n + i] + part * to.y[n + i];
  }
  return distance(T(from.t + part * h), q_, v_);
}

// By Brent's method where a zero is suspected, otherwise at the step end; x: the part of the step.
template <class T>
double SingularityWatch<T>::least_within(const State<T>& from, const State<T>& to, double after, double& x) {
  if (std::min(before_, after) > largest_ / 2) return after;
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
  first_ = fmt::format(
      "the constraint rows {}{} become dependent near t = {:.6g}: one of them is at a distance of {:.1e} "
      "from the span of the others, of up to {:.2g} before",
      fmt::join(rows, ", "), more, t, least, largest_);
}

#define DAELAB_INSTANTIATE(T) template class SingularityWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
