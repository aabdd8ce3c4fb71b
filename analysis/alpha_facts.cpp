#include "analysis/alpha_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/oscillator_growth.hpp"

namespace daelab {
namespace {

struct OrderFinding {
  int order;
  std::string proof;
};

// |(w - 1)/w| > 1: what is wrong with the accelerations grows from step to step.
bool start_mode_grows(const AlphaFamily& family) { return abs(start_root(family)) > 1; }

std::string holds_text(const AlphaCondition& condition) { return condition.text + " = 1/2"; }

std::string fails_text(const AlphaCondition& condition) {
  return fmt::format("order 2 fails with residual {}: {} = {}, must be 1/2", condition.residual().str(), condition.text,
                     condition.value.str());
}

std::string start_text(const AlphaFamily& family) {
  switch (family.start) {
    case AlphaFamily::Start::zero:
      return "the start with a_0 = 0";
    case AlphaFamily::Start::doubled:
      return "the start with a_0 = 2 f_0";
    case AlphaFamily::Start::forceless:
      return "the start with a_0 = 0 and without its force";
    case AlphaFamily::Start::consistent:
      break;
  }
  return "the start with a_0 = f_0";
}

std::string sensitivity_text(const AlphaFamily& family) {
  const char* weight = family.balance == AlphaFamily::Balance::weighted ? "1 - alpha_m" : "1";
  return fmt::format("an error e of a_0 leaves h e ({} - gamma) = {} h e in the velocity", weight,
                     start_sensitivity(family).str());
}

OrderFinding order_of(const AlphaFamily& family, bool with_time) {
  if (start_mode_grows(family))
    return {0, fmt::format("exact: errors of the carried acceleration grow by {} a step", start_root(family).str())};
  const AlphaCondition velocity = velocity_condition(family), time = time_condition(family);
  if (velocity.residual() != 0) return {1, "exact: " + fails_text(velocity)};
  if (with_time && time.residual() != 0)
    return {1, fmt::format("exact: with a force at the time of the step {}, {}",
                           family.force_time == AlphaFamily::ForceTime::end ? "end" : "start", fails_text(time))};
  if (const Rational left = start_error(family); left != 0)
    return {1, fmt::format("exact: {} leaves {} h f_0 in the velocity", start_text(family), left.str())};
  std::string proof = "exact: " + holds_text(velocity);
  if (with_time && time.text != velocity.text) proof += ", " + holds_text(time);
  if (family.start != AlphaFamily::Start::consistent)
    proof += fmt::format("; {} leaves nothing in the velocity", start_text(family));
  return {2, proof + "; no member of the family is of order 3"};
}

// Whatever a_0 is, and however the document starts.
OrderFinding order_from_any_start(const AlphaFamily& family) {
  AlphaFamily consistent = family;
  consistent.start = AlphaFamily::Start::consistent;
  OrderFinding finding = order_of(consistent, true);
  if (!family.carries()) return {finding.order, "no acceleration is carried; " + finding.proof};
  if (start_sensitivity(family) != 0 && finding.order > 1) finding.order = 1;
  return {finding.order, "exact: " + sensitivity_text(family)};
}

OrderFinding order_of_accelerations(const AlphaFamily& family) {
  const OrderFinding whole = order_of(family, true);
  if (!family.carries() || whole.order == 0) return whole;
  const bool starts_right = family.start == AlphaFamily::Start::consistent;
  if (!starts_right && abs(start_root(family)) == 1)
    return {0, fmt::format("exact: the error of {} stays in a_n with alternating sign", start_text(family))};
  const Rational lag = family.weight() - family.theta(), lag_of_time = family.weight() - family.tau();
  if (lag == 0 && lag_of_time == 0) return whole;
  return {1, fmt::format("exact: a_n stands for f at t_n - ({}) h, its part of time for that at t_n - ({}) h",
                         lag.str(), lag_of_time.str())};
}

std::string radius_text(const OscillatorGrowth& growth) {
  if (growth.intervals.empty()) return "exact: no mode grows, and all modulus is 1 as omega h -> 0";
  if (growth.is_limit) return "numerical: approached as omega h -> infinity";
  return fmt::format("numerical: at omega h = {:.3g}", growth.at);
}

}  // namespace

std::vector<AuditFact> alpha_facts(const AlphaFamily& family) {
  std::vector<AuditFact> facts;
  const auto add = [&facts](const char* name, decltype(AuditFact::value) value, std::string proof) {
    facts.push_back({&audit_property(name, ""), value, false, std::move(proof)});
  };
  const auto add_order = [&add](const char* name, OrderFinding finding) {
    add(name, finding.order, std::move(finding.proof));
  };
  add_order("order", order_of(family, true));
  add_order("autonomous order", order_of(family, false));
  add_order("order from an inconsistent start", order_from_any_start(family));
  add_order("order of accelerations", order_of_accelerations(family));
  const OscillatorGrowth growth = oscillator_growth(std::get<OscillatorForm>(family.form()));
  add("largest spectral radius", growth.largest_radius, radius_text(growth));
  add("grows on the oscillator up to", growth.up_to(), growth.proof);
  return facts;
}

// ----- repairs -----

namespace {

struct Change {
  std::string text;
  AlphaFamily family;
  bool is_variant = false;  // and no number
};

class AlphaChanges {
 public:
  explicit AlphaChanges(const AlphaFamily& family) : family_(family) {
    add_variants();
    add_exchanges();
    add_parameters();
  }
  std::vector<Change> take() { return std::move(list_); }

