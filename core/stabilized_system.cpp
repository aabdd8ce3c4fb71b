#include "core/stabilized_system.hpp"

#include "core/redundant_rows.hpp"
#include "core/second_order_matrix.hpp"

namespace daelab {
namespace {

// h of the m constraints are holonomic: the others have neither a position level nor multipliers mu.
template <class T>
struct Blocks {
  Index n, m, h, levels;
  Matrix<T> M, D, K;         // (n, n)
  Matrix<T> J, V_q;          // (m, n); C_q and G_v; q-derivative of the velocity level
  Matrix<T> A_q, A_v;        // (m, n); derivatives of the acceleration level
  Matrix<T> G, V_G, A_G;     // C_q, V_q, A_q times C_q^T, (h, h), (m, h), (m, h)
  Matrix<T> K_G;             // K C_q^T, (n, h)
  Matrix<T> M_J, JJ;         // M and J times J^T, (n, m), (m, m)
  Matrix<T> N;               // (m, m); 0 for independent constraints
  T w{0};

  void multiply() {
    const auto C_q = J.topRows(h);
    G.noalias() = C_q.lazyProduct(C_q.transpose());
    V_G.noalias() = V_q.lazyProduct(C_q.transpose());
    K_G.noalias() = K.lazyProduct(C_q.transpose());
    if (levels < 3) return;
    A_G.noalias() = A_q.lazyProduct(C_q.transpose());
    M_J.noalias() = M.lazyProduct(J.transpose());
    JJ.noalias() = J.lazyProduct(J.transpose());
  }
  // Rows of a level, and the multipliers it determines: positions mu, velocities lambda, accelerations tau. Both count
  // from the first one.
  struct Segment {
    Index first, size;
  };
  Segment rows(Index level) const { return {level == 0 ? 0 : h + (level - 1) * m, level == 0 ? h : m}; }
  Segment multipliers(Index level) const { return {level == 0 ? m : level == 1 ? 0 : m + h, level == 0 ? h : m}; }
  Index size() const { return h + (levels - 1) * m; }
};

// Unknowns (z, lambda, mu / velocity, tau / acceleration) with weights (p, d, a) and kappa = p / d:
//   x = z + (r_q - C_q^T mu) / d,   da = a z + J^T tau - r_v.
// Every constraint row is divided by its weight, so the matrix is regular as h -> 0.
template <class T, class S>
class StabilizedMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit StabilizedMatrix(const Blocks<T>& blocks)
      : b_(blocks), lu_(blocks.n + blocks.size()), u_(blocks.n + blocks.size()), Nr_(blocks.m) {}

  void solve(Vector<S>& r) override {
    const Index n = b_.n, m = b_.m, h = b_.h, size = b_.size();
    condense(r);
    scale_rows();
    lu_.solve(u_);
    for (Index i = 0; i < n; ++i) {
      S reaction_q(0), reaction_v(0);
      for (Index j = 0; j < h; ++j) reaction_q += b_.J(j, i) * u_[n + m + j];
      if (b_.levels == 3)
        for (Index j = 0; j < m; ++j) reaction_v += b_.J(j, i) * u_[n + m + h + j];
      const S x = u_[i] + r[i] / w_.velocity - reaction_q;
      if (b_.levels == 3) r[2 * n + size + i] = w_.acceleration * (u_[i] + reaction_v) - r[n + i];
      r[i] = this->first_order() ? w_.velocity * x : x;
      r[n + i] = u_[i];
    }
    r.segment(2 * n, size) = u_.tail(size);
    r.segment(2 * n + m, h) *= w_.velocity;
    if (b_.levels == 3) r.segment(2 * n + m + h, m) *= w_.acceleration;
  }

 private:
  Status factorize_weighted() override {
    const Index n = b_.n, m = b_.m, h = b_.h;
    const S kappa = w_.position / w_.velocity;
    Matrix<S>& A = lu_.matrix();
    A.setZero();
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        A(i, j) = w_.acceleration * b_.M(i, j) + w_.velocity * b_.D(i, j) + w_.position * b_.K(i, j);
    for (Index k = 0; k < m; ++k)
      for (Index j = 0; j < n; ++j) {
        A(j, n + k) = S(b_.J(k, j));
        A(n + h + k, j) = b_.J(k, j) + kappa * b_.V_q(k, j);
      }
    for (Index k = 0; k < h; ++k) {
      for (Index j = 0; j < n; ++j) {
        A(j, n + m + k) = -w_.position * b_.K_G(j, k);
        A(n + k, j) = S(b_.J(k, j));
      }
      for (Index j = 0; j < h; ++j) A(n + k, n + m + j) = S(-b_.G(k, j));
      for (Index j = 0; j < m; ++j) A(n + h + j, n + m + k) = -kappa * b_.V_G(j, k);
    }
    if (b_.levels == 3) add_acceleration_level(A);
    add_redundant(A);
    return lu_.factorize();
  }

