#include "core/equations/mechanical_linearization.hpp"

#include <array>

#include "core/base/plain_arithmetic.hpp"
#include "core/equations/mechanical_layout.hpp"
#include "core/equations/second_order_matrix.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {
namespace {

// With redundant constraints, row = R_q dq + R_v dv + R_a da + w N dlambda.
template <class T>
struct Blocks : SparseBlocks<T> {
  Index n, m, l, holonomic;  // l: m and the algebraic states
  Level level;
  SparseMatrix<T> N;        // (m, m); without entries for independent constraints
  SparseSum<T> by_q{0, 0};  // K, R_q and g_q one above the other, (n + l, n)
  T w{0};
  long patterns = 0;  // how many there have been so far: they change with the model's mode

  // Nonholonomic rows have no position level.
  Level level_of(Index row) const { return level == Level::position && row >= holonomic ? Level::velocity : level; }

  // Fills by_q, once the other blocks are there.
  void stack() {
    if (stacked_ != patterns) {
      stacked_ = patterns;
      by_q = SparseSum<T>(n + l, n);
      by_q.add(this->K.pattern, 0, 0), by_q.add(this->R_q.pattern, n, 0), by_q.add(this->g_q.pattern, n + m, 0);
      by_q.complete();
    }
    by_q.clear();
    by_q.accumulate(0, this->K), by_q.accumulate(1, this->R_q), by_q.accumulate(2, this->g_q);
  }

 private:
  long stacked_ = 0;  // the patterns of by_q
};

template <class T, class S>
class CondensedMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit CondensedMatrix(const Blocks<T>& blocks)
      : b_(blocks), lu_(0), reduced_(blocks.n + blocks.l), row_(blocks.m) {}

  // x = z + r_q / velocity, so dq = position z + (position / velocity) r_q.
  void solve(Vector<S>& r) override {
    const Index n = b_.n, l = b_.l;
    // Rows of r: q' - v, equations of motion, constraint, algebraic equation.
    if (b_.level == Level::acceleration)
      unresolve(r);
    else
      reduced_ = r.tail(n + l);
    b_.by_q.matrix().add_product(r, reduced_, S(-position_by_velocity_));
    scale_rows();
    const Vector<S>& z = lu_.solution(reduced_);
    if (this->first_order()) {
      const S velocity = w_.velocity;
      for (Index i = 0; i < n; ++i) r[i] += plain_product(velocity, z[i]);
    } else {
      const Divisor<S> by_velocity = this->by_weight_of(Level::velocity);
      for (Index i = 0; i < n; ++i) r[i] = by_velocity(r[i]) + z[i];
    }
    r.segment(n, n) = z.head(n);
    if (b_.level == Level::acceleration)
      r.tail(l) += z.tail(l);
    else
      r.tail(l) = z.tail(l);
  }

  // v := P v, P = I - A^-1 J^T (J A^-1 J^T)^-1 J with A the upper left block: of nonholonomic rows, which the form
  // enforces, nothing is taken out.
  void make_tangential(Vector<S>& x) override {
    if (b_.level != Level::position) return;
    auto v = x.segment(b_.n, b_.n);
    reduced_.setZero();
    b_.J.visit([&](Index i, Index j, const T& value) {
      if (i < b_.holonomic) reduced_[b_.n + i] += S(value * v[j]);
    });
    v -= lu_.solution(reduced_).head(b_.n);
  }

 private:
  void arrange() {
    const Index n = b_.n, algebraic = n + b_.m;
    patterns_ = b_.patterns;
    lu_ = BlockLu<S>(n + b_.l, SolutionUse::correction);
    places_ = {lu_.add(b_.M.pattern, 0, 0),       lu_.add(b_.D.pattern, 0, 0),   lu_.add(b_.K.pattern, 0, 0),
               lu_.add(b_.J.pattern, 0, n, true), lu_.add(b_.R_q.pattern, n, 0), lu_.add(b_.R_v.pattern, n, 0),
               lu_.add(b_.R_a.pattern, n, 0),     lu_.add(b_.N.pattern, n, n)};
    nonlinear_ = {lu_.add(b_.Q_mu.pattern, 0, n), lu_.add(b_.g_q.pattern, algebraic, 0),
                  lu_.add(b_.g_v.pattern, algebraic, 0), lu_.add(b_.g_mu.pattern, algebraic, n)};
    lu_.complete();
  }

