// Point masses on a line between two walls, without friction: free flight between impacts.
//
//   q = (x1, ..., xN) [m],  M = diag(m1, ..., mN),  Q = 0,  0 <= x1 <= ... <= xN <= l.
//   Impact of neighbours, e the coefficient of restitution, V the velocity of their centre of mass:
//     v1 -> V + e m2 (v2 - v1)/(m1 + m2),  v2 -> V - e m1 (v2 - v1)/(m1 + m2);   of a mass and a wall: v -> -e v.
//
// Every integrator is exact in between: what is left are the events. Their times follow from impact to impact, by
// gap / rate of approach in 50 digits.
#include <fmt/format.h>

#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

// Numbers and expressions collide alike. An impact numbered from the left: 0 and N are the walls, i the masses i and i
// + 1, counted from 1.
template <class T>
void collide(Index impact, const auto& m, const T& e, auto& v) {
  const Index last = static_cast<Index>(m.size()) - 1;
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
void gaps(const auto& x, const T& end, auto& g) {
  g[0] = x[0];
  const Index n = static_cast<Index>(x.size());
  for (Index i = 1; i < n; ++i) g[i] = x[i] - x[i - 1];
  g[n] = end - x[n - 1];
}

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

  void record(Recording& r) const {
    const int n = static_cast<int>(masses.size());
    std::vector<std::string> names;
    for (int i = 1; i <= n; ++i) names.push_back("x" + std::to_string(i));
    r.coordinates(names);
    r.start_q.assign(x.begin(), x.end());
    r.start_v.assign(v.begin(), v.end());
    const Expressions m(masses.begin(), masses.end());
    Expression twice;
    for (int i = 0; i < n; ++i) {
      r.mass(i, i) = m[i];
      twice += square(r.v[i]) * m[i];
    }
    r.kinetic_energy = twice / 2;
    r.potential_energy = 0;

    Expressions gap(masses.size() + 1);
    gaps<Expression>(r.q, length, gap);
    for (int i = 0; i <= n; ++i) {
      const std::string name = i == 0 ? "left-wall" : i == n ? "right-wall" : fmt::format("masses-{}-{}", i, i + 1);
      Jump& after = r.event({name, Crossing::falling, Consequence::impact}, gap[i]);
      collide<Expression>(i, m, restitution, after.v);
    }
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression l = length, height = l / 8, half = l / 40;
    o.ground({0, 0}, {0, height});
    o.ground({l, height}, {l, 0});
    o.line({{0, 0}, {l, 0}});
    for (std::size_t i = 0; i < r.q.size(); ++i) {
      o.polygon({{r.q[i] - half, 0}, {r.q[i] + half, 0}, {r.q[i] + half, 2 * half}, {r.q[i] - half, 2 * half}});
      o.label({r.q[i], 2 * half}, "m_" + std::to_string(i + 1));
    }
    o.dimension({0, 0}, {l, 0}, "l", -1);
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
  Flight start() const { return {0, numbers(x), numbers(v), {}}; }

  // False when impacts accumulate before t.
  bool fly_until(const Real50& t, Flight& flight) const {
    constexpr std::size_t most_impacts = 100'000;
    const Vector<Real50> m = numbers(masses);
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

  static Vector<Real50> numbers(const std::vector<Exact>& list) {
    Vector<Real50> values(static_cast<Index>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) values[static_cast<Index>(i)] = list[i].as<Real50>();
    return values;
  }
};
const ProblemEntry<ImpactChain> impact_chain_entry;

}  // namespace
}  // namespace daelab
