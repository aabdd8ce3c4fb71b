// Stars in a plane under each other's gravity: not stiff, without constraints, with close encounters.
//
//   q = (x_1 .. x_n, y_1 .. y_n),  M = diag(m_1 .. m_n, m_1 .. m_n),
//   Q_i = sum over j != i of G m_i m_j (r_j - r_i)/|r_j - r_i|^3.
//
// Default: the seven stars of [TS], in its numbers without units. The squared distance of two of them falls to 1e-3
// between t = 1.2 and t = 2.2. [TS] divides by m_i and writes first-order equations. Energy, momentum and angular
// momentum are conserved.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-6.
#include <fmt/format.h>

#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

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

  void draw(const Recording& r, Outline& o) const {
    const std::size_t n = masses.size();
    for (std::size_t i = 0; i < n; ++i) o.mass({r.q[i], r.q[n + i]}, "m_" + std::to_string(i + 1));
  }

  void record(Recording& r) const {
    const int n = static_cast<int>(masses.size());
    std::vector<std::string> names;
    for (const char* letter : {"x", "y"})
      for (int i = 1; i <= n; ++i) names.push_back(letter + std::to_string(i));
    r.coordinates(names);
    Expression kinetic, potential, momentum_x, momentum_y, angular_momentum;
    for (int i = 0; i < n; ++i) {
      const Expression m = masses[i];
      r.mass(i, i) = r.mass(n + i, n + i) = m;
      r.start_q[i] = x[i], r.start_q[n + i] = y[i];
      r.start_v[i] = vx[i], r.start_v[n + i] = vy[i];
      momentum_x += r.v[i] * m;
      momentum_y += r.v[n + i] * m;
      angular_momentum += (r.q[i] * r.v[n + i] - r.q[n + i] * r.v[i]) * m;
      kinetic += (square(r.v[i]) + square(r.v[n + i])) * (m / 2);
      for (int j = i + 1; j < n; ++j) potential -= attract(r, i, j);
    }
    r.kinetic_energy = kinetic, r.potential_energy = potential;
    r.observe("momentum_x", momentum_x);
    r.observe("momentum_y", momentum_y);
    r.observe("angular_momentum", angular_momentum);
  }

 private:
  // Adds the forces of two stars on each other; the result is the energy that would part them.
  Expression attract(Recording& r, int i, int j) const {
    const int n = static_cast<int>(masses.size());
    const Expression strength = Expression(gravitation) * masses[i] * masses[j];
    const Expression dx = r.q[j] - r.q[i], dy = r.q[n + j] - r.q[n + i];
    const Expression squared = square(dx) + square(dy), distance = sqrt(squared);
    const Expression pull = strength / (squared * distance);
    r.force[i] += pull * dx, r.force[n + i] += pull * dy;
    r.force[j] -= pull * dx, r.force[n + j] -= pull * dy;
    return strength / distance;
  }
};
const ProblemEntry<Pleiades> pleiades_entry;

}  // namespace
}  // namespace daelab
