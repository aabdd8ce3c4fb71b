// Woodpecker toy: a sleeve on a pole, a bird on a spring of the sleeve. The sleeve jams on the pole by friction, slides
// down, and is free in between; the beak hits the pole. The motion tends to a limit cycle.
//
//   q = (y [m], phiM, phiS [rad]): place of the sleeve, angles of sleeve and bird,  m = mM + mS,  S = cphi (phiM -
//   phiS), M = [m, mS lM, mS lG; ., JM + mS lM^2, mS lM lG; ., ., JS + mS lG^2],  Q = (-m g, -S - mS g lM, S - mS g
//   lG), contact   gap                            normal direction  sliding direction beak      lM + lG - lS - r0 - hS
//   phiS    (0, 0, -hS)       (1, lM, lG - lS) lower     rM - r0 + hM phiM              (0, hM, 0)        (1, rM, 0)
//   upper     rM - r0 - hM phiM              (0, -hM, 0)       (1, rM, 0)
//
// Impacts: law of Newton with e1 at the beak and 0 at the sleeve, Coulomb friction mu, no restitution along the pole;
// one contact at a time, which holds in this motion. A contact of the sleeve may last: phiM'' = 0, and the sleeve
// sticks (y'' = 0) or slides in the direction d, T = -mu d N. It opens where N falls to zero.
//
// In each of these phases u = phiM - phiS is harmonic, or grows exponentially where friction outweighs the spring, and
// the rest follows from it: all motions and the functions of all events are in closed form.
//
// The source starts at y' = -0.3411, phiS = -0.2788, phiS' = -7.4583, sliding. Its limit cycle passes phiS = -0.2788 at
// y' = -0.33948, phiS' = -7.46209; the period is 0.1459760651 s. Other starts lead to another one, of two pecks.
//
// [PG96] Pfeiffer, Glocker, Multibody Dynamics with Unilateral Contacts, Wiley 1996, Chap. 16.
// [LGC01] Leine, Glocker, van Campen, Nonlinear dynamics of the woodpecker toy, Proc. DETC'01, VIB-21608.
#include <array>

#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

enum WoodpeckerEvent { beak_hits, lower_hits, upper_hits, contact_opens, sliding_ends, sticking_fails };
// Which contact of the sleeve lasts, 1 the lower, -1 the upper, 0 none; and which way it slides, 0: it sticks.
struct SleevePhase {
  int side, slip;
  bool sticks() const { return side != 0 && slip == 0; }
};
constexpr int mode_of(SleevePhase phase) { return 3 * (phase.side + 1) + phase.slip + 1; }
constexpr SleevePhase phase_of(int mode) { return {mode / 3 - 1, mode % 3 - 1}; }
constexpr SleevePhase free_sleeve{0, 0};

Real50 select(bool condition, const Real50& yes, const Real50& no) { return condition ? yes : no; }

template <class T>
struct ContactForce {
  T normal, tangential, slip;  // the last: -1, 0 or 1
};

// The toy in numbers or in expressions.
template <class T>
struct Toy {
  using Row = std::array<T, 3>;

  T mM, m, a, b, k, IM, IS, cphi, g, mu, r0, rM, hM, lM, reach, hS, arm, restitution;
  std::array<Row, 3> inverse;  // of M

  T jam() const { return (rM - r0) / hM; }
  T spring(const auto& q) const { return cphi * (q[1] - q[2]); }
  T reduced() const { return IS - b * b / m; }
  T beak_gap(const auto& q) const { return reach - hS * q[2]; }
  T sleeve_gap(int side, const auto& q) const { return rM - r0 + side * hM * q[1]; }
  Row solved(const Row& w) const {
    Row x;
    for (std::size_t i = 0; i < 3; ++i) x[i] = inverse[i][0] * w[0] + inverse[i][1] * w[1] + inverse[i][2] * w[2];
    return x;
  }

