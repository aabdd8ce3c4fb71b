// Registries: what a file enters on its last line exists everywhere (list, show, configs, tests).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/options.hpp"

namespace daelab {

/// Base of everything that is chosen by name.
class Component {
 public:
  Component();
  virtual ~Component();
  /// {"name": ..., every option with its value}: what identifies it in records and hashes.
  const Json& spec() const { return spec_; }
  std::string name() const;
  void set_spec(Json spec);

 private:
  Json spec_;
};

/// Facts of a component before it is made. Its options are asked for when somebody wants to see them: at
/// program start nothing is computed.
struct RegistryEntry {
  std::string name;
  std::string summary;  // one line
  std::string source;   // where it comes from: paper, section
  std::string file;
  Json (*schema)(const RegistryEntry& entry) = nullptr;  // null: it has no options
  std::shared_ptr<Component> (*construct)(const RegistryEntry& entry, const Json& spec,
                                          const std::string& where) = nullptr;
  Json content = {};                      // of an entry that comes from a JSON file
  std::vector<std::string> makes = {};    // components of its kind that it makes though no option names them
  std::vector<std::string> aliases = {};  // further names that it is found by; records and lists have `name`
  /// What to do before it can be made, "" for nothing; null: nothing.
  std::string (*missing)() = nullptr;

  /// By its name or an alias.
  bool is_called(const std::string& called) const;
  bool is_missing() const { return missing != nullptr && !missing().empty(); }
  /// JSON Schema of each option, with default and description.
  Json options() const;
};

/// Name -> component of one kind.
class ComponentRegistry {
 public:
  /// keeps: see Registry.
  ComponentRegistry(const char* kind, bool keeps);

  /// Throws std::logic_error naming both files when the name or an alias is taken.
  void add(RegistryEntry entry);
  /// By name or alias; null: there is none.
  const RegistryEntry* look_up(const std::string& name) const;
  /// As look_up(), but throws InputError with the known names and the nearest one, or with what it is missing for.
  const RegistryEntry& find(const std::string& name, const std::string& where) const;
  /// Without aliases, and without what is missing.
  std::vector<std::string> names() const;
  /// Name -> what to do before it can be made, where that is something.
  std::map<std::string, std::string> missing() const;
  /// Drops what was made: a name stands for another component than before, also within others.
  void forget_made() const;
  /// Objects that are a component themselves, not the name of one: what recognises them and what makes them.
  void accept_documents(bool (*is_document)(const Json& object),
                        std::shared_ptr<Component> (*construct)(const Json& object, const std::string& where));

 protected:
  std::shared_ptr<Component> construct_document(const Json& document, const std::string& where) const;
  std::shared_ptr<Component> construct(const Json& spec, const std::string& where) const;

 private:
  class Kept;

  const char* kind_;
  std::shared_ptr<Kept> kept_;  // null: a component is made each time
  std::map<std::string, RegistryEntry> entries_;
  bool (*is_document_)(const Json& object) = nullptr;
  std::shared_ptr<Component> (*construct_document_)(const Json& object, const std::string& where) = nullptr;
};

/// Registry of components of one type. Those of a type with `made_once` are shared: whoever asks for the same
/// specification again, in a context of the same settings, is given what was made, with all that it found out about
/// itself.
template <class Kind>
class Registry : public ComponentRegistry {
 public:
  Registry()
      : ComponentRegistry(
            Kind::kind, requires { Kind::made_once; }) {}

  /// Function-local static, so it exists before any entry.
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  /// From name:key=value, @file.json or an object with "name".
  std::shared_ptr<Kind> make(const Json& spec, const std::string& where) const {
    return std::static_pointer_cast<Kind>(construct(spec, where));
  }
  /// From an object that is a component itself. Throws InputError under `where` for others.
  std::shared_ptr<Kind> make_document(const Json& document, const std::string& where) const {
    return std::static_pointer_cast<Kind>(construct_document(document, where));
  }
  std::shared_ptr<Kind> make(const RegistryEntry& entry, const Json& spec, const std::string& where) const {
    return std::static_pointer_cast<Kind>(entry.construct(entry, spec, where));
  }
};

/// {"name": ..., every option with its value}.
Json canonical_spec(const char* name, const Options& options);

/// Enters `Definition` (an options struct with name, summary, source) under `Kind`; `Product` is the
/// component made from it. An optional `resolve()` replaces automatic values by what they stand for, so
/// that equal methods have equal specs; a base Makes (makes.hpp) gives RegistryEntry::makes.
template <class Kind, class Definition, class Product>
RegistryEntry registry_entry(const char* file) {
  static_assert(std::is_base_of_v<Kind, Product>);
  RegistryEntry entry{
      Definition::name,
      Definition::summary,
      Definition::source,
      file,
      [](const RegistryEntry&) { return Definition{}.options().schema(); },
      [](const RegistryEntry&, const Json& spec, const std::string& where) -> std::shared_ptr<Component> {
        Definition definition;
        definition.options().read(spec, where, {"name"});
        if constexpr (requires { definition.resolve(); }) definition.resolve();
        auto product = std::make_shared<Product>(definition, where);
        product->set_spec(canonical_spec(Definition::name, definition.options()));
        return product;
      }};
  if constexpr (requires { Definition::makes(); }) entry.makes = Definition::makes();
  return entry;
}

}  // namespace daelab
