// Padé-matched block coefficients against every printed scheme, and the collocation tableaus.
//
// [Li19] Li, Ding, Li, Appl. Math. Mech. (Chinese) 40(7), 2019, 768-779.
#include "methods/runge_kutta/block_coefficients.hpp"

#include <gmock/gmock.h>

#include "core/base/exact.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Texts = std::vector<std::string>;

// Coefficients of size one from a well-conditioned closed form: of 101 digits a few are lost.
const Real100 tolerance("1e-90");

Vector<Real100> values(const Texts& texts) {
  Vector<Real100> result(static_cast<Index>(texts.size()));
  for (Index i = 0; i < result.size(); ++i) result[i] = Exact(texts[static_cast<std::size_t>(i)]).value();
  return result;
}

Real100 distance(const Vector<Real100>& x, const Texts& texts) { return (x - values(texts)).cwiseAbs().maxCoeff(); }

struct PrintedScheme {
  std::string name;
  std::string nodes;
  int k, j;
  Texts mu;
  std::vector<Texts> B;
  Texts d;
};

// The three schemes with coefficients in [Li19, eqs. (11), (14), (15)]. The text names the pair
// (2,3) for (14) and no pair for (15); both are (1,3). The others follow from the same conditions
// in exact arithmetic.
const std::vector<PrintedScheme>& printed_schemes() {
  static const std::vector<PrintedScheme> schemes{
      {"Uniform23",
       "uniform",
       2,
       3,
       {"1/45", "8/45", "1"},
       {{"107/360", "-37/360", "1/40"}, {"17/45", "8/45", "-1/45"}, {"3/8", "3/8", "1/8"}},
       {"41/360", "2/15", "1/8"}},
      {"Uniform13",
       "uniform",
       1,
       3,
       {"1/9", "2/9", "1"},
       {{"43/72", "-29/72", "1/8"}, {"19/36", "1/36", "1/36"}, {"3/8", "3/8", "1/8"}},
       {"1/72", "1/12", "1/8"}},
      {"Chebyshev13",
       "chebyshev",
       1,
       3,
       {"(10 - 5 sqrt(2))/32", "(10 + 5 sqrt(2))/32", "1"},
       {{"(11 - 2 sqrt(2))/24", "(5 - 8 sqrt(2))/24", "(7 sqrt(2) - 1)/48"},
        {"(5 + 8 sqrt(2))/24", "(11 + 2 sqrt(2))/24", "-(7 sqrt(2) + 1)/48"},
        {"2/3", "2/3", "-1/6"}},
       {"(sqrt(2) - 7)/48", "-(sqrt(2) + 7)/48", "-1/6"}},
      {"Legendre13",
       "legendre",
       1,
       3,
       {"(3 - sqrt(3))/12", "(3 + sqrt(3))/12", "1"},
       {{"(27 + sqrt(3))/72", "(9 - 17 sqrt(3))/72", "(3 + 5 sqrt(3))/72"},
        {"(9 + 17 sqrt(3))/72", "(27 - sqrt(3))/72", "(3 - 5 sqrt(3))/72"},
        {"1/2", "1/2", "0"}},
       {"-(sqrt(3) + 3)/72", "(sqrt(3) - 3)/72", "0"}},
      {"Uniform12", "uniform", 1, 2, {"0", "1"}, {{"1/2", "-1/8"}, {"2/3", "1/6"}}, {"1/8", "1/6"}},
      {"Uniform02", "uniform", 0, 2, {"-3/4", "0"}, {{"3/2", "-5/8"}, {"2", "-1/2"}}, {"-3/8", "-1/2"}},
      {"Uniform24",
       "uniform",
       2,
       4,
       {"-1/128", "1/24", "31/128", "1"},
       {{"431/1440", "-49/240", "161/1440", "-73/2880"},
        {"23/90", "1/5", "-7/90", "7/360"},
        {"133/480", "23/80", "43/480", "1/960"},
        {"16/45", "2/15", "16/45", "7/90"}},
       {"197/2880", "37/360", "91/960", "7/90"}},
      {"Uniform34",
       "uniform",
       3,
       4,
       {"1/448", "1/28", "15/64", "1"},
       {{"2153/10080", "-127/1680", "263/10080", "-79/20160"},
        {"193/630", "13/105", "-17/630", "17/2520"},
        {"11/32", "3/16", "5/32", "-1/64"},
        {"16/45", "2/15", "16/45", "7/90"}},
       {"1811/20160", "227/2520", "5/64", "7/90"}},
      {"ImplicitEuler", "uniform", 0, 1, {"2"}, {{"1"}}, {"0"}},
  };
  return schemes;
}

