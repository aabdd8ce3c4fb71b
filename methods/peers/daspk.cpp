// DASPK of Petzold, Brown, Hindmarsh and Ulrich, with its direct solver, as deSolve has it (version 2.0): BDF of order
// 1 to 5 with fixed leading coefficients on F(t, y, y') = 0, the successor of DASSL.
//
// Multipliers are out of its tests of errors and iterations, as its guide allows. It factorises dense matrices itself,
// with daelab's exact Jacobians.
//
// [BHP94] Brown, Hindmarsh, Petzold, Using Krylov methods in the solution of large-scale differential-algebraic
// systems, SIAM Journal on Scientific Computing 15(6), 1994, 1467-1488.
#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace {

struct Daspk : PeerVersion<Daspk> {
  static constexpr const char* name = "daspk";
  static constexpr const char* summary = "DASPK of Petzold and others: BDF of order 1 to 5, its own steps.";
  static constexpr const char* source =
      "Brown, Hindmarsh, Petzold 1994, SIAM J. Sci. Comput. 15(6); deSolve (GPL), in a module";
  static constexpr const char *module = "desolve", *package = "r-cran-desolve libboost-context-dev";

  Peer peer() const {
    return {.module = module,
            .package = package,
            .code = "daspk",
            .variant = "bdf",
            .order = 5,
            .form = PeerForm::implicit_form,
            .keeps_past = true,
            .matrices = PeerMatrices::dense,
            .interpolates = 5};
  }
};
const PeerEntry<Daspk> daspk_entry;

}  // namespace
}  // namespace daelab
