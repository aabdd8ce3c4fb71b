// Linear problems as runs name them.
#pragma once

#include "analysis/sr1_properties.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

inline Json random_psd(int perturbation_rank, const std::string& sign, int seed, const Json& perturbation = "1/2") {
  return {{"name", "random-psd"},
          {"size", 8},
          {"rank", 6},
          {"perturbation_rank", perturbation_rank},
          {"sign", sign},
          {"seed", seed},
          {"perturbation", perturbation}};
}

inline Json given(const char* A0, const char* A, const char* b) {
  return {{"name", "given-matrices"}, {"A0", Json::parse(A0)}, {"A", Json::parse(A)}, {"b", Json::parse(b)}};
}

}  // namespace daelab
