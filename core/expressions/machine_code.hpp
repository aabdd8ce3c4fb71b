// Machine code: tapes over double as instructions of the processor.
#pragma once

#include "core/expressions/program.hpp"
#include "core/expressions/repetitions.hpp"

namespace daelab {

/// Which vector instructions the code may use. The bits are the same.
enum class Instructions { sse2, avx2 };
/// The best of this machine.
Instructions machine_instructions();

/// One member, or four at a time (see make_program_of_lanes). Only where machine_code_refusal() is "". The memory is
/// writable while the code is made, and executable, not writable, from then on. Programs whose tapes differ in their
/// constants alone have one code and a table of constants each. Throws std::runtime_error where the system grants no
/// such memory. What repeats in the tape becomes a loop within the limits.
std::unique_ptr<Program<double>> make_machine_code(const Tape& tape, int lanes = 1,
                                                   Instructions instructions = machine_instructions(),
                                                   const RepetitionLimits& limits = {});

}  // namespace daelab
