// The report card of a method as figures and tables: stability region and order star, or spectral radius; coefficients
// with exact entries; properties with their proofs; the orders theory predicts.
#include <fmt/format.h>

#include <cmath>

#include "analysis/oscillator.hpp"
#include "core/integration/method.hpp"
#include "experiments/measures/region_figure.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/method_run.hpp"

namespace daelab {
namespace {

// ----- tables -----

Column text_column(const char* label, const char* tex = "") { return {label, tex, CellFormat::text, 0}; }
Column order_column(const char* label, const char* tex) { return {label, tex, CellFormat::integer, 0}; }
constexpr int coefficient_digits = 10;

Json exact_cell(const Json& entry) { return entry["exact"]; }

// c | A over b, as Butcher wrote it.
Table butcher_table(const std::string& id, const std::string& label, const Json& coefficients) {
  const Json &A = coefficients["A"], &b = coefficients["b"];
  const Json& c = coefficients[coefficients.contains("c_runge_kutta") ? "c_runge_kutta" : "c"];
  Table table{
      id, label + ": Runge-Kutta tableau, c | A over b.", {{"c", "$c$", CellFormat::exact, coefficient_digits}}, {}};
  for (std::size_t j = 1; j <= A.size(); ++j)
    table.columns.push_back({std::to_string(j), "", CellFormat::exact, coefficient_digits});
  for (std::size_t i = 0; i < A.size(); ++i) {
    Json row = Json::array({exact_cell(c[i][0])});
    for (const Json& entry : A[i]) row.push_back(exact_cell(entry));
    table.rows.push_back(std::move(row));
  }
  Json weights = Json::array({"b"});
  for (const Json& entry : b) weights.push_back(exact_cell(entry[0]));
  table.rows.push_back(std::move(weights));
  return table;
}

// A row per row of a matrix; columns as rows.
void add_rows(const std::string& symbol, const Json& rows, Table& table) {
  const bool is_column = rows[0].size() == 1;
  for (std::size_t i = 0; i < (is_column ? 1 : rows.size()); ++i) {
    Json row = Json::array({is_column || rows.size() == 1 ? symbol : fmt::format("{}, row {}", symbol, i + 1)});
    for (const Json& entry : is_column ? rows : rows[i]) row.push_back(exact_cell(is_column ? entry[0] : entry));
    table.rows.push_back(std::move(row));
  }
}

bool in_tableau(const std::string& symbol, const Json& coefficients) {
  return coefficients.contains("A") && (symbol == "A" || symbol == "b" || symbol == "c_runge_kutta" ||
                                        (symbol == "c" && !coefficients.contains("c_runge_kutta")));
}

// What the method's source has beside the tableau. No rows: nothing.
Table coefficient_table(const std::string& id, const std::string& label, const Json& coefficients) {
  Table table{id, label + ": coefficients in the notation of the method's source.", {text_column("coefficient")}, {}};
  for (const auto& [symbol, rows] : coefficients.items())
    if (!in_tableau(symbol, coefficients)) add_rows(symbol, rows, table);
  std::size_t width = 1;
  for (const Json& row : table.rows) width = std::max(width, row.size());
  for (std::size_t j = 1; j < width; ++j)
    table.columns.push_back({std::to_string(j), "", CellFormat::exact, coefficient_digits});
  for (Json& row : table.rows)
    while (row.size() < width) row.push_back(nullptr);
  return table;
}

void add_numbers(const Json& report, Table& table) {
  const auto add = [&table](const char* what, const Json& value, const Json& why = "") {
    table.rows.push_back({what, value.is_string() ? value : Json(value.dump()), why});
  };
  if (report.contains("stability_function")) add("R(w)", report["stability_function"]);
  if (report.contains("pade_pair"))
    add("Padé pair", fmt::format("({}, {})", report["pade_pair"][0].dump(), report["pade_pair"][1].dump()));
  if (report.contains("R_infinity")) add("R(∞)", report["R_infinity"]);
  if (report.contains("order")) add("order", report["order"]["order"], report["order"]["how"]);
  for (const auto& [what, key] :
       {std::pair("stage order", "stage_order"), std::pair("quadrature order", "quadrature_order"),
        std::pair("C(q)", "C"), std::pair("D(z)", "D")})
    if (report.contains(key)) add(what, report[key]);
  if (report.contains("error_constant"))
    add("error constant",
        fmt::format("{} w^{}", report["error_constant"]["value"].get<std::string>(),
                    report["error_constant"]["power"].dump()),
        "first term of exp(w) - R(w)");
  if (report.contains("sector"))
    add("A(α)-stable", "α = " + angle_text(report["sector"]["degrees"].get<double>()), report["sector"]["proof"]);
  for (const auto& [what, key] :
       {std::pair("real interval, -w up to", "real_interval"),
        std::pair("imaginary interval, |w| up to", "imaginary_interval"),
        std::pair("undamped oscillator, ω h up to", "oscillator_limit"), std::pair("ρ(∞)", "rho_infinity")})
    if (report.contains(key) && !report[key].is_null())
      add(what, report[key].is_string() ? Json("∞") : Json(fmt::format("{:.8g}", report[key].get<double>())),
          "numerical");
}

Table property_table(const std::string& id, const std::string& label, const Json& report) {
  Table table{
      id,
      fmt::format("{}: {}. What can be said without integrating, and why.", label, report["form"].get<std::string>()),
      {text_column("property"), {"", "", CellFormat::exact, coefficient_digits}, text_column("proof")},
      {}};
  add_numbers(report, table);
  for (const auto& [what, key] :
       {std::pair("A-stable", "A_stable"), std::pair("L-stable", "L_stable"),
        std::pair("stiffly accurate", "stiffly_accurate"), std::pair("algebraically stable", "algebraically_stable"),
        std::pair("zero-stable", "zero_stable"), std::pair("unconditionally stable", "unconditionally_stable")})
    table.rows.push_back({what, property_cell(report[key]), report[key]["proof"]});
  const Json& dense = report["dense_output"];
  const std::string orders =
      fmt::format("order {} in q, {} in v, {} in y", dense["q"].dump(), dense["v"].dump(), dense["y"].dump());
  table.rows.push_back({"dense output", orders, dense["how"]});
  return table;
}

Table prediction_table(const std::string& id, const std::string& label, const Json& predicted) {
  Table table{id,
              label + ": orders by theory, of each class of components on the forms of the equations.",
              {text_column("form"), order_column("q", "$q$"), order_column("v", "$v$"), order_column("a", "$a$"),
               order_column("λ", "$\\lambda$"), text_column("source")},
              {}};
  for (const auto& [form, p] : predicted.items())
    table.rows.push_back({form, p["q"], p["v"], p["a"], p["lambda"], p["source"]});
  return table;
}

// ----- figures -----

Figure spectral_radius_figure(const std::string& id, const std::string& label, const Oscillator& oscillator) {
  Panel panel;
  panel.x_label = "ω h", panel.y_label = "spectral radius", panel.log_x = true;
  constexpr int points = 241;
  for (const auto& [damping, name] : {std::pair(0.0, "undamped"), std::pair(0.1, "damping ratio 0.1")}) {
    Series curve;
    curve.label = name;
    for (int i = 0; i < points; ++i) {
      const double Omega = std::pow(10, -2 + 5.0 * i / (points - 1)),
                   radius = oscillator.spectral_radius(Omega, damping);
      if (radius > 2) continue;  // an unstable step: how much so does not matter
      curve.x.push_back(Omega), curve.y.push_back(radius);
    }
    panel.series.push_back(std::move(curve));
  }
  return {id, label + ": spectral radius on the oscillator q'' + 2 ζ ω q' + ω² q = 0.", {std::move(panel)}};
}

struct MethodReportExperiment {
  static constexpr const char* name = "method-report";
  static constexpr const char* summary =
      "The report card of a method: region, order star or spectral radius, exact coefficients, properties, orders.";
  static constexpr const char* source = "Hairer, Wanner 1996, Chaps. IV, V";
  static const RunKind& run_kind() { return method_runs(); }

