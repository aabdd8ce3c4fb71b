#include "app/audit_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/layout/shown_text.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/table.hpp"

namespace daelab::app {
namespace {

Table table_of_method(const Audit& audit, std::size_t number) {
  Table table{fmt::format("method-{}", number), audit.form, {}, {}};
  for (const char* label : {"property", "true", "claimed", "verdict", "proof"}) table.columns.push_back({label, ""});
  for (const AuditRow& row : audit.rows)
    table.rows.push_back({row.fact.property->name, row.fact.text(), row.claim ? row.claim->text : "",
                          row.verdict ? name_of(*row.verdict) : "", row.fact.proof});
  return table;
}

std::string suggestions_html(const Audit& audit) {
  std::string html;
  for (const Repair& repair : audit.repairs) html += fmt::format("<li>{}</li>\n", escape_html(repair.text));
  return html.empty() ? "" : fmt::format("<p>Suggested:</p>\n<ul>\n{}</ul>\n", html);
}

std::string method_html(const Audit& audit, std::size_t number, bool open) {
  const std::string source = audit.source.empty() ? "" : fmt::format("<p>{}</p>\n", escape_html(audit.source));
  return folded(audit.name + ": " + audit.form,
                source + suggestions_html(audit) + scrolled(audit.name, table_to_html(table_of_method(audit, number))),
                open);
}

}  // namespace

std::string audit_to_html(const std::vector<Audit>& audits, const Table& claims) {
  std::string content;
  if (!claims.rows.empty()) content += scrolled("claims", table_to_html(claims));
  content += "<h2>What is proved</h2>\n";
  for (std::size_t i = 0; i < audits.size(); ++i)
    content += method_html(audits[i], i + 1, audits.size() == 1 || audits[i].count(AuditVerdict::refuted) > 0);
  const std::string title = audits.size() == 1 ? audits[0].name : fmt::format("Audit of {} methods", audits.size());
  return still_document(title, content);
}

}  // namespace daelab::app
