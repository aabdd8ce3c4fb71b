#include "core/mechanism/form_names.hpp"

#include <fmt/format.h>

namespace daelab {

const std::string& row_name(const Recording& r, int row) {
  const auto place = static_cast<std::size_t>(row), n = r.q.size();
  return place < n ? r.coordinate_names[place] : r.state_names[place - n];
}

std::string row_name(const Recording& r, const FormFacts& facts, FormKind kind, std::size_t part, int row) {
  const auto of_coordinate = [&](const char* what) { return fmt::format("{} of {}", what, row_name(r, row)); };
  const auto constraint = [&](const char* what) {
    if (kind == FormKind::blocks && part > 7) row += facts.constraints;
    if (row < facts.constraints) return fmt::format("{} {}", what, row + 1);
    return fmt::format("the equation of {}",
                       r.state_names[static_cast<std::size_t>(facts.differential_states + row - facts.constraints)]);
  };
  switch (kind) {
    case FormKind::mass:
    case FormKind::mass_pivots:
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
      return fmt::format("the equation of {}", r.state_names[static_cast<std::size_t>(row)]);
    case FormKind::jacobian:
      return constraint("a derivative of constraint");
    case FormKind::rates_s:
    case FormKind::rates_mass:
    case FormKind::rates_mass_s:
    case FormKind::implicit_rates:
      return fmt::format("a derivative of the equation of {}", r.state_names[static_cast<std::size_t>(row)]);
    case FormKind::event_functions:
      return fmt::format("the function of event '{}'", r.events[static_cast<std::size_t>(row)].event.name);
    case FormKind::energy:
      return row == 0 ? "the kinetic energy" : "the potential energy";
    case FormKind::invariants:
      return part == 0 ? row_name(r, facts, FormKind::energy, part, row) : constraint("constraint");
    case FormKind::observables:
      return r.observable_names[static_cast<std::size_t>(row)];
    default:
      return constraint("constraint");
  }
}

}  // namespace daelab
