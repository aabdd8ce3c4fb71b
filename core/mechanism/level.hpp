// The levels of a constraint: the constraint itself and its time derivatives.
#pragma once

namespace daelab {

/// Which time derivative of the constraints an equation row or a residual means.
enum class Level { position, velocity, acceleration };

}  // namespace daelab
