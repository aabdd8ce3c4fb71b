// The Taylor series of a solution of y' = f(t, y), from the recorded expressions of f.
//
// Coefficients k of y give coefficients k of f, and these those of y of the next order,
//
//   y_(k+1) = f_k / (k + 1),
//
// in a mechanism q_(k+1) = v_k / (k + 1), v_(k+1) = a_k / (k + 1), with a from the elimination of
// M a + C_q^T lambda = Q, C_q a = gamma by generated code. [HNW93, Sec. I.8]
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#pragma once

#include <memory>
#include <vector>

#include "core/base/status.hpp"
#include "core/equations/system.hpp"
#include "core/expressions/taylor_series.hpp"

namespace daelab {

struct GeneratedAccelerations;

template <class T>
class SolutionSeries {
 public:
  /// Of degree `order`. Throws NotApplicable for a system whose y' is no function of (t, y) as an expression.
  SolutionSeries(System<T>& system, int order);
  ~SolutionSeries();

  void set_order(int order);
  /// Column k: the coefficient k of the differential components of y about t. Shape (differential, order + 1).
  /// Returns `singular` where the elimination divides by a number that is too small. The first call in a new mode
  /// allocates.
  Status expand(const T& t, const Vector<T>& y, Matrix<T>& coefficients);

 private:
  struct Way;

  void enter_mode();
  Status expand_by(Way& way, const T& t, const Vector<T>& y, Matrix<T>& coefficients);
  static Status trust(Way& way, const T& t);

  System<T>& system_;
  int order_;
  Forms* forms_ = nullptr;                  // of the mode that the ways belong to
  std::vector<std::unique_ptr<Way>> ways_;  // of elimination; to be tried one after the other
};

}  // namespace daelab
