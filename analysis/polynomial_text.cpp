#include "analysis/polynomial_text.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

// a_0 + a_1 w + ..., each coefficient as text without its sign; "" for the coefficient one.
template <class T, class Text>
std::string sum_text(const Poly<T>& p, const std::string& variable, const Text& magnitude) {
  std::string text;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] == 0) continue;
    if (text.empty())
      text += p[i] < 0 ? "-" : "";
    else
      text += p[i] < 0 ? " - " : " + ";
    const std::string factor = magnitude(T(abs(p[i])));
    const std::string power = i == 0 ? "" : i == 1 ? variable : fmt::format("{}^{}", variable, i);
    if (power.empty() || factor != "1") text += factor;
    if (!power.empty() && factor != "1") text += " ";
    text += power;
  }
  return text.empty() ? "0" : text;
}

std::string whole_text(const Poly<Integer>& p, const std::string& variable) {
  return sum_text(p, variable, [](const Integer& a) { return a.str(); });
}

std::string in_parentheses(const std::string& text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

std::string over(const std::string& above, const std::string& below) {
  if (below == "1") return above;
  return in_parentheses(above) + "/" + in_parentheses(below);
}

// The smallest positive number that makes every coefficient whole, with no common divisor left.
Rational clearing_factor(const Poly<Rational>& p, const Poly<Rational>& q) {
  Integer least = 1, common = 0;
  for (const auto* poly : {&p, &q})
    for (const Rational& a : *poly) least = lcm(least, denominator(a));
  for (const auto* poly : {&p, &q})
    for (const Rational& a : *poly) common = gcd(common, numerator(Rational(a * least)));
  return {least, common == 0 ? Integer(1) : common};
}

Poly<Integer> whole(const Poly<Rational>& p, const Rational& factor) {
  Poly<Integer> result;
  for (const Rational& a : p) result.push_back(numerator(Rational(a * factor)));
  return result;
}

}  // namespace

Poly<Real100> decimals(const Poly<Rational>& p) {
  Poly<Real100> result;
  for (const Rational& a : p) result.push_back(decimal(a));
  return result;
}

Poly<Rational> fractions(const Poly<Real100>& p) {
  Poly<Rational> result;
  for (const Real100& x : p) {
    const auto fraction = recover_fraction(x);
    if (!fraction) return {};
    result.push_back(*fraction);
  }
  return result;
}

std::string quotient_text(const Poly<Rational>& p, const Poly<Rational>& q, const std::string& variable) {
  const Rational factor = clearing_factor(p, q);
  return over(whole_text(whole(p, factor), variable), whole_text(whole(q, factor), variable));
}

std::string quotient_text(const Poly<Real100>& p, const Poly<Real100>& q, const std::string& variable) {
  return over(polynomial_text(p, variable), polynomial_text(q, variable));
}

std::string polynomial_text(const Poly<Rational>& p, const std::string& variable) {
  return quotient_text(p, {Rational(1)}, variable);
}

std::string polynomial_text(const Poly<Real100>& p, const std::string& variable) {
  return sum_text(p, variable, [](const Real100& a) {
    const std::string text = exact_text(a);
    return text.find(' ') == std::string::npos || text.front() == '(' ? text : "(" + text + ")";
  });
}

}  // namespace daelab
