// Parallel iterated Runge-Kutta methods (PIRK): the stages of Lobatto IIIA by fixed-point iteration, all of a pass at
// once.
//
//   Y_i = y_n + h sum_j a_ij f(Y_j),  i = 2, ..., s,  c_1 = 0, c_s = 1,
//
// starts from the polynomial through the slopes of the step before, or from the slope at the start. For q'' = a(q, q')
// a pass takes v and q from the same accelerations, q_i = q_n + c_i h v_n + h^2 sum_j (A^2)_ij a_j, so that it
// contracts with h^2 where a hangs on q alone. Without matrices it is an explicit method, for problems that are not
// stiff. [HS90]
//
// Where a processor for each stage was thought of, here an instruction takes four: one evaluation of four stages costs
// 0.9 to 1.7 of one alone (core/accelerations/form_lanes.hpp), and bits are those of one stage after the other.
//
// [HS90] van der Houwen, Sommeijer, Parallel iteration of high-order Runge-Kutta methods with stepsize control,
// J. Comput. Appl. Math. 29, 1990, 111-127.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
// [HW99] Hairer, Wanner, Stiff differential equations solved by Radau methods, J. Comput. Appl. Math. 111, 1999,
// 93-111, and the code radau.f to it.
#pragma once

#include "core/base/once.hpp"
#include "core/integration/method.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/lobatto_packs.hpp"

namespace daelab {

/// What steppers share; any number of threads may ask.
class PreparedLobatto {
 public:
  explicit PreparedLobatto(int s) : tableau_(lobatto_iiia(s)) {}
  const Tableau& tableau() const { return tableau_; }
  double contraction() const {
    return contraction_.get([this] { return daelab::contraction(tableau_); });
  }
  template <class T>
  const LobattoPacks<T>& rounded() const {
    return of(As<T>{}).get([this] { return LobattoPacks<T>(tableau_); });
  }

 private:
  Tableau tableau_;
  Once<double> contraction_;
#define DAELAB_DECLARE(T)               \
  Once<LobattoPacks<T>> rounded_##T##_; \
  const Once<LobattoPacks<T>>& of(As<T>) const { return rounded_##T##_; }
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

/// With fixed steps the iteration goes down to round-off. Error control takes the difference to the quadrature without
/// the middle node, of order h^s. A pass counts as evaluations, one a stage, and as an iteration. stepper() throws
/// NotApplicable for forms without a state-space form. From an options struct with `int stages() const`.
class IteratedLobatto final : public Method {
 public:
  template <class Definition>
  IteratedLobatto(const Definition& definition, const std::string& /*where*/)
      : prepared_(std::make_shared<PreparedLobatto>(definition.stages())) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  std::vector<Coefficient> coefficients() const override;
  DenseOrder dense_order() const override;
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;

 private:
  int order() const { return prepared_->tableau().claimed_order; }
  std::shared_ptr<const PreparedLobatto> prepared_;
};

}  // namespace daelab
