// Figures that read at a glance: factors, coincidence, legends, small multiples, fits, widths and formats.
#include "report/figures/figure.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "core/base/process.hpp"
#include "core/base/write_file.hpp"
#include "lab/runs/labels.hpp"
#include "report/layout/channels.hpp"
#include "report/layout/layout.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"
#include "tests/build_paths.hpp"
#include "tests/figure_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Methods on forms in two arithmetics: a curve each.
Figure grid_of(int methods, int forms, int scalars) {
  std::vector<Series> series;
  for (int m = 1; m <= methods; ++m)
    for (int f = 1; f <= forms; ++f)
      for (int s = 1; s <= scalars; ++s)
        series.push_back(power_curve({{"method", fmt::format("method {}", m)},
                                      {"formulation", fmt::format("index-{}", f)},
                                      {"scalar", s == 1 ? "double" : "50 digits"}},
                                     m, std::pow(3, f) * std::pow(1.7, s)));
  return figure_of(series);
}

std::string text_of(const std::string& path) { return file_bytes(path).value_or(""); }

// ----- data

TEST(FigureData, SeriesSurviveTheFile) {
  Series series = power_curve({{"method", "gauss"}}, 2, 1);
  series.fit = Fit{1.98, 0.02, {0, 2}}, series.floor = 1e-15;
  Artifacts artifacts, again;
  artifacts.figures = {figure_of({series, Series{}})};
  const Json json = artifacts;
  from_json(Json::parse(json.dump()), again);
  EXPECT_EQ(Json(again).dump(), json.dump());
  const Series& read = again.figures[0].panels[0].series[0];
  EXPECT_EQ(read.style, CurveStyle::line_points);
  EXPECT_EQ(read.factors, series.factors);
  EXPECT_THAT(read.fit->points, ElementsAre(0, 2));
  EXPECT_FALSE(json["figures"][0]["panels"][0]["series"][1].contains("factors")) << "as files had none before";
}

TEST(FigureData, OldFilesAreReadAndUnknownStylesRefused) {
  Artifacts artifacts;
  const char* text = R"({"figures": [{"id": "f", "panels": [{"series": [{"label": "a", "style": "STYLE"}]}]}]})";
  const auto with = [&](const std::string& style) {
    std::string json = text;
    return Json::parse(json.replace(json.find("STYLE"), 5, style));
  };
  from_json(with("thin"), artifacts);
  EXPECT_EQ(artifacts.figures[0].panels[0].series[0].style, CurveStyle::thin);
  EXPECT_THAT([&] { from_json(with("dotted"), artifacts); },
              testing::ThrowsMessage<InputError>(HasSubstr("/figures/0/panels/0/series/0/style")));
}

TEST(FigureData, LabelsAreKnownPartByPart) {
  const Json a = {{"method", {{"name", "gauss"}, {"s", "2"}}}, {"formulation", "index-2"}, {"h", "1/10"}};
  Json b = a, c = a;
  b["method"]["s"] = "3", c["formulation"] = "index-3";
  const std::vector<Json> specs{a, b, c};
  const std::vector<Labelled> labels = label_and_factors({"", "", ""}, spec_of(specs));
  EXPECT_EQ(labels[0].label, "s = 2, index-2");
  EXPECT_THAT(labels[0].factors, ElementsAre(Factor{"method", "s = 2"}, Factor{"formulation", "index-2"}));
  EXPECT_EQ(labels[2].label, joined_values(labels[2].factors));
  EXPECT_THAT(label_and_factors({"mine"}, spec_of(specs))[0].factors, ElementsAre(Factor{"label", "mine"}));
}

// ----- channels

TEST(FigureChannels, OneFactorByColourAnotherByMarker) {
  const Layout layout = make_layout(grid_of(3, 2, 1), "");
  EXPECT_THAT(legend_of(layout), ElementsAre("method 1", "method 2", "method 3", "index-1", "index-2"));
  EXPECT_EQ(layout.look_of("method 2, index-1"), (Look{1, 0}));
  EXPECT_EQ(layout.look_of("method 3, index-2"), (Look{2, 1}));
}

