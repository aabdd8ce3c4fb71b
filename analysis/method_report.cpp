#include "analysis/method_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "analysis/algebraic_stability.hpp"
#include "analysis/blind_trees.hpp"
#include "analysis/bound.hpp"
#include "analysis/estimate_properties.hpp"
#include "analysis/g_stability.hpp"
#include "analysis/multistep.hpp"
#include "analysis/nystrom_report.hpp"
#include "analysis/oscillator.hpp"
#include "analysis/rosenbrock_report.hpp"
#include "analysis/stability_polynomial.hpp"
#include "core/base/exact.hpp"
#include "core/equations/formulation.hpp"
#include "methods/multistep/one_leg.hpp"

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
  if (form.is_one_leg) return fmt::format("one-leg method of {} step{}", k, k == 1 ? "" : "s");
  return fmt::format("{}linear multistep formula of {} step{}{}", form.formula.beta[0] == 0 ? "explicit " : "", k,
                     k == 1 ? "" : "s", form.predictor ? ", PECE" : "");
}
std::string form_text(const OscillatorForm& form) {
  return fmt::format("one-step scheme of second-order systems on (q, h v{})", form.size() > 2 ? ", h^2 a" : "");
}
std::string form_text(const RosenbrockTableau& t) {
  return fmt::format("Rosenbrock method of {} stage{}, one factorisation a step", t.stages(),
                     t.stages() == 1 ? "" : "s");
}
std::string form_text(const NystromTableau& t) {
  return fmt::format("{} of {} stage{}", t.pair ? "partitioned Runge-Kutta tableau" : "Nyström tableau", t.stages(),
                     t.stages() == 1 ? "" : "s");
}
std::string form_text(const PairForm& form) {
  return fmt::format("pair of Runge-Kutta tableaus of {} stages, for positions and velocities", form.stages());
}
constexpr const char* no_form = "none: ";
std::string form_text(const NoForm& form) { return no_form + form.reason; }

std::string exact_or_infinite(const Real100& x) { return isfinite(x) ? exact_text(x) : "infinite"; }
std::string to_digits(double x) { return std::isfinite(x) ? fmt::format("{:.10g}", x) : "infinite"; }

// ----- what each form has of its own -----

// Those of first-order systems have a stability polynomial.
void set_linear_properties(const MethodForm& form, MethodReport& report) {
  const auto pi = stability_polynomial(form);
  if (!pi) return;
  const LinearOrder linear = linear_order(*pi);
  if (isfinite(linear.error_constant)) report.error_constant = {linear.error_constant, linear.order + 1};
  if (report.R_infinity.empty()) report.R_infinity = to_digits(pi->spectral_radius_at_infinity());
  report.sector = stability_sector(form);
  report.intervals = stability_intervals(form);
}

void set_orders(const OrderReport& o, int digits, MethodReport& report) {
  report.order = {o.order, o.is_exact, o.how, digits};
  if (digits > 0)
    for (const Real100& residual : o.residuals) report.order->residuals.push_back(static_cast<double>(residual));
  report.stage_order = o.stage_order, report.pseudo_stage_order = o.pseudo_stage_order;
  report.quadrature_order = o.quadrature_order;
  report.C = o.C, report.D = o.D;
}

void set(const Tableau& t, MethodReport& report) {
  const StabilityFunction R = stability_function(t);
  report.stability_function = R.text("w"), report.pade_pair = R.pade_pair();
  report.R_infinity = exact_or_infinite(R.at_infinity());
  report.a_stable = a_stable(R);
  report.l_stable = l_stable(R);
  report.stiffly_accurate = stiffly_accurate(t);
  report.algebraically_stable = algebraically_stable(t);
  report.b_stable = b_stable(t, report.algebraically_stable);
  report.g_stable = not_applicable("a property of linear multistep formulas; of Runge-Kutta methods it is B-stability");
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
  report.b_stable = not_applicable("a property of Runge-Kutta tableaus; of multistep formulas it is G-stability");
  report.g_stable = g_stable(form);
  report.stiffly = stiff_stability(form);
}

// Corrects the order of the formula, which the method has on y' = lambda y.
void set_one_leg(const MultistepFormula& formula, MethodReport& report) {
  const int of_formula = report.order->value, order = order_of_means(formula, of_formula);
  if (order == of_formula) return;
  report.order = {order, true,
                  fmt::format("one more than the order {} of sum_j beta_j y_(n+1-j) = y(t*); {} on y' = lambda y",
                              order - 1, of_formula)};
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
  report.b_stable = report.g_stable = reason;
}

