// Audits of documents and what tests ask of them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "analysis/audit_subjects.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"

namespace daelab::audit_tests {

inline Json document(const std::string& name) { return read_json_file(project_path("methods/" + name + ".json")); }

inline const AuditRow& row(const Audit& audit, const std::string& property) {
  const AuditProperty& wanted = audit_property(property, "");
  for (const AuditRow& one : audit.rows)
    if (one.fact.property == &wanted) return one;
  ADD_FAILURE() << audit.name << " says nothing of " << property;
  return audit.rows.front();
}

inline int order(const Audit& audit, const std::string& property = "order") {
  return std::get<int>(row(audit, property).fact.value);
}
inline bool holds(const Audit& audit, const std::string& property) {
  return std::get<bool>(row(audit, property).fact.value);
}
inline std::string verdict(const Audit& audit, const std::string& property) {
  const AuditRow& found = row(audit, property);
  return found.verdict ? name_of(*found.verdict) : "none";
}

inline Audit audit_of(const Json& spec) { return audit(audit_subject(spec, "")); }

inline Audit audit_with(const Json& spec, const Json& claims) {
  const Json list = Json::array({{{"name", "mine"}, {"tableau", spec}, {"claims", claims}}});
  return audit(audit_list(list, "", "list").front());
}

}  // namespace daelab::audit_tests
