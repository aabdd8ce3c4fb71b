// The equations of an implicit step from g_n over h whose unknown is the mean velocity D,
//
//   g_(n+1) = g_n exp(h D),   w = D + B(g_n)^T eta,   v_(n+1) = c w + r,   v'_(n+1) = (d/h) w + s,
//   M v' + B^T lambda = Q,   C = 0,   and of the stabilised form of index 2 also B v + C_t = 0, all at n + 1;
//
// eta = 0 in the form of index 3. c, d, r and s are those of a method: generalized-alpha [ABC15], BDF [WA21].
//
// [ABC15] Arnold, Brüls, Cardona, Numerische Mathematik 129(1), 2015, 149-179, doi 10.1007/s00211-014-0633-1.
// [WA21] Wieloch, Arnold, Journal of Computational and Applied Mathematics 387, 2021, 112517.
#pragma once

#include "core/integration/method.hpp"
#include "core/solvers/linear_solver.hpp"
#include "methods/lie_group/left_model.hpp"

namespace daelab {

/// What a step satisfies at its end.
enum class EndConstraints { positions, both };
std::vector<std::string> names_of(EndConstraints);

/// Of v_(n+1) and v'_(n+1) in w.
template <class T>
struct DisplacementRelation {
  T c{1}, d{1};
  Vector<T> r, s;  // (n)
};

/// Newton's method with one Jacobian a step, or, with `full`, one an iteration, by dense matrices. Sizes of corrections
/// are those of positions, h D, relative to 1 + |q|; the default tolerance is round-off.
template <class T>
class DisplacementStep final : private NewtonTarget<T> {
 public:
  DisplacementStep(MechanicalModel<T>& model, LeftModel<T>& left, EndConstraints constraints,
                   const NewtonOptions& newton);

  DisplacementRelation<T> relation;  // set before a step
  Vector<T> D;                       // (n): the first guess, then the solution
  Vector<T> lambda;                  // (m): the same
  /// From g0 at time t, during a visit. B(g0) is evaluated here.
  void begin(const T& t, const T& h, const Configuration<T>& g0, Statistics& statistics);
  Status solve();
  // At the end of a solved step.
  const Configuration<T>& end() const { return end_; }
  const Vector<T>& w() const { return w_; }
  const Vector<T>& v() const { return v_; }
  const Vector<T>& a() const { return a_; }

 private:
  Status evaluate() override;
  Status linearize() override;
  void correct(const T& relaxation) override;
  T residual_size() override { return max_norm(R_); }
  T correction_size() override;
  bool stabilized() const { return eta_.size() > 0; }
  void place();

  MechanicalModel<T>& model_;
  LeftModel<T>& left_;
  NewtonSettings<T> settings_;
  Index n_, m_;
  const Configuration<T>* start_ = nullptr;
  Statistics* statistics_ = nullptr;
  T t_{0}, h_{0};          // of the step end
  Matrix<T> B0_, A_, AT_;  // (m, n), and (n, n): what multiplies B0^T eta, and T(h D)
  MechanicalBlocks<T> blocks_;
  DenseLu<T> lu_;
  Configuration<T> end_;
  Vector<T> eta_, w_, v_, a_, hD_, motion_row_, row_, R_;
};

/// Throws NotApplicable where a method of the family cannot treat a mechanism: on forms other than index 3, with
/// nonholonomic or dependent constraints, or too large for dense matrices.
template <class T>
void require_group_step(System<T>& system, MechanicalModel<T>& model);

}  // namespace daelab
