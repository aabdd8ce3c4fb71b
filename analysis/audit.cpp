#include "analysis/audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/alpha_facts.hpp"
#include "analysis/family_repair.hpp"
#include "core/base/exact.hpp"
#include "core/base/number_text.hpp"

namespace daelab {
namespace {

constexpr auto neither = AuditProperty::Better::neither, less = AuditProperty::Better::less;

// Case, hyphens, underscores and blanks do not matter.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c != '-' && c != '_' && c != ' ') text += static_cast<char>(std::tolower(byte));
  }
  return text;
}

// Keys of documents that are called otherwise here.
std::string name_of_key(const std::string& name) {
  if (plain(name) == "worder") return "order as W-method";
  if (plain(name) == "denseorder") return "order of dense output";
  if (plain(name) == "angle") return "A(alpha) angle in degrees";
  return name;
}

AuditClaim order_claim(const AuditProperty& property, const Json& value, const std::string& where) {
  std::optional<double> number;
  if (value.is_number()) number = value.get<double>();
  if (value.is_string()) number = number_in(value.get<std::string>());
  if (!number || *number != std::floor(*number) || *number < 0 || *number > 1000)
    throw InputError(where, fmt::format("{} must be claimed as a whole number from 0 to 1000, found {}", property.name,
                                        value.dump()));
  const int order = static_cast<int>(*number);
  return {&property, order, std::to_string(order)};
}

AuditClaim yes_no_claim(const AuditProperty& property, const Json& value, const std::string& where) {
  const std::string text = value.is_string() ? plain(value.get<std::string>()) : value.dump();
  const bool yes = text == "true" || text == "yes";
  if (!yes && text != "false" && text != "no")
    throw InputError(where, fmt::format("{} must be claimed as true or false, found {}", property.name, value.dump()));
  return {&property, yes, yes ? "yes" : "no"};
}

AuditClaim number_claim(const AuditProperty& property, const Json& value, const std::string& where) {
  if (value == "infinite") return {&property, std::numeric_limits<double>::infinity(), "infinite"};
  if (!value.is_number() && !value.is_string())
    throw InputError(where, fmt::format("{} must be claimed as a number, or as \"infinite\", found {}", property.name,
                                        value.dump()));
  const Exact number = exact_from_json(value, where);
  return {&property, static_cast<double>(number.value()), number.text()};
}

std::string shown(double x) { return std::isinf(x) ? "infinite" : fmt::format("{:.10g}", x); }

// A printed number stands for all that are rounded, or cut, to it.
bool stands_for(const AuditClaim& claim, double truth) {
  const double claimed = std::get<double>(claim.value);
  if (std::isinf(claimed) || std::isinf(truth)) return claimed == truth;
  const std::optional<int> places = decimal_places(claim.text);
  const double unit = places ? std::pow(10.0, -*places) : 0;
  const double round_off = 1e-9 * std::max(1.0, std::abs(truth));
  const bool is_cut = std::abs(truth) >= std::abs(claimed) && std::abs(truth - claimed) < unit;
  return is_cut || std::abs(truth - claimed) <= unit / 2 + round_off;
}

AuditVerdict judged_order(int claimed, int truth, bool is_bound) {
  if (claimed == truth) return AuditVerdict::confirmed;
  if (claimed < truth) return AuditVerdict::understated;
  return is_bound ? AuditVerdict::undecided : AuditVerdict::refuted;
}

AuditVerdict judged_property(bool claimed, bool truth, AuditProperty::Better better) {
  if (claimed == truth) return AuditVerdict::confirmed;
  const bool method_is_better = better != neither && truth == (better == AuditProperty::Better::more);
  return method_is_better ? AuditVerdict::understated : AuditVerdict::refuted;
}

AuditVerdict judged_number(const AuditClaim& claim, double truth) {
  if (stands_for(claim, truth)) return AuditVerdict::confirmed;
  const bool is_better = claim.property->better == AuditProperty::Better::more && truth > std::get<double>(claim.value);
  return is_better ? AuditVerdict::understated : AuditVerdict::refuted;
}

