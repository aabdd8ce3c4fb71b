// Observed orders: runs that differ in their step size alone, the errors at their end time, and what theory expects of
// them. Shared by convergence and order-reduction.
#pragma once

#include <functional>
#include <map>

#include "analysis/order_estimate.hpp"
#include "experiments/measures/accuracy.hpp"
#include "experiments/runs/component.hpp"
#include "experiments/runs/experiment.hpp"

namespace daelab {

/// The orders theory expects, by component class; a class it says nothing about is not there.
struct ExpectedOrders {
  std::map<std::string, double> of;
  std::string source;  // theorem or table, or why there is none
};

/// Of a method on a form of constrained mechanics, or its classical order on ordinary differential equations. `spec` is
/// a resolved run; its step size does not matter.
ExpectedOrders expected_orders(const Json& spec);

/// A run over all its step sizes, coarse to fine.
struct OrderSeries {
  Json spec;  // without h
  std::string label;
  std::vector<const Json*> records;
  ReferenceSolution reference;
  ExpectedOrders expected;
  std::map<std::string, OrderEstimate> orders;  // by component class

  std::vector<std::string> classes() const { return component_classes(spec); }
};

/// The series a config will have: specifications and labels alone.
std::vector<OrderSeries> series_of(const Config& config);

/// With their records and observed orders, compared with what `expect` says of a specification.
std::vector<OrderSeries> observe_orders(const Config& config, const std::vector<LabelledRun>& runs,
                                        const Json& reference_run,
                                        const std::function<ExpectedOrders(const Json& spec)>& expect);

Exact step_of(const Json& record);
bool succeeded(const Json& record);

/// Succeeded, and all its steps are of the size h: a shortened last one has an error of its own, above all in a and
/// lambda, and says nothing about the order.
bool shows_order(const Json& record);

/// log(error ratio) / log(step ratio) of two runs; null where it is not finite.
Json order_between(const Json& coarse, const Json& fine, const ReferenceSolution& reference,
                   const std::string& component);

/// {"label", "spec", "reference", "expected", "orders", "points"}: what claims point into.
Json orders_json(const OrderSeries& series);

/// A sentence per order, per failed run and per run with a shortened last step.
std::vector<std::string> order_notes(const OrderSeries& series);

/// A row per series: each class measured and by theory, and where theory comes from.
Table order_table(const std::string& id, const std::string& caption, const std::vector<OrderSeries>& all);

/// Error of a class or component against the step size, of the runs that show the order.
Series error_curve(const OrderSeries& series, const std::string& component);

/// A line of the given slope from one end of a curve to the other, a factor 3 below its point `anchor`.
Series slope_line(const Series& curve, double slope, std::size_t anchor, const std::string& label);

/// A line for each order theory gives these component curves, at the points that decide the order. None when there are
/// more than three orders: they would hide the curves.
std::vector<Series> theory_lines(const std::vector<const OrderSeries*>& shown,
                                 const std::vector<std::string>& components);

}  // namespace daelab
