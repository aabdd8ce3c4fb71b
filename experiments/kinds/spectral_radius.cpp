// Methods on the damped oscillator over the step size, as structural dynamics compares them: spectral radius, relative
// period error, algorithmic damping ratio, stability limit and overshoot.
//
// [HH78] Hilber, Hughes, Earthquake Engineering and Structural Dynamics 6, 1978, 99-117, doi 10.1002/eqe.4290060111.
// [CH93] Chung, Hulbert, Journal of Applied Mechanics 60(2), 1993, 371-375, doi 10.1115/1.2900803.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/oscillator.hpp"
#include "core/integration/method.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/record.hpp"

namespace daelab {
namespace {

// ----- runs: a method over a range of Omega = omega h -----

struct OscillatorRun {
  Json method;
  Exact zeta = 0, from = "1/100", to = 10000;
  int points = 400;

  Options options() {
    return {option("method", method, "method: name:key=value, @file.json or an object with \"name\"",
                   {{"type", {"string", "object"}}}),
            option("zeta", zeta, "damping ratio of the oscillator, 1: critically damped", at_least(0)),
            option("from", from, "smallest Omega = omega h", positive()), option("to", to, "largest Omega", positive()),
            option("points", points, "values of Omega, equally spaced on a logarithmic axis", at_least(2))};
  }
};

Json resolve_oscillator_run(const Json& run, const std::string& where) {
  OscillatorRun spec;
  spec.options().read(run, where);
  if (spec.method.is_null()) throw InputError(where, "a run needs a \"method\"");
  if (!(spec.from.value() < spec.to.value()))
    throw InputError(where + "/to",
                     fmt::format("{} does not lie above \"from\", {}", spec.to.text(), spec.from.text()));
  spec.method = Registry<Method>::instance().make(spec.method, where + "/method")->spec();
  return spec.options().write();
}

Json overshoot_json(const Oscillator& oscillator) {
  const auto powers = oscillator.overshoot_powers();
  if (!powers) return nullptr;
  return {{"displacement_power", powers->displacement}, {"velocity_power", powers->velocity}};
}

Json property_json(const Property& property) {
  return {{"holds", property.holds}, {"proof", property.proof}, {"applicable", property.applicable}};
}

Json number_or_infinite(double x) { return std::isinf(x) ? Json("infinite") : number(x); }

Json curves(const OscillatorRun& spec, const Oscillator& oscillator) {
  const double from = spec.from.as<double>(), to = spec.to.as<double>(), zeta = spec.zeta.as<double>();
  std::vector<double> Omega, radius, period, damping;
  for (int i = 0; i < spec.points; ++i) {
    Omega.push_back(from * std::pow(to / from, static_cast<double>(i) / (spec.points - 1)));
    const OscillatorResponse response = oscillator.response(Omega.back(), zeta);
    radius.push_back(response.spectral_radius);
    period.push_back(response.period_error);
    damping.push_back(response.damping_ratio);
  }
  return {{"Omega", numbers(Omega)},
          {"spectral-radius", numbers(radius)},
          {"period-error", numbers(period)},
          {"damping-ratio", numbers(damping)}};
}

RunOutcome carry_out_oscillator_run(const Json& resolved) {
  OscillatorRun spec;
  spec.options().read(resolved, "");
  const auto method = Registry<Method>::instance().make(spec.method, "/method");
  const MethodForm form = method->form();
  const auto oscillator = Oscillator::of(form);
  RunOutcome outcome;
  Json& record = outcome.record;
  record = {{"status", to_string(oscillator ? StatusCode::ok : StatusCode::not_applicable)}, {"cause", ""}};
  record["unconditionally_stable"] = property_json(unconditionally_stable(form));
  if (oscillator) {
    record["rho_infinity"] = number_or_infinite(oscillator->rho_infinity());
    record["stability_limit"] = number_or_infinite(stability_limit(form));
    const OscillatorResponse ten = oscillator->response(2 * M_PI / 10, spec.zeta.as<double>());
    record["ten_steps_a_period"] = {{"spectral_radius", number(ten.spectral_radius)},
                                    {"period_error", number(ten.period_error)},
                                    {"damping_ratio", number(ten.damping_ratio)}};
    record["overshoot"] = overshoot_json(*oscillator);
    record["curves"] = curves(spec, *oscillator);
  } else {
    record["cause"] = record["unconditionally_stable"]["proof"];
  }
  record["spec"] = resolved;
  return outcome;
}

Json schema_of_oscillator_run() { return OscillatorRun{}.options().schema(); }
double cost_of_oscillator_run(const Json& spec) { return spec["points"].get<double>(); }

// ----- table and figures -----

bool is_ok(const LabelledRun& run) { return run.record["status"] == "ok"; }

/// A quantity that is drawn: its curve in the record.
struct Quantity {
  const char *key, *axis, *caption;
};
constexpr Quantity quantities_drawn[] = {
    {"spectral-radius", "spectral radius", "Spectral radius of the amplification matrix"},
    {"period-error", "period error (T' - T)/T", "Relative error of the period"},
    {"damping-ratio", "damping ratio", "Damping ratio that the method shows"}};

std::string power_text(int power) {
  return power == 0 ? "none" : power == 1 ? "~ Omega" : fmt::format("~ Omega^{}", power);
}

struct SpectralRadius {
  static constexpr const char* name = "spectral-radius";
  static constexpr const char* summary =
      "Methods on the oscillator over h/T: spectral radius, period error, damping ratio, stability limit, overshoot.";
  static constexpr const char* source = "Hughes 1987, Secs. 9.1 and 9.3; Hilber, Hughes 1978; Chung, Hulbert 1993";

