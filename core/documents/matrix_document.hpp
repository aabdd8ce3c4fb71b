// Square matrices of problem files, by coordinates or by states.
#pragma once

#include <string>
#include <vector>

#include "core/documents/document_texts.hpp"

namespace daelab {

using MatrixDocument = std::vector<std::vector<ExpressionText>>;  // by rows

/// Rows, or the diagonal, as lists in the order of the unknowns; or rows by name, {"x": {"x": "2", "y": "1"}}, with
/// zeros where nothing is said and loops as in {"u[i] for i in 2..N": {"u[i-1]": "1"}}. `what` an unknown is:
/// "coordinate". Throws InputError with the place for counts and names that do not fit, and for a row that is given
/// twice.
MatrixDocument read_matrix(const Json& json, const std::string& where, const DocumentTexts& texts,
                           const std::vector<std::string>& unknowns, const char* what);

/// "2 needed, one for each coordinate (x, y)"
std::string needed(const std::vector<std::string>& unknowns, const char* what);

}  // namespace daelab
