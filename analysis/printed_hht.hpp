// The formulas of HHT and generalized-alpha that [Ren20] prints beside its Jacobians, in exact fractions on motions
// whose accelerations are constant or linear in time.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <string>
#include <vector>

#include "core/base/rational.hpp"

namespace daelab::printed {

/// "gamma" where velocities are not exact for linear accelerations, "beta" where the damping at infinite frequency is
/// not the largest, "forms" where both forms of beta differ.
std::vector<std::string> parameters_21();
/// "velocity" and "position" where these are not the formulas whose derivatives by a_(n+1) (29) has. `mended`: a_(n+1)
/// for the last a_(n-1), a_n for the others.
std::vector<std::string> states_22(bool mended);
/// "a_(n+1)" where the second formula is not the first one at n + 1. `mended`: its left side is a_(n+1).
std::vector<std::string> accelerations_23(bool mended);
/// "balance" where (24) with (25) does not hold on a motion that satisfies (1), all terms linear in time.
std::vector<std::string> balance_24();

/// c of the error c h^2 x of a step [Ren20, before (34)], by (26) to (30) with the sign of gamma mended, for
/// accelerations that are linear in time.
Rational error_constant_34(const Rational& rho);

}  // namespace daelab::printed
