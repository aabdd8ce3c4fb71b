// Stabilised index 2 after Gear, Gupta and Leimkuhler: positions and velocities on the constraints, q' may differ from
// v along C_q^T.
//
// [GGL85] Gear, Gupta, Leimkuhler, Journal of Computational and Applied Mathematics 12-13, 1985, 77-90.
#include "core/equations/formulation.hpp"
#include "core/equations/stabilized_system.hpp"

namespace daelab {
namespace {

struct Ggl {
  static constexpr const char* name = "ggl";
  static constexpr const char* summary =
      "Stabilised index 2: C = 0 and C_q v + C_t = 0, with a second set of multipliers in q' = v.";
  static constexpr const char* source = "Gear, Gupta, Leimkuhler 1985; Ren, Zhou 2020, eqs. (37), (81)";

  Options options() { return {}; }
  FormulationTraits traits() const { return {.index = 2, .levels = {.position = true, .velocity = true}}; }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<StabilizedSystem<T>>(model, StabilizedSystem<T>::Levels::position_and_velocity,
                                                 multipliers);
  }
};
const FormulationEntry<Ggl> ggl_entry;

}  // namespace
}  // namespace daelab
