// G-stability, stiff stability, B-stability and the block methods of Shampine and Watts on report cards.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996.
// [Gea71] Gear, Numerical Initial Value Problems in Ordinary Differential Equations, Prentice-Hall, 1971.
#include "analysis/g_stability.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/method_report.hpp"
#include "analysis/stiff_stability.hpp"
#include "core/base/exact.hpp"
#include "core/base/json_file.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

MultistepForm bdf(int k, bool numerical = false) { return {bdf_formula(k, numerical), {}}; }

// BDF 2: G = [[1, -2], [-2, 5]] / 4 on (y_n, y_(n+1)), a = (zeta - 1)^2 / 2. [HW96, Sec. V.6, eq. (6.18)]
TEST(GStability, OfBdfHasTheKnownMatrix) {
  const Property one = g_stable(bdf(1)), two = g_stable(bdf(2));
  EXPECT_TRUE(one.holds && two.holds);
  EXPECT_THAT(one.proof, AllOf(StartsWith("exact"), HasSubstr("G = [[1/2]]")));
  EXPECT_THAT(two.proof, AllOf(StartsWith("exact"), HasSubstr("G = [[1/4, -1/2], [-1/2, 5/4]]")));
}

// 3/2 y_2 - 2 y_1 + y_0/2 against y_2: by the identity |Y_1|_G^2 - |Y_0|_G^2 + |y_2 - 2 y_1 + y_0|^2 / 4, on numbers.
TEST(GStability, MatrixOfBdf2FulfilsItsIdentity) {
  for (const auto& y : {std::array<double, 3>{1, 2, 4}, {0.3, -1, 0.5}, {5, 0, -7}}) {
    const auto norm = [](double a, double b) { return (a * a - 4 * a * b + 5 * b * b) / 4; };
    const double a = (y[2] - 2 * y[1] + y[0]) / 2;
    EXPECT_NEAR((1.5 * y[2] - 2 * y[1] + 0.5 * y[0]) * y[2], norm(y[1], y[2]) - norm(y[0], y[1]) + a * a, 1e-12);
  }
}

// Exactly where the formula is A-stable: not for order 3 and more. NDF 1 leaves a factor of degree 1, so that G has
// square roots; for NDF 2 a is a multiple of (zeta - 1)^3.
TEST(GStability, IsThatOfAStableFormulas) {
  for (int k = 3; k <= 6; ++k) {
    const Property property = g_stable(bdf(k));
    EXPECT_FALSE(property.holds) << k;
    EXPECT_THAT(property.proof, StartsWith("exact: not A-stable"));
  }
  for (int k = 1; k <= 2; ++k) {
    const Property property = g_stable(bdf(k, true));
    EXPECT_TRUE(property.holds) << k;
    EXPECT_THAT(property.proof, AllOf(StartsWith(k == 1 ? "numerical, in 100 digits" : "exact"), HasSubstr("G = ")))
        << k;
  }
  EXPECT_FALSE(g_stable(std::get<MultistepForm>(method_of("adams-pece:k=2")->form())).applicable);
  EXPECT_FALSE(g_stable(std::get<MultistepForm>(method_of("adams-bashforth:k=2")->form())).holds);
}

// D of orders 3 to 6 as of the minimum of Re sum_j (1 - e^(-it))^j / j; for order 3 it is 1/12 at cos t = 3/4. Gear's
// table has 0.1, 0.7, 2.4 and 6.1. [Gea71, Table 11.1]
TEST(StiffStability, OfBdf) {
  const double D[] = {0, 0, 1.0 / 12, 0.667, 2.327, 6.075}, printed[] = {0, 0, 0.1, 0.7, 2.4, 6.1};
  for (int k = 1; k <= 6; ++k) {
    const auto found = stiff_stability(bdf(k));
    ASSERT_TRUE(found) << k;
    EXPECT_NEAR(found->D, D[k - 1], k == 3 ? 1e-9 : 1e-3) << k;
    EXPECT_LE(found->D, printed[k - 1]) << k;
    EXPECT_GT(found->D, printed[k - 1] - 0.1) << k;
  }
  // Where the locus crosses the imaginary axis: sqrt(15)/2 for order 3, 0.71 and 9.39 for order 5 (bdf_limits).
  EXPECT_EQ(stiff_stability(bdf(3))->theta_from, 0);
  EXPECT_NEAR(stiff_stability(bdf(3))->theta_to, std::sqrt(15.0) / 2, 1e-6);
  EXPECT_NEAR(stiff_stability(bdf(5))->theta_from, 0.7108, 1e-3);
  EXPECT_NEAR(stiff_stability(bdf(5))->theta_to, 9.392, 1e-3);
}

