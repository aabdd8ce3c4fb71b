// Programs of machine code: made by machine_generator.hpp, shared by all tapes that differ in their constants alone.
#include "core/expressions/machine_code.hpp"

#include <stdexcept>

#include "core/expressions/executable_memory.hpp"

#if defined(__x86_64__) && !defined(_WIN32)  // the System V calling convention

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "core/expressions/machine_generator.hpp"

namespace daelab {
namespace {

using namespace machine;

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

/// Inputs, outputs, work space, bytes to the lanes of this run, constants.
using EntryPoint = void (*)(const double* const*, double* const*, double*, std::size_t, const double*);

/// The code of all tapes that differ in their constants alone.
class SharedCode {
 public:
  SharedCode(const Tape& tape, int lanes, Instructions instructions, const RepetitionLimits& limits)
      : width_(width_of(lanes, instructions)) {
    KeepingHandler handler;
    asmjit::CodeHolder code;
    check(code.init(asmjit::Environment::host()));
    code.setErrorHandler(&handler);
    CodeGenerator generator(tape, code, lanes, instructions, limits);
    const std::uint64_t entry = generator.generate();
    handler.check();
    check(code.flatten());
    memory_ = std::make_unique<ExecutableMemory>(code.codeSize());
    check(code.relocateToBase(reinterpret_cast<std::uintptr_t>(memory_->data())));
    check(code.copyFlattenedData(memory_->data(), memory_->size()));
    memory_->seal();
    function_ = reinterpret_cast<EntryPoint>(memory_->data() + entry);
    work_size_ = generator.work_size();
  }
  EntryPoint function() const { return function_; }
  std::size_t work_size() const { return work_size_; }
  int width() const { return width_; }

 private:
  int width_;
  std::unique_ptr<ExecutableMemory> memory_;
  EntryPoint function_ = nullptr;
  std::size_t work_size_ = 0;
};

/// Made once for all programs that are alive: runs of one mechanism with other parameters find it here. Tapes that are
/// long enough for loops are not kept for others: their structure takes more memory than their code.
std::shared_ptr<const SharedCode> shared_code(const Tape& tape, int lanes, Instructions instructions,
                                              const RepetitionLimits& limits) {
  if (tape.instructions.size() >= limits.least_tape)
    return std::make_shared<const SharedCode>(tape, lanes, instructions, limits);
  static std::mutex mutex;
  static std::unordered_map<std::u32string, std::weak_ptr<const SharedCode>> codes;
  std::u32string key = structure(tape);
  key += {static_cast<char32_t>(lanes), static_cast<char32_t>(instructions)};
  {
    const std::lock_guard lock(mutex);
    if (const auto known = codes.find(key); known != codes.end())
      if (auto code = known->second.lock()) return code;
  }
  auto code = std::make_shared<const SharedCode>(tape, lanes, instructions, limits);
  const std::lock_guard lock(mutex);
  std::erase_if(codes, [](const auto& entry) { return entry.second.expired(); });
  codes[std::move(key)] = code;
  return code;
}

class MachineCode final : public Program<double> {
 public:
  /// `lanes`: one or four.
  MachineCode(std::shared_ptr<const SharedCode> code, const std::vector<Real100>& constants, int lanes)
      : code_(std::move(code)), runs_(lanes / code_->width()) {
    const auto width = static_cast<std::size_t>(code_->width());
    table_.resize(constants.size() * width / 4 + 1);
    double* number = table_.data()->numbers;
    for (const Real100& constant : constants) number = std::fill_n(number, width, static_cast<double>(constant));
  }

  void run(const double* const* inputs, double* const* outputs, double* work) const override {
    const auto address = reinterpret_cast<std::uintptr_t>(work);
    double* const aligned = work + (-address % alignment) / sizeof(double);
    const double* const table = table_.data()->numbers;
    for (int run = 0; run < runs_; ++run) code_->function()(inputs, outputs, aligned, 16 * run, table);
  }
  std::size_t work_size() const override { return code_->work_size() + alignment / sizeof(double); }

 private:
  static constexpr std::size_t alignment = 32;
  struct alignas(alignment) Line {
    double numbers[4];
  };

  std::shared_ptr<const SharedCode> code_;
  int runs_;
  std::vector<Line> table_;  // the constants, each as wide as a vector
};

}  // namespace

std::string machine_code_refusal() { return executable_memory_refusal(); }

Instructions machine_instructions() { return __builtin_cpu_supports("avx2") ? Instructions::avx2 : Instructions::sse2; }

std::unique_ptr<Program<double>> make_machine_code(const Tape& tape, int lanes, Instructions instructions,
                                                   const RepetitionLimits& limits) {
  if (lanes != 1 && lanes != 4) throw std::logic_error("machine code: one lane or four");
  return std::make_unique<MachineCode>(shared_code(tape, lanes, instructions, limits), tape.constants, lanes);
}

}  // namespace daelab

#else

namespace daelab {

std::string machine_code_refusal() { return "machine code is made for x86-64 processors on Linux and macOS only"; }

Instructions machine_instructions() { return Instructions::sse2; }

std::unique_ptr<Program<double>> make_machine_code(const Tape&, int, Instructions, const RepetitionLimits&) {
  throw std::runtime_error(machine_code_refusal());
}

}  // namespace daelab

#endif