  void add_acceleration_level(Matrix<S>& A) {
    const Index n = b_.n, m = b_.m, h = b_.h, row = n + h + m;
    const S velocity = w_.velocity / w_.acceleration, position = w_.position / w_.acceleration;
    for (Index k = 0; k < m; ++k) {
      for (Index j = 0; j < n; ++j) {
        A(j, row + k) = w_.acceleration * b_.M_J(j, k);
        A(row + k, j) = b_.J(k, j) + velocity * b_.A_v(k, j) + position * b_.A_q(k, j);
      }
      for (Index j = 0; j < h; ++j) A(row + k, n + m + j) = -position * b_.A_G(k, j);
      for (Index j = 0; j < m; ++j) A(row + k, row + j) = S(b_.JJ(k, j));
    }
  }

  // Rows (I - N) row + w N multiplier: each level takes the multipliers it determines.
  void add_redundant(Matrix<S>& A) {
    if (b_.w == T(0)) return;
    for (Index level = 0; level < b_.levels; ++level) {
      const auto rows = b_.rows(level), multipliers = b_.multipliers(level);
      for (Index i = 0; i < rows.size; ++i)
        for (Index j = 0; j < rows.size; ++j)
          A(b_.n + rows.first + i, b_.n + multipliers.first + j) += b_.w * b_.N(i, j);
    }
  }
  S weight_of(Index level) const {
    return level == 0 ? w_.position : level == 1 ? w_.velocity : w_.acceleration;
  }
  // Of the multiplier as an unknown.
  S unit_of(Index level) const { return level == 0 ? w_.velocity : level == 1 ? S(1) : w_.acceleration; }

  // Right-hand side of the balance and of the rows, still in the rows' own scale.
  void condense(const Vector<S>& r) {
    const Index n = b_.n, m = b_.m, h = b_.h;
    const S kappa = w_.position / w_.velocity;
    const bool all = b_.levels == 3;
    u_.head(n) = all ? r.tail(n) : r.segment(n, n);
    u_.tail(b_.size()) = r.segment(2 * n, b_.size());
    for (Index j = 0; j < n; ++j) {
      const S rq = kappa * r[j];
      for (Index i = 0; i < n; ++i) {
        u_[i] -= b_.K(i, j) * rq;
        if (all) u_[i] += b_.M(i, j) * r[n + j];
      }
      for (Index i = 0; i < h; ++i) u_[n + i] -= b_.J(i, j) * rq;
      for (Index i = 0; i < m; ++i) {
        u_[n + h + i] -= b_.V_q(i, j) * rq;
        if (all) u_[n + h + m + i] += b_.J(i, j) * r[n + j] - b_.A_q(i, j) * rq;
      }
    }
  }

  void scale_rows() {
    for (Index level = 0; level < b_.levels; ++level) {
      const auto [first, size] = b_.rows(level);
      auto rows = u_.segment(b_.n + first, size);
      if (b_.w == T(0)) {
        rows /= weight_of(level);
        continue;
      }
      auto Nr = Nr_.head(size);
      for (Index i = 0; i < size; ++i) {
        Nr[i] = S(0);
        for (Index j = 0; j < size; ++j) Nr[i] += b_.N(i, j) * rows[j];
      }
      rows = (rows - Nr) / weight_of(level) + Nr / unit_of(level);
    }
  }

