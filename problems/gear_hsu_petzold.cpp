// Gear, Hsu and Petzold's linear problem with coefficients that depend on time, on which implicit methods diverge
// although its solution is smooth.
//
//   x1' + eta t x2' + (1 + eta) x2 = 0,  x1 + eta t x2 = e^(-t):   x1 = (1 - eta t) e^(-t),  x2 = e^(-t)
//
// Its index is 2. One equation has the derivatives of both unknowns. form = proper has the state u = x1 + eta t
// x2, as Maerz's theory of properly stated leading terms asks for: u' = -x2, 0 = u - e^(-t), x1 is an observable, and
// methods converge. form = original has w = x2' as a third unknown: x1' = -eta t w - (1 + eta) x2, x2' = w; that raises
// the index to 3, and methods give the same x1, x2 as on the equations above: from step to step the backward Euler
// method multiplies errors of x2 by eta/(1 + eta), so it diverges for eta < -1/2.
//
// [GHP81] Gear, Hsu, Petzold, Differential-algebraic equations revisited, Oberwolfach, 1981; Brenan, Campbell, Petzold,
// Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations, SIAM, 1996, section 3.1.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct GearHsuPetzold {
  static constexpr const char* name = "gear-hsu-petzold";
  static constexpr const char* summary = "A linear problem that varies in time, on which implicit methods may diverge.";
  static constexpr const char* source = "Gear, Hsu, Petzold 1981; Brenan, Campbell, Petzold 1996, section 3.1";
  static constexpr const char* independent_route = "closed form, x1 = (1 - eta t) e^(-t), x2 = e^(-t)";

  enum class Form { proper, original };
  friend std::vector<std::string> names_of(Form) { return {"proper", "original"}; }

  Form form = Form::proper;
  Exact eta = "-1/4", end_time = 1;
  Options options() {
    return {option("form", form, "proper: the combination that is differentiated is a state; original: x1 and x2 are"),
            option("eta", eta, "below -1/2 the backward Euler method diverges on the original form; not -1"),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (eta.value() == -1) throw InputError(where + "/eta", "at -1 steps are not determined; allowed: other numbers");
  }

  void record(Recording& r) const {
    r.algebraic_states = 1;
    const Expression n = eta, decay = exp(-r.t);
    if (form == Form::proper) {
      r.states({"u", "x2"});
      r.start_s = {1, 1};
      r.rates = {-r.s[1], r.s[0] - decay};
      r.observe("x1", r.s[0] - n * r.t * r.s[1]);
      return;
    }
    r.states({"x1", "x2", "w"});
    r.start_s = {1, 1, -1};
    const Expression &x1 = r.s[0], &x2 = r.s[1], &w = r.s[2];
    r.rates = {-n * r.t * w - (1 + n) * x2, w, x1 + n * r.t * x2 - decay};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 e = exp(Real50(-t)), n = eta.as<Real50>();
    if (form == Form::proper) return Motion{{}, {}, Vector<Real50>{{e, e}}};
    return Motion{{}, {}, Vector<Real50>{{Real50((1 - n * t) * e), e, Real50(-e)}}};
  }
};
const ProblemEntry<GearHsuPetzold> gear_hsu_petzold_entry;

}  // namespace
}  // namespace daelab
