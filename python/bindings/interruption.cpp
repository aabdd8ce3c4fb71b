#include "interruption.hpp"

#include <daelab/core/base/context.hpp>
#include <future>

namespace daelab::python {

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
