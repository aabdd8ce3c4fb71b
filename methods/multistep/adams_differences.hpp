// The past of an Adams method on a grid of its own: modified divided differences of slopes (variable_adams.hpp).
#pragma once

#include <array>

#include "core/base/scalar.hpp"

namespace daelab {

/// Differences kept for steps of order `highest` and less: phi_0, ..., phi_(highest + 1).
constexpr int adams_columns(int highest) { return highest + 2; }

template <class T>
struct AdamsPast {
  AdamsPast(Index components, int columns)
      : phi(Matrix<T>::Zero(components, columns)), d(Vector<T>::Zero(columns + 1)) {}

  Matrix<T> phi;                  // (components, columns): phi_j
  Vector<T> d;                    // (columns + 1): d_j, d_0 = 0
  int known = 0;                  // so many of the differences are of slopes that the run has had
  long equal_steps = 0;           // the last so many were of one size
  int order = 0, next_order = 0;  // of the step that led here, 0: it was one of another method
  bool rises = false;             // every step may be of a higher order than the last
  bool operator==(const AdamsPast&) const = default;
};

/// beta_j, j < known, and g_j, j <= min(known, most), of a step of size h.
template <class T>
struct AdamsWeights {
  static constexpr int most = 16;
  std::array<T, most> beta{}, g{};

  void find(const AdamsPast<T>& past, const T& h) {
    const int known = past.known;
    const Vector<T>& d = past.d;
    beta[0] = T(1);
    for (int j = 1; j < known; ++j) beta[index(j)] = beta[index(j - 1)] * (h + d[j - 1]) / d[j];
    // Row j of c_(j,q) overwrites row j - 1.
    std::array<T, most + 2> c{};
    for (int q = 1; q <= known + 1; ++q) c[index(q)] = T(1) / T(q);
    g[0] = c[1];
    for (int j = 1; j <= known; ++j) {
      // c_(0,q) - c_(0,q+1) = 1/(q (q + 1)): the general step with h / (h + d_0) = 1.
      const T ratio = h / (h + d[j - 1]);
      for (int q = 1; q <= known + 1 - j; ++q) c[index(q)] -= ratio * c[index(q + 1)];
      g[index(j)] = c[1];
    }
  }

 private:
  static std::size_t index(int j) { return static_cast<std::size_t>(j); }
};

/// w with int_0^s of the polynomial through the last k + 1 slopes = sum_(j<=k) w_j phi_j, s counted from t_n. Exact:
/// products of the Newton form are integrated by their coefficients.
template <class T>
std::array<T, AdamsWeights<T>::most> adams_interpolation_weights(const AdamsPast<T>& past, int k, const T& s) {
  std::array<T, AdamsWeights<T>::most> w{};
  // Coefficients of x^i in prod_(i<j) (s x + d_i) / d_(i+1), x from 0 to 1.
  std::array<T, AdamsWeights<T>::most + 1> product{};
  product[0] = T(1);
  for (int j = 0; j <= k; ++j) {
    T integral(0);
    for (int i = j; i >= 0; --i) integral += product[static_cast<std::size_t>(i)] / T(i + 1);
    w[static_cast<std::size_t>(j)] = s * integral;
    if (j == k) break;
    const T &shift = past.d[j], &scale = past.d[j + 1];
    for (int i = j + 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      product[at] = ((i > 0 ? T(s * product[at - 1]) : T(0)) + shift * product[at]) / scale;
    }
  }
  return w;
}

}  // namespace daelab
