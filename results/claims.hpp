// What a paper prints, what we found out about it, and what becomes of both: the pack.json of a pack
// (results/packs.hpp) and its judging.
//
//   {"paper": "li2019", "title": "...", "reference": "...", "cited_as": "Li, Ding, Li 2019" (in configs),
//    "contents": {"sections": ["1", "2.1"], "tables": ["1"], "figures": ["1"], "formulas": ["1"],
//                 "parts": ["Abstract", "Conclusions", "Lemma 6"]},          what exists in the paper
//    "claims":   [...],    what the paper prints or states
//    "findings": [...],    what we established about it
//    "checks":   [...],    numbers and statements of other literature, judged in passing
//    "passages": [...]}    may be left out; texts of documents that tell numbers of the results: told_numbers.hpp
//
// An entry of these lists:
//
//   {"id": "table-1/h=0.01/energy",       unique in the file
//    "location": "Table 1, h = 0.01",     results/contents.hpp; in a config free text, where sources that begin with
//                                         the "cited_as" of a paper name a place of it
//    "table": "Table 1", "row": "h = 0.01", "column": "H max",     left out for statements
//    "kind": "number",                    see below; "number" may be left out
//    "printed": "7.0007E-5",              of claims and checks: the number as printed, or the statement in our words
//    "judged_by": "...",                  of claims and checks, may be left out: what is measured for it, with which
//                                         problem and settings of ours; "printed" holds what the paper says alone
//    "source": "...",                     of checks: where the literature has it
//    "statement": "...",                  of findings: in our words
//    "recorded": "629",                   of findings of kind number and magnitude: the number held to
//    "value": <value>,
//    "true_value": <value>,               optional: the 50-digit run
//    "expected": "all printed digits",    the verdict
//    "reason": "...",                     why it is what it is; may be left out
//    "numbers": [...], "given": [...]}    of the reason: of results, in its places {}, and others (told_numbers.hpp)
//
// A <value> is one of
//   {"set": "table-1", "run": {"/h": "0.01", "/scalar": "double"}, "pointer": "/max/energy_error"}
//   {"set": "figure-8", "series": {"/method/r": 4}, "pointer": "/orders/q"}
//   {"set": "figure-8", "result": "/some/derived/number"}
// "set" is the name of a config. The selectors of "run" point into the "spec" of the runs, those of
// "series" into the "spec" of the elements of /series of the analysis; exactly one may match.
// Numbers match by value ("0.01", 0.01 and "1/100" are the same). "result" points into the
// analysis. "over": <value> divides by another one.
//   {"set": "h", "run": {...}, "column": "total_energy", "take": "last"}
// A column of the trajectory that a run has stored, as a list. "pointer" takes one entry of it, "/0" that of the start;
// "take" its first, last, least or largest one, or the least-change or largest-change from one entry to the next.
//   {"expression": "sqrt(sum(i in 1..3, (x[i] - y[i])^2))", "with": {"x": <value>, "y": <value>}}
// In the language of problem files, evaluated in 100 digits; lists are vectors, whose entries count from 1.
//   {"each": "abs(x - y)", "with": {"x": <value>, "y": <value>}, "take": "largest"}
// The same for the entries of lists one by one: a list, or what "take" makes of it. Numbers and columns may be those of
// data files beside the configs of a paper: results/stored_files.hpp.
//
// kind        needs                   verdicts on claims
// number      printed, value          all printed digits | k digits (k >= 2) | same order of
//                                     magnitude (factor 10) | differs
// magnitude   printed, value          same order of magnitude | differs; for numbers at round-off
//                                     level, whose digits are luck
// time        printed, value          not reproducible (shown, never judged); of claims alone
// exact       claimed, value          confirmed | refuted | undecided; an exact constant such as
//                                     "(11 - 2 sqrt(2))/24", or nested lists of them: all of them equal
// order       claimed, value          confirmed | refuted | undecided; the value is an order estimate
//                                     {"order", "half_width", "differs_beyond", "rises_to", "decided"}:
//                                     confirmed within the interval as printed, refuted beyond that
//                                     distance, larger ones also beyond what the order may rise to
// guarantee   claimed, value          the same for an order that the paper guarantees; understated when
//                                     the measured one is higher; of claims alone
// at-least    claimed, value          confirmed | refuted; the value is a number or an order estimate
// at-most     claimed, value          the same with <=
// less        values: [a, b, ...]     confirmed (a < b < ...) | refuted
// faster      values: [a, b, ...]     the same of times, which are noisy: undecided when two that follow
//                                     each other differ by less than 10 %
// similar     claimed, values         confirmed when the values are within the factor claimed | refuted
// often-at-least, often-at-most       for "often" and "usually"; confirmed when half of the values or more
//             claimed, values         are on that side of the claimed one | refuted
// status      claimed, value          confirmed | refuted; the value is the text of a run's status or
//                                     cause, failed or not, and must contain the text claimed
// holds       claimed, value          confirmed | refuted; the value is true or false, as claimed
//
// A finding holds, does not hold or is undecided; a number holds when it agrees to all digits recorded. A check agrees
// or differs; numbers, also to k digits or in the order of magnitude.
//
// A config may carry such lists too, without contents; "set" is left out for its own results.
//
// A number whose run failed or is missing differs; a statement or a finding that rests on such a run, on an
// undecided order or on one that has not settled, is undecided. The reason says which.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/artifacts.hpp"

namespace daelab {

/// The results of one config.
struct ResultSet {
  std::vector<Json> runs;   // run records with "spec" and "status"
  Json analysis;            // null: none
  std::string folder = {};  // of its trajectories; "": there are none
};

/// The result set of a config, or nothing when it was never run.
using ResultLookup = std::function<std::optional<ResultSet>(const std::string& set)>;

/// Looks in the results folders <out_dir>/<set>. Results of other code are none: their numbers are not those of now.
ResultLookup stored_results(const std::string& out_dir);

/// Throws InputError, with the JSON pointer, for anything in a paper's file that the format above does not allow.
void check_entries(const Json& paper);

/// The lists of entries in a config, completed: a value without "set" is of the set of this name, the config's own.
/// `runs` are its resolved specifications; of this set a "run" must select exactly one. Throws InputError as
/// check_entries does.
Json entries_of_config(const Json& config, const std::string& set, const std::vector<Json>& runs);

/// JSON Schema of a list of entries of this kind.
Json entries_schema(EntryKind kind);

/// Judges every entry of a paper, kind by kind in the order of the file. Throws InputError for a malformed file and for
/// selectors that match more than one run.
std::vector<Judgement> judge(const Json& paper, const ResultLookup& lookup);

/// The same for lists of entries that were checked.
std::vector<Judgement> judge_entries(const Json& entries, const ResultLookup& lookup);

}  // namespace daelab
