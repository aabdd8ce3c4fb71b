// The 50- and 100-digit numbers against Boost.Multiprecision's, which call MPFR too: the same bits everywhere.
#include "core/base/real.hpp"

#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <concepts>
#include <limits>
#include <random>
#include <sstream>
#include <thread>
#include <tuple>
#include <vector>

#include "core/base/boost_real.hpp"
#include "core/base/fixed_sines.hpp"

namespace daelab {
namespace TEST_FILE {

template <class Real>
class RealTest : public testing::Test {};
using Reals = testing::Types<Real50, Real100>;
TYPED_TEST_SUITE(RealTest, Reals);

template <class Real>
using Twin = decltype(to_boost(Real()));

template <class Real>
bool same(const Real& x, const Twin<Real>& y) {
  if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
  return to_boost(x) == y && signbit(x) == bool(signbit(y));
}

const std::vector<double> special_doubles{0.,
                                          -0.,
                                          1.,
                                          -1.,
                                          0.5,
                                          -0.5,
                                          2.5,
                                          -3.5,
                                          1e22,
                                          -1e-300,
                                          5e-324,
                                          1e308,
                                          2147483648.,
                                          -2147483649.,
                                          9.3e18,
                                          -1.9e19,
                                          std::numeric_limits<double>::infinity(),
                                          -std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::quiet_NaN()};
const std::vector<long> special_integers{0,
                                         1,
                                         -1,
                                         2,
                                         -2,
                                         7,
                                         -10,
                                         std::numeric_limits<int>::max(),
                                         std::numeric_limits<int>::min(),
                                         std::numeric_limits<long>::max(),
                                         std::numeric_limits<long>::min()};

// Many sizes, of few digits and of all, with neighbours of whole and half numbers.
template <class Real>
std::vector<Real> numbers(int count) {
  std::mt19937_64 random(7);
  std::vector<Real> result(special_doubles.begin(), special_doubles.end());
  for (const char* text : {"0.1", "1e400", "-1e-400", "1e1000000", "-3e-1000000",
                           "0.49999999999999999999999999999999999999999999999999999", "1e50",
                           "123456789012345678901234567890", "99999.5", "0.00012345", "0.000012345"})
    result.emplace_back(text);
  const Real epsilon = std::numeric_limits<Real>::epsilon();
  for (const double x : {0.5, 1., 1.5, 2., 10., 1e10}) {
    result.push_back(x * (1 + epsilon));
    result.push_back(-(x * (1 - epsilon / 2)));
  }
  const std::vector<int> ranges{0, 1, 3, 20, 60, 500};
  while (result.size() < static_cast<std::size_t>(count)) {
    const int range = ranges[random() % ranges.size()];
    Real x = 0;
    for (int i = 0; i < 6; ++i) x = x / 18446744073709551616. + random();
    if (random() % 4 == 0) x = Real(static_cast<double>(x));
    x = ldexp(x, -64 + (range == 0 ? 0 : static_cast<long>(random() % (2 * range)) - range));
    result.push_back(random() % 2 == 0 ? x : -x);
  }
  return result;
}

template <class Real>
void expect_same(const Real& x, const Twin<Real>& y, const std::string& what) {
  EXPECT_TRUE(same(x, y)) << what << ": " << x.str() << " instead of " << y.str();
}

TYPED_TEST(RealTest, ArithmeticAndComparisonsOfTwoNumbers) {
  const auto all = numbers<TypeParam>(220);
  for (const TypeParam& a : all)
    for (const TypeParam& b : all) {
      const Twin<TypeParam> A = to_boost(a), B = to_boost(b);
      const std::string what = a.str() + ", " + b.str();
      expect_same(a + b, A + B, what + " +");
      expect_same(a - b, A - B, what + " -");
      expect_same(a * b, A * B, what + " *");
      expect_same(a / b, A / B, what + " /");
      TypeParam c = a, d = a, e = a, f = a;
      Twin<TypeParam> C = A, D = A, E = A, F = A;
      expect_same(c += b, C += B, what + " +=");
      expect_same(d -= b, D -= B, what + " -=");
      expect_same(e *= b, E *= B, what + " *=");
      expect_same(f /= b, F /= B, what + " /=");
      EXPECT_EQ(a == b, A == B) << what;
      EXPECT_EQ(a != b, A != B) << what;
      EXPECT_EQ(a < b, A < B) << what;
      EXPECT_EQ(a <= b, A <= B) << what;
      EXPECT_EQ(a > b, A > B) << what;
      EXPECT_EQ(a >= b, A >= B) << what;
      if (isfinite(a) && isfinite(b) && abs(a) < 1e9 && abs(b) < 1e9) {
        expect_same(atan2(a, b), Twin<TypeParam>(atan2(A, B)), what + " atan2");
        expect_same(pow(a, b), Twin<TypeParam>(pow(A, B)), what + " pow");
        if (abs(b) > 1e-9) expect_same(fmod(a, b), Twin<TypeParam>(fmod(A, B)), what + " fmod");
      }
    }
  for (const TypeParam& a : all) {
    TypeParam c = a, d = a, e = a, f = a;
    Twin<TypeParam> C = to_boost(a), D = C, E = C, F = C;
    expect_same(c += c, C += C, a.str() + " with itself");
    expect_same(d -= d, D -= D, a.str() + " with itself");
    expect_same(e *= e, E *= E, a.str() + " with itself");
    expect_same(f /= f, F /= F, a.str() + " with itself");
  }
}

template <class Real, class Number>
void expect_same_with(const Real& a, Number b) {
  const Twin<Real> A = to_boost(a);
  const std::string what = a.str() + ", " + std::to_string(b);
  expect_same(Real(b), Twin<Real>(b), what + " from");
  expect_same(a + b, A + b, what + " +");
  expect_same(a - b, A - b, what + " -");
  expect_same(a * b, A * b, what + " *");
  expect_same(a / b, A / b, what + " /");
  expect_same(b + a, b + A, what + " + reversed");
  if constexpr (std::integral<Number>)
    expect_same(b - a, b - A, what + " - reversed");
  else  // of Boost 1.74 -(A - b), which is -0 where both are equal
    expect_same(b - a, Twin<Real>(b) - A, what + " - reversed");
  expect_same(b * a, b * A, what + " * reversed");
  expect_same(b / a, b / A, what + " / reversed");
  Real c = a, d = a, e = a, f = a, g;
  Twin<Real> C = A, D = A, E = A, F = A, G;
  expect_same(c += b, C += b, what + " +=");
  expect_same(d -= b, D -= b, what + " -=");
  expect_same(e *= b, E *= b, what + " *=");
  expect_same(f /= b, F /= b, what + " /=");
  expect_same(g = b, G = b, what + " =");
  EXPECT_EQ(a == b, A == b) << what;
  EXPECT_EQ(a != b, A != b) << what;
  EXPECT_EQ(a < b, A < b) << what;
  EXPECT_EQ(a <= b, A <= b) << what;
  EXPECT_EQ(a > b, A > b) << what;
  EXPECT_EQ(b >= a, b >= A) << what;
  EXPECT_EQ(b < a, b < A) << what;
}

TYPED_TEST(RealTest, ArithmeticAndComparisonsWithBuiltInNumbers) {
  for (const TypeParam& a : numbers<TypeParam>(250)) {
    for (const double b : special_doubles) expect_same_with(a, b);
    for (const long b : special_integers) {
      expect_same_with(a, b);
      expect_same_with(a, static_cast<int>(b));
      expect_same_with(a, static_cast<long long>(b));
      expect_same_with(a, static_cast<unsigned>(b));
      expect_same_with(a, static_cast<unsigned long>(b));
    }
  }
}

TYPED_TEST(RealTest, FunctionsOfOneNumber) {
  for (const TypeParam& x : numbers<TypeParam>(1500)) {
    const Twin<TypeParam> X = to_boost(x);
#define EXPECT_SAME(function) expect_same(function(x), Twin<TypeParam>(function(X)), #function " of " + x.str())
    EXPECT_SAME(-);
    EXPECT_SAME(abs);
    EXPECT_SAME(fabs);
    EXPECT_SAME(floor);
    EXPECT_SAME(ceil);
    EXPECT_SAME(round);
    if (isfinite(x)) EXPECT_SAME(trunc);
    EXPECT_SAME(sqrt);
    EXPECT_SAME(log);
    EXPECT_SAME(log2);
    EXPECT_SAME(log10);
    EXPECT_SAME(asin);
    EXPECT_SAME(acos);
    EXPECT_SAME(atan);
    EXPECT_SAME(exp);
    EXPECT_SAME(sinh);
    EXPECT_SAME(cosh);
    EXPECT_SAME(tanh);
    EXPECT_SAME(asinh);
    EXPECT_SAME(acosh);
    EXPECT_SAME(atanh);
    if (abs(x) > 1e100 && isfinite(x)) continue;  // a million digits of pi
    EXPECT_SAME(sin);
    EXPECT_SAME(cos);
    EXPECT_SAME(tan);
#undef EXPECT_SAME
    TypeParam sine, cosine;
    sincos(x, sine, cosine);
    expect_same(sine, Twin<TypeParam>(sin(X)), x.str());
    expect_same(cosine, Twin<TypeParam>(cos(X)), x.str());
    for (const int n : {0, 1, -1, 2, 3, -7, 100}) {
      expect_same(pow(x, n), Twin<TypeParam>(pow(X, n)), x.str());
      expect_same(ldexp(x, n), Twin<TypeParam>(ldexp(X, n)), x.str());
    }
    expect_same(pow(x, 0.3), Twin<TypeParam>(pow(X, 0.3)), x.str());
    if (!isfinite(x)) continue;
    int n = 0;
    mpfr_exp_t N = 0;  // of MPFR itself: Boost 1.74 has fractions below 1/2
    Twin<TypeParam> fraction;
    mpfr_frexp(&N, fraction.backend().data(), X.backend().data(), MPFR_RNDN);
    expect_same(frexp(x, &n), fraction, x.str());
    EXPECT_EQ(n, N);
  }
}

TYPED_TEST(RealTest, KindsAndConversionsToBuiltInNumbers) {
  for (const TypeParam& x : numbers<TypeParam>(3000)) {
    const Twin<TypeParam> X = to_boost(x);
    EXPECT_EQ(isfinite(x), bool(isfinite(X)));
    EXPECT_EQ(isinf(x), bool(isinf(X)));
    EXPECT_EQ(isnan(x), bool(isnan(X)));
    EXPECT_EQ(static_cast<bool>(x), static_cast<bool>(X));
    const auto d = static_cast<double>(x), D = static_cast<double>(X);
    EXPECT_TRUE(std::isnan(d) ? std::isnan(D) : d == D && std::signbit(d) == std::signbit(D)) << x.str();
    if (isnan(x)) {
      EXPECT_THROW(static_cast<int>(x), std::runtime_error);
      continue;
    }
    EXPECT_EQ(static_cast<float>(x), static_cast<float>(X));
    EXPECT_EQ(static_cast<int>(x), static_cast<int>(X));
    EXPECT_EQ(static_cast<long>(x), static_cast<long>(X));
    EXPECT_EQ(static_cast<long long>(x), static_cast<long long>(X));
    EXPECT_EQ(static_cast<unsigned>(x), static_cast<unsigned>(X));
    EXPECT_EQ(static_cast<std::size_t>(x), static_cast<std::size_t>(X));
  }
}

TYPED_TEST(RealTest, TextBothWays) {
  for (const TypeParam& x : numbers<TypeParam>(1500)) {
    const Twin<TypeParam> X = to_boost(x);
    for (const int digits : {0, 1, 2, 3, 6, 15, 17, 40, 50, 100, 120}) {
      const std::string text = x.str(digits);
      ASSERT_EQ(text, X.str(digits)) << digits;
      expect_same(TypeParam(text), Twin<TypeParam>(text), text);
      expect_same(TypeParam(text.c_str()), Twin<TypeParam>(text.c_str()), text);
    }
    std::ostringstream stream, Stream;
    stream << x;
    Stream << X;
    EXPECT_EQ(stream.str(), Stream.str());
  }
  for (const char* text : {"", "1.2.3", "one", "1e", "1 "}) {
    EXPECT_THROW(TypeParam{text}, std::runtime_error) << text;
    EXPECT_THROW(Twin<TypeParam>{text}, std::runtime_error) << text;
  }
  EXPECT_EQ(TypeParam("1499.99").scientific(2), "1.50e+03");
  EXPECT_EQ(TypeParam("1499.996").fixed(2), "1500.00");
}

TYPED_TEST(RealTest, LimitsAndPi) {
  using L = std::numeric_limits<TypeParam>;
  using B = std::numeric_limits<Twin<TypeParam>>;
  expect_same(L::epsilon(), B::epsilon(), "epsilon");
  expect_same(L::min(), B::min(), "min");
  expect_same(L::max(), B::max(), "max");
  expect_same(L::lowest(), Twin<TypeParam>(-B::max()), "lowest");
  expect_same(L::infinity(), B::infinity(), "infinity");
  expect_same(L::quiet_NaN(), B::quiet_NaN(), "NaN");
  expect_same(L::round_error(), B::round_error(), "round error");
  expect_same(Eigen::NumTraits<TypeParam>::dummy_precision(), Twin<TypeParam>(1000 * B::epsilon()), "dummy precision");
  EXPECT_EQ(L::digits, int(B::digits));
  EXPECT_EQ(L::digits10, int(B::digits10));
  EXPECT_EQ(L::max_digits10, static_cast<int>(std::ceil(1 + L::digits * std::log10(2.))));  // Boost 1.74 has one more
  EXPECT_EQ(L::min_exponent, long(B::min_exponent));
  EXPECT_EQ(L::max_exponent, long(B::max_exponent));
  EXPECT_EQ(L::min_exponent10, long(B::min_exponent10));
  EXPECT_EQ(L::max_exponent10, long(B::max_exponent10));
  EXPECT_EQ(L::is_iec559, bool(B::is_iec559));
  namespace constants = boost::math::constants;
  expect_same(pi<TypeParam>(), constants::pi<Twin<TypeParam>>(), "pi");
  expect_same(2 * pi<TypeParam>(), constants::two_pi<Twin<TypeParam>>(), "two pi");
  expect_same(pi<TypeParam>() / 2, constants::half_pi<Twin<TypeParam>>(), "half pi");
  EXPECT_EQ(pi<double>(), constants::pi<double>());
  EXPECT_EQ(pi<double>() / 2, constants::half_pi<double>());
}

TEST(Real, WidensByItselfAndNarrowsOnRequest) {
  static_assert(std::is_convertible_v<Real50, Real100> && !std::is_convertible_v<Real100, Real50>);
  static_assert(std::is_constructible_v<Real50, Real100>);
  static_assert(!std::is_convertible_v<std::string, Real50> && !std::is_convertible_v<Real50, double>);
  for (const Real100& x : numbers<Real100>(1000)) {
    const Real50 narrow(x);
    expect_same(narrow, Twin<Real50>(to_boost(x)), x.str());
    expect_same(Real100(narrow), Twin<Real100>(to_boost(narrow)), x.str());
    expect_same(x - narrow, Twin<Real100>(to_boost(x) - to_boost(narrow)), x.str());
  }
}

// A number whose digits are long runs of zeros and ones, as where sums and products are halves, carries and borrows.
Real50 with_long_runs(std::mt19937_64& random, long exponent) {
  Real50 x = 1;
  long bit = 0;
  while ((bit -= 1 + static_cast<long>(random() % 70)) > -167) x = random() % 2 == 0 ? x + ldexp(Real50(1), bit) : x;
  if (random() % 2 == 0) x = ldexp(Real50(3), -1) - (x - 1) / 2;
  return ldexp(random() % 2 == 0 ? x : -x, exponent);
}

TEST(Real50Test, CarriesAndHalvesAreThoseOfMpfr) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 50000; ++i) {
    const Real50 a = with_long_runs(random, 0), near = with_long_runs(random, static_cast<long>(random() % 5) - 2);
    const Real50 b = i % 3 == 0 ? with_long_runs(random, -static_cast<long>(random() % 200)) : near;
    const Twin<Real50> A = to_boost(a), B = to_boost(b);
    const std::string what = a.str() + ", " + b.str();
    expect_same(a + b, A + B, what + " +");
    expect_same(a - b, A - B, what + " -");
    expect_same(b - a, B - A, what + " - exchanged");
    expect_same(a * b, A * B, what + " *");
  }
}

