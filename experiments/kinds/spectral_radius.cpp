// Methods on the damped oscillator over the step size, as structural dynamics compares them: spectral radius, relative
// period error, algorithmic damping ratio, stability limit and overshoot.
//
// [HH78] Hilber, Hughes, Earthquake Engineering and Structural Dynamics 6, 1978, 99-117, doi 10.1002/eqe.4290060111.
// [CH93] Chung, Hulbert, Journal of Applied Mechanics 60(2), 1993, 371-375, doi 10.1115/1.2900803.
#include "experiments/kinds/spectral_radius.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/bound.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

/// A quantity that is drawn.
struct Quantity {
  const char *key, *axis, *caption;
  std::vector<double> OscillatorMeasures::Curves::*values;
};
constexpr Quantity quantities_drawn[] = {
    {"spectral-radius", "spectral radius", "Spectral radius of the amplification matrix",
     &OscillatorMeasures::Curves::spectral_radius},
    {"period-error", "period error (T' - T)/T", "Relative error of the period",
     &OscillatorMeasures::Curves::period_error},
    {"damping-ratio", "damping ratio", "Damping ratio that the method shows",
     &OscillatorMeasures::Curves::damping_ratio}};

std::string power_text(int power) {
  return power == 0 ? "none" : power == 1 ? "~ Omega" : fmt::format("~ Omega^{}", power);
}

struct SpectralRadius {
  static constexpr const char* name = "spectral-radius";
  static constexpr const char* summary =
      "Methods on the oscillator over h/T: spectral radius, period error, damping ratio, stability limit, overshoot.";
  static constexpr const char* source = "Hughes 1987, Secs. 9.1 and 9.3; Hilber, Hughes 1978; Chung, Hulbert 1993";
  using Runs = OscillatorRuns;

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

  void validate(const std::string& where) const {
    std::vector<std::string> known;
    for (const Quantity& quantity : quantities_drawn) known.emplace_back(quantity.key);
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      if (std::find(known.begin(), known.end(), quantities[i]) != known.end()) continue;
      throw InputError(fmt::format("{}/quantities/{}", where, i),
                       fmt::format("no quantity '{}'{} (there are: {})", quantities[i],
                                   did_you_mean(quantities[i], known), fmt::join(known, ", ")));
    }
  }

  void check(const Config& config) const {
    if (config.reference) throw InputError("/reference", "the oscillator is solved exactly; leave it out");
  }

  using Result = SpectralRadiusResult;

  Result evaluate(const Config& /*config*/, const std::vector<FinishedOscillatorRun>& runs,
                  const FinishedOscillatorRun* /*reference*/) const {
    Result result;
    for (const FinishedOscillatorRun& run : runs)
      result.series.push_back({run.label, run.record, run.run->json(), run.key});
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    artifacts.tables.push_back(table(config, result));
    for (const Quantity& quantity : quantities_drawn)
      if (std::find(quantities.begin(), quantities.end(), quantity.key) != quantities.end())
        artifacts.figures.push_back(figure(quantity, config, result));
    for (const Result::Entry& entry : result.series) artifacts.notes.push_back(note(entry));
    return artifacts;
  }

 private:
  std::string heading(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  static std::string note(const Result::Entry& entry) {
    if (!entry.record.ok()) return fmt::format("{}: not applicable - {}", entry.label, entry.record.cause);
    const Property& property = entry.record.unconditionally_stable;
    return fmt::format("{}: {} stable; {}", entry.label, property.holds ? "unconditionally" : "not unconditionally",
                       property.proof);
  }

  Table table(const Config& config, const Result& result) const {
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
    for (const Result::Entry& entry : result.series) table.rows.push_back(row(entry));
    return table;
  }

  static TableRow row(const Result::Entry& entry) {
    if (!entry.record.ok())
      return {entry.label, nullptr, "not applicable", nullptr, nullptr, nullptr, nullptr, nullptr};
    const auto& [holds, proof, applicable] = entry.record.unconditionally_stable;
    const OscillatorMeasures& measures = *entry.record.measures;
    const auto& overshoot = measures.overshoot;
    return {entry.label,
            bound_json(measures.rho_infinity),
            fmt::format("{} ({})", holds ? "yes" : "no", proof_kind(proof)),
            bound_json(measures.stability_limit),
            measures.ten_steps_a_period.period_error,
            measures.ten_steps_a_period.damping_ratio,
            overshoot ? TableCell(power_text(overshoot->displacement)) : TableCell(),
            overshoot ? TableCell(power_text(overshoot->velocity)) : TableCell()};
  }

  // The spectral radius over the whole range; the others, which small steps decide, up to `up_to`.
  Figure figure(const Quantity& quantity, const Config& config, const Result& result) const {
    const bool whole = std::string(quantity.key) == "spectral-radius";
    Panel panel;
    panel.x_label = "h/T = omega h/(2 pi)", panel.y_label = quantity.axis;
    panel.log_x = whole || log, panel.log_y = !whole && log;
    for (const Result::Entry& entry : result.series) {
      if (!entry.record.ok()) continue;
      const OscillatorMeasures::Curves& curves = entry.record.measures->curves;
      Series drawn = whole ? radius_curve(curves) : curve(quantity, curves);
      drawn.label = entry.label;
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

  static Series radius_curve(const OscillatorMeasures::Curves& curves) {
    Series drawn;
    for (std::size_t i = 0; i < curves.Omega.size(); ++i)
      if (std::isfinite(curves.spectral_radius[i]))
        drawn.x.push_back(curves.Omega[i] / (2 * M_PI)), drawn.y.push_back(curves.spectral_radius[i]);
    return drawn;
  }

  // On linear axes without the points that crowd near 0, on logarithmic ones without round-off.
  Series curve(const Quantity& quantity, const OscillatorMeasures::Curves& curves) const {
    const double largest = up_to.as<double>(), least_gap = log ? 0 : largest / 100;
    constexpr double round_off = 1e-13;
    Series drawn;
    for (std::size_t i = 0; i < curves.Omega.size(); ++i) {
      const double step = curves.Omega[i] / (2 * M_PI), value = (curves.*quantity.values)[i];
      if (!std::isfinite(value) || step > largest || (!drawn.x.empty() && step - drawn.x.back() < least_gap)) continue;
      if (log && std::abs(value) < round_off) continue;
      drawn.x.push_back(step), drawn.y.push_back(log ? std::abs(value) : value);
    }
    return drawn;
  }
};

const ExperimentEntry<SpectralRadius> spectral_radius_entry;

}  // namespace

void members(JsonMembers& json, SpectralRadiusResult::Entry& entry) {
  json("label", entry.label);
  members(json, entry.record);
  json("spec", entry.spec)("key", entry.key);
}

void members(JsonMembers& json, SpectralRadiusResult& result) { json("series", result.series); }

}  // namespace daelab
