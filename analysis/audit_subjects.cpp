#include "analysis/audit_subjects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "analysis/multistep_document.hpp"
#include "analysis/order_conditions.hpp"
#include "analysis/rosenbrock_conditions.hpp"
#include "core/base/coefficient_document.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/integration/printed_tableau.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/lie_group/lie_document.hpp"
#include "methods/nystrom/nystrom_document.hpp"
#include "methods/rosenbrock/rosenbrock_form.hpp"

namespace daelab {
namespace {

// Of several readings of its digits that in which the conditions hold furthest, and then the sums of rows.
int quality(const Tableau& t) {
  bool rows_hold = true;
  for (Index i = 0; i < t.stages(); ++i) rows_hold = rows_hold && row_sum_holds(t, i);
  return 2 * order_report(t).order + (rows_hold ? 1 : 0);
}

bool is_composition(const Json& json) {
  return json.is_object() && json.contains("weights") && !holds_coefficients(json) && !is_tableau(json);
}

bool is_document(const Json& json) {
  return json.is_object() && (is_alpha_family(json) || is_composition(json) || is_tableau(json) ||
                              holds_coefficients(json) || is_multistep_document(json));
}

void add_document_claims(const Json& document, const std::string& where, AuditSubject& subject) {
  for (const char* key :
       {"order", "embedded_order", "index_1_order", "w_order", "dense_order", "separable_order", "autonomous_order",
        "symplectic", "symmetric", "zero_stable", "a_stable", "l_stable", "g_stable", "angle"}) {
    const bool on_groups = key == std::string("order") && is_lie_document(document);
    if (document.contains(key))
      subject.claims.push_back(
          audit_claim(on_groups ? "order on Lie groups" : key, document[key], fmt::format("{}/{}", where, key)));
  }
}

// A tableau with the weights of dense output, if it has them.
void read_tableau(Json document, const std::string& where, AuditSubject& subject) {
  const bool has_output = document.contains("dense_output");
  const Json output{{"dense_output", has_output ? document["dense_output"] : Json()}};
  document.erase("dense_output"), document.erase("dense_order");
  const Tableau tableau = tableau_as_printed(document, where, quality);
  if (has_output) subject.dense_output = tableau_output_from_json(output, tableau.stages(), where);
  subject.method = tableau;
}

AuditSubject document_subject(const Json& document, const std::string& where) {
  AuditSubject subject;
  if (is_alpha_family(document))
    subject.method = alpha_family(document, where);
  else if (is_composition(document))
    subject.method = composition_as_printed(document, where);
  else if (is_lie_document(document))
    subject.method = lie_scheme_as_printed(document, where);
  else if (holds<CoefficientKind::rosenbrock>(document))
    subject.method = rosenbrock_as_printed(
        document, where, [](const RosenbrockTableau& t) { return rosenbrock_orders(t, false).ordinary; });
  else if (holds<CoefficientKind::nystrom>(document) || holds<CoefficientKind::partitioned>(document))
    subject.method = nystrom_as_printed(document, where);
  else if (is_multistep_document(document))
    subject.method = multistep_as_printed(document, where);
  else
    read_tableau(document, where, subject);
  if (document.contains("name")) subject.name = document["name"].get<std::string>();
  if (document.contains("source")) subject.source = document["source"].get<std::string>();
  add_document_claims(document, where, subject);
  return subject;
}

void claim(AuditSubject& subject, const char* property, const Json& value) {
  subject.claims.push_back(audit_claim(property, value, ""));
}

// An order of 0 is no claim.
void claim_order(AuditSubject& subject, const char* property, int order) {
  if (order > 0) claim(subject, property, order);
}

void add_method_claims(const Method& method, AuditSubject& subject) {
  const MethodForm form = method.form();
  if (const auto* t = std::get_if<RosenbrockTableau>(&form)) {
    claim_order(subject, "order", t->order), claim_order(subject, "embedded order", t->embedded_order);
    claim_order(subject, "index-1 order", t->index_1_order), claim_order(subject, "order as W-method", t->w_order);
    return claim_order(subject, "order of dense output", t->dense_order);
  }
  if (const auto* t = std::get_if<NystromTableau>(&form)) {
    claim_order(subject, "order", t->order), claim_order(subject, "embedded order", t->embedded_order);
    return claim_order(subject, "separable order", t->separable_order);
  }
  const auto* t = std::get_if<Tableau>(&form);
  if (t == nullptr) return;
  claim_order(subject, "order", t->claimed_order);
  if (dynamic_cast<const LieGroupMethod*>(&method) != nullptr)
    claim_order(subject, "order on Lie groups", t->claimed_order);
  if (t->b_embedded.size() > 0) claim_order(subject, "embedded order", t->embedded_order);
  const auto* known = dynamic_cast<const SymmetricMethod*>(&method);
  if (known != nullptr && known->is_symmetric()) claim(subject, "symmetric", true);
}

AuditSubject method_subject(const Json& spec, const std::string& where) {
  AuditSubject subject;
  const std::shared_ptr<Method> method = Registry<Method>::instance().make(spec, where);
  subject.name = spec.is_string() ? spec.get<std::string>() : spec_text(spec);
  const RegistryEntry* entry = Registry<Method>::instance().look_up(method->name());
  if (entry != nullptr) subject.source = entry->source;
  add_method_claims(*method, subject);
  subject.method = method;
  return subject;
}

void check_keys(const Json& entry, const std::string& where) {
  if (!entry.is_object())
    throw InputError(where, fmt::format("must be an object with name, tableau, method or errors, and claims, found {}",
                                        entry.type_name()));
  const std::vector<std::string> known{"name", "tableau", "method", "errors", "claims", "source"};
  for (const auto& [key, value] : entry.items())
    if (std::ranges::find(known, key) == known.end())
      throw InputError(where + "/" + key,
                       fmt::format("no such key{} (known: {})", did_you_mean(key, known), fmt::join(known, ", ")));
  if (entry.contains("tableau") + entry.contains("method") + entry.contains("errors") != 1)
    throw InputError(where,
                     "must have either a tableau, or a method by its name and options, or errors, a file of results");
  for (const char* key : {"name", "source"})
    if (entry.contains(key) && !entry[key].is_string())
      throw InputError(fmt::format("{}/{}", where, key), "must be text");
  if (entry.contains("claims") && !entry["claims"].is_object())
    throw InputError(where + "/claims", "must be an object: {\"order\": 4, \"A-stable\": true}");
}

AuditSubject results_subject(const Json& file, const std::string& folder, const std::string& where) {
  if (!file.is_string()) throw InputError(where, "must be the name of a CSV file with the columns h and errors");
  const std::filesystem::path path = std::filesystem::path(folder) / file.get<std::string>();
  AuditSubject subject;
  subject.name = path.stem().string();
  subject.method = read_measured_errors(path.string());
  return subject;
}

AuditSubject list_entry(const Json& entry, const std::string& folder, const std::string& where) {
  check_keys(entry, where);
  const char* key = entry.contains("tableau") ? "tableau" : "method";
  AuditSubject subject = entry.contains("errors")
                             ? results_subject(entry["errors"], folder, where + "/errors")
                             : audit_subject(in_folder(entry[key], folder), fmt::format("{}/{}", where, key));
  if (entry.contains("name")) subject.name = entry["name"].get<std::string>();
  if (entry.contains("source")) subject.source = entry["source"].get<std::string>();
  if (entry.contains("claims"))
    for (const auto& [property, value] : entry["claims"].items())
      set_claim(subject, audit_claim(property, value, fmt::format("{}/claims/{}", where, property)));
  return subject;
}

}  // namespace

void set_claim(AuditSubject& subject, AuditClaim claim) {
  const auto same = std::ranges::find(subject.claims, claim.property, &AuditClaim::property);
  if (same == subject.claims.end())
    subject.claims.push_back(std::move(claim));
  else
    *same = std::move(claim);
}

Json in_folder(const Json& spec, const std::string& folder) {
  if (!spec.is_string() || folder.empty()) return spec;
  const std::string text = spec.get<std::string>(), file = spec_file(text);
  if (file.empty() || std::filesystem::path(file).is_absolute()) return spec;
  const std::size_t begin = text.starts_with("@") ? 1 : 0;
  return "@" + folder + "/" + text.substr(begin);
}

AuditSubject audit_subject(const Json& spec, const std::string& where) {
  if (is_document(spec)) return document_subject(spec, where);
  const std::string file = spec.is_string() ? spec_file(spec.get<std::string>()) : "";
  if (file.empty()) return method_subject(spec, where);
  const Json document = read_json_file(file);
  if (!is_document(document))
    throw InputError(file,
                     "is no document of a method: it has neither A and b, nor alpha and gamma, nor alpha and beta, nor "
                     "weights, nor a family");
  AuditSubject subject = document_subject(document, file + ": ");
  if (subject.name.empty()) subject.name = std::filesystem::path(file).stem().string();
  return subject;
}

std::vector<AuditSubject> audit_list(const Json& list, const std::string& folder, const std::string& where) {
  if (!list.is_array() || list.empty())
    throw InputError(where,
                     "must be a list of methods with claims, at least one: [{\"name\": ..., \"tableau\": {...}, "
                     "\"claims\": {\"order\": 4}}]");
  std::vector<AuditSubject> subjects;
  for (std::size_t i = 0; i < list.size(); ++i)
    subjects.push_back(list_entry(list[i], folder, fmt::format("{}/{}", where, i)));
  return subjects;
}

std::vector<AuditSubject> audit_subjects(const Json& what, const std::string& where) {
  if (what.is_array()) return audit_list(what, "", where);
  if (const std::string file = what.is_string() ? spec_file(what.get<std::string>()) : ""; !file.empty())
    if (const Json json = read_json_file(file); json.is_array())
      return audit_list(json, std::filesystem::path(absolute_path(file)).parent_path(), file + ": ");
  return {audit_subject(what, where)};
}

std::vector<AuditSubject> registered_subjects() {
  std::vector<AuditSubject> subjects;
  for (const std::string& name : Registry<Method>::instance().names()) subjects.push_back(method_subject(name, ""));
  return subjects;
}

}  // namespace daelab
