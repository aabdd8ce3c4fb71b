#include "lab/runs/work_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {

void WorkEstimate::add(const std::string& group, double cost) {
  for (Group* const g : {&groups_[group], &all_}) g->pending += cost, ++g->runs;
}

void WorkEstimate::started(const std::string& group, double cost) {
  for (Group* const g : {&groups_[group], &all_}) g->pending -= cost, g->running += cost;
}

void WorkEstimate::ended(const std::string& group, double cost, double seconds, bool was_started) {
  for (Group* const g : {&groups_[group], &all_}) {
    (was_started ? g->running : g->pending) -= cost;
    g->ended += cost, g->seconds += seconds, --g->runs;
  }
}

double WorkEstimate::rate(const Group& group) const {
  const Group& known = group.ended > 0 ? group : all_;
  return known.seconds / known.ended;
}

std::optional<WorkEstimate::Work> WorkEstimate::work(double running) const {
  if (!(all_.ended > 0) || !(all_.seconds > 0)) return {};
  double pending = 0, expected = 0;
  for (const auto& [name, group] : groups_)
    if (group.runs > 0) pending += rate(group) * group.pending, expected += rate(group) * group.running;
  const double done = std::clamp(running, 0., std::max(expected, 0.));
  return Work{all_.seconds + done, std::max(pending + expected - done, 0.)};
}

int WorkEstimate::Work::percent() const {
  constexpr int most = 99;  // all of it is said by the end
  return std::min(most, static_cast<int>(std::floor(100 * done / (done + left))));
}

}  // namespace daelab
