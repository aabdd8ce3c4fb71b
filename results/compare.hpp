// Comparison of two result sets, run by run.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// One place where two result sets differ.
struct Difference {
  Json spec;            // of the run
  std::string pointer;  // into the run record; "" when the run stands in one set only
  Json a, b;            // null: not there
};

/// Run by run, the reference run with them, matched by specification, whatever code computed them. Numbers, also those
/// written as strings of 50 digits, are equal when |a - b| <= rtol max(|a|, |b|). Times, keys and provenance are left
/// out.
std::vector<Difference> compare(const std::string& dir_a, const std::string& dir_b, double rtol);

}  // namespace daelab
