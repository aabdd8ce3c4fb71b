#include "modules/enclosures/step_conditions.hpp"

#include <algorithm>

namespace daelab {

std::string StepConditions::broken() const {
  for (std::size_t i = 0; i < program_.program().instructions.size(); ++i)
    if (!holds(i)) return "a condition in the equations may change";
  for (const auto& watched : series_.equations().watched)
    if (!stays(watched.value)) return watched.what;
  return "";
}

// Other than zero, with its sign.
bool StepConditions::stays(EnclosureSlot slot) const {
  return std::abs(middle(program_[slot].x)) * (1 - 1e-9) > tails_.variation(slot, h_);
}

bool StepConditions::stay_apart(EnclosureSlot a, EnclosureSlot b) const {
  const double x = middle(program_[a].x), y = middle(program_[b].x);
  return std::abs(x - y) * (1 - 1e-9) > tails_.variation(a, b, h_) + 1e-14 * (std::abs(x) + std::abs(y));
}

bool StepConditions::holds(std::size_t instruction) const {
  const Instruction& x = program_.program().instructions[instruction];
  if (program_.is_statement(x.result)) return true;  // asked for by what depends on it
  for (const EnclosureSlot slot : {x.a, x.b, x.c})
    if (x.operation != Operation::sines_and_cosines && program_.is_statement(slot) && !keeps(slot)) return false;
  switch (x.operation) {
    case Operation::abs:
    case Operation::sign:
      return stays(x.a);
    case Operation::min:
    case Operation::max:
      return stay_apart(x.a, x.b);
    case Operation::floor: {
      const double above_floor = middle(program_[x.a].x) - middle(program_[x.result].x);
      const double variation = tails_.variation(x.a, h_) + 1e-14 * (1 + std::abs(middle(program_[x.a].x)));
      return above_floor > variation && 1 - above_floor > variation;
    }
    default:
      return true;
  }
}

// One operand is enough where it alone decides.
bool StepConditions::keeps(EnclosureSlot statement) const {
  const auto& instructions = program_.program().instructions;
  const auto maker = std::ranges::find(instructions, statement, &Instruction::result);
  if (maker == instructions.end()) return true;  // a constant
  const Instruction& x = *maker;
  const auto decides = [&](EnclosureSlot slot, bool truth) {
    return program_.is_certainly(truth, slot) && keeps(slot);
  };
  switch (x.operation) {
    case Operation::multiply:
    case Operation::min:
      return decides(x.a, false) || decides(x.b, false) || (decides(x.a, true) && decides(x.b, true));
    case Operation::max:
      return decides(x.a, true) || decides(x.b, true) || (decides(x.a, false) && decides(x.b, false));
    case Operation::subtract:
      return keeps(x.b);
    case Operation::select:
      return keeps(x.a) && keeps(program_.is_certainly(true, x.a) ? x.b : x.c);
    default:
      return !program_.is_uncertain(statement) && stay_apart(x.a, x.b);
  }
}

}  // namespace daelab
