// Slider-crank with a flexible connecting rod: a stiff mechanical system with a driven crank.
//
//   q = (phi1, phi2, x3, q1, q2, q3, q4): angles of crank and rod [rad], place of the slider [m]; rod: amplitudes of
//   the two sine modes of bending, axial displacements of its middle and of its end [m].
//   C = (l1 sin phi1 + (l2+q4) sin phi2,  x3 - l1 cos phi1 - (l2+q4) cos phi2,  phi1 - Omega t); lambda: forces of the
//   slider's guide and of its joint [N], torque of the drive [N m].
//
// The model of [TS] as [Ren20] corrects it, its sums of constants formed once. Its axial mass matrix lacks the factor
// 1/15 of the quadratic element; axial_mass = consistent has it.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, section 8.2.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-19 (after Simeon, 1996).
#include "core/problem.hpp"

namespace daelab {
namespace {

// Entries of a matrix of the four elastic coordinates: diagonal but for the axial pair.
template <class T>
struct Elastic {
  T d1{0}, d2{0}, d3{0}, d4{0}, d34{0};
};

template <class T>
struct SliderCrankModel {
  static constexpr int directions = 7;
  T l1, l2, omega;
  T crank_inertia, coupling, rod_inertia, m3;   // J1 + m2 l1^2, l1 l2 m2/2, J2
  Elastic<T> Mq, K, D;
  T c1_3, c1_4, c2_1;                           // rho c1, rho c2
  T c12_3, c12_4, c21_1, c21_2;                 // rho c12, rho c21
  T B13, B14, B24;                              // rho B, skew-symmetric
  bool damped, nonlinear, heavy;
  T stretch, alpha;                             // of the cubic energy stretch (q1^2 q4/2 + 2 q2^2 q4 - alpha q1 q2 w)
  T g, g_crank, g_rod;                          // g, l1 g (m1 + 2 m2)/2, l2 g m2/2
  Vector<T> q0, v0;

  Index coordinates() const { return 7; }
  Index constraints() const { return 3; }
  Vector<T> initial_q() const { return q0; }
  Vector<T> initial_v() const { return v0; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& q, Matrix<S>& M) const {
    S s, c;
    sincos(S(q[0] - q[1]), s, c);
    const S along = c1_q(q), across = q[3] * c2_1;
    M(0, 0) = S(crank_inertia);
    M(1, 1) = S(rod_inertia) + elastic_product(Mq, q, q) + c12_q(q) * T(2);
    M(2, 2) = S(m3);
    M(3, 3) = S(Mq.d1), M(4, 4) = S(Mq.d2), M(5, 5) = S(Mq.d3), M(6, 6) = S(Mq.d4);
    set(M, 5, 6, S(Mq.d34));
    set(M, 0, 1, c * coupling + (c * along + s * across) * l1);
    const S sl = s * l1;
    set(M, 0, 3, c * T(l1 * c2_1));
    set(M, 0, 5, -(sl * c1_3));
    set(M, 0, 6, -(sl * c1_4));
    S b[4];
    B_times(q, b);
    set(M, 1, 3, S(c21_1) - b[0]);
    set(M, 1, 4, S(c21_2) - b[1]);
    set(M, 1, 5, -b[2]);
    set(M, 1, 6, -b[3]);
  }

