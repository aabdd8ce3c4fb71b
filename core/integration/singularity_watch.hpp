// Singular positions on the way: where the constraints become dependent that were independent at the start.
//
// There accelerations and multipliers are not determined, branches of the motion cross, and an integrator that steps
// over the position goes on along any of them with status ok. The distance of the most dependent row of C_q (and G_v)
// from the span of the others passes zero there like |t - t*|, so its square is a parabola: seen at both ends and in
// the middle of a step, it shows a zero that no step ends at.
#pragma once

#include "core/integration/integrate.hpp"
#include "core/model/mechanical_model.hpp"
#include "core/solvers/rank_revealing.hpp"
#include "core/solvers/sparse_rank.hpp"

namespace daelab {

/// One Cholesky decomposition with pivoting of C_q C_q^T, rows scaled by their lengths at the start, at each step end,
/// in double, as far as the rank at the start: constraints that are redundant everywhere say nothing. Where the
/// distance is below half of its largest value so far, in the middle of the step too; where the parabola comes down to
/// zero, the least distance in the step is looked for, on the cubic Hermite polynomial of q. Below `threshold` of the
/// largest one the position counts as singular.
///
/// Of large mechanisms the most dependent row is found by inverse iteration with a sparse factorisation; where they
/// have redundant constraints at the start they are not watched, and a warning says so.
template <class T>
class SingularityWatch final : public Guard<T> {
 public:
  static constexpr double threshold = 1e-3;

  /// stop: check() ends the run before the first singular position, with StatusCode::near_singular.
  SingularityWatch(MechanicalModel<T>& model, bool stop);
  void start(const State<T>& state) override;
  Status check(const State<T>& from, const State<T>& to) override;
  /// "near-singular", with the time and the rows of the first one and how many there were.
  std::optional<Warning> warning() const override;
  long passed() const { return passed_; }

 private:
  double distance(const T& t, const Vector<T>& q, const Vector<T>& v);
  double distance_within(const State<T>& from, const State<T>& to, double x);
  double least_within(const State<T>& from, const State<T>& to, double after, double& x);
  void describe(double t, double least);
  void form_gram();
  double dense_distance(const T& t, const Vector<T>& q, const Vector<T>& v);
  double sparse_distance(const T& t, const Vector<T>& q, const Vector<T>& v);

  MechanicalModel<T>& model_;
  bool stop_;
  Index rank_ = 0;
  double before_ = 0, largest_ = 0;  // at the end of the last step; so far
  bool inside_ = false;              // the last step ended at a singular position
  long passed_ = 0;
  std::string first_;  // a sentence on the first one
  Vector<T> q_, v_, C_;
  Matrix<T> J_;
  Vector<double> scale_;        // (m) of rows
  Matrix<double> rows_, gram_;  // (m, n) scaled, (m, m)
  PivotedCholesky<double> factor_;
  Vector<double> unit_, dependency_;  // (m)
  bool large_, unwatched_ = false;
  SparseData<T> data_;  // of large mechanisms
  SparseMatrix<double> scaled_rows_;
  RowDistance row_distance_;
};

}  // namespace daelab
