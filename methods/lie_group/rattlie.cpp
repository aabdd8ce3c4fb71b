// RATTLie: RATTLE on Lie groups, a variational integrator that keeps positions and velocities on their constraints.
// With constant M and Q = hat(v)^T M v + f it is [HA21]
//
//   M v_n = T^-T(-h D) M D - h/2 (f(g_n) - B(g_n)^T lambda^+),   g_(n+1) = g_n exp(h D),   C(g_(n+1)) = 0,
//   M v_(n+1) = T^-T(h D) M D + h/2 (f(g_(n+1)) - B(g_(n+1))^T lambda^-),   B v_(n+1) + C_t = 0.
//
// T^-T(w) = I + hat(w)^T/2 + E(w) with an even E, which vanishes in R^n. So the same in Q, for any M and forces:
//
//   M(g_n) (D - v_n) = h/2 (Q(g_n, D) - B^T lambda^+) - E(h D) M D,
//   M(g_(n+1)) (v_(n+1) - D) = h/2 (Q(g_(n+1), D) - B^T lambda^-) + E(h D) M D.
//
// It is symmetric. In R^n it is RATTLE. Accelerations and multipliers of the step end are those of (g, v).
//
// [HA21] Hante, Arnold, RATTLie: a variational Lie group integration scheme for constrained mechanical systems, Journal
//        of Computational and Applied Mathematics 387, 2021, 112492.
#include "core/base/makes.hpp"
#include "core/integration/constrained_method.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/lie_group/displacement_step.hpp"

namespace daelab {
namespace {

struct RattLieOptions : Makes<Method, "rattle"> {
  static constexpr const char* name = "rattlie";
  static constexpr const char* summary =
      "RATTLE on Lie groups: position and velocity constraints to round-off, order 2, symmetric, variational.";
  static constexpr const char* source = "Hante, Arnold 2021";
  Options options() { return {}; }
  /// In R^n.
  static MethodForm form() { return shared<"rattle">().form(); }
};

template <class T>
class RattLie final : public Stepper<T>, private NewtonTarget<T> {
 public:
  RattLie(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton)
      : system_(system),
        model_(model),
        settings_(newton),
        n_(model.coordinates()),
        m_(model.constraints()),
        left_(model),
        g_(left_.configuration()),
        end_(g_),
        lu_(n_ + m_),
        last_(n_ + m_) {
    settings_.set_tolerance(epsilon<T>());
    for (Vector<T>* x : {&v_, &a_, &D_, &hD_, &Q_, &curved_, &momentum_, &zero_}) x->setZero(n_);
    for (Vector<T>* x : {&lambda_, &row_, &h_row_}) x->setZero(m_);
    for (Matrix<T>* A : {&M_, &AT_, &K_, &damping_}) A->setZero(n_, n_);
    for (Matrix<T>* A : {&B0_, &B_}) A->setZero(m_, n_);
    for (Vector<T>* x : {&X_, &R_}) x->setZero(n_ + m_);
  }
  std::vector<std::string> newton_options() const override { return {"name", "test", "tolerance", "max_iterations"}; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = move(from, h, to); !status.ok()) return status;
    ++this->statistics_.steps;
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

 private:
  Status move(const State<T>& from, const T& h, State<T>& to) {
    const typename LeftModel<T>::Visit visit(left_);
    t_ = from.t, h_ = h;
    left_.load(from, g_, v_, a_);
    X_.head(n_) = v_ + (h / T(2)) * a_;
    X_.tail(m_) = (h / T(2)) * left_.layout().lambda(from.y);
    if (Status status = newton<T>(settings_, *this, false, this->statistics_); !status.ok()) return status;
    evaluate();  // what is left of positions is 1/h times as large in velocities
    correct(T(1));
    ++this->statistics_.newton_iterations;
    place();
    if (Status status = end_velocity(); !status.ok()) return status;
    v_ = R_.head(n_);
    left_.store(end_, v_, zero_, to);
    to.y.tail(m_) = left_.layout().lambda(from.y);  // where multipliers are sought from
    to.t = from.t + h;
    return {};
  }

  void place() {
    D_ = X_.head(n_), hD_ = h_ * D_;
    end_.q = g_.q, end_.held = g_.held;
    left_.space.move(lie::Retraction::exponential, hD_, end_);
  }
  // curved_ := E(h D) M D with the mass matrix at hand.
  void curve() {
    curved_.setZero();
    if (!left_.space.has_groups()) return;
    curved_.noalias() = M_.lazyProduct(D_);
    momentum_ = curved_;
    left_.space.transposed_inverse_tangent(hD_, curved_);
    curved_ -= momentum_;
    left_.space.transposed_bracket(hD_, momentum_);
    curved_ -= momentum_ / T(2);
  }

