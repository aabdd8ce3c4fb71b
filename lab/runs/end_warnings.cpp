#include "lab/runs/end_warnings.hpp"

#include <fmt/format.h>

#include "core/solvers/dense.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {

template <class T>
double largest_value(const Model<T>& model, const State<T>& state) {
  const Index size = model.size();
  return size == 0 ? 0 : static_cast<double>(state.y.head(size).cwiseAbs().maxCoeff());
}

std::optional<Warning> atol_warning(const Run& run, double size) {
  const RunSpec& spec = run.spec();
  if (!spec.adaptive()) return {};
  const Exact least = run.problem().least_size();
  if (spec.atol->value() > least.value())
    return Warning{"loose-atol",
                   fmt::format("atol = {} exceeds {}, the smallest size that matters in {}: smaller values are not "
                               "controlled, may have the wrong sign and may diverge",
                               spec.atol->text(), least.text(), run.problem().name())};
  if (!(size > 0) || !(10 * spec.atol->as<double>() > size)) return {};
  return Warning{"loose-atol", fmt::format("atol = {} asks for no digit of this motion: the largest value at its start "
                                           "and its end is {:.1e}",
                                           spec.atol->text(), size)};
}

template <class T>
std::optional<Warning> mass_warning(Model<T>& model, const State<T>& state) {
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr || mechanism->coordinates() > largest_dense_mechanism) return {};
  const Index n = mechanism->coordinates();
  const Vector<T> q = state.y.head(n);
  if (mechanism->least_mass_pivot(state.t, q) > T(0) || mechanism->constant_mass()) return {};
  Matrix<T> M = Matrix<T>::Zero(n, n);
  mechanism->mass(state.t, q, M);
  const Matrix<double> rounded = M.template cast<double>();
  if (!rounded.allFinite()) return {};
  constexpr double round_off = 1e-10;
  const double least = dense::symmetric_eigenvalues(rounded).minCoeff();
  if (!(least < -round_off * rounded.cwiseAbs().maxCoeff())) return {};
  return Warning{
      "negative-mass",
      fmt::format("the mass matrix has the negative eigenvalue {:.3e} at t = {:.10g}: the run went through a "
                  "position where it is singular",
                  least, static_cast<double>(state.t))};
}

#define DAELAB_INSTANTIATE(T)                                         \
  template double largest_value<T>(const Model<T>&, const State<T>&); \
  template std::optional<Warning> mass_warning<T>(Model<T>&, const State<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