  const Blocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  DenseLu<S> lu_;
  Vector<S> u_, Nr_;
};

template <class T>
class StabilizedLinearization final : public Linearization<T> {
 public:
  StabilizedLinearization(MechanicalModel<T>& model, Index levels, RedundantRows<T>* redundant)
      : model_(model), redundant_(redundant) {
    const Index n = model.coordinates(), m = model.constraints();
    const Index h = m - model.nonholonomic();
    b_.n = n, b_.m = m, b_.h = h, b_.levels = levels;
    for (Matrix<T>* block : {&b_.M, &b_.D, &b_.K}) block->setZero(n, n);
    for (Matrix<T>* block : {&b_.J, &b_.V_q, &b_.A_q, &b_.A_v}) block->setZero(m, n);
    for (Matrix<T>* block : {&b_.V_G, &b_.A_G}) block->setZero(m, h);
    for (Matrix<T>* block : {&b_.JJ, &b_.N}) block->setZero(m, m);
    b_.G.setZero(h, h), b_.K_G.setZero(n, h), b_.M_J.setZero(n, m);
    for (Vector<T>* x : {&q_, &v_, &a_, &zero_}) x->setZero(n);
    for (Vector<T>* x : {&lambda_, &mu_, &tau_, &C_}) x->setZero(m);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    const Index n = b_.n, m = b_.m, h = b_.h;
    t_ = t;
    q_ = y.head(n), v_ = y.segment(n, n), lambda_ = y.segment(2 * n, m), mu_.head(h) = y.segment(2 * n + m, h);
    if (b_.levels == 3)
      a_ = y.tail(n), tau_ = y.segment(2 * n + m + h, m);
    else
      a_ = ydot.segment(n, n);
    model_.mass(t, q_, b_.M);
    model_.balance_jacobians(t, q_, v_, a_, lambda_, b_.K, b_.D);
    model_.constraints_and_directions(t, q_, v_, C_, b_.J);
    model_.constraint_level_q(Level::velocity, t, q_, v_, a_, b_.V_q);
    if (b_.levels == 3) {
      model_.constraint_level_q(Level::acceleration, t, q_, v_, a_, b_.A_q);
      model_.acceleration_level_v(t, q_, v_, a_, b_.A_v);
    }
    if (redundant_) {
      redundant_->find(b_.J, b_.M);
      b_.N = redundant_->projector(), b_.w = redundant_->weight();
      for (Matrix<T>* block : {&b_.V_q, &b_.A_q, &b_.A_v}) redundant_->remove(*block);
    }
    b_.multiply();
  }

  void dense(Matrix<T>& F_y, Matrix<T>& F_ydot) const override {
    const Index n = b_.n, m = b_.m, h = b_.h, rows = 2 * n;
    F_y.setZero(), F_ydot.setZero();
    F_ydot.topLeftCorner(2 * n, 2 * n).setIdentity();
    F_y.block(0, n, n, n) = -Matrix<T>::Identity(n, n);
    F_y.block(0, 2 * n + m, n, h) = b_.J.topRows(h).transpose();
    Matrix<T> by_q(n, n), by_v(n, n);  // mu has no entries for G, so nothing depends on v
    reaction_derivative(mu_, by_q, by_v);
    F_y.block(0, 0, n, n) = by_q;
    F_y.block(rows, 0, h, n) = b_.J.topRows(h);
    F_y.block(rows + h, 0, m, n) = b_.V_q;
    F_y.block(rows + h, n, m, n) = b_.J;
    F_y.block(rows, 2 * n + m, h, h) = b_.w * b_.N.topLeftCorner(h, h);
    F_y.block(rows + h, 2 * n, m, m) = b_.w * b_.N;
    const Index balance = b_.levels == 3 ? 2 * n + b_.size() : n;
    F_y.block(balance, 0, n, n) = b_.K;
    F_y.block(balance, n, n, n) = b_.D;
    F_y.block(balance, 2 * n, n, m) = b_.J.transpose();
    if (b_.levels == 3)
      dense_accelerations(F_y);
    else
      F_ydot.block(n, n, n, n) = b_.M;
  }

  std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<StabilizedMatrix<T, T>>(b_); }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<StabilizedMatrix<T, std::complex<T>>>(b_);
  }

 private:
  void dense_accelerations(Matrix<T>& F_y) const {
    const Index n = b_.n, m = b_.m, a = 2 * n + b_.size(), row = 2 * n + b_.h + m;
    Matrix<T> by_q(n, n), by_v(n, n);
    reaction_derivative(tau_, by_q, by_v);
    F_y.block(n, 0, n, n) = by_q;
    F_y.block(n, n, n, n) = by_v;
    F_y.block(n, a, n, n) = -Matrix<T>::Identity(n, n);
    F_y.block(n, row, n, m) = b_.J.transpose();
    F_y.block(row, 0, m, n) = b_.A_q;
    F_y.block(row, n, m, n) = b_.A_v;
    F_y.block(row, a, m, n) = b_.J;
    F_y.block(row, row, m, m) = b_.w * b_.N;
    F_y.block(a, a, n, n) = b_.M;
  }
  // Of J^T multipliers: what the balance's derivatives gain by them.
  void reaction_derivative(const Vector<T>& multipliers, Matrix<T>& by_q, Matrix<T>& by_v) const {
    Matrix<T> without_q(b_.n, b_.n), without_v(b_.n, b_.n);
    model_.balance_jacobians(t_, q_, v_, zero_, multipliers, by_q, by_v);
    model_.balance_jacobians(t_, q_, v_, zero_, Vector<T>::Zero(b_.m), without_q, without_v);
    by_q -= without_q, by_v -= without_v;
  }

  MechanicalModel<T>& model_;
  RedundantRows<T>* redundant_;
  Blocks<T> b_;
  T t_{0};
  Vector<T> q_, v_, a_, lambda_, mu_, tau_, C_, zero_;
};

}  // namespace

