// Implicit Runge-Kutta methods of one family, among which error control chooses: a family of tableaus.
#pragma once

#include <vector>

#include "methods/runge_kutta/order_progress.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {

/// What a family's steppers derive from its tableaus in 100 digits: once, when it is first asked for. Any number of
/// threads may ask.
class FamilyCoefficients {
 public:
  explicit FamilyCoefficients(std::vector<std::shared_ptr<const PreparedTableau>> tableaus)
      : tableaus_(std::move(tableaus)) {}

  struct Values {
    std::vector<OrderFacts> facts;
    std::vector<Vector<Real100>> nodes;  // of all stages: 0 where the first one is explicit
    /// [to][from]: stages at the nodes of order `to` = (stages of order `from`) times this, (nodes from, nodes to), by
    /// the polynomial through them.
    std::vector<std::vector<Matrix<Real100>>> resampling;
  };
  const Values& values() const;

 private:
  std::vector<std::shared_ptr<const PreparedTableau>> tableaus_;
  Once<Values> values_;
};

/// Fully implicit tableaus of rising order with distinct nodes; a run starts on the lowest order. After each step that
/// passes, progress for work chooses the order (order_progress.hpp); a step that fails goes on one order down. The
/// decisions tell the order used, so that histories of steps show it. Fixed steps are not applicable.
/// Throws NotApplicable where the lowest order does.
template <class T>
std::unique_ptr<Stepper<T>> make_variable_order_runge_kutta(const TableauFamily& family, System<T>& system,
                                                            const NewtonOptions& newton);

}  // namespace daelab
