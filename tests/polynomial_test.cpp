// Polynomials over the rationals against zeros that are known: products of factors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/polynomial.hpp"

namespace daelab {
namespace TEST_FILE {

using P = Poly<Rational>;

// Of factors (x - zero).
P with_zeros(std::initializer_list<Rational> zeros) {
  P p{Rational(1)};
  for (const Rational& zero : zeros) p = product(p, P{-zero, Rational(1)});
  return p;
}

TEST(Polynomials, HaveTheirFirstFallAtTheFirstSingleZero) {
  const Rational third(1, 3), far(1000001, 7);
  const auto fall = [](const P& p) { return static_cast<double>(first_fall_below_zero(p).value_or(-1)); };
  EXPECT_NEAR(fall(with_zeros({third, far})), 1.0 / 3, 1e-14);
  EXPECT_NEAR(fall(with_zeros({third, third, 2, far})), 2, 1e-14) << "a double zero is no fall";
  EXPECT_NEAR(fall(with_zeros({third, third, third, 2})), 1.0 / 3, 1e-14);
  EXPECT_EQ(fall(with_zeros({0, 0, 2, 2})), -1);
  EXPECT_EQ(fall(with_zeros({0, 2})), 0) << "negative right of 0";
  EXPECT_EQ(fall(with_zeros({-1, -third, 5, 5})), -1);
  EXPECT_NEAR(fall(with_zeros({far, far + Rational(1, 1000000)})), 1000001.0 / 7, 1e-8) << "close zeros are told apart";
}

TEST(Polynomials, AreNegativeAtTheirNegativePoint) {
  const P between = with_zeros({3, Rational(30001, 10000), -7, -7});
  const auto point = negative_point(between);
  ASSERT_TRUE(point.has_value());
  EXPECT_LT(evaluate(between, *point), 0);
  EXPECT_EQ(negative_point(with_zeros({3, 3, 4, 4, 4, 4})), std::nullopt);
  EXPECT_EQ(negative_point(with_zeros({0, 0, 0, -2})), std::nullopt);
  EXPECT_EQ(negative_point(P{}), std::nullopt);
}

TEST(Polynomials, HaveCommonDivisors) {
  const P common = with_zeros({Rational(2, 7), 3, 3}), p = product(common, with_zeros({1, 5, Rational(-1, 9)})),
          q = product(common, with_zeros({2, 4, 6, 8}));
  const P found = greatest_common_divisor(p, q);
  ASSERT_EQ(degree(found), 3);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i] * common.back(), common[i] * found.back());
  EXPECT_EQ(degree(greatest_common_divisor(p, with_zeros({11, 12}))), 0);
  EXPECT_EQ(degree(greatest_common_divisor(p, P{})), 6);
}

// Zeros a +- b i and real ones, none of them on the axis, at random.
TEST(Polynomials, CountZerosInTheRightHalfPlane) {
  std::mt19937 random(7);
  const auto number = [&random] {
    return Rational(1 + static_cast<int>(random() % 97), 1 + static_cast<int>(random() % 89));
  };
  int decided = 0;
  for (int round = 0; round < 30; ++round) {
    P p{number()};
    int right = 0;
    for (int factor = 0; factor < 5; ++factor) {
      const bool is_right = random() % 2 == 0, is_pair = random() % 2 == 0;
      const Rational a = is_right ? number() : Rational(-number()), b = number();
      p = product(p,
                  is_pair ? P{Rational(a * a + b * b), Rational(-2 * a), Rational(1)} : P{Rational(-a), Rational(1)});
      if (is_right) right += is_pair ? 2 : 1;
    }
    const auto found = zeros_in_right_half_plane(p);
    if (!found) continue;
    EXPECT_EQ(*found, right);
    ++decided;
  }
  EXPECT_GT(decided, 20);
}

}  // namespace TEST_FILE
}  // namespace daelab
