// Stable parts of the plane w = h lambda, of methods one over the other; their order stars; and what of the left half
// plane they cover: A-stability, sectors, intervals.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. IV.2-IV.4, V.1-V.2.
#include "experiments/kinds/stability_region.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/bound.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/method_run.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* of_second_order = "the method applies to second-order systems only, not to y' = lambda y";

struct WindowSpec {
  Exact left = -10, right = 10, bottom = -10, top = 10;
  Options options() {
    return {option("left", left, "least Re w"), option("right", right, "largest Re w"),
            option("bottom", bottom, "least Im w"), option("top", top, "largest Im w")};
  }
};

struct StabilityRegionExperiment {
  static constexpr const char* name = "stability-region";
  static constexpr const char* summary =
      "Stability regions and their boundaries in the complex plane, order stars, A(alpha)-stability and intervals.";
  static constexpr const char* source = "Hairer, Wanner 1996, Secs. IV.2-IV.4, V.1-V.2";
  static MemberUnits units() { return {{"/methods/*/sector/degrees", "°"}}; }
  using Runs = MethodRuns;

  std::string caption, show = "region";
  Json window;
  int columns = 400, rows = 400;
  bool sector = true;

  Options options() {
    return {
        option("caption", caption, "what is compared; how it was made is added to it"),
        option(
            "window", window, "part of the plane shown; null: where the boundaries are, or the zeros and poles",
            {{"anyOf",
              {{{"type", "object"}, {"properties", WindowSpec{}.options().schema()}, {"additionalProperties", false}},
               {{"type", "null"}}}}}),
        option("columns", columns, "points of the grid along Re w", between(10, 4000)),
        option("rows", rows, "points of the grid along Im w", between(10, 4000)),
        option("show", show, "|R| <= 1 of all methods in one figure, |R exp(-w)| > 1 in a figure each, or both",
               one_of({"region", "order-star", "both"})),
        option("sector", sector, "lines |arg(-w)| = alpha of A(alpha)-stable methods, alpha < 90 degrees")};
  }
  void validate(const std::string& where) const {
    if (window.is_null()) return;
    const PlaneGrid grid = given_window(where + "/window");
    if (grid.left >= grid.right) throw InputError(where + "/window", "\"left\" must be below \"right\"");
    if (grid.bottom >= grid.top) throw InputError(where + "/window", "\"bottom\" must be below \"top\"");
  }

  using Result = StabilityRegionResult;

  Result evaluate(const Config& /*config*/, const std::vector<FinishedMethodRun>& runs,
                  const FinishedMethodRun* /*reference*/) const {
    Result result;
    std::vector<std::optional<StabilityPolynomial>> polynomials;
    for (const FinishedMethodRun& run : runs) {
      polynomials.push_back(stability_polynomial(run.run->method().form()));
      result.methods.push_back(shown(run, polynomials.back()));
    }
    if (show != "order-star") add_regions(polynomials, result);
    if (show != "region") add_order_stars(polynomials, result);
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    artifacts.tables.push_back(table(config, result));
    for (const Result::Shown& method : result.methods) add_notes(method, artifacts.notes);
    if (result.window) artifacts.figures.push_back(regions_figure(config, result));
    if (show != "region") add_order_star_figures(config, result, artifacts);
    return artifacts;
  }

 private:
  PlaneGrid given_window(const std::string& where) const {
    WindowSpec spec;
    spec.options().read(window, where);
    return {spec.left.as<double>(), spec.right.as<double>(), spec.bottom.as<double>(), spec.top.as<double>()};
  }
  PlaneGrid grid_on(PlaneGrid automatic) const {
    PlaneGrid grid = window.is_null() ? automatic : given_window("/window");
    grid.columns = columns, grid.rows = rows;
    return grid;
  }

  // ----- evaluation -----

  static Result::Shown shown(const FinishedMethodRun& run, const std::optional<StabilityPolynomial>& pi) {
    Result::Shown method{run.label, run.run->json(), run.record.status, run.record.cause};
    if (!method.ok()) return method;
    if (!pi) {
      method.status = StatusCode::not_applicable, method.cause = of_second_order;
      return method;
    }
    const MethodReport& report = run.record.report;
    method.a_stable = report.a_stable, method.sector = report.sector, method.intervals = report.intervals;
    method.points = zeros_and_poles(*pi);
    return method;
  }

  using Polynomials = std::vector<std::optional<StabilityPolynomial>>;

  void add_regions(const Polynomials& polynomials, Result& result) const {
    std::vector<StabilityPolynomial> all;
    for (const auto& pi : polynomials)
      if (pi) all.push_back(*pi);
    if (all.empty()) return;
    result.window = grid_on(window.is_null() ? region_window(all) : PlaneGrid());
    for (std::size_t i = 0; i < polynomials.size(); ++i)
      if (polynomials[i]) result.methods[i].region = stability_region(*polynomials[i], *result.window);
  }

  void add_order_stars(const Polynomials& polynomials, Result& result) const {
    for (std::size_t i = 0; i < polynomials.size(); ++i)
      if (const auto& pi = polynomials[i]; pi && pi->degree() == 1)
        result.methods[i].order_star = order_star_picture(*pi, grid_on(order_star_window(*pi)));
  }

  // ----- table and notes -----

  static void add_notes(const Result::Shown& method, std::vector<std::string>& notes) {
    if (!method.ok()) {
      notes.push_back(fmt::format("{}: {} - {}", method.label, to_string(method.status), method.cause));
      return;
    }
    const auto& [holds, proof, applicable] = method.a_stable;
    notes.push_back(fmt::format("{}: {}A-stable. {}.", method.label, holds ? "" : "not ", proof));
    if (!holds && method.sector)
      notes.push_back(
          fmt::format("{}: A({:.2f}°)-stable. {}.", method.label, method.sector->degrees, method.sector->proof));
  }

