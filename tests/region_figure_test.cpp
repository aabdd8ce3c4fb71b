// Pictures of regions: areas with holes, fixed ranges, and the experiment on stability regions.
#include "experiments/measures/region_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>

#include "core/integration/method.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/layout.hpp"
#include "tests/experiment_support.hpp"
#include "tests/file_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// How often a closed path runs around a point.
int winding_number(const std::vector<double>& x, const std::vector<double>& y, double at_x, double at_y) {
  double angle = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::size_t next = (k + 1) % x.size();
    const double turn = std::atan2(y[next] - at_y, x[next] - at_x) - std::atan2(y[k] - at_y, x[k] - at_x);
    angle += std::remainder(turn, 2 * M_PI);
  }
  return static_cast<int>(std::lround(angle / (2 * M_PI)));
}

// Two rings beside each other.
Matrix<double> two_rings(const PlaneGrid& grid) {
  Matrix<double> values(grid.rows, grid.columns);
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i)
      values(j, i) = std::abs(std::hypot(std::abs(grid.x(i)) - 2, grid.y(j)) - 1) - 0.5;
  return values;
}

Figure rings_figure() {
  const PlaneGrid grid{-4, 4, -2, 2, 161, 81};
  const Matrix<double> values = two_rings(grid);
  return region_figure("rings", "Two rings.",
                       {{"rings", {sublevel_polygons(values, grid), level_curves(values, grid)}, {}}}, grid);
}

// ---------------------------------------------------------------- areas

TEST(RegionFigure, HolesStayHoles) {
  const Figure figure = rings_figure();
  const Series& area = figure.panels[0].series[0];
  ASSERT_EQ(area.style, CurveStyle::filled);
  for (const double side : {-1, 1}) {
    EXPECT_EQ(winding_number(area.x, area.y, side * 2.01, 0.003), 0) << "in the hole";
    EXPECT_EQ(winding_number(area.x, area.y, side * 2.01, 1.013), 1) << "in the ring, above";
    EXPECT_EQ(winding_number(area.x, area.y, side * 2.01, -1.013), 1) << "in the ring, below";
  }
  EXPECT_EQ(winding_number(area.x, area.y, 0.013, 0.003), 0) << "between the rings";
  EXPECT_EQ(winding_number(area.x, area.y, 0.013, 1.903), 0) << "beside them";
}

// The same in what gnuplot writes: one polygon for the region, behind its boundary.
TEST(RegionFigure, HolesStayHolesInTheSvg) {
  const TemporaryFolder folder;
  const Figure figure = rings_figure();
  write_figure(figure, "", folder.path(), {.formats = {"svg", "pdf"}});
  const std::string svg = read_text(folder.path() + "/rings.svg");
  const std::regex polygon("<polygon fill = '[^']*' fill-opacity = '0.2[0]*' points = '");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(svg, found, polygon));
  // The points are too many for a regular expression: the library's takes a stack frame a character.
  std::string rest = found.suffix(), numbers = rest.substr(0, rest.find('\''));
  EXPECT_FALSE(std::regex_search(rest, polygon));
  std::replace(numbers.begin(), numbers.end(), ',', ' ');
  std::istringstream points(numbers);
  std::vector<double> x, y;
  for (double px, py; points >> px >> py;) x.push_back(px), y.push_back(py);
  const auto [left, right] = std::minmax_element(x.begin(), x.end());
  const auto [top, bottom] = std::minmax_element(y.begin(), y.end());
  const double unit = (*right - *left) / 7, middle = (*top + *bottom) / 2, hole = *left + 1.52 * unit;
  EXPECT_NEAR((*bottom - *top) / 3 / unit, 1, 0.005);  // circles are circles, up to the rounding to pixels
  EXPECT_EQ(winding_number(x, y, hole, middle), 0);
  EXPECT_EQ(std::abs(winding_number(x, y, hole, middle - unit)), 1);
  EXPECT_GT(svg.rfind("<path"), svg.find("<polygon fill"));
}

