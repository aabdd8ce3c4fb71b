#include "analysis/printed_formulas.hpp"

#include <fmt/format.h>

#include "analysis/printed_hht.hpp"
#include "analysis/printed_jacobians.hpp"
#include "core/base/rational.hpp"

namespace daelab {
namespace printed {
namespace {

using Fractions = std::vector<Rational>;
using FractionMatrix = std::vector<Fractions>;

FractionMatrix square_zeros(std::size_t n) { return {n, Fractions(n, 0)}; }

// ----- differences -----

std::vector<std::string> differing_entries(const FractionMatrix& printed, const FractionMatrix& right) {
  std::vector<std::string> differing;
  for (std::size_t i = 0; i < printed.size(); ++i)
    for (std::size_t j = 0; j < printed[i].size(); ++j)
      if (printed[i][j] != right[i][j]) differing.push_back(fmt::format("{},{}", i + 1, j + 1));
  return differing;
}

// (1/i!) prod_(a<i) (a - j s), i and j from 1: R of (55), and U for s = 1.
FractionMatrix printed_matrix(int k, const Rational& s) {
  FractionMatrix result = square_zeros(static_cast<std::size_t>(k));
  for (int i = 1; i <= k; ++i)
    for (int j = 1; j <= k; ++j) {
      Rational product = 1;
      for (int a = 0; a < i; ++a) product *= (a - j * s) / Rational(a + 1);
      result[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(j - 1)] = product;
    }
  return result;
}

FractionMatrix product(const FractionMatrix& A, const FractionMatrix& B) {
  FractionMatrix result = square_zeros(A.size());
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < B[0].size(); ++j)
      for (std::size_t l = 0; l < B.size(); ++l) result[i][j] += A[i][l] * B[l][j];
  return result;
}

// The value at `at` of the polynomial through these points.
Rational interpolated(const Fractions& times, const Fractions& data, const Rational& at) {
  Rational sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    Rational term = data[i];
    for (std::size_t j = 0; j < times.size(); ++j)
      if (j != i) term *= (at - times[j]) / (times[i] - times[j]);
    sum += term;
  }
  return sum;
}

// Its derivative at its first point.
Rational first_derivative(const Fractions& times, const Fractions& data) {
  Rational sum = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    Rational weight = 1 / (times[i] - times[0]);
    for (std::size_t j = 1; j < times.size(); ++j)
      if (j != i) weight *= (times[0] - times[j]) / (times[i] - times[j]);
    sum += weight * data[i] + data[0] / (times[0] - times[i]);
  }
  return sum;
}

// Backward differences nabla^1, ..., nabla^k of values at equal steps, the newest first.
Fractions backward_differences(Fractions data) {
  Fractions result;
  while (data.size() > 1) {
    for (std::size_t i = 0; i + 1 < data.size(); ++i) data[i] -= data[i + 1];
    data.pop_back();
    result.push_back(data[0]);
  }
  return result;
}

// Row i: differences on the grid of steps zeta h of what has the one difference nabla^i = 1 on that of steps h.
std::vector<std::string> resampling_54(int k) {
  const Rational zeta(2, 3);
  FractionMatrix right;
  for (int i = 1; i <= k; ++i) {
    Fractions times, data, on_new;
    for (int j = 0; j <= k; ++j) {
      Rational binomial = 1;  // x_(n-j) = sum_i (-1)^i (j over i) nabla^i x_n
      for (int a = 0; a < i; ++a) binomial *= Rational(a - j) / Rational(a + 1);
      times.push_back(-j), data.push_back(binomial);
    }
    for (int j = 0; j <= k; ++j) on_new.push_back(interpolated(times, data, -j * zeta));
    right.push_back(backward_differences(on_new));
  }
  return differing_entries(product(printed_matrix(k, zeta), printed_matrix(k, 1)), right);
}

std::vector<std::string> involution_55(int k) {
  const FractionMatrix U = printed_matrix(k, 1);
  FractionMatrix identity = square_zeros(U.size());
  for (std::size_t i = 0; i < U.size(); ++i) identity[i][i] = 1;
  return differing_entries(product(U, U), identity);
}

