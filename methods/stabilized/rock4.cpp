// ROCK4 after Abdulle: order 4, for stiffness along the negative real axis.
//
// [Ab02] Abdulle, Fourth order Chebyshev methods with recurrence relation, SIAM J. Sci. Comput. 23(6), 2002, 2041-2054.
#include "methods/stabilized/rock4_stepper.hpp"

namespace daelab {
namespace {

struct Rock4Options {
  static constexpr const char* name = "rock4";
  static constexpr const char* summary =
      "Orthogonal Runge-Kutta-Chebyshev of order 4: explicit, stable on a negative real interval of length 0.35 s^2.";
  static constexpr const char* source =
      "Abdulle 2002 (SIAM J. Sci. Comput. 23, 2041); coefficients computed here, the finishing method is our own";

  StabilizedSettings stages{{}, {}, rock4_most_stages};

  Options options() { return stages.options(rock4_least_stages, rock4_most_stages, rock4_most_stages); }
  StabilizedSettings settings() const { return stages; }
};
const MethodEntry<Rock4Options, Rock4> rock4_entry;

}  // namespace
}  // namespace daelab
