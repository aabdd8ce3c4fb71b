#include "app/method_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/notes.hpp"
#include "app/terminal.hpp"
#include "core/base/exact.hpp"
#include "core/base/number_text.hpp"
#include "core/base/options.hpp"
#include "report/layout/shown_text.hpp"

namespace daelab::app {
namespace {

constexpr std::size_t column = 24;

void print_line(const char* what, const std::string& value) {
  fmt::print("{}", entry_text(what, value, column, terminal_width()));
}

void print_order(const char* what, const std::optional<int>& order) {
  if (order) print_line(what, std::to_string(*order));
}

void print_property(const char* what, const Property& property, Notes& notes) {
  const char* holds = !property.applicable ? "-" : property.holds ? "yes" : "no";
  print_line(what, fmt::format("{:<4} {}", holds, notes.mark(property.proof)));
}

std::string bound_text(double bound) { return std::isinf(bound) ? "infinity" : fmt::format("{:.8g}", bound); }

// For the conditions of order 1, 2, ...
void print_residuals(const std::vector<double>& residuals) {
  std::string list;
  for (const double residual : residuals) list += fmt::format("{}{:.1e}", list.empty() ? "" : ", ", residual);
  print_line("residuals", fmt::format("{}  (largest of the conditions of order 1 to {})", list, residuals.size()));
}

void print_orders(const MethodReport& report, Notes& notes) {
  if (const auto& order = report.order) {
    print_line("order", fmt::format("{}{}{} {}", order->is_exact ? "" : "at least ", order->value,
                                    order->digits > 0 ? fmt::format(", to {} digits", order->digits) : "",
                                    notes.mark(order->how)));
    if (!order->residuals.empty()) print_residuals(order->residuals);
  }
  print_order("stage order", report.stage_order);
  print_order("pseudo-stage order", report.pseudo_stage_order);
  print_order("quadrature order", report.quadrature_order);
  if (report.C) print_line("C(q), D(z)", fmt::format("q = {}, z = {}", *report.C, *report.D));
  if (const auto& constant = report.error_constant)
    print_line("error constant",
               fmt::format("{}, of w^{} in exp(w) - R(w)", exact_text(constant->value), constant->power));
}

void print_stability(const MethodReport& report, Notes& notes) {
  print_property("A-stable", report.a_stable, notes);
  print_property("L-stable", report.l_stable, notes);
  if (const auto& sector = report.sector)
    print_line("A(alpha)-stable", fmt::format("alpha = {:.2f}° {}", sector->degrees, notes.mark(sector->proof)));
  if (const auto& stiffly = report.stiffly)
    print_line("stiffly stable",
               stiffly->D == 0
                   ? fmt::format("for Re w <= 0 {}", notes.mark(stiffly->proof))
                   : fmt::format("for Re w <= {:.6g}; unstable left of the axis with |Im w| from {:.4g} to {:.4g} {}",
                                 -stiffly->D, stiffly->theta_from, stiffly->theta_to, notes.mark(stiffly->proof)));
  if (const auto& intervals = report.intervals)
    print_line("stable intervals",
               fmt::format("-w up to {}, |w| up to {} on the imaginary axis  (numerical, {} digits)",
                           bound_text(intervals->real), bound_text(intervals->imaginary), intervals->digits));
  print_property("stiffly accurate", report.stiffly_accurate, notes);
  print_property("algebraically stable", report.algebraically_stable, notes);
  print_property("B-stable", report.b_stable, notes);
  print_property("G-stable", report.g_stable, notes);
  print_property("zero-stable", report.zero_stable, notes);
  print_property("unconditionally stable", report.unconditionally_stable, notes);
  if (!std::isnan(report.rho_infinity))
    print_line("undamped oscillator",
               fmt::format("stable up to omega h = {}, spectral radius {} at infinity",
                           bound_text(report.oscillator_limit), bound_text(report.rho_infinity)));
}

void print_dense_output(const DenseOrder& dense, Notes& notes) {
  print_line("dense output",
             fmt::format("order {} in q, {} in v; {} in y of ordinary differential equations; the method's "
                         "where that is lower {}",
                         dense.q, dense.v, dense.y, notes.mark(dense.how)));
}

// y' = f(y, z) with 0 = g(y, z) on index 1, 0 = g(y) on index 2; in a mechanism y = (q, v), z = (a, lambda). On index 3
// z' = k(y, z, u), 0 = g(y): y = q, z = v, u = lambda.
void print_dae_orders(const MethodReport& report) {
  if (report.dae_orders.empty()) return;
  Notes proofs;
  fmt::print("\n{}\n  {:<24} {:>4} {:>4} {:>4}\n", tinted(Tint::strong, "Proved orders, y' = f(y, z), 0 = g"), "", "y",
             "z", "u");
  const auto cell = [](const std::optional<int>& order, bool exact) {
    return !order ? std::string("-") : fmt::format("{}{}", exact ? "" : "≥", *order);
  };
  for (const DaeOrders& o : report.dae_orders)
    fmt::print("  {:<24} {:>4} {:>4} {:>4}  {}\n",
               fmt::format("index {}{}", o.index,
                           o.half_explicit ? ", half-explicit"
                           : o.linear_in_u ? ", linear in u"
                                           : ""),
               cell(o.y, o.is_exact_y), cell(o.z, o.is_exact_z), cell(o.u, false), proofs.mark(o.how));
  proofs.print();
}

void print_predictions(const MethodReport& report) {
  Notes sources;
  std::size_t widest = 0;
  for (const auto& [formulation, p] : report.predicted) widest = std::max(widest, formulation.size());
  fmt::print("\n{}\n  {:<{}} {:>2} {:>2} {:>2} {:>7}  source\n", tinted(Tint::strong, "Orders by theory"), "", widest,
             "q", "v", "a", "lambda");
  const auto cell = [](const std::optional<int>& order) { return order ? std::to_string(*order) : std::string("-"); };
  for (const auto& [formulation, p] : report.predicted)
    fmt::print("  {:<{}} {:>2} {:>2} {:>2} {:>7}  {}\n", formulation, widest, cell(p.q), cell(p.v), cell(p.a),
               cell(p.lambda), sources.mark(p.source));
  sources.print();
}

// c | A above b, as textbooks print it, where it fits the terminal; the exact entries, or 8 digits of decimals.
std::string tableau_text(const ExactCoefficients& coefficients, bool exact) {
  const auto cell = [&](const ExactCoefficients::Entry& entry) {
    return exact || entry.exact.size() <= 8 ? entry.exact
                                            : entry.decimal.substr(0, entry.decimal.starts_with("-") ? 11 : 10);
  };
  const ExactCoefficients::Rows &A = *coefficients.find("A"), &c = *coefficients.find("c");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < A.size(); ++i) {
    rows.push_back({cell(c[i][0])});
    for (const auto& entry : A[i]) rows.back().push_back(cell(entry));
  }
  for (const char* weights : {"b", "b_embedded"})
    if (const ExactCoefficients::Rows* b = coefficients.find(weights)) {
      rows.push_back({""});
      for (const auto& row : *b)
        for (const auto& entry : row) rows.back().push_back(cell(entry));
    }
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (widths.size() <= k) widths.push_back(0);
      widths[k] = std::max(widths[k], row[k].size());
    }
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      line += (k == 0 ? "  " : k == 1 ? " | " : "  ") + padded(rows[i][k], widths[k], k > 0);
    if (i == A.size())
      text += "  " + std::string(widths[0] + 1, '-') + "+" + std::string(text_width(line) - widths[0] - 4, '-') + "\n";
    text += line + "\n";
  }
  return text;
}

