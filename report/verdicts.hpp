// Verdicts on a paper's claims: their kinds, counts and tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// The kinds of verdict, numbers first, then statements; each has a sign that is legible without
/// colour.
enum class VerdictKind {
  all_digits,
  some_digits,
  same_order,
  differs,
  not_reproducible,
  confirmed,
  refuted,
  undecided,
  unknown
};
inline constexpr std::size_t verdict_kinds = static_cast<std::size_t>(VerdictKind::unknown) + 1;

/// Recognised by its words (results/claims.hpp): "all printed digits", "3 digits", "same order of
/// magnitude", "differs", "not reproducible", "confirmed", "refuted", "undecided".
VerdictKind verdict_kind(const std::string& verdict);

const char* verdict_sign(VerdictKind kind);   // ✓ ≈ ~ ✗ – ?
const char* verdict_words(VerdictKind kind);  // "all printed digits", for counts and the legend
const char* verdict_class(VerdictKind kind);  // CSS class

struct VerdictCounts {
  std::size_t of[verdict_kinds] = {};  // by VerdictKind
  std::size_t total = 0;
  std::size_t unexpected = 0;
};
VerdictCounts count_verdicts(const std::vector<Judgement>& judgements);

/// "41 claims: 35 all printed digits, 4 some digits, 2 not reproducible; all verdicts as expected"
std::string verdict_counts_text(const VerdictCounts& counts);

/// The judgements as one table, and as one table per table of the paper.
Table verdict_table(const std::vector<Judgement>& judgements);
std::vector<Table> verdict_tables(const std::vector<Judgement>& judgements);

/// For the terminal: aligned, with the counts below; verdicts that are not the expected one are
/// marked with '!' and say what was expected.
std::string verdict_table_text(const std::vector<Judgement>& judgements);

}  // namespace daelab
