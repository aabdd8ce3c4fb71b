// Implicit methods on Lie groups on the heavy top: errors, orders, the transient of multipliers, energy, symmetry, and
// what other programs print; in R^n the classical methods.
//
// Errors are those of an independent implementation of the papers' formulas in Python, which nobody here shares code
// with, to the digits it printed.
#include <gmock/gmock.h>

#include <cmath>

#include "core/mechanism/rotations.hpp"
#include "tests/constrained_motion.hpp"
#include "tests/heavy_top_motion.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

TopErrors errors_at_sixteenths(const std::string& description, bool fast, const std::string& method, int count) {
  static const auto exact = std::array{top_motion<double>(false, 1 << 10, 1 << 6, 1.0 / (1 << 10)),
                                       top_motion<double>(true, 1 << 13, 1 << 9, 1.0 / (1 << 13))};
  GroupRun<double> run(heavy_top(description, fast), "index-3", method);
  const BoundModel<double> other(heavy_top(description, fast), "index-3");
  TopErrors errors;
  for (const TopMotion<double>& so3 : exact[fast]) {
    run.march(count / 16, 1.0 / count);
    errors.take(run.motion(), described(so3, other));
  }
  return errors;
}

struct ErrorCase {
  const char *description, *method;
  int count;
  double q, v, lambda;
};

TEST(LieMethods, HaveTheErrorsOfTheFastTop) {
  const char *alpha = "lie-generalized-alpha", *on_positions = "lie-generalized-alpha:constraints=positions",
             *perturbed = "lie-generalized-alpha:constraints=positions,start=perturbed";
  const ErrorCase cases[] = {{"so3xr3", alpha, 2048, 7.247e-4, 3.245e-3, 2.702e-1},
                             {"so3xr3", alpha, 4096, 1.803e-4, 8.079e-4, 6.711e-2},
                             {"so3xr3", on_positions, 2048, 1.138e-3, 1.184e-2, 1.016},
                             {"so3xr3", on_positions, 4096, 2.844e-4, 2.956e-3, 2.539e-1},
                             {"so3xr3", perturbed, 4096, 2.844e-4, 2.956e-3, 2.538e-1},
                             {"so3xr3", "rattlie", 2048, 7.610e-5, 3.608e-4, 1.732e-2},
                             {"so3xr3", "rattlie", 4096, 1.902e-5, 9.018e-5, 4.329e-3},
                             {"so3xr3", "blie-df", 2048, 2.047e-3, 9.289e-3, 9.213e-1},
                             {"so3xr3", "blie-df", 4096, 4.953e-4, 2.254e-3, 2.190e-1},
                             {"so3xr3", "blie-df:constraints=positions", 2048, 3.280e-3, 3.145e-2, 2.790},
                             {"so3xr3", "blie-df:constraints=positions", 4096, 8.015e-4, 7.928e-3, 6.964e-1},
                             {"se3", alpha, 2048, 1.428e-2, 1.732e-1, 12.38},
                             {"se3", alpha, 4096, 3.574e-3, 4.328e-2, 3.096},
                             {"se3", on_positions, 4096, 3.574e-3, 4.328e-2, 3.096},
                             {"se3", perturbed, 4096, 3.574e-3, 4.328e-2, 3.096},
                             {"se3", "rattlie", 2048, 1.544e-3, 3.396e-3, 3.604e-1},
                             {"se3", "rattlie", 4096, 3.860e-4, 8.495e-4, 9.008e-2},
                             {"se3", "blie-df", 2048, 5.971e-2, 6.975e-1, 48.26},
                             {"se3", "blie-df", 4096, 1.461e-2, 1.737e-1, 12.12}};
  for (const ErrorCase& x : cases) {
    SCOPED_TRACE(std::string(x.description) + " " + x.method + " " + std::to_string(x.count));
    const TopErrors e = errors_at_sixteenths(x.description, true, x.method, x.count);
    EXPECT_NEAR(e.q / x.q, 1, 1e-3);
    EXPECT_NEAR(e.v / x.v, 1, 1e-3);
    EXPECT_NEAR(e.lambda / x.lambda, 1, 1e-3);
  }
}

