#include "core/base/elliptic.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "core/base/boost_real.hpp"

namespace daelab {

template <class T>
JacobiElliptic<T> jacobi_elliptic(const T& k, const T& u) {
  decltype(to_boost(k)) cn, dn;
  const auto sn = boost::math::jacobi_elliptic(to_boost(k), to_boost(u), &cn, &dn);
  return {from_boost(sn), from_boost(cn), from_boost(dn)};
}

template <class T>
T elliptic_first(const T& k) {
  return from_boost(boost::math::ellint_1(to_boost(k)));
}
template <class T>
T elliptic_first(const T& k, const T& phi) {
  return from_boost(boost::math::ellint_1(to_boost(k), to_boost(phi)));
}
template <class T>
T elliptic_second(const T& k, const T& phi) {
  return from_boost(boost::math::ellint_2(to_boost(k), to_boost(phi)));
}
template <class T>
T elliptic_third(const T& k, const T& n) {
  return from_boost(boost::math::ellint_3(to_boost(k), to_boost(n)));
}
template <class T>
T elliptic_third(const T& k, const T& n, const T& phi) {
  return from_boost(boost::math::ellint_3(to_boost(k), to_boost(n), to_boost(phi)));
}

Real50 gauss_30(const std::function<Real50(const Real50&)>& f, const Real50& from, const Real50& to) {
  const auto integrand = [&](const BoostReal<50>& x) { return to_boost(f(from_boost(x))); };
  return from_boost(
      boost::math::quadrature::gauss<BoostReal<50>, 30>::integrate(integrand, to_boost(from), to_boost(to)));
}

// What the problems use.
template JacobiElliptic<Real50> jacobi_elliptic(const Real50&, const Real50&);
template JacobiElliptic<Real100> jacobi_elliptic(const Real100&, const Real100&);
template Real50 elliptic_first(const Real50&);
template Real50 elliptic_first(const Real50&, const Real50&);
template Real100 elliptic_first(const Real100&);
template double elliptic_second(const double&, const double&);
template Real50 elliptic_second(const Real50&, const Real50&);
template Real100 elliptic_third(const Real100&, const Real100&);
template Real100 elliptic_third(const Real100&, const Real100&, const Real100&);

}  // namespace daelab
