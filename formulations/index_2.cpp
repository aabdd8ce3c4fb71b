// Index 2: the constraints at the velocity level, C_q v + C_t = 0.
// Positions drift off the manifold. [Li19, eq. (2)]
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct Index2 {
  static constexpr const char* name = "index-2";
  static constexpr const char* summary = "Velocity-level constraints.";
  static constexpr const char* source = "Li, Ding, Li 2019, eq. (2)";

  Options options() { return {}; }
  FormulationTraits traits() const {
    return {.index = 2, .levels = ImposedLevels::only(Level::velocity), .standard = true};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<OneLevelSystem<T>>(model, Level::velocity, multipliers);
  }
};
const FormulationEntry<Index2> index_2_entry;

}  // namespace
}  // namespace daelab
