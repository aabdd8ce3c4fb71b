#include "lab/pack_audits.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "analysis/audit_subjects.hpp"
#include "core/base/input_error.hpp"
#include "results/entry.hpp"

namespace daelab {
namespace {

using Claimed = std::pair<std::string, std::string>;  // method, property

VerdictKind verdict_of(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::confirmed:
      return VerdictKind::confirmed;
    case AuditVerdict::understated:
      return VerdictKind::understated;
    case AuditVerdict::refuted:
      return VerdictKind::refuted;
    case AuditVerdict::undecided:
      break;
  }
  return VerdictKind::undecided;
}

std::set<Claimed> refuted_of(const Json& audit) {
  std::set<Claimed> refuted;
  for (const Json& claim : audit.value("refuted", Json::array()))
    refuted.emplace(claim["method"].get<std::string>(), claim["property"].get<std::string>());
  return refuted;
}

Judgement judgement_of(const AuditSubject& subject, const AuditRow& row, bool expect_refuted) {
  Judgement judgement;
  judgement.id = fmt::format("{}/{}", subject.name, row.fact.property->name);
  judgement.location = subject.name;
  judgement.source = subject.source;
  judgement.printed = fmt::format("{}: {}", row.fact.property->name, row.claim->text);
  judgement.ours = row.fact.text();
  judgement.verdict = verdict_words(verdict_of(*row.verdict));
  judgement.expected = verdict_words(expect_refuted ? VerdictKind::refuted : VerdictKind::confirmed);
  if (row.verdict != AuditVerdict::confirmed) judgement.reason = row.fact.proof;
  return judgement;
}

void add_judgements(const std::vector<AuditSubject>& subjects, const Json& list, const std::string& where,
                    std::vector<Judgement>& judgements) {
  std::set<Claimed> refuted = refuted_of(list);
  for (const AuditSubject& subject : subjects) {
    const Audit found = audit(subject);
    for (const AuditRow& row : found.rows)
      if (row.claim)
        judgements.push_back(judgement_of(subject, row, refuted.erase({subject.name, row.fact.property->name}) > 0));
  }
  if (!refuted.empty())
    throw InputError(where + "/refuted", fmt::format("the list has no claim of '{}' on '{}'", refuted.begin()->first,
                                                     refuted.begin()->second));
}

}  // namespace

std::vector<Judgement> judged_audits(const Pack& pack) {
  std::vector<Judgement> judgements;
  const Json lists = pack.entries.value("audits", Json::array());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::string where = fmt::format("{}/{}: /audits/{}", pack.folder, pack_file_name, i);
    const std::string file = pack.folder + "/" + lists[i]["list"].get<std::string>();
    add_judgements(audit_subjects("@" + file, where), lists[i], where, judgements);
  }
  return judgements;
}

}  // namespace daelab
