#include "core/mechanical_system.hpp"

#include "core/redundant_rows.hpp"
#include "core/second_order_matrix.hpp"

namespace daelab {

template <class T>
AccelerationSolver<T>::AccelerationSolver(MechanicalModel<T>& model, Multipliers<T>& multipliers,
                                          BaumgarteGains<T> gains)
    : model_(model), multipliers_(multipliers), gains_(gains) {}

template <class T>
void AccelerationSolver<T>::allocate() {
  const Index n = model_.coordinates(), m = model_.constraints();
  if (Q_.size() == n) return;
  M_.setZero(n, n), J_.setZero(m, n);
  for (Vector<T>* x : {&C_, &rate_, &h_}) x->setZero(m);
  for (Vector<T>* x : {&Q_, &zero_}) x->setZero(n);
}

template <class T>
Status AccelerationSolver<T>::solve(const T& t, const Vector<T>& q, const Vector<T>& v,
                                    Vector<T>& a, Vector<T>& lambda) {
  if (solve_written_out(t, q, v, a, lambda)) return {};
  allocate();
  model_.data(t, q, v, M_, Q_, J_, h_);
  if (!gains_.zero()) {
    model_.constraint_level(Level::position, t, q, v, zero_, C_);
    model_.constraint_level(Level::velocity, t, q, v, zero_, rate_);
    h_ += gains_.velocity * rate_ + gains_.position * C_;
  }
  return multipliers_.solve({M_, model_.constant_mass(), J_, Q_, h_}, a, lambda);
}

template <class T>
bool AccelerationSolver<T>::solve_written_out(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                                              Vector<T>& lambda) {
  if (!gains_.zero() || !multipliers_.prefers_written_out()) return false;
  const WrittenOut outcome = model_.accelerations(t, q, v, a, lambda);
  if (outcome == WrittenOut::trusted) multipliers_.count_written_out(lambda.size());
  if (outcome == WrittenOut::distrusted)
    multipliers_.count_pivot_fallback([&] { return "t = " + to_text(t) + ": " + model_.distrusted_pivot(); });
  return outcome == WrittenOut::trusted;
}

namespace {

// With redundant constraints, row = R_q dq + R_v dv + R_a da + w N dlambda.
template <class T>
struct Blocks : MechanicalBlocks<T> {
  Index n, m, holonomic;
  Level level;
  Matrix<T> N;  // (m, m); 0 for independent constraints
  T w{0};

  // Nonholonomic rows have no position level.
  Level level_of(Index row) const {
    return level == Level::position && row >= holonomic ? Level::velocity : level;
  }
};

template <class T, class S>
class CondensedMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit CondensedMatrix(const Blocks<T>& blocks)
      : b_(blocks),
        lu_(blocks.n + blocks.m),
        reduced_(blocks.n + blocks.m),
        row_(blocks.m),
        projector_(blocks.n, blocks.n),
        projected_(blocks.n) {}

  // x = z + r_q / velocity, so dq = position z + (position / velocity) r_q.
  void solve(Vector<S>& r) override {
    const Index n = b_.n, m = b_.m;
    // Rows of r: q' - v, balance, constraint.
    if (b_.level == Level::acceleration)
      unresolve(r);
    else
      reduced_ = r.tail(n + m);
    const S kappa = w_.position / w_.velocity;
    for (Index j = 0; j < n; ++j) {
      const S rj = kappa * r[j];
      for (Index i = 0; i < n; ++i) reduced_[i] -= b_.K(i, j) * rj;
      for (Index i = 0; i < m; ++i) reduced_[n + i] -= b_.R_q(i, j) * rj;
    }
    scale_rows();
    lu_.solve(reduced_);
    for (Index i = 0; i < n; ++i) {
      r[i] = this->first_order() ? r[i] + w_.velocity * reduced_[i] : r[i] / w_.velocity + reduced_[i];
      r[n + i] = reduced_[i];
    }
    if (b_.level == Level::acceleration)
      r.tail(m) += reduced_.tail(m);
    else
      r.tail(m) = reduced_.tail(m);
  }

