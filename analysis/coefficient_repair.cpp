#include "analysis/coefficient_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include "analysis/roots.hpp"
#include "core/base/exact.hpp"

namespace daelab {
namespace {

struct DigitSlip {
  int likelihood;
  const char* how;
};

// For texts with one character more or less.
std::optional<DigitSlip> length_slip(const std::string& before, const std::string& after) {
  const bool was_left_out = before.size() < after.size();
  const std::string &shorter = was_left_out ? before : after, &longer = was_left_out ? after : before;
  const auto place = std::ranges::mismatch(shorter, longer).in1 - shorter.begin();
  const auto i = static_cast<std::size_t>(place);
  if (shorter.substr(i) != longer.substr(i + 1)) return {};
  return DigitSlip{slip::digit, was_left_out ? "a character was left out" : "a character too many"};
}

std::optional<DigitSlip> digit_slip(const std::string& before, const std::string& after) {
  if (before.size() + 1 == after.size() || before.size() == after.size() + 1) return length_slip(before, after);
  if (before.size() != after.size()) return {};
  std::vector<std::size_t> differ;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != after[i]) differ.push_back(i);
  if (differ.size() == 1) return DigitSlip{slip::digit, "one digit"};
  const bool swapped =
      differ.size() == 2 && before[differ[0]] == after[differ[1]] && before[differ[1]] == after[differ[0]];
  if (swapped) return DigitSlip{slip::exchange, "two digits exchanged"};
  return {};
}

// 2, 3, ..., 10, 12, 100 and their inverses.
std::string simple_factor(const Real100& ratio, const Real100& tolerance) {
  for (const int k : {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 100})
    for (const bool inverse : {false, true}) {
      const Real100 factor = inverse ? Real100(1) / k : Real100(k);
      if (abs(abs(ratio) - factor) <= tolerance)
        return fmt::format("{}{}{}", ratio < 0 ? "-" : "", inverse ? "1/" : "", k);
    }
  return "";
}

// What can be compared letter by letter: rounded values without their last digits.
std::string spelling(const Real100& x, int digits) {
  return digits == 0 ? exact_text(x) : to_text(x, std::max(3, std::min(digits - 3, 14)));
}

// ----- one entry from a condition -----

using Polynomial100 = std::vector<Real100>;

// Through values at 0, 1, 2, ..., by Newton's formula.
Polynomial100 polynomial_through(std::vector<Real100> values) {
  Real100 size = 1;
  for (const Real100& value : values) size = std::max(size, Real100(abs(value)));
  Polynomial100 differences;
  while (!values.empty()) {
    differences.push_back(values[0]);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) values[i] = values[i + 1] - values[i];
    values.pop_back();
  }
  while (!differences.empty() && abs(differences.back()) <= Real100("1e-70") * size) differences.pop_back();
  Polynomial100 p;  // by Horner's rule in the factors (u - k)/(k + 1)
  for (std::size_t k = differences.size(); k-- > 0;) {
    Polynomial100 next(p.size() + 1, Real100(0));
    const int at = static_cast<int>(k);
    for (std::size_t i = 0; i < p.size(); ++i) {
      next[i + 1] += p[i] / (at + 1);
      next[i] -= p[i] * at / (at + 1);
    }
    next[0] += differences[k];
    p = std::move(next);
  }
  return p;
}

Real100 refined(const Polynomial100& p, Real100 u) {
  for (int iteration = 0; iteration < 10; ++iteration) {
    Real100 value = 0, slope = 0;
    for (std::size_t i = p.size(); i-- > 0;) slope = slope * u + value, value = value * u + p[i];
    if (slope == 0) break;
    u -= value / slope;
  }
  return u;
}

std::vector<Real100> real_zeros(const Polynomial100& p) {
  std::vector<std::complex<double>> in_double;
  for (const Real100& a : p) in_double.emplace_back(static_cast<double>(a));
  std::vector<Real100> found;
  for (const std::complex<double>& u : zeros(in_double))
    if (std::abs(u.imag()) <= 1e-6 * (1 + std::abs(u))) found.push_back(refined(p, u.real()));
  return found;
}

struct Candidate {
  int likelihood = 0;
  double size = 0;
  std::string text;
  NamedCoefficients lists;
};

class Search {
 public:
  explicit Search(const RepairProblem& problem) : problem_(problem) {}

  std::vector<std::string> run() {
    for (const auto& [i, j] : problem_.exchangeable) exchange_lists(i, j);
    for (std::size_t list = 0; list < problem_.lists.size(); ++list) {
      for (std::size_t i = 0; i < problem_.lists[list].entries.size(); ++i) solve_entry(list, i);
      exchange_in(list);
    }
    return likeliest();
  }

 private:
  std::string pointer(std::size_t list, std::size_t i) const {
    return fmt::format("{}/{}", problem_.lists[list].pointer, i);
  }
  const Real100& entry(std::size_t list, std::size_t i) const { return problem_.lists[list].entries[i]; }

