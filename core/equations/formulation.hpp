// Formulations: how a model becomes equations.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/registry.hpp"
#include "core/equations/formulation_traits.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/mechanism/ordinary_model.hpp"

namespace daelab {

class Formulation : public Component {
 public:
  static constexpr const char* kind = "formulation";
  static constexpr bool made_once = true;
  virtual FormulationTraits traits() const = 0;
  /// Traits of what it makes of a model, which it must fit: equations without coordinates have the index of the model.
  virtual FormulationTraits traits_of(Model<double>& model) const = 0;
  /// "" where a model has this form, otherwise why not.
  virtual std::string refusal(Model<double>& model) const = 0;
  /// The system refers to the model and to the multiplier solver, which must outlive it. Throws NotApplicable with the
  /// refusal.
#define DAELAB_DECLARE(T) \
  virtual std::unique_ptr<System<T>> system(Model<T>& model, Multipliers<T>& multipliers) const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

/// The formulation that a run gets when it names none: of mechanisms, by the level of constraints that its method is
/// meant for, and of ordinary differential equations. Throw std::logic_error when none or several are standard.
std::string standard_formulation(Level level);
std::string standard_ordinary_formulation();
/// Names of the formulations of mechanisms; of these the ones that take any equations of motion, has_linear_equations()
/// or not; and the ones that give accelerations as a function of (q, v).
std::vector<std::string> mechanical_formulations();
std::vector<std::string> nonlinear_formulations();
std::vector<std::string> state_space_formulations();

/// From an options struct with name, summary, source, options(), `FormulationTraits traits() const` and
/// `template <class T> std::unique_ptr<System<T>> system(MechanicalModel<T>&, Multipliers<T>&) const`, or with an
/// OrdinaryModel<T>& instead: what it takes says which problems have the form. `std::string refusal(model) const` may
/// refuse some of them with a reason; the model is not const, so that it may be evaluated at its start.
template <class Definition>
class FormulationOf final : public Formulation {
 public:
  FormulationOf(Definition definition, const std::string& /*where*/) : definition_(std::move(definition)) {}
  FormulationTraits traits() const override { return definition_.traits(); }
  FormulationTraits traits_of(Model<double>& model) const override {
    if constexpr (requires { definition_.traits_of(*fitting(model)); })
      return definition_.traits_of(*fitting(model));
    else
      return definition_.traits();
  }
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
    auto* const fitting_model = fitting(model);
    if (fitting_model == nullptr) return refusal_of_kind();
    if constexpr (is_of_mechanisms)
      if (definition_.traits().needs_linear_equations && !fitting_model->has_linear_equations())
        return fmt::format("{} needs forces that depend on no multipliers, and no algebraic states: choose one of {}",
                           Definition::name, fmt::join(nonlinear_formulations(), ", "));
    if constexpr (requires { definition_.refusal(*fitting_model); })
      return definition_.refusal(*fitting_model);
    else
      return "";
  }
  static std::string refusal_of_kind() {
    if constexpr (is_of_mechanisms)
      return fmt::format(
          "{} is a formulation of mechanical systems, the problem is an ordinary differential equation: choose {}",
          Definition::name, standard_ordinary_formulation());
    else
      return fmt::format(
          "{} is the form of ordinary differential equations, the problem is a mechanism: choose one of "
          "{}",
          Definition::name, fmt::join(mechanical_formulations(), ", "));
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
