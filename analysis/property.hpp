// Statements about methods, each with its proof or its counterexample.
#pragma once

#include <string>
#include <utility>

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

}  // namespace daelab
