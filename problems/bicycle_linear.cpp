// Benchmark bicycle, linearised about upright running at the speed v: lean and steer of the problem `bicycle`.
//
//   q = (lean, steer) [rad],   M q'' + v C1 q' + (g K0 + v^2 K2) q = 0;   both angles positive to the right.
//
// M, C1, K0, K2 follow from 25 parameters by Appendix A of [MPRS07], in axes x ahead, y to the right, z down from the
// contact of the rear wheel: w wheel base, c trail, lambda tilt of the steer axis; R rear wheel, B rear frame with
// rider, H front frame, F front wheel. The names are those of the source.
//
// Its Table 2 has the eigenvalues at v = 0, 1, ..., 10 m/s to 14 decimals. Here they are observables, in 100 digits:
// first pairs with imaginary parts, then real ones, each from right to left; 1 and 2 are weave, 3 capsize, 4 castering.
// They give the motion, too: sum of the modes.
//
// [MPRS07] Meijaard, Papadopoulos, Ruina, Schwab, Linearized dynamics equations for the balance and steer of a bicycle:
//          a benchmark and review, Proc. R. Soc. A 463, 2007, 1955-1982.
#include <algorithm>

#include "core/mechanism/problem.hpp"
#include "core/solvers/eigen_basis.hpp"

namespace daelab {
namespace {

struct BicycleMatrices {
  Matrix<Real100> M, C1, K0, K2;
};

struct BicycleLinear {
  static constexpr const char* name = "bicycle-linear";
  static constexpr const char* summary = "Linear equations of the benchmark bicycle, with its published eigenvalues.";
  static constexpr const char* source = "Meijaard, Papadopoulos, Ruina, Schwab 2007, Appendix A, Table 2";
  static constexpr bool conserves_energy = false;
  static constexpr const char* independent_route = "sum of the modes: eigenvalues and eigenvectors in 100 digits";

  Exact w = "1.02", c = "0.08", lambda = "pi/10", g = "9.81";
  Exact rR = "0.3", mR = 2, IRxx = "0.0603", IRyy = "0.12";
  Exact xB = "0.3", zB = "-0.9", mB = 85, IBxx = "9.2", IBxz = "2.4", IBzz = "2.8";
  Exact xH = "0.9", zH = "-0.7", mH = 4, IHxx = "0.05892", IHxz = "-0.00756", IHzz = "0.00708";
  Exact rF = "0.35", mF = 3, IFxx = "0.1405", IFyy = "0.28";
  Exact speed = "4.6", lean_rate = "1/2", end_time = 5;

  Options options() {
    return {option("w", w, "wheel base [m]", positive()),
            option("c", c, "trail [m]"),
            option("lambda", lambda, "tilt of the steer axis [rad]"),
            option("g", g, "gravity [m/s^2]", at_least(0)),
            option("rR", rR, "rear wheel: radius [m]", positive()),
            option("mR", mR, "its mass [kg]", positive()),
            option("IRxx", IRxx, "its moment of inertia about a diameter [kg m^2]", positive()),
            option("IRyy", IRyy, "and about the axle", positive()),
            option("xB", xB, "rear frame: centre of mass, ahead of the contact [m]"),
            option("zB", zB, "and below the ground [m]"),
            option("mB", mB, "its mass [kg]", positive()),
            option("IBxx", IBxx, "its moment of inertia about x [kg m^2]", positive()),
            option("IBxz", IBxz, "an entry of its matrix of inertia, negative product of inertia"),
            option("IBzz", IBzz, "and the one about z", positive()),
            option("xH", xH, "front frame: centre of mass, ahead of the contact of the rear wheel [m]"),
            option("zH", zH, "and below the ground [m]"),
            option("mH", mH, "its mass [kg]", positive()),
            option("IHxx", IHxx, "its moment of inertia about x [kg m^2]", positive()),
            option("IHxz", IHxz, "an entry of its matrix of inertia"),
            option("IHzz", IHzz, "and the one about z", positive()),
            option("rF", rF, "front wheel: radius [m]", positive()),
            option("mF", mF, "its mass [kg]", positive()),
            option("IFxx", IFxx, "its moment of inertia about a diameter [kg m^2]", positive()),
            option("IFyy", IFyy, "and about the axle", positive()),
            option("speed", speed, "v [m/s]"),
            option("lean_rate", lean_rate, "start of lean' [rad/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates({"lean", "steer"});
    r.start_v[0] = lean_rate;
    const BicycleMatrices system = matrices();
    const Matrix<Real100> C = damping(system), K = stiffness(system);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        r.mass(i, j) = system.M(i, j);
        r.force[i] -= r.v[j] * C(i, j) + r.q[j] * K(i, j);
      }
    }
    int number = 0;
    for (const std::complex<Real100>& value : eigenvalues()) {
      const std::string label = "eigenvalue" + std::to_string(++number);
      r.observe(label + "_re", Expression(value.real()));
      r.observe(label + "_im", Expression(value.imag()));
    }
  }

