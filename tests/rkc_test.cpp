// Runge-Kutta-Chebyshev methods: the tableau, the stability function against cosh, the ends of the stability interval,
// the number of stages, the spectral radius and the heat equation.
//
// [SSV98] Sommeijer, Shampine, Verwer, J. Comput. Appl. Math. 88, 1998, 315-326.
//
// Bounds of 1e-12 are round-off in double, 1e-44 and 1e-45 in 50 digits.
#include "methods/stabilized/runge_kutta_chebyshev.hpp"

#include <gmock/gmock.h>

#include "analysis/order_conditions.hpp"
#include "core/integration/spectral_radius.hpp"
#include "tests/heat_equation.hpp"
#include "tests/members_by_stages.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

const Real100 eps = Real100(2) / 13;

// The stability function as [SSV98, eq. (2.2)] states it, T_s(x) = cosh(s arcosh x) for x >= 1, cos(s arccos x) within.
struct Theory {
  explicit Theory(int stages) : s(stages), w0(1 + eps / (s * s)) {
    const Real100 theta = acosh(w0), first = s * sinh(s * theta) / sinh(theta);
    const Real100 second = (s * s * T(w0) - w0 * first) / (w0 * w0 - 1);  // (1 - x^2) T'' - x T' + s^2 T = 0
    w1 = first / second;
    b = second / (first * first);
  }
  Real100 T(const Real100& x) const {
    if (abs(x) <= 1) return cos(s * acos(x));
    return (x < 0 && s % 2 == 1 ? -1 : 1) * Real100(cosh(s * acosh(abs(x))));
  }
  Real100 R(const Real100& w) const { return 1 - b * T(w0) + b * T(w0 + w1 * w); }
  Real100 beta() const { return (w0 + 1) / w1; }
  // R = 1 where T_s is T_s(w0) again (s even), R = -1 where it is T_s(w0) - 2/b (s odd).
  Real100 end() const {
    const Real100 x = s % 2 == 0 ? w0 : Real100(cosh(acosh(2 / b - T(w0)) / s));
    return (w0 + x) / w1;
  }
  int s;
  Real100 w0, w1, b;
};

// One step of y' = y from 1, h = w.
template <class T>
T one_step(const std::string& method, const T& w) {
  OdeSystem<T> ode(1, [&w](const T&, const Vector<T>& y, Vector<T>& f) { f[0] = w * y[0]; });
  State<T> from = start_state<T>(ode, Vector<T>::Ones(1)), to = from;
  EXPECT_TRUE(Registry<Method>::instance().make(method, "")->stepper(ode, {})->step(from, T(1), to).ok());
  return to.y[0];
}
std::string with_stages(int s) { return "rkc:stages=" + std::to_string(s); }

