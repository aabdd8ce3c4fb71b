#include "results/provenance.hpp"

#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/base/scalar.hpp"
#include "core/base/strict_arithmetic.hpp"
#include "core/expressions/program.hpp"
#include "results/machine.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

// The build passes these; a build that does not still works.
#ifndef DAELAB_VERSION
#define DAELAB_VERSION "unknown"
#endif
#ifndef DAELAB_GIT_COMMIT
#define DAELAB_GIT_COMMIT "unknown"
#endif
#ifndef DAELAB_BUILD_FLAGS
#define DAELAB_BUILD_FLAGS "unknown"
#endif
#ifndef DAELAB_SOURCES
#define DAELAB_SOURCES  // none known
#endif

namespace daelab {
namespace {

std::string compiler_name() {
#ifdef __clang__
  return __VERSION__;  // "Clang 14.0.6" or alike: names itself
#else
  return "g++ " __VERSION__;
#endif
}

std::vector<std::string> built_scalars() {
  std::vector<std::string> names;
#define DAELAB_NAME(T) names.push_back(scalar_name<T>());
  DAELAB_FOR_SCALARS(DAELAB_NAME)
#undef DAELAB_NAME
  return names;
}

std::string hash_of_running_program() {
  const std::string path = "/proc/self/exe";
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return "unknown";
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) return "unknown";
  return content_hash(bytes);
}

}  // namespace

Provenance current_provenance() {
  return {.version = DAELAB_VERSION,
          .commit = DAELAB_GIT_COMMIT,
          .code = code_hash(),
          .compiler = compiler_name(),
          .build = DAELAB_BUILD_FLAGS,
          .scalars = built_scalars(),
          .evaluation = evaluation_text(),
          .strict = strict_arithmetic(),
          .system = operating_system(),
          .cpu = cpu_model(),
          .cores = cores(),
          .cpu_extensions = cpu_extensions(),
          .libraries = library_versions(),
          .environment = deciding_environment(),
          .date = utc_now()};
}

void to_json(Json& json, const Provenance& provenance) {
  json = Json{{"version", provenance.version},
              {"commit", provenance.commit},
              {"code", provenance.code},
              {"compiler", provenance.compiler},
              {"build", provenance.build},
              {"scalars", provenance.scalars},
              {"evaluation", provenance.evaluation},
              {"strict", provenance.strict},
              {"system", provenance.system},
              {"cpu", provenance.cpu},
              {"cores", provenance.cores},
              {"cpu_extensions", provenance.cpu_extensions},
              {"libraries", provenance.libraries},
              {"environment", provenance.environment},
              {"date", provenance.date}};
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

const std::string& code_hash() {
#ifdef DAELAB_CODE_HASH
  static const std::string hash = DAELAB_CODE_HASH;
#else
  static const std::string hash = hash_of_running_program();
#endif
  return hash;
}

const SourceHashes& source_hashes() {
  static const SourceHashes hashes{DAELAB_SOURCES};
  return hashes;
}

std::string source_name(const std::string& file) {
  for (const std::string& root : {project_root(), source_folder_of_build()})
    if (!root.empty() && file.starts_with(root + "/")) return file.substr(root.size() + 1);
  return file;
}

std::string source_hash(const std::string& source, const SourceHashes& hashes) {
  if (source.ends_with(".json"))
    return content_hash(read_json_file((std::filesystem::path(project_root()) / source).string()));
  const auto known = hashes.find(source);
  if (known != hashes.end()) return known->second + (source == "engines" && strict_arithmetic() ? "-strict" : "");
  static const std::string whole = hash_of_running_program();
  return whole;
}

std::string content_hash(const std::string& bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string content_hash(const Json& json) { return content_hash(canonical_text(json)); }

namespace {

void sort_keys(Json& json) {
  if (json.is_array())
    for (Json& entry : json) sort_keys(entry);
  if (!json.is_object()) return;
  for (auto& [key, value] : json.members()) sort_keys(value);
  std::ranges::sort(json.members(), {}, &Json::Object::value_type::first);
}

}  // namespace

std::string canonical_text(const Json& json) {
  Json sorted = json;
  sort_keys(sorted);
  return sorted.dump(-1, Json::Utf8::replace);
}

}  // namespace daelab
