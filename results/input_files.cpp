#include "results/input_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/json_kind.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kept_project = "inputs/project";

bool is_of_project(const std::string& name) { return fs::path(name).is_relative(); }

std::string bytes_of(const std::string& path) {
  std::optional<std::string> bytes = file_bytes(path);
  if (!bytes) throw InputError("cannot read " + path);
  return std::move(*bytes);
}

std::string place_of_copy(const std::string& name, const std::string& hash) {
  if (is_of_project(name)) return fmt::format("{}/{}", kept_project, name);
  return fmt::format("inputs/files/{}-{}", hash.substr(0, 8), fs::path(name).filename().string());
}

bool holds(const std::string& path, const std::string& bytes) { return file_bytes(path) == bytes; }

struct KeptFile {
  std::string name, hash, copy;  // the path of the copy
};

// A manifest may come from anywhere: it names nothing outside of its folder.
KeptFile kept_file(const std::string& dir, const std::string& name, const Json& file, const std::string& where) {
  const std::string hash = require_member(JsonKind::text, require(JsonKind::object, file, where), "hash", where);
  const std::string kept = require_member(JsonKind::text, file, "kept", where);
  if (kept != place_of_copy(name, hash) || *fs::path(kept).lexically_normal().begin() != "inputs")
    throw InputError(where + "/kept", fmt::format("'{}' is not the place of this file in the result set", kept));
  const std::string copy = dir + "/" + kept;
  if (!fs::is_regular_file(copy)) throw InputError(fmt::format("the kept input {} is missing", copy));
  if (content_hash(bytes_of(copy)) != hash)
    throw InputError(fmt::format("the kept input {} is not as it was kept: its hash does not match", copy));
  return {name, hash, copy};
}

std::vector<KeptFile> kept_files(const std::string& dir, const Json& manifest) {
  const std::string where = dir + "/manifest.json: ";
  const Json& inputs = require_member(JsonKind::object, manifest, "inputs", where);
  std::vector<KeptFile> files;
  for (const auto& [name, file] : require_member(JsonKind::object, inputs, "files", where + "/inputs").items())
    files.push_back(kept_file(dir, name, file, fmt::format("{}/inputs/files/{}", where, name)));
  return files;
}

}  // namespace

Json keep_inputs(const std::string& dir, const Inputs& inputs) {
  Json files = Json::object();
  for (const std::string& name : inputs.files) {
    const std::string bytes = bytes_of(path_to_read(is_of_project(name) ? project_path(name) : name));
    const std::string hash = content_hash(bytes), kept = place_of_copy(name, hash), copy = dir + "/" + kept;
    files[name] = {{"hash", hash}, {"kept", kept}};
    if (holds(copy, bytes)) continue;
    fs::create_directories(fs::path(copy).parent_path());
    write_file(copy, bytes);
  }
  return {{"config_file", inputs.config_file},
          {"folder", inputs.folder},
          {"overrides", inputs.overrides},
          {"files", files}};
}

Json copy_inputs(const std::string& from, const Json& manifest, const std::string& to) {
  if (!manifest.contains("inputs")) return {};
  for (const KeptFile& file : kept_files(from, manifest)) {
    const fs::path target = fs::path(to) / place_of_copy(file.name, file.hash);
    const std::string bytes = bytes_of(file.copy);
    if (holds(target.string(), bytes)) continue;
    fs::create_directories(target.parent_path());
    write_file(target.string(), bytes);
  }
  return manifest["inputs"];
}

void read_kept_inputs(Context& context, const std::string& dir, const Json& manifest) {
  const std::string where = dir + "/manifest.json: ";
  if (!manifest.contains("inputs"))
    throw InputError(where +
                     "it does not say what the runs read: it was written by an earlier daelab; daelab run "
                     "completes it");
  FileCopies copies{require_member(JsonKind::text, manifest["inputs"], "folder", where + "/inputs"), {}};
  for (const KeptFile& file : kept_files(dir, manifest))
    copies.copies[is_of_project(file.name) ? project_path(file.name) : file.name] = fs::absolute(file.copy).string();
  context.copies = std::make_shared<const FileCopies>(std::move(copies));
  context.project_root = fs::absolute(fs::path(dir) / kept_project).lexically_normal().string();
}

}  // namespace daelab
