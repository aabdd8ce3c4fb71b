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
#include "app/solve_progress.hpp"
#include "core/base/write_file.hpp"
#include "core/model/problem.hpp"
#include "experiments/measures/accuracy_check.hpp"
#include "experiments/references/certify.hpp"
#include "experiments/runs/config.hpp"
#include "experiments/runs/run.hpp"
#include "report/number.hpp"
#include "results/reference.hpp"

namespace daelab::app {
namespace {

Json run_of(const SolveArguments& arguments) {
  Json run = arguments.run;
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

void print_summary(const Json& record) {
  fmt::print("status {}{}\n", text_of(record["status"]),
             record["cause"] == "" ? "" : ": " + record["cause"].get<std::string>());
  for (const Json& warning : record["warnings"])
    fmt::print("warning {}: {}\n", text_of(warning["kind"]), text_of(warning["text"]));
  fmt::print("t = {}\n", text_of(record["t"]));
  const bool is_ode = !record.contains("q");
  if (record.contains("y"))
    for (std::size_t i = 0; i < record["y"].size(); ++i) fmt::print("y{} = {}\n", i + 1, text_of(record["y"][i]));
  if (record.contains("events")) print_events(record["events"]);
  for (const std::string group : {"max", "error", "accuracy", "stats", "multipliers"}) {
    if (!record.contains(group) || record[group].is_null() || (is_ode && (group == "max" || group == "multipliers")))
      continue;
    fmt::print("{}\n", group);
    for (const auto& [key, x] : record[group].items()) fmt::print("  {:<24} {}\n", key, text_of(x));
  }
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

// The run's keys are the options: /method/r is r of --method. Other messages begin with the path of a file.
[[noreturn]] void throw_as_option(const std::string& message) {
  const std::string key = message.substr(1, message.find_first_of("/:", 1) - 1);
  RunSpec spec;
  const Options options = spec.options();
  if (!message.starts_with("/") || std::none_of(options.list().begin(), options.list().end(),
                                                [&](const Option& option) { return option.name() == key; }))
    throw InputError(message);
  std::string name = key;
  std::replace(name.begin(), name.end(), '_', '-');
  throw InputError("--" + name + message.substr(1 + key.size()));
}

}  // namespace

int solve(const SolveArguments& arguments) {
  if (arguments.every < 1) throw InputError("--every: must be at least 1");
  if (!arguments.trajectory.empty()) check_writable(arguments.trajectory);
  std::shared_ptr<const Run> run, half;  // half the tolerance; null: accuracy is not asked for
  try {
    run = Run::bind(run_of(arguments), "");
    if (arguments.check_accuracy) half = run_of_half_tolerance(*run, run_of(arguments));
  } catch (const InputError& error) {
    throw_as_option(error.what());
  }
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
    print_summary(record);
  return record["status"] == "ok" ? 0 : 1;
}

int reference(const std::string& problem, const std::vector<std::string>& times, bool store) {
  std::vector<Exact> at;
  for (const std::string& time : times)
    if (at.push_back(exact_from_json(time, "--t")); at.back().value() <= 0)
      throw InputError("--t", fmt::format("{} is out of range; allowed: above 0", time));
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
