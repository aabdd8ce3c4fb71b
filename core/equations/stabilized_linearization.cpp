#include "core/equations/stabilized_linearization.hpp"

#include <array>

#include "core/base/plain_arithmetic.hpp"
#include "core/equations/second_order_matrix.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {
namespace {

// h of the m constraints are holonomic: the others have neither a position level nor multipliers mu.
template <class T>
struct Blocks {
  Index n, m, l, h, levels;                   // l: m and the algebraic states
  SparseMatrix<T> M, D, K;                    // (n, n)
  SparseMatrix<T> J, V_q;                     // (m, n); C_q and G_v; q-derivative of the velocity level
  SparseMatrix<T> A_q, A_v;                   // (m, n); derivatives of the acceleration level
  SparseMatrix<T> C_q;                        // (h, n)
  SparseMatrix<T> G, V_G, A_G;                // C_q, V_q, A_q times C_q^T, (h, h), (m, h), (m, h)
  SparseMatrix<T> K_G;                        // K C_q^T, (n, h)
  SparseMatrix<T> M_J, JJ;                    // M and J times J^T, (n, m), (m, m)
  SparseMatrix<T> N, N_h;                     // (m, m), (h, h) of it; without entries for independent constraints
  SparseMatrix<T> Q_mu, g_q, g_v, g_mu, g_G;  // as the model has them; g_q times C_q^T
  SparseSum<T> by_q{0, 0};                    // K above the rows' derivatives by q, (n + size, n)
  T w{0};
  long patterns = 0;  // how many there have been so far: they change with the model's mode

  void multiply() {
    upper_.copy(J, C_q), corner_.copy(N, N_h);
    product_G_.multiply(C_q, C_q, G);
    product_V_G_.multiply(V_q, C_q, V_G);
    product_K_G_.multiply(K, C_q, K_G);
    product_g_G_.multiply(g_q, C_q, g_G);
    by_q.clear();
    by_q.accumulate(0, K), by_q.accumulate(1, C_q), by_q.accumulate(2, V_q), by_q.accumulate(3, g_q);
    if (levels < 3) return;
    by_q.accumulate(4, A_q);
    product_A_G_.multiply(A_q, C_q, A_G);
    product_M_J_.multiply(M, J, M_J);
    product_JJ_.multiply(J, J, JJ);
  }
  void prepare_products() {
    upper_.prepare(J.pattern, h, n), corner_.prepare(N.pattern, h, h);
    upper_.copy(J, C_q);
    product_G_.prepare(C_q.pattern, C_q.pattern);
    product_V_G_.prepare(V_q.pattern, C_q.pattern);
    product_K_G_.prepare(K.pattern, C_q.pattern);
    product_g_G_.prepare(g_q.pattern, C_q.pattern);
    by_q = SparseSum<T>(n + size(), n);
    by_q.add(K.pattern, 0, 0), by_q.add(C_q.pattern, n, 0), by_q.add(V_q.pattern, n + h, 0);
    by_q.add(g_q.pattern, n + algebraic().first, 0);
    if (levels == 3) by_q.add(A_q.pattern, n + h + m, 0);
    by_q.complete();
    if (levels < 3) return;
    product_A_G_.prepare(A_q.pattern, C_q.pattern);
    product_M_J_.prepare(M.pattern, J.pattern);
    product_JJ_.prepare(J.pattern, J.pattern);
  }
  // Rows of a level, and the multipliers it determines: positions mu, velocities lambda, accelerations tau. Both count
  // from the first one.
  struct Segment {
    Index first, size;
  };
  Segment rows(Index level) const { return {level == 0 ? 0 : h + (level - 1) * m, level == 0 ? h : m}; }
  Segment multipliers(Index level) const { return {level == 0 ? l : level == 1 ? 0 : l + h, level == 0 ? h : m}; }
  /// The last rows.
  Segment algebraic() const { return {h + (levels - 1) * m, l - m}; }
  Index size() const { return h + (levels - 1) * m + l - m; }

