#include "core/equations/difference_jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/mechanism/dense_limits.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {

Options JacobianOptions::options() {
  return {option("name", source,
                 "exact: derivatives of the recorded equations; differences: forward differences of the residual"),
          option("step", step,
                 "differences only: step of a difference over the size of the unknown; null: the root of the unit of "
                 "round-off",
                 positive()),
          option("scale", scale, "differences only: unknowns smaller than this count as one of this size", positive())};
}

namespace {

// What unknowns hang on one column: y_j by y, y'_j by ydot.
template <class S>
struct ColumnWeights {
  S y, ydot;
};

// Equations without y' and algebraic unknowns are divided by the weight of what they have, so that they are exact for
// every step size.
enum class RowKind { whole, position, velocity };

template <class T>
struct Differences {
  Index N, d, n;
  int index;
  Matrix<T> F_y, F_ydot;  // (N, N), (N, d)
  std::vector<RowKind> rows;

  void classify() {
    rows.assign(static_cast<std::size_t>(N), RowKind::whole);
    for (Index i = d; i < N; ++i) {
      if (!F_ydot.row(i).isZero(T(0)) || !F_y.row(i).tail(N - d).isZero(T(0))) continue;
      const bool has_velocities = n > 0 && !F_y.row(i).segment(n, n).isZero(T(0));
      rows[static_cast<std::size_t>(i)] = has_velocities ? RowKind::velocity : RowKind::position;
    }
  }
};

template <class T, class S>
class DifferencedMatrix final : public IterationMatrix<S> {
 public:
  explicit DifferencedMatrix(const Differences<T>& of) : of_(of), lu_(of.N), x_(Vector<S>::Zero(of.N)) {}

  Status factorize(const S& kappa) override {
    reuse(kappa);
    tangent_ = kappa;
    return fill_and_factorize({kappa, S(1)}, {kappa, S(1)});
  }
  Status factorize(const SecondOrderWeights<S>& weights) override {
    if (of_.n == 0) return IterationMatrix<S>::factorize(weights);
    reuse(weights);
    tangent_ = S(1);
    return fill_and_factorize({weights.position, weights.velocity}, {weights.velocity, weights.acceleration});
  }
  void reuse(const S& kappa) override { position_ = velocity_ = kappa; }
  void reuse(const SecondOrderWeights<S>& weights) override {
    position_ = weights.position, velocity_ = weights.velocity;
  }

  void solve(Vector<S>& r) override {
    for (Index i = of_.d; i < of_.N; ++i) r[i] /= weight_of_row(i);
    lu_.solve(r);
  }

  // What points off the constraints: the velocities of the solution for C_q v in the rows of positions and 0 elsewhere.
  // These rows are C_q q' with q' = kappa v' for the unknowns y', and C_q x with x = z for (x, z).
  void make_tangential(Vector<S>& x) override {
    if (of_.index != 3) return;
    x_.setZero();
    for (Index i = of_.d; i < of_.N; ++i)
      if (of_.rows[static_cast<std::size_t>(i)] == RowKind::position)
        for (Index j = 0; j < of_.n; ++j) x_[i] += tangent_ * S(of_.F_y(i, j)) * x[of_.n + j];
    lu_.solve(x_);
    for (Index j = of_.n; j < 2 * of_.n; ++j) x[j] -= x_[j];
  }

 private:
  S weight_of_row(Index i) const {
    const RowKind kind = of_.rows[static_cast<std::size_t>(i)];
    return kind == RowKind::position ? position_ : kind == RowKind::velocity ? velocity_ : S(1);
  }

