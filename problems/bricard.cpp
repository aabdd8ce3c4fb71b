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
#include <array>

#include "core/expressions/derivative.hpp"
#include "core/expressions/function.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

constexpr Index coordinates_of_loop = 16;

// A component of a vector of the loop: fixed L + sign q[at].
struct Term {
  int fixed = 0;
  int sign = 0;
  Index at = 0;
};
constexpr Term zero{}, one{1, 0, 0};
constexpr Term at(Index place, int sign = 1, int fixed = 0) { return {fixed, sign, place}; }

using Spot = std::array<Term, 3>;
constexpr std::array<Spot, 6> points{{{zero, zero, zero},  // P1
                                      {at(0), zero, at(1)},
                                      {at(2), at(3), at(4)},
                                      {at(5), at(6), at(7)},
                                      {zero, at(8), at(9)},
                                      {zero, zero, one}}};
constexpr std::array<Spot, 6> axes{{{zero, one, zero},         // u1
                                    {at(1, -1), zero, at(0)},  // (P2 - P1) x u1/L
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

// For a vector x of coordinates or velocities; what is fixed is left out.
Expression rate(const Expressions& x, const Term& term) { return term.sign * x[term.at]; }

using Spatial = std::array<Expression, 3>;

Spatial cross(const Spatial& x, const Spatial& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

// q from th. Joint by joint, e_k = cos e_k-1 - sin (u_k x e_k-1) with the joint's angle, e_0 = -z the ground, and
// u_k+1 perpendicular to both e_k and u_k.
Expressions loop(const Expression& th, const Expression& L) {
  const Expression s = sin(th), c = cos(th), cos_phi = -s / (1 + s), sin_phi = sqrt(1 + s + s) / (1 + s);
  Spatial P, e{0, 0, -1}, u{0, 1, 0};
  Expressions q(coordinates_of_loop);
  const auto store = [&](const Term& term, const Expression& value) {
    if (term.sign != 0) q[term.at] = (value - term.fixed) * (term.sign * L);
  };
  for (Index k = 1; k <= 4; ++k) {
    const bool odd = k % 2 == 1;
    const Spatial turned = cross(u, e);
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

  // loop: (q, dq/dth) of th;  pace: (dt/dth)^2, the energy lost since th = 0 below it.
  Swing(Function<T> loop, const Function<T>& pace, int samples)
      : loop_(std::move(loop)), a_(static_cast<std::size_t>(samples)) {
    for (int j = 0; j < samples; ++j) {
      T s, c;
      sincos(T((2 * j + 1) * pi_ / (4 * samples)), s, c);
      const T dt_dx = pi_ / 2 * s * sqrt(pace({T((1 - c) * pi_ / 2)})[0]);
      const T cos2 = 1 - 2 * s * s;
      T before = cos2, now(1);  // cos(2 (k-1) x), cos(2 k x)
      for (std::size_t k = 0; k < a_.size(); ++k) {
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
    const std::vector<T> loop = loop_({T((1 - c) * pi_ / 2)});
    const T rate = pi_ / 2 * s / dt_dx;
    Motion motion{Vector<Real50>(coordinates_of_loop), Vector<Real50>(coordinates_of_loop)};
    for (Index i = 0; i < coordinates_of_loop; ++i) {
      motion.q[i] = static_cast<Real50>(loop[i]);
      motion.v[i] = static_cast<Real50>(T(loop[coordinates_of_loop + i] * rate));
    }
    return motion;
  }

 private:
  // t = a_0 x + sum a_k sin(2 k x)/(2 k).
  void series(const T& x, T& time, T& dt_dx) const {
    T s1, c1, s(0), c(1);
    sincos(T(2 * x), s1, c1);
    time = a_[0] * x, dt_dx = a_[0];
    for (std::size_t k = 1; k < a_.size(); ++k) {
      const T next = s * c1 + c * s1;
      c = c * c1 - s * s1, s = next;
      time += a_[k] * s / (2 * k);
      dt_dx += a_[k] * c;
    }
  }

  const T pi_ = pi<T>();
  Function<T> loop_;
  std::vector<T> a_;
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
    return {option("mass", mass, "m of a rod [kg]", positive()), option("length", length, "L of a rod [m]", positive()),
            option("width", width, "b, side of the square cross-section [m]", positive()),
            option("gravity", gravity, "g along -y [m/s^2]", positive()),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates(coordinates_of_loop);
    constexpr int start[] = {1, 0, 1, -1, 0, 1, -1, 1, -1, 1, 1, 0, 0, 0, 1, 0};
    for (Index i = 0; i < coordinates_of_loop; ++i) r.start_q[i] = start[i] * Expression(length);
    record_mass(r);
    for (Index k = 1; k < 5; ++k)  // half of two rods
      r.force[points[k][1].at] -= points[k][1].sign * (mass * gravity);
    for (const auto& [a, b] : products) {
      Expression product;
      for (Index i = 0; i < 3; ++i) product += component(r.q, a, i) * component(r.q, b, i);
      r.constraints.push_back(a == b ? (product - length * length) / 2 : product);
    }
    r.kinetic_energy = kinetic_energy(r.v), r.potential_energy = potential_energy(r.q);
    const char* axis_names[] = {"P3_x", "P3_y", "P3_z"};
    for (Index i = 0; i < 3; ++i) r.observe(axis_names[i], value(r.q, points[2][i]));
    // P2 = L (cos th, 0, -sin th); measured from th = pi/2, where the angle does not jump between 0 and pi.
    r.observe("theta1", Exact("pi/2") - atan2(r.q[0], -r.q[1]));
    r.observe("theta1_rate", (r.q[1] * r.v[0] - r.q[0] * r.v[1]) / (length * length));
  }

  // Rods, joints, and the axes of the joints.
  void draw(const Recording& r, Outline& o) const {
    o.is_spatial = true, o.view = {.azimuth = -65, .elevation = 20};
    std::array<OutlinePoint, points.size()> P;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto at = [&](Index i) { return value(r.q, points[k][i]); };
      const auto aside = [&](Index i) { return value(r.q, axes[k][i]) / 4; };
      P[k] = {at(0), at(1), at(2)};
      o.axis({at(0) - aside(0), at(1) - aside(1), at(2) - aside(2)},
             {at(0) + aside(0), at(1) + aside(1), at(2) + aside(2)});
    }
    for (std::size_t k = 0; k < P.size(); ++k) {
      if (k + 1 < P.size()) o.line({P[k], P[k + 1]});
      const bool on_ground = k == 0 || k + 1 == P.size();
      o.add(on_ground ? ShapeKind::support : ShapeKind::joint, {P[k]}, "P_" + std::to_string(k + 1));
    }
    o.dimension(P[0], P[1], "L");
    o.arrow({2 * Expression(length), 0, 0}, {2 * Expression(length), -Expression(length), 0}, "g");
  }

  // The coefficients a_k fall like exp(-2 acosh(4/3) k): the nearest singularity is at sin(th) = -1/2.
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    const auto loop_and_slope = [&](const Expressions& th) {
      Expressions q = loop(th[0], length);
      const Expressions slope = along(q, th, Expressions{1});
      q.insert(q.end(), slope.begin(), slope.end());
      return q;
    };
    const auto pace = [&](const Expressions& th) {
      const Expressions q = loop(th[0], length), slope = along(q, th, Expressions{1});
      const Expression lost = potential_energy(loop(0, length)) - potential_energy(q);
      return Expressions{kinetic_energy(slope) / lost};
    };
    return Swing({1, loop_and_slope}, {1, pace}, 2 * digits).motion(Real100(t));
  }

 private:
  Expression value(const Expressions& q, const Term& term) const { return rate(q, term) + term.fixed * length; }
  Expression component(const Expressions& q, const Direction& d, Index i) const {
    return d.is_rod ? value(q, points[d.k + 1][i]) - value(q, points[d.k][i]) : value(q, axes[d.k][i]);
  }
  Expression section() const { return mass * width * width / (12 * length * length); }

  void record_mass(Recording& r) const {
    const Expression own = Expression(mass) / 3, mutual = Expression(mass) / 6;
    const auto add = [&](const Term& a, const Term& b, const Expression& weight) {
      r.mass(static_cast<int>(a.at), static_cast<int>(b.at)) += a.sign * b.sign * weight;
    };
    for (Index rod = 0; rod < 5; ++rod)
      for (Index i = 0; i < 3; ++i) {
        const Term &begin = points[rod][i], &end = points[rod + 1][i];
        add(begin, begin, own), add(end, end, own);
        add(begin, end, mutual), add(end, begin, mutual);
        for (Index k : {rod, rod + 1}) add(axes[k][i], axes[k][i], section());
      }
  }
  Expression kinetic_energy(const Expressions& v) const {
    Expression energy;
    for (Index rod = 0; rod < 5; ++rod)
      for (Index i = 0; i < 3; ++i) {
        const Expression begin = rate(v, points[rod][i]), end = rate(v, points[rod + 1][i]);
        energy += (begin * begin + begin * end + end * end) * (mass / 6);
        for (Index k : {rod, rod + 1}) energy += square(rate(v, axes[k][i])) * (section() / 2);
      }
    return energy;
  }
  Expression potential_energy(const Expressions& q) const {
    Expression energy;
    for (Index rod = 0; rod < 5; ++rod)
      energy += (value(q, points[rod][1]) + value(q, points[rod + 1][1])) * (mass * gravity / 2);
    return energy;
  }
};
const ProblemEntry<Bricard> bricard_entry;

}  // namespace
}  // namespace daelab
