// Where methods are stable in the plane w = h lambda, one over the other; their order stars; and what of the left half
// plane they cover: A-stability, sectors, intervals.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. IV.2-IV.4, V.1-V.2.
#include "analysis/stability_region.hpp"

#include <fmt/format.h>

#include "core/integration/method.hpp"
#include "experiments/measures/region_figure.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/method_run.hpp"

namespace daelab {
namespace {

constexpr const char* of_second_order =
    "the method is one of second-order systems only: y' = lambda y is not among them";

Json points_json(const std::vector<std::complex<double>>& points) {
  Json list = Json::array();
  for (const auto& w : points) list.push_back({w.real(), w.imag()});
  return list;
}

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
  static const RunKind& run_kind() { return method_runs(); }
  void validate(const std::string& where) const {
    if (window.is_null()) return;
    const PlaneGrid grid = given_window(where + "/window");
    if (grid.left >= grid.right) throw InputError(where + "/window", "\"left\" must be below \"right\"");
    if (grid.bottom >= grid.top) throw InputError(where + "/window", "\"bottom\" must be below \"top\"");
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    std::vector<Shown> methods;
    for (const LabelledRun& run : runs) methods.emplace_back(run);
    Evaluation evaluation;
    Json& list = evaluation.analysis["methods"] = Json::array();
    for (const Shown& method : methods) list.push_back(summary_of(method));
    evaluation.artifacts.tables.push_back(table(config, list));
    add_notes(list, evaluation.artifacts.notes);
    if (show != "order-star") add_regions(config, methods, evaluation);
    if (show != "region") add_order_stars(config, methods, evaluation);
    return evaluation;
  }

 private:
  // A method with its picture's polynomial, or why it has none.
  struct Shown {
    explicit Shown(const LabelledRun& of) : run(of), status(run.record["status"]), cause(run.record["cause"]) {
      if (status != "ok") return;
      pi = stability_polynomial(Registry<Method>::instance().make(run.record["spec"]["method"], "/method")->form());
      if (!pi) status = to_string(StatusCode::not_applicable), cause = of_second_order;
    }
    const LabelledRun& run;
    std::string status, cause;
    std::optional<StabilityPolynomial> pi;
  };

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

  // ----- numbers -----

  static Json summary_of(const Shown& method) {
    Json entry = {{"label", method.run.label},
                  {"spec", method.run.record["spec"]},
                  {"status", method.status},
                  {"cause", method.cause}};
    for (const char* key : {"A_stable", "sector", "real_interval", "imaginary_interval"})
      entry[key] = method.pi ? method.run.record["report"].value(key, Json()) : Json();
    const ZerosAndPoles points = method.pi ? zeros_and_poles(*method.pi) : ZerosAndPoles();
    entry["zeros"] = points_json(points.zeros), entry["poles"] = points_json(points.poles);
    entry["boundary"] = nullptr;
    return entry;
  }

  static void add_notes(const Json& methods, std::vector<std::string>& notes) {
    for (const Json& m : methods) {
      const std::string label = m["label"];
      if (m["status"] != "ok") {
        notes.push_back(
            fmt::format("{}: {} - {}", label, m["status"].get<std::string>(), m["cause"].get<std::string>()));
        continue;
      }
      const bool holds = m["A_stable"]["holds"];
      notes.push_back(
          fmt::format("{}: {}A-stable. {}.", label, holds ? "" : "not ", m["A_stable"]["proof"].get<std::string>()));
      if (!holds && !m["sector"].is_null())
        notes.push_back(fmt::format("{}: A({:.2f}°)-stable. {}.", label, m["sector"]["degrees"].get<double>(),
                                    m["sector"]["proof"].get<std::string>()));
    }
  }

  // "yes, exact": the first word of a proof says what it is worth.
  static Json proven_cell(const Json& property) {
    const std::string proof = property["proof"];
    const std::string worth = proof.substr(0, proof.find_first_of(" ,:;("));
    return fmt::format("{}, {}", property["holds"] ? "yes" : "no", worth);
  }
  static Json length_cell(const Json& length) { return length == "infinite" ? Json("∞") : length; }

