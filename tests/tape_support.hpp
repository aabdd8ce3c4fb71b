// What the tests of machine code share: tapes run by the interpreter and by the machine, and compared bit by bit.
#pragma once

#include <bit>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/expressions/machine_code.hpp"

namespace daelab {

using Blocks = std::vector<std::vector<double>>;

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

inline std::vector<Instructions> instruction_sets() {
  if (machine_instructions() == Instructions::sse2) return {Instructions::sse2};
  return {Instructions::sse2, Instructions::avx2};
}

/// Blocks as long as the tape needs them, times so many lanes.
template <class Places>
Blocks blocks_for(const Places& places, int lanes) {
  Blocks blocks;
  for (const auto& place : places) {
    if (std::cmp_less_equal(blocks.size(), place.block)) blocks.resize(place.block + 1);
    if (std::cmp_less_equal(blocks[place.block].size(), lanes * place.index))
      blocks[place.block].resize(lanes * (place.index + 1));
  }
  return blocks;
}

/// What four members read: a number for each place, in the order of the blocks.
Blocks inputs_of_four(const Tape& tape, auto&& number) {
  Blocks blocks = blocks_for(tape.inputs, 4);
  for (std::vector<double>& block : blocks)
    for (double& x : block) x = number();
  return blocks;
}

/// The results of the tape, in its order. What is in the outputs before, and in the work space, must not matter; nor
/// may the addresses be multiples of more than 8.
inline std::vector<double> run(const Program<double>& program, const Tape& tape, Blocks inputs, int lanes,
                               int shift = 0) {
  Blocks outputs = blocks_for(tape.results, lanes);
  std::vector<const double*> input_pointers;
  std::vector<double*> output_pointers;
  for (std::vector<double>& block : inputs) {
    block.insert(block.begin(), shift, 0.0);
    input_pointers.push_back(block.empty() ? nullptr : block.data() + shift);
  }
  for (std::vector<double>& block : outputs) {
    block.resize(block.empty() ? 0 : block.size() + shift);
    output_pointers.push_back(block.empty() ? nullptr : block.data() + shift);
  }
  std::vector<double> work(program.work_size() + shift, -7.0);
  program.run(input_pointers.data(), output_pointers.data(), work.data() + shift);
  std::vector<double> results;
  for (const Tape::Result& result : tape.results)
    for (int lane = 0; lane < lanes; ++lane)
      results.push_back(output_pointers[result.block][lanes * result.index + lane]);
  return results;
}

/// The inputs of one lane.
inline Blocks lane_of(const Blocks& inputs, int lane) {
  Blocks result;
  for (const std::vector<double>& block : inputs) {
    result.emplace_back();
    for (std::size_t i = lane; i < block.size(); i += 4) result.back().push_back(block[i]);
  }
  return result;
}

/// How many results differ from those of the interpreter. The inputs are those of four members.
inline int differences(const Tape& tape, const Blocks& inputs, const RepetitionLimits& limits = {}) {
  const auto interpreter = make_interpreter<double>(tape);
  std::vector<std::unique_ptr<Program<double>>> ones, fours;
  for (const Instructions instructions : instruction_sets()) {
    ones.push_back(make_machine_code(tape, 1, instructions, limits));
    fours.push_back(make_machine_code(tape, 4, instructions, limits));
  }
  fours.push_back(make_program_of_lanes(tape));
  int count = 0;
  for (int lane = 0; lane < 4; ++lane) {
    const Blocks mine = lane_of(inputs, lane);
    const std::vector<double> expected = run(*interpreter, tape, mine, 1);
    for (const auto& one : ones) {
      const std::vector<double> results = run(*one, tape, mine, 1, lane);
      for (std::size_t r = 0; r < expected.size(); ++r) count += !same_bits(results[r], expected[r]);
    }
    for (const auto& four : fours) {
      const std::vector<double> results = run(*four, tape, inputs, 4, lane);
      for (std::size_t r = 0; r < expected.size(); ++r) count += !same_bits(results[4 * r + lane], expected[r]);
    }
  }
  return count;
}

}  // namespace daelab
