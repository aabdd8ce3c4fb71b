// animate: one mechanism by several methods, as a page to show.
#include <fmt/format.h>

#include <map>
#include <set>

#include "app/argument_checks.hpp"
#include "app/commands.hpp"
#include "app/run_arguments.hpp"
#include "app/sketch_outline.hpp"
#include "app/solve_command.hpp"
#include "app/solve_progress.hpp"
#include "core/base/write_file.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/runs/run.hpp"
#include "report/page/motion_page.hpp"
#include "report/page/page_sources.hpp"
#include "results/provenance.hpp"

namespace daelab::app {
namespace {

bool has_reference(const AnimateArguments& arguments) { return arguments.reference != "none"; }

std::shared_ptr<const Run> bound(const Json& run, const std::string& method, const std::string& formulation,
                                 const AnimateArguments& arguments) {
  Json json = run;
  json["problem"] = arguments.problem, json["method"] = method, json["trajectory"] = arguments.every;
  if (!formulation.empty()) json["formulation"] = formulation;
  std::shared_ptr<const Run> result;
  with_option_names([&] { result = Run::of(spec_of_arguments(json, arguments.start)); });
  return result;
}

// All are bound before the first one is carried out: what is wrong is told at once.
std::vector<std::shared_ptr<const Run>> runs_of(const AnimateArguments& arguments) {
  const std::vector<std::string> formulations =
      arguments.formulations.empty() ? std::vector<std::string>{""} : arguments.formulations;
  std::vector<std::shared_ptr<const Run>> runs;
  for (const std::string& method : arguments.methods)
    for (const std::string& formulation : formulations)
      runs.push_back(bound(arguments.run, method, formulation, arguments));
  return runs;
}

// The times of all curves that a run to this end can have as times of dense output.
std::vector<std::string> sample_times(const std::vector<MovingOutline>& motions, const Run& run) {
  std::set<double> times;
  for (const MovingOutline& motion : motions) times.insert(motion.curve_t.begin(), motion.curve_t.end());
  std::vector<std::string> texts;
  for (const double t : times)
    if (Real100(t) > run.t_start() && Real100(t) <= run.t_end().value()) texts.push_back(fmt::format("{}", t));
  return texts;
}

Vector<double> coordinates(const StateRecord& state) {
  return (state.q.size() > 0 ? state.q : state.y).unaryExpr([](const Real50& x) { return static_cast<double>(x); });
}

// Errors against a run of high accuracy, at the times of the curves. The page says which, or why there are none.
bool add_all_errors(std::vector<MovingOutline>& motions, const Run& first, const AnimateArguments& arguments,
                    std::string& against) {
  constexpr const char* tolerance = "1e-11";
  Json json = arguments.run;
  for (const char* key : {"h", "step_pattern", "atol_components", "atol_velocity", "scalar"}) json.erase(key);
  json["rtol"] = json["atol"] = tolerance;
  json["samples"] = sample_times(motions, first);
  const auto run = bound(json, arguments.reference, "", arguments);
  SolveProgress progress;
  const Run::Outcome outcome = run->integrate(&progress);
  if (outcome.interrupted) return false;
  const RunRecord& record = outcome.record;
  if (!record.ok() || !record.samples) {
    against =
        fmt::format("There are no errors: the run of {} that they are against ended with {}{}{}.", arguments.reference,
                    to_string(record.status), record.cause.empty() ? "" : ": ", record.cause);
    return true;
  }
  std::map<double, Vector<double>> accurate;
  for (const StateRecord& state : *record.samples) accurate[static_cast<double>(state.t)] = coordinates(state);
  for (MovingOutline& motion : motions) add_errors(motion, accurate);
  against = fmt::format("Errors are against {} with rtol = atol = {}.", run->spec().method.text(), tolerance);
  return true;
}

std::string title_of(const Problem& problem, std::size_t moving) {
  return fmt::format("{} in motion{}", problem.name(), moving > 1 ? fmt::format(": {} runs side by side", moving) : "");
}

std::string how_it_ended(const Run& run, const RunRecord& record) {
  return fmt::format("{} on {}: {} at t = {:.6g} s{}{}", run.spec().method.text(), run.formulation_text(),
                     to_string(record.status), static_cast<double>(record.state.t), record.cause.empty() ? "" : ", ",
                     record.cause);
}

}  // namespace

int animate(const AnimateArguments& arguments, const std::string& command) {
  if (arguments.every < 1) throw InputError("--every: must be at least 1");
  check_writable("--out", arguments.out);
  if (has_reference(arguments)) Registry<Method>::instance().make(arguments.reference, "--reference");
  const std::vector<std::shared_ptr<const Run>> runs = runs_of(arguments);
  const Problem& problem = runs.front()->problem();
  MotionPage page;
  page.command = command;
  page.drawing = sketch_of(problem, "svg");
  if (page.drawing.empty())
    throw InputError("problem",
                     fmt::format("'{}' has no outline, so nothing of it can move; a problem in JSON states one under "
                                 "\"outline\" (docs/problems.md)",
                                 problem.name()));
  page.origin = origin_of(Json{{"provenance", current_provenance()}});
  bool all_ok = true;
  for (const auto& run : runs) {
    SolveProgress progress;
    const Run::Outcome outcome = run->integrate(&progress);
    if (outcome.interrupted) return 130;
    Json record = outcome.record;
    const std::string key = fmt::format("{}", page.records.size() + 1);
    record["key"] = key;
    page.records.push_back(std::move(record));
    page.motions.push_back(motion_of(problem, key, outcome.trajectory));
    if (outcome.record.ok()) continue;
    all_ok = false;
    page.warnings.push_back(how_it_ended(*run, outcome.record));
    fmt::print(stderr, "{}\n", page.warnings.back());
  }
  page.title = title_of(problem, moving_count(page.motions));
  if (has_reference(arguments) && !add_all_errors(page.motions, *runs.front(), arguments, page.errors_against))
    return 130;
  const std::string html = motion_page_to_html(page, solve_command);
  write_named_file(arguments.out, html);
  fmt::print("{} ({:.1f} MB)\n", arguments.out, static_cast<double>(html.size()) / 1e6);
  return all_ok ? 0 : 1;
}

}  // namespace daelab::app
