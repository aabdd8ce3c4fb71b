// A sketch as a script of gnuplot.
#include <fmt/format.h>

#include <cctype>

#include "report/layout/gnuplot.hpp"
#include "report/layout/shown_text.hpp"
#include "report/sketch/sketch.hpp"

namespace daelab {
namespace {

const char* drawing_style(Pen pen) {
  switch (pen) {
    case Pen::body:
      return "lines lc rgb '#0072B2' lw 2.4";
    case Pen::fill:
      return "filledcurves closed fs solid border lc rgb '#0072B2' lw 1.2 fc rgb '#D6E6F2'";
    case Pen::thin:
      return "lines lc rgb 'black' lw 0.6";
    case Pen::white:
      return "filledcurves closed fs solid border lc rgb 'black' lw 0.8 fc rgb 'white'";
    case Pen::solid:
      return "filledcurves closed fs solid fc rgb 'black'";
    case Pen::dashed:
      return "lines lc rgb '#808080' lw 0.6 dt (8,4)";
    case Pen::force:
      return "lines lc rgb '#D55E00' lw 1.2";
    case Pen::force_head:
      return "filledcurves closed fs solid fc rgb '#D55E00'";
  }
  return "lines";
}

bool is_letter(const std::string& text) {
  return text_width(text) == 1 && !std::isdigit(static_cast<unsigned char>(text[0]));
}

// A letter alone is a symbol; what follows "_" is its subscript. Other marks of gnuplot have no meaning in names.
std::string printed_name(const std::string& name) {
  std::string printed, word;
  bool is_subscript = false;
  const auto end_word = [&] {
    if (is_subscript && !word.empty()) printed += "_{" + word + "}";
    if (!is_subscript) printed += is_letter(word) ? "{/:Italic " + word + "}" : word;
    word.clear();
  };
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80) {
      word += c;
      continue;
    }
    end_word();
    is_subscript = c == '_';
    if (is_subscript) continue;
    if (std::string("{}^@&~\\").find(c) != std::string::npos) printed += '\\';
    printed += c;
  }
  end_word();
  return printed;
}

}  // namespace

FigureFiles sketch_files(const SketchPage& page, const std::string& stem, const std::string& prologue) {
  FigureFiles files;
  std::string plot;
  int index = -1;
  const Stroke* last = nullptr;
  files.data = "# Strokes [mm] in the order they are drawn in, by pens; two blank lines between pens.\n";
  for (const Stroke& stroke : page.strokes) {
    const bool goes_on = last && last->pen == stroke.pen;
    if (!goes_on) {
      ++index;
      plot += fmt::format("{} '{}.dat' index {} with {} notitle", index == 0 ? "plot" : ", \\\n    ", stem, index,
                          drawing_style(stroke.pen));
    }
    if (last) files.data += goes_on ? "\n" : "\n\n";
    for (const PaperPoint& point : stroke.path) files.data += fmt::format("{:.3f} {:.3f}\n", point.x, point.y);
    last = &stroke;
  }
  files.script = prologue + "\n" + open_terminals(stem, page.width, page.height);
  files.script += fmt::format(
      "unset border\nunset tics\nunset key\nset lmargin 0\nset rmargin 0\nset bmargin 0\nset tmargin 0\n"
      "set xrange [0:{:.3f}]\nset yrange [0:{:.3f}]\n",
      page.width, page.height);
  for (const PlacedName& name : page.names)
    files.script += fmt::format("set label {} at {:.3f}, {:.3f} center front\n", quote_gnuplot(printed_name(name.text)),
                                name.at.x, name.at.y);
  files.script += (plot.empty() ? "plot NaN notitle" : plot) + "\nunset label\nset output\n}\n";
  return files;
}

}  // namespace daelab
