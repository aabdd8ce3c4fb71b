// An audit: what is true of a method, each statement with its proof, and what is claimed of it against that.
//
// Facts are those of the report card (method_report.hpp), of trees of the embedded weights and of time, and of the
// structure (structure.hpp). A claim is confirmed, understated where the method is better, refuted, or undecided where
// nothing is proved.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/alpha_family.hpp"
#include "analysis/measured_order.hpp"
#include "analysis/tableau_output.hpp"
#include "analysis/tableau_repair.hpp"
#include "core/base/json.hpp"
#include "core/integration/method.hpp"
#include "methods/geometric/composition_scheme.hpp"
#include "methods/lie_group/lie_scheme.hpp"

namespace daelab {

enum class AuditKind { order, yes_no, number };

/// What can be claimed of a method.
struct AuditProperty {
  const char* name;  // "index-2 order of y"
  AuditKind kind;
  /// The side on which a method is better than its claim: a higher order or angle, a property that it has, an estimate
  /// that is not blind.
  enum class Better { more, less, neither } better = Better::more;
};
const std::vector<AuditProperty>& audit_properties();
/// By its name, in which case, hyphens, underscores and blanks do not matter, or by the key of a document: "w_order".
/// Throws InputError under `where` with the known names and the nearest one.
const AuditProperty& audit_property(const std::string& name, const std::string& where);

struct AuditFact {
  const AuditProperty* property = nullptr;
  /// Nothing where the property does not apply or is not known; the proof says why.
  std::variant<std::monostate, int, bool, double> value;
  bool is_bound = false;  // of orders: it is at least so high
  std::string proof;

  bool is_known() const { return value.index() != 0; }
  std::string text() const;  // "at least 4", "yes", "0.4536"; "-"
};

struct AuditClaim {
  const AuditProperty* property = nullptr;
  std::variant<int, bool, double> value;
  std::string text;  // as it was given: "4", "0.45"
};
/// An order is a whole number, a property true or false ("yes", "no"), a number what Exact reads, or "infinite". Throws
/// InputError under `where` for other values.
AuditClaim audit_claim(const std::string& property, const Json& value, const std::string& where);

enum class AuditVerdict { confirmed, understated, refuted, undecided };
const char* name_of(AuditVerdict verdict);

/// A method, tableau, scheme or member of a family, or errors that a program was seen to make, with the claims about
/// it.
struct AuditSubject {
  std::string name, source;
  std::variant<MethodForm, CompositionScheme, LieScheme, std::shared_ptr<const Method>, AlphaFamily, MeasuredErrors>
      method;
  std::optional<TableauOutput> dense_output = {};  // of a Runge-Kutta tableau
  std::vector<AuditClaim> claims;
};

struct AuditRow {
  AuditFact fact;
  std::optional<AuditClaim> claim;
  std::optional<AuditVerdict> verdict;  // of the claim
};
struct Audit {
  std::string name, source, form;
  std::vector<AuditRow> rows;
  std::vector<Repair> repairs;  // suggestions for what is refuted
  std::size_t count(AuditVerdict verdict) const;
};

std::vector<AuditFact> audit_facts(const AuditSubject& subject, std::string& form);
/// The facts of a member of the generalized-alpha family, without claims.
std::vector<AuditFact> audit_facts(const AlphaFamily& family);
AuditVerdict judged(const AuditClaim& claim, const AuditFact& fact);
Audit audit(const AuditSubject& subject);

/// {"name", "form", "source", "rows": [{"property", "value", "is_bound", "proof", "claim", "verdict"}], "suggestions"}
void to_json(Json& json, const Audit& audit);

}  // namespace daelab
