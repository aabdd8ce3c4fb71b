// The coefficients of Lobatto IIIA for stages that are evaluated four per instruction.
//
// The first stage is the start of the step and explicit; the other s - 1 are in packs of four, stage 1 + 4 p + l in
// lane l of pack p. Lanes beyond the last stage repeat it and have no weight.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/scalar.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

constexpr Index pack_lanes = 4;
template <class T>
using PackColumn = Eigen::Matrix<T, pack_lanes, 1>;
/// The slopes of a pack, (4, components).
template <class T>
using Pack = Eigen::Matrix<T, pack_lanes, Eigen::Dynamic>;

/// The largest |eigenvalue| of the coefficients of the implicit stages. On y' = lambda y a pass of the fixed-point
/// iteration multiplies what is left by up to this times |h lambda|.
double contraction(const Tableau& lobatto);

/// Where the slopes of a step are: that of the explicit stage (components), and packs of the others.
template <class T>
struct StepSlopes {
  Index components;
  const T* first;
  const T* const* packs;
};

/// Sums of all slopes, four at a time: row l of column i is sum_j w_lj k_ji over the stages j.
template <class T>
class PackedSums {
 public:
  /// Row l has the weights of row rows[l] of W (.., s).
  PackedSums(const Matrix<Real100>& W, const std::array<Index, pack_lanes>& rows);

  /// Those of `unscaled`, row l times factors[l].
  void scale(const PackedSums& unscaled, const PackColumn<T>& factors) {
    weights_.array() = unscaled.weights_.array().colwise() * factors.array();
  }
  /// (4, s), and zeros for lanes without a stage.
  Pack<T>& weights() { return weights_; }
  const Pack<T>& weights() const { return weights_; }

  /// to (4, components) := sums.
  void operator()(const StepSlopes<T>& slopes, T* to) const;
  /// Column i of `to` := y[i] + (lost[i] + sums).
  void stages(const StepSlopes<T>& slopes, const T* lost, const T* y, T* to) const;

 private:
  Pack<T> weights_;
};

/// The stages of a pack, of equations y' = f or q'' = a.
template <class T>
struct StagePack {
  PackColumn<T> c;  // nodes
  PackedSums<T> A, A_squared;

  /// q[i] + (lost[i] + c v[i] + sums by A^2), and v[i] + (lost[n + i] + sums by A); y = (q, v), n components each.
  void second_order_stages(const StepSlopes<T>& slopes, const T* lost, const T* y, T* q, T* v) const;
};

/// slopes := fresh ones, (4, components); returns the largest weights[i] |change| in a column i.
template <class T>
T renew(const T* fresh, const T* weights, Pack<T>& slopes);

/// Weights of the polynomial through the slopes of one step at the stages of the next.
template <class T>
class PackExtrapolation {
 public:
  explicit PackExtrapolation(const Tableau& lobatto);
  /// For the stages of a pack.
  const PackedSums<T>& operator[](std::size_t pack) const { return sums_[pack]; }
  /// The next step is so many times as large.
  void set_ratio(const T& ratio);

 private:
  T ratio_{0};
  Vector<T> nodes_, weights_;  // (s) c_j, and 1 / prod (c_j - c_k)
  std::vector<PackedSums<T>> sums_;
};

/// The coefficients, or those of steps of size h: values y_n + h sum a_ij y'_j, and, of second-order equations,
/// q_n + c_i h v_n + h^2 sum (A^2)_ij a_j.
template <class T>
struct LobattoPacks {
  explicit LobattoPacks(const Tableau& lobatto);
  /// Those of `unscaled`, for steps of size h.
  void scale(const LobattoPacks& unscaled, const T& h);
  Index pack_count() const { return static_cast<Index>(packs.size()); }
  /// How many lanes of a pack are stages of their own.
  Index lanes(Index pack) const { return std::min(pack_lanes, stages - 1 - pack_lanes * pack); }

  Index stages;  // s
  std::vector<StagePack<T>> packs;
  /// Rows b^T and b^T A of the step end, (b - b^)^T and (b - b^)^T A of the estimate.
  PackedSums<T> end;
  PackExtrapolation<T> next;
};

}  // namespace daelab
