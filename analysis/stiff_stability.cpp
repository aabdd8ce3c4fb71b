#include "analysis/stiff_stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>

#include "analysis/multistep.hpp"
#include "analysis/roots.hpp"
#include "analysis/stability_polynomial.hpp"

namespace daelab {
namespace {

constexpr int points = 20000;
// Real parts of the locus that are round-off of zero.
constexpr double round_off = 1e-12;

double angle(int i) { return M_PI * i / points; }

// Between grid points beside the one with the smallest real part.
double least_real_part(const MultistepFormula& formula) {
  const auto real = [&formula](double theta) { return root_locus_point(formula, theta).real(); };
  int best = 1;
  for (int i = 2; i <= points; ++i)
    if (real(angle(i)) < real(angle(best))) best = i;
  const int bits = std::numeric_limits<double>::digits / 2;
  const auto minimum =
      boost::math::tools::brent_find_minima(real, angle(best - 1) + 1e-9, angle(std::min(best + 1, points)), bits);
  return std::min(minimum.second, real(angle(best)));
}

// |Im w| where the locus enters and leaves the left half plane, and between.
void find_heights(const MultistepFormula& formula, StiffStability& found) {
  const auto is_left = [&formula](double theta) { return root_locus_point(formula, theta).real() < -round_off; };
  const auto height = [&formula](double theta) { return std::abs(root_locus_point(formula, theta).imag()); };
  found.theta_from = std::numeric_limits<double>::infinity();
  const auto add = [&found](double y) {
    found.theta_from = std::min(found.theta_from, y), found.theta_to = std::max(found.theta_to, y);
  };
  for (int i = 1; i <= points; ++i) {
    if (is_left(angle(i))) add(height(angle(i)));
    if (i < points && is_left(angle(i)) != is_left(angle(i + 1))) add(height(bisect(angle(i), angle(i + 1), is_left)));
  }
  // A locus that leaves the origin to the left: order 3, say, to within round-off of the axis.
  if (found.theta_from < 0.05) found.theta_from = 0;
}

}  // namespace

std::optional<StiffStability> stiff_stability(const MethodForm& form) {
  const auto* multistep = std::get_if<MultistepForm>(&form);
  if (!multistep || multistep->predictor) return {};
  if (const Property property = a_stable(*multistep); property.holds)
    return StiffStability{0, 0, 0, proof_kind(property.proof) + ": A-stable"};
  const StabilityPolynomial pi = stability_polynomial(*multistep);
  if (!zero_stable(*multistep).holds || pi.spectral_radius_at_infinity() > 1 + 1e-10) return {};
  StiffStability found;
  found.D = -least_real_part(multistep->formula);
  if (pi.spectral_radius(-2 * found.D - 1) > 1) return {};
  find_heights(multistep->formula, found);
  found.proof = fmt::format(
      "numerical, to 8 digits: the root locus at {} points and Brent's method; stable at infinity and zero-stable",
      points);
  return found;
}

}  // namespace daelab
