// Slider-crank with a flexible connecting rod: a stiff mechanical system with a driven crank.
//
//   q = (phi1, phi2, x3, q1, q2, q3, q4): angles of crank and rod [rad], place of the slider [m]; rod: amplitudes of
//   the two sine modes of bending, axial displacements of its middle and of its end [m].
//   C = (l1 sin phi1 + (l2+q4) sin phi2,  x3 - l1 cos phi1 - (l2+q4) cos phi2,  phi1 - Omega t); lambda: forces of the
//   slider's guide and of its joint [N], torque of the drive [N m].
//
// The model of [TS], which is that of [Ren20] without the misprints of the latter (data = printed has them). Its axial
// mass matrix lacks the factor 1/15 of the quadratic element; axial_mass = consistent has it.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, section 8.2.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-19 (after Simeon, 1996).
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

// Entries of a matrix of the four elastic coordinates: diagonal except the axial pair.
struct Elastic {
  Expression d1, d2, d3, d4, d34;

  std::array<Expression, 4> times(const Expressions& q) const {
    return {q[3] * d1, q[4] * d2, q[5] * d3 + q[6] * d34, q[5] * d34 + q[6] * d4};
  }
  Expression form(const Expressions& q) const {  // q.A q
    const auto r = times(q);
    return q[3] * r[0] + q[4] * r[1] + q[5] * r[2] + q[6] * r[3];
  }
};

// The rod: mass per length rho, sums over its length with the shapes of the elastic coordinates [TS].
struct FlexibleRod {
  Expression length;
  Elastic M, K, D;
  Expression c1_3, c1_4, c2_1;            // rho c1, rho c2
  Expression c12_3, c12_4, c21_1, c21_2;  // rho c12, rho c21
  Expression B13, B14, B24;               // rho B, skew-symmetric
  Expression stretch, alpha;              // of the cubic energy stretch (q1^2 q4/2 + 2 q2^2 q4 - alpha q1 q2 w)

  Expression c1(const Expressions& q) const { return q[5] * c1_3 + q[6] * c1_4; }
  Expression c12(const Expressions& q) const { return q[5] * c12_3 + q[6] * c12_4; }
  std::array<Expression, 4> B(const Expressions& q) const {
    return {q[5] * B13 + q[6] * B14, q[6] * B24, -(q[3] * B13), -(q[3] * B14 + q[4] * B24)};
  }
};

struct SliderCrank {
  static constexpr const char* name = "slider-crank";
  static constexpr const char* summary = "Slider-crank with a flexible rod, driven at a constant rate: stiff.";
  static constexpr const char* source = "Ren, Zhou 2020, section 8.2; Test Set for IVP Solvers 2.4, II-19";
  static constexpr bool conserves_energy = false;  // a drive keeps the crank's rate

  enum class Start { smooth, rigid, published };
  enum class Beam { linear, nonlinear };
  enum class AxialMass { published, consistent };
  enum class Pi { published, exact };
  enum class Source { corrected, printed };
  friend std::vector<std::string> names_of(Start) { return {"smooth", "rigid", "published"}; }
  friend std::vector<std::string> names_of(Beam) { return {"linear", "nonlinear"}; }
  friend std::vector<std::string> names_of(AxialMass) { return {"published", "consistent"}; }
  friend std::vector<std::string> names_of(Pi) { return {"published", "exact"}; }
  friend std::vector<std::string> names_of(Source) { return {"corrected", "printed"}; }

  Start start = Start::smooth;
  Beam beam = Beam::linear;
  bool damping = false;
  AxialMass axial_mass = AxialMass::published;
  Pi pi = Pi::published;
  Source data = Source::corrected;
  Exact gravity = 0, omega = 150, end_time = "1/10";

