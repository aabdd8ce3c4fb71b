// The symmetric rank-one iteration made robust: the inverse is kept as H = Q K Q^T with an orthonormal basis Q of
// the range of A at the last factorisation, so that round-off cannot leave the range, and A is factorised anew where
// updates fail. [Iv23, algorithm (11)]; safeguards of [NW06, sec. 6.2]
//
// With g = Q^T (A mu - b) it is the iteration for Q^T A Q z = Q^T b, mu = Q z, a system of full rank:
//   v = K g,   K := K - v v^T / (v^T y),   s = -K g.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
// [NW06] Nocedal, Wright, Numerical Optimization, 2nd ed., Springer, 2006.
#include <fmt/format.h>

#include "core/base/flops.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {
namespace {

struct Sr1Solver {
  static constexpr const char* name = "sr1";
  static constexpr const char* summary = "SR1 updates of the inverse between solves, factorised anew where they fail.";
  static constexpr const char* source = "Ivanov 2023, algorithm (11); Nocedal, Wright 2006, sec. 6.2";
  MultiplierFacts facts() const { return {.redundant_constraints = true}; }

  Exact eps_abs = "1e-7", correction = "1e-12", curvature = "1e-8", turned_range = "1/4";
  int max_passes = 30;
  bool minimum_norm = false;
  RankOptions rank;

  Options options() {
    Allowed below_one = positive();
    below_one.maximum = 1;
    std::vector<Option> list{
        option("eps_abs", eps_abs, "passes end at |A mu - b| <= eps_abs, in units of C''", positive()),
        option("correction", correction, "passes also end when the next correction is below this times |mu|",
               below_one),
        option("curvature", curvature, "updates need |v^T y| and |v^T r| above this times |v| |y| and |v| |r|",
               below_one),
        option("turned_range", turned_range,
               "A is factorised anew when its null space has turned by an angle with this tangent", positive()),
        option("max_passes", max_passes, "A is factorised anew after so many", at_least(1)),
        option("minimum_norm", minimum_norm, "take the null space out of mu: the multipliers of least norm")};
    for (Option& o : rank.list()) list.push_back(std::move(o));
    return list;
  }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const;
};

// Vectors in range coordinates have the size of A; the first rank() entries count.
template <class T>
T dot(Index size, const Vector<T>& x, const Vector<T>& y) {
  T sum(0);
  for (Index i = 0; i < size; ++i) sum += x[i] * y[i];
  return sum;
}

template <class T>
T norm(Index size, const Vector<T>& x) {
  using std::sqrt;
  return sqrt(dot(size, x, x));
}

/// H = Q K Q^T, the inverse on a fixed range, and the null space W that belongs to it. Counts its own flops.
template <class T>
class RangeInverse {
 public:
  explicit RangeInverse(Index size) : factor_(size), K_(Matrix<T>::Zero(size, size)), w_(Vector<T>::Zero(size)) {}

  /// H = A^+. False when A is not positive definite on its range.
  bool factorize(const Matrix<T>& A, const RankRule<T>& rule) {
    if (!factor_.factorize(A, rule)) return false;
    factor_.inverse_on_range(K_);
    for (Index j = 0; j < rank(); ++j)
      for (Index i = j + 1; i < rank(); ++i) K_(j, i) = K_(i, j);
    const double r = static_cast<double>(rank());
    flops += range_factorization_flops(A.rows(), rank()) + 2 * r * r * r;
    return true;
  }
  Index size() const { return K_.rows(); }
  Index rank() const { return factor_.rank(); }
  auto null_space() const { return factor_.null_space(); }

