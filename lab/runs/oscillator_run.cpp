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

constexpr std::pair<const char*, double OscillatorResponse::*> responses[] = {
    {"spectral_radius", &OscillatorResponse::spectral_radius},
    {"period_error", &OscillatorResponse::period_error},
    {"damping_ratio", &OscillatorResponse::damping_ratio}};

using Curve = std::vector<double> OscillatorMeasures::Curves::*;
constexpr std::pair<const char*, Curve> curve_keys[] = {
    {"Omega", &OscillatorMeasures::Curves::Omega},
    {"spectral-radius", &OscillatorMeasures::Curves::spectral_radius},
    {"period-error", &OscillatorMeasures::Curves::period_error},
    {"damping-ratio", &OscillatorMeasures::Curves::damping_ratio}};

Json overshoot_json(const std::optional<Oscillator::OvershootPowers>& powers) {
  if (!powers) return nullptr;
  return {{"displacement_power", powers->displacement}, {"velocity_power", powers->velocity}};
}

std::optional<Oscillator::OvershootPowers> read_overshoot(const Json& json) {
  if (json.is_null()) return {};
  return Oscillator::OvershootPowers{json.at("displacement_power"), json.at("velocity_power")};
}

OscillatorMeasures read_measures(const Json& json) {
  OscillatorMeasures measures;
  measures.rho_infinity = bound_from_json(json.at("rho_infinity"));
  measures.stability_limit = bound_from_json(json.at("stability_limit"));
  for (const auto& [key, member] : responses)
    measures.ten_steps_a_period.*member = static_cast<double>(record_number(json.at("ten_steps_a_period").at(key)));
  measures.overshoot = read_overshoot(json.at("overshoot"));
  for (const auto& [key, member] : curve_keys) measures.curves.*member = record_doubles(json.at("curves").at(key));
  return measures;
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

void to_json(Json& json, const OscillatorRecord& record) {
  json = {{"status", to_string(record.status)},
          {"cause", record.cause},
          {"unconditionally_stable", record.unconditionally_stable}};
  if (!record.measures) return;
  const OscillatorMeasures& measures = *record.measures;
  json["rho_infinity"] = bound_json(measures.rho_infinity);
  json["stability_limit"] = bound_json(measures.stability_limit);
  for (const auto& [key, member] : responses)
    json["ten_steps_a_period"][key] = number(measures.ten_steps_a_period.*member);
  json["overshoot"] = overshoot_json(measures.overshoot);
  for (const auto& [key, member] : curve_keys) json["curves"][key] = numbers(measures.curves.*member);
}

void from_json(const Json& json, OscillatorRecord& record) {
  record = {enumerator<StatusCode>(json.at("status")),
            json.at("cause"),
            json.at("unconditionally_stable").get<Property>(),
            {}};
  if (record.ok()) record.measures = read_measures(json);
}

const RunKind& OscillatorRuns::kind() { return run_kind_of<OscillatorRun, OscillatorRunSpec>(); }

}  // namespace daelab
