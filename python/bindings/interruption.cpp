#include "interruption.hpp"

#include <daelab/core/integration/integrate.hpp>
#include <future>

namespace daelab::python {

void run_interruptibly(const std::function<void()>& job) {
  std::future<void> done = std::async(std::launch::async, job);
  while (done.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    try {
      raise_signals();
    } catch (...) {
      interrupt_requested = true;
      done.wait();
      interrupt_requested = false;
      throw;
    }
  }
  done.get();
}

}  // namespace daelab::python