  // qd.B qd = 0 of [TS] is left out: B is skew-symmetric.
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    S s, c;
    sincos(S(q[0] - q[1]), s, c);
    const S along = c1_q(q), across = q[3] * c2_1, w1 = v[0] * v[0], w2 = v[1] * v[1], twice = v[1] * T(2);
    const S lever = s * coupling + (s * along - c * across) * l1;
    S Mq_q[4], b[4];
    times(Mq, q, Mq_q);
    B_times(v, b);
    Q[0] = -(w2 * lever) - twice * (c * c1_q(v) + s * v[3] * c2_1) * l1;
    Q[1] = w1 * lever -
           twice * (c12_q(v) + v[3] * Mq_q[0] + v[4] * Mq_q[1] + v[5] * Mq_q[2] + v[6] * Mq_q[3]);
    const S cl = w1 * c * l1;
    Q[3] = w2 * Mq_q[0] + w1 * s * T(l1 * c2_1) + twice * b[0];
    Q[4] = w2 * Mq_q[1] + twice * b[1];
    Q[5] = w2 * (Mq_q[2] + S(c12_3)) + cl * c1_3 + twice * b[2];
    Q[6] = w2 * (Mq_q[3] + S(c12_4)) + cl * c1_4 + twice * b[3];
    subtract(K, q, Q);
    if (damped) subtract(D, v, Q);
    if (nonlinear) subtract_stretch(q, Q);
    if (heavy) add_weight(q, Q);
  }

  template <class S>
  void constraint(const S& t, const Vector<S>& q, Vector<S>& C) const {
    S s1, c1, s2, c2;
    sincos(q[0], s1, c1);
    sincos(q[1], s2, c2);
    const S length = S(l2) + q[6];
    C[0] = s1 * l1 + length * s2;
    C[1] = q[2] - c1 * l1 - length * c2;
    C[2] = q[0] - t * omega;
  }
  template <class S>
  void constraint_jacobian(const S& t, const Vector<S>& q, Vector<S>& C, Matrix<S>& C_q) const {
    S s1, c1, s2, c2;
    sincos(q[0], s1, c1);
    sincos(q[1], s2, c2);
    const S length = q[6] + S(l2);
    C[0] = s1 * l1 + length * s2;
    C[1] = q[2] - c1 * l1 - length * c2;
    C[2] = q[0] - t * omega;
    for (S& entry : C_q.reshaped()) entry = S();
    C_q(0, 0) = c1 * l1, C_q(0, 1) = length * c2, C_q(0, 6) = s2;
    C_q(1, 0) = s1 * l1, C_q(1, 1) = length * s2, C_q(1, 6) = -c2;
    C_q(1, 2) = C_q(2, 0) = S(T(1));
  }
  void constraint_curvature(const T& /*t*/, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) const {
    T s1, c1, s2, c2;
    sincos(q[0], s1, c1);
    sincos(q[1], s2, c2);
    const T crank = l1 * v[0] * v[0], rod = (l2 + q[6]) * v[1] * v[1], coriolis = 2 * v[1] * v[6];
    h[0] = -crank * s1 - rod * s2 + coriolis * c2;
    h[1] = crank * c1 + rod * c2 + coriolis * s2;
    h[2] = T(0);
  }

  template <class S>
  Energy<S> energy(const S& t, const Vector<S>& q, const Vector<S>& v) const {
    Matrix<S> M = Matrix<S>::Zero(7, 7);
    mass(t, q, M);
    S twice(T(0));
    for (Index i = 0; i < 7; ++i)
      for (Index j = 0; j < 7; ++j) twice += v[i] * M(i, j) * v[j];
    S potential = elastic_product(K, q, q) / T(2);
    if (nonlinear)
      potential += (q[6] * (q[3] * q[3] / T(2) + q[4] * q[4] * T(2)) - q[3] * q[4] * shortening(q) * alpha) * stretch;
    if (heavy) {
      S s1, c1, s2, c2;
      sincos(q[0], s1, c1);
      sincos(q[1], s2, c2);
      potential += s1 * g_crank + s2 * g_rod + (s2 * c1_q(q) + c2 * q[3] * c2_1) * g;
    }
    return {twice / T(2), potential};
  }

