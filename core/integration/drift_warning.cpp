#include "core/integration/drift_warning.hpp"

#include <fmt/format.h>

#include "core/solvers/rank_revealing.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {
namespace {

constexpr double tolerances_allowed = 100;

// The smallest change of q that leads to C = 0, to first order.
template <class T>
Vector<T> way_back(MechanicalModel<T>& model, const T& t, const Vector<T>& q) {
  const Index n = model.coordinates(), m = model.constraints();
  Vector<T> C = Vector<T>::Zero(m), x = Vector<T>::Zero(m);
  Matrix<T> C_q = Matrix<T>::Zero(m, n);  // rows of nonholonomic constraints stay 0
  model.constraint(t, q, C, C_q);
  PivotedCholesky<T> gram(m);
  gram.factorize(C_q.lazyProduct(C_q.transpose()), {T(StartReport::rank_tolerance), -1});
  gram.solve(C, x);
  return C_q.transpose().lazyProduct(x);
}

}  // namespace

template <class T>
std::optional<std::string> drift_warning(System<T>& system, const State<T>& end, const Tolerances<T>& tolerances) {
  MechanicalModel<T>* const model = system.mechanical_model();
  if (model == nullptr || model->constraints() == model->nonholonomic()) return {};
  const Index n = model->coordinates();
  if (n + model->constraints() > largest_dense_mechanism) return {};
  ErrorNorm<T> norm(tolerances, system);
  norm.weigh(end.y);
  const double distance = static_cast<double>(norm(way_back<T>(*model, end.t, end.y.head(n)), 0, n, 0));
  if (!(distance > tolerances_allowed)) return {};
  return fmt::format(
      "at the end positions are {:.1e} tolerances off the constraints: this form differentiates them and lets errors "
      "off them grow; projected, ggl and index-3 keep them",
      distance);
}

#define DAELAB_INSTANTIATE(T) \
  template std::optional<std::string> drift_warning<T>(System<T>&, const State<T>&, const Tolerances<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
