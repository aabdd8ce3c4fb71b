#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/classical_sr1.hpp"
#include "analysis/sr1_properties.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/linear_run.hpp"
#include "tests/linear_problem_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Each;

template <class T>
LinearSystem<T> system_of(const Json& spec) {
  return linear_system<T>(Registry<LinearProblem>::instance().make(spec, "/problem")->pair());
}

template <class T>
Sr1Settings settings() {
  return {std::is_same_v<T, double> ? "1e-10" : "1e-40", "0", 50};
}

// ----- the theory -----

template <class T>
class Sr1Theory : public testing::Test {};
TYPED_TEST_SUITE(Sr1Theory, Scalars);

// (12), (14), (15), (17) to (21) and the projection property hold to rounding: each is a product of matrices of
// condition 10 and size 8, so a few hundred roundings of the last v = H r.
TYPED_TEST(Sr1Theory, PropertiesHoldToRounding) {
  for (const char* sign : {"positive", "negative"})
    for (const int rank : {1, 3, 5}) {
      const Sr1Properties p = sr1_properties(system_of<TypeParam>(random_psd(rank, sign, 11)), settings<TypeParam>());
      for (const auto& [name, deviation] : sr1_deviations)
        // Measured: 3 of these roundings.
        EXPECT_LT(p.deviations.*deviation, 300 * p.rounding) << name << " " << sign << " " << rank;
      EXPECT_LT(p.deviations.residual, 1e3 * static_cast<double>(epsilon<TypeParam>()));  // measured: 3 eps
      EXPECT_LT(p.deviations.inverse_range, 1e3 * static_cast<double>(epsilon<TypeParam>()));
      EXPECT_EQ(p.skipped, 0);
    }
}

// Bounds are 300 roundings of H, as above, and 1e3 eps of x: measured 5 eps.
// k = r1 on exit with H = A^+: rank passes, rank + 1 updates of x.
TYPED_TEST(Sr1Theory, PassesAreTheRankOfThePerturbation) {
  for (const char* sign : {"positive", "negative"})
    for (int rank = 1; rank <= 4; ++rank) {
      const Sr1Properties p = sr1_properties(system_of<TypeParam>(random_psd(rank, sign, 3)), settings<TypeParam>());
      EXPECT_TRUE(p.converged);
      EXPECT_EQ(p.passes, rank) << sign;
      EXPECT_LT(p.inverse_error, 300 * p.rounding) << sign;
      EXPECT_LT(p.solution_error, 1e3 * static_cast<double>(epsilon<TypeParam>()));
      EXPECT_NEAR(p.norm_ratio, 1, 1e-12);  // round-off of x
    }
}

// Within (22) no norm grows, H stays positive definite, and |x_k - x^0| contracts by |eps F_0| / lambda_r at least.
TYPED_TEST(Sr1Theory, NormsDoNotGrowWithinTheBound) {
  for (const char* sign : {"positive", "negative"})
    for (int seed = 1; seed <= 4; ++seed) {
      const Sr1Properties p =
          sr1_properties(system_of<TypeParam>(random_psd(4, sign, seed, "9/10")), settings<TypeParam>());
      EXPECT_NEAR(p.perturbation, 0.9, 1e-12);  // round-off of a norm
      for (const Decrease* d : {&p.perturbations, &p.inverse_errors, &p.solution_errors}) EXPECT_EQ(d->increases, 0);
      for (const double change : p.relative_changes.values) EXPECT_LT(change, 1);  // it may grow all the same
      EXPECT_EQ(p.perturbations.values.size(), 5u);                                // k = 0 ... 4
      EXPECT_EQ(p.solution_errors.values.size(), 6u);                              // x_0 ... x_5
      EXPECT_LE(p.solution_errors.largest_factor, 0.9);
      EXPECT_GT(p.least_eigenvalue, 0);
    }
}

// A semidefinite perturbation of any size leaves H positive definite; (22) is needed for the contraction alone.
TEST(Sr1TheoryLimits, LargePerturbationKeepsTheInversePositiveDefinite) {
  for (int seed = 1; seed <= 10; ++seed) {
    const Sr1Properties p = sr1_properties(system_of<double>(random_psd(3, "positive", seed, 10)), settings<double>());
    EXPECT_EQ(p.passes, 3);
    EXPECT_GT(p.least_eigenvalue, 0);
    EXPECT_EQ(p.inverse_errors.increases, 0);
  }
}

