// The orders theory gives a method on the forms of a mechanical system, per component class: with fixed steps, from
// consistent values, of the error at a fixed time.
//
// What holds for a form of coefficients is here; what is known of one family is with it. Where theory is
// silent, a rule that fits measurements in 50 digits fills in and is called a measured rule.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Chaps. VI, VII.
#pragma once

#include <optional>
#include <string>

#include "core/equations/formulation_traits.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

/// On y' = f(y, z), 0 = g(y, z) or 0 = g(y), or on y' = f(y, z), z' = k(y, z, u), 0 = g(y), as order conditions give
/// them.
struct HessenbergOrders {
  int y = 0;
  std::optional<int> z = {}, u = {};
  std::string how = {};
};

/// Nothing where theory is silent: an observed order then has nothing to be compared with.
struct PredictedOrders {
  std::optional<int> q, v, a, lambda;
  std::string source;  // theorem, table or measured rule; or why there is none

  static PredictedOrders unknown(const std::string& reason) { return {{}, {}, {}, {}, reason}; }
  static PredictedOrders everywhere(int p, const std::string& source) { return {p, p, p, p, source}; }
  /// Refuses the forms that give no accelerations as a function of (q, v).
  static PredictedOrders only_with_state_space();
  /// Orders of (q, v) and of the multipliers as an index-2 system. With all levels imposed, a and lambda
  /// solve linear equations in (q, v) and have their order.
  static PredictedOrders of_index_two(const FormulationTraits& formulation, int y, int z, const std::string& source);
  /// Of y = q, z = v, u = lambda as an index-3 system.
  static PredictedOrders of_index_three(const HessenbergOrders& orders);
};

/// What analysis finds out about the coefficients of a method, for predictions.
struct FormOrders {
  int order = 0;                                // of the method on ordinary differential equations
  int quadrature_order = 0, C = 0, D = 0;       // simplifying assumptions B(p), C(q), D(z) of a tableau
  std::optional<int> start_order;               // of a multistep method: that of MultistepForm::start
  std::optional<HessenbergOrders> dae;          // on systems of the index of the formulation, where conditions decide
  bool zero_stable = true;                      // a multistep method
  bool unstable_at_infinite_frequency = false;  // a method of second-order systems
};

/// Whether the implicit engine takes the tableau on index 2 and 3: its implicit part is regular.
bool reaches_higher_index(const Tableau& tableau);

/// For a method known by its form alone.
PredictedOrders orders_of_form(const MethodForm& form, const FormulationTraits& formulation, const FormOrders& orders);

}  // namespace daelab
