// A tableau with what the engines derive from it in 100 digits: each once, when it is first asked for, since a run of a
// tenth of a millisecond must not pay for eigenvalues that the run before it has found.
#pragma once

#include "core/base/once.hpp"
#include "core/integration/blind_estimate.hpp"
#include "methods/runge_kutta/implicit_stages.hpp"

namespace daelab {

/// Coefficients in the scalar of a run.
template <class T>
struct RoundedTableau {
  explicit RoundedTableau(const Tableau& tableau);
  Matrix<T> A;           // (s, s)
  Vector<T> b, c;        // (s)
  Vector<T> difference;  // (s) weights minus the embedded ones; empty without these
};

/// Any number of threads may ask.
class PreparedTableau {
 public:
  explicit PreparedTableau(Tableau tableau) : tableau_(std::move(tableau)) {}

  const Tableau& tableau() const { return tableau_; }
  /// The implicit stages; the tableau must have some.
  const Stages& stages() const {
    return stages_.get([this] { return implicit_stages(tableau_); });
  }
  const EstimateSight& sight() const {
    return sight_.get([this] { return estimate_sight(tableau_); });
  }
  const NodeRule& quadrature_error() const {
    return quadrature_error_.get([this] { return error_of_quadrature(tableau_); });
  }
  /// real_stability_limit() of an explicit tableau.
  double stability_limit() const;
  template <class T>
  const RoundedTableau<T>& rounded() const {
    return of(As<T>{}).get([this] { return RoundedTableau<T>(tableau_); });
  }

 private:
  Tableau tableau_;
  Once<Stages> stages_;
  Once<EstimateSight> sight_;
  Once<NodeRule> quadrature_error_;
  Once<double> stability_limit_;
#define DAELAB_DECLARE(T)                 \
  Once<RoundedTableau<T>> rounded_##T##_; \
  const Once<RoundedTableau<T>>& of(As<T>) const { return rounded_##T##_; }
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

}  // namespace daelab
