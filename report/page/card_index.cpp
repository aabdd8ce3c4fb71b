#include "report/page/card_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/layout/channels.hpp"
#include "report/layout/shown_text.hpp"
#include "report/page/page_parts.hpp"

namespace daelab {
namespace {

constexpr double width = 100, height = 62, margin = 3;  // of a miniature, in its own units
constexpr std::size_t colours = 7;                      // that page.css has for it

// Values of an axis without tics; NaN for what it cannot show.
double on_scale(double value, bool log) {
  if (log && !(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return log ? std::log10(value) : value;
}

struct Span {
  double lo = std::numeric_limits<double>::infinity(), hi = -std::numeric_limits<double>::infinity();
  void add(double value) {
    if (std::isfinite(value)) lo = std::min(lo, value), hi = std::max(hi, value);
  }
  double place(double value) const { return hi > lo ? (value - lo) / (hi - lo) : 0.5; }
};

std::string points_of(const Series& series, const Panel& panel, const Span& x, const Span& y) {
  std::string points;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const double at_x = on_scale(series.x[i], panel.log_x), at_y = on_scale(series.y[i], panel.log_y);
    if (std::isfinite(at_x) && std::isfinite(at_y))
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", margin + (width - 2 * margin) * x.place(at_x),
                            height - margin - (height - 2 * margin) * y.place(at_y));
  }
  return points;
}

// A sketch has no curves: its drawing is small.
std::string picture_html(const PageSection& section, const Card& card) {
  if (card.figures.empty()) return "";
  const auto& figures = section.artifacts.figures;
  const auto figure = std::ranges::find(figures, card.figures.back(), &Figure::id);
  if (figure == figures.end()) return "";
  if (std::string html = miniature_html(*figure); !html.empty()) return html;
  const auto drawing = section.drawings.find(figure->id);
  return drawing == section.drawings.end()
             ? ""
             : fmt::format("<img src=\"{}\" alt=\"\" loading=\"lazy\">", drawing_source(drawing->second));
}

std::string entries_line(const std::vector<Judgement>& entries) {
  if (entries.empty()) return "";
  const auto surprises = std::ranges::count_if(entries, [](const auto& entry) { return !entry.as_expected(); });
  const std::string count = fmt::format("{} published value{}", entries.size(), entries.size() == 1 ? "" : "s");
  return fmt::format(
      "<p>{}{}</p>", count,
      surprises > 0 ? fmt::format(", <span class=\"surprise\">{} not as expected</span>", surprises) : "");
}

}  // namespace

std::string miniature_html(const Figure& figure) {
  if (figure.panels.empty()) return "";
  const Panel& panel = figure.panels.front();
  Span x, y;
  std::vector<Label> labels;
  add_labels(panel.series, labels);
  for (const Series& series : panel.series) {
    for (const double value : series.x) x.add(on_scale(value, panel.log_x));
    for (const double value : series.y) y.add(on_scale(value, panel.log_y));
  }
  const Channels channels = choose_channels(labels);
  std::string lines;
  for (const Series& series : panel.series) {
    const auto look = channels.looks.find(series.label);
    const std::string points = points_of(series, panel, x, y);
    if (!points.empty())
      lines += fmt::format("<polyline class=\"c{}\" points=\"{}\"/>",
                           look == channels.looks.end() ? 0 : look->second.colour % colours, points);
  }
  return lines.empty() ? ""
                       : fmt::format("<svg class=\"miniature\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">{}</svg>",
                                     width, height, lines);
}

bool is_in_card(const PageSection& section, const std::string& figure_id) {
  return std::ranges::any_of(section.artifacts.cards, [&](const Card& card) {
    return std::ranges::find(card.figures, figure_id) != card.figures.end();
  });
}

std::string card_anchor(const PageSection& section, std::size_t number) {
  return fmt::format("card-{}-{}", section.folder, number + 1);
}

std::vector<Judgement> entries_of(const Card& card, const Page& page) {
  std::vector<Judgement> entries;
  if (card.problem.empty()) return entries;
  for (const Judgement& judgement : page.judgements)
    if (const auto about = page.problems.find(judgement.id);
        about != page.problems.end() && about->second.contains(card.problem))
      entries.push_back(judgement);
  return entries;
}

std::string card_index_html(const Page& page) {
  std::string html;
  for (const PageSection& section : page.sections)
    for (std::size_t i = 0; i < section.artifacts.cards.size(); ++i) {
      const Card& card = section.artifacts.cards[i];
      html += fmt::format("<li><a href=\"#{}\">{}<b>{}</b></a><p>{}</p>{}</li>\n", escape_html(card_anchor(section, i)),
                          picture_html(section, card), escape_html(card.title), escape_html(card.line),
                          entries_line(entries_of(card, page)));
    }
  return html.empty() ? "" : "<h2 id=\"index\">Index</h2>\n<ul class=\"cards index\">\n" + html + "</ul>\n";
}

}  // namespace daelab
