// Tapes: the expressions that are evaluated together, in the order in which a machine does it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expressions/expression.hpp"

namespace daelab {

class Graph;

using Slot = std::uint32_t;

/// One operation on slots. Of sines_and_cosines, a counts the groups of angles, and the results are eight slots: the
/// sines of the four angles from `result` on, then their cosines.
struct Instruction {
  Operation operation;
  Slot result, a = 0, b = 0, c = 0;
};

/// Destination of an expression: number `index` of the block `block` of outputs.
struct Output {
  Expression expression;
  int block;
  int index;
};

/// Slots are numbered through inputs, constants and results of instructions, in this order; a slot is written once.
///
/// Sines and cosines are taken four angles at a time, the last angle of a group repeated where fewer are left; they
/// are as early as their angles allow. All else is as close before its first use as it can; in long tapes, what a
/// result alone needs follows what it is made of.
struct Tape {
  struct Place {
    int block;
    int index;
  };
  struct Result {
    Slot slot;
    int block, index;
  };
  std::vector<Place> inputs;                // slot 0 and on
  std::vector<Real100> constants;           // the next slots
  std::vector<Instruction> instructions;    // the rest
  std::vector<std::array<Slot, 4>> angles;  // of sines_and_cosines
  std::vector<Result> results;
  Slot slots = 0;

  Slot first_constant() const { return static_cast<Slot>(inputs.size()); }
  Slot first_result() const { return static_cast<Slot>(inputs.size() + constants.size()); }
};

/// All of a tape but the values of its constants: equal where programs differ in these alone.
std::u32string structure(const Tape& tape);

/// Only what the outputs depend on.
Tape make_tape(const Graph& graph, std::span<const Output> outputs);

}  // namespace daelab