TEST(Rkc, HasOrderTwoWithAnyNumberOfStages) {
  for (int s = 2; s <= 20; ++s) {
    const Tableau tableau = rkc_tableau(s, eps);
    const OrderReport report = order_report(tableau, 2);
    EXPECT_EQ(report.order, 2) << s;
    EXPECT_TRUE(report.is_exact) << s;
    EXPECT_TRUE(tableau.is_explicit()) << s;
    EXPECT_EQ(tableau.stages(), s);
  }
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(Rkc, HasTheStabilityFunctionOfItsSource) {
  for (const int s : {2, 3, 8, 25}) {
    const Theory theory(s);
    for (const char* part : {"0.01", "0.3", "0.77", "1.1"}) {
      const Real50 w(-theory.beta() * Real100(part)), R = one_step<Real50>(with_stages(s), w);
      EXPECT_LT(abs(R - Real50(theory.R(Real100(w)))), Real50("1e-45") * (1 + abs(R))) << s << " " << part;
    }
  }
}
#endif

// The engine works on increments with a recurrence, the tableau is the expanded form.
TEST(Rkc, IsItsTableau) {
  for (const int s : {2, 5, 12}) {
    expect_steps_of_tableau<double>(with_stages(s), 1e-13, s);
#ifndef DAELAB_DOUBLE_ONLY
    expect_steps_of_tableau<Real50>(with_stages(s), 1e-44, s);
#endif
  }
}

// 2/3 (s^2 - 1) (1 - 2 eps/15 + eps/(30 s^2) + 8 eps^2/315 + ...): expansion of (w_0 + 1) T_s''/T_s' at 1.
// The bound is larger than the next term, 8 eps^2/315.
TEST(Rkc, HasTheRealIntervalOfTheFormula) {
  const double e = static_cast<double>(eps);
  for (int s = 2; s <= 20; ++s) {
    const double formula = (s * s - 1) / 1.5 * (1 - 2 * e / 15);
    const double excess = static_cast<double>(Theory(s).beta()) / formula - 1;
    EXPECT_NEAR(excess, e / (30 * s * s), e * e / 30) << s;
    EXPECT_GT(excess, 0) << s << ": a step chosen by the formula is stable";
  }
}

// Between 1 - b (T_s(w0) +- 1): eps/3 below 1, as far as beta.
TEST(Rkc, IsDampedWithinTheInterval) {
  for (const int s : {2, 3, 10, 20}) {
    const Theory theory(s);
    const double top = static_cast<double>(1 - theory.b * (theory.T(theory.w0) - 1));
    const double third = static_cast<double>(eps) / 3;
    EXPECT_LT(1 - top, third);
    EXPECT_GT(1 - top, 0.7 * third);  // s = 2: (1 - 1/w0^2)/2 = 0.71 eps/3
    const double from = static_cast<double>((theory.w0 - 1) / theory.w1), to = static_cast<double>(theory.beta());
    for (int k = 0; k <= 200; ++k) {
      const double R = one_step<double>(with_stages(s), -(from + (to - from) * k / 200));
      EXPECT_LT(R, top + 1e-12) << s << " " << k;
      EXPECT_GT(R, top - 2 * static_cast<double>(theory.b) - 1e-12) << s << " " << k;
    }
  }
}

// 0.1 % to either side of the end.
TEST(Rkc, IsUnstableJustBeyondTheEnd) {
  for (const int s : {2, 3, 5, 10, 20, 51, 100}) {
    const double end = static_cast<double>(Theory(s).end());
    EXPECT_LT(std::abs(one_step<double>(with_stages(s), -0.999 * end)), 1) << s;
    EXPECT_GT(std::abs(one_step<double>(with_stages(s), -1.001 * end)), 1) << s;
  }
}

TEST(RkcStages, AreTheLeastThatSuffice) {
  const double e = static_cast<double>(eps);
  EXPECT_EQ(rkc_stages(0, e), 2);
  for (int s = 3; s <= 1000; s += 7) {
    const double beta = (s * s - 1) / 1.5 * (1 - 2 * e / 15);
    EXPECT_EQ(rkc_stages(0.999999 * beta, e), s);
    EXPECT_EQ(rkc_stages(1.000001 * beta, e), s + 1);
  }
}

TEST(Rkc, HasAFormOnlyWithGivenStages) {
  const auto automatic = Registry<Method>::instance().make("rkc", "")->form();
  ASSERT_TRUE(std::holds_alternative<NoForm>(automatic));
  EXPECT_THAT(std::get<NoForm>(automatic).reason, HasSubstr("with stages given"));
  EXPECT_TRUE(Registry<Method>::instance().make("rkc", "")->coefficients().empty());
  const auto two = Registry<Method>::instance().make("rkc:stages=2,damping=0", "");
  const Tableau tableau = std::get<Tableau>(two->form());
  EXPECT_EQ(exact_text(tableau.A(1, 0)), "1/4");  // w1 = 1, b = 1/4
  EXPECT_EQ(exact_text(tableau.b[0]), "-1");
  EXPECT_EQ(exact_text(tableau.b[1]), "2");
  ASSERT_EQ(two->coefficients().size(), 4u);
}

// ---------------------------------------------------------------- the spectral radius

double estimated_radius(const Matrix<double>& J) {
  OdeSystem<double> ode(J.rows(), [&J](double, const Vector<double>& y, Vector<double>& f) { f = J * y; });
  const State<double> state = start_state<double>(ode, Vector<double>::Ones(J.rows()));
  SpectralRadius<double> radius(ode);
  Vector<double> direction = radius.first_direction();
  double rho = 0;
  long evaluations = 0;
  EXPECT_TRUE(radius.estimate(state, direction, evaluations, rho).ok());
  EXPECT_LE(evaluations, 50);  // the limit of iterations
  const long first = std::exchange(evaluations, 0);
  EXPECT_TRUE(radius.estimate(state, direction, evaluations, rho).ok());
  EXPECT_LE(evaluations, first) << "the second estimate goes on where the first one ended";
  return rho;
}

Matrix<double> heat_matrix(Index n) {
  const double inverse = static_cast<double>((n + 1) * (n + 1));
  Matrix<double> J = Matrix<double>::Zero(n, n);
  J.diagonal().setConstant(-2 * inverse);
  J.diagonal(1).setConstant(inverse), J.diagonal(-1).setConstant(inverse);
  return J;
}

// 1.2 times the estimate, which settles to 1 %.
TEST(SpectralRadius, IsAnUpperBoundByAFifthAtMost) {
  const double heat = 4 * 51.0 * 51 * std::pow(std::sin(M_PI * 50 / 102), 2);
  EXPECT_GT(estimated_radius(heat_matrix(50)), heat);
  EXPECT_LT(estimated_radius(heat_matrix(50)), 1.21 * heat);
  EXPECT_NEAR(estimated_radius(Matrix<double>{{0, 1}, {-1e4, 0}}), 120, 1) << "an undamped oscillator of 100 rad/s";
  EXPECT_NEAR(estimated_radius(Matrix<double>{{-3, 0}, {0, 3}}), 3.6, 0.04) << "eigenvalues of both signs";
  EXPECT_EQ(estimated_radius(Matrix<double>::Zero(2, 2)), 0);
}

// A pair of size 100 at 45 degrees: no power iteration settles. The mean over 25 is off by the 25th root of how much
// the norms of positions and velocities of a mode differ, 200 at most.
TEST(SpectralRadius, IsNearTheSizeOfComplexPairs) {
  const double rho = estimated_radius(Matrix<double>{{0, 1}, {-1e4, -141.4}});
  EXPECT_NEAR(std::log(rho / 120), 0, std::log(200) / 25);
}

// ---------------------------------------------------------------- the heat equation

// The smooth mode decays like exp(-9.87 t) and wants h^3 9.87^3 / 15 of a tolerance: 1/(9.87 h) steps add up while it
// does, 23 at 1E-7, and the error follows tolerance^(2/3). Dormand-Prince is held back by stability, to 3.3/rho.
TEST(RkcOnTheHeatEquation, FollowsTheToleranceWithLongSteps) {
  HeatEquation heat;
  const double work_by_stability = 0.3 * 4e4 / 3.3 * 6;
  // Steps at the limit of stability
  EXPECT_GT(heat.integrate("runge-kutta:tableau=dormand-prince", 1e-3).statistics.residuals, 0.8 * work_by_stability);
  double before = 1;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    const AdaptiveHeat run = heat.integrate("rkc", tolerance);
    EXPECT_LT(run.error, 50 * tolerance);  // twice the 23 steps that add up at 1E-7
    EXPECT_LT(run.error, before / 10);
    before = run.error;
    // Measured: 0.04, 0.08 and 0.19 of the work by stability.
    EXPECT_LT(run.statistics.residuals, work_by_stability / (tolerance < 1e-6 ? 4 : 10)) << tolerance;
  }
}

