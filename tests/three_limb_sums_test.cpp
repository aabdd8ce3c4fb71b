// Sums of products in 50 digits against 100 digits.
#include "core/base/three_limb_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/base/scalar.hpp"
#include "tests/random_numbers.hpp"

namespace daelab {
namespace TEST_FILE {

struct Terms {
  std::vector<Real50> a, b;  // b is read backwards

  Real50 sum() const {
    Real50 result;
    EXPECT_TRUE(three_limbs::add_products(result, a.data(), b.data() + b.size() - 1, static_cast<int>(a.size())));
    return result;
  }
  // In 200 digits a product of two numbers of 50 digits is exact; 100 digits hold it to 1e-100 of the largest.
  Real100 exact() const {
    Real100 result = 0;
    for (std::size_t i = 0; i < a.size(); ++i) result += Real100(a[i]) * Real100(b[b.size() - 1 - i]);
    return result;
  }
  Real100 largest() const {
    Real100 result = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      result = std::max(result, Real100(abs(Real100(a[i]) * Real100(b[b.size() - 1 - i]))));
    return result;
  }
};

Terms random_terms(RandomNumbers& random, int count, int spread) {
  Terms terms;
  const auto number = [&] {
    const Real50 digits = Real50(random.next()) + Real50(random.next()) * Real50("1e-16") +
                          Real50(random.next()) * Real50("1e-32") + Real50(random.next()) * Real50("1e-44");
    return ldexp(digits, static_cast<long>(spread * random.next()));
  };
  for (int i = 0; i < count; ++i) terms.a.push_back(number()), terms.b.push_back(number());
  return terms;
}

// Rounded once: half a unit of the result, and what is below 2^-256 of the largest product.
TEST(SumsOfProducts, AreRoundedOnce) {
  RandomNumbers random(1);
  for (int trial = 0; trial < 20000; ++trial) {
    const Terms terms = random_terms(random, 1 + trial % 40, trial % 5 == 0 ? 200 : 20);
    const Real100 error = abs(Real100(terms.sum()) - terms.exact());
    const Real100 bound = abs(terms.exact()) * Real100(epsilon<Real50>()) / 2 + terms.largest() * Real100("1e-72");
    ASSERT_LE(error, bound) << "trial " << trial;
  }
}

// What cancels leaves the digits below: 1 + x - 1 in sums of single roundings has none of them.
TEST(SumsOfProducts, KeepDigitsThatCancellationLeaves) {
  const Real50 small = ldexp(Real50(3) / 7, -200);
  const Terms terms{{1, small, -1}, {1, 1, 1}};
  EXPECT_LT(abs(terms.sum() / small - 1), Real50("1e-15"));  // 52 of 256 bits are left
  const Terms nothing{{2, -1, 0}, {5, 4, 2}};
  EXPECT_EQ(nothing.sum(), Real50(2 * 2 - 4));
  EXPECT_FALSE(signbit(nothing.sum()));
}

TEST(SumsOfProducts, OfOneTermAreProducts) {
  RandomNumbers random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Terms terms = random_terms(random, 1, 30);
    EXPECT_EQ(terms.sum(), terms.a[0] * terms.b[0]);
  }
}

TEST(SumsOfProducts, LeaveWhatIsNotOrdinaryToOthers) {
  Real50 result;
  const Real50 ones[] = {1, 1}, odd[] = {1, Real50::infinity()}, none[] = {Real50::quiet_NaN(), 1};
  EXPECT_FALSE(three_limbs::add_products(result, ones, odd + 1, 2));
  EXPECT_FALSE(three_limbs::add_products(result, none, ones + 1, 2));
}

}  // namespace TEST_FILE
}  // namespace daelab
