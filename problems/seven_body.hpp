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

#include "core/base/elliptic.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/function.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab::seven_body {

inline constexpr const char* source = "Ren, Zhou 2020, section 8.1; Test Set for IVP Solvers 2.4, II-13";
inline constexpr const char* route =
    "quadrature of dt = sqrt(I/(2 (E - V))) dbeta over the crank angle, joints as intersections of circles";

struct Point {
  Expression x, y;
};

enum Joint { O, A, B, E, F, G, H };  // the first three are on the ground
inline constexpr int joint_count = 7, ground_joint_count = 3, body_count = 7, triangle = 2;

struct Body {
  Expression mass, inertia;   // [kg], about the centre of mass [kg m^2]
  Joint first, second;        // the joints at its ends,
  Point at_first, at_second;  // and where they are, in its frame, from the centre of mass [m]
};

/// Centre of mass [m] and direction of the first axis, (cos, sin) of the body's angle.
struct Pose {
  Point centre, axis;

  Point point(const Point& local) const {
    return {centre.x + axis.x * local.x - axis.y * local.y, centre.y + axis.y * local.x + axis.x * local.y};
  }
};
using Poses = std::array<Pose, body_count>;

/// Table 3 of [Ren20] under its names: lengths [m], masses [kg], inertias [kg m^2], c0 [N/m], mom [N m]; corrected.
struct Data {
  std::array<Exact, body_count> m{"0.04325", "0.00365", "0.02373", "0.00706", "0.07050", "0.00706", "0.05498"};
  std::array<Exact, body_count> I{"2.194e-6", "4.410e-7", "5.255e-6", "5.667e-7", "1.169e-5", "5.667e-7", "1.912e-5"};
  Exact xa = "-0.06934", ya = "-0.00227", xb = "-0.03635", yb = "0.03273", xc = "0.014", yc = "0.072";
  Exact d = "0.028", da = "0.0115", e = "0.02", ea = "0.01421", rr = "0.007", ra = "0.00092";
  Exact ss = "0.035", sa = "0.01874", sb = "0.01043", sc = "0.018", sd = "0.02";
  Exact ta = "0.02308", tb = "0.00916", u = "0.04", ua = "0.01228", ub = "0.00449";
  Exact zf = "0.02", zt = "0.04", fa = "0.01421";
  Exact c0, l0, mom;

  /// Turned by the angles beta, beta + theta, gamma, phi + delta, delta, Omega + eps, eps.
  std::array<Body, body_count> bodies() const {
    return {{{m[0], I[0], O, F, {-ra, 0}, {rr - ra, 0}},
             {m[1], I[1], F, E, {da, 0}, {da - d, 0}},
             {m[2], I[2], B, E, {-sb, sa}, {-sb, sa - ss}},
             {m[3], I[3], G, E, {0, e - ea}, {0, -ea}},
             {m[4], I[4], A, G, {-ta, -tb}, {zt - ta, -tb}},
             {m[5], I[5], H, E, {fa - zf, 0}, {fa, 0}},
             {m[6], I[6], A, H, {ub, ua}, {ub, ua - u}}}};
  }
  Point spring_point() const { return {sd - sb, sa - sc}; }  // D, in the frame of the triangle
  Point ground(Joint joint) const {
    if (joint == A) return {xa, ya};
    if (joint == B) return {xb, yb};
    return {};
  }
};

/// The point at distances a from P and b from Q; side 1: left of the way from P to Q, -1: right of it.
inline Point intersection(const Point& P, const Expression& a, const Point& Q, const Expression& b, int side) {
  const Expression x = Q.x - P.x, y = Q.y - P.y, way = square(x) + square(y);
  const Expression ahead = (way + (square(a) - square(b))) / (2 * way);
  const Expression aside = side * sqrt(square(a) / way - square(ahead));
  return {P.x + x * ahead - y * aside, P.y + y * ahead + x * aside};
}

inline Pose pose(const Body& body, const Point& first, const Point& second) {
  const Expression x = body.at_second.x - body.at_first.x, y = body.at_second.y - body.at_first.y;
  const Expression cx = x / (square(x) + square(y)), cy = y / (square(x) + square(y));
  const Expression dx = second.x - first.x, dy = second.y - first.y;
  const Pose at_first{first, {dx * cx + dy * cy, dy * cx - dx * cy}};
  return {at_first.point({-body.at_first.x, -body.at_first.y}), at_first.axis};
}

/// All bodies at a crank angle. E, G and H never change sides.
inline Poses poses(const Data& data, const Expression& beta) {
  std::array<Point, joint_count> at;
  for (Joint joint : {O, A, B}) at[joint] = data.ground(joint);
  at[F] = {cos(beta) * data.rr, sin(beta) * data.rr};
  at[E] = intersection(at[F], data.d, at[B], data.ss, 1);
  at[G] = intersection(at[E], data.e, at[A], data.zt, -1);
  at[H] = intersection(at[E], data.zf, at[A], data.u, 1);
  Poses result;
  const auto bodies = data.bodies();
  for (int k = 0; k < body_count; ++k) result[k] = pose(bodies[k], at[bodies[k].first], at[bodies[k].second]);
  return result;
}

