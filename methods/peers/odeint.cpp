// Boost.Numeric.Odeint on y' = f(t, y): its controlled steppers with their default control of steps. The error test has
// an absolute tolerance of each component; bulirsch-stoer's has one, which is the least of them.
//
// [AM11] Ahnert, Mulansky, Odeint - Solving ordinary differential equations in C++, AIP Conference Proceedings 1389,
// 2011, 1586-1589.
#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace {

enum class OdeintStepper { dopri5, cash_karp54, fehlberg78, bulirsch_stoer };
std::vector<std::string> names_of(OdeintStepper) { return {"dopri5", "cash-karp54", "fehlberg78", "bulirsch-stoer"}; }

struct Odeint : PeerVersion<Odeint> {
  static constexpr const char* name = "odeint";
  static constexpr const char* summary = "Boost.Numeric.Odeint: Runge-Kutta pairs, Bulirsch-Stoer, its own steps.";
  static constexpr const char* source = "Ahnert, Mulansky 2011, AIP Conf. Proc. 1389; Boost licence";
  static constexpr const char *module = "odeint", *package = "libboost-dev";

  OdeintStepper stepper = OdeintStepper::dopri5;

  Options options() {
    return {option("stepper", stepper, "pair of Runge-Kutta formulas, or extrapolation of variable order, up to 16"),
            peer_version_option(version)};
  }
  Peer peer() const {
    constexpr int orders[] = {5, 5, 8, 16};
    return {.module = module,
            .package = package,
            .code = "controlled",
            .variant = name_of(stepper),
            .order = orders[static_cast<std::size_t>(stepper)]};
  }
};
const PeerEntry<Odeint> odeint_entry;

}  // namespace
}  // namespace daelab
