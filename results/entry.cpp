#include "results/entry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daelab {
namespace {

struct EntryTexts {
  EntryKind kind;
  const char *name, *list;
};
constexpr EntryTexts entry_texts[] = {{EntryKind::claim, "claim", "claims"},
                                      {EntryKind::finding, "finding", "findings"},
                                      {EntryKind::check, "check", "checks"}};

constexpr std::pair<Rule, const char*> rule_texts[] = {{Rule::number, "number"},
                                                       {Rule::magnitude, "magnitude"},
                                                       {Rule::time, "time"},
                                                       {Rule::exact, "exact"},
                                                       {Rule::order, "order"},
                                                       {Rule::guarantee, "guarantee"},
                                                       {Rule::at_least, "at-least"},
                                                       {Rule::at_most, "at-most"},
                                                       {Rule::less, "less"},
                                                       {Rule::faster, "faster"},
                                                       {Rule::similar, "similar"},
                                                       {Rule::often_at_least, "often-at-least"},
                                                       {Rule::often_at_most, "often-at-most"},
                                                       {Rule::status, "status"},
                                                       {Rule::holds, "holds"}};

constexpr std::pair<VerdictKind, const char*> verdict_texts[] = {{VerdictKind::all_digits, "all printed digits"},
                                                                 {VerdictKind::some_digits, "some digits"},
                                                                 {VerdictKind::same_order, "same order of magnitude"},
                                                                 {VerdictKind::differs, "differs"},
                                                                 {VerdictKind::not_reproducible, "not reproducible"},
                                                                 {VerdictKind::confirmed, "confirmed"},
                                                                 {VerdictKind::understated, "understated"},
                                                                 {VerdictKind::refuted, "refuted"},
                                                                 {VerdictKind::holds, "holds"},
                                                                 {VerdictKind::does_not_hold, "does not hold"},
                                                                 {VerdictKind::agrees, "agrees"},
                                                                 {VerdictKind::undecided, "undecided"},
                                                                 {VerdictKind::unknown, "other"}};

const EntryTexts& texts_of(EntryKind kind) { return entry_texts[static_cast<std::size_t>(kind)]; }

// "3 digits", "1 digit"
bool counts_digits(const std::string& verdict) {
  const std::size_t end = verdict.find_first_not_of("0123456789");
  return end != 0 && end != std::string::npos && (verdict.substr(end) == " digits" || verdict.substr(end) == " digit");
}

std::vector<VerdictKind> verdicts_of_claim(Rule rule) {
  using enum VerdictKind;
  switch (rule) {
    case Rule::number:
      return {all_digits, some_digits, same_order, differs};
    case Rule::magnitude:
      return {same_order, differs};
    case Rule::time:
      return {not_reproducible};
    case Rule::guarantee:
      return {confirmed, understated, refuted, undecided};
    default:
      return {confirmed, refuted, undecided};
  }
}

}  // namespace

const char* entry_name(EntryKind kind) { return texts_of(kind).name; }
const char* entry_list(EntryKind kind) { return texts_of(kind).list; }

std::optional<EntryKind> entry_kind_named(const std::string& name) {
  for (const EntryTexts& texts : entry_texts)
    if (texts.name == name) return texts.kind;
  return std::nullopt;
}

std::vector<std::string> entry_names() {
  std::vector<std::string> names;
  for (const EntryTexts& texts : entry_texts) names.emplace_back(texts.name);
  return names;
}

std::optional<Rule> rule_named(const std::string& name) {
  for (const auto& [rule, text] : rule_texts)
    if (text == name) return rule;
  return std::nullopt;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const auto& [rule, text] : rule_texts) names.emplace_back(text);
  return names;
}

bool judges_a_number(Rule rule) { return rule == Rule::number || rule == Rule::magnitude || rule == Rule::time; }

bool counts_values(Rule rule) { return rule == Rule::often_at_least || rule == Rule::often_at_most; }

bool compares_values(Rule rule) {
  return rule == Rule::less || rule == Rule::faster || rule == Rule::similar || counts_values(rule);
}

const char* verdict_words(VerdictKind kind) { return verdict_texts[static_cast<std::size_t>(kind)].second; }

VerdictKind verdict_kind(const std::string& verdict) {
  if (counts_digits(verdict)) return VerdictKind::some_digits;
  for (const auto& [kind, words] : verdict_texts)
    if (words == verdict && kind != VerdictKind::some_digits) return kind;
  return VerdictKind::unknown;
}

std::string digits_verdict(int digits) { return fmt::format("{} digit{}", digits, digits == 1 ? "" : "s"); }

std::vector<VerdictKind> verdicts_of(EntryKind kind, Rule rule) {
  std::vector<VerdictKind> verdicts;
  // Times of other machines and guarantees are those of papers.
  if (kind != EntryKind::claim && (rule == Rule::time || rule == Rule::guarantee)) return verdicts;
  for (const VerdictKind of_claim : verdicts_of_claim(rule)) {
    const VerdictKind verdict = verdict_of(kind, rule, of_claim);
    if (std::find(verdicts.begin(), verdicts.end(), verdict) == verdicts.end()) verdicts.push_back(verdict);
  }
  if (kind == EntryKind::finding && judges_a_number(rule)) verdicts.push_back(VerdictKind::undecided);
  return verdicts;
}

VerdictKind verdict_of(EntryKind kind, Rule rule, VerdictKind of_claim) {
  using enum VerdictKind;
  if (kind == EntryKind::claim || of_claim == undecided) return of_claim;
  const bool agreement =
      of_claim == all_digits || of_claim == confirmed || (rule == Rule::magnitude && of_claim == same_order);
  if (kind == EntryKind::finding) return agreement ? holds : does_not_hold;
  if (of_claim == refuted) return differs;
  return agreement ? agrees : of_claim;
}

}  // namespace daelab
