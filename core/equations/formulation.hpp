// Formulations: how a model becomes equations.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/registry.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/model/ordinary_model.hpp"

namespace daelab {

class Formulation : public Component {
 public:
  static constexpr const char* kind = "formulation";
  /// "" where a model has this form, otherwise why not.
  virtual std::string refusal(Model<double>& model) const = 0;
  /// The system refers to the model and to the multiplier solver, which must outlive it. Throws NotApplicable with the
  /// refusal.
#define DAELAB_DECLARE(T) \
  virtual std::unique_ptr<System<T>> system(Model<T>& model, Multipliers<T>& multipliers) const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

/// From an options struct with name, summary, source, options() and
/// `template <class T> std::unique_ptr<System<T>> system(MechanicalModel<T>&, Multipliers<T>&) const`, or with an
/// OrdinaryModel<T>& instead: what it takes says which problems have the form. `std::string refusal(model) const` may
/// refuse some of them with a reason.
template <class Definition>
class FormulationOf final : public Formulation {
 public:
  FormulationOf(Definition definition, const std::string& /*where*/) : definition_(std::move(definition)) {}
  std::string refusal(Model<double>& model) const override { return refusal_of(model); }
#define DAELAB_DEFINE(T)                                                                            \
  std::unique_ptr<System<T>> system(Model<T>& model, Multipliers<T>& multipliers) const override {  \
    if (const std::string reason = refusal_of(model); !reason.empty()) throw NotApplicable(reason); \
    return definition_.template system<T>(*fitting(model), multipliers);                            \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

 private:
  static constexpr bool is_of_mechanisms =
      requires(const Definition& definition, MechanicalModel<double>& model, Multipliers<double>& multipliers) {
    definition.template system<double>(model, multipliers);
  };
  /// Null for a model of the other kind.
  template <class T>
  static auto fitting(Model<T>& model) {
    if constexpr (is_of_mechanisms)
      return model.mechanical();
    else
      return model.ordinary();
  }
  template <class T>
  std::string refusal_of(Model<T>& model) const {
    const auto* const fitting_model = fitting(model);
    if (fitting_model == nullptr) return refusal_of_kind();
    if constexpr (requires { definition_.refusal(*fitting_model); })
      return definition_.refusal(*fitting_model);
    else
      return "";
  }
  static std::string refusal_of_kind() {
    if constexpr (is_of_mechanisms)
      return fmt::format("{} is a form of mechanisms, the problem is an ordinary differential equation: choose ode",
                         Definition::name);
    else
      return fmt::format(
          "{} is the form of ordinary differential equations, the problem is a mechanism: choose one of "
          "{}",
          Definition::name, fmt::join(mechanical_forms(), ", "));
  }
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
