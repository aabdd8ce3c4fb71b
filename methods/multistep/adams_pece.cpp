// Adams predictor-corrector in the mode predict, evaluate, correct, evaluate: Adams-Bashforth of order k, then
// Adams-Moulton of order k (the default) or k + 1, which is the order of the method. Two evaluations a step.
// k = 1 with a corrector of order 2 is Heun's method.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. III.1.
#include <fmt/format.h>

#include "methods/multistep/adams.hpp"

namespace daelab {
namespace {

struct AdamsPece : AdamsStart {
  static constexpr const char* name = "adams-pece";
  static constexpr const char* summary =
      "Adams-Bashforth predictor, one Adams-Moulton correction: order k, two evaluations a step.";
  static constexpr const char* source = "Moulton 1926; Hairer, Nørsett, Wanner 1993, Sec. III.1";

  int k = 4;
  std::optional<int> corrector;

  Options options() {
    return {
        option("k", k, "steps and order of the predictor", between(1, 8)),
        option("corrector", corrector, "order of the corrector and of the method, k or k + 1; null: k", between(1, 9)),
        option("start", start,
               "explicit tableau of the first k - 1 steps, its order that of the method less 1 or more, by name "
               "or @file.json; automatic: rk4-classical to order 4, dormand-prince for 5, cooper-verner above")};
  }
  void resolve() {
    if (!corrector) corrector = k;
    resolve_start(*corrector);
  }

  AdamsFormulas formulas(const std::string& where) const {
    if (*corrector != k && *corrector != k + 1)
      throw InputError(where + "/corrector", fmt::format("must be k = {} or k + 1 = {}, not {}", k, k + 1, *corrector));
    return {adams_bashforth(k), adams_moulton(*corrector), start_method(where)};
  }
};
const MethodEntry<AdamsPece, AdamsMethod> adams_pece_entry;

}  // namespace
}  // namespace daelab