  // N over S of a contact that slides: of the three equations of motion with phiM'' = 0, T = -mu d N.
  T slip_ratio(int side, const T& slip) const {
    const T share = mu * (a / m - rM - k * mM / m * b / (m * reduced()));
    return (k * mM / (m * reduced()) + 1) / (side * hM + slip * share);
  }
  ContactForce<T> slipping(int side, const T& slip, const T& S) const {
    const T normal = slip_ratio(side, slip) * S;
    return {normal, -(mu * slip * normal), slip};
  }
  ContactForce<T> sticking(int side, const T& S) const {
    const T acceleration = (S - b * g) / IS, tangential = b * acceleration + m * g;
    return {side * (k * acceleration + S + a * g - rM * tangential) / hM, tangential, T(0)};
  }
  ContactForce<T> force(SleevePhase phase, const auto& q) const {
    if (phase.side == 0) return {T(0), T(0), T(0)};
    return phase.sticks() ? sticking(phase.side, spring(q)) : slipping(phase.side, T(phase.slip), spring(q));
  }
  // The direction in which friction fails that would be needed to stick; 0 where it holds.
  T direction(const ContactForce<T>& held) const {
    return select(abs(held.tangential) <= mu * held.normal, T(0), select(held.tangential > 0, T(-1), T(1)));
  }

  // v after an impact on a contact with these directions, and what acted.
  ContactForce<T> hit(const Row& normal, const Row& along, const T& e, auto& v) const {
    const Row n = solved(normal), t = solved(along);
    const auto dot = [](const Row& w, const auto& x) -> T { return w[0] * x[0] + w[1] * x[1] + w[2] * x[2]; };
    const T GNN = dot(normal, n), GNT = dot(normal, t), GTT = dot(along, t), det = GNN * GTT - GNT * GNT;
    const T closing = (e + 1) * dot(normal, v), sliding = dot(along, v);
    const ContactForce<T> held{(GNT * sliding - GTT * closing) / det, (GNT * closing - GNN * sliding) / det, T(0)};
    const T slip = direction(held), N = -closing / (GNN - mu * slip * GNT);
    const auto sticks = slip * slip < T(1) / 2;
    const ContactForce<T> impulse{select(sticks, held.normal, N), select(sticks, held.tangential, -(mu * slip * N)),
                                  slip};
    for (std::size_t i = 0; i < 3; ++i)
      v[static_cast<Index>(i)] = v[static_cast<Index>(i)] + n[i] * impulse.normal + t[i] * impulse.tangential;
    return impulse;
  }
  void hit_beak(auto& v) const { hit({T(0), T(0), -hS}, {T(1), lM, arm}, restitution, v); }
  // q and v, and the contact force in the phase that would follow: it lasts where that pushes.
  ContactForce<T> hit_sleeve(int side, auto& q, auto& v) const {
    const T slip = hit({T(0), side * hM, T(0)}, {T(1), rM, T(0)}, T(0), v).slip;
    const auto sticks = slip * slip < T(1) / 2;
    q[1] = -(side * jam()), v[1] = T(0), v[0] = select(sticks, T(0), T(v[0]));
    const T S = spring(q);
    return {select(sticks, sticking(side, S).normal, slipping(side, slip, S).normal), T(0), slip};
  }
};

// The functions of the events in a phase, above zero in it.
template <class T>
std::array<T, 6> event_functions(const Toy<T>& toy, SleevePhase phase, const auto& q, const auto& v) {
  const T far(1);
  const bool is_free = phase.side == 0;
  const ContactForce<T> contact = toy.force(phase, q);
  return {toy.beak_gap(q),
          is_free ? toy.sleeve_gap(1, q) : far,
          is_free ? toy.sleeve_gap(-1, q) : far,
          is_free ? far : contact.normal,
          phase.slip != 0 ? T(phase.slip * v[0]) : far,
          phase.sticks() ? T(toy.mu * contact.normal - abs(contact.tangential)) : far};
}

// From event to event in closed form. With s from the start of a phase, u = phiM - phiS - centre and
// u'' = -pull u, pull = w^2 or -w^2:  q_i = q_i(0) + q_i'(0) s - fall_i s^2/2 + share_i (u - u(0) - u'(0) s).
class WoodpeckerMotion {
 public:
  using T = Real50;
  WoodpeckerMotion(const Toy<T>& toy, SleevePhase phase, const Vector<T>& q, const Vector<T>& v) : toy_(toy) {
    enter(phase, q, v);
  }
  const std::vector<ExactEvent>& events() const { return events_; }

  // False where a contact closes that the law of single impacts does not keep open.
  bool advance(const T& t) {
    constexpr std::size_t most_events = 100'000;
    while (events_.size() < most_events) {
      const std::optional<std::pair<Index, T>> next = first_event(t);
      if (!next) return !is_stuck_;
      events_.push_back({next->first, next->second});
      carry_out(next->first, at(next->second));
    }
    return false;
  }

