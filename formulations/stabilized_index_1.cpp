// Positions, velocities and accelerations on the constraints, with three sets of multipliers: accelerations are
// unknowns of their own, and as smooth as velocities.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "core/equations/formulation.hpp"
#include "core/equations/stabilized_system.hpp"

namespace daelab {
namespace {

struct StabilizedIndex1 {
  static constexpr const char* name = "stabilized-index-1";
  static constexpr const char* summary =
      "C = 0, C_q v + C_t = 0 and C_q a = gamma at once, with three sets of multipliers.";
  static constexpr const char* source = "Ren, Zhou 2020, section 4, the system without a number after eq. (84)";

  Options options() { return {}; }
  FormulationTraits traits() const {
    return {.index = 2, .levels = {.position = true, .velocity = true, .acceleration = true}};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<StabilizedSystem<T>>(model, StabilizedSystem<T>::Levels::all, multipliers);
  }
};
const FormulationEntry<StabilizedIndex1> stabilized_index_1_entry;

}  // namespace
}  // namespace daelab
