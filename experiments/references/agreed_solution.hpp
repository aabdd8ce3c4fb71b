// Reference solutions: computed by one way, confirmed by another that shares little with it, stored. The agreement of
// two routes is no proof: an enclosure is one (results/reference.hpp).
#pragma once

#include "core/base/exact.hpp"
#include "core/start/start_options.hpp"

namespace daelab {

/// Computes the states of a problem at the given times, in ascending order, by its independent route at two
/// resolutions, or where it has none by extrapolation of its state-space form, and checks them against 50-digit runs
/// of a high-order method on the constrained equations. Ordinary differential equations: see agreed_ode
/// (experiments/references/route_and_witness.hpp). The digits trusted are the decimals in which all agree; the
/// multipliers of redundant constraints are those of least norm on both ways. Returns a solution as
/// results/reference/<problem>.json holds it; values published elsewhere (results/reference/published-values.json) are
/// beside ours with their deviation.
/// A start other than the problem's own values, of mechanisms alone: the motion is extrapolated.
/// Throws InputError for times that no step size of the runs divides or that the route does not reach, and
/// std::runtime_error when the two ways do not agree to 25 digits (20, of ordinary differential equations).
Json agreed_solution(const Json& problem, const std::vector<Exact>& times, StartOptions start = {});

/// Throws InputError for problems whose references need a route of their own.
void refuse_events(const Json& problem);

}  // namespace daelab
