// The parts of the extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace daelab::python {

void bind_solve(nanobind::module_& module);
void bind_result_sets(nanobind::module_& module);
void bind_own_method(nanobind::module_& module);
void bind_own_problem(nanobind::module_& module);
void bind_pictures(nanobind::module_& module);

}  // namespace daelab::python
