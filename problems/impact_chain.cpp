// Point masses on a line between two walls, without friction: free flight between impacts.
//
//   q = (x1, ..., xN) [m],  M = diag(m1, ..., mN),  Q = 0,  0 <= x1 <= ... <= xN <= l.
//   Impact of neighbours, e the coefficient of restitution, V the velocity of their centre of mass:
//     v1 -> V + e m2 (v2 - v1)/(m1 + m2),  v2 -> V - e m1 (v2 - v1)/(m1 + m2);   of a mass and a wall: v -> -e v.
//
// Every integrator is exact in between: what is left are the events. Their times follow from impact to impact, by
// gap / rate of approach in 50 digits.
#include "core/problem.hpp"

namespace daelab {
namespace {

// An impact numbered from the left: 0 and N are the walls, i the masses i and i + 1, counted from 1.
template <class T>
void collide(Index impact, const Vector<T>& m, const T& e, Vector<T>& v) {
  const Index last = m.size() - 1;
  if (impact == 0 || impact > last) {
    v[impact == 0 ? 0 : last] *= -e;
    return;
  }
  const Index left = impact - 1, right = impact;
  const T total = m[left] + m[right], rate = v[right] - v[left];
  const T centre = (m[left] * v[left] + m[right] * v[right]) / total;
  v[left] = centre + e * m[right] * rate / total;
  v[right] = centre - e * m[left] * rate / total;
}

// The gaps that impacts close, or their rates: of the left wall, between neighbours, of the right wall at `end`.
template <class T>
void gaps(const Vector<T>& x, const T& end, Vector<T>& g) {
  g[0] = x[0];
  const Index n = x.size();
  for (Index i = 1; i < n; ++i) g[i] = x[i] - x[i - 1];
  g[n] = end - x[n - 1];
}

template <class T>
struct ImpactChainModel {
  static constexpr int directions = 3;
  static constexpr bool constant_mass = true;
  T length, restitution;
  Vector<T> m, q0, v0;

  Index coordinates() const { return m.size(); }
  Index constraints() const { return 0; }
  Vector<T> initial_q() const { return q0; }
  Vector<T> initial_v() const { return v0; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    for (Index i = 0; i < m.size(); ++i) M(i, i) = S(m[i]);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& /*Q*/) const {}
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& v) const {
    S twice(T(0));
    for (Index i = 0; i < m.size(); ++i) twice += v[i] * v[i] * m[i];
    return {twice / T(2), S(T(0))};
  }

  std::vector<Event> events() const {
    std::vector<Event> list{{"left-wall", Crossing::falling, Consequence::impact}};
    for (Index i = 1; i < m.size(); ++i)
      list.push_back({fmt::format("masses-{}-{}", i, i + 1), Crossing::falling, Consequence::impact});
    list.push_back({"right-wall", Crossing::falling, Consequence::impact});
    return list;
  }
  void event_functions(const T& /*t*/, const Vector<T>& q, const Vector<T>& /*v*/, Vector<T>& g) const {
    gaps(q, length, g);
  }
  void carry_out(Index event, const T& /*t*/, Vector<T>& /*q*/, Vector<T>& v) const {
    collide(event, m, restitution, v);
  }
};

struct ImpactChain {
  static constexpr const char* name = "impact-chain";
  static constexpr const char* summary = "Masses on a line between two walls: impacts and free flight.";
  static constexpr const char* source = "own; impact law of Newton";
  static constexpr bool conserves_energy = false;  // with restitution < 1
  static constexpr const char* independent_route = "from impact to impact, gap / rate of approach";

  std::vector<Exact> masses = {1, "1/2", "1/4"}, x = {"1/4", "1/2", "3/4"}, v = {1, 0, 0};
  Exact length = 1, restitution = 1, end_time = 5;

  Options options() {
    return {option("masses", masses, "m1, ..., mN from the left [kg]", positive()),
            option("x", x, "start [m], ascending between 0 and the length", positive()),
            option("v", v, "start [m/s]"),
            option("length", length, "distance l of the walls [m]", positive()),
            option("restitution", restitution, "e of all impacts; at most 1", positive()),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (masses.empty()) throw InputError(where + "/masses", "allowed: at least one mass");
    const auto require_each = [&](const char* key, const std::vector<Exact>& list) {
      if (list.size() != masses.size())
        throw InputError(where + "/" + key, fmt::format("allowed: {} numbers, one for each mass", masses.size()));
    };
    require_each("x", x), require_each("v", v);
    if (restitution.value() > 1) throw InputError(where + "/restitution", "allowed: above 0, at most 1");
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!(x[i].value() < (i + 1 < x.size() ? x[i + 1] : length).value()))
        throw InputError(where + "/x", "allowed: ascending, below the length " + length.text());
  }

  template <class T>
  ImpactChainModel<T> model() const {
    return {length.as<T>(), restitution.as<T>(), numbers<T>(masses), numbers<T>(x), numbers<T>(v)};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    Flight flight = start();
    if (!fly_until(t, flight)) return {};
    const Vector<Real50> q = flight.q + (t - flight.t) * flight.v;
    return Motion{q, flight.v};
  }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int /*digits*/) const {
    Flight flight = start();
    if (!fly_until(t, flight)) return {};
    return flight.impacts;
  }

 private:
  // Free flight from the last impact on.
  struct Flight {
    Real50 t;
    Vector<Real50> q, v;
    std::vector<ExactEvent> impacts;
  };
  Flight start() const { return {0, numbers<Real50>(x), numbers<Real50>(v), {}}; }

  // False when impacts accumulate before t.
  bool fly_until(const Real50& t, Flight& flight) const {
    constexpr std::size_t most_impacts = 100'000;
    const Vector<Real50> m = numbers<Real50>(masses);
    const Real50 l = length.as<Real50>(), e = restitution.as<Real50>();
    while (flight.impacts.size() < most_impacts) {
      const auto [impact, wait] = next_impact(flight, l);
      if (impact < 0 || flight.t + wait > t) return true;
      flight.t += wait;
      flight.q += wait * flight.v;
      collide(impact, m, e, flight.v);
      flight.impacts.push_back({impact, flight.t});
    }
    return false;
  }

  // Its number and the time until then; -1: none follows.
  static std::pair<Index, Real50> next_impact(const Flight& flight, const Real50& l) {
    Vector<Real50> gap(flight.q.size() + 1), rate(flight.q.size() + 1);
    gaps(flight.q, l, gap), gaps(flight.v, Real50(0), rate);
    std::pair<Index, Real50> next{-1, 0};
    for (Index i = 0; i < gap.size(); ++i) {
      if (!(rate[i] < 0)) continue;
      const Real50 wait = std::max(Real50(0), Real50(-gap[i] / rate[i]));
      if (next.first < 0 || wait < next.second) next = {i, wait};
    }
    return next;
  }

  template <class T>
  static Vector<T> numbers(const std::vector<Exact>& list) {
    Vector<T> values(static_cast<Index>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) values[static_cast<Index>(i)] = list[i].as<T>();
    return values;
  }
};
const ProblemEntry<ImpactChain> impact_chain_entry;

}  // namespace
}  // namespace daelab