void set(const NoForm& form, MethodReport& report) {
  for (Property* property : {&report.a_stable, &report.l_stable, &report.stiffly_accurate, &report.algebraically_stable,
                             &report.b_stable, &report.g_stable, &report.zero_stable, &report.unconditionally_stable})
    *property = not_applicable(form.reason);
}

// Properties that follow from the form on linear equations.
void set_what_is_linear(const MethodForm& form, MethodReport& report) {
  if (const auto* tableau = std::get_if<Tableau>(&form)) set(*tableau, report);
  if (const auto* multistep = std::get_if<MultistepForm>(&form)) set(*multistep, report);
  if (const auto* oscillator = std::get_if<OscillatorForm>(&form)) set(*oscillator, report);
  if (const auto* none = std::get_if<NoForm>(&form)) set(*none, report);
}

void set_pair(const PairOrders& orders, MethodReport& report) {
  report.order = {orders.order, orders.is_exact, "exact: on index 3 with both constraints, " + orders.how};
  report.zero_stable = {true, "exact: a one-step method"};
}

void set_estimate(const MethodForm& form, MethodReport& report) {
  const auto* tableau = std::get_if<Tableau>(&form);
  const EstimateProperties sees = tableau != nullptr ? estimate_properties(*tableau) : no_estimate_properties();
  report.estimate_sees_time = sees.sees_time, report.estimate_sees_linear = sees.sees_linear_problems;
}

void set_oscillator_properties(const MethodForm& form, MethodReport& report) {
  const auto oscillator = Oscillator::of(form);
  report.rho_infinity = oscillator ? oscillator->rho_infinity() : not_a_number;
  if (std::holds_alternative<OscillatorForm>(form)) report.R_infinity = to_digits(report.rho_infinity);
  report.oscillator_limit = oscillator ? stability_limit(form) : not_a_number;
  if (oscillator) report.unconditionally_stable = unconditionally_stable(form);
}

void set_linear_form(const MethodForm& form, MethodReport& report) {
  set_estimate(form, report);
  set_what_is_linear(form, report);
  set_linear_properties(form, report);
  set_oscillator_properties(form, report);
}

// ----- JSON -----

constexpr std::pair<const char*, std::optional<int> MethodReport::*> tableau_orders[] = {
    {"stage_order", &MethodReport::stage_order},
    {"pseudo_stage_order", &MethodReport::pseudo_stage_order},
    {"quadrature_order", &MethodReport::quadrature_order},
    {"C", &MethodReport::C},
    {"D", &MethodReport::D}};

constexpr std::pair<const char*, Property MethodReport::*> properties[] = {
    {"A_stable", &MethodReport::a_stable},
    {"L_stable", &MethodReport::l_stable},
    {"stiffly_accurate", &MethodReport::stiffly_accurate},
    {"algebraically_stable", &MethodReport::algebraically_stable},
    {"B_stable", &MethodReport::b_stable},
    {"G_stable", &MethodReport::g_stable},
    {"zero_stable", &MethodReport::zero_stable},
    {"unconditionally_stable", &MethodReport::unconditionally_stable},
    {"estimate_sees_time", &MethodReport::estimate_sees_time},
    {"estimate_sees_linear", &MethodReport::estimate_sees_linear}};

constexpr std::pair<const char*, std::optional<int> PredictedOrders::*> predicted_classes[] = {
    {"q", &PredictedOrders::q},
    {"v", &PredictedOrders::v},
    {"a", &PredictedOrders::a},
    {"lambda", &PredictedOrders::lambda}};

Json family_json(const MethodReport& report) {
  Json facts = Json::array();
  for (const MethodReport::FamilyFact& fact : report.of_family)
    facts.push_back({{"what", fact.what}, {"value", fact.value}, {"how", fact.how}});
  return facts;
}

void read_family(const Json& json, MethodReport& report) {
  for (std::size_t i = 0; i < json.size(); ++i)
    report.of_family.push_back({json[i].at("what"), json[i].at("value"), json[i].at("how")});
}

