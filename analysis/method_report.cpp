#include "analysis/method_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "analysis/algebraic_stability.hpp"
#include "analysis/multistep.hpp"
#include "analysis/oscillator.hpp"
#include "analysis/stability_polynomial.hpp"
#include "core/base/exact.hpp"
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string form_text(const Tableau& t) {
  return fmt::format("{}Runge-Kutta tableau of {} stage{}{}", t.is_explicit() ? "explicit " : "", t.stages(),
                     t.stages() == 1 ? "" : "s",
                     t.explicit_first_stage() && !t.is_explicit() ? ", the first explicit" : "");
}
std::string form_text(const MultistepForm& form) {
  const Index k = form.formula.steps();
  return fmt::format("{}linear multistep formula of {} step{}{}", form.formula.beta[0] == 0 ? "explicit " : "", k,
                     k == 1 ? "" : "s", form.predictor ? ", PECE" : "");
}
std::string form_text(const OscillatorForm& form) {
  return fmt::format("one-step scheme of second-order systems on (q, h v{})", form.size() > 2 ? ", h^2 a" : "");
}
std::string form_text(const NoForm& form) { return "none: " + form.reason; }

std::string exact_or_infinite(const Real100& x) { return isfinite(x) ? exact_text(x) : "infinite"; }
std::string to_digits(double x) { return std::isfinite(x) ? fmt::format("{:.10g}", x) : "infinite"; }

// ----- what each form has of its own -----

// Those of first-order systems have a stability polynomial.
void set_linear_properties(const MethodForm& form, MethodReport& report) {
  const auto pi = stability_polynomial(form);
  if (!pi) return;
  const LinearOrder linear = linear_order(*pi);
  if (isfinite(linear.error_constant)) report.error_constant = {linear.error_constant, linear.order + 1};
  report.R_infinity =
      report.R ? exact_or_infinite(report.R->at_infinity()) : to_digits(pi->spectral_radius_at_infinity());
  report.sector = stability_sector(form);
  report.intervals = stability_intervals(form);
}

void set_orders(const OrderReport& o, int digits, MethodReport& report) {
  report.order = {o.order, o.is_exact, o.how, digits};
  if (digits > 0) report.order->residuals = o.residuals;
  report.stage_order = o.stage_order, report.quadrature_order = o.quadrature_order;
  report.C = o.C, report.D = o.D;
}

void set(const Tableau& t, MethodReport& report) {
  report.R = stability_function(t);
  report.a_stable = a_stable(*report.R);
  report.l_stable = l_stable(*report.R);
  report.stiffly_accurate = stiffly_accurate(t);
  report.algebraically_stable = algebraically_stable(t);
  report.zero_stable = {true, "exact: a one-step method"};
}

void set(const MultistepForm& form, MethodReport& report) {
  const MultistepOrder order = multistep_order(form);
  report.order = {order.order, true, order.how};
  report.a_stable = a_stable(form);
  report.l_stable = l_stable(form);
  report.zero_stable = zero_stable(form);
  report.stiffly_accurate = not_applicable("a property of Runge-Kutta tableaus");
  report.algebraically_stable = not_applicable(
      "a property of Runge-Kutta tableaus; of multistep formulas it is "
      "G-stability, which the one-leg method has where the formula is A-stable "
      "(Dahlquist 1978)");
}

// At omega h = 0 positions and velocities have the double root 1; the carried acceleration has its own.
Property zero_stable(const OscillatorForm& form) {
  if (form.size() < 3) return {true, "exact: no modes beside those of q and v"};
  const Real100 root = form.now[0](2, 2) / form.next[0](2, 2);
  return {abs(root) <= 1,
          fmt::format("exact: the root of the carried acceleration at omega h = 0 is {}", exact_text(root))};
}

void set(const OscillatorForm& form, MethodReport& report) {
  report.order = {oscillator_order(form), true,
                  "numerical, in 100 digits: modes of the damped oscillator, q and v of each"};
  report.zero_stable = zero_stable(form);
  const Property reason = not_applicable("a property of methods for first-order systems; see unconditionally stable");
  report.a_stable = report.l_stable = reason;
  report.stiffly_accurate = report.algebraically_stable = not_applicable("a property of Runge-Kutta tableaus");
}

void set(const NoForm& form, MethodReport& report) {
  for (Property* property : {&report.a_stable, &report.l_stable, &report.stiffly_accurate, &report.algebraically_stable,
                             &report.zero_stable, &report.unconditionally_stable})
    *property = not_applicable(form.reason);
}

void set_oscillator_properties(const MethodForm& form, MethodReport& report) {
  const auto oscillator = Oscillator::of(form);
  report.rho_infinity = oscillator ? oscillator->rho_infinity() : not_a_number;
  if (std::holds_alternative<OscillatorForm>(form)) report.R_infinity = to_digits(report.rho_infinity);
  report.oscillator_limit = oscillator ? stability_limit(form) : not_a_number;
  if (oscillator) report.unconditionally_stable = unconditionally_stable(form);
}

// ----- JSON -----

Json property_json(const Property& property) {
  return {{"holds", property.holds}, {"proof", property.proof}, {"applicable", property.applicable}};
}

Json bound_json(double x) { return std::isinf(x) ? Json("infinite") : std::isnan(x) ? Json() : Json(x); }
Json optional_json(const std::optional<int>& x) { return x ? Json(*x) : Json(); }

