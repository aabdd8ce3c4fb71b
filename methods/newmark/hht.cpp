// The method of Hilber, Hughes and Taylor: Newmark's method with forces averaged over the step, so that high
// frequencies are damped at order 2.
//
//   M a_(n+1) + (1 - alpha) R_(n+1) + alpha R_n = 0,  R = C_q^T lambda - Q,  M at (1 - alpha) q_(n+1) + alpha q_n.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/newmark/generalized_alpha_stepper.hpp"

namespace daelab {
namespace {

struct Hht {
  static constexpr const char* name = "hht";
  static constexpr const char* summary = "Hilber-Hughes-Taylor method: order 2 with damping of high frequencies.";
  static constexpr const char* source = "Hilber, Hughes, Taylor 1977; Ren, Zhou 2020, eqs. (21)-(25)";

  enum class MassAt { intermediate, end };
  friend std::vector<std::string> names_of(MassAt) { return {"intermediate", "end"}; }

  Exact alpha = "3/10", deadband = 0;
  MassAt mass = MassAt::intermediate;
  ErrorConstant error_constant = ErrorConstant::theory;
  Rescaling rescale = Rescaling::automatic;

  Options options() {
    return {option("alpha", alpha, "damping: 0 none, at most 1/3", at_least(0)),
            option("mass", mass, "where M is taken: intermediate, or the step end, which costs an order if M changes"),
            error_constant_option(error_constant), rescale_option(rescale), deadband_option(deadband)};
  }
  GeneralizedAlphaScheme scheme(const std::string& where) const {
    if (3 * alpha.value() > 1) throw InputError(where + "/alpha", alpha.text() + " is out of range; allowed: 0 to 1/3");
    using Balance = GeneralizedAlphaScheme::Balance;
    GeneralizedAlphaScheme s;
    s.alpha_f = alpha.value();
    s.gamma = Real100(1) / 2 + s.alpha_f;
    s.beta = newmark_beta(s.gamma);
    s.balance = mass == MassAt::end ? Balance::collocated_with_mass_of_the_end : Balance::collocated;
    s.error_constant = error_constant, s.rescale = rescale, s.deadband = deadband.value();
    return s;
  }
};
const MethodEntry<Hht, GeneralizedAlphaMethod> hht_entry;

}  // namespace
}  // namespace daelab
