// daelab._core: what the Python package takes from the library. The package's own modules say what users see.
#include "bindings.hpp"
#include "conversion.hpp"
#include "interruption.hpp"

NB_MODULE(_core, module) {
  daelab::python::translate_errors();
  daelab::python::stop_work_at_exit();
  daelab::python::bind_solve(module);
  daelab::python::bind_result_sets(module);
  daelab::python::bind_own_method(module);
  daelab::python::bind_own_problem(module);
  daelab::python::bind_pictures(module);
}
