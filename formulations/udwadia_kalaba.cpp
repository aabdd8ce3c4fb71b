// The equation of Udwadia and Kalaba: of all accelerations that the constraints allow, the one nearest to that of the
// unconstrained motion,
//
//   a = a_0 + M^(-1/2) (J M^(-1/2))^+ (b - J a_0),   a_0 = M^-1 Q,  b = gamma,  J = C_q and G_v,            [UK92, (3)]
//
// with ^+ the pseudo-inverse, so that constraints may depend on each other and a rank may fall. Any square root of M
// gives the same a; here it is that of Cholesky.
//
// [UK92] Udwadia, Kalaba, A new perspective on constrained motion, Proceedings of the Royal Society A 439, 1992,
// 407-410.
#include "core/equations/dense_refusal.hpp"
#include "core/equations/formulation.hpp"
#include "core/equations/own_multipliers.hpp"
#include "core/solvers/pseudo_inverse.hpp"

namespace daelab {
namespace {

struct UdwadiaKalaba {
  static constexpr const char* name = "udwadia-kalaba";
  static constexpr const char* summary =
      "The acceleration nearest to the unconstrained one, by a pseudo-inverse; redundant constraints allowed.";
  static constexpr const char* source = "Udwadia, Kalaba 1992";

  // Off the constraints rows that depend on each other have singular values as large as the violation.
  RankOptions rank{.tolerance = "1e-4"};

  Options options() { return rank.list(); }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration), .state_space = true, .needs_linear_equations = true};
  }

  template <class T>
  std::string refusal(const MechanicalModel<T>& model) const {
    return dense_refusal(name, model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& /*multipliers*/) const {
    return std::make_unique<WithOwnMultipliers<T, ConstrainedSystem>>(
        std::make_unique<PseudoInverse<T>>(model.coordinates(), model.constraints(), rank), model, Level::acceleration);
  }
};
const FormulationEntry<UdwadiaKalaba> udwadia_kalaba_entry;

}  // namespace
}  // namespace daelab
