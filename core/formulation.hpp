// Formulations: how a mechanical model becomes equations.
#pragma once

#include "core/mechanical_system.hpp"
#include "core/registry.hpp"

namespace daelab {

class Formulation : public Component {
 public:
  static constexpr const char* kind = "formulation";
  /// The system refers to the model and to the multiplier solver, which must outlive it.
#define DAELAB_DECLARE(T) \
  virtual std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

/// From an options struct with name, summary, source, options() and
/// `template <class T> std::unique_ptr<System<T>> system(MechanicalModel<T>&, Multipliers<T>&) const`.
template <class Definition>
class FormulationOf final : public Formulation {
 public:
  FormulationOf(Definition definition, const std::string& /*where*/)
      : definition_(std::move(definition)) {}
#define DAELAB_DEFINE(T)                                                                                  \
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const override { \
    return definition_.template system<T>(model, multipliers);                                            \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

 private:
  Definition definition_;
};

/// The last line of a formulation file.
template <class Definition>
struct FormulationEntry {
  explicit FormulationEntry(const char* file = __builtin_FILE()) {
    Registry<Formulation>::instance().add(
        registry_entry<Formulation, Definition, FormulationOf<Definition>>(file));
  }
};

}  // namespace daelab
