// Claims about methods in packs: lists of audits (analysis/audit_subjects.hpp), decided without a run.
#pragma once

#include <vector>

#include "results/artifacts.hpp"
#include "results/packs.hpp"

namespace daelab {

/// Of each claim of the lists under "audits" of a pack. A claim is expected to be confirmed, unless the pack says that
/// it is refuted. Throws InputError with the place, also for an expectation on a claim that no list makes.
std::vector<Judgement> judged_audits(const Pack& pack);

}  // namespace daelab
