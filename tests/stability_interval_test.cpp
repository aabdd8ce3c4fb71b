// Explicit methods along the negative real axis: lengths, damping and necks against closed forms, and the experiment.
//
// [SSV98] Sommeijer, Shampine, Verwer, J. Comput. Appl. Math. 88, 1998, 315-326.
//
// Bounds of 1e-11 and less are round-off; heights are bisected to 1e-9 of themselves.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "analysis/negative_axis.hpp"
#include "core/integration/method.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double eps = 2.0 / 13;  // the usual damping of RKC

// |1 + w| <= 1 is a disk of radius 1 around -1.
TEST(NegativeAxisOfEuler, IsADisk) {
  const auto axis = negative_axis(tableau_by_name("explicit-euler", ""));
  EXPECT_EQ(axis->stages, 1);
  EXPECT_NEAR(axis->length, 2, 1e-12);
  EXPECT_EQ(axis->largest, 0) << "no maximum inside";
  EXPECT_EQ(axis->neck, 0);
  EXPECT_NEAR(axis->lobe, 1, 1e-8);  // bisected
}

// R(-1 + iy) = (1 - y^2)/2.
TEST(NegativeAxisOfTheMidpointRule, HasTheHeightOfItsStabilityFunction) {
  const auto axis = negative_axis(tableau_by_name("explicit-midpoint", ""));
  EXPECT_EQ(axis->stages, 2);
  EXPECT_NEAR(axis->length, 2, 1e-12);
  EXPECT_NEAR(axis->lobe, std::sqrt(3), 1e-7);  // bisected
}

// R = T_2(1 + w/4) = -1 at w = -4: two lobes that touch.
// The neck is 0 up to the root of the 1e-10 that count as round-off: measured 3e-5.
TEST(NegativeAxisOfChebyshev, Pinches) {
  Tableau chebyshev;
  chebyshev.A = Matrix<Real100>::Zero(2, 2), chebyshev.b = Vector<Real100>::Zero(2), chebyshev.c = chebyshev.b;
  chebyshev.A(1, 0) = chebyshev.c[1] = Real100(1) / 8, chebyshev.b[1] = 1;
  const auto axis = negative_axis(chebyshev);
  EXPECT_NEAR(axis->length, 8, 1e-12);
  EXPECT_NEAR(axis->largest, 1, 1e-12);
  EXPECT_LT(axis->neck, 1e-4);
  EXPECT_NEAR(axis->lobe, std::sqrt(8 * std::sqrt(5) - 16), 1e-7);  // y^4/64 + y^2/2 = 1 above the zeros of R
}

// R = 1 - b T_s(w0) + b T_s(w0 + w1 w) has the maximum 1 - b (T_s(w0) - 1) where T_s = 1, u = cos(2 pi k/s), and
// T_s'' = -s^2/(1 - u^2) there: |R| = 1 at y^2 = 2 (T_s(w0) - 1) (1 - u^2)/(w1 s)^2 above it, to second order.
// [SSV98, eq. (2.2)]
double neck_of_rkc(int s) {
  const double w0 = 1 + eps / (s * s), theta = std::acosh(w0), T = std::cosh(s * theta);
  const double first = s * std::sinh(s * theta) / std::sinh(theta), second = (s * s * T - w0 * first) / (w0 * w0 - 1);
  double least = HUGE_VAL;
  for (int k = 1; 2 * k < s; ++k)
    least = std::min(least, std::sqrt(2 * (T - 1)) * std::sin(2 * M_PI * k / s) / (first / second * s));
  return least;
}

TEST(NegativeAxisOfRkc, IsKeptOpenByDamping) {
  for (const int s : {5, 10, 20}) {
    const std::string name = "rkc:stages=" + std::to_string(s);
    const auto damped = negative_axis(Registry<Method>::instance().make(name, "")->form());
    const auto undamped = negative_axis(Registry<Method>::instance().make(name + ",damping=0", "")->form());
    EXPECT_EQ(damped->stages, s);
    // The damping is 0.71 eps/3 with two stages and more with others: measured 0.92 eps/3 with five.
    EXPECT_LT(damped->largest, 1 - 0.7 * eps / 3) << s;
    EXPECT_NEAR(damped->neck, neck_of_rkc(s), 0.05 * neck_of_rkc(s)) << s;  // terms of higher order
    // Undamped, maxima are 1 to round-off, measured 2e-15, and necks the root of the 1e-10: measured 5e-5.
    EXPECT_NEAR(undamped->largest, 1, 1e-13) << s;
    EXPECT_LT(undamped->neck, 1e-3) << s;
    EXPECT_GT(undamped->length, damped->length) << s;
  }
}

