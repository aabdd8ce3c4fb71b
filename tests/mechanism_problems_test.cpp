// Pendulums, chains, satellites and spatial mechanisms: what is known of them without integrating them as stated.
// Runs have rtol = 1e-11: bounds of 1e-8 and 1e-9 are their errors, magnified by the motion.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "experiments/references/agreed_solution.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/benchmark_mechanism.hpp"
#include "tests/build_paths.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using std::numbers::pi;

std::string file(const std::string& name) { return "@" + source_path("/problems/") + name + ".json"; }
std::string twin(const std::string& name) { return "@" + source_path("/tests/problems/") + name + ".json"; }

struct EndState {
  Vector<double> q, v;
  double energy_error = 0;
};
EndState end_of(const std::string& problem, const char* t_end, const char* method = "extrapolation",
                const char* rtol = "1e-11") {
  const Json record = record_of_run(
      {{"problem", problem}, {"formulation", "index-1"}, {"method", method}, {"rtol", rtol}, {"t_end", t_end}});
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  const auto narrow = [&](const char* kind) { return Vector<double>(record_vector(record[kind]).cast<double>()); };
  const Json energy = record["max"].value("energy_error", Json());
  return {narrow("q"), narrow("v"), energy.is_number() ? energy.get<double>() : 0.0};
}

// ---------------------------------------------------------------- pendulums

TEST(ConicalPendulum, KeepsItsHeight) {
  const EndState end = end_of("conical-pendulum", "2");
  const double w = std::sqrt(9.81 / std::cos(pi / 6));
  EXPECT_NEAR(end.q[2], -std::sqrt(3.0) / 2, 1e-9);
  EXPECT_NEAR(end.q[0], std::cos(2 * w) / 2, 1e-9);
  EXPECT_NEAR(end.q[1], std::sin(2 * w) / 2, 1e-9);
}

TEST(ConicalPendulum, RefusesAHorizontalRod) {
  EXPECT_THROW(Registry<Problem>::instance().make("conical-pendulum:inclination=pi/2", ""), InputError);
}

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
// z'^2 is a cubic of z: 2 (E - g z)(1 - z^2) - p^2 for a unit rod and mass.
TEST(SphericalPendulum, HeightIsAnEllipticFunction) {
  using T = Real50;
  const Mechanism pendulum(Json("spherical-pendulum"));
  const T g("9.81"), energy = T(1) / 2, lowest = (1 - sqrt(T(1 + 16 * g * g))) / (4 * g);
  for (const char* time : {"0.3", "1", "2.2"}) {
    const Motion at = pendulum.motion(T(time));
    const T z = at.q[2], rate = at.v[2];
    EXPECT_LT(abs(T(rate * rate - 2 * (energy - g * z) * (1 - z * z) + 1)), T("1e-38")) << time;  // round-off
    EXPECT_GT(z, lowest) << time;
    EXPECT_LT(z, 0) << time;
  }
}

TEST(SphericalPendulum, HasNoRouteThroughThePoles) {
  const auto plane = Registry<Problem>::instance().make("spherical-pendulum:vy=0", "");
  EXPECT_FALSE(plane->independent_solution(Real50(1), 40));
}
#endif

// About the stretched length the vertical oscillation is harmonic.
TEST(SpringPendulum, OscillatesVerticallyWithTheRateOfItsSpring) {
  const EndState end = end_of(file("spring_pendulum") + ":x=0,y=-1.2981", "1");  // 1 + m g/k + 1/5
  EXPECT_NEAR(end.q[1], -1.0981 - 0.2 * std::cos(10.0), 1e-9);
  EXPECT_EQ(end.q[0], 0);
}

// The stretch of the rod is 3 m g cos(th)/k at most.
TEST(SpringPendulum, IsAPendulumIfItIsStiff) {
  const EndState stiff = end_of(file("spring_pendulum") + ":k=1e8,x=-1", "1", "radau-iia:s=3", "1e-8");
  const EndState rod = end_of("pendulum", "1");
  EXPECT_LT(largest(stiff.q - rod.q), 3e-5);
  EXPECT_GT(largest(stiff.q - rod.q), 1e-9);
}