  Status factorize_weighted() override {
    if (patterns_ != b_.patterns) arrange();
    lu_.clear();
    lu_.accumulate(places_.M, b_.M, w_.acceleration);
    lu_.accumulate(places_.D, b_.D, w_.velocity);
    lu_.accumulate(places_.K, b_.K, w_.position);
    lu_.accumulate(places_.J, b_.J);
    add_rows();
    lu_.accumulate(places_.N, b_.N, b_.w);
    lu_.accumulate(nonlinear_.Q_mu, b_.Q_mu), lu_.accumulate(nonlinear_.g_mu, b_.g_mu);
    lu_.accumulate(nonlinear_.g_q, b_.g_q, w_.position), lu_.accumulate(nonlinear_.g_v, b_.g_v, w_.velocity);
    return lu_.factorize();
  }
  // (position R_q + velocity R_v + acceleration R_a) / row_scale, with the scale divided out where it cancels.
  void add_rows() {
    const S one(1);
    if (b_.level == Level::acceleration) {
      const Divisor<S>& by_acceleration = this->by_weight_of(Level::acceleration);
      lu_.accumulate(places_.R_q, b_.R_q, by_acceleration(w_.position));
      lu_.accumulate(places_.R_v, b_.R_v, by_acceleration(w_.velocity));
      lu_.accumulate(places_.R_a, b_.R_a);
      return;
    }
    const S by_position = this->by_weight_of(Level::position)(w_.velocity);
    const auto is_position = [&](Index i) { return b_.level_of(i) == Level::position; };
    lu_.accumulate_rows(places_.R_q, b_.R_q,
                        [&](Index i) -> const S& { return is_position(i) ? one : position_by_velocity_; });
    lu_.accumulate_rows(places_.R_v, b_.R_v, [&](Index i) -> const S& { return is_position(i) ? by_position : one; });
  }

  // reduced := [ M C_q^T ; R_a wN ] (r_v, 0), 0 in algebraic rows. The part of r_lambda passes through the system
  // unchanged: the unknown is what lambda changes beyond it, so that lambda meets its own residual in every direction.
  void unresolve(const Vector<S>& r) {
    const Index n = b_.n, m = b_.m;
    reduced_.setZero();
    b_.M.add_product(r.segment(n, n), reduced_, T(1));
    b_.R_a.add_product(r.segment(n, n), reduced_.segment(n, m), T(1));
  }
  // Divides the constraint rows by their scale, but not w N lambda.
  void scale_rows() {
    const Index n = b_.n, m = b_.m;
    if (b_.w == T(0)) {
      const Index holonomic = b_.holonomic;
      divide_rows(0, holonomic), divide_rows(holonomic, m);
      return;
    }
    row_.setZero();
    b_.N.add_product(reduced_.segment(n, m), row_, T(1));
    for (Index i = 0; i < m; ++i) reduced_[n + i] = (reduced_[n + i] - row_[i]) / row_scale(i) + row_[i];
  }
  // Rows of one level.
  void divide_rows(Index begin, Index end) {
    if (begin == end) return;
    const Divisor<S> by_scale = this->by_weight_of(b_.level_of(begin));
    for (Index i = begin; i < end; ++i) reduced_[b_.n + i] = by_scale(reduced_[b_.n + i]);
  }
  const S& row_scale(Index i) const {
    const Level level = b_.level_of(i);
    if (level == Level::position) return w_.position;
    return level == Level::velocity ? w_.velocity : w_.acceleration;
  }

  struct Places {
    std::size_t M, D, K, J, R_q, R_v, R_a, N;
  };
  struct NonlinearPlaces {
    std::size_t Q_mu, g_q, g_v, g_mu;
  };

  const Blocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  using SecondOrderMatrix<S>::position_by_velocity_;
  long patterns_ = 0;  // the weights of lu_
  BlockLu<S> lu_;
  Places places_{};
  NonlinearPlaces nonlinear_{};
  Vector<S> reduced_, row_;
};

