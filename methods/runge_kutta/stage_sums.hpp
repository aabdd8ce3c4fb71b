// The sums of an explicit Runge-Kutta step over the slopes of its stages.
#pragma once

#include <utility>
#include <vector>

#include "core/integration/linear_combination.hpp"
#include "methods/runge_kutta/prepared_tableau.hpp"

namespace daelab {

/// Weights that are zero are left out once for all steps. A sum lasts until another one is asked for.
template <class T>
class StageSums {
 public:
  /// slopes: where those of the stages that are evaluated are.
  StageSums(const RoundedTableau<T>& tableau, const std::vector<const T*>& slopes)
      : sum_(static_cast<Index>(slopes.size()) + 1) {
    const auto stages = static_cast<Index>(slopes.size());
    const auto terms = [&](Index count, const auto& weights) {
      Terms terms;
      for (Index j = 0; j < count; ++j)
        if (weights[j] != T(0)) terms.emplace_back(weights[j], slopes[static_cast<std::size_t>(j)]);
      return terms;
    };
    for (Index i = 0; i < stages; ++i) stages_.push_back(terms(i, tableau.A.row(i)));
    end_ = terms(stages, tableau.b);
    if (tableau.difference.size() > 0) difference_ = terms(stages, tableau.difference);
  }

  /// h times the weights of stage i, of the step end, and of the difference to the embedded solution; room for one term
  /// more.
  LinearCombination<T>& of_stage(Index i, const T& h) { return sum(stages_[static_cast<std::size_t>(i)], h); }
  LinearCombination<T>& of_end(const T& h) { return sum(end_, h); }
  LinearCombination<T>& of_difference(const T& h) { return sum(difference_, h); }

 private:
  using Terms = std::vector<std::pair<T, const T*>>;  // weight, slope
  LinearCombination<T>& sum(const Terms& terms, const T& h) {
    sum_.clear();
    for (const auto& [weight, slope] : terms) sum_.add(h * weight, slope);
    return sum_;
  }

  std::vector<Terms> stages_;
  Terms end_, difference_;
  LinearCombination<T> sum_;
};

}  // namespace daelab
