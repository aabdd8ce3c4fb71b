#include "core/start/over_determined.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/solvers/rank_revealing.hpp"
#include "core/start/start_analysis.hpp"

namespace daelab {
namespace {

// What no change of the free entries takes away from a residual r of rows J, by its largest entry. Rows are scaled to a
// largest entry of one.
double left_over(Matrix<double> J, const std::vector<Index>& fixed, Vector<double> r) {
  const Vector<double> scale = row_scales(J, StartReport::rank_tolerance);
  J = scale.asDiagonal() * J;
  r.array() *= scale.array();
  for (const Index column : fixed) J.col(column).setZero();
  const Matrix<double> gram = J.lazyProduct(J.transpose());
  PivotedCholesky<double> factor(r.size());
  factor.factorize(gram, {100 * epsilon<double>(), -1});
  Vector<double> mu = Vector<double>::Zero(r.size()), right = r;
  factor.solve(right, mu);
  return max_norm(Vector<double>(r - gram.lazyProduct(mu)));
}

std::string over_determined_text(const std::string& remainder) {
  return fmt::format(
      "the fixed values leave the start over-determined: whatever the others are, {} (allowed {:.0e}); fix fewer",
      remainder, StartReport::consistency_tolerance);
}

}  // namespace

std::string over_determined(MechanicalModel<double>& model, const StartValues& start, const Vector<double>& q0,
                            const Vector<double>& v0, const Vector<double>& q, const Vector<double>& v) {
  const Index n = model.coordinates(), m = model.constraints();
  if (start.fixed.empty() || m == 0) return "";
  Vector<double> kept_q = q, kept_v = v;
  std::vector<Index> fixed_q, fixed_v;
  for (const StateEntry& entry : start.fixed) {
    if (entry.place < n)
      fixed_q.push_back(entry.place), kept_q[entry.place] = q0[entry.place];
    else
      fixed_v.push_back(entry.place - n), kept_v[entry.place - n] = v0[entry.place - n];
  }
  Vector<double> C = Vector<double>::Zero(m), rate = C;
  Matrix<double> J = Matrix<double>::Zero(m, n), C_q = J;
  model.constraint(0, kept_q, C, C_q);
  const double positions = left_over(C_q, fixed_q, C);
  model.constraints_and_jacobian(0, q, kept_v, C, J);
  model.constraint_level(Level::velocity, 0, q, kept_v, Vector<double>(Vector<double>::Zero(n)), rate);
  const double velocities = left_over(J, fixed_v, rate);
  if (std::max(positions, velocities) <= StartReport::consistency_tolerance) return "";
  return over_determined_text(fmt::format("|C| = {:.1e} and |dC/dt| = {:.1e} remain", positions, velocities));
}

std::string over_determined(OrdinaryModel<double>& model, const StartValues& start, const Vector<double>& s0,
                            const Vector<double>& s) {
  const Index l = model.hidden_constraints();
  if (start.fixed.empty() || l == 0) return "";
  Vector<double> kept = s, H = Vector<double>::Zero(l);
  Matrix<double> H_s = Matrix<double>::Zero(l, s.size());
  std::vector<Index> fixed;
  for (const StateEntry& entry : start.fixed) fixed.push_back(entry.place), kept[entry.place] = s0[entry.place];
  model.hidden_constraints(model.initial_t(), kept, H, H_s);
  const double residual = left_over(H_s, fixed, H);
  if (residual <= StartReport::consistency_tolerance) return "";
  return over_determined_text(fmt::format("{:.1e} of the hidden constraints remains", residual));
}

}  // namespace daelab
