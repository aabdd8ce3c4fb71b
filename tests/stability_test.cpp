// Stability functions and verdicts, against printed functions and Ehle's theorem.
//
// [WHN78] Wanner, Hairer, Nørsett, Order stars and stability theorems, BIT 18, 1978, 475-489.
// [Li19] Li, Ding, Li, Appl. Math. Mech. (Chinese) 40(7), 2019, 768-779.
#include "analysis/stability.hpp"

#include <gmock/gmock.h>

#include "core/solvers/dense.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Pair = std::pair<int, int>;

StabilityFunction of_block(const std::string& family, int r, int k, int j) {
  return stability_function(pade_block(node_family(family, r), k, j).tableau());
}

StabilityFunction of_json(const char* text) { return stability_function(tableau_from_json(Json::parse(text), "")); }

Poly<Rational> rational(std::initializer_list<int> coefficients) { return {coefficients.begin(), coefficients.end()}; }

TEST(StabilityFunction, IsTheOnePrintedForThreeNodes) {
  for (const std::string& family : node_families()) {
    EXPECT_EQ(of_block(family, 3, 2, 3).text(), "(60 + 24 w + 3 w^2)/(60 - 36 w + 9 w^2 - w^3)");
    EXPECT_EQ(of_block(family, 3, 1, 3).text(), "(24 + 6 w)/(24 - 18 w + 6 w^2 - w^3)");
  }
}

Real100 distance(const Poly<Real100>& p, const Polynomial& expected) {
  if (static_cast<Index>(p.size()) != expected.size()) return 1;
  Real100 largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    largest = std::max(largest, Real100(abs(p[i] - expected[static_cast<Index>(i)])));
  return largest;
}

// R depends on the pair only, and is L-stable for both pairs with j = r [WHN78].
TEST(StabilityFunction, EqualsPadeForAllNodesAndBothLStablePairs) {
  for (const std::string& family : node_families())
    for (int r = 1; r <= 8; ++r)
      for (int k = std::max(0, r - 2); k < r; ++k) {
        SCOPED_TRACE(family + " r=" + std::to_string(r) + " k=" + std::to_string(k));
        const StabilityFunction R = of_block(family, r, k, r);
        // Rounding of 100 digits: measured 4e-102.
        EXPECT_LT(distance(R.numerator, pade_numerator(k, r)), Real100("1e-95"));
        EXPECT_LT(distance(R.denominator, pade_denominator(k, r)), Real100("1e-95"));
        EXPECT_EQ(R.pade_pair(), (Pair{k, r}));
        EXPECT_EQ(R.linear_order(), k + r);
        EXPECT_EQ(R.at_infinity(), 0);
        const Property verdict = l_stable(R);
        EXPECT_TRUE(verdict.holds) << verdict.proof;
        EXPECT_THAT(verdict.proof, StartsWith("exact"));
      }
}

// k + j >= 2 r - 2 leaves one term of E: q_r^2 y^(2r). [lstable-block.md, 7.3]
TEST(StabilityFunction, OfLStablePairsHasOneTermInE) {
  for (const std::string& family : node_families())
    for (int r = 1; r <= 8; ++r)
      for (int k = std::max(0, r - 2); k < r; ++k) {
        const StabilityFunction R = of_block(family, r, k, r);
        const Poly<Rational> E = difference(squared_modulus(R.exact_denominator), squared_modulus(R.exact_numerator));
        ASSERT_EQ(degree(E), r);
        EXPECT_EQ(E.back(), R.exact_denominator.back() * R.exact_denominator.back());
        for (int i = 0; i < r; ++i) EXPECT_EQ(E[static_cast<std::size_t>(i)], 0);
      }
}

