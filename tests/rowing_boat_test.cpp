// The rowing boat [Iv23]: every corrected formula against differentiation or Lagrange's equations, the closed
// forms of its one degree of freedom, the constant spectrum of its multiplier matrix, and the damage that the
// misprinted signs do. Numbers are those of the paper's data: r0 = 1/2, r_h = 1, J1 = 1, J2 = J3 = 13.
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
// Bounds of 1e-44 and less are round-off in 50 digits: the drive multiplies it by 1e4.
#include "core/solvers/dense.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

template <class T>
Vector<T> one(const T& value) {
  return Vector<T>::Constant(1, value);
}

template <class T>
struct Point {
  T t;
  Vector<T> q, v;
};

template <class T>
struct Boat {
  explicit Boat(const std::string& spec = "rowing-boat")
      : problem(Registry<Problem>::instance().make(spec, "")), model(problem->mechanical_model(As<T>{})) {}

  Matrix<T> mass(const Vector<T>& q) const {
    Matrix<T> M(5, 5);
    model->mass(T(0), q, M);
    return M;
  }
  Matrix<T> jacobian(const Vector<T>& q) const {
    Vector<T> C(6);
    Matrix<T> G(6, 5);
    model->constraint(T(0), q, C, G);
    return G;
  }
  Vector<T> level(Level which, const Point<T>& p) const {
    Vector<T> r(6);
    model->constraint_level(which, p.t, p.q, p.v, Vector<T>::Zero(5), r);
    return r;
  }
  // A = G M^-1 G^T at a crank angle, on the constraints.
  Matrix<T> multiplier_matrix(const T& beta) const {
    const Vector<T> q = on_constraints(T(0), beta, T(0)).q;
    const Matrix<T> M = mass(q), G = jacobian(q);  // M is diagonal
    Matrix<T> A = Matrix<T>::Zero(6, 6);
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j)
        for (Index k = 0; k < 5; ++k) A(i, j) += G(i, k) * G(j, k) / M(k, k);
    return A;
  }
  // sin(alpha) = cos(beta)/2, tan(gamma2) = sin(beta)/sqrt(3), gamma3 = -gamma2, and their rates.
  static Point<T> on_constraints(const T& t, const T& beta, const T& rate) {
    using std::asin, std::atan, std::cos, std::sin, std::sqrt;
    const T s = sin(beta), c = cos(beta), root3 = sqrt(T(3));
    const T alpha = asin(c / 2), gamma = atan(s / root3);
    const T alpha_rate = -s * rate / 2 / cos(alpha), gamma_rate = c * rate / root3 / (1 + s * s / 3);
    return {t, Vector<T>{{beta, gamma, alpha, -gamma, alpha}},
            Vector<T>{{rate, gamma_rate, alpha_rate, -gamma_rate, alpha_rate}}};
  }

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<T>> model;
};

// M_beta as printed, with the paper's data.
template <class T>
T drive_torque(const T& t, const T& beta, const T& rate) {
  using std::cos, std::sin;
  const T omega = 2 * pi<T>() / 5, slow_down = T(7) / 10;
  return 10000 * (omega * (t - slow_down / omega * sin(omega * t)) - beta) +
         100 * (omega * (1 - slow_down * cos(omega * t)) - rate);
}

const std::string asymmetric = "rowing-boat:oar_inertia_3=13.5,oar_mass_3=4.2,centre_3=1.3";

// ---------------------------------------------------------------- start

template <class T>
void expect_consistent_start(double round_off) {
  const Boat<T> boat;
  const Vector<T> q = boat.model->initial_q();
  EXPECT_LE(largest(q - Vector<T>{{T(0), T(0), pi<T>() / 6, T(0), pi<T>() / 6}}), round_off);
  EXPECT_EQ(largest(boat.model->initial_v()), 0);
  EXPECT_LE(largest(boat.level(Level::position, {T(0), q, boat.model->initial_v()})), round_off);
}
// One unit of the last place of numbers below one.
TEST(RowingBoat, StartsOnTheConstraintsInDouble) { expect_consistent_start<double>(epsilon<double>() / 2); }

