#include "results/run_record.hpp"

#include <stdexcept>

#include "results/record_values.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

Json counts_json(const auto& counts, const auto& names, std::size_t from) {
  Json json = Json::object();
  for (std::size_t i = from; i < counts.size(); ++i)
    if (counts[i] > 0) json[names[i]] = counts[i];
  return json;
}

void read_counts(const Json& json, const auto& names, auto& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (json.contains(names[i])) counts[i] = json[names[i]];
}

void read_histogram(const Json& json, SolveStatistics& s) {
  if (json.size() > s.histogram.size()) throw Json::exception("a histogram has more bins than are counted");
  for (std::size_t k = 0; k < json.size(); ++k) s.histogram[k] = json[k];
}

StepOutcome read_outcome(const std::string& text) {
  try {
    return step_outcome(text);
  } catch (const std::invalid_argument& unknown) {
    throw Json::exception(unknown.what());
  }
}

// Name and options of a component, under the key that records have for these.
Json named(const Json& component, const char* options) {
  return {{"name", component.at("name")}, {options, parameters(component)}};
}

}  // namespace

const Vector<Real50>& StateRecord::of(const std::string& kind) const {
  if (kind == "q") return q;
  if (kind == "v") return v;
  if (kind == "a") return a;
  if (kind == "lambda") return lambda;
  if (kind == "y") return y;
  throw std::out_of_range("no class of components " + kind);
}

// ----- the parts -----

void members(JsonMembers& json, Warning& warning) { json("kind", warning.kind)("text", warning.text); }

// Classes q to lambda of a mechanism are members even if they are empty.
void members(JsonMembers& json, StateRecord& state) {
  json("t", state.t);
  if (json.from()) state.is_ode = !json.from()->contains("q");
  json.where(!state.is_ode, "q", state.q).where(!state.is_ode, "v", state.v);
  json.where(!state.is_ode, "a", state.a).where(!state.is_ode, "lambda", state.lambda);
  json.where(state.is_ode || state.y.size() > 0, "y", state.y);
}

void members(JsonMembers& json, Maxima& max) {
  json("energy_error", max.energy_error)("position_constraint", max.position_constraint);
  json("velocity_constraint", max.velocity_constraint)("acceleration_constraint", max.acceleration_constraint);
}

// In the order of the classes, not of their names.
void members(JsonMembers& json, EndError& error) {
  for (const char* kind : {"q", "v", "a", "lambda", "y"})
    if (json.has(kind, error.of.contains(kind))) json(kind, error.of[kind]);
  json("reference", error.reference).where(error.digits_trusted > 0, "digits_trusted", error.digits_trusted);
}

void members(JsonMembers& json, StartRecord& start) {
  json("position_residual", start.position_residual)("velocity_residual", start.velocity_residual)("rank", start.rank);
}

void members(JsonMembers& json, RunTime& time) {
  json("cpu_seconds", time.cpu_seconds)("wall_seconds", time.wall_seconds);
  if (json.has("repeats", time.repeats > 0)) json("repeats", time.repeats)("spread", time.spread);
}

void members(JsonMembers& json, RunStatistics& s) {
  json("steps", s.steps)("rejected", s.rejected)("failed", s.failed)("newton_iterations", s.newton_iterations);
  json("residuals", s.residuals)("jacobians", s.jacobians);
  json("factorizations", s.factorizations)("back_solves", s.back_solves);
  members(json, static_cast<RunTime&>(s));
}

void members(JsonMembers& json, SolveStatistics& s) {
  json("solves", s.solves)("passes", s.passes).derived("mean_passes", [&] { return s.mean_passes(); });
  json.by(
      "histogram", [&] { return histogram_json(s); }, [&](const Json& from) { read_histogram(from, s); });
  json.by(
      "outcomes", [&] { return outcomes_json(s); },
      [&](const Json& from) { read_counts(from, solve_outcome_names, s.outcomes); });
  json.by(
      "refactorizations", [&] { return counts_json(s.refactorizations, refactorization_names, 1); },
      [&](const Json& from) { read_counts(from, refactorization_names, s.refactorizations); });
  json.pair("rank", s.smallest_rank, s.largest_rank);
  json("largest_residual", s.largest_residual)("largest_floor", s.largest_floor);
  json("flops", s.flops)("pivot_fallbacks", s.pivot_fallbacks);
}

void members(JsonMembers& json, EventsRecord& events) {
  json.list("kinds", events.kinds, [](JsonMembers& of, EventsRecord::Kind& kind) {
    of("name", kind.name)("count", kind.count).pair("range", kind.least, kind.largest);
    of.where(!kind.cause.empty(), "cause", kind.cause);
  });
  json.list("list", events.list,
            [](JsonMembers& of, EventsRecord::Occurrence& event) { of("event", event.event)("t", event.t); });
  json("samplings", events.samplings)("discontinuities", events.discontinuities);
}

