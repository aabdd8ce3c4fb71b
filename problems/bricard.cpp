// Bricard's mechanism: a closed loop of five rods and six revolute joints that moves although counting says it
// cannot. In natural coordinates, joint points and joint axes shared by the rods they connect.
//
//   q [m]: P2 = (q1, 0, q2), P3, P4, P5 = (0, q9, q10), u3, u4. Rod k runs from P_k to P_k+1 and carries the axes u_k
//   and u_k+1, vectors of the length L, perpendicular to it and to each other. The ground fixes P1, u1, P6, u6; rods 1
//   and 5 turn about u1 and u6, so P2 and P5 stay in a plane and u2, u5 follow from them.
//   C (16) [m^2], all of them quadratic: lengths of the rods (5), of u3 and u4 (2), and the three right angles between
//   P_k+1 - P_k, u_k and u_k+1 of the rods 2, 3, 4 (9; those of rods 1 and 5 are built in). lambda [N/m].
//
// Any point of a rod is a constant combination of its two points and two axes, so the mass matrix is constant:
// per rod m/3 and m/6 for the points and m b^2/12, the second moment of the square cross-section, for each u/L.
// n = 16 and m = 16 leave no degree of freedom by counting; C_q has rank 15 all along the motion: one constraint is
// redundant, one degree of freedom remains. Without angles no coordinate is singular.
//
// Default: IFToMM problem A04, the loop along the edges of a cube, released at rest; gravity along -y. Rod 1 swings
// from th = 0 to pi and back. Its angle th determines the others: the joints 1, 3, 5 are turned by one angle alpha,
// cos(alpha) = sin(th), the joints 2, 4, 6 by another, phi, with cos(alpha) + cos(phi) + cos(alpha) cos(phi) = 0.
// [CYT05] Chen, You, Tarnai, Threefold-symmetric Bricard linkages for deployable structures, International Journal
// of Solids and Structures 42, 2005, 2287-2301, with a twist of 90 degrees.
#include "core/problem.hpp"

namespace daelab {
namespace {

constexpr Index coordinates_of_loop = 16;

// A component of a vector of the loop: fixed L + sign q[at].
struct Slot {
  int fixed = 0;
  int sign = 0;
  Index at = 0;
};
constexpr Slot zero{}, one{1, 0, 0};
constexpr Slot at(Index place, int sign = 1, int fixed = 0) { return {fixed, sign, place}; }

using Spot = std::array<Slot, 3>;
constexpr std::array<Spot, 6> points{{{zero, zero, zero},        // P1
                                      {at(0), zero, at(1)},
                                      {at(2), at(3), at(4)},
                                      {at(5), at(6), at(7)},
                                      {zero, at(8), at(9)},
                                      {zero, zero, one}}};
constexpr std::array<Spot, 6> axes{{{zero, one, zero},             // u1
                                    {at(1, -1), zero, at(0)},      // (P2 - P1) x u1/L
                                    {at(10), at(11), at(12)},
                                    {at(13), at(14), at(15)},
                                    {zero, at(9, 1, -1), at(8, -1)},  // u6/L x (P6 - P5)
                                    {one, zero, zero}}};

// A vector of the length L: the axis u_k, or the rod P_k+1 - P_k.
struct Direction {
  bool is_rod;
  Index k;  // from 0
  constexpr bool operator==(const Direction&) const = default;
};
struct Product {
  Direction a, b;  // the same: length given; otherwise perpendicular
};
constexpr std::array<Product, 16> products = [] {
  std::array<Product, 16> list{};
  Index i = 0;
  for (Index k = 0; k < 5; ++k) list[i++] = {{true, k}, {true, k}};
  for (Index k = 2; k < 4; ++k) list[i++] = {{false, k}, {false, k}};
  for (Index k = 1; k < 4; ++k) {
    const Direction rod{true, k}, u{false, k}, next{false, k + 1};
    list[i++] = {rod, u}, list[i++] = {rod, next}, list[i++] = {u, next};
  }
  return list;
}();

template <class T>
struct BricardModel {
  static constexpr int directions = 8;
  static constexpr bool constant_mass = true;
  T m, length, width, g;