TEST(RowingBoat, JacobianHasRankFour) {
  const Boat<double> boat;
  const Vector<double> expected{{std::sqrt(1.25), 1, 1, std::sqrt(0.75), 0}};
  EXPECT_LT(largest(dense::singular_values(boat.jacobian(boat.model->initial_q())) - expected), 1e-15);  // round-off
  EXPECT_EQ(boat.problem->redundant_constraints(), 2);
}

// ---------------------------------------------------------------- spectrum of A

TEST(RowingBoat, MultiplierMatrixKeepsItsSpectrum) {
  const Boat<double> boat;
  const Vector<double> spectrum{{0, 0, 1.0 / 13, 1.0 / 13, 1.0 / 13, 15.0 / 26}};
  for (double beta = 0; beta < 15; beta += 0.75)
    // Round-off: 5 units of 2e-16.
    EXPECT_LT(largest(dense::symmetric_eigenvalues(boat.multiplier_matrix(beta)) - spectrum), 1e-15) << beta;
}

Json run(const std::string& problem, const std::string& formulation, const std::string& method, const std::string& h,
         Json more = Json::object()) {
  Json spec = {{"problem", problem}, {"formulation", formulation}, {"method", method}, {"h", h}};
  spec.update(more);
  const Json record = Run::bind(spec, "")->execute().record;
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return record;
}

// The published theory asks for a semidefinite change of A. A step's change is traceless instead, with as many
// positive as negative eigenvalues, and its size per radian is the same everywhere: |dA/dbeta| = 6.764 lambda_r,
// lambda_r = 1/13. At the largest rate of the drive, (1 + k_b) 2 pi/T, that is 14.4 lambda_r a second; the crank
// overshoots it.
TEST(RowingBoat, ChangeOfTheMultiplierMatrixIsIndefinite) {
  const Boat<double> boat;
  const double step = 1e-3;
  for (double beta = 0; beta < 7; beta += 0.25) {
    const Matrix<double> change = boat.multiplier_matrix(beta + step) - boat.multiplier_matrix(beta);
    const Vector<double> values = dense::symmetric_eigenvalues(change) * 13 / step;
    EXPECT_NEAR(values.sum(), 0, 1e-11);  // round-off over the step
    // Differences over a step of 1e-3 are off by 4e-8; 6.764 and 14.4 are rounded.
    EXPECT_NEAR(std::max(values[5], -values[0]), 6.764, 0.005) << beta;
    EXPECT_NEAR(values[1], -0.5, 1e-6);
    // Round-off over the step, as of the sum.
    EXPECT_NEAR(values[2], 0, 1e-11);
    EXPECT_NEAR(values[3], 0, 1e-11);
    EXPECT_NEAR(values[4], 0.5, 1e-6);
  }
  const Json record = run("rowing-boat", "baumgarte", "runge-kutta", "1/1000", {{"sample_every", "1/50"}});
  double fastest = 0;
  for (const Json& sample : record["samples"]) fastest = std::max(fastest, sample["v"][0].get<double>());
  const double drive = 1.7 * 2 * pi<double>() / 5;
  EXPECT_NEAR(6.764 * drive, 14.4, 0.05);      // three digits
  EXPECT_NEAR(fastest / drive, 1.005, 0.005);  // measured 0.0004 off
}

// ---------------------------------------------------------------- runs

TEST(RowingBoat, RunsObeyTheClosedForms) {
  const Json record =
      run("rowing-boat", "index-1", "radau-iia:s=5", "1/100", {{"t_end", "2"}, {"sample_every", "1/4"}});
  EXPECT_EQ(record["samples"].size(), 9);
  for (const Json& sample : record["samples"]) {
    const auto closed = Boat<double>::on_constraints(sample["t"], sample["q"][0], sample["v"][0]);
    for (int i = 0; i < 5; ++i) {
      // Drift of order 9 is below the round-off of 200 steps.
      EXPECT_NEAR(sample["q"][i].get<double>(), closed.q[i], 1e-13) << i;
      EXPECT_NEAR(sample["v"][i].get<double>(), closed.v[i], 1e-13) << i;
    }
  }
}