  Options options() {
    return {
        option("start", start,
               "smooth: no oscillation; rigid: undeformed rod, which then oscillates; published: smooth, with the "
               "place of the slider as printed, off the constraint by 2e-10 m"),
        option("beam", beam, "linear, or nonlinear: bending shortens the rod"),
        option("damping", damping, "a little of it in the rod"),
        option("axial_mass", axial_mass, "published, or consistent with the quadratic element (1/15 of it)"),
        option("pi", pi, "published: 3.1415927; exact"),
        option("data", data,
               "corrected: as in the test set; printed: as in section 8.2, with the slider's mass 0.7555 kg, the "
               "density 7570 kg/m^3, from which mass and inertia of the rod follow, the crank's 0.002727 kg m^2 about "
               "its centre of mass instead of its joint, and the place 0.45 m. Printed, too, are three lateral modes "
               "and an axial one: q1, q2 are lateral, q3, q4 axial"),
        option("gravity", gravity, "g [m/s^2]"),
        option("omega", omega, "Omega of the crank [rad/s]"),
        option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates({"phi1", "phi2", "x3", "q1", "q2", "q3", "q4"});
    record_start(r);
    const FlexibleRod rod = flexible_rod();
    const auto& q = r.q;
    const Expression length = rod.length + q[6];
    r.constraints = {sin(q[0]) * l1 + length * sin(q[1]), q[2] - cos(q[0]) * l1 - length * cos(q[1]),
                     q[0] - r.t * omega};
    record_mass(r, rod);
    record_inertia_forces(r, rod);
    r.potential_energy = rod.K.form(q) / 2;
    const auto stiffness = rod.K.times(q), damping_force = rod.D.times(r.v);
    for (int i = 0; i < 4; ++i) r.force[3 + i] -= stiffness[i];
    for (int i = 0; i < 4 && damping; ++i) r.force[3 + i] -= damping_force[i];
    if (beam == Beam::nonlinear) record_stretch(r, rod);
    if (gravity.value() != 0) record_weight(r, rod);
  }

  // The rod as it is bent.
  void draw(const Recording& r, Outline& o) const {
    const auto& q = r.q;
    const Expression c = cos(q[1]), s = sin(q[1]), pi = Exact("pi");
    const OutlinePoint origin{}, pin{cos(q[0]) * l1, sin(q[0]) * l1}, slider{q[2], 0};
    std::vector<OutlinePoint> rod;
    constexpr int parts = 24;
    for (int i = 0; i <= parts; ++i) {
      const Expression x = Expression(i) / parts;  // along the rod; axially a quadratic element
      const Expression ahead = x * l2 + 4 * x * (1 - x) * q[5] + x * (2 * x - 1) * q[6];
      const Expression aside = sin(pi * x) * q[3] + sin(2 * pi * x) * q[4];
      rod.push_back({pin.x + c * ahead - s * aside, pin.y + s * ahead + c * aside});
    }
    o.axis(origin, {Expression(l1) + l2 * Exact("6/5"), 0}, "x");
    o.line({origin, pin}, "1");
    o.line(rod, "2");
    o.guide(slider, {slider.x + l1, 0}, "3");
    o.support(origin, "O"), o.joint(pin), o.joint(slider);
    o.angle(origin, {l1, 0}, pin, "φ_1");
    o.dimension(origin, pin, "l_1", 2), o.dimension(pin, slider, "l_2", 2);
    o.dimension(origin, slider, "x_3", -2);
  }

  std::vector<ConstantTable> constants() const {
    return {{"Section 8.2",
             {{"m_1", m1, "mass of the crank [kg]"},
              {"J_1", J1(), "moment of inertia of the crank about O [kg m^2]"},
              {"l_1", l1, "length of the crank [m]"},
              {"l_2", l2, "length of the undeformed rod [m]"},
              {"ρ", density(), "density of the rod [kg/m^3]"},
              {"h", rod_height, "edge of its square cross-section [m]"},
              {"E", rod_modulus, "its Young's modulus [N/m^2]"},
              {"m_2", m2(), "its mass, where it is rigid [kg]"},
              {"J_2", J2(), "its moment of inertia about the pin [kg m^2]"},
              {"m_3", slider_mass(), "mass of the slider [kg]"},
              {"ω", omega, "rate of the crank [rad/s]"}}}};
  }

 private:
  Exact l1 = "0.15", l2 = "0.3", m1 = "0.36";

  bool is_printed() const { return data == Source::printed; }
  Exact slider_mass() const { return is_printed() ? "0.7555" : "0.075552"; }
  Exact density() const { return is_printed() ? "7570" : "7870"; }
  /// For the rod: density x h^2 l2, and about its end, with (l2^2/3 + h^2/12).
  Exact m2() const { return is_printed() ? "7570*0.008^2*0.3" : "0.151104"; }
  Exact J2() const { return is_printed() ? "7570*0.008^2*0.3*(0.3^2/3 + 0.008^2/12)" : "0.0045339259"; }
  /// For the crank about its joint.
  Exact J1() const { return is_printed() ? "0.002727 + 0.36*(0.15/2)^2" : "0.002727"; }
  Exact rod_height = "0.008", rod_modulus = "2e11";

  FlexibleRod flexible_rod() const {
    const Expression h = rod_height, E = rod_modulus, p = pi == Pi::published ? Exact("3.1415927") : Exact("pi");
    const Expression mass = density() * h * h * l2;
    const Expression slender = h / l2, stiffness = E * h * slender;
    const Expression bending = p * p * p * p / 24 * slender * slender;
    const Expression axial = axial_mass == AxialMass::consistent ? mass / 15 : mass;
    const Expression cube = p * p * p;
    return {
        .length = l2,
        .M = {mass / 2, mass / 2, 8 * axial, 2 * axial, axial},
        .K = {stiffness * bending, stiffness * bending * 16, stiffness * 16 / 3, stiffness * 7 / 3, -stiffness * 8 / 3},
        .D = {5, 25, Exact("115.41877276323955"), Exact("210.8710918578409"), Exact("-131.344243996026")},
        .c1_3 = mass * 2 / 3,
        .c1_4 = mass / 6,
        .c2_1 = mass * 2 / p,
        .c12_3 = mass * l2 / 3,
        .c12_4 = mass * l2 / 6,
        .c21_1 = mass * l2 / p,
        .c21_2 = -mass * l2 / (2 * p),
        .B13 = -16 * mass / cube,
        .B14 = mass * (8 / cube - 1 / p),
        .B24 = mass / (2 * p),
        .stretch = p * p * stiffness / (2 * l2),
        .alpha = 80 / (9 * p * p)};
  }

  // The elastic coordinates of [TS], from which the crank at phi1 = 0 fixes what the constraints ask for.
  void record_start(Recording& r) const {
    auto &q = r.start_q, &v = r.start_v;
    if (start != Start::rigid) {
      q[5] = Exact("0.103339863e-4"), q[6] = Exact("0.169327969e-4");
      v[3] = Exact("0.4448961125815990"), v[4] = Exact("0.4634339319238670e-2");
      v[5] = Exact("-0.1785910760000550e-5"), v[6] = Exact("-0.2689386719979040e-5");
    }
    q[2] = l1 + l2 + q[6];
    v[0] = omega, v[1] = -l1 * omega / (l2 + q[6]), v[2] = v[6];
    if (start == Start::published) q[2] = Exact("0.450016933"), v[1] = Exact("-74.99576703969453");
    if (is_printed()) q[2] = Exact("0.45");
  }

  void record_mass(Recording& r, const FlexibleRod& rod) const {
    const auto& q = r.q;
    const auto set = [&](int i, int j, const Expression& value) { r.mass(i, j) = r.mass(j, i) = value; };
    const Expression s = sin(q[0] - q[1]), c = cos(q[0] - q[1]), ahead = rod.c1(q), aside = q[3] * rod.c2_1;
    r.mass(0, 0) = J1() + m2() * l1 * l1;
    r.mass(1, 1) = J2() + rod.M.form(q) + 2 * rod.c12(q);
    r.mass(2, 2) = slider_mass();
    r.mass(3, 3) = rod.M.d1, r.mass(4, 4) = rod.M.d2, r.mass(5, 5) = rod.M.d3, r.mass(6, 6) = rod.M.d4;
    set(5, 6, rod.M.d34);
    set(0, 1, c * (l1 * l2 * m2() / 2) + (c * ahead + s * aside) * l1);
    set(0, 3, c * (l1 * rod.c2_1));
    set(0, 5, -(s * l1 * rod.c1_3));
    set(0, 6, -(s * l1 * rod.c1_4));
    const auto b = rod.B(q);
    set(1, 3, rod.c21_1 - b[0]);
    set(1, 4, rod.c21_2 - b[1]);
    set(1, 5, -b[2]);
    set(1, 6, -b[3]);
    Expression twice;
    for (const auto& [i, j, entry] : r.mass.entries()) twice += r.v[i] * entry * r.v[j];
    r.kinetic_energy = twice / 2;
  }

  // qd.B qd = 0 of [TS] is left out: B is skew-symmetric.
  void record_inertia_forces(Recording& r, const FlexibleRod& rod) const {
    const auto &q = r.q, &v = r.v;
    const Expression s = sin(q[0] - q[1]), c = cos(q[0] - q[1]), ahead = rod.c1(q), aside = q[3] * rod.c2_1;
    const Expression w1 = v[0] * v[0], w2 = v[1] * v[1], twice = v[1] * 2;
    const Expression lever = s * (l1 * l2 * m2() / 2) + (s * ahead - c * aside) * l1;
    const auto M = rod.M.times(q), b = rod.B(v);
    r.force[0] = -(w2 * lever) - twice * (c * rod.c1(v) + s * v[3] * rod.c2_1) * l1;
    r.force[1] = w1 * lever - twice * (rod.c12(v) + v[3] * M[0] + v[4] * M[1] + v[5] * M[2] + v[6] * M[3]);
    const Expression cl = w1 * c * l1;
    r.force[3] = w2 * M[0] + w1 * s * (l1 * rod.c2_1) + twice * b[0];
    r.force[4] = w2 * M[1] + twice * b[1];
    r.force[5] = w2 * (M[2] + rod.c12_3) + cl * rod.c1_3 + twice * b[2];
    r.force[6] = w2 * (M[3] + rod.c12_4) + cl * rod.c1_4 + twice * b[3];
  }

  static void record_stretch(Recording& r, const FlexibleRod& rod) {
    const auto& q = r.q;
    const Expression w = (q[6] * 2 - q[5] * 4) * rod.alpha, product = q[3] * q[4] * rod.alpha;
    r.force[3] -= (q[3] * q[6] - q[4] * w) * rod.stretch;
    r.force[4] -= (q[4] * q[6] * 4 - q[3] * w) * rod.stretch;
    r.force[5] -= product * 4 * rod.stretch;
    r.force[6] -= (q[3] * q[3] / 2 + q[4] * q[4] * 2 - product * 2) * rod.stretch;
    *r.potential_energy += (q[6] * (q[3] * q[3] / 2 + q[4] * q[4] * 2) - q[3] * q[4] * w) * rod.stretch;
  }

  void record_weight(Recording& r, const FlexibleRod& rod) const {
    const auto& q = r.q;
    const Expression g = gravity, s1 = sin(q[0]), c1 = cos(q[0]), s2 = sin(q[1]), c2 = cos(q[1]);
    const Expression crank = l1 * g * (m1 + 2 * m2()) / 2, middle = l2 * g * m2() / 2;
    const Expression ahead = rod.c1(q), aside = q[3] * rod.c2_1;
    r.force[0] -= c1 * crank;
    r.force[1] -= c2 * middle + (c2 * ahead - s2 * aside) * g;
    r.force[3] -= c2 * (g * rod.c2_1);
    r.force[5] -= s2 * (g * rod.c1_3);
    r.force[6] -= s2 * (g * rod.c1_4);
    *r.potential_energy += s1 * crank + s2 * middle + (s2 * ahead + c2 * aside) * g;
  }
};
const ProblemEntry<SliderCrank> slider_crank_entry;

}  // namespace
}  // namespace daelab
