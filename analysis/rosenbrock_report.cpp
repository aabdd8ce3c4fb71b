#include "analysis/rosenbrock_report.hpp"

#include <fmt/format.h>

#include "analysis/rosenbrock_conditions.hpp"
#include "core/base/exact.hpp"

namespace daelab {
namespace {

// "to 44 digits" of rounded coefficients.
std::string kind_of_proof(const RosenbrockTableau& t) {
  return t.digits == 0 ? "exact" : fmt::format("numerical, to {} digits", t.digits);
}

void set_order(const RosenbrockTableau& t, const RosenbrockOrders& orders, MethodReport& report) {
  report.order = {orders.ordinary, !orders.beyond_ordinary.empty(),
                  fmt::format("{}: all rooted trees with alpha and beta{}", kind_of_proof(t),
                              orders.beyond_ordinary.empty() ? "" : "; beyond, " + orders.beyond_ordinary),
                  t.digits, t.digits > 0 ? orders.residuals : std::vector<double>{}};
}

void set_properties(const RosenbrockTableau& t, MethodReport& report) {
  const Property reason = not_applicable("a property of Runge-Kutta tableaus: stages here are linear");
  report.algebraically_stable = report.b_stable = report.g_stable = reason;
  report.stiffly_accurate = {t.stiffly_accurate(), kind_of_proof(t) + ": the last row of beta against b"};
  if (t.b_embedded.size() == 0) {
    report.estimate_sees_time = report.estimate_sees_linear = not_applicable("the tableau has no embedded weights");
    return;
  }
  const EstimateSight sees = estimate_sight(t);
  report.estimate_sees_time = {sees.time,
                               fmt::format("{}: on y' = f(t) both solutions {}", kind_of_proof(t),
                                           sees.time ? "are different rules in f and f_t" : "agree for every f")};
  report.estimate_sees_linear = {
      sees.linear_problems,
      fmt::format("{}: (b - b_embedded)^T beta^k 1 {}", kind_of_proof(t),
                  sees.linear_problems ? "is not 0 for all k"
                                       : "= 0 for all k, so that on y' = J y both solutions agree for every J")};
}

// "4 in y, 4 in z", with |R(infinity)| < 1 the order on index 1.
void add_index_1(const RosenbrockTableau& t, const RosenbrockOrders& orders, const char* what, MethodReport& report) {
  const std::string trees =
      fmt::format("{}: trees of index 1, for y to order {}, for z to order {}", kind_of_proof(t), orders.y, orders.z);
  const std::string beyond = orders.y <= orders.z ? orders.beyond_y : orders.beyond_z;
  report.of_family.push_back({what, orders.index_1 == 0 ? "-" : std::to_string(orders.index_1),
                              beyond.empty() ? trees : fmt::format("{}; beyond, {}", trees, beyond)});
}

void add_embedded(const RosenbrockTableau& t, MethodReport& report) {
  if (t.b_embedded.size() == 0) return;
  const RosenbrockOrders orders = rosenbrock_orders(t, true);
  report.of_family.push_back(
      {"embedded order", fmt::format("{}, R(inf) {}", orders.ordinary, exact_text(rosenbrock_at_infinity(t, true))),
       fmt::format("{}: all rooted trees with alpha and beta", kind_of_proof(t))});
  add_index_1(t, orders, "embedded on index 1", report);
}

void add_w_order(const RosenbrockTableau& t, const RosenbrockOrders& orders, MethodReport& report) {
  const bool on_index_1 = orders.w >= 2 && has_w_conditions_of_index_1(t);
  report.of_family.push_back({"order as W-method", fmt::format("{}{}", orders.w, on_index_1 ? ", on index 1 2" : ""),
                              fmt::format("{}: trees with any matrix in the place of the Jacobian{}", kind_of_proof(t),
                                          orders.beyond_w.empty() ? "" : "; beyond, " + orders.beyond_w)});
}

void add_stiff(const RosenbrockTableau& t, MethodReport& report) {
  const auto holds = [&](int m) {
    const Real100 defect = prothero_robinson_defect(t, false, m);
    return defect == 0 ? std::string("yes") : fmt::format("no ({})", to_text(defect, 2));
  };
  report.of_family.push_back({"Prothero-Robinson", fmt::format("C2 = 0: {}, C3 = 0: {}", holds(2), holds(3)),
                              fmt::format("{}: the terms h^2 phi'' and h^3 phi''' of the error vanish for every "
                                          "stiffness; in brackets the largest residual",
                                          kind_of_proof(t))});
  report.of_family.push_back({"index 2, order 2", has_index_2_condition(t) ? "yes" : "no",
                              fmt::format("{}: b^T W^2 c^2 = 2", kind_of_proof(t))});
}

}  // namespace

void set_rosenbrock(const RosenbrockTableau& t, const RosenbrockOrders& orders, MethodReport& report) {
  set_order(t, orders, report);
  set_properties(t, report);
  add_index_1(t, orders, "order on index 1", report);
  add_w_order(t, orders, report);
  add_embedded(t, report);
  add_stiff(t, report);
  report.R_infinity = exact_text(rosenbrock_at_infinity(t, false));
}

}  // namespace daelab
