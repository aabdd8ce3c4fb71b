// What a time integration leaves behind: the one type of a run's results, with its one reader and one writer.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"
#include "core/base/status.hpp"
#include "core/integration/error_blocks.hpp"
#include "core/integration/step_outcome.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "results/members.hpp"

namespace daelab {

/// A state by classes of components: q, v, a, lambda of a mechanism, with y of first-order states beside them, y alone
/// of an ordinary differential equation. Classes that the problem does not have are empty.
struct StateRecord {
  Real50 t = 0;
  Vector<Real50> q = {}, v = {}, a = {}, lambda = {}, y = {};
  bool is_ode = false;

  /// Throws std::out_of_range for anything but q, v, a, lambda, y.
  const Vector<Real50>& of(const std::string& kind) const;
};

/// Over step ends; nothing where the problem has no such thing, or where it is not finite.
struct Maxima {
  std::optional<Real50> energy_error = {}, position_constraint = {}, velocity_constraint = {},
                        acceleration_constraint = {};
};

/// Infinity norms of the absolute error at the end time, by class, against the stored reference or a run.
struct EndError {
  std::map<std::string, double> of;
  std::string reference;   // its source
  int digits_trusted = 0;  // known of it; 0: of a run, whose own error is not known
};

/// How long a run takes. With repeats both times are the least of them.
struct RunTime {
  double cpu_seconds = 0, wall_seconds = 0;
  int repeats = 0;    // made for the time alone, with no other run beside them; 0: measured once, beside others
  double spread = 1;  // longest wall time of the repeats over the least

  /// The wall time of repeats; otherwise the processor time, which grows less while others share the machine.
  double seconds() const { return repeats > 0 ? wall_seconds : cpu_seconds; }
};

struct RunStatistics : Statistics, RunTime {};

/// What the analysis of the initial values found.
struct StartRecord {
  double position_residual = 0, velocity_residual = 0;
  Index rank = 0;  // of the constraints
};

struct EventsRecord {
  /// What became of one event of the model.
  struct Kind {
    std::string name;
    long count = 0;
    std::optional<Real50> least, largest;  // of its function
    std::string cause = {};                // why there was none
  };
  struct Occurrence {
    std::string event;
    Real50 t;
  };
  std::vector<Kind> kinds;
  std::vector<Occurrence> list;  // in order of time
  long samplings = 0;
  std::vector<Real50> discontinuities;
};

/// Every attempt at a step of a run with error control, column by column.
struct StepHistoryRecord {
  std::vector<double> t, h, error;  // error: NaN where there is none
  std::vector<int> order;
  std::vector<int> smoothness;  // numerical one, -1 where it is not known; empty: of no attempt
  std::vector<StepOutcome> outcome;
  std::vector<long> newton_iterations, residuals, jacobians, factorizations;  // up to and with the attempt
};

/// A run of any kind as the store knows it.
struct RunHead {
  std::string key;
  Json spec;               // completed specification
  std::string trajectory;  // its checksum; "": none is stored
};
/// Reads the record of a run of any kind. Throws Json::exception without key or specification.
void from_json(const Json& record, RunHead& head);
/// The specification of a run of any kind, or of a series of an evaluation; an empty object: it says none.
Json spec_in(const Json& record_or_series);

/// Whether a member of a record says which run it is of, or where it is from, and not what came out.
bool identifies_run(const std::string& key);

/// How a run ended: what records of every kind say.
struct RunEnd {
  StatusCode status = StatusCode::ok;
  std::string cause;
  std::vector<Warning> warnings;

  bool ok() const { return status == StatusCode::ok; }
};
/// Members of the record of a run of any kind. Reading throws Json::exception without status or cause.
void members(JsonMembers& json, RunEnd& end);
/// For a run of any kind, or a series of an evaluation: these may say nothing of their end, and are ok then.
RunEnd end_of(const Json& record_or_series);

struct RunRecord : RunEnd {
  Json spec;  // completed specification of the run
  Scalar scalar = Scalar::binary64;
  StateRecord state;  // the last good one
  Maxima max;
  std::optional<EndError> error;  // where a reference is stored and the end time was reached
  RunStatistics stats;
  Vector<Real50> reaction;  // C_q^T lambda + G_v^T mu: unique even where lambda is one of many
  SolveStatistics multipliers;
  std::string multipliers_note;  // what a reader of lambda must know
  std::optional<std::vector<StateRecord>> samples;
  std::optional<StartRecord> start;
  std::optional<EventsRecord> events;
  std::optional<StepHistoryRecord> history;
  std::optional<std::vector<ErrorBlocks>> invariants;        // of each that is watched
  std::optional<std::map<std::string, Real50>> observables;  // at the end, by name
};

/// As `solve --json` prints it and the store keeps it, with "spec". Reading throws Json::exception for anything else.
void members(JsonMembers& json, RunRecord& record);

/// Nothing for the record of a run of another kind.
std::optional<RunRecord> integration_record(const Json& record);
/// Takes states, samples and histories out of the record of a run of any kind: nearly all of its bytes.
void take_out_states(Json& record);

/// The parts of a record.
void members(JsonMembers& json, Warning& warning);
void members(JsonMembers& json, StateRecord& state);
void members(JsonMembers& json, Maxima& max);
void members(JsonMembers& json, EndError& error);
void members(JsonMembers& json, SolveStatistics& statistics);
void members(JsonMembers& json, StartRecord& start);
void members(JsonMembers& json, EventsRecord& events);
void members(JsonMembers& json, StepHistoryRecord& history);
void members(JsonMembers& json, ErrorBlocks& blocks);
/// {"steps", ..., "wall_seconds", ...}.
void members(JsonMembers& json, RunStatistics& statistics);
/// {"cpu_seconds", "wall_seconds"}, with repeats also {"repeats", "spread"}: what a clock measured, so that it differs
/// from one run to the next.
void members(JsonMembers& json, RunTime& time);
/// As numbers in the scalar of the run.
Json maxima_json(const Maxima& max, Scalar scalar);
Json multipliers_json(const SolveStatistics& statistics, const std::string& note);

/// What a run of any kind took, by its record; nothing for kinds that measure no times.
std::optional<RunTime> time_of(const Json& record);
void set_time(Json& record, const RunTime& time);
/// Whether it is a member of these.
bool is_run_time(const std::string& key);

/// Multiplier solves by passes, [solves without any, with one, ...] up to the most there were.
Json histogram_json(const SolveStatistics& statistics);
/// {"converged": 20, "floor": 1}: the outcomes there were.
Json outcomes_json(const SolveStatistics& statistics);

}  // namespace daelab
