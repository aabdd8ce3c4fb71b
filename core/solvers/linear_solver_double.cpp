#include <Eigen/LU>

#include "core/solvers/dense_lu.hpp"

namespace daelab {

template <class S>
class EigenLu {
 public:
  explicit EigenLu(Index size) : lu_(size), unpermuted_(size) {}
  void compute(const Matrix<S>& A) { lu_.compute(A); }
  const Matrix<S>& matrixLU() const { return lu_.matrixLU(); }
  void solve(Vector<S>& b) {
    unpermuted_ = b;  // Eigen's own in-place permutation allocates a mask
    const auto& target = lu_.permutationP().indices();
    for (Index i = 0; i < b.size(); ++i) b[target[i]] = unpermuted_[i];
    lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(b);
    lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(b);
  }

 private:
  Eigen::PartialPivLU<Matrix<S>> lu_;
  Vector<S> unpermuted_;
};

template class DenseLu<double>;
template class DenseLu<std::complex<double>>;

}  // namespace daelab
