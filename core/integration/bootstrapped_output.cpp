#include "core/integration/bootstrapped_output.hpp"

#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

constexpr int hermite_order = 4;

// P_0(z), ..., P_(k-1)(z), z = 2 x - 1, and their derivatives by x.
template <class T>
void legendre_values(const T& x, Index k, Vector<T>& P) {
  const T z = 2 * x - 1;
  P[0] = T(1), P[1] = z;
  for (Index l = 1; l + 1 < k; ++l) P[l + 1] = (T(2 * l + 1) * z * P[l] - T(l) * P[l - 1]) / T(l + 1);
}
Vector<Real100> legendre_slopes(const Real100& x, Index k) {
  Vector<Real100> P(k), D(k);
  legendre_values(x, k, P);
  D[0] = 0, D[1] = 2;
  for (Index l = 1; l + 1 < k; ++l) D[l + 1] = D[l - 1] + 2 * (2 * l + 1) * P[l];
  return D;
}

// The extrema of a Chebyshev polynomial but the last one. With all of them, as with all symmetric sets of odd number,
// the four values and the slopes would not determine u_k: the product of all (x - node) has no integral over the step.
Vector<Real100> slope_nodes(int count) {
  Vector<Real100> nodes(count);
  for (int i = 0; i < count; ++i) nodes[i] = (1 - cos(Real100(pi<Real100>() * (i + 1) / (count + 2)))) / 2;
  return nodes;
}

Matrix<Real100> hermite_weights(const Vector<Real100>& nodes) {
  const Index k = hermite_order + nodes.size();
  Matrix<Real100> conditions(k, k), weights(k, k);
  Vector<Real100> values(k);
  for (Index end = 0; end < 2; ++end) {
    legendre_values(Real100(end), k, values);
    conditions.row(end) = values.transpose();
    conditions.row(2 + end) = legendre_slopes(Real100(end), k).transpose();
  }
  for (Index i = 0; i < nodes.size(); ++i) conditions.row(hermite_order + i) = legendre_slopes(nodes[i], k).transpose();
  for (Index j = 0; j < k; ++j) weights.col(j) = dense::solve(conditions, Vector<Real100>(Vector<Real100>::Unit(k, j)));
  return weights;
}

}  // namespace

bool needs_bootstrapping(int order, bool is_second_order) {
  const DenseOrder hermite;
  return order > (is_second_order ? hermite.v : hermite.y);
}

DenseOrder bootstrapped_order(int p) {
  const DenseOrder hermite;
  if (p <= hermite.y) return hermite;
  return {
      std::max(p, hermite.q), std::max(p, hermite.v), p,
      "Hermite polynomials through both step ends, raised to the order of the method where theirs is lower, by slopes "
      "between them: Enright, Jackson, Nørsett, Thomsen 1986"};
}

template <class T>
BootstrappedOutput<T>::BootstrappedOutput(int order, Index size, Index differential)
    : differential_(differential),
      data_(differential, order),
      raised_(differential, order - hermite_order),
      legendre_(order),
      factors_(order),
      y_(Vector<T>::Zero(size)),
      ydot_(Vector<T>::Zero(size)) {
  for (int k = hermite_order; k <= order; ++k) {
    const Vector<Real100> nodes = slope_nodes(k - hermite_order);
    levels_.push_back({nodes.template cast<T>(), hermite_weights(nodes).template cast<T>()});
  }
}

template <class T>
bool BootstrappedOutput<T>::operator()(const State<T>& from, const State<T>& to, const T& t, const Slope& slope,
                                       Vector<T>& y) {
  if (!has(from, to)) {
    has_step_ = raise(from, to, slope).ok();
    begin_ = from.t, end_ = to.t, last_ = to.y;
  }
  if (!has_step_) return false;
  evaluate(levels_.back(), (t - from.t) / (to.t - from.t), y);
  return true;
}

template <class T>
bool BootstrappedOutput<T>::has(const State<T>& from, const State<T>& to) const {
  return last_.size() > 0 && from.t == begin_ && to.t == end_ && to.y == last_;
}

template <class T>
Status BootstrappedOutput<T>::raise(const State<T>& from, const State<T>& to, const Slope& slope) {
  const T h = to.t - from.t;
  data_.col(0) = from.y.head(differential_), data_.col(1) = to.y.head(differential_);
  data_.col(2) = h * from.ydot.head(differential_), data_.col(3) = h * to.ydot.head(differential_);
  for (std::size_t k = 1; k < levels_.size(); ++k) {
    const Vector<T>& nodes = levels_[k].nodes;
    for (Index i = 0; i < nodes.size(); ++i) {
      evaluate(levels_[k - 1], nodes[i], y_);
      if (const Status status = slope(from.t + nodes[i] * h, y_, ydot_); !status.ok()) return status;
      raised_.col(i) = h * ydot_.head(differential_);
    }
    data_.middleCols(hermite_order, nodes.size()) = raised_.leftCols(nodes.size());
  }
  return {};
}

template <class T>
void BootstrappedOutput<T>::evaluate(const Level& level, const T& x, Vector<T>& y) {
  const Index k = level.weights.rows();
  legendre_values(x, k, legendre_);
  factors_.head(k).noalias() = level.weights.transpose().lazyProduct(legendre_.head(k));
  y.head(differential_).noalias() = data_.leftCols(k).lazyProduct(factors_.head(k));
}

#define DAELAB_INSTANTIATE(T) template class BootstrappedOutput<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
