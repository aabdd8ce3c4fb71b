// Compositions of a symmetric method: higher orders by steps of several sizes, some of them back in time. The result is
// symmetric again, and symplectic where the base is.
//
// [Yos90] Yoshida, Construction of higher order symplectic integrators, Physics Letters A 150, 1990, 262-268.
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006, Sec. V.3.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/component_spec.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/geometric/composition_scheme.hpp"
#include "methods/geometric/composition_stepper.hpp"
#include "methods/geometric/symmetric_base.hpp"

namespace daelab {
namespace {

struct CompositionOptions {
  static constexpr const char* name = "composition";
  static constexpr const char* summary =
      "Composition of a symmetric method, such as RATTLE: steps of several sizes, some back in time, raise the order.";
  static constexpr const char* source = "Yoshida 1990; Hairer, Lubich, Wanner 2006, Sec. V.3";

  ComponentSpec base = "rattle";
  std::string scheme = "yoshida-4";

  Options options() {
    return {option("base", base, "a symmetric one-step method"),
            option("scheme", scheme,
                   "name of a file of weights of the project (methods/geometric/NAME.json), or @file.json")};
  }
};

// Beyond this the order conditions of its tableau are no longer quick to check.
constexpr Index most_stages = 40;

// The composition of a Runge-Kutta method is another one.
Tableau composed(const Tableau& base, const CompositionScheme& scheme) {
  const Index s = base.stages(), k = scheme.weights.size();
  Tableau t;
  t.name = fmt::format("{} composed by {}", base.name, scheme.name);
  t.source = scheme.source;
  t.A.setZero(k * s, k * s), t.b.resize(k * s);
  for (Index i = 0; i < k; ++i) {
    t.b.segment(i * s, s) = scheme.weights[i] * base.b;
    t.A.block(i * s, i * s, s, s) = scheme.weights[i] * base.A;
    for (Index j = 0; j < i; ++j)
      t.A.block(i * s, j * s, s, s) = scheme.weights[j] * base.b.transpose().replicate(s, 1);
  }
  t.c = t.A.rowwise().sum();
  t.claimed_order = scheme.order;
  if (scheme.digits > 0) {
    t.digits = base.digits > 0 ? std::min(base.digits, scheme.digits) : scheme.digits;
    const Real100 error = pow(Real100(10), 1 - t.digits);
    t.A_error = Matrix<Real100>::Constant(k * s, k * s, error);
    t.b_error = t.c_error = Vector<Real100>::Constant(k * s, error);
  }
  return t;
}

template <class T>
void warn_of_digits(const CompositionScheme& scheme, Stepper<T>& stepper) {
  Tableau weights;
  weights.name = scheme.name, weights.digits = scheme.digits;
  const auto digits = std::lround(-std::log10(static_cast<double>(epsilon<T>())));
  if (const std::string text = coefficient_warning(weights, static_cast<int>(digits)); !text.empty())
    stepper.warn("coefficient-digits", text);
}

class CompositionMethod final : public Method, public SymmetricMethod {
 public:
  CompositionMethod(const CompositionOptions& definition, const std::string& where)
      : base_(symmetric_base(definition.base.json(), CompositionOptions::name,
                             "the weights raise the order of symmetric methods only", where + "/base")),
        scheme_(composition_scheme(definition.scheme, where + "/scheme")) {}

#define DAELAB_DEFINE(T)                                                                               \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override { \
    auto stepper = make_composition<T>(scheme_.weights, base_->stepper(system, newton));               \
    warn_of_digits(scheme_, *stepper);                                                                 \
    return stepper;                                                                                    \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  bool is_symmetric() const override { return true; }
  Level natural_level() const override { return base_->natural_level(); }
  std::vector<std::string> formulations() const override { return base_->formulations(); }
  MethodForm form() const override {
    const MethodForm form = base_->form();
    const auto* const tableau = std::get_if<Tableau>(&form);
    if (tableau == nullptr) return NoForm{"a composition of a method that is no tableau"};
    if (tableau->stages() * scheme_.weights.size() > most_stages)
      return NoForm{fmt::format("a composition with more than {} stages", most_stages)};
    return composed(*tableau, scheme_);
  }
  std::vector<Coefficient> coefficients() const override { return {{"w", "parts of a step", scheme_.weights}}; }
  /// Where those of the base are those of a symmetric map of (q, v).
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override {
    if (dynamic_cast<const SymmetricMethod&>(*base_).leaves_constraints() && !formulation.state_space)
      return PredictedOrders::unknown("no theorem for compositions where the base leaves the constraints");
    PredictedOrders found = base_->predicted_orders(formulation, orders);
    for (std::optional<int>* order : {&found.q, &found.v, &found.a, &found.lambda})
      if (*order) **order = std::max(**order, scheme_.order);
    if (found.q) found.source = "Yoshida 1990, of a symmetric base: " + found.source;
    return found;
  }

 private:
  std::shared_ptr<Method> base_;
  CompositionScheme scheme_;
};

const MethodEntry<CompositionOptions, CompositionMethod> composition_entry;

}  // namespace
}  // namespace daelab
