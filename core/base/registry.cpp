#include "core/base/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <utility>

#include "core/base/context.hpp"
#include "core/base/spec_text.hpp"

namespace daelab {
namespace {

// Entries come while others are looked up; they stay where they are.
std::shared_mutex& entries_mutex() {
  static std::shared_mutex mutex;
  return mutex;
}

const RegistryEntry* found_in(const std::map<std::string, RegistryEntry>& entries, const std::string& name) {
  if (const auto place = entries.find(name); place != entries.end()) return &place->second;
  for (const auto& [own_name, entry] : entries)
    if (entry.is_called(name)) return &entry;
  return nullptr;
}

}  // namespace

Component::Component() = default;
Component::~Component() = default;
std::string Component::name() const { return spec_.at("name").get<std::string>(); }
void Component::set_spec(Json spec) { spec_ = std::move(spec); }

bool RegistryEntry::is_called(const std::string& called) const {
  return called == name || std::ranges::find(aliases, called) != aliases.end();
}
Json RegistryEntry::options() const { return schema ? schema(*this) : Json::object(); }

void ComponentRegistry::add(RegistryEntry entry) {
  std::vector<std::string> all{entry.name};
  all.insert(all.end(), entry.aliases.begin(), entry.aliases.end());
  const std::unique_lock lock(entries_mutex());
  for (const std::string& name : all)
    if (const RegistryEntry* other = found_in(entries_, name))
      throw std::logic_error(
          fmt::format("{} '{}' is registered twice: in {} and in {}", kind_, name, other->file, entry.file));
  entries_.emplace(entry.name, std::move(entry));
}

const RegistryEntry* ComponentRegistry::look_up(const std::string& name) const {
  const std::shared_lock lock(entries_mutex());
  return found_in(entries_, name);
}

const RegistryEntry& ComponentRegistry::find(const std::string& name, const std::string& where) const {
  if (const RegistryEntry* entry = look_up(name)) {
    if (!entry->is_missing()) return *entry;
    const std::vector<std::string> known = names();
    const auto longer = std::ranges::find_if(known, [&](const auto& other) { return other.starts_with(name + "-"); });
    throw InputError(where, longer == known.end()
                                ? fmt::format("the {} '{}' is not in this build: {}", kind_, name, entry->missing())
                                : fmt::format("the {} '{}' is not in this build; did you mean '{}'? (For {}: {}.)",
                                              kind_, name, *longer, name, entry->missing()));
  }
  const std::vector<std::string> known = names();
  std::vector<std::string> hints = known;
  const std::shared_lock lock(entries_mutex());
  for (const auto& [own_name, entry] : entries_) hints.insert(hints.end(), entry.aliases.begin(), entry.aliases.end());
  throw InputError(
      where, fmt::format("no {} '{}'{} (known: {})", kind_, name, did_you_mean(name, hints), fmt::join(known, ", ")));
}

std::vector<std::string> ComponentRegistry::names() const {
  const std::shared_lock lock(entries_mutex());
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_)
    if (!entry.is_missing()) names.push_back(name);
  return names;
}

std::map<std::string, std::string> ComponentRegistry::missing() const {
  std::map<std::string, std::string> missing;
  for (const auto& [name, entry] : entries_)
    if (entry.is_missing()) missing[name] = entry.missing();
  return missing;
}

// Components by the settings of their context and their specification.
class ComponentRegistry::Kept {
 public:
  /// Nobody waits while another is made: of two that are made at the same time one is kept.
  std::shared_ptr<Component> get(const Json& spec, const auto& make) {
    if (names_a_file(spec)) return make();  // which may have changed
    const Key key(Context::current().settings(), spec.dump(-1, Json::Utf8::replace));
    long times_forgotten = 0;
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = components_.find(key); known != components_.end()) return known->second;
      times_forgotten = times_forgotten_;
    }
    const std::shared_ptr<Component> made = make();
    const std::lock_guard lock(mutex_);
    if (times_forgotten != times_forgotten_) return made;
    if (components_.size() >= most) components_.clear();  // those in use live on
    return components_.emplace(key, made).first->second;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    components_.clear();
    ++times_forgotten_;
  }

 private:
  using Key = std::pair<Context::Settings, std::string>;
  static constexpr std::size_t most = 256;  // more than an audit of all methods has

  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Component>> components_;
  long times_forgotten_ = 0;
};

ComponentRegistry::ComponentRegistry(const char* kind, bool keeps)
    : kind_(kind), kept_(keeps ? std::make_shared<Kept>() : nullptr) {}

void ComponentRegistry::forget_made() const {
  if (kept_) kept_->forget();
}

void ComponentRegistry::accept_documents(bool (*is_document)(const Json&),
                                         std::shared_ptr<Component> (*construct)(const Json&, const std::string&)) {
  is_document_ = is_document, construct_document_ = construct;
}

namespace {

// What is in a file is named by the file.
std::string document_place(const Json& spec, const std::string& where) {
  if (!spec.is_string()) return where;
  return spec_file(spec.get<std::string>()) + ": ";
}

}  // namespace

std::shared_ptr<Component> ComponentRegistry::construct(const Json& spec, const std::string& where) const {
  const Json given = spec_object(spec, where);
  if (is_document_ && is_document_(given)) return construct_document(given, document_place(spec, where));
  const Json object = parse_spec(given, where);
  const RegistryEntry& entry = find(object["name"].get<std::string>(), where);
  const auto make = [&] { return entry.construct(entry, object, where); };
  return kept_ ? kept_->get(object, make) : make();
}

std::shared_ptr<Component> ComponentRegistry::construct_document(const Json& document, const std::string& where) const {
  if (!is_document_ || !document.is_object() || !is_document_(document))
    throw InputError(where, fmt::format("this is not a {}", kind_));
  const auto make = [&] { return construct_document_(document, where); };
  return kept_ ? kept_->get(document, make) : make();
}

Json canonical_spec(const char* name, const Options& options) {
  Json spec = {{"name", name}};
  spec.update(options.write());
  return spec;
}

}  // namespace daelab
