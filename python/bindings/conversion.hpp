// Python objects as JSON values and the other way.
#pragma once

#include <nanobind/nanobind.h>
#include <daelab/lab/lab.hpp>

#include <string>

namespace daelab::python {

/// dict, list, tuple, str, bool, int, float and None; of numpy, numbers and arrays; Fraction and other exact numbers,
/// and paths, as their text. Throws InputError under `where` for numbers that are not finite, for keys that are no
/// texts and for other objects.
Json json_of(nanobind::handle object, const std::string& where = "");

nanobind::object object_of(const Json& json);

/// Makes InputError of C++ daelab.InputError of Python.
void translate_errors();

}  // namespace daelab::python