// beta(12) against the closed equation to 12 digits, in absolute coordinates and double.
TEST(RowingBoat, CrankAngleAtTheEndHasTwelveDigits) {
  const Json record = run("rowing-boat", "index-1", "radau-iia:s=5", "1/100");
  const auto reference = find_reference(record["spec"]["problem"], 12);
  ASSERT_TRUE(reference);
  const double exact = static_cast<double>(reference->q[0]);
  EXPECT_NEAR(exact, 14.66, 0.01);                                     // four digits
  EXPECT_LT(std::abs(record["q"][0].get<double>() - exact), 0.5e-11);  // 12 digits of 14.66...
}

TEST(RowingBoat, AsymmetricOarsFollowTheirOwnEquation) {
  const Json record = run(asymmetric, "index-1", "radau-iia:s=5", "1/100", {{"t_end", "1"}});
  const Motion exact = *Boat<double>(asymmetric).problem->independent_solution(Real50(1), 20);
  // Round-off of 100 steps.
  EXPECT_LT(largest(record_vector(record["q"]) - exact.q), 1e-13);
  EXPECT_LT(largest(record_vector(record["v"]) - exact.v), 1e-13);
  const Motion symmetric = *Boat<double>().problem->independent_solution(Real50(1), 20);
  EXPECT_GT(largest(symmetric.q - exact.q), 1e-4);  // the oars do matter
}

// ---------------------------------------------------------------- parameters

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// Off the constraints, where nothing cancels by accident.
std::vector<Point<Real50>> random_points() {
  RandomNumbers random(2023);
  std::vector<Point<Real50>> points;
  for (int k = 0; k < 5; ++k)
    points.push_back(
        {Real50(3 * random.next() + 4), random.vector<Real50>(5) * Real50(3), random.vector<Real50>(5) * Real50(2)});
  return points;
}

// States of the motion's manifold at arbitrary times.
std::vector<Point<Real50>> constrained_points() {
  std::vector<Point<Real50>> points;
  for (int k = 0; k < 6; ++k)
    points.push_back(Boat<Real50>::on_constraints(Real50(7 * k) / 5, Real50(11 * k) / 8, Real50(9 * (k - 2)) / 10));
  return points;
}

TEST(RowingBoat, JacobianAndCurvatureMatchDifferences) {
  const Boat<Real50> boat(asymmetric);
  for (const Point<Real50>& p : random_points()) {
    const auto closures = [&](const Vector<Real50>& q) { return boat.level(Level::position, {p.t, q, p.v}); };
    EXPECT_LT(largest(boat.jacobian(p.q) - difference(p.q, closures)), difference_tolerance);
    Vector<Real50> h(6);
    boat.model->curvature(p.t, p.q, p.v, h);
    const auto rates = [&](const Real50& s) { return boat.level(Level::velocity, {p.t, p.q + p.v * s, p.v}); };
    EXPECT_LT(largest(h - derivative(Real50(0), rates)), difference_tolerance);
  }
}

// f = -M' v + (T - V)_q + M_beta e_1, from d/dt(T_v) - T_q + V_q = M_beta e_1 with T_v = M v.
TEST(RowingBoat, ForceFollowsFromLagrangesEquations) {
  const Boat<Real50> boat;
  for (const Point<Real50>& p : random_points()) {
    const Vector<Real50> transport =
        derivative(Real50(0), [&](const Real50& s) { return Vector<Real50>(boat.mass(p.q + p.v * s) * p.v); });
    const Matrix<Real50> lagrangian_q = difference(p.q, [&](const Vector<Real50>& q) {
      const Energy<Real50> energy = boat.model->energy(p.t, q, p.v);
      return one<Real50>(energy.kinetic - energy.potential);
    });
    Vector<Real50> expected = lagrangian_q.row(0).transpose() - transport, f(5);
    expected[0] += drive_torque(p.t, p.q[0], p.v[0]);
    boat.model->force(p.t, p.q, p.v, f);
    EXPECT_LT(largest(f - expected), difference_tolerance);
  }
}

