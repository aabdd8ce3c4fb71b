// Methods written in Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <daelab/core/integration/foreign_method.hpp>
#include <daelab/lab/project.hpp>

#include "bindings.hpp"
#include "conversion.hpp"
#include "interruption.hpp"
#include "own_stepper.hpp"
#include "own_system.hpp"

namespace nb = nanobind;

namespace daelab::python {
namespace {

std::optional<int> order_of(const Json& orders, const char* kind) {
  return orders.contains(kind) ? std::optional(orders[kind].get<int>()) : std::nullopt;
}

PredictedOrders stated_orders(const Json& orders, const std::string& name) {
  if (orders.empty()) return PredictedOrders::unknown(name + " states no order");
  return {order_of(orders, "q"), order_of(orders, "v"), order_of(orders, "a"), order_of(orders, "lambda"),
          "stated by " + name};
}

// Refers to the class by its version alone: own_methods.py holds it.
void register_own(nb::handle description) {
  const Json given = json_of(description);
  const Unlocked unlocked;
  load_project();
  const std::string name = given.at("name"), version = given.at("version");
  register_method({.name = name,
                   .summary = given.at("summary"),
                   .source = given.at("source"),
                   .version = version,
                   .options = given.at("options"),
                   .orders = stated_orders(given.at("orders"), name),
                   .formulations = given.at("formulations").get<std::vector<std::string>>(),
                   .stepper = [name, version](System<double>& system, const Json& options) {
                     return std::make_unique<OwnStepper>(system, name, version, options);
                   }});
}

}  // namespace

void bind_own_method(nb::module_& module) {
  bind_own_system(module);
  module.def("register_method", &register_own, nb::arg("description"));
}

}  // namespace daelab::python
