// The modes of the undamped oscillator as zeros of a polynomial with exact coefficients,
//
//   sum_j c_j(kappa) z^j = 0,  kappa = (omega h)^2.
#pragma once

#include <vector>

#include "analysis/polynomial.hpp"
#include "analysis/stability.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

/// c_j, polynomials in kappa.
template <class T>
using ModePolynomial = std::vector<Poly<T>>;

template <class T>
using PolyMatrix = std::vector<std::vector<Poly<T>>>;

template <class T>
Poly<T> negated(Poly<T> p) {
  for (T& a : p) a = -a;
  return p;
}

template <class T>
Poly<T> sum(const Poly<T>& p, const Poly<T>& q) {
  return difference(p, negated(q));
}

/// Without one row and one column.
template <class T>
PolyMatrix<T> submatrix(PolyMatrix<T> m, std::size_t row, std::size_t column) {
  m.erase(m.begin() + static_cast<std::ptrdiff_t>(row));
  for (auto& entries : m) entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(column));
  return m;
}

/// By expansion along the first row: for sizes 2 and 3.
template <class T>
Poly<T> determinant(const PolyMatrix<T>& m) {
  if (m.size() == 1) return m[0][0];
  Poly<T> result;
  for (std::size_t j = 0; j < m.size(); ++j) {
    const Poly<T> term = product(m[0][j], determinant(submatrix(m, 0, j)));
    result = j % 2 == 0 ? sum(result, term) : difference(result, term);
  }
  return result;
}

/// For an oscillator form, `exact` its entries as T: det(z (next_0 + kappa next_2) - (now_0 + kappa now_2)).
template <class T, class Exactly>
ModePolynomial<T> mode_polynomial(const OscillatorForm& form, Exactly exact) {
  const auto n = static_cast<std::size_t>(form.size());
  const std::size_t stride = n + 1;  // kappa is written as z^stride, above all powers of z
  PolyMatrix<T> m(n, std::vector<Poly<T>>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const auto entry = [&](const Matrix<Real100>& x) {
        return exact(x(static_cast<Index>(i), static_cast<Index>(j)));
      };
      Poly<T> p(stride + 2, T(0));
      p[0] = -entry(form.now[0]), p[1] = entry(form.next[0]);
      p[stride] = -entry(form.now[2]), p[stride + 1] = entry(form.next[2]);
      m[i][j] = trimmed(p);
    }
  const Poly<T> all = determinant(m);
  ModePolynomial<T> c(n + 1);
  for (std::size_t k = 0; k < all.size(); ++k) {
    Poly<T>& coefficient = c[k % stride];
    coefficient.resize(k / stride + 1, T(0));
    coefficient.back() = all[k];
  }
  for (Poly<T>& coefficient : c) coefficient = trimmed(coefficient);
  return c;
}

/// Of R = P/Q: |Q|^2 z^2 - 2 Re(P conj(Q)) z + |P|^2 at i Omega, with the zeros R(+-i Omega).
template <class T>
ModePolynomial<T> mode_polynomial(const Poly<T>& P, const Poly<T>& Q) {
  struct Parts {
    Poly<T> even, odd;  // p(i Omega) = even(kappa) + i Omega odd(kappa)
  };
  const auto parts = [](const Poly<T>& p) {
    Parts result;
    for (std::size_t i = 0; i < p.size(); ++i)
      (i % 2 == 0 ? result.even : result.odd).push_back(i % 4 < 2 ? p[i] : T(-p[i]));
    return result;
  };
  const Parts p = parts(P), q = parts(Q);
  const auto real_part = [](const Parts& a, const Parts& b) {  // of a conj(b)
    return sum(product(a.even, b.even), product(Poly<T>{T(0), T(1)}, product(a.odd, b.odd)));
  };
  const Poly<T> mixed = real_part(p, q);
  return {real_part(p, p), negated(sum(mixed, mixed)), real_part(q, q)};
}

}  // namespace daelab
