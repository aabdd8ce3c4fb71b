// The complex plane as a method sees it: |R| (the largest root of the stability polynomial) on a grid, its level curves,
// and the order star |R(w) exp(-w)| > 1.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. IV.2, IV.4.
#pragma once

#include <complex>
#include <vector>

#include "analysis/stability_polynomial.hpp"

namespace daelab {

/// A rectangle of the plane with columns x rows points, both ends included.
struct PlaneGrid {
  double left = -10, right = 10, bottom = -10, top = 10;
  int columns = 400, rows = 400;
  double x(int i) const { return left + (right - left) * i / (columns - 1); }
  double y(int j) const { return bottom + (top - bottom) * j / (rows - 1); }
};

/// log|zeta| of the largest root on the grid, entry (j, i) at x(i) + i y(j); +inf at poles. For the order star
/// log|R exp(-w)| = log|R| - Re w.
Matrix<double> log_radius(const StabilityPolynomial& pi, const PlaneGrid& grid);
Matrix<double> log_order_star(const StabilityPolynomial& pi, const PlaneGrid& grid);

/// The region value <= level as closed polygons, x and y apart, the region on the left, so that holes run clockwise;
/// parts of the rectangle's border belong to them. Marching squares with linear interpolation on the edges.
struct Polygon {
  std::vector<double> x, y;
};
std::vector<Polygon> sublevel_polygons(const Matrix<double>& values, const PlaneGrid& grid, double level = 0);

/// Where value = level, without the rectangle's border: open or closed curves.
std::vector<Polygon> level_curves(const Matrix<double>& values, const PlaneGrid& grid, double level = 0);

}  // namespace daelab
