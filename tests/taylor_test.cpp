// The Taylor series method: orders, error control, agreement with extrapolation, energy, jumps that series do not see,
// dense output, refusals.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/documents/json_problem.hpp"
#include "core/integration/integrate.hpp"
#include "methods/taylor/taylor_method.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

template <class T>
struct EndOfRun {
  State<T> state;
  Statistics statistics;
};

// Under error control, with rtol = atol.
template <class T>
EndOfRun<T> solved(const BoundProblem<T>& bound, const std::string& method, const T& end, const T& tolerance) {
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
  stepper->control({tolerance, tolerance, tolerance});
  State<T> state = bound.start;
  const Status status = integrate_adaptive<T>(*stepper, state, T(state.t + end), T(0), {});
  EXPECT_TRUE(status.ok()) << method << ": " << status.cause;
  return {state, stepper->statistics()};
}

template <class T>
double energy_change(const BoundProblem<T>& bound, const State<T>& end) {
  const auto energy = [&](const State<T>& at) {
    return bound.model->energy(at.t, Vector<T>(bound.layout.q(at.y)), Vector<T>(bound.layout.v(at.y))).total();
  };
  using std::abs;
  return static_cast<double>(T(abs(energy(end) - energy(bound.start))));
}

// ---------------------------------------------------------------- orders

template <class T>
class TaylorOrders : public testing::Test {};
TYPED_TEST_SUITE(TaylorOrders, Scalars);

// With fixed steps; measured in double within 0.1.
TYPED_TEST(TaylorOrders, AreThoseOfThePolynomial) {
  using T = TypeParam;
  const bool is_double = std::is_same_v<T, double>;
  for (const int order : is_double ? std::vector{3, 5, 6} : std::vector{3, 6, 13}) {
    const std::string method = fmt::format("taylor:order={}", order);
    for (const double found : observed_orders<T>("pendulum", "index-1", method, T(1), {56, 80, 112, 160}))
      EXPECT_NEAR(found, order, is_double ? 0.3 : 0.15) << method << " on the pendulum";
    for (const double found : observed_orders<T>("two-link-manipulator", "index-1", method, T(1) / 4, {14, 20, 28, 40}))
      EXPECT_NEAR(found, order, is_double ? 0.3 : 0.15) << method << " on two links";
  }
}

// 1 - ln(tol)/2 [JZ05, Sec. 3.2], with the round-off of double, and of 50 digits, for fixed steps.
TEST(TaylorOrder, FollowsTheTolerance) {
  EXPECT_EQ(taylor_order(1e-6), 8);
  EXPECT_EQ(taylor_order(1e-12), 15);
  EXPECT_EQ(taylor_order(1e-40), 48);
  EXPECT_EQ(taylor_order(0.5), 2);
}

// ---------------------------------------------------------------- error control

// Errors of all steps add up: 30 tolerances are allowed.
TEST(TaylorControl, KeepsTheToleranceOfThePendulum) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const Motion exact = *bound.problem->independent_solution(Real50(3), 30);
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto end = solved<double>(bound, "taylor", 3.0, tolerance);
    const Vector<Real50> q = bound.layout.q(end.state.y).template cast<Real50>();
    EXPECT_LT(largest(Vector<Real50>(q - exact.q)), 30 * tolerance) << tolerance;
    EXPECT_EQ(end.statistics.rejected, 0) << "the step is known before it is made";
  }
}

TEST(TaylorControl, KeepsTheEnergy) {
  for (const char* problem : {"pendulum", "two-link-manipulator"}) {
    const BoundProblem<double> bound(problem, "index-1");
    EXPECT_LT(energy_change(bound, solved<double>(bound, "taylor", 2.0, 1e-13).state), 1e-11)
        << problem;  // 100 tolerances
  }
}

