// The result of the experiment `events`: how far the times at which runs find their events are from the exact ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/order_estimate.hpp"
#include "core/base/exact.hpp"
#include "core/base/status.hpp"
#include "results/artifacts.hpp"
#include "results/members.hpp"

namespace daelab {

struct EventsResult {
  /// A run, and its events against the exact ones; nothing where there was nothing to compare.
  struct Point {
    std::string label;
    StatusCode status = StatusCode::ok;
    std::string cause;
    std::string steps_text;                             // "h = 1/100"
    std::optional<Exact> rtol, atol, atol_velocity, h;  // of error control, or the step size [s]
    Json t;                                             // reached [s], in the scalar of the run
    long steps = 0, rejected = 0;
    std::optional<std::size_t> events;
    std::optional<long> missed, extra;
    std::optional<double> largest_error;  // of an event's time [s]
    std::optional<double> error_over_tolerance, steps_per_event;
  };
  /// Runs that differ in tolerances or step size only.
  struct Series {
    std::string label;
    std::vector<Factor> factors;  // of the label
    Json spec;
    bool controlled = false;
    std::vector<Point> points;
    std::optional<OrderEstimate> order;  // of fixed steps
  };
  std::vector<Series> series;
};

/// {"series": [{"label", "spec", "points", "largest", "order", ...}]}: what claims point into. "largest" are the
/// largest values over the points.
void members(JsonMembers& json, EventsResult& result);

}  // namespace daelab
