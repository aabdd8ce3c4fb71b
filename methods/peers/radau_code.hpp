// What the codes RADAU5 and RADAU of Hairer and Wanner have in common.
#pragma once

#include "methods/peers/peer_stepper.hpp"

namespace daelab {

/// `order`: the highest one; the other facts of a code as Peer has them.
inline Peer radau_code(const char* module, const char* package, const char* code, int order, int interpolates) {
  return {.module = module,
          .package = package,
          .code = code,
          .variant = "radau-iia",
          .order = order,
          .form = PeerForm::either,
          .highest_index = 3,
          .keeps_past = true,  // of the last step: where iterations start, and its step control
          .matrices = PeerMatrices::dense,
          .interpolates = interpolates};
}

}  // namespace daelab
