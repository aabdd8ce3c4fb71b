// BDF: identities of the formulas on any grid, and their coefficients.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/multistep/bdf_stepper.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/order_estimate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "tests/divided_differences.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

#ifndef DAELAB_DOUBLE_ONLY  // the formulas in 50 digits
// nabla^j x_n = tau_1 ... tau_j x[t_n, ..., t_(n-j)] of a function on t_n > t_(n-1) > ...
template <class F>
std::vector<Real50> differences(const std::vector<Real50>& times, F x) {
  std::vector<Real50> column;
  for (const Real50& t : times) column.push_back(x(t));
  return scaled_divided_differences(times, std::move(column));
}

// A past of one component on a grid t_0 > t_1 > ... > t_7.
struct Past {
  Past(std::vector<Real50> grid, const std::function<Real50(const Real50&)>& x) : times(std::move(grid)) {
    const std::vector<Real50> nabla = differences(times, x);
    for (int j = 1; j <= bdf_columns; ++j) history.difference(j)[0] = nabla[j], history.tau[j] = times[0] - times[j];
  }
  static std::vector<Real50> random_grid(unsigned seed) {
    RandomNumbers random(seed);
    std::vector<Real50> times(1, Real50(random.next()));
    for (int j = 1; j <= bdf_columns; ++j) times.push_back(times.back() - Real50(1.2 + random.next()) / 10);
    return times;
  }
  static std::vector<Real50> uniform_grid(const Real50& h) {
    std::vector<Real50> times;
    for (int j = 0; j <= bdf_columns; ++j) times.push_back(-j * h);
    return times;
  }

  std::vector<Real50> times;
  BdfHistory<Real50> history{1};
};

Real50 polynomial(int degree, const Real50& t) {
  Real50 p(0);
  for (int j = degree; j >= 0; --j) p = p * t + Real50(2 * j + 1) / (j + 3);
  return p;
}
Real50 slope_of_polynomial(int degree, const Real50& t) {
  Real50 p(0);
  for (int j = degree; j >= 1; --j) p = p * t + j * Real50(2 * j + 1) / (j + 3);
  return p;
}

const Real50 round_off("1e-40");  // a few hundred operations on numbers up to 1e3

class FormulaOfOrder : public testing::TestWithParam<int> {};

// With x_(n+1) and h x'_(n+1) as sums over nabla*, both formulas are exact for polynomials of degree k; the
// quasi-constant one where its own past is uniform.
TEST_P(FormulaOfOrder, ReproducesPolynomials) {
  const int k = GetParam();
  const auto x = [k](const Real50& t) { return polynomial(k, t); };
  const std::pair<BdfFormula, Past> cases[] = {
      {BdfFormula::variable, Past(Past::random_grid(k), x)},
      {BdfFormula::quasi_constant, Past(Past::uniform_grid(Real50("0.07")), x)}};
  for (const auto& [formula, past] : cases)
    for (const Real50& h : {Real50("0.03"), Real50("0.11")}) {
      BdfHistory<Real50> next = past.history;
      rescale_history(formula, past.history, h, k + 1, next);
      const BdfWeights<Real50> weights(next);
      Real50 value = x(past.times[0]), slope(0);
      for (int j = 1; j <= k; ++j) value += next.difference(j)[0], slope += weights.c[j] * next.difference(j)[0];
      const Real50 end = past.times[0] + h;
      EXPECT_LT(abs(value - x(end)), round_off);
      EXPECT_LT(abs(slope - h * slope_of_polynomial(k, end)), round_off);
    }
}

// Eq. (59): what the recursion gives after a step are the divided differences on the new grid.
TEST_P(FormulaOfOrder, UpdatesDividedDifferences) {
  const int k = GetParam();
  const auto x = [](const Real50& t) { return Real50(sin(3 * t) / (2 + t)); };
  const Past past(Past::random_grid(10 + k), x);
  const Real50 h("0.09");
  BdfHistory<Real50> next = past.history;
  rescale_history(BdfFormula::variable, past.history, h, k + 1, next);
  Real50 delta = x(past.times[0] + h) - x(past.times[0]);
  for (int j = 1; j <= k; ++j) delta -= next.difference(j)[0];
  advance_history(next, k, Vector<Real50>{{delta}});
  std::vector<Real50> times = past.times;
  times.insert(times.begin(), past.times[0] + h);
  const std::vector<Real50> expected = differences(times, x);
  for (int j = 1; j <= k + 2; ++j) EXPECT_LT(abs(next.difference(j)[0] - expected[j]), round_off) << j;
}

