// Algebraic stability against the theorems.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Sec. IV.12, theorem IV.12.9.
#include "analysis/algebraic_stability.hpp"

#include <gmock/gmock.h>

#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Tableau read(const char* text) { return tableau_from_json(Json::parse(text), ""); }

// Gauss, Radau IIA and Lobatto IIIC are. Collocation at s nodes with B(2s) has M = 0.
TEST(AlgebraicStability, OfTheCollocationFamilies) {
  for (int s = 1; s <= 5; ++s) {
    EXPECT_TRUE(algebraically_stable(gauss(s)).holds) << s;
    EXPECT_THAT(algebraically_stable(gauss(s)).proof, HasSubstr("M = 0"));
    EXPECT_TRUE(algebraically_stable(radau_iia(s)).holds) << algebraically_stable(radau_iia(s)).proof;
    if (s >= 2) {
      EXPECT_TRUE(algebraically_stable(lobatto_iiic(s)).holds) << algebraically_stable(lobatto_iiic(s)).proof;
    }
  }
  EXPECT_THAT(algebraically_stable(gauss(1)).proof, StartsWith("exact, in rational arithmetic"));
  EXPECT_THAT(algebraically_stable(radau_iia(2)).proof,
              AllOf(StartsWith("exact, in rational arithmetic"), HasSubstr("positive semidefinite")));
  EXPECT_THAT(algebraically_stable(gauss(2)).proof, StartsWith("numerical, in 100 digits"));
}

// Radau IA of two stages. [HW96, table IV.5.3]
TEST(AlgebraicStability, OfRadauIA) {
  const char* text = R"({"A": [["1/4", "-1/4"], ["1/4", "5/12"]], "b": ["1/4", "3/4"]})";
  const Property verdict = algebraically_stable(read(text));
  EXPECT_TRUE(verdict.holds) << verdict.proof;
}

// An explicit first stage makes M_11 = -b_1^2: Lobatto IIIA, and the blocks from r = 2 on. [lstable-block.md, 7.3]
TEST(AlgebraicStability, NeverWithAnExplicitFirstStage) {
  const Property trapezoidal = algebraically_stable(read(R"({"A": [[0, 0], ["1/2", "1/2"]], "b": ["1/2", "1/2"]})"));
  EXPECT_FALSE(trapezoidal.holds);
  EXPECT_THAT(trapezoidal.proof, HasSubstr("x^T M x = -1/4 < 0 for x = (1, 0)"));
  for (const std::string& family : node_families())
    for (int r = 2; r <= 6; ++r)
      for (const int k : {r - 2, r - 1})
        EXPECT_FALSE(algebraically_stable(pade_block(node_family(family, r), k, r).tableau()).holds)
            << family << r << k;
  EXPECT_TRUE(algebraically_stable(pade_block(node_family("uniform", 1), 0, 1).tableau()).holds);
}

// For the blocks: Chebyshev nodes have a negative first and last weight from r = 3 on, uniform ones from r = 8 on.
// [lstable-block.md, 7.3]
TEST(AlgebraicStability, WeightsOfBlocksCanBeNegative) {
  const auto least = [](const std::string& family, int r, int k) {
    return pade_block(node_family(family, r), k, r).tableau().b.minCoeff();
  };
  for (int r = 3; r <= 8; ++r)
    for (const int k : {r - 2, r - 1}) {
      const Vector<Real100> b = pade_block(node_family("chebyshev", r), k, r).tableau().b;
      EXPECT_LT(b[0], 0) << r;
      EXPECT_LT(b[r], 0) << r;
      EXPECT_EQ(least("uniform", r, k) < 0, r >= 8) << r;
    }
  EXPECT_LT(least("uniform", 2, 0), 0);
  EXPECT_GT(least("uniform", 2, 1), 0);
}

TEST(AlgebraicStability, NamesANegativeWeightOrADirection) {
  const Property weight = algebraically_stable(read(R"({"A": [[1, 0], [0, 1]], "b": [2, -1]})"));
  EXPECT_FALSE(weight.holds);
  EXPECT_THAT(weight.proof, HasSubstr("b_2 = -1 < 0"));
  EXPECT_FALSE(algebraically_stable(tableau_by_name("rk4-classical", "")).holds);
}

// SDIRK of order 3: gamma = (3 + sqrt(3))/6 is algebraically stable [HW96, ex. IV.12.7]; of two stages stable iff
// gamma >= 1/4.
TEST(AlgebraicStability, OfSdirk) {
  const char* text = R"({"A": [["(3 + sqrt(3))/6", 0], ["-sqrt(3)/3", "(3 + sqrt(3))/6"]], "b": ["1/2", "1/2"]})";
  EXPECT_TRUE(algebraically_stable(read(text)).holds) << algebraically_stable(read(text)).proof;
  EXPECT_TRUE(algebraically_stable(read(R"({"A": [["1/4", 0], ["1/2", "1/4"]], "b": ["1/2", "1/2"]})")).holds);
  EXPECT_FALSE(algebraically_stable(read(R"({"A": [["1/5", 0], ["3/5", "1/5"]], "b": ["1/2", "1/2"]})")).holds);
}

// M with a zero diagonal and one entry beside it: x = (1, -1) or (1, 1).
TEST(AlgebraicStability, SeesIndefiniteMatricesWithZeroDiagonal) {
  const Property verdict = algebraically_stable(read(R"({"A": [["1/4", 1], ["1/4", "1/4"]], "b": ["1/2", "1/2"]})"));
  EXPECT_FALSE(verdict.holds);
  EXPECT_THAT(verdict.proof, HasSubstr("x^T M x = -3/4 < 0"));
}

}  // namespace TEST_FILE
}  // namespace daelab
