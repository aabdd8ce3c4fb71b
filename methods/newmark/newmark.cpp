// Newmark's method: the equations of motion hold at the step end, with the very acceleration that positions and
// velocities are made of.
//
// Order 2 for gamma = 1/2, which damps nothing; order 1 and damping above. beta = (1/2 + gamma)^2/4 makes it
// unconditionally stable and damps high frequencies most.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/newmark/generalized_alpha_stepper.hpp"

namespace daelab {
namespace {

struct Newmark {
  static constexpr const char* name = "newmark";
  static constexpr const char* summary = "Newmark's method: order 2 without damping, order 1 with it.";
  static constexpr const char* source = "Newmark 1959; Ren, Zhou 2020, eqs. (17)-(20)";

  Exact gamma = "1/2", deadband = 0;
  std::optional<Exact> beta;
  ErrorConstant error_constant = ErrorConstant::theory;

  Options options() {
    return {option("gamma", gamma, "weight of the new acceleration in the velocity",
                   Allowed{Exact("0.5"), Exact(1), false, {}}),
            option("beta", beta, "weight of the new acceleration in the position; null: (1/2 + gamma)^2/4", positive()),
            error_constant_option(error_constant), deadband_option(deadband)};
  }
  GeneralizedAlphaScheme scheme(const std::string& /*where*/) const {
    GeneralizedAlphaScheme s;
    s.gamma = gamma.value();
    s.beta = beta ? beta->value() : newmark_beta(s.gamma);
    s.error_constant = error_constant, s.deadband = deadband.value();
    return s;
  }
};
const MethodEntry<Newmark, GeneralizedAlphaMethod> newmark_entry;

}  // namespace
}  // namespace daelab
