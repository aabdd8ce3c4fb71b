// The report card of a method: all that can be said of it without integrating, each statement with its proof.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/predicted_order.hpp"
#include "analysis/property.hpp"
#include "analysis/stability.hpp"
#include "analysis/stability_sector.hpp"
#include "analysis/stiff_stability.hpp"
#include "core/base/json.hpp"
#include "core/integration/method.hpp"

namespace daelab {

struct MethodReport {
  std::string name;
  Json spec;
  /// "Runge-Kutta tableau of 4 stages, the first explicit", "linear multistep formula of 3 steps, PECE",
  /// "one-step scheme of second-order systems on (q, h v, h^2 a)"; "none: " and the reason.
  std::string form;
  bool has_form = false;

  struct Order {
    int value = 0;
    bool is_exact = false;  // otherwise a lower bound
    std::string how;
    int digits = 0;                      // of rounded coefficients, to which the conditions hold; 0: exact ones
    std::vector<double> residuals = {};  // of rounded coefficients, for the orders 1, 2, ...
  };
  std::optional<Order> order;
  std::optional<int> stage_order, pseudo_stage_order, quadrature_order, C, D;  // Runge-Kutta
  /// exp(w) - zeta(w) = C w^(power) + ... of the principal root.
  struct ErrorConstant {
    Real100 value = 0;
    int power = 0;
  };
  std::optional<ErrorConstant> error_constant;

  std::string stability_function;                // R(w) of Runge-Kutta methods; "" otherwise
  std::optional<std::pair<int, int>> pade_pair;  // (k, j) where R is the (k, j)-Padé approximant of exp
  /// R(infinity) as exact text; decimals for the largest root there of other methods; "infinite"; "" without form.
  std::string R_infinity;
  std::optional<StabilitySector> sector;
  std::optional<StabilityIntervals> intervals;
  double rho_infinity = 0;      // on the undamped oscillator; NaN without form
  double oscillator_limit = 0;  // largest stable omega h; NaN without form

  Property a_stable, l_stable, stiffly_accurate, algebraically_stable, zero_stable, unconditionally_stable;
  Property estimate_sees_time, estimate_sees_linear;  // y' = f(t), y' = J y: of tableaus with embedded weights
  Property b_stable, g_stable;            // of Runge-Kutta methods; of the one-leg methods of multistep formulas
  std::optional<StiffStability> stiffly;  // of multistep formulas that are stiffly stable

  std::vector<DaeOrders> dae_orders;  // proved from trees, of tableaus
  /// What can be said of methods of one family alone, as lines of a card: "order on index 1", "4", how it was found.
  struct FamilyFact {
    std::string what, value, how;
  };
  std::vector<FamilyFact> of_family;

  DenseOrder dense_output;
  /// By formulation.
  std::vector<std::pair<std::string, PredictedOrders>> predicted;
};

/// Never throws for a method that lacks something: the entry is empty, or the property says why it does not apply.
MethodReport method_report(const Method& method);
/// All of it that follows from coefficients alone, which no registered method need have: no name, no dense output, no
/// predictions.
MethodReport method_report(const MethodForm& form);

/// As `daelab show method --json` prints it, coefficients apart. What is infinite is the text "infinite".
void to_json(Json& json, const MethodReport& report);
/// Throws Json::exception for what to_json did not write.
void from_json(const Json& json, MethodReport& report);

}  // namespace daelab
