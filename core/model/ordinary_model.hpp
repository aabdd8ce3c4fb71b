// Ordinary differential equations, and differential-algebraic ones of index 1 in explicit form.
//
//   s' = f(t, s) of the differential states,  0 = g(t, s) of the algebraic ones, which are last.
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

  /// f of the differential states, then g of the algebraic ones. Shape (k).
  virtual void rates(const T& t, const Vector<T>& s, Vector<T>& r) = 0;
  /// Their derivative with respect to s. Shape (k, k).
  virtual void rates_s(const T& t, const Vector<T>& s, Matrix<T>& R_s) = 0;
  /// The same by values on a pattern, which is set here and changes only with the mode of the model.
  virtual void rates_s(const T& t, const Vector<T>& s, SparseMatrix<T>& R_s) = 0;
};

}  // namespace daelab