Json predicted_json(const MethodReport& report) {
  Json by_form = Json::object();
  for (const auto& [formulation, p] : report.predicted) {
    Json& orders = by_form[formulation];
    for (const auto& [key, member] : predicted_classes) orders[key] = p.*member ? Json(*(p.*member)) : Json();
    orders["source"] = p.source;
  }
  return by_form;
}

void read_predicted(const Json& json, MethodReport& report) {
  for (const auto& [formulation, orders] : json.items()) {
    PredictedOrders p;
    for (const auto& [key, member] : predicted_classes)
      if (!orders.at(key).is_null()) p.*member = orders[key].get<int>();
    p.source = orders.at("source");
    report.predicted.emplace_back(formulation, std::move(p));
  }
}

void write_orders(Json& json, const MethodReport& report) {
  if (const auto& order = report.order) {
    json["order"] = {{"order", order->value}, {"is_exact", order->is_exact}, {"how", order->how}};
    if (order->digits > 0) json["order"]["digits"] = order->digits;
    if (!order->residuals.empty()) json["order"]["residuals"] = order->residuals;
  }
  for (const auto& [key, member] : tableau_orders)
    if (report.*member) json[key] = *(report.*member);
  if (const auto& constant = report.error_constant)
    json["error_constant"] = {
        {"value", exact_text(constant->value)}, {"decimal", to_text(constant->value, 20)}, {"power", constant->power}};
}

void read_orders(const Json& json, MethodReport& report) {
  if (json.contains("order")) {
    const Json& order = json["order"];
    report.order = {order.at("order"), order.at("is_exact"), order.at("how"), order.value("digits", 0)};
    if (order.contains("residuals")) order["residuals"].get_to(report.order->residuals);
  }
  for (const auto& [key, member] : tableau_orders)
    if (json.contains(key)) report.*member = json[key].get<int>();
  if (json.contains("error_constant")) {
    const Json& constant = json["error_constant"];
    report.error_constant = {Exact(constant.at("value").get<std::string>()).value(), constant.at("power")};
  }
}

Json dae_orders_json(const MethodReport& report) {
  Json list = Json::array();
  for (const DaeOrders& o : report.dae_orders) {
    Json row = {{"index", o.index}, {"half_explicit", o.half_explicit}, {"how", o.how}};
    if (o.linear_in_u) row["linear_in_u"] = true;
    if (o.y) row["y"] = *o.y, row["is_exact_y"] = o.is_exact_y;
    if (o.z) row["z"] = *o.z, row["is_exact_z"] = o.is_exact_z;
    if (o.u) row["u"] = *o.u;
    list.push_back(std::move(row));
  }
  return list;
}

void read_dae_orders(const Json& json, MethodReport& report) {
  for (const Json& row : json) {
    DaeOrders o{.index = row.at("index"), .half_explicit = row.at("half_explicit"), .how = row.at("how")};
    o.linear_in_u = row.value("linear_in_u", false);
    if (row.contains("y")) o.y = row["y"].get<int>(), o.is_exact_y = row.at("is_exact_y");
    if (row.contains("z")) o.z = row["z"].get<int>(), o.is_exact_z = row.at("is_exact_z");
    if (row.contains("u")) o.u = row["u"].get<int>();
    report.dae_orders.push_back(std::move(o));
  }
}

void write_stability(Json& json, const MethodReport& report) {
  if (!report.stability_function.empty()) json["stability_function"] = report.stability_function;
  if (const auto& pair = report.pade_pair) json["pade_pair"] = {pair->first, pair->second};
  if (!report.R_infinity.empty()) json["R_infinity"] = report.R_infinity;
  if (report.sector) json["sector"] = *report.sector;
  if (report.stiffly) json["stiffly_stable"] = *report.stiffly;
  if (const auto& intervals = report.intervals) {
    json["real_interval"] = bound_json(intervals->real);
    json["imaginary_interval"] = bound_json(intervals->imaginary);
    json["interval_digits"] = intervals->digits;
  }
  json["rho_infinity"] = bound_json(report.rho_infinity);
  json["oscillator_limit"] = bound_json(report.oscillator_limit);
}

