// The threads that work is distributed over.
#pragma once

#include <tbb/global_control.h>

#include <new>

namespace daelab {

/// Ends them before the process ends, as a local of main(): LeakSanitizer's tracer crashes where a thread ends
/// meanwhile.
class WorkerThreads {
 public:
  ~WorkerThreads() { tbb::finalize(threads_, std::nothrow); }

 private:
  tbb::task_scheduler_handle threads_{tbb::attach{}};
};

}  // namespace daelab
