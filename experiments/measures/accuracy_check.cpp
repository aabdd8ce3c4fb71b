#include "experiments/measures/accuracy_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/measures/accuracy.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr double factor = 2;  // from the difference of the runs to the error of the first

// A run is off by more tolerances than one, as errors of steps add up; more than this is not what was asked for.
constexpr double tolerances_allowed = 100;
// Fixed steps ask for nothing; an error in the size of the solution is worth a word.
constexpr double part_allowed = 0.1;

Exact half_of(const Exact& x) { return fmt::format("({})/2", x.text()); }

std::vector<std::string> controlled_classes(const Run& run) {
  std::vector<std::string> classes = run.classes();
  std::erase_if(classes, [](const std::string& kind) { return kind == "a" || kind == "lambda"; });
  return classes;
}

std::optional<Warning> too_many_tolerances(const Run& run, double tolerances) {
  if (tolerances <= tolerances_allowed) return {};
  return Warning{"accuracy", fmt::format("the error at the end time is estimated as {:.1e} times what {} tolerates, "
                                         "from a second run with half of it; use a smaller tolerance or another "
                                         "method, and check again",
                                         tolerances, steps_text(run.spec()))};
}

std::optional<Warning> too_large_part(const Run& run, const RunRecord& record, const AccuracyCheck& check) {
  for (const std::string& kind : controlled_classes(run)) {
    Real50 size = 0;
    for (const Real50& x : record.state.of(kind)) size = std::max(size, Real50(abs(x)));
    const double part = check.error.at(kind) / static_cast<double>(size);
    if (size > 0 && part > part_allowed)
      return Warning{"accuracy", fmt::format("the error of {} at the end time is estimated as {:.0f} % of its largest "
                                             "entry, from a second run with half the step size; use a smaller one",
                                             kind, 100 * part)};
  }
  return {};
}

}  // namespace

std::shared_ptr<const Run> run_of_half_tolerance(const Run& run) {
  RunSpec spec = run.spec();
  for (std::optional<Exact>* size : {&spec.rtol, &spec.atol, &spec.atol_velocity})
    if (*size) *size = half_of(**size);
  if (!spec.adaptive()) spec.h = half_of(*spec.h);
  for (const NamedValue& x : run.atol_components()) spec.atol_components[x.name] = half_of(x.value).text();
  if (spec.max_steps) spec.max_steps = fmt::format("2*({})", spec.max_steps->text());
  spec.trajectory = 0, spec.history = false, spec.samples.clear(), spec.sample_every.reset();
  return Run::of(std::move(spec));
}

AccuracyCheck check_accuracy(const Run& run, const RunRecord& record, const Run& half, const RunRecord& second) {
  AccuracyCheck check{second.status, second.cause, {}, {}, {}};
  if (!second.ok()) {
    check.warning = {"accuracy", fmt::format("not known: the second run, with {}, ended with {} - {}",
                                             steps_text(half.spec()), to_string(second.status), second.cause)};
    return check;
  }
  ReferenceSolution finer;
  for (const std::string& kind : run.classes()) finer.classes[kind] = second.state.of(kind);
  for (const std::string& kind : run.classes())
    check.error[kind] = factor * static_cast<double>(error_of(record, finer, kind));
  if (run.spec().adaptive()) {
    check.tolerances = factor * error_in_tolerances(run.spec(), record, finer, controlled_classes(run));
    check.warning = too_many_tolerances(run, *check.tolerances);
  } else {
    check.warning = too_large_part(run, record, check);
  }
  return check;
}

void to_json(Json& json, const AccuracyCheck& check) {
  json = {{"status", to_string(check.status)}, {"cause", check.cause}, {"estimated_error", Json::object()}};
  if (check.error.empty()) json["estimated_error"] = nullptr;
  for (const auto& [kind, error] : check.error) json["estimated_error"][kind] = error;
  json["tolerances"] = check.tolerances ? Json(*check.tolerances) : Json();
}

}  // namespace daelab
