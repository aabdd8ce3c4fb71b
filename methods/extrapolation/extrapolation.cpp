// Extrapolation of the explicit midpoint rule: any even order, explicit.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. II.9.
#include <fmt/format.h>

#include "methods/extrapolation/gragg_extrapolation.hpp"

namespace daelab {
namespace {

struct Extrapolation {
  static constexpr const char* name = "extrapolation";
  static constexpr const char* summary =
      "Extrapolation of the explicit midpoint rule (Gragg, Bulirsch, Stoer): any even order.";
  static constexpr const char* source = "Gragg 1965; Bulirsch, Stoer 1966; Hairer, Nørsett, Wanner 1993, Sec. II.9";

  int order = 8;
  bool smoothing = false;

  Options options() {
    return {option("order", order, "even: twice the number of columns, of 2, 4, 6, ... substeps", between(2, 20)),
            option("smoothing", smoothing, "Gragg's mean of the last three values, one evaluation more a column")};
  }

  ExtrapolationSettings settings(const std::string& where) const {
    if (order % 2 != 0)
      throw InputError(where + "/order", fmt::format("is {}, must be even: {} or {}", order, order - 1, order + 1));
    return {order, smoothing};
  }
};
const MethodEntry<Extrapolation, GraggExtrapolation> extrapolation_entry;

}  // namespace
}  // namespace daelab