TEST(FigureChannels, CurvesWithoutFactorsHaveAnEntryEach) {
  std::vector<Series> series;
  for (const char* label : {"a", "b", "c"}) {
    series.push_back(power_curve({}, 2, static_cast<double>(label[0] - '`')));
    series.back().label = label;
  }
  EXPECT_THAT(legend_of(make_layout(figure_of(series), "")), ElementsAre("a", "b", "c"));
}

TEST(FigureChannels, ConstantsGoIntoTheCaption) {
  Figure figure = figure_of({power_curve({{"method", "gauss"}, {"h", "h = 1/50"}}, 2, 1),
                             power_curve({{"method", "bdf"}, {"h", "h = 1/50"}}, 1, 1)});
  figure = with_constants_in_caption(figure);
  EXPECT_EQ(figure.panels[0].series[0].label, "gauss");
  EXPECT_EQ(figure.caption, "Errors. All curves: h = 1/50.");
  for (Series& series : figure.panels[0].series) series.factors.clear(), series.label += ", t_end = 80";
  figure = with_constants_in_caption(figure);
  EXPECT_EQ(figure.panels[0].series[1].label, "bdf");
  EXPECT_THAT(figure.caption, HasSubstr("All curves: t_end = 80."));
}

TEST(FigureChannels, CurvesThatCoincideAreOneAndNamedTogether) {
  std::vector<Series> series;
  for (const char* scalar : {"double", "50 digits"})
    for (const double order : {1.0, 2.0})
      series.push_back(power_curve({{"method", fmt::format("order {}", order)}, {"scalar", scalar}}, order,
                                   scalar[0] == 'd' ? 1 : 1.001));
  const Layout layout = make_layout(figure_of(series), "");
  EXPECT_EQ(layout.panels[0].curves.size(), 2u);
  EXPECT_THAT(legend_of(layout), ElementsAre("order 1", "order 2"));
  EXPECT_EQ(layout.shared, "double and 50 digits");
  EXPECT_EQ(caption_of(figure_of(series), layout), "Errors. Curves of double and 50 digits coincide.");
  series[3].y[0] *= 3;  // the two of order 2 stay apart
  EXPECT_EQ(make_layout(figure_of(series), "").panels[0].curves.size(), 3u);
}

// 50 digits are of the finer steps alone.
TEST(FigureChannels, ACurveThatIsPartOfAnotherIsNamedWithIt) {
  Series whole = power_curve({}, 2, 1), part = whole;
  whole.label = "r = 4, double", part.label = "r = 4, 50 digits";
  part.x.pop_back(), part.y.pop_back();
  for (const auto& series : {std::vector{whole, part}, std::vector{part, whole}}) {
    const Layout layout = make_layout(figure_of(series), "");
    ASSERT_EQ(layout.panels[0].curves.size(), 1u);
    EXPECT_EQ(layout.panels[0].curves[0].x.size(), 3u);
  }
  EXPECT_THAT(legend_of(make_layout(figure_of({whole, part}), "")), ElementsAre("r = 4, double and 50 digits"));
}

// A line is compared as a line: curves of other abscissas, and shorter ones, lie on it. A name may hold "and" itself.
TEST(FigureChannels, LinesThatLieOnEachOtherAreOne) {
  std::vector<Series> series(4);
  const char* const names[] = {"average acceleration", "Fox and Goodwin", "Euler", "damped"};
  for (std::size_t s = 0; s < series.size(); ++s) {
    const int points = 20 + 7 * static_cast<int>(s);
    const double end = s == 1 ? 0.7 : 1;
    series[s].label = names[s];
    for (int i = 0; i < points; ++i) {
      series[s].x.push_back(end * i / (points - 1));
      series[s].y.push_back(s == 3 ? series[s].x.back() : 0);
    }
  }
  Figure figure = figure_of(series);
  figure.panels[0].log_x = figure.panels[0].log_y = false;
  EXPECT_THAT(legend_of(make_layout(figure, "")),
              ElementsAre("average acceleration, Fox and Goodwin and Euler", "damped"));
  for (double& x : figure.panels[0].series[1].x) x /= 2;  // too short to stand for the whole
  EXPECT_EQ(legend_of(make_layout(figure, "")).size(), 3u);
}

