// Straight-line code: an instruction or two of the processor for each of the tape. Sixteen vector registers hold what
// is used next; when all are taken, the value whose next use is farthest away leaves (Belady, IBM Systems Journal 5,
// 1966), to the work space unless it stands in memory anyway, as inputs and constants do. Only operations rounded as
// IEEE 754 has it are used, in the order of the tape, none contracted: SSE2, AVX2, one lane, four give the same bits.
#include "core/expressions/machine_code.hpp"

#include <stdexcept>

#include "core/expressions/executable_memory.hpp"

#if defined(__x86_64__) && !defined(_WIN32)  // the System V calling convention

#include <asmjit/x86.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/real.hpp"

namespace daelab {
namespace {

using asmjit::Operand;
using asmjit::x86::Gp;
using asmjit::x86::Mem;
namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;

using Position = std::uint32_t;
constexpr Position never = std::numeric_limits<Position>::max();
constexpr Slot no_slot = std::numeric_limits<Slot>::max();
constexpr int no_register = -1;
constexpr int no_place = -1;

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// The functions of the C library that the interpreter calls too.
const void* library_function(Operation operation) {
  const auto unary = [](Unary function) { return reinterpret_cast<const void*>(function); };
  const auto binary = [](Binary function) { return reinterpret_cast<const void*>(function); };
  switch (operation) {
    case Operation::power:
      return binary(std::pow);
    case Operation::exp:
      return unary(std::exp);
    case Operation::log:
      return unary(std::log);
    case Operation::sin:
      return unary(std::sin);
    case Operation::cos:
      return unary(std::cos);
    case Operation::tan:
      return unary(std::tan);
    case Operation::asin:
      return unary(std::asin);
    case Operation::acos:
      return unary(std::acos);
    case Operation::atan:
      return unary(std::atan);
    case Operation::atan2:
      return binary(std::atan2);
    case Operation::sinh:
      return unary(std::sinh);
    case Operation::cosh:
      return unary(std::cosh);
    case Operation::tanh:
      return unary(std::tanh);
    case Operation::floor:
      return unary(std::floor);
    default:
      return nullptr;
  }
}

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

/// Where slots are used next: found once, from the end of the tape to its start.
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

/// An operation on vectors as each set of instructions has it.
struct VectorOperation {
  asmjit::InstId sse_scalar, sse_packed, avx_scalar, avx_packed;
  int immediate = -1;
};
constexpr VectorOperation addition = {Inst::kIdAddsd, Inst::kIdAddpd, Inst::kIdVaddsd, Inst::kIdVaddpd};
constexpr VectorOperation subtraction = {Inst::kIdSubsd, Inst::kIdSubpd, Inst::kIdVsubsd, Inst::kIdVsubpd};
constexpr VectorOperation multiplication = {Inst::kIdMulsd, Inst::kIdMulpd, Inst::kIdVmulsd, Inst::kIdVmulpd};
constexpr VectorOperation division = {Inst::kIdDivsd, Inst::kIdDivpd, Inst::kIdVdivsd, Inst::kIdVdivpd};
constexpr VectorOperation square_root = {Inst::kIdSqrtsd, Inst::kIdSqrtpd, Inst::kIdVsqrtsd, Inst::kIdVsqrtpd};
constexpr VectorOperation minimum = {Inst::kIdMinsd, Inst::kIdMinpd, Inst::kIdVminsd, Inst::kIdVminpd};
constexpr VectorOperation maximum = {Inst::kIdMaxsd, Inst::kIdMaxpd, Inst::kIdVmaxsd, Inst::kIdVmaxpd};
constexpr VectorOperation comparison(int predicate) {
  return {Inst::kIdCmpsd, Inst::kIdCmppd, Inst::kIdVcmpsd, Inst::kIdVcmppd, predicate};
}
constexpr VectorOperation is_equal = comparison(0);
constexpr VectorOperation is_less = comparison(1);
constexpr VectorOperation is_less_equal = comparison(2);
constexpr VectorOperation is_not_equal = comparison(4);  // holds for NaN, the others do not
constexpr VectorOperation bits_and = {Inst::kIdAndps, Inst::kIdAndps, Inst::kIdVandps, Inst::kIdVandps};
constexpr VectorOperation bits_not_and = {Inst::kIdAndnps, Inst::kIdAndnps, Inst::kIdVandnps, Inst::kIdVandnps};
constexpr VectorOperation bits_or = {Inst::kIdOrps, Inst::kIdOrps, Inst::kIdVorps, Inst::kIdVorps};
constexpr VectorOperation bits_xor = {Inst::kIdXorps, Inst::kIdXorps, Inst::kIdVxorps, Inst::kIdVxorps};

/// How many numbers a vector holds. Four lanes of SSE2 are two runs of code for two.
int width_of(int lanes, Instructions instructions) {
  return lanes == 4 && instructions == Instructions::sse2 ? 2 : lanes;
}

/// Writes single instructions for a set of instructions and a width of vectors.
class Encoder {
 public:
  Encoder(asmjit::CodeHolder& code, bool avx, int width) : out_(&code), avx_(avx), width_(width) {}

