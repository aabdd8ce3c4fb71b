#include "core/integration/method_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/paths.hpp"
#include "core/integration/method.hpp"

namespace daelab {
namespace {

// Of a file whose coefficients nobody has asked for yet.
std::string text_of(const Json& json, const char* key, const std::string& otherwise) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : otherwise;
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
    const std::filesystem::path path(file);
    const std::string name = text_of(json, "name", path.stem().string());
    if (const auto names = registry.names(); std::ranges::find(names, name) != names.end())
      throw InputError(
          file, fmt::format("/name: '{}' is the name of a method already, in {}", name, registry.find(name, "").file));
    registry.add({name, text_of(json, "summary", "Runge-Kutta tableau from " + path.filename().string() + "."),
                  text_of(json, "source", ""), file, nullptr, make_from_file, json});
  }
}

}  // namespace daelab
