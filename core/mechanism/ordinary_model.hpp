// Ordinary differential equations, and differential-algebraic ones in explicit form.
//
//   s' = f(t, s) of the differential states,  0 = g(t, s) of the algebraic ones, which are last.
//
// If g has no algebraic states, as in Hessenberg form of index 2 and 3, its derivatives along s' = f have them; g
// and those before are hidden constraints on the differential states. [HW96, Sec. VII.1]
//
// Linearly implicit ones are M(t, s) s' = f(t, s) with differential states alone; where M is singular their index is 1.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Springer 1996.
#pragma once

#include "core/mechanism/model.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// In its start mode after construction.
template <class T>
class OrdinaryModel final : public Model<T> {
 public:
  /// Throws std::logic_error for a recording with coordinates.
  explicit OrdinaryModel(std::shared_ptr<RecordedProblem> problem);

  OrdinaryModel<T>* ordinary() override { return this; }
  using Model<T>::evaluator;
  using Model<T>::forms;

  Index states() const;            // k, with the algebraic ones
  Index algebraic_states() const;  // the last so many have no derivative
  Index size() const override { return states(); }
  Vector<T> recorded_y() const override;

  /// Index of differentiation: 0 without algebraic states, 1 where g has some in each equation, else more.
  int index() const;
  /// Names of the algebraic equations and how often each is differentiated, for messages.
  std::string algebraic_equations() const;

  /// f of the differential states, then g of the algebraic ones, its equations differentiated up to so many times, each
  /// until it has algebraic states: after index() - 1 times all have. Shape (k).
  void rates(const T& t, const Vector<T>& s, int differentiations, Vector<T>& r);
  /// Their derivative with respect to s. Shape (k, k).
  void rates_s(const T& t, const Vector<T>& s, int differentiations, Matrix<T>& R_s);
  /// Overload by values on a pattern, which is set here and changes only with the mode of the model.
  void rates_s(const T& t, const Vector<T>& s, int differentiations, SparseMatrix<T>& R_s);

  /// As recorded.
  void rates(const T& t, const Vector<T>& s, Vector<T>& r) { rates(t, s, 0, r); }
  void rates_s(const T& t, const Vector<T>& s, Matrix<T>& R_s) { rates_s(t, s, 0, R_s); }

  /// M(t, s) s' = f(t, s): rates() is f then. Rows of M without entries are equations without derivatives, 0 = f_i;
  /// where sums of rows of a constant M vanish, each sum is put in the place of one row.
  bool is_linearly_implicit() const;
  const std::vector<int>& constraint_rows() const;
  /// M and (M s')_s, shape (k, k), on patterns as those of rates_s.
  void rates_mass(const T& t, const Vector<T>& s, SparseMatrix<T>& M);
  void rates_mass_s(const T& t, const Vector<T>& s, const Vector<T>& sdot, SparseMatrix<T>& K);
  /// W s' = b: M s' = f with 0 = -f_i differentiated; shapes (k, k), (k).
  void implicit_rates(const T& t, const Vector<T>& s, SparseMatrix<T>& W, Vector<T>& b);

  Index hidden_constraints() const;  // l
  /// "the first derivative of the equation of u", for messages.
  std::string hidden_constraint(Index i) const;
  /// What the differential states satisfy where M is singular, and on index 2 and 3, H (l), and its derivative with
  /// respect to s, H_s (l, k).
  void hidden_constraints(const T& t, const Vector<T>& s, Vector<T>& H, Matrix<T>& H_s);
};

}  // namespace daelab