  // v := P v, P = I - A^-1 J^T (J A^-1 J^T)^-1 J with A the upper left block: of nonholonomic rows, which the form
  // enforces, nothing is taken out. A multistep method asks several
  // times a step over many steps: then P itself is formed, for n solves, and the next calls are products.
  void make_tangential(Vector<S>& x) override {
    if (b_.level != Level::position) return;
    const Index n = b_.n;
    auto v = x.segment(n, n);
    if (tangential_calls_ == calls_before_projector) form_projector();
    if (tangential_calls_++ < calls_before_projector) {
      solve_constraint_rows([&](Index i, Index j) { return S(b_.J(i, j) * v[j]); });
      v -= reduced_.head(n);
    } else {
      projected_.noalias() = projector_.lazyProduct(v);
      v = projected_;
    }
  }

 private:
  static constexpr int calls_before_projector = 4;

  // reduced := A^-1 J^T (J A^-1 J^T)^-1 r and multipliers, r_i = sum_j term(i, j) in holonomic rows, 0 in others.
  void solve_constraint_rows(auto term) {
    reduced_.setZero();
    for (Index j = 0; j < b_.n; ++j)
      for (Index i = 0; i < b_.holonomic; ++i) reduced_[b_.n + i] += term(i, j);
    lu_.solve(reduced_);
  }
  void form_projector() {
    for (Index k = 0; k < b_.n; ++k) {
      solve_constraint_rows([&](Index i, Index j) { return j == k ? S(b_.J(i, j)) : S(0); });
      projector_.col(k) = -reduced_.head(b_.n);
      projector_(k, k) += S(1);
    }
  }

  Status factorize_weighted() override {
    tangential_calls_ = 0;
    const Index n = b_.n, m = b_.m;
    Matrix<S>& A = lu_.matrix();
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        A(i, j) = w_.acceleration * b_.M(i, j) + w_.velocity * b_.D(i, j) + w_.position * b_.K(i, j);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) {
        A(j, n + i) = S(b_.J(i, j));
        A(n + i, j) = scaled_row(i, j);
      }
      for (Index j = 0; j < m; ++j) A(n + i, n + j) = S(b_.w * b_.N(i, j));
    }
    return lu_.factorize();
  }

  // reduced := [ M C_q^T ; R_a wN ] (r_v, 0). The part of r_lambda passes through the system unchanged: the
  // unknown is what lambda changes beyond it, so that lambda meets its own residual in every direction.
  void unresolve(const Vector<S>& r) {
    const Index n = b_.n, m = b_.m;
    reduced_.setZero();
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) reduced_[i] += b_.M(i, j) * r[n + j];
      for (Index i = 0; i < m; ++i) reduced_[n + i] += b_.R_a(i, j) * r[n + j];
    }
  }
  // Divides the constraint rows by their scale, but not w N lambda.
  void scale_rows() {
    const Index n = b_.n, m = b_.m;
    if (b_.w == T(0)) {
      for (Index i = 0; i < m; ++i) reduced_[n + i] /= row_scale(i);
      return;
    }
    for (Index i = 0; i < m; ++i) {
      row_[i] = S(0);
      for (Index j = 0; j < m; ++j) row_[i] += b_.N(i, j) * reduced_[n + j];
    }
    for (Index i = 0; i < m; ++i) reduced_[n + i] = (reduced_[n + i] - row_[i]) / row_scale(i) + row_[i];
  }
  const S& row_scale(Index i) const {
    const Level level = b_.level_of(i);
    if (level == Level::position) return w_.position;
    return level == Level::velocity ? w_.velocity : w_.acceleration;
  }
  // (position R_q + velocity R_v + acceleration R_a) / row_scale
  S scaled_row(Index i, Index j) const {
    const Level level = b_.level_of(i);
    if (level == Level::position && b_.holonomic == b_.m) return S(b_.R_q(i, j));
    if (level == Level::position) return b_.R_q(i, j) + (w_.velocity / w_.position) * b_.R_v(i, j);
    if (level == Level::velocity) return b_.R_v(i, j) + (w_.position / w_.velocity) * b_.R_q(i, j);
    return b_.R_a(i, j) + (w_.velocity * b_.R_v(i, j) + w_.position * b_.R_q(i, j)) / w_.acceleration;
  }

  const Blocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  DenseLu<S> lu_;
  Vector<S> reduced_, row_;
  int tangential_calls_ = 0;  // since the factorisation
  Matrix<S> projector_;       // P, (n, n)
  Vector<S> projected_;       // (n)
};