class PrintedCoefficients : public testing::TestWithParam<PrintedScheme> {};

TEST_P(PrintedCoefficients, AreReproducedTo90Digits) {
  const PrintedScheme& printed = GetParam();
  const int r = static_cast<int>(printed.mu.size());
  const BlockCoefficients block = pade_block(node_family(printed.nodes, r), printed.k, printed.j);
  EXPECT_LT(distance(block.mu, printed.mu), tolerance);
  EXPECT_LT(distance(block.d, printed.d), tolerance);
  for (Index i = 0; i < r; ++i)
    EXPECT_LT(distance(block.B.row(i).transpose(), printed.B[static_cast<std::size_t>(i)]), tolerance)
        << "row " << i + 1;
}

INSTANTIATE_TEST_SUITE_P(All, PrintedCoefficients, testing::ValuesIn(printed_schemes()),
                         [](const auto& info) { return info.param.name; });

// mu alone: the (2,3) counterparts of the two schemes with a wrong or missing name, and r = 4.
TEST(PadeBlock, MatchesFurtherValuesOfMu) {
  const auto mu = [](const char* family, int r, int k) { return pade_block(node_family(family, r), k, r).mu; };
  EXPECT_LT(distance(mu("chebyshev", 3, 2), {"(11 - 7 sqrt(2))/40", "(11 + 7 sqrt(2))/40", "1"}), tolerance);
  EXPECT_LT(distance(mu("legendre", 3, 2), {"(2 - sqrt(3))/10", "(2 + sqrt(3))/10", "1"}), tolerance);
  EXPECT_LT(distance(mu("chebyshev", 4, 2), {"133/384 - 5 sqrt(3)/24", "1/24", "133/384 + 5 sqrt(3)/24", "1"}),
            tolerance);
  EXPECT_LT(distance(mu("legendre", 4, 2), {"4/15 - 11 sqrt(15)/150", "1/24", "4/15 + 11 sqrt(15)/150", "1"}),
            tolerance);
}

// r = 3: N = x (x - 1)^3 for (1,3) and x (x - 1)^2 (x - 2/5) for (2,3), whatever the nodes.
TEST(PadeBlock, DefectPolynomialDependsOnThePairOnly) {
  for (const std::string& family : node_families()) {
    const Vector<Real100> nodes = node_family(family, 3);
    EXPECT_LT(distance(pade_block(nodes, 1, 3).N, {"0", "-1", "3", "-3", "1"}), tolerance);
    EXPECT_LT(distance(pade_block(nodes, 2, 3).N, {"0", "-2/5", "9/5", "-12/5", "1"}), tolerance);
  }
}

// The formula is exact for t^p, p = 1..r, and has the value mu_i for t^(r+1).
TEST(PadeBlock, IsExactUpToDegreeR) {
  for (const std::string& family : node_families())
    for (int r = 1; r <= 10; ++r) {
      const BlockCoefficients block = pade_block(node_family(family, r), r - 1, r);
      for (int p = 1; p <= r + 1; ++p)
        for (Index i = 0; i < r; ++i) {
          Real100 value = p == 1 ? block.d[i] : Real100(0);
          for (Index m = 0; m < r; ++m) value += block.B(i, m) * p * pow(block.nodes[m], p - 1);
          const Real100 expected = p <= r ? Real100(pow(block.nodes[i], p)) : block.mu[i];
          EXPECT_LT(abs(value - expected), tolerance) << family << " r=" << r << " p=" << p;
        }
    }
}

