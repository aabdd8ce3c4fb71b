// An instruction or two of the processor for each of the tape; what repeats in the tape is a loop. Sixteen vector
// registers hold what is used next; when all are taken, the value whose next use is farthest away leaves (Belady, IBM
// Systems Journal 5, 1966), to the work space unless it is in memory anyway, as inputs and constants do. Only
// operations rounded as IEEE 754 has it are used, in the order of the tape, none contracted: SSE2, AVX2, one lane, four
// give the same bits.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/expressions/library_functions.hpp"
#include "core/expressions/machine_values.hpp"

namespace daelab::machine {

/// Writes the function of a tape: an EntryPoint.
class CodeGenerator {
 public:
  CodeGenerator(const Tape& tape, asmjit::CodeHolder& code, int lanes, Instructions instructions,
                const RepetitionLimits& limits)
      : tape_(tape),
        avx_(instructions == Instructions::avx2),
        lanes_(lanes),
        width_(width_of(lanes, instructions)),
        results_(tape),
        repetitions_(find_repetitions(tape, results_, limits)),
        calls_(calls_in(0, static_cast<Position>(tape.instructions.size()))),
        saves_(calls_ || !repetitions_.empty()),
        encoder_(code, avx_, width_),
        values_(tape, repetitions_, encoder_, lanes, saves_) {
    if (calls_) arguments_ = values_.take_places(4);
  }

  /// Returns where in the code the function begins.
  std::uint64_t generate() {
    x86::Assembler& out = encoder_.out();
    const std::uint64_t entry = out.offset();
    enter();
    Position next = 0;
    for (const Repetition& repetition : repetitions_) {
      for (; next < repetition.begin; ++next) write(next);
      write(repetition);
      next = repetition.end();
    }
    for (; next < tape_.instructions.size(); ++next) write(next);
    for (Slot slot = 0; slot < tape_.first_result(); ++slot)
      if (is_result(slot)) {
        encoder_.load(0, values_.memory(slot));
        write_results(slot, 0);
      }
    leave();
    return entry;
  }
  /// Numbers in the work space.
  std::size_t work_size() const { return static_cast<std::size_t>(values_.places()) * width_; }

 private:
  bool is_result(Slot slot) const { return results_.first(slot) != ResultsOfSlots::none; }
  bool calls_in(Position begin, Position end) const {
    return std::any_of(tape_.instructions.begin() + begin, tape_.instructions.begin() + end,
                       [&](const Instruction& i) { return is_call(i.operation); });
  }
  bool is_call(Operation operation) const {
    return operation == Operation::sines_and_cosines ||
           (library_function(operation) != nullptr && !(avx_ && operation == Operation::floor));
  }

  // r12 to r15, rbx and rbp are the caller's; at a call the stack pointer is a multiple of 16.
  void enter() {
    if (!saves_) return;
    x86::Assembler& out = encoder_.out();
    for (const Gp& saved : saved_registers) out.push(saved);
    out.sub(x86::rsp, stack_size);
    out.mov(x86::rbx, x86::rdi);
    out.mov(x86::rbp, x86::rsi);
    out.mov(x86::r12, x86::rdx);
    if (lanes_ != width_) out.mov(x86::ptr(x86::rsp, half_on_stack), x86::rcx);
    out.mov(x86::ptr(x86::rsp, table_on_stack), x86::r8);
  }
  void leave() {
    x86::Assembler& out = encoder_.out();
    encoder_.leave_upper_halves();
    if (saves_) {
      out.add(x86::rsp, stack_size);
      for (std::size_t i = saved_registers.size(); i-- > 0;) out.pop(saved_registers[i]);
    }
    out.ret();
  }

  // --- Instructions.

  void define(Slot slot, int number) {
    write_results(slot, number);
    if (values_.is_in_rows(slot)) encoder_.store(values_.memory(slot), number);
    if (values_.is_live(slot)) values_.put(slot, number);
  }
  void write_results(Slot slot, int number) {
    for (std::uint32_t r = results_.first(slot); r != ResultsOfSlots::none; r = results_.after(r))
      encoder_.store(values_.output(r), number);
  }

  void write(Position position) {
    const Instruction& i = tape_.instructions[position];
    const Operands operands(tape_, i);
    values_.begin(position, operands);
    write_operation(i);
    for (const Slot slot : operands) values_.retire(slot);
  }

  void write(const Repetition& repetition) {
    const Position end_of_first = repetition.begin + repetition.length;
    values_.enter(repetition, results_, calls_in(repetition.begin, end_of_first));
    for (Position i = repetition.begin; i < end_of_first; ++i) write(i);
    values_.leave(repetition);
  }

