// Compositions: steps of w_1 h, ..., w_k h of another method, some of them back in time, are one step h.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

/// `base`: a stepper with fixed steps, of its own. What it keeps from step to step goes on from part to part.
template <class T>
std::unique_ptr<Stepper<T>> make_composition(const Vector<Real100>& weights, std::unique_ptr<Stepper<T>> base);

}  // namespace daelab
