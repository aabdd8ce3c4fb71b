// The generalized-alpha method of Chung and Hulbert in the form of Arnold and Bruls, on index 3 and on ggl: order 2,
// with the damping of infinitely high frequencies as its one parameter.
//
// The source prints gamma = 1/2 + alpha_m + alpha_f, which has order 1.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/newmark/generalized_alpha_stepper.hpp"

namespace daelab {
namespace {

struct GeneralizedAlphaOfRho {
  static constexpr const char* name = "generalized-alpha";
  static constexpr const char* summary = "Generalized-alpha method: order 2, rho = damping at infinite frequency.";
  static constexpr const char* source = "Chung, Hulbert 1993; Arnold, Bruls 2007; Ren, Zhou 2020, eqs. (26)-(39)";

  enum class Gamma { corrected, printed };
  enum class Acceleration { carried, rederived };
  friend std::vector<std::string> names_of(Gamma) { return {"corrected", "printed"}; }
  friend std::vector<std::string> names_of(Acceleration) { return {"carried", "rederived"}; }

  Exact rho = "4/5", deadband = 0;
  Gamma gamma = Gamma::corrected;
  Acceleration acceleration = Acceleration::carried;
  ErrorConstant error_constant = ErrorConstant::theory;
  Rescaling rescale = Rescaling::automatic;

  Options options() {
    return {option("rho", rho, "spectral radius at infinity: 1 no damping, 0 annihilation", between(0, 1)),
            option("gamma", gamma, "corrected: 1/2 - alpha_m + alpha_f; printed: 1/2 + alpha_m + alpha_f, of order 1"),
            option("acceleration", acceleration,
                   "carried: a_n, which stands for q'' at t_n - D h, goes from step to step; rederived: a_n := q''_n "
                   "at every step, a mistake that costs an order, except for rho = 1"),
            error_constant_option(error_constant),
            rescale_option(rescale),
            deadband_option(deadband)};
  }
  GeneralizedAlphaScheme scheme(const std::string& /*where*/) const {
    const Real100& r = rho.value();
    GeneralizedAlphaScheme s;
    s.alpha_m = (2 * r - 1) / (1 + r);
    s.alpha_f = r / (1 + r);
    s.gamma = Real100(1) / 2 + s.alpha_f + (gamma == Gamma::printed ? s.alpha_m : Real100(-s.alpha_m));
    s.beta = newmark_beta(s.gamma);
    s.carries_acceleration = acceleration == Acceleration::carried;
    s.error_constant = error_constant, s.rescale = rescale, s.deadband = deadband.value();
    return s;
  }
};
const MethodEntry<GeneralizedAlphaOfRho, GeneralizedAlphaMethod> generalized_alpha_entry;

}  // namespace
}  // namespace daelab
