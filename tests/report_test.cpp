// The report: numbers as papers print them, four kinds of escaping, real figures, and what is said
// when there is nothing to report.
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

#include "core/base/options.hpp"
#include "core/base/process.hpp"
#include "core/base/write_file.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/axis.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/gnuplot.hpp"
#include "report/layout/layout.hpp"
#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"
#include "report/page/page.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/table.hpp"
#include "results/claims.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Column scientific = {"e", "", CellFormat::scientific, 5};
const Column fixed = {"p", "", CellFormat::fixed, 2};
const Column integer = {"n", "", CellFormat::integer, 0};
const Column seconds = {"t", "", CellFormat::seconds, 3};
const Column text = {"s", "", CellFormat::text, 0};

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

// A folder of its own for every test, gone afterwards.
class Report : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("daelab-report-") + info->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

Table sample_table() {
  Table table;
  table.id = "table-1";
  table.caption = "Drift, 5% | all_steps";
  table.columns = {{"method_name", "", CellFormat::text, 0},
                   {"|H - H0|", "$|H-H_0|$", CellFormat::scientific, 5},
                   {"EOC", "", CellFormat::fixed, 2}};
  table.rows = {TableRow({"pade|block", 7.00071e-5, nullptr}),
                TableRow({"a, \"quoted\" <name>", "1.23456789012345678901234567890e-45", -4.017}),
                TableRow({"line\nbreak & 100%", "diverged", nullptr})};
  return table;
}

Figure figure_of(const Series& series, bool log_y) {
  Panel panel;
  panel.x_label = "time [s]";
  panel.y_label = "error_max [m]";
  panel.log_y = log_y;
  panel.series = {series};
  return {"figure-1", "A figure.", {panel}};
}