  /// result = left op right; of SSE the result must not be the register `right` unless it is `left` too.
  void operate(const VectorOperation& operation, int result, int left, const Operand& right) {
    if (!avx_ && result != left) move(result, left);
    const asmjit::InstId id = id_of(operation);
    const bool has_immediate = operation.immediate >= 0;
    if (avx_ && has_immediate)
      out_.emit(id, vector(result), vector(left), right, asmjit::imm(operation.immediate));
    else if (avx_)
      out_.emit(id, vector(result), vector(left), right);
    else if (has_immediate)
      out_.emit(id, vector(result), right, asmjit::imm(operation.immediate));
    else
      out_.emit(id, vector(result), right);
  }
  void take_square_root(int result, int of) {
    if (avx_ && width_ == 1)  // takes the upper half from one more operand
      out_.emit(id_of(square_root), vector(result), vector(of), vector(of));
    else
      out_.emit(id_of(square_root), vector(result), vector(of));
  }
  void round_down(int result, int of) {  // AVX only
    const auto down = asmjit::imm(9);    // downwards, inexact not signalled
    if (width_ == 1)
      out_.emit(Inst::kIdVroundsd, vector(result), vector(of), vector(of), down);
    else
      out_.emit(Inst::kIdVroundpd, vector(result), vector(of), down);
  }
  /// Where the mask is set, `if_set`, else `otherwise`.
  void blend(int result, int otherwise, int if_set, int mask) {  // AVX only
    out_.emit(Inst::kIdVblendvpd, vector(result), vector(otherwise), vector(if_set), vector(mask));
  }
  void move(int result, int from) {
    out_.emit(avx_ ? Inst::kIdVmovaps : Inst::kIdMovaps, vector(result), vector(from));
  }
  void load(int result, const Mem& from) { out_.emit(move_id(), vector(result), from); }
  void store(const Mem& to, int from) { out_.emit(move_id(), to, vector(from)); }
  void load_number(int result, const Mem& from) {
    out_.emit(avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd, x86::xmm(result), from);
  }
  void store_number(const Mem& to, int from) { out_.emit(avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd, to, x86::xmm(from)); }
  /// Before instructions of SSE, which functions called may have: they would wait for the upper halves.
  void leave_upper_halves() {
    if (width_ == 4) out_.vzeroupper();
  }
  void call(const void* function) {
    out_.mov(x86::rax, asmjit::imm(reinterpret_cast<std::uintptr_t>(function)));
    out_.call(x86::rax);
  }
  Operand vector(int number) const {
    return width_ == 4 ? static_cast<Operand>(x86::ymm(number)) : static_cast<Operand>(x86::xmm(number));
  }
  x86::Assembler& out() { return out_; }

 private:
  asmjit::InstId id_of(const VectorOperation& operation) const {
    if (width_ == 1) return avx_ ? operation.avx_scalar : operation.sse_scalar;
    return avx_ ? operation.avx_packed : operation.sse_packed;
  }
  asmjit::InstId move_id() const {
    if (width_ == 1) return avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd;
    return avx_ ? Inst::kIdVmovups : Inst::kIdMovups;
  }

