#include "report/figures/figure.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/number_text.hpp"
#include "core/base/write_file.hpp"
#include "report/figures/figure_script.hpp"
#include "report/figures/pgf.hpp"
#include "report/layout/shown_text.hpp"
#include "report/sketch/sketch.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

// How a script begins: what it draws, and how to draw it again.
std::string heading(const std::string& caption, const std::string& stem, const std::string& command) {
  std::string text = script_comment(caption);
  if (!command.empty()) text += script_comment("Made by: " + command);
  return text + script_comment(fmt::format("Redraw {0}.svg and {0}.pdf from {0}.dat: gnuplot {0}.gp", stem));
}

// What a figure becomes.
struct Sources {
  std::string caption;
  FigureFiles files;
  std::string pgf;
};

Sources sources_of(const Figure& figure, const std::string& result_dir, const FigureSetting& setting) {
  const std::string stem = file_stem(figure.id);
  const auto begin = [&](const std::string& caption) { return heading(caption, stem, setting.command); };
  if (!figure.sketch.empty()) {
    const SketchPage page = sketch_page(figure.sketch);
    return {figure.caption, sketch_files(page, stem, begin(figure.caption)), sketch_to_pgf(page)};
  }
  const Layout layout = make_layout(figure, result_dir, setting.width);
  const std::string caption = caption_of(figure, layout);
  return {caption, figure_files(layout, stem, begin(caption)), figure_to_pgf(layout)};
}

}  // namespace

const std::set<std::string>& figure_formats() {
  static const std::set<std::string> formats = {"svg", "pdf", "png", "pgf"};
  return formats;
}

double figure_width(const std::string& text) {
  if (text == "1") return journal_column;
  if (text == "2") return journal_page;
  std::string_view unit = text;
  const std::optional<double> value = take_number(unit);
  const double width = value.value_or(0) * (unit == "cm" ? 10 : 1);
  const bool is_width = value && (unit.empty() || unit == "mm" || unit == "cm");
  if (!is_width || !(width >= narrowest_figure && width <= widest_figure))
    throw InputError(
        fmt::format("no figure can be '{}' wide; allowed: 1 or 2 (columns of a journal, {} and {} mm), or {} to {} mm, "
                    "as 120, 120mm or 12cm",
                    text, journal_column, journal_page, narrowest_figure, widest_figure));
  return width;
}

WrittenFigure write_sources(const Figure& figure, const std::string& result_dir, const std::string& folder,
                            const FigureSetting& setting) {
  const std::string stem = file_stem(figure.id);
  const fs::path base = fs::path(folder) / stem;
  const Sources sources = sources_of(figure, result_dir, setting);
  write_file(base.string() + ".gp", sources.files.script);
  write_file(base.string() + ".dat", sources.files.data);
  WrittenFigure written = {{stem + ".gp", stem + ".dat"}, sources.caption, {}};
  GnuplotScript script = {folder, stem, sources.caption, {}};
  for (const char* format : {"svg", "pdf", "png"})
    if (setting.formats.contains(format))
      script.formats.emplace_back(format), written.files.push_back(stem + "." + format);
  if (!script.formats.empty()) written.script = std::move(script);
  if (setting.formats.contains("pgf")) {
    written.files.push_back(stem + ".pgf.tex");
    write_file(base.string() + ".pgf.tex", latex_heading(setting.command, pgf_preamble) + sources.pgf);
  }
  return written;
}

WrittenFigure write_figure(const Figure& figure, const std::string& result_dir, const std::string& folder,
                           const FigureSetting& setting) {
  WrittenFigure written = write_sources(figure, result_dir, folder, setting);
  if (written.script) draw({*written.script});
  return written;
}

}  // namespace daelab
