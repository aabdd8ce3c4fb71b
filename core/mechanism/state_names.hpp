// Entries of a state by name, and values that users give for some of them.
//
// The names are those of trajectories: q1 to qn and v1 to vn of a mechanism, y1, y2, ... of first-order states, which
// ordinary differential equations consist of. The problem's own names serve too: phi1, and phi1' for its velocity. A
// name that both have, as q1 of the slider-crank, means what it means in trajectories; q1' means nothing then.
// Accelerations, a1 to an or phi1'', are no entries of a state: their names are known where they are asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/exact.hpp"

namespace daelab {

class Problem;

struct StateEntry {
  char kind;         // 'q', 'v', 'y' or 'a'
  std::string name;  // "q6"
  std::string own;   // "phi1", "phi1'"; "" where a trajectory's name is spelled alike
  Index place;       // in the initial y of the model and in the y of every system of it; 'a': among accelerations
};

class StateNames {
 public:
  explicit StateNames(const Problem& problem);

  /// All entries of one kind in their order; empty where the problem has none.
  std::vector<StateEntry> of(char kind) const;
  /// The entry with this name among those whose kind is one of `kinds`. Where only velocities or only accelerations are
  /// asked for, the name of a coordinate means its velocity or acceleration. Throws InputError under `where` with the
  /// names that are known, and the nearest.
  const StateEntry& find(std::string_view kinds, const std::string& name, const std::string& where) const;

 private:
  std::string known(std::string_view kinds) const;
  std::vector<StateEntry> entries_;
};

/// "q6,v1": {"q6", "v1"}.
std::vector<std::string> comma_separated(const std::string& text);

/// A value for an entry of a state.
struct NamedValue {
  std::string name;  // "q6"
  Index place;
  Exact value;
};

/// Reads {"q6": V, "x3": V}, "q6=V,x3=V", or all entries of the one kind that is allowed: [V, V, ...] or "V,V,...".
/// Returns them by ascending place; none for null. Throws InputError under `where` for unknown names, names given
/// twice, a list of another length and text that is no number.
std::vector<NamedValue> read_named_values(const Json& given, const StateNames& names, std::string_view kinds,
                                          const std::string& where);

/// {"q6": "1.69e-5"}: what read_named_values() reads.
Json to_json(const std::vector<NamedValue>& values);

}  // namespace daelab
