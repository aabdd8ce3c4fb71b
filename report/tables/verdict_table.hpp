// Verdicts on the entries of a paper or a config: their signs, counts and tables. Claims, findings and checks are
// counted and shown apart.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "results/artifacts.hpp"
#include "results/entry.hpp"

namespace daelab {

const char* verdict_sign(VerdictKind kind);   // ✓ ≈ ~ ✗ – ?, legible without colour
const char* verdict_class(VerdictKind kind);  // CSS class

/// The entries of one kind, in their order.
std::vector<Judgement> of_kind(const std::vector<Judgement>& judgements, EntryKind kind);

/// Subject of a verdict: the printed text, or a finding with the number it records.
std::string subject(const Judgement& judgement);

struct VerdictCounts {
  std::array<std::size_t, verdict_kinds> of = {};  // by VerdictKind
  std::size_t total = 0;
  std::size_t unexpected = 0;
};
VerdictCounts count_verdicts(const std::vector<Judgement>& judgements);

/// Of entries of one kind: "41 claims: 35 all printed digits, 4 some digits, 2 not reproducible"
std::string kind_counts_text(const std::vector<Judgement>& judgements, EntryKind kind);

/// "41 claims: 35 all printed digits, 6 refuted; 3 findings: 3 holds; all verdicts as expected"
std::string verdict_counts_text(const std::vector<Judgement>& judgements);

/// Every entry in one table, for a program to read; and a table per kind and table of the paper.
Table verdict_table(const std::vector<Judgement>& judgements);
std::vector<Table> verdict_tables(const std::vector<Judgement>& judgements);

/// Gives a verdict, with its sign, the colour of its kind.
using VerdictPainter = std::function<std::string(VerdictKind kind, const std::string& text)>;

/// For a terminal of this width: the entries whose verdict is not the expected one, or says that something does not
/// hold as it is printed, with the counts below.
std::string notable_verdicts_text(const std::vector<Judgement>& judgements, std::size_t width,
                                  const VerdictPainter& painted = {});

/// All of them, kind by kind, with the counts below: numbers in a line each where they fit, statements in paragraphs;
/// verdicts that are not the expected one are marked with '!' and say what was expected.
std::string verdict_table_text(const std::vector<Judgement>& judgements, std::size_t width,
                               const VerdictPainter& painted = {});

}  // namespace daelab
