// Planar chain of N uniform links, hinged at the origin, that falls under gravity: as large as one likes.
//
//   q = (x_1, y_1, theta_1, ..., x_N, y_N, theta_N): centres of mass [m] and absolute angles [rad] from the x axis,
//   M = diag(m, m, J, ...), J = m l^2/12,  Q = (0, -m g, 0, ...),  e(theta) = (cos theta, sin theta) l/2,
//   C_1 = r_1 - e(theta_1),  C_k = r_k - e(theta_k) - r_(k-1) - e(theta_(k-1)): n = 3 N, m = 2 N.
//
// It starts straight and at rest. Every row has entries of two neighbours only, so the work per link need not grow with
// N; and links keep their size: the chain gets longer, not finer, and its time scale stays that of a link, sqrt(l/g),
// as long as most of it falls freely.
#include <algorithm>

#include "core/integration/extrapolation.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct LinkChain {
  static constexpr const char* name = "link-chain";
  static constexpr const char* summary = "Planar chain of N links in absolute coordinates, falling: large and sparse.";
  static constexpr const char* source = "own; the n-link pendulum of any textbook";
  static constexpr const char* independent_route =
      "Gragg-Bulirsch-Stoer extrapolation of the N equations in minimal coordinates, up to 32 links";

  int links = 16;
  Exact length = 1, mass = 1, gravity = "9.81", angle = 0, end_time = 1;

  Options options() {
    return {option("links", links, "N", between(1, 100'000)),
            option("length", length, "l of a link [m]", positive()),
            option("mass", mass, "m of a link [kg]", positive()),
            option("gravity", gravity, "g [m/s^2], along -y"),
            option("angle", angle, "start of all angles from the x axis [rad]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    std::vector<std::string> names;
    for (int i = 1; i <= links; ++i)
      for (const char* letter : {"x", "y", "theta"}) names.push_back(letter + std::to_string(i));
    r.coordinates(names);
    const Expression m = mass, half = Expression(length) / 2, J = m * square(length) / 12, weight = m * gravity;
    const Expression start_x = half * cos(angle), start_y = half * sin(angle);
    Expression joint_x, joint_y, moving, turning, height;  // the joint where a link begins; sums over the links
    for (int i = 0; i < links; ++i) {
      const int ix = 3 * i, iy = ix + 1, turn = ix + 2;
      const Expression &x = r.q[ix], &y = r.q[iy], &theta = r.q[turn];
      r.start_q[ix] = (2 * i + 1) * start_x, r.start_q[iy] = (2 * i + 1) * start_y, r.start_q[turn] = angle;
      r.mass(ix, ix) = m, r.mass(iy, iy) = m, r.mass(turn, turn) = J;
      r.force[iy] = -weight;
      const Expression across = half * cos(theta), up = half * sin(theta);
      r.constraints.push_back(x - across - joint_x);
      r.constraints.push_back(y - up - joint_y);
      joint_x = x + across, joint_y = y + up;
      moving += square(r.v[ix]) + square(r.v[iy]);
      turning += square(r.v[turn]);
      height += y;
    }
    r.kinetic_energy = (m * moving + J * turning) / 2;
    r.potential_energy = weight * height;
    r.observe("tip_x", joint_x);
    r.observe("tip_y", joint_y);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression half = Expression(length) / 2;
    OutlinePoint joint{};
    for (std::size_t i = 0; i < r.q.size(); i += 3) {
      const Expression across = half * cos(r.q[i + 2]), up = half * sin(r.q[i + 2]);
      const OutlinePoint end{r.q[i] + across, r.q[i + 1] + up};
      o.line({{r.q[i] - across, r.q[i + 1] - up}, end});
      if (i == 0) o.dimension(joint, end, "l"), o.support(joint, "O");
      if (i > 0) o.joint(joint);
      joint = end;
    }
    const Expression reach = Expression(length) * links / 4;
    o.arrow({0, -reach / 4}, {0, -reach}, "g");
  }

  // Divided by m l^2, with A_ij = N - max(i, j) + 1/2, on the diagonal + 1/3:
  //   sum_j A_ij (cos(th_i - th_j) th_j'' + sin(th_i - th_j) th_j'^2) + (N - i + 1/2) g/l cos th_i = 0.
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    if (links > 32) return {};
    const Index N = links;
    const T pull = gravity.as<T>() / length.as<T>();
    Vector<T> s(N), c(N);
    Matrix<T> A(N, N);
    const auto minimal = [&](const T&, const Vector<T>& y, Vector<T>& f) {
      for (Index i = 0; i < N; ++i) {
        sincos(y[i], s[i], c[i]);
        f[i] = y[N + i];
        f[N + i] = -(2 * (N - i) - 1) * pull * c[i] / 2;
      }
      for (Index i = 0; i < N; ++i) {
        const T weight = T(2 * (N - i) - 1) / 2;
        for (Index j = 0; j < i; ++j) {
          const T sine = weight * (s[i] * c[j] - c[i] * s[j]);
          A(i, j) = weight * (c[i] * c[j] + s[i] * s[j]);
          f[N + i] -= sine * y[N + j] * y[N + j];
          f[N + j] += sine * y[N + i] * y[N + i];
        }
        A(i, i) = T(3 * (N - i) - 2) / 3;
      }
      solve_symmetric(A, f, N);
    };
    // Order about the digits wanted; steps well inside the distance to the nearest complex singularity.
    Vector<T> y = Vector<T>::Zero(2 * N);
    y.head(N).setConstant(angle.as<T>());
    const int steps = std::max(1, static_cast<int>(ceil(digits * t)));
    return motion(extrapolate<T>(minimal, T(0), y, t, steps, digits / 2 - 2));
  }

 private:
  // x of A x = b in place, b from `first` on; A positive definite, its lower triangle is overwritten.
  static void solve_symmetric(Matrix<Real50>& A, Vector<Real50>& x, Index first) {
    const Index N = A.rows();
    for (Index k = 0; k < N; ++k)
      for (Index i = k + 1; i < N; ++i) {
        const Real50 factor = A(i, k) / A(k, k);
        for (Index j = i; j < N; ++j) A(j, i) -= factor * A(j, k);
        x[first + i] -= factor * x[first + k];
      }
    for (Index i = N - 1; i >= 0; --i) {
      for (Index j = i + 1; j < N; ++j) x[first + i] -= A(j, i) * x[first + j];
      x[first + i] /= A(i, i);
    }
  }
  // From angles and rates to all coordinates.
  Motion motion(const Vector<Real50>& y) const {
    using T = Real50;
    const T half = length.as<T>() / 2;
    Vector<T> q(3 * links), v(3 * links), joint = Vector<T>::Zero(4);  // its position and velocity
    for (Index i = 0; i < links; ++i) {
      T s, c;
      sincos(y[i], s, c);
      const T w = y[links + i];
      const Vector<T> along{{half * c, half * s, -half * s * w, half * c * w}}, centre = joint + along;
      q[3 * i] = centre[0], q[3 * i + 1] = centre[1], q[3 * i + 2] = y[i];
      v[3 * i] = centre[2], v[3 * i + 1] = centre[3], v[3 * i + 2] = w;
      joint = centre + along;
    }
    return {q, v};
  }
};
const ProblemEntry<LinkChain> link_chain_entry;

}  // namespace
}  // namespace daelab