  // Unknowns: D and h lambda^+/2.
  Status evaluate() override {
    place();
    left_.go_to(g_);
    model_.data(t_, g_.q, D_, M_, Q_, B0_, h_row_);
    curve();
    momentum_ = D_ - v_;
    R_.head(n_).noalias() = M_.lazyProduct(momentum_);
    R_.head(n_) += curved_ - (h_ / T(2)) * Q_;
    R_.head(n_).noalias() += B0_.transpose().lazyProduct(X_.tail(m_));
    left_.go_to(end_);
    model_.constraint(t_ + h_, end_.q, row_, B_);
    R_.tail(m_) = row_ / h_;
    ++this->statistics_.residuals;
    return {};
  }

  Status linearize() override {
    if (const Status status = evaluate(); !status.ok()) return status;
    left_.go_to(g_);
    lambda_ = (T(2) / h_) * X_.tail(m_);
    model_.motion_jacobians(t_, g_.q, D_, zero_, lambda_, K_, damping_);
    left_.space.tangent_matrix(hD_, AT_);
    Matrix<T>& J = lu_.matrix();
    J.setZero();
    J.topLeftCorner(n_, n_) = M_ + (h_ / T(2)) * damping_;
    J.topRightCorner(n_, m_) = B0_.transpose();
    J.bottomLeftCorner(m_, n_).noalias() = B_.lazyProduct(AT_);
    ++this->statistics_.jacobians, ++this->statistics_.factorizations;
    return named(lu_.factorize());
  }
  void correct(const T& relaxation) override {
    lu_.solve(R_);
    ++this->statistics_.back_solves;
    X_ -= relaxation * R_;
  }
  T residual_size() override { return max_norm(R_); }
  T correction_size() override {
    using std::abs;
    NormOf<T> norm;
    for (Index i = 0; i < n_; ++i) norm.add(T(h_ * R_[i] / (T(1) + abs(g_.q[i]))));
    return norm.value();
  }

  // (v_(n+1), h lambda^-/2) into R_.
  Status end_velocity() {
    left_.go_to(end_);
    const T t = t_ + h_;
    model_.data(t, end_.q, D_, M_, Q_, B_, h_row_);
    curve();
    R_.head(n_).noalias() = M_.lazyProduct(D_);
    R_.head(n_) += (h_ / T(2)) * Q_ + curved_;
    model_.constraint_level(Level::velocity, t, end_.q, zero_, zero_, row_);
    R_.tail(m_) = -row_;
    Matrix<T>& A = last_.matrix();
    A.setZero();
    A.topLeftCorner(n_, n_) = M_, A.topRightCorner(n_, m_) = B_.transpose(), A.bottomLeftCorner(m_, n_) = B_;
    ++this->statistics_.factorizations, ++this->statistics_.back_solves;
    if (const Status status = named(last_.factorize()); !status.ok()) return status;
    last_.solve(R_);
    return {};
  }
  static Status named(Status status) {
    if (status.code == StatusCode::singular)
      status.cause =
          "the matrix of a step is singular: dependent constraints, or a step so long that the constraints at "
          "its ends have nothing in common";
    return status;
  }

  System<T>& system_;
  MechanicalModel<T>& model_;
  NewtonSettings<T> settings_;
  Index n_, m_;
  LeftModel<T> left_;
  Configuration<T> g_, end_;
  DenseLu<T> lu_, last_;
  T t_{0}, h_{0};
  Vector<T> v_, a_, D_, hD_, Q_, curved_, momentum_, zero_;  // (n)
  Vector<T> lambda_, row_, h_row_;                           // (m)
  Matrix<T> M_, AT_, K_, damping_, B0_, B_;
  Vector<T> X_, R_;
};

class RattLieMethod final : public ConstrainedMethod, public SymmetricMethod {
 public:
  RattLieMethod(const RattLieOptions& /*definition*/, const std::string& /*where*/) {}
  Level natural_level() const override { return Level::position; }
  bool is_symmetric() const override { return true; }
  MethodForm form() const override { return RattLieOptions::form(); }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const override {
    if (formulation.imposes_only(Level::position) && !formulation.stabilized)
      return PredictedOrders::everywhere(2, "Hante, Arnold 2021; a and lambda as functions of (q, v)");
    return PredictedOrders::unknown("it imposes the levels of the constraints itself, on index-3");
  }

 private:
  const char* needs() const override { return "the method needs mass, force and constraints of a mechanical system"; }
#define DAELAB_DEFINE(T)                                                                                      \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) \
      const override {                                                                                        \
    require_group_step(system, model);                                                                        \
    return std::make_unique<RattLie<T>>(system, model, newton);                                               \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE
};
const MethodEntry<RattLieOptions, RattLieMethod> rattlie_entry;

}  // namespace
}  // namespace daelab
