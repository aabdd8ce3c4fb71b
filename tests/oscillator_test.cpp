// What methods do to the oscillator, against closed forms.
//
// [CH93] Chung, Hulbert, Journal of Applied Mechanics 60(2), 1993, 371-375, doi 10.1115/1.2900803.
// [HH78] Hilber, Hughes, Earthquake Engineering and Structural Dynamics 6, 1978, 99-117, doi 10.1002/eqe.4290060111.
// [Hug87] Hughes, The Finite Element Method, Prentice-Hall, 1987, Secs. 9.1, 9.3.
//
// Bounds of 1e-12 and less are round-off of closed forms in double, where nothing else is said.
#include "analysis/oscillator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/bdf_limits.hpp"
#include "tests/oscillator_support.hpp"

namespace daelab {
namespace TEST_FILE {

using std::numbers::pi;

// [CH93]: the parameter is the spectral radius at infinity.
TEST(OscillatorRadius, AtInfinityIsTheParameterOfGeneralizedAlpha) {
  for (const auto& [text, rho] : {std::pair{"0", 0.0}, {"1/5", 0.2}, {"1/2", 0.5}, {"4/5", 0.8}, {"1", 1.0}})
    EXPECT_NEAR(oscillator(std::string("generalized-alpha:rho=") + text).rho_infinity(), rho, 1e-14) << text;
}

// (1 + alpha)/(1 - alpha) for alpha in [-1/3, 0]; the option is -alpha.
TEST(OscillatorRadius, AtInfinityOfHht) {
  for (const auto& [text, alpha] : {std::pair{"0", 0.0}, {"1/20", 0.05}, {"1/10", 0.1}, {"1/5", 0.2}, {"1/3", 1.0 / 3}})
    EXPECT_NEAR(oscillator(std::string("hht:alpha=") + text).rho_infinity(), (1 - alpha) / (1 + alpha), 1e-14) << text;
}

// With beta = (gamma + 1/2)^2/4 both modes tend to (gamma - 3/2)/(gamma + 1/2).
TEST(OscillatorRadius, AtInfinityOfNewmark) {
  EXPECT_NEAR(oscillator("newmark").rho_infinity(), 1, 1e-14);
  EXPECT_NEAR(oscillator("newmark:gamma=1").rho_infinity(), 1.0 / 3, 1e-14);
  EXPECT_NEAR(oscillator("newmark:gamma=3/4").rho_infinity(), 0.6, 1e-14);
}

TEST(OscillatorRadius, AtInfinityOfMethodsOfFirstOrderSystems) {
  for (const char* annihilating : {"bdf:k=1", "bdf:k=2", "bdf:k=5", "radau-iia:s=2", "pade-block:r=3"})
    EXPECT_NEAR(oscillator(annihilating).rho_infinity(), 0, 1e-14) << annihilating;
  for (const char* conservative : {"local-trapezoidal", "gauss:s=2"})
    EXPECT_NEAR(oscillator(conservative).rho_infinity(), 1, 1e-13) << conservative;
  for (const char* conditional : {"semi-implicit-euler", "adams-bashforth:k=2"})
    EXPECT_TRUE(std::isinf(oscillator(conditional).rho_infinity())) << conditional;
}

TEST(OscillatorRadius, OfGeneralizedAlphaFallsFromOneToItsLimit) {
  for (const char* rho : {"0", "1/5", "1/2", "4/5"}) {
    const Oscillator method = oscillator(std::string("generalized-alpha:rho=") + rho);
    double last = 1;
    for (double Omega = 0.01; Omega < 300; Omega *= 1.1) {
      const double radius = method.spectral_radius(Omega);
      // Round-off where three modes are close to each other.
      EXPECT_LE(radius, last + 1e-11) << rho << " " << Omega;
      EXPECT_GE(radius, method.rho_infinity()) << rho << " " << Omega;
      last = radius;
    }
    // Three modes meet at infinity: their distance falls like Omega^(-2/3).
    EXPECT_NEAR(method.spectral_radius(1e4), method.rho_infinity(), 2 * std::pow(1e4, -2.0 / 3)) << rho;
  }
}

TEST(OscillatorRadius, OfTheAverageAccelerationIsOne) {
  for (double Omega = 0.01; Omega < 1e4; Omega *= 1.5)
    // They meet at -1, and at Omega = 1e4 they are 4e-4 away from it: round-off over that is 6e-13.
    EXPECT_NEAR(oscillator("newmark").spectral_radius(Omega), 1, 1e-11) << Omega;
}

// Beyond its limit 2 the modes of symplectic Euler are real with product 1: z + 1/z = 2 - Omega^2.
TEST(OscillatorRadius, OfSymplecticEuler) {
  const Oscillator method = oscillator("semi-implicit-euler");
  EXPECT_NEAR(method.spectral_radius(1.9), 1, 1e-13);
  EXPECT_NEAR(method.spectral_radius(2.5), (4.25 + std::sqrt(4.25 * 4.25 - 4)) / 2, 1e-12);
  ASSERT_EQ(method.modes(2.5, 0).size(), 2u);
}

// Critically and strongly damped: real eigenvalues w, R(w) = 1/(1 - w) for the implicit Euler method.
TEST(OscillatorRadius, OfTheImplicitEulerMethodWithDamping) {
  const Oscillator method = oscillator("bdf:k=1");
  EXPECT_NEAR(method.spectral_radius(3, 1), 0.25, 1e-14);
  EXPECT_NEAR(method.spectral_radius(3, 1.25), 1 / 2.5, 1e-14);
  EXPECT_NEAR(method.spectral_radius(3, 0.6), 1 / std::hypot(2.8, 2.4), 1e-14);
  EXPECT_TRUE(std::isnan(method.response(3, 1).period_error));
}

TEST(OscillatorRadius, OfBdfFallsBelowOneWhereTheInstabilityEnds) {
  for (const int k : {3, 4, 5}) {
    const Oscillator method = oscillator("bdf:k=" + std::to_string(k));
    const auto instability = *bdf_limits(k).instability;
    // The end is met to 0.1 %.
    EXPECT_GT(method.spectral_radius(0.999 * instability.to), 1) << k;
    EXPECT_LT(method.spectral_radius(1.001 * instability.to), 1) << k;
    EXPECT_NEAR(method.spectral_radius(instability.at), instability.growth, 1e-12) << k;
  }
}

// cos(phi) = 1 - Omega^2/2/(1 + beta Omega^2) for gamma = 1/2: Omega^2 (beta/2 - 1/24) to leading order.
TEST(OscillatorResponse, OfNewmarkWithoutDamping) {
  for (const auto& [text, beta] : {std::pair{"1/4", 0.25}, {"1/6", 1.0 / 6}, {"1/12", 1.0 / 12}})
    for (const double Omega : {0.1, 1.0, 2.0}) {
      const OscillatorResponse response = oscillator(std::string("newmark:beta=") + text).response(Omega);
      const double phi = std::acos(1 - Omega * Omega / 2 / (1 + beta * Omega * Omega));
      EXPECT_NEAR(response.period_error, Omega / phi - 1, 1e-13) << text << " " << Omega;
      EXPECT_NEAR(response.damping_ratio, 0, 1e-13);
    }
  EXPECT_NEAR(oscillator("newmark").response(0.01).period_error, 1e-4 / 12, 1e-9);  // next term: Omega^4/180
}

TEST(OscillatorResponse, OfTheImplicitEulerMethod) {
  const OscillatorResponse response = oscillator("bdf:k=1").response(0.5);
  const double phi = std::atan(0.5), decay = std::log(1.25) / 2;
  EXPECT_NEAR(response.period_error, 0.5 / phi - 1, 1e-14);
  EXPECT_NEAR(response.damping_ratio, decay / std::hypot(decay, phi), 1e-14);
}

// exp(w) itself would show zeta and no period error.
TEST(OscillatorResponse, ApproachesTheDampingOfTheOscillator) {
  for (const char* method : {"generalized-alpha:rho=1/2", "gauss:s=3", "bdf:k=4", "radau-iia:s=2"}) {
    const OscillatorResponse response = oscillator(method).response(0.05, 0.3);
    // Omega^2 = 2.5e-3 at the most: measured 1.9e-4.
    EXPECT_NEAR(response.damping_ratio, 0.3, 2e-3) << method;
    EXPECT_NEAR(response.period_error, 0, 2e-3) << method;
  }
  EXPECT_NEAR(oscillator("gauss:s=3").response(0.5, 0.3).damping_ratio, 0.3, 1e-6);  // order 6, measured 1.4e-7
}

// Half a period a step, and beyond, no oscillation is seen.
TEST(OscillatorResponse, EndsAtTwoStepsAPeriod) {
  for (const char* method : {"newmark", "gauss:s=2", "bdf:k=3"}) {
    EXPECT_FALSE(std::isnan(oscillator(method).response(0.999 * pi).period_error)) << method;
    EXPECT_TRUE(std::isnan(oscillator(method).response(1.001 * pi).period_error)) << method;
  }
}

// The principal root of a multistep method is the one continued from Omega = 0: BDF2 at Omega = 3 has another nearby.
TEST(OscillatorResponse, OfBdf2FollowsThePrincipalRoot) {
  const double Omega = 3;  // (3/2 - i Omega) z^2 - 2 z + 1/2 = 0
  const std::complex<double> leading(1.5, -Omega), root = std::sqrt(4.0 - 2.0 * leading);
  const std::complex<double> z = (2.0 + root) / (2.0 * leading);  // the branch that is 1 at Omega = 0
  const OscillatorResponse response = oscillator("bdf:k=2").response(Omega);
  EXPECT_NEAR(response.period_error, Omega / std::arg(z) - 1, 1e-12);
}

double slope(const Oscillator& method, double OscillatorResponse::*quantity, double zeta = 0) {
  const double a = std::abs(method.response(0.02, zeta).*quantity), b = std::abs(method.response(0.04, zeta).*quantity);
  return std::log2(b / a);
}

// Methods of order p: period errors of order 2 ceil(p/2), damping of order 2 floor(p/2) + 1 as far as the method damps.
TEST(OscillatorResponse, HasTheOrderOfTheMethod) {
  // Between Omega = 0.02 and 0.04 the next term moves the slopes by up to 0.002.
  for (const char* method : {"generalized-alpha:rho=1/2", "hht:alpha=1/5"}) {
    EXPECT_NEAR(slope(oscillator(method), &OscillatorResponse::period_error), 2, 0.01) << method;
    EXPECT_NEAR(slope(oscillator(method), &OscillatorResponse::damping_ratio), 3, 0.01) << method;
  }
  EXPECT_NEAR(slope(oscillator("newmark:gamma=3/5"), &OscillatorResponse::damping_ratio), 1, 0.01);
  EXPECT_NEAR(slope(oscillator("newmark:beta=1/12"), &OscillatorResponse::period_error), 4, 0.01);
  EXPECT_NEAR(slope(oscillator("radau-iia:s=2"), &OscillatorResponse::damping_ratio), 3, 0.01);
  EXPECT_NEAR(slope(oscillator("radau-iia:s=2"), &OscillatorResponse::period_error), 4, 0.01);
  EXPECT_NEAR(slope(oscillator("bdf:k=2"), &OscillatorResponse::period_error), 2, 0.01);
}

// Newmark damps by (gamma - 1/2) Omega/2 to leading order [Hug87, Sec. 9.3].
TEST(OscillatorResponse, LeadingDampingOfNewmark) {
  EXPECT_NEAR(oscillator("newmark:gamma=3/5").response(0.001).damping_ratio, 0.1 * 0.001 / 2, 1e-9);
}

// The first step from q = 1, v = 0, a = -omega^2: h v_1 = kappa (gamma/(2 beta) - 1) as Omega -> infinity, which is
// -Omega^2 (1 - rho)^2/4 for [CH93], -Omega^2 alpha^2/(1 + alpha)^2 for HHT, and zero for gamma = 2 beta.
TEST(OscillatorOvershoot, OfTheVelocityInTheFirstStep) {
  constexpr double Omega = 1e6;
  const auto first = [](const std::string& method) { return oscillator(method).overshoot(Omega, 1).velocity / Omega; };
  // The next terms are of the size 1/Omega^2 = 1e-12.
  EXPECT_NEAR(first("generalized-alpha:rho=0"), 0.25, 1e-10);
  EXPECT_NEAR(first("generalized-alpha:rho=1/2"), 0.0625, 1e-10);
  EXPECT_NEAR(first("hht:alpha=1/3"), 0.0625, 1e-10);
  EXPECT_NEAR(oscillator("newmark").overshoot(Omega, 1).velocity, 1, 1e-10);
}

TEST(OscillatorOvershoot, IsLinearInTheVelocityOfDampingMethods) {
  const auto powers = [](const std::string& method) { return *oscillator(method).overshoot_powers(); };
  for (const char* damping : {"generalized-alpha:rho=0", "generalized-alpha:rho=4/5", "hht:alpha=1/10"}) {
    EXPECT_EQ(powers(damping).displacement, 0) << damping;
    EXPECT_EQ(powers(damping).velocity, 1) << damping;
  }
  for (const char* harmless : {"newmark", "generalized-alpha:rho=1", "gauss:s=2", "pade-block:r=2", "bdf:k=2"}) {
    EXPECT_EQ(powers(harmless).displacement, 0) << harmless;
    EXPECT_EQ(powers(harmless).velocity, 0) << harmless;
  }
  EXPECT_FALSE(oscillator("semi-implicit-euler").overshoot_powers());
}

// R(hJ) of a normal J: |R| <= 1 leaves nothing to exceed.
TEST(OscillatorOvershoot, IsNoneForRungeKuttaMethods) {
  for (const char* method : {"radau-iia:s=3", "gauss:s=2", "pade-block:r=4"})
    for (const double Omega : {1.0, 10.0, 1e4}) {
      const Oscillator::Overshoot overshoot = oscillator(method).overshoot(Omega);
      EXPECT_LE(std::max(overshoot.displacement, overshoot.velocity), 1 + 1e-12) << method << " " << Omega;
    }
}

TEST(OscillatorOrder, IsTwoWhereGammaFollowsTheAlphas) {
  for (const char* two : {"generalized-alpha:rho=0", "generalized-alpha:rho=4/5", "hht:alpha=1/10", "newmark"})
    EXPECT_EQ(oscillator_order(oscillator_form(two)), 2) << two;
  for (const char* one :
       {"generalized-alpha:gamma=printed", "generalized-alpha:acceleration=rederived", "newmark:gamma=3/5"})
    EXPECT_EQ(oscillator_order(oscillator_form(one)), 1) << one;
}

// Modes of order 2 without damping, of order 1 with it; velocities of order 1 in any case.
TEST(OscillatorOrder, OfSymplecticEulerIsOne) {
  EXPECT_EQ(oscillator_order(oscillator_form("semi-implicit-euler")), 1);
}

// Without damping the period is of order 4, but v is not.
TEST(OscillatorOrder, OfFoxAndGoodwinIsTwo) { EXPECT_EQ(oscillator_order(oscillator_form("newmark:beta=1/12")), 2); }

}  // namespace TEST_FILE
}  // namespace daelab
