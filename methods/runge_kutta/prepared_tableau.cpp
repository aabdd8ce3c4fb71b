#include "methods/runge_kutta/prepared_tableau.hpp"

#include "core/integration/stiffness_watch.hpp"

namespace daelab {

template <class T>
RoundedTableau<T>::RoundedTableau(const Tableau& tableau)
    : A(tableau.A.cast<T>()), b(tableau.b.cast<T>()), c(tableau.c.cast<T>()) {
  if (tableau.b_embedded.size() > 0) difference = (tableau.b - tableau.b_embedded).template cast<T>();
}

double PreparedTableau::stability_limit() const {
  return stability_limit_.get([this] {
    const RoundedTableau<double>& coefficients = rounded<double>();
    return real_stability_limit(coefficients.A, coefficients.b);
  });
}

#define DAELAB_INSTANTIATE(T) template struct RoundedTableau<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