  Table table(const Config& config, const Json& methods) const {
    Table table{config.name + "-stability",
                lead(config) +
                    " A-stability; the largest angle alpha of A(alpha)-stability [degrees]; the largest x "
                    "and y with stability on [-x, 0] and on [-iy, iy].",
                {{"method", "", CellFormat::text, 0},
                 {"A-stable", "", CellFormat::text, 0},
                 {"alpha", "$\\alpha$ [\\textdegree]", CellFormat::fixed, 2},
                 {"x", "$x$", CellFormat::fixed, 4},
                 {"y", "$y$", CellFormat::fixed, 4}},
                {}};
    for (const Json& m : methods) {
      Json row = {m["label"], m["status"], nullptr, nullptr, nullptr};
      if (m["status"] == "ok") row[1] = proven_cell(m["A_stable"]);
      if (!m["sector"].is_null()) row[2] = m["sector"]["degrees"];
      row[3] = length_cell(m["real_interval"]), row[4] = length_cell(m["imaginary_interval"]);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  // ----- figures -----

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  // alpha where its lines are drawn: between 0 and 90 degrees.
  std::optional<double> drawn_sector(const Json& summary) const {
    if (!sector || summary["sector"].is_null()) return {};
    const double degrees = summary["sector"]["degrees"];
    if (degrees <= 0 || degrees >= 90) return {};
    return degrees;
  }

  void add_regions(const Config& config, const std::vector<Shown>& methods, Evaluation& evaluation) const {
    std::vector<StabilityPolynomial> polynomials;
    for (const Shown& method : methods)
      if (method.pi) polynomials.push_back(*method.pi);
    if (polynomials.empty()) return;
    const PlaneGrid grid = grid_on(window.is_null() ? region_window(polynomials) : PlaneGrid());
    std::vector<RegionCurve> curves;
    bool has_sector = false;
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (!methods[i].pi) continue;
      Json& summary = evaluation.analysis["methods"][i];
      RegionCurve curve{methods[i].run.label, stability_region(*methods[i].pi, grid), drawn_sector(summary)};
      summary["boundary"] = curves_json(curve.region.boundary, grid);
      if (curve.sector) curve.label += fmt::format(", α = {:.2f}°", *curve.sector), has_sector = true;
      curves.push_back(std::move(curve));
    }
    evaluation.analysis["window"] = {
        {"left", grid.left}, {"right", grid.right}, {"bottom", grid.bottom}, {"top", grid.top}};
    std::string text = lead(config) + fmt::format(
                                          " Stability regions |R(w)| <= 1, w = h lambda, shaded, and their "
                                          "boundaries on a grid of {} x {} points.",
                                          columns, rows);
    if (has_sector) text += " Thin lines: the sectors |arg(-w)| <= alpha of A(alpha)-stability.";
    evaluation.artifacts.figures.push_back(region_figure(config.name, text, curves, grid));
  }

  void add_order_stars(const Config& config, const std::vector<Shown>& methods, Evaluation& evaluation) const {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (!methods[i].pi) continue;
      const std::string& label = methods[i].run.label;
      const StabilityPolynomial& pi = *methods[i].pi;
      if (pi.degree() != 1) {
        evaluation.artifacts.notes.push_back(label + ": no order star is drawn, because the method has several steps");
        continue;
      }
      const std::string text = fmt::format(
          "{} {}: order star |R(w) exp(-w)| > 1, w = h lambda, shaded, with the zeros "
          "and poles of R.",
          lead(config), label);
      evaluation.artifacts.figures.push_back(
          order_star_figure(fmt::format("{}-star-{}", config.name, i + 1), text, pi, grid_on(order_star_window(pi))));
    }
  }
};
const ExperimentEntry<StabilityRegionExperiment> stability_region_entry;

}  // namespace
}  // namespace daelab