  Options options() { return {}; }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    Json& methods = evaluation.analysis["methods"] = Json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const LabelledRun& run = runs[i];
      const std::string id = runs.size() == 1 ? config.name : fmt::format("{}-{}", config.name, i + 1);
      methods.push_back({{"label", run.label}, {"spec", run.record["spec"]}, {"report", run.record["report"]}});
      if (run.record["status"] != "ok")
        evaluation.artifacts.notes.push_back(fmt::format(
            "{}: {} - {}", run.label, run.record["status"].get<std::string>(), run.record["cause"].get<std::string>()));
      add_tables(id, run, evaluation.artifacts.tables);
      add_figures(id, run, evaluation.artifacts.figures);
    }
    return evaluation;
  }

 private:
  static void add_tables(const std::string& id, const LabelledRun& run, std::vector<Table>& tables) {
    const Json &report = run.record["report"], &coefficients = run.record["coefficients"];
    if (run.record["status"] == "ok") tables.push_back(property_table(id + "-properties", run.label, report));
    if (coefficients.contains("A")) tables.push_back(butcher_table(id + "-tableau", run.label, coefficients));
    Table others = coefficient_table(id + "-coefficients", run.label, coefficients);
    if (!others.rows.empty()) tables.push_back(std::move(others));
    tables.push_back(prediction_table(id + "-orders", run.label, report["predicted"]));
  }

  static void add_figures(const std::string& id, const LabelledRun& run, std::vector<Figure>& figures) {
    const MethodForm form = Registry<Method>::instance().make(run.record["spec"]["method"], "/method")->form();
    if (const auto pi = stability_polynomial(form)) {
      const PlaneGrid window = region_window({*pi});
      figures.push_back(region_figure(id + "-region", run.label + ": stability region |R(w)| ≤ 1, w = h λ.",
                                      {{run.label, stability_region(*pi, window), {}}}, window));
      if (pi->degree() == 1)
        figures.push_back(order_star_figure(id + "-order-star", run.label + ": order star |R(w) exp(-w)| > 1.", *pi,
                                            order_star_window(*pi)));
    }
    if (const auto oscillator = Oscillator::of(form))
      figures.push_back(spectral_radius_figure(id + "-spectral-radius", run.label, *oscillator));
  }
};
const ExperimentEntry<MethodReportExperiment> method_report_entry;

}  // namespace
}  // namespace daelab
