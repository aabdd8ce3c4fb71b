// Prothero and Robinson's test equation: a smooth solution of arbitrary stiffness, on which one-step methods show the
// order they have on stiff problems.
//
//   y' = L (y - phi(t)) + phi'(t),   y(0) = phi(0),   y = phi.
//
// [PR74] Prothero, Robinson, Mathematics of Computation 28(125), 1974, 145-162.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct ProtheroRobinson {
  static constexpr const char* name = "prothero-robinson";
  static constexpr const char* summary = "y' = L (y - phi) + phi': a smooth solution y = phi(t) of any stiffness.";
  static constexpr const char* source = "Prothero, Robinson 1974";
  static constexpr const char* independent_route = "closed form, y = phi(t)";

  enum class Phi { sin, exp };
  friend std::vector<std::string> names_of(Phi) { return {"sin", "exp"}; }

  Exact rate = -1000000, end_time = 10;
  Phi phi = Phi::sin;

  Options options() {
    return {option("rate", rate, "L [1/s]; stiff where it is far below 0"),
            option("phi", phi, "the solution: sin t or exp(-t)"), option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.states({"y"});
    const bool decays = phi == Phi::exp;
    r.start_s[0] = decays ? 1 : 0;
    const Expression smooth = decays ? exp(-r.t) : sin(r.t), slope = decays ? -smooth : cos(r.t);
    r.rates[0] = rate * (r.s[0] - smooth) + slope;
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    return Motion{{}, {}, Vector<Real50>::Constant(1, phi == Phi::exp ? Real50(exp(-t)) : Real50(sin(t)))};
  }
};
const ProblemEntry<ProtheroRobinson> prothero_robinson_entry;

}  // namespace
}  // namespace daelab
