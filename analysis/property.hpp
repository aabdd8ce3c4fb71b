// Statements about methods, each with its proof or its counterexample.
#pragma once

#include <string>
#include <utility>

#include "core/base/json.hpp"

namespace daelab {

/// The proof starts with "exact" when the statement was settled in rational arithmetic, else with "numerical" and
/// what it rests on: how many digits, which grid. Where the statement makes no sense for the method, `applicable` is
/// false and the proof is the reason.
struct Property {
  bool holds = false;
  std::string proof;
  bool applicable = true;
};

inline Property not_applicable(std::string reason) { return {false, std::move(reason), false}; }

/// What a proof is worth, "exact" or "numerical": its first word.
inline std::string proof_kind(const std::string& proof) { return proof.substr(0, proof.find_first_of(" ,:;(")); }

inline void to_json(Json& json, const Property& property) {
  json = {{"holds", property.holds}, {"proof", property.proof}, {"applicable", property.applicable}};
}
inline void from_json(const Json& json, Property& property) {
  property = {json.at("holds"), json.at("proof"), json.at("applicable")};
}

}  // namespace daelab
