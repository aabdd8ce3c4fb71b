// Penalty stabilisation: the multipliers are states, driven by the violation of the velocity constraints, with a factor
// that the step size chooses. [PC88]
//
//   q' = v,   M v' = Q - J^T lambda,   epsilon lambda' = J v + C_t (holonomic), G (nonholonomic),   J = C_q and G_v.
//
// So C = epsilon (lambda - lambda_0) where epsilon does not change: violations stay as large as epsilon, also where
// constraints depend on each other or a rank falls. What the multipliers miss oscillates with the frequencies
// sqrt(sigma/epsilon), sigma the eigenvalues of J M^-1 J^T. With epsilon = factor sigma_0 h^2, sigma_0 their mean at
// the start, these are about 1/(h sqrt(factor)): a method sees the same oscillation whatever its step, and errors are
// as large as h^2. Steps must not become smaller then, or epsilon is given.
//
// [PC88] Park, Chiou, Stabilization of computational procedures for constrained dynamical systems, Journal of Guidance,
// Control, and Dynamics 11(4), 1988, 365-370.
#include "core/accelerations/acceleration_solver.hpp"
#include "core/equations/dense_refusal.hpp"
#include "core/equations/formulation.hpp"
#include "core/equations/mechanical_layout.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {
namespace {

struct ParkChiou {
  static constexpr const char* name = "park-chiou";
  static constexpr const char* summary =
      "Multipliers as states: epsilon lambda' = C_q v + C_t, epsilon chosen by the step.";
  static constexpr const char* source = "Park, Chiou 1988";

  Exact factor = 1;
  std::optional<Exact> epsilon;

  Options options() {
    return {option("factor", factor,
                   "epsilon is this times h^2 and the mean of the diagonal of J M^-1 J^T at the start", positive()),
            option("epsilon", epsilon, "the same in all steps; null: by factor", positive())};
  }
  FormulationTraits traits() const {
    return {.index = 0,
            .state_space = true,
            .needs_linear_equations = true,
            .stabilized = true,
            .without_orders = epsilon ? "the motion differs from that of the mechanism by epsilon"
                                      : "the equations change with the step: no theorem"};
  }

