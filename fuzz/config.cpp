// Experiment configs: read, every run bound, nothing carried out. A grid of more than a few runs tells no more.
#include "experiments/runs/config.hpp"
#include "core/base/limits.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

void read_as_config(const std::string& input) {
  set_limit("runs=4");
  read_config(scratch_file("config.json", input));
}

const TargetEntry entry("config", read_as_config);

}  // namespace
}  // namespace daelab::fuzzing
