// Adams-Bashforth: explicit, k steps, order k, one evaluation a step.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. III.1.
#include "methods/multistep/adams.hpp"

namespace daelab {
namespace {

struct AdamsBashforth : AdamsStart {
  static constexpr const char* name = "adams-bashforth";
  static constexpr const char* summary = "Explicit Adams method of k steps and order k, one evaluation a step.";
  static constexpr const char* source = "Bashforth, Adams 1883; Hairer, Nørsett, Wanner 1993, Sec. III.1";

  int k = 4;

  Options options() {
    return {option("k", k, "steps, and the order", between(1, 8)),
            option("start", start,
                   "explicit tableau of order k - 1 or more for the first k - 1 steps, by name or @file.json; "
                   "automatic: rk4-classical to k = 4, dormand-prince for 5, cooper-verner above")};
  }
  void resolve() { resolve_start(k); }

  AdamsFormulas formulas(const std::string& where) const { return {adams_bashforth(k), {}, start_method(where)}; }
};
const MethodEntry<AdamsBashforth, AdamsMethod> adams_bashforth_entry;

}  // namespace
}  // namespace daelab
