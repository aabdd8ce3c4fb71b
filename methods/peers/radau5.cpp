// RADAU5 of Hairer and Wanner: Radau IIA of order 5 with its own step control, as deSolve has it (a copy of 2002, made
// quiet, with a guard against overflow).
//
// Forms with v' = a(t, q, v) and y' = f(t, y) are handed over as they are. Of the others the unknowns are (q, v, a,
// lambda), as in its authors' test set, so that q' = v and v' = a cost no linear algebra, and all the rest is 0 =
// F(q, v, a, lambda); index-2 variables weigh h, index-3 variables h^2 in its error test. It factorises dense matrices
// itself, with daelab's exact Jacobians.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, Secs. IV.8, VII.6.
#include "methods/peers/radau_code.hpp"

namespace daelab {
namespace {

struct Radau5 : PeerVersion<Radau5> {
  static constexpr const char* name = "radau5";
  static constexpr const char* summary = "RADAU5 of Hairer and Wanner: Radau IIA of order 5, its own steps.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.8; deSolve (GPL), in a module";
  static constexpr const char *module = "desolve", *package = "r-cran-desolve libboost-context-dev";

  Peer peer() const { return radau_code(module, package, name, 5, 3); }
};
const PeerEntry<Radau5> radau5_entry;

}  // namespace
}  // namespace daelab