  // Left: from behind, the lean. Right: from above, the front wheel.
  void draw(const Recording& r, Outline& o) const {
    const Expression &lean = r.q[0], &steer = r.q[1], height = -Expression(zB), R = rF, ahead = w;
    const OutlinePoint centre{height * sin(lean), height * cos(lean)}, hub{ahead + R, height / 2};
    o.ground({-ahead / 2, 0}, {ahead / 2, 0});
    o.line({{0, 0}, centre});
    o.mass(centre, "B");
    o.angle({0, 0}, {0, height}, centre, "φ");
    o.axis({ahead, hub.y}, {hub.x + 2 * R, hub.y});
    o.line({{hub.x - R * cos(steer), hub.y + R * sin(steer)}, {hub.x + R * cos(steer), hub.y - R * sin(steer)}});
    o.angle(hub, {hub.x + R, hub.y}, {hub.x + R * cos(steer), hub.y - R * sin(steer)}, "δ");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const std::optional<EigenBasis> basis = eigen_basis(companion());
    if (!basis) return {};
    const Vector<Real100> start{{0, 0, lean_rate.value(), 0}};
    Vector<Real50> state = Vector<Real50>::Zero(4);
    for (Index mode = 0; mode < 4; ++mode) {
      const Real100 phase = basis->values[mode].imag() * Real100(t),
                    size = exp(basis->values[mode].real() * Real100(t));
      std::complex<Real100> share;
      for (Index j = 0; j < 4; ++j) share += basis->inverse(mode, j) * start[j];
      share *= std::complex<Real100>(size * cos(phase), size * sin(phase));
      for (Index i = 0; i < 4; ++i) state[i] += static_cast<Real50>((basis->vectors(i, mode) * share).real());
    }
    return Motion{state.head(2), state.tail(2)};
  }

 private:
  static Matrix<Real100> symmetric(const Real100& a, const Real100& b, const Real100& d) {
    return Matrix<Real100>{{a, b}, {b, d}};
  }