template <class T>
StabilizedSystem<T>::StabilizedSystem(MechanicalModel<T>& model, Levels levels, Multipliers<T>& multipliers)
    : model_(model),
      levels_(static_cast<Index>(levels)),
      layout_{model.coordinates(), model.constraints()},
      redundant_(multipliers.handles_redundant_constraints() && model.constraints() > 0
                     ? std::make_unique<RedundantRows<T>>(model.constraints())
                     : nullptr),
      acceleration_solver_(model, multipliers) {
  const Index n = layout_.n, m = layout_.m;
  holonomic_ = m - model.nonholonomic();
  if (levels == Levels::all) layout_.accelerations = 2 * n + 2 * m + holonomic_;
  M_.setZero(n, n), J_.setZero(m, n);
  for (Vector<T>* x : {&q_, &v_, &a_, &Q_}) x->setZero(n);
  for (Vector<T>* x : {&lambda_, &mu_, &tau_, &row_}) x->setZero(m);
}

template <class T>
StabilizedSystem<T>::~StabilizedSystem() = default;

template <class T>
Index StabilizedSystem<T>::size() const {
  const Index n = layout_.n, m = layout_.m;
  return layout_.accelerations > 0 ? layout_.accelerations + n : 2 * n + m + holonomic_;
}

template <class T>
void StabilizedSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  const Index n = layout_.n, m = layout_.m, h = holonomic_;
  const bool all = layout_.accelerations > 0;
  q_ = layout_.q(y), v_ = layout_.v(y), lambda_ = layout_.lambda(y), mu_.head(h) = y.segment(2 * n + m, h);
  a_ = all ? y.tail(n) : ydot.segment(n, n);
  model_.mass(t, q_, M_);
  model_.force(t, q_, v_, Q_);
  model_.constraints_and_directions(t, q_, v_, row_, J_);
  if (redundant_) redundant_->find(J_, M_);
  const auto put = [&](Index first, Index size, const Vector<T>& multipliers) {
    if (redundant_) redundant_->replace(row_, multipliers);
    F.segment(2 * n + first, size) = row_.head(size);
  };
  row_.tail(m - h).setZero();
  put(0, h, mu_);
  model_.constraint_level(Level::velocity, t, q_, v_, a_, row_);
  put(h, m, lambda_);
  F.head(n) = ydot.head(n) - v_;
  F.head(n).noalias() += J_.topRows(h).transpose().lazyProduct(mu_.head(h));
  if (all) {
    tau_ = y.segment(2 * n + m + h, m);
    model_.constraint_level(Level::acceleration, t, q_, v_, a_, row_);
    put(h + m, m, tau_);
    F.segment(n, n) = ydot.segment(n, n) - a_;
    F.segment(n, n).noalias() += J_.transpose().lazyProduct(tau_);
  }
  auto balance = F.segment(all ? layout_.accelerations : n, n);
  balance.noalias() = M_.lazyProduct(a_) + J_.transpose().lazyProduct(lambda_);
  balance -= Q_;
}

template <class T>
std::unique_ptr<Linearization<T>> StabilizedSystem<T>::linearization() {
  return std::make_unique<StabilizedLinearization<T>>(model_, levels_, redundant_.get());
}

template <class T>
Status StabilizedSystem<T>::complete(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index n = layout_.n, m = layout_.m;
  q_ = layout_.q(y), v_ = layout_.v(y);
  const Status status = acceleration_solver_.solve(t, q_, v_, a_, lambda_);
  if (!status.ok()) return status;
  ydot.head(n) = v_;
  ydot.segment(n, n) = a_;
  y.tail(y.size() - 2 * n).setZero();
  y.segment(2 * n, m) = lambda_;
  if (layout_.accelerations > 0) y.tail(n) = a_;
  return {};
}

template <class T>
std::string StabilizedSystem<T>::explicit_form_refusal() const {
  return "explicit methods need accelerations as a function of (q, v): use the index-1 formulation";
}

template <class T>
void StabilizedSystem<T>::correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const {
  using std::abs;
  for (Index i = 0; i < y.size(); ++i) w[i] = h / (T(1) + abs(y[i]));
}

#define DAELAB_INSTANTIATE(T) template class StabilizedSystem<T>;
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
