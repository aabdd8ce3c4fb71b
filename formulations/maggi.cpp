// Maggi's equations, also called a velocity transformation, and Kane's: the equations of motion projected onto the
// velocities that the constraints allow, in as many quasi-velocities u as there are degrees of freedom.
//
//   q' = V u + w,   V^T M V u' = V^T (Q - M (V' u + w')),   J V = 0,  J w + C_t = 0. [LB08]
//
// Velocities satisfy their constraints at every stage, positions drift; null-space has the same equations with
// positions that follow from the constraints, too.
//
// [LB08] Laulusa, Bauchau, Review of classical approaches for constraint enforcement in multibody systems, Journal of
// Computational and Nonlinear Dynamics 3(1), 2008, 011004.
#include "core/equations/formulation.hpp"
#include "core/equations/local_coordinates_system.hpp"
#include "core/equations/velocity_coordinates_system.hpp"

namespace daelab {
namespace {

struct Maggi {
  static constexpr const char* name = "maggi";
  static constexpr const char* summary =
      "As many velocities as degrees of freedom, all coordinates: velocity constraints hold, positions drift.";
  static constexpr const char* source = "Laulusa, Bauchau 2008";

  enum class Velocities { independent, tangent };
  friend std::vector<std::string> names_of(Velocities) { return {"independent", "tangent"}; }

  Velocities velocities = Velocities::independent;

  Options options() {
    return {option("velocities", velocities,
                   "u: independent, the velocities of independent coordinates; tangent, components in the null space "
                   "of C_q")};
  }
  FormulationTraits traits() const {
    return {.levels = {.velocity = true, .acceleration = true},
            .state_space = true,
            .needs_linear_equations = true,
            .stabilized = true};
  }

  template <class T>
  std::string refusal(MechanicalModel<T>& model) const {
    return local_coordinates_refusal(model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    const LocalBasis basis = velocities == Velocities::tangent ? LocalBasis::tangent : LocalBasis::partition;
    return std::make_unique<VelocityCoordinatesSystem<T>>(model, basis, multipliers);
  }
};
const FormulationEntry<Maggi> maggi_entry;

}  // namespace
}  // namespace daelab
