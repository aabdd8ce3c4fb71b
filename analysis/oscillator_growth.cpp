#include "analysis/oscillator_growth.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/circle_conditions.hpp"
#include "analysis/oscillator.hpp"
#include "analysis/polynomial_text.hpp"

namespace daelab {
namespace {

using Conditions = std::vector<std::pair<std::string, Poly<Rational>>>;

const Rational resolution(1, 1000000000000000);

// The zeros in (low, high], each to 15 digits, of a polynomial without repeated zeros, by its Sturm sequence.
void isolate(const std::vector<Poly<Rational>>& sequence, Rational low, Rational high, std::vector<Rational>& zeros) {
  const int count = variations(sequence, low) - variations(sequence, high);
  if (count == 0) return;
  if (count == 1 && high - low <= resolution * high) return zeros.push_back(high);
  const Rational middle = (low + high) / 2;
  isolate(sequence, low, middle, zeros), isolate(sequence, middle, high, zeros);
}

// Where kappa > 0 changes the sign of a condition.
std::vector<Rational> sign_changes_of(const Conditions& conditions) {
  std::vector<Rational> places;
  for (const auto& [name, condition] : conditions) {
    Poly<Rational> p = condition;
    while (!p.empty() && is_zero(p.front())) p.erase(p.begin());
    if (degree(p) < 1) continue;
    const Poly<Rational> odd = odd_part(p);
    if (degree(odd) > 0) isolate(sturm_sequence(odd), 0, zero_bound(odd), places);
  }
  std::ranges::sort(places);
  return places;
}

// The condition that is negative at kappa; "" if none is.
std::string violated(const Conditions& conditions, const Rational& kappa) {
  for (const auto& [name, p] : conditions)
    if (evaluate(p, kappa) < 0) return fmt::format("{} = {} < 0", name, polynomial_text(p, "kappa"));
  return "";
}

double omega(const Rational& kappa) { return std::sqrt(static_cast<double>(decimal(kappa))); }

void find_intervals(const Conditions& conditions, OscillatorGrowth& growth) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Rational> ends = sign_changes_of(conditions);
  std::vector<std::string> reasons;
  Rational low = 0;
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const bool is_last = i == ends.size();
    if (!is_last && ends[i] - low <= 4 * resolution * ends[i]) continue;  // one place of two conditions
    const Rational inside = is_last ? Rational(2 * low + 1) : Rational((low + ends[i]) / 2);
    const double from = omega(low), to = is_last ? infinity : omega(ends[i]);
    if (const std::string reason = violated(conditions, inside); !reason.empty()) {
      if (!growth.intervals.empty() && growth.intervals.back().to == from)
        growth.intervals.back().to = to;
      else
        growth.intervals.push_back({from, to}), reasons.push_back(reason);
    }
    if (!is_last) low = ends[i];
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const auto& [from, to] = growth.intervals[i];
    const std::string end =
        std::isinf(to) ? fmt::format("omega h > {:.6g}", from) : fmt::format("{:.6g} < omega h < {:.6g}", from, to);
    texts.push_back(fmt::format("a mode grows for {}: {}", end, reasons[i]));
  }
  growth.proof = texts.empty() ? "exact: no condition on modes in the unit circle is violated for any omega h > 0"
                               : fmt::format("exact, kappa = (omega h)^2: {}", fmt::join(texts, "; "));
}

// The largest radius between both ends, by a grid and golden sections around its best point.
void find_largest(const Oscillator& oscillator, const OscillatorGrowth::Interval& interval, OscillatorGrowth& growth) {
  constexpr double lowest = 1e-3, highest = 1e5;
  constexpr int points = 200;
  const double low = std::log(std::max(interval.from, lowest)), high = std::log(std::min(interval.to, highest));
  if (!(low < high)) return;
  const auto radius = [&](double x) { return oscillator.spectral_radius(std::exp(x)); };
  const double width = (high - low) / points;
  double best = low, largest = 0;
  for (int i = 0; i <= points; ++i)
    if (const double x = low + i * width, r = radius(x); r > largest) largest = r, best = x;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = std::max(low, best - width), b = std::min(high, best + width);
  for (int i = 0; i < 60; ++i) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    (radius(left) < radius(right) ? a : b) = radius(left) < radius(right) ? left : right;
  }
  largest = std::max(largest, radius((a + b) / 2));
  if (largest > growth.largest_radius) growth.largest_radius = largest, growth.at = std::exp((a + b) / 2);
}

}  // namespace

OscillatorGrowth oscillator_growth(const OscillatorForm& form) {
  OscillatorGrowth growth;
  const auto exact = [](const Real100& x) { return recover_fraction(x).value(); };
  find_intervals(circle_conditions(mode_polynomial<Rational>(form, exact)).conditions, growth);
  const std::optional<Oscillator> oscillator = Oscillator::of(form);
  for (const auto& interval : growth.intervals) find_largest(*oscillator, interval, growth);
  constexpr double round_off = 1e-9;
  if (const double limit = oscillator->rho_infinity(); limit > 1 && limit > growth.largest_radius - round_off)
    growth.largest_radius = limit, growth.is_limit = true;
  return growth;
}

}  // namespace daelab
