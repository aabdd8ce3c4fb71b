// A Runge-Kutta method that is a JSON document: {"name", "A", "b", ...} (core/integration/tableau.hpp).
#include "core/integration/method_documents.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

const bool tableaus_are_methods = [] {
  accept_method_documents(is_tableau, method_of_document<RungeKuttaMethod, tableau_from_json>);
  return true;
}();

}  // namespace
}  // namespace daelab
