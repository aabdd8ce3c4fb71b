// Methods side by side: orders, stability, error constants. The table every paper on methods needs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/runs/experiment.hpp"
#include "experiments/runs/method_run.hpp"

namespace daelab {
namespace {

using CellOf = Json (*)(const Json& report);

struct MethodColumn {
  std::string key;  // in the option "columns"
  Column column;
  CellOf cell;
};

template <const char* key>
Json entry_of(const Json& report) {
  return report.contains(key) ? report[key] : Json();
}
template <const char* key>
Json property_of(const Json& report) {
  return property_cell(report[key]);
}

Json order_of(const Json& report) {
  if (!report.contains("order")) return nullptr;
  const Json& order = report["order"];
  return order["is_exact"].get<bool>() ? order["order"] : Json("≥ " + order["order"].dump());
}

// Methods of second-order systems are measured on the oscillator.
Json a_stability_of(const Json& report) {
  return property_cell(report[report["A_stable"]["applicable"].get<bool>() ? "A_stable" : "unconditionally_stable"]);
}

Json sector_of(const Json& report) {
  if (!report.contains("sector")) return nullptr;
  return fmt::format("A({})", angle_text(report["sector"]["degrees"].get<double>()));
}

Json error_constant_of(const Json& report) {
  if (!report.contains("error_constant")) return nullptr;
  const Json& constant = report["error_constant"];
  return fmt::format("{} w^{}", constant["value"].get<std::string>(), constant["power"].dump());
}

template <const char* key>
Json bound_of(const Json& report) {
  if (!report.contains(key) || report[key].is_null()) return nullptr;
  return report[key].is_string() ? Json("∞") : report[key];
}

Json at_infinity_of(const Json& report) {
  if (!report.contains("R_infinity")) return nullptr;
  return report["R_infinity"] == "infinite" ? Json("∞") : report["R_infinity"];
}

constexpr char form_key[] = "form", stage_order_key[] = "stage_order", quadrature_key[] = "quadrature_order",
               C_key[] = "C", D_key[] = "D", L_key[] = "L_stable", stiff_key[] = "stiffly_accurate",
               algebraic_key[] = "algebraically_stable", zero_key[] = "zero_stable",
               unconditional_key[] = "unconditionally_stable", real_key[] = "real_interval",
               imaginary_key[] = "imaginary_interval", rho_key[] = "rho_infinity", limit_key[] = "oscillator_limit";

const std::vector<MethodColumn>& known_columns() {
  static const std::vector<MethodColumn> list{
      {"form", {"form", "", CellFormat::text, 0}, entry_of<form_key>},
      {"order", {"order", "", CellFormat::integer, 0}, order_of},
      {"stage-order",
       {"stage order", "\\shortstack{stage\\\\order}", CellFormat::integer, 0},
       entry_of<stage_order_key>},
      {"quadrature-order",
       {"quadrature order", "\\shortstack{quadrature\\\\order}", CellFormat::integer, 0},
       entry_of<quadrature_key>},
      {"C", {"C", "$C(q)$", CellFormat::integer, 0}, entry_of<C_key>},
      {"D", {"D", "$D(z)$", CellFormat::integer, 0}, entry_of<D_key>},
      {"A", {"A", "", CellFormat::text, 0}, a_stability_of},
      {"A(alpha)", {"A(α)", "A($\\alpha$)", CellFormat::text, 0}, sector_of},
      {"L", {"L", "", CellFormat::text, 0}, property_of<L_key>},
      {"stiffly-accurate",
       {"stiffly accurate", "\\shortstack{stiffly\\\\accurate}", CellFormat::text, 0},
       property_of<stiff_key>},
      {"algebraically-stable", {"algebraically stable", "", CellFormat::text, 0}, property_of<algebraic_key>},
      {"zero-stable", {"zero-stable", "", CellFormat::text, 0}, property_of<zero_key>},
      {"unconditionally-stable", {"unconditionally stable", "", CellFormat::text, 0}, property_of<unconditional_key>},
      {"R(inf)", {"R(∞)", "$R(\\infty)$", CellFormat::exact, 6}, at_infinity_of},
      {"error-constant",
       {"error constant", "\\shortstack{error\\\\constant}", CellFormat::exact, 4},
       error_constant_of},
      {"real-interval", {"real interval", "", CellFormat::fixed, 3}, bound_of<real_key>},
      {"imaginary-interval", {"imaginary interval", "", CellFormat::fixed, 3}, bound_of<imaginary_key>},
      {"rho(inf)", {"ρ(∞)", "$\\rho_\\infty$", CellFormat::fixed, 4}, bound_of<rho_key>},
      {"oscillator-limit", {"ω h up to", "$\\omega h \\le$", CellFormat::fixed, 4}, bound_of<limit_key>}};
  return list;
}

const MethodColumn* find_column(const std::string& key) {
  const auto& list = known_columns();
  const auto place = std::find_if(list.begin(), list.end(), [&](const MethodColumn& c) { return c.key == key; });
  return place == list.end() ? nullptr : &*place;
}

// Each property with its proof: a bare "yes" is worth nothing.
std::string proofs(const LabelledRun& run) {
  const Json& record = run.record;
  if (record["status"] != "ok")
    return fmt::format("{}: {} - {}", run.label, record["status"].get<std::string>(),
                       record["cause"].get<std::string>());
  const Json& report = record["report"];
  std::vector<std::string> parts;
  const auto add = [&parts](const std::string& what, const Json& proof) {
    parts.push_back(fmt::format("{} ({})", what, proof.get<std::string>()));
  };
  if (report.contains("order")) add("order " + report["order"]["order"].dump(), report["order"]["how"]);
  for (const auto& [what, key] :
       {std::pair("A-stable", "A_stable"), std::pair("L-stable", "L_stable"), std::pair("stiffly accurate", stiff_key),
        std::pair("unconditionally stable on the undamped oscillator", unconditional_key)})
    if (const Json cell = property_cell(report[key]); !cell.is_null())
      add(fmt::format("{}: {}", what, cell.get<std::string>()), report[key]["proof"]);
  if (report.contains("sector") && !report["A_stable"]["holds"].get<bool>())
    add(sector_of(report).get<std::string>() + "-stable", report["sector"]["proof"]);
  return fmt::format("{}: {}", run.label, fmt::join(parts, "; "));
}

struct MethodTable {
  static constexpr const char* name = "method-table";
  static constexpr const char* summary = "Methods side by side: orders, stability properties, R(inf), error constants.";
  static constexpr const char* source = "Hairer, Wanner 1996, Chaps. IV, V";
  static const RunKind& run_kind() { return method_runs(); }