  Status fill_and_factorize(const ColumnWeights<S>& positions, const ColumnWeights<S>& others) {
    Matrix<S>& A = lu_.matrix();
    for (Index j = 0; j < of_.N; ++j) {
      const bool is_algebraic = j >= of_.d;
      const ColumnWeights<S> w = is_algebraic ? ColumnWeights<S>{S(1), S(0)} : j < of_.n ? positions : others;
      for (Index i = 0; i < of_.N; ++i) {
        A(i, j) = w.y * S(of_.F_y(i, j));
        if (!is_algebraic) A(i, j) += w.ydot * S(of_.F_ydot(i, j));
        if (i >= of_.d) A(i, j) /= weight_of_row(i);
      }
    }
    return lu_.factorize();
  }

  const Differences<T>& of_;
  DenseLu<S> lu_;
  S position_{1}, velocity_{1};  // weights of rows
  S tangent_{1};                 // q' over v', or x over z, in the factorisation at hand
  Vector<S> x_;
};

template <class T>
class DifferencedLinearization final : public Linearization<T> {
 public:
  DifferencedLinearization(System<T>& system, const T& step, const T& scale, long& evaluations)
      : system_(system), step_(step), scale_(scale), evaluations_(evaluations) {
    const Index N = system.size(), d = system.differential();
    found_ = {N, d, system.positions(), system.index(), Matrix<T>::Zero(N, N), Matrix<T>::Zero(N, d), {}};
    for (Vector<T>* x : {&y_, &ydot_, &F_, &moved_}) x->setZero(N);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    ++evaluations_;
    t_ = t, y_ = y, ydot_ = ydot;
    system_.residual(t, y_, ydot_, F_);
    differentiate(y_, found_.F_y);
    differentiate(ydot_, found_.F_ydot);
    found_.classify();
  }
  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    const Index N = found_.N;
    F_y.take(full_), F_ydot.take(full_);
    F_ydot.values.setZero();
    Eigen::Map<Matrix<T>>(F_y.values.data(), N, N) = found_.F_y;
    Eigen::Map<Matrix<T>>(F_ydot.values.data(), N, N).leftCols(found_.d) = found_.F_ydot;
  }
  std::unique_ptr<IterationMatrix<T>> real_matrix() override {
    return std::make_unique<DifferencedMatrix<T, T>>(found_);
  }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<DifferencedMatrix<T, std::complex<T>>>(found_);
  }

 private:
  // Columns by x, which is one of the arguments.
  void differentiate(Vector<T>& x, Matrix<T>& by_x) {
    using std::abs;
    for (Index j = 0; j < by_x.cols(); ++j) {
      const T at = x[j];
      x[j] = at + step_ * std::max(T(abs(at)), scale_);
      system_.residual(t_, y_, ydot_, moved_);
      by_x.col(j) = (moved_ - F_) / (x[j] - at);  // the step as rounding has it
      x[j] = at;
    }
  }

  System<T>& system_;
  T step_, scale_, t_{0};
  long& evaluations_;
  Differences<T> found_;
  std::shared_ptr<const SparsePattern> full_ = SparsePattern::full(system_.size(), system_.size());
  Vector<T> y_, ydot_, F_, moved_;  // (N)
};

}  // namespace

template <class T>
DifferencedSystem<T>::DifferencedSystem(std::unique_ptr<System<T>> exact, const JacobianOptions& options)
    : System<T>(exact->facts()), exact_(std::move(exact)), scale_(options.scale.as<T>()) {
  using std::sqrt;
  step_ = options.step ? options.step->as<T>() : T(sqrt(epsilon<T>()));
}
template <class T>
DifferencedSystem<T>::~DifferencedSystem() = default;

template <class T>
std::unique_ptr<Linearization<T>> DifferencedSystem<T>::linearization() {
  if (this->size() > most_dense_unknowns)
    throw NotApplicable(fmt::format("jacobian = differences needs dense matrices of at most {} unknowns, here {}",
                                    most_dense_unknowns, this->size()));
  return std::make_unique<DifferencedLinearization<T>>(*exact_, step_, scale_, evaluations_);
}

#define DAELAB_INSTANTIATE(T) template class DifferencedSystem<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
