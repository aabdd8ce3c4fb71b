// Exact numbers: read, rounded, and printed in their shortest form.
#include "core/base/exact.hpp"
#include "core/expressions/constant_text.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

void read_as_exact(const std::string& input) {
  decimal_places(input);
  const Exact number = exact_from_json(input, "/h");
  number.as<double>();
  exact_text(number.value());
  fraction_or_decimal(number.value());
  constant_text(number.value());
}

const TargetEntry entry("exact", read_as_exact);

}  // namespace
}  // namespace daelab::fuzzing
