// Baumgarte stabilisation: C'' + velocity_gain C' + position_gain C = 0 instead of C'' = 0, so that
// violations decay instead of growing. [Iv23, sec. 4]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct Baumgarte {
  static constexpr const char* name = "baumgarte";
  static constexpr const char* summary =
      "Acceleration-level constraints with violations fed back; also an explicit form a(q, v).";
  static constexpr const char* source = "Baumgarte 1972; Ivanov 2023, sec. 4";

  Exact velocity_gain = 10, position_gain = 10000;

  Options options() {
    return {option("velocity_gain", velocity_gain, "gain of C' [1/s]; critical damping is 2 sqrt(position_gain)",
                   at_least(0)),
            option("position_gain", position_gain, "of C [1/s^2]", at_least(0))};
  }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration),
            .state_space = true,
            .stabilized = velocity_gain.value() != 0 || position_gain.value() != 0};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    const BaumgarteGains<T> gains{velocity_gain.as<T>(), position_gain.as<T>()};
    return std::make_unique<ConstrainedSystem<T>>(model, Level::acceleration, multipliers, gains);
  }
};
const FormulationEntry<Baumgarte> baumgarte_entry;

}  // namespace
}  // namespace daelab
