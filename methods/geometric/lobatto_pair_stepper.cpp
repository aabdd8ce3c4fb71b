#include "methods/geometric/lobatto_pair_stepper.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/equations/mechanical_layout.hpp"
#include "core/solvers/quadrature.hpp"
#include "core/solvers/sparse_lu.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {

LobattoPair lobatto_pair(int s) {
  LobattoPair pair;
  pair.c.resize(s), pair.A.resize(s, s), pair.conjugate.resize(s, s);
  pair.c << Real100(0), legendre_derivative_zeros(s - 1), Real100(1);
  for (Index i = 0; i < s; ++i) pair.A.row(i) = interpolatory_weights(pair.c, pair.c[i]).transpose();
  pair.b = interpolatory_weights(pair.c, 1);
  for (Index i = 0; i < s; ++i)
    for (Index j = 0; j < s; ++j) pair.conjugate(i, j) = pair.b[j] - pair.b[j] * pair.A(j, i) / pair.b[i];
  pair.A.row(0).setZero(), pair.conjugate.col(s - 1).setZero();  // what is left is round-off of 100 digits
  return pair;
}

namespace {

template <class T>
class LobattoPairStepper final : public Stepper<T>, private NewtonTarget<T> {
 public:
  LobattoPairStepper(const LobattoPair& pair, System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton)
      : system_(system),
        model_(model),
        settings_(newton),
        layout_{model.coordinates(), model.constraints()},
        s_(pair.stages()),
        size_(layout_.n + layout_.m),
        looks_ahead_(pair.last == LastConstraint::next_positions),
        A_(pair.A.cast<T>()),
        conjugate_(pair.conjugate.cast<T>()),
        product_(Matrix<Real100>(pair.A * pair.conjugate).cast<T>()),
        b_(pair.b.cast<T>()),
        c_(pair.c.cast<T>()),
        stages_(static_cast<std::size_t>(s_)) {
    settings_.set_tolerance(epsilon<T>());
    const Index n = layout_.n;
    for (Matrix<T>* x : {&dq_, &V_}) x->setZero(n, s_);
    for (Vector<T>* x : {&q_, &v_, &a_, &end_v_, &rest_}) x->setZero(n);
    for (Vector<T>* x : {&lambda_, &row_}) x->setZero(layout_.m);
    for (Vector<T>* x : {&X_, &R_}) x->setZero(s_ * size_);
    increment_.setZero(system.size());
  }

