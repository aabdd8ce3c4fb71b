// Index 1 with the end of every step projected onto the positions and the velocities of the constraints: how explicit
// methods integrate constrained systems without drift. [Ren20, Sec. 6]
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "core/equations/explicit_forms.hpp"
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct Projected {
  static constexpr const char* name = "projected";
  static constexpr const char* summary =
      "Acceleration-level constraints; explicit methods project positions and velocities at the end of a step.";
  static constexpr const char* source = "Ren, Zhou 2020, section 6, eqs. (88), (89); Hairer, Wanner 1996, Sec. VII.2";

  bool position = true, velocity = true;
  Exact bound = 0;
  std::optional<int> corrections;

  Options options() {
    return {
        option("position", position, "onto C = 0"), option("velocity", velocity, "onto C_q v + C_t = 0 and G = 0"),
        option("bound", bound, "largest |C| or |C_q v + C_t| that is left alone; 0: every step projects", at_least(0)),
        option(
            "corrections", corrections,
            "the most of a level at a step end; null: until it holds; 1: stabilisation by a single correction (Ascher, "
            "Chin, Petzold, Reich 1995)",
            at_least(1))};
  }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration), .state_space = true, .stabilized = true};
  }

  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<ProjectedSystem<T>>(
        model, Projection{position, velocity, bound.value(), corrections.value_or(0)}, multipliers);
  }
};
const FormulationEntry<Projected> projected_entry;

}  // namespace
}  // namespace daelab
