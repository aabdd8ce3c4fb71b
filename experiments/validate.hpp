// JSON Schema.
#pragma once

#include "core/json.hpp"

namespace daelab {

/// Where and how `document` does not follow `schema`, or "" when it does.
std::string schema_error(const Json& schema, const Json& document);

}  // namespace daelab
