// Registries: what a file enters on its last line exists everywhere (list, show, configs, tests).
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/options.hpp"

namespace daelab {

/// Base of everything that is chosen by name.
class Component {
 public:
  virtual ~Component() = default;
  /// {"name": ..., every option with its value}: what identifies it in records and hashes.
  const Json& spec() const { return spec_; }
  std::string name() const { return spec_.at("name").get<std::string>(); }
  void set_spec(Json spec) { spec_ = std::move(spec); }

 private:
  Json spec_;
};

/// Name -> component of one kind. Function-local static, so it exists before any entry.
template <class Kind>
class Registry {
 public:
  struct Entry {
    std::string name;
    std::string summary;  // one line
    std::string source;   // where it comes from: paper, section
    Json options;         // JSON Schema of each option, with default and description
    std::string file;
    std::function<std::shared_ptr<Kind>(const Json& spec, const std::string& where)> make;
  };

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  /// Throws std::logic_error naming both files when the name is taken.
  void add(Entry entry) {
    const auto [place, inserted] = entries_.emplace(entry.name, entry);
    if (!inserted)
      throw std::logic_error(fmt::format("{} '{}' is registered twice: in {} and in {}", Kind::kind,
                                         entry.name, place->second.file, entry.file));
  }

  /// Throws InputError with the known names and the nearest one.
  const Entry& find(const std::string& name, const std::string& where) const {
    const auto place = entries_.find(name);
    if (place != entries_.end()) return place->second;
    const std::string near = nearest_name(name, names());
    throw InputError(where, fmt::format("no {} '{}'; known: {}{}", Kind::kind, name,
                                        fmt::join(names(), ", "),
                                        near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  /// From name:key=value, @file.json or an object with "name".
  std::shared_ptr<Kind> make(const Json& spec, const std::string& where) const {
    const Json object = parse_spec(spec, where);
    return find(object["name"].template get<std::string>(), where).make(object, where);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, Entry> entries_;
};

/// Enters `Definition` (an options struct with name, summary, source) under `Kind`; `Product` is the
/// component made from it. An optional `resolve()` replaces automatic values by what they stand for, so
/// that equal methods have equal specs.
template <class Kind, class Definition, class Product>
typename Registry<Kind>::Entry registry_entry(const char* file) {
  return {Definition::name, Definition::summary, Definition::source,
          Definition{}.options().schema(), file,
          [](const Json& spec, const std::string& where) -> std::shared_ptr<Kind> {
            Definition definition;
            definition.options().read(spec, where, {"name"});
            if constexpr (requires { definition.resolve(); }) definition.resolve();
            auto product = std::make_shared<Product>(definition, where);
            Json canonical = {{"name", Definition::name}};
            canonical.update(definition.options().write());
            product->set_spec(std::move(canonical));
            return product;
          }};
}

}  // namespace daelab
