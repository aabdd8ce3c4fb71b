// Steps of fixed sizes: how many an interval takes, and where they end.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace daelab {

struct StepPlan {
  long steps;
  bool shortened;  // the last one is: h does not divide the interval, to 1e-9 of it
};

/// Needs length >= 0 and h > 0.
template <class T>
StepPlan plan_steps(const T& length, const T& h) {
  const double count = static_cast<double>(T(length / h));
  const double whole = std::round(count);
  if (std::abs(count - whole) <= 1e-9 * std::max(1.0, whole)) return {static_cast<long>(whole), false};
  return {static_cast<long>(std::ceil(count)), true};
}

/// Steps of size h, or of h times the ratios of a pattern, which is repeated. Steps count from 1.
template <class T>
class FixedSteps {
 public:
  /// Needs h > 0 and ratios > 0.
  explicit FixedSteps(const T& h, std::vector<T> pattern = {}) : h_(h), pattern_(std::move(pattern)), ends_{T(0)} {
    for (const T& ratio : pattern_) ends_.push_back(T(ends_.back() + ratio));
  }

  T size(long k) const { return pattern_.empty() ? h_ : T(h_ * pattern_[place(k)]); }
  /// From the start to the end of step k.
  T end(long k) const {
    if (pattern_.empty()) return T(k * h_);
    const long cycles = (k - 1) / length();
    return T(h_ * (cycles * ends_.back() + ends_[place(k) + 1]));
  }
  /// As plan_steps(): 1e-9 of a cycle count as round-off.
  StepPlan plan(const T& interval) const {
    if (pattern_.empty()) return plan_steps(interval, h_);
    const T tolerance = T(1e-9) * ends_.back() * h_;
    long k = std::max(0L, static_cast<long>(T(interval / (h_ * ends_.back()))) - 1) * length();
    do ++k;
    while (end(k) < interval - tolerance);
    return {k, end(k) > interval + tolerance};
  }

 private:
  long length() const { return static_cast<long>(pattern_.size()); }
  std::size_t place(long k) const { return static_cast<std::size_t>((k - 1) % length()); }

  T h_;
  std::vector<T> pattern_;
  std::vector<T> ends_;  // of the steps of a cycle, over h; 0 first
};

}  // namespace daelab
