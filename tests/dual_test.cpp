// Automatic differentiation: every operation and function against 50-digit central differences and against
// identities, plain and nested; the wide sine and cosine against Boost's.
// Bounds of 1e-47 and less are round-off in 50 digits.
#include "tests/dual.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "core/base/boost_real.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using T = Real50;
using D1 = Dual<T, 1>;
using D2 = Dual<T, 2>;
using Nested = Dual<D2, 1>;
using Deep = Dual<Dual<D2, 1>, 1>;

T difference_of(const std::function<T(const T&)>& f, const T& x) {
  return (f(x + difference_step) - f(x - difference_step)) / (difference_step + difference_step);
}

// A function of two variables, once for numbers and once for every kind of dual.
#define DAELAB_FUNCTION(expression)      \
  [](const auto& x, const auto& y) {     \
    using S = std::decay_t<decltype(x)>; \
    (void)y;                             \
    return S(expression);                \
  }

// Value, first and second derivatives at (x, y) = (0.7, 1.3).
template <class F>
void expect_derivatives(const char* name, F f) {
  SCOPED_TRACE(name);
  const T x(0.7), y(1.3), one(1);
  D2 dx(x), dy(y);
  dx.d[0] = one, dy.d[1] = one;
  const D2 g = f(dx, dy);
  EXPECT_LT(abs(g.v - f(x, y)), T("1e-48"));
  EXPECT_LT(abs(g.d[0] - difference_of([&](const T& s) { return f(s, y); }, x)), difference_tolerance);
  EXPECT_LT(abs(g.d[1] - difference_of([&](const T& s) { return f(x, s); }, y)), difference_tolerance);

  // d/ds along the direction (2, -3) of the value and of the gradient, and once more of these.
  const auto along = [&](const T& s) {
    D2 px(x + 2 * s), py(y - 3 * s);
    px.d[0] = one, py.d[1] = one;
    return D2(f(px, py));
  };
  Nested nx(dx), ny(dy);
  nx.d[0] = D2(T(2)), ny.d[0] = D2(T(-3));
  const Nested n = f(nx, ny);
  EXPECT_LT(abs(n.d[0].v - difference_of([&](const T& s) { return along(s).v; }, T(0))), difference_tolerance);
  for (int k = 0; k < 2; ++k)
    EXPECT_LT(abs(n.d[0].d[k] - difference_of([&](const T& s) { return along(s).d[k]; }, T(0))), difference_tolerance);

  const auto nested_along = [&](const T& s) {
    D2 px(x + 2 * s), py(y - 3 * s);
    px.d[0] = one, py.d[1] = one;
    Nested qx(px), qy(py);
    qx.d[0] = D2(T(2)), qy.d[0] = D2(T(-3));
    return Nested(f(qx, qy));
  };
  Deep ex(nx), ey(ny);
  ex.d[0] = Nested(D2(T(2))), ey.d[0] = Nested(D2(T(-3)));
  const Deep e = f(ex, ey);
  EXPECT_LT(abs(e.d[0].d[0].v - difference_of([&](const T& s) { return nested_along(s).d[0].v; }, T(0))),
            difference_tolerance);
  for (int k = 0; k < 2; ++k)
    EXPECT_LT(abs(e.d[0].d[0].d[k] - difference_of([&](const T& s) { return nested_along(s).d[0].d[k]; }, T(0))),
              difference_tolerance);
}

TEST(Dual, OperationsMatchDifferencesToThirdOrder) {
  expect_derivatives("sum", DAELAB_FUNCTION(x + y));
  expect_derivatives("difference", DAELAB_FUNCTION(x - y));
  expect_derivatives("product", DAELAB_FUNCTION(x * y * x));
  expect_derivatives("quotient", DAELAB_FUNCTION(x / (y * y)));
  expect_derivatives("minus", DAELAB_FUNCTION(-(x * y)));
  expect_derivatives("constants", DAELAB_FUNCTION(T(3) * x * x - y * x * T(2) + x / T(7) + S(5)));
  expect_derivatives("constant over dual", DAELAB_FUNCTION(S(1) / x));
  expect_derivatives("x times itself", DAELAB_FUNCTION(x * x / (x + y)));
}

TEST(Dual, FunctionsMatchDifferencesToThirdOrder) {
  expect_derivatives("sin", DAELAB_FUNCTION(sin(x * y)));
  expect_derivatives("cos", DAELAB_FUNCTION(cos(x * y + x)));
  expect_derivatives("sqrt", DAELAB_FUNCTION(sqrt(x + y * y)));
  expect_derivatives("exp", DAELAB_FUNCTION(exp(x - y)));
  expect_derivatives("log", DAELAB_FUNCTION(log(x * x + y)));
  expect_derivatives("atan2", DAELAB_FUNCTION(atan2(x - y, x * y)));
  expect_derivatives("atan2, to the left", DAELAB_FUNCTION(atan2(y, -x * y)));
  expect_derivatives("composition", DAELAB_FUNCTION(exp(sin(x) * sqrt(y)) / log(y + S(1))));
}

