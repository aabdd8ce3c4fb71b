// A Runge-Kutta method that is a JSON document: {"name", "A", "b", ...} (core/integration/tableau.hpp).
#include "core/integration/method_documents.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

std::shared_ptr<Component> method_from_tableau(const Json& json, const std::string& where) {
  if (!json.contains("name")) throw InputError(where + "/name", "is missing: what records call this method");
  auto method = std::make_shared<RungeKuttaMethod>(tableau_from_json(json, where));
  method->set_spec(json);  // the coefficients themselves, so that records and hashes follow the file
  return method;
}

const bool tableaus_are_methods = [] {
  accept_method_documents(is_tableau, method_from_tableau);
  return true;
}();

}  // namespace
}  // namespace daelab