Json value_json(const AuditFact& fact) {
  if (const auto* order = std::get_if<int>(&fact.value)) return *order;
  if (const auto* holds = std::get_if<bool>(&fact.value)) return *holds;
  if (const auto* number = std::get_if<double>(&fact.value))
    return std::isinf(*number) ? Json("infinite") : Json(*number);
  return {};
}

}  // namespace

const std::vector<AuditProperty>& audit_properties() {
  using enum AuditKind;
  static const std::vector<AuditProperty> properties{
      {"order", order},
      {"autonomous order", order},
      {"order on Lie groups", order},
      {"autonomous order on Lie groups", order},
      {"embedded order", order},
      {"separable order", order},
      {"order as W-method", order},
      {"index-1 order", order},
      {"index-1 order of y", order},
      {"index-1 order of z", order},
      {"embedded index-1 order", order},
      {"index-2 order of y", order},
      {"index-2 order of z", order},
      {"half-explicit order of y", order},
      {"index-3 order of y", order},
      {"index-3 order of z", order},
      {"index-3 order of u", order},
      {"ggl order of y", order},
      {"ggl order of z", order},
      {"order of dense output", order},
      {"order from an inconsistent start", order},
      {"order of accelerations", order},
      {"order of dense output by conditions", order},
      {"stage order", order},
      {"pseudo-stage order", order},
      {"quadrature order", order},
      {"stages", number, neither},
      {"A-stable", yes_no},
      {"L-stable", yes_no},
      {"A(alpha) angle in degrees", number},
      {"B-stable", yes_no},
      {"algebraically stable", yes_no},
      {"G-stable", yes_no},
      {"zero-stable", yes_no},
      {"stiffly accurate", yes_no},
      {"stable on the oscillator for every step", yes_no},
      {"stable on the oscillator up to", number},
      {"grows on the oscillator up to", number, neither},
      {"largest spectral radius", number, neither},
      {"spectral radius at infinity", number, neither},
      {"embedded spectral radius at infinity", number, neither},
      {"symmetric", yes_no},
      {"symplectic", yes_no},
      {"FSAL", yes_no, neither},
      {"blind estimate", yes_no, less},
      {"estimate blind on linear problems", yes_no, less},
      {"estimate blind on quadratures", yes_no, less},
      {"estimate blind on trees of its order", yes_no, less},
      {"sensitive to an inconsistent start", yes_no, less},
  };
  return properties;
}

const AuditProperty& audit_property(const std::string& name, const std::string& where) {
  const std::string wanted = plain(name_of_key(name));
  std::vector<std::string> known;
  for (const AuditProperty& property : audit_properties()) {
    if (plain(property.name) == wanted) return property;
    known.emplace_back(property.name);
  }
  throw InputError(
      where, fmt::format("no property '{}'{} (known: {})", name, did_you_mean(name, known), fmt::join(known, "; ")));
}

std::string AuditFact::text() const {
  if (const auto* order = std::get_if<int>(&value)) return fmt::format("{}{}", is_bound ? "at least " : "", *order);
  if (const auto* holds = std::get_if<bool>(&value)) return *holds ? "yes" : "no";
  if (const auto* number = std::get_if<double>(&value)) return shown(*number);
  return "-";
}

AuditClaim audit_claim(const std::string& name, const Json& value, const std::string& where) {
  const AuditProperty& property = audit_property(name, where);
  switch (property.kind) {
    case AuditKind::order:
      return order_claim(property, value, where);
    case AuditKind::yes_no:
      return yes_no_claim(property, value, where);
    case AuditKind::number:
      return number_claim(property, value, where);
  }
  return {};
}

const char* name_of(AuditVerdict verdict) {
  constexpr const char* names[] = {"confirmed", "understated", "refuted", "undecided"};
  return names[static_cast<std::size_t>(verdict)];
}

std::size_t Audit::count(AuditVerdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(rows, std::optional(verdict), &AuditRow::verdict));
}

