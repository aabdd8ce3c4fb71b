// Lobatto IIIA: collocation at 0, the zeros of P'_(s-1), and 1. Order 2s - 2, stage order s, A-stable but
// not L-stable (|R(inf)| = 1), stiffly accurate, first stage explicit.
//
// A method of your own: copy this file into methods/mine/, rename, build. Nothing else changes.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct LobattoIiia {
  static constexpr const char* name = "lobatto-iiia";
  static constexpr const char* summary = "Lobatto IIIA collocation: order 2s - 2, A-stable, stiffly accurate.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.5";

  int s = 3;

  Options options() { return {option("s", s, "stages", between(2, 7))}; }

  Tableau tableau(const std::string& /*where*/) const {
    Vector<Real100> nodes(s);
    nodes[0] = 0;
    nodes.segment(1, s - 2) = legendre_derivative_zeros(s - 1);
    nodes[s - 1] = 1;
    Tableau tableau = collocation(nodes);
    tableau.name = "Lobatto IIIA with " + std::to_string(s) + " stages";
    return tableau;
  }
};
const TableauEntry<LobattoIiia> my_method_entry;

}  // namespace
}  // namespace daelab