  Motion at(const T& t) const {
    const T s = t - start_, u0 = q_[1] - q_[2] - centre_, rate = v_[1] - v_[2];
    T sine, cosine;
    if (pull_ > 0) {
      sincos(T(w_ * s), sine, cosine);
    } else {
      const T growth = exp(T(w_ * s));
      sine = (growth - 1 / growth) / 2, cosine = (growth + 1 / growth) / 2;
    }
    const T u = u0 * cosine + rate / w_ * sine, du = rate * cosine - u0 * pull_ / w_ * sine;
    const Vector<T> fall{{phase_.sticks() ? T(0) : toy_.g, T(0), T(0)}};
    return {q_ + v_ * s - fall * (s * s / 2) + share_ * (u - u0 - rate * s),
            v_ - fall * s + share_ * (du - rate),
            {},
            share_ * (-pull_ * u) - fall,
            Vector<T>(0)};
  }

 private:
  void enter(SleevePhase phase, const Vector<T>& q, const Vector<T>& v) {
    phase_ = phase, q_ = q, v_ = v, centre_ = 0;
    if (phase.side == 0) {
      const auto& i = toy_.inverse;
      const T stiffness = i[1][1] + i[2][2] - 2 * i[1][2];
      pull_ = toy_.cphi * stiffness;
      share_ = Vector<T>{{i[0][1] - i[0][2], i[1][1] - i[1][2], i[1][2] - i[2][2]}} / stiffness;
    } else if (phase.slip == 0) {
      pull_ = toy_.cphi / toy_.IS, centre_ = toy_.b * toy_.g / toy_.cphi;
      share_ = Vector<T>{{T(0), T(0), T(-1)}};
    } else {
      const T friction = toy_.mu * phase.slip * toy_.slip_ratio(phase.side, T(phase.slip));  // -T over S
      const T stiffness = (1 + toy_.b * friction / toy_.m) / toy_.reduced();
      pull_ = toy_.cphi * stiffness;
      share_ = Vector<T>{{(friction / stiffness + toy_.b) / toy_.m, T(0), T(-1)}};
    }
    w_ = sqrt(T(abs(pull_)));
  }
  std::array<T, 6> functions(const T& t) const {
    const Motion motion = at(t);
    return event_functions(toy_, phase_, motion.q, motion.v);
  }

  // The first function that falls through zero, by steps that are short against the time scale of u.
  std::optional<std::pair<Index, T>> first_event(const T& end) {
    const T step = 1 / (20 * w_);
    T from = start_ + step / 1000;
    std::array<T, 6> before = functions(from);
    for (const T& value : before) is_stuck_ |= value < 0;
    while (!is_stuck_ && from < end) {
      const T to = from + step;
      const std::array<T, 6> after = functions(to);
      std::optional<std::pair<Index, T>> first;
      for (std::size_t e = 0; e < after.size(); ++e) {
        if (!(before[e] > 0 && after[e] <= 0)) continue;
        const T t = root(e, from, to);
        if (!first || t < first->second) first = {static_cast<Index>(e), t};
      }
      if (first) return first->second <= end ? first : std::nullopt;
      before = after, from = to;
    }
    return {};
  }
  // Between positive and not: regula falsi, which halves the value at an end that stays (Illinois).
  T root(std::size_t e, T from, T to) const {
    T above = functions(from)[e], below = functions(to)[e], last = from;
    bool was_above = false;
    for (int i = 0; i < 100; ++i) {
      const T t = to - below * (to - from) / (below - above), value = functions(t)[e];
      if (abs(t - last) < T("1e-49") || value == 0) return t;
      const bool is_above = value > 0;
      if (is_above == was_above && i > 0) (is_above ? below : above) /= 2;
      (is_above ? from : to) = t, (is_above ? above : below) = value;
      was_above = is_above, last = t;
    }
    return to;
  }

