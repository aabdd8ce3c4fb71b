// Singular positions on the way: where the constraints become dependent that were independent at the start, and where
// the equations of algebraic states no longer determine them.
//
// There accelerations and multipliers are not determined, branches of the motion cross, and an integrator that steps
// over the position goes on along any of them with status ok. The distance of the most dependent row of C_q (and G_v)
// from the span of the others passes zero there like |t - t*|, so its square is a parabola: seen at both ends and in
// the middle of a step, it shows a zero that no step ends at.
#pragma once

#include <array>

#include "core/integration/integrate.hpp"
#include "core/integration/state.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/mechanism/ordinary_model.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/rank_revealing.hpp"
#include "core/solvers/sparse_rank.hpp"

namespace daelab {

/// One Cholesky decomposition with pivoting of C_q C_q^T, rows scaled by their lengths at the start, at step ends, in
/// double, as far as the rank at the start: constraints that are redundant everywhere say nothing. Step ends are passed
/// over as long as the distance cannot have come down by half, by a forecast from its last three values. Where the
/// distance is below half of its largest value so far, in the middle of the step too; where the parabola comes down to
/// zero, the least distance in the step is looked for, on the cubic Hermite polynomial of q. Below `threshold` of the
/// largest one the position counts as singular.
///
/// Rows of 0 = g(t, s) are those of g_z, z the algebraic states. They may become small without any harm, as where
/// exponential functions fade: there the distance must come down to zero within a step and rise again, or g_z must have
/// turned its sides, as a determinant that changes its sign. Not looked at where there are more than
/// largest_dense_mechanism states.
///
/// The most dependent row of large mechanisms is found by inverse iteration with a sparse factorisation; where they
/// have redundant constraints at the start they are not watched, and a warning says so.
template <class T>
class SingularityWatch final : public Guard<T> {
 public:
  static constexpr double threshold = 1e-3;

  /// Whether there is anything to look at: constraints or algebraic states.
  static bool watches(Model<T>& model);
  /// stop: check() ends the run before the first singular position, with StatusCode::near_singular.
  SingularityWatch(Model<T>& model, bool stop);
  void start(const State<T>& state) override;
  Status check(const State<T>& from, const State<T>& to) override;
  /// "near-singular", with the time and the rows of the first one and how many there were.
  std::optional<Warning> warning() const override;
  long passed() const { return passed_; }
  /// Step ends that were looked at.
  long looks() const { return looks_; }
  /// The distance at a position of a mechanism, in parts of the largest one so far.
  double clearance(const T& t, const Vector<T>& q, const Vector<T>& v) { return distance(t, q, v) / largest_; }
  /// That at the last step end, or at the last one that was not passed over.
  double clearance() const { return before_ / largest_; }

 private:
  void scale_rows(const T& t);
  Index large_rank();
  void interpolate_states(const State<T>& from, const State<T>& to, const T& part);
  void solve_algebraic(const T& t);
  bool turns_its_sides();
  void evaluate_rows(const T& t, const Vector<T>& q, const Vector<T>& v);
  double distance(const T& t, const Vector<T>& q, const Vector<T>& v);
  double distance_within(const State<T>& from, const State<T>& to, double x);
  bool stays_far(const State<T>& from, const State<T>& to);
  void forecast(const State<T>& from, const State<T>& to);
  double least_within(const State<T>& from, const State<T>& to, double after, double& x);
  void describe(double t, double least);
  void form_gram();
  double dense_distance(const T& t, const Vector<T>& q, const Vector<T>& v);
  void find_dependency();
  double sparse_distance(const T& t, const Vector<T>& q, const Vector<T>& v);

  MechanicalModel<T>* const mechanism_;  // one of these is null
  OrdinaryModel<T>* const ordinary_;
  Index columns_, row_count_;  // n, m; the numbers of states and of algebraic ones
  bool stop_;
  Index rank_ = 0;
  double before_ = 0, largest_ = 0;              // at the last step end that was looked at; so far
  std::array<double, 3> times_{}, distances_{};  // of the last step ends that were looked at
  int known_ = 0;                                // as many of these
  T looked_at_{0}, far_until_{0};                // the last one; the distance is above half of before_ up to there
  Vector<T> last_v_;                             // at the last step end: impacts change it
  bool inside_ = false;                          // the last step ended at a singular position
  long passed_ = 0, looks_ = 0;
  std::string first_;    // a sentence on the first one
  Vector<T> q_, v_, C_;  // q_: of an ordinary model all states
  Matrix<T> J_, rates_s_;
  Vector<T> rates_;
  DenseLu<T> algebraic_lu_;
  Vector<double> scale_;        // (m) of rows
  Matrix<double> rows_, gram_;  // (m, n) scaled, (m, m)
  PivotedCholesky<double> factor_;
  Vector<double> unit_, dependency_;               // (m)
  Vector<double> distance_before_, distance_now_;  // (m) of the last row from the span of the others, of g_z
  Index last_row_ = -1;                            // that distance_before_ is of
  bool large_, unwatched_ = false;
  SparseMatrix<T> sparse_J_;  // of large mechanisms
  SparseMatrix<double> scaled_rows_;
  RowDistance row_distance_;
};

}  // namespace daelab
