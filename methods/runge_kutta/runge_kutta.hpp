// The Runge-Kutta engines and the entry for methods given by a tableau alone.
#pragma once

#include "core/integration/method.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/runge_kutta/prepared_tableau.hpp"

namespace daelab {

/// Explicit tableau on the state-space form of a system; as many evaluations a step as stages, one less where the
/// last stage is the step end. Throws NotApplicable for forms without a state-space form. Error control takes the
/// difference to the embedded solution; Stepper::control throws NotApplicable for tableaus without embedded weights.
template <class T>
std::unique_ptr<Stepper<T>> make_explicit_runge_kutta(std::shared_ptr<const PreparedTableau> tableau,
                                                      System<T>& system);

/// Fully implicit tableau, its first stage explicit or not, on F(t, y, y') = 0:
///   Y_i = y_n + h sum_j A_ij Y'_j,  F(t_n + c_i h, Y_i, Y'_i) = 0,  y_(n+1) = y_n + h sum_i b_i Y'_i.
/// Unknowns are Y' of the differential and Y of the algebraic components. Algebraic components and y'
/// at the step end are those of the last stage (stiffly accurate) or completed from the new state.
/// Error control takes the defect at the start of the step, of order h^(r+1) for r implicit stages of stage order r
/// (methods/runge_kutta/step_error.hpp). Throws NotApplicable when the implicit part of A is singular and the
/// index is 2 or 3.
template <class T>
std::unique_ptr<Stepper<T>> make_fully_implicit_runge_kutta(std::shared_ptr<const PreparedTableau> tableau,
                                                            System<T>& system, const NewtonOptions& newton);

/// Diagonally implicit tableau (Tableau::is_diagonally_implicit), stage by stage on the same equations and unknowns.
/// The Jacobian is kept over stages and steps unless the options name an iteration; `simplified` factorises once a
/// step, `modified` once a stage. Error control takes the difference to the embedded solution, without one the defect.
template <class T>
std::unique_ptr<Stepper<T>> make_diagonally_implicit_runge_kutta(std::shared_ptr<const PreparedTableau> tableau,
                                                                 System<T>& system, const NewtonOptions& newton);

/// Has a stepper say where rounded coefficients have fewer digits than it works in: the warning coefficient-digits.
template <class T>
void warn_of_digits(const Tableau& tableau, Stepper<T>& stepper);

class FamilyCoefficients;

/// Fully implicit tableaus of one family, of rising order: error control chooses among them (variable_order.hpp).
struct TableauFamily {
  std::vector<std::shared_ptr<const PreparedTableau>> tableaus;      // one: there is nothing to choose
  std::shared_ptr<const FamilyCoefficients> coefficients = nullptr;  // of two or more
};

/// A method that is a tableau, whose zeros choose the engine, or a family of them.
class RungeKuttaMethod : public Method, public SymmetricMethod {
 public:
  explicit RungeKuttaMethod(Tableau tableau)
      : RungeKuttaMethod(TableauFamily{{std::make_shared<PreparedTableau>(std::move(tableau))}}) {}
  explicit RungeKuttaMethod(TableauFamily family) : family_(std::move(family)) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  bool is_symmetric() const override { return !changes_order() && daelab::is_symmetric(tableau()); }
  bool leaves_constraints() const override { return true; }
  DenseOrder dense_order() const override;
  /// The embedded weights, where the tableau has them.
  std::vector<Coefficient> coefficients() const override {
    if (changes_order() || tableau().b_embedded.size() == 0) return {};
    return {{"b_embedded", "weights of the embedded method", tableau().b_embedded}};
  }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const final;

 protected:
  /// What is known of the family on forms without a state-space form, where the engine takes the tableau.
  virtual std::optional<PredictedOrders> higher_index_orders(const FormulationTraits& /*formulation*/,
                                                             const FormOrders& /*orders*/) const {
    return std::nullopt;
  }

 private:
  bool changes_order() const { return family_.tableaus.size() > 1; }
  const Tableau& tableau() const { return family_.tableaus.front()->tableau(); }
  TableauFamily family_;  // steppers share the tableaus
};

/// From an options struct with name, summary, source, options() and `Tableau tableau(const std::string& where) const`,
/// or a TableauFamily instead of the Tableau (both throw InputError under `where`), optionally
/// `std::vector<Method::Coefficient> coefficients() const` and what a family knows of its orders on higher index,
/// `PredictedOrders higher_index_orders(const FormulationTraits& formulation, const FormOrders& orders) const`.
template <class Definition>
class TableauMethod final : public RungeKuttaMethod {
 public:
  TableauMethod(Definition definition, const std::string& where)
      : RungeKuttaMethod(definition.tableau(where)), definition_(std::move(definition)) {}
  std::vector<Coefficient> coefficients() const override {
    if constexpr (requires { definition_.coefficients(); })
      return definition_.coefficients();
    else
      return RungeKuttaMethod::coefficients();
  }

 private:
  std::optional<PredictedOrders> higher_index_orders(const FormulationTraits& formulation,
                                                     const FormOrders& orders) const override {
    if constexpr (requires { definition_.higher_index_orders(formulation, orders); })
      return definition_.higher_index_orders(formulation, orders);
    else
      return std::nullopt;
  }

  Definition definition_;
};

/// The last line of a file with a family of tableaus.
template <class Definition>
using TableauEntry = MethodEntry<Definition, TableauMethod<Definition>>;

}  // namespace daelab
