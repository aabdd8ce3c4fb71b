#include "results/run_record.hpp"

#include <array>
#include <stdexcept>

#include "results/record_values.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

// Numbers in the scalar of the run.
class Writer {
 public:
  explicit Writer(Scalar scalar) : scalar_(scalar) {}
  Json number(const Real50& x) const { return number_in(scalar_, x); }
  Json number(const std::optional<Real50>& x) const { return x ? number(*x) : Json(); }
  Json numbers(const auto& x) const {
    Json list = Json::array();
    for (const Real50& entry : x) list.push_back(number(entry));
    return list;
  }
  Json state(const StateRecord& s) const {
    if (s.is_ode) return {{"t", number(s.t)}, {"y", numbers(s.y)}};
    Json json = {{"t", number(s.t)},
                 {"q", numbers(s.q)},
                 {"v", numbers(s.v)},
                 {"a", numbers(s.a)},
                 {"lambda", numbers(s.lambda)}};
    if (s.y.size() > 0) json["y"] = numbers(s.y);
    return json;
  }

 private:
  Scalar scalar_;
};

std::optional<Real50> optional_number(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(record_number(value));
}

StateRecord read_state(const Json& json) {
  StateRecord state;
  state.t = record_number(json.at("t"));
  state.is_ode = !json.contains("q");
  for (const auto& [kind, values] :
       {std::pair("q", &state.q), {"v", &state.v}, {"a", &state.a}, {"lambda", &state.lambda}, {"y", &state.y}})
    if (json.contains(kind)) *values = record_vector(json[kind]);
  return state;
}

StepOutcome read_outcome(const std::string& text) {
  try {
    return step_outcome(text);
  } catch (const std::invalid_argument& unknown) {
    throw Json::exception(unknown.what());
  }
}

// ----- maxima, error, start -----

constexpr std::pair<const char*, std::optional<Real50> Maxima::*> maxima[] = {
    {"energy_error", &Maxima::energy_error},
    {"position_constraint", &Maxima::position_constraint},
    {"velocity_constraint", &Maxima::velocity_constraint},
    {"acceleration_constraint", &Maxima::acceleration_constraint}};

std::optional<EndError> read_error(const Json& json) {
  if (json.is_null()) return {};
  EndError error{{}, json.at("reference"), json.at("digits_trusted")};
  for (const char* kind : {"q", "v", "a", "lambda", "y"})
    if (json.contains(kind)) error.of[kind] = static_cast<double>(record_number(json[kind]));
  return error;
}

Json start_json(const std::optional<StartRecord>& start) {
  if (!start) return nullptr;
  return {{"position_residual", number(start->position_residual)},
          {"velocity_residual", number(start->velocity_residual)},
          {"rank", start->rank}};
}

std::optional<StartRecord> read_start(const Json& json) {
  if (json.is_null()) return {};
  return StartRecord{static_cast<double>(record_number(json.at("position_residual"))),
                     static_cast<double>(record_number(json.at("velocity_residual"))), json.at("rank").get<Index>()};
}

// ----- multipliers -----

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

// ----- events -----

Json events_json(const EventsRecord& events, const Writer& write) {
  Json kinds = Json::array(), list = Json::array();
  for (const EventsRecord::Kind& k : events.kinds) {
    Json kind = {{"name", k.name}, {"count", k.count}, {"range", {write.number(k.least), write.number(k.largest)}}};
    if (!k.cause.empty()) kind["cause"] = k.cause;
    kinds.push_back(std::move(kind));
  }
  for (const auto& [event, t] : events.list) list.push_back({{"event", event}, {"t", write.number(t)}});
  return {{"kinds", kinds},
          {"list", list},
          {"samplings", events.samplings},
          {"discontinuities", write.numbers(events.discontinuities)}};
}

EventsRecord read_events(const Json& json) {
  EventsRecord events;
  for (const Json& kind : json.at("kinds"))
    events.kinds.push_back({kind.at("name"), kind.at("count"), optional_number(kind.at("range").at(0)),
                            optional_number(kind.at("range").at(1)), kind.value("cause", "")});
  for (const Json& event : json.at("list")) events.list.push_back({event.at("event"), record_number(event.at("t"))});
  events.samplings = json.at("samplings");
  for (const Json& t : json.at("discontinuities")) events.discontinuities.push_back(record_number(t));
  return events;
}

