// Places of the values of a tape while it runs: in vector registers, else in memory.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "core/expressions/machine_memory.hpp"
#include "core/expressions/repetitions.hpp"

namespace daelab::machine {

/// Sixteen registers hold what is used next; when all are taken, the value whose next use is farthest away leaves.
class Values {
 public:
  /// `saves`: the general registers are the ones functions preserve.
  Values(const Tape& tape, const std::vector<Repetition>& repetitions, Encoder& encoder, int lanes, bool saves)
      : tape_(tape),
        encoder_(encoder),
        lanes_(lanes),
        constants_(encoder.out()),
        pointers_(encoder.out(), saves, lanes != encoder.width()),
        work_(saves ? x86::r12 : x86::rdx),
        moving_(encoder.out(), pointers_),
        uses_(tape),
        register_of_(tape.slots, no_register),
        place_of_(tape.slots, no_place) {
    slots_.fill(no_slot);
    for (const Repetition& repetition : repetitions) place_rows(repetition);
    places_in_rows_ = places_.count();
  }

  const CommonConstants& constants() const { return constants_; }
  /// Vectors in the work space.
  int places() const { return places_.count(); }
  int take_places(int count) { return places_.take_row(count); }
  Mem place(int number, int lane = 0) const { return x86::ptr(work_, 8 * (encoder_.width() * number + lane)); }
  /// Use at once, as memory(): the next one may take its general register.
  Mem output(std::uint32_t number) {
    const Tape::Result& result = tape_.results[number];
    if (const auto moving = moving_results_.find(number); moving != moving_results_.end()) return moving->second;
    return block_element(pointers_.output(result.block), result.index);
  }
  Mem memory(Slot slot) {
    if (const auto moving = moving_slots_.find(slot); moving != moving_slots_.end()) return moving->second;
    if (is_input(slot)) return block_element(pointers_.input(tape_.inputs[slot].block), tape_.inputs[slot].index);
    if (slot < tape_.first_result()) return constant(static_cast<int>(slot - tape_.first_constant()));
    return place(place_of_[slot]);
  }
  /// Instructions of SSE want their operands of 16 bytes at multiples of 16, which inputs need not be.
  bool can_be_operand_in_memory(Slot slot) const {
    return encoder_.has_avx() || encoder_.width() == 1 || !is_input(slot);
  }

  bool is_live(Slot slot) const { return uses_[slot] != never; }
  bool in_register(Slot slot) const { return register_of_[slot] != no_register; }
  int register_of(Slot slot) const { return register_of_[slot]; }

  /// Keeps the registers of what the instruction at a position reads until the next one begins.
  void begin(Position position, const Operands& operands) {
    now_ = position;
    reserved_ = 0;
    for (const Slot slot : operands)
      if (in_register(slot)) reserve(register_of_[slot]);
    uses_.pass(position, operands);
  }
  /// A register that this instruction has no use for yet, emptied.
  int take_register() {
    const int number = farthest_register();
    if (slots_[number] != no_slot) {
      spill(number);
      remove(number);
    }
    reserve(number);
    return number;
  }
  /// The register of a slot, which is loaded if need be.
  int bring(Slot slot) {
    if (!in_register(slot)) {
      const int number = take_register();
      encoder_.load(number, memory(slot));
      put(slot, number);
    }
    reserve(register_of_[slot]);
    return register_of_[slot];
  }
  /// A register with the value of a slot: its own, or one to compute in.
  int take_left(Slot slot) {
    if (in_register(slot)) return register_of_[slot];
    const int number = take_register();
    encoder_.load(number, memory(slot));
    return number;
  }
  /// Takes a register for the result once `left` has been read: that of `left`, if its value is used no more.
  int take_result(int left) {
    const Slot slot = slots_[left];
    if (slot == no_slot) return left;
    if (is_live(slot)) return take_register();
    remove(left);
    return left;
  }
  /// The value now is in a register, or at a place.
  void put(Slot slot, int number) {
    slots_[number] = slot;
    register_of_[slot] = number;
  }
  void put_at_place(Slot slot, int place) { place_of_[slot] = place; }
  /// Frees registers and places of dead values.
  void retire(Slot slot) {
    if (is_live(slot)) return;
    if (in_register(slot)) remove(register_of_[slot]);
    if (place_of_[slot] != no_place && !is_in_rows(slot)) places_.give_back(std::exchange(place_of_[slot], no_place));
  }
  /// Its place is its own from the start, and it is stored there at once.
  bool is_in_rows(Slot slot) const { return place_of_[slot] != no_place && place_of_[slot] < places_in_rows_; }

