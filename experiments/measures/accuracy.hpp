// How far runs end from a reference solution: errors per component, and correct digits.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/runs/experiment.hpp"

namespace daelab {

/// What captions say of errors of classes.
inline constexpr const char* units_of_errors = "Errors are the largest over the components, each in its unit.";

/// The state at the end time that runs are compared with: stored, or the config's own reference run.
struct ReferenceSolution {
  std::map<std::string, Vector<Real50>> classes;  // q, v, a, lambda, or y
  std::optional<double> log10_floor;              // of the digits known (absolute); none: not known
  std::string source;
  std::string known = "";                     // "proved to 47 digits"; "": nothing is known of its error
  bool is_proved = false;                     // by an enclosure
  std::vector<StateRecord> samples = {};      // of a reference run that has some
  std::vector<GroupCoordinates> groups = {};  // of the run's problem

  const Vector<Real50>& of(const std::string& kind) const { return classes.at(kind); }
  /// The source, and how well it is known.
  std::string text() const { return known.empty() ? source : source + ", " + known; }
};

/// The rotations and motions of bodies among the coordinates of a problem.
std::vector<GroupCoordinates> groups_of(const Problem& problem);

/// For the problem and end time of a run. `reference_run` is the config's reference run, null when it has none. Throws
/// InputError when nothing is stored either.
ReferenceSolution reference_solution(const Run& run, const FinishedRun* reference_run);

/// Throws InputError when a run has no reference, or the config's reference run is of another problem or end time.
void check_reference(const Config& config, const Run& run);

/// "no errors: ..." when the config's reference run failed; "" otherwise.
std::string reference_failure(const FinishedRun* reference_run);

/// Infinity norm of the error of a class, or the error of one component such as "q3".
Real50 error_of(const RunRecord& record, const ReferenceSolution& reference, const std::string& component);

/// Significant correct digits: -log10 of the largest relative error of these components and classes. Components that
/// are zero to the digits known have no relative error and are left out. Infinite without any error.
double scd(const RunRecord& record, const ReferenceSolution& reference, const std::vector<std::string>& components);

/// Largest |error| / (atol + rtol |reference|) of these components and classes, in the tolerances of a run with error
/// control: 1 is as large as tolerated per step.
double error_in_tolerances(const RunSpec& spec, const RunRecord& record, const ReferenceSolution& reference,
                           const std::vector<std::string>& components);

/// Mixed-error significant correct digits: -log10 of the largest |error| / (atol/rtol + |y|), with the tolerances of
/// the run; atol/rtol = 1 for fixed steps.
double mescd(const FinishedRun& run, const ReferenceSolution& reference, const std::vector<std::string>& components);

}  // namespace daelab
