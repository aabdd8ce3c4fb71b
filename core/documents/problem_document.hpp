// Problems in JSON as they are read: texts and their places, nothing parsed yet.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/options.hpp"
#include "core/documents/event_document.hpp"
#include "core/documents/joints_document.hpp"
#include "core/documents/outline_document.hpp"
#include "core/documents/rotations_document.hpp"

namespace daelab {

struct ProblemDocument {
  std::string name, summary, source;
  std::vector<std::pair<std::string, Exact>> parameters;
  std::vector<NamedText> definitions;
  std::vector<std::string> coordinates;     // those of joints, too
  std::optional<JointsDocument> joints;     // give mass and kinetic energy then
  std::vector<RotationDocument> rotations;  // their coordinates are none of those above
  bool has_coordinates() const { return !coordinates.empty() || !rotations.empty(); }
  std::vector<std::vector<ExpressionText>> mass;  // by rows; empty: from the kinetic energy
  std::vector<NamedText> forces;                  // by coordinate
  std::optional<ExpressionText> kinetic_energy, potential_energy;
  std::vector<ExpressionText> constraints, nonholonomic_constraints;
  std::vector<NamedText> states, algebraic;             // rates, residuals
  std::vector<std::vector<ExpressionText>> rates_mass;  // by rows; empty: the identity
  std::vector<NamedText> start;
  std::optional<ExpressionText> start_time;  // 0
  ExpressionText end_time;
  std::optional<ExpressionText> max_step;
  std::optional<ExpressionText> least_size;
  bool energy_changes = false;  // "energy": "changes"
  std::vector<NamedText> observables, invariants;
  std::vector<EventDocument> events;
  OutlineDocument outline;
};

/// Checks kinds, keys, counts and names, not what the expressions mean. Throws InputError with the place.
ProblemDocument read_problem_document(const Json& json, const std::string& where);

/// The document with other values of its parameters, start and end time. Throws InputError for other keys.
Json with_parameters(Json document, const Json& values, const std::string& where);
/// The document without what an option gives: a parameter, an entry of one, a time. As it is where it has no such.
Json without_parameter(Json document, const std::string& name);

}  // namespace daelab
