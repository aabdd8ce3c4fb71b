#include "core/base/in_parallel.hpp"

#include <tbb/parallel_for.h>

#include "core/base/context.hpp"

namespace daelab {

void in_parallel(std::size_t count, const std::function<void(std::size_t i)>& body) {
  const Context& context = Context::current();
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    const Context::Scope scope(context);
    body(i);
  });
}

}  // namespace daelab