  /// z = Q^T x.
  void restrict(const Vector<T>& x, Vector<T>& z) {
    const auto Q = factor_.range();
    for (Index j = 0; j < rank(); ++j) {
      z[j] = T(0);
      for (Index i = 0; i < size(); ++i) z[j] += Q(i, j) * x[i];
    }
    flops += product_flops(rank(), size());
  }
  /// x = Q z.
  void extend(const Vector<T>& z, Vector<T>& x) {
    const auto Q = factor_.range();
    x.setZero();
    for (Index j = 0; j < rank(); ++j)
      for (Index i = 0; i < size(); ++i) x[i] += Q(i, j) * z[j];
    flops += product_flops(size(), rank());
  }
  /// v = K g.
  void apply(const Vector<T>& g, Vector<T>& v) {
    for (Index i = 0; i < rank(); ++i) v[i] = T(0);
    for (Index j = 0; j < rank(); ++j)
      for (Index i = 0; i < rank(); ++i) v[i] += K_(i, j) * g[j];
    flops += product_flops(rank(), rank());
  }
  /// K + weight (x y^T + y x^T), with weight/2 for x = y; symmetric by construction.
  void add(const T& weight, const Vector<T>& x, const Vector<T>& y) {
    for (Index j = 0; j < rank(); ++j) {
      const T x_j = weight * x[j], y_j = weight * y[j];
      for (Index i = j; i < rank(); ++i) K_(j, i) = K_(i, j) += x[i] * y_j + y[i] * x_j;
    }
    flops += 2 * static_cast<double>(rank()) * static_cast<double>(rank() + 2);
  }
  /// K - v v^T / curvature.
  void update_rank_one(const Vector<T>& v, const T& curvature) {
    for (Index j = 0; j < rank(); ++j) {
      const T v_j = v[j] / curvature;
      for (Index i = j; i < rank(); ++i) K_(j, i) = K_(i, j) -= v[i] * v_j;
    }
    flops += static_cast<double>(rank()) * static_cast<double>(rank() + 2);
  }
  /// BFGS: K y = s afterwards, positive definite when K is and s^T y > 0.  [NW06, eq. (6.17)]
  ///   K - (s u^T + u s^T)/s^T y + (1 + y^T u / s^T y) s s^T / s^T y,  u = K y.
  void update_bfgs(const Vector<T>& s, const Vector<T>& y) {
    apply(y, w_);
    const T sy = dot(rank(), s, y), yu = dot(rank(), y, w_);
    add(T(-1) / sy, s, w_);
    add((T(1) + yu / sy) / (sy + sy), s, s);
    flops += 2 * dot_flops(rank()) + 4;
  }

  double flops = 0;

 private:
  RangeFactorization<T> factor_;
  Matrix<T> K_;
  Vector<T> w_;
};

template <class T>
class Sr1 final : public ReducedMultipliers<T> {
 public:
  Sr1(Index coordinates, Index constraints, const Sr1Solver& options)
      : ReducedMultipliers<T>(coordinates, constraints),
        eps_abs_(options.eps_abs.as<T>()),
        correction_(options.correction.as<T>()),
        curvature_(options.curvature.as<T>()),
        turned_range_(options.turned_range.as<T>()),
        max_passes_(options.max_passes),
        minimum_norm_(options.minimum_norm),
        rule_(options.rank),
        check_(options.rank),
        H_(constraints) {
    for (Vector<T>* x : {&x_, &r_, &z_, &g_, &y_, &s_, &v_, &w_}) x->setZero(constraints);
    if (minimum_norm_) N_.setZero(constraints, constraints);
  }

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    this->report_ = {};
    H_.flops = 0, fresh_ = false, previous_rank_ = H_.rank();
    Refactorization need = !known_ ? Refactorization::first : Refactorization::none;
    if (need == Refactorization::none && range_has_turned(A)) need = Refactorization::turned_range;
    if (need == Refactorization::none) need = iterate(A, b);
    if (need != Refactorization::none) {
      if (!refactorize(A, need)) return indefinite();
      need = iterate(A, b);
    }
    const bool solved = need == Refactorization::none;
    if (solved && minimum_norm_ && !remove_null_space(A)) return indefinite();
    mu = x_;
    return finish(b, solved);
  }

 private:
  static Status indefinite() {
    return {StatusCode::singular, "the multiplier matrix is not positive definite on its range"};
  }

  bool refactorize(const Matrix<T>& A, Refactorization cause) {
    this->report_.refactorization = cause;
    known_ = H_.factorize(A, rule_);
    fresh_ = true;
    if (minimum_norm_) N_.leftCols(nullity()) = H_.null_space();
    return known_;
  }