void read_stability(const Json& json, MethodReport& report) {
  report.stability_function = json.value("stability_function", "");
  if (json.contains("pade_pair")) report.pade_pair = {json["pade_pair"].at(0), json["pade_pair"].at(1)};
  report.R_infinity = json.value("R_infinity", "");
  if (json.contains("sector")) report.sector = json["sector"].get<StabilitySector>();
  if (json.contains("stiffly_stable")) report.stiffly = json["stiffly_stable"].get<StiffStability>();
  if (json.contains("real_interval"))
    report.intervals = {bound_from_json(json["real_interval"]), bound_from_json(json.at("imaginary_interval")),
                        json.at("interval_digits")};
  report.rho_infinity = bound_from_json(json.at("rho_infinity"));
  report.oscillator_limit = bound_from_json(json.at("oscillator_limit"));
}

// Adds the trees that an estimate does not see to the card, if both orders are claimed and true.
void add_blind_trees(const MethodForm& form, MethodReport& report) {
  const auto add = [&](const auto& tableau, int order) {
    if (tableau.b_embedded.size() == 0 || order == 0 || tableau.embedded_order == 0) return;
    const Property sees = estimate_sees_its_trees(tableau, order, tableau.embedded_order);
    if (sees.applicable && !sees.holds) report.of_family.push_back({"estimate blind on trees", "yes", sees.proof});
  };
  if (const auto* tableau = std::get_if<Tableau>(&form)) add(*tableau, tableau->claimed_order);
  if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&form)) add(*rosenbrock, rosenbrock->order);
}

MethodReport report_of(FormAnalysis& analysis) {
  MethodReport report;
  const std::optional<MethodForm> linear = linear_form(analysis.form());
  report.form = std::visit([](const auto& alternative) { return form_text(alternative); }, analysis.form());
  report.has_form = !std::holds_alternative<NoForm>(analysis.form());
  if (const Tableau* tableau = analysis.tableau()) set_orders(analysis.conditions(), tableau->digits, report);
  report.dae_orders = analysis.dae_orders();
  set_linear_form(linear ? *linear : analysis.form(), report);
  if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&analysis.form()))
    set_rosenbrock(*rosenbrock, analysis.of_rosenbrock(), report);
  if (const auto* nystrom = std::get_if<NystromTableau>(&analysis.form())) set_nystrom(*nystrom, report);
  add_blind_trees(analysis.form(), report);
  if (const auto* multistep = std::get_if<MultistepForm>(&analysis.form()); multistep && multistep->is_one_leg)
    set_one_leg(multistep->formula, report);
  if (std::holds_alternative<PairForm>(analysis.form())) set_pair(analysis.of_pair(), report);
  return report;
}

}  // namespace

MethodReport method_report(const MethodForm& form) {
  FormAnalysis analysis(form);
  return report_of(analysis);
}

MethodReport method_report(const Method& method) {
  FormAnalysis analysis(method);
  MethodReport report = report_of(analysis);
  report.name = method.name(), report.spec = method.spec();
  report.dense_output = method.dense_order();
  const auto& formulations = Registry<Formulation>::instance();
  for (const std::string& name : formulations.names())
    report.predicted.emplace_back(name, predicted_orders(method, formulations.make(name, "")->traits(), analysis));
  return report;
}

void to_json(Json& json, const MethodReport& report) {
  json = {{"name", report.name}, {"spec", report.spec}, {"form", report.form}};
  write_orders(json, report);
  write_stability(json, report);
  for (const auto& [key, member] : properties) json[key] = report.*member;
  if (!report.of_family.empty()) json["of_family"] = family_json(report);
  const DenseOrder& dense = report.dense_output;
  json["dense_output"] = {{"q", dense.q}, {"v", dense.v}, {"y", dense.y}, {"how", dense.how}};
  if (!report.dae_orders.empty()) json["dae_orders"] = dae_orders_json(report);
  json["predicted"] = predicted_json(report);
}

void from_json(const Json& json, MethodReport& report) {
  report = {};
  report.name = json.at("name"), report.spec = json.at("spec"), report.form = json.at("form");
  report.has_form = !report.form.starts_with(no_form);
  read_orders(json, report);
  read_stability(json, report);
  for (const auto& [key, member] : properties) report.*member = json.at(key).get<Property>();
  if (json.contains("of_family")) read_family(json["of_family"], report);
  const Json& dense = json.at("dense_output");
  report.dense_output = {dense.at("q"), dense.at("v"), dense.at("y"), dense.at("how")};
  if (json.contains("dae_orders")) read_dae_orders(json["dae_orders"], report);
  read_predicted(json.at("predicted"), report);
}

}  // namespace daelab
