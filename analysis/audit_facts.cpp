// The facts of an audit, by the form of the method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/alpha_facts.hpp"
#include "analysis/audit.hpp"
#include "analysis/audit_fact_list.hpp"
#include "analysis/blind_trees.hpp"
#include "analysis/method_report.hpp"
#include "analysis/order_conditions.hpp"
#include "analysis/rosenbrock_conditions.hpp"
#include "analysis/start_sensitivity.hpp"
#include "analysis/structure.hpp"
#include "core/base/exact.hpp"
#include "core/integration/printed_tableau.hpp"
#include "methods/nystrom/nystrom_conditions.hpp"

namespace daelab {
namespace {

using Facts = AuditFacts;

// ----- what report cards have -----

void add_stability(const MethodReport& report, Facts& facts) {
  facts.add("A-stable", report.a_stable), facts.add("L-stable", report.l_stable);
  facts.add("B-stable", report.b_stable), facts.add("algebraically stable", report.algebraically_stable);
  facts.add("G-stable", report.g_stable), facts.add("zero-stable", report.zero_stable);
  facts.add("stiffly accurate", report.stiffly_accurate);
  facts.add("stable on the oscillator for every step", report.unconditionally_stable);
  if (const auto& sector = report.sector) facts.add("A(alpha) angle in degrees", sector->degrees, sector->proof);
  if (std::isnan(report.rho_infinity)) return;
  facts.add("stable on the oscillator up to", report.oscillator_limit,
            "the largest omega h of q'' + omega^2 q = 0 up to which no mode grows");
  facts.add("spectral radius at infinity", report.rho_infinity, "R(infinity) = " + report.R_infinity);
}

void add_estimate(const MethodReport& report, Facts& facts) {
  const Property &time = report.estimate_sees_time, &linear = report.estimate_sees_linear;
  facts.add_blind("estimate blind on linear problems", linear);
  facts.add_blind("estimate blind on quadratures", time);
  if (!time.applicable || !linear.applicable) return;
  facts.add("blind estimate", !time.holds || !linear.holds,
            !linear.holds ? linear.proof
            : !time.holds ? time.proof
                          : linear.proof + "; " + time.proof);
}

void add_dae_order(const DaeOrders& orders, const char* variable, const std::optional<int>& order, bool is_exact,
                   Facts& facts) {
  const std::string name = orders.half_explicit ? fmt::format("half-explicit order of {}", variable)
                                                : fmt::format("index-{} order of {}", orders.index, variable);
  if (order) return facts.add(name.c_str(), *order, orders.how, !is_exact);
  // Nothing is said of y, or of z on index 1, where |R(infinity)| > 1 alone.
  if (!orders.y || orders.index == 1) return facts.add(name.c_str(), 0, "errors grow from step to step: " + orders.how);
  facts.add(name.c_str(), std::monostate{}, "not known for |R(infinity)| = 1: " + orders.how);
}

// q' = v + C_q^T mu, M v' = f - C_q^T lambda, 0 = C, 0 = C_q v is a system of index 2 with y = (q, v), z = (lambda,
// mu), [GGL85], so that it has these orders at least, and what it is linear in may add to them.
void add_ggl_orders(const DaeOrders& orders, Facts& facts) {
  const char* const why =
      "a system of index 2 with y = (q, v), z = (lambda, mu) [Gear, Gupta, Leimkuhler 1985]: at "
      "least the orders of index 2";
  if (orders.y) facts.add("ggl order of y", *orders.y, why, true);
  if (orders.z) facts.add("ggl order of z", *orders.z, why, true);
}

void add_dae_orders(const MethodReport& report, Facts& facts) {
  // Of index 3 that which mechanics have, whose multipliers are linear, where both are known.
  const bool has_linear = std::ranges::any_of(report.dae_orders, &DaeOrders::linear_in_u);
  for (const DaeOrders& orders : report.dae_orders) {
    if (orders.index == 3 && has_linear && !orders.linear_in_u) continue;
    add_dae_order(orders, "y", orders.y, orders.is_exact_y, facts);
    if (orders.half_explicit) continue;
    add_dae_order(orders, "z", orders.z, orders.is_exact_z, facts);
    if (orders.u) add_dae_order(orders, "u", orders.u, false, facts);
    if (orders.index == 2) add_ggl_orders(orders, facts);
  }
}

void add_simplifying_assumptions(const MethodReport& report, Facts& facts) {
  if (report.stage_order) facts.add("stage order", *report.stage_order, "B(q) and C(q)");
  if (report.pseudo_stage_order)
    facts.add("pseudo-stage order", *report.pseudo_stage_order, "B(q) and b^T A^m (A c^(k-1) - c^k / k) = 0, k <= q");
  if (report.quadrature_order) facts.add("quadrature order", *report.quadrature_order, "B(q)");
}

// All but the order, which each form has in its own way.
void add_report(const MethodReport& report, Facts& facts) {
  add_simplifying_assumptions(report, facts), add_dae_orders(report, facts), add_stability(report, facts),
      add_estimate(report, facts);
}

// ----- Runge-Kutta tableaus -----

// Where c are not the sums of rows, the order on y' = f(t, y) is another than that on y' = f(y).
void add_tableau_orders(const Tableau& t, const MethodReport::Order& order, Facts& facts) {
  Index row = 0;
  while (row < t.stages() && row_sum_holds(t, row)) ++row;
  facts.add("autonomous order", order.value, order.how, !order.is_exact);
  if (row == t.stages()) return facts.add("order", order.value, order.how, !order.is_exact);
  const TimeOrder with_time = order_with_time(t, order.value);
  std::string proof = fmt::format("c[{}] is {}, but row {} of A sums to {}", row, exact_text(t.c[row]), row,
                                  exact_text(t.A.row(row).sum()));
  if (!with_time.violated.empty())
    proof += fmt::format("; on y' = f(t, y) order {} fails: {}, A1 the sums of rows", with_time.order + 1,
                         with_time.violated);
  facts.add("order", with_time.order, std::move(proof), with_time.violated.empty() && !order.is_exact);
}

Tableau embedded_of(const Tableau& t) {
  Tableau embedded = t;
  embedded.b = t.b_embedded, embedded.b_error = t.b_embedded_error;
  return embedded;
}

void add_embedded(const Tableau& t, int order, Facts& facts) {
  if (t.b_embedded.size() == 0) return;
  const OrderReport report = order_report(embedded_of(t));
  facts.add("embedded order", report.order, report.how, !report.is_exact);
  facts.add_blind("estimate blind on trees of its order", estimate_sees_its_trees(t, order, report.order));
  const Real100 R = stability_function(embedded_of(t)).at_infinity();
  facts.add("embedded spectral radius at infinity", std::abs(static_cast<double>(R)),
            "R(infinity) of the embedded weights");
}

void add_tableau(const Tableau& t, const MethodReport& report, Facts& facts) {
  add_tableau_orders(t, *report.order, facts);
  add_report(report, facts);
  add_embedded(t, report.order->value, facts);
  facts.add("stages", static_cast<double>(t.stages()), "");
  facts.add("symmetric", symmetric(t)), facts.add("symplectic", symplectic(t));
  facts.add("FSAL", first_same_as_last(t));
}

// ----- Rosenbrock methods -----

void add_rosenbrock_orders(const RosenbrockTableau& t, bool embedded, Facts& facts) {
  const RosenbrockOrders orders = rosenbrock_orders(t, embedded);
  const Real100 R = abs(rosenbrock_at_infinity(t, embedded));
  const std::string at_infinity = "|R(infinity)| = " + to_text(R, 10);
  facts.add(embedded ? "embedded order" : "order", orders.ordinary,
            orders.beyond_ordinary.empty() ? "all rooted trees hold" : orders.beyond_ordinary,
            orders.beyond_ordinary.empty());
  const std::string& beyond = orders.y <= orders.z ? orders.beyond_y : orders.beyond_z;
  const char* name = embedded ? "embedded index-1 order" : "index-1 order";
  if (abs(R - 1) < Real100("1e-12"))
    facts.add(name, std::monostate{}, "not known for |R(infinity)| = 1");
  else if (orders.index_1 == 0)
    facts.add(name, 0, "errors grow from step to step: " + at_infinity);
  else
    facts.add(name, orders.index_1,
              fmt::format("trees of Roche; {}{}", at_infinity, beyond.empty() ? "" : "; " + beyond), beyond.empty());
  if (embedded) return facts.add("embedded spectral radius at infinity", static_cast<double>(R), at_infinity);
  facts.add("order as W-method", orders.w, orders.beyond_w.empty() ? orders.beyond_ordinary : orders.beyond_w,
            orders.beyond_w.empty() && orders.beyond_ordinary.empty());
}

// At the part x of a step dense output is the method of step x h with coefficients over x, whose order it has.
RosenbrockTableau at_part(const RosenbrockTableau& t, const Real100& x) {
  RosenbrockTableau part = t;
  Vector<Real100> weights = Vector<Real100>::Zero(t.stages());
  for (Index l = t.dense_output.rows(); l-- > 0;) {
    weights *= x;
    weights += t.gamma.transpose() * t.dense_output.row(l).transpose();
  }
  part.b = t.b + (1 - x) * weights;
  part.alpha /= x, part.gamma /= x;
  return part;
}

// Its conditions are polynomials in x of degrees up to 8, so that those at nine places are all. Conditions to order p
// leave an error of size h^(p+1) between step ends, where those of the step ends have the order of the method.
void add_rosenbrock_dense(const RosenbrockTableau& t, int order, Facts& facts) {
  if (t.dense_output.rows() == 0) return;
  std::optional<RosenbrockOrders> lowest;
  Real100 place = 0;
  for (const int tenth : {5, 4, 6, 3, 7, 2, 8, 1, 9}) {
    const Real100 x = Real100(tenth) / 10;
    RosenbrockOrders orders = rosenbrock_orders(at_part(t, x), false);
    if (!lowest || orders.ordinary < lowest->ordinary) lowest = std::move(orders), place = x;
  }
  std::string proof = fmt::format("trees to order {} at nine places x h of the step", lowest->ordinary);
  if (!lowest->beyond_ordinary.empty())
    proof += fmt::format("; for x = {} in units of x h, {}", to_text(place, 2), lowest->beyond_ordinary);
  add_dense_orders(lowest->ordinary, order, proof, facts);
}

void add_rosenbrock(const RosenbrockTableau& t, const MethodReport& report, Facts& facts) {
  add_report(report, facts);
  add_rosenbrock_orders(t, false, facts);
  if (t.b_embedded.size() > 0) {
    add_rosenbrock_orders(t, true, facts);
    const int embedded = rosenbrock_orders(t, true).ordinary;
    facts.add_blind("estimate blind on trees of its order", estimate_sees_its_trees(t, report.order->value, embedded));
  }
  add_rosenbrock_dense(t, report.order->value, facts);
  facts.add("stages", static_cast<double>(t.stages()), "");
}

// ----- Nyström and partitioned methods -----

void add_trees(const char* name, const NystromDefect& defect, const char* trees, Facts& facts) {
  std::string proof = trees;
  if (defect.order > 0)
    proof += fmt::format("; of order {}, {} is off by {}", defect.order, defect.condition, to_text(defect.residual, 3));
  facts.add(name, order_before(defect, highest_nystrom_order), std::move(proof), defect.order == 0);
}

void add_defect(const char* name, const std::string& defect, Facts& facts) {
  facts.add(name, defect.empty(), defect.empty() ? "all its conditions hold" : defect);
}

void add_nystrom(const NystromTableau& t, Facts& facts) {
  const bool velocities = has_stage_velocities(t);
  const char* const equations = velocities ? "all trees of q'' = f(t, q, q')" : "all trees of q'' = f(t, q)";
  if (const Real100 off = positions_off(t); off != 0)
    facts.add("order", 0, "the weights of positions must sum up to 1, and are off by " + to_text(off, 3));
  else
    add_trees("order", nystrom_defect(t, highest_nystrom_order, velocities), equations, facts);
  if (t.b_embedded.size() > 0)
    add_trees("embedded order", nystrom_defect(t, highest_nystrom_order, velocities, NystromWeights::embedded),
              equations, facts);
  if (t.pair)
    add_trees("separable order", separable_defect(t, highest_nystrom_order), "all trees of q' = f(p), p' = g(q)",
              facts);
  add_defect("symplectic", symplectic_defect(t), facts), add_defect("symmetric", symmetry_defect(t), facts);
  facts.add("stages", static_cast<double>(t.stages()), "");
}

// ----- compositions -----

void add_composition(const CompositionScheme& scheme, Facts& facts) {
  const CompositionDefect defect = composition_defect(scheme.weights, highest_composition_order, scheme.tolerance);
  if (defect.order > 0)
    facts.add("order", defect.order - 1,
              fmt::format("a condition of order {} fails: the coefficient of {} is off by {}", defect.order,
                          defect.word, to_text(defect.residual, 3)));
  else
    facts.add("order", highest_composition_order, "all conditions on compositions of symmetric methods hold", true);
  const Real100 unevenness = (scheme.weights - scheme.weights.reverse()).cwiseAbs().maxCoeff();
  const bool is_symmetric = unevenness <= scheme.tolerance;
  facts.add("symmetric", is_symmetric,
            is_symmetric ? "the weights are the same from both ends"
                         : "weights from both ends differ by " + to_text(unevenness, 3));
  facts.add("stages", static_cast<double>(scheme.weights.size()), "");
}

// ----- methods with coefficients -----

void add_form(const MethodForm& form, Facts& facts, std::string& shown) {
  const MethodReport report = method_report(form);
  shown = report.form;
  if (report.has_form) facts.add("sensitive to an inconsistent start", sensitive_to_start(form, report));
  if (const auto* tableau = std::get_if<Tableau>(&form)) return add_tableau(*tableau, report, facts);
  if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&form)) return add_rosenbrock(*rosenbrock, report, facts);
  if (const auto* nystrom = std::get_if<NystromTableau>(&form)) return add_nystrom(*nystrom, facts);
  add_report(report, facts);
  if (const auto& order = report.order) facts.add("order", order->value, order->how, !order->is_exact);
  if (!report.has_form) facts.add("order", std::monostate{}, report.form);
}

