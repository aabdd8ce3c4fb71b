// Index 1: the constraints at the acceleration level, C_q v' - gamma = 0.
// Drifts off the position and velocity manifolds. [Li19, eq. (3)]
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct Index1 {
  static constexpr const char* name = "index-1";
  static constexpr const char* summary =
      "Acceleration-level constraints; also the explicit state-space form a(q, v) that explicit methods use.";
  static constexpr const char* source = "Li, Ding, Li 2019, eq. (3)";

  Options options() { return {}; }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration), .state_space = true, .standard = true};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<OneLevelSystem<T>>(model, Level::acceleration, multipliers);
  }
};
const FormulationEntry<Index1> index_1_entry;

}  // namespace
}  // namespace daelab
