#include "core/expressions/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace daelab {
namespace {

std::string latex_number(const std::string& digits) {
  const std::size_t e = digits.find('e');
  if (e == std::string::npos) return digits;
  const std::string exponent = digits.substr(digits[e + 1] == '+' ? e + 2 : e + 1);
  return fmt::format("{} \\cdot 10^{{{}}}", digits.substr(0, e), std::stoi(exponent));
}

bool is_greek(const std::string& word) {
  static const std::set<std::string> letters{
      "alpha", "beta",  "gamma", "delta",  "epsilon", "zeta",  "eta",     "theta", "iota", "kappa", "lambda",
      "mu",    "nu",    "xi",    "rho",    "sigma",   "tau",   "upsilon", "phi",   "chi",  "psi",   "omega",
      "Gamma", "Delta", "Theta", "Lambda", "Xi",      "Sigma", "Upsilon", "Phi",   "Psi",  "Omega"};
  return letters.contains(word);
}

std::string latex_word(const std::string& word) {
  if (word == "eps") return "\\varepsilon";
  if (is_greek(word)) return "\\" + word;
  const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
  return word.size() <= 1 || is_number ? word : "\\mathrm{" + word + "}";
}

}  // namespace

std::string latex_constant(std::string text) {
  if (text.starts_with('-')) return "-" + latex_constant(text.substr(1));
  if (const std::size_t slash = text.rfind('/'); slash != std::string::npos) {
    std::string above = text.substr(0, slash);
    if (above.starts_with('(')) above = above.substr(1, above.size() - 2);
    return fmt::format("\\frac{{{}}}{{{}}}", latex_constant(above), text.substr(slash + 1));
  }
  if (const std::size_t space = text.find(' '); space != std::string::npos)
    return text.substr(0, space + 3) + latex_constant(text.substr(space + 3));
  if (const std::size_t star = text.find('*'); star != std::string::npos)
    return text.substr(0, star) + " " + latex_constant(text.substr(star + 1));
  if (text == "pi") return "\\pi";
  if (text.starts_with("sqrt(")) return "\\sqrt{" + text.substr(5, text.size() - 6) + "}";
  return latex_number(text);
}

std::string latex_name(const std::string& name) {
  const std::size_t primes = name.size() - std::min(name.size(), name.find_last_not_of('\'') + 1);
  std::string stem = name.substr(0, name.size() - primes), below;
  if (const std::size_t underscore = stem.find('_'); underscore != std::string::npos && underscore > 0) {
    below = stem.substr(underscore + 1);
    stem = stem.substr(0, underscore);
  }
  const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
  if (digits > 0 && digits < stem.size()) {
    below = stem.substr(digits) + (below.empty() ? "" : "_" + below);
    stem = stem.substr(0, digits);
  }
  std::string subscript;
  for (std::size_t begin = 0; begin < below.size();) {
    const std::size_t end = std::min(below.find('_', begin), below.size());
    if (end > begin) subscript += (subscript.empty() ? "" : ",") + latex_word(below.substr(begin, end - begin));
    begin = end + 1;
  }
  std::string letter = latex_word(stem);
  if (primes == 1) letter = "\\dot{" + letter + "}";
  if (primes == 2) letter = "\\ddot{" + letter + "}";
  return subscript.empty() ? letter : letter + "_{" + subscript + "}";
}

}  // namespace daelab
