#include "report/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "report/layout/shown_text.hpp"
#include "report/page/card_index.hpp"
#include "report/page/page_data.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/table.hpp"

namespace daelab {
namespace {

std::vector<std::string> files_of(const std::map<std::string, std::vector<std::string>>& files, const std::string& id) {
  const auto found = files.find(id);
  return found == files.end() ? std::vector<std::string>() : found->second;
}

// figure-8 is "Figure 8", as papers name it; other ids stay as they are.
std::string figure_name(const std::string& id) {
  const std::string prefix = "figure-";
  return id.starts_with(prefix) ? "Figure " + id.substr(prefix.size()) : id;
}

// A place on the page, for scripts and links: result set and figure by their numbers.
std::string figure_html(const Page& page, std::size_t set, std::size_t number) {
  const PageSection& section = page.sections[set];
  const Figure& figure = section.artifacts.figures[number];
  std::string html = fmt::format("<figure id=\"figure-{}-{}\" data-set=\"{}\" data-figure=\"{}\">\n",
                                 escape_html(section.folder), escape_html(figure.id), set, number);
  if (const auto drawing = section.drawings.find(figure.id); drawing != section.drawings.end())
    html += fmt::format("<img src=\"{}\" alt=\"{}\">\n", drawing_source(drawing->second), escape_html(figure.caption));
  return html + "<figcaption><b>" + escape_html(figure_name(figure.id)) + ".</b> " + escape_html(figure.caption) +
         "</figcaption>\n" + file_links(section.folder, files_of(section.figure_files, figure.id)) + "</figure>\n";
}

// What the page is about: the first figure with fitted orders, else with logarithmic axes, as of errors against work;
// else the first with curves, or the first of all.
struct MainFigure {
  std::size_t set = 0, number = 0;
  bool exists = false;
  bool is(std::size_t s, std::size_t n) const { return exists && s == set && n == number; }
};
int weight_of(const Figure& figure) {
  if (figure.panels.empty()) return 1;
  const Panel& panel = figure.panels.front();
  if (!panel.log_x || !panel.log_y) return 2;
  return std::ranges::any_of(panel.series, [](const Series& series) { return series.fit.has_value(); }) ? 4 : 3;
}
MainFigure main_figure(const Page& page) {
  MainFigure main;
  int most = 0;
  for (std::size_t s = 0; s < page.sections.size(); ++s)
    for (std::size_t n = 0; n < page.sections[s].artifacts.figures.size(); ++n) {
      const Figure& figure = page.sections[s].artifacts.figures[n];
      if (const int weight = weight_of(figure); weight > most && !is_in_card(page.sections[s], figure.id))
        main = {s, n, true}, most = weight;
    }
  return main;
}

// The headline of a page of one set: what came out of it.
Json headline_in(const Page& page) {
  return page.sections.size() == 1 ? page.sections.front().data.value("headline", Json::object()) : Json::object();
}

std::string sentence_html(const Page& page) {
  const std::string sentence = sentence_of(page);
  return sentence.empty() ? "" : "<p class=\"headline\">" + escape_html(sentence) + "</p>\n";
}

std::string facts_html(const Page& page) {
  std::string html;
  for (const Json& fact : headline_in(page).value("facts", Json::array()))
    html += fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", escape_html(fact.value("name", "")),
                        escape_html(fact.value("value", "")), escape_html(fact.value("note", "")));
  return html.empty() ? "" : "<dl class=\"facts\">\n" + html + "</dl>\n";
}

// The command of the whole page when all sections share it; "" otherwise.
std::string common_command(const Page& page) {
  if (page.sections.empty()) return "";
  const std::string command = page.sections.front().artifacts.command;
  const auto same = [&](const PageSection& section) { return section.artifacts.command == command; };
  return std::all_of(page.sections.begin(), page.sections.end(), same) ? command : "";
}

std::string list_html(const std::vector<std::string>& lines) {
  std::string html = "<ul>\n";
  for (const std::string& line : lines) html += "<li>" + escape_html(line) + "</li>\n";
  return html + "</ul>\n";
}

bool has_runs(const PageSection& section) {
  const Json* runs = section.data.find("runs");
  return runs && !(*runs)["list"].empty();
}

// What the scripts fill: runs in a plot and in a table, mechanisms that move. Nothing of it without them.
std::string scripted_html(const PageSection& section, std::size_t set) {
  std::string html;
  const std::string folder = escape_html(section.folder);
  const bool moves = section.data.contains("motions") && !section.data["motions"].empty();
  if (moves)
    html += fmt::format(
        "<details class=\"scripted motion\" id=\"motion-{0}\"><summary>In motion</summary>"
        "<div class=\"motions\" id=\"moving-{0}\" data-set=\"{1}\"></div></details>\n",
        folder, set);
  if (has_runs(section))
    html += fmt::format(
        "<details class=\"scripted explore\" id=\"explore-{0}\" data-set=\"{1}\"><summary>Explore: any axes, curves by "
        "family, form and scalar, who is best</summary><div class=\"explorer\"></div></details>\n"
        "<details class=\"scripted runtable\" id=\"table-of-runs-{0}\" data-set=\"{1}\"><summary>{2} runs: status, "
        "numbers, steps, the command of each</summary><div class=\"runs\"></div></details>\n",
        folder, set, section.data["runs"]["list"].size());
  if (const std::string missing = section.data.value("missing", ""); !missing.empty())
    html += "<p class=\"warning\">" + escape_html(missing) + "</p>\n";
  return html;
}

std::string table_html(const PageSection& section, std::size_t set, const Table& table, bool open) {
  constexpr std::size_t few_rows = 12;
  // Named with its set: regions of the same name cannot be told apart by those who hear them.
  const std::string label = fmt::format("{} ({})", table.caption, section.folder);
  const std::string shown =
      scrolled(label, table_to_html(table, set)) + file_links(section.folder, files_of(section.table_files, table.id));
  if (table.rows.size() <= few_rows) return shown;
  return folded(fmt::format("{} {} rows", table.caption, table.rows.size()), shown, open);
}

// What there is of a problem or the like. Its heading is below that of the set.
std::string card_html(const Page& page, std::size_t set, std::size_t number) {
  const PageSection& section = page.sections[set];
  const Card& card = section.artifacts.cards[number];
  const char* heading = page.sections.size() == 1 ? "h3" : "h4";
  std::string html =
      fmt::format("<article class=\"card\" id=\"{0}\">\n<{2}>{1}</{2}>\n<p>{3}</p>\n<dl>\n",
                  escape_html(card_anchor(section, number)), escape_html(card.title), heading, escape_html(card.line));
  for (const Factor& fact : card.facts)
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(fact.name), escape_html(fact.value));
  html += "</dl>\n<div class=\"figures\">\n";
  for (std::size_t n = 0; n < section.artifacts.figures.size(); ++n)
    if (std::ranges::find(card.figures, section.artifacts.figures[n].id) != card.figures.end())
      html += figure_html(page, set, n);
  return html + "</div>\n" + folded_entries_html(entries_of(card, page), card.title, page) +
         "<p><a href=\"#index\">Index</a></p>\n</article>\n";
}

