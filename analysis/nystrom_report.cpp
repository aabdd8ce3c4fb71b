#include "analysis/nystrom_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "methods/nystrom/nystrom_conditions.hpp"

namespace daelab {
namespace {

std::string kind_of_proof(const NystromTableau& t) {
  return t.digits == 0 ? "exact" : fmt::format("numerical, to {} digits", t.digits);
}

void add_order(const NystromTableau& t, const char* what, const NystromDefect& defect, const char* trees,
               MethodReport& report) {
  const int order = order_before(defect, highest_nystrom_order);
  report.of_family.push_back(
      {what, fmt::format("{}{}", defect.order == 0 ? "at least " : "", order),
       fmt::format("{}: {}{}", kind_of_proof(t), trees,
                   defect.order == 0 ? ""
                                     : fmt::format("; of order {}, {} is off by {}", defect.order, defect.condition,
                                                   to_text(defect.residual, 3)))});
}

void add_property(const char* what, const std::string& defect, const std::string& how, MethodReport& report) {
  report.of_family.push_back({what, defect.empty() ? "yes" : "no", defect.empty() ? how : defect});
}

// (q, h v) after a step of q'' = -kappa q / h^2: the trace and the determinant of its matrix.
struct StepMatrix {
  double trace, determinant;
};
StepMatrix step_matrix(const NystromTableau& t, double kappa) {
  const Index s = t.stages();
  Matrix<double> slopes(s, 2);  // h^2 F of q = 1 and of h v = 1
  const Matrix<double> A = t.A_bar.cast<double>();
  const Vector<double> c = t.c.cast<double>(), b = t.b.cast<double>(), b_bar = t.b_bar.cast<double>();
  for (Index i = 0; i < s; ++i)
    for (Index k = 0; k < 2; ++k) {
      double q = k == 0 ? 1 : c[i];
      for (Index j = 0; j < i; ++j) q += A(i, j) * slopes(j, k);
      slopes(i, k) = -kappa * q;
    }
  const double qq = 1 + b_bar.dot(slopes.col(0)), qv = 1 + b_bar.dot(slopes.col(1)), vq = b.dot(slopes.col(0)),
               vv = 1 + b.dot(slopes.col(1));
  return {qq + vv, qq * vv - qv * vq};
}

// Both eigenvalues are at most 1 in size, to round-off.
bool is_bounded(const NystromTableau& t, double frequency) {
  constexpr double slack = 1e-11;
  const StepMatrix x = step_matrix(t, frequency * frequency);
  return x.determinant <= 1 + slack && std::abs(x.trace) <= 1 + x.determinant + slack;
}

bool is_explicit(const NystromTableau& t) {
  for (Index i = 0; i < t.stages(); ++i)
    for (Index j = i; j < t.stages(); ++j)
      if (t.A_bar(i, j) != 0) return false;
  return true;
}

}  // namespace

double oscillator_limit(const NystromTableau& t) {
  if (!is_explicit(t)) return std::numeric_limits<double>::quiet_NaN();
  constexpr double step = 1e-3, far = 100;
  double stable = 0;
  while (stable < far && is_bounded(t, stable + step)) stable += step;
  double unstable = stable + step;
  for (int k = 0; k < 40; ++k) {
    const double middle = (stable + unstable) / 2;
    (is_bounded(t, middle) ? stable : unstable) = middle;
  }
  return stable < step ? 0 : stable;
}

void set_nystrom(const NystromTableau& t, MethodReport& report) {
  const auto defect = [&](bool velocities) { return nystrom_defect(t, highest_nystrom_order, velocities); };
  const NystromDefect plain = defect(false);
  add_order(t, "order", plain, "all trees of q'' = f(t, q)", report);
  report.order = {order_before(plain, highest_nystrom_order), plain.order > 0, report.of_family.back().how};
  if (t.A.size() > 0) add_order(t, "with velocities", defect(true), "all trees of q'' = f(t, q, q')", report);
  if (t.pair)
    add_order(t, "separable", separable_defect(t, highest_nystrom_order), "all trees of q' = f(p), p' = g(q)", report);
  if (t.embedded_order > 0)
    add_order(t, "embedded order",
              nystrom_defect(t, highest_nystrom_order, t.takes_velocities, NystromWeights::embedded),
              t.takes_velocities ? "all trees of q'' = f(t, q, q')" : "all trees of q'' = f(t, q)", report);
  add_property(
      "symplectic", symplectic_defect(t),
      kind_of_proof(t) + (t.pair ? ": on q' = f(p), p' = g(q) with gradients" : ": on q'' = f(q) with a gradient"),
      report);
  add_property("symmetric", symmetry_defect(t), kind_of_proof(t) + ": it is its adjoint", report);
  if (const double limit = oscillator_limit(t); !std::isnan(limit))
    report.of_family.push_back({"oscillator", limit == 0 ? "unbounded" : fmt::format("omega h = {:.6g}", limit),
                                "numerical: steps of q'' + omega^2 q = 0 stay bounded up to there"});
}

}  // namespace daelab
