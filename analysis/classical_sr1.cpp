#include "analysis/classical_sr1.hpp"

namespace daelab {
namespace {

template <class T>
class LineSearchIteration {
 public:
  LineSearchIteration(const LinearSystem<T>& system, const Exact& eps_abs)
      : A_(system.A), H_(system.H0), r_(-system.b), tolerance_(eps_abs.as<T>() * eps_abs.as<T>()) {}

  ClassicalSr1 run(int max_steps) {
    while (!is_solved() && count_.steps < max_steps) {
      step();
      if (!is_solved()) update();
    }
    count_.converged = is_solved();
    return count_;
  }

 private:
  static T dot(const Vector<T>& x, const Vector<T>& y) {
    T sum(0);
    for (Index i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  }
  bool is_solved() const { return dot(r_, r_) <= tolerance_; }
  Vector<T> product(const Matrix<T>& B, const Vector<T>& x) {
    ++count_.products;
    return B.lazyProduct(x);
  }

  void step() {
    const Vector<T> d = -product(H_, r_), Ad = product(A_, d);
    const T alpha = -dot(d, r_) / dot(d, Ad);
    s_ = d * alpha, y_ = Ad * alpha;
    r_ += y_;
    ++count_.steps;
  }

  void update() {
    const Vector<T> w = s_ - product(H_, y_);
    const T curvature = dot(w, y_);
    if (curvature == T(0)) return;
    for (Index j = 0; j < w.size(); ++j)
      for (Index i = 0; i < w.size(); ++i) H_(i, j) += w[i] * w[j] / curvature;
  }

  const Matrix<T>& A_;
  Matrix<T> H_;
  Vector<T> r_, s_, y_;
  const T tolerance_;
  ClassicalSr1 count_;
};

}  // namespace

template <class T>
ClassicalSr1 classical_sr1(const LinearSystem<T>& system, const Exact& eps_abs, int max_steps) {
  return LineSearchIteration<T>(system, eps_abs).run(max_steps);
}

#define DAELAB_INSTANTIATE(T) template ClassicalSr1 classical_sr1<T>(const LinearSystem<T>&, const Exact&, int);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