// Figures first; many notes and long tables are folded.
std::string section_body(const Page& page, std::size_t set, const MainFigure& main) {
  constexpr std::size_t few_notes = 4;
  const PageSection& section = page.sections[set];
  const Artifacts& artifacts = section.artifacts;
  std::string figures;
  for (std::size_t n = 0; n < artifacts.figures.size(); ++n)
    if (!main.is(set, n) && !is_in_card(section, artifacts.figures[n].id)) figures += figure_html(page, set, n);
  std::string html = figures.empty() ? "" : "<div class=\"figures\">\n" + figures + "</div>\n";
  for (std::size_t i = 0; i < artifacts.cards.size(); ++i) html += card_html(page, set, i);
  html += scripted_html(section, set);
  for (const Table& table : artifacts.tables) html += table_html(section, set, table, artifacts.figures.empty());
  const std::vector<std::string>& notes = artifacts.notes;
  if (notes.empty()) return html;
  return html + (notes.size() <= few_notes ? list_html(notes)
                                           : folded(fmt::format("{} notes", notes.size()), list_html(notes)));
}

// A set among several is folded.
std::string section_html(const Page& page, std::size_t set, const MainFigure& main, bool with_command) {
  const PageSection& section = page.sections[set];
  const Artifacts& artifacts = section.artifacts;
  const std::string kind =
      fmt::format("<p class=\"kind\">{}: {}</p>\n", escape_html(artifacts.experiment), escape_html(artifacts.name));
  const std::string body = kind + (with_command ? command_html(artifacts.command) : "") + section_body(page, set, main);
  const std::string folder = escape_html(section.folder), title = escape_html(artifacts.title);
  if (page.sections.size() == 1)
    return fmt::format("<section id=\"set-{}\">\n<h2>{}</h2>\n{}</section>\n", folder,
                       artifacts.title == page.title ? "Results" : title, body);
  return fmt::format("<details class=\"set\" id=\"set-{}\"><summary><h3>{}</h3></summary>\n{}</details>\n", folder,
                     title, body);
}

