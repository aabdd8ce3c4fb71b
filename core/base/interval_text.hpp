// An estimate and the half-width of its interval, as reports print them.
#pragma once

#include <string>

namespace daelab {

/// "4.99 ± 0.08". The width is rounded up: what is printed never claims more than the estimate.
std::string interval_text(double value, double half_width);

/// Whether the interval as it is printed includes `other`.
bool printed_interval_includes(double value, double half_width, double other);

}  // namespace daelab
