// The format of entries (claims.hpp): what its checks and its judging share.
#pragma once

#include <string>
#include <vector>

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

/// Parts of checking that texts with numbers (told_numbers.hpp) share with entries. They throw InputError.
void require_known_keys(const Json& json, const std::vector<std::string>& known, const std::string& where);
void require_text(const Json& json, const std::string& key, const std::string& where);
void check_pointer(const Json& text, const std::string& where);
void check_value(const Json& value, const std::string& where);

}  // namespace daelab