  // Around the first period of a repetition, which is written once and run for all of them: what it reads and writes is
  // in memory then, and moves along.
  void enter(const Repetition& repetition, const ResultsOfSlots& results, bool calls) {
    spill_what_is_live();
    forget_registers();
    moving_.begin(calls);
    for (Position i = repetition.begin; i < repetition.begin + repetition.length; ++i) {
      const Instruction &now = tape_.instructions[i], &next = tape_.instructions[i + repetition.length];
      const Operands of_now(tape_, now), of_next(tape_, next);
      for (const Slot *a = of_now.begin(), *b = of_next.begin(); a != of_now.end(); ++a, ++b) move(*a, *b);
      for (Slot k = 0; k < result_count(now.operation); ++k) {
        move(now.result + k, next.result + k);
        auto x = results.first(now.result + k), y = results.first(next.result + k);
        for (; x != ResultsOfSlots::none; x = results.after(x), y = results.after(y)) move_result(x, y);
      }
    }
    moving_.start(repetition.count);
  }
  void leave(const Repetition& repetition) {
    moving_.advance_and_repeat();
    moving_slots_.clear(), moving_results_.clear();
    forget_registers();
    for (Position i = repetition.begin + repetition.length; i < repetition.end(); ++i) {
      const Operands operands(tape_, tape_.instructions[i]);
      uses_.pass(i, operands);
      for (const Slot slot : operands) retire(slot);
    }
  }

  // Around calls: every vector register is the callee's.
  void spill_what_is_live() {
    for (int r = 0; r < registers; ++r)
      if (slots_[r] != no_slot && is_live(slots_[r])) spill(r);
  }
  void forget_registers() {
    for (int r = 0; r < registers; ++r) remove(r);
    pointers_.forget();
  }

 private:
  static constexpr int registers = 16;
  static constexpr int no_register = -1;
  static constexpr int no_place = -1;
  static constexpr Slot no_slot = std::numeric_limits<Slot>::max();

  bool is_input(Slot slot) const { return slot < tape_.first_constant(); }
  void place_rows(const Repetition& x) {
    Slot slot = x.first_in_rows();
    for (Position row = 0; row < x.rows_before + x.count; ++row) {
      const int place = places_.take_row(x.columns);
      for (const int column : x.column) {
        if (column != Repetition::no_column) place_of_[slot] = place + column;
        ++slot;
      }
    }
  }
  void move(Slot a, Slot b) {
    if (a == b || moving_slots_.contains(a)) return;
    const int bytes = 8 * encoder_.width();
    if (is_input(a)) {
      const Tape::Place &from = tape_.inputs[a], &to = tape_.inputs[b];
      const int element = 8 * lanes_;
      moving_slots_.emplace(a, moving_.input(from.block, element * from.index, element * (to.index - from.index)));
    } else if (a < tape_.first_result()) {
      const int number = static_cast<int>(a - tape_.first_constant()), step = static_cast<int>(b) - static_cast<int>(a);
      moving_slots_.emplace(a, moving_.constant(constant(number), bytes * number, bytes * step));
    } else if (is_in_rows(a)) {
      const int from = place_of_[a], to = place_of_[b];
      moving_slots_.emplace(a, moving_.work(place(from), bytes * from, bytes * (to - from)));
    }
  }
  void move_result(std::uint32_t a, std::uint32_t b) {
    const Tape::Result &from = tape_.results[a], &to = tape_.results[b];
    const int element = 8 * lanes_;
    moving_results_.emplace(a, moving_.output(from.block, element * from.index, element * (to.index - from.index)));
  }
  bool in_memory(Slot slot) const { return slot < tape_.first_result() || place_of_[slot] != no_place; }
  Mem constant(int number) { return x86::ptr(pointers_.table(), 8 * encoder_.width() * number); }
  Mem block_element(const Gp& block, int index) const { return x86::ptr(block, 8 * lanes_ * index); }

  void reserve(int number) { reserved_ |= 1u << number; }
  bool is_reserved(int number) const { return (reserved_ >> number & 1) != 0; }
  int farthest_register() const {
    int farthest = no_register;
    std::uint64_t distance = 0;
    for (int r = 0; r < registers; ++r) {
      if (is_reserved(r)) continue;
      if (slots_[r] == no_slot) return r;
      // What need not be stored may come back sooner.
      const std::uint64_t away = std::uint64_t(uses_[slots_[r]] - now_) * (in_memory(slots_[r]) ? 2 : 1);
      if (farthest == no_register || away > distance) farthest = r, distance = away;
    }
    return farthest;
  }
  void spill(int number) {
    const Slot slot = slots_[number];
    if (in_memory(slot)) return;
    place_of_[slot] = places_.take();
    encoder_.store(place(place_of_[slot]), number);
  }
  void remove(int number) {
    if (slots_[number] != no_slot) register_of_[slots_[number]] = no_register;
    slots_[number] = no_slot;
  }

  const Tape& tape_;
  Encoder& encoder_;
  const int lanes_;
  CommonConstants constants_;
  BlockPointers pointers_;
  Gp work_;
  Places places_;
  int places_in_rows_ = 0;
  MovingPointers moving_;
  std::unordered_map<Slot, Mem> moving_slots_;             // of the first period, while it is written
  std::unordered_map<std::uint32_t, Mem> moving_results_;  // the same
  NextUses uses_;
  Position now_ = 0;
  std::array<Slot, registers> slots_;  // in the registers
  std::vector<int> register_of_;       // of slots
  std::vector<int> place_of_;          // of slots, for results of instructions
  unsigned reserved_ = 0;              // registers that this instruction uses: a bit each
};

}  // namespace daelab::machine
