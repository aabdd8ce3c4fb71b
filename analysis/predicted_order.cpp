#include "analysis/predicted_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/multistep.hpp"
#include "analysis/oscillator.hpp"
#include "core/solvers/dense.hpp"
#include "methods/multistep/adams.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"

namespace daelab {
namespace {

PredictedOrders unknown(const std::string& reason) { return {{}, {}, {}, {}, reason}; }
PredictedOrders everywhere(int p, const std::string& source) { return {p, p, p, p, source}; }

bool vanishes(const Real100& x) { return abs(x) < Real100("1e-80"); }

// A method on a form of the equations, both by name. A tableau from a file has no family.
struct Setting {
  std::string family, form;
  const Json& spec;

  bool has_state_space() const {
    return form == "index-1" || form == "baumgarte" || form == "projected" || form == "penalty" || form == "ode";
  }
};

const char* const only_with_state_space =
    "explicit methods need accelerations as a function of (q, v): index-1, baumgarte, projected, penalty";

// ----- Runge-Kutta -----

// Without the first stage where that is explicit. The engine refuses index 2 and 3 where it is singular.
bool has_regular_implicit_part(const Tableau& t) {
  const Index s = t.stages(), first = t.explicit_first_stage() ? 1 : 0;
  const Matrix<Real100> implicit_part = t.A.bottomRightCorner(s - first, s - first);
  return dense::complete_pivoting(implicit_part).rank(Real100("1e-80")) == s - first;
}

// Orders of (q, v) and of the multipliers as an index-2 system. With all levels imposed, a and lambda solve linear
// equations in (q, v) and have their order.
PredictedOrders of_index_two(const Setting& on, int y, int z, const std::string& source) {
  if (on.form == "stabilized-index-1") return everywhere(y, source + ", a and lambda as functions of (q, v)");
  return {y, y, z, z, source};
}

// v is off the constraints by its error; q is not, and a and lambda at the step end are those of (q, v).
PredictedOrders of_gauss(const Setting& on, int s) {
  if (on.form == "index-3")
    return unknown(
        "no theorem: |R(infinity)| = 1 and the step end is no stage; observed orders are s or s + 1 in q, two "
        "less in v");
  const int y = s % 2 == 1 ? s + 1 : s;
  PredictedOrders orders = everywhere(y,
                                      "HW96, Table VII.4.1 (s + 1 for odd s, s for even s); a and lambda as functions "
                                      "of (q, v)");
  if (on.form == "index-2") {
    orders.q = 2 * s;
    orders.source += "; q: measured rule (two-link-manipulator, pendulum, seven-body in 50 digits)";
  }
  return orders;
}

PredictedOrders of_radau_iia(const Setting& on, int s) {
  if (on.form != "index-3") return of_index_two(on, 2 * s - 1, s, "HW96, Table VII.4.1");
  if (s == 1) return everywhere(1, "implicit Euler method: Lötstedt, Petzold 1986");
  return {
      2 * s - 1, s, s - 1, s - 1,
      "v, a, lambda: Jay 1993 (conjecture of HLR89); q: measured rule (two-link-manipulator, pendulum, seven-body in "
      "50 digits)"};
}

PredictedOrders of_lobatto_iiic(const Setting& on, int s) {
  if (on.form != "index-3") return of_index_two(on, 2 * s - 2, s - 1, "HW96, Table VII.4.1");
  return {2 * s - 2, s - 1, s - 2, s - 2, "measured rule (two-link-manipulator, pendulum, seven-body in 50 digits)"};
}

// q on index 3 is of order max(r, p - 1), unless the tangential drift vanishes by accident.
std::optional<int> block_order_of_q(const std::string& nodes, int r, int k, int p) {
  const auto& families = node_families();
  if (r > 6 || std::find(families.begin(), families.end(), nodes) == families.end()) return std::nullopt;
  if (nodes == "lobatto" && r == 5 && k == 4) return std::nullopt;  // the rule says 8, the slope seen is 9.1
  if (nodes == "chebyshev" && r == 3 && k == 1) return 4;
  return std::max(r, p - 1);
}

PredictedOrders of_pade_block(const Setting& on, int p) {
  const int r = on.spec["r"], k = on.spec["k"];
  if (r == 1 && k == 0) return everywhere(1, "implicit Euler method: Lötstedt, Petzold 1986");
  if (k != r - 1 && k != r - 2)
    return unknown("orders on higher index were measured for the pairs (r - 1, r) and (r - 2, r) only");
  const std::string rule = "measured rule, not a theorem: fits runs in 40 digits of the schemes of Li, Ding, Li 2019";
  if (on.form != "index-3") return of_index_two(on, p, r, rule);
  return {block_order_of_q(on.spec["nodes"], r, k, p), r, r - 1, r - 1, rule};
}

// The new value is a stage, R(infinity) = 0. [HW96, Sec. VII.4]
PredictedOrders of_stiffly_accurate(const Setting& on, const OrderReport& o) {
  if (on.form == "index-3") return unknown("no theorem for this tableau on index 3");
  return of_index_two(
      on, std::min({o.order, 2 * o.C, o.C + o.D + 1}), o.C,
      fmt::format("HW96, Sec. VII.4: stiffly accurate, B({}), C({}), D({})", o.quadrature_order, o.C, o.D));
}

// It has no other form than that which gives it accelerations.
PredictedOrders of_local_trapezoidal(const Setting& on, int p) {
  if (on.form == "index-1")
    return everywhere(p, "trapezoidal rule in coordinates of the constraint manifold: Wang, Zhao, Pan");
  return unknown("it imposes all constraint levels itself, on index-1");
}

PredictedOrders of_half_explicit(const Setting& on, int p) {
  if (on.form == "index-2") return everywhere(p, "Brasey, Hairer 1993");
  return unknown("it imposes velocity constraints, on index-2");
}

PredictedOrders of_tableau(const Setting& on, const Tableau& t, const OrderReport& o) {
  if (on.family == "half-explicit") return of_half_explicit(on, o.order);
  if (on.family == "local-trapezoidal") return of_local_trapezoidal(on, o.order);
  if (on.has_state_space())
    return everywhere(o.order, "order of the tableau: a, lambda are functions of (q, v) (HW96, Sec. VI.1)");
  if (t.is_explicit()) return unknown(only_with_state_space);
  if (!has_regular_implicit_part(t)) return unknown("the implicit part of A is singular: refused on higher index");
  const int s = static_cast<int>(t.stages());
  if (on.family == "gauss") return of_gauss(on, s);
  if (on.family == "radau-iia") return of_radau_iia(on, s);
  if (on.family == "lobatto-iiic") return of_lobatto_iiic(on, s);
  if (on.family == "pade-block") return of_pade_block(on, o.order);
  if (!t.stiffly_accurate()) return unknown("no theorem for this tableau: the step end is no stage");
  if (t.explicit_first_stage()) return unknown("no theorem for this tableau: its first stage is explicit");
  return of_stiffly_accurate(on, o);
}

// ----- multistep, second-order systems -----

PredictedOrders of_bdf(const Setting& on, const MultistepForm& form) {
  if (!zero_stable(form).holds) return unknown("not zero-stable");
  const std::string source = on.has_state_space()   ? "HW96, Sec. VI.2"
                             : on.form == "index-3" ? "Lötstedt, Petzold 1986, constant steps"
                                                    : "HW96, Theorem VII.3.5";
  return everywhere(multistep_order(form).order, source);
}

// Start values of order p - 1 are enough, and those chosen automatically have them.
PredictedOrders of_adams(const Setting& on, const MultistepForm& form) {
  if (!on.has_state_space()) return unknown(only_with_state_space);
  const int p = multistep_order(form).order;
  if (form.formula.steps() > 1 && on.spec["start"] != resolved_adams_start("automatic", p)) {
    const int start = order_report(tableau_by_name(on.spec["start"], "/start")).order;
    if (start + 1 < p) return everywhere(start + 1, "order of the start, and one more");
  }
  return everywhere(p, "order of the formula: a, lambda are functions of (q, v)");
}

PredictedOrders of_multistep(const Setting& on, const MultistepForm& form) {
  const Vector<Real100>& beta = form.formula.beta;
  const bool is_bdf = !form.predictor && vanishes(beta.tail(beta.size() - 1).cwiseAbs().maxCoeff());
  if (is_bdf && !vanishes(beta[0])) return of_bdf(on, form);
  if (form.predictor || vanishes(beta[0])) return of_adams(on, form);
  return unknown("no theorem for this formula");
}

// Order 2 for gamma = 1/2 + alpha_f - alpha_m, otherwise 1: on the oscillator as on all forms.
PredictedOrders of_newmark_family(const Setting& on, int p) {
  if (on.spec.value("mass", "") == "end") return unknown("2 where M is constant, 1 where it is not");
  if (on.form == "index-3") return everywhere(p, "Arnold, Brüls 2007");
  if (on.form == "ggl") return everywhere(p, "Arnold, Brüls, Cardona 2015");
  if (on.has_state_space()) return everywhere(p, "Chung, Hulbert 1993: a, lambda are functions of (q, v)");
  return everywhere(p, "measured rule (two-link-manipulator in 50 digits)");
}

PredictedOrders of_second_order_scheme(const Setting& on, const OscillatorForm& form) {
  if (on.form == "ode") return unknown("a method of second-order systems");
  if (on.family == "semi-implicit-euler" && !on.has_state_space()) return unknown(only_with_state_space);
  const int p = oscillator_order(form);
  if (on.form == "index-3" && Oscillator::of(form)->rho_infinity() > 1 + 1e-9)
    return unknown("unstable at infinite frequency, which is that of the constraints");
  if (form.size() == 3) return of_newmark_family(on, p);
  if (on.family != "semi-implicit-euler") return unknown("no theorem for this scheme");
  return everywhere(p, "Hairer, Lubich, Wanner 2006, Sec. I.1.2");
}

}  // namespace

PredictedOrders predicted_orders(const Method& method, const std::string& formulation, const OrderReport* conditions) {
  const Json& spec = method.spec();
  const Setting on{spec.contains("A") ? "" : method.name(), formulation.substr(0, formulation.find(':')), spec};
  const MethodForm form = method.form();
  PredictedOrders orders;
  if (const auto* tableau = std::get_if<Tableau>(&form)) orders = of_tableau(on, *tableau, *conditions);
  if (const auto* multistep = std::get_if<MultistepForm>(&form)) orders = of_multistep(on, *multistep);
  if (const auto* oscillator = std::get_if<OscillatorForm>(&form)) orders = of_second_order_scheme(on, *oscillator);
  if (const auto* none = std::get_if<NoForm>(&form)) orders = unknown(none->reason);
  if (on.form == "ode") orders.lambda.reset();
  return orders;
}

PredictedOrders predicted_orders(const Method& method, const std::string& formulation) {
  const MethodForm form = method.form();
  const auto* tableau = std::get_if<Tableau>(&form);
  if (!tableau) return predicted_orders(method, formulation, nullptr);
  const OrderReport conditions = order_report(*tableau);
  return predicted_orders(method, formulation, &conditions);
}

}  // namespace daelab