  x86::Assembler out_;
  bool avx_;
  int width_;
};

[[noreturn]] void fail(const char* message) { throw std::runtime_error(std::string("machine code: ") + message); }

void check(asmjit::Error error) {
  if (error != asmjit::kErrorOk) fail(asmjit::DebugUtils::errorAsString(error));
}

/// Keeps the first thing that the assembler could not write: it need not let exceptions through.
class KeepingHandler final : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
    if (first_.empty()) first_ = message;
  }
  void check() const {
    if (!first_.empty()) fail(first_.c_str());
  }

 private:
  std::string first_;
};

/// Constants in front of the code, each repeated to the width of a vector.
class ConstantPool {
 public:
  ConstantPool(x86::Assembler& out, const std::vector<Real100>& constants, int width) : stride_(8 * width) {
    std::vector<std::uint64_t> words;
    const auto append = [&](std::uint64_t bits, int times) { words.insert(words.end(), times, bits); };
    for (const std::uint64_t bits : {sign_bits, ~sign_bits, std::bit_cast<std::uint64_t>(1.0), std::uint64_t(0)})
      append(bits, 4);
    for (const Real100& constant : constants)
      append(std::bit_cast<std::uint64_t>(static_cast<double>(constant)), width);
    label_ = out.newLabel();
    out.align(asmjit::AlignMode::kData, 64);
    out.bind(label_);
    out.embed(words.data(), 8 * words.size());
    out.align(asmjit::AlignMode::kCode, 64);
  }
  Mem sign() const { return x86::ptr(label_, 0); }
  Mem all_but_sign() const { return x86::ptr(label_, 32); }
  Mem one() const { return x86::ptr(label_, 64); }
  Mem zero() const { return x86::ptr(label_, 96); }
  Mem operator[](std::size_t i) const { return x86::ptr(label_, static_cast<std::int32_t>(128 + stride_ * i)); }

 private:
  static constexpr std::uint64_t sign_bits = std::uint64_t(1) << 63;
  asmjit::Label label_;
  std::size_t stride_;
};

/// Pointers to the blocks of inputs and outputs in general registers, loaded when they are needed.
class BlockPointers {
 public:
  BlockPointers(x86::Assembler& out, bool calls, bool halves)
      : out_(out),
        inputs_(calls ? x86::rbx : x86::rdi),
        outputs_(calls ? x86::rbp : x86::rsi),
        half_(calls ? static_cast<Operand>(x86::ptr(x86::rsp)) : static_cast<Operand>(x86::rcx)),
        halves_(halves) {
    if (calls)
      for (const Gp& saved : {x86::r13, x86::r14, x86::r15}) places_.push_back({saved, true});
    for (const Gp& scratch : {x86::rax, x86::r8, x86::r9, x86::r10, x86::r11}) places_.push_back({scratch, false});
  }
  const Gp& input(int block) { return find(2 * block, inputs_, block); }
  const Gp& output(int block) { return find(2 * block + 1, outputs_, block); }
  /// A function has been called: it keeps some registers only.
  void forget() {
    for (Place& place : places_)
      if (!place.is_saved) place.key = -1;
  }

 private:
  struct Place {
    Gp pointer;
    bool is_saved;
    int key = -1;
    std::uint64_t last_use = 0;
  };

  const Gp& find(int key, const Gp& blocks, int block) {
    auto place = std::ranges::find(places_, key, &Place::key);
    if (place == places_.end()) {
      place = std::ranges::min_element(places_, {}, [](const Place& p) { return p.key < 0 ? 0 : p.last_use; });
      out_.mov(place->pointer, x86::ptr(blocks, 8 * block));
      if (halves_) out_.emit(Inst::kIdAdd, place->pointer, half_);
      place->key = key;
    }
    place->last_use = ++uses_;
    return place->pointer;
  }

  x86::Assembler& out_;
  Gp inputs_, outputs_;
  Operand half_;  // bytes to the lanes of this run
  bool halves_;
  std::vector<Place> places_;
  std::uint64_t uses_ = 0;
};

