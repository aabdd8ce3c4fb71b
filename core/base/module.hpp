// Parts of the program that are loaded when they are needed, since their libraries take longer to load than it takes to
// start.
#pragma once

#include <string>

namespace daelab {

/// The address of a symbol of the module daelab_NAME.so, which lies beside the program. It stays loaded. Throws
/// InputError where it cannot be loaded, naming the Debian package that it is built with.
void* module_symbol(const std::string& name, const char* symbol, const std::string& package);

/// What a file has that dlopen would not survive, or wait for: it is cut off, or no regular file. "" for one that is as
/// long as its parts.
std::string module_damage(const std::string& path);

/// "" where the module has been built, otherwise what to do about it, naming that package.
std::string missing_module(const std::string& name, const std::string& package);

}  // namespace daelab
