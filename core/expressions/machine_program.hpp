// Code that is being assembled, and the program that it becomes.
#pragma once

#include <asmjit/x86.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "core/expressions/executable_memory.hpp"
#include "core/expressions/program.hpp"

namespace daelab::machine {

[[noreturn]] inline void fail(const char* message) {
  throw std::runtime_error(std::string("machine code: ") + message);
}

inline void check(asmjit::Error error) {
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

class CodeBuffer {
 public:
  CodeBuffer() {
    machine::check(code_.init(asmjit::Environment::host()));
    code_.setErrorHandler(&handler_);
  }
  asmjit::CodeHolder& code() { return code_; }
  /// Throws std::runtime_error where something could not be written.
  std::unique_ptr<ExecutableMemory> finished() {
    handler_.check();
    machine::check(code_.flatten());
    auto memory = std::make_unique<ExecutableMemory>(code_.codeSize());
    machine::check(code_.relocateToBase(reinterpret_cast<std::uintptr_t>(memory->data())));
    machine::check(code_.copyFlattenedData(memory->data(), memory->size()));
    memory->seal();
    return memory;
  }

 private:
  KeepingHandler handler_;
  asmjit::CodeHolder code_;
};

/// So many runs of the code, each on the next lanes.
class MachineProgram final : public Program<double> {
 public:
  MachineProgram(std::unique_ptr<ExecutableMemory> memory, std::uint64_t entry, std::size_t work_size, int runs)
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

  using EntryPoint = void (*)(const double* const*, double* const*, double*, std::size_t);

  std::unique_ptr<ExecutableMemory> memory_;
  EntryPoint function_;
  std::size_t work_size_;
  int runs_;
};

}  // namespace daelab::machine
