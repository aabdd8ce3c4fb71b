// The result of the experiment `method-report`: the report cards of methods.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/measures/region_figure.hpp"
#include "lab/runs/method_run.hpp"
#include "results/members.hpp"

namespace daelab {

struct MethodReportResult {
  /// Over Omega = omega h, on the oscillator.
  struct RadiusCurve {
    std::string label;
    std::vector<double> Omega, radius;
  };
  struct Region {
    PlaneGrid window;
    PlaneRegion region;
  };
  struct Card {
    std::string label;
    Json spec;
    MethodRecord record;
    std::optional<Region> region;                // of methods with a stability polynomial
    std::optional<OrderStarPicture> order_star;  // of one-step methods among them
    std::vector<RadiusCurve> spectral_radius;    // of methods with coefficients
  };
  std::vector<Card> methods;
};

/// {"methods": [{"label", "spec", "status", "cause", "report", "coefficients", "region", "order_star",
/// "spectral_radius"}]}: what claims point into. Curves of the plane are there to a thousandth of their window's width,
/// as they are drawn.
void members(JsonMembers& json, MethodReportResult& result);

}  // namespace daelab
