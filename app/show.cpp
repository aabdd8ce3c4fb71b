// list and show: what is registered, and the report card of a method.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/order_conditions.hpp"
#include "analysis/stability.hpp"
#include "app/commands.hpp"
#include "core/formulation.hpp"
#include "core/linear_problem.hpp"
#include "core/paths.hpp"
#include "core/problem.hpp"
#include "core/tableau_method.hpp"
#include "experiments/experiment.hpp"

namespace daelab::app {
namespace {

template <class Kind>
Json entries() {
  Json list = Json::array();
  for (const std::string& name : Registry<Kind>::instance().names()) {
    const auto& entry = Registry<Kind>::instance().find(name, "");
    list.push_back({{"name", name}, {"summary", entry.summary}, {"source", entry.source}});
  }
  return list;
}

Json paper_entries() {
  Json list = Json::array();
  for (const std::string& paper : papers()) {
    const Json claims = read_json_file(project_path("results/published/" + paper + ".json"));
    list.push_back({{"name", paper}, {"summary", claims["title"]}, {"source", claims["reference"]}});
  }
  return list;
}

Json all_entries() {
  return {{"problems", entries<Problem>()},
          {"linear-problems", entries<LinearProblem>()},
          {"formulations", entries<Formulation>()},
          {"methods", entries<Method>()},
          {"multiplier-solvers", entries<MultiplierSolver>()},
          {"experiments", entries<Experiment>()},
          {"papers", paper_entries()}};
}

template <class Kind>
Json description(const std::string& spec) {
  const std::string name = Registry<Kind>::instance().make(spec, Kind::kind)->name();  // checks the options given
  const auto& entry = Registry<Kind>::instance().find(name, Kind::kind);
  return {{"name", entry.name}, {"summary", entry.summary}, {"source", entry.source}, {"options", entry.options}};
}

Json exact_matrix(const Matrix<Real100>& values) {
  Json rows = Json::array();
  for (Index i = 0; i < values.rows(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < values.cols(); ++j)
      row.push_back({{"exact", exact_text(values(i, j))}, {"decimal", to_text(values(i, j), 20)}});
    rows.push_back(std::move(row));
  }
  return rows;
}

Json verdict_json(const Verdict& verdict) { return {{"holds", verdict.holds}, {"certificate", verdict.certificate}}; }

std::vector<Method::Coefficient> all_coefficients(const Method& method) {
  std::vector<Method::Coefficient> list = method.coefficients();
  const MethodForm form = method.form();
  if (const auto* tableau = std::get_if<Tableau>(&form)) {
    list.push_back({"A", "Runge-Kutta matrix", tableau->A});
    list.push_back({"b", "Runge-Kutta weights", tableau->b});
    list.push_back({"c", "Runge-Kutta nodes", tableau->c});
  }
  return list;
}

// Order, stability and coefficients of a Runge-Kutta method.
Json report_card(const Method& method) {
  Json card = {{"name", method.name()}, {"spec", method.spec()}};
  Json coefficients = Json::object();
  for (const auto& c : all_coefficients(method)) {
    const bool names_nodes_twice = coefficients.contains(c.symbol);
    coefficients[names_nodes_twice ? c.symbol + "_runge_kutta" : c.symbol] = exact_matrix(c.values);
  }
  card["coefficients"] = std::move(coefficients);
  const MethodForm form = method.form();
  const auto* tableau = std::get_if<Tableau>(&form);
  if (!tableau) return card;
  const StabilityFunction R = stability_function(*tableau);
  const OrderReport order = order_report(*tableau);
  card["stability_function"] = R.text("w");
  if (const auto pair = R.pade_pair()) card["pade_pair"] = {pair->first, pair->second};
  const Real100 at_infinity = R.at_infinity();
  card["R_infinity"] = isfinite(at_infinity) ? Json(exact_text(at_infinity)) : Json("infinite");
  card["order"] = {{"order", order.order}, {"is_exact", order.is_exact}, {"how", order.how}};
  card["stage_order"] = order.stage_order;
  card["quadrature_order"] = order.quadrature_order;
  card["A_stable"] = verdict_json(a_stable(R));
  card["L_stable"] = verdict_json(l_stable(R));
  card["stiffly_accurate"] = verdict_json(stiffly_accurate(*tableau));
  return card;
}

void print_entries(const std::string& kind, const Json& list) {
  fmt::print("{}\n", kind);
  for (const Json& entry : list)
    fmt::print("  {:<22} {}\n", entry["name"].get<std::string>(), entry["summary"].get<std::string>());
}

std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void print_description(const Json& d) {
  fmt::print("{}\n{}\nSource: {}\n", text(d["name"]), text(d["summary"]), text(d["source"]));
  if (!d["options"].empty()) fmt::print("\nOptions\n");
  for (const auto& [name, schema] : d["options"].items()) {
    std::string range;
    const Json& type = schema.contains("anyOf") ? schema["anyOf"][0] : schema;
    if (type.contains("enum")) range = fmt::format(" ({})", fmt::join(type["enum"].get<std::vector<std::string>>(), ", "));
    if (type.contains("exclusiveMinimum"))
      range = fmt::format(" (above {}{})", type["exclusiveMinimum"].dump(),
                          type.contains("maximum") ? " to " + type["maximum"].dump() : "");
    if (type.contains("minimum") && type.contains("maximum"))
      range = fmt::format(" ({} to {})", type["minimum"].dump(), type["maximum"].dump());
    else if (type.contains("minimum"))
      range = " (at least " + type["minimum"].dump() + ")";
    fmt::print("  {:<16} default {:<18} {}{}\n", name, text(schema["default"]), text(schema["description"]), range);
  }
}

void print_matrix(const std::string& symbol, const Json& rows) {
  fmt::print("{}\n", symbol);
  for (const Json& row : rows) {
    for (const Json& entry : row)
      fmt::print("  {:<28} {}\n", entry["exact"].get<std::string>(), entry["decimal"].get<std::string>());
    if (rows[0].size() > 1) fmt::print("\n");
  }
}

void print_verdict(const char* what, const Json& verdict) {
  fmt::print("{:<20} {}  ({})\n", what, verdict["holds"].get<bool>() ? "yes" : "no",
             verdict["certificate"].get<std::string>());
}

void print_runge_kutta_properties(const Json& card) {
  fmt::print("R(w) = {}\n", text(card["stability_function"]));
  if (card.contains("pade_pair")) fmt::print("{:<20} ({}, {})\n", "Padé pair", card["pade_pair"][0].dump(), card["pade_pair"][1].dump());
  fmt::print("{:<20} {}\n", "R(inf)", text(card["R_infinity"]));
  fmt::print("{:<20} {}{}  ({})\n", "order", card["order"]["is_exact"].get<bool>() ? "" : "at least ",
             card["order"]["order"].dump(), text(card["order"]["how"]));
  fmt::print("{:<20} {}\n", "stage order", card["stage_order"].dump());
  fmt::print("{:<20} {}\n", "quadrature order", card["quadrature_order"].dump());
  print_verdict("A-stable", card["A_stable"]);
  print_verdict("L-stable", card["L_stable"]);
  print_verdict("stiffly accurate", card["stiffly_accurate"]);
}

void print_card(const Json& card) {
  fmt::print("\n{}\n\n", spec_text(card["spec"].contains("A") ? Json{{"name", card["name"]}} : card["spec"]));
  if (card.contains("order")) print_runge_kutta_properties(card);
  if (card["coefficients"].empty()) return;
  fmt::print("\nCoefficients, exact and in decimals (rows of a matrix one after the other)\n");
  for (const auto& [symbol, rows] : card["coefficients"].items()) print_matrix(symbol, rows);
}

int show_method(const std::string& spec, bool json) {
  const auto method = make_method(spec, "method");
  const Json& own = method->spec();
  Json result = spec.starts_with("@") && own.contains("A")
                    ? Json{{"name", own["name"]}, {"summary", own.value("summary", "Runge-Kutta tableau from a file.")},
                           {"source", own.value("source", "")}, {"options", Json::object()}}
                    : description<Method>(spec);
  const Json card = report_card(*method);
  if (json) {
    result.update(card);
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  print_description(result);
  print_card(card);
  return 0;
}

// A name that only a linear problem has.
bool names_linear_problem(const std::string& spec) {
  const std::string name = parse_spec(spec, "problem")["name"];
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has(Registry<LinearProblem>::instance().names()) && !has(Registry<Problem>::instance().names());
}

int print(const Json& result, bool json) {
  if (json)
    fmt::print("{}\n", result.dump(2));
  else
    print_description(result);
  return 0;
}

}  // namespace

int list(const std::string& kind, bool json) {
  const Json all = all_entries();
  std::vector<std::string> kinds;
  for (const auto& [name, entries] : all.items()) kinds.push_back(name);
  if (!kind.empty() && !all.contains(kind)) {
    const std::string near = nearest_name(kind, kinds);
    throw InputError(fmt::format("list: no kind '{}'; known: {}{}", kind, fmt::join(kinds, ", "),
                                 near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  if (json) {
    fmt::print("{}\n", (kind.empty() ? all : all[kind]).dump(2));
    return 0;
  }
  for (const auto& [name, entries] : all.items())
    if (kind.empty() || kind == name) print_entries(name, entries);
  return 0;
}

int show(const std::string& kind, const std::string& spec, bool json) {
  if (kind == "method") return show_method(spec, json);
  if (kind == "linear-problem" || (kind == "problem" && names_linear_problem(spec)))
    return print(description<LinearProblem>(spec), json);
  if (kind == "problem") return print(description<Problem>(spec), json);
  if (kind == "formulation") return print(description<Formulation>(spec), json);
  if (kind == "multiplier-solver") return print(description<MultiplierSolver>(spec), json);
  if (kind == "experiment") return print(description<Experiment>(spec), json);
  throw InputError(fmt::format("show: no kind '{}'; known: problem, formulation, method, multiplier-solver, experiment, "
                               "linear-problem", kind));
}

}  // namespace daelab::app
