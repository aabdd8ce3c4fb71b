// What the rows of forms are called in messages, and which of them is not finite.
#include <fmt/format.h>

#include "core/mechanism/domain_error.hpp"
#include "core/mechanism/forms.hpp"

namespace daelab {

const std::string& Forms::name_of_row(int row) const {
  return row < n_ ? recording_.coordinate_names[static_cast<std::size_t>(row)]
                  : recording_.state_names[static_cast<std::size_t>(row - n_)];
}

// For the equation or quantity that a row of a part of a form belongs to.
std::string Forms::name_of(FormKind kind, std::size_t part, int row) const {
  const auto of_coordinate = [&](const char* what) { return fmt::format("{} of {}", what, name_of_row(row)); };
  const auto constraint = [&](const char* what) {
    if (kind == FormKind::blocks && part > 7) row += constraints();
    if (row < constraints()) return fmt::format("{} {}", what, row + 1);
    return fmt::format("the equation of {}",
                       recording_.state_names[static_cast<std::size_t>(differential_states() + row - constraints())]);
  };
  switch (kind) {
    case FormKind::mass:
      return of_coordinate("the row of the mass matrix");
    case FormKind::force:
      return of_coordinate("the force in the equation");
    case FormKind::motion_jacobians:
      return of_coordinate("a derivative of the equation");
    case FormKind::residual:
      return part == 0 ? of_coordinate("the equation") : constraint("constraint");
    case FormKind::levels:
      return part == 0 ? of_coordinate("the equation")
                       : constraint(part == 4 ? "a derivative of constraint" : "constraint");
    case FormKind::blocks:
      return part < 3 || part == 7 ? of_coordinate("a derivative of the equation")
                                   : constraint("a derivative of constraint");
    case FormKind::data:
      return part == 0   ? of_coordinate("the row of the mass matrix")
             : part == 1 ? of_coordinate("the force in the equation")
                         : constraint(part == 2 ? "a derivative of constraint" : "the acceleration term of constraint");
    case FormKind::rates:
      return fmt::format("the equation of {}", recording_.state_names[static_cast<std::size_t>(row)]);
    case FormKind::rates_s:
    case FormKind::rates_mass:
    case FormKind::rates_mass_s:
    case FormKind::implicit_rates:
      return fmt::format("a derivative of the equation of {}", recording_.state_names[static_cast<std::size_t>(row)]);
    case FormKind::event_functions:
      return fmt::format("the function of event '{}'", recording_.events[static_cast<std::size_t>(row)].event.name);
    case FormKind::energy:
      return row == 0 ? "the kinetic energy" : "the potential energy";
    case FormKind::invariants:
      return part == 0 ? name_of(FormKind::energy, part, row) : constraint("constraint");
    case FormKind::observables:
      return recording_.observable_names[static_cast<std::size_t>(row)];
    default:
      return constraint("constraint");
  }
}

template <class T>
std::string Forms::domain_error(const FormKey& key, const T* const* inputs) {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  const FormParts parts = make_parts(key);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    Expressions values;
    for (const auto& entry : parts[part].entries) values.push_back(entry.value);
    const DomainError error = find_domain_error<T>(graph_, values, inputs);
    if (error.expression < 0) continue;
    const int row = static_cast<int>(parts[part].entries[static_cast<std::size_t>(error.expression)].row);
    return fmt::format("{}: {}", name_of(key.kind, part, row), error.operation);
  }
  return "";
}

#define DAELAB_INSTANTIATE(T) template std::string Forms::domain_error<T>(const FormKey& key, const T* const* inputs);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
