// The sums of weighted slopes that make a step of an explicit Runge-Kutta method.
#pragma once

#include <vector>

#include "core/integration/linear_combination.hpp"
#include "methods/runge_kutta/prepared_tableau.hpp"

namespace daelab {

/// Over the weights that are not zero, listed once. Of each sum `size` components are made; `start` may be `sum`.
template <class T>
class StageSums {
 public:
  /// slopes: where those of the stages that are evaluated are.
  StageSums(const RoundedTableau<T>& tableau, const std::vector<const T*>& slopes) {
    const auto stages = static_cast<Index>(slopes.size());
    for (Index i = 0; i < stages; ++i) stages_.push_back(list(i, tableau.A.row(i), slopes));
    end_ = list(stages, tableau.b, slopes);
    if (tableau.difference.size() == 0) return;
    difference_ = list(stages, tableau.difference, slopes);
    if (stages < tableau.difference.size() && tableau.difference[stages] != T(0)) {
      slope_at_end_ = weights_.size();
      append(tableau.difference[stages], nullptr);
      ++difference_.count;
    }
  }

  /// The step size of the sums that follow.
  void scale(const T& h) {
    if (h == h_) return;
    h_ = h;
    const auto count = static_cast<Index>(weights_.size());
    Eigen::Map<Vector<T>>(factors_.data(), count) = h * Eigen::Map<const Vector<T>>(weights_.data(), count);
  }

  /// start + h sum_j a_ij k_j.
  void stage(Index i, const T* start, Index size, T* sum) const {
    add(stages_[static_cast<std::size_t>(i)], start, size, sum);
  }
  /// start + h sum_j b_j k_j.
  void end(const T* start, Index size, T* sum) const { add(end_, start, size, sum); }
  /// Whether a stage at the step end, which is not evaluated apart, has a weight in that.
  bool difference_takes_slope_at_end() const { return slope_at_end_ < columns_.size(); }
  /// start + h sum_j (b_j - b_embedded,j) k_j; slope_at_end: of that stage.
  void difference(const T* slope_at_end, const T* start, Index size, T* sum) {
    if (difference_takes_slope_at_end()) columns_[slope_at_end_] = slope_at_end;
    add(difference_, start, size, sum);
  }

 private:
  struct Terms {
    std::size_t first = 0, count = 0;
  };
  Terms list(Index count, const auto& weights, const std::vector<const T*>& slopes) {
    const std::size_t first = weights_.size();
    for (Index j = 0; j < count; ++j)
      if (weights[j] != T(0)) append(weights[j], slopes[static_cast<std::size_t>(j)]);
    return {first, weights_.size() - first};
  }
  void append(const T& weight, const T* column) {
    weights_.push_back(weight), factors_.push_back(T(0)), columns_.push_back(column);
  }
  void add(const Terms& terms, const T* start, Index size, T* sum) const {
    add_columns<T>(start, {factors_.data() + terms.first, columns_.data() + terms.first, terms.count}, size, sum);
  }

  std::vector<T> weights_, factors_;  // of all sums in a row; factors: times h
  std::vector<const T*> columns_;
  std::vector<Terms> stages_;
  Terms end_, difference_;
  std::size_t slope_at_end_ = static_cast<std::size_t>(-1);  // which term its is; beyond all: it has none
  T h_{0};
};

}  // namespace daelab
