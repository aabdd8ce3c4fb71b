#include "core/mechanism/form_facts.hpp"

namespace daelab {

FormFacts::FormFacts(const Recording& recording)
    : coordinates(static_cast<int>(recording.q.size())),
      states(static_cast<int>(recording.s.size())),
      algebraic_states(recording.algebraic_states),
      differential_states(states - algebraic_states),
      holonomic(static_cast<int>(recording.constraints.size())),
      nonholonomic(static_cast<int>(recording.nonholonomic_constraints.size())),
      constraints(holonomic + nonholonomic),
      is_mechanical(coordinates > 0),
      is_linearly_implicit(!recording.rates_mass.empty()),
      extended(is_mechanical ? coordinates + differential_states : 0),
      multipliers(constraints + (is_mechanical ? algebraic_states : 0)) {}

}  // namespace daelab
