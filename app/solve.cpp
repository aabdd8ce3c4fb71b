// solve, reference: one run, one certified reference.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "app/commands.hpp"
#include "app/run_arguments.hpp"
#include "app/solve_progress.hpp"
#include "app/terminal.hpp"
#include "core/base/write_file.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/model/problem.hpp"
#include "core/model/state_names.hpp"
#include "experiments/measures/accuracy_check.hpp"
#include "experiments/references/certify.hpp"
#include "experiments/runs/config.hpp"
#include "experiments/runs/run.hpp"
#include "report/number.hpp"
#include "report/text.hpp"
#include "results/reference.hpp"

namespace daelab::app {
namespace {

Json run_of(const SolveArguments& arguments) {
  Json run = arguments.run;
  add_start(arguments.start, run);
  separate_atol_components(run);
  // A wrong name is told before a missing step size.
  Registry<Method>::instance().make(run["method"], "--method");
  if (!run.contains("h") && !run.contains("rtol") && !run.contains("atol"))
    throw InputError("--h is missing: the step size in seconds; or --rtol, --atol for error control");
  if (!arguments.trajectory.empty()) run["trajectory"] = arguments.every;
  return run;
}

std::string text_of(const Json& x) { return x.is_null() ? "-" : x.is_string() ? x.get<std::string>() : x.dump(); }

// How often each event took place and when last, or why it did not; sampling times and discontinuities likewise.
void print_events(const Json& events) {
  const auto print = [](const std::string& name, const std::string& text) { fmt::print("  {:<24} {}\n", name, text); };
  std::map<std::string, Json> last;
  for (const Json& event : events["list"]) last[event["event"]] = event["t"];
  fmt::print("events\n");
  for (const Json& kind : events["kinds"]) {
    const std::string name = kind["name"];
    print(name, kind["count"] == 0 ? "none: " + kind["cause"].get<std::string>()
                                   : fmt::format("{}, the last at t = {}", kind["count"].dump(), text_of(last[name])));
  }
  if (events["samplings"] > 0) print("samplings", text_of(events["samplings"]));
  if (const Json& found = events["discontinuities"]; !found.empty())
    print("discontinuities", fmt::format("{}, the last at t = {}", found.size(), text_of(found.back())));
}

// What was run, and what was chosen because nothing was said.
void print_heading(const Run& run, const Json& given) {
  const RunSpec& spec = run.spec();
  const auto chosen = [&](const char* key) { return given.contains(key) ? "" : " (default)"; };
  std::string text = run.problem().name();
  if (!run.is_ode()) text += fmt::format(" on {}{}", run.formulation_text(), chosen("formulation"));
  text += fmt::format(" by {}", spec_text(spec.method));
  if (spec.adaptive())
    text +=
        fmt::format(", rtol = {}{}, atol = {}{}", spec.rtol->text(), chosen("rtol"), spec.atol->text(), chosen("atol"));
  else
    text += fmt::format(", h = {} s", spec.h->text());
  if (run.t_start() != 0) text += fmt::format(", from t = {} s", constant_text(run.t_start()));
  print_wrapped(fmt::format("{}, to t = {} s{}, {}", text, run.t_end().text(), chosen("t_end"), spec.scalar), 2);
}

// Numbers of double to so many digits; those of 50 digits as they are.
std::string number_text(const Json& x, int digits) {
  return x.is_number_float() ? fmt::format("{:.{}g}", x.get<double>(), digits) : text_of(x);
}

constexpr int state_digits = 10, other_digits = 5;

// Coordinates by the problem's own names, each beside its velocity; of long states the beginning.
void print_state(const Run& run, const Json& record) {
  constexpr std::size_t most_rows = 20;
  const auto rest = [](std::size_t n) {
    if (n > most_rows) fmt::print("  ... and {} more: --json or --trajectory FILE.csv\n", n - most_rows);
  };
  fmt::print("t = {}\n", number_text(record["t"], state_digits));
  if (record.contains("q")) {
    const auto name = [](const StateEntry& entry) { return entry.own.empty() ? entry.name : entry.own; };
    const StateNames names(run.problem());
    const std::vector<StateEntry> q = names.of('q'), v = names.of('v');
    for (std::size_t i = 0; i < std::min(q.size(), most_rows); ++i)
      fmt::print("  {:<8} {:<20} {:<8} {}\n", name(q[i]), number_text(record["q"][i], state_digits), name(v[i]),
                 number_text(record["v"][i], state_digits));
    rest(q.size());
  }
  if (record.contains("y")) {
    const std::size_t n = record["y"].size();
    for (std::size_t i = 0; i < std::min(n, most_rows); ++i)
      fmt::print("y{} = {}\n", i + 1, number_text(record["y"][i], state_digits));
    rest(n);
  }
}

void print_group(const std::string& name, const Json& group) {
  constexpr std::size_t column = 27;
  fmt::print("{}\n", name);
  for (const auto& [key, x] : group.items())
    if (!x.is_object() && x != "")
      fmt::print("{}", entry_text("  " + key, number_text(x, other_digits), column, terminal_width()));
}

Json without_zeros(const Json& group) {
  Json rest = Json::object();
  for (const auto& [key, x] : group.items())
    if (x != 0) rest[key] = x;
  return rest;
}

// Green where all is well, red where a run failed.
void print_status(const Json& record) {
  const std::string status = record["status"], cause = record["cause"];
  const bool fine = record["status"] == to_string(StatusCode::ok);
  fmt::print("status {}", tinted(fine ? Tint::good : Tint::bad, status));
  if (cause.empty())
    fmt::print("\n");
  else
    fmt::print(":\n{}", wrapped(cause, terminal_width(), 2));
}

// Implicit methods solve for multipliers inside; the one solve of their start is not worth a block.
bool solved_on_the_way(const Json& multipliers) { return multipliers.is_object() && multipliers["solves"] > 1; }

void print_summary(const Run& run, const Json& record, const Json& given) {
  print_heading(run, given);
  print_status(record);
  const bool began = record["status"] == "ok" || record["stats"]["steps"] != 0;
  if (began) {
    print_state(run, record);
    if (record.contains("events")) print_events(record["events"]);
    if (!run.is_ode()) print_group("max", record["max"]);
    for (const char* group : {"error", "accuracy", "stats"})
      if (record.contains(group) && !record[group].is_null()) print_group(group, record[group]);
    if (const Json multipliers = record.value("multipliers", Json()); solved_on_the_way(multipliers))
      print_group("multipliers", without_zeros(multipliers));
  }
  for (const Json& warning : record["warnings"])
    print_wrapped(
        fmt::format("{} {}: {}", tinted(Tint::warning, "warning"), text_of(warning["kind"]), text_of(warning["text"])),
        2);
}

Run::Outcome observed(const Run& run) {
  SolveProgress progress;
  return run.integrate(&progress);
}

void add_accuracy(const AccuracyCheck& check, Json& record) {
  record["accuracy"] = check;
  if (check.warning) record["warnings"].push_back({{"kind", check.warning->kind}, {"text", check.warning->text}});
}

// Before the run, not after it.
void check_writable(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw InputError("--trajectory: no folder '" + folder.string() + "'");
  if (std::filesystem::is_directory(path)) throw InputError("--trajectory: '" + path + "' is a directory");
  if (::access(std::filesystem::exists(path) ? path.c_str() : folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    throw InputError(fmt::format("--trajectory: cannot write '{}': {}", path, std::strerror(errno)));
}

}  // namespace

int solve(const SolveArguments& arguments) {
  if (arguments.every < 1) throw InputError("--every: must be at least 1");
  if (!arguments.trajectory.empty()) check_writable(arguments.trajectory);
  std::shared_ptr<const Run> run, half;  // half the tolerance; null: accuracy is not asked for
  with_option_names([&] {
    run = Run::bind(run_of(arguments), "");
    if (arguments.check_accuracy) half = run_of_half_tolerance(*run, run_of(arguments));
  });
  const Run::Outcome outcome = observed(*run);
  if (outcome.interrupted) return 130;
  Json record = outcome.record;
  record.erase("spec");
  if (half && outcome.record.ok()) {
    const Run::Outcome second = observed(*half);
    if (second.interrupted) return 130;
    add_accuracy(check_accuracy(*run, outcome.record, *half, second.record), record);
  }
  if (!arguments.trajectory.empty()) write_named_file(arguments.trajectory, outcome.trajectory);
  if (arguments.json)
    fmt::print("{}\n", record.dump(2));
  else
    print_summary(*run, record, arguments.run);
  return record["status"] == "ok" ? 0 : 1;
}

int reference(const std::string& problem, const std::vector<std::string>& times, bool store) {
  const Real100 t_start = Registry<Problem>::instance().make(problem, "--problem")->start_time();
  std::vector<Exact> at;
  for (const std::string& time : times)
    if (at.push_back(exact_from_json(time, "--t")); at.back().value() <= t_start)
      throw InputError("--t", fmt::format("{} is out of range; allowed: above {}", time, constant_text(t_start)));
  std::sort(at.begin(), at.end(), [](const Exact& a, const Exact& b) { return a.value() < b.value(); });
  const Json file = certify_reference(problem, at);
  if (store) write_file(reference_path(file["problem"]["name"]), file.dump(1) + "\n");
  fmt::print("{}\n", file.dump(1));
  return 0;
}

int schema() {
  fmt::print("{}\n", config_schema().dump(1));
  return 0;
}

}  // namespace daelab::app
