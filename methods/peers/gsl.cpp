// The GNU Scientific Library's gsl_odeiv2 on y' = f(t, y), with the standard control of its steps (a_y = 1, a_dydt =
// 0). Its implicit steppers factorise df/dx themselves; the Jacobian is exact. bsimp, which asks for df/dt, is left
// out.
#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace {

enum class GslStepper { rkf45, rkck, rk8pd, rk2imp, rk4imp, msadams, msbdf };
std::vector<std::string> names_of(GslStepper) {
  return {"rkf45", "rkck", "rk8pd", "rk2imp", "rk4imp", "msadams", "msbdf"};
}

struct Gsl : PeerVersion<Gsl> {
  static constexpr const char* name = "gsl";
  static constexpr const char* summary = "GNU Scientific Library: Runge-Kutta pairs, Adams, BDF, its own steps.";
  static constexpr const char* source = "GNU Scientific Library, Ordinary Differential Equations; GPL, in a module";
  static constexpr const char *module = "gsl", *package = "libgsl-dev";

  GslStepper stepper = GslStepper::rk8pd;

  Options options() {
    return {option("stepper", stepper,
                   "rk...: one-step methods, the last two implicit; ms...: multistep methods of variable order"),
            peer_version_option(version)};
  }
  Peer peer() const {
    constexpr int orders[] = {5, 5, 8, 2, 4, 12, 5};
    const bool is_newton =
        stepper == GslStepper::rk2imp || stepper == GslStepper::rk4imp || stepper == GslStepper::msbdf;
    return {.module = module,
            .package = package,
            .code = "gsl",
            .variant = name_of(stepper),
            .order = orders[static_cast<std::size_t>(stepper)],
            .keeps_past = stepper >= GslStepper::msadams,
            .matrices = is_newton ? PeerMatrices::dense : PeerMatrices::of_daelab};
  }
};
const PeerEntry<Gsl> gsl_entry;

}  // namespace
}  // namespace daelab
