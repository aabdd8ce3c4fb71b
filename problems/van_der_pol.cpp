// Van der Pol's oscillator: slow arcs and fast jumps.
//
//   y1' = y2,  y2' = mu (1 - y1^2) y2 - y1                                 (form "oscillator", mu)
//   y1' = y2,  y2' = ((1 - y1^2) y2 - y1) / eps,  eps = 1 / mu^2            (form "scaled": time in units of mu)
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, Sec. IV.10, eq. (10.1).
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct VanDerPolModel {
  static constexpr int directions = 2;
  T damping, stiffness;  // of (1 - y1^2) y2 and of y1
  Vector<T> start;

  Index states() const { return 2; }
  Vector<T> initial_s() const { return start; }

  template <class S>
  void rates(const S& /*t*/, const Vector<S>& y, Vector<S>& r) const {
    r[0] = y[1];
    r[1] = damping * ((S(T(1)) - y[0] * y[0]) * y[1]) - stiffness * y[0];
  }
};

struct VanDerPol {
  static constexpr const char* name = "van-der-pol";
  static constexpr const char* summary = "Van der Pol's oscillator, stiff between fast jumps.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-8; Hairer, Wanner 1996, Sec. IV.10";

  Exact mu = 1000, y1 = 2, y2 = 0;
  std::optional<Exact> end_time;
  std::string form = "oscillator";

  Options options() {
    return {option("mu", mu, "damping; eps = 1/mu^2 in the scaled form", positive()),
            option("form", form, "oscillator, or scaled: time in units of mu",
                   one_of({"oscillator", "scaled"})),
            option("y1", y1, "start"),
            option("y2", y2, "start"),
            option("end_time", end_time, "[s]; null: 2000, in the scaled form 2", positive())};
  }
  void resolve() {
    if (!end_time) end_time = form == "scaled" ? 2 : 2000;
  }

  template <class T>
  VanDerPolModel<T> model() const {
    const bool scaled = form == "scaled";
    const T m = mu.as<T>(), square = m * m;
    return {scaled ? square : m, scaled ? square : T(1), Vector<T>{{y1.as<T>(), y2.as<T>()}}};
  }
};
const ProblemEntry<VanDerPol> van_der_pol_entry;

}  // namespace
}  // namespace daelab