 private:
  template <class S>
  static void set(Matrix<S>& M, Index i, Index j, const S& value) {
    M(i, j) = value;
    M(j, i) = value;
  }
  template <class S>
  S c1_q(const Vector<S>& q) const {
    return q[5] * c1_3 + q[6] * c1_4;
  }
  template <class S>
  S c12_q(const Vector<S>& q) const {
    return q[5] * c12_3 + q[6] * c12_4;
  }
  template <class S>
  void B_times(const Vector<S>& q, S (&b)[4]) const {
    b[0] = q[5] * B13 + q[6] * B14;
    b[1] = q[6] * B24;
    b[2] = -(q[3] * B13);
    b[3] = -(q[3] * B14 + q[4] * B24);
  }
  template <class S>
  static void times(const Elastic<T>& A, const Vector<S>& q, S (&r)[4]) {
    r[0] = q[3] * A.d1;
    r[1] = q[4] * A.d2;
    r[2] = q[5] * A.d3 + q[6] * A.d34;
    r[3] = q[5] * A.d34 + q[6] * A.d4;
  }
  template <class S>
  static S elastic_product(const Elastic<T>& A, const Vector<S>& x, const Vector<S>& y) {
    S r[4];
    times(A, y, r);
    return x[3] * r[0] + x[4] * r[1] + x[5] * r[2] + x[6] * r[3];
  }
  template <class S>
  static void subtract(const Elastic<T>& A, const Vector<S>& q, Vector<S>& Q) {
    S r[4];
    times(A, q, r);
    for (Index i = 0; i < 4; ++i) Q[3 + i] -= r[i];
  }
  template <class S>
  static S shortening(const Vector<S>& q) {
    return q[6] * T(2) - q[5] * T(4);
  }
  template <class S>
  void subtract_stretch(const Vector<S>& q, Vector<S>& Q) const {
    const S w = shortening(q) * alpha, product = q[3] * q[4] * alpha;
    Q[3] -= (q[3] * q[6] - q[4] * w) * stretch;
    Q[4] -= (q[4] * q[6] * T(4) - q[3] * w) * stretch;
    Q[5] -= product * T(4) * stretch;
    Q[6] -= (q[3] * q[3] / T(2) + q[4] * q[4] * T(2) - product * T(2)) * stretch;
  }
  template <class S>
  void add_weight(const Vector<S>& q, Vector<S>& Q) const {
    using std::cos;
    S s2, c2;
    sincos(q[1], s2, c2);
    Q[0] -= cos(q[0]) * g_crank;
    Q[1] -= c2 * g_rod + (c2 * c1_q(q) - s2 * q[3] * c2_1) * g;
    Q[3] -= c2 * T(g * c2_1);
    Q[5] -= s2 * T(g * c1_3);
    Q[6] -= s2 * T(g * c1_4);
  }
};

struct SliderCrank {
  static constexpr const char* name = "slider-crank";
  static constexpr const char* summary = "Slider-crank with a flexible rod, driven at a constant rate: stiff.";
  static constexpr const char* source = "Ren, Zhou 2020, section 8.2; Test Set for IVP Solvers 2.4, II-19";
  static constexpr bool conserves_energy = false;  // a drive keeps the crank's rate

  std::string start = "smooth", beam = "linear";
  bool damping = false;
  std::string axial_mass = "published", pi = "published", data = "corrected";
  Exact gravity = 0, omega = 150, end_time = "1/10";