  template <class T>
  std::string refusal(const MechanicalModel<T>& model) const {
    return dense_refusal(name, model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const;
};

template <class T>
struct PenaltyBlocks {
  Index n, m;
  SparseBlocks<T> of_model;
  const T* epsilon;
  SparseMatrix<T> identity;  // (m, m)
  long patterns = 0;         // how many there have been so far: they change with the model's mode
};

// dq' = r_q + kappa dv' leaves (dv', dlambda) with lambda = kappa lambda':
//   [ M + kappa D + kappa^2 K         J^T        ]
//   [ J + kappa R_q            -epsilon/kappa^2  ]
template <class T, class S>
class PenaltyMatrix final : public IterationMatrix<S> {
 public:
  explicit PenaltyMatrix(const PenaltyBlocks<T>& blocks) : b_(blocks), lu_(0), reduced_(blocks.n + blocks.m) {}

  Status factorize(const S& kappa) override {
    if (patterns_ != b_.patterns) arrange();
    const SparseBlocks<T>& of_model = b_.of_model;
    kappa_ = kappa;
    lu_.clear();
    lu_.accumulate(M_, of_model.M);
    lu_.accumulate(D_, of_model.D, kappa);
    lu_.accumulate(K_, of_model.K, S(kappa * kappa));
    lu_.accumulate(reactions_, of_model.J);
    lu_.accumulate(R_v_, of_model.R_v);
    lu_.accumulate(R_q_, of_model.R_q, kappa);
    lu_.accumulate(identity_, b_.identity, S(-*b_.epsilon / (kappa * kappa)));
    return lu_.factorize();
  }
  void reuse(const S& kappa) override { kappa_ = kappa; }
  void solve(Vector<S>& r) override {
    const Index n = b_.n, m = b_.m;
    reduced_.head(n) = r.segment(n, n);
    reduced_.tail(m) = r.tail(m) / kappa_;
    b_.of_model.K.add_product(r, reduced_, S(-kappa_));
    b_.of_model.R_q.add_product(r, reduced_.segment(n, m), S(-1));
    lu_.solve(reduced_);
    r.head(n) += kappa_ * reduced_.head(n);
    r.segment(n, n) = reduced_.head(n);
    r.tail(m) = reduced_.tail(m) / kappa_;
  }

 private:
  void arrange() {
    const Index n = b_.n;
    const SparseBlocks<T>& of_model = b_.of_model;
    patterns_ = b_.patterns;
    lu_ = BlockLu<S>(n + b_.m, SolutionUse::correction);
    M_ = lu_.add(of_model.M.pattern, 0, 0), D_ = lu_.add(of_model.D.pattern, 0, 0);
    K_ = lu_.add(of_model.K.pattern, 0, 0), reactions_ = lu_.add(of_model.J.pattern, 0, n, true);
    R_v_ = lu_.add(of_model.R_v.pattern, n, 0), R_q_ = lu_.add(of_model.R_q.pattern, n, 0);
    identity_ = lu_.add(b_.identity.pattern, n, n);
    lu_.complete();
  }

  const PenaltyBlocks<T>& b_;
  S kappa_{1};
  long patterns_ = 0;  // those of lu_
  BlockLu<S> lu_;
  std::size_t M_ = 0, D_ = 0, K_ = 0, reactions_ = 0, R_v_ = 0, R_q_ = 0, identity_ = 0;
  Vector<S> reduced_;
};

template <class T>
class PenaltyLinearization final : public Linearization<T> {
 public:
  PenaltyLinearization(MechanicalModel<T>& model, const T& epsilon)
      : model_(model), b_{model.coordinates(), model.constraints(), {}, &epsilon, {}} {
    b_.identity.take(SparsePattern::diagonal(b_.m));
    b_.identity.values.setOnes();
    identity_.take(SparsePattern::diagonal(b_.n));
    identity_.values.setOnes();
    for (Vector<T>* x : {&q_, &v_, &a_}) x->setZero(b_.n);
    lambda_.setZero(b_.m);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    const MechanicalLayout layout{b_.n, b_.m};
    q_ = layout.q(y), v_ = layout.v(y), a_ = layout.a(ydot), lambda_ = layout.lambda(y);
    const auto before = b_.of_model.K.pattern;
    model_.blocks(Level::velocity, t, q_, v_, a_, lambda_, b_.of_model);
    if (b_.patterns == 0 || before != b_.of_model.K.pattern) ++b_.patterns;
  }

  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    if (coupled_patterns_ != b_.patterns) arrange();
    const SparseBlocks<T>& of_model = b_.of_model;
    by_y_.clear(), by_ydot_.clear();
    by_y_.accumulate(0, identity_, T(-1));
    by_y_.accumulate(1, of_model.K), by_y_.accumulate(2, of_model.D), by_y_.accumulate(3, of_model.J);
    by_y_.accumulate(4, of_model.R_q), by_y_.accumulate(5, of_model.R_v);
    by_ydot_.accumulate(0, identity_), by_ydot_.accumulate(1, of_model.M);
    by_ydot_.accumulate(2, b_.identity, T(-*b_.epsilon));
    F_y = by_y_.matrix(), F_ydot = by_ydot_.matrix();
  }

  std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<PenaltyMatrix<T, T>>(b_); }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<PenaltyMatrix<T, std::complex<T>>>(b_);
  }

 private:
  void arrange() {
    const Index n = b_.n, size = 2 * n + b_.m;
    const SparseBlocks<T>& of_model = b_.of_model;
    coupled_patterns_ = b_.patterns;
    by_y_ = SparseSum<T>(size, size), by_ydot_ = SparseSum<T>(size, size);
    by_y_.add(identity_.pattern, 0, n);
    by_y_.add(of_model.K.pattern, n, 0), by_y_.add(of_model.D.pattern, n, n);
    by_y_.add(of_model.J.pattern, n, 2 * n, true);
    by_y_.add(of_model.R_q.pattern, 2 * n, 0), by_y_.add(of_model.R_v.pattern, 2 * n, n);
    by_ydot_.add(identity_.pattern, 0, 0), by_ydot_.add(of_model.M.pattern, n, n);
    by_ydot_.add(b_.identity.pattern, 2 * n, 2 * n);
    by_y_.complete(), by_ydot_.complete();
  }

  MechanicalModel<T>& model_;
  PenaltyBlocks<T> b_;
  long coupled_patterns_ = 0;
  SparseMatrix<T> identity_;
  SparseSum<T> by_y_{0, 0}, by_ydot_{0, 0};
  Vector<T> q_, v_, a_, lambda_;
};

template <class T>
class MultiplierStates final : public System<T> {
 public:
  MultiplierStates(MechanicalModel<T>& model, const ParkChiou& options, Multipliers<T>& multipliers)
      : model_(model),
        layout_{model.coordinates(), model.constraints()},
        follows_step_(!options.epsilon),
        factor_(options.factor.as<T>()),
        epsilon_(options.epsilon ? options.epsilon->as<T>() : T(1)),
        start_(model, multipliers),
        mass_(layout_.n) {
    for (Vector<T>* x : {&q_, &v_, &a_}) x->setZero(layout_.n);
    for (Vector<T>* x : {&lambda_, &row_, &C_}) x->setZero(layout_.m);
    J_.setZero(layout_.m, layout_.n);
    scale_ = mean_of_the_start();
    const Index size = 2 * layout_.n + layout_.m;
    this->facts_ = {.size = size,
                    .differential = size,
                    .positions = layout_.n,
                    .depends_on_step_size = follows_step_,
                    .stabilizes = true};
  }