// Numbers the patterns of blocks.
template <class T>
class PatternCount {
 public:
  /// Whether a block has another pattern than at the last call.
  bool changed(const SparseBlocks<T>& b) {
    const std::array now{b.M.pattern,   b.K.pattern,    b.D.pattern,   b.J.pattern,   b.R_q.pattern, b.R_v.pattern,
                         b.R_a.pattern, b.Q_mu.pattern, b.g_q.pattern, b.g_v.pattern, b.g_mu.pattern};
    if (now == last_) return false;
    last_ = now;
    return true;
  }

 private:
  std::array<std::shared_ptr<const SparsePattern>, 11> last_;
};

// What Baumgarte's feedback adds to the rows of the acceleration level.
template <class T>
class FeedbackRows {
 public:
  void arrange(const SparseBlocks<T>& b, const SparseBlocks<T>& rate) {
    const Index m = b.J.rows(), n = b.J.columns();
    by_q_ = SparseSum<T>(m, n), by_v_ = SparseSum<T>(m, n);
    for (const SparseMatrix<T>* block : {&b.R_q, &b.J, &rate.R_q}) by_q_.add(block->pattern, 0, 0);
    for (const SparseMatrix<T>* block : {&b.R_v, &b.J}) by_v_.add(block->pattern, 0, 0);
    by_q_.complete(), by_v_.complete();
  }
  void sum(const SparseBlocks<T>& b, const SparseBlocks<T>& rate, Index holonomic, const BaumgarteGains<T>& gains) {
    const T none(0);
    by_q_.clear(), by_v_.clear();
    by_q_.accumulate(0, b.R_q);
    by_q_.accumulate_rows(1, b.J, [&](Index i) -> const T& { return i < holonomic ? gains.position : none; });
    by_q_.accumulate(2, rate.R_q, gains.velocity);
    by_v_.accumulate(0, b.R_v);
    by_v_.accumulate(1, b.J, gains.velocity);
  }
  const SparseMatrix<T>& by_q() const { return by_q_.matrix(); }
  const SparseMatrix<T>& by_v() const { return by_v_.matrix(); }

 private:
  SparseSum<T> by_q_{0, 0}, by_v_{0, 0};
};

