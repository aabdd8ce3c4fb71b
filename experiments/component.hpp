// Entries of a state, named as in trajectories: q6, v1, a2, lambda4; or a whole class of them: q, v, a, lambda.
#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/mechanical_model.hpp"

namespace daelab {

/// The classes of entries, also the keys of records.
inline constexpr const char* component_classes[] = {"q", "v", "a", "lambda"};

struct ComponentName {
  std::string kind;  // the class
  Index place;       // from 0; -1: the whole class
};

/// Throws InputError under `where` for anything that is not of the form q6.
ComponentName component_name(const std::string& text, const std::string& where);

/// Also for a whole class. Throws InputError under `where` for anything else.
ComponentName component_or_class(const std::string& text, const std::string& where);

/// Throws InputError under `where` also for a number the model does not have.
void check_component(const std::string& text, const MechanicalModel<double>& model, const std::string& where);

/// Throws InputError under `where` for components and classes that the problem of a resolved run does not have, and
/// for an empty list.
void check_components(const std::vector<std::string>& components, const Json& run, const std::string& where);

}  // namespace daelab
