// The heavy top at a moment, in one of its charts.
#pragma once

#include "core/integration/event_watch.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/observers.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

template <class T>
struct TopPoint {
  Vector<T> q, v, a;
};

template <class T>
inline Vector<T> observed(MechanicalModel<T>& model, const TopPoint<T>& at) {
  Vector<T> out(static_cast<Index>(model.observable_names().size()));
  model.observables(T(0), joined(at.q, at.v), out);
  return out;
}

}  // namespace daelab
