// Gragg-Bulirsch-Stoer extrapolation of arbitrary order: the independent integrator behind reference
// solutions in minimal coordinates. It shares no code with the methods under test.
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Sec. II.9.
#pragma once

#include <functional>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// y(t1) of y' = f(t, y), y(t0) = y0, with `steps` equal steps, each the polynomial extrapolation of
/// `columns` modified-midpoint results with 2, 4, ..., 2 columns substeps: order 2 columns.
template <class T>
Vector<T> extrapolate(const std::function<void(const T& t, const Vector<T>& y, Vector<T>& f)>& f, T t0, Vector<T> y,
                      const T& t1, int steps, int columns) {
  const T H = (t1 - t0) / steps;
  std::vector<Vector<T>> table(columns);  // row of the Aitken-Neville scheme
  Vector<T> slope0(y.size()), slope(y.size());
  for (int step = 0; step < steps; ++step, t0 += H) {
    f(t0, y, slope0);
    for (int i = 0; i < columns; ++i) {
      const int n = 2 * (i + 1);
      const T h = H / n;
      Vector<T> before = y, now = y + h * slope0;
      for (int k = 1; k < n; ++k) {
        f(t0 + k * h, now, slope);
        before += (h + h) * slope;
        before.swap(now);
      }
      // table[l] becomes T(i, i - l): extrapolated from n_l = 2 (l + 1) to n.
      table[i] = now;
      for (int l = i - 1; l >= 0; --l) {
        const T ratio = T(i + 1) / T(l + 1);
        table[l] = table[l + 1] + (table[l + 1] - table[l]) / (ratio * ratio - 1);
      }
    }
    y = table[0];
  }
  return y;
}

// Compiled once, for the problems.
extern template Vector<Real50> extrapolate<Real50>(
    const std::function<void(const Real50&, const Vector<Real50>&, Vector<Real50>&)>&, Real50, Vector<Real50>,
    const Real50&, int, int);

}  // namespace daelab
