#include "report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "core/base/write_file.hpp"
#include "report/gnuplot.hpp"
#include "report/layout.hpp"
#include "report/sketch.hpp"
#include "report/text.hpp"

namespace daelab {
namespace {

// Okabe and Ito's colour-blind-safe palette without its yellow, which is too light for lines on
// white; dark and light alternate, so that neighbours differ in grey too. Markers and dashes repeat
// with other periods than the colours: no two of the first 56 curves look alike.
constexpr std::array colours = {"#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"};
constexpr std::array markers = {7, 4, 9, 12, 6, 5, 8, 13};
constexpr std::array dashes = {"1", "(9,4)", "(3,3)", "(9,3,2,3)", "(14,4)"};

// 7 pt at the printed size in both terminals: svg counts pixels of 1/96 inch, and pdfcairo sets its
// fonts 96/72 too large, hence fontscale 0.75.
constexpr double points_per_mm = 72 / 25.4, pixels_per_mm = 96 / 25.4;

std::string comment(const std::string& text) {
  std::string lines;
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", i), text.size());
    if (lines.empty() || length + end - i > 96) {
      lines += lines.empty() ? "#" : "\n#";
      length = 1;
    }
    lines += " " + text.substr(i, end - i);
    length += 1 + end - i;
    i = end + 1;
  }
  return lines + "\n";
}

std::string data_file(const Layout& layout) {
  std::string text = "# Blocks in the order of the curves; two blank lines between blocks.\n";
  int block = 0;
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves) {
      if (curve.x.empty()) continue;
      text += block ? "\n\n" : "";
      text += comment(fmt::format("index {}: {}; columns: {}, {}", block, curve.label, placed.panel->x_label,
                                  placed.panel->y_label));
      for (std::size_t i = 0; i < curve.x.size(); ++i) text += fmt::format("{} {}\n", curve.x[i], curve.y[i]);
      ++block;
    }
  return text;
}

// How a script begins: what it draws, and how to draw it again.
std::string heading(const Figure& figure, const std::string& command) {
  std::string text = comment(figure.caption);
  if (!command.empty()) text += comment("Made by: " + command);
  return text + comment(fmt::format("Redraw {0}.svg and {0}.pdf from {0}.dat: gnuplot {0}.gp", file_stem(figure.id)));
}

// What is not drawn as it was computed, one comment line per curve.
std::string remarks(const Layout& layout) {
  std::string text;
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves) {
      if (curve.x.size() < curve.total)
        text += comment(fmt::format("Curve '{}' is thinned to {} of {} points; extremes are kept.", curve.label,
                                    curve.x.size(), curve.total));
      if (curve.skipped)
        text +=
            comment(fmt::format("Curve '{}' leaves out {} of its points: not finite, or not positive on a "
                                "logarithmic axis.",
                                curve.label, curve.skipped));
    }
  return text;
}

std::string prologue(const Figure& figure, const Layout& layout, const std::string& command) {
  std::string text = heading(figure, command) + remarks(layout);
  text += "\nif (!exists(\"formats\")) formats = \"svg pdf\"\nset encoding utf8\n\n";
  text += "# Curves: colours, markers and dashes all differ, so the figure survives a copier.\n";
  const std::size_t styles = std::max<std::size_t>(1, layout.legend.size());
  for (std::size_t i = 0; i < styles; ++i)
    text += fmt::format("set style line {} lc rgb '{}' lw 1.1 dt {} pt {}\n", i + 1, colours[i % colours.size()],
                        dashes[i % dashes.size()], markers[i % markers.size()]);
  text += "# Reference lines, with their text on the line.\n";
  text += "set style line 100 lc rgb '#808080' lw 0.7 dt (6,4)\n";
  text += "# Lines x = 0 and y = 0.\n";
  text += "set style line 101 lc rgb '#808080' lw 0.4 dt 1\n";
  text += "set style textbox opaque noborder fillcolor rgb 'white' margins 0.4,0.2\n";
  text += "set border 31 lw 0.5 lc rgb 'black'\n";
  text += "set tics in scale 0.7,0.35\n";
  return text;
}

std::string open_terminal(const std::string& stem, const Layout& layout) {
  return fmt::format(
      "do for [format in formats] {{\n"
      "if (format eq \"svg\") {{\n"
      "  set terminal svg size {:.0f},{:.0f} fixed enhanced font 'sans-serif,{:.2f}' lw 1.33 \\\n"
      "    background rgb 'white'\n  set pointsize 0.65\n  key_spacing = 0.72\n"
      "}} else {{\n"
      "  set terminal pdfcairo size {:.2f}cm,{:.2f}cm enhanced font 'Helvetica,7' \\\n"
      "    fontscale 0.75 lw 2\n  set pointsize 0.5\n  key_spacing = 1\n"
      "}}\n"
      "set output '{}.'.format\n"
      "set multiplot\n",
      figure_width * pixels_per_mm, layout.height * pixels_per_mm, 7 * pixels_per_mm / points_per_mm, figure_width / 10,
      layout.height / 10, stem);
}