// Where the range turns, the limit is the solution in the range of A0, not the one of least norm; the identities hold
// for A restricted to that range. The turned directions lie at arctan(1/2): |x| up to sqrt(5)/2 of the least norm.
TEST(Sr1TheoryLimits, TurnedRangeGivesTheObliqueSolution) {
  // Identities hold to 300 roundings of H, as above; bounds of x are round-off of a few values of order one.
  Json problem = random_psd(2, "positive", 5);
  problem["common_range"] = false;
  const LinearSystem<double> system = system_of<double>(problem);
  const Sr1Properties p = sr1_properties(system, settings<double>());
  EXPECT_TRUE(p.converged);
  EXPECT_LT(p.solution_error, 1e-14);
  EXPECT_GT(p.norm_ratio, 1.01);  // measured 1.03
  EXPECT_LE(p.norm_ratio, std::sqrt(5.0) / 2 + 1e-12);
  EXPECT_GT(p.deviations.vectors_range, 1e-3);  // residuals lie in the range of A
  for (const double deviation :
       {p.deviations.quasi_newton, p.deviations.residual, p.deviations.update, p.deviations.secant})
    EXPECT_LT(deviation, 300 * p.rounding);
}

// ----- counterexamples -----

// Their values and those of the measures are exact in theory: bounds of 1e-14 and 1e-15 are some ten roundings.

// Lemma 4 and the non-vanishing denominators: s_1 = 0, H_1 = diag(1, 0), and the residual stays f.
TEST(Sr1Counterexamples, IndefinitePerturbationOfAnySizeStallsTheIteration) {
  for (const auto& [f, A] : {std::pair(0.5, "[[1, 0.5], [0.5, 1]]"), std::pair(0.001, "[[1, 0.001], [0.001, 1]]")}) {
    const Sr1Properties p =
        sr1_properties(system_of<double>(given("[[1, 0], [0, 1]]", A, "[1, 0]")), {"1e-12", "0", 20});
    EXPECT_FALSE(p.converged);
    EXPECT_EQ(p.passes, 20);
    ASSERT_TRUE(p.singular_at.has_value());
    EXPECT_EQ(*p.singular_at, 1);
    EXPECT_NEAR(p.least_eigenvalue, 0, 1e-15);
    EXPECT_THAT(p.residuals, Each(testing::DoubleNear(f, 1e-15)));
  }
}

// A0 = E, F = diag(1/2, 1/2, 3/10): b sees two different eigenvalues, so two passes; the third direction is never met.
TEST(Sr1Counterexamples, DecreaseIsNotStrict) {
  const Sr1Properties p =
      sr1_properties(system_of<double>(given("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
                                             "[[1.5, 0, 0], [0, 1.5, 0], [0, 0, 1.3]]", "[1, 1, 1]")),
                     {"1e-12", "0", 20});
  EXPECT_TRUE(p.converged);
  EXPECT_EQ(p.passes, 2);
  EXPECT_LT(p.solution_error, 1e-15);
  EXPECT_THAT(p.perturbations.values,
              testing::ElementsAre(testing::DoubleNear(0.5, 1e-14), testing::DoubleNear(0.5, 1e-14),
                                   testing::DoubleNear(0.5, 1e-14)));
  EXPECT_EQ(p.perturbations.standstills, 2);
  EXPECT_EQ(p.perturbations.increases, 0);
  EXPECT_NEAR(p.inverse_error, 1 / 3.0 / (1 / 1.3), 1e-14);  // (1 - 1/1.5) / |A^+|
}

// F = diag(1, -1)/2 and s_0 = b = (c, d): F_1 = F - F s s^T F / (s^T F s) has norm |F| / |c^2 - d^2|. Within (22).
TEST(Sr1Counterexamples, IndefinitePerturbationGrows) {
  const Sr1Properties p = sr1_properties(
      system_of<double>(given("[[1, 0], [0, 1]]", "[[1.5, 0], [0, 0.5]]", "[\"4/5\", \"3/5\"]")), {"1e-12", "0", 20});
  EXPECT_EQ(p.perturbations.increases, 1);
  EXPECT_NEAR(p.perturbations.largest_factor, 25 / 7.0, 1e-14);
  EXPECT_LT(p.perturbation, 1);
  EXPECT_EQ(p.passes, 2);
}

