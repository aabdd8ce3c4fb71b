#include "analysis/start_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/rosenbrock_conditions.hpp"
#include "analysis/stability.hpp"
#include "core/base/exact.hpp"

namespace daelab {
namespace {

Property by_factor(const std::string& what, const std::string& name, double factor) {
  constexpr double round_off = 1e-12;
  if (factor < round_off)
    return {false, fmt::format("{}; {} = 0: an error of the start is gone after a step", what, name)};
  if (factor < 1 - round_off)
    return {false,
            fmt::format("{}; {} = {:.4g}: an error of the start decays by that factor a step", what, name, factor)};
  return {true, fmt::format("{}; {} = {:.4g}: an error of the start {}", what, name, factor,
                            factor > 1 + round_off ? "grows" : "stays for ever")};
}

Property of(const Tableau& t) {
  if (t.is_explicit()) return not_applicable("an explicit method takes accelerations at each stage from the equations");
  const Real100 R = stability_function(t).at_infinity();
  const bool takes_slope = t.explicit_first_stage() && t.A.col(0).cwiseAbs().maxCoeff() != 0;
  return by_factor(takes_slope
                       ? "the first stage is explicit: accelerations and multipliers at the start enter the step"
                       : "no stage takes accelerations and multipliers of the start, the step end has "
                         "R(infinity) times them",
                   "|R(infinity)|", std::abs(static_cast<double>(R)));
}

Property of(const RosenbrockTableau& t) {
  return by_factor("stages start from algebraic components of the start", "R(infinity)",
                   std::abs(static_cast<double>(rosenbrock_at_infinity(t, false))));
}

Property of(const OscillatorForm& form, double rho_infinity) {
  if (form.size() < 3) return not_applicable("the method carries no accelerations");
  const double root = std::abs(static_cast<double>(Real100(form.now[0](2, 2) / form.next[0](2, 2))));
  const std::string what = fmt::format(
      "the method carries accelerations: an error of one is multiplied by {:.4g} at omega h = 0, and by rho(infinity) "
      "= {:.4g} at most where a constraint holds it",
      root, rho_infinity);
  return by_factor(what, "the larger one", std::max(root, rho_infinity));
}

}  // namespace

Property sensitive_to_start(const MethodForm& form, const MethodReport& report) {
  if (const auto* tableau = std::get_if<Tableau>(&form)) return of(*tableau);
  if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&form)) return of(*rosenbrock);
  if (const auto* oscillator = std::get_if<OscillatorForm>(&form)) return of(*oscillator, report.rho_infinity);
  return not_applicable("decided of Runge-Kutta and Rosenbrock tableaus and of methods that carry accelerations");
}

}  // namespace daelab
