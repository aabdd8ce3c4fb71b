// What ends work that has no result to keep once somebody asks it to stop.
#pragma once

#include <stdexcept>

#include "core/base/context.hpp"

namespace daelab {

/// The user interrupted (interrupt_requested) what has no result to keep: reading a config, evaluating one.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// For loops that may take long.
inline void stop_where_interrupted() {
  if (interrupt_requested()) throw Interrupted();
}

}  // namespace daelab