TEST(RowingBoat, KineticEnergyIsThatOfTheMassMatrix) {
  const Boat<Real50> boat(asymmetric);
  for (const Point<Real50>& p : random_points()) {
    const Real50 twice = p.v.dot(boat.mass(p.q).lazyProduct(p.v).eval());
    EXPECT_LT(abs(2 * boat.model->energy(p.t, p.q, p.v).kinetic - twice), 1e-46);  // a sum of about 1e2
  }
}

TEST(RowingBoat, StartsOnTheConstraintsInFiftyDigits) {
  expect_consistent_start<Real50>(static_cast<double>(epsilon<Real50>()) / 2);
}

Matrix<Real50> left_null_vectors(const Real50& beta) {
  const Real50 s = sin(beta) / 2, c = cos(beta) / 2, D = sqrt(Real50(3)) / 2;
  Matrix<Real50> W = Matrix<Real50>::Zero(6, 2);
  W.col(0).head(3) = Vector<Real50>{{s, -D, -c}};
  W.col(1).tail(3) = Vector<Real50>{{s, D, c}};
  return W;
}

TEST(RowingBoat, OnePinEquationPerOarFollowsFromTheOthers) {
  const Boat<Real50> boat;
  for (const Point<Real50>& p : constrained_points())
    EXPECT_LT(largest(left_null_vectors(p.q[0]).transpose() * boat.jacobian(p.q)), 1e-49);
}

// 7.5 beta'' = M_beta - 49.05 sin(beta): the effective inertia is constant.
TEST(RowingBoat, CrankFollowsTheEquationOfOneDegreeOfFreedom) {
  const Boat<Real50> boat;
  for (const Point<Real50>& p : constrained_points()) {
    Vector<Real50> a(5), lambda(6);
    ASSERT_TRUE(solve_accelerations(*boat.model, p.t, p.q, p.v, a, lambda).ok());
    const Real50 torque = drive_torque(p.t, p.q[0], p.v[0]) - Real50("49.05") * sin(p.q[0]);
    EXPECT_LT(abs(Real50("7.5") * a[0] - torque), 1e-44);  // a torque of about 1e4
  }
}

// d(T + V)/dt = M_beta beta': closures do no work. Along q + v s + a s^2/2, which stays on them to second order.
TEST(RowingBoat, EnergyChangesByTheWorkOfTheDrive) {
  const Boat<Real50> boat(asymmetric);
  for (const Point<Real50>& p : constrained_points()) {
    Vector<Real50> a(5), lambda(6);
    ASSERT_TRUE(solve_accelerations(*boat.model, p.t, p.q, p.v, a, lambda).ok());
    const Vector<Real50> power = derivative(Real50(0), [&](const Real50& s) {
      return one(boat.model->energy(p.t, p.q + p.v * s + a * (s * s / 2), p.v + a * s).total());
    });
    const Real50 third_derivative("1e9");  // rates of about 1e4/7.5 per second at these off-track states
    EXPECT_LT(abs(power[0] - drive_torque(p.t, p.q[0], p.v[0]) * p.v[0]),
              third_derivative * difference_step * difference_step);
  }
}

// A = (r_h^2/J) (E - w2 w2^T - w3 w3^T) + (r0^2/J1) tau tau^T, tau the first column of G over r0.
TEST(RowingBoat, MultiplierMatrixInClosedForm) {
  const Boat<Real50> boat;
  for (const Point<Real50>& p : constrained_points()) {
    const Matrix<Real50> W = left_null_vectors(p.q[0]);
    const Vector<Real50> first = boat.jacobian(p.q).col(0);
    const Matrix<Real50> projector = Matrix<Real50>::Identity(6, 6) - W * W.transpose();
    const Matrix<Real50> A = projector / Real50(13) + first * first.transpose();
    EXPECT_LT(largest(boat.multiplier_matrix(p.q[0]) - A), 1e-48);
  }
}

