// TLISMNI, the two-loop implicit sparse matrix numerical integration: an implicit formula on independent coordinates,
// the dependent ones from the constraints, accelerations from the augmented equations.
//
// [SH09] Shabana, Hussein, A two-loop sparse matrix numerical integration procedure for the solution of
// differential/algebraic equations: Application to multibody systems, J. Sound Vib. 327, 2009, 557-563.
#include "core/integration/constrained_method.hpp"
#include "methods/constrained/tlismni_stepper.hpp"

namespace daelab {

inline std::vector<std::string> names_of(TwoLoopFormula) { return {"hht", "trapezoidal", "bdf2"}; }

namespace {

struct Tlismni {
  static constexpr const char* name = "tlismni";
  static constexpr const char* summary =
      "Two-loop implicit integration of independent coordinates: order 2, all three constraint levels, no "
      "derivatives of forces.";
  static constexpr const char* source = "Shabana, Hussein 2009; Aboubakr, Shabana 2015";

  TwoLoopFormula formula = TwoLoopFormula::hht;
  Exact alpha = "3/10";

  Options options() {
    return {option("formula", formula,
                   "on the independent coordinates: of Hilber, Hughes and Taylor, the trapezoidal "
                   "rule, or backward differences of order 2"),
            option("alpha", alpha, "hht only: damping, 0 none, at most 1/3", at_least(0))};
  }
  TwoLoopScheme scheme(const std::string& where) const {
    if (3 * alpha.value() > 1) throw InputError(where + "/alpha", alpha.text() + " is out of range; allowed: 0 to 1/3");
    return {formula, formula == TwoLoopFormula::hht ? alpha.value() : Real100(0)};
  }
};

// q'' + 2 zeta omega q' + omega^2 q = 0 with X = (q, h v, h^2 s), s the lagging accelerations.
OscillatorForm averaged_forces(const Real100& alpha) {
  const Real100 gamma = Real100(1) / 2 + alpha, beta = (1 + alpha) * (1 + alpha) / 4;
  OscillatorForm form;
  for (auto* matrices : {&form.next, &form.now})
    for (Matrix<Real100>& x : *matrices) x.setZero(3, 3);
  form.next[0] << 1, 0, -beta, 0, 1, -gamma, 0, 0, 1;
  form.now[0] << 1, 1, Real100(1) / 2 - beta, 0, 1, 1 - gamma, 0, 0, 0;
  form.next[1](2, 1) = form.next[2](2, 0) = 1 - alpha;
  form.now[1](2, 1) = form.now[2](2, 0) = -alpha;
  return form;
}

MultistepForm backward_differences() {
  return {{Vector<Real100>{{Real100(3) / 2, Real100(-2), Real100(1) / 2}}, Vector<Real100>{{1, 0, 0}}}, {}};
}

class TlismniMethod final : public ConstrainedMethodOf<TlismniMethod> {
 public:
  TlismniMethod(const Tlismni& definition, const std::string& where) : scheme_(definition.scheme(where)) {}
  MethodForm form() const override {
    if (scheme_.formula == TwoLoopFormula::bdf2) return backward_differences();
    return averaged_forces(scheme_.alpha);
  }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const override {
    return orders_on_manifold(formulation, 2, "a formula of order 2 in coordinates of the constraint manifold");
  }

 private:
  const char* needs() const override { return "tlismni needs mass, force and constraints of a mechanical system"; }
  friend ConstrainedMethodOf<TlismniMethod>;
  template <class T>
  std::unique_ptr<Stepper<T>> bound(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) const {
    return make_two_loop<T>(scheme_, system, model, newton);
  }

  TwoLoopScheme scheme_;
};

const MethodEntry<Tlismni, TlismniMethod> tlismni_entry;

}  // namespace
}  // namespace daelab