/// Places in the work space, of a vector each, given back when what stands there is used no more.
class Places {
 public:
  int take() {
    if (free_.empty()) return take_row(1);
    const int place = free_.back();
    free_.pop_back();
    return place;
  }
  /// The first of so many side by side.
  int take_row(int count) {
    const int first = count_;
    count_ += count;
    return first;
  }
  void give_back(int place) { free_.push_back(place); }
  int count() const { return count_; }

 private:
  std::vector<int> free_;
  int count_ = 0;
};

using EntryPoint = void (*)(const double* const*, double* const*, double*, std::size_t);

class CodeGenerator {
 public:
  CodeGenerator(const Tape& tape, asmjit::CodeHolder& code, int lanes, Instructions instructions)
      : tape_(tape),
        avx_(instructions == Instructions::avx2),
        lanes_(lanes),
        width_(width_of(lanes, instructions)),
        calls_(std::ranges::any_of(tape.instructions, [&](const Instruction& i) { return is_call(i.operation); })),
        encoder_(code, avx_, width_),
        constants_(encoder_.out(), tape.constants, width_),
        pointers_(encoder_.out(), calls_, lanes_ != width_),
        work_(calls_ ? x86::r12 : x86::rdx),
        uses_(tape),
        register_of_(tape.slots, no_register),
        place_of_(tape.slots, no_place),
        first_result_of_(tape.slots, none),
        next_result_(tape.results.size(), none) {
    slots_.fill(no_slot);
    for (std::size_t r = 0; r < tape.results.size(); ++r)
      next_result_[r] = std::exchange(first_result_of_[tape.results[r].slot], static_cast<std::uint32_t>(r));
    if (calls_) arguments_ = places_.take_row(4);
  }