// h rho = 400: 25 stages. The fast mode shrinks by a factor of 1 - eps/3 a step or more, the slow one to exp(-4.93) =
// 0.0072. 0.953 is 1 - eps/3 with 8 % less of damping, for the number of stages.
TEST(RkcOnTheHeatEquation, TakesTheStagesOfTheSpectralRadius) {
  HeatEquation heat;
  const auto run = [&](const std::string& method) {
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(heat.ode, {});
    State<double> state = heat.start();
    EXPECT_TRUE(integrate<double>(*stepper, state, 0.5, 0.01, {}).ok());
    EXPECT_LT(largest(state.y), std::pow(0.953, 50) + 0.0073);
    return stepper->statistics().residuals;
  };
  EXPECT_EQ(rkc_stages(400, 2.0 / 13), 25);
  EXPECT_EQ(run("rkc:spectral_radius=40000"), 50 * 25);
  const long estimated = run("rkc");  // up to a fifth more, and two estimates
  EXPECT_GE(estimated, 50 * 25);
  EXPECT_LT(estimated, 50 * 28 + 2 * 20);
}

TEST(RkcOnTheHeatEquation, KeepsToTheLargestNumberOfStages) {
  HeatEquation heat;
  const auto fixed =
      Registry<Method>::instance().make("rkc:max_stages=10,spectral_radius=40000", "")->stepper(heat.ode, {});
  State<double> state = heat.start();
  const Status status = integrate<double>(*fixed, state, 0.5, 0.01, {});
  EXPECT_EQ(status.code, StatusCode::step_limit);
  EXPECT_THAT(status.cause, StartsWith("h times the spectral radius is 400, which takes 25 stages; max_stages = 10"));
  const auto adaptive = Registry<Method>::instance().make("rkc:max_stages=10", "")->stepper(heat.ode, {});
  adaptive->control({1e-3, 1e-3, 1e-3});
  ASSERT_TRUE(integrate_adaptive<double>(*adaptive, state, 0.1, 0.01, {}).ok());
  EXPECT_GT(adaptive->statistics().steps, 0.1 * 40000 / 65) << "beta of ten stages";
  EXPECT_LE(adaptive->statistics().failed, 2) << "the first one, whose size was given, and one where the radius grew";
}

