// Complex zeros of a polynomial, and bisection, in double.
#pragma once

#include <complex>
#include <vector>

namespace daelab {

/// The zeros of sum_j p_j z^j: eigenvalues of the companion matrix. Leading coefficients below 1e-15 of the largest one
/// count as zero: as many zeros are at infinity and are left out.
std::vector<std::complex<double>> zeros(std::vector<std::complex<double>> p);

/// The zero of largest modulus; infinite where one is at infinity, 0 where there is none.
std::complex<double> largest_zero(const std::vector<std::complex<double>>& p);

/// x between lower and upper where a predicate changes its mind, to round-off; it differs at the two ends.
template <class Predicate>
double bisect(double lower, double upper, Predicate holds) {
  const bool at_upper = holds(upper);
  for (int i = 0; i < 60; ++i) {
    const double middle = (lower + upper) / 2;
    (holds(middle) == at_upper ? upper : lower) = middle;
  }
  return (lower + upper) / 2;
}

}  // namespace daelab
