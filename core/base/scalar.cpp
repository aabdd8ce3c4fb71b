#include "core/base/scalar.hpp"

#include <array>
#include <charconv>

namespace daelab {

std::string to_text(double x) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x);
  return {buffer.data(), result.ptr};
}

std::string to_text(const Real50& x) { return x.str(50); }

std::string to_text(const Real100& x, int digits) { return x.str(digits); }

}  // namespace daelab