TEST(PadeBlock, TableauHasAnExplicitFirstStageAndEndsAtTheNewValue) {
  const BlockCoefficients block = pade_block(node_family("legendre", 4), 2, 4);
  const Tableau t = block.tableau();
  EXPECT_EQ(t.stages(), 5);
  EXPECT_TRUE(t.explicit_first_stage());
  EXPECT_TRUE(t.stiffly_accurate());
  EXPECT_EQ(t.A(2, 0), block.d[1]);
  EXPECT_EQ(t.A(2, 4), block.B(1, 3));
  EXPECT_LT((t.A.rowwise().sum() - t.c).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_EQ(t.claimed_order, 6);
}

TEST(PadeBlock, DenominatorBelowTheNumberOfNodesMakesBSingular) {
  const BlockCoefficients singular = pade_block(node_family("uniform", 3), 1, 2);
  EXPECT_TRUE(singular.singular_B());
  const Matrix<Real100>& B = singular.B;
  const Real100 determinant = B(0, 0) * (B(1, 1) * B(2, 2) - B(1, 2) * B(2, 1)) -
                              B(0, 1) * (B(1, 0) * B(2, 2) - B(1, 2) * B(2, 0)) +
                              B(0, 2) * (B(1, 0) * B(2, 1) - B(1, 1) * B(2, 0));
  EXPECT_LT(abs(determinant), tolerance);
  EXPECT_FALSE(pade_block(node_family("uniform", 3), 1, 3).singular_B());
}

TEST(PadeBlock, RefusesImpossiblePairs) {
  const Vector<Real100> nodes = node_family("uniform", 3);
  const auto refusal = [&](int k, int j, const char* reason) {
    EXPECT_THAT([&] { pade_block(nodes, k, j); },
                ThrowsMessage<InputError>(AllOf(HasSubstr(reason), HasSubstr("allowed for r = 3"),
                                                HasSubstr("k + j >= 3"), HasSubstr("(1,3)"))));
  };
  refusal(1, 4, "j = 4 exceeds");
  refusal(4, 3, "k = 4 exceeds");
  refusal(0, 2, "k + j = 2");
  refusal(-1, 3, "negative");
}

TEST(PadeBlock, AcceptsExactlyTheAdmissiblePairs) {
  for (int r = 1; r <= 4; ++r)
    for (int k = 0; k <= r + 1; ++k)
      for (int j = 0; j <= r + 1; ++j) {
        const Vector<Real100> nodes = node_family("chebyshev", r);
        if (k <= r && j <= r && k + j >= r)
          EXPECT_NO_THROW(pade_block(nodes, k, j)) << r << k << j;
        else
          EXPECT_THROW(pade_block(nodes, k, j), InputError) << r << k << j;
      }
}

TEST(PadeBlock, RefusesBadNodes) {
  const auto refusal = [](const Texts& nodes, const char* reason) {
    const int r = static_cast<int>(nodes.size());
    EXPECT_THAT([&] { pade_block(values(nodes), r, r); }, ThrowsMessage<InputError>(HasSubstr(reason)));
  };
  refusal({"1/2", "1/2", "1"}, "c_2 = 1/2 is there twice");
  refusal({"2/3", "1/3", "1"}, "c_2 = 1/3 is below");
  refusal({"0", "1"}, "c_1 = 0 is not in (0, 1]");
  refusal({"1/2", "3/2"}, "c_2 = 3/2 is not in (0, 1]");
  refusal({"1/3", "2/3"}, "the last must be 1");
  refusal({}, "at least one");
}

TEST(NodeFamily, AreAscendingAndEndAtOne) {
  for (const std::string& family : node_families())
    for (int r = 1; r <= 20; ++r) {
      const Vector<Real100> c = node_family(family, r);
      ASSERT_EQ(c.size(), r);
      EXPECT_GT(c[0], 0);
      EXPECT_EQ(c[r - 1], 1);
      for (Index i = 1; i < r; ++i) EXPECT_GT(c[i], c[i - 1]) << family << r;
    }
}

TEST(NodeFamily, AreTheZerosTheyAreNamedAfter) {
  EXPECT_LT(distance(node_family("uniform", 4), {"1/4", "1/2", "3/4", "1"}), tolerance);
  EXPECT_LT(distance(node_family("chebyshev", 4), {"1/2 - sqrt(3)/4", "1/2", "1/2 + sqrt(3)/4", "1"}), tolerance);
  EXPECT_LT(distance(node_family("legendre", 4), {"1/2 - sqrt(15)/10", "1/2", "1/2 + sqrt(15)/10", "1"}), tolerance);
  EXPECT_LT(distance(node_family("lobatto", 3), {"1/2 - sqrt(5)/10", "1/2 + sqrt(5)/10", "1"}), tolerance);
  EXPECT_LT(distance(node_family("lobatto", 4), {"1/2 - sqrt(21)/14", "1/2", "1/2 + sqrt(21)/14", "1"}), tolerance);
  // P_4 = (35 x^4 - 30 x^2 + 3)/8: x^2 = (15 +- 2 sqrt(30))/35.
  EXPECT_LT(abs(node_family("legendre", 5)[0] - (1 - Exact("sqrt((15 + 2 sqrt(30))/35)").value()) / 2), tolerance);
}

TEST(NodeFamily, MiddleNodesAreExactlyOneHalf) {
  const Real100 half = Real100(1) / 2;
  for (const char* family : {"uniform", "chebyshev", "legendre", "lobatto"})
    for (int r = 2; r <= 10; r += 2) EXPECT_EQ(node_family(family, r)[r / 2 - 1], half) << family;
}

TEST(NodeFamily, RefusesUnknownNamesAndSizes) {
  EXPECT_THAT([] { node_family("chebychev", 3); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("known: uniform"), HasSubstr("did you mean 'chebyshev'?"))));
  EXPECT_THROW(node_family("uniform", 0), InputError);
  EXPECT_THROW(node_family("uniform", 21), InputError);
}

