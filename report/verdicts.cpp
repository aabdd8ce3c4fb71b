#include "report/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "report/number.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace daelab {
namespace {

struct KindEntry {
  const char *sign, *words, *css;
};
constexpr std::array<KindEntry, verdict_kinds> kinds = {{{"✓", "all printed digits", "all"},
                                                         {"≈", "some digits", "some"},
                                                         {"~", "same order of magnitude", "order"},
                                                         {"✗", "differs", "differs"},
                                                         {"–", "not reproducible", "not"},
                                                         {"✓", "confirmed", "all"},
                                                         {"✗", "refuted", "differs"},
                                                         {"?", "undecided", "unknown"},
                                                         {"?", "other", "unknown"}}};

const KindEntry& entry(VerdictKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

// The place in the paper; claims without one are known by their id.
const std::string& place(const Judgement& judgement) {
  return judgement.location.empty() ? judgement.id : judgement.location;
}

std::string expectation(const Judgement& judgement) {
  if (judgement.as_expected()) return "";
  return "! expected: " + (judgement.expected.empty() ? "(none stated)" : judgement.expected);
}

Json cell(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Table empty_verdict_table() {
  Table table;
  table.id = "verdicts";
  for (const char* label : {"claim", "printed", "ours", "true value", "verdict", "reason"}) {
    Column column;
    column.label = label;
    table.columns.push_back(column);
  }
  return table;
}

void add_row(Table& table, const Judgement& judgement) {
  const std::string surprise = expectation(judgement);
  const std::string reason = judgement.reason + (surprise.empty() || judgement.reason.empty() ? "" : " ") + surprise;
  table.rows.push_back(Json::array({cell(place(judgement)), cell(judgement.printed), cell(judgement.ours),
                                    cell(judgement.true_value), cell(judgement.verdict), cell(reason)}));
}

}  // namespace

VerdictKind verdict_kind(const std::string& verdict) {
  std::string text = verdict;
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto says = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (says("not") && says("reproducible")) return VerdictKind::not_reproducible;
  if (says("differ")) return VerdictKind::differs;
  if (says("magnitude")) return VerdictKind::same_order;
  if (says("all") && says("digit")) return VerdictKind::all_digits;
  if (says("digit")) return VerdictKind::some_digits;
  if (says("confirmed")) return VerdictKind::confirmed;
  if (says("refuted")) return VerdictKind::refuted;
  if (says("undecided")) return VerdictKind::undecided;
  return VerdictKind::unknown;
}

const char* verdict_sign(VerdictKind kind) { return entry(kind).sign; }
const char* verdict_words(VerdictKind kind) { return entry(kind).words; }
const char* verdict_class(VerdictKind kind) { return entry(kind).css; }

VerdictCounts count_verdicts(const std::vector<Judgement>& judgements) {
  VerdictCounts counts;
  for (const Judgement& judgement : judgements) {
    ++counts.of[static_cast<std::size_t>(verdict_kind(judgement.verdict))];
    ++counts.total;
    counts.unexpected += !judgement.as_expected();
  }
  return counts;
}

std::string verdict_counts_text(const VerdictCounts& counts) {
  std::string text = fmt::format("{} claim{}", counts.total, counts.total == 1 ? "" : "s");
  const char* separator = ": ";
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (!counts.of[k]) continue;
    text += fmt::format("{}{} {}", separator, counts.of[k], kinds[k].words);
    separator = ", ";
  }
  if (counts.total == 0) return text;
  return text + (counts.unexpected ? fmt::format("; {} not as expected (marked with !)", counts.unexpected)
                                   : "; all verdicts as expected");
}

Table verdict_table(const std::vector<Judgement>& judgements) {
  Table table = empty_verdict_table();
  table.caption = "Verdicts. " + verdict_counts_text(count_verdicts(judgements));
  for (const Judgement& judgement : judgements) add_row(table, judgement);
  return table;
}

std::vector<Table> verdict_tables(const std::vector<Judgement>& judgements) {
  std::vector<std::pair<std::string, std::vector<Judgement>>> groups;
  for (const Judgement& judgement : judgements) {
    const auto same = [&](const auto& group) { return group.first == judgement.table; };
    auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end()) found = groups.insert(found, {judgement.table, {}});
    found->second.push_back(judgement);
  }
  std::vector<Table> tables;
  for (const auto& [name, members] : groups) {
    tables.push_back(verdict_table(members));
    tables.back().id = "verdicts-" + (name.empty() ? "statements" : name);
    tables.back().caption = (name.empty() ? "Statements" : name) + ": printed and recomputed. " +
                            verdict_counts_text(count_verdicts(members)) + ".";
  }
  return tables;
}

namespace {

// Statements are sentences; in a terminal their beginning tells which one it is.
std::string shortened(const std::string& text) {
  constexpr std::size_t width = 48;
  if (text.size() <= width) return text;
  return text.substr(0, text.rfind(' ', width)) + " ...";
}

}  // namespace

std::string verdict_table_text(const std::vector<Judgement>& judgements) {
  Table table = empty_verdict_table();
  // Five columns fit a terminal; true value and reason stand in the files.
  table.columns.erase(table.columns.begin() + 3);
  table.columns.back().label = "";
  for (const Judgement& judgement : judgements) {
    const std::string verdict = std::string(verdict_sign(verdict_kind(judgement.verdict))) + " " + judgement.verdict;
    table.rows.push_back(Json::array({place(judgement), cell(shortened(judgement.printed)),
                                      cell(shortened(judgement.ours)), verdict, expectation(judgement)}));
  }
  return table_to_text(table) + "\n" + verdict_counts_text(count_verdicts(judgements)) + "\n";
}

}  // namespace daelab