std::string sections_html(const Page& page, const MainFigure& main, bool with_command) {
  std::string html = page.sections.size() > 1 ? "<h2 id=\"sets\">All results</h2>\n" : "";
  for (std::size_t set = 0; set < page.sections.size(); ++set) html += section_html(page, set, main, with_command);
  return html;
}

// "10.1007/..." of a citation, "" where it has none.
std::string doi_of(const std::string& reference) {
  const std::size_t begin = reference.find("10.", std::min(reference.find("doi"), reference.size()));
  if (begin == std::string::npos) return "";
  std::string doi = reference.substr(begin, reference.find_first_of(" ,;)", begin) - begin);
  while (!doi.empty() && doi.back() == '.') doi.pop_back();
  return doi;
}

std::string reference_html(const std::string& reference) {
  if (reference.empty()) return "";
  const std::string doi = doi_of(reference);
  if (doi.empty()) return "<p>" + escape_html(reference) + "</p>\n";
  const std::size_t begin = reference.find(doi);
  return fmt::format("<p>{0}<a href=\"https://doi.org/{1}\">{1}</a>{2}</p>\n", escape_html(reference.substr(0, begin)),
                     escape_html(doi), escape_html(reference.substr(begin + doi.size())));
}

bool needs_plots(const Page& page) {
  return std::any_of(page.sections.begin(), page.sections.end(), [](const PageSection& section) {
    const auto& figures = section.artifacts.figures;
    return has_runs(section) || section.data.contains("motions") ||
           std::any_of(figures.begin(), figures.end(), [](const Figure& figure) { return !figure.panels.empty(); });
  });
}

std::string top_html(const Page& page, const MainFigure& main, const std::string& command) {
  std::string html = fmt::format("<header id=\"top\"><h1>{}</h1>\n", escape_html(page.title)) + sentence_html(page) +
                     reference_html(page.reference) + "</header>\n<main>\n";
  html += "<div class=\"opening\">\n";
  if (main.exists) html += figure_html(page, main.set, main.number);
  html += "<div>\n" + facts_html(page) + counts_html(page) + command_html(command) + origin_html(page.origin) +
          "</div>\n</div>\n" + card_index_html(page) + standing_out_html(page);
  return html + all_entries_html(page);
}

}  // namespace

std::string sentence_of(const Page& page) { return headline_in(page).value("sentence", ""); }

std::string main_drawing(const Page& page) {
  const MainFigure main = main_figure(page);
  if (!main.exists) return "";
  const PageSection& section = page.sections[main.set];
  for (const std::string& file : files_of(section.figure_files, section.artifacts.figures[main.number].id))
    if (file.ends_with(".svg")) return section.folder + "/" + file;
  return "";
}

std::string page_to_html(const Page& page) {
  const std::string command = common_command(page);
  const MainFigure main = main_figure(page);
  return html_document(page.title,
                       top_html(page, main, command) + sections_html(page, main, command.empty()) + "</main>\n",
                       page_data(page), needs_plots(page));
}

}  // namespace daelab
