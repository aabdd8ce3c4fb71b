#include "methods/runge_kutta/step_end.hpp"

#include <fmt/format.h>

#include "core/base/status.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {

Matrix<double> behind_coefficients(const Stages& stages, const Matrix<double>& x) {
  return dense::solve(stages.B.cast<double>(), x);
}

double norm_behind_coefficients(const Stages& stages) {
  const Index r = stages.c.size();
  return behind_coefficients(stages, Matrix<double>::Identity(r, r)).cwiseAbs().rowwise().sum().maxCoeff();
}

double stability_at_infinity(const Stages& stages) {
  if (stages.stiffly_accurate) return 0;
  const Vector<double> slopes = behind_coefficients(stages, Vector<double>::Ones(stages.c.size()));
  return 1 - stages.b.cast<double>().dot(slopes);
}

void refuse_steps_that_leave_constraints(const Stages& stages, int index) {
  if (stages.stiffly_accurate) return;
  const double at_infinity = stability_at_infinity(stages);
  if (index == 2 && at_infinity < 0.5) return;
  throw NotApplicable(fmt::format(
      "the step end of this tableau is no stage: it leaves the constraints, and with R(infinity) = {:.2g} the distance "
      "stays on index {}, however small the steps. Take fixed steps, a tableau whose last stage is the step end, "
      "as radau-iia and lobatto-iiic, or a form of index 1",
      at_infinity, index));
}

}  // namespace daelab