Series inline_series(std::vector<double> x, std::vector<double> y) {
  Series series;
  series.label = "it's a_b {c} `d` \\ \"e\" f''";  // every character gnuplot could trip over
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

// ---- numbers

TEST(ReportNumbers, ScientificAsPapersPrint) {
  EXPECT_EQ(format_cell(7.00071e-5, scientific), "7.0007E-5");
  EXPECT_EQ(format_cell(-2.1449e-3, scientific), "-2.1449E-3");
  EXPECT_EQ(format_cell(12345.678, scientific), "1.2346E4");
  EXPECT_EQ(format_cell(1.0, scientific), "1.0000E0");
  EXPECT_EQ(format_cell(3e-12, {"", "", CellFormat::scientific, 1}), "3E-12");
  EXPECT_EQ(format_cell(-9.6e-12, {"", "", CellFormat::scientific, 1}), "-1E-11");
}

TEST(ReportNumbers, RoundingMayCarryIntoTheExponent) {
  EXPECT_EQ(format_cell(9.99996e-5, scientific), "1.0000E-4");
  EXPECT_EQ(format_cell(9.99994e-5, scientific), "9.9999E-5");
  EXPECT_EQ(format_cell("9.99996e-100", scientific), "1.0000E-99");
}

TEST(ReportNumbers, ZeroHasNoExponentAndNoSign) {
  EXPECT_EQ(format_cell(0.0, scientific), "0");
  EXPECT_EQ(format_cell(-0.0, scientific), "0");
  EXPECT_EQ(format_cell("0.000", scientific), "0");
  EXPECT_EQ(format_cell(-0.001, fixed), "0.00");
}

// 1e-400 is 0 and 1e400 is infinite in double: the string must not pass through it.
TEST(ReportNumbers, FiftyDigitStringsKeepTheirRange) {
  EXPECT_EQ(format_cell("1.2345678901234567890123456789012345678901234567890e-45", scientific), "1.2346E-45");
  EXPECT_EQ(format_cell("-7.00065e-400", scientific), "-7.0007E-400");
  EXPECT_EQ(format_cell("2.5e400", scientific), "2.5000E400");
  // The digit that decides is beyond double precision.
  EXPECT_EQ(format_cell("1.000050000000000000000000000001", scientific), "1.0001E0");
}

TEST(ReportNumbers, OtherFormats) {
  EXPECT_EQ(format_cell(3.976, fixed), "3.98");
  EXPECT_EQ(format_cell(-3.974, fixed), "-3.97");
  EXPECT_EQ(format_cell(3.976, {"", "", CellFormat::fixed, 0}), "4");
  EXPECT_EQ(format_cell(2177, integer), "2177");
  EXPECT_EQ(format_cell(1.234, seconds), "1.23");
  EXPECT_EQ(format_cell(0.045, seconds), "0.0450");
  EXPECT_EQ(format_cell(8.1e-6, seconds), "8.10E-6");
  EXPECT_EQ(format_cell(1234.25, seconds), "1234");
  EXPECT_EQ(format_cell(0, seconds), "0");
}

TEST(ReportNumbers, TextAndMissingValues) {
  EXPECT_EQ(format_cell("0.0021", text), "0.0021");  // a printed number stays as printed
  EXPECT_EQ(format_cell("diverged", scientific), "diverged");
  EXPECT_EQ(format_cell(nullptr, scientific), dash);
  EXPECT_EQ(format_cell(nullptr, text), dash);
  EXPECT_EQ(format_cell(std::numeric_limits<double>::quiet_NaN(), scientific), dash);
}

// ---- tables

TEST(ReportTables, MarkdownEscapesAndAligns) {
  const std::string markdown = table_to_markdown(sample_table());
  EXPECT_THAT(markdown, HasSubstr("**Drift, 5% \\| all\\_steps**\n\n"));
  EXPECT_THAT(markdown, HasSubstr("| pade\\|block "));
  EXPECT_THAT(markdown, HasSubstr("&lt;name&gt;"));
  EXPECT_THAT(markdown, HasSubstr("line break"));
  EXPECT_THAT(markdown, HasSubstr(" 7.0007E-5 |"));
  EXPECT_THAT(markdown, HasSubstr("-: |"));
  // Caption, blank line, header, rule, three rows: no cell may break a line.
  EXPECT_EQ(std::count(markdown.begin(), markdown.end(), '\n'), 7);
}

TEST(ReportTables, CsvQuotesAndKeepsAllDigits) {
  EXPECT_EQ(table_to_csv(sample_table()),
            "method_name,|H - H0|,EOC\n"
            "pade|block,7.00071e-05,\n"
            "\"a, \"\"quoted\"\" <name>\",1.23456789012345678901234567890e-45,-4.017\n"
            "\"line\nbreak & 100%\",diverged,\n");
}

// Programs read numbers and unique names.
TEST(ReportTables, CsvHasDecimalStepsAndUniqueNames) {
  const Table table{
      "t",
      "",
      {{"h [s]", "", CellFormat::text, 0}, scientific, fixed, {"v", "", CellFormat::scientific, 3}, fixed},
      {Json::array({"1/160", 1e-3, nullptr, 2e-3, 1.5}), Json::array({"0.5", 1e-4, 2.5, 1e-4, 2.5})}};
  EXPECT_EQ(table_to_csv(table), "h [s],e,p of e,v,p of v\n0.00625,0.001,,0.002,1.5\n0.5,0.0001,2.5,0.0001,2.5\n");
}

TEST(ReportTables, TextIsAligned) {
  Table table = sample_table();
  table.rows.pop_back();
  EXPECT_EQ(table_to_text(table),
            "Drift, 5% | all_steps\n"
            "method_name           |H - H0|    EOC\n"
            "------------------  ----------  -----\n"
            "pade|block           7.0007E-5      –\n"
            "a, \"quoted\" <name>  1.2346E-45  -4.02\n");
}

// A terminal of 80 columns shows what fits and says what it leaves out.
TEST(ReportTables, NarrowTextLeavesOutWhatDoesNotFit) {
  Table table = sample_table();
  table.rows.pop_back();
  EXPECT_EQ(table_to_narrow_text(table, 40),
            "method_name           |H - H0|    EOC\n"
            "------------------  ----------  -----\n"
            "pade|block           7.0007E-5      –\n"
            "a, \"quoted\" <name>  1.2346E-45  -4.02\n");
  EXPECT_THAT(table_to_narrow_text(table, 30),
              AllOf(Not(HasSubstr("EOC")), HasSubstr("\n1 more columns and 0 more rows")));
  table.rows.assign(100, table.rows[0]);
  EXPECT_THAT(table_to_narrow_text(table, 40), HasSubstr("\n0 more columns and 70 more rows are in the report\n"));
}

TEST(ReportTables, HtmlIsEscaped) {
  const std::string html = table_to_html(sample_table());
  EXPECT_THAT(html, HasSubstr("a, &quot;quoted&quot; &lt;name&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<name>")));
}