TEST(Real50Test, SinesAndCosinesAreThoseOfMpfr) {
  std::mt19937_64 random(12);
  const Real50 half_pi = pi<Real50>() / 2;
  int fixed = 0, all = 0;
  const auto compare = [&](const Real50& angle) {
    Real50 s, c;
    fixed += fixed_sine_and_cosine(angle, s, c), ++all;
    sincos(angle, s, c);
    const Twin<Real50> x = to_boost(angle);
    expect_same(s, Twin<Real50>(sin(x)), "sine of " + angle.str());
    expect_same(c, Twin<Real50>(cos(x)), "cosine of " + angle.str());
  };
  for (int i = 0; i < 4000; ++i) {
    compare(with_long_runs(random, static_cast<long>(random() % 4) - 2));
    compare(with_long_runs(random, static_cast<long>(random() % 98) - 65));
    compare(Real50(static_cast<long>(random() % 4000)) / 128);  // both sides of the angles in the table
    compare(static_cast<long>(random() % 1000) * half_pi + with_long_runs(random, -static_cast<long>(random() % 170)));
  }
  // Angles within 2^-64 of a multiple of pi/2 go to MPFR: a part of the last kind.
  EXPECT_GT(fixed, all * 3 / 4);
}

// Boost.Math works on the numbers themselves there: the same steps, hence the same root.
TEST(Real, RootFinderTakesTheSameSteps) {
  for (int i = 1; i < 40; ++i) {
    const auto bracket = [i](auto a) {
      using T = decltype(a);
      const auto f = [i](const T& x) { return T(exp(-x / i) - x * x + sin(T(i * x))); };
      const auto close = [](const T& x, const T& y) { return abs(T(x - y)) < 1e-45; };
      std::uintmax_t iterations = 100;
      const auto [low, high] = boost::math::tools::toms748_solve(f, a, T(3), f(a), f(T(3)), close, iterations);
      return std::tuple(low, high, iterations);
    };
    const auto [low, high, iterations] = bracket(Real50(0));
    const auto [Low, High, Iterations] = bracket(Twin<Real50>(0));
    expect_same(low, Low, "low");
    expect_same(high, High, "high");
    EXPECT_EQ(iterations, Iterations);
  }
}

TEST(Real, IsAPlainValueThatStartsAtZero) {
  static_assert(std::is_trivially_copyable_v<Real50> && std::is_trivially_copyable_v<Real100>);
  static_assert(sizeof(Real50) == 40 && sizeof(Real100) == 64);
  EXPECT_EQ(Real50(), 0);
  const Eigen::Matrix<Real50, Eigen::Dynamic, 1> fresh(3);
  EXPECT_EQ(fresh[2], 0);
}

TEST(Real, ThreadsComputeTheSame) {
  std::vector<Real50> results(4);
  std::vector<std::thread> threads;
  for (Real50& result : results)
    threads.emplace_back([&result] {
      for (int i = 1; i < 2000; ++i) result += sin(pi<Real50>() / i) * exp(-log(Real50(i)));
    });
  for (std::thread& thread : threads) thread.join();
  for (const Real50& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace TEST_FILE
}  // namespace daelab
