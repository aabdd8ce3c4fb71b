// One entry of a state, named as in trajectories: q6, v1, a2, lambda4.
#pragma once

#include <string>

#include "core/mechanical_model.hpp"

namespace daelab {

struct ComponentName {
  std::string kind;  // q, v, a or lambda: also the key of records
  Index place;       // from 0
};

/// Throws InputError under `where` for anything that is not of the form q6.
ComponentName component_name(const std::string& text, const std::string& where);

/// Throws InputError under `where` also for a number the model does not have.
void check_component(const std::string& text, const MechanicalModel<double>& model, const std::string& where);

}  // namespace daelab
