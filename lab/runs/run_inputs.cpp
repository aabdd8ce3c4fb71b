#include "lab/runs/run_inputs.hpp"

#include <filesystem>

#include "core/base/json_file.hpp"
#include "core/base/options.hpp"
#include "core/base/paths.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/run_kind.hpp"
#include "results/provenance.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

// Collects the files that texts name.
class NamedFiles {
 public:
  NamedFiles(std::string config_folder, std::set<std::string>& files)
      : config_folder_(std::move(config_folder)), files_(files) {}

  /// `key`: under which the value is in a run; lists are grids.
  void add(const Json& value, const std::string& key) {
    if (value.is_string()) return add_text(value.get<std::string>(), key);
    if (value.is_array())
      for (const Json& entry : value) add(entry, key);
    if (value.is_object())
      for (const auto& [inner, entry] : value.items()) add(entry, inner);
  }

 private:
  void add_text(const std::string& text, const std::string& key) {
    const bool is_component = key == "problem" || key == "method";
    if (const std::string file = spec_file(text); text.starts_with('@') || (is_component && !file.empty())) {
      const bool beside_config = !config_folder_.empty() && is_component;
      const std::string path = beside_config ? (fs::path(config_folder_) / file).string() : file;
      if (is_component) add_file(reference_path_beside(path));
      return add_file(path);
    }
    for (std::size_t at = text.find("=@"); at != std::string::npos; at = text.find("=@", at + 2))
      add_file(text.substr(at + 2, text.find(',', at) - at - 2));
  }

  // Text that names no file is a label or a title.
  void add_file(const std::string& path) {
    const std::string file = path_to_read(absolute_path(path));
    if (!fs::is_regular_file(file) || !files_.insert(source_name(absolute_path(path))).second) return;
    NamedFiles("", files_).add(read_json_file(file), "");
  }

  std::string config_folder_;  // "": of a file, whose names begin where the process runs
  std::set<std::string>& files_;
};

// The file that a component of this name comes from; those in C++ are part of the program.
void add_file_of(const ComponentRegistry& registry, const std::string& name, std::set<std::string>& files) {
  for (const std::string& known : registry.names())
    if (const RegistryEntry& entry = registry.find(known, ""); known == name && entry.file.ends_with(".json"))
      files.insert(source_name(entry.file));
}

// The problems and methods of the runs. A component from a file has its content for specification, with its name.
struct ComponentNames {
  std::set<std::string> problems, methods;
};

void add_name(const Json& spec, const char* part, std::set<std::string>& names) {
  const Json* const component = spec.find(part);
  if (component == nullptr || !component->is_object()) return;
  if (const Json* const name = component->find("name"); name != nullptr && name->is_string())
    names.insert(name->get<std::string>());
}

ComponentNames component_names(const Config& config) {
  ComponentNames names;
  const auto add = [&](const BoundRun& run) {
    const std::shared_ptr<const Json> spec = run.specification();
    add_name(*spec, "problem", names.problems), add_name(*spec, "method", names.methods);
  };
  for (const auto& run : config.runs) add(*run);
  if (config.reference) add(*config.reference);
  return names;
}

}  // namespace

std::set<std::string> named_files(const Config& config) {
  std::set<std::string> files;
  NamedFiles named(fs::path(absolute_path(config.path)).parent_path().string(), files);
  for (const char* part : {"common", "runs", "reference"})
    if (config.json.contains(part)) named.add(config.json.at(part), part);
  for (const std::string& file : config.experiment->inputs(config)) files.insert(source_name(absolute_path(file)));
  return files;
}

Inputs inputs_of(const Config& config, const Json& sources) {
  Inputs inputs{absolute_path(config.path), absolute_path("."), config.overrides, named_files(config)};
  for (const auto& [source, hash] : sources.items())
    if (source.ends_with(".json")) inputs.files.insert(source);
  const ComponentNames names = component_names(config);
  for (const std::string& name : names.methods) add_file_of(Registry<Method>::instance(), name, inputs.files);
  for (const std::string& name : names.problems) {
    add_file_of(Registry<Problem>::instance(), name, inputs.files);
    if (const std::string path = reference_path(name); fs::is_regular_file(path))
      inputs.files.insert(source_name(path));
  }
  return inputs;
}

}  // namespace daelab