  Options options() {
    return {option("start", start,
                   "smooth: no oscillation; rigid: undeformed rod, which then oscillates; published: smooth, with the "
                   "place of the slider as printed, off the constraint by 2e-10 m",
                   one_of({"smooth", "rigid", "published"})),
            option("beam", beam, "linear, or nonlinear: bending shortens the rod", one_of({"linear", "nonlinear"})),
            option("damping", damping, "a little of it in the rod"),
            option("axial_mass", axial_mass, "published, or consistent with the quadratic element (1/15 of it)",
                   one_of({"published", "consistent"})),
            option("pi", pi, "published: 3.1415927; exact", one_of({"published", "exact"})),
            option("data", data,
                   "corrected; printed: with the slider's mass 0.7555 kg, the density 7570 kg/m^3 and the place 0.45 m "
                   "of section 8.2",
                   one_of({"corrected", "printed"})),
            option("gravity", gravity, "g [m/s^2]"),
            option("omega", omega, "Omega of the crank [rad/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  SliderCrankModel<T> model() const {
    const auto real = [](const char* text) { return Exact(text).value(); };
    const Real100 l1 = real("0.15"), l2 = real("0.3"), h = real("0.008"), E = real("2e11");
    const Real100 m1 = real("0.36"), m2 = real("0.151104"), J1 = real("0.002727"), J2 = real("0.0045339259");
    const Real100 m3 = real(data == "printed" ? "0.7555" : "0.075552");
    const Real100 rod = real(data == "printed" ? "7570" : "7870") * h * h * l2;  // rho b
    const Real100 p = real(pi == "published" ? "3.1415927" : "pi"), slender = h / l2, g = gravity.value();
    const Real100 bending = p * p * p * p / 24 * slender * slender, stiffness = E * h * slender;
    const Real100 axial = axial_mass == "consistent" ? Real100(rod / 15) : rod;
    const auto to = [](const Real100& x) { return static_cast<T>(x); };
    SliderCrankModel<T> x;
    x.l1 = to(l1), x.l2 = to(l2), x.omega = omega.as<T>();
    x.crank_inertia = to(J1 + m2 * l1 * l1), x.coupling = to(l1 * l2 * m2 / 2), x.rod_inertia = to(J2), x.m3 = to(m3);
    x.Mq = {to(rod / 2), to(rod / 2), to(8 * axial), to(2 * axial), to(axial)};
    x.K = {to(stiffness * bending), to(stiffness * bending * 16), to(stiffness * 16 / 3), to(stiffness * 7 / 3),
           to(-stiffness * 8 / 3)};
    x.D = {T(5), T(25), to(real("115.41877276323955")), to(real("210.8710918578409")), to(real("-131.344243996026"))};
    x.c1_3 = to(rod * 2 / 3), x.c1_4 = to(rod / 6), x.c2_1 = to(rod * 2 / p);
    x.c12_3 = to(rod * l2 / 3), x.c12_4 = to(rod * l2 / 6);
    x.c21_1 = to(rod * l2 / p), x.c21_2 = to(-rod * l2 / (2 * p));
    const Real100 cube = p * p * p;
    x.B13 = to(-16 * rod / cube), x.B14 = to(rod * (8 / cube - 1 / p)), x.B24 = to(rod / (2 * p));
    x.damped = damping, x.nonlinear = beam == "nonlinear", x.heavy = g != 0;
    x.stretch = to(p * p * stiffness / (2 * l2)), x.alpha = to(80 / (9 * p * p));
    x.g = to(g), x.g_crank = to(l1 * g * (m1 + 2 * m2) / 2), x.g_rod = to(l2 * g * m2 / 2);
    set_start(x);
    return x;
  }

 private:
  // The elastic coordinates of [TS], from which the crank at phi1 = 0 fixes what the constraints ask for.
  template <class T>
  void set_start(SliderCrankModel<T>& x) const {
    const auto real = [](const char* text) { return Exact(text).as<T>(); };
    x.q0 = x.v0 = Vector<T>::Zero(7);
    if (start != "rigid") {
      x.q0.tail(2) << real("0.103339863e-4"), real("0.169327969e-4");
      x.v0.tail(4) << real("0.4448961125815990"), real("0.4634339319238670e-2"), real("-0.1785910760000550e-5"),
          real("-0.2689386719979040e-5");
    }
    x.q0[2] = x.l1 + x.l2 + x.q0[6];
    x.v0[0] = x.omega, x.v0[1] = -x.l1 * x.omega / (x.l2 + x.q0[6]), x.v0[2] = x.v0[6];
    if (start == "published") x.q0[2] = real("0.450016933"), x.v0[1] = real("-74.99576703969453");
    if (data == "printed") x.q0[2] = real("0.45");
  }
};
const ProblemEntry<SliderCrank> slider_crank_entry;

}  // namespace
}  // namespace daelab