TEST(LieMethods, HaveTheErrorsOfTheSlowTop) {
  const ErrorCase cases[] = {{"so3xr3", "lie-generalized-alpha", 256, 5.584e-5, 0, 0},
                             {"so3xr3", "rattlie", 256, 3.823e-5, 0, 0},
                             {"so3xr3", "blie-df", 256, 2.124e-4, 0, 0},
                             {"se3", "lie-generalized-alpha", 256, 3.689e-5, 0, 0},
                             {"se3", "rattlie", 256, 2.451e-4, 0, 0},
                             {"se3", "blie-df", 256, 1.818e-4, 0, 0}};
  for (const ErrorCase& x : cases)
    EXPECT_NEAR(errors_at_sixteenths(x.description, false, x.method, x.count).q / x.q, 1, 1e-3)
        << x.description << " " << x.method;
}

// |lambda_n - lambda(t_n)| over the first 60 steps, which loses an order on index 3 where the constraints are no
// subgroup, unless the start is perturbed.
double transient(const std::string& description, const std::string& method, int count) {
  GroupRun<double> run(heavy_top(description), "index-3", method);
  const BoundModel<double> other(heavy_top(description), "index-3");
  double largest = 0;
  for (const TopMotion<double>& so3 : top_motion<double>(true, 60, 1, 1.0 / count)) {
    run.march(1, 1.0 / count);
    largest = std::max(largest, (run.motion().lambda - described(so3, other).lambda).norm());
  }
  return largest;
}

TEST(LieGeneralizedAlpha, LosesAnOrderOfMultipliersWithoutAPerturbedStart) {
  struct Case {
    const char *description, *options;
    double at_1024, at_4096;
  };
  const Case cases[] = {{"so3xr3", "constraints=positions", 119.7, 29.21},
                        {"so3xr3", "constraints=positions,start=perturbed", 2.025, 0.1266},
                        {"so3xr3", "constraints=both", 1.179, 0.07370},
                        {"so3xr3", "constraints=positions,start=plain", 119.5, 29.15},
                        {"so3xr3", "constraints=both,start=plain", 1.180, 0.0940},
                        {"se3", "constraints=positions", 4.518, 0.06947},
                        {"se3", "constraints=both", 4.518, 0.06947},
                        {"se3", "constraints=positions,start=plain", 4.516, 0.06945}};
  for (const Case& x : cases) {
    SCOPED_TRACE(std::string(x.description) + " " + x.options);
    const std::string method = std::string("lie-generalized-alpha:") + x.options;
    EXPECT_NEAR(transient(x.description, method, 1024) / x.at_1024, 1, 1e-3);
    EXPECT_NEAR(transient(x.description, method, 4096) / x.at_4096, 1, 1e-3);
  }
}

// E - E_0 on SE(3), h = 2^-12, half a second: as the independent implementation has it.
TEST(LieMethods, HaveTheirErrorsOfEnergy) {
  struct Case {
    const char* method;
    double least, most;
  };
  for (const Case& x :
       {Case{"lie-generalized-alpha", -1.73e-2, 0}, Case{"rattlie", 0, 1.54e-2}, Case{"blie-df", -0.768, 0}}) {
    GroupRun<double> run(heavy_top("se3"), "index-3", x.method);
    const double start = run.energy();
    double least = 0, most = 0;
    for (int k = 0; k < 2048; ++k) {
      run.march(1, 1.0 / 4096);
      least = std::min(least, run.energy() - start), most = std::max(most, run.energy() - start);
    }
    EXPECT_NEAR(least, x.least, 1e-4 + 2e-3 * std::abs(x.least)) << x.method;
    EXPECT_NEAR(most, x.most, 1e-4 + 2e-3 * std::abs(x.most)) << x.method;
    EXPECT_NEAR(start, 5435.696790865547, 1e-9);
  }
}

TEST(RattLie, KeepsBothLevelsAndStepsBackToWhereItStarted) {
  for (const char* description : {"so3", "so3xr3", "se3"}) {
    GroupRun<double> run(heavy_top(description), "index-3", "rattlie");
    const TopMotion<double> start = run.motion();
    const double h = 1.0 / 1024;
    run.march(20, h);
    if (run.bound.layout.m > 0) {
      EXPECT_LT(run.defect(Level::position), 1e-14) << description;
      EXPECT_LT(run.defect(Level::velocity), 1e-12) << description;
    }
    EXPECT_GT((run.motion().x - start.x).norm(), 1e-3);
    run.march(20, -h);
    EXPECT_LT((run.motion().p - start.p).norm(), 1e-12) << description;
    EXPECT_LT((run.motion().v - start.v).norm(), 1e-9) << description;
  }
}

