// The format of claims (claims.hpp): what its checks and its judging share.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// "kind", "number" when it is left out.
std::string claim_kind(const Json& claim);

/// Compared with a printed number.
bool is_cell(const std::string& kind);

/// Whether a specification has the settings of selectors such as {"/h": "0.01"}. Numbers match by value.
bool selects(const Json& selectors, const Json& spec);

/// "/h=0.01 /scalar=double"
std::string selector_text(const Json& selectors);

}  // namespace daelab
