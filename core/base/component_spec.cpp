#include "core/base/component_spec.hpp"

#include <utility>

namespace daelab {
namespace {

const OptionType spec_type = {[](void*, const Allowed&) {
                                return Json{{"type", {"string", "object"}}};
                              },
                              [](void* member, const Json& value, const std::string&, const Allowed&) {
                                *static_cast<ComponentSpec*>(member) = value;
                              },
                              [](void* member) { return static_cast<ComponentSpec*>(member)->json(); }};

const OptionType optional_spec_type = {[](void*, const Allowed&) {
                                         return Json{{"type", {"string", "object", "null"}}};
                                       },
                                       [](void* member, const Json& value, const std::string&, const Allowed&) {
                                         auto& spec = *static_cast<std::optional<ComponentSpec>*>(member);
                                         spec = value.is_null() ? std::nullopt : std::optional(ComponentSpec(value));
                                       },
                                       [](void* member) {
                                         const auto& spec = *static_cast<std::optional<ComponentSpec>*>(member);
                                         return spec ? spec->json() : Json();
                                       }};

}  // namespace

ComponentSpec::ComponentSpec(const std::string& name, const Json& options) : json_{{"name", name}} {
  json_.update(options);
}

std::string ComponentSpec::name() const { return parse_spec(json_, "").at("name").get<std::string>(); }

Json ComponentSpec::options() const {
  Json options = spec_object(json_, "");
  options.erase("name");
  return options;
}

std::string ComponentSpec::text() const { return json_.is_string() ? json_.get<std::string>() : spec_text(json_); }

Option option(std::string name, ComponentSpec& member, const std::string& kind) {
  return {std::move(name), &member, spec_type, kind + ": name:key=value, @file.json or an object with \"name\""};
}

Option option(std::string name, std::optional<ComponentSpec>& member, std::string doc) {
  return {std::move(name), &member, optional_spec_type, std::move(doc)};
}

}  // namespace daelab
