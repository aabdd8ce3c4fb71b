#include "report/figures/figure_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/figure_style.hpp"
#include "report/layout/gnuplot.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"

namespace daelab {
namespace {

constexpr const char* grey = "808080";
constexpr const char* guide_style = "lc rgb '#808080' lw 0.7 dt (6,4)";
// Around a text that is on its dashed line there is more white, for a dash at its end looks like a minus sign.
constexpr int slope_box = 1, guide_box = 2;
constexpr const char* floor_style = "lc rgb '#808080' lw 0.9 dt (2,3)";

std::string data_file(const Layout& layout) {
  std::string text = "# Blocks in the order of the curves; two blank lines between blocks.\n";
  int block = 0;
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves) {
      if (curve.x.empty()) continue;
      text += block ? "\n\n" : "";
      text += script_comment(fmt::format("index {}: {}; columns: {}, {}{}", block, curve.label, placed.panel->x_label,
                                         placed.panel->y_label,
                                         curve.left_out.empty() ? "" : ", 1 where the fit used the point"));
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        text += fmt::format("{} {}", curve.x[i], curve.y[i]);
        if (!curve.left_out.empty()) text += curve.left_out[i] ? " 0" : " 1";
        text += "\n";
      }
      ++block;
    }
  return text;
}

// ----- axes -----

// The end of a range with four digits more than the range needs, so that the script stays readable.
std::string range_end(double end, const Axis& axis) {
  const double size = std::max(std::abs(axis.lo), std::abs(axis.hi));
  const double cancelled = axis.log ? 0 : std::ceil(std::log10(size / (axis.hi - axis.lo)));
  return fmt::format("{:.{}g}", end / std::pow(10, axis.exponent), 4 + std::clamp(static_cast<int>(cancelled), 0, 13));
}

std::string axis_settings(const char* name, const Axis& axis, bool shown) {
  std::string text =
      fmt::format("{1} logscale {0}\nset {0}range [{2}:{3}]\nset {0}tics {4}\n", name, axis.log ? "set" : "unset",
                  range_end(axis.lo, axis), range_end(axis.hi, axis), axis.tics);
  if (!axis.more_tics.empty()) text += fmt::format("set {}tics add {}\n", name, axis.more_tics);
  text += fmt::format("set m{}tics {}\n", name, axis.minor ? axis.minor : 1);
  // Listed labels have no format to leave out.
  if (!shown && axis.tics.starts_with('(')) return text + fmt::format("set {}tics format ''\n", name);
  return text + fmt::format("set format {} {}\n", name, quote_gnuplot(shown ? axis.format : ""));
}

std::string exponent_text(int exponent) {
  return fmt::format("'×10^{{{}{}}}'", exponent < 0 ? "−" : "", std::abs(exponent));
}

// ----- texts at fixed places -----

class Labels {
 public:
  explicit Labels(const Layout& layout) : layout_(layout) {}

  std::string x(double mm) const { return fmt::format("screen {:.4f}", mm / layout_.width); }
  std::string y(double mm) const { return fmt::format("screen {:.4f}", mm / layout_.height); }

  // Axis labels are at fixed places, so that those of stacked panels are in line.
  std::string of_axes(const PlacedPanel& placed) const {
    std::string text;
    const auto add = [&](const std::string& label, const std::string& place) {
      text += fmt::format("set label {} at {}\n", label, place);
    };
    constexpr double first_line = 2.3, distance = 3;
    for (std::size_t i = 0; placed.shows_y_axis && i < placed.y_label.size(); ++i)
      if (!placed.y_label[i].empty())
        add(gnuplot_label(placed.y_label[i]),
            x(first_line + distance * static_cast<double>(i)) + ", graph 0.5 center rotate by 90");
    const double top = placed.bottom + placed.height;
    if (placed.y.exponent && placed.shows_y_axis)
      add(exponent_text(placed.y.exponent), "graph 0, " + y(top + line_height / 2) + " left");
    if (!placed.title.empty()) add(gnuplot_label(placed.title), "graph 0.5, " + y(top + line_height / 2) + " center");
    if (!placed.shows_x_axis) return text;
    const double below = placed.bottom - x_axis_height + 2.2;
    for (std::size_t i = 0; i < placed.x_label.size(); ++i)
      if (!placed.x_label[i].empty())
        add(gnuplot_label(placed.x_label[i]), "graph 0.5, " + y(below - distance * static_cast<double>(i)) + " center");
    if (placed.x.exponent) add(exponent_text(placed.x.exponent), "graph 1, " + y(below) + " right");
    return text;
  }