// The end of a range with four digits more than the range needs, so that the script stays readable.
std::string range_end(double end, const Axis& axis) {
  const double size = std::max(std::abs(axis.lo), std::abs(axis.hi));
  const double cancelled = axis.log ? 0 : std::ceil(std::log10(size / (axis.hi - axis.lo)));
  return fmt::format("{:.{}g}", end / std::pow(10, axis.exponent), 4 + std::clamp(static_cast<int>(cancelled), 0, 13));
}

std::string axis_settings(const char* name, const Axis& axis, const std::string& format) {
  return fmt::format(
      "{1} logscale {0}\nset {0}range [{2}:{3}]\nset {0}tics {4}\nset m{0}tics {5}\n"
      "set format {0} {6}\n",
      name, axis.log ? "set" : "unset", range_end(axis.lo, axis), range_end(axis.hi, axis), axis.tics,
      axis.minor ? std::to_string(axis.minor) : "1", quote_gnuplot(format));
}

std::string power_of_ten(int exponent) { return fmt::format("'×10^{{{}}}'", exponent); }

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : ".\"\\n\".") + quote_gnuplot(line);
  return text;
}

// Axis labels are at fixed places, so that those of stacked panels are in line.
std::string axis_labels(const PlacedPanel& placed, const Layout& layout) {
  std::string text;
  const auto add = [&](const std::string& label, const std::string& place) {
    text += fmt::format("set label {} at {}\n", label, place);
  };
  const double block = line_height * static_cast<double>(placed.y_label.size());
  if (!placed.panel->y_label.empty())
    add(joined_lines(placed.y_label),
        fmt::format("screen {:.4f}, graph 0.5 center rotate by 90 noenhanced",
                    (0.6 + line_height / 2 + (block - line_height) * 0.4) / figure_width));
  if (placed.y.exponent)
    add(power_of_ten(placed.y.exponent),
        fmt::format("graph 0, screen {:.4f} left", (placed.bottom + placed.height + line_height / 2) / layout.height));
  if (!placed.shows_x_axis) return text;
  const double y = (placed.bottom - x_axis_height + 2.2) / layout.height;
  if (!placed.panel->x_label.empty())
    add(quote_gnuplot(placed.panel->x_label), fmt::format("graph 0.5, screen {:.4f} center noenhanced", y));
  if (placed.x.exponent) add(power_of_ten(placed.x.exponent), fmt::format("graph 1, screen {:.4f} right", y));
  return text;
}

// As arrows: with zeroaxis and filled curves together, gnuplot draws the frame of a PDF twice as thick.
std::string zero_lines(const PlacedPanel& placed) {
  const auto shows_zero = [](const Axis& axis) { return !axis.log && axis.lo < 0 && axis.hi > 0; };
  std::string text;
  if (!placed.panel->zero_axes) return text;
  if (shows_zero(placed.y)) text += "set arrow from graph 0, first 0 to graph 1, first 0 nohead back ls 101\n";
  if (shows_zero(placed.x)) text += "set arrow from first 0, graph 0 to first 0, graph 1 nohead back ls 101\n";
  return text;
}

std::string line_labels(const PlacedPanel& placed) {
  std::string text;
  for (const LineLabel& label : placed.line_labels)
    text += fmt::format(
        "set label {} at {}, {} center boxed noenhanced front "
        "textcolor rgb '#606060'\n",
        quote_gnuplot(label.text), label.x / std::pow(10, placed.x.exponent),
        label.y / std::pow(10, placed.y.exponent));
  return text;
}

// Where all areas of a figure overlap, what lies below can still be seen.
std::string fill_style(const Layout& layout) {
  std::set<std::string> labels;
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves)
      if (curve.style == "filled") labels.insert(curve.label);
  return fmt::format("fs transparent solid {:.3f} noborder",
                     std::clamp(0.3 / static_cast<double>(labels.size()), 0.04, 0.2));
}

// Lines of several curves carry a few markers, because dashes alone are lost on a noisy curve; a
// boundary is told apart by its area.
std::string drawing_style(const Curve& curve, const Layout& layout) {
  if (curve.style == "reference") return "lines ls 100";
  const std::size_t style = layout.style_of(curve.label) + 1;
  if (curve.style == "filled") return fmt::format("filledcurves closed ls {} {}", style, fill_style(layout));
  if (curve.style == "thin") return fmt::format("lines ls {} lw 0.5 dt 1", style);
  if (curve.style == "points") return fmt::format("points ls {}", style);
  if (curve.style == "circle") return fmt::format("points ls {} pt 6", style);
  if (curve.style == "star") return fmt::format("points ls {} pt 3", style);
  if (curve.style == "line" && (layout.lines < 2 || layout.has_area(curve.label)))
    return fmt::format("lines ls {}", style);
  const std::size_t most = curve.style == "line" ? 8 : 30;
  return fmt::format("linespoints ls {} pi {}", style, (curve.x.size() + most - 1) / most);
}

std::string value_of(int column, int exponent) {
  return exponent ? fmt::format("(${}/1e{})", column, exponent) : std::to_string(column);
}