// Errors of an order-2 method with an estimate of order h^3 go like tolerance^(2/3): 21.5 for a factor of 100.
TEST(Rkc, FollowsTheToleranceOnTheManipulator) {
  const BoundProblem<double> arm("two-link-manipulator", "index-1");
  const auto q_at_end = [&](const char* method, double tolerance) {
    const auto stepper = Registry<Method>::instance().make(std::string(method), "")->stepper(*arm.system, {});
    stepper->control({tolerance, tolerance, tolerance});
    State<double> state = arm.start;
    EXPECT_TRUE(integrate_adaptive<double>(*stepper, state, 1.0, 0.0, {}).ok());
    return Vector<double>(arm.layout.q(state.y));
  };
  const Vector<double> exact = q_at_end("extrapolation", 1e-12);
  const double coarse = largest(q_at_end("rkc", 1e-4) - exact), fine = largest(q_at_end("rkc", 1e-8) - exact);
  EXPECT_NEAR(std::log10(coarse / fine), 4 * 2 / 3.0, 0.5);  // measured 0.009
}

TEST(Rkc, RefusesBadOptionsWithTheirPlace) {
  const auto refused = [](const std::string& spec, const char* what) {
    EXPECT_THAT([&] { Registry<Method>::instance().make(spec, "/method"); }, ThrowsMessage<InputError>(HasSubstr(what)))
        << spec;
  };
  refused("rkc:stages=1", "2 to 200");
  refused("rkc:damping=2", "0 to 1");
  refused("rkc:spectral_radius=0", "above 0");
}

}  // namespace TEST_FILE
}  // namespace daelab
