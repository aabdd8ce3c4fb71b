// Elliptic functions and integrals and Gauss quadrature in 50 and 100 digits, by Boost.Math: the closed forms of
// problems. Compiled once, for these types are slow to compile there.
#pragma once

#include <functional>

#include "core/base/real.hpp"

namespace daelab {

/// sn(u, k), cn(u, k) and dn(u, k).
template <class T>
struct JacobiElliptic {
  T sn, cn, dn;
};
template <class T>
JacobiElliptic<T> jacobi_elliptic(const T& k, const T& u);

/// Legendre's integrals with modulus k: F(phi, k), E(phi, k) and Pi(n; phi, k) = the integral of
/// 1/((1 - n sin^2) sqrt(1 - k^2 sin^2)); without phi the complete ones, phi = pi/2.
template <class T>
T elliptic_first(const T& k);
template <class T>
T elliptic_first(const T& k, const T& phi);
template <class T>
T elliptic_second(const T& k, const T& phi);
template <class T>
T elliptic_third(const T& k, const T& n);
template <class T>
T elliptic_third(const T& k, const T& n, const T& phi);

/// The integral of f by Gauss quadrature with 30 nodes.
Real50 gauss_30(const std::function<Real50(const Real50&)>& f, const Real50& from, const Real50& to);

}  // namespace daelab