bool fits(const std::string& text) { return text.find('\n') <= terminal_width(); }

bool are_tableau(const ExactCoefficients& coefficients) {
  const ExactCoefficients::Rows *A = coefficients.find("A"), *b = coefficients.find("b"), *c = coefficients.find("c");
  return A != nullptr && b != nullptr && c != nullptr && A->size() == c->size();
}

using ShownRow = std::vector<std::string>;

// Side by side, as many to a line as fit.
void print_in_columns(const ShownRow& cells, std::size_t widest) {
  constexpr std::size_t indent = 2, gap = 2;
  const std::size_t most = std::max<std::size_t>(1, (terminal_width() - indent + gap) / (widest + gap));
  for (std::size_t begin = 0; begin < cells.size(); begin += most) {
    if (most == 1) {
      fmt::print("{}", wrapped(cells[begin], terminal_width(), indent));
      continue;
    }
    std::string line(indent, ' ');
    for (std::size_t i = begin; i < std::min(begin + most, cells.size()); ++i)
      line += padded(cells[i], widest) + std::string(gap, ' ');
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

// One row of a matrix after the other. Decimals have as many digits as a double: --json has all.
void print_matrix(const std::string& symbol, const ExactCoefficients::Rows& rows) {
  std::vector<ShownRow> shown;
  std::size_t widest = 0;
  for (const auto& row : rows) {
    ShownRow& cells = shown.emplace_back();
    for (const auto& [exact, decimal] : row) {
      cells.push_back(exact == decimal ? exact : fmt::format("{} = {:.16g}", exact, number_in(decimal).value_or(0)));
      widest = std::max(widest, text_width(cells.back()));
    }
  }
  const bool is_column = std::ranges::all_of(shown, [](const ShownRow& row) { return row.size() == 1; });
  if (is_column) {
    ShownRow all;
    for (const ShownRow& row : shown) all.push_back(row.front());
    shown = {all};
  }
  fmt::print("{}\n", symbol);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) fmt::print("\n");
    print_in_columns(shown[i], widest);
  }
}

