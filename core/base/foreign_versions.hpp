// Components that are defined outside of daelab while it runs. A version names all that a component computes by, as a
// hash of its code does; all versions of a name are kept, and the name alone means the latest one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/registry.hpp"

namespace daelab {

/// The option of a specification that is a version.
inline constexpr const char* foreign_version_key = "source";

/// Grows whenever a name comes to stand for another component than before.
long foreign_definitions();

namespace detail {
void count_foreign_definition();
}

/// Definition has `name`, `version`, `summary` and `source`. Versions stay: a specification names any of them.
template <class Definition>
class ForeignVersions {
 public:
  using Held = std::shared_ptr<const Definition>;

  static ForeignVersions& instance() {
    static ForeignVersions versions;
    return versions;
  }

  /// Adds a version, and to the registry of its Kind an entry with these functions if the name is a new one. Throws
  /// InputError for a name that is no name, or that of a component of daelab.
  template <class Kind>
  void add(Held definition, decltype(RegistryEntry::schema) schema, decltype(RegistryEntry::construct) construct) {
    RegistryEntry entry{.name = definition->name,
                        .summary = definition->summary,
                        .source = definition->source,
                        .file = "",  // its version says what it computes by
                        .schema = schema,
                        .construct = construct};
    const std::lock_guard lock(mutex_);
    ComponentRegistry& registry = Registry<Kind>::instance();
    const RegistryEntry* const known = registry.look_up(entry.name);
    check_name(Kind::kind, entry, known);
    auto& versions = versions_[entry.name];
    std::erase_if(versions, [&](const Held& one) { return one->version == definition->version; });
    versions.push_back(std::move(definition));
    if (known == nullptr) registry.add(std::move(entry));
    registry.forget_made();
    detail::count_foreign_definition();
  }
  Held latest(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return versions_.at(name).back();
  }
  /// The one that a specification means; its version becomes a text. Throws InputError for one that there is not.
  Held find(const std::string& name, Json& spec, const std::string& where) {
    std::string version;
    if (spec.contains(foreign_version_key)) {
      Json& given = spec[foreign_version_key];
      if (given.is_number()) given = given.dump();  // of "name:source=3"
      if (given.is_string()) version = given.get<std::string>();
    }
    if (version.empty()) return latest(name);
    const std::lock_guard lock(mutex_);
    for (const Held& known : versions_.at(name))
      if (known->version == version) return known;
    throw InputError(where + "/" + foreign_version_key,
                     fmt::format("the code of {} is not the one of '{}' any more; leave \"{}\" out for what it is now",
                                 name, version, foreign_version_key));
  }

 private:
  static void check_name(const char* kind, const RegistryEntry& entry, const RegistryEntry* known) {
    const auto is_allowed = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; };
    if (entry.name.empty() || !std::ranges::all_of(entry.name, is_allowed))
      throw InputError("/name", fmt::format("'{}' is no name of a {}; allowed: letters, digits, '-', '_' and '.'",
                                            entry.name, kind));
    if (known != nullptr && known->construct != entry.construct)
      throw InputError("/name", fmt::format("'{}' is a {} of daelab; choose another name", entry.name, kind));
  }

  std::mutex mutex_;
  std::map<std::string, std::vector<Held>> versions_;
};

}  // namespace daelab
