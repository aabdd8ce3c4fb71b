// Audits of methods that have no coefficients, as step functions: orders are measured by the experiment `battery`.
#pragma once

#include "analysis/audit.hpp"
#include "experiments/kinds/battery.hpp"

namespace daelab {

/// Which methods are measured.
enum class Measure { never, without_coefficients, always };

/// Carries out the battery on all cores, without storing runs. runs: as in a config of `battery`, {"method": ...};
/// items: as there. Throws InputError, and Interrupted.
BatteryResult measured_orders(const Json& runs, const std::vector<std::string>& items = {});

/// A measured property: the lowest order of its items, with their steps, intervals and windows as proof. Not known if
/// no interval contains a whole number.
struct MeasuredFact {
  AuditFact fact;
  bool is_refused = false;  // the method applies to none of the items
};
std::vector<MeasuredFact> measured_facts(const BatteryResult& measured);

/// audit() with measured orders where `measure` asks for them. Where coefficients prove an order, it stays, unless it
/// is measured lower, or is a bound that is measured higher. What a method refuses is said of claims alone. Throws
/// InputError where documents without a method, as tableaus are, shall be measured, and for a method all of whose steps
/// fail.
Audit audit(const AuditSubject& subject, Measure measure);

}  // namespace daelab
