// Accelerations of the seven-body mechanism as an expert writes them by hand: the turns of the bodies follow from that
// of the crank, a loop at a time, so that one equation is left (null space), without a factorisation. Data of
// problems/seven_body.hpp. For bench/reference_codes.c.
static void accelerations_by_hand(const double* q, const double* v, double* a) {
  enum { crank, rod, side, rod4, body5, rod6, body7, bodies };
  const double xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072, sc = 0.018, sd = 0.02, c0 = 4530, l0 = 0.07785;
  const double d = 0.028, da = 0.0115, e = 0.02, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874, sb = 0.01043;
  const double ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, mom = 0.033;
  const double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
  const double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5;
  const double g4 = e - 0.01421, g6 = zf - 0.01421;
  const double S2 = m2 * da * rr, S4 = m4 * zt * g4, S6 = m6 * u * g6;
  // The kinetic energy in the rates of the bodies w is sum of inertia[i] w_i^2 / 2 and three products of rates.
  const double inertia[bodies] = {m1 * ra * ra + m2 * rr * rr + I1,
                                  m2 * da * da + I2,
                                  m3 * (sa * sa + sb * sb) + I3,
                                  m4 * g4 * g4 + I4,
                                  m4 * zt * zt + m5 * (ta * ta + tb * tb) + I5,
                                  m6 * g6 * g6 + I6,
                                  m6 * u * u + m7 * (ua * ua + ub * ub) + I7};
  const double angle[bodies] = {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
  const double w[bodies] = {v[0], v[0] + v[1], v[2], v[3] + v[4], v[4], v[5] + v[6], v[6]};
  double s[bodies], c[bodies], ww[bodies];
  for (int i = 0; i < bodies; ++i) s[i] = sin(angle[i]);  // loops of their own, for vector instructions
  for (int i = 0; i < bodies; ++i) c[i] = cos(angle[i]);
  for (int i = 0; i < bodies; ++i) ww[i] = w[i] * w[i];
#define COS(i, j) (c[i] * c[j] + s[i] * s[j])  // of the difference of two angles
#define SIN(i, j) (s[i] * c[j] - c[i] * s[j])
  const double cos2 = COS(rod, crank), sin2 = SIN(rod, crank), sin4 = SIN(rod4, body5), cos4 = COS(rod4, body5);
  const double sin6 = SIN(rod6, body7), cos6 = COS(rod6, body7), sin_rs = SIN(rod, side);
  const double per_1 = 1 / COS(rod, side), per_2 = 1 / cos4, per_3 = 1 / cos6;
  // Angular accelerations are B a_crank + b; E, the joint of all loops, moves along the side.
  const double E = rr * sin2 * per_1;
  const double along = (d * ww[rod] - rr * cos2 * ww[crank] - ss * sin_rs * ww[side]) * per_1, across = ss * ww[side];
  const double B[bodies] = {1,
                            rr / d * COS(crank, side) * per_1,
                            E / ss,
                            E / e * COS(side, body5) * per_2,
                            E / zt * SIN(side, rod4) * per_2,
                            E / zf * SIN(side, body7) * per_3,
                            E / u * COS(side, rod6) * per_3};
  const double b[bodies] = {
      0,
      (d * sin_rs * ww[rod] - rr * SIN(crank, side) * ww[crank] - across) / d * per_1,
      along / ss,
      (along * COS(side, body5) - across * SIN(side, body5) + e * sin4 * ww[rod4] + zt * ww[body5]) / e * per_2,
      (along * SIN(side, rod4) + across * COS(side, rod4) - e * ww[rod4] - zt * sin4 * ww[body5]) / zt * per_2,
      (along * SIN(side, body7) + across * COS(side, body7) + zf * sin6 * ww[rod6] - u * ww[body7]) / zf * per_3,
      (along * COS(side, rod6) - across * SIN(side, rod6) + zf * ww[rod6] - u * sin6 * ww[body7]) / u * per_3};
  const double bx = xb - xc, by = yb - yc;
  const double ahead = bx * sd - by * sc, aside = bx * sc + by * sd;
  const double length = sqrt(bx * bx + by * by + sd * sd + sc * sc + 2 * (c[side] * ahead + s[side] * aside));
  const double spring = (1 - l0 / length) * c0 * (s[side] * ahead - c[side] * aside);
  const double k2 = -S2 * cos2, k4 = S4 * sin4, k6 = -S6 * sin6;
  const double force[bodies] = {mom - S2 * sin2 * ww[rod], S2 * sin2 * ww[crank], spring,
                                S4 * cos4 * ww[body5],     -S4 * cos4 * ww[rod4], -S6 * cos6 * ww[body7],
                                S6 * cos6 * ww[rod6]};
  double mass = 2 * (k2 * B[rod] + k4 * B[rod4] * B[body5] + k6 * B[rod6] * B[body7]);
  double power =
      -k2 * b[rod] - k4 * (B[rod4] * b[body5] + B[body5] * b[rod4]) - k6 * (B[rod6] * b[body7] + B[body7] * b[rod6]);
  for (int i = 0; i < bodies; ++i) {
    mass += inertia[i] * B[i] * B[i];
    power += B[i] * (force[i] - inertia[i] * b[i]);
  }
  const double turn = power / mass;
  double of[bodies];
  for (int i = 0; i < bodies; ++i) of[i] = B[i] * turn + b[i];
  a[0] = turn, a[1] = of[rod] - turn, a[2] = of[side], a[3] = of[rod4] - of[body5], a[4] = of[body5];
  a[5] = of[rod6] - of[body7], a[6] = of[body7];
#undef COS
#undef SIN
}
