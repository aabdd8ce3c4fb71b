// Errors at the end of a run.
#pragma once

#include <optional>

#include "core/mechanism/forms.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// Compares the state at the end with the stored reference: the largest absolute error of each class. None: nothing is
/// stored for this time. Angles of a problem with charts may differ by whole turns, which are no error.
std::optional<EndError> end_error(const Run& run, const Forms& forms, const StateRecord& state);

}  // namespace daelab
