#include "core/integration/method_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/coefficient_document.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/integration/method.hpp"

namespace daelab {
namespace {

// For a file whose coefficients nobody has asked for yet.
std::string text_of(const Json& json, const char* key, const std::string& otherwise) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : otherwise;
}

// Entries that are no text are refused when the coefficients are read.
std::vector<std::string> aliases_of(const Json& json) {
  std::vector<std::string> aliases;
  if (!json.is_object() || !json.contains("aliases") || !json["aliases"].is_array()) return aliases;
  for (const Json& alias : json["aliases"])
    if (alias.is_string()) aliases.push_back(alias.get<std::string>());
  return aliases;
}

std::shared_ptr<Component> make_from_file(const RegistryEntry& entry, const Json& spec, const std::string& where) {
  Options({}).read(spec, where, {"name"});
  return Registry<Method>::instance().make_document(entry.content, entry.file + ": ");
}

}  // namespace

void load_method_files(const std::string& folder) {
  auto& registry = Registry<Method>::instance();
  for (const std::string& file : json_files_below(folder)) {
    const Json json = read_json_file(file);
    // Weights without coefficients belong to a composition, which names them.
    if (json.is_object() && json.contains("weights") && !holds_coefficients(json)) continue;
    const std::filesystem::path path(file);
    const std::string name = text_of(json, "name", path.stem().string());
    const std::vector<std::string> aliases = aliases_of(json);
    const auto check = [&](const std::string& called, const std::string& pointer) {
      if (const RegistryEntry* other = registry.look_up(called))
        throw InputError(file,
                         fmt::format("{}: '{}' is the name of a method already, in {}", pointer, called, other->file));
    };
    check(name, "/name");
    for (std::size_t i = 0; i < aliases.size(); ++i) check(aliases[i], fmt::format("/aliases/{}", i));
    registry.add({.name = name,
                  .summary = text_of(json, "summary", "Runge-Kutta tableau from " + path.filename().string() + "."),
                  .source = text_of(json, "source", ""),
                  .file = file,
                  .construct = make_from_file,
                  .content = json,
                  .aliases = aliases});
  }
}

}  // namespace daelab