  std::string caption;
  std::vector<std::string> quantities = {"spectral-radius", "period-error", "damping-ratio"};
  Exact up_to = "2/5";
  bool log = false;

  Options options() {
    return {
        option("caption", caption, "what is compared; what is shown of it is added"),
        option("quantities", quantities, "a figure for each: spectral-radius, period-error, damping-ratio"),
        option("up_to", up_to, "largest h/T in figures of period error and damping ratio; from 1/2 on there is neither",
               Allowed{Exact(0), Exact("0.5"), true, {}}),
        option("log", log, "logarithmic axes in these figures, which show orders as slopes; period errors in modulus")};
  }
  static const RunKind& run_kind() {
    static const RunKind kind{resolve_oscillator_run, carry_out_oscillator_run, schema_of_oscillator_run,
                              cost_of_oscillator_run};
    return kind;
  }

  void validate(const std::string& where) const {
    std::vector<std::string> known;
    for (const Quantity& quantity : quantities_drawn) known.emplace_back(quantity.key);
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      if (std::find(known.begin(), known.end(), quantities[i]) != known.end()) continue;
      const std::string near = nearest_name(quantities[i], known);
      throw InputError(fmt::format("{}/quantities/{}", where, i),
                       fmt::format("no quantity '{}'; there are: {}{}", quantities[i], fmt::join(known, ", "),
                                   near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
  }

  void check(const Config& config) const {
    if (config.reference) throw InputError("/reference", "the oscillator is solved exactly; leave it out");
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    evaluation.artifacts.tables.push_back(table(config, runs));
    for (const Quantity& quantity : quantities_drawn)
      if (std::find(quantities.begin(), quantities.end(), quantity.key) != quantities.end())
        evaluation.artifacts.figures.push_back(figure(quantity, config, runs));
    Json& series = evaluation.analysis["series"] = Json::array();
    for (const LabelledRun& run : runs) {
      Json entry = {{"label", run.label}};
      entry.update(run.record);
      entry.erase("curves");
      series.push_back(std::move(entry));
      evaluation.artifacts.notes.push_back(note(run));
    }
    return evaluation;
  }

 private:
  std::string heading(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  static std::string note(const LabelledRun& run) {
    const Json& r = run.record;
    if (!is_ok(run)) return fmt::format("{}: not applicable - {}", run.label, r["cause"].get<std::string>());
    const Json& property = r["unconditionally_stable"];
    return fmt::format("{}: {} stable; {}", run.label, property["holds"] ? "unconditionally" : "not unconditionally",
                       property["proof"].get<std::string>());
  }

  Table table(const Config& config, const std::vector<LabelledRun>& runs) const {
    Table table{config.name,
                heading(config) +
                    " Spectral radius as omega h -> infinity; unconditional stability on the undamped "
                    "oscillator (proofs in the notes) and its limit of Omega = omega h; period "
                    "error and damping ratio with ten steps a period; growth with Omega of |q| and "
                    "|v|/omega over the first ten steps from q = 1, v = 0.",
                {{"Method", "", CellFormat::text, 0},
                 {"rho inf", "$\\rho_\\infty$", CellFormat::fixed, 4},
                 {"Stable for all Omega", "stable for all $\\Omega$", CellFormat::text, 0},
                 {"Limit", "$\\Omega_{\\mathrm{limit}}$", CellFormat::fixed, 4},
                 {"Period error", "$(T'-T)/T$", CellFormat::scientific, 4},
                 {"Damping ratio", "$\\bar\\xi$", CellFormat::scientific, 4},
                 {"Overshoot of q", "overshoot of $q$", CellFormat::text, 0},
                 {"of v", "of $v$", CellFormat::text, 0}},
                {}};
    for (const LabelledRun& run : runs) table.rows.push_back(row(run));
    return table;
  }

  static Json row(const LabelledRun& run) {
    const Json& r = run.record;
    if (!is_ok(run)) return {run.label, nullptr, "not applicable", nullptr, nullptr, nullptr, nullptr, nullptr};
    const Json &property = r["unconditionally_stable"], &ten = r["ten_steps_a_period"], &overshoot = r["overshoot"];
    const std::string proof = property["proof"];
    const std::string kind = proof.substr(0, proof.find_first_of(", "));  // exact or numerical
    const auto power = [&](const char* key) {
      return overshoot.is_null() ? Json() : Json(power_text(overshoot[key].get<int>()));
    };
    return {run.label,
            r["rho_infinity"],
            fmt::format("{} ({})", property["holds"] ? "yes" : "no", kind),
            r["stability_limit"],
            ten["period_error"],
            ten["damping_ratio"],
            power("displacement_power"),
            power("velocity_power")};
  }

  // The spectral radius over the whole range; the others, which small steps decide, up to `up_to`.
  Figure figure(const Quantity& quantity, const Config& config, const std::vector<LabelledRun>& runs) const {
    const bool whole = std::string(quantity.key) == "spectral-radius";
    Panel panel;
    panel.x_label = "h/T = omega h/(2 pi)", panel.y_label = quantity.axis;
    panel.log_x = whole || log, panel.log_y = !whole && log;
    for (const LabelledRun& run : runs) {
      if (!is_ok(run)) continue;
      Series drawn = whole ? radius_curve(run) : curve(quantity, run);
      if (!drawn.x.empty()) panel.series.push_back(std::move(drawn));
    }
    if (whole) panel.y_range = radius_range(panel.series);
    return {config.name + "-" + quantity.key,
            fmt::format("{} {} against the step size over the period.", heading(config), quantity.caption),
            {panel}};
  }

  // Around 1, whatever growing modes do.
  static std::array<double, 2> radius_range(const std::vector<Series>& curves) {
    double largest = 1;
    for (const Series& curve : curves)
      for (const double y : curve.y) largest = std::max(largest, y);
    return {0, std::min(largest + 0.1, 1.5)};
  }

  static Series radius_curve(const LabelledRun& run) {
    const Json &Omega = run.record["curves"]["Omega"], &values = run.record["curves"]["spectral-radius"];
    Series curve;
    curve.label = run.label;
    for (std::size_t i = 0; i < Omega.size(); ++i)
      if (!values[i].is_null()) curve.x.push_back(Omega[i].get<double>() / (2 * M_PI)), curve.y.push_back(values[i]);
    return curve;
  }

  // On linear axes without the points that crowd near 0, on logarithmic ones without round-off.
  Series curve(const Quantity& quantity, const LabelledRun& run) const {
    const Json &Omega = run.record["curves"]["Omega"], &values = run.record["curves"][quantity.key];
    const double largest = up_to.as<double>(), least_gap = log ? 0 : largest / 100;
    constexpr double round_off = 1e-13;
    Series curve;
    curve.label = run.label;
    for (std::size_t i = 0; i < Omega.size(); ++i) {
      const double step = Omega[i].get<double>() / (2 * M_PI);
      if (values[i].is_null() || step > largest || (!curve.x.empty() && step - curve.x.back() < least_gap)) continue;
      const double value = values[i];
      if (log && std::abs(value) < round_off) continue;
      curve.x.push_back(step), curve.y.push_back(log ? std::abs(value) : value);
    }
    return curve;
  }
};
const ExperimentEntry<SpectralRadius> spectral_radius_entry;

}  // namespace
}  // namespace daelab
