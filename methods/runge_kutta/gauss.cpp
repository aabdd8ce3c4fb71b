// Gauss: collocation at the zeros of P_s. Order 2s, stage order s, A-stable, |R(inf)| = 1.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct Gauss {
  static constexpr const char* name = "gauss";
  static constexpr const char* summary = "Gauss collocation: order 2s, A-stable, symplectic.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.5";

  int s = 3;

  Options options() { return {option("s", s, "stages", between(1, 10))}; }
  Tableau tableau(const std::string& /*where*/) const { return gauss(s); }
};
const TableauEntry<Gauss> gauss_entry;

}  // namespace
}  // namespace daelab
