#include "report/layout/gnuplot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/base/context.hpp"
#include "core/base/module.hpp"
#include "core/base/process.hpp"
#include "core/base/write_file.hpp"
#include "modules/pdf_module.hpp"
#include "report/layout/shown_text.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

// 7 pt at the printed size in all terminals: svg counts pixels of 1/96 inch, and pdfcairo sets its fonts 96/72 too
// large, hence fontscale 0.75; png has 300 dots per inch.
constexpr double points_per_mm = 72 / 25.4, pixels_per_mm = 96 / 25.4, dots_per_mm = 300 / 25.4;
constexpr const char* font = "Liberation Sans";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string with_title(const std::string& pdf, const std::string& title) {
  static const auto finish =
      reinterpret_cast<decltype(&daelab_finish_pdf)>(module_symbol("pdf", "daelab_finish_pdf", "libqpdf-dev"));
  std::string written;
  const auto take = [](void* context, const char* bytes, std::size_t size) {
    static_cast<std::string*>(context)->assign(bytes, size);
  };
  if (const char* refusal = finish(pdf.data(), pdf.size(), title.c_str(), take, &written))
    throw std::runtime_error(std::string("cannot write a figure as PDF: ") + refusal);
  return written;
}

// gnuplot opens groups in which nothing is drawn, and which depends on what it drew before.
void erase_empty_groups(std::string& svg) {
  constexpr std::string_view end = ">\n</g>\n";
  for (std::size_t at = 0; (at = svg.find(end, at)) != std::string::npos;) {
    const std::size_t begin = svg.rfind('<', at);
    if (svg.compare(begin, 3, "<g ") != 0) {
      ++at;
      continue;
    }
    svg.erase(begin, at + end.size() - begin);
    at = begin - std::min<std::size_t>(begin, 2);  // the group around it may be empty now
  }
}

void finish(const std::string& path, const std::string& title) {
  const bool is_pdf = path.ends_with(".pdf");
  if (!is_pdf && !path.ends_with(".svg")) return;
  std::string drawing = file_bytes(path).value_or("");
  if (is_pdf) {
    // The Python package has no libqpdf: its figures keep the title that gnuplot gives them.
    if (missing_module("pdf", "libqpdf-dev").empty()) write_file(path, with_title(drawing, title));
    return;
  }
  replace_all(drawing, fmt::format("font-family=\"{}\"", font),
              fmt::format("font-family=\"{}, Arial, Helvetica, sans-serif\"", font));
  // librsvg, which desktops and ImageMagick draw with, drops blanks at the ends of the pieces of a text otherwise.
  replace_all(drawing, "<text>", "<text xml:space=\"preserve\">");
  erase_empty_groups(drawing);
  write_file(path, drawing);
}

std::string path_of(const GnuplotScript& script, const std::string& ending) {
  return (fs::path(script.folder) / (script.stem + "." + ending)).string();
}

// What gnuplot is to do for one drawing. Its defaults alone (-d): a file of settings in the user's home would make
// figures differ between machines. "./": the name of a figure may begin with a dash, as options do.
void add_commands(const GnuplotScript& script, std::vector<std::string>& arguments) {
  std::string folder = fs::absolute(script.folder).string();
  replace_all(folder, "'", "''");
  const std::string setup = fmt::format("formats = \"{}\"; cd '{}'", fmt::join(script.formats, " "), folder);
  arguments.insert(arguments.end(), {"-e", "reset session", "-e", setup, "./" + script.stem + ".gp"});
}

void draw_at_once(std::span<const GnuplotScript> scripts) {
  std::vector<std::string> arguments = {"gnuplot", "-d"};
  for (const GnuplotScript& script : scripts) {
    for (const std::string& format : script.formats)
      fs::remove(path_of(script, format));  // gnuplot would write through a link
    add_commands(script, arguments);
  }
  const ProcessOutcome outcome = run_process(arguments);
  if (interrupt_requested()) throw std::runtime_error("interrupted");
  if (outcome.code == 0) return;
  if (scripts.size() == 1)
    throw std::runtime_error("gnuplot failed on " + path_of(scripts[0], "gp") + ":\n" + outcome.output);
  for (const GnuplotScript& script : scripts) draw_at_once({&script, 1});  // which script fails
}

}  // namespace

void draw(const std::vector<GnuplotScript>& scripts) {
  constexpr std::size_t most = 256;  // a process takes two megabytes of arguments
  if (scripts.empty()) return;
  if (find_program("gnuplot").empty())
    throw std::runtime_error(
        "cannot run gnuplot in " + scripts[0].folder +
        ": not found; gnuplot draws the figures: install Debian's package gnuplot-nox, or gnuplot with pdfcairo");
  for (std::size_t i = 0; i < scripts.size(); i += most)
    draw_at_once(std::span(scripts).subspan(i, std::min(most, scripts.size() - i)));
  for (const GnuplotScript& script : scripts)
    for (const std::string& format : script.formats) {
      const std::string path = path_of(script, format);
      if (!fs::exists(path)) throw std::runtime_error("gnuplot did not write " + path);
      finish(path, script.title);
    }
}

std::string open_terminals(const std::string& stem, double width, double height) {
  std::string name = stem;  // the title of an SVG
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return fmt::format(
      "if (!exists(\"formats\")) formats = \"svg pdf\"\nset encoding utf8\nset minussign\n"
      "do for [format in formats] {{\n"
      "if (format eq \"svg\") {{\n"
      "  set terminal svg size {:.0f},{:.0f} fixed enhanced font '{},{:.2f}' lw 1.33 \\\n"
      "    background rgb 'white' name '{}'\n  points = 0.65\n}}\n"
      "if (format eq \"pdf\") {{\n"
      "  set terminal pdfcairo size {:.2f}cm,{:.2f}cm enhanced font '{},7' \\\n    fontscale 0.75 lw 2\n"
      "  points = 0.5\n}}\n"
      "if (format eq \"png\") {{\n"
      "  set terminal pngcairo size {:.0f},{:.0f} enhanced font '{},7' fontscale {:.4f} lw 4 \\\n"
      "    background rgb 'white'\n  points = 1.6\n}}\n"
      "set pointsize points\nset output '{}.'.format\n",
      width * pixels_per_mm, height * pixels_per_mm, font, 7 * pixels_per_mm / points_per_mm, name, width / 10,
      height / 10, font, width * dots_per_mm, height * dots_per_mm, font, dots_per_mm / pixels_per_mm, stem);
}

}  // namespace daelab
