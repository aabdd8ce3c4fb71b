#include "analysis/estimate_properties.hpp"

#include <fmt/format.h>

#include "core/integration/blind_estimate.hpp"

namespace daelab {
namespace {

std::string proof_for(const Tableau& tableau, const char* statement) {
  return tableau.digits == 0 ? fmt::format("exact: {}", statement)
                             : fmt::format("numerical, to {} digits: {}", tableau.digits, statement);
}

}  // namespace

EstimateProperties estimate_properties(const Tableau& tableau) {
  if (tableau.b_embedded.size() == 0) {
    const Property reason =
        not_applicable(tableau.is_explicit() ? "the tableau has no embedded weights, and so no error estimate"
                                             : "the estimate is the defect at the start of the step, which compares "
                                               "slopes at different times");
    return {reason, reason};
  }
  const auto [time, linear] = estimate_sight(tableau);
  return {{time, proof_for(tableau, time ? "on y' = f(t) both solutions are different quadrature rules"
                                         : "the weights of both solutions have the same sums at each node, so that on "
                                           "y' = f(t) they agree for every f")},
          {linear, proof_for(tableau, linear ? "on y' = J y both solutions differ by a polynomial in hJ that is not 0"
                                             : "(b - b_embedded)^T A^k e = 0 for all k, so that on y' = J y both "
                                               "solutions agree for every J")}};
}

EstimateProperties no_estimate_properties() {
  const Property reason = not_applicable("a property of Runge-Kutta tableaus with embedded weights");
  return {reason, reason};
}

}  // namespace daelab
