// Index 3: the constraints at the position level, C = 0.
// Velocities and accelerations miss their hidden constraints by the discretisation error. [Li19, eq. (1)]
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct Index3 {
  static constexpr const char* name = "index-3";
  static constexpr const char* summary = "Position-level constraints.";
  static constexpr const char* source = "Li, Ding, Li 2019, eq. (1)";

  Options options() { return {}; }
  FormulationTraits traits() const {
    return {.index = 3, .levels = ImposedLevels::only(Level::position), .standard = true};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<OneLevelSystem<T>>(model, Level::position, multipliers);
  }
};
const FormulationEntry<Index3> index_3_entry;

}  // namespace
}  // namespace daelab
