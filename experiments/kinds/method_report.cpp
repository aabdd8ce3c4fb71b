// The report card of a method as figures and tables: stability region and order star, or spectral radius; coefficients
// with exact entries; properties with their proofs; the orders theory predicts.
#include "experiments/kinds/method_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/oscillator.hpp"
#include "core/base/exact.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/experiment.hpp"

namespace daelab {
namespace {

struct MethodReportExperiment {
  static constexpr const char* name = "method-report";
  static constexpr const char* summary =
      "The report card of a method: region, order star or spectral radius, exact coefficients, properties, orders.";
  static constexpr const char* source = "Hairer, Wanner 1996, Chaps. IV, V";
  static MemberUnits units() { return {{"/methods/*/report/sector/degrees", "°"}}; }
  using Runs = MethodRuns;

  Options options() { return {}; }

  using Result = MethodReportResult;

  Result evaluate(const Config& config, const std::vector<FinishedMethodRun>& runs,
                  const FinishedMethodRun* reference) const;
  Artifacts present(const Config& config, const Result& result) const;
};

// ----- evaluation -----

using Card = MethodReportResult::Card;
using RadiusCurve = MethodReportResult::RadiusCurve;

RadiusCurve radius_curve(const std::string& label, const Oscillator& oscillator, double damping) {
  RadiusCurve curve{label, {}, {}};
  constexpr int points = 241;
  for (int i = 0; i < points; ++i) {
    const double Omega = std::pow(10, -2 + 5.0 * i / (points - 1)), radius = oscillator.spectral_radius(Omega, damping);
    if (radius > 2) continue;  // an unstable step: how much so does not matter
    curve.Omega.push_back(Omega), curve.radius.push_back(radius);
  }
  return curve;
}

Card card_of(const FinishedMethodRun& run) {
  Card card{run.label, run.run->json(), run.record, {}, {}, {}};
  const MethodForm form = run.run->method().form();
  if (const auto pi = stability_polynomial(form)) {
    const PlaneGrid window = region_window({*pi});
    card.region = {window, stability_region(*pi, window)};
    if (pi->degree() == 1) card.order_star = order_star_picture(*pi, order_star_window(*pi));
  }
  if (const auto oscillator = Oscillator::of(form))
    card.spectral_radius = {radius_curve("undamped", *oscillator, 0),
                            radius_curve("damping ratio 0.1", *oscillator, 0.1)};
  return card;
}

MethodReportExperiment::Result MethodReportExperiment::evaluate(const Config& /*config*/,
                                                                const std::vector<FinishedMethodRun>& runs,
                                                                const FinishedMethodRun* /*reference*/) const {
  Result result;
  for (const auto& run : runs) result.methods.push_back(card_of(run));
  return result;
}

// ----- tables -----

Column text_column(const char* label, const char* tex = "") { return {label, tex, CellFormat::text, 0}; }
Column order_column(const char* label, const char* tex) { return {label, tex, CellFormat::integer, 0}; }
constexpr int coefficient_digits = 10;

void add_entries(const std::vector<ExactCoefficients::Entry>& entries, TableRow& row) {
  for (const auto& entry : entries) row.push_back(entry.exact);
}

const ExactCoefficients::Rows& tableau_nodes(const ExactCoefficients& coefficients) {
  const auto* own = coefficients.find("c_runge_kutta");
  return own ? *own : *coefficients.find("c");
}

// c | A over b, as Butcher wrote it.
Table butcher_table(const std::string& id, const std::string& label, const ExactCoefficients& coefficients) {
  const auto &A = *coefficients.find("A"), &b = *coefficients.find("b"), &c = tableau_nodes(coefficients);
  Table table{
      id, label + ": Runge-Kutta tableau, c | A over b.", {{"c", "$c$", CellFormat::exact, coefficient_digits}}, {}};
  for (std::size_t j = 1; j <= A.size(); ++j)
    table.columns.push_back({std::to_string(j), "", CellFormat::exact, coefficient_digits});
  for (std::size_t i = 0; i < A.size(); ++i) {
    TableRow row{c[i][0].exact};
    add_entries(A[i], row);
    table.rows.push_back(std::move(row));
  }
  TableRow weights{"b"};
  for (const auto& entries : b) add_entries(entries, weights);
  table.rows.push_back(std::move(weights));
  return table;
}

// A row per row of a matrix; columns as rows.
void add_rows(const std::string& symbol, const ExactCoefficients::Rows& rows, Table& table) {
  if (rows[0].size() == 1) {
    TableRow row{symbol};
    for (const auto& entries : rows) add_entries(entries, row);
    table.rows.push_back(std::move(row));
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TableRow row{rows.size() == 1 ? symbol : fmt::format("{}, row {}", symbol, i + 1)};
    add_entries(rows[i], row);
    table.rows.push_back(std::move(row));
  }
}

bool in_tableau(const std::string& symbol, const ExactCoefficients& coefficients) {
  return coefficients.find("A") && (symbol == "A" || symbol == "b" || symbol == "c_runge_kutta" ||
                                    (symbol == "c" && !coefficients.find("c_runge_kutta")));
}

// What the method's source has beside the tableau. No rows: nothing.
Table coefficient_table(const std::string& id, const std::string& label, const ExactCoefficients& coefficients) {
  Table table{id, label + ": coefficients in the notation of the method's source.", {text_column("coefficient")}, {}};
  for (const auto& [symbol, rows] : coefficients.list)
    if (!in_tableau(symbol, coefficients)) add_rows(symbol, rows, table);
  std::size_t width = 1;
  for (const TableRow& row : table.rows) width = std::max(width, row.size());
  for (std::size_t j = 1; j < width; ++j)
    table.columns.push_back({std::to_string(j), "", CellFormat::exact, coefficient_digits});
  for (TableRow& row : table.rows) row.resize(width);
  return table;
}

using AddRow = std::function<void(const char* what, std::string value, const std::string& why)>;

void add_orders(const MethodReport& report, const AddRow& add) {
  if (report.order) add("order", std::to_string(report.order->value), report.order->how);
  for (const auto& [what, order] : {std::pair("stage order", report.stage_order),
                                    {"pseudo-stage order", report.pseudo_stage_order},
                                    {"quadrature order", report.quadrature_order},
                                    {"C(q)", report.C},
                                    {"D(z)", report.D}})
    if (order) add(what, std::to_string(*order), "");
  if (const auto& constant = report.error_constant)
    add("error constant", fmt::format("{} w^{}", exact_text(constant->value), constant->power),
        "first term of exp(w) - R(w)");
}

void add_bounds(const MethodReport& report, const AddRow& add) {
  const auto add_bound = [&add](const char* what, double bound) {
    if (!std::isnan(bound)) add(what, std::isinf(bound) ? "∞" : fmt::format("{:.8g}", bound), "numerical");
  };
  if (report.sector) add("A(α)-stable", "α = " + angle_text(report.sector->degrees), report.sector->proof);
  if (const auto& stiffly = report.stiffly)
    add("stiffly stable",
        fmt::format("D = {:.6g}, θ = {:.4g} to {:.4g}", stiffly->D, stiffly->theta_from, stiffly->theta_to),
        stiffly->proof);
  if (report.intervals) {
    add_bound("real interval, -w up to", report.intervals->real);
    add_bound("imaginary interval, |w| up to", report.intervals->imaginary);
  }
  add_bound("undamped oscillator, ω h up to", report.oscillator_limit);
  add_bound("ρ(∞)", report.rho_infinity);
}

Table property_table(const std::string& id, const std::string& label, const MethodReport& report) {
  Table table{id,
              fmt::format("{}: {}. What can be said without integrating, and why.", label, report.form),
              {text_column("property"), {"value", "", CellFormat::exact, coefficient_digits}, text_column("proof")},
              {}};
  const AddRow add = [&table](const char* what, std::string value, const std::string& why) {
    table.rows.push_back({what, std::move(value), why});
  };
  if (!report.stability_function.empty()) add("R(w)", report.stability_function, "");
  if (const auto& pair = report.pade_pair) add("Padé pair", fmt::format("({}, {})", pair->first, pair->second), "");
  if (!report.R_infinity.empty()) add("R(∞)", report.R_infinity, "");
  add_orders(report, add);
  add_bounds(report, add);
  for (const auto& [what, property] : {std::pair("A-stable", report.a_stable),
                                       {"L-stable", report.l_stable},
                                       {"stiffly accurate", report.stiffly_accurate},
                                       {"algebraically stable", report.algebraically_stable},
                                       {"B-stable", report.b_stable},
                                       {"G-stable", report.g_stable},
                                       {"zero-stable", report.zero_stable},
                                       {"unconditionally stable", report.unconditionally_stable}})
    table.rows.push_back({what, property_cell(property), property.proof});
  const DenseOrder& dense = report.dense_output;
  add("dense output", fmt::format("order {} in q, {} in v, {} in y", dense.q, dense.v, dense.y), dense.how);
  return table;
}

Table prediction_table(const std::string& id, const std::string& label, const MethodReport& report) {
  Table table{id,
              label + ": orders by theory, of each class of components on the forms of the equations.",
              {text_column("form"), order_column("q", "$q$"), order_column("v", "$v$"), order_column("a", "$a$"),
               order_column("λ", "$\\lambda$"), text_column("source")},
              {}};
  for (const auto& [form, p] : report.predicted) table.rows.push_back({form, p.q, p.v, p.a, p.lambda, p.source});
  return table;
}

void add_tables(const std::string& id, const Card& card, std::vector<Table>& tables) {
  const MethodReport& report = card.record.report;
  const ExactCoefficients& coefficients = card.record.coefficients;
  if (card.record.ok()) tables.push_back(property_table(id + "-properties", card.label, report));
  if (coefficients.find("A")) tables.push_back(butcher_table(id + "-tableau", card.label, coefficients));
  Table others = coefficient_table(id + "-coefficients", card.label, coefficients);
  if (!others.rows.empty()) tables.push_back(std::move(others));
  tables.push_back(prediction_table(id + "-orders", card.label, report));
}

// ----- figures -----

Figure spectral_radius_figure(const std::string& id, const std::string& label, const std::vector<RadiusCurve>& curves) {
  Panel panel;
  panel.x_label = "ω h", panel.y_label = "spectral radius", panel.log_x = true;
  for (const auto& [name, Omega, radius] : curves) {
    Series& series = panel.series.emplace_back();
    series.label = name, series.x = Omega, series.y = radius;
  }
  return {id, label + ": spectral radius on the oscillator q'' + 2 ζ ω q' + ω² q = 0.", {std::move(panel)}};
}

void add_figures(const std::string& id, const Card& card, std::vector<Figure>& figures) {
  if (card.region)
    figures.push_back(region_figure(id + "-region", card.label + ": stability region |R(w)| ≤ 1, w = h λ.",
                                    {{card.label, card.region->region, {}}}, card.region->window));
  if (card.order_star)
    figures.push_back(
        order_star_figure(id + "-order-star", card.label + ": order star |R(w) exp(-w)| > 1.", *card.order_star));
  if (!card.spectral_radius.empty())
    figures.push_back(spectral_radius_figure(id + "-spectral-radius", card.label, card.spectral_radius));
}

Artifacts MethodReportExperiment::present(const Config& config, const Result& result) const {
  Artifacts artifacts;
  for (std::size_t i = 0; i < result.methods.size(); ++i) {
    const Card& card = result.methods[i];
    const std::string id = result.methods.size() == 1 ? config.name : fmt::format("{}-{}", config.name, i + 1);
    if (!card.record.ok())
      artifacts.notes.push_back(
          fmt::format("{}: {} - {}", card.label, to_string(card.record.status), card.record.cause));
    add_tables(id, card, artifacts.tables);
    add_figures(id, card, artifacts.figures);
  }
  return artifacts;
}

const ExperimentEntry<MethodReportExperiment> method_report_entry;

}  // namespace

// ----- as JSON -----

void to_json(Json& json, const MethodReportResult::Region& region) {
  json = {{"window", region.window}};
  json.update(region_json(region.region, region.window));
}

void from_json(const Json& json, MethodReportResult::Region& region) {
  region = {json.at("window").get<PlaneGrid>(), json.get<PlaneRegion>()};
}

void members(JsonMembers& json, MethodReportResult::RadiusCurve& curve) {
  json("label", curve.label)("Omega", curve.Omega)("radius", curve.radius);
}

void members(JsonMembers& json, MethodReportResult::Card& card) {
  json("label", card.label)("spec", card.spec)("report", card.record.report)("status", card.record.status);
  json("cause", card.record.cause)("coefficients", card.record.coefficients)("region", card.region);
  json("order_star", card.order_star)("spectral_radius", card.spectral_radius);
}

void members(JsonMembers& json, MethodReportResult& result) { json("methods", result.methods); }

}  // namespace daelab
