#include "core/start/hidden_constraints.hpp"

#include <fmt/format.h>

#include "core/base/norm.hpp"
#include "core/mechanism/implicit_rates.hpp"
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

namespace {

// step(ds) sets the next change of s.
template <class T, class Step>
Status newton_to_hidden_constraints(OrdinaryModel<T>& model, Vector<T>& s, const Step& step) {
  constexpr int most_iterations = 50;
  Vector<T> ds(s.size());
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (Status status = step(ds); !status.ok()) return status;
    s += ds;
    if (max_norm(ds) <= T(100) * epsilon<T>() * (T(1) + max_norm(s))) return {};
  }
  HiddenConstraints<T> hidden(model);
  model.hidden_constraints(model.initial_t(), s, hidden.H, hidden.H_s);
  return {StatusCode::newton_diverged,
          fmt::format("the start cannot be moved onto the hidden constraints: violated by {:.1e} after {} iterations",
                      static_cast<double>(max_norm(hidden.H)), most_iterations)};
}

template <class T>
Status by_least_change(OrdinaryModel<T>& model, Vector<T>& s, const Vector<T>& weights) {
  HiddenConstraints<T> hidden(model);
  PivotedCholesky<T> gram(model.hidden_constraints());
  Vector<T> mu(model.hidden_constraints());
  return newton_to_hidden_constraints(model, s, [&](Vector<T>& ds) {
    model.hidden_constraints(model.initial_t(), s, hidden.H, hidden.H_s);
    Matrix<T> weighted = hidden.H_s;
    if (weights.size() > 0) weighted.array().rowwise() /= weights.transpose().array();
    gram.factorize(Matrix<T>(weighted.lazyProduct(hidden.H_s.transpose())), {T(100) * epsilon<T>(), -1});
    gram.solve(hidden.H, mu);
    ds = -weighted.transpose().lazyProduct(mu);
    return Status();
  });
}

}  // namespace

template <class T>
Status project_onto_hidden_constraints(OrdinaryModel<T>& model, Vector<T>& s, const Vector<T>& weights) {
  if (!model.is_linearly_implicit() || weights.size() > 0) return by_least_change(model, s, weights);
  if (model.hidden_constraints() == 0) return {};
  ImplicitRates<T> rates(model);
  return newton_to_hidden_constraints(model, s,
                                      [&](Vector<T>& ds) { return rates.to_constraints(model.initial_t(), s, ds); });
}

#define DAELAB_INSTANTIATE(T) \
  template Status project_onto_hidden_constraints<T>(OrdinaryModel<T> & model, Vector<T> & s, const Vector<T>& weights);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
