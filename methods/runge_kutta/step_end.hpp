// The end of an implicit Runge-Kutta step on forms whose constraints it does not impose.
#pragma once

#include "methods/runge_kutta/implicit_stages.hpp"

namespace daelab {

/// B^-1 x, in double.
Matrix<double> behind_coefficients(const Stages& stages, const Matrix<double>& x);

/// |B^-1| of the maximum norm, in double.
double norm_behind_coefficients(const Stages& stages);

/// R(infinity), what a step multiplies the distance from constraints by.
double stability_at_infinity(const Stages& stages);

/// A step end that is no stage is off the constraints. On index 2 its distance is multiplied by R(infinity) in each
/// step after, so that -1 takes away what +1 adds up; on index 3 it grows. No step is small enough then: throws
/// NotApplicable with R(infinity).
void refuse_steps_that_leave_constraints(const Stages& stages, int index);

}  // namespace daelab
