// The equations of a certificate as text.
#pragma once

#include <vector>

#include "core/base/json.hpp"
#include "core/expressions/derivative.hpp"
#include "core/mechanism/recording.hpp"

namespace daelab {

/// "equations" of a certificate (docs/references.md) for a mode of a problem; "independent" is empty. mass: the upper
/// triangle of M. The graph of the recording is the current one.
Json certificate_equations(const Recording& r, const std::vector<SparseExpressions::Entry>& mass,
                           const Expressions& force);

}  // namespace daelab
