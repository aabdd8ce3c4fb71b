// The result of the experiment `stability-region`: where methods are stable in the plane w = h lambda, their order
// stars, and what of the left half plane they cover.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/property.hpp"
#include "analysis/stability_region.hpp"
#include "analysis/stability_sector.hpp"
#include "core/base/status.hpp"
#include "experiments/measures/region_figure.hpp"
#include "results/run_record.hpp"

namespace daelab {

struct StabilityRegionResult {
  struct Shown {
    std::string label;
    Json spec;
    StatusCode status = StatusCode::ok;
    std::string cause;
    /// What follows is of methods with a stability polynomial: those whose status is ok.
    Property a_stable = {};
    std::optional<StabilitySector> sector = {};
    std::optional<StabilityIntervals> intervals = {};
    ZerosAndPoles points = {};
    std::optional<PlaneRegion> region = {};           // where it is shown
    std::optional<OrderStarPicture> order_star = {};  // the same, of one-step methods

    bool ok() const { return status == StatusCode::ok; }
  };
  std::vector<Shown> methods;
  std::optional<PlaneGrid> window;  // of all regions
};

/// {"methods", "window"}: what claims point into. Curves are there to a thousandth of the grid's width, as they are
/// drawn.
void to_json(Json& json, const StabilityRegionResult& result);
/// Reads only what to_json writes; otherwise throws Json::exception.
void from_json(const Json& json, StabilityRegionResult& result);

}  // namespace daelab
