// The penalty form: constraints that decay like exp(-chi t), its rate, and the methods it is made for.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
// [SSV98] Sommeijer, Shampine, Verwer, RKC: an explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88, 1998,
// 315-326.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Off the constraints by `position` and `velocity`.
template <class T>
State<T> displaced(const BoundProblem<T>& bound, const T& position, const T& velocity) {
  State<T> state = bound.start;
  for (Index i = 0; i < bound.layout.n; ++i) {
    state.y[i] += position * T(i + 1) / T(bound.layout.n);
    state.y[bound.layout.n + i] += velocity * T(2 * i - 1) / T(bound.layout.n);
  }
  EXPECT_TRUE(bound.system->consistent_derivatives(state.t, state.y, state.ydot).ok());
  return state;
}

TEST(Penalty, RefusesRatesThatAreNotPositive) {
  for (const char* spec : {"penalty:chi=0", "penalty:chi=-100"})
    EXPECT_THAT([&] { Registry<Formulation>::instance().make(spec, "/formulation"); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("/formulation/chi"), HasSubstr("above 0"))))
        << spec;
}

// The rate, from the speed with which a displaced start is drawn back: -C_q q'/C.
double rate_of(const std::string& problem) {
  const BoundProblem<double> bound(problem, "penalty");
  const State<double> at = displaced<double>(bound, 1e-3, 0);
  const Vector<double> q = at.y.head(2), rate_q = at.ydot.head(2);
  const double C = (q.squaredNorm() - bound.start.y.head(2).squaredNorm()) / 2;
  return -q.dot(rate_q) / C;
}

// Ten times the spectral radius at the start, up to a power of two, but not below 10: hanging, sqrt(g/L) = 3.13 or
// 6.26 for a quarter of the length; falling from the horizontal, where all eigenvalues vanish.
// The displacement of 1e-3 takes three digits from round-off.
TEST(Penalty, FindsItsRateFromTheSpectrum) {
  EXPECT_NEAR(rate_of("pendulum:x=0,y=-1"), 32, 1e-9);
  EXPECT_NEAR(rate_of("pendulum:length=1/4,x=0,y=-1/4"), 64, 1e-9);
  EXPECT_NEAR(rate_of("pendulum"), 16, 1e-9);
}

// Evaluations a step with automatic stages: the interval of s stages is 2/3 s^2 long [SSV98], 0.35 s^2 for rock4,
// so that four times the rate takes twice the stages.
TEST(Penalty, TakesStagesLikeTheRootOfTheRate) {
  for (const char* method : {"rkc", "rock4"}) {
    std::vector<double> evaluations;
    for (const int chi : {4000, 16000, 64000}) {
      const BoundProblem<double> bound("pendulum", fmt::format("penalty:chi={}", chi));
      const auto stepper = Registry<Method>::instance()
                               .make(fmt::format("{}:max_stages=150,spectral_radius={}", method, chi), "")
                               ->stepper(*bound.system, {});
      State<double> state = bound.start;
      const Status status = integrate<double>(*stepper, state, 0.1, 0.02, {});
      ASSERT_TRUE(status.ok()) << status.cause;
      evaluations.push_back(static_cast<double>(stepper->statistics().residuals) / 5);
    }
    for (std::size_t i = 1; i < evaluations.size(); ++i)
      EXPECT_NEAR(evaluations[i] / evaluations[i - 1], 2, 0.25) << method;  // stages are whole
  }
}