constexpr std::pair<const char*, long Statistics::*> counted[] = {{"steps", &Statistics::steps},
                                                                  {"rejected", &Statistics::rejected},
                                                                  {"failed", &Statistics::failed},
                                                                  {"newton_iterations", &Statistics::newton_iterations},
                                                                  {"residuals", &Statistics::residuals},
                                                                  {"jacobians", &Statistics::jacobians},
                                                                  {"factorizations", &Statistics::factorizations},
                                                                  {"back_solves", &Statistics::back_solves}};

}  // namespace

const Vector<Real50>& StateRecord::of(const std::string& kind) const {
  if (kind == "q") return q;
  if (kind == "v") return v;
  if (kind == "a") return a;
  if (kind == "lambda") return lambda;
  if (kind == "y") return y;
  throw std::out_of_range("no class of components " + kind);
}

void to_json(Json& json, const SolveStatistics& s) {
  json = {{"solves", s.solves},
          {"passes", s.passes},
          {"mean_passes", s.mean_passes()},
          {"histogram", histogram_json(s)},
          {"outcomes", outcomes_json(s)},
          {"refactorizations", counts_json(s.refactorizations, refactorization_names, 1)},
          {"rank", {s.smallest_rank, s.largest_rank}},
          {"largest_residual", number(s.largest_residual)},
          {"largest_floor", number(s.largest_floor)},
          {"flops", s.flops},
          {"pivot_fallbacks", s.pivot_fallbacks}};
}

void from_json(const Json& json, SolveStatistics& s) {
  s = {};
  s.solves = json.at("solves"), s.passes = json.at("passes");
  const Json& histogram = json.at("histogram");
  if (histogram.size() > s.histogram.size()) throw Json::exception("a histogram has more bins than are counted");
  for (std::size_t k = 0; k < histogram.size(); ++k) s.histogram[k] = histogram[k];
  read_counts(json.at("outcomes"), solve_outcome_names, s.outcomes);
  read_counts(json.at("refactorizations"), refactorization_names, s.refactorizations);
  s.smallest_rank = json.at("rank").at(0), s.largest_rank = json.at("rank").at(1);
  s.largest_residual = static_cast<double>(record_number(json.at("largest_residual")));
  s.largest_floor = static_cast<double>(record_number(json.at("largest_floor")));
  s.flops = json.at("flops"), s.pivot_fallbacks = json.at("pivot_fallbacks");
}

