#include "experiments/measures/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/runs/component.hpp"
#include "experiments/runs/steps.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

std::string problem_text(Json spec) {
  spec.erase("end_time");
  return spec_text(spec);
}

// Largest |error| / weight(class, reference value) over a class or of one component.
Real50 largest_error(const Json& record, const ReferenceSolution& reference, const std::string& component,
                     const auto& weight) {
  const ComponentName name = component_or_class(component, "/components");
  const Vector<Real50> ours = record_vector(record[name.kind]);
  const Vector<Real50>& exact = reference.of(name.kind);
  Real50 largest = 0;
  for (Index i = 0; i < ours.size(); ++i)
    if (name.place < 0 || name.place == i)
      largest = std::max(largest, Real50(abs(ours[i] - exact[i]) / weight(name.kind, exact[i])));
  return largest;
}

double digits(const Json& record, const ReferenceSolution& reference, const std::vector<std::string>& components,
              const auto& weight) {
  Real50 largest = 0;
  for (const std::string& component : components)
    largest = std::max(largest, largest_error(record, reference, component, weight));
  return largest == 0 ? HUGE_VAL : -static_cast<double>(Real50(log10(largest)));
}

}  // namespace

ReferenceSolution reference_solution(const Json& spec, const Json& reference_run) {
  ReferenceSolution solution;
  if (!reference_run.is_null()) {
    const Json& run = reference_run["spec"];
    for (const std::string& kind : component_classes(run)) solution.classes[kind] = record_vector(reference_run[kind]);
    solution.source = fmt::format("reference run {}, {}, {}", spec_text(run["method"]), steps_text(run),
                                  run["formulation"].get<std::string>());
    return solution;
  }
  const Exact t_end(spec["t_end"].get<std::string>());
  const auto stored = find_reference(spec["problem"], t_end);
  if (!stored)
    throw InputError("/reference",
                     fmt::format("is missing, and no reference of {0} at t = {1} is stored; give a \"reference\" run, "
                                 "or store one with: daelab reference '{0}' --t {1} --store",
                                 problem_text(spec["problem"]), t_end.text()));
  for (const std::string& kind : component_classes(spec)) solution.classes[kind] = stored->of(kind);
  solution.log10_floor = -static_cast<double>(stored->digits_trusted);
  solution.source = stored->source;
  return solution;
}

void check_reference(const Config& config, const Json& spec) {
  if (!config.reference) {
    reference_solution(spec, nullptr);
    return;
  }
  const Json& reference = *config.reference;
  for (const char* key : {"problem", "t_end"})
    if (reference[key] != spec[key])
      throw InputError(fmt::format("/reference/{}", key),
                       fmt::format("{} here, but {} in the runs", reference[key].dump(), spec[key].dump()));
}

std::string reference_failure(const Json& reference_run) {
  if (reference_run.is_null() || reference_run["status"] == "ok") return "";
  return fmt::format("no errors: the reference run ended with {} - {}", reference_run["status"].get<std::string>(),
                     reference_run["cause"].get<std::string>());
}

Real50 error_of(const Json& record, const ReferenceSolution& reference, const std::string& component) {
  return largest_error(record, reference, component, [](const std::string&, const Real50&) { return Real50(1); });
}

double scd(const Json& record, const ReferenceSolution& reference, const std::vector<std::string>& components) {
  const double floor = reference.log10_floor ? std::pow(10, *reference.log10_floor) : 0;
  return digits(record, reference, components, [floor](const std::string&, const Real50& y) {
    return abs(y) > floor ? Real50(abs(y)) : std::numeric_limits<Real50>::infinity();
  });
}

double mescd(const Json& record, const ReferenceSolution& reference, const std::vector<std::string>& components) {
  const Json& spec = record["spec"];
  const bool tolerances = has_error_control(spec);
  const auto ratio = [&](const char* atol) {
    return tolerances ? Real50(exact_from_json(spec[atol], "").value() / exact_from_json(spec["rtol"], "").value())
                      : Real50(1);
  };
  const Real50 of_velocities = ratio("atol_velocity"), of_others = ratio("atol");
  // First-order states beside coordinates are judged as velocities.
  const bool is_ode = !reference.classes.contains("q");
  return digits(record, reference, components, [&](const std::string& kind, const Real50& y) {
    return Real50((kind == "v" || (kind == "y" && !is_ode) ? of_velocities : of_others) + abs(y));
  });
}

}  // namespace daelab
