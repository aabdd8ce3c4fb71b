// Reads the subjects of audits from specifications, documents and lists with claims.
#pragma once

#include <string>
#include <vector>

#include "analysis/audit.hpp"

namespace daelab {

/// A method by a specification as registries take it, or by a document: a Runge-Kutta or Rosenbrock tableau, or weights
/// of a composition. Orders in the document are its claims and need not be there; of registered methods the claims are
/// those of their tableaus. Throws InputError under `where` for what has another form.
AuditSubject audit_subject(const Json& spec, const std::string& where);

/// A list [{"name", "tableau" | "method", "claims": {"order": 4, "A-stable": true, ...}, "source"?}, ...]. Tableaus are
/// documents or names of files, relative to `folder`. Claims of the list stand for those of the document. Throws
/// InputError with the place.
std::vector<AuditSubject> audit_list(const Json& list, const std::string& folder, const std::string& where);

/// One method, or those of a list: an array, or a JSON file with one.
std::vector<AuditSubject> audit_subjects(const Json& what, const std::string& where);

/// A claim on the same property stands for that of the document.
void set_claim(AuditSubject& subject, AuditClaim claim);
/// A specification whose file, if it names one with a relative path, is in this folder.
Json in_folder(const Json& spec, const std::string& folder);

/// All registered methods with their default options.
std::vector<AuditSubject> registered_subjects();

}  // namespace daelab
