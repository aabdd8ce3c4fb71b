// Programs: tapes made executable for a scalar.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/expressions/tape.hpp"

namespace daelab {

enum class Evaluator;

/// The one called "automatic", "interpreter", "machine-code", or "machine-code-sse2"; throws InputError for other
/// names, and where machine code is asked for and refused.
Evaluator evaluator_of(const std::string& name);
/// Evaluator of this thread's context, for the record: "machine code, AVX2; SLEEF finz", or "interpreter; SLEEF cinz;
/// strict".
std::string evaluation_text();
/// Whether programs over double that this thread makes are machine code. Throws InputError where its context wants
/// machine code and this machine refuses.
bool evaluates_by_machine_code();
/// "" where tapes over double become machine code on this machine, otherwise why not.
std::string machine_code_refusal();

/// A tape over T. Any number of threads may run it, each with a work space of its own.
template <class T>
class Program {
 public:
  virtual ~Program() = default;
  /// Reads inputs[block][index], writes outputs[block][index]; blocks that the tape does not name may be null. Inputs
  /// and outputs must not overlap. `work`: work_size() numbers, of any content.
  virtual void run(const T* const* inputs, T* const* outputs, T* work) const = 0;
  virtual std::size_t work_size() const = 0;
};

/// T: double, Real50, Real100, std::complex<double>. Conditions, minima and signs of complex numbers are those of
/// their real parts.
template <class T>
std::unique_ptr<Program<T>> make_interpreter(Tape tape);

/// As the context of this thread has it for double, else an interpreter. Throws InputError where that wants machine
/// code and this machine refuses.
template <class T>
std::unique_ptr<Program<T>> make_program(Tape tape);

/// Four members of an ensemble at a time: number 4 index + lane of a block is that of the lane. The same bits as those
/// of four runs of the program of one.
std::unique_ptr<Program<double>> make_program_of_lanes(Tape tape);

/// Sines and cosines of four angles, the same bits on every machine that has fused multiply-add (x86-64 since 2013,
/// ARM); s and c are arrays of four.
void sines_and_cosines(const double* angles, double* s, double* c);
/// Those of SLEEF that this machine uses: finz (with fused multiply-add) or cinz (without), which differ in last bits.
const char* sines_and_cosines_variant();

}  // namespace daelab
