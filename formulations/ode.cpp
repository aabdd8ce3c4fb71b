// Ordinary differential equations, also linearly implicit ones, and differential-algebraic ones in explicit form: as
// they are, or with algebraic equations differentiated down to a lower index.
#include "core/equations/formulation.hpp"
#include "core/equations/linearly_implicit_system.hpp"

namespace daelab {
namespace {

struct Ode {
  static constexpr const char* name = "ode";
  static constexpr const char* summary =
      "y' = f(t, y), M(t, y) y' = f, or y' = f and 0 = g of index 1 to 3: problems without coordinates, which have no "
      "other form.";
  static constexpr const char* source =
      "Hairer, Wanner, Solving Ordinary Differential Equations II, eq. (VI.1.5), Sec. VII.1";

  std::optional<int> index;
  Options options() {
    return {option("index", index, "of the equations as they are integrated; left out: as the problem states them",
                   between(1, 3))};
  }
  FormulationTraits traits() const {
    return {.of_mechanisms = false, .index = 0, .state_space = true, .multipliers = false, .standard = true};
  }
  FormulationTraits traits_of(const OrdinaryModel<double>& model) const {
    FormulationTraits traits = this->traits();
    traits.index = index.value_or(model.index());
    traits.state_space = traits.index <= (model.is_linearly_implicit() ? 0 : 1);
    return traits;
  }

  template <class T>
  std::string refusal(const OrdinaryModel<T>& model) const {
    if (!index || *index <= model.index()) return "";
    return fmt::format("the problem has index {}: index={} is not allowed; allowed: 1 to {}", model.index(), *index,
                       model.index());
  }
  template <class T>
  std::unique_ptr<System<T>> system(OrdinaryModel<T>& model, Multipliers<T>& /*multipliers*/) const {
    return make_ordinary_system(model, index.value_or(model.index()));
  }
};
const FormulationEntry<Ode> ode_entry;

}  // namespace
}  // namespace daelab
