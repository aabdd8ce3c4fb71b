#include "core/base/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "core/base/input_error.hpp"
#include "core/base/paths.hpp"

namespace daelab {
namespace {

std::string module_path(const std::string& name) { return program_part("daelab_" + name + ".so"); }

}  // namespace

void* module_symbol(const std::string& name, const char* symbol, const std::string& package) {
  const std::string path = module_path(name);
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
