// Observed orders: runs that differ in their step size alone, the errors at their end time, and what theory expects of
// them. Shared by convergence and order-reduction.
#pragma once

#include <functional>
#include <map>

#include "analysis/order_estimate.hpp"
#include "core/base/status.hpp"
#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/time_norm.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"

namespace daelab {

/// The orders theory expects, by component class; a class it says nothing about is not there.
struct ExpectedOrders {
  std::map<std::string, double> of;
  std::string source;  // theorem or table, or why there is none
};

/// For a method on a form of constrained mechanics, or its classical order on ordinary differential equations. The step
/// size of the run does not matter.
ExpectedOrders expected_orders(const Run& run);

/// A run of one step size, and how far from the reference it ends.
struct ErrorPoint {
  Exact h = 0;
  StatusCode status = StatusCode::ok;
  std::string cause;
  /// Where h does not divide the end time: the step next to it that does. A shortened last step has an error of its
  /// own, above all in a and lambda, and says nothing about the order.
  std::string dividing_step;
  std::map<std::string, Real50> error;  // by class or component; empty unless the run succeeded

  bool ok() const { return status == StatusCode::ok; }
  bool shows_order() const { return ok() && dividing_step.empty(); }
};

/// A run over all its step sizes, coarse to fine.
struct OrderSeries {
  Json spec;  // without h
  std::string label;
  std::vector<Factor> factors;  // of the label
  std::string method, formulation;
  Exact t_end;                       // [s]
  std::vector<std::string> classes;  // of components
  std::shared_ptr<const Run> run;    // one of them; null in a series that was read
  std::optional<StateRecord> end;    // of one of them; nothing in a series that was read
  std::vector<ErrorPoint> points;
  std::string reference;              // its source
  std::string known;                  // of it: "proved to 47 digits"; "": nothing
  std::optional<double> log10_floor;  // of the digits known of it
  ExpectedOrders expected;
  std::map<std::string, OrderEstimate> orders;  // by component class
};

/// Sorts the points coarse to fine and fits the order of each class, compared with the theory that the series expects.
/// Where that is contradicted, the window of steps is held against the fastest mode of the equations.
void fit_orders(OrderSeries& series);

/// The series a config will have: specifications and labels alone.
std::vector<OrderSeries> series_of(const Config& config);

/// With their errors in this norm, of `components` too, and observed orders, compared with what `expect` says of a run.
std::vector<OrderSeries> observe_orders(const Config& config, const std::vector<FinishedRun>& runs,
                                        const FinishedRun* reference_run, const std::vector<std::string>& components,
                                        const std::function<ExpectedOrders(const Run& run)>& expect,
                                        const TimeNorm& norm = {});

/// The same with a reference of the caller's.
std::vector<OrderSeries> observe_orders(const Config& config, const std::vector<FinishedRun>& runs,
                                        const std::function<ReferenceSolution(const Run& run)>& reference_of,
                                        const std::vector<std::string>& components,
                                        const std::function<ExpectedOrders(const Run& run)>& expect,
                                        const TimeNorm& norm = {});

/// log(error ratio) / log(step ratio) of two runs; nothing where it is not finite.
std::optional<double> order_between(const ErrorPoint& coarse, const ErrorPoint& fine, const std::string& component);

/// {"label", "spec", "reference", "expected", "orders", "points", ...}: what claims point into. Errors are there in the
/// double nearest to them, by class, and with all their digits, as text.
void members(JsonMembers& json, OrderSeries& series);

/// A sentence per order, per failed run and per run with a shortened last step.
std::vector<std::string> order_notes(const OrderSeries& series);
/// Which steps have a shortened last one, in how many runs; "" where none has.
std::string shortened_steps_text(const std::vector<OrderSeries>& all);

/// A row per series: each class measured and by theory, and where theory comes from.
Table order_table(const std::string& id, const std::string& caption, const std::vector<OrderSeries>& all);

/// Error of a class or component against the step size, of the runs that show the order. The curve of a class has the
/// fit of its order and, where errors reach it, the floor.
Series error_curve(const OrderSeries& series, const std::string& component);

/// A line of the given slope from one end of a curve to the other, a factor 3 below its point `anchor`.
Series slope_line(const Series& curve, double slope, std::size_t anchor, const std::string& label);

/// Names a curve by its series and the component it shows, as far as a figure has several.
void name_curve(Series& curve, const OrderSeries* series, const std::string& component);

/// A line for each order theory gives these component curves, at the points that decide the order. None when there are
/// more than three orders: they would hide the curves.
std::vector<Series> theory_lines(const std::vector<const OrderSeries*>& shown,
                                 const std::vector<std::string>& components);

}  // namespace daelab