  void write_operation(const Instruction& i) {
    switch (i.operation) {
      case Operation::add:
        return define(i.result, compute_either_way(addition, i.a, i.b));
      case Operation::subtract:
        return define(i.result, compute(subtraction, i.a, i.b));
      case Operation::multiply:
        return define(i.result, compute_either_way(multiplication, i.a, i.b));
      case Operation::divide:
        return define(i.result, compute(division, i.a, i.b));
      case Operation::negate:
        return define(i.result, compute(bits_xor, values_.take_left(i.a), values_.constants().sign()));
      case Operation::abs:
        return define(i.result, compute(bits_and, values_.take_left(i.a), values_.constants().all_but_sign()));
      // The processor takes the right operand where its comparison does not hold: of two zeros, and beside NaN.
      case Operation::min:
        return define(i.result, compute(minimum, i.b, i.a));
      case Operation::max:
        return define(i.result, compute(maximum, i.b, i.a));
      case Operation::less:
        return compare(is_less, i);
      case Operation::less_equal:
        return compare(is_less_equal, i);
      case Operation::equal:
        return compare(is_equal, i);
      case Operation::select:
        return select(i);
      case Operation::sign:
        return take_sign(i);
      case Operation::sqrt:
        return take_square_root(i);
      case Operation::sines_and_cosines:
        return call_sines_and_cosines(i);
      case Operation::floor:
        return avx_ ? round_down(i) : call_library(i);
      default:
        return call_library(i);
    }
  }

  int compute(const VectorOperation& operation, int left, const Operand& right) {
    const int result = values_.take_result(left);
    encoder_.operate(operation, result, left, right);
    return result;
  }
  int compute(const VectorOperation& operation, Slot a, Slot b) {
    const int left = values_.take_left(a);
    if (a == b) return compute(operation, left, encoder_.vector(left));
    if (!values_.in_register(b) && values_.can_be_operand_in_memory(b))
      return compute(operation, left, values_.memory(b));
    return compute(operation, left, encoder_.vector(values_.bring(b)));
  }
  /// The operand whose register may be written comes first; else one that is in a register at all.
  int compute_either_way(const VectorOperation& operation, Slot a, Slot b) {
    const auto rank = [&](Slot slot) { return !values_.in_register(slot) ? 0 : values_.is_live(slot) ? 1 : 2; };
    return rank(b) > rank(a) ? compute(operation, b, a) : compute(operation, a, b);
  }
  void compare(const VectorOperation& comparison, const Instruction& i) {
    const int result = compute(comparison, i.a, i.b);
    encoder_.operate(bits_and, result, result, values_.constants().one());
    define(i.result, result);
  }
  void take_square_root(const Instruction& i) {
    const int left = values_.take_left(i.a);
    const int result = values_.take_result(left);
    encoder_.take_square_root(result, left);
    define(i.result, result);
  }
  void round_down(const Instruction& i) {
    const int left = values_.take_left(i.a);
    const int result = values_.take_result(left);
    encoder_.round_down(result, left);
    define(i.result, result);
  }
  void take_sign(const Instruction& i) {
    const int x = values_.bring(i.a);
    const int positive = values_.take_register();
    const int negative = values_.take_register();
    encoder_.operate(bits_xor, positive, positive, encoder_.vector(positive));
    encoder_.operate(is_less, positive, positive, encoder_.vector(x));
    encoder_.operate(bits_and, positive, positive, values_.constants().one());
    encoder_.operate(is_less, negative, x, values_.constants().zero());
    encoder_.operate(bits_and, negative, negative, values_.constants().one());
    encoder_.operate(subtraction, positive, positive, encoder_.vector(negative));
    define(i.result, positive);
  }
  void select(const Instruction& i) {
    const int condition = values_.bring(i.a);
    const int if_true = values_.bring(i.b);
    const int if_false = values_.bring(i.c);
    const int mask = values_.take_register();
    encoder_.operate(is_not_equal, mask, condition, values_.constants().zero());
    if (avx_) {
      encoder_.blend(mask, if_false, if_true, mask);
    } else {
      const int chosen = values_.take_register();
      encoder_.operate(bits_and, chosen, mask, encoder_.vector(if_true));
      encoder_.operate(bits_not_and, mask, mask, encoder_.vector(if_false));
      encoder_.operate(bits_or, mask, mask, encoder_.vector(chosen));
    }
    define(i.result, mask);
  }

  // --- Calls: every vector register is the callee's.