TEST(RegionFigure, AreasLieBehindLines) {
  const PlaneGrid grid{-3, 1, -2, 2, 50, 50};
  const auto method = Registry<Method>::instance().make("runge-kutta:tableau=explicit-euler", "");
  const StabilityPolynomial euler = *stability_polynomial(method->form());
  Figure figure = region_figure("f", "", {{"one", stability_region(euler, grid), 45.0}}, grid);
  std::reverse(figure.panels[0].series.begin(), figure.panels[0].series.end());
  const Layout layout = make_layout(figure, "");
  const PlacedPanel& placed = layout.panels[0];
  ASSERT_EQ(placed.curves.size(), 3u);
  EXPECT_EQ(placed.curves[0].style, CurveStyle::filled);
  EXPECT_EQ(placed.curves[1].style, CurveStyle::thin);
  EXPECT_EQ(placed.curves[2].style, CurveStyle::line);
  ASSERT_EQ(layout.legend.size(), 1u);
  EXPECT_EQ(layout.legend[0].entry.text, "one");
  EXPECT_TRUE(layout.has_area("one"));
  EXPECT_FALSE(layout.has_area("two"));
  EXPECT_EQ(placed.x.lo, -3);  // of the window, without a margin
  EXPECT_EQ(placed.x.hi, 1);
  EXPECT_NEAR(placed.height, layout.right - layout.left, 1e-12);
}

TEST(RegionFigure, AreasAreNotThinned) {
  Series circle;
  for (int i = 0; i < 5000; ++i) circle.x.push_back(std::cos(i * 0.1)), circle.y.push_back(std::sin(i * 0.1));
  circle.style = CurveStyle::filled;
  EXPECT_EQ(load_curve(circle, Panel(), "").x.size(), 5000u);
  circle.style = CurveStyle::line;
  EXPECT_LE(load_curve(circle, Panel(), "").x.size(), most_points_per_curve);
}

// An area without a line has a box in the legend; the lines x = 0 and y = 0 only where they are.
TEST(RegionFigure, LegendAndZeroLines) {
  const TemporaryFolder folder;
  Figure figure = rings_figure();
  auto& series = figure.panels[0].series;
  series.erase(series.begin() + 1, series.end());
  figure.caption = "A region.";
  figure.panels[0].x_range = {{1, 4}};
  write_figure(figure, "", folder.path(), {.formats = {"svg"}});
  const std::string script = read_text(folder.path() + "/rings.gp");
  EXPECT_THAT(script, HasSubstr("set object rectangle from screen"));
  EXPECT_THAT(script, HasSubstr("set arrow from graph 0, first 0"));
  EXPECT_THAT(script, Not(HasSubstr("set arrow from first 0, graph 0")));
}

// Result sets of older versions have no ranges, and new ones only where they were asked for.
TEST(RegionFigure, RangesAreStoredWhereSet) {
  Artifacts artifacts;
  artifacts.figures.push_back({"f", "", {Panel(), Panel()}});
  artifacts.figures[0].panels[1].x_range = {{-1, 2}};
  artifacts.figures[0].panels[1].zero_axes = true;
  const Json json = artifacts;
  EXPECT_FALSE(json["figures"][0]["panels"][0].contains("x_range"));
  EXPECT_EQ(json["figures"][0]["panels"][1]["x_range"], Json({-1, 2}));
  const Artifacts read = json;
  EXPECT_FALSE(read.figures[0].panels[0].x_range);
  EXPECT_EQ((*read.figures[0].panels[1].x_range)[1], 2);
  EXPECT_FALSE(read.figures[0].panels[1].y_range);
  EXPECT_TRUE(read.figures[0].panels[1].zero_axes);
  Json wrong = json;
  wrong["figures"][0]["panels"][1]["x_range"] = {1};
  EXPECT_THROW(wrong.get<Artifacts>(), InputError);
}

// ---------------------------------------------------------------- the experiment

