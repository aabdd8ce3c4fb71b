#include "core/base/interval_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daelab {
namespace {

constexpr double round_off = 1e-9;  // of hundredths

double hundredths_up(double x) { return std::ceil(100 * x - round_off); }

}  // namespace

std::string interval_text(double value, double half_width) {
  return fmt::format("{:.2f} ± {:.2f}", value, hundredths_up(half_width) / 100);
}

bool printed_interval_includes(double value, double half_width, double other) {
  return std::abs(std::round(100 * value) - 100 * other) <= hundredths_up(half_width) + round_off;
}

}  // namespace daelab
