// audit: what is true of methods, and what is claimed of them against it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/audit_list.hpp"
#include "app/audit_page.hpp"
#include "app/commands.hpp"
#include "app/notes.hpp"
#include "app/terminal.hpp"
#include "core/base/input_error.hpp"
#include "core/base/write_file.hpp"
#include "lab/measured_audit.hpp"
#include "report/layout/shown_text.hpp"
#include "report/tables/latex_table.hpp"
#include "report/tables/table.hpp"

namespace daelab::app {
namespace {

constexpr AuditVerdict all_verdicts[] = {AuditVerdict::confirmed, AuditVerdict::understated, AuditVerdict::refuted,
                                         AuditVerdict::undecided};

Tint tint_of(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::confirmed:
      return Tint::good;
    case AuditVerdict::refuted:
      return Tint::bad;
    case AuditVerdict::understated:
    case AuditVerdict::undecided:
      break;
  }
  return Tint::warning;
}

// "12 claims: 10 confirmed, 2 refuted".
std::string counts_text(const std::vector<Audit>& audits) {
  std::size_t claims = 0;
  std::vector<std::string> parts;
  for (const AuditVerdict verdict : all_verdicts) {
    std::size_t count = 0;
    for (const Audit& audit : audits) count += audit.count(verdict);
    if (count > 0) parts.push_back(fmt::format("{} {}", count, name_of(verdict)));
    claims += count;
  }
  if (claims == 0) return "no claims";
  return fmt::format("{} claim{}: {}", claims, claims == 1 ? "" : "s", fmt::join(parts, ", "));
}

struct Widths {
  std::size_t property = 0, value = 0, claim = 0;
};

Widths widths_of(const std::vector<const AuditRow*>& rows) {
  Widths widths{8, 4, 7};  // of the head
  for (const AuditRow* row : rows) {
    widths.property = std::max(widths.property, text_width(row->fact.property->name));
    widths.value = std::max(widths.value, text_width(row->fact.text()));
    if (row->claim) widths.claim = std::max(widths.claim, text_width(row->claim->text));
  }
  return widths;
}

void print_row(const AuditRow& row, const Widths& widths, Notes& notes) {
  const std::string verdict = row.verdict ? name_of(*row.verdict) : "";
  const std::string padding(11 - verdict.size(), ' ');
  fmt::print("  {}  {}  {}  {}{}  {}\n", padded(row.fact.property->name, widths.property),
             padded(row.fact.text(), widths.value), padded(row.claim ? row.claim->text : "", widths.claim),
             row.verdict ? tinted(tint_of(*row.verdict), verdict) : verdict, padding, notes.mark(row.fact.proof));
}

// All that is known of one method; of one of many what is claimed of it, with reasons where a claim is not confirmed.
void print_audit(const Audit& audit, bool is_one_of_many) {
  print_wrapped(fmt::format("{}: {}", tinted(Tint::strong, audit.name), audit.form), 2);
  std::vector<const AuditRow*> rows;
  for (const AuditRow& row : audit.rows)
    if (row.claim || !is_one_of_many) rows.push_back(&row);
  if (rows.empty()) return;
  const Widths widths = widths_of(rows);
  Notes notes;
  if (!is_one_of_many)
    fmt::print("  {}  {}  {}  verdict\n", padded("property", widths.property), padded("true", widths.value),
               padded("claimed", widths.claim));
  for (const AuditRow* row : rows) {
    AuditRow shown = *row;
    if (is_one_of_many && row->verdict == AuditVerdict::confirmed) shown.fact.proof.clear();
    print_row(shown, widths, notes);
  }
  notes.print();
  for (const Repair& repair : audit.repairs) print_wrapped("suggestion: " + repair.text, 2);
}

Table table_of(const std::vector<Audit>& audits, bool claims_alone) {
  Table table{"audit", "Claims about methods, and what is proved. " + counts_text(audits) + ".", {}, {}};
  for (const char* label : {"method", "property", "true", "claimed", "verdict"}) table.columns.push_back({label, ""});
  if (!claims_alone) table.columns.push_back({"reason", ""});
  for (const Audit& audit : audits)
    for (const AuditRow& row : audit.rows) {
      if (claims_alone && !row.claim) continue;
      TableRow cells{audit.name, row.fact.property->name, row.fact.text(), row.claim ? row.claim->text : "",
                     row.verdict ? name_of(*row.verdict) : ""};
      if (!claims_alone) cells.emplace_back(row.fact.proof);
      table.rows.push_back(std::move(cells));
    }
  return table;
}

Json document_of(const std::vector<Audit>& audits) {
  Json json{{"methods", audits}, {"counts", Json::object()}};
  for (const AuditVerdict verdict : all_verdicts) {
    std::size_t count = 0;
    for (const Audit& audit : audits) count += audit.count(verdict);
    json["counts"][name_of(verdict)] = count;
  }
  return json;
}

std::vector<AuditSubject> subjects_of(const AuditArguments& arguments) {
  if (arguments.what.empty() && !arguments.all)
    throw InputError("audit: nothing is named: give a method, @tableau.json, a list with claims, or --all");
  std::vector<AuditSubject> subjects;
  for (const std::string& what : arguments.what)
    for (AuditSubject& subject : audited(what)) subjects.push_back(std::move(subject));
  if (arguments.all)
    for (AuditSubject& subject : registered_subjects()) subjects.push_back(std::move(subject));
  return subjects;
}

// Of all registered methods those without coefficients take minutes.
Measure measure_of(const AuditArguments& arguments) {
  if (arguments.measure) return Measure::always;
  return arguments.all ? Measure::never : Measure::without_coefficients;
}

void print_text(const std::vector<Audit>& audits) {
  for (std::size_t i = 0; i < audits.size(); ++i) {
    if (i > 0) fmt::print("\n");
    print_audit(audits[i], audits.size() > 1);
  }
  fmt::print("\n{}{}\n", audits.size() > 1 ? fmt::format("{} methods, ", audits.size()) : "", counts_text(audits));
}

void write_page(const std::vector<Audit>& audits, const std::string& path) {
  write_file(path, audit_to_html(audits, table_of(audits, true)));
  fmt::print("{}\n{}\n", counts_text(audits), path);
}

}  // namespace

int audit(const AuditArguments& arguments) {
  if (arguments.json + arguments.csv + arguments.latex + !arguments.html.empty() > 1)
    throw InputError("audit: --json, --csv, --latex and --html are four formats of the same: choose one");
  std::vector<Audit> audits;
  for (const AuditSubject& subject : subjects_of(arguments))
    audits.push_back(daelab::audit(subject, measure_of(arguments)));
  if (arguments.json)
    fmt::print("{}\n", document_of(audits).dump(2));
  else if (arguments.csv)
    fmt::print("{}", table_to_csv(table_of(audits, false)));
  else if (arguments.latex)
    fmt::print("{}", table_to_latex(table_of(audits, true)));
  else if (!arguments.html.empty())
    write_page(audits, arguments.html);
  else
    print_text(audits);
  return std::ranges::any_of(audits, [](const Audit& one) { return one.count(AuditVerdict::refuted) > 0; }) ? 1 : 0;
}

}  // namespace daelab::app