// The compound operators alias their own right side.
TEST(Dual, CompoundOperatorsAllowAliasing) {
  D1 x(T(3));
  x.d[0] = 1;
  D1 square = x;
  square *= square;
  EXPECT_EQ(square.v, 9);
  EXPECT_EQ(square.d[0], 6);
  D1 ratio = x;
  ratio /= ratio;
  EXPECT_EQ(ratio.v, 1);
  EXPECT_EQ(ratio.d[0], 0);
  D1 twice = x;
  twice += twice;
  EXPECT_EQ(twice.d[0], 2);
  D1 nothing = x;
  nothing -= nothing;
  EXPECT_EQ(nothing.d[0], 0);
}

TEST(Dual, ConstantsHaveNoDerivative) {
  for (const Nested& c : {Nested(T(2)), Nested(2), Nested(D2(T(2)))}) {
    EXPECT_EQ(c.v.v, 2);
    EXPECT_EQ(c.d[0].v, 0);
    EXPECT_EQ(c.v.d[0], 0);
    EXPECT_EQ(c.d[0].d[1], 0);
  }
}

TEST(Dual, ComparesByValue) {
  D1 x(T(1)), y(T(2));
  x.d[0] = 5;
  EXPECT_TRUE(x < y && y > x && !(y < x));
  EXPECT_TRUE(x == D1(T(1))) << "derivatives do not take part";
}

// Identities hold to round-off in every derivative at once.
TEST(Dual, IdentitiesHoldInAllDerivatives) {
  Deep x(T(0.7));
  x.v.v.d[0] = 1, x.v.d[0] = D2(T(1)), x.d[0] = Nested(D2(T(1)));
  const auto expect_equal = [](const Deep& a, const Deep& b) {
    const Deep e = a - b;
    for (const D2& part : {e.v.v, e.v.d[0], e.d[0].v, e.d[0].d[0]}) {
      EXPECT_LT(abs(part.v), T("1e-47"));
      EXPECT_LT(abs(part.d[0]), T("1e-47"));
    }
  };
  Deep s, c;
  sincos(x, s, c);
  expect_equal(s * s + c * c, Deep(T(1)));
  expect_equal(s, sin(x));
  expect_equal(c, cos(x));
  expect_equal(sin(x + x), s * c * T(2));
  expect_equal(sqrt(x) * sqrt(x), x);
  expect_equal(exp(log(x)), x);
  expect_equal(log(x * x), log(x) * T(2));
  expect_equal(x / x, Deep(T(1)));
}

// In double the same code serves: third derivatives of x^5 are exact small integers.
TEST(Dual, IsExactOnSmallIntegersInDouble) {
  using Line = Dual<double, 1>;
  using Jet = Dual<Dual<Line, 1>, 1>;
  Jet x(2.0);
  x.v.v.d[0] = 1, x.v.d[0] = Line(1.0), x.d[0] = Dual<Line, 1>(Line(1.0));
  const Jet y = x * x * x * x * x;
  EXPECT_EQ(y.v.v.v, 32);
  EXPECT_EQ(y.v.v.d[0], 80);
  EXPECT_EQ(y.v.d[0].d[0], 160);
  EXPECT_EQ(y.d[0].d[0].d[0], 240);
}

// ---------------------------------------------------------------- sine and cosine together

template <class S>
class WideSincos : public testing::Test {};
using WideTypes = testing::Types<Real50, Real100>;
TYPED_TEST_SUITE(WideSincos, WideTypes);

// Against 150 digits, rounded.
template <unsigned Digits>
void expect_sincos(const MultiPrecision<Digits>& x) {
  using Wide = BoostReal<150>;
  MultiPrecision<Digits> s, c;
  sincos(x, s, c);
  EXPECT_EQ(to_boost(s), BoostReal<Digits>(sin(Wide(to_boost(x))))) << x;
  EXPECT_EQ(to_boost(c), BoostReal<Digits>(cos(Wide(to_boost(x))))) << x;
}

TYPED_TEST(WideSincos, IsRoundedRightInAllQuadrants) {
  for (int k = -40; k <= 40; ++k) expect_sincos(TypeParam(k) / 5);
}

TYPED_TEST(WideSincos, IsRoundedRightForLargeArguments) {
  for (const char* text : {"12345.678", "-98765.4321", "1e6", "-1.5e9", "3e9", "-7e12", "1e15"})
    expect_sincos(TypeParam(text));
}

// A diverging iteration must end as a status, not as an exception.
TYPED_TEST(WideSincos, OfWhatIsNotFiniteIsNotANumber) {
  for (const TypeParam& x : {std::numeric_limits<TypeParam>::infinity(), std::numeric_limits<TypeParam>::quiet_NaN()}) {
    TypeParam s, c;
    EXPECT_NO_THROW(sincos(x, s, c));
    EXPECT_TRUE(isnan(s));
    EXPECT_TRUE(isnan(c));
  }
}

TEST(Sincos, OfDoubleIsTheStandardOne) {
  double s, c;
  sincos(0.7, s, c);
  EXPECT_EQ(s, std::sin(0.7));
  EXPECT_EQ(c, std::cos(0.7));
}

}  // namespace TEST_FILE
}  // namespace daelab
