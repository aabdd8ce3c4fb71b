// IDA of SUNDIALS: BDF of order 1 to 5 with variable coefficients on F(t, y, y') = 0, the successor of DASPK.
//
// On index 2 and ggl the multipliers are left out of the error test, as its guide advises (IDASetSuppressAlg).
// Jacobians are exact, matrices factorised by daelab.
//
// [HBGL05] Hindmarsh, Brown, Grant, Lee, Serban, Shumaker, Woodward, SUNDIALS: Suite of nonlinear and
// differential/algebraic equation solvers, ACM Transactions on Mathematical Software 31(3), 2005, 363-396.
#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace {

struct Ida : PeerVersion<Ida> {
  static constexpr const char* name = "ida";
  static constexpr const char* summary = "IDA of SUNDIALS: BDF for differential-algebraic equations, its own steps.";
  static constexpr const char* source = "Hindmarsh et al. 2005, ACM TOMS 31(3); SUNDIALS (BSD licence)";
  static constexpr const char *module = "sundials", *package = "libsundials-dev";

  Peer peer() const {
    return {.module = module,
            .package = package,
            .code = "ida",
            .variant = "bdf",
            .order = 5,
            .form = PeerForm::implicit_form,
            .keeps_past = true,
            .interpolates = 5,
            .note = sundials_note};
  }
};
const PeerEntry<Ida> ida_entry;

}  // namespace
}  // namespace daelab