  std::vector<std::string> newton_options() const override { return {"name", "test", "tolerance", "max_iterations"}; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    from_ = &from, h_ = h;
    for (Index i = 0; i < s_; ++i) {
      acceleration(X_, i) = layout_.a(from.ydot);
      multipliers(X_, i) = layout_.lambda(from.y);
    }
    if (const Status status = newton<T>(settings_, *this, false, this->statistics_); !status.ok()) return status;
    correct_once_more();
    place_stages();
    const Index n = layout_.n;
    increment_.head(n) = dq_.col(s_ - 1);
    increment_.segment(n, n) = end_v_;
    add_increment(from, increment_, 2 * n, to);
    to.t = from.t + h;
    ++this->statistics_.steps;
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

 private:
  // What the iteration leaves of positions is 1/h times as large in velocities, which are to meet their constraints,
  // too.
  void correct_once_more() {
    evaluate();
    correct(T(1));
    ++this->statistics_.newton_iterations;
  }

  auto acceleration(auto& x, Index i) const { return x.segment(i * size_, layout_.n); }
  auto multipliers(auto& x, Index i) const { return x.segment(i * size_ + layout_.n, layout_.m); }
  // Rows of the constraints of stages 2 to s, and last what L_s satisfies.
  auto constraint_rows(Index i) { return R_.segment(i * size_ + layout_.n, layout_.m); }
  T time(Index i) const { return from_->t + c_[i] * h_; }

  // dq_ and V_ of the stages, and in end_v_ what v gains, of the unknowns.
  void place_stages() {
    const Index n = layout_.n;
    for (Index i = 0; i < s_; ++i) {
      V_.col(i) = layout_.v(from_->y) + from_->compensation.segment(n, n);
      for (Index j = 0; j < s_; ++j) V_.col(i) += (h_ * conjugate_(i, j)) * acceleration(X_, j);
    }
    for (Index i = 0; i < s_; ++i) {
      dq_.col(i) = from_->compensation.head(n);
      for (Index j = 0; j < s_; ++j) dq_.col(i) += (h_ * A_(i, j)) * V_.col(j);
    }
    end_v_ = from_->compensation.segment(n, n);
    for (Index j = 0; j < s_; ++j) end_v_ += (h_ * b_[j]) * acceleration(X_, j);
  }
  // Loads (q_, v_, a_, lambda_) of stage i.
  void load_stage(Index i) {
    q_ = layout_.q(from_->y) + dq_.col(i), v_ = V_.col(i);
    a_ = acceleration(X_, i), lambda_ = multipliers(X_, i);
  }
  // Loads the point of the last constraint, and returns its time.
  T load_end() {
    q_ = layout_.q(from_->y) + dq_.col(s_ - 1), v_ = layout_.v(from_->y) + end_v_;
    if (!looks_ahead_) return from_->t + h_;
    q_ += h_ * v_ + (h_ * h_ / T(2)) * acceleration(X_, s_ - 1);
    return from_->t + h_ + h_;
  }
  Level last_level() const { return looks_ahead_ ? Level::position : Level::velocity; }
  T last_scale() const { return looks_ahead_ ? T(h_ * h_) : h_; }

  Status evaluate() override {
    place_stages();
    const T square = h_ * h_;
    for (Index i = 0; i < s_; ++i) {
      load_stage(i);
      model_.residual(Level::position, time(i), q_, v_, a_, lambda_, rest_, row_);
      acceleration(R_, i) = rest_;
      if (i > 0) constraint_rows(i - 1) = row_ / square;
    }
    const T t = load_end();
    model_.constraint_level(last_level(), t, q_, v_, rest_, row_);
    constraint_rows(s_ - 1) = row_ / last_scale();
    ++this->statistics_.residuals;
    return {};
  }

  Status linearize() override {
    place_stages();
    for (Index i = 0; i < s_; ++i) {
      load_stage(i);
      model_.blocks(Level::position, time(i), q_, v_, a_, lambda_, stages_[static_cast<std::size_t>(i)]);
    }
    const T t = load_end();
    rest_.setZero(), lambda_.setZero();
    model_.blocks(last_level(), t, q_, v_, rest_, lambda_, end_);
    if (std::exchange(forms_, &model_.forms()) != &model_.forms()) arrange();
    fill();
    ++this->statistics_.jacobians, ++this->statistics_.factorizations;
    Status status = lu_->factorize();
    if (status.code == StatusCode::singular)
      status.cause =
          "the matrix of a step is singular: dependent constraints, or a step so long that the constraints at "
          "its ends have nothing in common";
    return status;
  }

  // Where blocks of stages i and j go.
  struct Places {
    std::size_t K, D, J;
  };
  // Patterns change with the mode of the model only.
  void arrange() {
    const Index n = layout_.n;
    lu_ = std::make_unique<BlockLu<T>>(s_ * size_, SolutionUse::correction);
    places_.clear(), mass_.clear(), forces_.clear(), last_q_.clear(), last_v_.clear();
    for (Index i = 0; i < s_; ++i) {
      const SparseBlocks<T>& x = stages_[static_cast<std::size_t>(i)];
      mass_.push_back(lu_->add(x.M.pattern, i * size_, i * size_));
      forces_.push_back(lu_->add(x.J.pattern, i * size_, i * size_ + n, true));
      last_q_.push_back(lu_->add(end_.R_q.pattern, (s_ - 1) * size_ + n, i * size_));
      last_v_.push_back(lu_->add(end_.J.pattern, (s_ - 1) * size_ + n, i * size_));
      for (Index j = 0; j < s_; ++j)
        places_.push_back({lu_->add(x.K.pattern, i * size_, j * size_), lu_->add(x.D.pattern, i * size_, j * size_),
                           i == 0 ? 0 : lu_->add(x.J.pattern, (i - 1) * size_ + n, j * size_)});
    }
    lu_->complete();
  }
  // By dQ_i = h^2 sum_j (a â)_ij dA_j and dV_i = h sum_j â_ij dA_j, rows of constraints divided as in evaluate().
  void fill() {
    lu_->clear();
    for (Index i = 0; i < s_; ++i) {
      const SparseBlocks<T>& x = stages_[static_cast<std::size_t>(i)];
      lu_->accumulate(mass_[static_cast<std::size_t>(i)], x.M);
      lu_->accumulate(forces_[static_cast<std::size_t>(i)], x.J);
      for (Index j = 0; j < s_; ++j) {
        const Places& place = places_[static_cast<std::size_t>(i * s_ + j)];
        lu_->accumulate(place.K, x.K, T(h_ * h_ * product_(i, j)));
        lu_->accumulate(place.D, x.D, T(h_ * conjugate_(i, j)));
        if (i > 0) lu_->accumulate(place.J, x.J, product_(i, j));
      }
    }
    for (Index j = 0; j < s_; ++j) {
      const T& of_positions = product_(s_ - 1, j);
      lu_->accumulate(last_q_[static_cast<std::size_t>(j)], end_.R_q,
                      T(looks_ahead_ ? of_positions : h_ * of_positions));
      T of_velocities = b_[j];
      if (looks_ahead_ && j == s_ - 1) of_velocities += T(1) / T(2);
      lu_->accumulate(last_v_[static_cast<std::size_t>(j)], end_.J, of_velocities);
    }
  }

  void correct(const T& relaxation) override {
    lu_->solve(R_);
    ++this->statistics_.back_solves;
    X_ -= relaxation * R_;
  }

  T residual_size() override { return R_.size() == 0 ? T(0) : R_.cwiseAbs().maxCoeff(); }
  T correction_size() override {
    using std::abs;
    NormOf<T> norm;
    for (Index i = 0; i < s_; ++i)
      for (Index k = 0; k < layout_.n; ++k) norm.add(T(h_ * h_ * R_[i * size_ + k] / (T(1) + abs(from_->y[k]))));
    return norm.value();
  }

  System<T>& system_;
  MechanicalModel<T>& model_;
  NewtonSettings<T> settings_;
  MechanicalLayout layout_;
  Index s_, size_;  // size_: A_i and L_i
  bool looks_ahead_;
  Matrix<T> A_, conjugate_, product_;  // (s, s): a, â, a â
  Vector<T> b_, c_;                    // (s)
  std::vector<SparseBlocks<T>> stages_;
  SparseBlocks<T> end_;
  std::unique_ptr<BlockLu<T>> lu_;
  const Forms* forms_ = nullptr;  // that lu_ is arranged for
  std::vector<Places> places_;    // (s s)
  std::vector<std::size_t> mass_, forces_, last_q_, last_v_;
  const State<T>* from_ = nullptr;
  T h_{0};
  Matrix<T> dq_, V_;  // (n, s)
  Vector<T> q_, v_, a_, lambda_, end_v_, rest_, row_;
  Vector<T> X_, R_;  // (s (n + m)): (A_1, L_1, A_2, ...), residual or correction
  Vector<T> increment_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_lobatto_pair(const LobattoPair& pair, System<T>& system, MechanicalModel<T>& model,
                                              const NewtonOptions& newton) {
  if (model.nonholonomic() > 0)
    throw NotApplicable("the method needs holonomic constraints: it imposes their positions and velocities");
  const Index n = model.coordinates(), m = model.constraints();
  if (system.size() != 2 * n + m || (m > 0 && system.index() != 3) || system.facts().stabilizes)
    throw NotApplicable("the method imposes the levels of the constraints itself: use the index-3 formulation");
  if (const auto rank = analyse_start(model, model.initial_q(), model.initial_v()).rank; rank < m)
    throw NotApplicable(
        fmt::format("the method needs independent constraints, and C_q has rank {} of {}: choose an explicit method on "
                    "projected, or an implicit one on index-2 or ggl",
                    rank, m));
  return std::make_unique<LobattoPairStepper<T>>(pair, system, model, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                                    \
  template std::unique_ptr<Stepper<T>> make_lobatto_pair<T>(const LobattoPair&, System<T>&, MechanicalModel<T>&, \
                                                            const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
