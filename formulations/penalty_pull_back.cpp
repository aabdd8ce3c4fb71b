// Index 1 pulled back to its invariants by penalties: the gradients of |C|^2/2 by q and of |R|^2/2 by v, R = C_q v +
// C_t and G, times a rate kappa, in the equations of (q, v),
//
//   q' = v - kappa C_q^T C,   v' = a(t, q, v) - kappa J^T R,   J = C_q and G_v.
//
// Invariants F = 0 of x' = g(x) may pull back by x' = g(x) - F_x^T mu [Gea86]; penalties mu = kappa F in the place of
// the multipliers leave equations that explicit methods integrate [Gea06]. On the constraints the motion is that of the
// mechanism. Beside them
//
//   C' = R - kappa C_q C_q^T C,   R' = -kappa R_q C_q^T C - kappa J J^T R:
//
// violations decay with the rates kappa sigma^2, sigma the singular values of J, once kappa is large against
// |R_q C_q^T|/sigma^4. The fastest rate decides which steps are stable. [Ren20] names the pull by a penalty and prints
// no formula. (The gradient of |R|^2/2 by q, R_q^T R, is left out: its rate grows with the square of the velocities.)
//
// [Gea86] Gear, Maintaining solution invariants in the numerical solution of ODEs, SIAM Journal on Scientific and
// Statistical Computing 7(3), 1986, 734-743.
// [Gea06] Gear, Towards explicit methods for differential algebraic equations, BIT Numerical Mathematics 46, 2006,
// 505-514.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include <cmath>

#include "core/equations/dense_refusal.hpp"
#include "core/equations/explicit_forms.hpp"
#include "core/equations/formulation.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

struct PenaltyPullBack {
  static constexpr const char* name = "penalty-pull-back";
  static constexpr const char* summary =
      "Acceleration-level constraints; gradients of penalties pull positions and velocities back: for explicit "
      "methods.";
  static constexpr const char* source = "Gear 1986; Gear 2006; named in Ren, Zhou 2020, introduction, reference 36";

  std::optional<Exact> kappa;

  Options options() {
    return {option("kappa", kappa,
                   "factor of the gradients; null: so that the slowest violation decays with the rate that penalty:chi "
                   "chooses",
                   positive())};
  }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration),
            .state_space = true,
            .needs_linear_equations = true,
            .stabilized = true};
  }

  template <class T>
  std::string refusal(const MechanicalModel<T>& model) const {
    return dense_refusal(name, model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const;
};

// The least singular value of J at the start that is not round-off; 1 without constraints.
template <class T>
double weakest_constraint(MechanicalModel<T>& model) {
  const Index n = model.coordinates(), m = model.constraints();
  if (m == 0) return 1;
  Vector<T> C = Vector<T>::Zero(m);
  Matrix<T> J = Matrix<T>::Zero(m, n);
  model.constraints_and_jacobian(model.initial_t(), model.initial_q(), model.initial_v(), C, J);
  const Vector<double> values = dense::singular_values(Matrix<double>(J.template cast<double>()));
  Index last = values.size() - 1;
  while (last > 0 && values[last] <= std::sqrt(epsilon<double>()) * values[0]) --last;
  return values[last];
}

template <class T>
class PulledBackSystem final : public ConstrainedSystem<T> {
 public:
  PulledBackSystem(MechanicalModel<T>& model, const T& kappa, Multipliers<T>& multipliers)
      : ConstrainedSystem<T>(model, Level::acceleration, multipliers),
        kappa_(kappa),
        layout_{model.coordinates(), model.constraints()},
        holonomic_(model.constraints() - model.nonholonomic()) {
    this->facts_.stabilizes = true;
    for (Vector<T>* x : {&q_, &v_, &zero_}) x->setZero(layout_.n);
    for (Vector<T>* x : {&C_, &R_}) x->setZero(layout_.m);
    J_.setZero(layout_.m, layout_.n);
  }

  std::unique_ptr<Linearization<T>> linearization() override {
    if (layout_.m > 0)
      throw NotApplicable(
          "the pulled-back form is for explicit methods, of which rkc and rock4 are stable for large rates: implicit "
          "methods take index-3, index-2, ggl, index-1 or baumgarte");
    return ConstrainedSystem<T>::linearization();
  }

  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    if (const Status status = ConstrainedSystem<T>::consistent_derivatives(t, y, ydot); !status.ok()) return status;
    if (layout_.m == 0) return {};
    q_ = layout_.q(y), v_ = layout_.v(y);
    MechanicalModel<T>& model = this->model_;
    model.constraints_and_jacobian(t, q_, v_, C_, J_);
    model.constraint_level(Level::velocity, t, q_, v_, zero_, R_);
    auto q_rate = ydot.head(layout_.n), v_rate = ydot.segment(layout_.n, layout_.n);
    q_rate.noalias() -= kappa_ * J_.topRows(holonomic_).transpose().lazyProduct(C_.head(holonomic_));
    v_rate.noalias() -= kappa_ * J_.transpose().lazyProduct(R_);
    return {};
  }

 private:
  T kappa_;
  MechanicalLayout layout_;
  Index holonomic_;
  Matrix<T> J_;
  Vector<T> q_, v_, zero_, C_, R_;
};

template <class T>
std::unique_ptr<System<T>> PenaltyPullBack::system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
  const auto automatic = [&] {
    const double weakest = weakest_constraint(model);
    return automatic_attraction(model, "kappa") / (weakest * weakest);
  };
  return std::make_unique<PulledBackSystem<T>>(model, kappa ? kappa->as<T>() : T(automatic()), multipliers);
}
const FormulationEntry<PenaltyPullBack> penalty_pull_back_entry;

}  // namespace
}  // namespace daelab
