// Errors at the end of a run.
#pragma once

#include <optional>

#include "core/mechanism/forms.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// Infinity norms of the absolute error of the state at the end against the stored reference, where there is one.
/// Angles of a problem with charts count modulo their period, which states of one motion may differ by.
std::optional<EndError> end_error(const Run& run, const Forms& forms, const StateRecord& state);

}  // namespace daelab
