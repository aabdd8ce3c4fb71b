// When a tape uses its values next.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/expressions/tape.hpp"

namespace daelab {

/// For an instruction in its tape.
using Position = std::uint32_t;
constexpr Position never = std::numeric_limits<Position>::max();

/// How many slots an instruction writes.
inline Slot result_count(Operation operation) { return operation == Operation::sines_and_cosines ? 8 : 1; }

/// The slots that an instruction reads.
class Operands {
 public:
  Operands(const Tape& tape, const Instruction& i) {
    if (i.operation == Operation::sines_and_cosines)
      slots_ = tape.angles[i.a], count_ = 4;
    else
      slots_ = {i.a, i.b, i.c}, count_ = operand_count(i.operation);
  }
  const Slot* begin() const { return slots_.data(); }
  const Slot* end() const { return slots_.data() + count_; }

 private:
  std::array<Slot, 4> slots_;
  int count_;
};

/// Next uses of slots: found once, from the end of the tape to its start.
class NextUses {
 public:
  explicit NextUses(const Tape& tape) : next_(tape.slots, never), after_(tape.instructions.size()) {
    for (Position i = static_cast<Position>(tape.instructions.size()); i-- > 0;) {
      const Operands operands(tape, tape.instructions[i]);
      std::ranges::transform(operands, after_[i].begin(), [&](Slot slot) { return next_[slot]; });
      for (const Slot slot : operands) next_[slot] = i;
    }
  }
  /// By the first instruction that has not been passed yet, or a later one.
  Position operator[](Slot slot) const { return next_[slot]; }
  void pass(Position i, const Operands& operands) {
    const Position* after = after_[i].data();
    for (const Slot slot : operands) next_[slot] = *after++;
  }

 private:
  std::vector<Position> next_;                  // of slots
  std::vector<std::array<Position, 4>> after_;  // of the operands of each instruction
};

}  // namespace daelab