// Lemma 6 says that the product of an SPD and a PSD matrix is symmetric PSD. H_0 F = diag(1, 10) ((1, 1), (1, 1)) =
// ((1, 1), (10, 10)): |P - P^T| = 9 sqrt(2) of |P| = sqrt(202); (P + P^T)/2 has the eigenvalues 11/2 +- sqrt(50.5).
TEST(Sr1Counterexamples, ProductOfDefiniteMatricesNeedNotBeSymmetricNorDefinite) {
  const Sr1Properties p = sr1_properties(system_of<double>(given("[[1, 0], [0, 0.1]]", "[[2, 1], [1, 1.1]]", "[1, 0]")),
                                         settings<double>());
  EXPECT_NEAR(p.product_asymmetry, 9 * std::sqrt(2.0 / 202), 1e-14);
  EXPECT_NEAR(p.product_form, (5.5 - std::sqrt(50.5)) / std::sqrt(202.0), 1e-14);
}

// A0 = E commutes with F = diag(1/2, 1/2, 3/10), so there it does hold; the least eigenvalue is 3/10.
TEST(Sr1Measures, ProductOfCommutingMatricesIsSymmetricAndDefinite) {
  const Sr1Properties p =
      sr1_properties(system_of<double>(given("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
                                             "[[1.5, 0, 0], [0, 1.5, 0], [0, 0, 1.3]]", "[1, 1, 1]")),
                     settings<double>());
  EXPECT_EQ(p.product_asymmetry, 0);
  EXPECT_NEAR(p.product_form, 0.3 / std::sqrt(0.59), 1e-14);
}

// Two equations, F = diag(1, 0) on A0 = E, b = (1, 1): s_0 = (1, 1), r_1 = v = (1, 0), y_0 = (2, 1), so the cosine of
// (v, y) is 2/sqrt(5); s_1 = -v/2, at 45 degrees to s_0. Then x = (1/2, 1) is the solution.
TEST(Sr1Measures, FindAnglesOfLemma4AndOfTheRemark) {
  const Sr1Properties p =
      sr1_properties(system_of<double>(given("[[1, 0], [0, 1]]", "[[2, 0], [0, 1]]", "[1, 1]")), settings<double>());
  EXPECT_EQ(p.passes, 1);
  EXPECT_NEAR(p.curvature, 2 / std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(p.independence, std::sqrt(0.5), 1e-15);
}

// What it is used for holds all the same: A >= A0 on one range makes A0^+ - A^+ positive semidefinite.
TEST(Sr1Counterexamples, InverseIsMonotoneOnACommonRange) {
  for (int seed = 1; seed <= 5; ++seed) {
    const LinearSystem<double> s = system_of<double>(random_psd(3, "positive", seed, 2));
    RandomNumbers random(static_cast<unsigned>(seed));
    for (int i = 0; i < 20; ++i) {
      const auto x = random.vector<double>(8);
      EXPECT_GE(x.dot((s.H0 - s.inverse) * x), -1e-14);  // semidefinite, to round-off
    }
  }
}

// ----- the method with line search -----

// Its steps are those of conjugate gradients preconditioned by H_0: one for each different eigenvalue of H_0 A on the
// range, r1 + 1 of them where r1 < r, r where r1 = r. The iteration (11) takes r1 + 1 steps always.
TYPED_TEST(Sr1Theory, LineSearchSavesAStepWherePerturbationsHaveFullRank) {
  const std::string eps_abs = std::is_same_v<TypeParam, double> ? "1e-10" : "1e-40";
  for (const int rank : {1, 3, 5, 6}) {
    if (std::is_same_v<TypeParam, double> && rank > 3) continue;  // the tolerance of double is met earlier
    const LinearSystem<TypeParam> system = system_of<TypeParam>(random_psd(rank, "positive", 2));
    const ClassicalSr1 classical = classical_sr1(system, eps_abs, 50);
    EXPECT_TRUE(classical.converged);
    EXPECT_EQ(classical.steps, rank < 6 ? rank + 1 : 6);
    EXPECT_EQ(classical.products, 3 * classical.steps - 1) << "the last step needs no new H";
    const Sr1Properties iteration = sr1_properties(system, settings<TypeParam>());
    EXPECT_EQ(iteration.passes, rank);
    EXPECT_EQ(iteration.products, 2 * iteration.passes);
  }
}

TEST(Sr1LineSearch, GivesUp) {
  const ClassicalSr1 classical = classical_sr1(system_of<double>(random_psd(4, "positive", 2)), "1e-10", 2);
  EXPECT_FALSE(classical.converged);
  EXPECT_EQ(classical.steps, 2);
}

}  // namespace TEST_FILE
}  // namespace daelab
