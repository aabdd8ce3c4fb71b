// The format of entries (claims.hpp): what its checks and its judging share.
#pragma once

#include <string>

#include "core/base/json.hpp"
#include "results/entry.hpp"

namespace daelab {

/// "kind" of an entry that was checked, number when it is left out.
Rule rule_of(const Json& entry);

/// The text of the number that an entry is judged by: "recorded" of findings, "printed" of the others.
std::string quoted_number(EntryKind kind, const Json& entry);

/// Whether a specification has the settings of selectors such as {"/h": "0.01"}. Numbers match by value.
bool selects(const Json& selectors, const Json& spec);

/// "/h=0.01 /scalar=double"
std::string selector_text(const Json& selectors);

}  // namespace daelab