template <class T>
class MechanicalLinearization final : public Linearization<T> {
 public:
  MechanicalLinearization(MechanicalModel<T>& model, Level level, BaumgarteGains<T> gains, RedundantRows<T>* redundant)
      : model_(model), gains_(gains), redundant_(redundant) {
    const Index n = model.coordinates(), m = model.constraints();
    blocks_.n = n, blocks_.m = m, blocks_.l = model.multipliers(), blocks_.level = level;
    blocks_.holonomic = m - model.nonholonomic();
    q_.setZero(n), v_.setZero(n), a_.setZero(n), lambda_.setZero(blocks_.l);
    if (redundant_ != nullptr) redundant_->copy_projector(blocks_.N);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    const MechanicalLayout layout{blocks_.n, blocks_.l};
    q_ = layout.q(y), v_ = layout.v(y), a_ = layout.a(ydot), lambda_ = layout.lambda(y);
    model_.blocks(blocks_.level, t, q_, v_, a_, lambda_, model_blocks_);
    if (!gains_.zero()) model_.blocks(Level::velocity, t, q_, v_, a_, lambda_, rate_blocks_);
    if (patterns_.changed(model_blocks_)) {
      ++blocks_.patterns;
      if (!gains_.zero()) feedback_.arrange(model_blocks_, rate_blocks_);
    }
    blocks_.M = model_blocks_.M, blocks_.K = model_blocks_.K, blocks_.D = model_blocks_.D, blocks_.J = model_blocks_.J;
    if (redundant_ != nullptr) find_redundant_rows();
    if (gains_.zero()) {
      take_rows(model_blocks_.R_q, blocks_.R_q), take_rows(model_blocks_.R_v, blocks_.R_v);
    } else {
      feedback_.sum(model_blocks_, rate_blocks_, blocks_.holonomic, gains_);
      take_rows(feedback_.by_q(), blocks_.R_q), take_rows(feedback_.by_v(), blocks_.R_v);
    }
    take_rows(model_blocks_.R_a, blocks_.R_a);
    blocks_.Q_mu = model_blocks_.Q_mu;
    blocks_.g_q = model_blocks_.g_q, blocks_.g_v = model_blocks_.g_v, blocks_.g_mu = model_blocks_.g_mu;
    blocks_.stack();
  }

  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    if (coupled_patterns_ != blocks_.patterns) arrange_coupled();
    const Blocks<T>& b = blocks_;
    by_y_.clear(), by_ydot_.clear();
    by_y_.accumulate(0, identity_, T(-1));
    by_y_.accumulate(1, b.K), by_y_.accumulate(2, b.D), by_y_.accumulate(3, b.J);
    by_y_.accumulate(4, b.R_q), by_y_.accumulate(5, b.R_v), by_y_.accumulate(6, b.N, b.w);
    by_y_.accumulate(7, b.Q_mu), by_y_.accumulate(8, b.g_q), by_y_.accumulate(9, b.g_v), by_y_.accumulate(10, b.g_mu);
    by_ydot_.accumulate(0, identity_), by_ydot_.accumulate(1, b.M);
    if (b.level == Level::acceleration) by_ydot_.accumulate(2, b.R_a);
    F_y = by_y_.matrix(), F_ydot = by_ydot_.matrix();
  }

  std::unique_ptr<IterationMatrix<T>> real_matrix() override {
    return std::make_unique<CondensedMatrix<T, T>>(blocks_);
  }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<CondensedMatrix<T, std::complex<T>>>(blocks_);
  }

 private:
  // The change of N itself is left out: it moves multipliers along the null space, where they move nothing.
  void find_redundant_rows() {
    redundant_->find(blocks_.J, blocks_.M);
    redundant_->copy_projector(blocks_.N);
    blocks_.w = redundant_->weight();
  }
  void take_rows(const SparseMatrix<T>& rows, SparseMatrix<T>& block) {
    if (redundant_ == nullptr)
      block = rows;
    else
      redundant_->remove(rows, block);
  }
  void arrange_coupled() {
    const Blocks<T>& b = blocks_;
    const Index n = b.n, size = 2 * n + b.l, algebraic = 2 * n + b.m;
    coupled_patterns_ = b.patterns;
    identity_.take(SparsePattern::diagonal(n));
    identity_.values.setOnes();
    by_y_ = SparseSum<T>(size, size), by_ydot_ = SparseSum<T>(size, size);
    by_y_.add(identity_.pattern, 0, n);
    by_y_.add(b.K.pattern, n, 0), by_y_.add(b.D.pattern, n, n), by_y_.add(b.J.pattern, n, 2 * n, true);
    by_y_.add(b.R_q.pattern, 2 * n, 0), by_y_.add(b.R_v.pattern, 2 * n, n), by_y_.add(b.N.pattern, 2 * n, 2 * n);
    by_y_.add(b.Q_mu.pattern, n, 2 * n), by_y_.add(b.g_q.pattern, algebraic, 0);
    by_y_.add(b.g_v.pattern, algebraic, n), by_y_.add(b.g_mu.pattern, algebraic, 2 * n);
    by_ydot_.add(identity_.pattern, 0, 0), by_ydot_.add(b.M.pattern, n, n);
    if (b.level == Level::acceleration) by_ydot_.add(b.R_a.pattern, 2 * n, n);
    by_y_.complete(), by_ydot_.complete();
  }

  MechanicalModel<T>& model_;
  BaumgarteGains<T> gains_;
  RedundantRows<T>* redundant_;
  SparseBlocks<T> model_blocks_, rate_blocks_;  // as the model has them; those of the velocity level
  PatternCount<T> patterns_;
  FeedbackRows<T> feedback_;
  Blocks<T> blocks_;
  long coupled_patterns_ = 0;
  SparseMatrix<T> identity_;
  SparseSum<T> by_y_{0, 0}, by_ydot_{0, 0};
  Vector<T> q_, v_, a_, lambda_;
};

}  // namespace

template <class T>
std::unique_ptr<Linearization<T>> make_mechanical_linearization(MechanicalModel<T>& model, Level level,
                                                                const BaumgarteGains<T>& gains,
                                                                RedundantRows<T>* redundant) {
  return std::make_unique<MechanicalLinearization<T>>(model, level, gains, redundant);
}

#define DAELAB_INSTANTIATE(T)                                               \
  template std::unique_ptr<Linearization<T>> make_mechanical_linearization( \
      MechanicalModel<T>&, Level, const BaumgarteGains<T>&, RedundantRows<T>*);
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
