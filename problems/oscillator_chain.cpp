// Unit masses on a line, without constraints, whose natural frequencies span decades: the lightly damped fast modes
// are what the instability of the BDF methods of order 3 to 5 feeds on.
//
//   q (n) [m] displacements,  M = I [kg],  Q = -S diag(w_k^2) S q - S diag(2 zeta w_k) S v,  m = 0,
//   S_jk = sqrt(2/(n+1)) sin(j k pi/(n+1)), symmetric and orthogonal: column k is mode k,
//   w_k geometric from `slowest` to `fastest`.
//
// The mode shapes are those of a uniform chain of neighbours, whose frequencies 2 w sin(k pi/(2(n+1))) span a decade
// at most; a wider spectrum on the same shapes needs springs and dampers between any two masses. The modes are
// uncoupled exactly, whatever the frequencies, as long as the force goes through them: stiffnesses S_jk w_k^2 S_lk
// summed beforehand would bury the slow modes in round-off of the fast ones. Derivatives therefore multiply n^3
// constants, hence the limit on n. Each mode starts at q = 0 with the same energy. With the default zeta = 0 energy is
// conserved.
#include <fmt/format.h>

#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct OscillatorChain {
  static constexpr const char* name = "oscillator-chain";
  static constexpr const char* summary = "Unconstrained masses with natural frequencies over three decades.";
  static constexpr const char* source = "model problem for the instability of BDF methods on lightly damped modes";
  static constexpr const char* independent_route = "closed form: modes that do not interact";

  int size = 8;
  Exact slowest = "1/20", fastest = 50, damping = 0, mode_energy = "1/2", end_time = 10;

  Options options() {
    return {option("size", size, "n, masses", between(1, 64)),
            option("slowest", slowest, "natural frequency of mode 1 [rad/s]", positive()),
            option("fastest", fastest, "natural frequency of mode n; at least slowest [rad/s]", positive()),
            option("damping", damping, "zeta, modal damping ratio; below 1", at_least(0)),
            option("mode_energy", mode_energy, "of each mode at the start [J]", positive()),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (fastest.value() < slowest.value())
      throw InputError(where + "/fastest", fmt::format("{} is below the slowest frequency {}; allowed: at least {}",
                                                       fastest.text(), slowest.text(), slowest.text()));
    if (damping.value() >= 1)
      throw InputError(where + "/damping",
                       fmt::format("modes with a damping ratio of {} do not oscillate; allowed: at least 0, below 1",
                                   damping.text()));
  }

  void record(Recording& r) const {
    r.coordinates(size);
    const Matrix<Real100> S = shapes();
    const Vector<Real100> w = frequencies();
    const Real100 mode_speed = sqrt(Real100(2 * mode_energy.value()));
    Expression kinetic, potential, slowest_energy, fastest_energy, largest_energy;
    for (int k = 0; k < size; ++k) {
      Expression stretch, speed;  // of mode k
      for (int j = 0; j < size; ++j) stretch += r.q[j] * S(j, k), speed += r.v[j] * S(j, k);
      const Expression along_mode = (stretch * w[k] + speed * (2 * Expression(damping))) * w[k];
      for (int j = 0; j < size; ++j) r.force[j] -= along_mode * S(j, k);

      const Expression moving = square(speed) / 2, stored = square(stretch * w[k]) / 2;
      kinetic += moving, potential += stored;
      fastest_energy = moving + stored;
      if (k == 0) slowest_energy = largest_energy = fastest_energy;
      largest_energy = max(largest_energy, fastest_energy);
    }
    for (int j = 0; j < size; ++j) {
      r.mass(j, j) = 1;
      if (j % 2 == 0) r.start_v[j] = Real100(S.row(j).sum() * mode_speed);  // of every other mass the sum is 0
    }
    r.kinetic_energy = kinetic, r.potential_energy = potential;
    // [J]; an instability shows in the largest first.
    r.observe("slowest_mode_energy", slowest_energy);
    r.observe("fastest_mode_energy", fastest_energy);
    r.observe("largest_mode_energy", largest_energy);
  }
  // In their order, one unit apart; springs join any two of them.
  void draw(const Recording& r, Outline& o) const {
    for (int j = 0; j < size; ++j) {
      const OutlinePoint mass{r.q[j] + j, 0};
      if (j + 1 < size) o.spring(mass, {r.q[j + 1] + (j + 1), 0});
      o.mass(mass, "q_" + std::to_string(j + 1));
    }
  }

  Matrix<Real100> shapes() const {
    const Real100 step = pi<Real100>() / (size + 1), norm = sqrt(Real100(2) / (size + 1));
    const Index half = size + 1;
    Vector<Real100> sine = Vector<Real100>::Zero(2 * half);  // one period, from a quarter: zeros are zeros
    for (Index i = 1; 2 * i <= half; ++i) {
      sine[i] = sine[half - i] = norm * sin(Real100(i * step));
      sine[half + i] = sine[2 * half - i] = -sine[i];
    }
    Matrix<Real100> S(size, size);
    for (Index j = 1; j <= size; ++j)
      for (Index k = 1; k <= size; ++k) S(j - 1, k - 1) = sine[j * k % sine.size()];
    return S;
  }
  Vector<Real100> frequencies() const {
    Vector<Real100> w(size);
    const Real100 decades = log(Real100(fastest.value() / slowest.value()));
    for (Index k = 0; k < size; ++k) w[k] = slowest.value() * exp(Real100(decades * k / std::max(1, size - 1)));
    w[size - 1] = size > 1 ? fastest.value() : slowest.value();  // without round-off of exp(log)
    return w;
  }

  // eta_k = (v0/d) exp(-zeta w t) sin(d t), d = w sqrt(1 - zeta^2).
  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    using T = Real50;
    const Vector<T> w = frequencies().cast<T>();
    const T zeta = damping.as<T>(), root = sqrt(T(1 - zeta * zeta)), mode_speed = sqrt(T(2 * mode_energy.as<T>()));
    Vector<T> eta(size), rate(size);
    for (Index k = 0; k < size; ++k) {
      const T d = w[k] * root, decay = zeta * w[k];
      const T amplitude = mode_speed / d * exp(T(-decay * t));
      T s, c;
      sincos(T(d * t), s, c);
      eta[k] = amplitude * s;
      rate[k] = amplitude * (d * c - decay * s);
    }
    const Matrix<T> S = shapes().cast<T>();
    return Motion{S.lazyProduct(eta), S.lazyProduct(rate)};
  }
};
const ProblemEntry<OscillatorChain> oscillator_chain_entry;

}  // namespace
}  // namespace daelab
