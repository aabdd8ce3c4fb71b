// Unconditional stability on the oscillator and its limits, against the literature's conditions, from both sides.
//
// [CH93] Chung, Hulbert, Journal of Applied Mechanics 60(2), 1993, 371-375, doi 10.1115/1.2900803.
// [Hug87] Hughes, The Finite Element Method, Prentice-Hall, 1987, Sec. 9.1.
//
// Closed forms are met to round-off, 1e-12, printed digits to half a unit of the last.
#include <gmock/gmock.h>

#include <cmath>

#include "analysis/bdf_limits.hpp"
#include "methods/newmark/generalized_alpha_stepper.hpp"
#include "tests/oscillator_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::StartsWith;

// Any member of the family, also ones that the methods' options exclude.
struct AnyScheme {
  Exact alpha_m = 0, alpha_f = 0, beta = 0, gamma = 0;
  GeneralizedAlphaScheme scheme(const std::string& /*where*/) const {
    GeneralizedAlphaScheme s;
    s.alpha_m = alpha_m.value(), s.alpha_f = alpha_f.value(), s.beta = beta.value(), s.gamma = gamma.value();
    return s;
  }
  MethodForm form() const { return GeneralizedAlphaMethod(*this, "").form(); }
};

MethodForm newmark(const char* beta, const char* gamma) { return AnyScheme{0, 0, beta, gamma}.form(); }
MethodForm generalized_alpha(const char* alpha_m, const char* alpha_f, const char* beta) {
  return AnyScheme{alpha_m, alpha_f, beta, "1/2 - (" + std::string(alpha_m) + ") + " + alpha_f}.form();
}
MethodForm tableau(const char* name) { return tableau_by_name(name, ""); }

// 2 beta >= gamma >= 1/2 [Hug87]; the limit is 1/sqrt(gamma/2 - beta) for gamma >= 1/2, none below.
TEST(OscillatorStability, OfNewmarkOnBothSidesOfItsConditions) {
  for (const auto& [beta, gamma] : {std::pair{"1/4", "1/2"}, {"3/10", "3/5"}, {"1/3", "1/2"}, {"1/2", "1"}}) {
    const Property verdict = unconditionally_stable(newmark(beta, gamma));
    EXPECT_TRUE(verdict.holds) << verdict.proof;
    EXPECT_THAT(verdict.proof, StartsWith("exact"));
    EXPECT_TRUE(std::isinf(stability_limit(newmark(beta, gamma))));
  }
  for (const auto& [beta, gamma, limit] : {std::tuple{"1/4 - 1/10^12", "1/2", 1e6},
                                           {"3/10 - 1/10^12", "3/5", 1e6},
                                           {"1/5", "3/5", std::sqrt(10.0)},
                                           {"1/4", "1/2 - 1/10^12", 0.0},
                                           {"1/4", "2/5", 0.0}}) {
    const Property verdict = unconditionally_stable(newmark(beta, gamma));
    EXPECT_FALSE(verdict.holds) << beta << " " << gamma;
    EXPECT_THAT(verdict.proof, StartsWith("exact"));
    EXPECT_NEAR(stability_limit(newmark(beta, gamma)), limit, 1e-12 * limit) << beta << " " << gamma;
  }
}

TEST(OscillatorStability, LimitsOfClassicalMembersOfNewmarksFamily) {
  EXPECT_NEAR(stability_limit(newmark("1/6", "1/2")), 2 * std::sqrt(3.0), 1e-12);  // linear acceleration
  EXPECT_NEAR(stability_limit(newmark("1/12", "1/2")), std::sqrt(6.0), 1e-12);     // Fox and Goodwin
  EXPECT_NEAR(stability_limit(newmark("0", "1/2")), 2, 1e-12);                     // central differences
}

TEST(OscillatorStability, RefusalNamesWhereTheMethodFails) {
  const Property verdict = unconditionally_stable(newmark("1/6", "1/2"));
  EXPECT_FALSE(verdict.holds);
  EXPECT_THAT(verdict.proof, HasSubstr("12 - kappa < 0 from Omega = 3.4641 on (kappa = 12"));
}

TEST(OscillatorStability, OfGeneralizedAlphaAndHht) {
  for (const char* method : {"generalized-alpha:rho=0", "generalized-alpha:rho=1/5", "generalized-alpha:rho=4/5",
                             "generalized-alpha:rho=1", "hht:alpha=0", "hht:alpha=1/20", "hht:alpha=1/3"}) {
    const Property verdict = unconditionally_stable(form_of(method));
    EXPECT_TRUE(verdict.holds) << method << ": " << verdict.proof;
    EXPECT_THAT(verdict.proof, StartsWith("exact")) << method;
  }
}