template <class T>
class MechanicalLinearization final : public Linearization<T> {
 public:
  MechanicalLinearization(MechanicalModel<T>& model, Level level, BaumgarteGains<T> gains, RedundantRows<T>* redundant)
      : model_(model), gains_(gains), redundant_(redundant) {
    const Index n = model.coordinates(), m = model.constraints();
    blocks_.n = n, blocks_.m = m, blocks_.holonomic = m - model.nonholonomic(), blocks_.level = level;
    for (Matrix<T>* block : {&blocks_.M, &blocks_.D, &blocks_.K}) block->setZero(n, n);
    for (Matrix<T>* block : {&blocks_.J, &blocks_.R_q, &blocks_.R_v, &blocks_.R_a}) block->setZero(m, n);
    blocks_.N.setZero(m, m);
    scratch_.setZero(m, n);
    q_.setZero(n), v_.setZero(n), a_.setZero(n), lambda_.setZero(m);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    const MechanicalLayout layout{blocks_.n, blocks_.m};
    q_ = layout.q(y), v_ = layout.v(y), a_ = layout.a(ydot), lambda_ = layout.lambda(y);
    model_.blocks(blocks_.level, t, q_, v_, a_, lambda_, blocks_);
    if (!gains_.zero()) {
      blocks_.R_q.topRows(blocks_.holonomic) += gains_.position * blocks_.J.topRows(blocks_.holonomic);
      model_.constraint_level_q(Level::velocity, t, q_, v_, a_, scratch_);
      blocks_.R_q += gains_.velocity * scratch_;
      blocks_.R_v += gains_.velocity * blocks_.J;
    }
    if (redundant_ != nullptr) replace_redundant_rows();
  }

  void dense(Matrix<T>& F_y, Matrix<T>& F_ydot) const override {
    const Index n = blocks_.n, m = blocks_.m;
    F_y.setZero(), F_ydot.setZero();
    F_ydot.topLeftCorner(n, n).diagonal().setOnes();
    F_y.block(0, n, n, n).diagonal().setConstant(T(-1));
    F_ydot.block(n, n, n, n) = blocks_.M;
    F_y.block(n, 0, n, n) = blocks_.K;
    F_y.block(n, n, n, n) = blocks_.D;
    F_y.block(n, 2 * n, n, m) = blocks_.J.transpose();
    F_y.block(2 * n, 0, m, n) = blocks_.R_q;
    F_y.block(2 * n, n, m, n) = blocks_.R_v;
    if (blocks_.level == Level::acceleration) F_ydot.block(2 * n, n, m, n) = blocks_.R_a;
    F_y.block(2 * n, 2 * n, m, m) = blocks_.w * blocks_.N;
  }

  std::unique_ptr<IterationMatrix<T>> real_matrix() override {
    return std::make_unique<CondensedMatrix<T, T>>(blocks_);
  }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<CondensedMatrix<T, std::complex<T>>>(blocks_);
  }

 private:
  // The change of N itself is left out: it moves multipliers along the null space, where they move nothing.
  void replace_redundant_rows() {
    redundant_->find(blocks_.J, blocks_.M);
    blocks_.N = redundant_->projector();
    blocks_.w = redundant_->weight();
    for (Matrix<T>* block : {&blocks_.R_q, &blocks_.R_v, &blocks_.R_a}) redundant_->remove(*block);
  }

  MechanicalModel<T>& model_;
  BaumgarteGains<T> gains_;
  RedundantRows<T>* redundant_;
  Blocks<T> blocks_;
  Matrix<T> scratch_;  // (m, n)
  Vector<T> q_, v_, a_, lambda_;
};

}  // namespace

