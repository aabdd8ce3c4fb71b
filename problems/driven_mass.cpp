// Mass on a line whose place is prescribed: the smallest problem with a time-dependent (rheonomic) constraint.
//
//   time = parameter:   q = x [m],       M = m,             C = x - A sin(w t) [m],  lambda = -m x'' [N].
//   time = coordinate:  q = (x, t~),     M = diag(m, 1),    C = x - A sin(w t~), t~(0) = 0, t~'(0) = 1.
//
// The second is the reduction of [Wang], which makes time a coordinate with a mass. It is another problem: the
// constraint force acts on t~ too, t~'' = -C_t lambda, and t~ is not the time. The motion is the free one of a
// particle on the curve C = 0, whose arc length grows at a constant rate.
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations, (2.1').

#include "core/elliptic.hpp"
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct DrivenMassModel {
  static constexpr int directions = 2;
  static constexpr bool constant_mass = true;
  T m, A, w;
  bool time_is_coordinate;

  Index coordinates() const { return time_is_coordinate ? 2 : 1; }
  Index constraints() const { return 1; }
  Vector<T> initial_q() const { return Vector<T>::Zero(coordinates()); }
  Vector<T> initial_v() const {
    Vector<T> v = Vector<T>::Ones(coordinates());
    v[0] = A * w;
    return v;
  }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = S(m);
    if (time_is_coordinate) M(1, 1) = S(T(1));
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& /*Q*/) const {}
  template <class S>
  void constraint(const S& t, const Vector<S>& q, Vector<S>& C) const {
    using std::sin;
    C[0] = q[0] - A * sin(w * (time_is_coordinate ? q[1] : t));
  }
};

struct DrivenMass {
  static constexpr const char* name = "driven-mass";
  static constexpr const char* summary = "Mass at a prescribed place x = A sin(w t): a time-dependent constraint.";
  static constexpr const char* source = "counterexample to Wang, Zhao, Pan, (2.1')";
  static constexpr const char* independent_route =
      "closed form; with time as a coordinate, inversion of the arc length of the curve C = 0 (elliptic integral)";

  Exact mass = 1, amplitude = "1/2", frequency = 2;
  std::string time = "parameter";
  Exact end_time = 1;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("amplitude", amplitude, "A [m]"),
            option("frequency", frequency, "w [rad/s]", positive()),
            option("time", time, "parameter: as it is; coordinate: the second coordinate, as the paper reduces it",
                   one_of({"parameter", "coordinate"})),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  DrivenMassModel<T> model() const {
    return {mass.as<T>(), amplitude.as<T>(), frequency.as<T>(), time == "coordinate"};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const DrivenMassModel<Real50> p = model<Real50>();
    if (!p.time_is_coordinate)
      return Motion{Vector<Real50>{{p.A * sin(p.w * t)}}, Vector<Real50>{{p.A * p.w * cos(p.w * t)}}};
    // ds/dt~ = sqrt(m (A w)^2 cos^2(w t~) + 1) in the metric of M, and ds/dt = its value at t~ = 0, c:
    //   E(w t~ | k) = w t with k^2 = m (A w)^2 / c^2.
    const Real50 slope = p.m * p.A * p.A * p.w * p.w, k = sqrt(slope / (1 + slope));
    Real50 angle = p.w * t;
    const auto rate = [&](const Real50& phi) { return Real50(sqrt(1 - k * k * sin(phi) * sin(phi))); };
    for (int i = 0; i < 12; ++i) angle -= (elliptic_second(k, angle) - p.w * t) / rate(angle);  // Newton
    const Real50 pace = 1 / rate(angle);  // dt~/dt
    return Motion{Vector<Real50>{{p.A * sin(angle), angle / p.w}},
                  Vector<Real50>{{p.A * p.w * cos(angle) * pace, pace}}};
  }
};
const ProblemEntry<DrivenMass> driven_mass_entry;

}  // namespace
}  // namespace daelab