  static std::string of_lines(const PlacedPanel& placed, const Layout& layout) {
    std::string text;
    for (const LineLabel& label : placed.line_labels) {
      const std::string colour =
          label.of ? text_colours[drawing_of(placed.curves[*label.of], layout).colour] : "606060";
      text += fmt::format("set label {} at {}, {} center boxed bs {} front textcolor rgb '#{}'\n",
                          gnuplot_label(label.text), label.x / std::pow(10, placed.x.exponent),
                          label.y / std::pow(10, placed.y.exponent), label.of ? slope_box : guide_box, colour);
    }
    return text;
  }

 private:
  const Layout& layout_;
};

// As arrows: with zeroaxis and filled curves together, gnuplot draws the frame of a PDF twice as thick.
std::string zero_lines(const PlacedPanel& placed) {
  const auto shows_zero = [](const Axis& axis) { return !axis.log && axis.lo < 0 && axis.hi > 0; };
  std::string text;
  if (!placed.panel->zero_axes) return text;
  if (shows_zero(placed.y)) text += "set arrow from graph 0, first 0 to graph 1, first 0 nohead back ls 101\n";
  if (shows_zero(placed.x)) text += "set arrow from first 0, graph 0 to first 0, graph 1 nohead back ls 101\n";
  return text;
}

// ----- curves -----

std::string line_style(const Drawing& drawing) {
  return fmt::format("lc rgb '#{}' lw {} dt {}", figure_colours[drawing.colour], drawing.thin ? 0.5 : 1.1,
                     drawing.thin ? "1" : figure_dashes[drawing.dash]);
}

std::string marker_style(const Drawing& drawing, bool hollow = false) {
  return fmt::format("pt {} ps {:.2f}*points lc rgb '#{}' lw 0.8",
                     hollow ? drawing.marker.hollow : drawing.marker.filled, drawing.marker.size,
                     figure_colours[drawing.colour]);
}

std::string column(int number, int exponent) {
  return exponent ? fmt::format("(${}/1e{})", number, exponent) : std::to_string(number);
}

// "'x.dat' index 0 using 1:2 with lines ...", once for each part of a curve.
std::vector<std::string> curve_parts(const std::string& stem, const PlacedPanel& placed, const Curve& curve,
                                     const Layout& layout, int block) {
  const std::string x = column(1, placed.x.exponent), y = column(2, placed.y.exponent);
  const std::string from = fmt::format("'{}.dat' index {} ", stem, block);
  const auto part = [&](const std::string& ordinate, const std::string& how, std::size_t step = 1) {
    const std::string every = step > 1 ? fmt::format("every {} ", step) : "";
    return fmt::format("{}{}using {}:{} with {} notitle", from, every, x, ordinate, how);
  };
  if (is_reference(curve)) return {part(y, fmt::format("lines {}", is_floor(curve) ? floor_style : guide_style))};
  const Drawing drawing = drawing_of(curve, layout);
  if (drawing.area)
    return {part(y, fmt::format("filledcurves closed fc rgb '#{}' fs transparent solid {:.3f} noborder",
                                figure_colours[drawing.colour], drawing.opacity))};
  std::vector<std::string> parts;
  if (drawing.line) parts.push_back(part(y, "lines " + line_style(drawing)));
  if (!drawing.markers) return parts;
  if (curve.left_out.empty()) {
    parts.push_back(part(y, "points " + marker_style(drawing), drawing.marker_step));
    return parts;
  }
  const std::string value = placed.y.exponent ? fmt::format("$2/1e{}", placed.y.exponent) : "$2";
  parts.push_back(part(fmt::format("($3 == 1 ? {} : NaN)", value), "points " + marker_style(drawing)));
  parts.push_back(part(fmt::format("($3 == 0 ? {} : NaN)", value), "points " + marker_style(drawing, true)));
  return parts;
}

std::string plot_command(const std::string& stem, const PlacedPanel& placed, const Layout& layout, int& block) {
  std::string text;
  for (const Curve& curve : placed.curves) {
    if (curve.x.empty()) continue;
    for (const std::string& part : curve_parts(stem, placed, curve, layout, block))
      text += (text.empty() ? "plot " : ", \\\n    ") + part;
    ++block;
  }
  if (text.empty())  // an empty frame says more than a missing figure
    text = "set label 'no values to show' at graph 0.5, graph 0.5 center\nplot NaN notitle";
  return text + "\n";
}