// Mechanisms with holonomic, moving and nonholonomic constraints, with states of actuators, and equations with all
// kinds of operations.
TEST(TaylorControl, AgreesWithExtrapolation) {
  struct Case {
    const char *problem, *formulation;
    double end;
  };
  for (const auto& [problem, formulation, length] : std::vector<Case>{{"seven-body", "index-1", 0.02},
                                                                      {"seven-body-absolute", "index-1", 0.01},
                                                                      {"two-link-arm", "index-1", 1},
                                                                      {"slider-crank", "index-1", 0.02},
                                                                      {"heavy-top", "index-1", 0.2},
                                                                      {"flyball-governor", "index-1", 0.5},
                                                                      {"car-axis", "index-1", 0.3},
                                                                      {"rolling-disc", "index-1", 0.5},
                                                                      {"knife-edge", "index-1", 0.5},
                                                                      {"motor-crank", "index-1", 0.05},
                                                                      {"seven-body-joints", "index-1", 0.01},
                                                                      {"van-der-pol:mu=5", "ode", 1},
                                                                      {"pleiades", "index-1", 1},
                                                                      {"hires", "ode", 1}}) {
    SCOPED_TRACE(problem);
    const BoundProblem<double> bound(problem, formulation);
    const auto series = solved<double>(bound, "taylor", length, 1e-11),
               other = solved<double>(bound, "extrapolation:order=12", length, 1e-11);
    const Index count = bound.system->differential();
    for (Index i = 0; i < count; ++i)
      EXPECT_NEAR(series.state.y[i], other.state.y[i], 1e-8 * (1 + std::abs(other.state.y[i]))) << i;
  }
}

// y' = 1, from t = 1/3 on 2: no coefficient tells of the jump, the slope at the step end does.
TEST(TaylorControl, SeesJumpsAtTheStepEnd) {
  const auto problem = Registry<Problem>::instance().make(
      Json::parse(
          R"json({"name": "jump", "states": {"y": "select(t < 1/3, 1, 2)"}, "start": {"y": "0"}, "end_time": "1"})json"),
      "");
  const auto model = problem->ordinary_model(As<double>{});
  const auto multipliers = Registry<MultiplierSolver>::instance().make("schur-cholesky", "")->bind(As<double>{}, 0, 0);
  const auto system = Registry<Formulation>::instance().make("ode", "")->system(*model, *multipliers);
  const auto stepper = Registry<Method>::instance().make("taylor", "")->stepper(*system, {});
  stepper->control({1e-6, 1e-6, 1e-6});
  State<double> state;
  state.y = model->initial_y(), state.ydot.setZero(1), state.compensation.setZero(1);
  ASSERT_TRUE(system->consistent_derivatives(state.t, state.y, state.ydot).ok());
  ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 1.0, 0.0, {}).ok());
  EXPECT_NEAR(state.y[0], 5.0 / 3, 1e-5);  // the estimate is a ninth of the jump times h
  EXPECT_GT(stepper->statistics().rejected, 5);
}

// Between the ends of a step the solution is the polynomial.
TEST(TaylorDenseOutput, IsThePolynomial) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = Registry<Method>::instance().make("taylor:order=18", "")->stepper(*bound.system, {});
  State<double> to = bound.start;
  ASSERT_TRUE(stepper->step(bound.start, 0.2, to).ok());
  Vector<double> y = to.y;
  ASSERT_TRUE(stepper->interpolate(bound.start, to, 0.07, y));
  const Motion exact = *bound.problem->independent_solution(Real50(0.07), 30);
  EXPECT_LT(largest(Vector<Real50>(bound.layout.q(y).cast<Real50>() - exact.q)), 1e-14);
  EXPECT_LT(largest(Vector<Real50>(bound.layout.v(y).cast<Real50>() - exact.v)), 1e-13);
  ASSERT_TRUE(stepper->interpolate(bound.start, to, 0.2, y));
  EXPECT_LT((y - to.y).head(4).cwiseAbs().maxCoeff(), 1e-15);
}

// ---------------------------------------------------------------- refusals

