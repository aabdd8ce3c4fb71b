// The two-loop integration: orders with equal and changing steps in every scalar, three constraint levels at round-off,
// redundant and nonholonomic constraints, errors against tolerances, forces too stiff for the outer loop.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/observers.hpp"
#include "tests/method_support.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<std::string> formulas = {"hht", "trapezoidal", "bdf2"};

template <class T>
Vector<T> end_of(const std::string& problem, const std::string& method, const T& t_end, int steps,
                 const std::vector<T>& pattern = {}) {
  BoundProblem<T> bound(problem, "index-1");
  const auto stepper = method_of(method)->stepper(*bound.system, {});
  const T h = t_end / T(steps);
  const Status status = integrate<T>(*stepper, bound.start, t_end, FixedSteps<T>(h, pattern), {});
  EXPECT_TRUE(status.ok()) << method << ": " << status.cause;
  return bound.start.y;
}

// By three runs, each with half the step: q, v and multipliers.
template <class T>
double observed_order(const std::string& formula, int steps, const std::vector<T>& pattern) {
  const auto run = [&](int n) { return end_of<T>("pendulum", "tlismni:formula=" + formula, T(1), n, pattern); };
  const Vector<T> coarse = run(steps), middle = run(2 * steps), fine = run(4 * steps);
  return std::log2(largest(coarse - middle) / largest(middle - fine));
}

template <class T>
class TwoLoopOrder : public testing::Test {};
TYPED_TEST_SUITE(TwoLoopOrder, Scalars);

// A slope between two step sizes is off by some O(h): a twentieth at these.
TYPED_TEST(TwoLoopOrder, IsTwo) {
  using T = TypeParam;
  for (const std::string& formula : formulas) EXPECT_NEAR(observed_order<T>(formula, 160, {}), 2, 0.05) << formula;
}

// Steps h/2, 3h/2 in turn: an average lag of the accelerations would leave order 1 of hht.
TYPED_TEST(TwoLoopOrder, IsTwoWithChangingSteps) {
  using T = TypeParam;
  const std::vector<T> pattern{T(1) / T(2), T(3) / T(2)};
  for (const std::string& formula : formulas) EXPECT_NEAR(observed_order<T>(formula, 160, pattern), 2, 0.05) << formula;
}

// The largest violation of any level after any step, over the size of what is in it.
TEST(TwoLoop, KeepsAllThreeLevelsAtRoundOff) {
  for (const char* problem : {"seven-body", "rowing-boat", "bricard", "knife-edge", "rolling-disc", "car-axis"})
    for (const std::string& formula : formulas) {
      SCOPED_TRACE(std::string(problem) + ", " + formula);
      BoundProblem<double> bound(problem, "index-1");
      DriftObserver<double> drift(*bound.any_model);
      const auto stepper = method_of("tlismni:formula=" + formula)->stepper(*bound.system, {});
      stepper->control({1e-4, 1e-4, 1e-4});
      State<double> state = bound.start;
      const Status status = integrate_adaptive<double>(*stepper, state, 0.01, 0, {&drift});
      ASSERT_TRUE(status.ok()) << status.cause;
      const Index n = bound.layout.n;
      const double speed = 1 + largest(state.y.segment(n, n)), bend = 1 + largest(state.ydot.segment(n, n));
      EXPECT_LT(drift.position, 1e-14);  // lengths are of size one
      EXPECT_LT(drift.velocity, 1e-14 * speed);
      // Velocities enter it squared. Measured 2e-12 on the loop of bricard, whose redundant row is met as well as the
      // least-squares multipliers leave it; less than a tenth of the bound elsewhere.
      EXPECT_LT(drift.acceleration, std::max(1e-13 * (bend + speed * speed), 1e-11));
    }
}

// The formulas err by h^2, so errors go like tolerance^(2/3), a factor 21 here. A step errs by a tolerance at most, and
// the motion does not amplify it.
TEST(TwoLoop, ErrorsFollowTheTolerance) {
  const Vector<double> reference = [] {
    BoundProblem<double> bound("seven-body", "ggl");
    const auto stepper = method_of("radau-iia:s=5")->stepper(*bound.system, {});
    stepper->control({1e-10, 1e-10, 1e-10});
    EXPECT_TRUE(integrate_adaptive<double>(*stepper, bound.start, 0.01, 0, {}).ok());
    return Vector<double>(bound.start.y.head(7));
  }();
  for (const std::string& formula : formulas) {
    SCOPED_TRACE(formula);
    std::vector<double> errors;
    for (double tolerance : {1e-4, 1e-6}) {
      BoundProblem<double> bound("seven-body", "index-1");
      const auto stepper = method_of("tlismni:formula=" + formula)->stepper(*bound.system, {});
      stepper->control({tolerance, tolerance, tolerance});
      ASSERT_TRUE(integrate_adaptive<double>(*stepper, bound.start, 0.01, 0, {}).ok());
      errors.push_back(largest(bound.start.y.head(7) - reference));
      EXPECT_LT(errors.back(), tolerance * static_cast<double>(stepper->statistics().steps));
    }
    EXPECT_LT(errors[1], errors[0] / 5);
  }
}

// Dampers of the governor have time constants far below 1/100.
TEST(TwoLoop, SaysWhereItsOuterLoopDoesNotContract) {
  BoundProblem<double> bound("flyball-governor", "index-1");
  const auto stepper = method_of("tlismni")->stepper(*bound.system, {});
  State<double> state = bound.start;
  const Status status = integrate<double>(*stepper, state, 1.0, 0.01, {});
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_THAT(status.cause, AllOf(HasSubstr("does not contract"), HasSubstr("smaller steps")));

  const auto controlled = method_of("tlismni")->stepper(*bound.system, {});
  controlled->control({1e-4, 1e-4, 1e-4});
  State<double> small = bound.start, accurate = bound.start;
  ASSERT_TRUE(integrate_adaptive<double>(*controlled, small, 0.5, 0, {}).ok());
  EXPECT_GT(controlled->statistics().failed, 0);
  const auto radau = method_of("radau-iia")->stepper(*bound.system, {});
  radau->control({1e-9, 1e-9, 1e-9});
  ASSERT_TRUE(integrate_adaptive<double>(*radau, accurate, 0.5, 0, {}).ok());
  EXPECT_LT(largest((small.y - accurate.y).head(bound.layout.n)), 1e-3);
}

TEST(TwoLoop, NeedsIndexOne) {
  for (const char* form : {"index-2", "index-3", "ggl", "baumgarte", "projected"}) {
    BoundProblem<double> bound("pendulum", form);
    EXPECT_THROW(method_of("tlismni")->stepper(*bound.system, {}), NotApplicable) << form;
  }
  EXPECT_THROW(method_of("tlismni:alpha=1/2"), InputError);
}

}  // namespace TEST_FILE
}  // namespace daelab