  std::string caption;
  std::vector<std::string> columns = {"order", "stage-order",      "A",      "A(alpha)",
                                      "L",     "stiffly-accurate", "R(inf)", "error-constant"};

  Options options() {
    std::vector<std::string> keys;
    for (const MethodColumn& column : known_columns()) keys.push_back(column.key);
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("columns", columns, fmt::format("columns beside the method, of: {}", fmt::join(keys, ", ")))};
  }

  void validate(const std::string& where) const {
    std::vector<std::string> keys;
    for (const MethodColumn& column : known_columns()) keys.push_back(column.key);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (find_column(columns[i])) continue;
      const std::string near = nearest_name(columns[i], keys);
      throw InputError(fmt::format("{}/columns/{}", where, i),
                       fmt::format("no column '{}'; known: {}{}", columns[i], fmt::join(keys, ", "),
                                   near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    Table table{config.name, heading(config), {{"method", "", CellFormat::text, 0}}, {}};
    for (const std::string& key : columns) table.columns.push_back(find_column(key)->column);
    Json& methods = evaluation.analysis["methods"] = Json::array();
    for (const LabelledRun& run : runs) {
      Json row = Json::array({run.label}), cells = Json::object();
      for (const std::string& key : columns) row.push_back(cells[key] = find_column(key)->cell(run.record["report"]));
      table.rows.push_back(std::move(row));
      methods.push_back({{"label", run.label}, {"spec", run.record["spec"]}, {"cells", std::move(cells)}});
      evaluation.artifacts.notes.push_back(proofs(run));
    }
    evaluation.artifacts.tables.push_back(std::move(table));
    return evaluation;
  }

 private:
  std::string heading(const Config& config) const {
    return (caption.empty() ? config.title + "." : caption) +
           " A, L: A- and L-stable, for methods of second-order systems unconditionally stable; A(α): stable in the "
           "sector |arg(-w)| ≤ α; R(∞): the largest root at infinity; error constant: the first term of exp(w) - R(w). "
           "Certificates in the notes.";
  }
};
const ExperimentEntry<MethodTable> method_table_entry;

}  // namespace
}  // namespace daelab
