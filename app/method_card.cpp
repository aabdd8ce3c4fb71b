#include "app/method_card.hpp"

#include <fmt/format.h>

#include "analysis/method_report.hpp"
#include "core/base/options.hpp"

namespace daelab::app {
namespace {

std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void print_line(const char* what, const std::string& value) { fmt::print("{:<22} {}\n", what, value); }

void print_number(const char* what, const Json& card, const char* key) {
  if (card.contains(key) && !card[key].is_null()) print_line(what, text(card[key]));
}

void print_property(const char* what, const Json& property) {
  const char* holds = !property["applicable"].get<bool>() ? "-" : property["holds"].get<bool>() ? "yes" : "no";
  print_line(what, fmt::format("{}  ({})", holds, text(property["proof"])));
}

std::string bound_text(const Json& bound) {
  return bound.is_string() ? "infinity" : fmt::format("{:.8g}", bound.get<double>());
}

// Of the conditions of order 1, 2, ...
void print_residuals(const Json& residuals) {
  std::string list;
  for (const Json& residual : residuals)
    list += fmt::format("{}{:.1e}", list.empty() ? "" : ", ", residual.get<double>());
  print_line("residuals", fmt::format("{}  (largest of the conditions of order 1 to {})", list, residuals.size()));
}

void print_orders(const Json& card) {
  if (card.contains("order")) {
    const Json& order = card["order"];
    print_line("order",
               fmt::format("{}{}{}  ({})", order["is_exact"].get<bool>() ? "" : "at least ", order["order"].dump(),
                           order.contains("digits") ? fmt::format(", to {} digits", order["digits"].dump()) : "",
                           text(order["how"])));
    if (order.contains("residuals")) print_residuals(order["residuals"]);
  }
  print_number("stage order", card, "stage_order");
  print_number("quadrature order", card, "quadrature_order");
  if (card.contains("C")) print_line("C(q), D(z)", fmt::format("q = {}, z = {}", card["C"].dump(), card["D"].dump()));
  if (card.contains("error_constant")) {
    const Json& constant = card["error_constant"];
    print_line("error constant",
               fmt::format("{}, of w^{} in exp(w) - R(w)", text(constant["value"]), constant["power"].dump()));
  }
}

void print_stability(const Json& card) {
  for (const auto& [what, key] : {std::pair("A-stable", "A_stable"), std::pair("L-stable", "L_stable")})
    print_property(what, card[key]);
  if (card.contains("sector"))
    print_line("A(alpha)-stable", fmt::format("alpha = {:.2f}°  ({})", card["sector"]["degrees"].get<double>(),
                                              text(card["sector"]["proof"])));
  if (card.contains("real_interval"))
    print_line("stable intervals",
               fmt::format("-w up to {}, |w| up to {} on the imaginary axis  (numerical, {} digits)",
                           bound_text(card["real_interval"]), bound_text(card["imaginary_interval"]),
                           card["interval_digits"].dump()));
  for (const auto& [what, key] :
       {std::pair("stiffly accurate", "stiffly_accurate"), std::pair("algebraically stable", "algebraically_stable"),
        std::pair("zero-stable", "zero_stable"), std::pair("unconditionally stable", "unconditionally_stable")})
    print_property(what, card[key]);
  if (!card["rho_infinity"].is_null())
    print_line("undamped oscillator",
               fmt::format("stable up to omega h = {}, spectral radius {} at infinity",
                           bound_text(card["oscillator_limit"]), bound_text(card["rho_infinity"])));
}

void print_dense_output(const Json& dense) {
  print_line("dense output",
             fmt::format("order {} in q, {} in v; {} in y of ordinary differential equations; the method's "
                         "where that is lower  ({})",
                         dense["q"].dump(), dense["v"].dump(), dense["y"].dump(), text(dense["how"])));
}

void print_predictions(const Json& predicted) {
  fmt::print("\nOrders by theory\n  {:<20} {:>2} {:>2} {:>2} {:>7}  source\n", "", "q", "v", "a", "lambda");
  const auto cell = [](const Json& order) { return order.is_null() ? std::string("-") : order.dump(); };
  for (const auto& [formulation, p] : predicted.items())
    fmt::print("  {:<20} {:>2} {:>2} {:>2} {:>7}  {}\n", formulation, cell(p["q"]), cell(p["v"]), cell(p["a"]),
               cell(p["lambda"]), text(p["source"]));
}

void print_matrix(const std::string& symbol, const Json& rows) {
  fmt::print("{}\n", symbol);
  for (const Json& row : rows) {
    for (const Json& entry : row)
      fmt::print("  {:<28} {}\n", entry["exact"].get<std::string>(), entry["decimal"].get<std::string>());
    if (rows[0].size() > 1) fmt::print("\n");
  }
}

}  // namespace

Json method_card(const Method& method) {
  Json card = method_report(method);
  card["coefficients"] = exact_coefficients(method);
  return card;
}

void print_method_card(const Json& card) {
  fmt::print("\n{}\n\n", spec_text(card["spec"].contains("A") ? Json{{"name", card["name"]}} : card["spec"]));
  print_line("form", text(card["form"]));
  if (card.contains("stability_function")) print_line("R(w)", text(card["stability_function"]));
  if (card.contains("pade_pair"))
    print_line("Padé pair", fmt::format("({}, {})", card["pade_pair"][0].dump(), card["pade_pair"][1].dump()));
  print_number("R(inf)", card, "R_infinity");
  print_orders(card);
  print_stability(card);
  print_dense_output(card["dense_output"]);
  print_predictions(card["predicted"]);
  if (card["coefficients"].empty()) return;
  fmt::print("\nCoefficients, exact and in decimals (rows of a matrix one after the other)\n");
  for (const auto& [symbol, rows] : card["coefficients"].items()) print_matrix(symbol, rows);
}

}  // namespace daelab::app
