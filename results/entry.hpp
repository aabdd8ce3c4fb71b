// The kinds of entries of a paper, the rules they are judged by and the words of their verdicts, each listed once.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace daelab {

enum class EntryKind {
  claim,    // quotes what a paper prints or states
  finding,  // what we established about it
  check     // a number or statement of other literature, judged in passing
};
inline constexpr std::array entry_kinds = {EntryKind::claim, EntryKind::finding, EntryKind::check};

const char* entry_name(EntryKind kind);  // "claim"
const char* entry_list(EntryKind kind);  // "claims", the key of their list
/// The kind of this name; nothing for any other text.
std::optional<EntryKind> entry_kind_named(const std::string& name);
/// "claim", "finding", "check"
std::vector<std::string> entry_names();

/// "kind" of an entry: how it is judged (results/claims.hpp).
enum class Rule {
  number,
  magnitude,
  time,
  exact,
  order,
  guarantee,
  at_least,
  at_most,
  less,
  faster,
  similar,
  often_at_least,
  often_at_most,
  status,
  holds
};

/// The rule of this name; nothing for any other text.
std::optional<Rule> rule_named(const std::string& name);
/// "number", "magnitude", ...
std::vector<std::string> rule_names();
/// Compares our value with the text of a number.
bool judges_a_number(Rule rule);
/// Judges several values, not one.
bool compares_values(Rule rule);
/// Judges how many values of several are on the claimed side of a bound.
bool counts_values(Rule rule);

/// What became of an entry. Words of numbers come first, then those of statements.
enum class VerdictKind {
  all_digits,
  some_digits,
  same_order,
  differs,
  not_reproducible,
  confirmed,
  understated,  // true, and more than the paper says is true
  refuted,
  holds,
  does_not_hold,
  agrees,
  undecided,
  unknown
};
inline constexpr std::size_t verdict_kinds = static_cast<std::size_t>(VerdictKind::unknown) + 1;

/// "all printed digits", "confirmed", ...; "some digits" for "3 digits" and its like.
const char* verdict_words(VerdictKind kind);
/// For the text of a verdict: "3 digits" is some_digits; other texts than those above are unknown.
VerdictKind verdict_kind(const std::string& verdict);
/// "3 digits"
std::string digits_verdict(int digits);

/// The verdicts that an entry of this kind and rule can get; none where the rule is not for the kind.
std::vector<VerdictKind> verdicts_of(EntryKind kind, Rule rule);

/// The verdict of an entry of this kind, given that of a claim with the same rule and values.
VerdictKind verdict_of(EntryKind kind, Rule rule, VerdictKind of_claim);

}  // namespace daelab
