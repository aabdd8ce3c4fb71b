// What a run says of its start: values in place of the problem's own, which of them to trust, and what is done with
// them.
//
// The JSON is a text, the analysis alone, or an object:
//
//   {"analysis": "project", "q": {"q6": "1.033e-5"}, "v": {"v1": 150}, "y": {...}, "fix": "q6,v1",
//    "weights_q": {"q3": 100}, "weights_v": {...}, "weights_y": {...}, "a": {"a1": "-692.307"}}
//
// Accelerations that are given are not checked: programs of others start from such ones, and their numbers belong to
// them.
//
// Values and weights are read by read_named_values(): by name, or as a list of all.            [Ren20, eqs. (6) to (9)]
#pragma once

#include <string>
#include <vector>

#include "core/base/options.hpp"
#include "core/mechanism/state_names.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {

/// consistent: values that violate the constraints are refused; project: they are moved onto the constraints;
/// zero_acceleration: a = 0 instead of what follows from the values, on purpose, to show the harm.
enum class StartAnalysis { consistent, project, zero_acceleration };
std::vector<std::string> names_of(StartAnalysis);

/// The values of a start, with names resolved.
struct StartValues {
  std::vector<NamedValue> values;                           // of q, v and y, in place of the problem's own
  std::vector<NamedValue> weights_q, weights_v, weights_y;  // of others it is 1
  std::vector<StateEntry> fixed;                            // weight StartWeights::trusted
  std::vector<NamedValue> accelerations;                    // in place of the consistent ones

  bool replaces() const { return !values.empty(); }
  bool is_weighted() const { return !weights_q.empty() || !weights_v.empty() || !weights_y.empty() || !fixed.empty(); }
  /// A model begins with the values in place of those recorded. Throws InputError where one of the recording has no
  /// value and is not replaced.
  template <class T>
  void put_into(Model<T>& model) const;
  /// Accelerations `a` of the start at coordinates q with velocities v, where some are given: those of a rotation are
  /// derivatives of the left velocity.
  template <class T>
  void put_accelerations(const MechanicalModel<T>& model, const Vector<T>& q, Vector<T> v, Vector<T>& a) const;
  /// For n coordinates, those of integrated states among them.
  template <class T>
  StartWeights<T> weights(Index n) const;
  /// Weights of the states of first-order equations; empty if none is given.
  template <class T>
  Vector<T> weights_of_states(Index states) const;
};

/// What a config or a command line gives.
struct StartOptions {
  StartAnalysis analysis = StartAnalysis::consistent;
  Json q, v, y, fix, weights_q, weights_v, weights_y, a;  // null: not given

  Options options();
  /// Text or object. Values that are to be trusted more than others ask for a projection, which is then the default.
  /// Throws InputError under `where` for anything else, and for trusted values without a projection.
  void read(const Json& given, const std::string& where);
  /// Text where only the analysis is given.
  Json write();
  /// Finds the names in a problem, and puts values and names as they are spelled in trajectories in place of those
  /// given. Throws InputError under `where` for unknown names and for weights that are not above 0.
  StartValues resolve(const StateNames& names, const std::string& where);

  /// The keys that are texts on a command line: "q", "v", "y", "fix", "weights_q", "weights_v",
  /// "weights_y"; accelerations are not what a user should reach for.
  static const std::vector<std::string>& value_keys();
};

/// text or object, for Option
extern const OptionType start_type;

}  // namespace daelab