  // [MPRS07, (A 1)-(A 24)]: T the whole bicycle, A the front assembly, S the spins of the wheels.
  BicycleMatrices matrices() const {
    const auto [w, c, rR, mR, xB, zB, mB, xH, zH, mH, rF, mF] =
        values<12>({&this->w, &this->c, &this->rR, &this->mR, &this->xB, &this->zB, &this->mB, &this->xH, &this->zH,
                    &this->mH, &this->rF, &this->mF});
    const auto [IRxx, IRyy, IBxx, IBxz, IBzz, IHxx, IHxz, IHzz, IFxx, IFyy] =
        values<10>({&this->IRxx, &this->IRyy, &this->IBxx, &this->IBxz, &this->IBzz, &this->IHxx, &this->IHxz,
                    &this->IHzz, &this->IFxx, &this->IFyy});
    const Real100 s = sin(lambda.value()), k = cos(lambda.value());

    const Real100 mTxT = xB * mB + xH * mH + w * mF, mTzT = -rR * mR + zB * mB + zH * mH - rF * mF;
    const Real100 ITxx = IRxx + IBxx + IHxx + IFxx + mR * rR * rR + mB * zB * zB + mH * zH * zH + mF * rF * rF;
    const Real100 ITxz = IBxz + IHxz - mB * xB * zB - mH * xH * zH + mF * w * rF;
    const Real100 ITzz = IRxx + IBzz + IHzz + IFxx + mB * xB * xB + mH * xH * xH + mF * w * w;

    const Real100 mA = mH + mF, xA = (xH * mH + w * mF) / mA, zA = (zH * mH - rF * mF) / mA;
    const Real100 dx = xH - xA, dz = zH - zA, ex = w - xA, ez = rF + zA;
    const Real100 IAxx = IHxx + IFxx + mH * dz * dz + mF * ez * ez;
    const Real100 IAxz = IHxz - mH * dx * dz + mF * ex * ez;
    const Real100 IAzz = IHzz + IFxx + mH * dx * dx + mF * ex * ex;
    const Real100 uA = (xA - w - c) * k - zA * s;
    const Real100 IAll = mA * uA * uA + IAxx * s * s + 2 * IAxz * s * k + IAzz * k * k;
    const Real100 IAlx = -mA * uA * zA + IAxx * s + IAxz * k, IAlz = mA * uA * xA + IAxz * s + IAzz * k;

    const Real100 mu = c / w * k, turn = k / w, SF = IFyy / rF, ST = IRyy / rR + SF, SA = mA * uA + mu * mTxT;
    const Real100 gyroscopic = mu * ST + SF * k;
    return {symmetric(ITxx, IAlx + mu * ITxz, IAll + 2 * mu * IAlz + mu * mu * ITzz),
            Matrix<Real100>{{0, gyroscopic + ITxz * turn - mu * mTzT},
                            {-gyroscopic, IAlz * turn + mu * (SA + ITzz * turn)}},
            symmetric(mTzT, -SA, -SA * s), Matrix<Real100>{{0, (ST - mTzT) * turn}, {0, (SA + SF * s) * turn}}};
  }
  template <std::size_t N>
  static std::array<Real100, N> values(const std::array<const Exact*, N>& constants) {
    std::array<Real100, N> list;
    std::transform(constants.begin(), constants.end(), list.begin(), [](const Exact* x) { return x->value(); });
    return list;
  }
  Matrix<Real100> damping(const BicycleMatrices& of) const { return speed.value() * of.C1; }
  Matrix<Real100> stiffness(const BicycleMatrices& of) const {
    return g.value() * of.K0 + speed.value() * speed.value() * of.K2;
  }

  // A of (q, q')' = A (q, q').
  Matrix<Real100> companion() const {
    const BicycleMatrices of = matrices();
    const Matrix<Real100>& M = of.M;
    const Matrix<Real100> inverse = symmetric(M(1, 1), -M(0, 1), M(0, 0)) / (M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0));
    Matrix<Real100> A = Matrix<Real100>::Zero(4, 4);
    A(0, 2) = A(1, 3) = 1;
    A.bottomLeftCorner(2, 2) = -inverse.lazyProduct(stiffness(of));
    A.bottomRightCorner(2, 2) = -inverse.lazyProduct(damping(of));
    return A;
  }
  // None where two of them meet.
  std::vector<std::complex<Real100>> eigenvalues() const {
    const std::optional<EigenBasis> basis = eigen_basis(companion());
    if (!basis) return {};
    std::vector<std::complex<Real100>> list(basis->values.begin(), basis->values.end());
    for (auto& value : list)
      if (abs(value.imag()) < Real100("1e-60")) value.imag(0);  // round-off
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      if ((a.imag() == 0) != (b.imag() == 0)) return b.imag() == 0;
      return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
    });
    return list;
  }
};
const ProblemEntry<BicycleLinear> bicycle_linear_entry;

}  // namespace
}  // namespace daelab
