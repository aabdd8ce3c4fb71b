// Ctrl-C while C++ runs without the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
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

/// Throws what a signal asks for, KeyboardInterrupt of Ctrl-C. Call without the lock; in other threads than the main
/// one Python leaves signals alone.
inline void raise_signals() {
  const nanobind::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

/// Carries out a job in a context of its own, on another thread, so that this one can look for signals and ask it to
/// stop. Call without the lock. Throws what the job throws, or what a signal asks for once the job has stopped.
void run_interruptibly(const std::function<void()>& job);

}  // namespace daelab::python
