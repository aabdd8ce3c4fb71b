// The result of the experiment `printed-formulas`: which formulas of a paper agree with what they follow from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/members.hpp"

namespace daelab {

struct PrintedFormulasResult {
  struct Formula {
    Json spec;
    bool agrees = false;
    std::vector<std::string> differing;
    std::optional<double> value;
  };
  std::vector<Formula> formulas;
};

/// {"series": [{"spec", "agrees", "differing", "value"}]}: what claims point into.
void members(JsonMembers& json, PrintedFormulasResult& result);

}  // namespace daelab