// Only the new value is damped at infinity: R_i(infinity) = -(B^-1 d)_i. [lstable-block.md, 7.3]
TEST(StabilityFunction, OfIntermediateNodesDoesNotVanishAtInfinity) {
  double largest = 0;
  for (const std::string& family : node_families())
    for (int r = 2; r <= 8; ++r)
      for (int k = r - 2; k < r; ++k) {
        const BlockCoefficients block = pade_block(node_family(family, r), k, r);
        const Vector<Real100> at_infinity = dense::solve(block.B, block.d);
        EXPECT_LT(abs(at_infinity[r - 1]), Real100("1e-90"));  // rounding of 100 digits: measured 7e-95
        const double size = static_cast<double>(at_infinity.cwiseAbs().maxCoeff());
        EXPECT_GT(size, 0.01) << family << " r=" << r << " k=" << k;  // measured 0.0195
        largest = std::max(largest, size);
      }
  EXPECT_NEAR(largest, 0.41, 0.005);  // half a unit of the two digits stated there
}

// The (k, j)-Padé approximant is A-stable iff k <= j <= k + 2, L-stable iff also k < j [WHN78].
TEST(Verdicts, AgreeWithEhlesTheoremForAllAdmissiblePairs) {
  for (int r = 1; r <= 6; ++r)
    for (int k = 0; k <= r; ++k)
      for (int j = r - k; j <= r; ++j) {
        SCOPED_TRACE("r=" + std::to_string(r) + " k=" + std::to_string(k) + " j=" + std::to_string(j));
        const StabilityFunction R = of_block("uniform", r, k, j);
        ASSERT_EQ(R.pade_pair(), (Pair{k, j}));
        const Property a = a_stable(R), l = l_stable(R);
        EXPECT_EQ(a.holds, k <= j && j <= k + 2) << a.proof;
        EXPECT_EQ(l.holds, k < j && j <= k + 2) << l.proof;
        EXPECT_THAT(a.proof, StartsWith("exact"));
      }
}

TEST(Verdicts, GiveProofOrCounterexample) {
  EXPECT_EQ(l_stable(of_block("uniform", 3, 1, 3)).proof,
            "exact, in rational arithmetic: E(y) = y^6/576 >= 0 (Sturm sequence: no change of sign "
            "for y > 0); Routh-Hurwitz: every pole has a positive real part; R(infinity) = 0 because "
            "deg P = 1 < deg Q = 3");
  // E = y^4 (y^2 - 3)/36 changes sign at sqrt(3).
  EXPECT_THAT(a_stable(of_block("uniform", 3, 0, 3)).proof, HasSubstr("E(y) = (-3 y^4 + y^6)/36 < 0 at y = 1.4"));
  EXPECT_THAT(l_stable(of_block("uniform", 3, 3, 3)).proof,
              AllOf(HasSubstr("E(y) = 0"), HasSubstr("but R(infinity) = -1")));
  // Irrational nodes: the fractions come from digits, and the proof says so.
  EXPECT_THAT(a_stable(of_block("chebyshev", 3, 1, 3)).proof,
              StartsWith("exact, for the fractions that match the coefficients of R to 80 digits"));
}

TEST(Verdicts, KnowTheCollocationFamilies) {
  for (int s = 1; s <= 7; ++s) {
    EXPECT_EQ(stability_function(gauss(s)).pade_pair(), (Pair{s, s}));
    EXPECT_EQ(stability_function(radau_iia(s)).pade_pair(), (Pair{s - 1, s}));
    EXPECT_TRUE(a_stable(stability_function(gauss(s))).holds);
    EXPECT_FALSE(l_stable(stability_function(gauss(s))).holds);
    EXPECT_TRUE(l_stable(stability_function(radau_iia(s))).holds);
    EXPECT_EQ(stability_function(gauss(s)).at_infinity() > 0, s % 2 == 0);
    if (s < 2) continue;
    EXPECT_EQ(stability_function(lobatto_iiic(s)).pade_pair(), (Pair{s - 2, s}));
    EXPECT_TRUE(l_stable(stability_function(lobatto_iiic(s))).holds);
  }
}