  /// Returns where in the code the function begins.
  std::uint64_t generate() {
    x86::Assembler& out = encoder_.out();
    const std::uint64_t entry = out.offset();
    enter();
    for (now_ = 0; now_ < tape_.instructions.size(); ++now_) write(tape_.instructions[now_]);
    for (Slot slot = 0; slot < tape_.first_result(); ++slot)
      if (first_result_of_[slot] != none) {
        encoder_.load(0, memory(slot));
        write_results(slot, 0);
      }
    leave();
    return entry;
  }
  /// Numbers in the work space.
  std::size_t work_size() const { return static_cast<std::size_t>(places_.count()) * width_; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr int registers = 16;

  bool is_call(Operation operation) const {
    return operation == Operation::sines_and_cosines ||
           (library_function(operation) != nullptr && !(avx_ && operation == Operation::floor));
  }

  // r12 to r15, rbx and rbp are the caller's; at a call the stack pointer is a multiple of 16.
  void enter() {
    if (!calls_) return;
    x86::Assembler& out = encoder_.out();
    for (const Gp& saved : saved_registers) out.push(saved);
    out.sub(x86::rsp, 8);
    out.mov(x86::rbx, x86::rdi);
    out.mov(x86::rbp, x86::rsi);
    out.mov(x86::r12, x86::rdx);
    if (lanes_ != width_) out.mov(x86::ptr(x86::rsp), x86::rcx);
  }
  void leave() {
    x86::Assembler& out = encoder_.out();
    encoder_.leave_upper_halves();
    if (calls_) {
      out.add(x86::rsp, 8);
      for (std::size_t i = saved_registers.size(); i-- > 0;) out.pop(saved_registers[i]);
    }
    out.ret();
  }

  // --- Where values stand.

  bool in_register(Slot slot) const { return register_of_[slot] != no_register; }
  bool in_memory(Slot slot) const { return slot < tape_.first_result() || place_of_[slot] != no_place; }
  bool is_input(Slot slot) const { return slot < tape_.first_constant(); }
  bool is_live(Slot slot) const { return uses_[slot] != never; }

  Mem place(int number, int lane = 0) const { return x86::ptr(work_, 8 * (width_ * number + lane)); }
  /// To be used at once: the next one may take its general register.
  Mem memory(Slot slot) {
    if (is_input(slot)) {
      const Tape::Place& input = tape_.inputs[slot];
      return x86::ptr(pointers_.input(input.block), 8 * lanes_ * input.index);
    }
    if (slot < tape_.first_result()) return constants_[slot - tape_.first_constant()];
    return place(place_of_[slot]);
  }
  /// Instructions of SSE want their operands of 16 bytes at multiples of 16, which inputs need not be.
  bool can_be_operand_in_memory(Slot slot) const { return avx_ || width_ == 1 || !is_input(slot); }

  void put(Slot slot, int number) {
    slots_[number] = slot;
    register_of_[slot] = number;
  }
  void remove(int number) {
    if (slots_[number] != no_slot) register_of_[slots_[number]] = no_register;
    slots_[number] = no_slot;
  }
  void spill(int number) {
    const Slot slot = slots_[number];
    if (in_memory(slot)) return;
    place_of_[slot] = places_.take();
    encoder_.store(place(place_of_[slot]), number);
  }
  void reserve(int number) { reserved_ |= 1u << number; }
  bool is_reserved(int number) const { return (reserved_ >> number & 1) != 0; }

  /// A register that this instruction has no use for yet, emptied.
  int take_register() {
    int farthest = no_register;
    std::uint64_t distance = 0;
    for (int r = 0; r < registers; ++r) {
      if (is_reserved(r)) continue;
      if (slots_[r] == no_slot) {
        farthest = r;
        break;
      }
      // What need not be stored may come back sooner.
      const std::uint64_t away = std::uint64_t(uses_[slots_[r]] - now_) * (in_memory(slots_[r]) ? 2 : 1);
      if (farthest == no_register || away > distance) farthest = r, distance = away;
    }
    if (slots_[farthest] != no_slot) {
      spill(farthest);
      remove(farthest);
    }
    reserve(farthest);
    return farthest;
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
  /// Where the result may go once `left` has been read: there, if its value is used no more.
  int take_result(int left) {
    const Slot slot = slots_[left];
    if (slot == no_slot) return left;
    if (is_live(slot)) return take_register();
    remove(left);
    return left;
  }
  /// What is used no more leaves its register and its place.
  void retire(Slot slot) {
    if (is_live(slot)) return;
    if (in_register(slot)) remove(register_of_[slot]);
    if (place_of_[slot] != no_place) places_.give_back(std::exchange(place_of_[slot], no_place));
  }
  void define(Slot slot, int number) {
    write_results(slot, number);
    if (is_live(slot)) put(slot, number);
  }
  void write_results(Slot slot, int number) {
    for (std::uint32_t r = first_result_of_[slot]; r != none; r = next_result_[r]) {
      const Tape::Result& result = tape_.results[r];
      encoder_.store(x86::ptr(pointers_.output(result.block), 8 * lanes_ * result.index), number);
    }
  }

  // --- Instructions.

  void write(const Instruction& i) {
    const Operands operands(tape_, i);
    reserved_ = 0;
    for (const Slot slot : operands)
      if (in_register(slot)) reserve(register_of_[slot]);
    uses_.pass(now_, operands);
    write_operation(i);
    for (const Slot slot : operands) retire(slot);
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
        return define(i.result, compute(bits_xor, take_left(i.a), constants_.sign()));
      case Operation::abs:
        return define(i.result, compute(bits_and, take_left(i.a), constants_.all_but_sign()));
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
    const int result = take_result(left);
    encoder_.operate(operation, result, left, right);
    return result;
  }
  int compute(const VectorOperation& operation, Slot a, Slot b) {
    const int left = take_left(a);
    if (a == b) return compute(operation, left, encoder_.vector(left));
    if (!in_register(b) && can_be_operand_in_memory(b)) return compute(operation, left, memory(b));
    return compute(operation, left, encoder_.vector(bring(b)));
  }
  /// The operand whose register may be written comes first; else one that stands in a register at all.
  int compute_either_way(const VectorOperation& operation, Slot a, Slot b) {
    const auto rank = [&](Slot slot) { return !in_register(slot) ? 0 : is_live(slot) ? 1 : 2; };
    return rank(b) > rank(a) ? compute(operation, b, a) : compute(operation, a, b);
  }
  void compare(const VectorOperation& comparison, const Instruction& i) {
    const int result = compute(comparison, i.a, i.b);
    encoder_.operate(bits_and, result, result, constants_.one());
    define(i.result, result);
  }
  void take_square_root(const Instruction& i) {
    const int left = take_left(i.a);
    const int result = take_result(left);
    encoder_.take_square_root(result, left);
    define(i.result, result);
  }
  void round_down(const Instruction& i) {
    const int left = take_left(i.a);
    const int result = take_result(left);
    encoder_.round_down(result, left);
    define(i.result, result);
  }
  void take_sign(const Instruction& i) {
    const int x = bring(i.a);
    const int positive = take_register();
    const int negative = take_register();
    encoder_.operate(bits_xor, positive, positive, encoder_.vector(positive));
    encoder_.operate(is_less, positive, positive, encoder_.vector(x));
    encoder_.operate(bits_and, positive, positive, constants_.one());
    encoder_.operate(is_less, negative, x, constants_.zero());
    encoder_.operate(bits_and, negative, negative, constants_.one());
    encoder_.operate(subtraction, positive, positive, encoder_.vector(negative));
    define(i.result, positive);
  }
  void select(const Instruction& i) {
    const int condition = bring(i.a);
    const int if_true = bring(i.b);
    const int if_false = bring(i.c);
    const int mask = take_register();
    encoder_.operate(is_not_equal, mask, condition, constants_.zero());
    if (avx_) {
      encoder_.blend(mask, if_false, if_true, mask);
    } else {
      const int chosen = take_register();
      encoder_.operate(bits_and, chosen, mask, encoder_.vector(if_true));
      encoder_.operate(bits_not_and, mask, mask, encoder_.vector(if_false));
      encoder_.operate(bits_or, mask, mask, encoder_.vector(chosen));
    }
    define(i.result, mask);
  }

  // --- Calls: every vector register is the callee's.

  void spill_what_is_live() {
    for (int r = 0; r < registers; ++r)
      if (slots_[r] != no_slot && is_live(slots_[r])) spill(r);
  }
  void forget_registers() {
    for (int r = 0; r < registers; ++r) remove(r);
    pointers_.forget();
  }

  void call_library(const Instruction& i) {
    const void* const function = library_function(i.operation);
    if (function == nullptr) throw std::logic_error("machine code: an operation that tapes do not have");
    spill_what_is_live();
    const bool has_two = operand_count(i.operation) == 2;
    if (width_ == 1) {
      pass_numbers(i.a, has_two ? std::optional<Slot>(i.b) : std::nullopt);
      encoder_.call(function);
      forget_registers();
    } else {
      const std::array<Slot, 2> operands = {i.a, i.b};
      store_arguments(std::span(operands).first(has_two ? 2 : 1));
      forget_registers();
      call_for_each_lane(function, has_two);
    }
    define(i.result, 0);
  }
  /// To registers 0 and 1. The register of b is read before it may be written, and 2 and 3 are free.
  void pass_numbers(Slot a, std::optional<Slot> b) {
    const int scratch = register_of_[a] == 2 ? 3 : 2;
    if (b && in_register(*b)) encoder_.move(scratch, register_of_[*b]);
    if (!in_register(a))
      encoder_.load(0, memory(a));
    else if (register_of_[a] != 0)
      encoder_.move(0, register_of_[a]);
    if (b && in_register(*b)) encoder_.move(1, scratch);
    if (b && !in_register(*b)) encoder_.load(1, memory(*b));
  }
  /// To the places for arguments: registers first, one of which then carries what stands in memory.
  void store_arguments(std::span<const Slot> operands) {
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (in_register(operands[k])) encoder_.store(argument(k), register_of_[operands[k]]);
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (!in_register(operands[k])) {
        encoder_.load(0, memory(operands[k]));
        encoder_.store(argument(k), 0);
      }
  }
  Mem argument(std::size_t k, int lane = 0) const { return place(arguments_ + static_cast<int>(k), lane); }
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
    spill_what_is_live();
    store_arguments(angles);
    forget_registers();
    for (const Slot angle : angles) retire(angle);
    const int results = places_.take_row(8);
    encoder_.leave_upper_halves();
    for (int call = 0; call < width_; ++call)
      if (is_needed(i.result, call)) call_for_four(4 * call, results);
    for (int k = 0; k < 8; ++k) {
      const Slot slot = i.result + k;
      place_of_[slot] = results + k;
      if (first_result_of_[slot] != none) {
        encoder_.load(0, memory(slot));
        write_results(slot, 0);
      }
      retire(slot);
    }
  }
  /// The call takes so many numbers from number 4 call of the arguments on. Repeated angles are not taken again.
  bool is_needed(Slot results, int call) const {
    for (int number = 4 * call; number < 4 * call + 4; ++number)
      for (const Slot slot : {results + number / width_, results + 4 + number / width_})
        if (is_live(slot) || first_result_of_[slot] != none) return true;
    return false;
  }
  void call_for_four(int first, int results) {
    x86::Assembler& out = encoder_.out();
    out.lea(x86::rdi, place(arguments_, first));
    out.lea(x86::rsi, place(results, first));
    out.lea(x86::rdx, place(results + 4, first));
    encoder_.call(reinterpret_cast<const void*>(&sines_and_cosines));
  }

  static constexpr std::array<Gp, 6> saved_registers = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};

