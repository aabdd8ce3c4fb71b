// Runge-Kutta-Chebyshev of order 2, for stiffness along the negative real axis: parabolic equations, and constraints in
// penalty form.
//
// [SSV98] Sommeijer, Shampine, Verwer, RKC: an explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88, 1998,
// 315-326.
#include "methods/stabilized/runge_kutta_chebyshev.hpp"

namespace daelab {
namespace {

struct RungeKuttaChebyshevOptions {
  static constexpr const char* name = "rkc";
  static constexpr const char* summary =
      "Runge-Kutta-Chebyshev of order 2: explicit, stable on a negative real interval of length 2/3 s^2.";
  static constexpr const char* source = "Sommeijer, Shampine, Verwer 1998, eqs. (2.1)-(2.10)";

  StabilizedSettings stages{{}, {}, 1000};
  Exact damping = "2/13";

  Options options() {
    std::vector<Option> list = stages.options(2, 200, 10000);
    list.push_back(option("damping", damping, "eps; the stability function stays below 1 - eps/3", between(0, 1)));
    return list;
  }

  RkcSettings settings() const { return {stages, damping}; }
};
const MethodEntry<RungeKuttaChebyshevOptions, RungeKuttaChebyshev> rkc_entry;

}  // namespace
}  // namespace daelab
