// The Taylor series method: any order, from the recorded expressions of the equations.
//
// [JZ05] Jorba, Zou, Experimental Mathematics 14, 2005, 99-117.
#include "methods/taylor/taylor_method.hpp"

namespace daelab {
namespace {

struct Taylor {
  static constexpr const char* name = "taylor";
  static constexpr const char* summary =
      "Taylor series of the solution, from the recorded expressions: any order, for tolerances that ask for many "
      "digits.";
  static constexpr const char* source = "Jorba, Zou 2005, Sec. 3; Hairer, Nørsett, Wanner 1993, Sec. I.8";

  std::optional<int> order;

  Options options() {
    return {option("order", order,
                   "degree of the polynomial; null: 1 - ln(tolerance)/2, with fixed steps that of the round-off",
                   between(2, 100))};
  }
  TaylorSettings settings() const { return {order}; }
};
const MethodEntry<Taylor, TaylorMethod> taylor_entry;

}  // namespace
}  // namespace daelab