// Stages lie off the constraints, where redundant rows contradict each other by as much as they are violated: the
// iteration must reach 50 digits all the same, with the multipliers of least norm.
TEST(RowingBoat, EveryFormulationConvergesInFiftyDigits) {
  const Motion exact = *Boat<Real50>().problem->independent_solution(Real50(1) / 10, 20);
  for (const char* formulation : {"index-1", "baumgarte", "index-2", "index-3"})
    for (const char* newton : {"simplified", "modified:guess=extrapolated", "full"}) {
      SCOPED_TRACE(std::string(formulation) + " " + newton);
      const Json record = run("rowing-boat", formulation, "radau-iia:s=3", "1/50",
                              {{"t_end", "1/10"}, {"scalar", "real50"}, {"newton", newton}});
      EXPECT_LT(largest(record_vector(record["q"]) - exact.q), 1e-5);  // the method's error
      // Null vectors are those on the constraints: a violation of 3e-8 times multipliers of 40.
      EXPECT_LT(largest(left_null_vectors(exact.q[0]).transpose() * record_vector(record["lambda"])), 1e-4);
    }
}

// Observables are the closures of oar 2, the angle prescribed and the torque of the drive.
TEST(RowingBoat, ObservesClosuresAndDrive) {
  const Boat<Real50> boat;
  for (const Point<Real50>& p : random_points()) {
    Vector<Real50> out(5);
    boat.model->observables(p.t, joined(p.q, p.v), out);
    EXPECT_LT(largest(out.head(3) - boat.level(Level::position, p).head(3)), 1e-48);
    EXPECT_LT(abs(out[4] - drive_torque(p.t, p.q[0], p.v[0])), 1e-44);
    // No spring torque at the angle prescribed: M_beta is what remains of it, the damper.
    const Real50 damper = out[4] - 10000 * (out[3] - p.q[0]);
    EXPECT_LT(abs(drive_torque(p.t, out[3], p.v[0]) - damper), 1e-44);
  }
}

TEST(RowingBoat, MisprintsChangeTheCurvatureOnly) {
  const Boat<Real50> correct, all("rowing-boat:variant=printed-signs-h"), third("rowing-boat:variant=printed-sign-h3");
  const Point<Real50> p = random_points()[1];
  const auto curvature = [&](const Boat<Real50>& boat) {
    Vector<Real50> h(6);
    boat.model->curvature(p.t, p.q, p.v, h);
    return h;
  };
  EXPECT_LT(largest(curvature(all) + curvature(correct)), 1e-48);  // the paper's formulas and those by differentiation
  const Vector<Real50> change = curvature(third) - curvature(correct);
  EXPECT_LT(abs(change[2] - cos(p.q[0]) * p.v[0] * p.v[0]), 1e-49);  // from -r0 cos(beta) beta'^2 to +
  EXPECT_LT(largest(change.head(2)) + largest(change.tail(3)), 1e-48);
  EXPECT_EQ(all.level(Level::acceleration, p), correct.level(Level::acceleration, p));
  EXPECT_FALSE(all.problem->independent_solution(Real50(1), 20));
}

// Bounds are rounding of 50 digits.
TEST(RowingBoat, ProseGeometryPutsTheRowlocksACrankRadiusAway) {
  const Boat<Real50> boat("rowing-boat:geometry=prose");
  const Vector<Real50> start = boat.model->initial_q();
  EXPECT_LT(abs(start[2] - pi<Real50>() / 4), 1e-49);
  EXPECT_LT(largest(boat.level(Level::position, {Real50(0), start, boat.model->initial_v()})), 1e-49);
  EXPECT_EQ(Boat<Real50>(spec_text(boat.problem->spec())).problem->spec(), boat.problem->spec());
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
