#include "report/tables/verdict_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>

#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"
#include "report/tables/table.hpp"

namespace daelab {
namespace {

struct VerdictLook {
  VerdictKind kind;
  const char *sign, *css;
};
constexpr std::array<VerdictLook, verdict_kinds> looks = {{{VerdictKind::all_digits, "✓", "all"},
                                                           {VerdictKind::some_digits, "≈", "some"},
                                                           {VerdictKind::same_order, "~", "order"},
                                                           {VerdictKind::differs, "✗", "differs"},
                                                           {VerdictKind::not_reproducible, "–", "not"},
                                                           {VerdictKind::confirmed, "✓", "all"},
                                                           {VerdictKind::understated, "✓", "all"},
                                                           {VerdictKind::refuted, "✗", "differs"},
                                                           {VerdictKind::holds, "✓", "all"},
                                                           {VerdictKind::does_not_hold, "✗", "differs"},
                                                           {VerdictKind::agrees, "✓", "all"},
                                                           {VerdictKind::undecided, "?", "unknown"},
                                                           {VerdictKind::unknown, "?", "unknown"}}};

const VerdictLook& look(VerdictKind kind) { return looks[static_cast<std::size_t>(kind)]; }

// The place in the paper; entries without one are known by their id.
const std::string& place(const Judgement& judgement) {
  return judgement.location.empty() ? judgement.id : judgement.location;
}

std::string expectation(const Judgement& judgement) {
  if (judgement.as_expected()) return "";
  return "! expected: " + (judgement.expected.empty() ? "(none stated)" : judgement.expected);
}

std::string with_expectation(const Judgement& judgement) {
  const std::string surprise = expectation(judgement);
  return judgement.reason + (surprise.empty() || judgement.reason.empty() ? "" : " ") + surprise;
}

// "judged by error of q; order 1"
std::string explanation(const Judgement& judgement) {
  const std::string rest = with_expectation(judgement);
  if (judgement.judged_by.empty()) return rest;
  return "judged by " + judgement.judged_by + (rest.empty() ? "" : "; ") + rest;
}

// How tables call what entries of a kind quote or state.
const char* subject_label(EntryKind kind) { return kind == EntryKind::finding ? "statement" : "printed"; }

Table table_of(const std::vector<std::string>& labels) {
  Table table;
  table.id = "verdicts";
  for (const std::string& label : labels) table.columns.emplace_back().label = label;
  return table;
}

void add_row(Table& table, const std::vector<std::string>& texts) {
  TableRow row;
  for (const std::string& text : texts) row.push_back(text.empty() ? TableCell() : TableCell(text));
  table.rows.push_back(row);
}

// Entries of one kind, of the table of the paper called `name`, or statements.
Table kind_table(const std::vector<Judgement>& judgements, EntryKind kind, const std::string& name) {
  std::vector<std::string> labels{entry_name(kind), subject_label(kind), "ours", "true value", "verdict", "reason"};
  if (kind == EntryKind::check) labels.insert(labels.begin() + 1, "source");
  Table table = table_of(labels);
  table.id = fmt::format("verdicts-{}-{}", entry_list(kind), name.empty() ? "statements" : name);
  std::string heading = entry_list(kind);
  heading[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(heading[0])));
  table.caption =
      fmt::format("{}{}{}. {}.", heading, name.empty() ? "" : ", ", name, kind_counts_text(judgements, kind));
  for (const Judgement& judgement : judgements) {
    std::vector<std::string> texts{place(judgement),     subject(judgement), judgement.ours,
                                   judgement.true_value, judgement.verdict,  explanation(judgement)};
    if (kind == EntryKind::check) texts.insert(texts.begin() + 1, judgement.source);
    add_row(table, texts);
  }
  return table;
}

// "✓ confirmed"
std::string shown_verdict(const Judgement& judgement, const VerdictPainter& painted) {
  const VerdictKind kind = verdict_kind(judgement.verdict);
  const std::string text = fmt::format("{} {}", verdict_sign(kind), judgement.verdict);
  return painted ? painted(kind, text) : text;
}

// What a verdict means that its word alone leaves open.
const char* meaning(const Judgement& judgement) {
  return verdict_kind(judgement.verdict) == VerdictKind::understated ? " (true, and more than it says)" : "";
}

// An entry in as many lines as it takes.
std::string paragraph(const Judgement& judgement, std::size_t width, const VerdictPainter& painted) {
  constexpr std::size_t indent = 4;
  const std::string unexpected = expectation(judgement);
  return wrapped(fmt::format("{}{}: {}{}{}", shown_verdict(judgement, painted), meaning(judgement), place(judgement),
                             unexpected.empty() ? "" : " ", unexpected),
                 width, 0) +
         wrapped(subject(judgement), width, indent) +
         (judgement.judged_by.empty() ? "" : wrapped("judged by " + judgement.judged_by, width, indent)) +
         wrapped("ours: " + judgement.ours, width, indent);
}

// Entries of one kind: first the ones that fit in a line each, under a head, then the others.
std::string kind_text(const std::vector<Judgement>& judgements, EntryKind kind, std::size_t width,
                      const VerdictPainter& painted) {
  Table table = table_of({entry_name(kind), subject_label(kind), "ours", "verdict", ""});
  const std::size_t number = width / 6, location = width / 2 - 4;
  std::string paragraphs;
  for (const Judgement& judgement : judgements) {
    if (text_width(subject(judgement)) <= number && text_width(judgement.ours) <= number &&
        text_width(place(judgement)) <= location && judgement.as_expected())
      table.rows.push_back(
          {place(judgement), subject(judgement), judgement.ours, shown_verdict(judgement, painted), ""});
    else
      paragraphs += paragraph(judgement, width, painted);
  }
  return (table.rows.empty() ? "" : table_to_narrow_text(table, width, table.rows.size()) + "\n") + paragraphs +
         (paragraphs.empty() ? "" : "\n");
}

// A reader wants to see these first.
bool is_notable(const Judgement& judgement) {
  switch (verdict_kind(judgement.verdict)) {
    case VerdictKind::differs:
    case VerdictKind::understated:
    case VerdictKind::refuted:
    case VerdictKind::does_not_hold:
    case VerdictKind::undecided:
    case VerdictKind::unknown:
      return true;
    default:
      return !judgement.as_expected();
  }
}

}  // namespace

