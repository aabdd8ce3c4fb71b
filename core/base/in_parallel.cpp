#include "core/base/in_parallel.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "core/base/context.hpp"

namespace daelab {

void in_parallel(std::size_t count, const std::function<void(std::size_t i)>& body) {
  const Context& context = Context::current();
  // A caller may hold a lock, so while it waits it takes no work of other loops, which may want that lock.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      const Context::Scope scope(context);
      body(i);
    });
  });
}

}  // namespace daelab
