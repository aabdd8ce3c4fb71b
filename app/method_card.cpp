#include "app/method_card.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/exact.hpp"
#include "core/base/options.hpp"
#include "core/integration/tableau.hpp"

namespace daelab::app {
namespace {

void print_line(const char* what, const std::string& value) { fmt::print("{:<22} {}\n", what, value); }

void print_order(const char* what, const std::optional<int>& order) {
  if (order) print_line(what, std::to_string(*order));
}

void print_property(const char* what, const Property& property) {
  const char* holds = !property.applicable ? "-" : property.holds ? "yes" : "no";
  print_line(what, fmt::format("{}  ({})", holds, property.proof));
}

std::string bound_text(double bound) { return std::isinf(bound) ? "infinity" : fmt::format("{:.8g}", bound); }

// For the conditions of order 1, 2, ...
void print_residuals(const std::vector<double>& residuals) {
  std::string list;
  for (const double residual : residuals) list += fmt::format("{}{:.1e}", list.empty() ? "" : ", ", residual);
  print_line("residuals", fmt::format("{}  (largest of the conditions of order 1 to {})", list, residuals.size()));
}

void print_orders(const MethodReport& report) {
  if (const auto& order = report.order) {
    print_line("order", fmt::format("{}{}{}  ({})", order->is_exact ? "" : "at least ", order->value,
                                    order->digits > 0 ? fmt::format(", to {} digits", order->digits) : "", order->how));
    if (!order->residuals.empty()) print_residuals(order->residuals);
  }
  print_order("stage order", report.stage_order);
  print_order("quadrature order", report.quadrature_order);
  if (report.C) print_line("C(q), D(z)", fmt::format("q = {}, z = {}", *report.C, *report.D));
  if (const auto& constant = report.error_constant)
    print_line("error constant",
               fmt::format("{}, of w^{} in exp(w) - R(w)", exact_text(constant->value), constant->power));
}

void print_stability(const MethodReport& report) {
  print_property("A-stable", report.a_stable);
  print_property("L-stable", report.l_stable);
  if (const auto& sector = report.sector)
    print_line("A(alpha)-stable", fmt::format("alpha = {:.2f}°  ({})", sector->degrees, sector->proof));
  if (const auto& intervals = report.intervals)
    print_line("stable intervals",
               fmt::format("-w up to {}, |w| up to {} on the imaginary axis  (numerical, {} digits)",
                           bound_text(intervals->real), bound_text(intervals->imaginary), intervals->digits));
  print_property("stiffly accurate", report.stiffly_accurate);
  print_property("algebraically stable", report.algebraically_stable);
  print_property("zero-stable", report.zero_stable);
  print_property("unconditionally stable", report.unconditionally_stable);
  if (!std::isnan(report.rho_infinity))
    print_line("undamped oscillator",
               fmt::format("stable up to omega h = {}, spectral radius {} at infinity",
                           bound_text(report.oscillator_limit), bound_text(report.rho_infinity)));
}

void print_dense_output(const DenseOrder& dense) {
  print_line("dense output",
             fmt::format("order {} in q, {} in v; {} in y of ordinary differential equations; the method's "
                         "where that is lower  ({})",
                         dense.q, dense.v, dense.y, dense.how));
}

void print_predictions(const MethodReport& report) {
  fmt::print("\nOrders by theory\n  {:<20} {:>2} {:>2} {:>2} {:>7}  source\n", "", "q", "v", "a", "lambda");
  const auto cell = [](const std::optional<int>& order) { return order ? std::to_string(*order) : std::string("-"); };
  for (const auto& [formulation, p] : report.predicted)
    fmt::print("  {:<20} {:>2} {:>2} {:>2} {:>7}  {}\n", formulation, cell(p.q), cell(p.v), cell(p.a), cell(p.lambda),
               p.source);
}

void print_matrix(const std::string& symbol, const ExactCoefficients::Rows& rows) {
  fmt::print("{}\n", symbol);
  for (const auto& row : rows) {
    for (const auto& [exact, decimal] : row) fmt::print("  {:<28} {}\n", exact, decimal);
    if (row.size() > 1) fmt::print("\n");
  }
}

}  // namespace

void print_method_card(const MethodReport& report, const ExactCoefficients& coefficients) {
  fmt::print("\n{}\n\n", spec_text(is_tableau(report.spec) ? Json{{"name", report.name}} : report.spec));
  print_line("form", report.form);
  if (!report.stability_function.empty()) print_line("R(w)", report.stability_function);
  if (const auto& pair = report.pade_pair) print_line("Padé pair", fmt::format("({}, {})", pair->first, pair->second));
  if (!report.R_infinity.empty()) print_line("R(inf)", report.R_infinity);
  print_orders(report);
  print_stability(report);
  print_dense_output(report.dense_output);
  print_predictions(report);
  if (coefficients.list.empty()) return;
  fmt::print("\nCoefficients, exact and in decimals (rows of a matrix one after the other)\n");
  for (const auto& [symbol, rows] : coefficients.list) print_matrix(symbol, rows);
}

}  // namespace daelab::app