// Within a step of 1/50 s the rod turns by up to 0.09 rad, and with it the direction of the stiff modes: the product of
// the stages is no polynomial of one matrix. RKC, whose recurrence is stable from stage to stage, stays on the
// constraints; rock4 does not and fails, with a status, unless the rod hardly turns.
// Measured: 1e-5 of rkc; of rock4 0.16 while the rod turns and 3e-5 while it hardly does.
TEST(Penalty, TurningConstraintsStopRock4) {
  for (const int chi : {1600, 6400, 25600}) {
    const auto end = [&](const char* method, State<double>& state, const char* problem = "pendulum") {
      const BoundProblem<double> bound(problem, fmt::format("penalty:chi={}", chi));
      state = bound.start;
      return integrate<double>(*Registry<Method>::instance().make(method, "")->stepper(*bound.system, {}), state, 10.0,
                               0.02, {});
    };
    State<double> state;
    ASSERT_TRUE(end("rkc", state).ok());
    EXPECT_LT(std::abs(state.y.head(2).norm() - 1), 1e-4) << chi;
    const Status status = end("rock4:max_stages=150", state);
    if (chi == 1600) {
      ASSERT_TRUE(status.ok()) << status.cause;
      EXPECT_GT(std::abs(state.y.head(2).norm() - 1), 1e-3);
    } else {
      EXPECT_EQ(status.code, StatusCode::non_finite) << status.cause;
    }
    ASSERT_TRUE(end("rock4:max_stages=150", state, "pendulum:gravity=1e-4").ok());
    EXPECT_LT(std::abs(state.y.head(2).norm() - 1), 1e-4) << chi;
  }
}

// The power iteration finds the rate: the constraint modes are the fastest ones.
TEST(Penalty, IsSeenByTheEstimateOfTheSpectralRadius) {
  const BoundProblem<double> bound("pendulum", "penalty:chi=10000");
  const auto stepper = Registry<Method>::instance().make("rkc", "")->stepper(*bound.system, {});
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 1.0, 0.02, {}).ok());
  // s = sqrt(1 + 1.54 h rho) = 19.2 for rho = 1.2 chi [SSV98]; the estimates themselves cost a few more.
  const double evaluations = static_cast<double>(stepper->statistics().residuals) / 50;
  EXPECT_THAT(evaluations, AllOf(testing::Ge(18), testing::Le(24)));
}

// h chi = 100 is beyond the interval of rk4, 2.79, and that of dormand-prince, 3.31.
TEST(Penalty, FailsWithAStatusWhereTheIntervalIsTooShort) {
  for (const char* method : {"runge-kutta", "runge-kutta:tableau=dormand-prince", "adams-bashforth:k=2"}) {
    const BoundProblem<double> bound("pendulum", "penalty:chi=10000");
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
    State<double> state = bound.start;
    state.memory = stepper->make_memory();
    const Status status = integrate<double>(*stepper, state, 10.0, 0.01, {});
    EXPECT_EQ(status.code, StatusCode::non_finite) << method << ": " << status.cause;
    EXPECT_THAT(status.cause, HasSubstr("not finite")) << method;
  }
  const BoundProblem<double> bound("pendulum", "penalty:chi=1e9");
  const auto stepper = Registry<Method>::instance().make("rkc:max_stages=100", "")->stepper(*bound.system, {});
  State<double> state = bound.start;
  const Status status = integrate<double>(*stepper, state, 1.0, 0.1, {});
  EXPECT_EQ(status.code, StatusCode::step_limit);
  EXPECT_THAT(status.cause, HasSubstr("max_stages = 100"));
}

// Error control keeps explicit methods stable: at the price of steps of a few 1/chi.
// Measured: 36 tolerances in positions, 73 in velocities.
TEST(Penalty, IsStableUnderErrorControl) {
  const ConstrainedMotion exact = known_motion("pendulum", Real50(1));
  for (const char* method : {"runge-kutta:tableau=dormand-prince", "rkc", "rock4"}) {
    const BoundProblem<double> bound("pendulum", "penalty:chi=1000");
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
    stepper->control({1e-6, 1e-6, 1e-6});
    State<double> state = bound.start;
    ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 1.0, 0.0, {}).ok()) << method;
    const PerComponent errors = errors_of(motion_of(state, bound.layout), exact);
    EXPECT_LT(errors[0], 1e-4) << method;
    EXPECT_LT(errors[1], 1e-4) << method;
  }
}

