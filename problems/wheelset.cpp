// Wheelset of a railway vehicle on a straight track: a rigid pair of cones on two rails with creep forces, which goes
// over to hunting, a limit cycle.
//
//   p = (x lateral, y vertical, z along the track [m], theta yaw, phi roll [rad]), v = p', beta [rad/s]: deviation of
//   the spin from omega0 = V0/r0; lambda1, lambda2: forces of the contacts b (xi > 0) and a (xi < 0) in 10^4 N.
//   m (x, y, z)'' = ...,  I2 cos(phi) theta'' = ...,  I2 phi'' = ...,  I1 (beta' + theta'' sin(phi)) = ...
//   contact, at (xi, psi) of the wheel:  g1 = height of the rail - height of the wheel = 0, and two equations g2 = 0:
//   the normals of wheel and rail are parallel there.
//
// [TS] is of index 2: (dg1/dp) v = 0, g2 = 0, with xi and psi among 17 unknowns. Here a cone rolls on a circular rail,
// so g2 = 0 is solved in closed form: psi by a quadratic equation, then the slope of the rail, its point and xi. xi and
// psi are observables, in the names of [TS] 12 to 15; all else is the same: psi and xi of [TS] satisfy g2 = 0 at the
// start to 1e-14. The start of [TS] has g1 of 5e-10 m, which the index-2 form keeps; so does form = index-3,
// g1 = g1(start), and form = mechanism, coordinates p and a state w = beta + theta' sin(phi), I1 w' = torque, which
// any formulation of mechanisms with nonlinear forces can integrate. Its multipliers are -m g/2 - 10^4 lambda.
//
// The force of creep on a contact is cut at mu N, where the right-hand side has a kink. The inertia of [TS] does not
// come from an energy: forces do work at theta' in row 4, whose mass lacks a factor cos(phi), so there is none here.
//
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-22 (after Simeon, Fuehrer, Rentrop 1991).
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Wheelset {
  static constexpr const char* name = "wheelset";
  static constexpr const char* summary = "Wheelset of a railway vehicle with creep forces, which begins to hunt.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-22";
  static constexpr bool conserves_energy = false;  // creep

  enum class Form { index_2, index_3, mechanism };
  enum class Mass { exact, frozen };
  friend std::vector<std::string> names_of(Form) { return {"index-2", "index-3", "mechanism"}; }
  friend std::vector<std::string> names_of(Mass) { return {"exact", "frozen"}; }

  Form form = Form::index_2;
  Mass inertia = Mass::exact;
  Exact speed = 30, friction = "0.12", cone_angle = "0.0262", stiffness = 6400, mass = "16.08", end_time = 10;

  Options options() {
    return {option("form", form,
                   "index-2: constraints on velocities, as published; index-3: on places; mechanism: coordinates, for "
                   "formulations of mechanisms"),
            option("inertia", inertia, "exact; frozen: phi of the mass matrix stays at its start"),
            option("speed", speed, "V0 [m/s]", positive()),
            option("friction", friction, "mu of the contacts", positive()),
            option("cone_angle", cone_angle, "delta0 [rad]", positive()),
            option("stiffness", stiffness, "cx = cz, lateral and longitudinal springs [N/m]", at_least(0)),
            option("mass", mass, "m [kg]", positive()),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    const Expressions p0 = {Exact("0.14941e-2"), Exact("0.40089e-6"), Exact("0.11241e-5"), Exact("-0.28573e-3"),
                            Exact("0.26459e-3")};
    if (form == Form::mechanism)
      record_mechanism(r, p0);
    else
      record_states(r, p0);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expressions& p = form == Form::mechanism ? r.q : r.s;
    const Expression c = cos(p[4]), s = sin(p[4]), slope = tan(cone_angle), half = Exact("0.19"), width = Exact("0.04");
    const auto at = [&](const Expression& along, const Expression& below) {
      return OutlinePoint{p[0] + along * c + below * s, p[1] + along * s - below * c};
    };
    o.line({at(-half, 0), at(half, 0)});
    for (const int side : {-1, 1}) {
      const Expression inner = a0 - width, outer = a0 + width, large = r0 + slope * width, small = r0 - slope * width;
      o.polygon({at(side * inner, large), at(side * outer, small), at(side * outer, -small), at(side * inner, -large)});
      o.circle({side * (a0 + rho * sin(cone_angle)), -r0 - rho * cos(cone_angle)}, rho);
    }
    o.label(at(0, 0), "m");
  }

  std::vector<ConstantTable> constants() const {
    return {{"Section II-22",
             {{"r_0", r0, "rolling radius [m]"},
              {"a_0", a0, "half of the gauge [m]"},
              {"ρ_1", rho, "radius of the head of a rail [m]"},
              {"I_1", I1, "moment of inertia about the axle [kg m^2]"},
              {"I_2", I2, "across it [kg m^2]"},
              {"x_l", spring_arm, "lateral distance of the springs [m]"},
              {"G", shear, "modulus of gliding [N/m^2]"},
              {"C_11", C11, "coefficient of Kalker"},
              {"C_22", C22, "coefficient of Kalker"},
              {"C_23", C23, "coefficient of Kalker"},
              {"σ", sigma, "Poisson's ratio of the contact"},
              {"Ĝ", contact_G, "of the ellipse of contact"},
              {"E", contact_E, "of the ellipse of contact"},
              {"π", printed_pi, "as published"}}}};
  }

 private:
  Exact r0 = "0.1", a0 = "0.1506", rho = "0.06", I1 = "0.0605", I2 = "0.366", spring_arm = "0.19", gravity = "9.81";
  Exact shear = "7.92e10", C11 = "4.72772197", C22 = "4.27526987", C23 = "1.97203505", sigma = "0.28";
  Exact contact_G = "0.7115218", contact_E = "1.3537956", printed_pi = "3.1415926", force_scale = 10000;

  struct Position {
    Expression x, y, z, sin_theta, cos_theta, sin_phi, cos_phi;

    explicit Position(const Expressions& p) : x(p[0]), y(p[1]), z(p[2]) {
      sincos(p[3], sin_theta, cos_theta), sincos(p[4], sin_phi, cos_phi);
    }
  };

  // Where wheel and rail are parallel, and what [TS] calls there R, R', G' of the rail, g1 and dg1/dp.
  struct Contact {
    Expression psi, xi, sin_psi, cos_psi, R, dR, slope, gap;
    Expressions row;
  };

  // side: the sign of xi.
  Contact contact(const Position& at, int side) const {
    const Expression &st = at.sin_theta, &ct = at.cos_theta, &sp = at.sin_phi, &cp = at.cos_phi;
    const Expression cone = tan(cone_angle), sink = sin(cone_angle) * rho;
    Contact c;
    c.dR = -side * cone;
    // A cos(psi) + B sin(psi) = D.
    const Expression A = st * sp, D = c.dR * st * cp, &B = ct, squares = square(A) + square(B);
    const Expression root = sqrt(squares - square(D));
    c.sin_psi = (B * D - A * root) / squares, c.cos_psi = (A * D + B * root) / squares;
    c.psi = atan2(c.sin_psi, c.cos_psi);
    const Expression lateral = ct * sp * c.cos_psi - st * c.sin_psi;  // of the radius, towards x
    c.slope = (lateral - c.dR * ct * cp) / (c.dR * sp + cp * c.cos_psi);
    const Expression secant = sqrt(1 + square(c.slope));
    // Point on the circle with this slope.
    const Expression place = side * (a0 + sink) - rho * c.slope / secant;
    const Expression height = rho / secant - r0 - rho * cos(cone_angle);
    const Expression tip = r0 + cone * a0;  // R = tip + R' xi
    c.xi = (place - at.x - tip * lateral) / (ct * cp + c.dR * lateral);
    c.R = tip + c.dR * c.xi;
    c.gap = height - at.y - c.xi * sp + c.R * cp * c.cos_psi;
    c.row = {c.slope, -1, 0, c.slope * (c.R * (-ct * c.sin_psi - c.cos_psi * sp * st) - cp * st * c.xi),
             c.slope * (cp * c.cos_psi * ct * c.R - ct * sp * c.xi) - c.cos_psi * c.R * sp - cp * c.xi};
    return c;
  }

  // What forces depend on: places, velocities, deviation of the spin, forces of contacts [N] in the order b, a.
  struct Motion {
    Expressions p, v;
    Expression beta;
    std::array<Expression, 2> pressure;
    Position at;
    std::array<Contact, 2> contacts;
  };
  Motion motion(const Expressions& p, const Expressions& v, const Expression& beta,
                const std::array<Expression, 2>& pressure) const {
    const Position at(p);
    return {p, v, beta, pressure, at, {contact(at, 1), contact(at, -1)}};
  }

  // The angle between the normal of a contact and the vertical; lead: 1 for the contact with the left formulas, or -1.
  struct Angle {
    Expression sine, cosine;
  };
  Angle angle(const Position& at, const Contact& c, int lead) const {
    const Expression across = (c.dR * at.cos_phi - at.sin_phi * c.cos_psi) * at.cos_theta + c.sin_psi * at.sin_theta;
    const Expression tangent = -lead * across / (c.dR * at.sin_phi + c.cos_psi * at.cos_phi);
    const Expression cosine = 1 / sqrt(1 + square(tangent));
    return {tangent * cosine, cosine};
  }

  // Forces of creep T along x, y, z; N: normal force.
  std::array<Expression, 3> creep(const Motion& m, const Contact& c, const Angle& D, const Expression& N,
                                  int lead) const {
    const Position& at = m.at;
    const Expression &sp = at.sin_phi, &cp = at.cos_phi, &s = c.sin_psi, &k = c.cos_psi, &R = c.R, &xi = c.xi;
    const auto& v = m.v;
    Expression sn, cn;
    sincos(m.p[3] / D.cosine, sn, cn);  // divided as in the source
    const Expression V0 = speed, W = V0 / r0 + m.beta;
    const Expression arm = xi * sp - R * cp * k;
    const Expression w1 =
        -W * R * (sn * k + cn * sp * s) + v[0] - v[3] * (R * (sn * sp * k + cn * s) + xi * sn * cp) - v[4] * cn * arm;
    const Expression w2 = W * R * cp * s + v[1] + v[4] * (xi * cp + R * sp * k);
    const Expression w3 = -W * R * (cn * k - sn * sp * s) + V0 + v[2] -
                          v[3] * (xi * cn * cp + R * (cn * sp * k - sn * s)) + v[4] * sn * arm;
    const Expression rolling = sqrt(square(w1 - 2 * v[0]) + square(w2 - 2 * v[1]) + square(w3 - 2 * v[2] - 2 * V0)) / 2;
    const Expression along = (sn * w1 + cn * w3) / rolling;
    const Expression aside = (cn * D.cosine * w1 + lead * D.sine * w2 - sn * D.cosine * w3) / rolling;
    const Expression spin = (D.cosine * v[3] - lead * D.sine * W) / rolling;

    const Expression wheel = sqrt(1 + square(c.dR)) * R, curvatures = (1 / wheel + 1 / Expression(rho)) / 2;
    const Expression ellipse =
        pow(3 * abs(N) * (1 - sigma) * contact_E / (2 * printed_pi * curvatures * shear * sqrt(Expression(contact_G))),
            Exact("1/3"));
    const Expression limit = N * friction, area = shear * square(ellipse) / limit;
    const Expression hx = tanh(area * C11 * along), hy = tanh(area * (aside * C22 + ellipse * C23 * spin));
    const Expression size = square(hx) + square(hy);
    const Expression cut = select(size > 1, limit / sqrt(size), limit);
    const Expression tx = -cut * hx, ty = -cut * hy;
    return {sn * tx + cn * D.cosine * ty, lead * D.sine * ty, cn * tx - sn * D.cosine * ty};
  }

  // Right-hand sides of the rows of x'', y'', z'', theta'', phi'' and of the spin, with what contacts press in [N].
  struct Forces {
    Expressions rows, pressed;
  };
  Forces forces(const Motion& m) const {
    const auto& [x, y, z, st, ct, sp, cp] = m.at;
    const auto& v = m.v;
    Forces f{Expressions(6, Expression(0)), Expressions(5, Expression(0))};
    for (int i = 0; i < 5; ++i)
      for (std::size_t k = 0; k < 2; ++k) f.pressed[i] += m.contacts[k].row[i] * m.pressure[k];

    const std::array<Angle, 2> D = {angle(m.at, m.contacts[0], 1), angle(m.at, m.contacts[1], -1)};
    const Expression determinant = -D[0].sine * D[1].cosine - D[1].sine * D[0].cosine;
    const std::array<Expression, 2> normal = {(D[1].cosine * f.pressed[0] - D[1].sine * f.pressed[1]) / determinant,
                                              (-D[0].cosine * f.pressed[0] - D[0].sine * f.pressed[1]) / determinant};
    const Expression W = Expression(speed) / r0 + m.beta, springs = -2 * stiffness * spring_arm * spring_arm * m.p[3];

    f.rows = {-2 * stiffness * x,
              -mass * gravity,
              -2 * stiffness * z,
              I2 * v[3] * v[4] * sp - I1 * W * v[4] - (I1 - I2) * v[3] * sp * v[4] + cp * springs,
              I1 * W * v[3] * cp + (I1 - I2) * square(v[3]) * sp * cp,
              sp * springs - I1 * v[3] * v[4] * cp};
    for (std::size_t n = 0; n < 2; ++n) {
      const Contact& c = m.contacts[n];
      const auto T = creep(m, c, D[n], normal[n], n == 0 ? 1 : -1);
      const Expression &s = c.sin_psi, &k = c.cos_psi, &R = c.R, &xi = c.xi;
      for (int i = 0; i < 3; ++i) f.rows[i] += T[i];
      f.rows[3] += -(xi * st + R * s * ct * cp) * T[0] - R * s * sp * T[1] + (R * s * st * cp - xi * ct) * T[2];
      f.rows[4] += -(xi * ct * sp - R * k * ct * cp) * T[0] + (xi * cp + R * k * sp) * T[1] +
                   (xi * st * sp - R * k * st * cp) * T[2];
      f.rows[5] += -R * (k * st + s * ct * sp) * T[0] + R * s * cp * T[1] - R * (k * ct - s * st * sp) * T[2];
    }
    return f;
  }

  // phi of the mass matrix.
  Expression turn(const Expressions& p, const Expressions& p0) const { return inertia == Mass::frozen ? p0[4] : p[4]; }

  void observe(Recording& r, const Motion& m) const {
    const char* const names[2][2] = {{"psi_b", "xi_b"}, {"psi_a", "xi_a"}};
    for (const std::size_t k : {1, 0}) {
      r.observe(names[k][0], m.contacts[k].psi);
      r.observe(names[k][1], m.contacts[k].xi);
    }
  }

  void record_states(Recording& r, const Expressions& p0) const {
    r.states({"x", "y", "z", "theta", "phi", "x'", "y'", "z'", "theta'", "phi'", "beta", "lambda1", "lambda2"});
    r.algebraic_states = 2;
    const auto& s = r.s;
    const Expressions p(s.begin(), s.begin() + 5), v(s.begin() + 5, s.begin() + 10);
    std::copy(p0.begin(), p0.end(), r.start_s.begin());
    r.start_s[11] = Exact("-0.83593e-2"), r.start_s[12] = Exact("-0.74144e-2");
    const Motion m = motion(p, v, s[10], {s[11] * force_scale, s[12] * force_scale});
    const Forces f = forces(m);
    Expression sine, cosine;
    sincos(turn(p, p0), sine, cosine);
    const Expression weights[5] = {mass, mass, mass, I2 * cosine, I2};
    for (int i = 0; i < 5; ++i) r.rates[i] = v[i], r.rates[5 + i] = (f.rows[i] + f.pressed[i]) / weights[i];
    r.rates[10] = f.rows[5] / I1 - r.rates[8] * sine;
    for (std::size_t k = 0; k < 2; ++k) {
      const Contact& c = m.contacts[k];
      Expression speed_of_gap = 0;
      for (int i = 0; i < 5; ++i) speed_of_gap += c.row[i] * v[i];
      r.rates[11 + k] = form == Form::index_3 ? c.gap - contact(Position(p0), k == 0 ? 1 : -1).gap : speed_of_gap;
    }
    observe(r, m);
  }

  void record_mechanism(Recording& r, const Expressions& p0) const {
    r.coordinates({"x", "y", "z", "theta", "phi"});
    r.states({"spin"});
    r.start_q = p0;
    Expression sine, cosine;
    sincos(turn(r.q, p0), sine, cosine);
    const auto &q = r.q, &v = r.v;
    const Expression beta = r.s[0] - v[3] * sine;
    // Multipliers are those beside half the weight: without pressure creep has no derivatives.
    const Expression static_pressure = -mass * gravity / 2;
    const Motion m = motion(q, v, beta, {static_pressure - r.multiplier(0), static_pressure - r.multiplier(1)});
    const Forces f = forces(m);
    const Expression weights[5] = {mass, mass, mass, I2 * cosine, I2};
    for (int i = 0; i < 5; ++i) {
      r.mass(i, i) = weights[i];
      r.force[i] = f.rows[i] + (m.contacts[0].row[i] + m.contacts[1].row[i]) * static_pressure;
    }
    r.rates[0] = f.rows[5] / I1;
    if (inertia == Mass::exact) r.rates[0] += v[3] * v[4] * cosine;
    for (std::size_t k = 0; k < 2; ++k)
      r.constraints.push_back(m.contacts[k].gap - contact(Position(p0), k == 0 ? 1 : -1).gap);
    r.observe("beta", beta);
    observe(r, m);
    r.observe("lambda1", m.pressure[0] / force_scale), r.observe("lambda2", m.pressure[1] / force_scale);
  }
};
const ProblemEntry<Wheelset> wheelset_entry;

}  // namespace
}  // namespace daelab
