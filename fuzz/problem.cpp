// Problems in JSON: recorded, differentiated, their energies checked.
#include "core/documents/json_problem.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

void read_as_problem(const std::string& input) {
  const std::string path = scratch_file("problem.json", input);
  const auto problem = Registry<Problem>::instance().make("@" + path, "");
  problem->model(As<double>{});
}

const TargetEntry entry("problem", read_as_problem);

}  // namespace
}  // namespace daelab::fuzzing