 private:
  SparseCorner<T> upper_, corner_;
  SparseProduct<T> product_G_, product_V_G_, product_K_G_, product_A_G_, product_M_J_, product_JJ_, product_g_G_;
};

// Unknowns (z, lambda, mu / velocity, tau / acceleration) with weights (p, d, a) and kappa = p / d:
//   x = z + (r_q - C_q^T mu) / d,   da = a z + J^T tau - r_v.
// Every constraint row is divided by its weight, so the matrix is regular as h -> 0.
template <class T, class S>
class StabilizedMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit StabilizedMatrix(const Blocks<T>& blocks)
      : b_(blocks), lu_(0), u_(blocks.n + blocks.size()), Nr_(blocks.m), reaction_q_(blocks.n), reaction_v_(blocks.n) {}

  void solve(Vector<S>& r) override {
    const Index n = b_.n, m = b_.m, l = b_.l, h = b_.h, size = b_.size();
    condense(r);
    scale_rows();
    const Vector<S>& u = lu_.solution(u_);
    reaction_q_.setZero(), reaction_v_.setZero();
    b_.C_q.add_transposed_product(u.segment(n + l, h), reaction_q_, T(1));
    if (b_.levels == 3) b_.J.add_transposed_product(u.segment(n + l + h, m), reaction_v_, T(1));
    const Divisor<S>& by_velocity = this->by_weight_of(Level::velocity);
    for (Index i = 0; i < n; ++i) {
      const S x = u[i] + by_velocity(r[i]) - reaction_q_[i];
      if (b_.levels == 3) r[2 * n + size + i] = w_.acceleration * (u[i] + reaction_v_[i]) - r[n + i];
      r[i] = this->first_order() ? plain_product(w_.velocity, x) : x;
      r[n + i] = u[i];
    }
    r.segment(2 * n, size) = u.tail(size);
    r.segment(2 * n + l, h) *= w_.velocity;
    if (b_.levels == 3) r.segment(2 * n + l + h, m) *= w_.acceleration;
  }

 private:
  void arrange() {
    const Index n = b_.n, h = b_.h, a = n + h + b_.m, mu = n + b_.l, tau = mu + h, g = n + b_.algebraic().first;
    patterns_ = b_.patterns;
    lu_ = BlockLu<S>(n + b_.size(), SolutionUse::correction);
    p_ = {lu_.add(b_.M.pattern, 0, 0),       lu_.add(b_.D.pattern, 0, 0),     lu_.add(b_.K.pattern, 0, 0),
          lu_.add(b_.J.pattern, 0, n, true), lu_.add(b_.K_G.pattern, 0, mu),  lu_.add(b_.C_q.pattern, n, 0),
          lu_.add(b_.G.pattern, n, mu),      lu_.add(b_.J.pattern, n + h, 0), lu_.add(b_.V_q.pattern, n + h, 0),
          lu_.add(b_.V_G.pattern, n + h, mu)};
    if (b_.levels == 3)
      pa_ = {lu_.add(b_.M_J.pattern, 0, tau), lu_.add(b_.J.pattern, a, 0),    lu_.add(b_.A_v.pattern, a, 0),
             lu_.add(b_.A_q.pattern, a, 0),   lu_.add(b_.A_G.pattern, a, mu), lu_.add(b_.JJ.pattern, a, tau)};
    pn_ = {lu_.add(b_.Q_mu.pattern, 0, n), lu_.add(b_.g_q.pattern, g, 0), lu_.add(b_.g_v.pattern, g, 0),
           lu_.add(b_.g_mu.pattern, g, n), lu_.add(b_.g_G.pattern, g, mu)};
    for (Index level = 0; level < b_.levels; ++level)
      redundant_[static_cast<std::size_t>(level)] =
          lu_.add((level == 0 ? b_.N_h : b_.N).pattern, n + b_.rows(level).first, n + b_.multipliers(level).first);
    lu_.complete();
  }