TEST(TaylorMethod, RefusesWhatItCannotDo) {
  const auto bind = [](const std::string& problem, const std::string& formulation) {
    const BoundProblem<double> bound(problem, formulation);
    Registry<Method>::instance().make("taylor", "")->stepper(*bound.system, {});
  };
  EXPECT_THAT([&] { bind("pendulum", "index-3"); }, ThrowsMessage<NotApplicable>(HasSubstr("explicit methods need")));
  for (const char* formulation : {"baumgarte", "projected", "null-space", "maggi", "penalty", "ggl"})
    EXPECT_THROW(bind("two-link-manipulator", formulation), NotApplicable) << formulation;
  EXPECT_THAT([&] { bind("pendulum", "baumgarte"); },
              ThrowsMessage<NotApplicable>(AllOf(HasSubstr("y' as a function of (t, y)"), HasSubstr("index-1"))));
  EXPECT_THAT([&] { bind("chemical-akzo-nobel", "ode"); },
              ThrowsMessage<NotApplicable>(HasSubstr("without algebraic states")));
  EXPECT_THAT([&] { bind("rowing-boat", "index-1"); },
              ThrowsMessage<NotApplicable>(HasSubstr("dependent at the start")));
  EXPECT_THAT([] { Registry<Method>::instance().make("taylor:order=1", "/method"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("/method/order"), HasSubstr("2 to 100"))));
}

// Every form that it takes has the accelerations of the series: one step agrees with the slopes of the form.
TEST(TaylorMethod, TakesNoFormWithOtherDerivatives) {
  int taken = 0;
  for (const std::string& form : mechanical_formulations())
    for (const char* problem : {"two-link-manipulator", "driven-mass", "oscillator-chain"}) {
      try {
        const BoundProblem<double> bound(problem, form);
        const auto stepper = Registry<Method>::instance().make("taylor:order=8", "")->stepper(*bound.system, {});
        State<double> start = bound.start;
        start.y.head(bound.layout.n).array() += 0.01;  // off the constraints forms differ
        ASSERT_TRUE(bound.system->consistent_derivatives(start.t, start.y, start.ydot).ok());
        State<double> to = start;
        const double h = 1e-6;
        ASSERT_TRUE(stepper->step(start, h, to).ok());
        const Index count = bound.system->differential();
        const Vector<double> rise = (to.y - start.y).head(count) / h;
        // h y''/2
        EXPECT_LT((rise - start.ydot.head(count)).cwiseAbs().maxCoeff(), 1e-3) << form << ", " << problem;
        ++taken;
      } catch (const NotApplicable&) {
      }
    }
  EXPECT_GE(taken, 2);
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// Up to a thousand tolerances, of both runs.
TEST(TaylorControl, AgreesWithExtrapolationToFortyDigits) {
  const BoundProblem<Real50> bound("two-link-manipulator", "index-1");
  const auto series = solved<Real50>(bound, "taylor", Real50(1) / 2, Real50("1e-41")),
             other = solved<Real50>(bound, "extrapolation:order=20", Real50(1) / 2, Real50("1e-41"));
  EXPECT_LT(largest(Vector<Real50>(series.state.y - other.state.y)), 1e-38);
  EXPECT_LT(energy_change(bound, series.state), 1e-38);
  EXPECT_LT(series.statistics.steps, 100);
}

// As in double.
TEST(TaylorControl, KeepsTheTolerancesOfFiftyDigits) {
  const BoundProblem<Real50> bound("pendulum", "index-1");
  const Motion exact = *bound.problem->independent_solution(Real50(1), 50);
  for (const char* tolerance : {"1e-20", "1e-30", "1e-40", "1e-44"}) {
    const auto end = solved<Real50>(bound, "taylor", Real50(1), Real50(tolerance));
    EXPECT_LT(largest(Vector<Real50>(bound.layout.q(end.state.y) - exact.q)), 30 * std::atof(tolerance)) << tolerance;
  }
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
