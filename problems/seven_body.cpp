// The seven-body (Andrews squeezing) mechanism in seven angles with six constraints.
//
//   q = (beta, theta, gamma, phi, delta, Omega, eps) [rad]: crank; rod 2 against the crank; triangle; rod 4 against
//   body 5; body 5; rod 6 against body 7; body 7. C: three loops, the joint E by way of the crank against by way of
//   the triangle, of body 5 and of body 7 [m]; lambda is a force [N].
//
// Kinetic energy, forces and constraints of [TS] in [Ren20].
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, section 8.1.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-13.
#include "problems/seven_body.hpp"

namespace daelab {
namespace {

// The links of the three loops as vectors.
struct Arms {
  using Point = seven_body::Point;
  Point crank, rod, side, rod4, body5, rod6, body7;

  Arms(const seven_body::Data& data, const Expressions& q)
      : crank(turned(q[0], data.rr)),
        rod(turned(q[0] + q[1], data.d)),
        side(quarter_back(turned(q[2], data.ss))),
        rod4(quarter_back(turned(q[3] + q[4], data.e))),
        body5(turned(q[4], data.zt)),
        rod6(turned(q[5] + q[6], data.zf)),
        body7(quarter_back(turned(q[6], data.u))) {}

  static Point turned(const Expression& angle, const Expression& length) {
    return {cos(angle) * length, sin(angle) * length};
  }
  static Point quarter_back(const Point& arm) { return {arm.y, -arm.x}; }
};

struct SevenBody : seven_body::Definition {
  static constexpr const char* name = "seven-body";
  static constexpr const char* summary = "Andrews' squeezing mechanism: seven angles, three closed loops.";
  static constexpr const char* source = seven_body::source;
  static constexpr const char* independent_route = seven_body::route;

  void record(Recording& r) const {
    const seven_body::Data data = values();
    r.coordinates({"beta", "theta", "gamma", "phi", "delta", "Omega", "eps"});
    r.start_q = start_angles();
    record_inertia(r, data);
    record_drive_and_spring(r, data);
    record_loops(r, data);
    const Expression turn = Exact("2 pi");
    r.observe("beta_mod_2pi", r.q[0] - turn * floor(r.q[0] / turn));
  }

  void draw(const Recording& r, Outline& o) const {
    const seven_body::Data data = values();
    const Arms x(data, r.q);
    const OutlinePoint A{data.xa, data.ya}, B{data.xb, data.yb};
    const auto from = [](const OutlinePoint& p, const Arms::Point& arm) -> OutlinePoint {
      return {p.x + arm.x, p.y + arm.y};
    };
    const OutlinePoint F{x.crank.x, x.crank.y}, E{F.x - x.rod.x, F.y - x.rod.y};
    const Expression s = sin(r.q[2]), c = cos(r.q[2]);
    const OutlinePoint D{B.x + c * data.sd + s * data.sc, B.y + s * data.sd - c * data.sc};
    seven_body::draw(data, {OutlinePoint{}, A, B, E, F, from(A, x.body5), from(A, x.body7)}, D, o);
  }

  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    const auto bodies = motion_of_bodies(t, digits);
    if (!bodies) return {};
    return Motion{relative(bodies->q), relative(bodies->v)};
  }

 private:
  // From the angles of the bodies, or from their rates.
  static Vector<Real50> relative(const Vector<Real50>& x) {
    const auto a = [&](Index body) { return x[3 * body - 1]; };
    return Vector<Real50>{{a(1), a(2) - a(1), a(3), a(4) - a(5), a(5), a(6) - a(7), a(7)}};
  }