// ----- members of families, and what was measured -----

void add_family(const AlphaFamily& family, Facts& facts, std::string& shown) {
  add_form(family.form(), facts, shown);
  shown = "generalized-alpha family: " + family.text();
  facts.take(alpha_facts(family));
}

void add_method(const Method& method, Facts& facts, std::string& shown) {
  add_form(method.form(), facts, shown);
  add_of_method(method, facts);
  if (const auto family = alpha_family(method)) facts.take(alpha_facts(*family));
}

void add_measured(const MeasuredErrors& errors, Facts& facts, std::string& shown) {
  shown = "errors that were measured, " + errors.text();
  const MeasuredOrder measured = measured_order(errors);
  if (measured.order) return facts.add("order", *measured.order, measured.proof);
  facts.add("order", std::monostate{}, measured.proof);
}

struct AddFacts {
  Facts& facts;
  std::string& shown;
  void operator()(const MethodForm& form) const { add_form(form, facts, shown); }
  void operator()(const CompositionScheme& scheme) const {
    shown = fmt::format("composition of {} steps of a symmetric method", scheme.weights.size());
    add_composition(scheme, facts);
  }
  void operator()(const LieScheme& scheme) const {
    add_form(scheme.in_space, facts, shown);
    add_lie_orders(scheme, facts);
    shown = lie_form_text(scheme);
  }
  void operator()(const std::shared_ptr<const Method>& method) const { add_method(*method, facts, shown); }
  void operator()(const AlphaFamily& family) const { add_family(family, facts, shown); }
  void operator()(const MeasuredErrors& errors) const { add_measured(errors, facts, shown); }
};

}  // namespace

std::vector<AuditFact> audit_facts(const AuditSubject& subject, std::string& form) {
  Facts facts;
  std::visit(AddFacts{facts, form}, subject.method);
  add_given_output(subject, facts);
  return facts.sorted();
}

std::vector<AuditFact> audit_facts(const AlphaFamily& family) {
  Facts facts;
  std::string shown;
  add_family(family, facts, shown);
  return facts.sorted();
}

}  // namespace daelab