std::string panel_script(const PlacedPanel& placed, const Layout& layout, int number) {
  std::string text = fmt::format("\n# Panel {}{}\n", number, placed.title.empty() ? "" : ": " + placed.title);
  text += fmt::format("set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n", placed.left / layout.width,
                      (placed.left + placed.width) / layout.width);
  text += fmt::format("set bmargin at screen {:.4f}\nset tmargin at screen {:.4f}\n", placed.bottom / layout.height,
                      (placed.bottom + placed.height) / layout.height);
  text += axis_settings("x", placed.x, placed.shows_x_axis) + axis_settings("y", placed.y, placed.shows_y_axis);
  text += "unset arrow\nunset label\nunset object\n" + zero_lines(placed);
  return text + Labels(layout).of_axes(placed) + Labels::of_lines(placed, layout);
}

// ----- legend -----

std::string sample_script(const PlacedEntry& placed, const Layout& layout, const Labels& at) {
  const std::string y = at.y(placed.y), begin = at.x(placed.x), end = at.x(placed.x + sample_width),
                    middle = at.x(placed.x + sample_width / 2);
  if (placed.entry.guide)
    return fmt::format("set arrow from {}, {} to {}, {} nohead front {}\n", begin, y, end, y, guide_style);
  const Drawing drawing = sample_of(placed, layout);
  if (drawing.area)
    return fmt::format("set object rectangle from {}, {} to {}, {} front fc rgb '#{}' fs transparent solid {:.3f}\n",
                       begin, at.y(placed.y - 1), end, at.y(placed.y + 1), figure_colours[drawing.colour],
                       drawing.opacity);
  std::string text;
  if (drawing.line)
    text += fmt::format("set arrow from {}, {} to {}, {} nohead front {}\n", begin, y, end, y, line_style(drawing));
  if (drawing.markers) text += fmt::format("set label '' at {}, {} point {} front\n", middle, y, marker_style(drawing));
  return text;
}

// Samples and texts in places of their own: gnuplot's key breaks its rows before it knows the font.
std::string legend_script(const Layout& layout) {
  const Labels at(layout);
  std::string text = layout.legend.empty() ? "" : "# Legend\n";
  for (const PlacedEntry& placed : layout.legend) {
    text += sample_script(placed, layout, at);
    for (std::size_t i = 0; i < placed.lines.size(); ++i)
      text += fmt::format("set label {} at {}, {} left front\n", gnuplot_label(placed.lines[i]),
                          at.x(placed.x + sample_width + sample_gap),
                          at.y(placed.y - line_height * static_cast<double>(i)));
  }
  return text;
}

// What is not drawn as it was computed, one sentence per curve.
std::vector<std::string> remarks_on(const Layout& layout) {
  std::vector<std::string> remarks;
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves) {
      if (curve.x.size() < curve.total)
        remarks.push_back(fmt::format("Curve '{}' is thinned to {} of {} points; extremes are kept.", curve.label,
                                      curve.x.size(), curve.total));
      if (curve.skipped)
        remarks.push_back(
            fmt::format("Curve '{}' leaves out {} of its points: not finite, or not positive on a logarithmic axis.",
                        curve.label, curve.skipped));
    }
  return remarks;
}

std::string settings(const std::string& stem, const Layout& layout) {
  std::string text = "\n" + open_terminals(stem, layout.width, layout.height);
  text += fmt::format("set style line 101 lc rgb '#{}' lw 0.4 dt 1\n", grey);
  const auto box = [](int number, const char* margins) {
    return fmt::format("set style textbox {} opaque noborder fillcolor rgb 'white' margins {}\n", number, margins);
  };
  text += box(slope_box, "0.4,0.2") + box(guide_box, "0.9,0.6");
  text += "set border 31 lw 0.5 lc rgb 'black'\nset tics in scale 0.7,0.35\nunset key\n";
  return text + "set multiplot\n";
}

}  // namespace

std::string script_comment(const std::string& text) {
  constexpr std::size_t longest = 96;
  std::string lines;
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", i), text.size());
    if (lines.empty() || length + end - i > longest) {
      lines += lines.empty() ? "#" : "\n#";
      length = 1;
    }
    lines += " " + text.substr(i, end - i);
    length += 1 + end - i;
    i = end + 1;
  }
  return lines + "\n";
}

FigureFiles figure_files(const Layout& layout, const std::string& stem, const std::string& heading) {
  std::string text = heading;
  for (const std::string& remark : remarks_on(layout)) text += script_comment(remark);
  text += settings(stem, layout);
  int block = 0;
  for (std::size_t i = 0; i < layout.panels.size(); ++i) {
    text += panel_script(layout.panels[i], layout, static_cast<int>(i) + 1);
    if (i + 1 == layout.panels.size()) text += legend_script(layout);
    text += plot_command(stem, layout.panels[i], layout, block);
  }
  return {text + "unset multiplot\nset output\n}\n", data_file(layout)};
}

}  // namespace daelab
