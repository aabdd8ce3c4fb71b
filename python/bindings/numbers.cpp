#include "numbers.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <daelab/core/base/input_error.hpp>
#include <memory>

namespace nb = nanobind;

namespace daelab::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::object owning_array(std::unique_ptr<double[]> numbers, std::initializer_list<std::size_t> shape) {
  double* const data = numbers.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(data, shape, owner));
}

std::string text_of(nb::handle object) { return nb::cast<std::string>(nb::str(object)); }

// Lists, integers, slices; nothing that would lose a part, as of complex numbers.
nb::object as_doubles(nb::handle given, const char* name) {
  try {
    const nb::module_ numpy = nb::module_::import_("numpy");
    return numpy.attr("asarray")(given).attr("astype")("float64", nb::arg("order") = "C",
                                                       nb::arg("casting") = "same_kind");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
    throw InputError("", std::string(name) + " is no array of numbers: " + text_of(error.value()));
  }
}

}  // namespace

nb::object array_of(const double* numbers, Index size) {
  auto copy = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(size));
  std::copy_n(numbers, size, copy.get());
  return owning_array(std::move(copy), {static_cast<std::size_t>(size)});
}

nb::object array_of(const Matrix<double>& x) {
  auto copy = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(x.size()));
  double* entry = copy.get();
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) *entry++ = x(i, j);
  return owning_array(std::move(copy), {static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols())});
}

void read_numbers(nb::handle given, const char* name, double* to, Index size) {
  Numbers numbers;
  nb::object converted;
  if (!nb::try_cast(given, numbers, false)) {
    converted = as_doubles(given, name);
    const std::string shape = text_of(converted.attr("shape"));
    if (!nb::try_cast(converted, numbers, false))
      throw InputError("", std::string(name) + " has the shape " + shape + ", not (" + std::to_string(size) + ",)");
  }
  if (static_cast<Index>(numbers.shape(0)) != size)
    throw InputError("", std::string(name) + " has the shape (" + std::to_string(numbers.shape(0)) + ",), not (" +
                             std::to_string(size) + ",)");
  std::copy_n(numbers.data(), size, to);
}

}  // namespace daelab::python
