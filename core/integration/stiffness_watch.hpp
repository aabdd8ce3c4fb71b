// Whether an explicit method under error control creeps: steps as short as its stability interval asks for, however
// little the solution changes.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include <optional>
#include <string>

#include "core/integration/spectral_radius.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// The largest x with |R(z)| <= 1 for -x <= z <= 0, R of the explicit tableau (A, b): shapes (s, s), (s).
double real_stability_limit(const Matrix<double>& A, const Vector<double>& b);

/// h times the spectral radius of f_y against the stability limit of the method, by 15 hits in succession [HW96, Sec.
/// IV.2]. There the radius comes from two stages at the same time, which not every method has; here from a power
/// iteration at every 500th step, and every 10th one while there are hits: less than a hundredth of the evaluations.
template <class T>
class StiffnessWatch {
 public:
  StiffnessWatch(System<T>& system, double stability_limit)
      : radius_(system), direction_(radius_.first_direction()), limit_(stability_limit) {}

  /// For methods that change their formula.
  void limit_stability(double limit) { limit_ = limit; }
  /// Told of each accepted step of size h, to the state `at`. Adds to `evaluations`. Text of the warning "stiff", once.
  std::optional<std::string> see(const State<T>& at, const T& h, long& evaluations);

 private:
  static constexpr int patience = 500, pace = 10, hits_needed = 15;
  SpectralRadius<T> radius_;
  Vector<T> direction_;
  double limit_;
  int wait_ = patience, hits_ = 0;
};

}  // namespace daelab