  void call_library(const Instruction& i) {
    const void* const function = library_function(i.operation);
    if (function == nullptr) throw std::logic_error("machine code: an operation that tapes do not have");
    values_.spill_what_is_live();
    const bool has_two = operand_count(i.operation) == 2;
    if (width_ == 1) {
      pass_numbers(i.a, has_two ? std::optional<Slot>(i.b) : std::nullopt);
      encoder_.call(function);
      values_.forget_registers();
    } else {
      const std::array<Slot, 2> operands = {i.a, i.b};
      store_arguments(std::span(operands).first(has_two ? 2 : 1));
      values_.forget_registers();
      call_for_each_lane(function, has_two);
    }
    define(i.result, 0);
  }
  /// To registers 0 and 1. The register of b is read before it may be written, and 2 and 3 are free.
  void pass_numbers(Slot a, std::optional<Slot> b) {
    const int scratch = values_.register_of(a) == 2 ? 3 : 2;
    if (b && values_.in_register(*b)) encoder_.move(scratch, values_.register_of(*b));
    if (!values_.in_register(a))
      encoder_.load(0, values_.memory(a));
    else if (values_.register_of(a) != 0)
      encoder_.move(0, values_.register_of(a));
    if (b && values_.in_register(*b)) encoder_.move(1, scratch);
    if (b && !values_.in_register(*b)) encoder_.load(1, values_.memory(*b));
  }
  /// To the places for arguments: registers first; one of them then carries what is in memory.
  void store_arguments(std::span<const Slot> operands) {
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (values_.in_register(operands[k])) encoder_.store(argument(k), values_.register_of(operands[k]));
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (!values_.in_register(operands[k])) {
        encoder_.load(0, values_.memory(operands[k]));
        encoder_.store(argument(k), 0);
      }
  }
  Mem argument(std::size_t k, int lane = 0) const { return values_.place(arguments_ + static_cast<int>(k), lane); }
  /// The results take the place of the first arguments, and then register 0.
  void call_for_each_lane(const void* function, bool has_two) {
    encoder_.leave_upper_halves();
    for (int lane = 0; lane < width_; ++lane) {
      encoder_.load_number(0, argument(0, lane));
      if (has_two) encoder_.load_number(1, argument(1, lane));
      encoder_.call(function);
      encoder_.store_number(argument(0, lane), 0);
    }
    encoder_.load(0, argument(0));
  }

  void call_sines_and_cosines(const Instruction& i) {
    const std::array<Slot, 4>& angles = tape_.angles[i.a];
    values_.spill_what_is_live();
    store_arguments(angles);
    values_.forget_registers();
    for (const Slot angle : angles) values_.retire(angle);
    if (!values_.is_in_rows(i.result)) {
      const int results = values_.take_places(8);
      for (int k = 0; k < 8; ++k) values_.put_at_place(i.result + k, results + k);
    }
    encoder_.leave_upper_halves();
    for (int call = 0; call < width_; ++call)
      if (is_needed(i.result, call)) call_for_four(4 * call, i.result);
    for (int k = 0; k < 8; ++k) {
      const Slot slot = i.result + k;
      if (is_result(slot)) {
        encoder_.load(0, values_.memory(slot));
        write_results(slot, 0);
      }
      values_.retire(slot);
    }
  }
  /// The call takes so many numbers from number 4 call of the arguments on. Repeated angles are not taken again.
  bool is_needed(Slot results, int call) const {
    if (values_.is_in_rows(results)) return true;  // other periods may need others
    for (int number = 4 * call; number < 4 * call + 4; ++number)
      for (const Slot slot : {results + number / width_, results + 4 + number / width_})
        if (values_.is_live(slot) || is_result(slot)) return true;
    return false;
  }
  void call_for_four(int first, Slot results) {
    x86::Assembler& out = encoder_.out();
    out.lea(x86::rdi, values_.place(arguments_, first));
    out.lea(x86::rsi, values_.memory(results).cloneAdjusted(8 * first));
    out.lea(x86::rdx, values_.memory(results + 4).cloneAdjusted(8 * first));
    encoder_.call(reinterpret_cast<const void*>(&sines_and_cosines));
  }

  static constexpr int stack_size = 24;  // 8 more than a multiple of 16: with six registers and the return address
  static constexpr std::array<Gp, 6> saved_registers = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};

  const Tape& tape_;
  const bool avx_;
  const int lanes_, width_;
  const ResultsOfSlots results_;
  const std::vector<Repetition> repetitions_;
  const bool calls_, saves_;
  Encoder encoder_;
  Values values_;
  int arguments_ = -1;  // their first place, where there are calls
};

}  // namespace daelab::machine