const char* verdict_sign(VerdictKind kind) { return look(kind).sign; }
const char* verdict_class(VerdictKind kind) { return look(kind).css; }

std::vector<Judgement> of_kind(const std::vector<Judgement>& judgements, EntryKind kind) {
  std::vector<Judgement> members;
  std::copy_if(judgements.begin(), judgements.end(), std::back_inserter(members),
               [kind](const Judgement& judgement) { return judgement.kind == kind; });
  return members;
}

std::string subject(const Judgement& judgement) {
  if (judgement.kind != EntryKind::finding) return judgement.printed;
  return judgement.statement + (judgement.recorded.empty() ? "" : ": " + judgement.recorded);
}

VerdictCounts count_verdicts(const std::vector<Judgement>& judgements) {
  VerdictCounts counts;
  for (const Judgement& judgement : judgements) {
    ++counts.of[static_cast<std::size_t>(verdict_kind(judgement.verdict))];
    ++counts.total;
    counts.unexpected += !judgement.as_expected();
  }
  return counts;
}

std::string kind_counts_text(const std::vector<Judgement>& judgements, EntryKind kind) {
  const VerdictCounts counts = count_verdicts(of_kind(judgements, kind));
  std::string text = fmt::format("{} {}", counts.total, counts.total == 1 ? entry_name(kind) : entry_list(kind));
  const char* separator = ": ";
  for (std::size_t k = 0; k < verdict_kinds; ++k) {
    if (!counts.of[k]) continue;
    text += fmt::format("{}{} {}", separator, counts.of[k], verdict_words(static_cast<VerdictKind>(k)));
    separator = ", ";
  }
  return text;
}

std::string verdict_counts_text(const std::vector<Judgement>& judgements) {
  std::string text;
  for (const EntryKind kind : entry_kinds)
    if (!of_kind(judgements, kind).empty()) text += kind_counts_text(judgements, kind) + "; ";
  if (text.empty()) return kind_counts_text(judgements, EntryKind::claim);
  const std::size_t unexpected = count_verdicts(judgements).unexpected;
  return text +
         (unexpected ? fmt::format("{} not as expected (marked with !)", unexpected) : "all verdicts as expected");
}

// Our number unrounded, where the entry has one.
void add_numbers(Table& table, const std::vector<Judgement>& judgements) {
  table.columns.push_back({"our number", "", CellFormat::scientific, std::numeric_limits<double>::max_digits10});
  for (std::size_t i = 0; i < judgements.size(); ++i) table.rows[i].push_back(judgements[i].number);
}

Table verdict_table(const std::vector<Judgement>& judgements) {
  Table table = table_of({"kind", "location", "source", "printed", "judged by", "statement", "recorded", "ours",
                          "true value", "verdict", "reason"});
  table.caption = "Verdicts. " + verdict_counts_text(judgements);
  for (const Judgement& judgement : judgements)
    add_row(table, {entry_name(judgement.kind), place(judgement), judgement.source, judgement.printed,
                    judgement.judged_by, judgement.statement, judgement.recorded, judgement.ours, judgement.true_value,
                    judgement.verdict, with_expectation(judgement)});
  add_numbers(table, judgements);
  return table;
}

std::vector<Table> verdict_tables(const std::vector<Judgement>& judgements) {
  std::vector<Table> tables;
  for (const EntryKind kind : entry_kinds) {
    std::vector<std::pair<std::string, std::vector<Judgement>>> groups;
    for (const Judgement& judgement : of_kind(judgements, kind)) {
      const auto same = [&](const auto& group) { return group.first == judgement.table; };
      auto found = std::find_if(groups.begin(), groups.end(), same);
      if (found == groups.end()) found = groups.insert(found, {judgement.table, {}});
      found->second.push_back(judgement);
    }
    for (const auto& [name, members] : groups) tables.push_back(kind_table(members, kind, name));
  }
  return tables;
}

std::string notable_verdicts_text(const std::vector<Judgement>& judgements, std::size_t width,
                                  const VerdictPainter& painted) {
  std::string text;
  for (const Judgement& judgement : judgements)
    if (is_notable(judgement)) text += paragraph(judgement, width, painted);
  return text + (text.empty() ? "" : "\n") + wrapped(verdict_counts_text(judgements), width, 0);
}

std::string verdict_table_text(const std::vector<Judgement>& judgements, std::size_t width,
                               const VerdictPainter& painted) {
  std::string text;
  for (const EntryKind kind : entry_kinds)
    if (const std::vector<Judgement> members = of_kind(judgements, kind); !members.empty())
      text += kind_text(members, kind, width, painted);
  return text + wrapped(verdict_counts_text(judgements), width, 0);
}

}  // namespace daelab
