// Index 1 with the drift of velocities fed back: C'' + gain C' = 0, so that C' decays as exp(-gain t).
//
// A formulation of your own: copy this file into formulations/, rename, build. Nothing else changes: theory and methods
// ask traits() what the equations are.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. VII.2.
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct VelocityFeedback {
  static constexpr const char* name = "velocity-feedback";
  static constexpr const char* summary = "Acceleration-level constraints with C_q v + C_t fed back.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. VII.2, Baumgarte stabilisation without C";

  Exact gain = 10;

  Options options() { return {option("gain", gain, "of C' [1/s]", positive())}; }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration), .state_space = true, .stabilized = true};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    const BaumgarteGains<T> gains{gain.as<T>(), T(0)};
    return std::make_unique<ConstrainedSystem<T>>(model, Level::acceleration, multipliers, gains);
  }
};
const FormulationEntry<VelocityFeedback> my_formulation_entry;

}  // namespace
}  // namespace daelab
