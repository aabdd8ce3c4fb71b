// Consistent start: every run begins with the same analysis of (q0, v0).                     [Ren20, algorithm 1]
// t0 is the model's start time.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098 (a review of integrator
// algorithms for multibody software).
#pragma once

#include <string>
#include <vector>

#include "core/base/status.hpp"
#include "core/mechanism/dense_limits.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/mechanism/start_report.hpp"

namespace daelab {

/// Independent rows of C_q(t0, q) and G_v(t0, q, v): LU with full pivoting in double, rows scaled to a largest entry of
/// one (rows that vanish beside the largest one count as zero). Of large mechanisms by sparse QR, whose pivots are
/// distances from the span of the rows taken before.
template <class T>
Redundancy analyse_redundancy(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v,
                              double tolerance = StartReport::rank_tolerance);

/// Values in double that were the last to be analysed for this problem are not analysed again.
template <class T>
StartReport analyse_start(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v,
                          double rank_tolerance = StartReport::rank_tolerance);

/// For the start values of a model; an ordinary one has nothing that could be inconsistent.
template <class T>
StartReport analyse_start(Model<T>& model) {
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr) return {};
  return analyse_start(*mechanism, mechanism->initial_q(), mechanism->initial_v());
}

/// The multiplier solver for a model with these constraints: schur-cholesky when they are independent, else
/// complete-orthogonal. Both need the inverse of M: where that is singular, kkt-lu, which takes independent ones only.
/// Independent ones of large mechanisms: sparse-lu.
std::string fitting_multiplier_solver(const StartReport& report);
/// Every name it may give: what the core makes where it is given a problem, which keys of runs know.
std::vector<std::string> fitting_multiplier_solvers();

/// (a, lambda) of one state by the fitting multiplier solver.                                  [Ren20, eq. (10)]
template <class T>
Status solve_accelerations(MechanicalModel<T>& model, const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                           Vector<T>& lambda);

/// Diagonals of W^q and W^v, above 0: how much each start value is trusted. Empty: all alike.
template <class T>
struct StartWeights {
  Vector<T> q, v;  // (n)
  /// For a value known accurately among uncertain ones with weight 1.
  static constexpr int trusted = 1000000;
};

/// Position and velocity analysis: the q with C(t0, q) = 0 that minimises (q - q0)^T W^q (q - q0), then the v with
/// C_q v + C_t = 0 and G = 0 that minimises (v - v0)^T W^v (v - v0). Redundant constraints are allowed. Returns
/// inconsistent when the constraints contradict each other, singular when no direction leads to C = 0, newton_diverged
/// or non_finite, not_applicable for more than most_dense_unknowns coordinates and constraints, each with the cause; q
/// and v are unspecified then.                                                              [Ren20, eqs. (6) to (9)]
template <class T>
Status project_start(MechanicalModel<T>& model, Vector<T>& q, Vector<T>& v, const StartWeights<T>& weights = {});
/// Projects at time t.
template <class T>
Status project_positions_and_velocities(MechanicalModel<T>& model, const T& t, Vector<T>& q, Vector<T>& v,
                                        const StartWeights<T>& weights = {});

/// Whether a consistent start is a singular configuration: nearby configurations have another rank.
struct SingularityReport {
  double perturbation = 0;   // of q_i, relative to 1 + |q_i|; the random numbers are the same in every call
  Index perturbed_rank = 0;  // at the perturbed point, as it is
  /// At the perturbed point moved onto C = 0. Constraints that are redundant everywhere may be independent off
  /// C = 0; only this rank tells them from a singular configuration.
  Index nearby_rank = 0;
  bool is_singular = false;
  int configurations = 0;  // nearby ones that were solved for accelerations, where the start is singular
  double spread = 0;       // largest difference of their accelerations, relative to the largest acceleration
  bool agree = false;      // all could be solved, and the spread is explained by the perturbation
};
template <class T>
SingularityReport analyse_singularity(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v,
                                      double rank_tolerance = StartReport::rank_tolerance);

}  // namespace daelab
