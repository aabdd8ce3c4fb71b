// Andrews' squeezing mechanism as seven bodies and the joints between them: data, geometry, and the motion of its one
// degree of freedom; shared by the two sets of coordinates in which it is a problem.
//
// Crank 1 turns about O and drives, by rod 2, the joint E of triangle 3 (about B) and of the rods 4 and 6, whose
// other ends G and H are led by the bodies 5 and 7 about A:  O-1-F, F-2-E, B-3-E, G-4-E, A-5-G, H-6-E, A-7-H.
// A spring joins the ground point C to the point D of the triangle; a constant torque drives the crank. No gravity.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, section 8.1.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-13.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/elliptic.hpp"
#include "core/problem.hpp"

namespace daelab::seven_body {

inline constexpr const char* source = "Ren, Zhou 2020, section 8.1; Test Set for IVP Solvers 2.4, II-13";
inline constexpr const char* route =
    "quadrature of dt = sqrt(I/(2 (E - V))) dbeta over the crank angle, joints as intersections of circles";

template <class S>
struct Point {
  S x, y;
};

enum Joint { O, A, B, E, F, G, H };  // the first three are on the ground
inline constexpr int joint_count = 7, ground_joint_count = 3, body_count = 7, triangle = 2;

template <class T>
struct Body {
  T mass, inertia;                // [kg], about the centre of mass [kg m^2]
  Joint first, second;            // the joints at its ends,
  Point<T> at_first, at_second;   // and where they are, in its frame, from the centre of mass [m]
};

/// Centre of mass [m] and direction of the first axis, (cos, sin) of the body's angle.
template <class S>
struct Pose {
  Point<S> centre, axis;

  template <class T>
  Point<S> point(const Point<T>& local) const {
    return {centre.x + axis.x * local.x - axis.y * local.y, centre.y + axis.y * local.x + axis.x * local.y};
  }
};
template <class S>
using Poses = std::array<Pose<S>, body_count>;

/// Table 3 of [Ren20] under its names: lengths [m], masses [kg], inertias [kg m^2], c0 [N/m], mom [N m].
template <class T>
struct Data {
  std::array<T, body_count> m, I;
  T xa, ya, xb, yb, xc, yc, d, da, e, ea, rr, ra, ss, sa, sb, sc, sd, ta, tb, u, ua, ub, zf, zt, fa;
  T c0, l0, mom;