  // Passes until A x = b is met as well as it can be. Returns what a fresh factorisation has to cure, if anything.
  Refactorization iterate(const Matrix<T>& A, const Vector<T>& b) {
    const Index r = H_.rank();
    start(A, b);
    const T first = norm(r, g_);
    const T size_of_A = A.trace(), size_of_b = b.norm();
    for (int k = 0;; ++k, ++this->report_.passes) {
      const T in_range = norm(r, g_);
      if (!(residual_ <= std::numeric_limits<T>::max())) return Refactorization::growth;
      if (residual_ <= eps_abs_) return Refactorization::none;
      H_.apply(g_, v_);
      const T noise = T(4) * epsilon<T>() * (size_of_A * x_.norm() + size_of_b);
      H_.flops += 3 * dot_flops(r) + dot_flops(H_.size());
      if (norm(r, v_) <= correction_ * norm(r, z_) || in_range <= noise) return judge_floor(size_of_b);
      if (in_range > T(growth_factor) * first) return Refactorization::growth;
      if (k == max_passes_) return Refactorization::cap;
      pass(A, b);
    }
  }

  // z = K Q^T b; y = Q^T A x, the change of the residual from x = 0.
  void start(const Matrix<T>& A, const Vector<T>& b) {
    H_.restrict(b, y_);
    H_.apply(y_, z_);
    s_ = z_;
    evaluate(A, b);
    y_ += g_;
    H_.flops += static_cast<double>(H_.rank());
  }

  // x, its residual, and g = Q^T r.
  void evaluate(const Matrix<T>& A, const Vector<T>& b) {
    H_.extend(z_, x_);
    residual_ = multiplier_residual(A, b, x_, r_);
    H_.restrict(r_, g_);
    H_.flops += product_flops(H_.size(), H_.size()) + static_cast<double>(H_.size()) + dot_flops(H_.size());
  }

  // With v = K g and r_k the residual before the last step. Where v^T y vanishes the rank-one update has no bound,
  // where v^T r_k does it is singular: then the last pair (s, y) enters by a BFGS update instead.
  void pass(const Matrix<T>& A, const Vector<T>& b) {
    using std::abs;
    const Index r = H_.rank();
    const T vy = dot(r, v_, y_), vr = dot(r, v_, g_) - vy, size_of_v = norm(r, v_), size_of_y = norm(r, y_);
    w_ = g_ - y_;  // r_k
    if (abs(vy) > curvature_ * size_of_v * size_of_y && abs(vr) > curvature_ * size_of_v * norm(r, w_)) {
      H_.update_rank_one(v_, vy);
      s_ = (vr / vy) * v_;
    } else {
      if (dot(r, s_, y_) > curvature_ * norm(r, s_) * size_of_y) H_.update_bfgs(s_, y_);
      H_.apply(g_, s_);
      s_ = -s_;
    }
    z_ += s_;
    y_ = -g_;
    evaluate(A, b);
    y_ += g_;
    H_.flops += 5 * dot_flops(r) + 4 * static_cast<double>(r);
  }

  // No correction inside the range helps. Drift leaves b outside the range of A by little; much more than at the
  // last factorisation means that the range itself has changed.
  Refactorization judge_floor(const T& size_of_b) {
    if (fresh_) return Refactorization::none;
    const bool more = residual_ > T(growth_factor) * residual_when_fresh_;
    const bool contradiction = !check_.check(static_cast<double>(residual_), static_cast<double>(size_of_b)).ok();
    return more || contradiction ? Refactorization::out_of_range : Refactorization::none;
  }

  // H A w for a null vector w at the last factorisation: w - H A w is one of A as it is now, so that |H A w| is the
  // tangent of the angle it has turned. One vector a solve, in turn: A changes little between solves.
  bool range_has_turned(const Matrix<T>& A) {
    if (nullity() == 0) return false;
    probe_ = (probe_ + 1) % nullity();
    w_ = H_.null_space().col(probe_);
    map_back(A, w_);
    return norm(H_.rank(), v_) > turned_range_;
  }

  // v = K Q^T A w.
  void map_back(const Matrix<T>& A, const Vector<T>& w) {
    r_.noalias() = A.lazyProduct(w);
    H_.restrict(r_, g_);
    H_.apply(g_, v_);
    H_.flops += product_flops(H_.size(), H_.size());
  }

