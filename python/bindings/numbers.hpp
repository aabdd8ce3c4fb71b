// Vectors and matrices of C++ as arrays of numpy, copied both ways.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <daelab/core/base/scalar.hpp>

#include <string>

namespace daelab::python {

/// An array that owns its numbers, shape (size) or, row by row, (rows, columns).
nanobind::object array_of(const double* numbers, Index size);
inline nanobind::object array_of(const Vector<double>& x) { return array_of(x.data(), x.size()); }
nanobind::object array_of(const Matrix<double>& x);

/// Numbers of an array or a list that is to have this size, into `to`. Throws InputError for other shapes and types,
/// which begins with `name`.
void read_numbers(nanobind::handle given, const char* name, double* to, Index size);
inline Vector<double> numbers_of(nanobind::handle given, const char* name, Index size) {
  Vector<double> x(size);
  read_numbers(given, name, x.data(), size);
  return x;
}

}  // namespace daelab::python
