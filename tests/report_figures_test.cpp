// Curves, axes, and figures that gnuplot draws.
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/base/options.hpp"
#include "core/base/process.hpp"
#include "core/base/write_file.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/axis.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/gnuplot.hpp"
#include "report/layout/layout.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"
#include "report/page/page.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/table.hpp"
#include "tests/file_support.hpp"
#include "tests/report_support.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// ---- curves and axes

TEST(ReportCurves, LogarithmicAxisSkipsWhatItCannotShow) {
  Panel panel;
  panel.log_y = true;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Curve curve = load_curve(inline_series({0, 1, 2, 3, 4}, {0, 1e-9, -1e-9, nan, 2e-9}), panel, "");
  EXPECT_THAT(curve.x, ElementsAre(1, 4));
  EXPECT_EQ(curve.skipped, 3u);
}

// A run that blows up ends near the largest double; its figure must still be drawn.
TEST_F(Report, ExtremeValuesAreDrawn) {
  const double largest = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  for (const bool log : {false, true}) {
    write_figure(figure_of(inline_series({0, 1, 2, 3, 4}, {least, 1e-299, 1, 1e299, largest}), log), "",
                 folder_.string(), {.formats = {"svg"}});
    EXPECT_GT(fs::file_size(path("figure-1.svg")), 2000u);
  }
}

TEST(ReportCurves, ThinningKeepsEndsAndExtremes) {
  Curve curve;
  for (int i = 0; i <= 50000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(std::sin(i * 1e-3));
  }
  curve.y[12345] = 7;
  curve.y[23456] = -9;
  thin(curve, 2000);
  EXPECT_LE(curve.x.size(), 2000u);
  EXPECT_GT(curve.x.size(), 600u);
  EXPECT_EQ(curve.x.front(), 0);
  EXPECT_EQ(curve.x.back(), 50000);
  EXPECT_TRUE(std::is_sorted(curve.x.begin(), curve.x.end()));
  EXPECT_EQ(*std::max_element(curve.y.begin(), curve.y.end()), 7);
  EXPECT_EQ(*std::min_element(curve.y.begin(), curve.y.end()), -9);
}

TEST_F(Report, CurveFromTrajectoryFile) {
  write_file(path("run.csv"), "# a comment\nt,\"energy, error\",q\n0,1e-60,1\n0.5,2e-3,2\n");
  Series series;
  series.file = "run.csv";
  series.x_column = "t";
  series.y_column = "energy, error";
  EXPECT_THAT(load_curve(series, Panel(), folder_.string()).y, ElementsAre(1e-60, 2e-3));
  series.y_column = "energie";
  try {
    load_curve(series, Panel(), folder_.string());
    FAIL() << "a missing column must be an error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("energie"));
    EXPECT_THAT(error.what(), HasSubstr("energy, error"));
  }
}

TEST(ReportCurves, BadSeriesAreErrors) {
  EXPECT_THROW(load_curve(inline_series({1, 2}, {1}), Panel(), ""), InputError);
  Series series = inline_series({1}, {1});
  series.fit = Fit{2, 0.1, {1}};
  EXPECT_THROW(load_curve(series, Panel(), ""), InputError) << "a fit to a second point";
}

TEST(ReportAxes, RoundTicsInsideTheRange) {
  const Axis axis = make_axis({0.001, 10}, false, 0, 6);
  EXPECT_EQ(axis.lo, 0);  // almost a tic, so it is one
  EXPECT_EQ(axis.tics, "2");
  EXPECT_EQ(axis.format, "%.0f");
  EXPECT_EQ(make_axis({0, 3e-7}, false, 0, 6).exponent, -7);
  EXPECT_EQ(make_axis({1e-16, 1}, true, 0, 6).tics, "1e-15,1e3");
  EXPECT_EQ(make_axis({175, 1e6}, true, 0, 6).tics, "1e3,1e1");  // without a start: 1700, 17000, ...
}

TEST(ReportAxes, DegenerateDataStillGivesARange) {
  for (const bool log : {false, true})
    for (const std::vector<double>& values :
         {std::vector<double>{}, std::vector<double>{5}, std::vector<double>{5, 5, 5}}) {
      const Axis axis = make_axis(values, log, 0.05, 6);
      EXPECT_LT(axis.lo, axis.hi);
      EXPECT_FALSE(axis.tics.empty());
    }
}

// ---- figures

