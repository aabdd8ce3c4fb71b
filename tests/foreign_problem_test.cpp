// Problems that are functions: a pendulum by functions beside that of the registry.
#include "core/mechanism/foreign_problem.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/export/equations.hpp"
#include "core/mechanism/function_forms.hpp"
#include "core/mechanism/problem.hpp"
#include "core/mechanism/recorded_model.hpp"
#include "lab/lab.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double gravity = 9.81;

// Of mass 1 and length 1, in x and y.
MechanismFunctions pendulum_functions() {
  MechanismFunctions f;
  f.coordinates = 2, f.constraints = 1, f.has_constant_mass = true;
  f.sizes = Vector<double>::Ones(2);
  f.mass = [](double, const double*, double* M) { M[0] = M[3] = 1, M[1] = M[2] = 0; };
  f.forces = [](double, const double*, const double*, double* Q) { Q[0] = 0, Q[1] = -gravity; };
  f.constraints_at = [](double, const double* q, double* C) { C[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2; };
  return f;
}

ForeignProblem pendulum_by(const std::string& name, MechanismFunctions functions, const std::string& version = "1") {
  return {.name = name,
          .summary = "A pendulum.",
          .source = "",
          .version = version,
          .functions = std::move(functions),
          .coordinates = {"x", "y"},
          .start_q = {1, 0},
          .start_v = {0, 0},
          .end_time = 1};
}

// A mechanism in which everything depends on everything, by functions with derivatives and without: C = sin(x) y +
// cos(t) x - t^2, M = diag(1 + x^2, 2), Q = (-x v_y, t - v_x^2 + y^2).
MechanismFunctions winding_functions() {
  MechanismFunctions f = pendulum_functions();
  f.has_constant_mass = false;
  f.mass = [](double, const double* q, double* M) { M[0] = 1 + q[0] * q[0], M[3] = 2, M[1] = M[2] = 0; };
  f.forces = [](double t, const double* q, const double* v, double* Q) {
    Q[0] = -q[0] * v[1], Q[1] = t - v[0] * v[0] + q[1] * q[1];
  };
  f.constraints_at = [](double t, const double* q, double* C) {
    C[0] = std::sin(q[0]) * q[1] + std::cos(t) * q[0] - t * t;
  };
  return f;
}

MechanismFunctions with_jacobian(MechanismFunctions f) {
  f.constraint_jacobian = [](double t, const double* q, double* J) {
    J[0] = std::cos(q[0]) * q[1] + std::cos(t), J[1] = std::sin(q[0]);
  };
  return f;
}

Vector<double> two(double x, double y) { return Eigen::Vector2d(x, y); }

class Differences : public testing::TestWithParam<bool> {
 protected:
  const FunctionDerivatives d{GetParam() ? with_jacobian(winding_functions()) : winding_functions()};
  const double t = 0.3, x = 0.7, y = -1.2, vx = 1.5, vy = -0.4, ax = 0.9, ay = 2.0, lambda = 1.7;
  const Vector<double> q = two(x, y), v = two(vx, vy), a = two(ax, ay), mu = Vector<double>::Constant(1, lambda);
  // Derivatives of C by hand.
  const double C_x = std::cos(x) * y + std::cos(t), C_y = std::sin(x), C_xx = -std::sin(x) * y, C_xy = std::cos(x),
               C_t = -std::sin(t) * x - 2 * t, C_tx = -std::sin(t), C_tt = -std::cos(t) * x - 2;
};

TEST_P(Differences, OfWhatEquationsHoldAreAccurate) {
  EXPECT_NEAR(d.jacobian(t, q)(0, 0), C_x, 2e-12);
  EXPECT_NEAR(d.jacobian(t, q)(0, 1), C_y, 2e-12);
  EXPECT_NEAR(d.velocity_level(t, q, v)[0], C_x * vx + C_y * vy + C_t, 2e-12);
  const double h = C_xx * vx * vx + 2 * C_xy * vx * vy + 2 * C_tx * vx + C_tt;
  EXPECT_NEAR(d.curvature(t, q, v)[0], h, 5e-11);
}

// The tolerance is that of differences of order 2 of numbers of size 1.
TEST_P(Differences, OfNewtonsMatricesAreGoodEnough) {
  const Matrix<double> R = d.velocity_level_q(t, q, v);
  EXPECT_NEAR(R(0, 0), C_xx * vx + C_xy * vy + C_tx, 1e-7);
  EXPECT_NEAR(R(0, 1), C_xy * vx, 1e-7);
  const Matrix<double> A = d.acceleration_level_q(t, q, v, a);
  const double C_xxx = -std::cos(x) * y, C_xxy = -std::sin(x);
  EXPECT_NEAR(A(0, 0), C_xx * ax + C_xy * ay + C_xxx * vx * vx + 2 * C_xxy * vx * vy - std::cos(t), 1e-6);
  EXPECT_NEAR(A(0, 1), C_xy * ax + C_xxy * vx * vx, 1e-6);
  Matrix<double> K, D;
  d.motion_jacobians(t, q, v, a, mu, K, D);
  EXPECT_NEAR(K(0, 0), 2 * x * ax + C_xx * lambda + vy, 1e-7);
  EXPECT_NEAR(K(0, 1), C_xy * lambda, 1e-7);
  EXPECT_NEAR(K(1, 0), C_xy * lambda, 1e-7);
  EXPECT_NEAR(K(1, 1), -2 * y, 1e-7);
  EXPECT_NEAR(D(0, 1), x, 1e-8);
  EXPECT_NEAR(D(1, 0), 2 * vx, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(ByConstraintsAloneAndWithJacobian, Differences, testing::Bool());

TEST(FunctionDerivatives, OfWhatDoesNotChangeAreZero) {
  const FunctionDerivatives d(pendulum_functions());
  EXPECT_EQ(d.velocity_level(0.3, two(0.6, 0.8), two(0, 0))[0], 0);
  EXPECT_EQ(d.curvature(0.3, two(0.6, 0.8), two(0, 0))[0], 0);
}

RunSpec run_of(const ComponentSpec& problem, const ComponentSpec& method, const ComponentSpec& formulation) {
  RunSpec spec;
  spec.problem = problem, spec.formulation = formulation, spec.method = method, spec.h = "1/50", spec.t_end = "1";
  return spec;
}

double difference(const RunRecord& one, const RunRecord& other) {
  double largest = 0;
  for (const char* kind : {"q", "v", "lambda"})
    largest = std::max(largest,
                       static_cast<double>(Real50((one.state.of(kind) - other.state.of(kind)).cwiseAbs().maxCoeff())));
  return largest;
}

// All families that a mechanism permits: what differs is the accuracy of C_q and gamma, 1e-12, and how far Newton's
// method goes, whose tolerance is near round-off. lambda of index 3 is a second difference of q: by 1 / h^2.
TEST(ForeignProblem, RunsAsTheOneOfTheRegistry) {
  register_problem(pendulum_by("own-pendulum", pendulum_functions()));
  const struct {
    const char *method, *formulation;
    double tolerance;
  } runs[] = {{"rk4-classical", "index-1", 1e-10},    {"dormand-prince", "baumgarte", 1e-10},
              {"radau-iia:s=3", "index-3", 1e-8},     {"radau-iia:s=2", "ggl", 1e-9},
              {"radau-iia:s=2", "index-1", 1e-9},     {"bdf:k=2", "index-2", 1e-9},
              {"generalized-alpha", "index-3", 1e-8}, {"gauss:s=2", "index-2", 1e-8},
              {"half-explicit", "index-2", 1e-9}};
  for (const auto& run : runs) {
    const RunRecord own = bind(run_of("own-pendulum", run.method, run.formulation))->integrate().record;
    const RunRecord known = bind(run_of("pendulum:x=1", run.method, run.formulation))->integrate().record;
    ASSERT_EQ(own.status, StatusCode::ok) << run.method << ": " << own.cause;
    ASSERT_EQ(known.status, StatusCode::ok) << run.method << ": " << known.cause;
    EXPECT_LT(difference(own, known), run.tolerance) << run.method << " " << run.formulation;
  }
}

TEST(ForeignProblem, AVersionIsNeverTakenForAnother) {
  register_problem(pendulum_by("own-versions-pendulum", pendulum_functions(), "1"));
  const auto first = bind(run_of("own-versions-pendulum", "heun", "index-1"));
  MechanismFunctions heavy = pendulum_functions();
  heavy.forces = [](double, const double*, const double*, double* Q) { Q[0] = 0, Q[1] = -2 * gravity; };
  register_problem(pendulum_by("own-versions-pendulum", heavy, "2"));
  const auto second = bind(run_of("own-versions-pendulum", "heun", "index-1"));
  EXPECT_NE(first->integrate().record.state.q, second->integrate().record.state.q);
  EXPECT_EQ(bind(first->spec())->integrate().record.state.q, first->integrate().record.state.q);
  EXPECT_THAT([] { bind(run_of("own-versions-pendulum:source=3", "heun", "index-1")); },
              ThrowsMessage<InputError>(HasSubstr("/problem/source: the code of own-versions-pendulum")));
}

TEST(ForeignProblem, WhatIsNotFiniteIsNamed) {
  MechanismFunctions f = pendulum_functions();
  f.forces = [](double t, const double*, const double*, double* Q) {
    Q[0] = 0, Q[1] = t < 0.5 ? -gravity : std::numeric_limits<double>::quiet_NaN();
  };
  register_problem(pendulum_by("own-nan", f));
  const RunRecord record = bind(run_of("own-nan", "rk4-classical", "index-1"))->integrate().record;
  EXPECT_EQ(record.status, StatusCode::non_finite);
  EXPECT_THAT(record.cause, HasSubstr("forces(t, q, v) is nan in entry 2"));
}

TEST(ForeignProblem, WhatNeedsExpressionsIsRefused) {
  register_problem(pendulum_by("own-refused", pendulum_functions()));
  const RunRecord taylor = bind(run_of("own-refused", "taylor", "index-1"))->integrate().record;
  EXPECT_EQ(taylor.status, StatusCode::not_applicable);
  EXPECT_THAT(taylor.cause, HasSubstr("given by functions"));
  const auto problem = Registry<Problem>::instance().make("own-refused", "");
  EXPECT_THAT([&] { equations_of(*problem, Notation::text); },
              ThrowsMessage<InputError>(HasSubstr("there are no expressions")));
#ifndef DAELAB_DOUBLE_ONLY
  RunSpec spec = run_of("own-refused", "heun", "index-1");
  spec.scalar = Scalar::real50;
  EXPECT_THAT([&] { bind(spec); },
              ThrowsMessage<InputError>(HasSubstr("/scalar: 'own-refused' is given by functions")));
#endif
}

TEST(ForeignProblem, NamesAreChecked) {
  EXPECT_THAT([] { register_problem(pendulum_by("pendulum", pendulum_functions())); },
              ThrowsMessage<InputError>(HasSubstr("'pendulum' is a problem of daelab")));
  EXPECT_THAT([] { register_problem(pendulum_by("a:b", pendulum_functions())); },
              ThrowsMessage<InputError>(HasSubstr("is no name of a problem")));
  ForeignProblem short_of_names = pendulum_by("own-short", pendulum_functions());
  short_of_names.coordinates = {"x"};
  EXPECT_THAT([&] { register_problem(short_of_names); }, ThrowsMessage<InputError>(HasSubstr("1 entries for 2")));
}

}  // namespace TEST_FILE
}  // namespace daelab