Json experiment(Json options = Json::object()) {
  options["experiment"] = "stability-region";
  options["columns"] = 60, options["rows"] = 60;
  options["runs"] = {{{"label", "Euler"}, {"method", "runge-kutta:tableau=explicit-euler"}},
                     {{"label", "BDF 3"}, {"method", "bdf:k=3"}},
                     {{"label", "structural"}, {"method", "generalized-alpha"}}};
  return options;
}

TEST(StabilityRegionExperiment, RegionsSectorsAndIntervals) {
  const SmallConfig config(experiment());
  const Json methods = config.analysis()["methods"];
  const Json &euler = methods[0], &bdf = methods[1], &structural = methods[2];
  EXPECT_FALSE(euler["A_stable"]["holds"]);
  EXPECT_THAT(euler["A_stable"]["proof"].get<std::string>(), testing::StartsWith("exact"));
  EXPECT_NEAR(euler["real_interval"].get<double>(), 2, 1e-12);  // round-off
  EXPECT_EQ(euler["imaginary_interval"], 0);
  ASSERT_EQ(euler["boundary"].size(), 1u);
  const Json &x = euler["boundary"][0]["x"], &y = euler["boundary"][0]["y"];
  for (std::size_t k = 0; k < x.size(); ++k)  // the circle around -1 of radius 1
    EXPECT_NEAR(std::hypot(x[k].get<double>() + 1, y[k].get<double>()), 1, 0.02);
  EXPECT_NEAR(bdf["sector"]["degrees"].get<double>(), 86.03, 0.01);
  EXPECT_EQ(bdf["real_interval"], "infinite");
  EXPECT_EQ(structural["status"], "not-applicable");
  EXPECT_THAT(structural["cause"].get<std::string>(), HasSubstr("second-order"));
  EXPECT_TRUE(structural["boundary"].is_null());

  const Json result = config.result(), &row = result["tables"][0]["rows"];
  EXPECT_EQ(row[0][1], "no, exact");
  EXPECT_EQ(row[1][3], "∞");
  EXPECT_EQ(row[2][1], "not-applicable");
  ASSERT_EQ(result["figures"].size(), 1u);
  std::vector<std::string> labels;
  for (const Json& series : result["figures"][0]["panels"][0]["series"])
    if (series["style"] == "filled") labels.push_back(series["label"]);
  EXPECT_THAT(labels, ElementsAre("Euler", "BDF 3, α = 86.03°"));
}

TEST(StabilityRegionExperiment, OrderStarsInAGivenWindow) {
  const SmallConfig config(experiment(
      {{"show", "both"}, {"sector", false}, {"window", {{"left", -4}, {"right", 2}, {"bottom", -3}, {"top", "5/2"}}}}));
  const Json result = config.result();
  ASSERT_EQ(result["figures"].size(), 2u);  // BDF 3 has no order star
  const Json& star = result["figures"][1]["panels"][0];
  EXPECT_EQ(star["x_range"], Json({-4, 2}));
  EXPECT_EQ(star["y_range"], Json({-3, 2.5}));
  EXPECT_EQ(star["series"].back()["label"], "zeros of R");
  for (const Json& series : result["figures"][0]["panels"][0]["series"]) EXPECT_NE(series["style"], "thin");
  EXPECT_THAT(result["notes"].dump(), HasSubstr("BDF 3: no order star"));
}

TEST(StabilityRegionExperiment, BadInput) {
  const auto error_of = [](Json options) { return input_error_of([&] { SmallConfig config(experiment(options)); }); };
  EXPECT_THAT(error_of({{"window", {{"left", 3}, {"right", 2}}}}), HasSubstr("/window"));
  EXPECT_THAT(error_of({{"window", {{"lef", 3}}}}), HasSubstr("/window"));
  EXPECT_THAT(error_of({{"show", "star"}}), HasSubstr("order-star"));
}

}  // namespace TEST_FILE
}  // namespace daelab
