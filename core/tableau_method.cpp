#include "core/tableau_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace daelab {
namespace {

bool is_tableau(const Json& json) { return json.is_object() && (json.contains("A") || json.contains("b")); }

std::shared_ptr<Method> method_from_tableau(const Json& json, const std::string& where) {
  if (!json.contains("name")) throw InputError(where + "/name", "is missing: what records call this method");
  auto method = std::make_shared<RungeKuttaMethod>(tableau_from_json(json, where));
  method->set_spec(json);  // the coefficients themselves, so that records and hashes follow the file
  return method;
}

// Of a file whose coefficients nobody has asked for yet.
std::string text_of(const Json& json, const char* key, const std::string& otherwise) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : otherwise;
}

}  // namespace

std::shared_ptr<Method> make_method(const Json& spec, const std::string& where) {
  if (spec.is_string() && spec.get<std::string>().starts_with("@")) {
    const std::string path = spec.get<std::string>().substr(1);
    const Json json = read_json_file(path);
    if (is_tableau(json)) return method_from_tableau(json, path);
  }
  if (is_tableau(spec)) return method_from_tableau(spec, where);
  return Registry<Method>::instance().make(spec, where);
}

void load_method_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const Json json = read_json_file(file.string());
    const std::string name = text_of(json, "name", file.stem().string());
    auto& registry = Registry<Method>::instance();
    if (const auto names = registry.names(); std::find(names.begin(), names.end(), name) != names.end())
      throw InputError(file.string(), fmt::format("/name: '{}' is the name of a method already, in {}", name,
                                                  registry.find(name, "").file));
    registry.add(
        {name, text_of(json, "summary", "Runge-Kutta tableau from " + file.filename().string() + "."),
         text_of(json, "source", ""), file.string(), nullptr,
         [](const RegistryEntry& entry, const Json& spec, const std::string& where) -> std::shared_ptr<Component> {
           Options({}).read(spec, where, {"name"});
           return method_from_tableau(entry.content, entry.file);
         },
         json});
  }
}

}  // namespace daelab
