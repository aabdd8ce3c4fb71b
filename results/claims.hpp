// What a paper prints, and what becomes of it: results/published/<paper>.json and its judging.
//
//   {"paper": "li2019", "title": "...", "reference": "...", "claims": [
//     {"id": "table-1/h=0.01/energy",       unique
//      "location": "Table 1, h = 0.01, H max",
//      "table": "Table 1", "row": "h = 0.01", "column": "H max",     left out for statements
//      "kind": "number",                    see below; "number" may be left out
//      "printed": "7.0007E-5",              the text of the paper
//      "value": <value>, "true_value": <value>,     the latter optional: the 50-digit run
//      "expected": "all printed digits",    the verdict
//      "reason": "..."},                    why it is what it is; may be left out
//     ...]}
//
// A <value> is one of
//   {"set": "table-1", "run": {"/h": "0.01", "/scalar": "double"}, "pointer": "/max/energy_error"}
//   {"set": "figure-8", "series": {"/method/r": 4}, "pointer": "/orders/q"}
//   {"set": "figure-8", "result": "/some/derived/number"}
// "set" is the name of a config. The selectors of "run" point into the "spec" of the runs, those of
// "series" into the "spec" of the elements of /series of the analysis; exactly one may match.
// Numbers match by value ("0.01", 0.01 and "1/100" are the same). "result" points into the
// analysis.
//
// kind        needs                   verdicts
// number      printed, value          all printed digits | k digits (k >= 2) | same order of
//                                     magnitude (factor 10) | differs
// magnitude   printed, value          same order of magnitude | differs; for numbers at round-off
//                                     level, whose digits are luck
// time        printed, value          not reproducible (shown, never judged)
// order       claimed, value          confirmed | refuted | undecided; the value is an order estimate
//                                     {"order", "half_width", "differs_beyond", "decided"}: confirmed
//                                     within the interval as printed, refuted beyond that distance
// at-least    claimed, value          confirmed | refuted; the value is a number or an order estimate
// at-most     claimed, value          the same with <=
// less        values: [a, b, ...]     confirmed (a < b < ...) | refuted
// status      claimed, value          confirmed | refuted; the value is the text of a run's status or
//                                     cause, failed or not, and must contain the text claimed
// holds       claimed, value          confirmed | refuted; the value is true or false, as claimed
//
// A config may carry such "claims" too; "set" is left out for its own results.
//
// A number whose run failed or is missing differs; a statement that rests on such a run, on an
// undecided order or on one that has not settled, is undecided. The reason says which.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/artifacts.hpp"

namespace daelab {

namespace verdict {
inline constexpr const char* all_digits = "all printed digits";
inline constexpr const char* same_order = "same order of magnitude";
inline constexpr const char* differs = "differs";
inline constexpr const char* not_reproducible = "not reproducible";
inline constexpr const char* confirmed = "confirmed";
inline constexpr const char* refuted = "refuted";
inline constexpr const char* undecided = "undecided";
/// "3 digits"
std::string digits(int k);
}  // namespace verdict

/// The results of one config.
struct ResultSet {
  std::vector<Json> runs;  // run records with "spec" and "status"
  Json analysis;           // null: none
};

/// The result set of a config, or nothing when it was never run.
using ResultLookup = std::function<std::optional<ResultSet>(const std::string& set)>;

/// Looks in the results folders <out_dir>/<set>. Results of other code are none: their numbers are not those of now.
ResultLookup stored_results(const std::string& out_dir);

/// Throws InputError, with the JSON pointer, for anything the format above does not allow.
void check_claims(const Json& claims);

/// results/published/<paper>.json
std::string claims_path(const std::string& paper);
/// The claims of a paper, checked. Throws InputError with the file.
Json read_claims(const std::string& paper);

/// The claims of a config, completed: a value without "set" is of the set of this name, the config's own. `runs` are
/// its resolved specifications; of this set a "run" must select exactly one. Throws InputError as check_claims does.
Json claims_of_config(const Json& claims, const std::string& set, const std::vector<Json>& runs);

/// JSON Schema of a list of claims.
Json claims_schema();

/// Judges every claim, in the order of the file. Throws InputError for a malformed file and for
/// selectors that match more than one run.
std::vector<Judgement> judge(const Json& claims, const ResultLookup& lookup);

/// The same for a list of claims that was checked.
std::vector<Judgement> judge_list(const Json& list, const ResultLookup& lookup);

/// "7.0007E-5" has 5, "0.0021" has 2.
int significant_digits(const std::string& printed);

/// Our number in the style of the printed one: as many digits, with or without exponent. More than
/// a factor of 10 away from a number printed without exponent it gets one.
std::string print_alike(double ours, const std::string& printed);

/// One of the verdicts of kind "number". k digits: the relative difference is below 10^-k.
std::string judge_number(double ours, const std::string& printed);

}  // namespace daelab
