// The seven-body (Andrews squeezing) mechanism in seven angles with six constraints.
//
//   q = (beta, theta, gamma, phi, delta, Omega, eps) [rad]: crank; rod 2 against the crank; triangle; rod 4 against
//   body 5; body 5; rod 6 against body 7; body 7. C: three loops, the joint E by way of the crank against by way of
//   the triangle, of body 5 and of body 7 [m]; lambda is a force [N].
//
// Kinetic energy, forces and constraints of [TS] in [Ren20]; sums of its constants are formed once.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, section 8.1.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-13.
#include "problems/seven_body.hpp"

namespace daelab {
namespace {

template <class T>
struct SevenBodyModel {
  static constexpr int directions = 7;
  T xa, ya, xb, yb, rr, d, ss, e, zt, zf, u;   // of the loops
  T J1, J2, J3, J4, J5, J6, J7;                // constant parts of the diagonal of M
  T S2, S4, S6;                                // m2 da rr, m4 zt (e-ea), m6 u (zf-fa)
  T c0, l0, mom;
  T square, along, across;                     // spring: Lsp^2 = square + 2 (along cos q3 + across sin q3)
  Vector<T> start;

  SevenBodyModel(const seven_body::Data<T>& x, Vector<T> q0)
      : xa(x.xa), ya(x.ya), xb(x.xb), yb(x.yb), rr(x.rr), d(x.d), ss(x.ss), e(x.e), zt(x.zt), zf(x.zf), u(x.u),
        c0(x.c0), l0(x.l0), mom(x.mom), start(std::move(q0)) {
    const T g4 = x.e - x.ea, g6 = x.zf - x.fa;
    const auto &m = x.m, &I = x.I;
    S2 = m[1] * x.da * rr, S4 = m[3] * zt * g4, S6 = m[5] * u * g6;
    J1 = m[0] * x.ra * x.ra + m[1] * (rr * rr + x.da * x.da) + I[0] + I[1];
    J2 = m[1] * x.da * x.da + I[1];
    J3 = m[2] * (x.sa * x.sa + x.sb * x.sb) + I[2];
    J4 = m[3] * g4 * g4 + I[3];
    J5 = m[3] * (zt * zt + g4 * g4) + m[4] * (x.ta * x.ta + x.tb * x.tb) + I[3] + I[4];
    J6 = m[5] * g6 * g6 + I[5];
    J7 = m[5] * (g6 * g6 + u * u) + m[6] * (x.ua * x.ua + x.ub * x.ub) + I[5] + I[6];
    const T bx = xb - x.xc, by = yb - x.yc;
    square = bx * bx + by * by + x.sd * x.sd + x.sc * x.sc;
    along = bx * x.sd - by * x.sc, across = bx * x.sc + by * x.sd;
  }

  Index coordinates() const { return 7; }
  Index constraints() const { return 6; }
  Vector<T> initial_q() const { return start; }
  Vector<T> initial_v() const { return Vector<T>::Zero(7); }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& q, Matrix<S>& M) const {
    using std::cos, std::sin;
    const S c2 = cos(q[1]) * S2, s4 = sin(q[3]) * S4, s6 = sin(q[5]) * S6;
    M(0, 0) = S(J1) - c2 - c2;
    M(0, 1) = M(1, 0) = S(J2) - c2;
    M(1, 1) = S(J2);
    M(2, 2) = S(J3);
    M(3, 3) = S(J4);
    M(3, 4) = M(4, 3) = S(J4) + s4;
    M(4, 4) = S(J5) + s4 + s4;
    M(5, 5) = S(J6);
    M(5, 6) = M(6, 5) = S(J6) - s6;
    M(6, 6) = S(J7) - s6 - s6;
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    using std::cos, std::sin;
    const S s2 = sin(q[1]) * S2, c4 = cos(q[3]) * S4, c6 = cos(q[5]) * S6;
    Q[0] = S(mom) - v[1] * (v[1] + v[0] + v[0]) * s2;
    Q[1] = v[0] * v[0] * s2;
    Q[2] = spring(q[2]).force;
    Q[3] = v[4] * v[4] * c4;
    Q[4] = -(v[3] * (v[3] + v[4] + v[4]) * c4);
    Q[5] = -(v[6] * v[6] * c6);
    Q[6] = v[5] * (v[5] + v[6] + v[6]) * c6;
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    S s1, c1, s12, c12, s, c, s_sum, c_sum;
    sincos(q[0], s1, c1);
    sincos(S(q[0] + q[1]), s12, c12);
    const S Ex = c1 * rr - c12 * d, Ey = s1 * rr - s12 * d;
    sincos(q[2], s, c);
    C[0] = Ex - s * ss - S(xb);
    C[1] = Ey + c * ss - S(yb);
    sincos(q[4], s, c);
    sincos(S(q[3] + q[4]), s_sum, c_sum);
    C[2] = Ex - s_sum * e - c * zt - S(xa);
    C[3] = Ey + c_sum * e - s * zt - S(ya);
    sincos(q[6], s, c);
    sincos(S(q[5] + q[6]), s_sum, c_sum);
    C[4] = Ex - c_sum * zf - s * u - S(xa);
    C[5] = Ey - s_sum * zf + c * u - S(ya);
  }

