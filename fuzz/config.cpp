// Experiment configs: read, every run bound, nothing carried out. A grid of more than a few runs tells no more.
#include "lab/runs/config.hpp"
#include "core/base/context.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

void read_as_config(const std::string& input) {
  Context context = Context::process();
  context.limits.runs = 4;
  const Context::Scope scope(context);
  read_config(scratch_file("config.json", input));
}

const TargetEntry entry("config", read_as_config);

}  // namespace
}  // namespace daelab::fuzzing