 private:
  using Parameter = Rational AlphaFamily::*;

  // Members whose balance has no new acceleration are none.
  void add(std::string text, const AlphaFamily& changed, bool is_variant = false) {
    if (changed.weight() != 0) list_.push_back({std::move(text), changed, is_variant});
  }
  template <class Variant>
  void variant(Variant AlphaFamily::*member, Variant right, const char* text) {
    if (family_.*member == right) return;
    AlphaFamily changed = family_;
    changed.*member = right;
    add(text, changed, true);
  }
  void add_variants() {
    variant(&AlphaFamily::start, AlphaFamily::Start::consistent, "start: consistent");
    variant(&AlphaFamily::force_time, AlphaFamily::ForceTime::stage,
            "force time: stage, the force at the time t + (1 - alpha_f) h");
    variant(&AlphaFamily::acceleration, AlphaFamily::Acceleration::carried, "acceleration: carried");
    variant(&AlphaFamily::balance, AlphaFamily::Balance::weighted, "balance: weighted");
  }
  void exchange(Parameter a, Parameter b, const char* text) {
    if (family_.*a == family_.*b) return;
    AlphaFamily changed = family_;
    std::swap(changed.*a, changed.*b);
    add(text, changed);
  }
  void add_exchanges() {
    exchange(&AlphaFamily::beta, &AlphaFamily::gamma, "beta and gamma exchanged");
    exchange(&AlphaFamily::alpha_m, &AlphaFamily::alpha_f, "alpha_m and alpha_f exchanged");
    AlphaFamily other = family_;
    other.alpha_m = 1 - family_.alpha_m, other.alpha_f = 1 - family_.alpha_f;
    add("1 - alpha_m and 1 - alpha_f, the other convention", other);
  }
  void set(Parameter member, const char* name, const Rational& value) {
    if (value == family_.*member) return;
    AlphaFamily changed = family_;
    changed.*member = value;
    const char* note = value == -(family_.*member) ? ", the other sign" : "";
    add(fmt::format("{}: {} in the place of {}{}", name, value.str(), (family_.*member).str(), note), changed);
  }
  // Gives one parameter the value that order 2 or the textbook has for it, the others as they are.
  void add_parameters() {
    const Rational half(1, 2), m = family_.alpha_m, f = family_.alpha_f, gamma = family_.gamma;
    if (family_.carries())
      set(&AlphaFamily::gamma, "gamma", textbook_gamma(1 - family_.weight(), f));
    else if (family_.theta() != 0)
      set(&AlphaFamily::gamma, "gamma", family_.weight() / (2 * family_.theta()));
    set(&AlphaFamily::beta, "beta", textbook_beta(m, f));
    set(&AlphaFamily::beta, "beta", (half + gamma) * (half + gamma) / 4);
    set(&AlphaFamily::alpha_m, "alpha_m", half + f - gamma);
    set(&AlphaFamily::alpha_f, "alpha_f", gamma - half + m);
    set(&AlphaFamily::alpha_m, "alpha_m", -m);
    set(&AlphaFamily::alpha_f, "alpha_f", -f);
  }

  AlphaFamily family_;
  std::vector<Change> list_;
};

const AuditFact* fact_of(const std::vector<AuditFact>& facts, const AuditProperty* property) {
  const auto found = std::ranges::find(facts, property, &AuditFact::property);
  return found == facts.end() ? nullptr : &*found;
}

// The facts that a changed member has of what is claimed; nothing if a claim is refuted.
std::optional<std::string> proved(const AlphaFamily& family, const std::vector<AuditClaim>& claims) {
  const std::vector<AuditFact> facts = audit_facts(family);
  std::vector<std::string> texts;
  for (const AuditClaim& claim : claims) {
    const AuditFact* fact = fact_of(facts, claim.property);
    if (fact == nullptr) continue;
    if (judged(claim, *fact) == AuditVerdict::refuted) return std::nullopt;
    texts.push_back(fmt::format("{} {}", claim.property->name, fact->text()));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

void keep_proved(const Change& change, const std::vector<AuditClaim>& claims, std::vector<Repair>& repairs) {
  const auto truth = proved(change.family, claims);
  if (!truth) return;
  const std::string text = fmt::format("{}: {}", change.text, *truth);
  if (std::ranges::find(repairs, text, &Repair::text) == repairs.end()) repairs.push_back({text, {}});
}

}  // namespace

std::vector<Repair> alpha_repairs(const AlphaFamily& family, const std::vector<AuditClaim>& claims) {
  constexpr std::size_t most = 3;
  std::vector<Repair> repairs;
  const std::vector<Change> changes = AlphaChanges(family).take();
  for (const Change& change : changes)
    if (repairs.size() < most) keep_proved(change, claims, repairs);
  if (!repairs.empty()) return repairs;
  for (const Change& first : changes) {
    if (!first.is_variant) continue;
    for (Change second : AlphaChanges(first.family).take()) {
      if (repairs.size() == most) return repairs;
      second.text = fmt::format("{}, and {}", first.text, second.text);
      keep_proved(second, claims, repairs);
    }
  }
  return repairs;
}

}  // namespace daelab
