// Interpreters: tapes instruction by instruction, over any scalar.
#include "core/base/scalar.hpp"
#include "core/base/three_limbs.hpp"
#include "core/expressions/operations.hpp"
#include "core/expressions/program.hpp"

namespace daelab {
namespace {

template <class T>
class Interpreter final : public Program<T> {
 public:
  explicit Interpreter(Tape tape) : tape_(std::move(tape)) {
    for (const Real100& constant : tape_.constants) constants_.push_back(static_cast<T>(rounded(constant)));
  }

  void run(const T* const* inputs, T* const* outputs, T* work) const override {
    T* slot = work;
    for (const Tape::Place& place : tape_.inputs) *slot++ = inputs[place.block][place.index];
    for (const T& constant : constants_) *slot++ = constant;
    for (const Instruction& x : tape_.instructions)
      if (x.operation == Operation::sines_and_cosines)
        take_sines(tape_.angles[x.a], work, work + x.result);
      else if (!in_place(x.operation, work[x.a], work[x.b], work[x.result]))
        work[x.result] = apply(x.operation, work[x.a], work[x.b], work[x.c]);
    for (const Tape::Result& result : tape_.results) outputs[result.block][result.index] = work[result.slot];
  }
  std::size_t work_size() const override { return tape_.slots; }

 private:
  static auto rounded(const Real100& x) {
    if constexpr (std::is_same_v<T, std::complex<double>>)
      return static_cast<double>(x);
    else
      return static_cast<T>(x);
  }
  // The commonest operations on numbers of 50 digits, without a copy of the result.
  static bool in_place(Operation operation, const T& a, const T& b, T& result) {
    if constexpr (std::is_same_v<T, Real50>) {
      if (operation == Operation::multiply) return three_limbs::multiply(result, a, b);
      if (operation == Operation::add) return three_limbs::add(result, a, b);
      if (operation == Operation::subtract) return three_limbs::subtract(result, a, b);
    }
    return false;
  }
  static void take_sines(const std::array<Slot, 4>& angles, const T* work, T* result) {
    if constexpr (std::is_same_v<T, double>) {
      const double all[4] = {work[angles[0]], work[angles[1]], work[angles[2]], work[angles[3]]};
      sines_and_cosines(all, result, result + 4);
    } else {
      for (int lane = 0; lane < 4 && (lane == 0 || angles[lane] != angles[lane - 1]); ++lane) {
        using std::cos, std::sin;
        const T& angle = work[angles[lane]];
        if constexpr (std::is_same_v<T, std::complex<double>>)
          result[lane] = sin(angle), result[4 + lane] = cos(angle);
        else
          sincos(angle, result[lane], result[4 + lane]);
      }
    }
  }

  Tape tape_;
  std::vector<T> constants_;
};

}  // namespace

template <class T>
std::unique_ptr<Program<T>> make_interpreter(Tape tape) {
  return std::make_unique<Interpreter<T>>(std::move(tape));
}

#define DAELAB_INSTANTIATE(T) template std::unique_ptr<Program<T>> make_interpreter<T>(Tape tape);
DAELAB_INSTANTIATE(double)
DAELAB_INSTANTIATE(Real50)
DAELAB_INSTANTIATE(Real100)
DAELAB_INSTANTIATE(std::complex<double>)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
