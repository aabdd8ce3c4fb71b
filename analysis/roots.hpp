// Complex zeros of a polynomial in double.
#pragma once

#include <complex>
#include <vector>

namespace daelab {

/// The zeros of sum_j p_j z^j: eigenvalues of the companion matrix. Leading coefficients below 1e-15 of the largest one
/// count as zero: as many zeros are at infinity and are left out.
std::vector<std::complex<double>> zeros(std::vector<std::complex<double>> p);

/// The zero of largest modulus; infinite where one is at infinity, 0 where there is none.
std::complex<double> largest_zero(const std::vector<std::complex<double>>& p);

}  // namespace daelab
