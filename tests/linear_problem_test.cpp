#include "core/solvers/linear_problem.hpp"
#include "core/solvers/dense.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

LinearPair pair_of(const Json& spec) { return Registry<LinearProblem>::instance().make(spec, "/problem")->pair(); }

template <class T>
LinearSystem<T> system_of(const Json& spec) {
  return linear_system<T>(pair_of(spec));
}

std::string refusal_of(const Json& spec) {
  try {
    pair_of(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// mt19937(1) gives 1791095845, 4282876139, 3093770124. They make the
// basis, the perturbed direction and the coordinate of b.
TEST(RandomPsd, NumbersAreThoseOfTheStandardGenerator) {
  const LinearPair pair = pair_of("random-psd:size=1,rank=1,perturbation_rank=1,perturbation=1/4,seed=1");
  const Real100 coordinate = Real100(2 * 3093770124ull + 1) / Real100(4294967296ull) - 1;
  EXPECT_EQ(pair.b[0], -coordinate);  // the first number lies below 2^31: U = -1
  EXPECT_LT(abs(pair.A0(0, 0) - 1), Real100("1e-95"));
  EXPECT_LT(abs(pair.A(0, 0) - Real100("1.25")), Real100("1e-95"));
}

TEST(RandomPsd, RefusesWhatCannotBe) {
  const auto refusal = [](Json changes) {
    Json spec = {{"name", "random-psd"}, {"size", 6}, {"rank", 4}};
    spec.update(changes);
    return refusal_of(spec);
  };
  EXPECT_THAT(refusal({{"rank", 7}}), AllOf(HasSubstr("/problem/rank"), HasSubstr("larger than the size 6")));
  EXPECT_THAT(refusal({{"perturbation_rank", 5}}),
              AllOf(HasSubstr("/problem/perturbation_rank"), HasSubstr("larger than the rank 4")));
  EXPECT_THAT(refusal({{"sign", "negative"}, {"perturbation", 1}}),
              AllOf(HasSubstr("/problem/perturbation"), HasSubstr("below 1")));
  EXPECT_THAT(refusal({{"sign", "indefinite"}, {"perturbation_rank", 1}}), HasSubstr("/problem/perturbation_rank"));
  EXPECT_THAT(refusal({{"common_range", false}, {"perturbation_rank", 3}}),
              AllOf(HasSubstr("/problem/perturbation_rank"), HasSubstr("only 2")));
  EXPECT_THAT(refusal({{"sign", "negativ"}}), HasSubstr("did you mean 'negative'?"));
  EXPECT_THAT(refusal({{"condition", "1/2"}}), HasSubstr("/problem/condition"));
  EXPECT_EQ(refusal({{"perturbation", 3}}), "accepted");  // positive perturbations may be of any size
}

// ----- given matrices -----

Json given(const char* A0, const char* A, const char* b) {
  return {{"name", "given-matrices"}, {"A0", Json::parse(A0)}, {"A", Json::parse(A)}, {"b", Json::parse(b)}};
}

TEST(GivenMatrices, AreReadExactly) {
  const auto problem = Registry<LinearProblem>::instance().make(
      given("[[1, 0], [0, 1]]", "[[1, \"sqrt(2)/4\"], [\"sqrt(2)/4\", 0.3]]", "[\"1/3\", 1]"), "");
  const LinearPair pair = problem->pair();
  EXPECT_EQ(pair.A(1, 0), Exact("sqrt(2)/4").value());
  EXPECT_EQ(pair.A(1, 1), Exact("3/10").value());
  EXPECT_EQ(pair.b[0], Exact("1/3").value());
  EXPECT_EQ(pair.b0, pair.b);  // as nothing else is given
  EXPECT_EQ(problem->spec()["b0"], problem->spec()["b"]);
  EXPECT_EQ(problem->spec()["A"][1][1], "0.3");
}

TEST(GivenMatrices, OfDeficientRankHavePseudoInverses) {
  // A0 = diag(4, 0): H0 = diag(1/4, 0). A = ones: A^+ = ones/4, and inverse on the range e1 of A0: diag(1, 0).
  const LinearSystem<double> s = system_of<double>(given("[[4, 0], [0, 0]]", "[[1, 1], [1, 1]]", "[2, 2]"));
  EXPECT_EQ(s.rank(), 1);
  EXPECT_EQ(s.H0, (Matrix<double>{{0.25, 0}, {0, 0}}));
  EXPECT_EQ(s.inverse, (Matrix<double>{{1, 0}, {0, 0}}));
  EXPECT_EQ(s.x, (Vector<double>{{2, 0}}));
  EXPECT_LT(largest(Vector<double>(s.least_norm - Vector<double>{{1, 1}})), 1e-15);  // round-off
}

TEST(GivenMatrices, RefusesWhatCannotBe) {
  const char* unit = "[[1, 0], [0, 1]]";
  EXPECT_THAT(refusal_of(given("[[1, 0, 0], [0, 1, 0]]", unit, "[1, 1]")),
              AllOf(HasSubstr("/problem/A0"), HasSubstr("2 x 3")));
  EXPECT_THAT(refusal_of(given(unit, "[[1]]", "[1, 1]")), AllOf(HasSubstr("/problem/A:"), HasSubstr("1 x 1")));
  EXPECT_THAT(refusal_of(given(unit, "[[1, 0], [0]]", "[1, 1]")), HasSubstr("/problem/A/1: has 1 entries"));
  EXPECT_THAT(refusal_of(given(unit, unit, "[1, 1, 1]")), HasSubstr("/problem/b"));
  EXPECT_THAT(refusal_of(given(unit, unit, "[0, 0]")), AllOf(HasSubstr("/problem/b:"), HasSubstr("zero")));
  EXPECT_THAT(refusal_of(given(unit, "[[1, 2], [0, 1]]", "[1, 1]")),
              AllOf(HasSubstr("/problem/A:"), HasSubstr("symmetric")));
  EXPECT_THAT(refusal_of(given("[[1, 0], [0, -1]]", unit, "[1, 1]")),
              AllOf(HasSubstr("/problem/A0"), HasSubstr("positive semidefinite")));
  EXPECT_THAT(refusal_of(given("[[0, 1], [1, 0]]", unit, "[1, 1]")),
              HasSubstr("/problem/A0: is not positive semidefinite"));
  EXPECT_THAT(refusal_of(given(unit, "[[1, 0], [0, 0]]", "[1, 0]")),
              AllOf(HasSubstr("/problem/A:"), HasSubstr("singular on the range of A0")));
  EXPECT_THAT(refusal_of(given(unit, "[[1, \"x\"], [0, 1]]", "[1, 1]")), HasSubstr("/problem/A/0/1"));
  EXPECT_THAT(refusal_of(given(unit, "3", "[1, 1]")), HasSubstr("/problem/A: expected a list of rows"));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

Vector<double> eigenvalues(const Matrix<Real50>& A) { return dense::symmetric_eigenvalues(A.cast<double>()); }

Matrix<Real50> product(const Matrix<Real50>& A, const Matrix<Real50>& B) { return A.lazyProduct(B); }

Json random_psd(const std::string& sign, bool common_range = true) {
  return {{"name", "random-psd"},
          {"size", 9},
          {"rank", 5},
          {"perturbation_rank", 3},
          {"sign", sign},
          {"perturbation", "3/4"},
          {"condition", 20},
          {"common_range", common_range},
          {"seed", 7}};
}

// Bounds: rounding of each entry to double, four eps of the largest.
TEST(RandomPsd, BothScalarsSeeTheSameProblem) {
  const LinearSystem<double> a = system_of<double>(random_psd("negative"));
  const LinearSystem<Real50> b = system_of<Real50>(random_psd("negative"));
  EXPECT_LE(largest(Matrix<double>(a.A - b.A.cast<double>())), 1e-15 * largest(a.A));
  EXPECT_LE(largest(Matrix<double>(a.H0 - b.H0.cast<double>())), 1e-15 * largest(a.H0));
  EXPECT_LE(largest(Vector<double>(a.b - b.b.cast<double>())), 1e-15 * largest(a.b));
  EXPECT_EQ(a.A, system_of<double>(random_psd("negative")).A);  // and the same one every time
  EXPECT_NE(a.A, system_of<double>("random-psd:size=9,rank=5,perturbation_rank=3,seed=8").A);
}

class RandomPsdOfSign : public testing::TestWithParam<const char*> {};

// lambda_1(A0) = condition, lambda_r(A0) = 1, |A - A0| = perturbation.
// Bounds: eigenvalues in double, of matrices of norm 20: 450 eps and, beside 20, a digit more.
TEST_P(RandomPsdOfSign, HasTheSpectraAskedFor) {
  const std::string sign = GetParam();
  const LinearSystem<Real50> s = system_of<Real50>(random_psd(sign));
  const Vector<double> of_A0 = eigenvalues(s.A0), of_A = eigenvalues(s.A);
  const Vector<double> change = eigenvalues(Matrix<Real50>(s.A - s.A0));
  EXPECT_EQ(s.rank(), 5);
  for (int i = 0; i < 4; ++i) EXPECT_LT(std::abs(of_A0[i]) + std::abs(of_A[i]), 1e-13) << i;
  EXPECT_NEAR(of_A0[4], 1, 1e-13);
  EXPECT_NEAR(of_A0[8], 20, 1e-12);
  EXPECT_GE(of_A[4], sign == "positive" ? 1 : 0.25 - 1e-13);
  const auto count = [&](auto is_counted) { return std::count_if(change.begin(), change.end(), is_counted); };
  EXPECT_EQ(count([](double x) { return x > 1e-3; }), sign == "positive" ? 3 : sign == "negative" ? 0 : 2);
  EXPECT_EQ(count([](double x) { return x < -1e-3; }), sign == "positive" ? 0 : sign == "negative" ? 3 : 1);
  EXPECT_NEAR(change.cwiseAbs().maxCoeff(), 0.75, 1e-13);
}

// The four conditions of Penrose, b in the range, and the solution.
TEST_P(RandomPsdOfSign, PseudoInversesAreExactToRounding) {
  const LinearSystem<Real50> s = system_of<Real50>(random_psd(GetParam()));
  const double rounding = 1e-46;
  for (const auto& [A, H] : {std::pair(s.A0, s.H0), std::pair(s.A, s.inverse)}) {
    const Matrix<Real50> AH = product(A, H), HA = product(H, A);
    EXPECT_LT(largest(Matrix<Real50>(product(AH, A) - A)), rounding);
    EXPECT_LT(largest(Matrix<Real50>(product(HA, H) - H)), rounding);
    EXPECT_LT(largest(Matrix<Real50>(AH - AH.transpose())), rounding);
    EXPECT_LT(largest(Matrix<Real50>(HA - HA.transpose())), rounding);
  }
  EXPECT_LT(largest(Matrix<Real50>(s.A_on_range - s.A)), rounding);  // one range
  EXPECT_LT(largest(Vector<Real50>(s.A.lazyProduct(s.x) - s.b)), rounding);
  EXPECT_LT(largest(Vector<Real50>(s.x - s.least_norm)), rounding);
}
INSTANTIATE_TEST_SUITE_P(Signs, RandomPsdOfSign, testing::Values("positive", "negative", "indefinite"));

// The perturbed directions leave the range of A0 by arctan(3/4): sine 3/5.
TEST(RandomPsd, TurnedRangeHasTheAngleAskedFor) {
  const LinearSystem<Real50> s = system_of<Real50>(random_psd("positive", false));
  const Vector<double> of_A = eigenvalues(s.A);
  EXPECT_LT(std::abs(of_A[3]), 1e-13);  // the rank stays 5
  EXPECT_GT(of_A[4], 0.5);
  // A lies outside the range of A0 by |(E - U U^T) A|; its directions by the sine of the largest angle.
  const Matrix<double> Q = dense::symmetric_eigenpairs(s.A.cast<double>()).vectors.rightCols(5);
  const Matrix<double> U = s.range.cast<double>();
  const Vector<double> sines = dense::singular_values(Q - U * (U.transpose() * Q));
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(sines[i], i < 3 ? 0.6 : 0, 1e-13) << i;  // round-off of singular values
  EXPECT_LT(largest(Vector<Real50>(s.A.lazyProduct(s.x) - s.b)), 1e-46);           // another solution than
  EXPECT_GT(largest(Vector<Real50>(s.x - s.least_norm)), 1e-3);                    // the one of least norm
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
