// Mass matrices that are singular: a body whose direction is a unit complex number (c, s), so that its kinetic energy
// says nothing of a change of its length.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// A rod of length 2 l and mass m that hangs from a pin: q = (x, y, c, s), its centre at (l s, -l c).
//   T = m (x'^2 + y'^2)/2 + J (c s' - s c')^2/2
// so th'' = -m g l sin(th)/(J + m l^2) with (c, s) = (cos th, sin th). The rank of M is 3 of 4.
void record_complex_pendulum(Recording& r) {
  const Expression m = 2, l = Exact("1/2"), J = Exact("1/6"), g = 10, th = 1;
  r.coordinates({"x", "y", "c", "s"});
  r.start_q = {l * sin(th), -l * cos(th), cos(th), sin(th)};
  const Expression &x = r.q[0], &y = r.q[1], &c = r.q[2], &s = r.q[3];
  const Expressions& v = r.v;
  r.mass(0, 0) = r.mass(1, 1) = m;
  r.mass(2, 2) = s * s * J, r.mass(3, 3) = c * c * J;
  r.mass(2, 3) = r.mass(3, 2) = -(c * s) * J;
  // M' q' of J (c s' - s c')^2/2: with w = c s' - s c', d/dt dT/dc' - dT/dc = ... + 2 (-s') w J and 2 c' w J.
  const Expression w = c * v[3] - s * v[2];
  r.force = {0, -m * g, 2 * J * v[3] * w, -2 * J * v[2] * w};
  r.constraints = {x - s * l, y + c * l, c * c + s * s - 1};
  r.kinetic_energy = m * (square(v[0]) + square(v[1])) / 2 + J * square(w) / 2;
  r.potential_energy = m * g * y;
}

template <class T>
Vector<T> position_at(const T& th) {
  using std::cos;
  using std::sin;
  const T l = T(1) / T(2);
  return Vector<T>{{l * sin(th), -l * cos(th), cos(th), sin(th)}};
}

template <class T>
class SingularMass : public testing::Test {};
TYPED_TEST_SUITE(SingularMass, Scalars);

TYPED_TEST(SingularMass, TakesTheSaddlePointAsAWhole) {
  using T = TypeParam;
  const auto model = recorded_model<T>(record_complex_pendulum);
  const StartReport report = analyse_start<T>(*model, model->initial_q(), model->initial_v());
  EXPECT_TRUE(report.consistent());
  EXPECT_TRUE(report.singular_mass);
  EXPECT_EQ(report.rank, 3);
  EXPECT_EQ(fitting_multiplier_solver(report), "kkt-lu");
  Vector<T> a(4), lambda(3);
  const Status status = solve_accelerations<T>(*model, T(0), model->initial_q(), model->initial_v(), a, lambda);
  ASSERT_TRUE(status.ok()) << status.cause;
  using std::sin, std::cos;
  const T th = T(1), angular = T(-15) * sin(th);  // m g l/(J + m l^2) = 10/(2/3)
  EXPECT_LT(largest(Vector<T>(a - angular * Vector<T>{{cos(th) / T(2), sin(th) / T(2), -sin(th), cos(th)}})),
            static_cast<double>(T(100) * epsilon<T>()));
}

// th at t = 1 by the pendulum in one coordinate.
double angle_at_1() {
  double th = 1, w = 0;
  constexpr int steps = 2000;
  constexpr double h = 1.0 / steps;
  const auto f = [](double x) { return -15 * std::sin(x); };
  for (int k = 0; k < steps; ++k) {
    const double k1 = f(th), k2 = f(th + h / 2 * w), k3 = f(th + h / 2 * w + h * h / 4 * k1),
                 k4 = f(th + h * w + h * h / 2 * k2);
    th += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return th;
}

TEST(SingularMassRuns, AgreeOnEveryForm) {
  const double th = angle_at_1();
  const std::pair<const char*, const char*> ways[] = {{"index-1", "runge-kutta:tableau=dormand-prince"},
                                                      {"projected", "runge-kutta:tableau=dormand-prince"},
                                                      {"index-2", "half-explicit"},
                                                      {"index-1", "bdf"},
                                                      {"index-3", "bdf"},
                                                      {"ggl", "bdf"},
                                                      {"index-2", "radau-iia"},
                                                      {"stabilized-index-1", "bdf"}};
  for (const auto& [formulation, method] : ways) {
    SCOPED_TRACE(std::string(method) + " on " + formulation);
    const auto model = recorded_model<double>(record_complex_pendulum);
    const auto multipliers = multipliers_for(
        *model, fitting_multiplier_solver(analyse_start<double>(*model, model->initial_q(), model->initial_v())));
    const auto system = Registry<Formulation>::instance().make(formulation, "")->system(*model, *multipliers);
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*system, {});
    State<double> state;
    for (Vector<double>* x : {&state.y, &state.ydot, &state.compensation}) x->setZero(system->size());
    state.y.head(4) = model->initial_q();
    ASSERT_TRUE(system->consistent_derivatives(0, state.y, state.ydot).ok());
    Status status;
    if (std::string(method) == "half-explicit") {
      status = integrate<double>(*stepper, state, 1, 1e-3, {});
    } else {
      stepper->control({1e-9, 1e-9, 1e-9});
      status = integrate_adaptive<double>(*stepper, state, 1, 0, {});
    }
    ASSERT_TRUE(status.ok()) << status.cause;
    EXPECT_LT(largest(Vector<double>(state.y.head(4) - position_at(th))), 2e-6);  // measured 1.5e-8
  }
}

TEST(SingularMassRuns, OtherSolversNameTheOneThatFits) {
  const auto model = recorded_model<double>(record_complex_pendulum);
  Vector<double> a(4), lambda(3);
  for (const char* solver : {"schur-cholesky", "complete-orthogonal", "sr1"}) {
    const auto multipliers = multipliers_for(*model, solver);
    const Status status =
        AccelerationSolver<double>(*model, *multipliers).solve(0, model->initial_q(), model->initial_v(), a, lambda);
    EXPECT_EQ(status.code, StatusCode::singular) << solver;
    EXPECT_THAT(status.cause, HasSubstr("kkt-lu")) << solver;
  }
}

// Scales of coordinates are no reason: a mass of 1 kg beside an inertia of 1E-14 kg m^2 is regular.
TEST(SingularMassRuns, SmallInertiasAreNotSingular) {
  for (const char* problem :
       {"seven-body", "two-link-manipulator", "rowing-boat", "n-four-bar:mass=1e-14,length=1e-6"}) {
    const auto model = Registry<Problem>::instance().make(problem, "")->mechanical_model(As<double>{});
    EXPECT_FALSE(analyse_start(*model, model->initial_q(), model->initial_v()).singular_mass) << problem;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