  const Tape& tape_;
  const bool avx_;
  const int lanes_, width_;
  const bool calls_;
  Encoder encoder_;
  ConstantPool constants_;
  BlockPointers pointers_;
  Gp work_;
  Places places_;
  int arguments_ = no_place;
  NextUses uses_;
  Position now_ = 0;
  std::array<Slot, registers> slots_;                         // in the registers
  std::vector<int> register_of_;                              // of slots
  std::vector<int> place_of_;                                 // of slots, for results of instructions
  std::vector<std::uint32_t> first_result_of_, next_result_;  // of slots and results: a list for each slot
  unsigned reserved_ = 0;                                     // registers that this instruction uses: a bit each
};

class MachineCode final : public Program<double> {
 public:
  MachineCode(std::unique_ptr<ExecutableMemory> memory, std::uint64_t entry, std::size_t work_size, int runs)
      : memory_(std::move(memory)),
        function_(reinterpret_cast<EntryPoint>(memory_->data() + entry)),
        work_size_(work_size),
        runs_(runs) {}

  void run(const double* const* inputs, double* const* outputs, double* work) const override {
    const auto address = reinterpret_cast<std::uintptr_t>(work);
    double* const aligned = work + (-address % alignment) / sizeof(double);
    for (int run = 0; run < runs_; ++run) function_(inputs, outputs, aligned, 16 * run);
  }
  std::size_t work_size() const override { return work_size_ + alignment / sizeof(double); }

