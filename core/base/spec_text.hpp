// Components as a command line and a config name them.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// `name:key=value,key=value`, `file.json` or `@file.json`, `file.json:key=value`, a JSON string of these forms, or an
/// object with "name", which may be a file, too. Values are read as JSON where they parse as such, otherwise as text.
/// Returns an object with "name".
Json parse_spec(const Json& spec, const std::string& where);
/// Overload for objects that need not have a name.
Json spec_object(const Json& spec, const std::string& where);

/// The file of "file.json" or "file.json:key=value", with or without "@" before it; "" for other specs.
std::string spec_file(const std::string& spec);

/// Whether a text in a specification may name a file.
bool names_a_file(const Json& spec);

/// An object that is itself a problem, not the name of one and its options.
bool is_problem_document(const Json& json);

/// Name and options: of a problem that is a document its parameters, of a tableau the name, which stands for all
/// coefficients.
Json short_spec(const Json& spec);

/// "pade-block:r=4,nodes=uniform": the inverse of parse_spec, for labels and commands. Of a document its name, for a
/// problem with the parameters.
std::string spec_text(const Json& spec);

}  // namespace daelab
