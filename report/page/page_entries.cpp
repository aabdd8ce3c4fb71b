// What became of the entries of a paper or a config: counts, what stands out, all of them, and tables as the paper has
// them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/verdict_table.hpp"

namespace daelab {
namespace {

std::string shown(const std::string& text) { return text.empty() || text == "-" ? dash : escape_html(text); }

// Printed, ours and true value: a number stays in one piece, a statement may take several lines.
std::string value_cell(const std::string& text) {
  const bool number = text.size() <= 24 && text.find(' ') == std::string::npos;
  return fmt::format("<td class=\"{}\">{}</td>", number ? "value whole" : "value", shown(text));
}

std::string sign(VerdictKind kind) { return fmt::format("<span class=\"sign\">{}</span>", verdict_sign(kind)); }

std::string surprise(const Judgement& judgement) {
  if (judgement.as_expected()) return "";
  return "<br><span class=\"surprise\">! expected: " +
         (judgement.expected.empty() ? "none stated" : escape_html(judgement.expected)) + "</span>";
}

// One box per verdict that occurs, which is also the key to the signs.
std::string count_boxes(const std::vector<Judgement>& judgements) {
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

// To what an entry rests on: a run, several, or the set whose evaluation it is.
std::string evidence_link(const Judgement& judgement, const Page& page) {
  const Json* found = page.evidence.find(judgement.id);
  if (!found) return "";
  const std::size_t runs = (*found)[1].size();
  return fmt::format("<br><a class=\"scripted\" href=\"#runs-{}\">{}</a>", escape_html(url_part(judgement.id)),
                     runs == 0   ? "the runs"
                     : runs == 1 ? "its run"
                                 : fmt::format("its {} runs", runs));
}

std::string judged_by_html(const Judgement& judgement) {
  if (judgement.judged_by.empty()) return "";
  return "judged by " + escape_html(judgement.judged_by) + (judgement.reason.empty() ? "" : "<br>");
}

std::string entry_row(const Judgement& judgement, const Page& page) {
  const VerdictKind kind = verdict_kind(judgement.verdict);
  return fmt::format(
      "<tr><th scope=\"row\" class=\"place\" title=\"{}\">{}{}{}</th><td class=\"verdict {}\">{} {}{}</td>{}{}{}"
      "<td class=\"reason\">{}</td></tr>\n",
      escape_html(judgement.id), escape_html(judgement.location.empty() ? judgement.id : judgement.location),
      judgement.source.empty() ? "" : "<br>" + escape_html(judgement.source), evidence_link(judgement, page),
      verdict_class(kind), sign(kind), escape_html(judgement.verdict), surprise(judgement),
      value_cell(subject(judgement)), value_cell(judgement.ours), value_cell(judgement.true_value),
      judged_by_html(judgement) + escape_html(judgement.reason));
}

std::string entries_html(const std::vector<Judgement>& judgements, const std::string& label, const Page& page) {
  std::string html = fmt::format("<table class=\"claims\">\n<caption>{}</caption>\n<thead><tr>", escape_html(label));
  for (const char* head : {"place", "verdict", "printed or found", "ours", "true value", "reason"})
    html += fmt::format("<th scope=\"col\">{}</th>", head);
  html += "</tr></thead>\n<tbody>\n";
  for (const Judgement& judgement : judgements) html += entry_row(judgement, page);
  return scrolled(label, html + "</tbody>\n</table>");
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
  std::string html =
      "<table class=\"grid\">\n<caption>" + escape_html(name) + ": ours below</caption>\n<thead><tr><td></td>";
  for (const std::string& column : columns) html += "<th scope=\"col\">" + escape_html(column) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const std::string& row : rows) {
    html += "<tr><th scope=\"row\">" + escape_html(row) + "</th>";
    for (const std::string& column : columns) html += grid_cell(entries, row, column);
    html += "</tr>\n";
  }
  return scrolled(name, html + "</tbody>\n</table>");
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

// What a reader looks for first: surprises, and what is not so as it is printed.
std::vector<Judgement> standing_out(const std::vector<Judgement>& judgements) {
  using enum VerdictKind;
  std::vector<Judgement> entries;
  std::copy_if(judgements.begin(), judgements.end(), std::back_inserter(entries), [](const Judgement& judgement) {
    const VerdictKind kind = verdict_kind(judgement.verdict);
    return !judgement.as_expected() || kind == refuted || kind == differs || kind == does_not_hold ||
           kind == understated || kind == undecided;
  });
  return entries;
}

}  // namespace

std::string counts_html(const Page& page) {
  if (page.judgements.empty()) return "";
  std::string html = "<section id=\"verdicts\">\n<h2>Verdicts</h2>\n" + expected_html(page.judgements);
  for (const EntryKind kind : entry_kinds)
    if (const std::vector<Judgement> entries = of_kind(page.judgements, kind); !entries.empty())
      html += fmt::format("<h3>{}</h3>\n", heading(kind)) + count_boxes(entries);
  return html + file_links("", page.verdict_files) + "</section>\n";
}

std::string standing_out_html(const Page& page) {
  const std::vector<Judgement> entries = standing_out(page.judgements);
  return entries.empty()
             ? ""
             : "<h2 id=\"differs\">What stands out</h2>\n" +
                   entries_html(entries, "Entries that differ, are refuted or understated, or are not as expected",
                                page);
}

std::string folded_entries_html(const std::vector<Judgement>& entries, const std::string& label, const Page& page) {
  std::string html;
  for (const EntryKind kind : entry_kinds)
    if (const std::vector<Judgement> of = of_kind(entries, kind); !of.empty())
      html +=
          folded(kind_counts_text(of, kind), entries_html(of, fmt::format("{}: {}", label, entry_list(kind)), page));
  return html;
}

std::string all_entries_html(const Page& page) {
  std::string html;
  for (const EntryKind kind : entry_kinds) {
    const std::vector<Judgement> entries = of_kind(page.judgements, kind);
    if (!entries.empty())
      html += fmt::format("<details id=\"{}\"><summary>{}</summary>\n{}</details>\n", entry_list(kind),
                          escape_html(kind_counts_text(entries, kind)),
                          entries_html(entries, heading(kind), page) + grids_html(entries));
  }
  return html.empty() ? "" : "<h2 id=\"entries\">All of them</h2>\n" + html;
}

}  // namespace daelab
