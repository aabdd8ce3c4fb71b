// The spectral radius of f_y along a solution of y' = f(t, y), from evaluations of f alone.
//
// [SSV98] Sommeijer, Shampine, Verwer, RKC: an explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88, 1998,
// 315-326.
#pragma once

#include "core/equations/system.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// A nonlinear power iteration: z <- f(y + z) - f(y), scaled to |z| = sqrt(eps) |y|. The growth over two iterations is
/// taken, which also settles for pairs +-sigma, undamped oscillations among them; for other complex pairs, which never
/// settle, the mean over 25. [SSV98, Sec. 3.2; one iteration there]
/// From the last z of an estimate near by, it costs few evaluations. Allocates only when constructed.
template <class T>
class SpectralRadius {
 public:
  explicit SpectralRadius(System<T>& system);

  /// z of a first estimate, scaled to 1; (N).
  const Vector<T>& first_direction() const { return first_; }
  /// 1.2 times the estimate at this state, whose ydot is f: an upper bound in most cases. `direction` is z, scaled to
  /// 1, at its begin and at its end. Adds to `evaluations`.
  Status estimate(const State<T>& at, Vector<T>& direction, long& evaluations, T& radius);

 private:
  T norm(const Vector<T>& x) const;  // of the differential components
  Status grow(const State<T>& at, const T& size, Vector<T>& direction, long& evaluations, T& growth);

  System<T>& system_;
  Vector<T> first_, y_, slope_;  // (N)
};

}  // namespace daelab