  static TableCell length_cell(double length) { return std::isinf(length) ? TableCell("∞") : TableCell(length); }

  Table table(const Config& config, const Result& result) const {
    Table table{config.name + "-stability",
                lead(config) +
                    " A-stability; the largest angle alpha of A(alpha)-stability [degrees]; the largest x "
                    "and y with stability on [-x, 0] and on [-iy, iy].",
                {{"method", "", CellFormat::text, 0},
                 {"A-stable", "", CellFormat::text, 0},
                 {"alpha [°]", "$\\alpha$ [\\textdegree]", CellFormat::fixed, 2},
                 {"x", "$x$", CellFormat::fixed, 4},
                 {"y", "$y$", CellFormat::fixed, 4}},
                {}};
    for (const Result::Shown& method : result.methods) {
      TableRow row{method.label, to_string(method.status), nullptr, nullptr, nullptr};
      if (method.ok())
        row[1] = fmt::format("{}, {}", method.a_stable.holds ? "yes" : "no", proof_kind(method.a_stable.proof));
      if (method.sector) row[2] = method.sector->degrees;
      if (const auto& lengths = method.intervals)
        row[3] = length_cell(lengths->real), row[4] = length_cell(lengths->imaginary);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  // ----- figures -----

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  // alpha where its lines are drawn: between 0 and 90 degrees.
  std::optional<double> drawn_sector(const Result::Shown& method) const {
    if (!sector || !method.sector) return {};
    const double degrees = method.sector->degrees;
    if (degrees <= 0 || degrees >= 90) return {};
    return degrees;
  }

  Figure regions_figure(const Config& config, const Result& result) const {
    std::vector<RegionCurve> curves;
    bool has_sector = false;
    for (const Result::Shown& method : result.methods) {
      if (!method.region) continue;
      RegionCurve curve{method.label, *method.region, drawn_sector(method)};
      if (curve.sector) curve.label += fmt::format(", α = {:.2f}°", *curve.sector), has_sector = true;
      curves.push_back(std::move(curve));
    }
    std::string text = lead(config) + fmt::format(
                                          " Shaded: stable, |R(w)| <= 1, w = h lambda; lines: boundaries of the "
                                          "stability regions on a grid of {} x {} points.",
                                          columns, rows);
    if (has_sector) text += " Thin lines: the sectors |arg(-w)| <= alpha of A(alpha)-stability.";
    return region_figure(config.name, text, curves, *result.window);
  }

  void add_order_star_figures(const Config& config, const Result& result, Artifacts& artifacts) const {
    for (std::size_t i = 0; i < result.methods.size(); ++i) {
      const Result::Shown& method = result.methods[i];
      if (!method.ok()) continue;
      if (!method.order_star) {
        artifacts.notes.push_back(method.label + ": no order star is drawn, because the method has several steps");
        continue;
      }
      const std::string text = fmt::format(
          "{} {}: order star |R(w) exp(-w)| > 1, w = h lambda, shaded, with the zeros "
          "and poles of R.",
          lead(config), method.label);
      artifacts.figures.push_back(
          order_star_figure(fmt::format("{}-star-{}", config.name, i + 1), text, *method.order_star));
    }
  }
};

const ExperimentEntry<StabilityRegionExperiment> stability_region_entry;

// ----- as JSON -----

Json shown_json(const StabilityRegionResult::Shown& method, const std::optional<PlaneGrid>& window) {
  const auto& intervals = method.intervals;
  Json json = {{"label", method.label},
               {"spec", method.spec},
               {"status", to_string(method.status)},
               {"cause", method.cause},
               {"A_stable", method.ok() ? Json(method.a_stable) : Json()},
               {"sector", method.sector ? Json(*method.sector) : Json()},
               {"real_interval", intervals ? bound_json(intervals->real) : Json()},
               {"imaginary_interval", intervals ? bound_json(intervals->imaginary) : Json()},
               {"order_star", method.order_star ? Json(*method.order_star) : Json()}};
  json.update(method.points);
  json.update(method.region ? region_json(*method.region, *window) : Json{{"areas", nullptr}, {"boundary", nullptr}});
  return json;
}

StabilityRegionResult::Shown read_shown(const Json& json) {
  StabilityRegionResult::Shown method{json.at("label"), json.at("spec"), enumerator<StatusCode>(json.at("status")),
                                      json.at("cause")};
  if (!json.at("A_stable").is_null()) method.a_stable = json["A_stable"].get<Property>();
  if (!json.at("sector").is_null()) method.sector = json["sector"].get<StabilitySector>();
  if (!json.at("real_interval").is_null())
    method.intervals = {bound_from_json(json["real_interval"]), bound_from_json(json.at("imaginary_interval"))};
  method.points = json.get<ZerosAndPoles>();
  if (!json.at("boundary").is_null()) method.region = json.get<PlaneRegion>();
  if (!json.at("order_star").is_null()) method.order_star = json["order_star"].get<OrderStarPicture>();
  return method;
}

}  // namespace

void to_json(Json& json, const StabilityRegionResult& result) {
  json = {{"methods", Json::array()}};
  for (const auto& method : result.methods) json["methods"].push_back(shown_json(method, result.window));
  if (result.window) json["window"] = *result.window;
}

void from_json(const Json& json, StabilityRegionResult& result) {
  result = {};
  for (const Json& method : json.at("methods")) result.methods.push_back(read_shown(method));
  if (json.contains("window")) result.window = json["window"].get<PlaneGrid>();
}

}  // namespace daelab
