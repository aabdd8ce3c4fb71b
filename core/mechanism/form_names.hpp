// What the rows of forms are called in messages.
#pragma once

#include <string>

#include "core/mechanism/form_facts.hpp"
#include "core/mechanism/form_parts.hpp"

namespace daelab {

/// For a coordinate, or of the first-order state whose rate is in that row.
const std::string& row_name(const Recording& recording, int row);
/// For the equation or quantity that a row of a part of a form belongs to.
std::string row_name(const Recording& recording, const FormFacts& facts, FormKind kind, std::size_t part, int row);

}  // namespace daelab
