// Pictures of the complex plane w = h lambda: stability regions and order stars.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/stability_region.hpp"
#include "core/base/json.hpp"
#include "results/artifacts.hpp"
#include "results/members.hpp"

namespace daelab {

/// A method as a picture shows it.
struct RegionCurve {
  std::string label;
  PlaneRegion region;
  std::optional<double> sector;  // alpha [degrees] of the lines arg(-w) = +-alpha; none: no lines
};

/// Regions shaded, with their boundaries, one over the other.
Figure region_figure(std::string id, std::string caption, const std::vector<RegionCurve>& methods,
                     const PlaneGrid& window);

/// The order star |R exp(-w)| > 1 of a one-step method as a picture shows it.
struct OrderStarPicture {
  PlaneGrid window;
  PlaneRegion star;
  ZerosAndPoles points;  // of R
};
OrderStarPicture order_star_picture(const StabilityPolynomial& pi, const PlaneGrid& window);

/// The star shaded, zeros and poles marked.
Figure order_star_figure(std::string id, std::string caption, const OrderStarPicture& picture);

void members(JsonMembers& json, PlaneGrid& window);

/// {"areas", "boundary"}: lists of {"x": [...], "y": [...]}, to a thousandth of the grid's width, as they are drawn.
Json region_json(const PlaneRegion& region, const PlaneGrid& window);
void from_json(const Json& json, PlaneRegion& region);

/// {"zeros": [[re, im], ...], "poles"}.
void to_json(Json& json, const ZerosAndPoles& points);
void from_json(const Json& json, ZerosAndPoles& points);

/// {"window", "areas", "boundary", "zeros", "poles"}.
void to_json(Json& json, const OrderStarPicture& picture);
void from_json(const Json& json, OrderStarPicture& picture);

}  // namespace daelab
