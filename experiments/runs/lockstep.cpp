#include "experiments/runs/lockstep.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "core/base/interrupted.hpp"
#include "experiments/runs/compact_run.hpp"
#include "experiments/runs/integration.hpp"

namespace daelab {
namespace {

// Below so many steps what a group needs beside its runs takes longer than they gain.
constexpr double least_steps = 500;

using Member = Integration<double>;

// Members, and what computes their steps together: null where each makes its own.
struct Group {
  std::vector<Member*> members;
  std::shared_ptr<Lockstep> lockstep;

  bool goes_on() const {
    return std::ranges::any_of(members, [](const Member* member) { return member->goes_on(); });
  }
};

// A member joins the first group whose models are like its own.
std::vector<Group> groups_of(std::span<const std::unique_ptr<Member>> members) {
  std::vector<Group> groups;
  for (const auto& member : members) {
    auto* const stepper = member->goes_on() ? dynamic_cast<LockstepStepper*>(&member->stepper()) : nullptr;
    const auto takes = [&](const Group& group) { return group.lockstep && stepper->join(group.lockstep); };
    if (const auto group = stepper != nullptr ? std::ranges::find_if(groups, takes) : groups.end();
        group != groups.end()) {
      group->members.push_back(member.get());
      continue;
    }
    Group& group = groups.emplace_back(Group{{member.get()}, stepper != nullptr ? stepper->lockstep() : nullptr});
    if (group.lockstep) stepper->join(group.lockstep);
  }
  for (Group& group : groups)
    if (group.members.size() >= LockstepGroups::least)
      group.lockstep->begin();
    else
      group.lockstep = nullptr;
  return groups;
}

// One step of each: of members whose next steps are as long as the first one's, computed together where they are
// enough.
void advance_together(const Group& group) {
  std::array<const State<double>*, Lockstep::most> from{};
  std::optional<double> h;
  std::size_t count = 0;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    Member& member = *group.members[i];
    const std::optional<double> size = member.goes_on() ? member.next_size() : std::nullopt;
    if (!h) h = size;
    if (size && size == h) from[i] = &member.state(), ++count;
  }
  if (count >= LockstepGroups::least) group.lockstep->compute(*h, std::span(from).first(group.members.size()));
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const EvaluatedAhead::Scope scope(&group.lockstep->ahead(i));
    if (group.members[i]->goes_on()) group.members[i]->advance();
  }
}

void carry_out(const Group& group) {
  while (group.lockstep && group.goes_on()) advance_together(group);
  for (Member* member : group.members)
    while (member->goes_on()) member->advance();
}

RunTime share_of(const RunTime& time, double part) { return {time.cpu_seconds * part, time.wall_seconds * part}; }

}  // namespace

std::string LockstepGroups::of(const BoundRun& bound) {
  if (const auto* const compact = dynamic_cast<const CompactRun*>(&bound)) return compact->lockstep_group();
  const auto* const run = dynamic_cast<const Run*>(&bound);
  if (run == nullptr) return "";
  const RunSpec& spec = run->spec();
  if (spec.adaptive() || spec.scalar != Scalar::binary64 || run->is_ode()) return "";
  if (run->expected_cost() < least_steps) return "";
  const auto [known, is_new] = is_explicit_.try_emplace(spec.method.json().dump(-1, Json::Utf8::replace));
  if (is_new) {
    const MethodForm form = run->method().form();
    const Tableau* const tableau = std::get_if<Tableau>(&form);
    known->second = tableau != nullptr && tableau->is_explicit();
  }
  if (!known->second) return "";
  Json common = run->json();
  common["problem"] = run->problem().name();
  common.erase("start");
  return common.dump(-1, Json::Utf8::replace);
}

std::vector<RunOutcome> LockstepRunner::execute(std::span<const BoundRun* const> runs) try {
  if (runs.size() == 1) return {runs.front()->execute()};
  std::vector<std::shared_ptr<const Run>> made;  // from runs that keep little
  std::vector<std::unique_ptr<Member>> members;
  for (const BoundRun* bound : runs) {
    const auto* const compact = dynamic_cast<const CompactRun*>(bound);
    if (compact != nullptr) made.push_back(compact->whole());
    const Run& run = compact != nullptr ? *made.back() : dynamic_cast<const Run&>(*bound);
    members.push_back(std::make_unique<Member>(run, nullptr));
  }
  const Stopwatch stopwatch;
  for (const auto& member : members) member->prepare();
  std::vector<std::shared_ptr<Lockstep>> locksteps;
  for (const Group& group : groups_of(members)) {
    carry_out(group);
    if (group.lockstep) locksteps.push_back(group.lockstep);
  }
  if (!locksteps.empty()) last_ = std::move(locksteps);
  for (const auto& member : members) member->conclude();
  const RunTime time = stopwatch.time();
  double steps = 0;
  for (const auto& member : members) steps += static_cast<double>(member->steps() + 1);
  std::vector<RunOutcome> outcomes;
  for (const auto& member : members) {
    Run::Outcome outcome = member->outcome(share_of(time, static_cast<double>(member->steps() + 1) / steps));
    outcomes.push_back({outcome.record, std::move(outcome.trajectory), outcome.interrupted});
  }
  return outcomes;
} catch (const Interrupted&) {
  return std::vector<RunOutcome>(runs.size(), interrupted_outcome());
}

}  // namespace daelab