TEST(ReportTables, AHeadWithoutANameIsNoHead) {
  const Table table{"t", "Caption", {{"", ""}, {"order", ""}}, {TableRow{"BDF", "2"}}};
  const std::string html = table_to_html(table);
  EXPECT_THAT(html, HasSubstr("<td></td><th scope=\"col\">order</th>"));
}

TEST(ReportTables, PagesShowTheFirstRowsOfLongTables) {
  Table table{"long", "Long", {{"k", "", CellFormat::integer, 0}}, {}};
  for (int k = 0; k < 1001; ++k) table.rows.push_back({k});
  const std::string html = table_to_html(table);
  EXPECT_THAT(html, AllOf(HasSubstr(">999<"), Not(HasSubstr(">1000<")), HasSubstr("The first 1000 of 1001 rows")));
  EXPECT_THAT(table_to_csv(table), HasSubstr("\n1000\n"));
  table.rows.pop_back();
  EXPECT_THAT(table_to_html(table), Not(HasSubstr("The first")));
}

TEST(ReportTables, IncompleteRowIsAnError) {
  Table table = sample_table();
  table.rows.push_back({"only one"});
  EXPECT_THROW(table_to_csv(table), InputError);
  EXPECT_THROW(table_to_markdown(table), InputError);
}

TEST(ReportText, WidthsCountCharactersNotBytes) {
  EXPECT_EQ(text_width("λ_1 ±"), 5u);
  EXPECT_EQ(padded("λ", 3, true), "  λ");
  EXPECT_EQ(shortened("αβγδε", 5), "αβγδε");
  EXPECT_EQ(shortened("αβγδεζ", 5), "αβγδ…");
}

TEST(ReportText, LinesAreBrokenBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(wrapped("a-word-that-is-too-long b", 5, 0), "a-word-that-is-too-long\nb\n");
  EXPECT_EQ(wrapped("by bdf:k=5,growth=true,restart=order-1, h", 12, 1),
            " by\n bdf:k=5,\n growth=true,\n restart=order-1,\n h\n");
  EXPECT_EQ(wrapped("", 80, 4), "");
}

TEST(ReportText, GreekWordsAndMinusSignsAreSet) {
  EXPECT_EQ(typeset("error of lambda, rho = 4/5"), "error of λ, ρ = 4/5");
  EXPECT_EQ(typeset("h/T = omega h/(2 pi)"), "h/T = ω h/(2 π)");
  EXPECT_EQ(typeset("A x - b at -8"), "A x − b at −8");
  for (const char* spec : {"generalized-alpha:rho=4/5", "/method/rho", "eps_abs", "1e-8", "a-stable", "alphabet"})
    EXPECT_EQ(typeset(spec), spec);
}

TEST(ReportText, FileStemsStayInTheirFolder) {
  EXPECT_EQ(file_stem("figure-8_b.2"), "figure-8_b.2");
  EXPECT_EQ(file_stem("../x y'z"), "-..-x-y-z");
}

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

TEST(ReportText, SpreadsheetsTakeTextForText) {
  Table table;
  table.columns = {{"=name", "", CellFormat::text, 0}, {"value", "", CellFormat::text, 0}};
  table.rows = {TableRow({"=HYPERLINK(\"x\")", "-1.5E-3"}), TableRow({"@a", "-"}), TableRow({"+b", "a=b"}),
                TableRow({"-c", 7})};
  EXPECT_EQ(table_to_csv(table), "'=name,value\n\"'=HYPERLINK(\"\"x\"\")\",-1.5E-3\n'@a,-\n'+b,a=b\n'-c,7\n");
}

