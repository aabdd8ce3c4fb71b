// Taylor series of what a tape computes, from those of its inputs: one coefficient after the other.
//
// x(t_0 + h) = sum_k x_k h^k. The coefficient k of a product is sum_j a_j b_(k-j); those of the other operations follow
// from the differential equations that they satisfy: y = exp(a) from y' = a' y, and so on. So all coefficients to the
// order N take N^2/2 multiplications for each nonlinear operation. [HNW93, Sec. I.8; GW08, Sec. 13.2]
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
// [GW08] Griewank, Walther, Evaluating Derivatives, 2nd ed., SIAM, 2008.
#pragma once

#include <vector>

#include "core/base/scalar.hpp"
#include "core/expressions/tape.hpp"

namespace daelab {

/// The coefficients x_0, x_1, ... of one quantity; those beyond `degree` are zero by structure.
template <class T>
struct Coefficients {
  T* x = nullptr;
  int degree = 0;
};

/// Absolute values, minima and choices have the series of the branch that their arguments are on; signs, conditions and
/// whole numbers are constants. Where an operation has no series, as sqrt at 0, coefficients are not finite; roots and
/// powers of what is zero throughout are 0.
///
/// Memory is allocated once. T: double, Real50. Not thread-safe.
template <class T>
class TaylorSeries {
 public:
  /// Coefficients 0 to `order`. degrees: of the tape's inputs, as many, where they are known to be polynomials.
  TaylorSeries(const Tape& tape, int order, const std::vector<int>& degrees);
  TaylorSeries(const TaylorSeries&) = delete;
  TaylorSeries& operator=(const TaylorSeries&) = delete;

  /// Coefficient k of input i of the tape; it takes part from advance(k) on. k: to the degree of the input.
  T& input(std::size_t i, int k) { return series_[i].x[k]; }
  /// Coefficients k of all results. Comes after advance(k - 1).
  void advance(int k);
  /// Coefficient k of result i of the tape.
  const T& result(std::size_t i, int k) const { return series_[results_[i]].x[k]; }

 private:
  using Series = Coefficients<T>;
  // One operation, and the series that it keeps beside its result.
  struct Step {
    Operation operation;
    Series y, a, b, c;
    Series aside[4];
  };

  Step step_of(const Instruction& instruction);
  void add_sines(const Instruction& instruction, const std::array<Slot, 4>& angles);
  void begin(Step& step);
  void go_on(Step& step, int k);
  void advance_function(Step& step, int k);
  void advance_inverse_function(Step& step, int k);

  int order_;
  std::vector<T> memory_;
  std::vector<Series> series_;  // of slots
  std::vector<Slot> results_;
  std::vector<Step> steps_;
  std::size_t taken_ = 0;  // of the memory
};

}  // namespace daelab
