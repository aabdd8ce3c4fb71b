#include "report/figures/pgf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/number_text.hpp"
#include "report/figures/figure_style.hpp"
#include "report/layout/symbols.hpp"

namespace daelab {
namespace {

// "dash pattern=on 4.5pt off 2pt" of gnuplot's "(9,4)"
std::string pgf_dashes(const std::string& dashes) {
  if (dashes == "1") return "solid";
  std::string pattern;
  bool on = true;
  for (std::size_t at = 1; at < dashes.size();) {
    const std::size_t end = dashes.find_first_of(",)", at);
    pattern += fmt::format(" {} {}pt", on ? "on" : "off", number_in(dashes.substr(at, end - at)).value() / 2);
    on = !on, at = end + 1;
  }
  return "dash pattern=" + pattern.substr(1);
}

std::string colour_name(std::size_t colour) { return fmt::format("daelab{}", colour); }
std::string text_colour_name(std::size_t colour) { return fmt::format("daelabtext{}", colour); }

std::string marker_options(const Drawing& drawing, bool hollow) {
  return fmt::format("mark={},mark size={:.2f}pt", hollow ? drawing.marker.pgf_hollow : drawing.marker.pgf_filled,
                     1.4 * drawing.marker.size);
}

std::string curve_options(const Drawing& drawing) {
  if (drawing.area)
    return fmt::format("draw=none,fill={},fill opacity={:.3f}", colour_name(drawing.colour), drawing.opacity);
  const std::string line =
      drawing.line ? fmt::format("{},line width={}pt,{}", colour_name(drawing.colour), drawing.thin ? 0.3 : 0.7,
                                 pgf_dashes(drawing.thin ? "1" : figure_dashes[drawing.dash]))
                   : colour_name(drawing.colour) + ",only marks";
  return line +
         (drawing.markers ? "," + marker_options(drawing, false) + ",every mark/.append style={solid}" : ",no marks");
}

std::string coordinates(const Curve& curve, const std::optional<bool>& left_out) {
  std::string text;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (!left_out || curve.left_out[i] == *left_out)
      text += fmt::format("({},{})", curve.x[i], curve.y[i]) + (i % 4 == 3 ? "\n" : " ");
  return text;
}

std::string plot(const std::string& options, const Curve& curve, const std::optional<bool>& left_out = {}) {
  return fmt::format("\\addplot[{}] coordinates {{\n{}}};\n", options, coordinates(curve, left_out));
}

std::string curve_plots(const Curve& curve, const Layout& layout) {
  if (curve.x.empty()) return "";
  if (is_reference(curve))
    return plot(fmt::format("gray,line width=0.4pt,no marks,{}", is_floor(curve) ? "densely dotted" : "dashed"), curve);
  const Drawing drawing = drawing_of(curve, layout);
  if (drawing.area) return plot(curve_options(drawing), curve);
  if (!drawing.markers || curve.left_out.empty())
    return plot(
        curve_options(drawing) + (drawing.marker_step > 1 ? fmt::format(",mark repeat={}", drawing.marker_step) : ""),
        curve);
  Drawing line = drawing;
  line.markers = false;
  const std::string marks = colour_name(drawing.colour) + ",only marks,";
  return plot(curve_options(line), curve) + plot(marks + marker_options(drawing, false), curve, false) +
         plot(marks + marker_options(drawing, true), curve, true);
}

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\\\\") + latex_label(line);
  return text;
}

std::string axis_options(const char* name, const Axis& axis, bool shown) {
  std::string text =
      fmt::format("{0}min={1:.8g},{0}max={2:.8g},{0}mode={3}", name, axis.lo, axis.hi, axis.log ? "log" : "linear");
  if (axis.log) {
    std::string places, labels;
    for (const AxisTic& tic : axis.labels) {
      places += fmt::format("{}{:g}", places.empty() ? "" : ",", tic.value);
      labels += fmt::format("{}{{{}}}", labels.empty() ? "" : ",", latex_label(tic.text));
    }
    text += fmt::format(",{0}tick={{{1}}},{0}ticklabels={{{2}}}", name, places, shown ? labels : "");
  } else if (!shown) {
    text += fmt::format(",{}ticklabels={{}}", name);
  }
  return text;
}

std::string panel_to_pgf(const PlacedPanel& placed, const Layout& layout) {
  std::string text = fmt::format(
      "\\begin{{axis}}[at={{({:.2f}mm,{:.2f}mm)}},anchor=south west,scale only axis,width={:.2f}mm,height={:.2f}mm,\n",
      placed.left, placed.bottom, placed.width, placed.height);
  text += axis_options("x", placed.x, placed.shows_x_axis) + ",\n" + axis_options("y", placed.y, placed.shows_y_axis);
  text += ",\nlabel style={align=center},title style={yshift=-1ex}";
  if (placed.shows_x_axis) text += fmt::format(",xlabel={{{}}}", lines_of(placed.x_label));
  if (placed.shows_y_axis) text += fmt::format(",ylabel={{{}}}", lines_of(placed.y_label));
  if (!placed.title.empty()) text += fmt::format(",title={{{}}}", latex_label(placed.title));
  if (placed.panel->zero_axes)
    text += ",extra x ticks={0},extra y ticks={0},extra tick style={grid=major,ticklabels={}}";
  text += "]\n";
  for (const Curve& curve : placed.curves) text += curve_plots(curve, layout);
  for (const LineLabel& label : placed.line_labels)
    text +=
        fmt::format("\\node[inner sep={}pt,fill=white,text={}] at (axis cs:{:.6g},{:.6g}) {{{}}};\n",
                    label.of ? 1 : 2,  // a dash at the end of a text looks like a minus sign
                    label.of ? text_colour_name(drawing_of(placed.curves[*label.of], layout).colour) : "gray!75!black",
                    label.x, label.y, latex_label(label.text));
  return text + "\\end{axis}\n";
}

std::string entry_to_pgf(const PlacedEntry& placed, const Layout& layout) {
  const double end = placed.x + sample_width, middle = placed.x + sample_width / 2;
  std::string text;
  if (placed.entry.guide) {
    text = fmt::format("\\draw[gray,line width=0.4pt,dashed] ({:.2f},{:.2f}) -- ({:.2f},{:.2f});\n", placed.x, placed.y,
                       end, placed.y);
  } else if (const Drawing drawing = sample_of(placed, layout); drawing.area) {
    text = fmt::format("\\fill[{},opacity={:.3f}] ({:.2f},{:.2f}) rectangle ({:.2f},{:.2f});\n",
                       colour_name(drawing.colour), drawing.opacity, placed.x, placed.y - 1, end, placed.y + 1);
  } else {
    if (drawing.line)
      text += fmt::format("\\draw[{},line width=0.7pt,{}] ({:.2f},{:.2f}) -- ({:.2f},{:.2f});\n",
                          colour_name(drawing.colour), pgf_dashes(drawing.thin ? "1" : figure_dashes[drawing.dash]),
                          placed.x, placed.y, end, placed.y);
    if (drawing.markers)
      text += fmt::format("\\path[{},{}] plot[only marks] coordinates {{({:.2f},{:.2f})}};\n",
                          colour_name(drawing.colour), marker_options(drawing, false), middle, placed.y);
  }
  return text + fmt::format("\\node[anchor=west,inner sep=0pt,align=left] at ({:.2f},{:.2f}) {{{}}};\n",
                            end + sample_gap, placed.y - line_height / 2 * static_cast<double>(placed.lines.size() - 1),
                            lines_of(placed.lines));
}

std::string open_picture() {
  std::string text;
  for (std::size_t i = 0; i < figure_colours.size(); ++i)
    text += fmt::format("\\definecolor{{{}}}{{HTML}}{{{}}}\\definecolor{{{}}}{{HTML}}{{{}}}\n", colour_name(i),
                        figure_colours[i], text_colour_name(i), text_colours[i]);
  return text + "\\begin{tikzpicture}[x=1mm,y=1mm,font=\\scriptsize]\n";
}

const char* pen_options(Pen pen) {
  switch (pen) {
    case Pen::body:
      return "draw=daelab0,line width=1.4pt";
    case Pen::fill:
      return "draw=daelab0,line width=0.7pt,fill=daelab0!15";
    case Pen::thin:
      return "draw=black,line width=0.35pt";
    case Pen::white:
      return "draw=black,line width=0.5pt,fill=white";
    case Pen::solid:
      return "fill=black";
    case Pen::dashed:
      return "draw=gray,line width=0.35pt,dashed";
    case Pen::force:
      return "draw=daelab1,line width=0.7pt";
    case Pen::force_head:
      return "fill=daelab1";
  }
  return "draw";
}

}  // namespace