  // Other coefficients may be rounded: what their errors leave in a condition is told from more by the proof.
  bool hold(const NamedCoefficients& lists) const {
    const Real100 most = problem_.digits == 0 ? Real100("1e-40") : pow(Real100(10), 4 - problem_.digits);
    const auto all_hold = [&](int up_to) {
      return std::ranges::all_of(problem_.residuals(lists, up_to),
                                 [&](const Real100& residual) { return abs(residual) <= most; });
    };
    return all_hold(few()) && (few() == problem_.order || all_hold(problem_.order));
  }
  // Conditions that are cheap, and decide of most.
  int few() const { return std::min(problem_.order, 4); }
  void keep(Candidate candidate) {
    if (hold(candidate.lists)) candidates_.push_back(std::move(candidate));
  }

  // The condition of the lowest degree in the entry x + scale u, and the steepest one of these: the rounding of other
  // coefficients moves its zero least.
  std::optional<Polynomial100> simplest_condition(std::size_t list, std::size_t i, const Real100& scale,
                                                  int up_to) const {
    NamedCoefficients lists = problem_.lists;
    std::vector<std::vector<Real100>> samples;
    for (int u = 0; u <= up_to; ++u) {
      lists[list].entries[i] = entry(list, i) + u * scale;
      samples.push_back(problem_.residuals(lists, up_to));
    }
    std::optional<Polynomial100> simplest;
    for (std::size_t condition = 0; condition < samples[0].size(); ++condition) {
      std::vector<Real100> values;
      for (const auto& sample : samples) values.push_back(sample[condition]);
      Polynomial100 p = polynomial_through(std::move(values));
      if (p.size() < 2) continue;
      const bool is_simpler = !simplest || p.size() < simplest->size() ||
                              (p.size() == simplest->size() && abs(p.back()) > abs(simplest->back()));
      if (is_simpler) simplest = std::move(p);
    }
    return simplest;
  }

  void solve_entry(std::size_t list, std::size_t i) {
    const Real100 &before = entry(list, i), scale = std::max(Real100(1) / 2, Real100(abs(before)));
    std::optional<Polynomial100> condition = simplest_condition(list, i, scale, few());
    if (!condition && few() < problem_.order) condition = simplest_condition(list, i, scale, problem_.order);
    if (!condition) return;
    for (const Real100& u : real_zeros(*condition)) {
      const Real100 after = before + u * scale;
      if (abs(after - before) <= coefficient_tolerance(problem_.digits) * scale) continue;
      Candidate found{0, 0, "", problem_.lists};
      found.lists[list].entries[i] = after;
      EntryChange change = entry_change(pointer(list, i), before, after, problem_.digits);
      found.likelihood = change.likelihood, found.size = change.size, found.text = std::move(change.text);
      keep(std::move(found));
    }
  }

  void exchange_in(std::size_t list) {
    const std::size_t n = problem_.lists[list].entries.size();
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < k; ++j) {
        if (entry(list, j) == entry(list, k)) continue;
        Candidate found{slip::exchange, 0, fmt::format("{} and {} exchanged", pointer(list, j), pointer(list, k)),
                        problem_.lists};
        std::swap(found.lists[list].entries[j], found.lists[list].entries[k]);
        keep(std::move(found));
      }
  }

  void exchange_lists(std::size_t i, std::size_t j) {
    Candidate found{slip::whole_list, 0,
                    fmt::format("{} and {} exchanged", problem_.lists[i].pointer, problem_.lists[j].pointer),
                    problem_.lists};
    std::swap(found.lists[i].entries, found.lists[j].entries);
    keep(std::move(found));
  }

  std::vector<std::string> likeliest() {
    std::ranges::stable_sort(candidates_, {}, [](const Candidate& c) { return std::pair(c.likelihood, c.size); });
    std::vector<std::string> found;
    int best = 0;
    constexpr std::size_t most = 3;
    for (const Candidate& candidate : candidates_) {
      if (found.size() == most || (!found.empty() && candidate.likelihood > best)) break;
      const std::string reached = problem_.proved(candidate.lists);
      if (reached.empty()) continue;
      if (found.empty()) best = candidate.likelihood;
      found.push_back(fmt::format("{}: {}", candidate.text, reached));
    }
    return found;
  }

  const RepairProblem& problem_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::string coefficient_text(const Real100& x, int digits) { return digits == 0 ? exact_text(x) : to_text(x, digits); }

Real100 coefficient_tolerance(int digits) { return digits == 0 ? Real100("1e-60") : pow(Real100(10), 2 - digits); }

EntryChange entry_change(const std::string& pointer, const Real100& before, const Real100& after, int digits) {
  const Real100 tolerance = coefficient_tolerance(digits);
  EntryChange change;
  change.size = std::abs(static_cast<double>((after - before) / (before == 0 ? Real100(1) : before)));
  std::string how;
  const std::string factor = before == 0 ? "" : simple_factor(after / before, tolerance);
  if (abs(after + before) <= tolerance && abs(before) > tolerance)
    change.likelihood = slip::sign, how = ", the other sign";
  else if (const auto digit = digit_slip(spelling(before, digits), spelling(after, digits)))
    change.likelihood = digit->likelihood, how = fmt::format(", {}", digit->how);
  else if (!factor.empty())
    change.likelihood = slip::factor, how = fmt::format(", a factor of {}", factor);
  change.text = fmt::format("{}: {} in the place of {}{}", pointer, coefficient_text(after, digits),
                            coefficient_text(before, digits), how);
  return change;
}

std::vector<std::string> nearest_changes(const RepairProblem& problem) { return Search(problem).run(); }

}  // namespace daelab
