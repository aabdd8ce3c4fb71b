// Dahlquist's test equation y' = lambda y with a complex lambda, as a real system of two:
//
//   y1' = re y1 - im y2,  y2' = im y1 + re y2,   y1 + i y2 = exp(lambda t) (y1(0) + i y2(0)).
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, eq. (IV.2.8).
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct LinearTest {
  static constexpr const char* name = "linear-test";
  static constexpr const char* summary = "Dahlquist's equation y' = lambda y, with real and imaginary part of y.";
  static constexpr const char* source = "Hairer, Wanner 1996, eq. (IV.2.8)";
  static constexpr const char* independent_route = "closed form, y = exp(lambda t)";

  Exact re = -1, im = 1, end_time = 10;

  Options options() {
    return {option("re", re, "real part of lambda [1/s]"), option("im", im, "imaginary part of lambda [1/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.states(2, "y");
    r.start_s = {1, 0};
    const auto& y = r.s;
    r.rates = {re * y[0] - im * y[1], im * y[0] + re * y[1]};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 size = exp(Real50(re.as<Real50>() * t)), angle = im.as<Real50>() * t;
    return Motion{{}, {}, Vector<Real50>{{Real50(size * cos(angle)), Real50(size * sin(angle))}}};
  }
};
const ProblemEntry<LinearTest> linear_test_entry;

}  // namespace
}  // namespace daelab