// Equal masses and lengths: w^2 = (2 - sqrt 2) g/L with angles 1 : sqrt 2. Amplitude 1e-5: cubes are 1e-15.
TEST(DoublePendulum, SwingsInItsSlowMode) {
  const EndState end =
      end_of(file("double_pendulum") + ":angle1=1e-5,angle2=sqrt(2)*1e-5", "2", "extrapolation", "1e-13");
  const double w = std::sqrt((2 - std::sqrt(2.0)) * 9.81);
  EXPECT_NEAR(end.q[0], 1e-5 * std::cos(2 * w), 1e-13);
  EXPECT_NEAR(end.q[2], 1e-5 * (1 + std::sqrt(2.0)) * std::cos(2 * w), 2e-13);
}

// ---------------------------------------------------------------- chains

// Straight, horizontal and at rest it is the planar chain in absolute coordinates.
TEST(SpaceChain, FallsInAPlaneAsTheChainOfLinks) {
  const EndState space = end_of(file("space_chain") + ":N=3,inclination=pi/2,turn=0,rate=0", "1/2");
  const EndState plane = end_of("link-chain:links=3", "1/2");
  double x = 0, z = 0;
  for (int i = 0; i < 3; ++i) {
    x += std::cos(plane.q[3 * i + 2]), z += std::sin(plane.q[3 * i + 2]);
    EXPECT_NEAR(space.q[i], x, 1e-8) << i;
    EXPECT_NEAR(space.q[3 + i], 0, 1e-15) << i;
    EXPECT_NEAR(space.q[6 + i], z, 1e-8) << i;
  }
}

TEST(SpaceChain, WithMassesAtItsJointsIsTheDoublePendulum) {
  const EndState chain = end_of(file("space_chain") + ":N=2,uniform=0,turn=0,rate=0", "1");
  const EndState masses = end_of(file("double_pendulum") + ":angle1=pi/3,angle2=pi/3", "1");
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(chain.q[i], masses.q[2 * i], 1e-8) << i;
    EXPECT_NEAR(chain.q[4 + i], masses.q[2 * i + 1], 1e-8) << i;
  }
}

// Joint coordinates, closed by a pin, are other equations for the same mechanism.
TEST(ClosedChain, MovesAsATreeOfJointsThatAPinCloses) {
  for (const std::string options : {":N=3", ":N=4"}) {
    const EndState points = end_of(file("closed_chain") + options, "1");
    const EndState joints = end_of(twin("closed_chain_joints") + options, "1");
    const Index N = joints.q.size();
    double angle = 0, x = 0, y = 0;
    for (Index i = 0; i + 1 < N; ++i) {
      angle += joints.q[i], x += std::cos(angle), y += std::sin(angle);
      EXPECT_NEAR(points.q[i], x, 1e-8) << options << i;
      EXPECT_NEAR(points.q[N - 1 + i], y, 1e-8) << options << i;
    }
  }
}

// Two links make a rigid triangle about the line of its pins: with the height H = 1/2, a pendulum of length 2 H/3.
TEST(ClosedSpaceChain, OfTwoLinksIsAPendulum) {
  const EndState triangle = end_of(file("closed_space_chain") + ":N=2,kink=pi/3", "1");
  const EndState pendulum = end_of("pendulum:length=1/3,x=sqrt(3)/6,y=1/6", "1");
  EXPECT_NEAR(triangle.q[1], 1.5 * pendulum.q[0], 1e-8);
  EXPECT_NEAR(triangle.q[2], 1.5 * pendulum.q[1], 1e-8);
}

// ---------------------------------------------------------------- satellites

// Along the vertical the string of satellites turns rigidly: w^2 sum(m r) = mu sum(m/r^2).
TEST(TetheredSatellites, TurnRigidlyAlongTheVertical) {
  const EndState end = end_of(file("tethered_satellites") + ":N=3,pitch=0,roll=0", "2");
  const double r[] = {1, 1.02, 1.04}, m[] = {10, 1, 1};
  double pull = 0, inertia = 0;
  for (int i = 0; i < 3; ++i) pull += m[i] / (r[i] * r[i]), inertia += m[i] * r[i];
  const double w = std::sqrt(pull / inertia);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(end.q[i], r[i] * std::cos(2 * w), 1e-9) << i;
    EXPECT_NEAR(end.q[3 + i], r[i] * std::sin(2 * w), 1e-9) << i;
  }
}

