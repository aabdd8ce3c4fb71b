// Methods side by side: orders, stability, error constants. The table every paper on methods needs.
#include "experiments/kinds/method_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/exact.hpp"
#include "lab/runs/method_run.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

using CellOf = TableCell (*)(const MethodReport& report);

struct MethodColumn {
  std::string key;  // in the option "columns"
  Column column;
  CellOf cell;
};

template <Property MethodReport::*member>
TableCell property_of(const MethodReport& report) {
  return property_cell(report.*member);
}
template <std::optional<int> MethodReport::*member>
TableCell count_of(const MethodReport& report) {
  return report.*member;
}

TableCell form_of(const MethodReport& report) { return report.form; }

TableCell order_of(const MethodReport& report) {
  if (!report.order) return nullptr;
  return report.order->is_exact ? TableCell(report.order->value) : TableCell(fmt::format("≥ {}", report.order->value));
}

// Methods of second-order systems are measured on the oscillator.
TableCell a_stability_of(const MethodReport& report) {
  return property_cell(report.a_stable.applicable ? report.a_stable : report.unconditionally_stable);
}

std::string sector_text(const StabilitySector& sector) { return fmt::format("A({})", angle_text(sector.degrees)); }

TableCell sector_of(const MethodReport& report) {
  return report.sector ? TableCell(sector_text(*report.sector)) : TableCell();
}

TableCell error_constant_of(const MethodReport& report) {
  if (!report.error_constant) return nullptr;
  return fmt::format("{} w^{}", exact_text(report.error_constant->value), report.error_constant->power);
}

TableCell bound_cell(double bound) {
  return std::isinf(bound) ? TableCell("∞") : std::isnan(bound) ? TableCell() : TableCell(bound);
}

TableCell real_interval_of(const MethodReport& report) {
  return report.intervals ? bound_cell(report.intervals->real) : TableCell();
}
TableCell imaginary_interval_of(const MethodReport& report) {
  return report.intervals ? bound_cell(report.intervals->imaginary) : TableCell();
}
TableCell rho_of(const MethodReport& report) { return bound_cell(report.rho_infinity); }
TableCell oscillator_limit_of(const MethodReport& report) { return bound_cell(report.oscillator_limit); }

TableCell at_infinity_of(const MethodReport& report) {
  if (report.R_infinity.empty()) return nullptr;
  return report.R_infinity == "infinite" ? "∞" : report.R_infinity;
}

const std::vector<MethodColumn>& known_columns() {
  static const std::vector<MethodColumn> list{
      {"form", {"form", "", CellFormat::text, 0}, form_of},
      {"order", {"order", "", CellFormat::integer, 0}, order_of},
      {"stage-order",
       {"stage order", "\\shortstack{stage\\\\order}", CellFormat::integer, 0},
       count_of<&MethodReport::stage_order>},
      {"quadrature-order",
       {"quadrature order", "\\shortstack{quadrature\\\\order}", CellFormat::integer, 0},
       count_of<&MethodReport::quadrature_order>},
      {"C", {"C", "$C(q)$", CellFormat::integer, 0}, count_of<&MethodReport::C>},
      {"D", {"D", "$D(z)$", CellFormat::integer, 0}, count_of<&MethodReport::D>},
      {"A", {"A", "", CellFormat::text, 0}, a_stability_of},
      {"A(alpha)", {"A(α)", "A($\\alpha$)", CellFormat::text, 0}, sector_of},
      {"L", {"L", "", CellFormat::text, 0}, property_of<&MethodReport::l_stable>},
      {"stiffly-accurate",
       {"stiffly accurate", "\\shortstack{stiffly\\\\accurate}", CellFormat::text, 0},
       property_of<&MethodReport::stiffly_accurate>},
      {"algebraically-stable",
       {"algebraically stable", "", CellFormat::text, 0},
       property_of<&MethodReport::algebraically_stable>},
      {"zero-stable", {"zero-stable", "", CellFormat::text, 0}, property_of<&MethodReport::zero_stable>},
      {"unconditionally-stable",
       {"unconditionally stable", "", CellFormat::text, 0},
       property_of<&MethodReport::unconditionally_stable>},
      {"R(inf)", {"R(∞)", "$R(\\infty)$", CellFormat::exact, 6}, at_infinity_of},
      {"error-constant",
       {"error constant", "\\shortstack{error\\\\constant}", CellFormat::exact, 4},
       error_constant_of},
      {"real-interval", {"real interval", "", CellFormat::fixed, 3}, real_interval_of},
      {"imaginary-interval", {"imaginary interval", "", CellFormat::fixed, 3}, imaginary_interval_of},
      {"rho(inf)", {"ρ(∞)", "$\\rho_\\infty$", CellFormat::fixed, 4}, rho_of},
      {"oscillator-limit", {"ω h up to", "$\\omega h \\le$", CellFormat::fixed, 4}, oscillator_limit_of}};
  return list;
}

