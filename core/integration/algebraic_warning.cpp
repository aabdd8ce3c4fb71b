#include "core/integration/algebraic_warning.hpp"

#include <fmt/format.h>

#include "core/equations/mechanical_layout.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {
namespace {

constexpr double tolerances_of_lambda = 1000;

// In tolerances; y: the state at the end with the multipliers that belong to it.
template <class T>
T error_of_forces(MechanicalModel<T>& model, const State<T>& end, const Vector<T>& y, const Tolerances<T>& tolerances) {
  const Index n = model.coordinates(), m = model.constraints();
  SparseData<T> data;
  model.data(end.t, Vector<T>(y.head(n)), Vector<T>(y.segment(n, n)), data);
  Vector<T> reported = Vector<T>::Zero(n), right = reported;
  data.J.add_transposed_product(Vector<T>(end.y.segment(2 * n, m)), reported, T(1));
  data.J.add_transposed_product(Vector<T>(y.segment(2 * n, m)), right, T(1));
  const T largest = std::max(max_norm(right), max_norm(data.Q));
  return max_norm(Vector<T>(reported - right)) / (tolerances.relative * largest + tolerances.absolute_velocity);
}

template <class T>
T error_of_states(const System<T>& system, const State<T>& end, const Vector<T>& y, const Tolerances<T>& tolerances) {
  const Index differential = system.differential(), algebraic = system.size() - differential;
  ErrorNorm<T> norm(tolerances, system);
  norm.weigh(y);
  return norm(Vector<T>(end.y - y), differential, algebraic, differential);
}

}  // namespace

template <class T>
std::optional<std::string> algebraic_warning(System<T>& system, const State<T>& end, const Tolerances<T>& tolerances) {
  MechanicalModel<T>* const model = system.mechanical_model();
  if (system.index() < 2 || system.size() == system.differential()) return {};
  if (model == nullptr && system.positions() > 0) return {};
  Vector<T> y = end.y, ydot = end.ydot;
  if (!system.consistent_derivatives(end.t, y, ydot).ok()) return {};
  const double off = static_cast<double>(model != nullptr ? error_of_forces<T>(*model, end, y, tolerances)
                                                          : error_of_states<T>(system, end, y, tolerances));
  if (!(off > tolerances_of_lambda)) return {};
  const bool mechanism = model != nullptr;
  return fmt::format(
      "at the end {} {:.1e} tolerances off what {} determine: error control does not hold {}, which methods give to a "
      "lower order on this form. Dense output (--samples with the end time) has what is determined, and a form of "
      "index 1 has it everywhere",
      mechanism ? "forces of constraints, by lambda, are" : "algebraic states are", off,
      mechanism ? "positions and velocities" : "the other states", mechanism ? "lambda" : "them as tightly");
}

#define DAELAB_INSTANTIATE(T) \
  template std::optional<std::string> algebraic_warning<T>(System<T>&, const State<T>&, const Tolerances<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
