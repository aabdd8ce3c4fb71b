// What names a component: in configs, on the command line and in programs.
#pragma once

#include <optional>
#include <string>

#include "core/base/options.hpp"

namespace daelab {

/// A component by its name and options, "bdf", "gauss:s=3", {"gauss", {{"s", 3}}}; by a file, "@my_method.json"; or a
/// document that is one itself, a tableau or a problem. What it names is looked up by Registry::make().
class ComponentSpec {
 public:
  /// Names nothing, which nothing is made of.
  ComponentSpec() = default;
  ComponentSpec(const char* text) : json_(text) {}         // NOLINT: texts convert on purpose
  ComponentSpec(const std::string& text) : json_(text) {}  // NOLINT
  ComponentSpec(Json spec) : json_(std::move(spec)) {}     // NOLINT: text, or an object
  ComponentSpec(const std::string& name, const Json& options);

  bool empty() const { return json_.is_null(); }
  /// Throws InputError for one that has no name, and for a file that cannot be read.
  std::string name() const;
  /// Options of the component, an object. Throws as name() does.
  Json options() const;
  /// "gauss:s=3", for labels and commands.
  std::string text() const;
  /// As it was given.
  const Json& json() const { return json_; }

  bool operator==(const ComponentSpec&) const = default;

 private:
  Json json_;
};

inline void to_json(Json& json, const ComponentSpec& spec) { json = spec.json(); }

/// One that must be given. Its description says how, after `kind`: "problem", "method".
Option option(std::string name, ComponentSpec& member, const std::string& kind);
/// One that may be left out, or be null.
Option option(std::string name, std::optional<ComponentSpec>& member, std::string doc);

}  // namespace daelab
