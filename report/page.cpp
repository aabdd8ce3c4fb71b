#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/number.hpp"
#include "report/page_style.hpp"
#include "report/table.hpp"
#include "report/text.hpp"
#include "report/verdicts.hpp"

namespace daelab {
namespace {

std::string shown(const std::string& text) { return text.empty() || text == "-" ? dash : escape_html(text); }

// Printed, ours and true value: a number stays in one piece, a statement may take several lines.
std::string value_cell(const std::string& text) {
  const bool number = text.size() <= 24 && text.find(' ') == std::string::npos;
  return fmt::format("<td class=\"{}\">{}</td>", number ? "value whole" : "value", shown(text));
}

std::string links(const std::string& folder, const std::vector<std::string>& files) {
  std::string html;
  for (const std::string& file : files) {
    const std::string extension = file.substr(file.rfind('.') + 1);
    html += fmt::format("{}<a href=\"{}\">{}</a>", html.empty() ? "" : " · ",
                        escape_html(folder.empty() ? file : folder + "/" + file), escape_html(extension));
  }
  return html.empty() ? "" : "<p class=\"files\">Files: " + html + "</p>\n";
}

std::string sign(VerdictKind kind) { return fmt::format("<span class=\"sign\">{}</span>", verdict_sign(kind)); }

std::string surprise(const Judgement& judgement) {
  if (judgement.as_expected()) return "";
  return "<br><span class=\"surprise\">! expected: " +
         (judgement.expected.empty() ? "none stated" : escape_html(judgement.expected)) + "</span>";
}

// One box per verdict that occurs, which is also the key to the signs.
std::string counts_html(const std::vector<Judgement>& judgements) {
  const VerdictCounts counts = count_verdicts(judgements);
  std::string html = "<ul class=\"counts\">\n";
  for (std::size_t k = 0; k < std::size(counts.of); ++k) {
    const auto kind = static_cast<VerdictKind>(k);
    if (counts.of[k])
      html += fmt::format("<li class=\"{}\">{} <b>{}</b> {}</li>\n", verdict_class(kind), sign(kind), counts.of[k],
                          verdict_words(kind));
  }
  return html + "</ul>\n";
}

std::string expected_html(const std::vector<Judgement>& judgements) {
  const std::size_t unexpected = count_verdicts(judgements).unexpected;
  return unexpected
             ? fmt::format("<p><strong class=\"surprise\">{} verdicts are not as expected.</strong></p>\n", unexpected)
             : "<p>All verdicts are as expected.</p>\n";
}

std::string entries_html(const std::vector<Judgement>& judgements, EntryKind entries) {
  std::string html = fmt::format(
      "<div class=\"scroll\"><table class=\"claims\">\n<thead><tr><th>{}</th><th>{}</th>"
      "<th>ours</th><th>true value</th><th>verdict</th><th>reason</th></tr></thead>\n<tbody>\n",
      entry_name(entries), entries == EntryKind::finding ? "statement" : "printed");
  for (const Judgement& judgement : judgements) {
    const VerdictKind kind = verdict_kind(judgement.verdict);
    html += fmt::format(
        "<tr><td class=\"place\" title=\"{}\">{}{}</td>{}{}{}<td class=\"verdict {}\">{} {}{}</td>"
        "<td class=\"reason\">{}</td></tr>\n",
        escape_html(judgement.id), escape_html(judgement.location.empty() ? judgement.id : judgement.location),
        judgement.source.empty() ? "" : "<br>" + escape_html(judgement.source), value_cell(subject(judgement)),
        value_cell(judgement.ours), value_cell(judgement.true_value), verdict_class(kind), sign(kind),
        escape_html(judgement.verdict), surprise(judgement), escape_html(judgement.reason));
  }
  return html + "</tbody>\n</table></div>\n";
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// All entries at one place of a table; a cell may hold more than one.
std::string grid_cell(const std::vector<const Judgement*>& entries, const std::string& row, const std::string& column) {
  std::string html, css;
  for (const Judgement* entry : entries) {
    if (entry->row != row || entry->column != column) continue;
    const bool finding = entry->kind == EntryKind::finding;
    const VerdictKind kind = verdict_kind(entry->verdict);
    css = verdict_class(kind);
    html += fmt::format("<dl title=\"{}\"><dt>{}</dt><dd>{}</dd><dt>ours</dt><dd>{} {}{}</dd></dl>",
                        escape_html(entry->verdict), finding ? "recorded" : "printed",
                        shown(finding ? entry->recorded : entry->printed), shown(entry->ours), sign(kind),
                        entry->as_expected() ? "" : " <span class=\"surprise\">!</span>");
  }
  return html.empty() ? "<td></td>" : fmt::format("<td class=\"{}\">{}</td>", css, html);
}

std::string grid_html(const std::string& name, const std::vector<const Judgement*>& entries) {
  std::vector<std::string> rows, columns;
  for (const Judgement* entry : entries) {
    add_once(rows, entry->row);
    add_once(columns, entry->column);
  }
  std::string html = "<div class=\"scroll\"><table class=\"grid\">\n<caption>" + escape_html(name) +
                     ": ours below</caption>\n<thead><tr><th></th>";
  for (const std::string& column : columns) html += "<th>" + escape_html(column) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const std::string& row : rows) {
    html += "<tr><th>" + escape_html(row) + "</th>";
    for (const std::string& column : columns) html += grid_cell(entries, row, column);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string grids_html(const std::vector<Judgement>& judgements) {
  std::vector<std::string> names;
  for (const Judgement& judgement : judgements)
    if (!judgement.table.empty()) add_once(names, judgement.table);
  std::string html;
  for (const std::string& name : names) {
    std::vector<const Judgement*> entries;
    for (const Judgement& judgement : judgements)
      if (judgement.table == name) entries.push_back(&judgement);
    html += grid_html(name, entries);
  }
  return html;
}

const char* heading(EntryKind kind) {
  switch (kind) {
    case EntryKind::claim:
      return "Claims: what the paper prints or states";
    case EntryKind::finding:
      return "Findings: what we established about it";
    case EntryKind::check:
      return "Checks: what other literature prints";
  }
  return "";
}

std::string verdicts_html(const Page& page) {
  if (page.judgements.empty()) return "";
  std::string html =
      "<h2 id=\"verdicts\">Verdicts</h2>\n" + expected_html(page.judgements) + links("", page.verdict_files);
  for (const EntryKind kind : entry_kinds) {
    const std::vector<Judgement> entries = of_kind(page.judgements, kind);
    if (entries.empty()) continue;
    html += fmt::format("<h3 id=\"{}\">{}</h3>\n<p>{}</p>\n", entry_list(kind), heading(kind),
                        kind_counts_text(entries, kind)) +
            counts_html(entries) + entries_html(entries, kind) + grids_html(entries);
  }
  return html;
}

std::vector<std::string> files_of(const std::map<std::string, std::vector<std::string>>& files, const std::string& id) {
  const auto found = files.find(id);
  return found == files.end() ? std::vector<std::string>() : found->second;
}

// figure-8 is "Figure 8", as papers name it; other ids stay as they are.
std::string figure_name(const std::string& id) {
  const std::string prefix = "figure-";
  return id.starts_with(prefix) ? "Figure " + id.substr(prefix.size()) : id;
}

std::string figure_html(const PageSection& section, const Figure& figure) {
  const std::vector<std::string> files = files_of(section.figure_files, figure.id);
  const auto is_svg = [](const std::string& file) { return file.ends_with(".svg"); };
  const auto svg = std::find_if(files.begin(), files.end(), is_svg);
  std::string html = "<figure>\n";
  if (svg != files.end())
    html += fmt::format("<img src=\"{}\" alt=\"{}\">\n", escape_html(section.folder + "/" + *svg),
                        escape_html(figure.caption));
  return html + "<figcaption><b>" + escape_html(figure_name(figure.id)) + ".</b> " + escape_html(figure.caption) +
         "</figcaption>\n" + links(section.folder, files) + "</figure>\n";
}

// The command of the whole page when all sections share it; "" otherwise.
std::string common_command(const Page& page) {
  if (page.sections.empty()) return "";
  const std::string command = page.sections.front().artifacts.command;
  const auto same = [&](const PageSection& section) { return section.artifacts.command == command; };
  return std::all_of(page.sections.begin(), page.sections.end(), same) ? command : "";
}

std::string command_html(const std::string& command) {
  return command.empty() ? "" : "<pre>" + escape_html(command) + "</pre>\n";
}

std::string section_html(const PageSection& section, bool with_command) {
  const Artifacts& artifacts = section.artifacts;
  std::string html =
      fmt::format("<h2 id=\"set-{}\">{}</h2>\n<p class=\"kind\">{}: {}</p>\n", escape_html(section.folder),
                  escape_html(artifacts.title), escape_html(artifacts.experiment), escape_html(artifacts.name));
  if (with_command) html += command_html(artifacts.command);
  if (!artifacts.notes.empty()) {
    html += "<ul>\n";
    for (const std::string& note : artifacts.notes) html += "<li>" + escape_html(note) + "</li>\n";
    html += "</ul>\n";
  }
  for (const Table& table : artifacts.tables)
    html += "<div class=\"scroll\">" + table_to_html(table) + "</div>\n" +
            links(section.folder, files_of(section.table_files, table.id));
  if (artifacts.figures.empty()) return html;
  html += "<div class=\"figures\">\n";
  for (const Figure& figure : artifacts.figures) html += figure_html(section, figure);
  return html + "</div>\n";
}

std::string contents_html(const Page& page) {
  std::string html = "<nav><ul>\n";
  if (!page.judgements.empty()) html += "<li><a href=\"#verdicts\">Verdicts</a></li>\n";
  for (const PageSection& section : page.sections)
    html += fmt::format("<li><a href=\"#set-{}\">{}</a></li>\n", escape_html(section.folder),
                        escape_html(section.artifacts.title));
  return html + "</ul></nav>\n";
}

}  // namespace

std::string page_to_html(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header><h1>{0}</h1></header>\n",
      escape_html(page.title), page_style);
  const std::string command = common_command(page);
  html += contents_html(page) + "<main>\n" + command_html(command) + verdicts_html(page);
  for (const PageSection& section : page.sections) html += section_html(section, command.empty());
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace daelab
