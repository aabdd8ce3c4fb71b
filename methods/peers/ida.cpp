// IDA of SUNDIALS: BDF of order 1 to 5 with variable coefficients on F(t, y, y') = 0, the successor of DASPK.
//
// On index 2 and ggl the multipliers are left out of the error test, as its guide advises (IDASetSuppressAlg).
// Jacobians are exact. Matrices are factorised by daelab, which knows their structure, or by KLU, as users of SUNDIALS
// do it: then the residual is M v' - Q + C_q^T lambda, and the whole F_y + c F_y' goes to KLU, column by column.
//
// [HBGL05] Hindmarsh, Brown, Grant, Lee, Serban, Shumaker, Woodward, SUNDIALS: Suite of nonlinear and
// differential/algebraic equation solvers, ACM Transactions on Mathematical Software 31(3), 2005, 363-396.
#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace {

enum class IdaSolver { daelab, klu };
std::vector<std::string> names_of(IdaSolver) { return {"daelab", "klu"}; }

constexpr const char* klu_note =
    "; its operations on vectors are daelab's, as Debian compiles SUNDIALS without optimisation, its matrices KLU's";

struct Ida : PeerVersion<Ida> {
  static constexpr const char* name = "ida";
  static constexpr const char* summary = "IDA of SUNDIALS: BDF for differential-algebraic equations, its own steps.";
  static constexpr const char* source = "Hindmarsh et al. 2005, ACM TOMS 31(3); SUNDIALS (BSD licence)";
  static constexpr const char *module = "sundials", *package = "libsundials-dev";

  IdaSolver linear_solver = IdaSolver::daelab;

  Options options() {
    return {
        option("linear_solver", linear_solver,
               "daelab: accelerations and multipliers eliminated, sparse; klu: SUNDIALS' own interface to KLU, with "
               "the whole matrix"),
        peer_version_option(version)};
  }
  Peer peer() const {
    return {.module = module,
            .package = package,
            .code = "ida",
            .variant = name_of(linear_solver),
            .order = 5,
            .form = PeerForm::implicit_form,
            .keeps_past = true,
            .matrices = linear_solver == IdaSolver::klu ? PeerMatrices::sparse : PeerMatrices::of_daelab,
            .interpolates = 5,
            .note = linear_solver == IdaSolver::klu ? klu_note : sundials_note};
  }
};
const PeerEntry<Ida> ida_entry;

}  // namespace
}  // namespace daelab