Json multipliers_json(const SolveStatistics& statistics, const std::string& note) {
  Json json(statistics);
  json["note"] = note;
  return json;
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

Json maxima_json(const Maxima& max, Scalar scalar) {
  Json json = Json::object();
  for (const auto& [key, member] : maxima) json[key] = Writer(scalar).number(max.*member);
  return json;
}

void from_json(const Json& json, Maxima& max) {
  for (const auto& [key, member] : maxima) max.*member = optional_number(json.at(key));
}

void to_json(Json& json, const EndError& error) {
  json = Json::object();
  // In the order of the classes, not of their names.
  for (const char* kind : {"q", "v", "a", "lambda", "y"})
    if (error.of.contains(kind)) json[kind] = error.of.at(kind);
  json["reference"] = error.reference, json["digits_trusted"] = error.digits_trusted;
}

void to_json(Json& json, const StepHistoryRecord& h) {
  Json outcomes = Json::array();
  for (const StepOutcome& outcome : h.outcome) outcomes.push_back(to_string(outcome));
  json = {{"t", numbers(h.t)},        {"h", numbers(h.h)},        {"error", numbers(h.error)},
          {"order", h.order},         {"outcome", outcomes},      {"newton_iterations", h.newton_iterations},
          {"residuals", h.residuals}, {"jacobians", h.jacobians}, {"factorizations", h.factorizations}};
  if (!h.smoothness.empty()) json["smoothness"] = h.smoothness;
}

void from_json(const Json& json, StepHistoryRecord& h) {
  h.t = record_doubles(json.at("t")), h.h = record_doubles(json.at("h")), h.error = record_doubles(json.at("error"));
  json.at("order").get_to(h.order);
  if (json.contains("smoothness")) json["smoothness"].get_to(h.smoothness);
  h.outcome.clear();
  for (const auto& outcome : json.at("outcome").get<std::vector<std::string>>())
    h.outcome.push_back(read_outcome(outcome));
  json.at("newton_iterations").get_to(h.newton_iterations), json.at("residuals").get_to(h.residuals);
  json.at("jacobians").get_to(h.jacobians), json.at("factorizations").get_to(h.factorizations);
}

void to_json(Json& json, const Warning& warning) { json = {{"kind", warning.kind}, {"text", warning.text}}; }
void from_json(const Json& json, Warning& warning) { warning = {json.at("kind"), json.at("text")}; }

void to_json(Json& json, const RunStatistics& statistics) {
  json = Json::object();
  for (const auto& [key, member] : counted) json[key] = statistics.*member;
  json.update(Json(static_cast<const RunTime&>(statistics)));
}

void from_json(const Json& json, RunStatistics& statistics) {
  for (const auto& [key, member] : counted) statistics.*member = json.at(key);
  static_cast<RunTime&>(statistics) = json.get<RunTime>();
}

void to_json(Json& json, const RunTime& time) {
  json = {{"cpu_seconds", time.cpu_seconds}, {"wall_seconds", time.wall_seconds}};
  if (time.repeats > 0) json["repeats"] = time.repeats, json["spread"] = time.spread;
}

void from_json(const Json& json, RunTime& time) {
  time = {.cpu_seconds = json.at("cpu_seconds"), .wall_seconds = json.at("wall_seconds")};
  if (json.contains("repeats")) time.repeats = json["repeats"], time.spread = json.at("spread");
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

void to_json(Json& json, const RunRecord& record) {
  const Writer write(record.scalar);
  const Json& spec = record.spec;
  json = {{"problem", {{"name", spec.at("problem").at("name")}, {"parameters", parameters(spec["problem"])}}},
          {"formulation", spec.at("formulation")},
          {"method", {{"name", spec.at("method").at("name")}, {"options", parameters(spec["method"])}}},
          {"scalar", name_of(record.scalar)},
          {"status", to_string(record.status)},
          {"cause", record.cause},
          {"warnings", record.warnings}};
  json.update(write.state(record.state));
  json["max"] = maxima_json(record.max, record.scalar);
  json["error"] = record.error ? Json(*record.error) : Json();
  json["stats"] = record.stats;
  json["reaction"] = write.numbers(record.reaction);
  json["multiplier_solver"] = spec.at("multiplier_solver");
  json["multipliers"] = multipliers_json(record.multipliers, record.multipliers_note);
  if (record.samples) {
    json["samples"] = Json::array();
    for (const StateRecord& sample : *record.samples) json["samples"].push_back(write.state(sample));
  }
  json["start"] = start_json(record.start);
  if (record.events) json["events"] = events_json(*record.events, write);
  if (record.history) json["history"] = *record.history;
  json["spec"] = spec;
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

void from_json(const Json& record, RunEnd& end) {
  end = {enumerator<StatusCode>(record.at("status")), record.at("cause"), {}};
  if (record.contains("warnings")) end.warnings = record["warnings"].get<std::vector<Warning>>();
}

std::optional<RunRecord> integration_record(const Json& record) {
  if (!record.contains("stats")) return {};
  return record.get<RunRecord>();
}

void take_out_states(Json& record) {
  for (const char* key : {"samples", "history", "events", "reaction", "q", "v", "a", "y", "lambda"}) record.erase(key);
}

void from_json(const Json& json, RunRecord& record) {
  record = {};
  record.spec = json.at("spec"), record.scalar = enumerator<Scalar>(json.at("scalar"));
  RunEnd end = json.get<RunEnd>();
  record.status = std::move(end.status), record.cause = std::move(end.cause), record.warnings = std::move(end.warnings);
  record.state = read_state(json);
  record.max = json.at("max").get<Maxima>();
  record.error = read_error(json.at("error"));
  record.stats = json.at("stats").get<RunStatistics>();
  record.reaction = record_vector(json.at("reaction"));
  record.multipliers = json.at("multipliers").get<SolveStatistics>();
  record.multipliers_note = json.at("multipliers").at("note");
  if (json.contains("samples")) {
    record.samples.emplace();
    for (const Json& sample : json["samples"]) record.samples->push_back(read_state(sample));
  }
  record.start = read_start(json.at("start"));
  if (json.contains("events")) record.events = read_events(json["events"]);
  if (json.contains("history")) record.history = json["history"].get<StepHistoryRecord>();
}

}  // namespace daelab
