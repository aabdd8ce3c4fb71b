#include "experiments/measures/region_figure.hpp"

#include <cmath>

namespace daelab {
namespace {

// Digits beyond a thousandth of the grid's width are those of the interpolation: they only fill the files.
class Rounding {
 public:
  explicit Rounding(const PlaneGrid& window)
      : x_(scale((window.right - window.left) / window.columns)),
        y_(scale((window.top - window.bottom) / window.rows)) {}
  Polygon operator()(Polygon p) const {
    for (double& x : p.x) x = std::round(x * x_) / x_;
    for (double& y : p.y) y = std::round(y * y_) / y_;
    return p;
  }

 private:
  static double scale(double width) { return std::pow(10, 3 + std::ceil(-std::log10(width))); }
  double x_, y_;
};

// One path through all parts: from the first point of the first one to each of the others, around it, and back the same
// way. What is drawn twice in opposite directions encloses nothing, so holes stay holes.
Polygon joined(const std::vector<Polygon>& parts) {
  Polygon path;
  const auto add = [&path](const Polygon& p, std::size_t i) { path.x.push_back(p.x[i]), path.y.push_back(p.y[i]); };
  for (const Polygon& part : parts) {
    for (std::size_t i = 0; i < part.x.size(); ++i) add(part, i);
    add(part, 0);
    if (&part != &parts.front()) add(parts.front(), 0);
  }
  return path;
}

Series series_of(const std::string& label, CurveStyle style, Polygon points) {
  Series series;
  series.label = label, series.style = style;
  series.x = std::move(points.x), series.y = std::move(points.y);
  return series;
}

void add_region(const std::string& label, const PlaneRegion& region, const Rounding& rounded, Panel& panel) {
  if (!region.areas.empty())
    panel.series.push_back(series_of(label, CurveStyle::filled, rounded(joined(region.areas))));
  for (const Polygon& curve : region.boundary)
    panel.series.push_back(series_of(label, CurveStyle::line, rounded(curve)));
}

// From the origin to the border of the window.
void add_sector(const RegionCurve& method, const PlaneGrid& window, const Rounding& rounded, Panel& panel) {
  const double alpha = *method.sector * M_PI / 180, across = -window.left / std::cos(alpha);
  const double length = alpha > 0 ? std::min(across, window.top / std::sin(alpha)) : across;
  const double x = -length * std::cos(alpha), y = length * std::sin(alpha);
  panel.series.push_back(series_of(method.label, CurveStyle::thin, rounded({{x, 0, x}, {y, 0, -y}})));
}

Panel plane_panel(const PlaneGrid& window) {
  Panel panel;
  panel.x_label = "Re w", panel.y_label = "Im w";
  panel.zero_axes = true;
  panel.x_range = {window.left, window.right}, panel.y_range = {window.bottom, window.top};
  // A region a hundred times as long as high is no line only on axes of their own.
  panel.equal_axes = 5 * (window.top - window.bottom) > window.right - window.left;
  return panel;
}

Polygon points_of(const std::vector<std::complex<double>>& list) {
  Polygon points;
  for (const auto& w : list) points.x.push_back(w.real()), points.y.push_back(w.imag());
  return points;
}

}  // namespace

Figure region_figure(std::string id, std::string caption, const std::vector<RegionCurve>& methods,
                     const PlaneGrid& window) {
  Panel panel = plane_panel(window);
  const Rounding rounded(window);
  for (const RegionCurve& method : methods) add_region(method.label, method.region, rounded, panel);
  for (const RegionCurve& method : methods)
    if (method.sector && window.left < 0 && window.top > 0) add_sector(method, window, rounded, panel);
  return {std::move(id), std::move(caption), {std::move(panel)}};
}

OrderStarPicture order_star_picture(const StabilityPolynomial& pi, const PlaneGrid& window) {
  return {window, order_star(pi, window), zeros_and_poles(pi)};
}

Figure order_star_figure(std::string id, std::string caption, const OrderStarPicture& picture) {
  const auto& [window, star, points] = picture;
  Panel panel = plane_panel(window);
  add_region("|R(w) exp(-w)| > 1", star, Rounding(window), panel);
  if (!points.zeros.empty())
    panel.series.push_back(series_of("zeros of R", CurveStyle::points, points_of(points.zeros)));
  if (!points.poles.empty())
    panel.series.push_back(series_of("poles of R", CurveStyle::points, points_of(points.poles)));
  return {std::move(id), std::move(caption), {std::move(panel)}};
}

// ----- as JSON -----

namespace {

Json curves_json(const std::vector<Polygon>& curves, const PlaneGrid& window) {
  const Rounding rounded(window);
  Json list = Json::array();
  for (const Polygon& curve : curves) {
    Polygon points = rounded(curve);
    list.push_back({{"x", std::move(points.x)}, {"y", std::move(points.y)}});
  }
  return list;
}

std::vector<Polygon> read_curves(const Json& json) {
  std::vector<Polygon> curves;
  for (const Json& curve : json)
    curves.push_back({curve.at("x").get<std::vector<double>>(), curve.at("y").get<std::vector<double>>()});
  return curves;
}

Json points_json(const std::vector<std::complex<double>>& points) {
  Json list = Json::array();
  for (const auto& w : points) list.push_back({w.real(), w.imag()});
  return list;
}

std::vector<std::complex<double>> read_points(const Json& json) {
  std::vector<std::complex<double>> points;
  for (const Json& w : json) points.emplace_back(w.at(0).get<double>(), w.at(1).get<double>());
  return points;
}

}  // namespace

void members(JsonMembers& json, PlaneGrid& grid) {
  json("left", grid.left)("right", grid.right)("bottom", grid.bottom)("top", grid.top);
  json("columns", grid.columns)("rows", grid.rows);
}

Json region_json(const PlaneRegion& region, const PlaneGrid& window) {
  return {{"areas", curves_json(region.areas, window)}, {"boundary", curves_json(region.boundary, window)}};
}

void from_json(const Json& json, PlaneRegion& region) {
  region = {read_curves(json.at("areas")), read_curves(json.at("boundary"))};
}

void to_json(Json& json, const ZerosAndPoles& points) {
  json = {{"zeros", points_json(points.zeros)}, {"poles", points_json(points.poles)}};
}

void from_json(const Json& json, ZerosAndPoles& points) {
  points = {read_points(json.at("zeros")), read_points(json.at("poles"))};
}

void to_json(Json& json, const OrderStarPicture& picture) {
  json = {{"window", picture.window}};
  json.update(region_json(picture.star, picture.window));
  json.update(picture.points);
}

void from_json(const Json& json, OrderStarPicture& picture) {
  picture = {json.at("window").get<PlaneGrid>(), json.get<PlaneRegion>(), json.get<ZerosAndPoles>()};
}

}  // namespace daelab
