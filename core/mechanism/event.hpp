// Events: what a model says about the moments at which its motion changes.
#pragma once

#include <string>

namespace daelab {

enum class Crossing { rising, falling, either };

enum class Consequence {
  observe,  // the time is recorded, nothing else
  stop,     // the run ends there
  jump,     // velocities, positions or the forces change: Model::carry_out
  impact,   // the same for a unilateral condition, g >= 0: its function must leave zero upwards again
  chart     // another chart takes over: MechanicalModel::to_chart
};

struct Event {
  std::string name;
  Crossing crossing = Crossing::falling;  // of its function through zero
  Consequence consequence = Consequence::jump;
};

}  // namespace daelab