  // x - N N^T x with the null vectors N of this A. False when A had to be factorised and could not.
  bool remove_null_space(const Matrix<T>& A) {
    if (!fresh_ && !null_space_follows(A) && !refactorize(A, Refactorization::turned_range)) return false;
    for (Index j = 0; j < nullity(); ++j) {
      w_ = N_.col(j);
      x_ -= dot(H_.size(), w_, x_) * w_;
    }
    H_.flops += 4 * static_cast<double>(H_.size() * nullity());
    return true;
  }

  // N := orth(N - H A N), until A N vanishes as far as the inverse can see. False when that does not converge.
  bool null_space_follows(const Matrix<T>& A) {
    T last = std::numeric_limits<T>::max();
    for (;;) {
      T largest(0);
      for (Index j = 0; j < nullity(); ++j) largest = std::max(largest, correct_null_vector(A, j));
      if (largest <= correction_) return true;
      if (!(T(2) * largest < last)) return false;
      last = largest;
    }
  }

  // Column j of N loses H A N e_j and its part along the columns before. Returns |H A N e_j|, 0 for round-off.
  T correct_null_vector(const Matrix<T>& A, Index j) {
    const Index r = H_.rank();
    w_ = N_.col(j);
    map_back(A, w_);
    const T change = norm(r, g_) <= T(16) * epsilon<T>() * A.trace() ? T(0) : norm(r, v_);
    H_.extend(v_, r_);
    w_ -= r_;
    for (Index k = 0; k < j; ++k) {
      r_ = N_.col(k);
      w_ -= dot(H_.size(), r_, w_) * r_;
    }
    N_.col(j) = w_ / norm(H_.size(), w_);
    H_.flops += 4 * static_cast<double>(H_.size() * (j + 1));
    return change;
  }

  Status finish(const Vector<T>& b, bool solved) {
    SolveReport& report = this->report_;
    report.residual = static_cast<double>(residual_), report.rank = H_.rank(), report.flops = H_.flops;
    if (fresh_) residual_when_fresh_ = residual_;
    const double size_of_b = static_cast<double>(b.norm());
    if (!solved) {
      report.outcome = SolveOutcome::not_converged;
      if (!(residual_ <= std::numeric_limits<T>::max()))
        return {StatusCode::non_finite, "the multiplier system is not finite"};
      return {StatusCode::not_converged,
              fmt::format("the multipliers do not converge, not even from a fresh factorisation: |A mu - b| = {:.1e} "
                          "after {} passes, |b| = {:.1e}",
                          report.residual, report.passes, size_of_b)};
    }
    const bool met = residual_ <= eps_abs_;
    report.outcome = met ? SolveOutcome::converged : SolveOutcome::floor;
    if (previous_rank_ != H_.rank() && report.refactorization != Refactorization::first)
      report.outcome = SolveOutcome::rank_changed;
    return check_.check(met ? 0 : report.residual, size_of_b);
  }

  Index nullity() const { return H_.size() - H_.rank(); }

  static constexpr int growth_factor = 10;
  T eps_abs_, correction_, curvature_, turned_range_;
  int max_passes_;
  bool minimum_norm_;
  RankRule<T> rule_;
  ConsistencyCheck check_;
  RangeInverse<T> H_;
  bool known_ = false, fresh_ = false;  // H exists; it was factorised in this solve
  Index previous_rank_ = 0, probe_ = 0;
  T residual_{0}, residual_when_fresh_{0};
  Vector<T> x_, r_;                  // (m) the multipliers and A x - b
  Vector<T> z_, g_, y_, s_, v_, w_;  // in range coordinates: x = Q z, g = Q^T r, the last step and its change of g
  Matrix<T> N_;                      // null vectors of A as it is now, for minimum_norm
};

template <class T>
std::unique_ptr<Multipliers<T>> Sr1Solver::bind(Index coordinates, Index constraints) const {
  return std::make_unique<Sr1<T>>(coordinates, constraints, *this);
}
const MultiplierSolverEntry<Sr1Solver> sr1_entry;

}  // namespace
}  // namespace daelab