void print_coefficients(const ExactCoefficients& coefficients) {
  fmt::print("\n{}\n", tinted(Tint::strong, "Coefficients"));
  bool tableau = are_tableau(coefficients);
  if (tableau) {
    const std::string exact = tableau_text(coefficients, true), decimal = tableau_text(coefficients, false);
    if (fits(exact) || fits(decimal)) fmt::print("{}\n", fits(exact) ? exact : decimal);
    tableau = fits(exact);
  }
  if (tableau) return;
  fmt::print("Exact and in decimals{}\n", coefficients.list.size() > 1 ? ", rows of a matrix one after the other" : "");
  for (const auto& [symbol, rows] : coefficients.list) print_matrix(symbol, rows);
}

}  // namespace

void print_method_card(const MethodReport& report, const ExactCoefficients& coefficients) {
  Notes notes;
  fmt::print("\n");
  print_wrapped(tinted(Tint::strong, spec_text(report.spec)), 2);
  fmt::print("\n");
  print_line("form", report.form);
  if (!report.stability_function.empty()) print_line("R(w)", report.stability_function);
  if (const auto& pair = report.pade_pair) print_line("Padé pair", fmt::format("({}, {})", pair->first, pair->second));
  if (!report.R_infinity.empty()) print_line("R(inf)", report.R_infinity);
  print_orders(report, notes);
  for (const MethodReport::FamilyFact& fact : report.of_family)
    print_line(fact.what.c_str(), fmt::format("{} {}", fact.value, notes.mark(fact.how)));
  print_stability(report, notes);
  if (report.estimate_sees_time.applicable) {
    print_property("estimate sees f(t)", report.estimate_sees_time, notes);
    print_property("estimate sees Jy", report.estimate_sees_linear, notes);
  }
  print_dense_output(report.dense_output, notes);
  notes.print();
  print_dae_orders(report);
  print_predictions(report);
  if (!coefficients.list.empty()) print_coefficients(coefficients);
}

}  // namespace daelab::app
