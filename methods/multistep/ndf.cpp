// Numerical differentiation formulas of Klopfenstein and Shampine: backward differentiation with a part of the first
// neglected term, on the quasi-constant step; what ode15s of MATLAB takes. [SR97]
//
// [SR97] Shampine, Reichelt, SIAM J. Sci. Comput. 18(1), 1997, 1-22.
#include "methods/multistep/bdf_options.hpp"

namespace daelab {
namespace {

struct NdfOptions : BdfFamily {
  static constexpr const char* name = "ndf";
  static constexpr const char* summary =
      "Numerical differentiation formulas of order 1 to 5: smaller error constants than BDF to order 4.";
  static constexpr const char* source = "Shampine, Reichelt 1997; Klopfenstein 1971";

  // [SR97, Table 1] ends with order 5, where kappa is 0.
  Options options() { return list(bdf_usual_order); }
  BdfSettings settings() const { return settings_of(BdfFormula::quasi_constant, true); }
};
const MethodEntry<NdfOptions, BdfMethod> ndf_entry;

}  // namespace
}  // namespace daelab
