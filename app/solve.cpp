// solve: one run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "app/argument_checks.hpp"
#include "app/commands.hpp"
#include "app/folded_text.hpp"
#include "app/named_columns.hpp"
#include "app/run_arguments.hpp"
#include "app/solve_progress.hpp"
#include "app/terminal.hpp"
#include "core/base/number_text.hpp"
#include "core/base/write_file.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/mechanism/problem.hpp"
#include "core/mechanism/state_names.hpp"
#include "experiments/measures/accuracy_check.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/labels.hpp"
#include "lab/runs/run.hpp"
#include "lab/runs/steps.hpp"
#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"
#include "results/record_values.hpp"

namespace daelab::app {
namespace {

std::string text_of(const Json& x) { return x.is_null() ? "-" : x.is_string() ? x.get<std::string>() : x.dump(); }

// How often each event took place and when last, or why it did not; sampling times and discontinuities likewise.
void print_events(const EventsRecord& events, Scalar scalar) {
  const auto print = [](const std::string& name, const std::string& text) { fmt::print("  {:<24} {}\n", name, text); };
  const auto time = [&](const Real50& t) { return text_of(number_in(scalar, t)); };
  std::map<std::string, std::string> last;
  for (const auto& [event, t] : events.list) last[event] = time(t);
  fmt::print("{}\n", tinted(Tint::strong, "events"));
  for (const EventsRecord::Kind& kind : events.kinds)
    print(kind.name,
          kind.count == 0 ? "none: " + kind.cause : fmt::format("{}, the last at t = {}", kind.count, last[kind.name]));
  if (events.samplings > 0) print("samplings", fmt::format("{}", events.samplings));
  if (const auto& found = events.discontinuities; !found.empty())
    print("discontinuities", fmt::format("{}, the last at t = {}", found.size(), time(found.back())));
}

// ", h = 0.03 s (the last step is shorter; 1/33 would divide the interval)"
std::string steps_words(const Run& run) {
  const RunSpec& spec = run.spec();
  const std::string dividing = nearest_dividing_step(spec, run.length());
  return fmt::format(
      ", h = {} s{}", spec.h->text(),
      dividing.empty() ? "" : fmt::format(" (the last step is shorter; {} would divide the interval)", dividing));
}

// What was run, and what was chosen because nothing was said.
void print_heading(const Run& run, const Json& given) {
  const RunSpec& spec = run.spec();
  const auto component = [&](const char* key, const Json& full) {
    return spec_text(chosen_component(key, full, given.value(key, Json())));
  };
  const auto chosen = [&](const char* key) { return given.contains(key) ? "" : " (default)"; };
  std::string text = run.problem().name();
  if (!run.is_ode())
    text += fmt::format(" on {}{}", component("formulation", spec.formulation->json()), chosen("formulation"));
  text += given.contains("method") ? " by " + component("method", spec.method.json())
                                   : fmt::format(" by {} (default)", spec.method.text());
  if (spec.adaptive())
    text +=
        fmt::format(", rtol = {}{}, atol = {}{}", spec.rtol->text(), chosen("rtol"), spec.atol->text(), chosen("atol"));
  else
    text += steps_words(run);
  if (run.t_start() != 0) text += fmt::format(", from t = {} s", constant_text(run.t_start()));
  print_wrapped(fmt::format("{}, to t = {} s{}, {}", text, run.t_end().text(), chosen("t_end"), name_of(spec.scalar)),
                2);
}

// Numbers of double to so many digits; those of 50 digits as they are.
std::string number_text(const Json& x, int digits) {
  return x.is_number_float() ? fmt::format("{:.{}g}", x.get<double>(), digits) : text_of(x);
}

// Sizes of errors: in 50 digits, too, nobody reads more than the first.
std::string size_text(const Json& x, int digits) {
  if (!x.is_string()) return number_text(x, digits);
  const std::string text = x.get<std::string>();
  const std::optional<double> size = number_in(text);
  return size ? fmt::format("{:.{}g}", *size, digits) : text;
}

constexpr int state_digits = 10, other_digits = 5;

// Coordinates by the problem's own names, each beside its velocity; of long states the beginning.
void print_state(const Run& run, const RunRecord& record) {
  constexpr std::size_t most_rows = 20;
  const StateRecord& state = record.state;
  const auto text = [&](const Real50& x) { return number_text(number_in(record.scalar, x), state_digits); };
  const auto rest = [](std::size_t n) {
    if (n > most_rows) fmt::print("  ... and {} more: --json or --trajectory FILE.csv\n", n - most_rows);
  };
  fmt::print("t = {}\n", text(state.t));
  if (!state.is_ode) {
    const auto name = [](const StateEntry& entry) { return entry.own.empty() ? entry.name : entry.own; };
    const StateNames names(run.problem());
    const std::vector<StateEntry> q = names.of('q'), v = names.of('v');
    const char* const between = record.scalar == Scalar::binary64 ? " " : "\n  ";  // of 50 digits a line has one
    for (std::size_t i = 0; i < std::min(q.size(), most_rows); ++i) {
      const Index k = static_cast<Index>(i);
      fmt::print("  {:<8} {:<20}{}{:<8} {}\n", name(q[i]), text(state.q[k]), between, name(v[i]), text(state.v[k]));
    }
    rest(q.size());
  }
  const auto n = static_cast<std::size_t>(state.y.size());
  for (std::size_t i = 0; i < std::min(n, most_rows); ++i)
    fmt::print("y{} = {}\n", i + 1, text(state.y[static_cast<Index>(i)]));
  rest(n);
}

void print_group(const std::string& name, const Json& group) {
  constexpr std::size_t column = 27;
  fmt::print("{}\n", tinted(Tint::strong, name));
  for (const auto& [key, x] : group.items()) {
    std::string words = "  " + key;
    std::ranges::replace(words, '_', ' ');
    if (!x.is_object() && x != "")
      fmt::print("{}", entry_text(words, size_text(x, other_digits), column, terminal_width()));
  }
}

// By class of the state, and how many times the tolerance the largest is; why there is none if the second run failed.
void print_accuracy(const AccuracyCheck& accuracy) {
  Json group = Json::object();
  for (const auto& [kind, error] : accuracy.error) group[kind] = error;
  if (accuracy.tolerances) group["over the tolerance"] = *accuracy.tolerances;
  if (accuracy.error.empty()) group = {{"status", to_string(accuracy.status)}, {"cause", accuracy.cause}};
  print_group("error at the end, estimated", group);
}

Json without_zeros(const Json& group) {
  Json rest = Json::object();
  for (const auto& [key, x] : group.items())
    if (x != 0) rest[key] = x;
  return rest;
}

// Nothing of an error of the energy where it is not meant to be conserved.
Json maxima_of(const Run& run, const RunRecord& record) {
  Json maxima = maxima_json(record.max, record.scalar);
  if (!run.problem().conserves_energy()) maxima.erase("energy_error");
  return maxima;
}

// Green where all is well, red where a run failed.
void print_status(const RunRecord& record) {
  fmt::print("status {}", tinted(record.ok() ? Tint::good : Tint::bad, to_string(record.status)));
  if (record.cause.empty())
    fmt::print("\n");
  else
    fmt::print(":\n{}", wrapped(record.cause, terminal_width(), 2));
}

// Implicit methods solve for multipliers inside; the one solve of their start is not worth a block.
bool solved_on_the_way(const SolveStatistics& multipliers) { return multipliers.solves > 1; }

void print_summary(const Run& run, const RunRecord& record, const std::optional<AccuracyCheck>& accuracy,
                   const Json& given) {
  print_heading(run, given);
  print_status(record);
  if (record.ok() || record.stats.steps != 0) {
    print_state(run, record);
    if (record.events) print_events(*record.events, record.scalar);
    if (!run.is_ode()) print_group("largest on the way", maxima_of(run, record));
    if (record.error) print_group("error at the end", *record.error);
    if (accuracy) print_accuracy(*accuracy);
    print_group("work", record.stats);
    if (solved_on_the_way(record.multipliers))
      print_group("solves for multipliers",
                  without_zeros(multipliers_json(record.multipliers, record.multipliers_note)));
  }
  for (const Warning& warning : record.warnings)
    print_wrapped(fmt::format("{} {}: {}", tinted(Tint::warning, "warning"), warning.kind, warning.text), 2);
}

// The rows of the trajectory are at the samples that were asked for.
Run::Outcome observed(const Run& run) {
  SolveProgress progress(true);
  return run.integrate(&progress);
}

// What --json prints: what was asked for is known to who asked, but not what was chosen where nothing was said.
Json printed(const Run& run, const RunRecord& record, const std::optional<AccuracyCheck>& accuracy) {
  Json json = record;
  json.erase("spec");
  if (const RunSpec& spec = run.spec(); spec.adaptive()) {
    Json& tolerances = json["tolerances"] = {{"rtol", spec.rtol->as<double>()}, {"atol", spec.atol->as<double>()}};
    for (const NamedValue& x : run.atol_components()) tolerances["atol_components"][x.name] = x.value.as<double>();
    if (!run.is_ode()) tolerances["atol_velocity"] = spec.atol_velocity->as<double>();
  }
  if (accuracy) json["accuracy"] = *accuracy;
  return json;
}

}  // namespace

int solve(const SolveArguments& arguments) {
  if (arguments.every < 1) throw InputError("--every: must be at least 1");
  if (arguments.every > 1 && arguments.run.contains("sample_every"))
    throw InputError("--every: the rows of the trajectory are those of --sample-every");
  if (!arguments.trajectory.empty()) check_writable("--trajectory", arguments.trajectory);
  Json completed = arguments.run;
  const bool is_default_tolerance = completed_by_default(completed);
  std::shared_ptr<const Run> run, half;  // half the tolerance; null: accuracy is not asked for
  with_option_names([&] {
    RunSpec spec = spec_of_arguments(completed, arguments.start);
    if (!arguments.trajectory.empty()) spec.trajectory = arguments.every;
    run = Run::of(std::move(spec));
    if (arguments.check_accuracy) half = run_of_half_tolerance(*run);
  });
  Run::Outcome outcome = observed(*run);
  if (outcome.interrupted) return 130;
  RunRecord& record = outcome.record;
  if (is_default_tolerance && record.status == StatusCode::not_applicable)
    throw InputError(
        "--h is missing: give the step size in seconds, as --h 0.01. Error control does without one, but here "
        "it is not possible: " +
        record.cause);
  std::optional<AccuracyCheck> accuracy;
  if (half && record.ok()) {
    const Run::Outcome second = observed(*half);
    if (second.interrupted) return 130;
    accuracy = check_accuracy(*run, record, *half, second.record);
    if (accuracy->warning) record.warnings.push_back(*accuracy->warning);
  }
  if (!arguments.trajectory.empty())
    write_named_file(arguments.trajectory, with_own_names(outcome.trajectory, run->problem()));
  if (arguments.json)
    fmt::print("{}\n", printed(*run, record, accuracy).dump(2));
  else
    print_summary(*run, record, accuracy, arguments.run);
  return record.ok() ? 0 : 1;
}

int schema() {
  fmt::print("{}\n", folded_text(config_schema(), 120));
  return 0;
}

}  // namespace daelab::app