// Small librations in the plane of a circular orbit have sqrt(3) times its rate, up to the tether's length over the
// radius; those across it twice the rate [Beletsky, Levin 1993].
TEST(TetheredSatellites, LibrateWithTheRatesOfTheDumbbell) {
  const auto apart = [&](const char* start, const char* t_end) {
    const EndState end = end_of(file("tethered_satellites") + ":length=1/1000," + start, t_end);
    const double x = end.q[0], y = end.q[2], dx = end.q[1] - x, dy = end.q[3] - y;
    return std::pair(std::atan2(x * dy - y * dx, x * dx + y * dy), std::asin((end.q[5] - end.q[4]) * 1000));
  };
  EXPECT_NEAR(apart("pitch=1/1000,roll=0", "pi/sqrt(3)").first, -1e-3, 3e-6);
  EXPECT_NEAR(apart("pitch=0,roll=1/1000", "pi/2").second, -1e-3, 3e-6);
}

TEST(TetheredSatellites, OnStiffSpringsMoveAsOnRods) {
  const EndState rods = end_of(file("tethered_satellites"), "1");
  const EndState springs = end_of(file("tethered_satellites") + ":rigid=0,k=1e6", "1");
  EXPECT_LT(largest(rods.q - springs.q), 1e-6);
  EXPECT_GT(largest(rods.q - springs.q), 1e-12);
}

// ---------------------------------------------------------------- a free body

// The angular velocity in the body has the period 4 K(k) sqrt(I1 I2 I3/((I3 - I2)(M^2 - 2 E I1))) [LL76, (37.11)] with
// I = (3, 6, 8), 2 E = 5000, M^2 = 32800, k^2 = (I2 - I1)(2 E I3 - M^2)/((I3 - I2)(M^2 - 2 E I1)).
TEST(RigidBody, TurnsPeriodicallyFromThePublishedStart) {
  const double period = 4 * std::comp_ellint_1(std::sqrt(21600.0 / 35600)) * std::sqrt(144.0 / 35600);
  const std::string body = "rigid-body:inertia_x=6,inertia_y=8,inertia_z=3,omega_x=10,omega_y=20,omega_z=20";
  const EndState end = end_of(body, fmt::format("{:.17g}", period).c_str());
  EXPECT_NEAR(end.v[0], 10, 1e-7);
  EXPECT_NEAR(end.v[1], 20, 1e-7);
  EXPECT_NEAR(end.v[2], 20, 1e-7);
}

#ifndef DAELAB_DOUBLE_ONLY
// Without a closed form it is extrapolated: rotations have bases that move, and one chart.
TEST(RigidBody, HasACertifiedMotionWithoutAClosedForm) {
  const Json body = {{"name", "rigid-body"}, {"inertia_x", "6"}, {"inertia_y", "8"}, {"inertia_z", "3"}};
  const Json solution = agreed_solution(body, {Exact("1/100")});
  EXPECT_GE(solution["states"][0]["digits_trusted"].get<int>(), 25);
}
#endif

// ---------------------------------------------------------------- spatial mechanisms

TEST(SpatialSliderCrank, MovesAsInTheAnglesOfItsJoints) {
  const EndState bodies = end_of(file("spatial_slider_crank"), "1/2");
  const EndState angles = end_of(twin("spatial_slider_crank_angles"), "1/2");
  EXPECT_NEAR(bodies.q[6], angles.q[1], 1e-9);
  EXPECT_NEAR(bodies.v[6], angles.v[1], 1e-7);
  EXPECT_LT(bodies.energy_error, 1e-9);
  // From the energy as a function of the crank's angle, by an independent program: 9 digits.
  EXPECT_NEAR(bodies.q[6], 0.184952630, 1e-9);
  EXPECT_NEAR(angles.q[0], 5.583762553, 2e-9);
}

TEST(SpatialSliderCrank, FollowsItsDrive) {
  const EndState end = end_of(file("spatial_slider_crank") + ":rate=-2*pi,driven=1", "3/10");
  const double y = 0.1 - 0.08 * std::sin(-0.6 * pi), z = 0.12 + 0.08 * std::cos(-0.6 * pi);
  EXPECT_NEAR(end.q[6], std::sqrt(0.09 - y * y - z * z), 1e-9);
}