  template <class S>
  void constraint_jacobian(const S& /*t*/, const Vector<S>& q, Vector<S>& C, Matrix<S>& C_q) const {
    const Arms<S> x(*this, q);
    C[0] = x.crank.x - x.rod.x - x.side.x - S(xb);
    C[1] = x.crank.y - x.rod.y - x.side.y - S(yb);
    C[2] = x.crank.x - x.rod.x - x.rod4.x - x.body5.x - S(xa);
    C[3] = x.crank.y - x.rod.y - x.rod4.y - x.body5.y - S(ya);
    C[4] = x.crank.x - x.rod.x - x.rod6.x - x.body7.x - S(xa);
    C[5] = x.crank.y - x.rod.y - x.rod6.y - x.body7.y - S(ya);
    // An arm (x, y) turns by (-y, x).
    for (S& entry : C_q.reshaped()) entry = S();
    for (Index row = 0; row < 6; row += 2) {
      C_q(row, 0) = x.rod.y - x.crank.y, C_q(row + 1, 0) = x.crank.x - x.rod.x;
      C_q(row, 1) = x.rod.y, C_q(row + 1, 1) = -x.rod.x;
    }
    C_q(0, 2) = x.side.y, C_q(1, 2) = -x.side.x;
    C_q(2, 3) = x.rod4.y, C_q(3, 3) = -x.rod4.x;
    C_q(2, 4) = x.rod4.y + x.body5.y, C_q(3, 4) = -x.rod4.x - x.body5.x;
    C_q(4, 5) = x.rod6.y, C_q(5, 5) = -x.rod6.x;
    C_q(4, 6) = x.rod6.y + x.body7.y, C_q(5, 6) = -x.rod6.x - x.body7.x;
  }
  // Every arm is turned twice: (x, y) becomes -(x, y) times the square of its rate.
  void constraint_curvature(const T& /*t*/, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) const {
    const Arms<T> x(*this, q);
    const auto square_of = [](const T& rate) { return T(rate * rate); };
    const T w1 = square_of(v[0]), w2 = square_of(v[0] + v[1]), w3 = square_of(v[2]), w5 = square_of(v[4]);
    const T w4 = square_of(v[3] + v[4]), w6 = square_of(v[5] + v[6]), w7 = square_of(v[6]);
    const T Ex = x.rod.x * w2 - x.crank.x * w1, Ey = x.rod.y * w2 - x.crank.y * w1;
    h[0] = Ex + x.side.x * w3;
    h[1] = Ey + x.side.y * w3;
    h[2] = Ex + x.rod4.x * w4 + x.body5.x * w5;
    h[3] = Ey + x.rod4.y * w4 + x.body5.y * w5;
    h[4] = Ex + x.rod6.x * w6 + x.body7.x * w7;
    h[5] = Ey + x.rod6.y * w6 + x.body7.y * w7;
  }

  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    using std::cos, std::sin;
    const S c2 = cos(q[1]) * S2, s4 = sin(q[3]) * S4, s6 = sin(q[5]) * S6;
    const S twice = v[0] * v[0] * (S(J1) - c2 - c2) + v[0] * v[1] * (S(J2) - c2) * T(2) + v[1] * v[1] * J2 +
                    v[2] * v[2] * J3 + v[3] * v[3] * J4 + v[3] * v[4] * (S(J4) + s4) * T(2) +
                    v[4] * v[4] * (S(J5) + s4 + s4) + v[5] * v[5] * J6 + v[5] * v[6] * (S(J6) - s6) * T(2) +
                    v[6] * v[6] * (S(J7) - s6 - s6);
    const S extension = spring(q[2]).extension;
    return {twice / T(2), extension * extension * T(c0 / 2) - q[0] * mom};
  }
  static std::vector<std::string> observable_names() { return {"beta_mod_2pi"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& /*v*/, Vector<S>& out) const {
    using std::floor;
    const S turn = 2 * pi<S>();
    out[0] = q[0] - turn * floor(S(q[0] / turn));
  }

 private:
  // The links of the loops as vectors.
  template <class S>
  struct Arms {
    seven_body::Point<S> crank, rod, side, rod4, body5, rod6, body7;
    Arms(const SevenBodyModel& p, const Vector<S>& q)
        : crank(turned(q[0], p.rr)), rod(turned(S(q[0] + q[1]), p.d)), side(quarter_back(turned(q[2], p.ss))),
          rod4(quarter_back(turned(S(q[3] + q[4]), p.e))), body5(turned(q[4], p.zt)),
          rod6(turned(S(q[5] + q[6]), p.zf)), body7(quarter_back(turned(q[6], p.u))) {}

    static seven_body::Point<S> turned(const S& angle, const T& length) {
      S s, c;
      sincos(angle, s, c);
      return {c * length, s * length};
    }
    static seven_body::Point<S> quarter_back(const seven_body::Point<S>& arm) { return {arm.y, -arm.x}; }
  };

  template <class S>
  struct Spring {
    S extension, force;  // [m]; on gamma [N m]
  };
  template <class S>
  Spring<S> spring(const S& gamma) const {
    using std::sqrt;
    S s, c;
    sincos(gamma, s, c);
    const S length = sqrt(S((c * along + s * across) * T(2) + S(square)));
    const S extension = length - S(l0);
    return {extension, extension / length * (s * along - c * across) * c0};
  }
};

struct SevenBody : seven_body::Definition {
  static constexpr const char* name = "seven-body";
  static constexpr const char* summary = "Andrews' squeezing mechanism: seven angles, three closed loops.";
  static constexpr const char* source = seven_body::source;
  static constexpr const char* independent_route = seven_body::route;

  template <class T>
  SevenBodyModel<T> model() const {
    const auto poses = start_poses();
    std::array<Real100, seven_body::body_count> angles;
    for (int k = 0; k < seven_body::body_count; ++k) angles[k] = atan2(poses[k].axis.y, poses[k].axis.x);
    angles[1] = angles[0];  // theta = 0, without round-off
    const Vector<Real100> q = relative(angles);
    return {values<T>(), q.unaryExpr([](const Real100& x) { return static_cast<T>(x); })};
  }

  // From the angles of the bodies, or from their rates.
  template <class T>
  static Vector<T> relative(const std::array<T, seven_body::body_count>& a) {
    return Vector<T>{{a[0], a[1] - a[0], a[2], a[3] - a[4], a[4], a[5] - a[6], a[6]}};
  }

  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    const auto motion = crank_motion(t, digits);
    if (!motion) return {};
    std::array<Real50, seven_body::body_count> angles, rates;
    for (int k = 0; k < seven_body::body_count; ++k)
      angles[k] = motion->angle(k), rates[k] = motion->angular_velocity(k);
    return Motion{relative(angles), relative(rates)};
  }
};
const ProblemEntry<SevenBody> seven_body_entry;

}  // namespace
}  // namespace daelab
