// Stars in a plane under each other's gravity: not stiff, without constraints, with close encounters.
//
//   q = (x_1 .. x_n, y_1 .. y_n),  M = diag(m_1 .. m_n, m_1 .. m_n),
//   Q_i = sum over j != i of G m_i m_j (r_j - r_i)/|r_j - r_i|^3.
//
// Default: the seven stars of [TS], in its numbers without units. The squared distance of two of them falls to 1e-3
// between t = 1.2 and t = 2.2. [TS] divides by m_i and writes first-order equations. Energy, momentum and angular
// momentum are conserved.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-6.
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct PleiadesModel {
  static constexpr int directions = 7;
  static constexpr bool constant_mass = true;
  T G;
  Vector<T> m, q0, v0;

  Index stars() const { return m.size(); }
  Index coordinates() const { return 2 * stars(); }
  Index constraints() const { return 0; }
  Vector<T> initial_q() const { return q0; }
  Vector<T> initial_v() const { return v0; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    for (Index i = 0; i < coordinates(); ++i) M(i, i) = S(m[i % stars()]);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& /*v*/, Vector<S>& Q) const {
    using std::sqrt;
    const Index n = stars();
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) {
        const S dx = q[j] - q[i], dy = q[n + j] - q[n + i], square = dx * dx + dy * dy;
        const S pull = S(T(G * m[i] * m[j])) / (square * sqrt(square));
        const S x = pull * dx, y = pull * dy;
        Q[i] += x, Q[n + i] += y;
        Q[j] -= x, Q[n + j] -= y;
      }
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}

  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    using std::sqrt;
    const Index n = stars();
    Energy<S> energy;
    for (Index i = 0; i < n; ++i) {
      energy.kinetic += (v[i] * v[i] + v[n + i] * v[n + i]) * T(m[i] / 2);
      for (Index j = i + 1; j < n; ++j) {
        const S dx = q[j] - q[i], dy = q[n + j] - q[n + i];
        energy.potential -= S(T(G * m[i] * m[j])) / sqrt(dx * dx + dy * dy);
      }
    }
    return energy;
  }
  static std::vector<std::string> observable_names() { return {"momentum_x", "momentum_y", "angular_momentum"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    const Index n = stars();
    for (S& sum : out) sum = S();
    for (Index i = 0; i < n; ++i) {
      out[0] += v[i] * m[i];
      out[1] += v[n + i] * m[i];
      out[2] += (q[i] * v[n + i] - q[n + i] * v[i]) * m[i];
    }
  }
};

struct Pleiades {
  static constexpr const char* name = "pleiades";
  static constexpr const char* summary = "Seven stars in a plane with close encounters: not stiff, no constraints.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-6";

  Exact gravitation = 1, end_time = 3;
  std::vector<Exact> masses = {1, 2, 3, 4, 5, 6, 7};
  std::vector<Exact> x = {3, 3, -1, -3, 2, -2, 2}, y = {3, -3, 2, 0, 0, -4, 4};
  std::vector<Exact> vx = {0, 0, 0, 0, 0, "7/4", "-3/2"}, vy = {0, 0, 0, "-5/4", 1, 0, 0};

  Options options() {
    return {option("gravitation", gravitation, "G", positive()),
            option("masses", masses, "m, one for each star", positive()),
            option("x", x, "start, one for each star"),
            option("y", y, "start"),
            option("vx", vx, "start"),
            option("vy", vy, "start"),
            option("end_time", end_time, "T", positive())};
  }
  void validate(const std::string& where) const {
    if (masses.empty()) throw InputError(where + "/masses", "allowed: at least one star");
    const auto check = [&](const char* key, const std::vector<Exact>& list) {
      if (list.size() != masses.size())
        throw InputError(fmt::format("{}/{}", where, key),
                         fmt::format("has {} numbers for {} masses", list.size(), masses.size()));
    };
    check("x", x), check("y", y), check("vx", vx), check("vy", vy);
  }

  template <class T>
  PleiadesModel<T> model() const {
    return {gravitation.as<T>(), numbers<T>(masses), pairs<T>(x, y), pairs<T>(vx, vy)};
  }

 private:
  template <class T>
  static Vector<T> numbers(const std::vector<Exact>& list) {
    Vector<T> values(static_cast<Index>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) values[static_cast<Index>(i)] = list[i].as<T>();
    return values;
  }
  template <class T>
  static Vector<T> pairs(const std::vector<Exact>& first, std::vector<Exact> second) {
    second.insert(second.begin(), first.begin(), first.end());
    return numbers<T>(second);
  }
};
const ProblemEntry<Pleiades> pleiades_entry;

}  // namespace
}  // namespace daelab
