// The number types, and the one list of scalars everything is instantiated for.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/real.hpp"

namespace daelab {

using Index = Eigen::Index;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

/// The working scalars of a build: X(double) X(Real50), or X(double) alone with -DDAELAB_SCALARS=double.
#ifdef DAELAB_DOUBLE_ONLY
#define DAELAB_FOR_SCALARS(X) X(double)
#else
#define DAELAB_FOR_SCALARS(X) X(double) X(Real50)
#endif

/// The scalars of one file of templates: one at a time where CMakeLists.txt splits it.
#ifndef DAELAB_INSTANTIATED_SCALARS
#define DAELAB_INSTANTIATED_SCALARS(X) DAELAB_FOR_SCALARS(X)
#endif

/// Selects a scalar in a virtual function, which cannot be a template.
template <class T>
struct As {};

/// The working scalars of runs, whatever the build has.
enum class Scalar { binary64, real50 };
/// "double", "real50": as specifications and records name them.
std::vector<std::string> names_of(Scalar);
/// "double", "50 digits": for readers of tables and figures.
std::string words_for(Scalar scalar);

template <class T>
constexpr Scalar scalar_of = std::is_same_v<T, double> ? Scalar::binary64 : Scalar::real50;
template <class T>
std::string scalar_name() {
  return names_of(Scalar{})[static_cast<std::size_t>(scalar_of<T>)];
}

/// Unit round-off distance of T: 2.2e-16 for double, about 1e-50 for Real50.
template <class T>
T epsilon() {
  return std::numeric_limits<T>::epsilon();
}

/// Shortest decimal text that reads back to the same double; all digits for wider types.
std::string to_text(double x);
std::string to_text(const Real50& x);
std::string to_text(const Real100& x, int digits = 50);

}  // namespace daelab
