// What the analysis of start values finds.                                                  [Ren20, algorithm 1]
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098 (a review of integrator
// algorithms for multibody software).
#pragma once

#include <mutex>
#include <vector>

#include "core/base/scalar.hpp"
#include "core/mechanism/level.hpp"

namespace daelab {

/// Which constraints are independent. Rows count from 0 and ascend.
struct Redundancy {
  std::vector<Index> independent_rows, redundant_rows;
  double tolerance = 0;      // pivots below it, relative to the largest, are dropped
  double smallest_kept = 0;  // relative pivots on both sides of the tolerance; 0: there is none
  double largest_dropped = 0;
  Index rank() const { return static_cast<Index>(independent_rows.size()); }
};

/// A row of the constraints that the start values do not satisfy.
struct Violation {
  Level level;  // of G: velocity
  Index row;    // from 0
  double size;
};

/// What the analysis found. Residuals are infinity norms before any projection.
struct StartReport {
  double position_residual = 0;       // |C(q0)|
  double velocity_residual = 0;       // |C_q v0 + C_t|, and |G|
  std::vector<Violation> violations;  // above consistency_tolerance
  Index coordinates = 0, constraints = 0;
  Index rank = 0;  // of C_q(q0), with G_v(q0, v0)
  Redundancy redundancy;
  /// M(q0), as of coordinates with a condition among them, unit complex numbers for instance. Not looked at in large
  /// mechanisms: their multiplier solver does not mind.
  bool singular_mass = false;
  bool projected = false;
  double correction = 0;  // largest change of a component of (q, v) by the projection

  static constexpr double rank_tolerance = 1e-9;
  /// Tolerance of M scaled to a diagonal of ones; round-off leaves some 1e-16 of a pivot that vanishes.
  static constexpr double mass_tolerance = 1e-13;
  /// Published start values carry 9 to 10 digits; anything above this is a mistake.
  static constexpr double consistency_tolerance = 1e-8;
  bool consistent() const {
    return position_residual <= consistency_tolerance && velocity_residual <= consistency_tolerance;
  }
};

/// The start values that were analysed last and what was found: runs that differ in method or tolerance begin alike.
/// Thread-safe.
class LastStart {
 public:
  /// What analyse() finds, which is asked for other values than the last.
  StartReport report(const Vector<double>& q, const Vector<double>& v, double rank_tolerance, auto&& analyse) {
    {
      const std::lock_guard lock(mutex_);
      if (rank_tolerance == rank_tolerance_ && q.size() == q_.size() && q == q_ && v == v_) return report_;
    }
    StartReport found = analyse();
    const std::lock_guard lock(mutex_);
    q_ = q, v_ = v, rank_tolerance_ = rank_tolerance, report_ = found;
    return found;
  }

 private:
  std::mutex mutex_;
  Vector<double> q_, v_;
  double rank_tolerance_ = -1;  // before the first
  StartReport report_;
};

}  // namespace daelab
