// Penalty form for explicit methods with a long negative real stability interval: the constraints attract with the rate
// chi, which should exceed the rates of the system by far and fixes the number of stages. [Ren20, Sec. 6]
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "core/equations/explicit_forms.hpp"
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct Penalty {
  static constexpr const char* name = "penalty";
  static constexpr const char* summary =
      "Every constraint f replaced by f' + chi f = 0, at the position and at the velocity level: for explicit methods.";
  static constexpr const char* source = "Ren, Zhou 2020, section 6, eqs. (90) to (92)";

  std::optional<Exact> chi;

  Options options() {
    return {option("chi", chi,
                   "rate of the constraints [1/s]; null: ten times the spectral radius at the start, at least 10, "
                   "rounded up to a power of two",
                   positive())};
  }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration),
            .state_space = true,
            .needs_linear_equations = true,
            .stabilized = true};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    const AttractionRate<T> attraction{chi ? chi->as<T>() : T(automatic_attraction(model, "chi"))};
    return std::make_unique<PenaltySystem<T>>(model, attraction, multipliers);
  }
};
const FormulationEntry<Penalty> penalty_entry;

}  // namespace
}  // namespace daelab
