// The complex plane as a method sees it: where |zeta| <= 1 for the largest root of the stability polynomial, and the
// order star |R(w) exp(-w)| > 1, both as polygons found on a grid.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. IV.2, IV.4.
#pragma once

#include <complex>
#include <vector>

#include "analysis/stability_polynomial.hpp"

namespace daelab {

/// A rectangle of the plane with columns x rows points, at least 2 x 2, both ends included.
struct PlaneGrid {
  double left = -10, right = 10, bottom = -10, top = 10;
  int columns = 400, rows = 400;
  double x(int i) const { return i == columns - 1 ? right : left + (right - left) * i / (columns - 1); }
  double y(int j) const { return j == rows - 1 ? top : bottom + (top - bottom) * j / (rows - 1); }
};

/// log|zeta| of the largest root on the grid, entry (j, i) at x(i) + i y(j); +inf at poles.
Matrix<double> log_radius(const StabilityPolynomial& pi, const PlaneGrid& grid);
/// log|R exp(-w)| = log|zeta| - Re w. For one-step methods free of cancellation near the origin, where it vanishes to
/// the order of the method.
Matrix<double> log_order_star(const StabilityPolynomial& pi, const PlaneGrid& grid);

struct Polygon {
  std::vector<double> x, y;
};

/// The region value <= level as closed polygons, the last point joined to the first, the region on the left, so that
/// holes run clockwise; parts of the rectangle's border belong to them. Marching squares with linear interpolation on
/// the edges; saddles are decided by the mean of the four corners. NaN is outside.
std::vector<Polygon> sublevel_polygons(const Matrix<double>& values, const PlaneGrid& grid, double level = 0);

/// Where value = level, without the rectangle's border: open curves, and closed ones that end in their first point.
std::vector<Polygon> level_curves(const Matrix<double>& values, const PlaneGrid& grid, double level = 0);

/// A region of the plane, cut at the rectangle, and the part of its boundary inside.
struct PlaneRegion {
  std::vector<Polygon> areas, boundary;
};
/// |zeta| <= 1 for all roots.
PlaneRegion stability_region(const StabilityPolynomial& pi, const PlaneGrid& grid);
/// |R exp(-w)| > 1. [HW96, Def. IV.4.1]
PlaneRegion order_star(const StabilityPolynomial& pi, const PlaneGrid& grid);

/// Of R of a one-step method, in double; empty for other methods.
struct ZerosAndPoles {
  std::vector<std::complex<double>> zeros, poles;
};
ZerosAndPoles zeros_and_poles(const StabilityPolynomial& pi);

/// A rectangle with the origin and the boundaries of all these regions inside, symmetric to the real axis, its ends
/// round; where a boundary is the imaginary axis, with the zeros and poles instead.
PlaneGrid region_window(const std::vector<StabilityPolynomial>& methods);
/// One with all zeros and poles inside.
PlaneGrid order_star_window(const StabilityPolynomial& pi);

}  // namespace daelab
