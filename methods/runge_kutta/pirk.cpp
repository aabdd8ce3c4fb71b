// Parallel iterated Runge-Kutta methods.
#include "methods/runge_kutta/iterated_lobatto.hpp"

namespace daelab {
namespace {

struct Pirk {
  static constexpr const char* name = "pirk";
  static constexpr const char* summary =
      "Parallel iterated Runge-Kutta method: Lobatto IIIA by fixed-point iteration, four stages per instruction; "
      "explicit, order 2s - 2.";
  static constexpr const char* source = "van der Houwen, Sommeijer 1990; Hairer, Wanner 1996, Sec. IV.5";

  int s = 5;

  Options options() {
    return {option("s", s, "stages, the explicit one at the start included: 5 and 9 fill four lanes and eight",
                   between(3, 9))};
  }
  int stages() const { return s; }
};
const MethodEntry<Pirk, IteratedLobatto> pirk_entry;

}  // namespace
}  // namespace daelab