  /// Turned by the angles beta, beta + theta, gamma, phi + delta, delta, Omega + eps, eps.
  std::array<Body<T>, body_count> bodies() const {
    const T o(0);
    return {{{m[0], I[0], O, F, {-ra, o}, {rr - ra, o}},
             {m[1], I[1], F, E, {da, o}, {da - d, o}},
             {m[2], I[2], B, E, {-sb, sa}, {-sb, sa - ss}},
             {m[3], I[3], G, E, {o, e - ea}, {o, -ea}},
             {m[4], I[4], A, G, {-ta, -tb}, {zt - ta, -tb}},
             {m[5], I[5], H, E, {fa - zf, o}, {fa, o}},
             {m[6], I[6], A, H, {ub, ua}, {ub, ua - u}}}};
  }
  Point<T> spring_point() const { return {sd - sb, sa - sc}; }  // D, in the frame of the triangle
  Point<T> ground(Joint joint) const {
    if (joint == A) return {xa, ya};
    if (joint == B) return {xb, yb};
    return {T(0), T(0)};
  }
};

/// The point at distances a from P and b from Q; side 1: left of the way from P to Q, -1: right of it.
template <class S, class T>
Point<S> intersection(const Point<S>& P, const T& a, const Point<S>& Q, const T& b, int side) {
  using std::sqrt;
  const S x = Q.x - P.x, y = Q.y - P.y, square = x * x + y * y;
  const S along = (square + S(T(a * a - b * b))) / (square * T(2));
  const S across = sqrt(S(S(T(a * a)) / square - along * along)) * T(side);
  return {P.x + x * along - y * across, P.y + y * along + x * across};
}

template <class S, class T>
Pose<S> pose(const Body<T>& body, const Point<S>& first, const Point<S>& second) {
  const T x = body.at_second.x - body.at_first.x, y = body.at_second.y - body.at_first.y;
  const T cx = x / (x * x + y * y), cy = y / (x * x + y * y);
  const S dx = second.x - first.x, dy = second.y - first.y;
  const Pose<S> at_first{first, {dx * cx + dy * cy, dy * cx - dx * cy}};
  return {at_first.point(Point<T>{-body.at_first.x, -body.at_first.y}), at_first.axis};
}

/// All bodies at a crank angle; S is T or a dual number over it. E, G and H never change sides.
template <class S, class T>
Poses<S> poses(const Data<T>& data, const S& beta) {
  S s, c;
  sincos(beta, s, c);
  std::array<Point<S>, joint_count> at;
  for (Joint joint : {O, A, B}) at[joint] = {S(data.ground(joint).x), S(data.ground(joint).y)};
  at[F] = {c * data.rr, s * data.rr};
  at[E] = intersection(at[F], data.d, at[B], data.ss, 1);
  at[G] = intersection(at[E], data.e, at[A], data.zt, -1);
  at[H] = intersection(at[E], data.zf, at[A], data.u, 1);
  Poses<S> result;
  const auto bodies = data.bodies();
  for (int k = 0; k < body_count; ++k) result[k] = pose(bodies[k], at[bodies[k].first], at[bodies[k].second]);
  return result;
}

template <class S, class T>
S spring_energy(const Data<T>& data, const Pose<S>& triangle_pose) {
  using std::sqrt;
  const Point<S> D = triangle_pose.point(data.spring_point());
  const S x = D.x - S(data.xc), y = D.y - S(data.yc), extension = sqrt(S(x * x + y * y)) - S(data.l0);
  return extension * extension * T(data.c0 / 2);
}

/// The mechanism at a time: the crank angle, its rate, and all poses with their derivatives by it.
struct CrankMotion {
  Real50 beta, rate;
  Poses<Dual<Real50, 1>> poses;

  Real50 angle(int body) const {  // all but the crank oscillate by less than half a turn
    const Point<Dual<Real50, 1>>& axis = poses[body].axis;
    return body == 0 ? beta : Real50(atan2(axis.y.v, axis.x.v));
  }
  Real50 angular_velocity(int body) const {
    const Point<Dual<Real50, 1>>& axis = poses[body].axis;
    return rate * (axis.x.v * axis.y.d[0] - axis.y.v * axis.x.d[0]);
  }
};

/// What both problems have in common: options, data, start and motion.
struct Definition {
  std::string data = "corrected";
  Exact torque = "0.033", spring_stiffness = 4530, spring_length = "0.07785", end_time = "3/100";