std::string figure_to_pgf(const Layout& layout) {
  std::string text = open_picture();
  text += fmt::format("\\useasboundingbox (0,0) rectangle ({:.2f},{:.2f});\n", layout.width, layout.height);
  text += "\\pgfplotsset{every axis/.append style={tick label style={font=\\scriptsize},line width=0.3pt}}\n";
  for (const PlacedPanel& placed : layout.panels) text += panel_to_pgf(placed, layout);
  for (const PlacedEntry& placed : layout.legend) text += entry_to_pgf(placed, layout);
  return text + "\\end{tikzpicture}\n";
}

std::string sketch_to_pgf(const SketchPage& page) {
  std::string text = open_picture();
  text += fmt::format("\\useasboundingbox (0,0) rectangle ({:.2f},{:.2f});\n", page.width, page.height);
  for (const Stroke& stroke : page.strokes) {
    text += fmt::format("\\path[{}]", pen_options(stroke.pen));
    for (std::size_t i = 0; i < stroke.path.size(); ++i)
      text += fmt::format("{}({:.3f},{:.3f})", i ? " -- " : " ", stroke.path[i].x, stroke.path[i].y);
    text += ";\n";
  }
  for (const PlacedName& name : page.names)
    text +=
        fmt::format("\\node[inner sep=0pt] at ({:.3f},{:.3f}) {{{}}};\n", name.at.x, name.at.y, latex_label(name.text));
  return text + "\\end{tikzpicture}\n";
}

}  // namespace daelab
