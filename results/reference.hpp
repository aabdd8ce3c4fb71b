// Reference solutions: states in 50 digits, in results/reference/<problem>.json; those of a problem file of one's own,
// mine.json, in mine.reference.json beside it. Two routes agree on them to so many decimals; an enclosure may prove
// some.
//
//   {"problem": {spec without end_time}, "start": what a run says of its start, left out for the problem's own values,
//    "route": "...", "certificate": "...",
//    "states": [{"t": "1", "digits_trusted": 40, "q": [...], "v": [...], "a": [...], "lambda": [...]}],
//              (ordinary differential equations: "y": [...] in place of the four; first-order states: beside them;
//               where an enclosure holds it: "proved": {"digits": 47, "certificate": "certificates/pendulum-1.json",
//               "cpu_seconds": "0.3", "condition": "12.3"})
//    "variants": [the same keys for other parameters of the problem]}
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"

namespace daelab {

/// Interval arithmetic encloses the motion: the numbers stored are off by less than half a unit of the last of `digits`
/// decimals (absolute).
struct ReferenceProof {
  int digits = 0;
  std::string certificate;             // its file, relative to the folder of the reference
  std::string cpu_seconds, condition;  // of the enclosure and of the motion, as texts; "": not stated
};

struct ReferenceState {
  Vector<Real50> q, v, a, lambda;
  Vector<Real50> y = {};   // first-order states; of ordinary differential equations in place of the others
  int digits_trusted = 0;  // decimals (absolute) that two independent routes agree in
  std::string source;      // the file and the route, for the reader
  std::optional<ReferenceProof> proof = {};
  bool is_closed_form = false;  // computed from a formula when it is asked for, nothing stored

  const Vector<Real50>& of(const std::string& kind) const {
    return kind == "y" ? y : kind == "q" ? q : kind == "v" ? v : kind == "a" ? a : lambda;
  }
  /// Decimals to which errors are known: proved or agreed in, whichever are more.
  int digits() const { return proof ? std::max(proof->digits, digits_trusted) : digits_trusted; }
  /// "proved to 47 digits", or what two routes agree in, which is no proof.
  std::string digits_text() const;
};

class Problem;

/// What the errors of runs of one problem are measured against: what its file held when this was made, so that the key
/// of a run and its error agree, whatever is written to the file meanwhile. Any number of threads may ask.
class References {
 public:
  /// None.
  References() = default;
  /// Of that very problem and start: all parameters but the end time equal, and what a run says of its start.
  /// `given`: how the problem was named, as a file or with its options. Throws InputError for a file that is malformed.
  explicit References(const Json& problem_spec, const Json& start = consistent_start, const Json& given = {});
  /// References of a problem for which nothing is stored.
  static References of_closed_form(const Json& problem_spec);

  /// Whether another one made now would hold the same.
  bool are_current() const;
  /// `daelab reference ...`, which stores one for time t; "" for a problem that no command line names.
  std::string storing_command(const Exact& t) const;
  /// What is stored at time t: {"route", "state"}; null where nothing is.
  Json stored(const Exact& t) const;
  /// The same as numbers; where nothing is stored, the closed form of an ordinary differential equation that has one.
  std::optional<ReferenceState> find(const Exact& t) const;

  /// One solution of a file.
  struct Solution;
  /// What a run says of its start unless it says something: the problem's own values.
  static constexpr const char* consistent_start = "consistent";

 private:
  struct ClosedFormOnly {};
  References(const Json& problem_spec, ClosedFormOnly) : problem_(problem_spec) {}
  /// Looks into the files as they are now. Null: they have no such solution. Only of a problem with a start.
  std::shared_ptr<const Solution> find_solution() const;
  /// The number of the state at time t in the solution.
  std::optional<std::size_t> place_of(const Exact& t) const;
  std::optional<ReferenceState> closed_form(const Exact& t) const;

  Json problem_, start_, given_;
  std::shared_ptr<const Solution> solution_;  // null: none is stored
  mutable std::once_flag once_;
  mutable std::shared_ptr<const Problem> ordinary_;  // null of mechanisms; made when it is asked for
};

/// For one time.
Json stored_reference(const Json& problem_spec, const Exact& t);
std::optional<ReferenceState> find_reference(const Json& problem_spec, const Exact& t);

/// All parameters but the end time are equal.
bool same_problem(const Json& a, const Json& b);

/// The content of a file of solutions with this one in it, in place of an earlier one of the same parameters and start,
/// whose states at other times stay.
Json with_solution(const Json& solution, const std::string& path);

/// results/reference/<name>.json
std::string reference_path(const std::string& problem_name);
/// dir/mine.reference.json for the problem file dir/mine.json.
std::string reference_path_beside(const std::string& problem_file);
/// The file of a problem as a run names it: "@mine.json:k=2", or an object with such a name; "" for other problems.
std::string problem_file(const Json& given);

}  // namespace daelab