  Options options() {
    return {option("data", data,
                   "corrected; printed: with y_A = -0.00277 and x_B = -0.036335 of the source's table 3, which the "
                   "published start contradicts",
                   one_of({"corrected", "printed"})),
            option("torque", torque, "mom, drives the crank [N m]"),
            option("spring_stiffness", spring_stiffness, "c0 [N/m]", at_least(0)),
            option("spring_length", spring_length, "l0 of the relaxed spring [m]", positive()),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  Data<T> values(bool printed) const {
    const auto list = [](const auto&... text) { return std::array{Exact(text).template as<T>()...}; };
    Data<T> x;
    x.m = list("0.04325", "0.00365", "0.02373", "0.00706", "0.07050", "0.00706", "0.05498");
    x.I = list("2.194e-6", "4.410e-7", "5.255e-6", "5.667e-7", "1.169e-5", "5.667e-7", "1.912e-5");
    const auto set = [](T& member, const char* text) { member = Exact(text).as<T>(); };
    set(x.xa, "-0.06934"), set(x.ya, printed ? "-0.00277" : "-0.00227");
    set(x.xb, printed ? "-0.036335" : "-0.03635"), set(x.yb, "0.03273");
    set(x.xc, "0.014"), set(x.yc, "0.072");
    set(x.d, "0.028"), set(x.da, "0.0115"), set(x.e, "0.02"), set(x.ea, "0.01421");
    set(x.rr, "0.007"), set(x.ra, "0.00092");
    set(x.ss, "0.035"), set(x.sa, "0.01874"), set(x.sb, "0.01043"), set(x.sc, "0.018"), set(x.sd, "0.02");
    set(x.ta, "0.02308"), set(x.tb, "0.00916"), set(x.u, "0.04"), set(x.ua, "0.01228"), set(x.ub, "0.00449");
    set(x.zf, "0.02"), set(x.zt, "0.04"), set(x.fa, "0.01421");
    x.c0 = spring_stiffness.as<T>(), x.l0 = spring_length.as<T>(), x.mom = torque.as<T>();
    return x;
  }
  template <class T>
  Data<T> values() const {
    return values<T>(data == "printed");
  }

  // At the start of [TS], theta = 0: E lies on the line of the crank, a distance d - rr behind O and ss from B. Its 30
  // digits are those of the corrected data, whichever data are used from there.
  Real100 start_beta() const {
    const Data<Real100> x = values<Real100>(false);
    const Real100 k = x.d - x.rr, r = sqrt(x.xb * x.xb + x.yb * x.yb);
    return atan2(x.yb, x.xb) - acos(Real100((x.ss * x.ss - k * k - r * r) / (2 * k * r)));
  }
  Poses<Real100> start_poses() const { return poses(values<Real100>(false), start_beta()); }

  // I(beta) beta'^2/2 + V(beta) = V(beta0) with the torque in V, I = sum of m |c'|^2 + J angle'^2 (by beta) over the
  // bodies. Gauss quadrature with 30 nodes on panels of beta; on the first of them beta = beta0 + s^2, because the
  // crank starts from rest. Nothing where it does not keep turning forwards.
  std::optional<CrankMotion> crank_motion(const Real50& t, int digits) const;
};

inline std::optional<CrankMotion> Definition::crank_motion(const Real50& t, int digits) const {
  using T = Real50;
  using Slope = Dual<T, 1>;
  if (data != "corrected" || torque.value() <= 0) return {};
  const Data<T> x = values<T>();
  const auto bodies = x.bodies();
  const T beta0 = static_cast<T>(start_beta());
  const auto at = [&](const T& beta) {
    Slope angle(beta);
    angle.d[0] = T(1);
    return poses(x, angle);
  };
  const T start_energy = spring_energy(x, at(beta0)[triangle]).v;
  if (t == 0) return CrankMotion{beta0, T(0), at(beta0)};
  const auto pace = [&](const T& beta) {  // dt/dbeta
    const Poses<Slope> all = at(beta);
    T inertia(0);
    for (int k = 0; k < body_count; ++k) {
      const Pose<Slope>& p = all[k];
      const T turn = p.axis.x.v * p.axis.y.d[0] - p.axis.y.v * p.axis.x.d[0];
      inertia += bodies[k].mass * (p.centre.x.d[0] * p.centre.x.d[0] + p.centre.y.d[0] * p.centre.y.d[0]) +
                 bodies[k].inertia * turn * turn;
    }
    const T work = start_energy - spring_energy(x, all[triangle]).v + x.mom * (beta - beta0);
    return T(sqrt(inertia / (2 * work)));  // NaN where the energy does not reach
  };
  const T width = T(4) / digits;
  T begin(0), end = sqrt(width), elapsed(0);  // of a panel: in s on the first one, then in beta - beta0
  const auto beta_at = [&](const T& y) { return T(beta0 + (begin == 0 ? T(y * y) : y)); };
  const auto slope = [&](const T& y) { return T(begin == 0 ? T(2 * y * pace(beta_at(y))) : pace(beta_at(y))); };
  const auto duration = [&](const T& y) { return gauss_30(slope, begin, y); };
  T whole = duration(end);
  for (; elapsed + whole < t; whole = duration(end)) {
    elapsed += whole;
    begin = begin == 0 ? width : end;
    end = begin + width;
  }
  if (!(whole > 0)) return {};
  T y = begin + (end - begin) * (t - elapsed) / whole, change(1);
  for (int i = 0; i < 12 && abs(change) > 100 * epsilon<T>(); ++i) {  // Newton
    change = (elapsed + duration(y) - t) / slope(y);
    y -= change;
  }
  const T beta = beta_at(y);
  return CrankMotion{beta, 1 / pace(beta), at(beta)};
}

}  // namespace daelab::seven_body