  Forms* forms() override { return &model_.forms(); }
  MechanicalModel<T>* mechanical_model() override { return &model_; }
  std::unique_ptr<Linearization<T>> linearization() override {
    return std::make_unique<PenaltyLinearization<T>>(model_, epsilon_);
  }

  /// A smaller epsilon would make large forces of the violations that a larger one allowed.
  Status start_step(const T& /*t*/, const T& h, const Vector<T>& /*y*/) override {
    if (!follows_step_) return {};
    if (h < T(1 - rounding_of_steps) * step_)
      return {StatusCode::not_applicable,
              "park-chiou: steps must not become smaller, as epsilon follows them: give epsilon, or a step size that "
              "divides the interval"};
    step_ = h, epsilon_ = factor_ * scale_ * h * h;
    return {};
  }
  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override {
    const Index n = layout_.n, m = layout_.m;
    F.head(n) = ydot.head(n) - layout_.v(y);
    model_.residual(Level::velocity, t, y.data(), y.data() + n, ydot.data() + n, y.data() + 2 * n, F.data() + n,
                    F.data() + 2 * n);
    F.tail(m) -= epsilon_ * ydot.tail(m);
  }
  /// lambda is that of index 1.
  Status consistent_start(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    q_ = layout_.q(y), v_ = layout_.v(y);
    if (const Status status = start_.solve(t, q_, v_, a_, lambda_); !status.ok()) return status;
    y.tail(layout_.m) = lambda_;
    return consistent_derivatives(t, y, ydot);
  }
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    const Index n = layout_.n, m = layout_.m;
    q_ = layout_.q(y), v_ = layout_.v(y), lambda_ = layout_.lambda(y);
    if (!factorize_mass(t)) return {StatusCode::singular, "park-chiou: the mass matrix is not positive definite"};
    model_.force(t, q_, v_, a_);
    if (m > 0) {
      model_.constraints_and_jacobian(t, q_, v_, C_, J_);
      a_.noalias() -= J_.transpose().lazyProduct(lambda_);
      model_.constraint_level(Level::velocity, t, q_, v_, a_, row_);
    }
    mass_.solve(a_);
    ydot.head(n) = v_;
    ydot.segment(n, n) = a_;
    ydot.tail(m) = row_ / epsilon_;
    return {};
  }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override {
    using std::abs;
    for (Index i = 0; i < y.size(); ++i) w[i] = h / (T(1) + abs(y[i]));
    w.tail(layout_.m) *= h;  // epsilon, as small as h^2, amplifies the round-off of J v by 1/h
  }

 private:
  bool factorize_mass(const T& t) {
    model_.mass(t, q_, mass_.matrix());
    return mass_.factorize();
  }
  // The mean diagonal of J M^-1 J^T; where a mass is missing the run says so before it needs it.
  T mean_of_the_start() {
    const Index n = layout_.n, m = layout_.m;
    q_ = model_.initial_q(), v_ = model_.initial_v();
    if (m == 0 || !factorize_mass(model_.initial_t())) return T(1);
    model_.constraints_and_jacobian(model_.initial_t(), q_, v_, C_, J_);
    T sum(0);
    for (Index i = 0; i < m; ++i) {
      a_ = J_.row(i).transpose();
      mass_.solve(a_);
      for (Index j = 0; j < n; ++j) sum += J_(i, j) * a_[j];
    }
    return sum / T(m);
  }

  static constexpr double rounding_of_steps = 1e-6;
  MechanicalModel<T>& model_;
  MechanicalLayout layout_;
  bool follows_step_;
  T step_{0};                      // the last one
  T factor_, scale_{1}, epsilon_;  // before the first step, on the constraints, epsilon has no effect
  AccelerationSolver<T> start_;
  CholeskyFactor<T> mass_;
  Matrix<T> J_;
  Vector<T> q_, v_, a_, lambda_, row_, C_;
};

template <class T>
std::unique_ptr<System<T>> ParkChiou::system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
  return std::make_unique<MultiplierStates<T>>(model, *this, multipliers);
}
const FormulationEntry<ParkChiou> park_chiou_entry;

}  // namespace
}  // namespace daelab