TEST(ReportText, LatexIsGivenWhatItKnows) {
  EXPECT_EQ(escape_latex("a\u202eb"), "a(U+202E)b");
  EXPECT_EQ(escape_latex("\x07 漢"), "(U+0007) (U+6F22)");
  EXPECT_EQ(escape_latex("Gröbner λ ≤ 2"), "Gröbner $\\lambda$ $\\le$ 2");
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

// ---- verdicts

Judgement judgement(const std::string& verdict, const std::string& expected) {
  Judgement claim;
  claim.id = "table-1/h=0.01/energy";
  claim.location = "Table 1, h = 0.01, H max";
  claim.table = "Table 1";
  claim.row = "h = 0.01";
  claim.column = "H max";
  claim.printed = "7.0007E-5";
  claim.ours = "7.0008E-5";
  claim.verdict = verdict;
  claim.expected = expected;
  return claim;
}

const char* const all_digits = "all printed digits";

TEST(ReportVerdicts, KindsAreRecognisedByTheirWords) {
  for (std::size_t k = 0; k < verdict_kinds; ++k) {
    const auto kind = static_cast<VerdictKind>(k);
    if (kind != VerdictKind::some_digits) {
      EXPECT_EQ(verdict_kind(verdict_words(kind)), kind);
    }
  }
  EXPECT_EQ(verdict_kind("3 digits"), VerdictKind::some_digits);
  EXPECT_EQ(verdict_kind(digits_verdict(1)), VerdictKind::some_digits);
  for (const char* none : {"pending", "some digits", "digits", "3 digits more", ""})
    EXPECT_EQ(verdict_kind(none), VerdictKind::unknown) << none;
}

TEST(ReportVerdicts, TerminalTableMarksTheUnexpected) {
  const std::string table =
      verdict_table_text({judgement(all_digits, all_digits), judgement("differs", all_digits)}, 80);
  EXPECT_THAT(table, HasSubstr("Table 1, h = 0.01, H max  7.0007E-5  7.0008E-5  ✓ all printed digits"));
  EXPECT_THAT(table, HasSubstr("✗ differs: Table 1, h = 0.01, H max"));
  EXPECT_THAT(table, HasSubstr("! expected: all printed digits"));
  EXPECT_THAT(table, HasSubstr("2 claims: 1 all printed digits, 1 differs; 1 not as expected"));
  EXPECT_THAT(verdict_table_text({judgement(all_digits, all_digits)}, 80),
              testing::AllOf(HasSubstr("1 claim: "), HasSubstr("all verdicts as expected"), Not(HasSubstr("!"))));
}

// A claim that differs, a finding that holds and a check that agrees.
std::vector<Judgement> of_every_kind() {
  Judgement finding = judgement("holds", "holds"), check = judgement("agrees", "agrees");
  finding.kind = EntryKind::finding, finding.printed = "", finding.table = "";
  finding.statement = "work of a solve", finding.recorded = "629", finding.location = "Section 4";
  check.kind = EntryKind::check, check.source = "Test Set, II-19", check.location = "v6(0.1)";
  return {judgement("differs", "differs"), finding, check};
}

TEST(ReportVerdicts, KindsOfEntriesAreCountedApart) {
  const std::string text = verdict_table_text(of_every_kind(), 80);
  EXPECT_THAT(text, HasSubstr("1 claim: 1 differs; 1 finding: 1 holds; 1 check: 1 agrees; all verdicts as\nexpected"));
  EXPECT_THAT(text, HasSubstr("✓ holds: Section 4\n    work of a solve: 629\n    ours: 7.0008E-5\n"));
  EXPECT_EQ(verdict_counts_text({}), "0 claims");
}

TEST(ReportVerdicts, TheTerminalShowsWhatStandsOut) {
  EXPECT_EQ(notable_verdicts_text({judgement(all_digits, all_digits)}, 80),
            "1 claim: 1 all printed digits; all verdicts as expected\n");
  const std::string text =
      notable_verdicts_text({judgement(all_digits, all_digits), judgement("differs", all_digits)}, 80);
  EXPECT_THAT(text, testing::StartsWith("✗ differs: Table 1, h = 0.01, H max ! expected: all printed digits\n"
                                        "    7.0007E-5\n    ours: 7.0008E-5\n\n2 claims: "));
}

TEST(ReportVerdicts, KindsOfEntriesHaveTheirOwnTables) {
  const std::vector<Table> tables = verdict_tables(of_every_kind());
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].columns[1].label, "printed");
  EXPECT_EQ(tables[1].columns[1].label, "statement") << "a finding quotes nothing";
  EXPECT_EQ(tables[2].columns[1].label, "source");
  EXPECT_EQ(tables[1].caption, "Findings. 1 finding: 1 holds.");
  EXPECT_EQ(tables[2].caption, "Checks, Table 1. 1 check: 1 agrees.");
  const Table all = verdict_table(of_every_kind());
  EXPECT_EQ(all.rows[1][0], "finding");
  EXPECT_TRUE(all.rows[1][3].empty()) << "printed";
  EXPECT_EQ(all.rows[1][6], "629");
}