  void carry_out(Index event, const Motion& motion) {
    start_ = events_.back().t;
    Vector<T> q = motion.q, v = motion.v;
    const auto sign = [](const T& x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
    SleevePhase next = phase_;
    if (event == beak_hits) {
      toy_.hit_beak(v), next = free_sleeve;
    } else if (event == lower_hits || event == upper_hits) {
      const int side = event == lower_hits ? 1 : -1;
      const ContactForce<T> force = toy_.hit_sleeve(side, q, v);
      next = force.normal > 0 ? SleevePhase{side, sign(force.slip)} : free_sleeve;
    } else if (event == contact_opens) {
      next = free_sleeve;
    } else if (event == sliding_ends) {
      v[0] = 0, next.slip = sign(toy_.direction(toy_.sticking(phase_.side, toy_.spring(q))));
    } else {
      next.slip = -sign(toy_.force(phase_, q).tangential);
    }
    enter(next, q, v);
  }

  Toy<T> toy_;
  SleevePhase phase_{};
  T start_{0}, pull_, w_, centre_;
  Vector<T> q_, v_, share_;
  bool is_stuck_ = false;
  std::vector<ExactEvent> events_;
};

struct Woodpecker {
  static constexpr const char* name = "woodpecker";
  static constexpr const char* summary =
      "Woodpecker toy: beak and sleeve hit the pole, the sleeve slides and jams by friction; a limit cycle.";
  static constexpr const char* source = "Pfeiffer, Glocker 1996, Chap. 16; Leine, Glocker, van Campen 2001";
  static constexpr bool conserves_energy = false;  // impacts and friction dissipate
  static constexpr const char* least_size = "1/100";
  static constexpr const char* independent_route = "closed form, phase by phase; event times by regula falsi";

  Exact mM = "0.0003", JM = "5e-9", mS = "0.0045", JS = "7e-7", cphi = "0.0056", g = "9.81";
  Exact r0 = "0.0025", rM = "0.0031", hM = "0.0058", lM = "0.01", lG = "0.015", hS = "0.02", lS = "0.0201";
  Exact e1 = "1/2", mu = "0.3", y_rate = "-0.3411", phiS = "-0.2788", phiS_rate = "-7.4583", end_time = "0.3";

  Options options() {
    return {option("mM", mM, "mass of the sleeve [kg]", positive()),
            option("JM", JM, "its moment of inertia [kg m^2]", positive()),
            option("mS", mS, "mass of the bird [kg]", positive()),
            option("JS", JS, "its moment of inertia [kg m^2]", positive()),
            option("cphi", cphi, "stiffness of the spring between them [N m/rad]", positive()),
            option("g", g, "[m/s^2]", positive()),
            option("r0", r0, "radius of the pole [m]", positive()),
            option("rM", rM, "inner radius of the sleeve [m]; above r0", positive()),
            option("hM", hM, "half its height [m]", positive()),
            option("lM", lM, "from the axis of the pole to the spring [m]"),
            option("lG", lG, "from the spring to the bird's centre of mass [m]"),
            option("hS", hS, "height of the beak above that [m]", positive()),
            option("lS", lS, "length of the bird up to the beak [m]"),
            option("e1", e1, "restitution of the beak; at most 1", at_least(0)),
            option("mu", mu, "coefficient of friction", positive()),
            option("y_rate", y_rate, "start of y' [m/s], on the lower contact"),
            option("phiS", phiS, "start of phiS [rad]"),
            option("phiS_rate", phiS_rate, "start of phiS' [rad/s]"),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (rM.value() <= r0.value())
      throw InputError(where + "/rM", "allowed: above the radius of the pole, " + r0.text());
    if (e1.value() > 1) throw InputError(where + "/e1", "allowed: 0 to 1");
  }

  int start_mode() const { return mode_of(start_phase()); }
  void record(Recording& r) const {
    r.coordinates({"y", "phiM", "phiS"});
    const Toy<Expression> toy = this->toy<Expression>([](const Exact& x) { return Expression(x); });
    r.start_q = {0, -toy.jam(), phiS};
    r.start_v = {y_rate, 0, phiS_rate};
    const Expression &m = toy.m, &a = toy.a, &b = toy.b, &k = toy.k;
    r.mass(0, 0) = m, r.mass(1, 1) = toy.IM, r.mass(2, 2) = toy.IS;
    r.mass(0, 1) = r.mass(1, 0) = a, r.mass(0, 2) = r.mass(2, 0) = b, r.mass(1, 2) = r.mass(2, 1) = k;

    const SleevePhase phase = phase_of(r.mode);
    const ContactForce<Expression> contact = toy.force(phase, r.q);
    const Expression S = toy.spring(r.q);
    r.force = {contact.tangential - m * toy.g,
               phase.side * toy.hM * contact.normal + toy.rM * contact.tangential - S - a * toy.g, S - b * toy.g};
    const Expressions& v = r.v;
    r.kinetic_energy = (m * square(v[0]) + toy.IM * square(v[1]) + toy.IS * square(v[2])) / 2 + a * v[0] * v[1] +
                       b * v[0] * v[2] + k * v[1] * v[2];
    r.potential_energy = toy.g * (m * r.q[0] + a * r.q[1] + b * r.q[2]) + toy.cphi * square(r.q[1] - r.q[2]) / 2;
    r.observe("normal", contact.normal), r.observe("tangential", contact.tangential);
    record_events(r, toy, phase);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression &y = r.q[0], &M = r.q[1], &S = r.q[2], wide = lM, rise = hM, high = hS;
    const Expression tilt = rise * M / 3, spring = y + wide * M, bird = spring + lG * S, far = wide + lG;
    o.line({{0, y - 2 * high}, {0, y + 2 * high}});
    o.polygon(
        {{-r0 - tilt, y - rise}, {wide / 2 - tilt, y - rise}, {wide / 2 + tilt, y + rise}, {-r0 + tilt, y + rise}},
        "M");
    o.spring({wide / 2, y + wide / 2 * M}, {wide, spring});
    o.line({{wide, spring}, {far, bird}, {far - high * S, bird + high}, {far - lS - high * S, bird + high - lS * S}});
    o.mass({far, bird}, "S");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    WoodpeckerMotion motion = start();
    if (!motion.advance(t)) return {};
    return motion.at(t);
  }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int /*digits*/) const {
    WoodpeckerMotion motion = start();
    if (!motion.advance(t)) return {};
    return motion.events();
  }