AuditVerdict judged(const AuditClaim& claim, const AuditFact& fact) {
  if (!fact.is_known()) return AuditVerdict::undecided;
  switch (claim.property->kind) {
    case AuditKind::order:
      return judged_order(std::get<int>(claim.value), std::get<int>(fact.value), fact.is_bound);
    case AuditKind::yes_no:
      return judged_property(std::get<bool>(claim.value), std::get<bool>(fact.value), claim.property->better);
    case AuditKind::number:
      return judged_number(claim, std::get<double>(fact.value));
  }
  return AuditVerdict::undecided;
}

namespace {

// Of other families than Runge-Kutta tableaus.
void suggest_family_repairs(const AuditSubject& subject, Audit& audit) {
  ClaimedOrders claimed;
  bool refuted = false;
  for (const AuditRow& row : audit.rows) {
    if (!row.claim || row.fact.property->kind != AuditKind::order) continue;
    claimed[row.fact.property->name] = std::get<int>(row.claim->value);
    refuted = refuted || row.verdict == AuditVerdict::refuted;
  }
  if (!refuted) return;
  std::vector<std::string> texts;
  if (const auto* form = std::get_if<MethodForm>(&subject.method)) texts = family_repairs(*form, claimed);
  if (const auto* scheme = std::get_if<CompositionScheme>(&subject.method)) texts = family_repairs(*scheme, claimed);
  for (std::string& text : texts) audit.repairs.push_back({std::move(text), {}});
}

// What a refuted order, or refuted claims on a member of a family, were meant to be.
void suggest_repairs(const AuditSubject& subject, Audit& audit) {
  if (const auto* family = std::get_if<AlphaFamily>(&subject.method)) {
    if (audit.count(AuditVerdict::refuted) > 0) audit.repairs = alpha_repairs(*family, subject.claims);
    return;
  }
  const auto* form = std::get_if<MethodForm>(&subject.method);
  const auto* tableau = form ? std::get_if<Tableau>(form) : nullptr;
  if (tableau == nullptr) return suggest_family_repairs(subject, audit);
  RepairGoal goal;
  const std::pair<const AuditProperty*, int*> goals[] = {{&audit_property("order", ""), &goal.order},
                                                         {&audit_property("autonomous order", ""), &goal.order},
                                                         {&audit_property("embedded order", ""), &goal.embedded_order}};
  bool refuted = false;
  for (const AuditRow& row : audit.rows)
    for (const auto& [property, claimed] : goals)
      if (row.claim && row.fact.property == property) {
        *claimed = std::max(*claimed, std::get<int>(row.claim->value));
        refuted = refuted || row.verdict == AuditVerdict::refuted;
      }
  if (refuted) audit.repairs = nearest_repairs(*tableau, goal);
}

}  // namespace

Audit audit(const AuditSubject& subject) {
  Audit audit;
  audit.name = subject.name, audit.source = subject.source;
  for (AuditFact& fact : audit_facts(subject, audit.form)) audit.rows.push_back({std::move(fact), {}, {}});
  for (const AuditClaim& claim : subject.claims) {
    auto row = std::ranges::find(audit.rows, claim.property, [](const AuditRow& r) { return r.fact.property; });
    if (row == audit.rows.end()) {
      AuditFact unknown{
          claim.property, {}, false, "the method has no such part, or the property does not apply to its form"};
      row = audit.rows.insert(row, AuditRow{std::move(unknown), {}, {}});
    }
    row->claim = claim, row->verdict = judged(claim, row->fact);
  }
  suggest_repairs(subject, audit);
  return audit;
}

void to_json(Json& json, const Audit& audit) {
  json = {{"name", audit.name}, {"form", audit.form}, {"source", audit.source}, {"rows", Json::array()}};
  for (const AuditRow& row : audit.rows) {
    Json entry{{"property", row.fact.property->name},
               {"value", value_json(row.fact)},
               {"is_bound", row.fact.is_bound},
               {"proof", row.fact.proof}};
    if (row.claim) entry["claim"] = row.claim->text, entry["verdict"] = name_of(*row.verdict);
    json["rows"].push_back(std::move(entry));
  }
  json["suggestions"] = Json::array();
  for (const Repair& repair : audit.repairs) json["suggestions"].push_back(repair.text);
}

}  // namespace daelab
