// Conditions over a step: whether each that a value depends on holds from its start to its end, for all of the set.
#pragma once

#include "modules/enclosures/tails.hpp"

namespace daelab {

class StepConditions {
 public:
  StepConditions(const MotionSeries& series, const MotionTails& tails, double h)
      : series_(series), program_(series.program()), tails_(tails), h_(h) {}

  /// Why one may change, or a watched function vanish; "": none.
  std::string broken() const;

 private:
  using Instruction = EnclosureProgram::Instruction;
  bool holds(std::size_t instruction) const;
  bool keeps(EnclosureSlot statement) const;
  bool stays(EnclosureSlot slot) const;
  bool stay_apart(EnclosureSlot a, EnclosureSlot b) const;

  const MotionSeries& series_;
  const ProgramSeries& program_;
  const MotionTails& tails_;
  double h_;
};

}  // namespace daelab