 private:
  static constexpr std::size_t alignment = 32;

  std::unique_ptr<ExecutableMemory> memory_;
  EntryPoint function_;
  std::size_t work_size_;
  int runs_;
};

}  // namespace

std::string machine_code_refusal() { return executable_memory_refusal(); }

Instructions machine_instructions() { return __builtin_cpu_supports("avx2") ? Instructions::avx2 : Instructions::sse2; }

std::unique_ptr<Program<double>> make_machine_code(const Tape& tape, int lanes, Instructions instructions) {
  if (lanes != 1 && lanes != 4) throw std::logic_error("machine code: one lane or four");
  KeepingHandler handler;
  asmjit::CodeHolder code;
  check(code.init(asmjit::Environment::host()));
  code.setErrorHandler(&handler);
  CodeGenerator generator(tape, code, lanes, instructions);
  const std::uint64_t entry = generator.generate();
  handler.check();
  check(code.flatten());
  auto memory = std::make_unique<ExecutableMemory>(code.codeSize());
  check(code.relocateToBase(reinterpret_cast<std::uintptr_t>(memory->data())));
  check(code.copyFlattenedData(memory->data(), memory->size()));
  memory->seal();
  return std::make_unique<MachineCode>(std::move(memory), entry, generator.work_size(),
                                       lanes / width_of(lanes, instructions));
}

}  // namespace daelab

#else

namespace daelab {

std::string machine_code_refusal() { return "machine code is made for x86-64 processors on Linux and macOS only"; }

Instructions machine_instructions() { return Instructions::sse2; }

std::unique_ptr<Program<double>> make_machine_code(const Tape&, int, Instructions) {
  throw std::runtime_error(machine_code_refusal());
}

}  // namespace daelab

#endif
