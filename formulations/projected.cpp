// Index 1 with the end of every step projected onto the positions and the velocities of the constraints: how explicit
// methods [Ren20, Sec. 6] and implicit ones [Li19] integrate constrained systems without drift.
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "core/equations/dense_refusal.hpp"
#include "core/equations/explicit_forms.hpp"
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

enum class Weights { mass, identity };
std::vector<std::string> names_of(Weights /*weights*/) { return {"mass", "identity"}; }

// Null is mass: specifications without it keep their text.
const OptionType optional_weights = {
    [](void*, const Allowed& allowed) {
      return Json{{"anyOf", {choice_schema(allowed), {{"type", "null"}}}}};
    },
    [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
      auto& weights = *static_cast<std::optional<Weights>*>(member);
      weights.reset();
      if (!value.is_null()) weights = static_cast<Weights>(read_choice(value, where, allowed));
    },
    [](void* member) {
      const auto& weights = *static_cast<std::optional<Weights>*>(member);
      return weights ? Json(name_of(*weights)) : Json();
    }};

struct Projected {
  static constexpr const char* name = "projected";
  static constexpr const char* summary =
      "Acceleration-level constraints; positions and velocities are projected at the end of every step.";
  static constexpr const char* source = "Ren, Zhou 2020, section 6, eqs. (88), (89); Hairer, Wanner 1996, Sec. VII.2";

  bool position = true, velocity = true;
  std::optional<Weights> weights;
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
            at_least(1)),
        Option("weights", &weights, optional_weights,
               "of the distance to the constraints; null or mass: by the kinetic energy; identity: the nearest point",
               one_of(names_of(Weights{})))};
  }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration), .state_space = true, .stabilized = true};
  }

  template <class T>
  std::string refusal(const MechanicalModel<T>& model) const {
    return weights == Weights::identity ? dense_refusal("projected:weights=identity", model) : "";
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<ProjectedSystem<T>>(
        model, Projection{position, velocity, weights != Weights::identity, bound.value(), corrections.value_or(0)},
        multipliers);
  }
};
const FormulationEntry<Projected> projected_entry;

}  // namespace
}  // namespace daelab