TEST(StiffStability, IsNotThatOfExplicitOrUnstableFormulas) {
  EXPECT_FALSE(stiff_stability(method_of("adams-bashforth:k=2")->form()));
  EXPECT_FALSE(stiff_stability(method_of("adams-pece:k=2")->form()));
  EXPECT_FALSE(stiff_stability(method_of("gauss:s=2")->form()));
  EXPECT_FALSE(stiff_stability(bdf(7)));  // not zero-stable
}

TEST(BStability, IsAlgebraicStabilityWhereNodesDiffer) {
  const auto card = [](const char* method) { return method_report(*method_of(method)); };
  for (const char* method : {"gauss:s=2", "radau-iia:s=3", "lobatto-iiic:s=3"}) {
    EXPECT_TRUE(card(method).b_stable.holds) << method;
    EXPECT_THAT(card(method).b_stable.proof, HasSubstr("algebraically stable")) << method;
  }
  const Property trapezoidal = card("trapezoidal").b_stable;
  EXPECT_TRUE(trapezoidal.applicable && !trapezoidal.holds);
  EXPECT_FALSE(card("bdf:k=2").b_stable.applicable);
  EXPECT_TRUE(card("bdf:k=2").g_stable.holds);
  EXPECT_FALSE(card("gauss:s=2").g_stable.applicable);
}

// Written and read again.
TEST(ReportCard, KeepsWhatItSaysOfStability) {
  for (const char* method : {"bdf:k=3", "bdf:k=2", "gauss:s=2", "hht"}) {
    const Json card = method_report(*method_of(method));
    EXPECT_EQ(Json(card.get<MethodReport>()), card) << method;
    EXPECT_TRUE(card.contains("G_stable") && card.contains("B_stable"));
    EXPECT_EQ(card.contains("stiffly_stable"), std::string(method).starts_with("bdf"));
  }
}

// ---------------------------------------------------------------- Shampine and Watts

// The tableaus that experiments/museum/uniform-collocation.json writes out.
TEST(ShampineWatts, IsWhatTheMuseumWritesOut) {
  const Json museum = read_json_file(project_path("experiments/museum/uniform-collocation.json"));
  int found = 0;
  for (const Json& run : museum["runs"]) {
    const Json& written = run["method"];
    if (!written.is_object() || !written["name"].get<std::string>().starts_with("collocation at 0 and ")) continue;
    ++found;
    const std::size_t stages = written["b"].size();
    const Tableau tableau = std::get<Tableau>(method_of(fmt::format("shampine-watts:nodes={}", stages - 1))->form());
    ASSERT_EQ(tableau.stages(), static_cast<Index>(stages));
    for (std::size_t i = 0; i < stages; ++i) {
      const auto row = static_cast<Index>(i);
      EXPECT_LT(abs(tableau.b[row] - Exact(written["b"][i].get<std::string>()).value()), Real100("1e-90"));
      for (std::size_t j = 0; j < stages; ++j)
        EXPECT_LT(abs(tableau.A(row, static_cast<Index>(j)) - Exact(written["A"][i][j].get<std::string>()).value()),
                  Real100("1e-90"));
    }
  }
  EXPECT_EQ(found, 3);
}

// Order r + 1, and r + 2 for even r; A-stable to 8 points and not with 9. [Watts, Shampine 1972]
TEST(ShampineWatts, HasItsOrderAndStability) {
  for (const int r : {1, 2, 3, 4, 8, 9}) {
    const MethodReport card = method_report(*method_of(fmt::format("shampine-watts:nodes={}", r)));
    EXPECT_EQ(card.order->value, r % 2 == 0 ? r + 2 : r + 1) << r;
    EXPECT_TRUE(card.order->is_exact) << r;
    EXPECT_EQ(card.a_stable.holds, r <= 8) << r << ": " << card.a_stable.proof;
    EXPECT_FALSE(card.l_stable.holds) << r;
    EXPECT_TRUE(card.stiffly_accurate.holds) << r;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
