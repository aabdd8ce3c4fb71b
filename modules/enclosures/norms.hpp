// The norm sum_k |c_k| rho^k of functions on a disc |z| <= rho, by their coefficients below an order L.
#pragma once

#include <vector>

#include "modules/enclosures/series.hpp"

namespace daelab {

/// Norms of coefficients, of everything from one order on, and of the tail.
struct NormSeries {
  std::vector<double> from;  // from[k]: coefficients k, ..., L - 1; L + 1 entries, the last is 0
  double tail = 0;
  double coefficients() const { return from.front(); }
  double all() const { return above(from.front() + tail); }
};

NormSeries norms_of(const std::vector<double>& c);

class DiscNorms {
 public:
  static constexpr double unit = 4e-16;  // bounds the round-off of double, of a power of rho included

  DiscNorms(double rho, int order);

  arb_srcptr power(int k) const { return powers_[static_cast<std::size_t>(k)]; }
  NormSeries norms(const BallSeries& a) const;
  /// Coefficients times powers of rho, in double.
  std::vector<double> scaled(const BallSeries& a) const;
  /// The norm of the radii of the coefficients.
  double radii(const BallSeries& a) const;
  /// Orders L and above of the product of the coefficients.
  double lost_product(const NormSeries& a, const NormSeries& b) const;
  /// The first coefficients c of 1 / b, in double. rounding: |1 - c b| of orders below L.
  std::vector<double> reciprocal(const BallSeries& b, double& rounding) const;
  /// Of y' = a' y: products a_j y_(k-j) have the weights j / k. For y of order L and above:
  double growth(const NormSeries& a) const;
  /// For the coefficients of y below L, where k >= L.
  double source(const NormSeries& a, const NormSeries& y) const;

 private:
  int L_;
  Balls powers_;
};

}  // namespace daelab
