#include "interruption.hpp"

#include <atomic>
#include <daelab/core/base/context.hpp>
#include <future>
#include <thread>

namespace nb = nanobind;

namespace daelab::python {
namespace {

std::atomic<bool> ends{false}, has_ended{false};  // work is to stop; nobody is let back into the interpreter
std::atomic<int> working{0};                      // threads without the lock
std::thread::id last_thread;                      // which ends the interpreter; set before `ends`

// In the function that the interpreter calls before it ends, with its lock, which others may take meanwhile.
void stop_work() {
  constexpr std::chrono::seconds patience(10);  // a step of a large problem takes a while
  last_thread = std::this_thread::get_id();
  ends = true;
  {
    const nb::gil_scoped_release unlocked;
    const auto last = std::chrono::steady_clock::now() + patience;
    while (working > 0 && std::chrono::steady_clock::now() < last)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  has_ended = true;
}

void sleep_once_it_has_ended() {
  while (has_ended && std::this_thread::get_id() != last_thread) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

Unlocked::Unlocked() {
  if (interpreter_ends()) throw InterpreterEnds();
  ++working;
  state_ = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
  sleep_once_it_has_ended();
  PyEval_RestoreThread(state_);
  --working;
}

Locked::Awake::Awake() { sleep_once_it_has_ended(); }

bool interpreter_ends() { return ends && std::this_thread::get_id() != last_thread; }

void stop_work_at_exit() {
  nb::register_exception_translator(
      [](const std::exception_ptr& pointer, void* /*unused*/) {
        try {
          std::rethrow_exception(pointer);
        } catch (const InterpreterEnds&) {
          PyErr_SetNone(PyExc_SystemExit);
        }
      },
      nullptr);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&stop_work));
}

void run_interruptibly(const std::function<void()>& job) {
  Context context = Context::current();  // a copy, with an interrupt of its own
  std::future<void> done = std::async(std::launch::async, [&] {
    const Context::Scope scope(context);
    job();
  });
  while (done.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    try {
      raise_signals();
    } catch (...) {
      context.interrupt.request();
      done.wait();
      throw;
    }
  }
  done.get();
}

}  // namespace daelab::python
