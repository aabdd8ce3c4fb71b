#include "experiments/measures/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/norm.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/steps.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

std::string problem_text(Json spec) {
  spec.erase("end_time");
  return spec_text(spec);
}

// What to do for a run that errors cannot be told of.
std::string missing_reference(const Run& run) {
  const std::string command = run.references().storing_command(run.t_end());
  return fmt::format("is missing, and no reference of {} at t = {} is stored{}; give a \"reference\" run{}",
                     problem_text(run.spec().problem), run.t_end().text(),
                     run.start().replaces() ? " for this start" : "",
                     command.empty() ? "" : ", or store one with: " + command);
}

// Largest |error| / weight(class, place, reference value) over a class or of one component. NaN where an entry is.
Real50 largest_error(const RunRecord& record, const ReferenceSolution& reference, const std::string& component,
                     const auto& weight) {
  const ComponentName name = component_or_class(component, "/components");
  const Vector<Real50>&ours = record.state.of(name.kind), &exact = reference.of(name.kind);
  NormOf<Real50> largest;
  for (Index i = 0; i < ours.size(); ++i)
    if (name.place < 0 || name.place == i) largest.add(Real50((ours[i] - exact[i]) / weight(name.kind, i, exact[i])));
  return largest.value();
}

Real50 largest_error(const RunRecord& record, const ReferenceSolution& reference,
                     const std::vector<std::string>& components, const auto& weight) {
  NormOf<Real50> largest;
  for (const std::string& component : components) largest.add(largest_error(record, reference, component, weight));
  return largest.value();
}

// atol/rtol + |y|, with the tolerances of the run. First-order states beside coordinates are judged as velocities.
auto mixed_weight(const RunSpec& spec, const ReferenceSolution& reference) {
  const auto ratio = [&](const Exact& atol) { return Real50(atol.value() / spec.rtol->value()); };
  std::map<std::string, Real50> of_components;  // "q6"
  if (!spec.atol_components.is_null())
    for (const auto& [name, atol] : spec.atol_components.items())
      of_components.emplace(name, ratio(atol.get<std::string>()));
  const bool is_ode = !reference.classes.contains("q");
  return
      [of_components = std::move(of_components), is_ode,
       of_velocities = spec.adaptive() ? ratio(*spec.atol_velocity) : Real50(1),
       of_others = spec.adaptive() ? ratio(*spec.atol) : Real50(1)](const std::string& kind, Index i, const Real50& y) {
        if (!of_components.empty())
          if (const auto own = of_components.find(fmt::format("{}{}", kind, i + 1)); own != of_components.end())
            return Real50(own->second + abs(y));
        return Real50((kind == "v" || (kind == "y" && !is_ode) ? of_velocities : of_others) + abs(y));
      };
}

double digits(const RunRecord& record, const ReferenceSolution& reference, const std::vector<std::string>& components,
              const auto& weight) {
  const Real50 largest = largest_error(record, reference, components, weight);
  return largest == 0 ? HUGE_VAL : -static_cast<double>(Real50(log10(largest)));
}

}  // namespace

std::vector<GroupCoordinates> groups_of(const Problem& problem) {
  return problem.recorded()->mode(problem.start_mode()).recording().groups;
}

ReferenceSolution reference_solution(const Run& run, const FinishedRun* reference_run) {
  ReferenceSolution solution;
  solution.groups = groups_of(run.problem());
  if (reference_run) {
    const Run& reference = *reference_run->run;
    for (const std::string& kind : reference.classes()) solution.classes[kind] = reference_run->record.state.of(kind);
    solution.source = fmt::format("reference run {}, {}, {}", reference.spec().method.text(),
                                  steps_text(reference.spec()), reference.formulation_text());
    if (reference_run->record.samples) solution.samples = *reference_run->record.samples;
    return solution;
  }
  const auto stored = run.references().find(run.t_end());
  if (!stored) throw InputError("/reference", missing_reference(run));
  for (const std::string& kind : run.classes()) solution.classes[kind] = stored->of(kind);
  solution.log10_floor = -static_cast<double>(stored->digits());
  solution.source = stored->source, solution.known = stored->digits_text();
  solution.is_proved = stored->proof.has_value();
  return solution;
}

void check_reference(const Config& config, const Run& run) {
  if (!config.reference) {
    reference_solution(run, nullptr);
    return;
  }
  const auto& reference_run = static_cast<const Run&>(*config.reference);
  for (const char* key : {"problem", "t_end"})
    if (const Json& reference = reference_run.json()[key], &own = run.json()[key]; reference != own)
      throw InputError(fmt::format("/reference/{}", key),
                       fmt::format("{} here, but {} in the runs", reference.dump(), own.dump()));
  const Json of_reference = to_json(reference_run.start().values);
  if (const Json own = to_json(run.start().values); of_reference != own)
    throw InputError("/reference/start",
                     fmt::format("values {} here, but {} in the runs", of_reference.dump(), own.dump()));
}

std::string reference_failure(const FinishedRun* reference_run) {
  if (!reference_run || reference_run->record.ok()) return "";
  return fmt::format("no errors: the reference run ended with {} - {}", to_string(reference_run->record.status),
                     reference_run->record.cause);
}

Real50 error_of(const RunRecord& record, const ReferenceSolution& reference, const std::string& component) {
  return largest_error(record, reference, component,
                       [](const std::string&, Index, const Real50&) { return Real50(1); });
}

double scd(const RunRecord& record, const ReferenceSolution& reference, const std::vector<std::string>& components) {
  const double floor = reference.log10_floor ? std::pow(10, *reference.log10_floor) : 0;
  return digits(record, reference, components, [floor](const std::string&, Index, const Real50& y) {
    return abs(y) > floor ? Real50(abs(y)) : std::numeric_limits<Real50>::infinity();
  });
}

double mescd(const FinishedRun& run, const ReferenceSolution& reference, const std::vector<std::string>& components) {
  return digits(run.record, reference, components, mixed_weight(run.run->spec(), reference));
}

double error_in_tolerances(const RunSpec& spec, const RunRecord& record, const ReferenceSolution& reference,
                           const std::vector<std::string>& components) {
  const Real50 largest = largest_error(record, reference, components, mixed_weight(spec, reference));
  return static_cast<double>(Real50(largest / Real50(spec.rtol->value())));
}

}  // namespace daelab
