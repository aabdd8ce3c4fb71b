// Places of all that is not in vector registers: constants, inputs and outputs, the work space.
// Constants of a tape are in a table beside the code: tapes that differ in these alone share it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/expressions/machine_instructions.hpp"

namespace daelab::machine {

/// What every code may need, in front of it, repeated to the width of a vector.
class CommonConstants {
 public:
  explicit CommonConstants(x86::Assembler& out) {
    std::vector<std::uint64_t> words;
    for (const std::uint64_t bits : {sign_bits, ~sign_bits, std::bit_cast<std::uint64_t>(1.0), std::uint64_t(0)})
      words.insert(words.end(), 4, bits);
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

 private:
  static constexpr std::uint64_t sign_bits = std::uint64_t(1) << 63;
  asmjit::Label label_;
};

/// Places of two arguments of code with calls, from the stack pointer on.
constexpr int half_on_stack = 0, table_on_stack = 8;

/// Pointers to the blocks of inputs and outputs and to the table of constants in general registers, loaded when they
/// are needed.
class BlockPointers {
 public:
  BlockPointers(x86::Assembler& out, bool calls, bool halves)
      : out_(out),
        inputs_(calls ? x86::rbx : x86::rdi),
        outputs_(calls ? x86::rbp : x86::rsi),
        half_(calls ? static_cast<Operand>(x86::ptr(x86::rsp, half_on_stack)) : static_cast<Operand>(x86::rcx)),
        table_(calls ? static_cast<Operand>(x86::ptr(x86::rsp, table_on_stack)) : static_cast<Operand>(x86::r8)),
        halves_(halves) {
    if (calls)
      for (const Gp& saved : {x86::r13, x86::r14, x86::r15}) places_.push_back({saved, true});
    for (const Gp& scratch : {x86::rax, x86::r9, x86::r10, x86::r11}) places_.push_back({scratch, false});
  }
  const Gp& input(int block) { return find_block(2 * block, true, block); }
  const Gp& output(int block) { return find_block(2 * block + 1, false, block); }
  const Gp& table() {
    return find(table_key, [&](const Gp& pointer) { out_.emit(Inst::kIdMov, pointer, table_); });
  }
  void load(const Gp& pointer, bool is_input, int block) {
    out_.mov(pointer, x86::ptr(is_input ? inputs_ : outputs_, 8 * block));
    if (halves_) out_.emit(Inst::kIdAdd, pointer, half_);
  }
  /// All are loaded anew in a loop and after it, where some registers are the loop's.
  void enter_loop(std::span<const Gp> of_loop) {
    for (Place& place : places_) {
      place.key = -1;
      place.is_taken = std::ranges::any_of(of_loop, [&](const Gp& taken) { return taken == place.pointer; });
    }
  }
  void leave_loop() { enter_loop({}); }
  /// A function has been called: it keeps some registers only.
  void forget() {
    for (Place& place : places_)
      if (!place.is_saved) place.key = -1;
  }

 private:
  static constexpr int table_key = std::numeric_limits<int>::max();
  struct Place {
    Gp pointer;
    bool is_saved;
    bool is_taken = false;
    int key = -1;
    std::uint64_t last_use = 0;
  };

  const Gp& find_block(int key, bool is_input, int block) {
    return find(key, [&](const Gp& pointer) { load(pointer, is_input, block); });
  }
  const Gp& find(int key, auto&& load) {
    auto place = std::ranges::find(places_, key, &Place::key);
    if (place == places_.end()) {
      place = std::ranges::min_element(places_, {}, [](const Place& p) {
        return p.is_taken ? std::numeric_limits<std::uint64_t>::max() : p.key < 0 ? 0 : p.last_use;
      });
      load(place->pointer);
      place->key = key;
    }
    place->last_use = ++uses_;
    return place->pointer;
  }

  x86::Assembler& out_;
  Gp inputs_, outputs_;
  Operand half_;  // bytes to the lanes of this run
  Operand table_;
  bool halves_;
  std::vector<Place> places_;
  std::uint64_t uses_ = 0;
};

/// The pointers of a loop to what moves along with it, and its counter.
class MovingPointers {
 public:
  MovingPointers(x86::Assembler& out, BlockPointers& blocks) : out_(out), blocks_(blocks) {}

  /// `calls`: in registers that functions preserve.
  void begin(bool calls) {
    of_loop_ = free_ = calls ? std::span(registers).first(saved_registers) : std::span(registers);
    blocks_.enter_loop(of_loop_);
    pointers_.clear();
    counter_ = take();
  }
  /// What is at `offset` from the start of an input or output in the first period, and so many bytes on in the next.
  Mem input(int block, int offset, int stride) {
    return moving({2 * block, stride}, offset, [&](const Gp& pointer) { load_block(pointer, true, block, offset); });
  }
  Mem output(int block, int offset, int stride) {
    return moving({2 * block + 1, stride}, offset,
                  [&](const Gp& pointer) { load_block(pointer, false, block, offset); });
  }
  /// What is at `place`, which is at `offset` from the start of the work space or of the constants.
  Mem work(const Mem& place, int offset, int stride) {
    return moving({-1, stride}, offset, [&](const Gp& pointer) { out_.lea(pointer, place); });
  }
  Mem constant(const Mem& place, int offset, int stride) {
    return moving({-2, stride}, offset, [&](const Gp& pointer) { out_.lea(pointer, place); });
  }
  void start(std::uint32_t periods) {
    out_.mov(counter_.r32(), periods);
    blocks_.enter_loop(of_loop_);  // what was loaded for the start is not there in the next period
    label_ = out_.newLabel();
    out_.bind(label_);
  }
  void advance_and_repeat() {
    for (const Pointer& x : pointers_) out_.add(x.pointer, x.key.second);
    out_.dec(counter_.r32());
    out_.jnz(label_);
    blocks_.leave_loop();
  }

 private:
  static constexpr std::size_t saved_registers = 3;
  static constexpr std::array<Gp, 9> registers = {x86::r13, x86::r14, x86::r15, x86::rcx, x86::rdx,
                                                  x86::rsi, x86::rdi, x86::r8,  x86::r9};
  using Key = std::pair<int, int>;  // where, and the stride
  struct Pointer {
    Key key;
    Gp pointer;
    int origin;
  };

  Gp take() {
    if (free_.empty()) throw std::logic_error("machine code: a loop with too many pointers");
    const Gp pointer = free_.front();
    free_ = free_.subspan(1);
    return pointer;
  }
  Mem moving(const Key& key, int offset, const auto& load) {
    auto place = std::ranges::find(pointers_, key, &Pointer::key);
    if (place == pointers_.end()) {
      pointers_.push_back({key, take(), offset});
      place = std::prev(pointers_.end());
      load(place->pointer);
    }
    return x86::ptr(place->pointer, offset - place->origin);
  }
  void load_block(const Gp& pointer, bool is_input, int block, int offset) {
    blocks_.load(pointer, is_input, block);
    out_.add(pointer, offset);
  }

  x86::Assembler& out_;
  BlockPointers& blocks_;
  std::span<const Gp> of_loop_, free_;
  std::vector<Pointer> pointers_;
  Gp counter_;
  asmjit::Label label_;
};

/// Places in the work space, of a vector each, given back when what is there is used no more.
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

}  // namespace daelab::machine
