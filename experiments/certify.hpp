// Reference solutions: computed by a problem's independent route, certified by a second one, stored.
#pragma once

#include "core/exact.hpp"

namespace daelab {

/// Computes the states of a problem at the given times by its independent route at two resolutions and
/// checks them against a 50-digit run of a high-order method on the constrained equations. The digits
/// trusted are the decimals in which all agree; the multipliers of redundant constraints are those of least norm
/// on both ways. Returns the content of results/reference/<problem>.json.
/// Throws InputError when the problem has no independent route.
Json certify_reference(const Json& problem, const std::vector<Exact>& times);

}  // namespace daelab
