// Methods that are data: a tableau in a JSON file, without a compiler.
#pragma once

#include "core/runge_kutta.hpp"

namespace daelab {

/// The method a spec names: name:key=value, @file.json, an object with "name", or an object (or file)
/// that is itself a tableau {"name", "A", "b", ...}. Throws InputError under `where`.
std::shared_ptr<Method> make_method(const Json& spec, const std::string& where);

/// Registers every *.json of a folder under the name it gives. Throws InputError for what is no JSON; coefficients are
/// read and verified when the method is made, for 15 tableaus take as long as everything else at program start.
void load_method_files(const std::string& folder);

}  // namespace daelab
