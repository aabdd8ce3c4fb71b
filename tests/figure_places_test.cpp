// Where legends, labels of axes, slopes and names of guides are: apart from each other, and with a clear owner.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/figures/figure_style.hpp"
#include "report/layout/symbols.hpp"
#include "tests/figure_support.hpp"

namespace daelab {
namespace TEST_FILE {

// ----- legends

// No entry is alone below a full row; the widest decides on its own column alone.
TEST(FigurePlaces, RowsHaveNearlyOneLength) {
  std::vector<Series> series;
  for (int i = 0; i < 7; ++i)
    series.push_back(power_curve({{"method", fmt::format("method {}", i)}}, 0, std::pow(30, i)));
  series[0].label = "a longer method 0", series[0].factors = {{"method", series[0].label}};
  std::map<double, std::size_t> rows;
  for (const PlacedEntry& entry : make_layout(figure_of(series), "").legend) ++rows[entry.y];
  ASSERT_GT(rows.size(), 1u);
  std::set<std::size_t> lengths;
  for (const auto& [y, length] : rows) lengths.insert(length);
  EXPECT_LE(*lengths.rbegin() - *lengths.begin(), 1u);
  EXPECT_GT(*lengths.begin(), 1u);
}

// Beside the panel it would take a third of the scale.
TEST(FigurePlaces, IsBelowPathsInThePlane) {
  Figure figure = figure_of({power_curve({{"method", "a"}}, 1, 1), power_curve({{"method", "b"}}, 1, 3)});
  figure.panels[0].log_x = figure.panels[0].log_y = false, figure.panels[0].equal_axes = true;
  for (Series& series : figure.panels[0].series) series.style = CurveStyle::filled;
  const Layout layout = make_layout(figure, "");
  ASSERT_EQ(layout.legend.size(), 2u);
  for (const PlacedEntry& entry : layout.legend) EXPECT_LT(entry.y, layout.panels[0].bottom);
}

// On noise the gaps of dashes are lost, and thick lines hide each other.
TEST(FigurePlaces, RoughCurvesAreThin) {
  Series smooth, rough;
  smooth.label = "smooth", rough.label = "rough";
  for (int i = 1; i < 200; ++i) {
    smooth.x.push_back(i), smooth.y.push_back(1e-3 / i);
    rough.x.push_back(i), rough.y.push_back(i % 2 ? 1e-3 : 1e-6);
  }
  const Layout layout = make_layout(figure_of({smooth, rough}), "");
  ASSERT_EQ(layout.panels.size(), 1u) << "one of them is smooth";
  EXPECT_FALSE(drawing_of(layout.panels[0].curves[0], layout).thin);
  EXPECT_TRUE(drawing_of(layout.panels[0].curves[1], layout).thin);
}

// ----- axes

TEST(FigurePlaces, LabelsStandApart) {
  for (const double width : {narrowest_figure, journal_column, journal_page}) {
    Figure figure = figure_of({power_curve({{"method", "a"}}, 1, 1)});
    figure.panels[0].log_x = false;
    figure.panels[0].series[0].x = {0, 0.012, 0.030};
    const PlacedPanel placed = make_layout(figure, "", width).panels[0];
    ASSERT_GE(placed.x.labels.size(), 2u) << width;
    EXPECT_TRUE(placed.x.labels_fit(placed.width)) << width;
  }
}

TEST(FigurePlaces, ALabelIsClearOfThePanelBelow) {
  Figure figure = figure_of({power_curve({{"method", "a"}}, 1, 1)});
  figure.panels.push_back(figure.panels[0]);
  figure.panels[1].x_label = "another axis";
  const Layout layout = make_layout(figure, "");
  const PlacedPanel &upper = layout.panels[0], &lower = layout.panels[1];
  EXPECT_GT(upper.bottom - x_axis_height, lower.bottom + lower.height + 1);
}

// ----- slopes and guides

// The contrast of small print [WCAG 2.2, 1.4.3] is 4.5; relative luminance as defined there.
TEST(FigurePlaces, TextsAreReadableOnWhite) {
  for (const char* colour : text_colours) {
    const double weights[] = {0.2126, 0.7152, 0.0722};
    double luminance = 0;
    for (int i = 0; i < 3; ++i) {
      const double c = std::stoi(std::string(colour).substr(2 * static_cast<std::size_t>(i), 2), nullptr, 16) / 255.0;
      luminance += weights[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    EXPECT_GE(1.05 / (luminance + 0.05), 4.5) << colour;
  }
  EXPECT_EQ(text_colours.size(), figure_colours.size());
}

// Millimetres between a text and the nearest part of a curve of straight lines.
double distance(const LineLabel& label, const Curve& curve, const PlacedPanel& placed) {
  const double x = placed.x.place(label.x) * placed.width, y = placed.y.place(label.y) * placed.height;
  double least = 1e9;
  for (double part = 0; part <= 1; part += 1e-3) {
    const auto at = [&](const std::vector<double>& values, const Axis& axis, double length) {
      return ((1 - part) * axis.place(values.front()) + part * axis.place(values.back())) * length;
    };
    const double dx = std::abs(at(curve.x, placed.x, placed.width) - x) - label_width(label.text) / 2,
                 dy = std::abs(at(curve.y, placed.y, placed.height) - y) - 1.25;  // half of its height
    least = std::min(least, std::hypot(std::max(0.0, dx), std::max(0.0, dy)));
  }
  return least;
}

TEST(FigurePlaces, ASlopeIsNearestToItsCurveAndOnNoGuide) {
  std::vector<Series> series;
  for (int i = 0; i < 4; ++i) {
    series.push_back(power_curve({{"method", fmt::format("method {}", i)}}, 2, std::pow(12, i)));
    series.back().fit = Fit{2, 0.01, {0, 1, 2}};
    Series& guide = series.emplace_back(power_curve({}, 2, 0.4 * std::pow(12, i)));
    guide.label = "slope 2", guide.style = CurveStyle::reference;
  }
  const Layout layout = make_layout(figure_of(series), "");
  const PlacedPanel& placed = layout.panels[0];
  std::size_t slopes = 0;
  for (const LineLabel& label : placed.line_labels) {
    if (!label.of) continue;
    ++slopes;
    const double own = distance(label, placed.curves[*label.of], placed);
    for (std::size_t k = 0; k < placed.curves.size(); ++k) {
      if (k == *label.of) continue;
      const double other = distance(label, placed.curves[k], placed);
      EXPECT_GT(other, is_reference(placed.curves[k]) ? 0.4 : own) << k;
    }
  }
  EXPECT_GT(slopes, 0u);
}

// Guides are named at their lines or, where one has no room, in the legend; never some here and some there.
TEST(FigurePlaces, GuidesAreNamedInOneWay) {
  std::vector<Series> series;
  for (int i = 0; i < 12; ++i) series.push_back(power_curve({{"method", fmt::format("m{}", i)}}, 1, std::pow(1.5, i)));
  for (const int order : {3, 1, 2}) {
    Series& guide = series.emplace_back(power_curve({}, order, std::pow(10, order)));
    guide.label = fmt::format("order {} (theory)", order), guide.style = CurveStyle::reference;
  }
  const Layout layout = make_layout(figure_of(series), "");
  const std::vector<std::string> legend = legend_of(layout);
  const std::size_t at_lines = layout.panels[0].line_labels.size();
  EXPECT_TRUE(at_lines == 0 || at_lines == 3) << at_lines;
  EXPECT_EQ(std::ranges::count(legend, "order 1, 2 and 3 (theory)"), at_lines == 0 ? 1 : 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
