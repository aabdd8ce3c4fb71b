// The number of stages of a family as an option: a number, or "auto" for a family among which error control chooses.
#pragma once

#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {

/// No value: chosen step by step.
using StageCount = std::optional<int>;

/// An integer or "auto".
Option stage_count_option(std::string name, StageCount& count, std::string doc, Allowed allowed);

/// Of one tableau: the method has this order.
TableauFamily family_of(std::vector<Tableau> tableaus);

}  // namespace daelab
