// Values of JSON files that people or other programs may have changed: of the kind that is needed, or a message with
// the place.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

enum class JsonKind { object, list, text, number };

/// The value itself. Throws InputError under `where` for one of another kind.
const Json& require(JsonKind kind, const Json& value, const std::string& where);

/// A member of an object. Throws InputError under `where` or `where`/`key` where there is none of that kind.
const Json& require_member(JsonKind kind, const Json& object, const std::string& key, const std::string& where);

}  // namespace daelab
