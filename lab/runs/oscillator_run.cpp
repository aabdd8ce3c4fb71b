#include "lab/runs/oscillator_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/bound.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

OscillatorMeasures::Curves sweep(const OscillatorRunSpec& spec, const Oscillator& oscillator) {
  const double from = spec.from.as<double>(), to = spec.to.as<double>(), zeta = spec.zeta.as<double>();
  OscillatorMeasures::Curves curves;
  for (int i = 0; i < spec.points; ++i) {
    curves.Omega.push_back(from * std::pow(to / from, static_cast<double>(i) / (spec.points - 1)));
    const OscillatorResponse response = oscillator.response(curves.Omega.back(), zeta);
    curves.spectral_radius.push_back(response.spectral_radius);
    curves.period_error.push_back(response.period_error);
    curves.damping_ratio.push_back(response.damping_ratio);
  }
  return curves;
}

void bound(JsonMembers& json, const char* key, double& x) {
  json.by(
      key, [&] { return bound_json(x); }, [&](const Json& from) { x = bound_from_json(from); });
}

}  // namespace

Options OscillatorRunSpec::options() {
  return {option("method", method, "method"),
          option("zeta", zeta, "damping ratio of the oscillator, 1: critically damped", at_least(0)),
          option("from", from, "smallest Omega = omega h", positive()), option("to", to, "largest Omega", positive()),
          option("points", points, "values of Omega, equally spaced on a logarithmic axis", at_least(2))};
}

std::shared_ptr<const OscillatorRun> OscillatorRun::bind(const Json& json, const std::string& where) {
  OscillatorRunSpec spec;
  spec.options().read(json, where);
  if (spec.method.empty()) throw InputError(where, "a run needs a \"method\"");
  if (!(spec.from.value() < spec.to.value()))
    throw InputError(where + "/to",
                     fmt::format("{} does not lie above \"from\", {}", spec.to.text(), spec.from.text()));
  auto method = Registry<Method>::instance().make(spec.method, where + "/method");
  spec.method = method->spec();
  return std::shared_ptr<const OscillatorRun>(new OscillatorRun(std::move(spec), std::move(method)));
}

RunOutcome OscillatorRun::execute() const {
  const MethodForm form = method_->form();
  OscillatorRecord record{StatusCode::ok, "", unconditionally_stable(form), {}};
  if (const auto oscillator = Oscillator::of(form)) {
    record.measures = {oscillator->rho_infinity(), stability_limit(form),
                       oscillator->response(2 * M_PI / 10, spec_.zeta.as<double>()), oscillator->overshoot_powers(),
                       sweep(spec_, *oscillator)};
  } else {
    record.status = StatusCode::not_applicable, record.cause = record.unconditionally_stable.proof;
  }
  RunOutcome outcome{record};
  outcome.record["spec"] = json();
  return outcome;
}

void members(JsonMembers& json, OscillatorResponse& response) {
  json("spectral_radius", response.spectral_radius)("period_error", response.period_error);
  json("damping_ratio", response.damping_ratio);
}

void members(JsonMembers& json, Oscillator::OvershootPowers& powers) {
  json("displacement_power", powers.displacement)("velocity_power", powers.velocity);
}

void members(JsonMembers& json, OscillatorMeasures::Curves& curves) {
  json("Omega", curves.Omega)("spectral-radius", curves.spectral_radius)("period-error", curves.period_error);
  json("damping-ratio", curves.damping_ratio);
}

void members(JsonMembers& json, OscillatorRecord& record) {
  json("status", record.status)("cause", record.cause)("unconditionally_stable", record.unconditionally_stable);
  if (json.from() && record.ok()) record.measures.emplace();
  if (!record.measures) return;
  OscillatorMeasures& measures = *record.measures;
  bound(json, "rho_infinity", measures.rho_infinity), bound(json, "stability_limit", measures.stability_limit);
  json("ten_steps_a_period", measures.ten_steps_a_period)("overshoot", measures.overshoot)("curves", measures.curves);
}

const RunKind& OscillatorRuns::kind() { return run_kind_of<OscillatorRun, OscillatorRunSpec>(); }

}  // namespace daelab
