// Ctrl-C, and the end of the interpreter, while C++ runs without the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <functional>

namespace daelab::python {

/// Whether it is time to look for signals: every 20 ms, so that nobody waits and no run is slowed down.
class SignalClock {
 public:
  bool is_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(20);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
};

/// C++ without the interpreter's lock, which is taken again at its end. When the interpreter ends, work on other
/// threads is asked to stop and waited for: a thread that came back later would be ended within C++, and the process
/// aborted with it. One that does so in spite of that sleeps until the process is gone.
class Unlocked {
 public:
  /// Throws InterpreterEnds.
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

/// Python within such work.
class [[gnu::visibility("hidden")]] Locked {  // as objects of Python are
 public:
  Locked() = default;

 private:
  struct Awake {
    Awake();
  };
  Awake awake_;
  nanobind::gil_scoped_acquire lock_;
};

/// What a thread throws that is to stop since the interpreter ends; in Python it is SystemExit.
struct InterpreterEnds : std::exception {
  const char* what() const noexcept override { return "the interpreter ends"; }
};

/// Of this thread. Needs no lock.
bool interpreter_ends();

/// Has work stopped before the interpreter ends.
void stop_work_at_exit();

/// Throws what a signal asks for, KeyboardInterrupt of Ctrl-C. Call without the lock; in other threads than the main
/// one Python leaves signals alone.
inline void raise_signals() {
  if (interpreter_ends()) throw InterpreterEnds();
  const Locked lock;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

/// Carries out a job in a context of its own, on another thread, so that this one can look for signals and ask it to
/// stop. Call without the lock. Throws what the job throws, or what a signal asks for once the job has stopped.
void run_interruptibly(const std::function<void()>& job);

}  // namespace daelab::python