template <class T>
ConstrainedSystem<T>::ConstrainedSystem(MechanicalModel<T>& model, Level level, Multipliers<T>& multipliers,
                                        BaumgarteGains<T> gains)
    : model_(model),
      level_(level),
      redundant_(multipliers.handles_redundant_constraints() && model.constraints() > 0
                     ? std::make_unique<RedundantRows<T>>(model.constraints())
                     : nullptr),
      gains_(gains),
      layout_{model.coordinates(), model.constraints()},
      acceleration_solver_(model, multipliers, gains) {
  const Index n = layout_.n, m = layout_.m;
  M_.setZero(n, n), J_.setZero(m, n);
  for (Vector<T>* x : {&q_, &v_, &a_, &Q_, &balance_}) x->setZero(n);
  for (Vector<T>* x : {&lambda_, &C_, &rate_, &row_}) x->setZero(m);
}

template <class T>
ConstrainedSystem<T>::~ConstrainedSystem() = default;

template <class T>
int ConstrainedSystem<T>::index() const {
  if (layout_.m == 0) return 0;
  if (level_ == Level::position && model_.nonholonomic() == layout_.m) return 2;
  return 3 - static_cast<int>(level_);
}

template <class T>
void ConstrainedSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot,
                                    Vector<T>& F) {
  const Index n = layout_.n, m = layout_.m;
  q_ = layout_.q(y), v_ = layout_.v(y), a_ = layout_.a(ydot), lambda_ = layout_.lambda(y);
  model_.residual(level_, t, q_, v_, a_, lambda_, balance_, row_);
  if (!gains_.zero()) {
    model_.constraint_level(Level::position, t, q_, v_, a_, C_);
    model_.constraint_level(Level::velocity, t, q_, v_, a_, rate_);
    row_ += gains_.velocity * rate_ + gains_.position * C_;
  }
  if (redundant_) {
    model_.data(t, q_, v_, M_, Q_, J_, C_);
    redundant_->find(J_, M_);
    redundant_->replace(row_, lambda_);
  }
  F.head(n) = ydot.head(n) - v_;
  F.segment(n, n) = balance_;
  F.tail(m) = row_;
}

template <class T>
Status ConstrainedSystem<T>::resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot,
                                               Vector<T>& F) {
  if (level_ != Level::acceleration) {
    residual(t, y, ydot, F);
    return {};
  }
  const Index n = layout_.n, m = layout_.m;
  q_ = layout_.q(y), v_ = layout_.v(y);
  const Status status = acceleration_solver_.solve(t, q_, v_, a_, lambda_);
  F.head(n) = ydot.head(n) - v_;
  F.segment(n, n) = layout_.a(ydot) - a_;
  F.tail(m) = layout_.lambda(y) - lambda_;
  return status;
}

template <class T>
std::unique_ptr<Linearization<T>> ConstrainedSystem<T>::linearization() {
  return std::make_unique<MechanicalLinearization<T>>(model_, level_, gains_, redundant_.get());
}

template <class T>
Status ConstrainedSystem<T>::complete(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index n = layout_.n, m = layout_.m;
  q_ = layout_.q(y), v_ = layout_.v(y);
  const Status status = acceleration_solver_.solve(t, q_, v_, a_, lambda_);
  if (!status.ok()) return status;
  ydot.head(n) = v_;
  ydot.segment(n, n) = a_;
  y.tail(m) = lambda_;
  return {};
}

template <class T>
std::string ConstrainedSystem<T>::explicit_form_refusal() const {
  if (level_ == Level::acceleration || layout_.m == 0) return "";
  return "explicit methods need accelerations as a function of (q, v): use the index-1 formulation";
}

template <class T>
void ConstrainedSystem<T>::correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const {
  using std::abs;
  const Index n = layout_.n, m = layout_.m;
  // Without constraints nothing amplifies round-off.
  const T velocity = level_ == Level::position && m > 0 ? T(h * h) : h;
  for (Index i = 0; i < n; ++i) {
    w[i] = h / (T(1) + abs(y[i]));
    w[n + i] = velocity / (T(1) + abs(y[n + i]));
  }
  for (Index i = 2 * n; i < 2 * n + m; ++i) w[i] = velocity / (T(1) + abs(y[i]));
}

#define DAELAB_INSTANTIATE(T)           \
  template class AccelerationSolver<T>; \
  template class ConstrainedSystem<T>;
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