TEST(Penalty, IsNotForImplicitMethods) {
  const BoundProblem<double> bound("pendulum", "penalty");
  for (const char* method : {"radau-iia:s=2", "bdf", "generalized-alpha"})
    EXPECT_THAT([&] { Registry<Method>::instance().make(method, "")->stepper(*bound.system, {}); },
                ThrowsMessage<NotApplicable>(HasSubstr("the penalty form is for explicit methods")))
        << method;
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// C_q q' + C_t = -chi C and C_q v' - gamma = -chi (C_q v + C_t), [Ren20, (91), (92)], with C_t of a driven mechanism
// and dG/dt = -chi G for a knife edge.
TEST(Penalty, ReplacesEveryConstraintByItsRate) {
  using T = Real50;
  for (const char* problem : {"pendulum", "seven-body", "car-axis", "knife-edge"}) {
    SCOPED_TRACE(problem);
    const BoundProblem<T> bound(problem, "penalty:chi=100");
    MechanicalModel<T>& model = *bound.model;
    const Index n = bound.layout.n, m = bound.layout.m, holonomic = m - model.nonholonomic();
    const State<T> at = displaced<T>(bound, T("0.001"), T("0.3"));
    const Vector<T> q = at.y.head(n), v = at.y.segment(n, n), rate_q = at.ydot.head(n), a = at.ydot.segment(n, n);
    Vector<T> C(m), rate(m), speed(m), acceleration(m);
    model.constraint_level(Level::position, at.t, q, v, a, C);
    model.constraint_level(Level::velocity, at.t, q, v, a, rate);
    model.constraint_level(Level::velocity, at.t, q, rate_q, a, speed);  // C_q q' + C_t
    model.constraint_level(Level::acceleration, at.t, q, v, a, acceleration);
    EXPECT_GT(largest(rate), 1e-3);
    // Round-off in 50 digits of accelerations, up to 1e6 on the seven-body mechanism.
    EXPECT_LT(largest((speed + T(100) * C).head(holonomic)), 1e-40);
    EXPECT_LT(largest(acceleration + T(100) * rate), 1e-40);
  }
}

// On the pendulum C = C_0 exp(-chi t), whatever the motion; and with C = 0, r = C_q v + C_t follows r' = -chi r - r^2,
// because q' is v without its part along C_q.
TEST(Penalty, ViolationsDecayLikeTheExponential) {
  using T = Real50;
  const BoundProblem<T> bound("pendulum", "penalty:chi=16");
  const auto stepper =
      Registry<Method>::instance().make("runge-kutta:tableau=verner-87", "")->stepper(*bound.system, {});
  const auto violations = [&](const State<T>& at) {
    const Vector<T> q = at.y.head(2), v = at.y.segment(2, 2);
    return std::pair{T((q.squaredNorm() - T(1)) / 2), T(q.dot(v))};
  };
  State<T> position = displaced<T>(bound, T("1e-3"), T(0)), velocity = bound.start;
  velocity.y[2] = T("-1e-3");  // along the rod
  ASSERT_TRUE(bound.system->consistent_derivatives(velocity.t, velocity.y, velocity.ydot).ok());
  const T C = violations(position).first, r = violations(velocity).second, end(T(1) / T(2)), decay = exp(-T(16) * end);
  ASSERT_TRUE(integrate<T>(*stepper, position, end, T(1) / T(256), {}).ok());
  ASSERT_TRUE(integrate<T>(*stepper, velocity, end, T(1) / T(256), {}).ok());
  // The error of a method of order 8 with chi h = 1/16.
  EXPECT_NEAR(static_cast<double>(T(violations(position).first / (C * decay))), 1, 1e-10);
  const T bernoulli = r * decay / (T(1) + r * (T(1) - decay) / T(16));
  EXPECT_NEAR(static_cast<double>(T(violations(velocity).second / bernoulli)), 1, 1e-10);
  EXPECT_LT(abs(violations(velocity).first), T("1e-12"));
}

// Consistent values stay on the constraints: the exact solution is the true motion, and the methods keep their orders.
TEST(Penalty, LeadsStabilisedMethodsToTheTrueMotion) {
  for (const auto& [method, order] : {std::pair{"rkc:stages=6", 2}, std::pair{"rock4:stages=6", 4}}) {
    const PerComponent orders =
        observed_orders<Real50>("pendulum", "penalty:chi=64", method, Real50(1), {128, 256, 512, 1024});
    for (double observed : orders) EXPECT_NEAR(observed, order, 0.15) << method;  // the next term
  }
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