// The three of a = 0 are drawn over each other, in the colour of the last.
TEST(FigureChannels, TheCaptionNamesWhatCoincidesWithinFactors) {
  std::vector<Series> series;
  for (const char* start : {"consistent", "a = 0"})
    for (int index = 1; index <= 3; ++index)
      series.push_back(power_curve({{"start", start}, {"formulation", fmt::format("index-{}", index)}}, 2,
                                   start[0] == 'a' ? 1 : std::pow(5, index)));
  const Figure figure = figure_of(series);
  EXPECT_EQ(caption_of(figure, make_layout(figure, "")),
            "Errors. Curves that coincide: a = 0, index-1; a = 0, index-2; a = 0, index-3.");
}

TEST(FigureLegend, ALoneCurveHasNone) {
  EXPECT_TRUE(make_layout(figure_of({power_curve({{"method", "gauss"}}, 2, 1)}), "").legend.empty());
}

// ----- legends

// 5 methods, 2 forms, 2 arithmetics: 20 curves.
TEST(FigureLegend, ManyCurvesBecomePanelsThatShareAxes) {
  const Layout layout = make_layout(grid_of(5, 2, 2), "");
  EXPECT_LE(layout.legend.size(), most_legend_entries);
  ASSERT_EQ(layout.panels.size(), 2u);
  EXPECT_EQ(layout.columns, 2u);
  EXPECT_EQ(layout.panels[0].x.hi, layout.panels[1].x.hi);
  EXPECT_EQ(layout.panels[0].y.lo, layout.panels[1].y.lo);
  EXPECT_FALSE(layout.panels[1].shows_y_axis);
  EXPECT_NE(layout.panels[0].title, layout.panels[1].title);
}

// Step histories of several runs.
TEST(FigureLegend, CurvesThatFillThePanelHaveOneEach) {
  std::vector<Series> series(3);
  for (std::size_t s = 0; s < series.size(); ++s) {
    series[s].label = fmt::format("run {}", s + 1);
    for (int i = 1; i < 200; ++i) series[s].x.push_back(i), series[s].y.push_back(i % 2 ? 1e-3 : 1e-6 * (1.0 + s));
  }
  const Layout layout = make_layout(figure_of(series), "");
  ASSERT_EQ(layout.panels.size(), 3u);
  EXPECT_EQ(layout.panels[2].title, "run 3");
  EXPECT_TRUE(layout.legend.empty());
  EXPECT_FALSE(layout.panels[0].shows_x_axis);
  EXPECT_TRUE(layout.panels[2].shows_x_axis);
}

TEST(FigureLegend, IsInsideTheFrameAndHidesNothing) {
  const Layout layout = make_layout(grid_of(2, 1, 1), "");
  const PlacedPanel& placed = layout.panels[0];
  ASSERT_EQ(layout.legend.size(), 2u);
  for (const PlacedEntry& entry : layout.legend) {
    const double right = entry.x + sample_width + sample_gap + label_width(entry.entry.text);
    EXPECT_GT(entry.x, placed.left);
    EXPECT_LT(right, placed.left + placed.width);
    for (const Curve& curve : placed.curves)
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        const double x = placed.left + placed.x.place(curve.x[i]) * placed.width,
                     y = placed.bottom + placed.y.place(curve.y[i]) * placed.height;
        EXPECT_TRUE(x < entry.x || x > right || std::abs(y - entry.y) > line_height / 2);
      }
  }
}

// ----- fits

TEST(FigureFits, PointsLeftOutAreHollowAndTheFloorIsMarked) {
  const TemporaryFolder folder;
  Series series = power_curve({{"method", "gauss"}}, 2, 1);
  series.fit = Fit{1.98, 0.02, {1, 2}}, series.floor = 1e-6;
  const Figure figure = figure_of({series});
  const Layout layout = make_layout(figure, "");
  EXPECT_THAT(layout.panels[0].curves[0].left_out, ElementsAre(true, false, false));
  EXPECT_TRUE(is_floor(layout.panels[0].curves.back()));
  ASSERT_EQ(layout.panels[0].line_labels.size(), 2u);
  EXPECT_EQ(layout.panels[0].line_labels[1].text, "1.98 ± 0.02");
  write_figure(figure, "", folder.path(), {.formats = {"svg", "pgf"}});
  EXPECT_THAT(text_of(folder.path() + "/errors.dat"), HasSubstr("0.001 1e-06 0\n"));
  EXPECT_THAT(text_of(folder.path() + "/errors.gp"), HasSubstr("($3 == 0 ? $2 : NaN) with points pt 6"));
  EXPECT_THAT(text_of(folder.path() + "/errors.pgf.tex"), HasSubstr("mark=o"));
}

