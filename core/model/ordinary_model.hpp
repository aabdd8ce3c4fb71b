// Ordinary differential equations, and differential-algebraic ones in explicit form.
//
//   s' = f(t, s) of the differential states,  0 = g(t, s) of the algebraic ones, which are last.
//
// Where g has no algebraic states, as in Hessenberg form of index 2 and 3, its derivatives along s' = f have them; g
// and those before are hidden constraints on the differential states. [HW96, Sec. VII.1]
//
// Linearly implicit ones are M(t, s) s' = f(t, s) with differential states alone; where M is singular their index is 1.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Springer 1996.
#pragma once

#include "core/model/model.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

template <class T>
class OrdinaryModel : public Model<T> {
 public:
  OrdinaryModel<T>* ordinary() final { return this; }

  virtual Index states() const = 0;            // k, with the algebraic ones
  virtual Index algebraic_states() const = 0;  // the last so many have no derivative

  /// Of differentiation: 0 without algebraic states, 1 where g has some in each equation, else more.
  virtual int index() const = 0;
  /// Names of the algebraic equations and how often each is differentiated, for messages.
  virtual std::string algebraic_equations() const = 0;

  /// f of the differential states, then g of the algebraic ones, its equations differentiated up to so many times, each
  /// until it has algebraic states: after index() - 1 times all have. Shape (k).
  virtual void rates(const T& t, const Vector<T>& s, int differentiations, Vector<T>& r) = 0;
  /// Their derivative with respect to s. Shape (k, k).
  virtual void rates_s(const T& t, const Vector<T>& s, int differentiations, Matrix<T>& R_s) = 0;
  /// The same by values on a pattern, which is set here and changes only with the mode of the model.
  virtual void rates_s(const T& t, const Vector<T>& s, int differentiations, SparseMatrix<T>& R_s) = 0;

  /// As recorded.
  void rates(const T& t, const Vector<T>& s, Vector<T>& r) { rates(t, s, 0, r); }
  void rates_s(const T& t, const Vector<T>& s, Matrix<T>& R_s) { rates_s(t, s, 0, R_s); }

  /// M(t, s) s' = f(t, s): rates() is f then. Rows of M without entries are equations without derivatives, 0 = f_i;
  /// where sums of rows of a constant M vanish, each sum is put in the place of one row.
  virtual bool is_linearly_implicit() const = 0;
  virtual const std::vector<int>& constraint_rows() const = 0;
  /// M and (M s')_s, shape (k, k), on patterns as those of rates_s.
  virtual void rates_mass(const T& t, const Vector<T>& s, SparseMatrix<T>& M) = 0;
  virtual void rates_mass_s(const T& t, const Vector<T>& s, const Vector<T>& sdot, SparseMatrix<T>& K) = 0;
  /// W s' = b: M s' = f with 0 = -f_i differentiated; shapes (k, k), (k).
  virtual void implicit_rates(const T& t, const Vector<T>& s, SparseMatrix<T>& W, Vector<T>& b) = 0;

  virtual Index hidden_constraints() const = 0;  // l
  /// "the first derivative of the equation of u", for messages.
  virtual std::string hidden_constraint(Index i) const = 0;
  /// What the differential states satisfy where M is singular, and on index 2 and 3, H (l), and its derivative with
  /// respect to s, H_s (l, k).
  virtual void hidden_constraints(const T& t, const Vector<T>& s, Vector<T>& H, Matrix<T>& H_s) = 0;
};

}  // namespace daelab
