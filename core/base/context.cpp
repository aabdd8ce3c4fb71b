#include "core/base/context.hpp"

namespace daelab {
namespace {

// Ready before all that registers itself, which reads numbers within limits (clang 14 makes the text in it when the
// program starts, so the order is given); and never destroyed, because threads may still be at work when main ends.
union ProcessContext {
  constexpr ProcessContext() : context() {}
  ~ProcessContext() {}
  Context context;
};
[[gnu::init_priority(101)]] ProcessContext process_context;

}  // namespace

constinit thread_local const Context* Context::current_ = &process_context.context;

Context& Context::process() { return process_context.context; }

}  // namespace daelab
