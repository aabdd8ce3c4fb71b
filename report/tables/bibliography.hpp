// The works that sources name, as BibTeX entries.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// The sources of the problem, formulation, method and multiplier solver of a run's specification, as their files state
/// them. What is not registered has none.
std::vector<std::string> sources_of(const Json& spec);

/// The entries of results/references.bib that one of these sources cites, as a BibTeX file; none
/// where a project has no such file. Throws InputError for an entry that does not say how it is cited.
std::string bibliography_of(const std::vector<std::string>& sources);

/// Whether the source cites an entry of results/references.bib.
bool has_reference(const std::string& source);

}  // namespace daelab
