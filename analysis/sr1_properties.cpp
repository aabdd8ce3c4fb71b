#include "analysis/sr1_properties.hpp"

#include <algorithm>
#include <cmath>

#include "core/solvers/dense.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/sr1.hpp"

namespace daelab {
namespace {

// Differences are formed in T and measured in double: they may be tiny, but their size needs few digits.
template <class T>
double norm(const Vector<T>& x) {
  return x.template cast<double>().norm();
}

template <class T>
Vector<double> eigenvalues(const Matrix<T>& symmetric) {
  const Matrix<double> A = symmetric.template cast<double>();
  return dense::symmetric_eigenvalues((A + A.transpose()) / 2);
}

template <class T>
double spectral_norm(const Matrix<T>& symmetric) {
  return eigenvalues(symmetric).cwiseAbs().maxCoeff();
}

// Its norm where it need not be symmetric.
template <class T>
double largest_singular_value(const Matrix<T>& A) {
  const Matrix<double> B = A.template cast<double>();
  return std::sqrt(std::max(0.0, dense::symmetric_eigenvalues(B.transpose() * B).maxCoeff()));
}

template <class T>
double frobenius_norm(const Matrix<T>& A) {
  return A.template cast<double>().norm();
}

template <class T>
Matrix<T> product(const auto& A, const auto& B) {
  return A.lazyProduct(B);
}
template <class T>
Vector<T> applied(const Matrix<T>& A, const Vector<T>& x) {
  return A.lazyProduct(x);
}

template <class T>
T dot(const Vector<T>& x, const Vector<T>& y) {
  T sum(0);
  for (Index i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;  // a NaN stays
}

template <class T>
class Follower {
 public:
  Follower(const LinearSystem<T>& system, const Sr1Settings& settings)
      : system_(system),
        U_(system.range),
        iteration_(system.b.size()),
        tolerance_(settings.eps_abs.as<T>() * settings.eps_abs.as<T>()),
        threshold_(settings.skip_threshold.as<T>()),
        max_passes_(settings.max_passes),
        A_norm_(spectral_norm(system.A_on_range)),
        H_norm_(spectral_norm(system.inverse)),
        x_norm_(norm(system.x)),
        b_norm_(norm(system.b)) {}

  Sr1Properties follow() {
    start();
    while (!result_.converged && result_.passes < max_passes_ && std::isfinite(result_.residuals.back())) pass();
    finish();
    return result_;
  }

 private:
  struct Pair {
    Vector<T> s, y;
  };

  void start() {
    result_.rounding = static_cast<double>(epsilon<T>());
    iteration_.H = system_.H0;
    iteration_.start(system_.A, system_.b);
    products_of_start_ = iteration_.products;
    const Vector<double> of_A0 = eigenvalues(system_.A0);
    const double lambda_r = of_A0[of_A0.size() - system_.rank()];
    result_.perturbation = spectral_norm(Matrix<T>(system_.A_on_range - system_.A0)) / lambda_r;
    result_.solution_errors.add(x_norm_, uncertainty() * x_norm_);
    result_.least_eigenvalue = 1;
    least_of_H0_ = least_on_range(iteration_.H);
    measure_product();
    measure_inverse();
    measure_iterate();
  }

  void pass() {
    const Pair last{iteration_.s, iteration_.y};
    const Vector<T> r = iteration_.r;
    const Matrix<T> H = iteration_.H, A_k = A_k_;
    iteration_.pass(system_.A, system_.b, threshold_);
    ++result_.passes;
    result_.rounding = std::max(result_.rounding, static_cast<double>(epsilon<T>()) * b_norm_ / norm(r));
    directions_.push_back(last);
    measure_recurrence(last, H, r);
    measure_directions(last);
    if (iteration_.updated)
      satisfied_.push_back(last);
    else
      ++result_.skipped;
    measure_inverse();
    if (iteration_.updated) measure_updates(H, A_k, projected(r), last.s);
    measure_conditions();
    measure_iterate();
  }

  void finish() {
    result_.products = iteration_.products - products_of_start_;
    result_.solution_error = norm(Vector<T>(iteration_.x - system_.x)) / x_norm_;
    result_.inverse_error = spectral_norm(Matrix<T>(iteration_.H - system_.inverse)) / H_norm_;
    result_.norm_ratio = norm(iteration_.x) / norm(system_.least_norm);
  }

  // Relative uncertainty of H_k and what follows from it, with room.
  double uncertainty() const {
    return 100 * static_cast<double>(system_.b.size()) * result_.rounding * A_norm_ * H_norm_;
  }

  Vector<T> projected(const Vector<T>& z) const { return U_.lazyProduct(Vector<T>(U_.transpose().lazyProduct(z))); }
  Matrix<T> restricted(const Matrix<T>& B) const { return product<T>(U_.transpose(), product<T>(B, U_)); }
  double least_on_range(const Matrix<T>& B) const { return eigenvalues(restricted(B))[0]; }

  // A_k = U (U^T H_k U)^-1 U^T; false where H_k is singular.
  bool invert() {
    const Matrix<T> K = restricted(iteration_.H);
    DenseLu<T> lu(K.rows());
    lu.matrix() = K;
    if (!lu.factorize().ok()) return false;
    Matrix<T> inverse(K.rows(), K.cols());
    for (Index j = 0; j < K.cols(); ++j) {
      Vector<T> column = Vector<T>::Unit(K.rows(), j);
      lu.solve(column);
      inverse.col(j) = column;
    }
    A_k_ = product<T>(U_, product<T>(inverse, U_.transpose()));
    return true;
  }

  // H_k, and A_k while there is one.
  void measure_inverse() {
    const Matrix<T>& H = iteration_.H;
    const Matrix<T> HP = product<T>(product<T>(H, U_), U_.transpose());
    raise(result_.deviations.inverse_range, frobenius_norm(Matrix<T>(H - HP)) / H_norm_);
    result_.least_eigenvalue = std::min(result_.least_eigenvalue, least_on_range(H) / least_of_H0_);
    result_.inverse_errors.add(spectral_norm(Matrix<T>(H - system_.inverse)), uncertainty() * H_norm_);
    if (result_.singular_at) return;
    if (!invert()) {
      result_.singular_at = result_.passes;
      return;
    }
    const Matrix<T> F = system_.A_on_range - A_k_;
    result_.perturbations.add(spectral_norm(F), uncertainty() * A_norm_);
    const Vector<T> difference = projected(iteration_.r) - applied<T>(F, iteration_.s);
    raise(result_.deviations.residual, norm(difference) / b_norm_);
    measure_inverse_change(F);
  }

  // (17), and the norm of eps H F
  void measure_inverse_change(const Matrix<T>& F) {
    const Matrix<T> HF = product<T>(iteration_.H, F);
    result_.relative_changes.add(largest_singular_value(HF), uncertainty());
    const Matrix<T> DH = iteration_.H - system_.inverse;
    const Matrix<T> difference = DH + product<T>(HF, DH) - product<T>(HF, iteration_.H);
    raise(result_.deviations.inverse_change, frobenius_norm(difference) / H_norm_);
  }

  // (19) and (20)
  void measure_updates(const Matrix<T>& H, const Matrix<T>& A_k, const Vector<T>& r, const Vector<T>& s) {
    const Vector<T> As = applied<T>(system_.A_on_range, s), w = applied<T>(Matrix<T>(H - system_.inverse), As);
    raise(result_.deviations.inverse_update,
          spectral_norm(without_dyad(iteration_.H - H, w, T(-dot(As, w)))) / H_norm_);
    if (result_.singular_at) return;
    raise(result_.deviations.update, spectral_norm(without_dyad(A_k_ - A_k, r, dot(r, s))) / A_norm_);
  }

  // B - z z^T / scale
  static Matrix<T> without_dyad(Matrix<T> B, const Vector<T>& z, const T& scale) {
    for (Index j = 0; j < z.size(); ++j)
      for (Index i = 0; i < z.size(); ++i) B(i, j) -= z[i] * z[j] / scale;
    return B;
  }

  // Lemma 6
  void measure_product() {
    const Matrix<T> P = product<T>(system_.H0, Matrix<T>(system_.A_on_range - system_.A0));
    const double size = frobenius_norm(P);
    if (!(size > 0)) return;
    result_.product_asymmetry = frobenius_norm(Matrix<T>(P - P.transpose())) / size;
    result_.product_form = eigenvalues(P)[0] / size;
  }

  // Lemma 4 and the remark, while the step is more than rounding.
  void measure_directions(const Pair& last) {
    const double change = norm(iteration_.v) * norm(last.y);
    if (change > 0)
      result_.curvature = std::min(result_.curvature, std::abs(static_cast<double>(iteration_.curvature)) / change);
    const double size = norm(iteration_.s);
    if (size <= uncertainty() * x_norm_) return;
    const T along = dot(iteration_.s, last.s) / dot(last.s, last.s);
    result_.independence = std::min(result_.independence, norm(Vector<T>(iteration_.s - last.s * along)) / size);
  }

  // (14), with v = H_k r_(k+1)
  void measure_recurrence(const Pair& last, const Matrix<T>& H, const Vector<T>& r) {
    const T a = iteration_.updated ? T(T(1) - dot(iteration_.v, r) / iteration_.curvature) : T(1);
    const Vector<T> expected = (last.s - applied<T>(H, last.y)) * a;
    const double size = norm(iteration_.s);
    if (size > 0) raise(result_.deviations.recurrence, norm(Vector<T>(iteration_.s - expected)) / size);
  }

  // (12), (21) for the pairs H was updated with, and (15) for the new direction.
  void measure_conditions() {
    for (const Pair& pair : satisfied_) {
      raise(result_.deviations.quasi_newton, norm(Vector<T>(applied<T>(iteration_.H, pair.y) - pair.s)) / norm(pair.s));
      if (!result_.singular_at)
        raise(result_.deviations.secant,
              norm(Vector<T>(applied<T>(A_k_, pair.s) - projected(pair.y))) / norm(projected(pair.y)));
    }
    const Vector<T> As = applied<T>(system_.A_on_range, iteration_.s);
    for (std::size_t i = 0; i + 1 < directions_.size(); ++i) {
      const Vector<T>& s = directions_[i].s;
      const double sizes = std::sqrt(static_cast<double>(dot(As, iteration_.s)) *
                                     static_cast<double>(dot(applied<T>(system_.A_on_range, s), s)));
      if (sizes > 0) raise(result_.deviations.conjugacy, std::abs(static_cast<double>(dot(As, s))) / sizes);
    }
  }

  void measure_iterate() {
    const auto outside = [&](const Vector<T>& z) { return norm(Vector<T>(z - projected(z))); };
    double& range = result_.deviations.vectors_range;
    for (const Vector<T>* z : {&iteration_.x, &iteration_.s}) raise(range, outside(*z) / x_norm_);
    for (const Vector<T>* z : {&iteration_.r, &iteration_.y}) raise(range, outside(*z) / b_norm_);
    result_.solution_errors.add(norm(Vector<T>(iteration_.x - system_.x)), uncertainty() * x_norm_);
    result_.residuals.push_back(norm(iteration_.r));
    result_.converged = iteration_.squared_residual() <= tolerance_;
  }

  const LinearSystem<T>& system_;
  const Matrix<T>& U_;
  Sr1Iteration<T> iteration_;
  const T tolerance_, threshold_;
  const int max_passes_;
  const double A_norm_, H_norm_, x_norm_, b_norm_;
  double least_of_H0_ = 1;
  long products_of_start_ = 0;
  Matrix<T> A_k_;
  std::vector<Pair> directions_;  // (s_i, y_i) of all passes
  std::vector<Pair> satisfied_;   // those H was updated with
  Sr1Properties result_;
};

}  // namespace

void Decrease::add(double value, double rounding) {
  const double before = values.empty() ? value : values.back();
  const bool first = values.empty();
  values.push_back(value);
  const double uncertainty = rounding + 1e-12 * before;  // norms are taken in double
  if (first || value <= 10 * uncertainty) return;
  largest_factor = std::max(largest_factor, value / before);
  if (value > before + uncertainty) ++increases;
  if (std::abs(value - before) <= uncertainty) ++standstills;
}

template <class T>
Sr1Properties sr1_properties(const LinearSystem<T>& system, const Sr1Settings& settings) {
  return Follower<T>(system, settings).follow();
}

#define DAELAB_INSTANTIATE(T) template Sr1Properties sr1_properties<T>(const LinearSystem<T>&, const Sr1Settings&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
