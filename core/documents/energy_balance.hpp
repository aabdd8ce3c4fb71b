// Whether the energies of a recording belong to its M and Q: tried at a few points of its motion.
#pragma once

#include <functional>
#include <string>

#include "core/mechanism/recorded_model.hpp"

namespace daelab {

struct EnergyBalance {
  /// Numbers that contradict each other, M against the kinetic energy or dE/dt against the power of what does work; "".
  std::string contradiction;
  /// dE/dt vanished at all points.
  bool conserved = false;
  int points = 0;  // that could be evaluated
};

/// At random points near the start of mode 0, moved onto the constraints; the same ones in every call. Without
/// energies, or where they depend on time, nothing is tried.
EnergyBalance try_energy_balance(const std::function<void(Recording&)>& record, MechanicalModel<double>& model);

}  // namespace daelab
