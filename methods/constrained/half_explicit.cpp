// Half-explicit Runge-Kutta methods for index 2, of order 1 to 4, as tableaus that meet the order conditions of
// mechanical systems on index 2 beside those of ordinary differential equations; with w the inverse of
// (a_(i+1,j)), i = 1, ..., s, a_(s+1,j) = b_j,
//
//   order 3:  sum_ij b_i c_i w_ij c_(j+1)^2 = 2/3.                                                 [BH93, table 1]
//
// Order 1 is the half-explicit Euler method, order 2 the explicit midpoint rule, order 3 that of 3 stages with c_3 = 1,
// order 4 the HEM4 of 5 stages, with the nodes and weights of Radau IIA of order 5. HEM5 (8 stages) is left out: its
// coefficients were not at hand to enough digits.
//
// [BH93] Brasey, Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2,
//        SIAM J. Numer. Anal. 30(2), 1993, 538-552.
#include "methods/constrained/half_explicit_stepper.hpp"

#include <vector>

#include "core/base/exact.hpp"
#include "core/base/options.hpp"
#include "methods/constrained/constrained_method.hpp"

namespace daelab {
namespace {

// The rows of A below the diagonal, from the second one on, and b.
using Rows = std::vector<std::vector<Exact>>;

Rows rows(int order) {
  if (order == 1) return {{1}};
  if (order == 2) return {{"1/2"}, {0, 1}};
  if (order == 3) return {{"1/3"}, {-1, 2}, {0, "3/4", "1/4"}};
  return {{"3/10"},
          {"(1 + sqrt(6))/30", "(11 - 4 sqrt(6))/30"},
          {"(-79 - 31 sqrt(6))/150", "(-1 - 4 sqrt(6))/30", "(24 + 11 sqrt(6))/25"},
          {"(14 + 5 sqrt(6))/6", "(-8 + 7 sqrt(6))/6", "(-9 - 7 sqrt(6))/4", "(9 - sqrt(6))/4"},
          {0, 0, "(16 - sqrt(6))/36", "(16 + sqrt(6))/36", "1/9"}};
}

struct HalfExplicitOptions {
  static constexpr const char* name = "half-explicit";
  static constexpr const char* summary =
      "Half-explicit Runge-Kutta methods for index 2: velocities on their constraints, one linear system a stage.";
  static constexpr const char* source = "Hairer, Lubich, Roche 1989; Brasey, Hairer 1993, Sec. 2 and 4";

  int order = 4;

  Options options() {
    return {option("order", order, "order of q, v, a and lambda; 1, 2, 3 or 5 stages", between(1, 4))};
  }

  Tableau tableau() const {
    const Rows below = rows(order);
    const Index s = static_cast<Index>(below.size());
    Tableau tableau;
    tableau.name = "half-explicit of order " + std::to_string(order);
    tableau.source = source;
    tableau.claimed_order = order;
    tableau.A.setZero(s, s), tableau.b.setZero(s);
    for (Index i = 0; i < s; ++i)
      for (Index j = 0; j <= i; ++j) {
        const Real100& a = below[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].value();
        (i == s - 1 ? tableau.b[j] : tableau.A(i + 1, j)) = a;
      }
    tableau.c = tableau.A.rowwise().sum();
    return tableau;
  }
};

class HalfExplicitMethod final : public ConstrainedMethod {
 public:
  HalfExplicitMethod(const HalfExplicitOptions& definition, const std::string& /*where*/)
      : tableau_(definition.tableau()) {}
  Level natural_level() const override { return Level::velocity; }
  MethodForm form() const override { return tableau_; }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override {
    if (formulation.imposes_only(Level::velocity))
      return PredictedOrders::everywhere(orders.order, "Brasey, Hairer 1993");
    return PredictedOrders::unknown("it imposes velocity constraints, on index-2");
  }

 private:
  const char* needs() const override { return "half-explicit methods need the blocks of a mechanical system"; }
#define DAELAB_DEFINE(T)                                                                                          \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& /*newton*/) \
      const override {                                                                                            \
    return make_half_explicit<T>(tableau_, system, model);                                                        \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  Tableau tableau_;
};

const MethodEntry<HalfExplicitOptions, HalfExplicitMethod> half_explicit_entry;

}  // namespace
}  // namespace daelab
