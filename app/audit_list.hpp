// What `audit` is asked for: methods, files of tableaus, lists with claims.
#pragma once

#include <string>
#include <vector>

#include "analysis/audit_subjects.hpp"

namespace daelab::app {

/// One method, or those of a list: a JSON file with an array, or a CSV file with the columns name, method or file,
/// property, claim. Throws InputError with file and place.
std::vector<AuditSubject> audited(const std::string& what);

}  // namespace daelab::app
