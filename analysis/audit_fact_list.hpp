// The facts of an audit while they are found. Report cards have most of them, but no orders on Lie groups.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/audit.hpp"
#include "analysis/property.hpp"

namespace daelab {

class AuditFacts {
 public:
  void add(const char* name, decltype(AuditFact::value) value, std::string proof, bool is_bound = false) {
    list_.push_back({&audit_property(name, ""), value, is_bound, std::move(proof)});
  }
  void add(const char* name, const Property& property) {
    if (property.applicable) return add(name, property.holds, property.proof);
    add(name, std::monostate{}, property.proof);
  }
  void add_blind(const char* name, const Property& sees) {
    if (sees.applicable) return add(name, !sees.holds, sees.proof);
    add(name, std::monostate{}, sees.proof);
  }
  /// The value of an order that is there already; 0: nothing is known.
  int order(const char* name) const {
    const auto found = place(name);
    const int* value = found == list_.end() ? nullptr : std::get_if<int>(&found->value);
    return value == nullptr ? 0 : *value;
  }
  /// In the place of those on the same property.
  void take(std::vector<AuditFact> facts) {
    for (AuditFact& fact : facts) {
      std::erase_if(list_, [&fact](const AuditFact& known) { return known.property == fact.property; });
      list_.push_back(std::move(fact));
    }
  }
  /// Adds an order that is equal to one that is there.
  void add_equal_order(const char* name, const char* to, std::string proof) {
    add(name, order(to), std::move(proof), place(to)->is_bound);
  }
  /// In the order of the properties.
  std::vector<AuditFact> sorted() {
    std::ranges::stable_sort(list_, {}, &AuditFact::property);
    return std::move(list_);
  }

 private:
  std::vector<AuditFact>::const_iterator place(const char* name) const {
    return std::ranges::find(list_, &audit_property(name, ""), &AuditFact::property);
  }

  std::vector<AuditFact> list_;
};

/// "products of exponentials on Lie groups, 4 stages; ...".
std::string lie_form_text(const LieScheme& scheme);
/// Adds orders to that in R^n, which is known.
void add_lie_orders(const LieScheme& scheme, AuditFacts& facts);

/// Conditions of dense output hold to `conditions` and leave an error of size h^(conditions + 1) between step ends,
/// where those of the step ends have the order of the method.
void add_dense_orders(int conditions, int order, const std::string& proof, AuditFacts& facts);
/// Adds those by the weights that the document of a tableau has for it.
void add_given_output(const AuditSubject& subject, AuditFacts& facts);

/// What a registered method says of itself beside its form.
void add_of_method(const Method& method, AuditFacts& facts);

}  // namespace daelab
