// Kinematic analysis step by step: for mechanisms whose constraints leave no degree of freedom the motion follows
// from the constraints alone, at any time and without integration, so that nothing drifts and no step is too long
// for accuracy. Steps carry the guess of Newton's iteration,
//
//   q_n = q_{n-1} + h v_{n-1} + h^2/2 a_{n-1},                                               [Ren20, eq. (12)]
//
// and the position found from it is the branch of the mechanism that continues the motion.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098 (a review of integrator
// algorithms for multibody software), section 2, eqs. (11) to (15).
#include <fmt/format.h>

#include "core/integration/constrained_method.hpp"
#include "core/integration/large_mechanism.hpp"
#include "methods/constrained/kinematics.hpp"

namespace daelab {
namespace {

template <class T>
void refuse_undetermined(const MechanicalModel<T>& model) {
  refuse_large("kinematic", model.coordinates());
  if (model.nonholonomic() > 0) throw NotApplicable("kinematic analysis needs holonomic constraints");
  if (model.constraints() != model.coordinates())
    throw NotApplicable(
        fmt::format("kinematic analysis needs as many independent constraints as coordinates: n = {}, "
                    "m = {}",
                    model.coordinates(), model.constraints()));
}

template <class T>
class KinematicStepper final : public Stepper<T> {
 public:
  KinematicStepper(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton)
      : analysis_(model, newton), n_(model.coordinates()), accelerations_(system.accelerations()) {
    for (Vector<T>* x : {&q_, &v_, &a_, &lambda_}) x->setZero(n_);
  }

  std::vector<std::string> newton_options() const override {
    return {"name", "test", "norm", "tolerance", "max_iterations"};
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    to.t = from.t + h;
    for (Index i = 0; i < n_; ++i) q_[i] = from.y[i] + h * (from.y[n_ + i] + h * from.ydot[n_ + i] / T(2));
    if (const Status status = analysis_.positions(to.t, q_, this->statistics_); !status.ok()) return status;
    if (const Status status = analysis_.motion(to.t, q_, v_, a_, lambda_, this->statistics_); !status.ok())
      return status;
    ++this->statistics_.steps;
    write(to);
    return {};
  }

 private:
  // Further multipliers of stabilised forms vanish on the constraints.
  void write(State<T>& to) const {
    to.y.setZero(), to.ydot.setZero(), to.compensation.setZero();
    to.y.head(n_) = q_;
    to.y.segment(n_, n_) = to.ydot.head(n_) = v_;
    to.y.segment(2 * n_, n_) = lambda_;
    to.ydot.segment(n_, n_) = a_;
    if (accelerations_ > 0) to.y.segment(accelerations_, n_) = a_;
  }

  KinematicAnalysis<T> analysis_;
  Index n_, accelerations_;
  Vector<T> q_, v_, a_, lambda_;
};

struct Kinematic {
  static constexpr const char* name = "kinematic";
  static constexpr const char* summary =
      "Kinematic analysis of mechanisms without degrees of freedom: positions, velocities, accelerations and reactions "
      "from the constraints, no integration.";
  static constexpr const char* source = "Ren, Zhou 2020, eqs. (11) to (15)";
  Options options() { return {}; }
};

class KinematicMethod final : public ConstrainedMethodOf<KinematicMethod> {
 public:
  KinematicMethod(const Kinematic& /*definition*/, const std::string& /*where*/) {}
  MethodForm form() const override { return NoForm{"it follows the constraints and integrates nothing"}; }

 private:
  const char* needs() const override { return "kinematic analysis needs the constraints of a mechanical system"; }
  friend ConstrainedMethodOf<KinematicMethod>;
  template <class T>
  std::unique_ptr<Stepper<T>> bound(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) const {
    refuse_undetermined(model);
    return std::make_unique<KinematicStepper<T>>(system, model, newton);
  }
};

const MethodEntry<Kinematic, KinematicMethod> kinematic_entry;

}  // namespace
}  // namespace daelab
