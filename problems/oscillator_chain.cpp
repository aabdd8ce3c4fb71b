// Unit masses on a line, without constraints, whose natural frequencies span decades: the lightly damped fast modes
// are what the instability of the BDF methods of order 3 to 5 feeds on.
//
//   q (n) [m] displacements,  M = I [kg],  Q = -S diag(w_k^2) S q - S diag(2 zeta w_k) S v,  m = 0,
//   S_jk = sqrt(2/(n+1)) sin(j k pi/(n+1)), symmetric and orthogonal: column k is mode k,
//   w_k geometric from `slowest` to `fastest`.
//
// The mode shapes are those of a uniform chain of neighbours, whose frequencies 2 w sin(k pi/(2(n+1))) span a decade
// at most; a wider spectrum on the same shapes needs springs and dampers between any two masses. The modes are
// uncoupled exactly, whatever the frequencies. Each starts at q = 0 with the same energy. With the default zeta = 0
// energy is conserved.
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct OscillatorChainModel {
  static constexpr int directions = 8;
  static constexpr bool constant_mass = true;
  Matrix<T> shapes;  // S
  Vector<T> w;
  T damping, mode_speed;  // of every mode at the start

  Index coordinates() const { return w.size(); }
  Index constraints() const { return 0; }
  Vector<T> initial_q() const { return Vector<T>::Zero(w.size()); }
  Vector<T> initial_v() const { return shapes.lazyProduct(Vector<T>::Constant(w.size(), mode_speed)); }

  template <class S>
  S modal(const Vector<S>& x, Index k) const {
    S sum = x[0] * shapes(0, k);
    for (Index j = 1; j < w.size(); ++j) sum += x[j] * shapes(j, k);
    return sum;
  }
  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    for (Index j = 0; j < w.size(); ++j) M(j, j) = S(T(1));
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    for (Index k = 0; k < w.size(); ++k) {
      const S along_mode = (modal(q, k) * w[k] + modal(v, k) * T(2 * damping)) * w[k];
      for (Index j = 0; j < w.size(); ++j) Q[j] -= along_mode * shapes(j, k);
    }
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}

  template <class S>
  Energy<S> mode_energy(const Vector<S>& q, const Vector<S>& v, Index k) const {
    const S stretch = modal(q, k) * w[k], speed = modal(v, k);
    return {speed * speed / T(2), stretch * stretch / T(2)};
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    Energy<S> energy;
    for (Index k = 0; k < w.size(); ++k) {
      const Energy<S> mode = mode_energy(q, v, k);
      energy.kinetic += mode.kinetic, energy.potential += mode.potential;
    }
    return energy;
  }
  // [J]; an instability shows in the largest first.
  static std::vector<std::string> observable_names() {
    return {"slowest_mode_energy", "fastest_mode_energy", "largest_mode_energy"};
  }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    out[0] = out[2] = mode_energy(q, v, 0).total();
    for (Index k = 1; k < w.size(); ++k) {
      const S mode = mode_energy(q, v, k).total();
      if (mode > out[2]) out[2] = mode;
    }
    out[1] = mode_energy(q, v, w.size() - 1).total();
  }
};

struct OscillatorChain {
  static constexpr const char* name = "oscillator-chain";
  static constexpr const char* summary = "Unconstrained masses with natural frequencies over three decades.";
  static constexpr const char* source = "model problem for the instability of BDF methods on lightly damped modes";
  static constexpr const char* independent_route = "closed form: modes that do not interact";

  int size = 8;
  Exact slowest = "1/20", fastest = 50, damping = 0, mode_energy = "1/2", end_time = 10;

  Options options() {
    return {option("size", size, "n, masses", between(1, 200)),
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

  template <class T>
  OscillatorChainModel<T> model() const {
    return {shapes<T>(), frequencies<T>(), damping.as<T>(),
            static_cast<T>(Real100(sqrt(Real100(2 * mode_energy.value()))))};
  }
  template <class T>
  Matrix<T> shapes() const {
    const Real100 step = pi<Real100>() / (size + 1), norm = sqrt(Real100(2) / (size + 1));
    Vector<T> sine(2 * (size + 1));  // one period
    for (Index i = 0; i < sine.size(); ++i) sine[i] = static_cast<T>(Real100(norm * sin(Real100(i * step))));
    Matrix<T> S(size, size);
    for (Index j = 1; j <= size; ++j)
      for (Index k = 1; k <= size; ++k) S(j - 1, k - 1) = sine[j * k % sine.size()];
    return S;
  }
  template <class T>
  Vector<T> frequencies() const {
    Vector<T> w(size);
    const Real100 decades = log(Real100(fastest.value() / slowest.value()));
    for (Index k = 0; k < size; ++k)
      w[k] = static_cast<T>(Real100(slowest.value() * exp(Real100(decades * k / std::max(1, size - 1)))));
    return w;
  }

  // eta_k = (v0/d) exp(-zeta w t) sin(d t), d = w sqrt(1 - zeta^2).
  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    using T = Real50;
    const OscillatorChainModel<T> p = model<T>();
    const T root = sqrt(T(1 - p.damping * p.damping));
    Vector<T> eta(size), rate(size);
    for (Index k = 0; k < size; ++k) {
      const T d = p.w[k] * root, decay = p.damping * p.w[k];
      const T amplitude = p.mode_speed / d * exp(T(-decay * t));
      T s, c;
      sincos(T(d * t), s, c);
      eta[k] = amplitude * s;
      rate[k] = amplitude * (d * c - decay * s);
    }
    return Motion{p.shapes.lazyProduct(eta), p.shapes.lazyProduct(rate)};
  }
};
const ProblemEntry<OscillatorChain> oscillator_chain_entry;

}  // namespace
}  // namespace daelab
