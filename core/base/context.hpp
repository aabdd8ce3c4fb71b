// Context: what work in this program is free to choose, and may be told, beside its input. The one place of switches.
//
// Work is done in the context of its thread: the process's own, until a Context::Scope says otherwise. Runs of a
// scheduler are carried out in the context of the thread that asked for them, whichever threads they are given.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/limits.hpp"

namespace daelab {

struct FileCopies;

/// What runs a tape over double. All give the same bits.
enum class Evaluator {
  automatic,          // machine code where this machine can, else the interpreter
  interpreter,        // one operation after the other
  machine_code,       // InputError where this machine cannot
  machine_code_sse2,  // the same without AVX2
};

/// A request to stop, made by any thread or a signal handler. Runs stop at the next step with StatusCode::interrupted;
/// other work that takes long looks at it too. A copy is a request of its own, which nobody has made yet.
class Interrupt {
 public:
  constexpr Interrupt() = default;
  Interrupt(const Interrupt& /*other*/) noexcept {}
  Interrupt& operator=(const Interrupt& /*other*/) noexcept { return *this; }

  /// False: it was made before.
  bool request() { return !requested_.exchange(true); }
  void withdraw() { requested_ = false; }
  bool is_requested() const { return requested_.load(std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may be anywhere in the program");
  std::atomic<bool> requested_{false};
};

/// A context outlives the work that is done in it, and meanwhile nothing of it changes but the request to stop. Threads
/// whose contexts differ do not disturb each other.
struct Context {
  Limits limits = {};                             // what input may ask for
  Evaluator evaluator = Evaluator::automatic;     // of tapes over double
  bool strict = false;                            // core/base/strict_arithmetic.hpp
  long largest_dense_size = 1;                    // rows of matrices that are factorised densely: sparse_lu.hpp
  std::string project_root = {};                  // core/base/paths.hpp says where it is when this is ""
  std::shared_ptr<const FileCopies> copies = {};  // what is read in place of files; null: the files
  Interrupt interrupt = {};                       // of what is done in this context

  /// What numbers, or refusals of input, may depend on: part of the key of a table of results.
  using Settings = std::tuple<Limits, Evaluator, bool, long>;
  Settings settings() const { return {limits, evaluator, strict, largest_dense_size}; }

  /// The context of all threads that have no other. It begins as above, strict where a non-empty environment variable
  /// DAELAB_STRICT asks for it; the command line sets the rest. Change it before there are other threads. A copy is a
  /// good start for a context that differs in something.
  static Context& process();
  /// The one that this thread works in.
  static const Context& current() { return *current_; }

  class Scope;

 private:
  // Read by each function of strict arithmetic: from where the thread begins, also in the library.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local const Context* current_;
};

/// While it lives, this thread works in another context.
class Context::Scope {
 public:
  explicit Scope(const Context& context) : before_(std::exchange(current_, &context)) {}
  explicit Scope(const Context&& context) = delete;  // it would not live long enough
  ~Scope() { current_ = before_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const Context* before_;
};

/// Somebody asked the work of this thread to stop.
inline bool interrupt_requested() { return Context::current().interrupt.is_requested(); }

}  // namespace daelab