TEST(Verdicts, ExplicitMethodsAreNotAStable) {
  const StabilityFunction rk4 = of_json(R"({"A": [[0,0,0,0], ["1/2",0,0,0], [0,"1/2",0,0],
                                            [0,0,1,0]], "b": ["1/6","1/3","1/3","1/6"]})");
  EXPECT_EQ(rk4.text("z"), "(24 + 24 z + 12 z^2 + 4 z^3 + z^4)/24");
  EXPECT_EQ(rk4.linear_order(), 4);
  EXPECT_FALSE(a_stable(rk4).holds);
  EXPECT_THAT(a_stable(rk4).proof, HasSubstr("deg P = 4 > deg Q = 0"));
  EXPECT_TRUE(isinf(rk4.at_infinity()));
}

// Two-stage SDIRK methods, gamma = 1 - sqrt(2)/2 (L-stable) and (3 + sqrt(3))/6 (A-stable only,
// order 3) [HW96, Sec. IV.6]: irrational coefficients, so the verdict is numerical.
TEST(Verdicts, AreNumericalForIrrationalCoefficients) {
  const StabilityFunction l = of_json(R"({"A": [["1 - sqrt(2)/2", 0],
      ["sqrt(2)/2", "1 - sqrt(2)/2"]], "b": ["sqrt(2)/2", "1 - sqrt(2)/2"]})");
  EXPECT_FALSE(l.is_rational());
  EXPECT_EQ(l.text(), "(1 + (-1 + sqrt(2)) w)/(1 - (2 - sqrt(2)) w + (3 - 2 sqrt(2))/2 w^2)");
  EXPECT_TRUE(l_stable(l).holds);
  EXPECT_THAT(l_stable(l).proof, StartsWith("numerical, in 100 digits"));

  const StabilityFunction a = of_json(R"({"A": [["(3 + sqrt(3))/6", 0],
      ["-sqrt(3)/3", "(3 + sqrt(3))/6"]], "b": ["1/2", "1/2"]})");
  EXPECT_TRUE(a_stable(a).holds);
  EXPECT_FALSE(l_stable(a).holds);
  EXPECT_THAT(l_stable(a).proof, HasSubstr("R(infinity) = 1 - sqrt(3)"));

  // The other root, gamma = (3 - sqrt(3))/6, has the same order but is not A-stable.
  const StabilityFunction none = of_json(R"({"A": [["(3 - sqrt(3))/6", 0],
      ["sqrt(3)/3", "(3 - sqrt(3))/6"]], "b": ["1/2", "1/2"]})");
  EXPECT_EQ(none.linear_order(), 3);
  EXPECT_FALSE(a_stable(none).holds);
  EXPECT_THAT(a_stable(none).proof, AllOf(StartsWith("numerical"), HasSubstr("< 0 at y")));
}

// Two copies of the implicit midpoint rule with half the weight each: the factor (1 - w/2) cancels.
TEST(StabilityFunction, CancelsCommonFactors) {
  EXPECT_EQ(of_json(R"({"A": [["1/2",0], [0,"1/2"]], "b": ["1/2","1/2"]})").text(), "(2 + w)/(2 - w)");
  // The same with the irrational factor 1 - w sqrt(2) of a stage without weight.
  const char* unused_stage = R"({"A": [["1/2",0], [0,"2 sqrt(2)/2"]], "b": [1,0]})";
  EXPECT_EQ(of_json(unused_stage).text(), "(2 + w)/(2 - w)");
}

// A pole in the left half plane, although |R| <= 1 on the imaginary axis: R = (1 - w)/(1 + w).
TEST(Verdicts, SeePolesInTheLeftHalfPlane) {
  StabilityFunction R;
  R.exact_numerator = rational({1, -1});
  R.exact_denominator = rational({1, 1});
  R.numerator = {1, -1};
  R.denominator = {1, 1};
  EXPECT_FALSE(a_stable(R).holds);
  EXPECT_THAT(a_stable(R).proof, HasSubstr("1 of 1 poles have a negative real part"));
}

Vector<Real100> with_zero(const Vector<Real100>& nodes) {
  Vector<Real100> result(nodes.size() + 1);
  result << Real100(0), nodes;
  return result;
}

