// What an audit says of members and variants of the generalized-alpha family, and what would make claims true.
#pragma once

#include <vector>

#include "analysis/alpha_family.hpp"
#include "analysis/audit.hpp"

namespace daelab {

/// Orders, what the start leaves, and where modes of the oscillator grow. Exact, except for the largest radius.
std::vector<AuditFact> alpha_facts(const AlphaFamily& family);

/// The likeliest changes of one parameter or variant, or else of two, with which no claim is refuted: each is proved.
std::vector<Repair> alpha_repairs(const AlphaFamily& family, const std::vector<AuditClaim>& claims);

}  // namespace daelab