const MethodColumn* find_column(const std::string& key) {
  const auto& list = known_columns();
  const auto place = std::find_if(list.begin(), list.end(), [&](const MethodColumn& c) { return c.key == key; });
  return place == list.end() ? nullptr : &*place;
}

struct MethodTable {
  static constexpr const char* name = "method-table";
  static constexpr const char* summary = "Methods side by side: orders, stability properties, R(inf), error constants.";
  static constexpr const char* source = "Hairer, Wanner 1996, Chaps. IV, V";
  using Runs = MethodRuns;

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
      throw InputError(fmt::format("{}/columns/{}", where, i),
                       fmt::format("no column '{}'{} (known: {})", columns[i], did_you_mean(columns[i], keys),
                                   fmt::join(keys, ", ")));
    }
  }

  using Result = MethodTableResult;

  Result evaluate(const Config& /*config*/, const std::vector<FinishedMethodRun>& runs,
                  const FinishedMethodRun* /*reference*/) const {
    Result result{{}, columns};
    for (const FinishedMethodRun& run : runs)
      result.methods.push_back({run.label, run.run->json(), run.record.status, run.record.cause, run.record.report});
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    Table& table =
        artifacts.tables.emplace_back(Table{config.name, heading(config), {{"method", "", CellFormat::text, 0}}, {}});
    for (const std::string& key : result.columns) table.columns.push_back(find_column(key)->column);
    for (const Result::Row& method : result.methods) {
      TableRow row{method.label};
      for (const std::string& key : result.columns) row.push_back(find_column(key)->cell(method.report));
      table.rows.push_back(std::move(row));
      artifacts.notes.push_back(fmt::format(
          "{}: {}", method.label,
          method.status == StatusCode::ok ? proofs(method.report) : to_string(method.status) + " - " + method.cause));
    }
    return artifacts;
  }

 private:
  // Each property with its proof: a bare "yes" is worth nothing.
  static std::string proofs(const MethodReport& report) {
    std::vector<std::string> parts;
    const auto add = [&parts](const std::string& what, const std::string& proof) {
      parts.push_back(fmt::format("{} ({})", what, proof));
    };
    if (report.order) add(fmt::format("order {}", report.order->value), report.order->how);
    for (const auto& [what, property] :
         {std::pair("A-stable", report.a_stable),
          {"L-stable", report.l_stable},
          {"stiffly accurate", report.stiffly_accurate},
          {"unconditionally stable on the undamped oscillator", report.unconditionally_stable}})
      if (property.applicable) add(fmt::format("{}: {}", what, property.holds ? "yes" : "no"), property.proof);
    if (report.sector && !report.a_stable.holds) add(sector_text(*report.sector) + "-stable", report.sector->proof);
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  std::string heading(const Config& config) const {
    return (caption.empty() ? config.title + "." : caption) +
           " A, L: A- and L-stable, for methods of second-order systems unconditionally stable; A(α): stable in the "
           "sector |arg(-w)| ≤ α; R(∞): the largest root at infinity; error constant: the first term of exp(w) - R(w). "
           "Proofs in the notes.";
  }
};

const ExperimentEntry<MethodTable> method_table_entry;

}  // namespace

void members(JsonMembers& json, MethodTableResult& result) {
  json.list("methods", result.methods, [&](JsonMembers& of, MethodTableResult::Row& method) {
    of("label", method.label)("spec", method.spec).derived("cells", [&] {
      Json cells = Json::object();
      for (const std::string& key : result.columns) cells[key] = find_column(key)->cell(method.report);
      return cells;
    });
    of("status", method.status)("cause", method.cause)("report", method.report);
  });
  json("columns", result.columns);
}

}  // namespace daelab
