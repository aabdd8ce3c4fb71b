#include "core/integration/rosenbrock_tableau.hpp"

namespace daelab {

// Coefficients carry about 100 digits, rounded ones their own.
Real100 RosenbrockTableau::size_of_zero() const {
  return digits == 0 ? Real100("1e-60") : Real100(static_cast<int>(stages()) * pow(Real100(10), 2 - digits));
}

bool RosenbrockTableau::stiffly_accurate() const {
  const Matrix<Real100> B = beta();
  for (Index j = 0; j < stages(); ++j)
    if (abs(B(stages() - 1, j) - b[j]) > size_of_zero()) return false;
  return true;
}

Tableau RosenbrockTableau::on_linear_equations() const {
  Tableau t;
  t.name = name, t.source = source;
  t.A = beta(), t.b = b, t.b_embedded = b_embedded;
  t.c = t.A.rowwise().sum();
  t.digits = digits;
  t.A_error = Matrix<Real100>::Zero(stages(), stages());
  t.b_error = Vector<Real100>::Zero(stages()), t.c_error = t.b_error;
  if (digits > 0) {
    const Real100 unit = pow(Real100(10), 1 - digits);
    t.A_error = unit * t.A.cwiseAbs(), t.b_error = unit * t.b.cwiseAbs(), t.c_error = t.A_error.rowwise().sum();
  }
  if (b_embedded.size() > 0) t.b_embedded_error = t.b_error;
  return t;
}

}  // namespace daelab
