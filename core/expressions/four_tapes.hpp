// A tape for four members whose constants are not the same, a lane each.
#pragma once

#include <array>
#include <span>

#include "core/expressions/program.hpp"

namespace daelab {

/// For each lane the constants of the tape, in its order, in place of its own.
using ConstantsOfFour = std::array<std::span<const double>, 4>;

/// As make_program_of_four() of the tape alone, each lane with constants of its own: the same bits as those of four
/// programs of four tapes that differ in these. Throws std::logic_error where their number is not that of the tape.
std::unique_ptr<Program<double>> make_program_of_four(const Tape& tape, const ConstantsOfFour& constants);

}  // namespace daelab
