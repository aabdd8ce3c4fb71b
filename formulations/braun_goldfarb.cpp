// Modified equations of motion: a virtual impulse in q' and a virtual force in v' draw back what numerical errors take
// off the constraints. Of all that do so the impulse has the least kinetic energy, and the acceleration is the nearest
// to that of the unconstrained motion. [BG09]
//
//   q' = v + x,         C_q x = -(C_q v + C_t) - (gain/h) C,           x = M^(-1/2) (C_q M^(-1/2))^+ (...),
//   v' = a_0 + M^(-1/2) (J M^(-1/2))^+ (gamma - (gain/h) (C_q v + C_t) - J a_0),   a_0 = M^-1 Q.
//
// The rate follows the size h of the step, our choice, so that a step of Euler's explicit method with the gain 1
// removes a violation. A violation that the stages of a step make, as large as h^2, enters the step at this rate:
// Runge-Kutta methods have at most the order 2, and 1 in accelerations; multistep methods, which have no stages, keep
// theirs.
//
// [BG09] Braun, Goldfarb, Eliminating constraint drift in the numerical simulation of constrained dynamical systems,
// Computer Methods in Applied Mechanics and Engineering 198, 2009, 3151-3160.
#include "core/equations/dense_refusal.hpp"
#include "core/equations/explicit_forms.hpp"
#include "core/equations/formulation.hpp"
#include "core/equations/own_multipliers.hpp"
#include "core/solvers/pseudo_inverse.hpp"

namespace daelab {
namespace {

struct BraunGoldfarb {
  static constexpr const char* name = "braun-goldfarb";
  static constexpr const char* summary =
      "Virtual impulse and force, by a pseudo-inverse, draw back to the constraints within a step: for explicit "
      "methods.";
  static constexpr const char* source = "Braun, Goldfarb 2009";

  Exact gain = 1;
  RankOptions rank{.tolerance = "1e-4"};  // as in udwadia-kalaba

  Options options() {
    std::vector<Option> list{
        option("gain", gain, "rate of the constraints times h; the method must be stable for the eigenvalue -gain/h",
               positive())};
    for (Option& o : rank.list()) list.push_back(std::move(o));
    return list;
  }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration),
            .state_space = true,
            .needs_linear_equations = true,
            .stabilized = true,
            .without_orders = "the rate of the constraints follows the step: no theorem"};
  }

  template <class T>
  std::string refusal(const MechanicalModel<T>& model) const {
    return dense_refusal(name, model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& /*multipliers*/) const {
    return std::make_unique<WithOwnMultipliers<T, PenaltySystem>>(
        std::make_unique<PseudoInverse<T>>(model.coordinates(), model.constraints(), rank), model,
        AttractionRate<T>{gain.as<T>(), true});
  }
};
const FormulationEntry<BraunGoldfarb> braun_goldfarb_entry;

}  // namespace
}  // namespace daelab
