// The equations of motion in coordinates of the tangent space of the constraints: q = q_0 + V x + N eta with V a basis
// of the null space of C_q at q_0, and eta from C = 0. All levels of the constraints hold. [PR91]
//
// [PR91] Potra, Rheinboldt, On the numerical solution of Euler-Lagrange equations, Mechanics of Structures and
// Machines 19(1), 1991, 1-18.
#include "core/equations/formulation.hpp"
#include "core/equations/local_coordinates_system.hpp"

namespace daelab {
namespace {

struct NullSpaceForm {
  static constexpr const char* name = "null-space";
  static constexpr const char* summary =
      "Tangent-space coordinates: as many unknowns as degrees of freedom, no drift; explicit and implicit methods.";
  static constexpr const char* source = "Potra, Rheinboldt 1991; Wang, Zhao, Pan, section 3";

  enum class Weights { identity, mass };
  friend std::vector<std::string> names_of(Weights) { return {"identity", "mass"}; }

  Weights weights = Weights::identity;

  Options options() {
    return {option("weights", weights,
                   "dependent directions: identity, along C_q^T, orthogonal to the tangent space; mass, along M^-1 "
                   "C_q^T, orthogonal by the kinetic energy")};
  }
  FormulationTraits traits() const { return local_coordinates_traits; }

  template <class T>
  std::string refusal(MechanicalModel<T>& model) const {
    return local_coordinates_refusal(model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    const LocalBasis basis = weights == Weights::mass ? LocalBasis::tangent_by_mass : LocalBasis::tangent;
    return std::make_unique<LocalCoordinatesSystem<T>>(model, basis, multipliers);
  }
};
const FormulationEntry<NullSpaceForm> null_space_entry;

}  // namespace
}  // namespace daelab
