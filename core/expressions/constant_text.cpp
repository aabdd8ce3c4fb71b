#include "core/expressions/constant_text.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/base/exact.hpp"
#include "core/base/rational.hpp"

namespace daelab {
namespace {

bool reads_as(const std::string& text, const Real100& x) {
  try {
    return Exact(text).value() == x;
  } catch (const InputError&) {
    return false;
  }
}

std::string fraction_text(const Rational& x, const std::string& unit) {
  const Integer p = numerator(x), q = denominator(x);
  const std::string above = unit.empty() ? p.str() : p == 1 ? unit : p == -1 ? "-" + unit : p.str() + "*" + unit;
  return q == 1 ? above : above + "/" + q.str();
}

std::string surd_text(const QuadraticSurd& x) {
  const Integer size = x.b < 0 ? Integer(-x.b) : x.b;
  std::string root = fmt::format("{}sqrt({})", size == 1 ? "" : size.str() + "*", x.D);
  if (x.a == 0)
    root = (x.b < 0 ? "-" : "") + root;
  else
    root = fmt::format("{} {} {}", x.a.str(), x.b < 0 ? "-" : "+", root);
  if (x.c == 1) return root;
  return (x.a == 0 ? root : "(" + root + ")") + "/" + x.c.str();
}

// Short forms that have the same 100 digits; "" where there is none.
std::string short_constant(const Real100& x) {
  const std::optional<Rational> fraction = recover_fraction(x);
  if (fraction && denominator(*fraction) <= 9)
    if (const std::string text = fraction_text(*fraction, ""); reads_as(text, x)) return text;
  if (const std::string text = x.str(18); reads_as(text, x)) return text;
  if (fraction)
    if (const std::string text = fraction_text(*fraction, ""); reads_as(text, x)) return text;
  if (const auto of_pi = recover_fraction(x / pi<Real100>()); of_pi && denominator(*of_pi) <= 1000)
    if (const std::string text = fraction_text(*of_pi, "pi"); reads_as(text, x)) return text;
  if (const auto surd = recover_surd(x))
    if (const std::string text = surd_text(*surd); reads_as(text, x)) return text;
  return "";
}

}  // namespace

std::string constant_text(const Real100& x, int digits) {
  if (!isfinite(x)) return to_text(static_cast<double>(x));
  if (const std::string text = short_constant(x); !text.empty()) return text;
  return x.str(digits);
}

}  // namespace daelab
