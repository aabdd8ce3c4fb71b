// Formulations: how a mechanical model becomes equations.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/registry.hpp"
#include "core/equations/mechanical_system.hpp"

namespace daelab {

class Formulation : public Component {
 public:
  static constexpr const char* kind = "formulation";
  /// "" where models with so many coordinates and first-order states have this form, otherwise why not.
  virtual std::string refusal(Index coordinates, Index states) const = 0;
  /// The system refers to the model and to the multiplier solver, which must outlive it. Throws NotApplicable with the
  /// refusal.
#define DAELAB_DECLARE(T) \
  virtual std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

/// From an options struct with name, summary, source, options() and
/// `template <class T> std::unique_ptr<System<T>> system(MechanicalModel<T>&, Multipliers<T>&) const`, and optionally
/// `static constexpr bool first_order` (false): for models with first-order states alone instead of mechanical ones.
template <class Definition>
class FormulationOf final : public Formulation {
 public:
  FormulationOf(Definition definition, const std::string& /*where*/) : definition_(std::move(definition)) {}
  std::string refusal(Index coordinates, Index states) const override {
    if (coordinates > 0 && first_order)
      return fmt::format(
          "{} is the form of ordinary differential equations, the problem is a mechanism: choose one of "
          "{}",
          Definition::name, fmt::join(mechanical_forms(), ", "));
    if (coordinates == 0 && !first_order)
      return fmt::format("{} is a form of mechanisms, the problem is an ordinary differential equation: choose ode",
                         Definition::name);
    if (states > 0 && !first_order)
      return fmt::format("{} does not treat first-order states beside the mechanical ones", Definition::name);
    return "";
  }
#define DAELAB_DEFINE(T)                                                                                              \
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const override {          \
    if (const std::string why = refusal(model.coordinates(), model.states()); !why.empty()) throw NotApplicable(why); \
    return definition_.template system<T>(model, multipliers);                                                        \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

 private:
  static constexpr bool first_order = requires { Definition::first_order; };
  static std::vector<std::string> mechanical_forms() {
    std::vector<std::string> names = Registry<Formulation>::instance().names();
    std::erase(names, Definition::name);
    return names;
  }
  Definition definition_;
};

/// The last line of a formulation file.
template <class Definition>
struct FormulationEntry {
  explicit FormulationEntry(const char* file = __builtin_FILE()) {
    Registry<Formulation>::instance().add(registry_entry<Formulation, Definition, FormulationOf<Definition>>(file));
  }
};

}  // namespace daelab