// Errors of energy stay where they are: over a hundred times as many steps, without a drift.
TEST(RattLie, KeepsTheErrorOfEnergyBounded) {
  GroupRun<double> run(heavy_top("so3xr3", false), "index-3", "rattlie");
  const double start = run.energy();
  double early = 0, late = 0;
  for (int k = 0; k < 20000; ++k) {
    run.march(1, 0.01);
    double& largest = k < 1000 ? early : late;
    largest = std::max(largest, std::abs(run.energy() - start));
  }
  EXPECT_GT(early, 1e-6);
  EXPECT_LT(late, 1.2 * early);
}

// Orders in the widest scalar; a composition raises that of RATTLie.
double order_of_q(const std::string& description, const std::string& method) {
  const Widest end = Widest(1) / Widest(4);
  const auto exact = top_motion<Widest>(false, 96, 96, Widest(end / Widest(96)));
  const BoundModel<Widest> other(heavy_top(description, false), "index-3");
  std::vector<double> errors;
  for (const int count : {16, 32}) {
    GroupRun<Widest> run(heavy_top(description, false), "index-3", method);
    run.march(count, end / Widest(count));
    TopErrors e;
    e.take(run.motion(), described(exact[0], other));
    errors.push_back(std::max(e.q, e.v));
  }
  return std::log2(errors[0] / errors[1]);
}

TEST(LieMethods, HaveTheirOrdersInTheWidestScalar) {
  for (const char* description : {"so3xr3", "se3"}) {
    EXPECT_NEAR(order_of_q(description, "lie-generalized-alpha:rho=1/2"), 2, 0.15);
    EXPECT_NEAR(order_of_q(description, "rattlie"), 2, 0.1);
    EXPECT_NEAR(order_of_q(description, "blie-df"), 2, 0.25);
    EXPECT_NEAR(order_of_q(description, "blie-df:k=1"), 1, 0.1);
    EXPECT_NEAR(order_of_q(description, "composition:base=rattlie,scheme=suzuki-4"), 4, 0.1);
  }
}

// The heavy top of kynema, tests/regression_tests/regression/test_heavy_top.cpp: the same method with velocities in
// space axes, which are minus the left ones of the inverse rotation. After 400 steps of 0.002, rho = 0.9, a_0 = v'_0:
// the displacement of the centre and the quaternion that it asserts.
TEST(LieGeneralizedAlpha, RepeatsTheTopOfKynema) {
  const Record record = [](Recording& r) {
    const Vector3 X{0, 1, 0}, omega{0, 150, Expression(Exact("-4.61538"))}, u = cross(omega, X);
    Rotation inverse(r, "P");
    r.coordinates({"x", "y", "z"});
    inverse.start_with(r, {-omega[0], -omega[1], -omega[2]});
    for (std::size_t i = 0; i < 3; ++i) r.start_q[3 + i] = X[i], r.start_v[3 + i] = u[i];
    const Vector3 x{r.q[3], r.q[4], r.q[5]}, v{r.v[3], r.v[4], r.v[5]};
    const Vector3 body = inverse.matrix() * inverse.angular_velocity();  // minus Omega
    const Matrix3 J = diagonal(Exact("0.234375"), Exact("0.46875"), Exact("0.234375"));
    r.kinetic_energy = (dot(body, J * body) + 15 * dot(v, v)) / 2;
    r.potential_energy = 15 * Expression(Exact("9.81")) * x[2];
    const Vector3 apart = x - transposed(inverse.matrix()) * X;
    r.constraints = {apart[0], apart[1], apart[2]};
  };
  GroupRun<double> run(BoundModel<double>(recorded_model<double>(record), "index-3"),
                       "lie-generalized-alpha:constraints=positions,start=plain");
  run.march(400, 0.002);
  const TopMotion<double> m = run.motion();
  const lie::Vector3<double> centre(-0.42217802273894345, 1 - 0.09458263530050703, -0.04455460488952848);
  EXPECT_LT((m.x - centre).cwiseAbs().maxCoeff(), 2e-12);
  lie::Quaternion<double> p(-0.17919607435565366, 0.21677896640311572, -0.9594776960853596, -0.017268392381761217);
  const lie::Quaternion<double> ours = lie::conjugate(m.p);
  if (p.dot(ours) < 0) p = -p;
  EXPECT_LT((ours - p).cwiseAbs().maxCoeff(), 2e-12);
}

