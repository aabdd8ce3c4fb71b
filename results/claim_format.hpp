// The format of entries (claims.hpp): what its checks and its judging share.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/entry.hpp"
#include "results/value_format.hpp"

namespace daelab {

/// "kind" of an entry that was checked, number when it is left out.
Rule rule_of(const Json& entry);

/// The text of the number that an entry is judged by: "recorded" of findings, "printed" of the others.
std::string quoted_number(EntryKind kind, const Json& entry);

/// Parts of checking that texts with numbers (told_numbers.hpp) share with entries. They throw InputError.
void require_known_keys(const Json& json, const std::vector<std::string>& known, const std::string& where);
void require_text(const Json& json, const std::string& key, const std::string& where);

}  // namespace daelab