 private:
  SleevePhase start_phase() const { return {1, y_rate.value() < 0 ? -1 : y_rate.value() > 0 ? 1 : 0}; }
  WoodpeckerMotion start() const {
    const auto as = [](const Exact& x) { return x.as<Real50>(); };
    const Toy<Real50> toy = this->toy<Real50>(as);
    const Vector<Real50> q{{0, -toy.jam(), as(phiS)}}, v{{as(y_rate), 0, as(phiS_rate)}};
    return {toy, start_phase(), q, v};
  }

  template <class T>
  Toy<T> toy(auto of) const {
    Toy<T> x;
    x.mM = of(mM), x.cphi = of(cphi), x.g = of(g), x.mu = of(mu), x.restitution = of(e1);
    x.r0 = of(r0), x.rM = of(rM), x.hM = of(hM), x.lM = of(lM), x.hS = of(hS), x.arm = of(lG) - of(lS);
    x.reach = x.lM + x.arm - x.r0;
    const T bird = of(mS), m = x.mM + bird, a = bird * x.lM, b = bird * of(lG), k = a * of(lG);
    const T IM = of(JM) + a * x.lM, IS = of(JS) + b * of(lG);
    x.m = m, x.a = a, x.b = b, x.k = k, x.IM = IM, x.IS = IS;
    const T det = m * (IM * IS - k * k) - a * (a * IS - k * b) + b * (a * k - IM * b);
    const T yM = (b * k - a * IS) / det, yS = (a * k - b * IM) / det, MS = (a * b - m * k) / det;
    x.inverse[0] = {(IM * IS - k * k) / det, yM, yS};
    x.inverse[1] = {yM, (m * IS - b * b) / det, MS};
    x.inverse[2] = {yS, MS, (m * IM - a * a) / det};
    return x;
  }

  static void record_events(Recording& r, const Toy<Expression>& toy, SleevePhase phase) {
    const std::array<Expression, 6> g = event_functions(toy, phase, r.q, r.v);
    const auto add = [&](const char* of, Consequence consequence, WoodpeckerEvent e) -> Jump& {
      return r.event({of, Crossing::falling, consequence}, g[e]);
    };
    Jump& beak = add("beak", Consequence::impact, beak_hits);
    toy.hit_beak(beak.v);
    beak.mode = mode_of(free_sleeve);
    for (const int side : {1, -1}) {
      Jump& sleeve =
          side > 0 ? add("lower", Consequence::impact, lower_hits) : add("upper", Consequence::impact, upper_hits);
      const ContactForce<Expression> force = toy.hit_sleeve(side, sleeve.q, sleeve.v);
      sleeve.mode = select(force.normal > 0, force.slip + mode_of({side, 0}), mode_of(free_sleeve));
    }
    add("opens", Consequence::jump, contact_opens).mode = mode_of(free_sleeve);
    Jump& still = add("slides-no-more", Consequence::jump, sliding_ends);
    still.v[0] = 0;
    still.mode = toy.direction(toy.sticking(phase.side, toy.spring(r.q))) + mode_of({phase.side, 0});
    const Expression tangential = toy.force(phase, r.q).tangential;
    add("slides", Consequence::jump, sticking_fails).mode = select(tangential > 0, -1, 1) + mode_of({phase.side, 0});
  }
};
const ProblemEntry<Woodpecker> woodpecker_entry;

}  // namespace
}  // namespace daelab