TEST_F(Report, FigureIsDrawnOneColumnWide) {
  Figure figure = figure_of(inline_series({0, 1, 2}, {1, 3, 2}), false);
  figure.panels[0].series.push_back(inline_series({0, 1, 2}, {4, 5, 6}));
  figure.panels[0].series[1].label = "another";
  const auto files =
      write_figure(figure, "", folder_.string(), {.formats = {"svg", "pdf"}, .command = "daelab run x.json"}).files;
  EXPECT_THAT(files, ElementsAre("figure-1.gp", "figure-1.dat", "figure-1.svg", "figure-1.pdf"));
  EXPECT_GT(fs::file_size(path("figure-1.svg")), 2000u);
  EXPECT_GT(fs::file_size(path("figure-1.pdf")), 2000u);
  const std::string svg = read_text(path("figure-1.svg"));
  EXPECT_THAT(svg, HasSubstr("width=\"321\""));  // 85 mm in pixels of 1/96 inch
  EXPECT_THAT(svg, HasSubstr("error_max [m]"));
  EXPECT_THAT(svg, HasSubstr("a_b {c} `d`"));  // nothing of the label was interpreted
  EXPECT_THAT(read_text(path("figure-1.gp")), HasSubstr("daelab run x.json"));
  EXPECT_THAT(read_text(path("figure-1.gp")), Not(HasSubstr(folder_.string())));
}

// Whatever a label begins with, ends with, or asks a shell or a spreadsheet to do, it is a label.
TEST_F(Report, LabelsAreTextToEveryProgram) {
  for (const char* label : {"'a", "a'", "''", "'`touch x`'", "a\\", "\"", "=1+1", "\u202eabc"}) {
    Figure figure = figure_of(inline_series({0, 1, 2}, {1, 3, 2}), false);
    figure.panels[0].y_label = label;
    write_figure(figure, "", folder_.string(), {.formats = {"svg"}});
    EXPECT_GT(fs::file_size(path("figure-1.svg")), 2000u) << label;
    EXPECT_FALSE(fs::exists(path("x")));
  }
}

TEST_F(Report, ScriptRunsAgainInItsFolder) {
  write_figure(figure_of(inline_series({0, 1, 2}, {1, 3, 2}), false), "", folder_.string(), {});
  EXPECT_FALSE(fs::exists(path("figure-1.svg")));
  ASSERT_EQ(run_process({"gnuplot", "-d", "figure-1.gp"}, folder_.string()).code, 0);
  EXPECT_GT(fs::file_size(path("figure-1.svg")), 2000u);
  EXPECT_GT(fs::file_size(path("figure-1.pdf")), 2000u);
}

// The start and the end of a path, as papers draw them.
TEST_F(Report, PointsHaveTheShapeThatIsAskedFor) {
  Figure figure = figure_of(inline_series({0, 1, 2}, {1, 3, 2}), false);
  for (const CurveStyle shape : {CurveStyle::circle, CurveStyle::star}) {
    Series mark = inline_series({1}, {2});
    mark.label = name_of(shape), mark.style = shape;
    figure.panels[0].series.push_back(mark);
  }
  EXPECT_EQ(make_layout(figure, "").lines, 1) << "one curve: marks are none";
  write_figure(figure, "", folder_.string(), {.formats = {"svg"}});
  const std::string script = read_text(path("figure-1.gp"));
  EXPECT_THAT(script, HasSubstr("with points pt 6 "));
  EXPECT_THAT(script, HasSubstr("with points pt 3 "));
}

TEST_F(Report, LogAxisWithZerosIsDrawn) {
  const Figure some = figure_of(inline_series({0, 1, 2}, {0, 1e-9, 1e-3}), true);
  write_figure(some, "", folder_.string(), {.formats = {"svg"}});
  EXPECT_GT(fs::file_size(path("figure-1.svg")), 2000u);
  EXPECT_THAT(read_text(path("figure-1.gp")), HasSubstr("leaves out 1 of its points"));
  EXPECT_THAT(read_text(path("figure-1.dat")), Not(HasSubstr("\n0 0\n")));

  const Figure none = figure_of(inline_series({0, 1, 2}, {0, 0, 0}), true);
  write_figure(none, "", folder_.string(), {.formats = {"svg", "pdf"}});
  EXPECT_THAT(read_text(path("figure-1.svg")), HasSubstr("no values to show"));
}

TEST_F(Report, StackedPanelsShareAxisAndLegend) {
  Figure figure = figure_of(inline_series({0, 1, 2}, {1, 3, 2}), false);
  figure.panels.push_back(figure.panels[0]);
  figure.panels[1].series[0].x = {0, 8};
  figure.panels[1].series[0].y = {1, 2};
  const Layout layout = make_layout(figure, "");
  EXPECT_TRUE(layout.legend.empty());  // the same label is the same curve: the caption says what it is
  EXPECT_EQ(layout.panels[0].x.hi, layout.panels[1].x.hi);
  EXPECT_FALSE(layout.panels[0].shows_x_axis);
  EXPECT_TRUE(layout.panels[1].shows_x_axis);
  EXPECT_GT(layout.panels[0].bottom, layout.panels[1].bottom + layout.panels[1].height);
}