// Collocation at i/r alone is A-stable up to r = 2. With the start of the step as a node too, which is mu_i = c_i^(r+1)
// in the block formula and the method of Watts and Shampine, up to r = 8: R(w) R(-w) = 1, so only poles can spoil it.
// [Watts, Shampine, BIT 12, 1972, 252-266]
TEST(Verdicts, UniformCollocationLosesAStability) {
  for (int r = 1; r <= 6; ++r) {
    const Property verdict = a_stable(stability_function(collocation(node_family("uniform", r))));
    EXPECT_EQ(verdict.holds, r <= 2) << verdict.proof;
    EXPECT_THAT(verdict.proof, StartsWith("exact"));
    if (r == 3) {
      EXPECT_THAT(verdict.proof, HasSubstr("< 0 at y = "));
    }
  }
  for (int r = 1; r <= 10; ++r) {
    const Property verdict = a_stable(stability_function(collocation(with_zero(node_family("uniform", r)))));
    EXPECT_EQ(verdict.holds, r <= 8) << verdict.proof;
    if (r > 8) {
      EXPECT_THAT(verdict.proof, HasSubstr("2 of " + std::to_string(r) + " poles have a negative real part"));
    }
  }
}

TEST(Verdicts, OfTenNodes) {
  for (const std::string& family : node_families())
    for (const int k : {8, 9})
      EXPECT_TRUE(a_stable(stability_function(pade_block(node_family(family, 10), k, 10).tableau())).holds)
          << family << k;
  EXPECT_TRUE(a_stable(stability_function(gauss(10))).holds);
}

TEST(Verdicts, StifflyAccurateNamesTheDifference) {
  EXPECT_TRUE(stiffly_accurate(radau_iia(3)).holds);
  EXPECT_TRUE(stiffly_accurate(lobatto_iiic(3)).holds);
  EXPECT_TRUE(stiffly_accurate(pade_block(node_family("uniform", 3), 1, 3).tableau()).holds);
  EXPECT_FALSE(stiffly_accurate(gauss(2)).holds);
  // b - A_2 = (1/4 - sqrt(3)/6, 1/4), up to sign.
  EXPECT_THAT(stiffly_accurate(gauss(2)).proof, HasSubstr("differs from b by 1/4"));
}

TEST(NegativePoint, FindsSignChangesOnly) {
  EXPECT_EQ(negative_point(rational({0, 0, 1})), std::nullopt);
  EXPECT_EQ(negative_point(rational({1, -2, 1})), std::nullopt);           // (x - 1)^2
  EXPECT_EQ(negative_point(rational({4, -12, 13, -6, 1})), std::nullopt);  // (x - 1)^2 (x - 2)^2
  EXPECT_EQ(negative_point(rational({1, 3, 3, 1})), std::nullopt);         // (x + 1)^3
  EXPECT_TRUE(negative_point(rational({0, -1})).has_value());
  EXPECT_TRUE(negative_point(rational({-1, 3, -3, 1})).has_value());  // (x - 1)^3
  // (x - 100)(x - 101)(x - 1)^2: negative in a short interval only.
  const Poly<Rational> p = product(rational({10100, -201, 1}), rational({1, -2, 1}));
  const auto x = negative_point(p);
  ASSERT_TRUE(x.has_value());
  EXPECT_GT(*x, 100);
  EXPECT_LT(*x, 101);
}

TEST(RouthHurwitz, CountsZerosOnTheRight) {
  EXPECT_EQ(zeros_in_right_half_plane(rational({1, 1})), 0);
  EXPECT_EQ(zeros_in_right_half_plane(rational({-1, 1})), 1);
  EXPECT_EQ(zeros_in_right_half_plane(rational({6, 11, 6, 1})), 0);  // (x+1)(x+2)(x+3)
  EXPECT_EQ(zeros_in_right_half_plane(rational({6, -7, 0, 1})), std::nullopt);
  EXPECT_EQ(zeros_in_right_half_plane(rational({2, 1, -2, 1})), 2);
  EXPECT_EQ(zeros_in_right_half_plane(rational({1, 0, 1})), std::nullopt);  // +- i
}

}  // namespace TEST_FILE
}  // namespace daelab
