// The nearest repair of Rosenbrock, Nyström and partitioned tableaus, compositions and multistep formulas: what each
// family tells coefficient_repair.hpp of itself.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/integration/method_form.hpp"
#include "methods/geometric/composition_scheme.hpp"

namespace daelab {

/// Orders by the property that is claimed: {"order", 4}, {"embedded order", 3}, {"index-1 order", 4}.
using ClaimedOrders = std::map<std::string, int>;

/// Texts as those of nearest_changes(); none for other forms, which have no coefficients or a repair of their own.
std::vector<std::string> family_repairs(const MethodForm& form, const ClaimedOrders& claimed);
std::vector<std::string> family_repairs(const CompositionScheme& scheme, const ClaimedOrders& claimed);

}  // namespace daelab