TEST(ReportVerdicts, WhatAClaimIsJudgedByIsNotQuoted) {
  Judgement claim = judgement("confirmed", "confirmed");
  claim.printed = "index 1 is the most accurate", claim.judged_by = "the error of q", claim.reason = "by far";
  claim.table = "";
  EXPECT_THAT(verdict_table_text({claim}, 80),
              HasSubstr("    index 1 is the most accurate\n    judged by the error of q\n    ours: "));
  EXPECT_EQ(verdict_tables({claim})[0].rows[0].back(), "judged by the error of q; by far");
  const Table all = verdict_table({claim});
  EXPECT_EQ(all.columns[4].label, "judged by");
  EXPECT_EQ(all.rows[0][4], "the error of q");
  Page page;
  page.judgements = {claim};
  EXPECT_THAT(page_to_html(page), HasSubstr("judged by the error of q<br>by far"));
}

TEST(ReportPage, ShowsKindsOfEntriesApart) {
  Page page;
  page.judgements = of_every_kind();
  const std::string html = page_to_html(page);
  for (const char* part : {"<details id=\"claims\">", "<details id=\"findings\">", "<details id=\"checks\">",
                           "1 finding: 1 holds", "Test Set, II-19", "work of a solve: 629"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(ReportPage, EscapesWhatItShows) {
  Page page;
  page.title = "A & B";
  page.judgements = {judgement("differs", "differs")};
  page.judgements[0].reason = "<script>alert('x')</script>";
  PageSection section;
  section.folder = "set";
  section.artifacts.title = "h < 1 & \"more\"";
  page.sections = {section};
  const std::string html = page_to_html(page);
  EXPECT_THAT(html, HasSubstr("<title>A &amp; B</title>"));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
  EXPECT_THAT(html, HasSubstr("h &lt; 1 &amp; &quot;more&quot;"));
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
}

// Whatever is in the data stays data: no tag ends its block, and the policy allows the page's own scripts alone.
TEST(ReportPage, DataCannotBecomeMarkup) {
  Page page;
  PageSection section;
  section.folder = "set";
  section.data = {{"title", "</script><script>alert(1)</script>"}};
  page.sections = {section};
  page.evidence = {{"a <b>", {0, Json::array({"key"})}}};
  const std::string html = page_to_html(page);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
  const std::regex block("<script type=\"application/json\" id=\"data\">([^<]*)</script>");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(html, found, block));
  EXPECT_EQ(Json::parse(found[1].str())["sets"][0]["title"], section.data["title"]) << "nothing is lost";
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(testing::ContainsRegex("(src|href)=\"https?:")));  // nothing is loaded from elsewhere
}

// SHA-256 in hex digits and in base64: of the empty text, FIPS 180-4's example "abc".
TEST(ReportPage, AllowsItsScriptsByTheirHashes) {
  EXPECT_EQ(base64_of_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(base64_of_hex("4d"), "TQ==");
  EXPECT_EQ(base64_of_hex("4d616e"), "TWFu");
}

TEST(ReportPage, OpensWithTheFirstCurvesAndLinksThePaper) {
  Page page;
  page.reference = "A. Author, Journal 1, 2, doi 10.1000/x_1.";
  page.origin = {{"commit", "abc"}, {"compiler", "g++"}};
  Figure sketch, curves = figure_of(inline_series({0, 1}, {0, 1}), false);
  sketch.id = "sketch", curves.id = "curves";
  PageSection section;
  section.folder = "set";
  section.artifacts.figures = {sketch, curves};
  page.sections = {section};
  const std::string html = page_to_html(page);
  EXPECT_THAT(html, HasSubstr("Journal 1, 2, doi <a href=\"https://doi.org/10.1000/x_1\">10.1000/x_1</a>.</p>"));
  EXPECT_LT(html.find("id=\"figure-set-curves\""), html.find("id=\"figure-set-sketch\"")) << "a sketch is no result";
  EXPECT_EQ(html.find("id=\"figure-set-curves\""), html.rfind("id=\"figure-set-curves\"")) << "it stands once";
  EXPECT_THAT(html, HasSubstr("<dt>compiler</dt><dd>g++</dd>"));
}

// ---- the whole report

Artifacts sample_artifacts() {
  Artifacts artifacts;
  artifacts.name = "drift";
  artifacts.experiment = "drift";
  artifacts.title = "Energy drift";
  artifacts.command = "daelab run drift.json";
  artifacts.tables = {sample_table()};
  artifacts.figures = {figure_of(inline_series({0, 1}, {0, 1e-9}), true)};
  artifacts.notes = {"1 run failed"};
  return artifacts;
}

TEST(ReportArtifacts, RoundTripThroughJson) {
  Artifacts artifacts = sample_artifacts();
  artifacts.figures[0].panels[0].series[0].y[1] = std::numeric_limits<double>::infinity();
  const Json once = artifacts;
  const Artifacts read = Json::parse(once.dump()).get<Artifacts>();
  EXPECT_EQ(Json(read), once);
  EXPECT_EQ(read.tables[0].columns[1].format, CellFormat::scientific);
  EXPECT_TRUE(std::isnan(read.figures[0].panels[0].series[0].y[1]));  // JSON has no infinity
  const Json claim = judgement("differs", all_digits);
  EXPECT_EQ(Json(claim.get<Judgement>()), claim);
  EXPECT_EQ(claim["true_value"], "");
  const Json finding = of_every_kind()[1];
  EXPECT_EQ(Json(finding.get<Judgement>()), finding);
  EXPECT_EQ(finding["kind"], "finding");
  EXPECT_THROW(Json::parse(R"({"kind": "claims"})").get<Judgement>(), InputError);
}

TEST(ReportArtifacts, BadJsonNamesTheKey) {
  EXPECT_THROW(Json::parse(R"({"tables": [{"columns": [{"format": "roman"}]}]})").get<Artifacts>(), InputError);
  try {
    Json::parse(R"({"title": 3})").get<Artifacts>();
    FAIL() << "a number is no title";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/title"));
  }
}

TEST_F(Report, WritesEverythingThatIsAskedFor) {
  for (const char* set : {"a", "b"}) {
    fs::create_directories(path(set));
    write_file(path(std::string(set) + "/result.json"), Json(sample_artifacts()).dump());
  }
  write_file(path("verdicts.json"), Json::array({judgement("differs", all_digits)}).dump());
  const ReportSummary summary = write_report({path("a"), path("b")}, path("report"), {.paper_dir = folder_.string()});
  EXPECT_EQ(summary.result_sets, 2u);
  EXPECT_EQ(summary.tables, 2u);
  EXPECT_EQ(summary.figures, 2u);
  EXPECT_EQ(summary.verdicts.unexpected, 1u);
  for (const std::string& file : summary.files) EXPECT_GT(fs::file_size(folder_ / "report" / file), 0u) << file;
  // Sets of the same name do not overwrite each other.
  for (const char* file : {"drift/table-1.tex", "drift-2/table-1.csv", "drift/figure-1.svg", "drift-2/figure-1.pdf",
                           "verdicts.md", "verdicts.csv", "verdicts.tex"})
    EXPECT_TRUE(fs::exists(folder_ / "report" / file)) << file;
  const std::string html = read_text(summary.index);
  EXPECT_THAT(html, HasSubstr("src=\"data:image/svg+xml,%3C?xml"));  // the page is complete without the files beside it
  EXPECT_THAT(html, HasSubstr("href=\"drift/table-1.tex\""));
  EXPECT_THAT(html, HasSubstr("! expected: all printed digits"));
}

TEST_F(Report, WritesNothingElse) {
  write_file(path("result.json"), Json(sample_artifacts()).dump());
  const ReportSummary summary = write_report({folder_.string()}, path("report"), {.formats = {"md"}});
  EXPECT_THAT(summary.files, ElementsAre("drift/table-1.md"));
  EXPECT_TRUE(summary.index.empty());
  EXPECT_FALSE(fs::exists(path("report/index.html")));
}

TEST_F(Report, MissingResultSaysWhatToRun) {
  try {
    write_report({folder_.string()}, path("report"), {.formats = {"html"}});
    FAIL() << "there is nothing to report";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(folder_.string()));
    EXPECT_THAT(error.what(), HasSubstr("daelab run"));
  }
  EXPECT_FALSE(fs::exists(path("report")));
}

TEST_F(Report, UnknownFormatNamesTheAllowedOnes) {
  try {
    write_report({}, path("report"), {.formats = {"svg", "docx"}});
    FAIL() << "docx is no format";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("docx"));
    EXPECT_THAT(error.what(), HasSubstr("csv, html, md, pdf, pgf, png, svg, tex"));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