Json predicted_json(const MethodReport& report) {
  Json by_form = Json::object();
  for (const auto& [formulation, p] : report.predicted)
    by_form[formulation] = {{"q", optional_json(p.q)},
                            {"v", optional_json(p.v)},
                            {"a", optional_json(p.a)},
                            {"lambda", optional_json(p.lambda)},
                            {"source", p.source}};
  return by_form;
}

void write_orders(Json& json, const MethodReport& report) {
  if (const auto& order = report.order) {
    json["order"] = {{"order", order->value}, {"is_exact", order->is_exact}, {"how", order->how}};
    if (order->digits > 0) json["order"]["digits"] = order->digits;
    for (const Real100& residual : order->residuals)
      json["order"]["residuals"].push_back(static_cast<double>(residual));
  }
  const std::pair<const char*, const std::optional<int>&> numbers[] = {{"stage_order", report.stage_order},
                                                                       {"quadrature_order", report.quadrature_order},
                                                                       {"C", report.C},
                                                                       {"D", report.D}};
  for (const auto& [key, value] : numbers)
    if (value) json[key] = *value;
  if (const auto& constant = report.error_constant)
    json["error_constant"] = {
        {"value", exact_text(constant->value)}, {"decimal", to_text(constant->value, 20)}, {"power", constant->power}};
}

void write_stability(Json& json, const MethodReport& report) {
  if (report.R) {
    json["stability_function"] = report.R->text("w");
    if (const auto pair = report.R->pade_pair()) json["pade_pair"] = {pair->first, pair->second};
  }
  if (!report.R_infinity.empty()) json["R_infinity"] = report.R_infinity;
  if (report.sector) json["sector"] = {{"degrees", report.sector->degrees}, {"proof", report.sector->proof}};
  if (const auto& intervals = report.intervals) {
    json["real_interval"] = bound_json(intervals->real);
    json["imaginary_interval"] = bound_json(intervals->imaginary);
    json["interval_digits"] = intervals->digits;
  }
  json["rho_infinity"] = bound_json(report.rho_infinity);
  json["oscillator_limit"] = bound_json(report.oscillator_limit);
}

// A rounded coefficient as its decimals: the fraction that they are says nothing, unless it is a short one.
std::string coefficient_text(const Real100& x, int digits) {
  std::string text = exact_text(x);
  return digits == 0 || static_cast<int>(text.size()) < digits ? text : to_text(x, digits);
}

Json matrix_json(const Matrix<Real100>& values, int digits) {
  Json rows = Json::array();
  for (Index i = 0; i < values.rows(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < values.cols(); ++j)
      row.push_back({{"exact", coefficient_text(values(i, j), digits)}, {"decimal", to_text(values(i, j), 20)}});
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

MethodReport method_report(const Method& method) {
  MethodReport report;
  const MethodForm form = method.form();
  report.name = method.name(), report.spec = method.spec();
  report.form = std::visit([](const auto& alternative) { return form_text(alternative); }, form);
  report.has_form = !std::holds_alternative<NoForm>(form);
  std::optional<OrderReport> conditions;
  if (const auto* tableau = std::get_if<Tableau>(&form)) {
    conditions = order_report(*tableau);
    set_orders(*conditions, tableau->digits, report);
  }
  std::visit([&](const auto& alternative) { set(alternative, report); }, form);
  set_linear_properties(form, report);
  set_oscillator_properties(form, report);
  report.dense_output = method.dense_order();
  const FormOrders orders = form_orders(form, conditions ? &*conditions : nullptr);
  for (const std::string& formulation : Registry<Formulation>::instance().names())
    report.predicted.emplace_back(formulation, predicted_orders(method, formulation, orders));
  return report;
}

void to_json(Json& json, const MethodReport& report) {
  json = {{"name", report.name}, {"spec", report.spec}, {"form", report.form}};
  write_orders(json, report);
  write_stability(json, report);
  const std::pair<const char*, const Property&> properties[] = {
      {"A_stable", report.a_stable},
      {"L_stable", report.l_stable},
      {"stiffly_accurate", report.stiffly_accurate},
      {"algebraically_stable", report.algebraically_stable},
      {"zero_stable", report.zero_stable},
      {"unconditionally_stable", report.unconditionally_stable}};
  for (const auto& [key, property] : properties) json[key] = property_json(property);
  const DenseOrder& dense = report.dense_output;
  json["dense_output"] = {{"q", dense.q}, {"v", dense.v}, {"y", dense.y}, {"how", dense.how}};
  json["predicted"] = predicted_json(report);
}

Json exact_coefficients(const Method& method) {
  std::vector<Method::Coefficient> list = method.coefficients();
  const MethodForm form = method.form();
  int digits = 0;
  if (const auto* tableau = std::get_if<Tableau>(&form)) {
    digits = tableau->digits;
    list.push_back({"A", "Runge-Kutta matrix", tableau->A});
    list.push_back({"b", "Runge-Kutta weights", tableau->b});
    list.push_back({"c", "Runge-Kutta nodes", tableau->c});
  }
  Json coefficients = Json::object();
  for (const auto& c : list) {
    const bool names_it_twice = coefficients.contains(c.symbol);  // nodes of a block and of its tableau
    coefficients[names_it_twice ? c.symbol + "_runge_kutta" : c.symbol] = matrix_json(c.values, digits);
  }
  return coefficients;
}

}  // namespace daelab
