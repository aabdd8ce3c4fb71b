#include "core/integration/extrapolation.hpp"

namespace daelab {

template Vector<Real50> extrapolate<Real50>(
    const std::function<void(const Real50&, const Vector<Real50>&, Vector<Real50>&)>&, Real50, Vector<Real50>,
    const Real50&, int, int);

}  // namespace daelab