// Curves a line apart leave no room between them.
TEST(FigureFits, SlopesWithoutRoomAreInTheLegendOrTheCaption) {
  std::vector<Series> single, split;
  for (int i = 0; i < 6; ++i) {
    single.push_back(power_curve({{"method", fmt::format("method {}", i)}}, 2, std::pow(1.6, i)));
    split.push_back(power_curve({{"method", fmt::format("method {}", i / 2)}, {"formulation", i % 2 ? "ggl" : "ode"}},
                                2, std::pow(1.6, i)));
    single.back().fit = split.back().fit = Fit{2, 0.01, {0, 1, 2}};
  }
  const auto told = [](const std::vector<Series>& series, const std::string& text) {
    const Figure figure = figure_of(series);
    const Layout layout = make_layout(figure, "");
    std::string all = caption_of(figure, layout);
    for (const std::string& entry : legend_of(layout)) all += entry;
    std::size_t count = layout.panels[0].line_labels.size();
    for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(told(single, "2.00 ± 0.01"), 6u);
  EXPECT_EQ(told(split, "2.00 ± 0.01"), 6u);
}

// ----- texts

TEST(FigureText, LettersAreSymbolsUnitsAreNot) {
  EXPECT_EQ(gnuplot_label("error of q at t = 1 s"), "'error of {/:Italic q} at {/:Italic t} = 1 s'");
  EXPECT_EQ(gnuplot_label("step size h [s]"), "'step size {/:Italic h} [s]'");
  EXPECT_EQ(gnuplot_label("λ_min, q1, 10^-6"), "'{/:Italic λ}_{min}, {/:Italic q}_{1}, 10^{−6}'");
  EXPECT_EQ(gnuplot_label("a figure of A-stable methods"), "'a figure of A-stable methods' noenhanced");
  EXPECT_EQ(gnuplot_label("g = 9.81 m/s^2"), "'{/:Italic g} = 9.81 m/s^{2}'");
  EXPECT_EQ(gnuplot_label("2 h/T"), "'2 {/:Italic h}/{/:Italic T}'");
  EXPECT_EQ(gnuplot_label("|C'| [m^2/s]"), "\"|{/:Italic C}'| [m^{2}/s]\"");
  EXPECT_EQ(gnuplot_label("Newton's rule"), "\"Newton's rule\" noenhanced");
  EXPECT_EQ(gnuplot_label("x3″ [m/s²]"), "'{/:Italic x}_{3}″ [m/s²]'");
  EXPECT_EQ(gnuplot_label("{a} q"), "'{a} q' noenhanced") << "marks of gnuplot have no meaning";
  EXPECT_EQ(latex_label("error of q_1 & 5%"), "error of $q$$_{\\mathrm{1}}$ \\& 5\\%");
  EXPECT_EQ(latex_label("x3″"), "$x$$_{\\mathrm{3}}$$''$");
}

// A character unknown to LaTeX becomes its number in a table.
TEST(FigureText, LatexKnowsTheCharactersOfExperiments) {
  int files = 0;
  for (const char* folder : {"/experiments", "/problems", "/methods", "/formulations"})
    for (const auto& file : fs::recursive_directory_iterator(source_path("") + folder)) {
      const std::string ending = file.path().extension();
      if (ending != ".json" && ending != ".cpp") continue;
      ++files;
      EXPECT_THAT(escape_latex(file_bytes(file.path().string()).value()), Not(HasSubstr("(U+"))) << file.path();
    }
  EXPECT_GT(files, 300);
}

TEST(FigureText, MarksOfDirectionAreShown) {
  EXPECT_THAT(gnuplot_label("\u202eabc"), AllOf(HasSubstr("+202E)abc"), Not(HasSubstr("\u202e"))));
  EXPECT_THAT(latex_label("a\u2066b"), AllOf(HasSubstr("+2066)"), Not(HasSubstr("\u2066"))));
}

TEST(FigureText, SpecificationsAreReadable) {
  EXPECT_EQ(readable_specs("RKC, penalty:chi=100"), "RKC, penalty, chi = 100");
  EXPECT_EQ(readable_specs("pade-block:r=4,k=2, index-3"), "pade-block, r = 4, k = 2, index-3");
  for (const char* text : {"t = 1: a", "ratio 1:2", "a = b"}) EXPECT_EQ(readable_specs(text), text);
}

// ----- widths and formats

TEST(FigureWidth, ColumnsOrMillimetres) {
  EXPECT_EQ(figure_width("1"), journal_column);
  EXPECT_EQ(figure_width("2"), journal_page);
  EXPECT_EQ(figure_width("120"), 120);
  EXPECT_EQ(figure_width("120mm"), 120);
  EXPECT_EQ(figure_width("17.4cm"), 174);
  for (const char* bad : {"", "3", "0", "-85", "1e9", "nan", "wide", "85 inches", "10pt"})
    EXPECT_THAT([&] { figure_width(bad); }, testing::ThrowsMessage<InputError>(HasSubstr("60 to 400 mm"))) << bad;
}

TEST(FigureWidth, IsThatOfTheDrawing) {
  const TemporaryFolder folder;
  write_figure(grid_of(2, 2, 1), "", folder.path(), {.formats = {"svg"}, .width = journal_page});
  EXPECT_THAT(text_of(folder.path() + "/errors.svg"), HasSubstr("width=\"658\""));  // pixels of 1/96 inch
}

// librsvg drops blanks at the ends of the pieces of a text that does not say so.
TEST(FigureFormats, BlanksOfTheSvgAreKept) {
  const TemporaryFolder folder;
  write_figure(grid_of(2, 2, 1), "", folder.path(), {.formats = {"svg"}});
  const std::string svg = text_of(folder.path() + "/errors.svg");
  EXPECT_THAT(svg, HasSubstr("<text xml:space=\"preserve\"><tspan"));
  EXPECT_THAT(svg, Not(HasSubstr("<text>")));
}

TEST(FigureFormats, HaveTheSameBytesTwiceAndATitle) {
  const TemporaryFolder one, two;
  for (const TemporaryFolder* folder : {&one, &two})
    write_figure(grid_of(3, 2, 1), "", folder->path(), {.formats = {"svg", "pdf", "png", "pgf"}});
  for (const char* name : {"errors.gp", "errors.dat", "errors.svg", "errors.pdf", "errors.png", "errors.pgf.tex"}) {
    const std::string bytes = text_of(one.path() + "/" + name);
    EXPECT_GT(bytes.size(), 200u) << name;
    EXPECT_TRUE(bytes == text_of(two.path() + "/" + name)) << name;
  }
  EXPECT_THAT(text_of(one.path() + "/errors.png"), testing::StartsWith("\x89PNG"));
  const std::string pdf = text_of(one.path() + "/errors.pdf");
  EXPECT_THAT(pdf, AllOf(HasSubstr("/Title (Errors.)"), Not(HasSubstr("Date"))));
}

TEST(FigureFormats, PgfplotsCompiles) {
  const ProcessOutcome found =
      find_program("kpsewhich").empty() ? ProcessOutcome{1, ""} : run_process({"kpsewhich", "pgfplots.sty"});
  if (found.code != 0 || find_program("pdflatex").empty()) GTEST_SKIP() << "no pdflatex with pgfplots here";
  const TemporaryFolder folder;
  Figure figure = grid_of(2, 2, 1);
  figure.panels[0].series[0].fit = Fit{1, 0.1, {0, 1}};
  figure.panels[0].series[0].label += " & 100% of λ_min^2 \u202e";
  write_figure(figure, "", folder.path(), {.formats = {"pgf"}});
  write_file(
      folder.path() + "/all.tex",
      "\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\\begin{document}\\input{errors.pgf.tex}"
      "\\end{document}\n");
  const ProcessOutcome outcome =
      run_process({"pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"}, folder.path());
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

}  // namespace TEST_FILE
}  // namespace daelab