// c_e^k delta is the defect of h x' to first order: exactly so for x = t^(k+1). [eq. (64)]
TEST_P(FormulaOfOrder, EstimatesItsDefect) {
  const int k = GetParam();
  const auto x = [k](const Real50& t) { return Real50(pow(t, k + 1)); };
  const Past past(Past::random_grid(20 + k), x);
  const Real50 h("0.08"), end = past.times[0] + h;
  BdfHistory<Real50> next = past.history;
  rescale_history(BdfFormula::variable, past.history, h, k + 1, next);
  const BdfWeights<Real50> weights(next);
  Real50 delta = x(end) - x(past.times[0]), slope(0);
  for (int j = 1; j <= k; ++j) delta -= next.difference(j)[0], slope += weights.c[j] * next.difference(j)[0];
  slope += weights.c[k] * delta;
  EXPECT_LT(abs(h * (k + 1) * Real50(pow(end, k)) - slope - weights.error[k] * delta), round_off);
}

// The weights of eq. (47) return the values the differences came from.
TEST_P(FormulaOfOrder, InterpolatesItsPast) {
  const int k = GetParam();
  const auto x = [](const Real50& t) { return Real50(exp(t)); };
  const Past past(Past::random_grid(30 + k), x);
  for (int i = 0; i <= k; ++i) {
    const BdfArray<Real50> w = interpolation_weights(past.history, k, Real50(past.times[i] - past.times[0]));
    Real50 value = x(past.times[0]);
    for (int j = 1; j <= k; ++j) value += w[j] * past.history.difference(j)[0];
    EXPECT_LT(abs(value - x(past.times[i])), round_off) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Bdf, FormulaOfOrder, testing::Range(1, bdf_highest_order + 1));

// Eqs. (54), (55): D (R U) are the differences of the same interpolant on the grid of the new step, and U U = I.
TEST(QuasiConstantFormula, ResamplesTheInterpolant) {
  for (int columns = 1; columns <= bdf_columns - 1; ++columns) {
    const auto x = [columns](const Real50& t) { return polynomial(columns, t); };
    const Past past(Past::uniform_grid(Real50("0.1")), x);
    for (const Real50& zeta : {Real50(1), Real50("0.3"), Real50("1.7")}) {
      const std::vector<Real50> expected = differences(Past::uniform_grid(Real50("0.1") * zeta), x);
      const auto RU = resampling(zeta, columns);
      for (int j = 1; j <= columns; ++j) {
        Real50 sum(0);
        for (int i = 1; i <= columns; ++i) {
          sum += past.history.difference(i)[0] * RU[i][j];
          if (zeta == 1) {
            EXPECT_EQ(RU[i][j], Real50(i == j ? 1 : 0));
          }
        }
        EXPECT_LT(abs(sum - expected[j]), round_off) << columns << " columns, zeta " << zeta;
      }
    }
  }
}
#endif

TEST(Bdf, HasTheKnownCoefficients) {
  const auto exact = [](int k) {
    std::vector<std::string> text;
    for (const auto& c : Registry<Method>::instance().make(fmt::format("bdf:k={}", k), "")->coefficients())
      for (Index i = 0; i < c.values.size(); ++i) text.push_back(fraction_or_decimal(c.values(i)));
    return text;
  };
  using testing::ElementsAre;
  EXPECT_THAT(exact(1), ElementsAre("1", "-1", "1", "1/2"));
  EXPECT_THAT(exact(2), ElementsAre("3/2", "-2", "1/2", "1", "1/3"));
  EXPECT_THAT(exact(4), ElementsAre("25/12", "-4", "3", "-4/3", "1/4", "1", "1/5"));
  EXPECT_THAT(exact(5), ElementsAre("137/60", "-5", "5", "-10/3", "5/4", "-1/5", "1", "1/6"));
}

// alpha of BDF - kappa_k c_k nabla^(k+1), kappa = -37/200, -1/9: Shampine, Reichelt 1997, Table 1.
TEST(Ndf, HasTheKnownCoefficients) {
  const auto exact = [](int k) {
    std::vector<std::string> text;
    for (const auto& c : Registry<Method>::instance().make(fmt::format("ndf:k={}", k), "")->coefficients())
      for (Index i = 0; i < c.values.size(); ++i) text.push_back(fraction_or_decimal(c.values(i)));
    return text;
  };
  using testing::ElementsAre;
  EXPECT_THAT(exact(1), ElementsAre("237/200", "-137/100", "37/200", "1", "63/200"));
  EXPECT_THAT(exact(2), ElementsAre("5/3", "-5/2", "1", "-1/6", "1", "1/6"));
  EXPECT_THAT(exact(5), ElementsAre("137/60", "-5", "5", "-10/3", "5/4", "-1/5", "1", "1/6"));
}

TEST(Bdf, RefusesUnknownOptions) {
  for (const char* spec : {"bdf:k=7", "bdf:k=0", "bdf:selector=gear", "bdf:formula=fixed"})
    EXPECT_THROW(Registry<Method>::instance().make(spec, ""), InputError) << spec;
}

}  // namespace TEST_FILE
}  // namespace daelab
