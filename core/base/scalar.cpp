#include "core/base/scalar.hpp"

#include <array>
#include <charconv>

namespace daelab {

namespace {

struct ScalarTexts {
  const char *name, *words;
};
constexpr ScalarTexts scalar_texts[] = {{"double", "double"}, {"real50", "50 digits"}};

}  // namespace

std::vector<std::string> names_of(Scalar) {
  std::vector<std::string> names;
  for (const ScalarTexts& texts : scalar_texts) names.emplace_back(texts.name);
  return names;
}

std::string words_for(Scalar scalar) { return scalar_texts[static_cast<std::size_t>(scalar)].words; }

std::string to_text(double x) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x);
  return {buffer.data(), result.ptr};
}

std::string to_text(const Real50& x) { return x.str(50); }

std::string to_text(const Real100& x, int digits) { return x.str(digits); }

}  // namespace daelab
