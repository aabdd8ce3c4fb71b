// From nlohmann's values to Json: what readers of text share.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/json.hpp"

namespace daelab {

/// Empties what it is given. Throws Json::exception for more levels than the limits allow: each is a call, and a text
/// must not be able to exhaust the stack.
Json from_nlohmann(nlohmann::ordered_json&& parsed, long level = 0);

}  // namespace daelab
