// Radau IIA: collocation at the zeros of P_s - P_(s-1). Order 2s - 1, stage order s, L-stable.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct RadauIia {
  static constexpr const char* name = "radau-iia";
  static constexpr const char* summary = "Radau IIA collocation: order 2s - 1, L-stable, stiffly accurate.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.5";

  int s = 3;

  Options options() { return {option("s", s, "stages", between(1, 7))}; }
  Tableau tableau(const std::string& /*where*/) const { return radau_iia(s); }
};
const TableauEntry<RadauIia> radau_iia_entry;

}  // namespace
}  // namespace daelab