inline Expression spring_energy(const Data& data, const Pose& triangle_pose) {
  const Point D = triangle_pose.point(data.spring_point());
  const Expression extension = sqrt(square(D.x - data.xc) + square(D.y - data.yc)) - data.l0;
  return data.c0 / 2 * square(extension);
}

/// With the joints at these places, D the spring's point of the triangle: figure 2 of [Ren20].
inline void draw(const Data& data, const std::array<OutlinePoint, joint_count>& at, const OutlinePoint& D, Outline& o) {
  const OutlinePoint C{data.xc, data.yc};
  const std::array<Body, body_count> bodies = data.bodies();
  o.polygon({at[B], at[E], D}, "3");
  for (int k = 0; k < body_count; ++k)
    if (k != triangle) o.line({at[bodies[k].first], at[bodies[k].second]}, std::to_string(k + 1));
  o.spring(C, D, "c_0");
  for (const auto& [joint, letter] : {std::pair(O, "O"), {A, "A"}, {B, "B"}}) o.support(at[joint], letter);
  o.support(C, "C");
  for (const auto& [joint, letter] : {std::pair(E, "E"), {F, "F"}, {G, "G"}, {H, "H"}}) o.joint(at[joint], letter);
  o.joint(D, "D");
  o.dimension(at[A], at[G], "zt", 1);
  o.dimension(at[A], at[H], "u", -1);
  o.dimension(at[B], at[E], "ss", 1);
}

/// What both problems have in common: options, data, start and motion.
struct Definition {
  enum class Source { corrected, printed };
  friend std::vector<std::string> names_of(Source) { return {"corrected", "printed"}; }

  Source data = Source::corrected;
  Exact torque = "0.033", spring_stiffness = 4530, spring_length = "0.07785", end_time = "3/100";

  Options options() {
    return {option("data", data,
                   "corrected; printed: with y_A = -0.00277 and x_B = -0.036335 of the source's table 3, which the "
                   "published start contradicts"),
            option("torque", torque, "mom, drives the crank [N m]"),
            option("spring_stiffness", spring_stiffness, "c0 [N/m]", at_least(0)),
            option("spring_length", spring_length, "l0 of the relaxed spring [m]", positive()),
            option("end_time", end_time, "[s]", positive())};
  }

  Data values() const {
    Data x = corrected_values();
    if (data == Source::printed) x.ya = "-0.00277", x.xb = "-0.036335";
    return x;
  }

  std::vector<ConstantTable> constants() const {
    const Data x = values();
    ConstantTable lengths{"Table 3, parameters",
                          {{"d", x.d, "rod 2, F to E [m]"},
                           {"da", x.da, "F to the centre of mass of rod 2 [m]"},
                           {"e", x.e, "rod 4, G to E [m]"},
                           {"ea", x.ea, "E to the centre of mass of rod 4 [m]"},
                           {"zf", x.zf, "rod 6, H to E [m]"},
                           {"fa", x.fa, "E to the centre of mass of rod 6 [m]"},
                           {"rr", x.rr, "crank 1, O to F [m]"},
                           {"ra", x.ra, "O to the centre of mass of the crank [m]"},
                           {"ss", x.ss, "triangle 3, B to E [m]"},
                           {"sa", x.sa, "B to its centre of mass, along BE [m]"},
                           {"sb", x.sb, "the same, across BE [m]"},
                           {"sc", x.sc, "B to the spring's point D, along BE [m]"},
                           {"sd", x.sd, "the same, across BE [m]"},
                           {"zt", x.zt, "body 5, A to G [m]"},
                           {"ta", x.ta, "A to its centre of mass, along AG [m]"},
                           {"tb", x.tb, "the same, across AG [m]"},
                           {"u", x.u, "body 7, A to H [m]"},
                           {"ua", x.ua, "A to its centre of mass, along AH [m]"},
                           {"ub", x.ub, "the same, across AH [m]"},
                           {"x_A", x.xa, "ground point A [m]"},
                           {"y_A", x.ya, "ground point A [m]"},
                           {"x_B", x.xb, "ground point B [m]"},
                           {"y_B", x.yb, "ground point B [m]"},
                           {"x_C", x.xc, "ground point C of the spring [m]"},
                           {"y_C", x.yc, "ground point C of the spring [m]"},
                           {"c_0", x.c0, "stiffness of the spring [N/m]"},
                           {"l_0", x.l0, "length of the relaxed spring [m]"},
                           {"τ", x.mom, "torque of the drive [N m]"}}};
    ConstantTable inertia{"Table 4, inertia parameters", {}};
    for (std::size_t k = 0; k < body_count; ++k)
      inertia.constants.push_back(
          {"m_" + std::to_string(k + 1), x.m[k], "mass of body " + std::to_string(k + 1) + " [kg]"});
    for (std::size_t k = 0; k < body_count; ++k)
      inertia.constants.push_back(
          {"I_" + std::to_string(k + 1), x.I[k],
           "moment of inertia of body " + std::to_string(k + 1) + " about its centre of mass [kg m^2]"});
    return {lengths, inertia};
  }

