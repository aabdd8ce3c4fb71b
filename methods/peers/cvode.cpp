// CVODE of SUNDIALS: Adams formulas of order 1 to 12 by fixed-point iterations, or BDF of order 1 to 5 by Newton's
// method, with variable coefficients on y' = f(t, y).
//
// [HBGL05] Hindmarsh, Brown, Grant, Lee, Serban, Shumaker, Woodward, SUNDIALS: Suite of nonlinear and
// differential/algebraic equation solvers, ACM Transactions on Mathematical Software 31(3), 2005, 363-396.
#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace {

enum class CvodeFormula { adams, bdf };
std::vector<std::string> names_of(CvodeFormula) { return {"adams", "bdf"}; }

struct Cvode : PeerVersion<Cvode> {
  static constexpr const char* name = "cvode";
  static constexpr const char* summary = "CVODE of SUNDIALS: Adams or BDF of variable order, its own steps.";
  static constexpr const char* source = "Hindmarsh et al. 2005, ACM TOMS 31(3); SUNDIALS (BSD licence)";
  static constexpr const char *module = "sundials", *package = "libsundials-dev";

  CvodeFormula formula = CvodeFormula::adams;

  Options options() {
    return {option("formula", formula,
                   "adams: for equations that are not stiff, by fixed-point iterations; bdf: by Newton's method"),
            peer_version_option(version)};
  }
  Peer peer() const {
    const int order = formula == CvodeFormula::adams ? 12 : 5;
    return {.module = module,
            .package = package,
            .code = "cvode",
            .variant = name_of(formula),
            .order = order,
            .keeps_past = true,
            .interpolates = order,
            .note = sundials_note};
  }
};
const PeerEntry<Cvode> cvode_entry;

}  // namespace
}  // namespace daelab
