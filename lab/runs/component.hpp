// Entries of a state, named as in trajectories: q6, v1, a2, lambda4, and y3 of first-order states, which ordinary
// differential equations consist of; or a whole class of them: q, v, a, lambda; y.
#pragma once

#include <string>
#include <vector>

#include "core/mechanism/model.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// The classes of states that all runs of a config have. Throws InputError under `where` when they differ.
const std::vector<std::string>& common_classes(const Config& config, const std::string& where);

/// A class in LaTeX: "$q$", "$\\lambda$".
std::string class_tex(const std::string& kind);

struct ComponentName {
  std::string kind;  // the class
  Index place;       // from 0; -1: the whole class
};

/// Throws InputError under `where` for anything that is not of the form q6.
ComponentName component_name(const std::string& text, const std::string& where);

/// Also for a whole class. Throws InputError under `where` for anything else.
ComponentName component_or_class(const std::string& text, const std::string& where);

/// Throws InputError under `where` also for a number the model does not have.
void check_component(const std::string& text, Model<double>& model, const std::string& where);

/// Throws InputError under `where` for components and classes that the problem of a run does not have, and for an
/// empty list.
void check_components(const std::vector<std::string>& components, const Run& run, const std::string& where);

}  // namespace daelab
