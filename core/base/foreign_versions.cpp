#include "core/base/foreign_versions.hpp"

#include <atomic>

namespace daelab {
namespace {

std::atomic<long> definitions = 0;

}  // namespace

long foreign_definitions() { return definitions; }
void detail::count_foreign_definition() { ++definitions; }

}  // namespace daelab
