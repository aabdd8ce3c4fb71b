// Coefficients of Runge-Kutta methods in JSON, with the tests of their orders.
#include "core/base/json_file.hpp"
#include "core/integration/method.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

void read_as_tableau(const std::string& input) {
  const std::string path = scratch_file("tableau.json", input);
  Registry<Method>::instance().make_document(read_json_file(path), path + ": ");
}

const TargetEntry entry("tableau", read_as_tableau);

}  // namespace
}  // namespace daelab::fuzzing
