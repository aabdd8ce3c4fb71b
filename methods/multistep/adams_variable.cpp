// Adams methods of order 1 to 13 with order and step selection, in the mode PECE.
//
// [SG75] Shampine, Gordon, Computer Solution of Ordinary Differential Equations, Freeman, 1975.
#include "core/base/makes.hpp"
#include "methods/multistep/variable_adams.hpp"

namespace daelab {
namespace {

struct AdamsVariable : Makes<Method, "extrapolation"> {
  static constexpr const char* name = "adams-variable";
  static constexpr const char* summary =
      "Adams predictors of order 1 to 12, corrected with one order more: order and step chosen by the error, two "
      "evaluations a step.";
  static constexpr const char* source = "Shampine, Gordon 1975 (ODE/STEP); Hairer, Nørsett, Wanner 1993, Sec. III.7";

  int k = variable_adams_highest;

  Options options() {
    return {option("k", k,
                   "order of the predictor, one less than that of the method: with error control the highest one; with "
                   "fixed steps that of every step, after k - 1 of an extrapolation of order k or k + 1",
                   between(1, variable_adams_highest))};
  }

  VariableAdamsSettings settings(const std::string& where) const {
    const int start = k % 2 == 0 ? k : k + 1;
    return {k, make<"extrapolation">({{"order", start}}, where)};
  }
};
const MethodEntry<AdamsVariable, VariableAdamsMethod> adams_variable_entry;

}  // namespace
}  // namespace daelab
