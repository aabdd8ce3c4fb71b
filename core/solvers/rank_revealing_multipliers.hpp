// What multiplier solvers share that factorise the reduced matrix and find its rank on the way.
#pragma once

#include <memory>

#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {

/// Base of their definitions: the options, and Engine<T> made from coordinates, constraints and these options.
template <template <class> class Engine>
struct RankRevealing {
  MultiplierFacts facts() const { return {.redundant_constraints = true}; }
  RankOptions rank;
  Options options() { return rank.list(); }
  template <class T>
  std::unique_ptr<Engine<T>> bind(Index coordinates, Index constraints) const {
    return std::make_unique<Engine<T>>(coordinates, constraints, rank);
  }
};

template <class T>
class RankRevealingMultipliers : public ReducedMultipliers<T> {
 public:
 protected:
  RankRevealingMultipliers(Index coordinates, Index constraints, const RankOptions& options)
      : ReducedMultipliers<T>(coordinates, constraints), rule_(options), check_(options), r_(constraints) {}

  const RankRule<T>& rule() const { return rule_; }
  /// Reports a solution of A mu = b. Inconsistent where constraints contradict each other.
  Status report(const Matrix<T>& A, const Vector<T>& b, const Vector<T>& mu, Index rank, double flops) {
    this->report_.residual = static_cast<double>(multiplier_residual(A, b, mu, r_));
    this->report_.rank = rank, this->report_.flops = flops;
    return check_.check(this->report_.residual, static_cast<double>(b.norm()));
  }

 private:
  RankRule<T> rule_;
  ConsistencyCheck check_;
  Vector<T> r_;
};

}  // namespace daelab
