// What the evaluation of a result set calls its runs: the labels that the user gave, for curves that scripts draw.
#pragma once

#include <map>
#include <string>

#include "core/base/json.hpp"

namespace daelab {

class CurveNames {
 public:
  /// Takes analysis.json; anything else names nothing.
  explicit CurveNames(const Json& analysis);

  /// {"label", "factors"} of the curve that a run belongs to: without what a curve is followed along, such as h. Null:
  /// the evaluation does not name it.
  Json of(const std::string& key, const Json& spec) const;

 private:
  void add(const Json& entry);

  std::map<std::string, Json> by_key_;   // of runs with trajectories
  std::map<std::string, Json> by_spec_;  // the text of a specification without what curves are followed along
};

}  // namespace daelab
