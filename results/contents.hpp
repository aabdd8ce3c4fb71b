// The table of contents of a paper: what its entries may name as their place.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// {"sections": ["1", "2.1"], "tables": [...], "figures": [...], "formulas": [...], "parts": ["Abstract", "Lemma 6"]}
/// Throws InputError under `where` for unknown keys and for names that are not texts without commas.
void check_contents(const Json& contents, const std::string& where);

/// A location is a list, separated by commas: "Section 8.2", "Table 1", "Figure 8", "Formula (27)" and names in
/// "parts" must be in the contents, and at least one of them where it `needs_place`; the rest is free text. Throws
/// InputError under `where` with the names allowed, or the nearest one.
void check_location(const std::string& location, const Json& contents, bool needs_place, const std::string& where);

}  // namespace daelab