  Index coordinates() const { return coordinates_of_loop; }
  Index constraints() const { return products.size(); }
  Vector<T> initial_q() const {
    Vector<T> q(coordinates_of_loop);
    q << 1, 0, 1, -1, 0, 1, -1, 1, -1, 1, 1, 0, 0, 0, 1, 0;
    return q * length;
  }
  Vector<T> initial_v() const { return Vector<T>::Zero(coordinates_of_loop); }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    const auto add = [&](const Slot& a, const Slot& b, const T& weight) { M(a.at, b.at) += a.sign * b.sign * weight; };
    const T own = m / 3, mutual = m / 6, section = m * width * width / (12 * length * length);
    for (Index rod = 0; rod < 5; ++rod)
      for (Index i = 0; i < 3; ++i) {
        const Slot &begin = points[rod][i], &end = points[rod + 1][i];
        add(begin, begin, own), add(end, end, own);
        add(begin, end, mutual), add(end, begin, mutual);
        for (Index k : {rod, rod + 1}) add(axes[k][i], axes[k][i], section);
      }
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    for (Index k = 1; k < 5; ++k) Q[points[k][1].at] -= S(points[k][1].sign * m * g);  // half of two rods
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    for (std::size_t row = 0; row < products.size(); ++row) {
      const auto& [a, b] = products[row];
      S product = component(q, a, 0) * component(q, b, 0);
      for (Index i = 1; i < 3; ++i) product += component(q, a, i) * component(q, b, i);
      C[row] = a == b ? (product - S(length * length)) / T(2) : product;
    }
  }
  void constraint_jacobian(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) const {
    constraint(t, q, C);
    C_q.setZero();
    for (std::size_t row = 0; row < products.size(); ++row) {
      const auto& [a, b] = products[row];
      for (Index i = 0; i < 3; ++i) {
        add_gradient(C_q, row, a, i, component(q, b, i));
        if (a != b) add_gradient(C_q, row, b, i, component(q, a, i));
      }
    }
  }
  void constraint_curvature(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& v, Vector<T>& h) const {
    for (std::size_t row = 0; row < products.size(); ++row) {
      const auto& [a, b] = products[row];
      T product(0);
      for (Index i = 0; i < 3; ++i) product += rate(v, a, i) * rate(v, b, i);
      h[row] = a == b ? product : T(2 * product);
    }
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    Energy<S> energy;
    const T section = m * width * width / (24 * length * length);
    for (Index rod = 0; rod < 5; ++rod) {
      for (Index i = 0; i < 3; ++i) {
        const S begin = rate(v, points[rod][i]), end = rate(v, points[rod + 1][i]);
        energy.kinetic += (begin * begin + begin * end + end * end) * T(m / 6);
        for (Index k : {rod, rod + 1}) {
          const S turn = rate(v, axes[k][i]);
          energy.kinetic += turn * turn * section;
        }
      }
      energy.potential += (value(q, points[rod][1]) + value(q, points[rod + 1][1])) * T(m * g / 2);
    }
    return energy;
  }
  static std::vector<std::string> observable_names() { return {"P3_x", "P3_y", "P3_z", "theta1", "theta1_rate"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    using std::atan2;
    for (Index i = 0; i < 3; ++i) out[i] = value(q, points[2][i]);
    // P2 = L (cos th, 0, -sin th); measured from th = pi/2, where the angle does not jump between 0 and pi.
    out[3] = pi<T>() / 2 - atan2(q[0], S(-q[1]));
    out[4] = (q[1] * v[0] - q[0] * v[1]) / T(length * length);
  }

 private:
  template <class S>
  static S rate(const Vector<S>& v, const Slot& slot) {
    return v[slot.at] * T(slot.sign);
  }
  template <class S>
  S value(const Vector<S>& q, const Slot& slot) const {
    return rate(q, slot) + S(slot.fixed * length);
  }
  template <class S>
  static S rate(const Vector<S>& v, const Direction& d, Index i) {
    return d.is_rod ? rate(v, points[d.k + 1][i]) - rate(v, points[d.k][i]) : rate(v, axes[d.k][i]);
  }
  template <class S>
  S component(const Vector<S>& q, const Direction& d, Index i) const {
    return d.is_rod ? value(q, points[d.k + 1][i]) - value(q, points[d.k][i]) : value(q, axes[d.k][i]);
  }
  static void add_gradient(Matrix<T>& C_q, Index row, const Direction& d, Index i, const T& slope) {
    const auto add = [&](const Slot& slot, int sign) { C_q(row, slot.at) += sign * slot.sign * slope; };
    if (d.is_rod) {
      add(points[d.k + 1][i], 1);
      add(points[d.k][i], -1);
    } else {
      add(axes[d.k][i], 1);
    }
  }
};

template <class S>
using Spatial = std::array<S, 3>;

template <class S>
Spatial<S> cross(const Spatial<S>& x, const Spatial<S>& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

// q from th. Joint by joint, e_k = cos e_k-1 - sin (u_k x e_k-1) with the joint's angle, e_0 = -z the ground, and
// u_k+1 perpendicular to both e_k and u_k.
template <class T>
Vector<Dual<T, 1>> loop(const Dual<T, 1>& th, const T& L) {
  using S = Dual<T, 1>;
  S s, c;
  sincos(th, s, c);
  const S unit(T(1)), cos_phi = -s / (unit + s), sin_phi = sqrt(unit + s + s) / (unit + s);
  Spatial<S> P{}, e{S(), S(), -unit}, u{S(), unit, S()};
  Vector<S> q(coordinates_of_loop);
  const auto store = [&](const Slot& slot, const S& value) {
    if (slot.sign != 0) q[slot.at] = (value - S(T(slot.fixed))) * (slot.sign * L);
  };
  for (Index k = 1; k <= 4; ++k) {
    const bool odd = k % 2 == 1;
    const Spatial<S> turned = cross(u, e);
    for (Index i = 0; i < 3; ++i) {
      e[i] = odd ? s * e[i] - c * turned[i] : cos_phi * e[i] - sin_phi * turned[i];
      P[i] += e[i];
    }
    u = odd ? cross(e, u) : cross(u, e);
    for (Index i = 0; i < 3; ++i) store(points[k][i], P[i]), store(axes[k][i], u[i]);
  }
  return q;
}

// Time along the motion by quadrature: th'^2 = 2 (V(0) - V(th))/J(th). With th = (1 - cos x) pi/2 the square root
// singularities where the rod turns back disappear and x goes on for ever. th and pi - th are mirror images, so dt/dx
// has the period pi: a series in cos(2 k x).
class Swing {
 public:
  using T = Real100;

  Swing(const BricardModel<T>& model, int samples) : model_(model), a_(Vector<T>::Zero(samples)) {
    const T start_potential = at(T(0)).energy.potential;
    for (int j = 0; j < samples; ++j) {
      T s, c;
      sincos(T((2 * j + 1) * pi_ / (4 * samples)), s, c);
      const Energy<T> energy = at(T((1 - c) * pi_ / 2)).energy;
      const T dt_dx = pi_ / 2 * s * sqrt(energy.kinetic / (start_potential - energy.potential));
      const T cos2 = 1 - 2 * s * s;
      T before = cos2, now(1);  // cos(2 (k-1) x), cos(2 k x)
      for (int k = 0; k < samples; ++k) {
        a_[k] += (k == 0 ? 1 : 2) * dt_dx * now / samples;
        before = 2 * cos2 * now - before;
        std::swap(before, now);
      }
    }
  }

  Motion motion(const T& t) const {
    T x = t / a_[0], time, dt_dx;
    for (int iteration = 0; iteration < 30; ++iteration) {
      series(x, time, dt_dx);
      const T change = (t - time) / dt_dx;
      x += change;
      if (abs(change) < Exact("1e-45").value()) break;  // quadratic: 1e-80 is left
    }
    series(x, time, dt_dx);
    T s, c;
    sincos(x, s, c);
    const State state = at(T((1 - c) * pi_ / 2));
    const T rate = pi_ / 2 * s / dt_dx;
    Motion motion{Vector<Real50>(coordinates_of_loop), Vector<Real50>(coordinates_of_loop)};
    for (Index i = 0; i < coordinates_of_loop; ++i) {
      motion.q[i] = static_cast<Real50>(state.q[i]);
      motion.v[i] = static_cast<Real50>(T(state.slope[i] * rate));
    }
    return motion;
  }

 private:
  struct State {
    Vector<T> q, slope;  // dq/dth
    Energy<T> energy;    // at th' = 1
  };
  State at(const T& th) const {
    Dual<T, 1> angle(th);
    angle.d[0] = T(1);
    const Vector<Dual<T, 1>> loop_of_angle = loop(angle, model_.length);
    State state{Vector<T>(coordinates_of_loop), Vector<T>(coordinates_of_loop), {}};
    for (Index i = 0; i < coordinates_of_loop; ++i)
      state.q[i] = loop_of_angle[i].v, state.slope[i] = loop_of_angle[i].d[0];
    state.energy = model_.energy(T(0), state.q, state.slope);
    return state;
  }
  // t = a_0 x + sum a_k sin(2 k x)/(2 k).
  void series(const T& x, T& time, T& dt_dx) const {
    T s1, c1, s(0), c(1);
    sincos(T(2 * x), s1, c1);
    time = a_[0] * x, dt_dx = a_[0];
    for (Index k = 1; k < a_.size(); ++k) {
      const T next = s * c1 + c * s1;
      c = c * c1 - s * s1, s = next;
      time += a_[k] * s / (2 * k);
      dt_dx += a_[k] * c;
    }
  }

  const BricardModel<T>& model_;
  const T pi_ = pi<T>();
  Vector<T> a_;
};

struct Bricard {
  static constexpr const char* name = "bricard";
  static constexpr const char* summary = "Loop of five rods and six revolute joints, one constraint redundant.";
  static constexpr const char* source = "IFToMM multibody benchmark library, problem A04";
  static constexpr Index redundant_constraints = 1;
  static constexpr const char* independent_route =
      "loop in closed form; quadrature of its one equation for the time, a cosine series";

  Exact mass = 1, length = 1, width = "1/10", gravity = "9.81", end_time = 10;

  Options options() {
    return {option("mass", mass, "m of a rod [kg]", positive()),
            option("length", length, "L of a rod [m]", positive()),
            option("width", width, "b, side of the square cross-section [m]", positive()),
            option("gravity", gravity, "g along -y [m/s^2]", positive()),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  BricardModel<T> model() const {
    return {mass.as<T>(), length.as<T>(), width.as<T>(), gravity.as<T>()};
  }

  // The coefficients a_k fall like exp(-2 acosh(4/3) k): the nearest singularity is at sin(th) = -1/2.
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    const BricardModel<Real100> wide = model<Real100>();
    return Swing(wide, 2 * digits).motion(Real100(t));
  }
};
const ProblemEntry<Bricard> bricard_entry;

}  // namespace
}  // namespace daelab