void members(JsonMembers& json, StepHistoryRecord& h) {
  json("t", h.t)("h", h.h)("error", h.error)("order", h.order);
  json.by(
      "outcome",
      [&] {
        Json texts = Json::array();
        for (const StepOutcome& outcome : h.outcome) texts.push_back(to_string(outcome));
        return texts;
      },
      [&](const Json& texts) {
        for (const auto& text : texts.get<std::vector<std::string>>()) h.outcome.push_back(read_outcome(text));
      });
  json("newton_iterations", h.newton_iterations)("residuals", h.residuals)("jacobians", h.jacobians);
  json("factorizations", h.factorizations).where(!h.smoothness.empty(), "smoothness", h.smoothness);
}

void members(JsonMembers& json, ErrorBlocks& blocks) {
  json("name", blocks.name)("steps", blocks.steps)("block_steps", blocks.block_steps)("size", blocks.size);
  json("largest", blocks.largest)("t", blocks.t)("mean", blocks.mean);
  json("least", blocks.least)("greatest", blocks.greatest);
}

Json histogram_json(const SolveStatistics& statistics) {
  const auto& histogram = statistics.histogram;
  std::size_t bins = histogram.size();
  while (bins > 1 && histogram[bins - 1] == 0) --bins;
  Json json = Json::array();
  for (std::size_t k = 0; k < bins; ++k) json.push_back(histogram[k]);
  return json;
}

Json outcomes_json(const SolveStatistics& statistics) {
  return counts_json(statistics.outcomes, solve_outcome_names, 0);
}

Json multipliers_json(const SolveStatistics& statistics, const std::string& note) {
  Json json(statistics);
  json["note"] = note;
  return json;
}

Json maxima_json(const Maxima& max, Scalar scalar) {
  Json json = Json::object();
  JsonMembers writer(&json, nullptr, scalar);
  members(writer, const_cast<Maxima&>(max));  // only read by a writer
  return json;
}

std::optional<RunTime> time_of(const Json& record) {
  const Json* stats = record.find("stats");
  if (!stats || !stats->contains("wall_seconds")) return {};
  return stats->get<RunTime>();
}

void set_time(Json& record, const RunTime& time) { record["stats"].update(Json(time)); }

bool is_run_time(const std::string& key) {
  return key == "cpu_seconds" || key == "wall_seconds" || key == "repeats" || key == "spread";
}

// ----- the record -----

void members(JsonMembers& json, RunEnd& end) {
  json("status", end.status)("cause", end.cause).where(true, "warnings", end.warnings);
}

void members(JsonMembers& json, RunRecord& record) {
  Json& spec = record.spec;
  json.derived("problem", [&] { return named(spec.at("problem"), "parameters"); });
  json.derived("formulation", [&] { return spec.at("formulation"); });
  json.derived("method", [&] { return named(spec.at("method"), "options"); });
  json("scalar", record.scalar).in(record.scalar);
  members(json, static_cast<RunEnd&>(record)), members(json, record.state);
  json("max", record.max)("error", record.error)("stats", record.stats)("reaction", record.reaction);
  json.derived("multiplier_solver", [&] { return spec.at("multiplier_solver"); });
  json.group("multipliers", [&](JsonMembers& of) {
    members(of, record.multipliers);
    of("note", record.multipliers_note);
  });
  json.where_given("samples", record.samples)("start", record.start);
  json.where_given("events", record.events).where_given("history", record.history);
  json.where_given("invariants", record.invariants).where_given("observables", record.observables)("spec", spec);
}

void from_json(const Json& record, RunHead& head) {
  head = {record.at("key"), spec_in(record), record.value(trajectory_checksum, "")};
}

Json spec_in(const Json& record_or_series) { return record_or_series.value("spec", Json::object()); }

bool identifies_run(const std::string& key) {
  return key == "key" || key == "spec" || key == "provenance" || key == trajectory_checksum;
}

RunEnd end_of(const Json& record_or_series) {
  RunEnd end;
  if (const Json* status = record_or_series.find("status")) end.status = enumerator<StatusCode>(*status);
  if (const Json* cause = record_or_series.find("cause")) end.cause = *cause;
  return end;
}

std::optional<RunRecord> integration_record(const Json& record) {
  if (!record.contains("stats")) return {};
  return record.get<RunRecord>();
}

void take_out_states(Json& record) {
  for (const char* key : {"samples", "history", "invariants", "events", "reaction", "q", "v", "a", "y", "lambda"})
    record.erase(key);
}

}  // namespace daelab