  // M and the kinetic energy, and the forces that follow from M's dependence on q.
  static void record_inertia(Recording& r, const seven_body::Data& x) {
    const auto &q = r.q, &v = r.v;
    const auto &m = x.m, &I = x.I;
    const Expression g4 = x.e - x.ea, g6 = x.zf - x.fa;
    const Expression S2 = m[1] * x.da * x.rr, S4 = m[3] * x.zt * g4, S6 = m[5] * x.u * g6;
    const Expression J1 = m[0] * x.ra * x.ra + m[1] * (x.rr * x.rr + x.da * x.da) + I[0] + I[1];
    const Expression J2 = m[1] * x.da * x.da + I[1];
    const Expression J3 = m[2] * (x.sa * x.sa + x.sb * x.sb) + I[2];
    const Expression J4 = m[3] * g4 * g4 + I[3];
    const Expression J5 = m[3] * (x.zt * x.zt + g4 * g4) + m[4] * (x.ta * x.ta + x.tb * x.tb) + I[3] + I[4];
    const Expression J6 = m[5] * g6 * g6 + I[5];
    const Expression J7 = m[5] * (g6 * g6 + x.u * x.u) + m[6] * (x.ua * x.ua + x.ub * x.ub) + I[5] + I[6];
    const Expression c2 = cos(q[1]) * S2, s4 = sin(q[3]) * S4, s6 = sin(q[5]) * S6;
    r.mass(0, 0) = J1 - c2 - c2;
    r.mass(0, 1) = r.mass(1, 0) = J2 - c2;
    r.mass(1, 1) = J2;
    r.mass(2, 2) = J3;
    r.mass(3, 3) = J4;
    r.mass(3, 4) = r.mass(4, 3) = J4 + s4;
    r.mass(4, 4) = J5 + s4 + s4;
    r.mass(5, 5) = J6;
    r.mass(5, 6) = r.mass(6, 5) = J6 - s6;
    r.mass(6, 6) = J7 - s6 - s6;
    Expression twice;
    for (const auto& [i, j, entry] : r.mass.entries()) twice += v[i] * v[j] * entry;
    r.kinetic_energy = twice / 2;

    const Expression s2 = sin(q[1]) * S2, c4 = cos(q[3]) * S4, c6 = cos(q[5]) * S6;
    r.force[0] = -(v[1] * (v[1] + v[0] + v[0]) * s2);
    r.force[1] = v[0] * v[0] * s2;
    r.force[3] = v[4] * v[4] * c4;
    r.force[4] = -(v[3] * (v[3] + v[4] + v[4]) * c4);
    r.force[5] = -(v[6] * v[6] * c6);
    r.force[6] = v[5] * (v[5] + v[6] + v[6]) * c6;
  }

  static void record_drive_and_spring(Recording& r, const seven_body::Data& x) {
    // Length of the spring: sqrt(squares + 2 (ahead cos gamma + aside sin gamma)).
    const Expression bx = x.xb - x.xc, by = x.yb - x.yc;
    const Expression squares = bx * bx + by * by + x.sd * x.sd + x.sc * x.sc;
    const Expression ahead = bx * x.sd - by * x.sc, aside = bx * x.sc + by * x.sd;
    const Expression s = sin(r.q[2]), c = cos(r.q[2]);
    const Expression length = sqrt((c * ahead + s * aside) * 2 + squares), extension = length - x.l0;
    r.force[0] += x.mom;
    r.force[2] = extension / length * (s * ahead - c * aside) * x.c0;
    r.potential_energy = extension * extension * (x.c0 / 2) - r.q[0] * x.mom;
  }

  static void record_loops(Recording& r, const seven_body::Data& data) {
    const Arms x(data, r.q);
    const Expression Ex = x.crank.x - x.rod.x, Ey = x.crank.y - x.rod.y;
    r.constraints = {Ex - x.side.x - data.xb,
                     Ey - x.side.y - data.yb,
                     Ex - x.rod4.x - x.body5.x - data.xa,
                     Ey - x.rod4.y - x.body5.y - data.ya,
                     Ex - x.rod6.x - x.body7.x - data.xa,
                     Ey - x.rod6.y - x.body7.y - data.ya};
  }
};
const ProblemEntry<SevenBody> seven_body_entry;

}  // namespace
}  // namespace daelab