// Places and velocities as sbel-reproducibility, 2022/HalfImplicit_JCND, four_link.json prints them.
TEST(SpatialFourBar, StartsAsPublished) {
  const auto problem = Registry<Problem>::instance().make(file("spatial_four_bar"), "");
  const auto model = problem->mechanical_model(As<double>{});
  const Vector<double> q = model->initial_q(), v = model->initial_v();
  EXPECT_NEAR(q[3], -3.74555772, 1e-8);
  EXPECT_NEAR(q[5], 4.26236544, 1e-8);
  EXPECT_NEAR(q[6], -5.74555772, 1e-8);
  EXPECT_NEAR(v[3], -5.26684752, 1e-8);
  EXPECT_NEAR(v[5], -2.81807373, 1e-8);
  Vector<double> seen(static_cast<Index>(model->observable_names().size()));
  model->observables(0, joined(q, v), seen);
  EXPECT_NEAR(seen[0], pi, 1e-14);
  EXPECT_NEAR(seen[1], 1.61443, 1e-5);
  EXPECT_NEAR(seen[2], 1.9303387, 1e-7);
}

// The wheel's pin B turns uniformly; |C - B| is the length of the coupler, C on a circle about D.
TEST(SpatialFourBar, FollowsItsDrive) {
  const EndState end = end_of(file("spatial_four_bar") + ":driven=1", "2/5");
  const double by = -2 * std::sin(0.4 * pi), bz = 2 * std::cos(0.4 * pi);
  const double cx = 2 * end.q[6] + 4, cz = 2 * end.q[8];  // r3 = (C + D)/2, D = (-4, -17/2, 0)
  EXPECT_NEAR(end.q[7], -8.5, 1e-10);
  EXPECT_NEAR(std::hypot(cx + 4, cz), 7.4, 1e-9);
  EXPECT_NEAR(std::sqrt(cx * cx + (-8.5 - by) * (-8.5 - by) + (cz - bz) * (cz - bz)), 12.2, 1e-9);
}

TEST(SpatialFourBar, KeepsItsEnergy) { EXPECT_LT(end_of(file("spatial_four_bar"), "1").energy_error, 1e-8); }

// ---------------------------------------------------------------- all of them

#ifndef DAELAB_DOUBLE_ONLY
// Exact parameters leave round-off of 50 digits.
TEST(MechanismProblems, StartsAreConsistentToAllDigits) {
  for (const std::string& spec : {file("space_chain"), file("closed_chain"), file("closed_space_chain") + ":N=7",
                                  file("double_pendulum") + ":rate1=2,rate2=-1", file("tethered_satellites") + ":N=4",
                                  file("spatial_slider_crank") + ":angle=1", file("spatial_four_bar"),
                                  file("spatial_four_bar") + ":driven=1", std::string("conical-pendulum")}) {
    const auto problem = Registry<Problem>::instance().make(spec, "");
    const auto model = problem->mechanical_model(As<Real50>{});
    const StartReport report = analyse_start<Real50>(*model, model->initial_q(), model->initial_v());
    EXPECT_LT(report.position_residual, 1e-47) << spec;
    EXPECT_LT(report.velocity_residual, 1e-47) << spec;
    EXPECT_EQ(report.rank, model->constraints()) << spec;
  }
}

// Place of the fourth particle as github plkinon/phdae_discrete_gradients stores it, of steps of 1e-4 s by a method of
// order 2 whose error at 1e-3 s is 3.5e-7.
TEST(FourParticles, ReferenceIsWhatDiscreteGradientsConvergeTo) {
  const auto problem = Registry<Problem>::instance().make(file("four_particles"), "");
  const auto reference = find_reference(problem->spec(), Exact("1/10"));
  ASSERT_TRUE(reference);
  const double published[] = {0.9959913700582607, 0.9962624043349306, 0.11725868954600029};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(reference->q[9 + i]), published[i], 1e-8) << i;
}

TEST(MechanismProblems, HaveReferences) {
  const std::pair<const char*, const char*> list[] = {
      {"spring_pendulum", "10"},     {"double_pendulum", "5"},    {"space_chain", "2"},
      {"closed_chain", "2"},         {"closed_space_chain", "2"}, {"tethered_satellites", "10"},
      {"spatial_slider_crank", "1"}, {"spatial_four_bar", "1/5"}, {"four_particles", "1"}};
  for (const auto& [name, time] : list) {
    const auto problem = Registry<Problem>::instance().make(file(name), "");
    const auto reference = find_reference(problem->spec(), Exact(time));
    ASSERT_TRUE(reference) << name;
    EXPECT_GE(reference->digits_trusted, 25) << name;
  }
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
