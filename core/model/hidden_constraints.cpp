#include "core/model/hidden_constraints.hpp"

#include <fmt/format.h>

#include "core/base/norm.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {
namespace {

// H and H_s at the start time.
template <class T>
struct HiddenConstraints {
  explicit HiddenConstraints(OrdinaryModel<T>& model)
      : H(Vector<T>::Zero(model.hidden_constraints())),
        H_s(Matrix<T>::Zero(model.hidden_constraints(), model.states())) {}
  Vector<T> H;    // (l)
  Matrix<T> H_s;  // (l, k)
};

}  // namespace

Vector<double> hidden_residuals(OrdinaryModel<double>& model, const Vector<double>& s) {
  HiddenConstraints<double> hidden(model);
  model.hidden_constraints(model.initial_t(), s, hidden.H, hidden.H_s);
  return hidden.H;
}

template <class T>
Status project_onto_hidden_constraints(OrdinaryModel<T>& model, Vector<T>& s) {
  constexpr int most_iterations = 50;
  HiddenConstraints<T> hidden(model);
  PivotedCholesky<T> gram(model.hidden_constraints());
  Vector<T> mu(model.hidden_constraints());
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    model.hidden_constraints(model.initial_t(), s, hidden.H, hidden.H_s);
    gram.factorize(Matrix<T>(hidden.H_s.lazyProduct(hidden.H_s.transpose())), {T(100) * epsilon<T>(), -1});
    gram.solve(hidden.H, mu);
    const Vector<T> ds = hidden.H_s.transpose().lazyProduct(mu);
    s -= ds;
    if (max_norm(ds) <= T(100) * epsilon<T>() * (T(1) + max_norm(s))) return {};
  }
  return {StatusCode::newton_diverged,
          fmt::format("the start cannot be moved onto the hidden constraints: violated by {:.1e} after {} iterations",
                      static_cast<double>(max_norm(hidden.H)), most_iterations)};
}

#define DAELAB_INSTANTIATE(T) \
  template Status project_onto_hidden_constraints<T>(OrdinaryModel<T> & model, Vector<T> & s);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