// A grid of changing steps, t_(n+1), t_n, ..., and values of a polynomial of degree k + 1 on it.
struct ChangingSteps {
  explicit ChangingSteps(int k, int degree) {
    Rational t = 5;
    for (int i = 0; i <= k + 2; ++i) {
      times.push_back(t);
      Rational power = 1, value = 1;
      for (int p = 1; p <= degree; ++p) power *= t, value += power / Rational(p + 1);
      data.push_back(value);
      t -= Rational(2 + i * i, 3 + i);
    }
  }
  // prod_(i<=j) tau_i times the divided difference over j + 1 points from the `first` on, after (58).
  Rational nabla(std::size_t first, std::size_t j) const {
    Fractions divided(data.begin() + static_cast<std::ptrdiff_t>(first), data.end());
    Rational product = 1;
    for (std::size_t order = 1; order <= j; ++order) {
      for (std::size_t i = 0; i + order < divided.size(); ++i)
        divided[i] = (divided[i] - divided[i + 1]) / (times[first + i] - times[first + i + order]);
      product *= tau(first, order);
    }
    return product * divided[0];
  }
  Rational tau(std::size_t first, std::size_t j) const { return times[first] - times[first + j]; }
  Rational omega(std::size_t j) const {  // (58)
    Rational product = 1;
    for (std::size_t i = 1; i <= j; ++i) product *= tau(0, i) / tau(1, i);
    return product;
  }
  Rational c(std::size_t j) const {  // (64)
    Rational sum = 0;
    for (std::size_t i = 1; i <= j; ++i) sum += tau(0, 1) / tau(0, i);
    return sum;
  }
  Fractions newest_times(std::size_t first, std::size_t count) const {
    return {times.begin() + static_cast<std::ptrdiff_t>(first),
            times.begin() + static_cast<std::ptrdiff_t>(first + count)};
  }
  Fractions newest_data(std::size_t first, std::size_t count) const {
    return {data.begin() + static_cast<std::ptrdiff_t>(first),
            data.begin() + static_cast<std::ptrdiff_t>(first + count)};
  }
  Fractions times, data;
};

std::vector<std::string> one(const char* name, bool agrees) {
  return agrees ? std::vector<std::string>{} : std::vector<std::string>{name};
}

std::vector<std::string> recursion_59(std::size_t k) {
  const ChangingSteps grid(static_cast<int>(k), static_cast<int>(k) + 1);
  std::vector<std::string> differing;
  for (std::size_t j = 1; j <= k; ++j)
    if (grid.nabla(0, j) != grid.omega(j) * grid.nabla(1, j) + grid.nabla(0, j + 1))
      differing.push_back(fmt::format("{}", j));
  return differing;
}

std::vector<std::string> prediction_61(std::size_t k) {
  const ChangingSteps grid(static_cast<int>(k), static_cast<int>(k) + 1);
  Rational predicted = grid.data[1];
  for (std::size_t j = 1; j <= k; ++j) predicted += grid.omega(j) * grid.nabla(1, j);
  return one("value",
             predicted == interpolated(grid.newest_times(1, k + 1), grid.newest_data(1, k + 1), grid.times[0]));
}

Rational printed_derivative(const ChangingSteps& grid, std::size_t k) {
  Rational sum = grid.c(k) * grid.nabla(0, k + 1);
  for (std::size_t j = 1; j <= k; ++j) sum += grid.c(j) * grid.omega(j) * grid.nabla(1, j);
  return sum;
}

std::vector<std::string> derivative_63(std::size_t k) {
  const ChangingSteps grid(static_cast<int>(k), static_cast<int>(k) + 1);
  const Rational right = grid.tau(0, 1) * first_derivative(grid.newest_times(0, k + 1), grid.newest_data(0, k + 1));
  return one("value", printed_derivative(grid, k) == right);
}

// For a polynomial of degree k + 1 the leading term of the error is all of it.
std::vector<std::string> truncation_64(std::size_t k) {
  const ChangingSteps grid(static_cast<int>(k), static_cast<int>(k) + 1);
  const Rational exact = grid.tau(0, 1) * first_derivative(grid.newest_times(0, k + 2), grid.newest_data(0, k + 2));
  const Rational printed = grid.tau(0, 1) / grid.tau(0, k + 1) * grid.nabla(0, k + 1);
  return one("value", exact - printed_derivative(grid, k) == printed);
}

// ----- steps of algorithms -----