// |R| <= 19/20 inside, by construction.
TEST(NegativeAxisOfRock4, IsDampedByATwentieth) {
  for (const int s : {5, 9, 20}) {
    const auto axis = negative_axis(Registry<Method>::instance().make("rock4:stages=" + std::to_string(s), "")->form());
    EXPECT_EQ(axis->stages, s);
    EXPECT_NEAR(axis->largest, 0.95, 1e-13) << s;
    EXPECT_GT(axis->neck, 0.25) << s << ": the lobes of a method that pinches are 0 there";
  }
}

TEST(NegativeAxis, KeepsTheDegreeOfManyStages) {
  const auto axis = negative_axis(Registry<Method>::instance().make("rkc:stages=60", "")->form());
  EXPECT_EQ(axis->stages, 60);
  EXPECT_NEAR(axis->neck, neck_of_rkc(60), 0.05 * neck_of_rkc(60));  // its powers of w lose 45 digits
}

TEST(NegativeAxis, IsOfExplicitRungeKuttaMethodsOnly) {
  for (const char* method : {"radau-iia", "bdf:k=2", "rkc", "newmark"})
    EXPECT_FALSE(negative_axis(Registry<Method>::instance().make(method, "")->form())) << method;
}

TEST(StabilityIntervalExperiment, StandsBesideItsLaws) {
  const SmallConfig config({{"experiment", "stability-interval"},
                            {"laws", {{{"method", "RKC"}, {"label", "law"}, {"factor", "382/585"}, {"shift", -1}}}},
                            {"runs",
                             {{{"label", "RKC"}, {"method", {{"name", "rkc"}, {"stages", {2, 10}}}}},
                              {{"label", "BDF"}, {"method", "bdf:k=2"}}}}});
  const Json series = config.analysis()["series"];
  ASSERT_EQ(series.size(), 3u);
  for (const int i : {0, 1}) {
    const double s = series[i]["stages"], length = series[i]["interval"];
    EXPECT_EQ(series[i]["law"], 382.0 / 585 * (s * s - 1));
    EXPECT_EQ(series[i]["per_law"], length / (382.0 / 585 * (s * s - 1)));
    EXPECT_EQ(series[i]["per_square"], length / (s * s));
    // The end, where T_s is T_s(w0) again, lies eps/(2 s^2) beyond beta, and beta eps/(30 s^2) beyond the law.
    EXPECT_NEAR(series[i]["per_law"].get<double>(), 1 + eps * (1.0 / 2 + 1.0 / 30) / (s * s), eps * eps / 30);
  }
  EXPECT_EQ(series[2]["status"], "not-applicable");
  const Json result = config.result();
  EXPECT_EQ(result["tables"][0]["rows"].size(), 2u);
  EXPECT_EQ(result["figures"][0]["panels"].size(), 2u);
  EXPECT_EQ(result["figures"][0]["panels"][0]["series"].size(), 2u) << "the law and the lengths";
  EXPECT_THAT(result["notes"].get<std::vector<std::string>>(),
              Contains(AllOf(StartsWith("BDF: not applicable"), HasSubstr("explicit Runge-Kutta"))));
}

TEST(StabilityIntervalExperiment, RefusesALawOfNothing) {
  EXPECT_THAT(input_error_of([] {
                SmallConfig({{"experiment", "stability-interval"},
                             {"laws", {{{"method", "RKC2"}, {"label", "law"}}}},
                             {"runs", {{{"label", "RKC"}, {"method", "rkc:stages=2"}}}}});
              }),
              AllOf(HasSubstr("/laws/0/method"), HasSubstr("no runs with the label 'RKC2'; there are: RKC")));
}

}  // namespace TEST_FILE
}  // namespace daelab
