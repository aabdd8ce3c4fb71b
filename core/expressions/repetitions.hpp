// Stretches of a tape that repeat: equal parts of a mechanism, one after the other, give the same instructions, on
// operands that move along evenly.
#pragma once

#include <vector>

#include "core/expressions/next_uses.hpp"

namespace daelab {

/// Which results a slot is.
class ResultsOfSlots {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t(0);
  explicit ResultsOfSlots(const Tape& tape);
  /// Numbers of results in the tape.
  std::uint32_t first(Slot slot) const { return first_[slot]; }
  std::uint32_t after(std::uint32_t result) const { return next_[result]; }

 private:
  std::vector<std::uint32_t> first_, next_;
};

/// So many periods of instructions. From one period to the next each operand is the same or moves by as many slots as
/// before, and each input and output by as many places. A period writes `slots` slots; slots that are read outside of
/// their period have a column in rows of values, a row for each period and for the periods in front that it reads.
struct Repetition {
  Position begin, length, count;
  Slot first, slots;         // the first period writes first, first + 1, ...
  Position rows_before = 0;  // periods in front of it, which are no part of it
  std::vector<int> column;   // of the slots of a period; no_column where there is none
  int columns = 0;

  static constexpr int no_column = -1;
  Position end() const { return begin + length * count; }
  Slot first_in_rows() const { return first - rows_before * slots; }
  bool has_in_rows(Slot slot) const { return slot >= first_in_rows() && slot < first + count * slots; }
  std::int64_t row(Slot slot) const {
    return static_cast<std::int64_t>((slot - first_in_rows()) / slots) - static_cast<std::int64_t>(rows_before);
  }
};

/// Shorter tapes, and stretches with fewer periods or fewer instructions, run faster straight: they stay in the caches
/// of the processor, and a loop fetches from memory what the period before left. Several short periods are one. A loop
/// has a register for each of its movements, fewer where it calls functions, which preserve few.
struct RepetitionLimits {
  std::size_t least_tape = 16384;
  Position least_period = 64, least_periods = 4, least_instructions = 256;
  std::size_t most_movements = 8, most_beside_calls = 2;
};

/// Ascending, apart from each other. Takes time linear in the length of the tape.
std::vector<Repetition> find_repetitions(const Tape& tape, const ResultsOfSlots& results,
                                         const RepetitionLimits& limits = {});

}  // namespace daelab