  Status factorize_weighted() override {
    if (patterns_ != b_.patterns) arrange();
    const S& kappa = position_by_velocity_;
    lu_.clear();
    lu_.accumulate(p_.M, b_.M, w_.acceleration);
    lu_.accumulate(p_.D, b_.D, w_.velocity);
    lu_.accumulate(p_.K, b_.K, w_.position);
    lu_.accumulate(p_.reactions, b_.J);
    lu_.accumulate(p_.K_G, b_.K_G, S(-w_.position));
    lu_.accumulate(p_.positions, b_.C_q);
    lu_.accumulate(p_.G, b_.G, S(-1));
    lu_.accumulate(p_.V_q, b_.V_q, kappa);
    lu_.accumulate(p_.velocities, b_.J);
    lu_.accumulate(p_.V_G, b_.V_G, S(-kappa));
    if (b_.levels == 3) add_acceleration_level();
    lu_.accumulate(pn_.Q_mu, b_.Q_mu), lu_.accumulate(pn_.g_mu, b_.g_mu);
    lu_.accumulate(pn_.g_q, b_.g_q, w_.position), lu_.accumulate(pn_.g_v, b_.g_v, w_.velocity);
    lu_.accumulate(pn_.g_G, b_.g_G, S(-w_.position));
    add_redundant();
    return lu_.factorize();
  }

  void add_acceleration_level() {
    const Divisor<S>& by_acceleration = this->by_weight_of(Level::acceleration);
    const S velocity = by_acceleration(w_.velocity), position = by_acceleration(w_.position);
    lu_.accumulate(pa_.M_J, b_.M_J, w_.acceleration);
    lu_.accumulate(pa_.accelerations, b_.J);
    lu_.accumulate(pa_.A_v, b_.A_v, velocity);
    lu_.accumulate(pa_.A_q, b_.A_q, position);
    lu_.accumulate(pa_.A_G, b_.A_G, S(-position));
    lu_.accumulate(pa_.JJ, b_.JJ);
  }

  // Rows (I - N) row + w N multiplier: each level takes the multipliers it determines.
  void add_redundant() {
    if (b_.w == T(0)) return;
    for (Index level = 0; level < b_.levels; ++level)
      lu_.accumulate(redundant_[static_cast<std::size_t>(level)], level == 0 ? b_.N_h : b_.N, b_.w);
  }
  S weight_of(Index level) const { return level == 0 ? w_.position : level == 1 ? w_.velocity : w_.acceleration; }
  // For the multiplier as an unknown.
  S unit_of(Index level) const { return level == 0 ? w_.velocity : level == 1 ? S(1) : w_.acceleration; }

  // Right-hand side of the equations of motion and of the rows, still in the rows' own scale.
  void condense(const Vector<S>& r) {
    const Index n = b_.n, m = b_.m, h = b_.h;
    const S minus_kappa = -position_by_velocity_;
    const bool all = b_.levels == 3;
    u_.head(n) = all ? r.tail(n) : r.segment(n, n);
    u_.tail(b_.size()) = r.segment(2 * n, b_.size());
    b_.by_q.matrix().add_product(r, u_, minus_kappa);
    if (!all) return;
    b_.M.add_product(r.segment(n, n), u_, T(1));
    b_.J.add_product(r.segment(n, n), u_.segment(n + h + m, m), T(1));
  }

  void scale_rows() {
    for (Index level = 0; level < b_.levels; ++level) {
      const auto [first, size] = b_.rows(level);
      auto rows = u_.segment(b_.n + first, size);
      if (b_.w == T(0)) {
        const Divisor<S>& by_weight = this->by_weight_of(static_cast<Level>(level));
        for (S& x : rows) x = by_weight(x);
        continue;
      }
      auto Nr = Nr_.head(size);
      Nr.setZero();
      (level == 0 ? b_.N_h : b_.N).add_product(rows, Nr, T(1));
      rows = (rows - Nr) / weight_of(level) + Nr / unit_of(level);
    }
  }

  struct Places {
    std::size_t M, D, K, reactions, K_G, positions, G, velocities, V_q, V_G;
  };
  struct AccelerationPlaces {
    std::size_t M_J, accelerations, A_v, A_q, A_G, JJ;
  };
  struct NonlinearPlaces {
    std::size_t Q_mu, g_q, g_v, g_mu, g_G;
  };

