#include "core/expressions/program.hpp"

#include <fmt/format.h>

#include <complex>

#include "core/base/context.hpp"
#include "core/base/json.hpp"
#include "core/base/scalar.hpp"
#include "core/base/strict_arithmetic.hpp"
#include "core/expressions/executable_memory.hpp"
#include "core/expressions/machine_code.hpp"

namespace daelab {
namespace {

Evaluator evaluator() { return Context::current().evaluator; }

Instructions instructions() {
  return evaluator() == Evaluator::machine_code_sse2 ? Instructions::sse2 : machine_instructions();
}

void require_machine_code() {
  if (const std::string refusal = machine_code_refusal(); !refusal.empty())
    throw InputError("evaluation by machine code: " + refusal);
}

/// An interpreter, a lane at a time. Its tape has one block of inputs and one of outputs: the needed ones, in a row.
class FourInterpreted final : public Program<double> {
 public:
  explicit FourInterpreted(Tape tape) : inputs_(tape.inputs), results_(tape.results) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) tape.inputs[i] = {0, static_cast<int>(i)};
    for (std::size_t i = 0; i < results_.size(); ++i) tape.results[i] = {results_[i].slot, 0, static_cast<int>(i)};
    one_ = make_interpreter<double>(std::move(tape));
  }

  void run(const double* const* inputs, double* const* outputs, double* work) const override {
    double* const values = work;
    double* const results = values + inputs_.size();
    double* const work_of_one = results + results_.size();
    for (std::size_t lane = 0; lane < 4; ++lane) {
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        values[i] = inputs[inputs_[i].block][4 * static_cast<std::size_t>(inputs_[i].index) + lane];
      one_->run(&values, &results, work_of_one);
      for (std::size_t i = 0; i < results_.size(); ++i)
        outputs[results_[i].block][4 * static_cast<std::size_t>(results_[i].index) + lane] = results[i];
    }
  }
  std::size_t work_size() const override { return inputs_.size() + results_.size() + one_->work_size(); }

 private:
  std::vector<Tape::Place> inputs_;
  std::vector<Tape::Result> results_;
  std::unique_ptr<Program<double>> one_;
};

}  // namespace

Evaluator evaluator_of(const std::string& name) {
  if (name == "automatic") return Evaluator::automatic;
  if (name == "interpreter") return Evaluator::interpreter;
  if (name == "machine-code" || name == "machine-code-sse2") {
    require_machine_code();
    return name == "machine-code" ? Evaluator::machine_code : Evaluator::machine_code_sse2;
  }
  throw InputError("--evaluate: unknown '" + name +
                   "'; allowed: automatic, interpreter, machine-code, machine-code-sse2");
}

bool evaluates_by_machine_code() {
  if (evaluator() == Evaluator::interpreter) return false;
  if (evaluator() == Evaluator::automatic) return machine_code_refusal().empty();
  require_machine_code();
  return true;
}

std::string evaluation_text() {
  const char* set = instructions() == Instructions::avx2 ? "AVX2" : "SSE2";
  const std::string by = evaluates_by_machine_code() ? fmt::format("machine code, {}", set) : "interpreter";
  return fmt::format("{}; SLEEF {}{}", by, sines_and_cosines_variant(), strict_arithmetic() ? "; strict" : "");
}

template <class T>
std::unique_ptr<Program<T>> make_program(Tape tape) {
  if constexpr (std::is_same_v<T, double>)
    if (evaluates_by_machine_code()) return make_machine_code(tape, 1, instructions());
  return make_interpreter<T>(std::move(tape));
}

std::unique_ptr<Program<double>> make_program_of_lanes(Tape tape) {
  if (evaluates_by_machine_code()) return make_machine_code(tape, 4, instructions());
  return std::make_unique<FourInterpreted>(std::move(tape));
}

#define DAELAB_PROGRAM(T) template std::unique_ptr<Program<T>> make_program<T>(Tape);
DAELAB_FOR_SCALARS(DAELAB_PROGRAM)
DAELAB_PROGRAM(Real100)
DAELAB_PROGRAM(std::complex<double>)
#undef DAELAB_PROGRAM

}  // namespace daelab