// The run moves the base when the rotation is far from it, GroupRun at every step.
TEST(LieGeneralizedAlpha, DoesNotDependOnWhereBasesMove) {
  for (const char* method : {"lie-generalized-alpha:constraints=positions", "lie-generalized-alpha", "blie-df"}) {
    const Json record = record_of_run({{"problem", heavy_top("so3xr3")},
                                       {"formulation", "index-3"},
                                       {"method", method},
                                       {"h", "1/512"},
                                       {"t_end", "1/8"}});
    GroupRun<double> run(heavy_top("so3xr3"), "index-3", method);
    run.march(64, 1.0 / 512);
    const TopMotion<double> m = run.motion();
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(record["q"][3 + i].get<double>(), m.x[i], 1e-11) << method;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(record["v"][i].get<double>(), m.v[i], 1e-8) << method;
  }
}

// Without groups: the classical methods.
TEST(LieMethods, AreTheClassicalMethodsInRealSpace) {
  struct Case {
    const char *problem, *method, *classical;
  };
  for (const Case& x :
       {Case{"two-link-manipulator", "lie-generalized-alpha:rho=4/5,constraints=positions,start=plain",
             "generalized-alpha:rho=4/5"},
        Case{"two-link-manipulator", "rattlie", "rattle"}, Case{"pendulum", "rattlie", "rattle"},
        Case{"seven-body", "lie-generalized-alpha:constraints=positions,start=plain", "generalized-alpha:rho=9/10"}}) {
    const double h = std::string(x.problem) == "seven-body" ? 1e-5 : 1e-3;
    const ConstrainedMotion ours = march<double>(x.problem, "index-3", x.method, 50 * h, 50),
                            theirs = march<double>(x.problem, "index-3", x.classical, 50 * h, 50);
    const PerComponent e = errors_of(ours, theirs, true);
    EXPECT_LT(e[0], 1e-12) << x.method;
    EXPECT_LT(e[1], 1e-9) << x.method;
    EXPECT_LT(e[3], 1e-6) << x.method;
  }
}

// They are differences of positions.
TEST(BLieDf, HasVelocitiesOfBdfInRealSpace) {
  const BoundProblem<double> bound("pendulum", "index-3");
  const auto stepper = method_of("blie-df:constraints=positions")->stepper(*bound.system, {});
  State<double> state = bound.start;
  state.memory = stepper->make_memory();
  State<double> next = state;
  const double h = 0.01;
  std::vector<Vector<double>> q{bound.layout.q(state.y)}, v{bound.layout.v(state.y)};
  for (int k = 0; k < 6; ++k) {
    ASSERT_TRUE(stepper->step(state, h, next).ok());
    std::swap(state, next);
    q.push_back(bound.layout.q(state.y)), v.push_back(bound.layout.v(state.y));
  }
  for (std::size_t k = 2; k < q.size(); ++k) {
    const Vector<double> rate = (1.5 * q[k] - 2 * q[k - 1] + 0.5 * q[k - 2]) / h;
    EXPECT_LT(largest(Vector<double>(rate - v[k])), k == 1 ? 1 : 1e-11) << k;
  }
  EXPECT_LT(largest(Vector<double>((q[1] - q[0]) / h - v[1])), 1e-12);
}

TEST(LieMethods, RefuseWhatTheyCannotDo) {
  EXPECT_THAT(refusal_of("pendulum", "index-1", "rattlie"), testing::HasSubstr("use the index-3 formulation"));
  EXPECT_THAT(refusal_of("heavy-top", "index-1", "blie-df"), testing::HasSubstr("change of charts"));
  EXPECT_THAT(refusal_of("pendulum", "index-3", "rkmk"), testing::HasSubstr("index"));
  try {
    method_of("lie-generalized-alpha:start=perturbed");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("allowed here: plain, corrected"));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