  const Blocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  using SecondOrderMatrix<S>::position_by_velocity_;
  long patterns_ = 0;  // the weights of lu_
  BlockLu<S> lu_;
  Places p_{};
  AccelerationPlaces pa_{};
  NonlinearPlaces pn_{};
  std::array<std::size_t, 3> redundant_{};  // of each level
  Vector<S> u_, Nr_, reaction_q_, reaction_v_;
};

template <class T>
class StabilizedLinearization final : public Linearization<T> {
 public:
  StabilizedLinearization(MechanicalModel<T>& model, Index levels, RedundantRows<T>* redundant)
      : model_(model), redundant_(redundant) {
    const Index n = model.coordinates(), m = model.constraints();
    const Index h = m - model.nonholonomic();
    b_.n = n, b_.m = m, b_.l = model.multipliers(), b_.h = h, b_.levels = levels;
    for (Vector<T>* x : {&q_, &v_, &a_, &zero_}) x->setZero(n);
    for (Vector<T>* x : {&lambda_, &mu_, &tau_, &none_}) x->setZero(b_.l);
    if (redundant_ != nullptr) redundant_->copy_projector(b_.N);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    const Index n = b_.n, m = b_.m, l = b_.l, h = b_.h;
    t_ = t;
    q_ = y.head(n), v_ = y.segment(n, n), lambda_ = y.segment(2 * n, l), mu_.head(h) = y.segment(2 * n + l, h);
    if (b_.levels == 3)
      a_ = y.tail(n), tau_.head(m) = y.segment(2 * n + l + h, m);
    else
      a_ = ydot.segment(n, n);
    model_.blocks(Level::velocity, t, q_, v_, a_, lambda_, velocity_);
    if (b_.levels == 3) model_.blocks(Level::acceleration, t, q_, v_, a_, lambda_, acceleration_);
    b_.M = velocity_.M, b_.K = velocity_.K, b_.D = velocity_.D, b_.J = velocity_.J;
    b_.Q_mu = velocity_.Q_mu, b_.g_q = velocity_.g_q, b_.g_v = velocity_.g_v, b_.g_mu = velocity_.g_mu;
    if (redundant_ != nullptr) {
      redundant_->find(b_.J, b_.M);
      redundant_->copy_projector(b_.N), b_.w = redundant_->weight();
    }
    take_rows(velocity_.R_q, b_.V_q);
    if (b_.levels == 3) take_rows(acceleration_.R_q, b_.A_q), take_rows(acceleration_.R_v, b_.A_v);
    if (velocity_.K.pattern != pattern_) {
      pattern_ = velocity_.K.pattern;
      ++b_.patterns;
      b_.prepare_products();
    }
    b_.multiply();
  }

  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    // Terms of J^T multipliers: what the derivatives of the equations of motion gain by them. mu has no entries for G,
    // so nothing depends on v. Where forces depend on multipliers the gain holds theirs, too, and is left out: mu and
    // tau are as small as the error.
    const bool linear = model_.has_linear_equations();
    model_.blocks(Level::velocity, t_, q_, v_, zero_, none_, without_);
    model_.blocks(Level::velocity, t_, q_, v_, zero_, linear ? mu_ : none_, of_mu_);
    if (b_.levels == 3) model_.blocks(Level::velocity, t_, q_, v_, zero_, linear ? tau_ : none_, of_tau_);
    if (coupled_patterns_ != b_.patterns) arrange_coupled();
    by_y_.clear(), by_ydot_.clear();
    const T minus(-1);
    std::size_t block = 0;
    const auto put = [&](const SparseMatrix<T>& A, const T& factor) { by_y_.accumulate(block++, A, factor); };
    put(identity_, minus), put(b_.C_q, T(1));
    put(of_mu_.K, T(1)), put(without_.K, minus);
    put(b_.C_q, T(1)), put(b_.V_q, T(1)), put(b_.J, T(1)), put(b_.N_h, b_.w), put(b_.N, b_.w);
    put(b_.K, T(1)), put(b_.D, T(1)), put(b_.J, T(1));
    if (b_.levels == 3) {
      put(of_tau_.K, T(1)), put(without_.K, minus), put(of_tau_.D, T(1)), put(without_.D, minus);
      put(identity_, minus), put(b_.J, T(1)), put(b_.A_q, T(1)), put(b_.A_v, T(1)), put(b_.J, T(1)), put(b_.N, b_.w);
      put(b_.M, T(1));
    }
    for (const SparseMatrix<T>* A : {&b_.Q_mu, &b_.g_q, &b_.g_v, &b_.g_mu}) put(*A, T(1));
    by_ydot_.accumulate(0, identity_), by_ydot_.accumulate(1, of_v_dot());
    F_y = by_y_.matrix(), F_ydot = by_ydot_.matrix();
  }

  std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<StabilizedMatrix<T, T>>(b_); }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<StabilizedMatrix<T, std::complex<T>>>(b_);
  }

 private:
  void take_rows(const SparseMatrix<T>& rows, SparseMatrix<T>& block) {
    if (redundant_ == nullptr)
      block = rows;
    else
      redundant_->remove(rows, block);
  }
  // v' is in the equations of motion, or, with accelerations of their own, alone.
  const SparseMatrix<T>& of_v_dot() const { return b_.levels == 3 ? identity_ : b_.M; }
  void arrange_coupled() {
    const Index n = b_.n, h = b_.h, rows = 2 * n, a = rows + b_.size(), level = rows + h + b_.m;
    const Index mu = rows + b_.l, tau = mu + h, g = rows + b_.algebraic().first;
    const Index size = b_.levels == 3 ? a + n : a, balance = b_.levels == 3 ? a : n;
    coupled_patterns_ = b_.patterns;
    identity_.take(SparsePattern::diagonal(n));
    identity_.values.setOnes();
    by_y_ = SparseSum<T>(size, size), by_ydot_ = SparseSum<T>(size, size);
    const auto add = [&](const SparseMatrix<T>& A, Index row, Index column, bool transposed = false) {
      by_y_.add(A.pattern, row, column, transposed);
    };
    add(identity_, 0, n), add(b_.C_q, 0, mu, true);
    add(of_mu_.K, 0, 0), add(without_.K, 0, 0);
    add(b_.C_q, rows, 0), add(b_.V_q, rows + h, 0), add(b_.J, rows + h, n);
    add(b_.N_h, rows, mu), add(b_.N, rows + h, rows);
    add(b_.K, balance, 0), add(b_.D, balance, n), add(b_.J, balance, rows, true);
    if (b_.levels == 3) {
      add(of_tau_.K, n, 0), add(without_.K, n, 0), add(of_tau_.D, n, n), add(without_.D, n, n);
      add(identity_, n, a), add(b_.J, n, tau, true), add(b_.A_q, level, 0), add(b_.A_v, level, n), add(b_.J, level, a);
      add(b_.N, level, tau), add(b_.M, a, a);
    }
    add(b_.Q_mu, balance, rows), add(b_.g_q, g, 0), add(b_.g_v, g, n), add(b_.g_mu, g, rows);
    by_ydot_.add(identity_.pattern, 0, 0), by_ydot_.add(of_v_dot().pattern, n, n);
    by_y_.complete(), by_ydot_.complete();
  }

  MechanicalModel<T>& model_;
  RedundantRows<T>* redundant_;
  Blocks<T> b_;
  SparseBlocks<T> velocity_, acceleration_;       // of the model, at these levels
  std::shared_ptr<const SparsePattern> pattern_;  // one of theirs: they change together
  SparseBlocks<T> without_, of_mu_, of_tau_;      // at a = 0, with these multipliers
  long coupled_patterns_ = 0;
  SparseMatrix<T> identity_;
  SparseSum<T> by_y_{0, 0}, by_ydot_{0, 0};
  T t_{0};
  Vector<T> q_, v_, a_, lambda_, mu_, tau_, none_, zero_;
};

}  // namespace

template <class T>
std::unique_ptr<Linearization<T>> make_stabilized_linearization(MechanicalModel<T>& model, Index levels,
                                                                RedundantRows<T>* redundant) {
  return std::make_unique<StabilizedLinearization<T>>(model, levels, redundant);
}

#define DAELAB_INSTANTIATE(T)                                                                          \
  template std::unique_ptr<Linearization<T>> make_stabilized_linearization(MechanicalModel<T>&, Index, \
                                                                           RedundantRows<T>*);
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
