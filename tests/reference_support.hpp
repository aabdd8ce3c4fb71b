// Stored and published states of problems.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/json_file.hpp"
#include "core/base/real.hpp"
#include "results/reference.hpp"

namespace daelab {

/// Numbers as they are printed.
inline Vector<Real50> printed_numbers(const std::vector<const char*>& texts) {
  Vector<Real50> x(static_cast<Index>(texts.size()));
  for (Index i = 0; i < x.size(); ++i) x[i] = Real50(texts[static_cast<std::size_t>(i)]);
  return x;
}

/// What results/reference/ holds of a problem at this time, as text.
inline Json stored_state(const std::string& problem, const std::string& t) {
  const Json file = read_json_file(reference_path(problem));
  for (const Json& state : file.at("states"))
    if (state.at("t") == t) return state;
  ADD_FAILURE() << "no state of " << problem << " at " << t;
  return Json();
}

}  // namespace daelab