// alpha_m <= alpha_f <= 1/2 and beta >= 1/4 + (alpha_f - alpha_m)/2 [CH93, eq. (15)].
TEST(OscillatorStability, OfGeneralizedAlphaOnBothSidesOfItsConditions) {
  for (const auto& [alpha_m, alpha_f, beta] :
       {std::tuple{"1/2", "1/2", "1/4"}, {"0", "1/2", "1/2"}, {"-1/3", "1/4", "13/24"}, {"0", "1/3", "5/12"}})
    EXPECT_TRUE(unconditionally_stable(generalized_alpha(alpha_m, alpha_f, beta)).holds)
        << alpha_m << " " << alpha_f << " " << beta;
  for (const auto& [alpha_m, alpha_f, beta] : {std::tuple{"1/2", "51/100", "1"},
                                               {"0", "1/2 + 1/10^9", "1"},
                                               {"-1/3", "1/4", "13/24 - 1/10^9"},
                                               {"1/3 + 1/10^9", "1/3", "1"}})
    EXPECT_FALSE(unconditionally_stable(generalized_alpha(alpha_m, alpha_f, beta)).holds)
        << alpha_m << " " << alpha_f << " " << beta;
}

// At Omega = 2 both modes are -1, with one eigenvector.
TEST(OscillatorStability, OfSymplecticEulerEndsAtTwo) {
  EXPECT_NEAR(stability_limit(form_of("semi-implicit-euler")), 2, 1e-12);
  EXPECT_THAT(unconditionally_stable(form_of("semi-implicit-euler")).proof, HasSubstr("Omega = 2 on"));
}

// A double mode on the circle is refused even where no mode leaves it: a shear that kappa leaves alone.
TEST(OscillatorStability, DoubleModesOnTheCircleGrow) {
  OscillatorForm form;
  for (std::size_t i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(2, 2);
  form.next[0] = Matrix<Real100>::Identity(2, 2);
  form.now[0] << 1, 1, 0, 1;
  const Property verdict = unconditionally_stable(form);
  EXPECT_FALSE(verdict.holds);
  EXPECT_THAT(verdict.proof, HasSubstr("double mode z = 1"));
}

TEST(OscillatorStability, ImaginaryLimitsOfExplicitMethods) {
  EXPECT_EQ(stability_limit(tableau("explicit-euler")), 0);
  EXPECT_EQ(stability_limit(tableau("heun")), 0);
  EXPECT_NEAR(stability_limit(tableau("rk3-kutta")), std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(stability_limit(tableau("rk4-classical")), 2 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(stability_limit(form_of("adams-bashforth:k=2")), 0);
  EXPECT_NEAR(stability_limit(form_of("adams-bashforth:k=3")), 0.7236, 5e-5);  // four digits
  EXPECT_THAT(unconditionally_stable(tableau("rk4-classical")).proof,
              testing::AllOf(StartsWith("exact"), HasSubstr("Omega = 2.82843 on (kappa = 8")));
}

TEST(OscillatorStability, AStableMethodsHaveNoLimit) {
  for (const char* method : {"bdf:k=1", "bdf:k=2", "local-trapezoidal", "gauss:s=2", "gauss:s=3", "radau-iia:s=3",
                             "lobatto-iiic:s=3", "pade-block:r=4"}) {
    const Property verdict = unconditionally_stable(form_of(method));
    EXPECT_TRUE(verdict.holds) << method << ": " << verdict.proof;
    EXPECT_TRUE(std::isinf(stability_limit(form_of(method)))) << method;
  }
}

// BDF3 and BDF4 grow from Omega = 0 on, BDF5 between two limits.
TEST(OscillatorStability, OfHigherBdfIsRefusedWithTheInterval) {
  EXPECT_EQ(stability_limit(form_of("bdf:k=3")), 0);
  EXPECT_EQ(stability_limit(form_of("bdf:k=4")), 0);
  // Both are bisected: measured 1.3e-11
  EXPECT_NEAR(stability_limit(form_of("bdf:k=5")), bdf_limits(5).instability->from, 1e-9);
  const Property three = unconditionally_stable(form_of("bdf:k=3")), five = unconditionally_stable(form_of("bdf:k=5"));
  EXPECT_FALSE(three.holds || five.holds);
  EXPECT_THAT(three.proof, testing::AllOf(StartsWith("numerical"), HasSubstr("0 < Omega < 1.936")));
  EXPECT_THAT(five.proof, HasSubstr("< Omega < 9.39"));
}

TEST(OscillatorStability, MethodsWithoutCoefficientsAreNotApplicable) {
  const MethodForm form = form_of("kinematic");
  EXPECT_FALSE(Oscillator::of(form));
  EXPECT_FALSE(unconditionally_stable(form).applicable);
  EXPECT_TRUE(std::isnan(stability_limit(form)));
}

}  // namespace TEST_FILE
}  // namespace daelab