// Newton's method on x^2 = 2 from 3/2 with the relaxation factor that step 1 sets: whether the loop ends at a solution.
std::vector<std::string> algorithm_2(bool mended) {
  const Rational relaxation = mended ? 1 : 0, tolerance(1, 10000);
  Rational x(3, 2);
  constexpr int most = 25;
  for (int i = 0; i < most; ++i) {
    const Rational correction = -relaxation * (x * x - 2) / (2 * x);
    x += correction;
    if (abs(correction) < tolerance) break;
  }
  return one("relaxation factor", abs(Rational(x * x - 2)) < tolerance);
}

// "The step is halved", where the estimate of the error is twice its bound.
std::vector<std::string> algorithm_3(bool mended) {
  const Rational h(1, 10), error = 2;
  const Rational printed = mended ? Rational(h / 2) : Rational(h / (2 * error));
  return one("step", printed == h / 2);
}

// nabla^(k+2) and nabla^k at the next point from nabla^(k+1) there, as (59) has them.
std::vector<std::string> algorithm_4(std::size_t k, bool mended) {
  const ChangingSteps grid(static_cast<int>(k), static_cast<int>(k) + 2);
  const auto factor = [&](std::size_t j) { return mended ? grid.omega(j) : Rational(1); };
  const Rational newest = grid.nabla(0, k + 1);
  std::vector<std::string> differing;
  if (newest - factor(k + 1) * grid.nabla(1, k + 1) != grid.nabla(0, k + 2)) differing.emplace_back("k + 2");
  if (newest + factor(k) * grid.nabla(1, k) != grid.nabla(0, k)) differing.emplace_back("k");
  return differing;
}

std::vector<std::string> differing_in(const FormulaCase& of) {
  const auto k = static_cast<std::size_t>(of.k);
  switch (of.formula) {
    case PrintedFormula::parameters_21:
      return parameters_21();
    case PrintedFormula::states_22:
      return states_22(of.mended);
    case PrintedFormula::accelerations_23:
      return accelerations_23(of.mended);
    case PrintedFormula::balance_24:
      return balance_24();
    case PrintedFormula::error_34:
      return {};
    case PrintedFormula::jacobian_33:
      return jacobian_33(of.variable_mass);
    case PrintedFormula::jacobian_39:
      return jacobian_39(of.variable_mass, of.mended);
    case PrintedFormula::jacobian_79:
      return jacobian_79(of.variable_mass);
    case PrintedFormula::jacobian_84:
      return jacobian_84(of.variable_mass, of.mended);
    case PrintedFormula::resampling_54:
      return resampling_54(of.k);
    case PrintedFormula::involution_55:
      return involution_55(of.k);
    case PrintedFormula::recursion_59:
      return recursion_59(k);
    case PrintedFormula::prediction_61:
      return prediction_61(k);
    case PrintedFormula::derivative_63:
      return derivative_63(k);
    case PrintedFormula::truncation_64:
      return truncation_64(k);
    case PrintedFormula::algorithm_2:
      return algorithm_2(of.mended);
    case PrintedFormula::algorithm_3:
      return algorithm_3(of.mended);
    case PrintedFormula::algorithm_4:
      return algorithm_4(k, of.mended);
  }
  return {};
}

// Its size: the sign says which way positions are off.
double error_of_34(const Exact& rho) {
  const std::optional<Rational> fraction = recover_fraction(rho.value());
  if (!fraction) throw InputError(fmt::format("rho = {} is no fraction", rho.text()));
  return static_cast<double>(abs(error_constant_34(*fraction)));
}

}  // namespace
}  // namespace printed

std::vector<std::string> names_of(PrintedFormula) {
  return {"parameters-21", "states-22",     "accelerations-23", "balance-24",    "error-34",      "jacobian-33",
          "jacobian-39",   "jacobian-79",   "jacobian-84",      "resampling-54", "involution-55", "recursion-59",
          "prediction-61", "derivative-63", "truncation-64",    "algorithm-2",   "algorithm-3",   "algorithm-4"};
}

FormulaCheck check_formula(const FormulaCase& of) {
  FormulaCheck check{false, printed::differing_in(of), {}};
  check.agrees = check.differing.empty();
  if (of.formula == PrintedFormula::error_34) check.value = printed::error_of_34(of.rho);
  return check;
}

}  // namespace daelab
