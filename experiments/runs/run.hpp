// A run: one problem x formulation x method x step size or tolerance x scalar. The unit that is scheduled and stored.
#pragma once

#include <optional>
#include <string>

#include "core/integration/method.hpp"

namespace daelab {

/// The full specification of a run.
struct RunSpec {
  Json problem, method;
  Json formulation;                                // null: the method's natural one
  Json multiplier_solver;                          // null: fitting the constraints
  std::optional<Exact> h;                          // fixed, or the first one with error control
  std::optional<Exact> rtol, atol, atol_velocity;  // error control where given
  std::optional<Exact> t_end;                      // the problem's own end time
  std::string scalar = "double";
  NewtonOptions newton;
  std::string start = "consistent";
  int trajectory = 0;
  bool history = false;
  std::string discontinuities = "ignore";
  std::string singular = "warn";
  std::vector<Exact> samples;
  std::optional<Exact> sample_every;

  Options options();
  bool adaptive() const { return rtol || atol; }
};

/// Reads and completes a specification: names resolved, automatic values replaced by what they stand
/// for. The result is what records carry and hashes are made of. Throws InputError under `where` for
/// input that no run can be made of, inconsistent initial values among it.
Json resolve_run(const Json& run, const std::string& where);

/// What is stored of the reference solution that the "error" of the record is measured against; null: nothing.
Json error_reference(const Json& resolved);

struct RunOutcome {
  Json record;             // as `solve --json` prints it, with "spec"
  std::string trajectory;  // CSV; "" unless asked for
  bool interrupted = false;
};

/// Carries out a resolved specification. A failed run is a record with its status and cause.
RunOutcome execute(const Json& resolved);

/// A number of a record, for any scalar: JSON number, or text of 50 digits. NaN for null.
Real50 record_number(const Json& value);
Vector<Real50> record_vector(const Json& values);

}  // namespace daelab
