// Texts that tell numbers of results: they hold places, and the numbers come from the results whenever they are judged,
// so that no text can tell those of before.
//
//   {"reason": "{} against {} residuals",              a place for each number, in their order
//    "numbers": [{"of": "/values/0", "as": "0"},       the value of this entry at this pointer
//                {"set": "table-5", "run": {...}, "pointer": "/stats/residuals", "as": "0"}]}
//
// A number is a <value> of results/claims.hpp or
//   "of": "/values/0"       a value that an entry has already, a pointer into it: that of the text itself, or
//   "entry": "table-5/..."  that of another entry of the same file, by its id
// with
//   "over": <number>        divides by another one
//   "times": 100            a factor before it is printed: shares as percents, metres as millimetres
//   "as": "0.00"            how it is printed: 0, 0.0, 0.00, ... as decimals, 0E0, 0.0E0, ... with an exponent
// or how many entries of the file there are
//   {"entries": "claims", "expected": "confirmed", "kind": "order"}, of all verdicts and kinds where they are left out
//
// Numbers typed in the text itself are settings, theory or what a paper prints. Reasons in
// packs of the project list them in "given", ["20", "19/20"], except settings with their names ("RTOL = 1E-4", "index
// 3"): a test finds every other.
//
// A passage is a text of a document, listed in the file of a paper or in a config:
//   {"document": "docs/ren2020.md", "text": "| T = 0.03 | {} | {} |", "numbers": [...]}
// The document must have it word for word, with the numbers of the results; where lines end does not matter.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/claims.hpp"

namespace daelab {

class ValueReader;

/// Throws InputError unless "numbers" of `teller` has one number for each place of its text under `key`. `file` is the
/// file of entries, whose lists were checked.
void check_told_numbers(const Json& teller, const std::string& key, const Json& file, const std::string& where);

/// The text of `teller` under `key` with its numbers in their places, "?" for numbers that the results lack. `id`
/// is what errors name.
std::string told_text(const Json& teller, const std::string& key, const Json& file, ValueReader& reader,
                      const std::string& id);

/// Throws InputError for passages that the format above does not allow.
void check_passages(const Json& passages, const Json& file, const std::string& where);

/// JSON Schema of a list of passages.
Json passages_schema();

/// A passage as the results have it.
struct TextPassage {
  std::string document, text;
  bool told = false;  // the document has this text
};

/// The passages of a paper's file, or of a config's entries. Those of documents that are not there, as in an
/// installation, are left out.
std::vector<TextPassage> passages_of(const Json& paper, const ResultLookup& lookup);

}  // namespace daelab
