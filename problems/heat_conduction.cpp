// A rod of temperature 1 whose ends are put into ice, on n inner points: the standard problem of stabilised explicit
// methods. The spectrum is real, from -pi^2 to -4 (n + 1)^2.
//
//   y_i' = (n + 1)^2 (y_(i-1) - 2 y_i + y_(i+1)),  y_0 = y_(n+1) = 0,  y_i(0) = 1,
//   y = S exp(-diag(r) t) S y(0),  S_jk = sqrt(2/(n + 1)) sin(j k pi/(n + 1)),
//   r_k = 4 (n + 1)^2 sin^2(k pi/(2 (n + 1))).
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.2.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct HeatConduction {
  static constexpr const char* name = "heat-conduction";
  static constexpr const char* summary = "Heat conduction in a rod: linear, stiff along the negative real axis.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.2 (methods for such spectra); lines in space";
  static constexpr const char* independent_route = "closed form: sine modes that decay each for itself";

  int size = 20;
  Exact end_time = "1/5";

  Options options() {
    return {option("size", size, "n, inner points", between(2, 1000)), option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.states(size, "y");
    const auto& y = r.s;
    for (int i = 0; i < size; ++i) {
      r.start_s[i] = 1;
      Expression flow = -2 * y[i];
      if (i > 0) flow += y[i - 1];
      if (i + 1 < size) flow += y[i + 1];
      r.rates[i] = flow * ((size + 1) * (size + 1));
    }
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const int N = size + 1;
    const Real50 angle = pi<Real50>() / N;
    Vector<Real50> sine(2 * N);  // of multiples of pi/N: one period
    for (Index i = 0; i < sine.size(); ++i) sine[i] = sin(Real50(i * angle));
    Vector<Real50> y = Vector<Real50>::Zero(size);
    for (Index k = 1; k < N; ++k) {
      Real50 amplitude(0);
      for (Index j = 1; j < N; ++j) amplitude += sine[j * k % sine.size()];
      const Real50 half = sin(Real50(k * angle / 2));
      amplitude *= Real50(2) / N * exp(Real50(-4 * N * N * half * half * t));
      for (Index j = 1; j < N; ++j) y[j - 1] += amplitude * sine[j * k % sine.size()];
    }
    return Motion{{}, {}, y};
  }
};
const ProblemEntry<HeatConduction> heat_conduction_entry;

}  // namespace
}  // namespace daelab