Real100 distance(const Matrix<Real100>& A, const std::vector<Texts>& rows) {
  Real100 largest = 0;
  for (Index i = 0; i < A.rows(); ++i)
    largest = std::max(largest, distance(Vector<Real100>(A.row(i).transpose()), rows[static_cast<std::size_t>(i)]));
  return largest;
}

// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Sec. IV.5, the tables there.
TEST(Collocation, MatchesTheKnownTableaus) {
  EXPECT_LT(distance(gauss(2).A, {{"1/4", "1/4 - sqrt(3)/6"}, {"1/4 + sqrt(3)/6", "1/4"}}), tolerance);
  EXPECT_LT(distance(radau_iia(2).A, {{"5/12", "-1/12"}, {"3/4", "1/4"}}), tolerance);
  EXPECT_LT(distance(radau_iia(3).A, {{"(88 - 7 sqrt(6))/360", "(296 - 169 sqrt(6))/1800", "(-2 + 3 sqrt(6))/225"},
                                      {"(296 + 169 sqrt(6))/1800", "(88 + 7 sqrt(6))/360", "(-2 - 3 sqrt(6))/225"},
                                      {"(16 - sqrt(6))/36", "(16 + sqrt(6))/36", "1/9"}}),
            tolerance);
  EXPECT_LT(distance(lobatto_iiic(2).A, {{"1/2", "-1/2"}, {"1/2", "1/2"}}), tolerance);
  EXPECT_LT(distance(lobatto_iiic(4).A, {{"1/12", "-sqrt(5)/12", "sqrt(5)/12", "-1/12"},
                                         {"1/12", "1/4", "(10 - 7 sqrt(5))/60", "sqrt(5)/60"},
                                         {"1/12", "(10 + 7 sqrt(5))/60", "1/4", "-sqrt(5)/60"},
                                         {"1/12", "5/12", "5/12", "1/12"}}),
            tolerance);
}

TEST(Collocation, RefusesStagesOutOfRange) {
  EXPECT_THROW(gauss(0), InputError);
  EXPECT_THROW(radau_iia(21), InputError);
  EXPECT_THAT([] { lobatto_iiic(1); }, ThrowsMessage<InputError>(HasSubstr("stages must be from 2 to 20, not 1")));
}

}  // namespace TEST_FILE
}  // namespace daelab
