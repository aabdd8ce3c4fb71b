#include "results/zip_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/input_error.hpp"
#include "core/base/limits.hpp"
#include "core/base/message.hpp"
#include "core/base/module.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "modules/zip_file.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

template <class Function>
Function* of_module(const char* symbol) {
  return reinterpret_cast<Function*>(module_symbol("zip", symbol, "libzip-dev"));
}

// What a call of C hands over, with what went wrong on the way: no exception passes through C.
struct Unpacked {
  FilesByPath files;
  std::string problem;
};

void take_file(void* to, const ZippedFile* file) {
  Unpacked& unpacked = *static_cast<Unpacked*>(to);
  const std::string name = file->name;
  if (!unpacked.problem.empty()) return;
  try {
    require_path_inside(name.ends_with('/') ? name.substr(0, name.size() - 1) : name, "");
  } catch (const InputError& error) {
    unpacked.problem = fmt::format("'{}' {}", with_visible_controls(as_utf8(without_middle(name))), error.message());
    return;
  }
  if (name.ends_with('/')) return;  // a folder
  if (!unpacked.files.emplace(name, std::string(file->bytes, file->size)).second)
    unpacked.problem = fmt::format("'{}' is in it twice", name);
}

void take_bytes(void* to, const char* bytes, std::size_t size) { static_cast<std::string*>(to)->assign(bytes, size); }

// A file that is the folder of another one.
std::optional<std::string> file_and_folder(const FilesByPath& files) {
  for (const auto& [path, bytes] : files)
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
      if (files.contains(path.substr(0, at))) return path.substr(0, at);
  return std::nullopt;
}

}  // namespace

void require_path_inside(const std::string& path, const std::string& where) {
  const auto refuse = [&](const char* what) {
    throw InputError(where, fmt::format("{}; a path inside of the folder is allowed, such as data/table.csv", what));
  };
  if (path.empty()) refuse("is empty");
  if (path.starts_with('/')) refuse("is absolute");
  if (path.find('\\') != std::string::npos || has_controls(path) || as_utf8(path) != path)
    refuse("has characters that file names of a pack must not have");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part == "..") refuse("leads out of its folder");
    if (part.empty() || part == ".") refuse("has an empty part");
    begin = end + 1;
  }
}

FilesByPath read_zip(const std::string& path) {
  if (!fs::exists(path)) throw InputError(fmt::format("no file '{}'", path));
  std::error_code unknown;
  if (const auto size = fs::file_size(path, unknown); !unknown && size > static_cast<std::size_t>(limits().file_bytes))
    throw InputError(path, fmt::format("has {} bytes, more than allowed {}", size, limit_hint("file-bytes")));
  const std::optional<std::string> bytes = file_bytes(path);
  if (!bytes) throw InputError(path, "cannot be read");
  const std::string too_much =
      fmt::format("holds more than {} files, or more bytes than allowed {}", most_pack_files, limit_hint("file-bytes"));
  Unpacked unpacked;
  const ZipTaker to{&unpacked, take_file, static_cast<std::size_t>(limits().file_bytes), most_pack_files,
                    too_much.c_str()};
  const char* const problem =
      of_module<decltype(daelab_read_zip)>("daelab_read_zip")(bytes->data(), bytes->size(), &to);
  if (problem != nullptr && unpacked.problem.empty()) unpacked.problem = with_visible_controls(as_utf8(problem));
  if (const auto both = file_and_folder(unpacked.files); both && unpacked.problem.empty())
    unpacked.problem = fmt::format("'{}' is a file and a folder in it", *both);
  if (!unpacked.problem.empty()) throw InputError(path, unpacked.problem);
  return std::move(unpacked.files);
}

std::string zip_of(const FilesByPath& files) {
  std::vector<ZippedFile> list;
  for (const auto& [path, bytes] : files) list.push_back({path.c_str(), bytes.data(), bytes.size()});
  std::string packed;
  if (const char* const problem =
          of_module<decltype(daelab_write_zip)>("daelab_write_zip")(list.data(), list.size(), take_bytes, &packed))
    throw InputError(problem);
  return packed;
}

void write_folder(const std::string& folder, const FilesByPath& files) {
  const fs::path target = fs::absolute(folder).lexically_normal();
  const fs::path beside = target.parent_path() / fmt::format(".{}-{}", target.filename().string(), ::getpid());
  std::error_code ignored;
  try {
    fs::remove_all(beside);
    fs::create_directories(beside);
    for (const auto& [path, bytes] : files) {
      fs::create_directories((beside / path).parent_path());
      write_file((beside / path).string(), bytes, false);
    }
    fs::remove_all(target);
    fs::rename(beside, target);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(beside, ignored);
    throw InputError(fmt::format("cannot write {}: {}", folder, error.code().message()));
  } catch (...) {
    fs::remove_all(beside, ignored);
    throw;
  }
}

}  // namespace daelab
