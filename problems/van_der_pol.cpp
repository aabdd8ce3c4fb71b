// Van der Pol's oscillator: slow arcs and fast jumps.
//
//   y1' = y2,  y2' = mu (1 - y1^2) y2 - y1                                 (form "oscillator", mu)
//   y1' = y2,  y2' = ((1 - y1^2) y2 - y1) / eps,  eps = 1 / mu^2            (form "scaled": time in units of mu)
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, Sec. IV.10, eq. (10.1).
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct VanDerPol {
  static constexpr const char* name = "van-der-pol";
  static constexpr const char* summary = "Van der Pol's oscillator, stiff between fast jumps.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-8; Hairer, Wanner 1996, Sec. IV.10";

  enum class Form { oscillator, scaled };
  friend std::vector<std::string> names_of(Form) { return {"oscillator", "scaled"}; }

  Exact mu = 1000, y1 = 2, y2 = 0;
  std::optional<Exact> end_time;
  Form form = Form::oscillator;

  Options options() {
    return {option("mu", mu, "damping; eps = 1/mu^2 in the scaled form", positive()),
            option("form", form, "oscillator, or scaled: time in units of mu"), option("y1", y1, "start"),
            option("y2", y2, "start"),
            option("end_time", end_time, "[s]; null: 2000, in the scaled form 2", positive())};
  }
  void resolve() {
    if (!end_time) end_time = form == Form::scaled ? 2 : 2000;
  }

  void record(Recording& r) const {
    r.states(2, "y");
    r.start_s = {y1, y2};
    const auto& y = r.s;
    const bool scaled = form == Form::scaled;
    const Expression damping = scaled ? square(mu) : mu, stiffness = scaled ? damping : 1;
    r.rates = {y[1], damping * ((1 - y[0] * y[0]) * y[1]) - stiffness * y[0]};
  }
};
const ProblemEntry<VanDerPol> van_der_pol_entry;

}  // namespace
}  // namespace daelab
