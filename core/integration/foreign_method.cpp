#include "core/integration/foreign_method.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "core/base/foreign_versions.hpp"
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

using Definitions = ForeignVersions<ForeignMethod>;
using Definition = Definitions::Held;

using Value = std::variant<bool, int, Exact, std::string>;

// The options of a version with their values, at first the defaults.
struct Values {
  explicit Values(const ForeignMethod& method) : version(method.version) {
    for (const auto& [name, value] : method.options.items()) of.emplace_back(name, default_of(name, value));
  }

  Options options() {
    std::vector<Option> list;
    for (auto& [name, value] : of)
      list.push_back(std::visit([&called = name](auto& x) { return option(called, x, ""); }, value));
    list.push_back(option(foreign_version_key, version, "the version, by a hash of its code"));
    return list;
  }
  /// For the stepper.
  Json numbers() const {
    Json numbers = Json::object();
    for (const auto& [name, value] : of) {
      const auto* const exact = std::get_if<Exact>(&value);
      numbers[name] = exact ? Json(exact->as<double>()) : std::visit([](const auto& x) { return as_json(x); }, value);
    }
    return numbers;
  }

  std::vector<std::pair<std::string, Value>> of;
  std::string version;

 private:
  static Json as_json(const Exact& x) { return x.text(); }
  static Json as_json(const auto& x) { return x; }

  static Value default_of(const std::string& name, const Json& value) {
    const std::string where = "/options/" + name;
    if (name == "name" || name == foreign_version_key || is_tableau({{name, value}}))
      throw InputError(where, fmt::format("'{}' is what daelab calls something else in the specification of a method; "
                                          "choose another name",
                                          name));
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer() && std::abs(value.get<double>()) <= std::numeric_limits<int>::max())
      return value.get<int>();
    if (value.is_number_float()) return exact_from_json(value, where);
    throw InputError(where, fmt::format("{} is no value of an option; allowed: a truth value, an integer below 2^31, a "
                                        "number, a text",
                                        value.dump()));
  }
};

class Foreign final : public Method {
 public:
  Foreign(Definition definition, Json options) : definition_(std::move(definition)), options_(std::move(options)) {}

#define DAELAB_DEFINE(T)                                                                                   \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& /*newton*/) const override { \
    return stepper_in(system);                                                                             \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE
  std::vector<std::string> formulations() const override { return definition_->formulations; }
  MethodForm form() const override { return NoForm{"it is defined outside of daelab"}; }
  PredictedOrders predicted_orders(const FormulationTraits& /*formulation*/,
                                   const FormOrders& /*orders*/) const override {
    return definition_->orders;
  }

 private:
  std::unique_ptr<Stepper<double>> stepper_in(System<double>& system) const {
    return definition_->stepper(system, options_);
  }
  template <class T>
  std::unique_ptr<Stepper<T>> stepper_in(System<T>& /*system*/) const {
    throw NotApplicable(fmt::format("{} computes in double", definition_->name));
  }

  Definition definition_;
  Json options_;
};

std::shared_ptr<Component> make_foreign(const RegistryEntry& entry, const Json& given, const std::string& where) {
  Json spec = given;
  const Definition definition = Definitions::instance().find(entry.name, spec, where);
  Values values(*definition);
  values.options().read(spec, where, {"name"});
  auto method = std::make_shared<Foreign>(definition, values.numbers());
  method->set_spec(canonical_spec(entry.name.c_str(), values.options()));
  return method;
}

Json schema_of_latest(const RegistryEntry& entry) {
  return Values(*Definitions::instance().latest(entry.name)).options().schema();
}

}  // namespace

void register_method(ForeignMethod method) {
  const Values checked(method);
  for (std::size_t i = 0; i < method.formulations.size(); ++i)
    Registry<Formulation>::instance().find(method.formulations[i], fmt::format("/formulations/{}", i));
  Definitions::instance().add<Method>(std::make_shared<const ForeignMethod>(std::move(method)), schema_of_latest,
                                      make_foreign);
}

}  // namespace daelab