std::string plot_command(const std::string& stem, const PlacedPanel& placed, const Layout& layout, int& block) {
  std::string text;
  for (const Curve& curve : placed.curves) {
    if (curve.x.empty()) continue;
    text += fmt::format("{} '{}.dat' index {} using {}:{} with {} notitle", text.empty() ? "plot" : ", \\\n    ", stem,
                        block++, value_of(1, placed.x.exponent), value_of(2, placed.y.exponent),
                        drawing_style(curve, layout));
  }
  if (text.empty())  // an empty frame says more than a missing figure
    text = "set label 'no values to show' at graph 0.5, graph 0.5 center\nplot NaN notitle";
  return text + "\n";
}

std::string panel_script(const std::string& stem, const PlacedPanel& placed, const Layout& layout, int number,
                         int& block) {
  std::string text = fmt::format("\n# Panel {}\n", number);
  text += fmt::format("set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n", layout.left / figure_width,
                      layout.right / figure_width);
  text += fmt::format("set bmargin at screen {:.4f}\nset tmargin at screen {:.4f}\n", placed.bottom / layout.height,
                      (placed.bottom + placed.height) / layout.height);
  text += axis_settings("x", placed.x, placed.shows_x_axis ? placed.x.format : "");
  text += axis_settings("y", placed.y, placed.y.format);
  text += "unset arrow\n" + zero_lines(placed) + "unset label\n" + axis_labels(placed, layout) + line_labels(placed);
  return text + plot_command(stem, placed, layout, block);
}

// What stands for a label in the legend: a line or marker where it has one, else an area or a thin line.
std::string sample_style(const std::string& label, const Layout& layout) {
  const Curve* sample = nullptr;
  const auto is_second_choice = [](const Curve& curve) { return curve.style == "filled" || curve.style == "thin"; };
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves)
      if (curve.label == label && curve.style != "reference" && (!sample || !is_second_choice(curve))) sample = &curve;
  const std::string how = drawing_style(*sample, layout);
  return how.substr(0, how.find(" pi "));
}

// The legend is a frameless plot of its own: one for all panels, below them.
std::string legend_script(const Layout& layout) {
  if (layout.legend.empty()) return "";
  std::string text = fmt::format(
      "\n# Legend\nunset label\nunset tics\nunset border\nunset logscale\nunset arrow\n"
      "set xrange [0:1]\nset yrange [0:1]\nset lmargin at screen 0\nset rmargin at screen 1\n"
      "set key at screen 0.5, screen {:.4f} center top horizontal maxcols {} Left reverse \\\n"
      "  noenhanced samplen 3 spacing key_spacing width 1\n",
      layout.key_top / layout.height, layout.key_columns);
  for (std::size_t i = 0; i < layout.legend.size(); ++i)
    text += fmt::format("{} NaN with {} title {}", i ? ", \\\n    " : "plot", sample_style(layout.legend[i], layout),
                        quote_gnuplot(shortened(layout.legend[i], longest_legend_text)));
  return text + "\nset border\nset tics\n";
}

std::string script(const Figure& figure, const Layout& layout, const std::string& command) {
  const std::string stem = file_stem(figure.id);
  std::string text = prologue(figure, layout, command) + "\n" + open_terminal(stem, layout);
  int block = 0;
  for (std::size_t i = 0; i < layout.panels.size(); ++i)
    text += panel_script(stem, layout.panels[i], layout, static_cast<int>(i) + 1, block);
  text += legend_script(layout);
  return text + "unset multiplot\nset output\n}\n";
}

FigureFiles files_of(const Figure& figure, const std::string& result_dir, const std::string& command) {
  if (!figure.sketch.empty())
    return sketch_files(sketch_page(figure.sketch), file_stem(figure.id), heading(figure, command));
  const Layout layout = make_layout(figure, result_dir);
  return {script(figure, layout, command), data_file(layout)};
}

}  // namespace

std::vector<std::string> write_figure(const Figure& figure, const std::string& result_dir, const std::string& folder,
                                      const std::set<std::string>& formats, const std::string& command) {
  const std::string stem = file_stem(figure.id);
  const std::filesystem::path base = std::filesystem::path(folder) / stem;
  std::vector<std::string> files = {stem + ".gp", stem + ".dat"};
  const FigureFiles written = files_of(figure, result_dir, command);
  write_file(base.string() + ".gp", written.script);
  write_file(base.string() + ".dat", written.data);
  std::string drawn;
  for (const char* format : {"svg", "pdf"})
    if (formats.count(format)) {
      drawn += (drawn.empty() ? "" : " ") + std::string(format);
      files.push_back(stem + "." + format);
      std::filesystem::remove(base.string() + "." + format);  // gnuplot would write through a link
    }
  if (!drawn.empty()) run_gnuplot(folder, stem + ".gp", "formats = \"" + drawn + "\"");
  for (const std::string& file : files)
    if (!std::filesystem::exists(std::filesystem::path(folder) / file))
      throw std::runtime_error("gnuplot did not write " + file + " in " + folder);
  return files;
}

}  // namespace daelab