  // At the start of [TS], theta = 0: E lies on the line of the crank, a distance d - rr behind O and ss from B. Its 30
  // digits are those of the corrected data, whichever data are used from there.
  Expression start_beta() const {
    const Data x = corrected_values();
    const Expression k = x.d - x.rr, r = sqrt(x.xb * x.xb + x.yb * x.yb);
    return atan2(x.yb, x.xb) - acos((x.ss * x.ss - k * k - r * r) / (2 * k * r));
  }
  Poses start_poses() const { return poses(corrected_values(), start_beta()); }
  // In the angles of the joints, (beta, theta, gamma, phi, delta, Omega, eps).
  Expressions start_angles() const {
    const auto poses = start_poses();
    const auto a = [&](int body) { return atan2(poses[body - 1].axis.y, poses[body - 1].axis.x); };
    return {a(1), 0, a(3), a(4) - a(5), a(5), a(6) - a(7), a(7)};
  }

  // I(beta) beta'^2/2 + V(beta) = V(beta0) with the torque in V, I = sum of m |c'|^2 + J angle'^2 (by beta) over the
  // bodies. Gauss quadrature with 30 nodes on panels of beta; on the first of them beta = beta0 + s^2, because the
  // crank starts from rest. Nothing where it does not keep turning forwards. In the absolute coordinates (x, y, angle).
  std::optional<Motion> motion_of_bodies(const Real50& t, int digits) const;

 private:
  Data corrected_values() const {
    Data x;
    x.c0 = spring_stiffness, x.l0 = spring_length, x.mom = torque;
    return x;
  }
  // Centre and angle of each body after a turn of the crank from its start, then the derivatives of all by the turn.
  Expressions along_the_turn(const Expressions& turn) const {
    const Expression beta = start_beta() + turn[0];
    Expressions places;
    for (const Pose& pose : poses(values(), beta)) {  // all but the crank oscillate by less than half a turn
      const bool is_crank = places.empty();
      places.insert(places.end(), {pose.centre.x, pose.centre.y, is_crank ? beta : atan2(pose.axis.y, pose.axis.x)});
    }
    const Expressions slopes = along(places, turn, Expressions{1});
    places.insert(places.end(), slopes.begin(), slopes.end());
    return places;
  }
  // dt over the turn; NaN where the energy does not reach.
  Expression pace(const Expressions& turn) const {
    const Data data = values();
    const auto bodies = data.bodies();
    const Expressions places = along_the_turn(turn);
    Expression inertia;
    for (std::size_t k = 0; k < body_count; ++k) {
      const Expression* slope = &places[3 * (body_count + k)];
      inertia += bodies[k].mass * (square(slope[0]) + square(slope[1])) + bodies[k].inertia * square(slope[2]);
    }
    const auto spring = [&](const Expression& beta) { return spring_energy(data, poses(data, beta)[triangle]); };
    const Expression start = start_beta();
    return sqrt(inertia / (2 * (spring(start) - spring(start + turn[0]) + data.mom * turn[0])));
  }
};

inline std::optional<Motion> Definition::motion_of_bodies(const Real50& t, int digits) const {
  using T = Real50;
  if (data != Source::corrected || torque.value() <= 0) return {};
  const Function<T> places(1, [&](const Expressions& turn) { return along_the_turn(turn); });
  const Function<T> dt(1, [&](const Expressions& turn) { return Expressions{pace(turn)}; });
  const auto motion = [&](const T& turn, const T& rate) {
    const std::vector<T> all = places({turn});
    const Index n = 3 * body_count;
    return Motion{Vector<T>::Map(all.data(), n), Vector<T>::Map(all.data() + n, n) * rate};
  };
  if (t == 0) return motion(0, 0);
  const T width = T(4) / digits;
  T begin(0), end = sqrt(width), elapsed(0);  // of a panel: in s on the first one, then in the turn
  const auto turn_at = [&](const T& y) { return begin == 0 ? T(y * y) : y; };
  const auto slope = [&](const T& y) { return T((begin == 0 ? T(2 * y) : T(1)) * dt({turn_at(y)})[0]); };
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
  const T turn = turn_at(y);
  return motion(turn, 1 / dt({turn})[0]);
}

}  // namespace daelab::seven_body