// Whatever the length of its texts, and wherever it is.
TEST_F(Report, LegendFitsTheFigure) {
  for (const std::size_t length : {7, 9, 12, 18, 22, 30, 70}) {
    Figure figure = figure_of(Series(), false);
    figure.panels[0].series.clear();
    for (const char* name : {"curve a", "curve b", "curve c"}) {
      figure.panels[0].series.push_back(inline_series({0, 1}, {0, static_cast<double>(name[6])}));
      figure.panels[0].series.back().label = name + std::string(length - 7, 'e');
    }
    const Layout layout = make_layout(figure, "");
    ASSERT_EQ(layout.legend.size(), 3u) << length;
    for (const PlacedEntry& entry : layout.legend) {
      EXPECT_GT(entry.x, 0);
      // The bottom of the last line; y is the middle of the first one.
      EXPECT_GT(entry.y - line_height * (static_cast<double>(entry.lines.size()) - 0.5), 0) << length;
      EXPECT_LT(entry.y, layout.height);
      for (const std::string& line : entry.lines)
        // No figure holds texts of 70 letters in one line.
        EXPECT_LT(entry.x + sample_width + sample_gap + label_width(line), layout.width + (length == 70 ? 60 : 0));
    }
  }
}

TEST(ReportLayout, EqualAxesHaveOneScale) {
  Figure figure = figure_of(inline_series({-3, 3, 0}, {0, 1, -1}), false);
  figure.panels[0].equal_axes = true;
  const Layout layout = make_layout(figure, "");
  const PlacedPanel& placed = layout.panels[0];
  const double per_mm = (placed.x.hi - placed.x.lo) / (layout.right - layout.left);
  EXPECT_NEAR((placed.y.hi - placed.y.lo) / placed.height, per_mm, 1e-12);  // round-off
}

TEST(ReportLayout, SlopeLabelHidesNoMarker) {
  Figure figure = figure_of(inline_series({1e-3, 1e-2, 1e-1}, {1e-8, 1e-6, 1e-4}), true);
  figure.panels[0].log_x = true;
  figure.panels[0].series[0].style = CurveStyle::line_points;
  Series slope = inline_series({1e-3, 1e-1}, {2e-8, 2e-4});
  slope.style = CurveStyle::reference;
  slope.label = "slope 2";
  figure.panels[0].series.push_back(slope);
  const Layout layout = make_layout(figure, "");
  EXPECT_TRUE(layout.legend.empty());  // the slope is at its line
  const PlacedPanel& placed = layout.panels[0];
  ASSERT_EQ(placed.line_labels.size(), 1u);
  const double width = layout.right - layout.left;
  for (int i = 0; i < 3; ++i) {
    const Curve& curve = placed.curves[0];
    const double dx = width * (placed.x.place(curve.x[i]) - placed.x.place(placed.line_labels[0].x));
    const double dy = placed.height * (placed.y.place(curve.y[i]) - placed.y.place(placed.line_labels[0].y));
    EXPECT_TRUE(std::abs(dx) > label_width("slope 2") / 2 || std::abs(dy) > line_height / 2) << i;
  }
}

// One process draws all figures of a report; what it drew before leaves no trace.
TEST_F(Report, FiguresThatAreDrawnTogetherAreThoseDrawnAlone) {
  const std::vector<std::string> folders = {path("it's one"), path("two `$x` @y"), path("three")};
  std::vector<GnuplotScript> scripts;
  std::vector<std::string> alone;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    fs::create_directories(folders[i]);
    const FigureSetting setting = {.formats = {"svg", "pdf"}};
    const double y = static_cast<double>(i + 1);
    const Figure figure = figure_of(inline_series({0, 1, 2}, {y, 3, y}), i == 1);
    write_figure(figure, "", folders[i], setting);
    for (const char* file : {"/figure-1.svg", "/figure-1.pdf"}) alone.push_back(read_text(folders[i] + file));
    scripts.push_back(write_sources(figure, "", folders[i], setting).script.value());
  }
  draw(scripts);
  std::vector<std::string> together;
  for (const std::string& folder : folders)
    for (const char* file : {"/figure-1.svg", "/figure-1.pdf"}) together.push_back(read_text(folder + file));
  EXPECT_EQ(together, alone);
}

TEST_F(Report, GnuplotsMessageIsInTheError) {
  write_figure(figure_of(inline_series({0, 1, 2}, {1, 3, 2}), false), "", folder_.string(), {});
  write_file(path("bad.gp"), "plot nonsense_function(\n");
  write_file(path("idle.gp"), "x = 1\n");
  const GnuplotScript good = {folder_.string(), "figure-1", "", {"svg"}}, bad = {folder_.string(), "bad", "", {"svg"}},
                      idle = {folder_.string(), "idle", "", {"svg"}};
  const auto fault_of = [](const std::vector<GnuplotScript>& scripts) -> std::string {
    try {
      draw(scripts);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault_of({bad}), AllOf(HasSubstr(path("bad.gp")), HasSubstr("nonsense_function")));
  EXPECT_THAT(fault_of({good, bad}), AllOf(HasSubstr(path("bad.gp")), HasSubstr("nonsense_function")));
  EXPECT_TRUE(fs::exists(path("figure-1.svg")));
  EXPECT_THAT(fault_of({good, idle}), HasSubstr(path("idle.svg")));
  EXPECT_EQ(fault_of({good}), "");
  EXPECT_EQ(fault_of({}), "");
}

}  // namespace TEST_FILE
}  // namespace daelab
