#include "core/base/module.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/input_error.hpp"
#include "core/base/paths.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

std::string module_path(const std::string& name) { return program_part("daelab_" + name + ".so"); }

}  // namespace

std::string module_damage(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return "";  // dlopen says so
  if (!fs::is_regular_file(status)) return "is no regular file";
  std::ifstream file(path, std::ios::binary);
  const auto size = static_cast<std::uint64_t>(fs::file_size(path, error));
  Elf64_Ehdr head{};
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head)) return "is too short for a module";
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return "";
  std::uint64_t end = head.e_shoff + std::uint64_t{head.e_shnum} * head.e_shentsize;
  file.seekg(static_cast<std::streamoff>(head.e_phoff));
  for (int i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return "is too short for a module";
    end = std::max(end, part.p_offset + part.p_filesz);
  }
  return end <= size ? "" : fmt::format("is cut off: it has {} bytes of {} or more", size, end);
}

void* module_symbol(const std::string& name, const char* symbol, const std::string& package) {
  const std::string path = module_path(name);
  if (const std::string text = module_damage(path); !text.empty())
    throw InputError(fmt::format("cannot load {}: it {}; build or install it again", path, text));
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw InputError(fmt::format("cannot load {}: install {} and build again ({})", path, package, ::dlerror()));
  void* address = ::dlsym(library, symbol);
  if (address == nullptr) throw InputError(path + " is not a module of this program");
  return address;
}

std::string missing_module(const std::string& name, const std::string& package) {
  if (std::filesystem::exists(module_path(name))) return "";
  return fmt::format("install {} and build again", package);
}

}  // namespace daelab
