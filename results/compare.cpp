#include "results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/interrupted.hpp"
#include "results/compare_trajectories.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {

bool same_value(const Json& a, const Json& b, double rtol) {
  if (a == b) return true;
  const std::optional<Real50> x = as_number(a), y = as_number(b);
  if (!x || !y) return false;
  const Real50 size = std::max(Real50(abs(*x)), Real50(abs(*y)));
  return abs(*x - *y) <= rtol * size;
}

namespace {

bool is_compared(const std::string& key) { return !identifies_run(key) && !is_run_time(key); }

// Walks two run records together.
class Comparison {
 public:
  Comparison(Json spec, double rtol, std::vector<Difference>& differences)
      : spec_(std::move(spec)), rtol_(rtol), differences_(differences) {}

  void compare(const Json& a, const Json& b, const Json::json_pointer& at) const {
    if (a.is_object() && b.is_object())
      compare_objects(a, b, at);
    else if (a.is_array() && b.is_array() && a.size() == b.size())
      for (std::size_t i = 0; i < a.size(); ++i) compare(a[i], b[i], at / i);
    else if (!same_value(a, b, rtol_))
      differences_.push_back({spec_, at.to_string(), a, b});
  }

 private:
  void compare_objects(const Json& a, const Json& b, const Json::json_pointer& at) const {
    for (const auto& [key, value] : a.items())
      if (is_compared(key)) compare(value, b.contains(key) ? b[key] : Json(), at / key);
    for (const auto& [key, value] : b.items())
      if (is_compared(key) && !a.contains(key)) compare(Json(), value, at / key);
  }

  Json spec_;
  double rtol_;
  std::vector<Difference>& differences_;
};

std::map<std::string, Json> runs_by_spec(const std::string& dir) {
  std::map<std::string, Json> runs;
  visit_runs(dir, true, [&](Json run) {
    stop_where_interrupted();
    const std::string spec = canonical_text(spec_of(run));
    runs.emplace(spec, std::move(run));
  });
  return runs;
}

TrajectoryFile trajectory_of(const std::string& dir, const Json& run) {
  const auto head = run.get<RunHead>();
  return {trajectory_path(dir, head.key), head.trajectory};
}

}  // namespace

std::vector<Difference> compare_records(const Json& a, const Json& b, double rtol) {
  std::vector<Difference> differences;
  Comparison(spec_of(a), rtol, differences).compare(a, b, Json::json_pointer());
  const auto head_a = a.get<RunHead>(), head_b = b.get<RunHead>();
  const auto checksum = [](const RunHead& head) { return head.trajectory.empty() ? Json() : Json(head.trajectory); };
  if (head_a.trajectory != head_b.trajectory)
    differences.push_back({head_a.spec, fmt::format("/{}", trajectory_checksum), checksum(head_a), checksum(head_b)});
  return differences;
}

std::vector<Difference> compare(const std::string& dir_a, const std::string& dir_b, double rtol) {
  const std::map<std::string, Json> runs_a = runs_by_spec(dir_a), runs_b = runs_by_spec(dir_b);
  std::vector<Difference> differences;
  for (const auto& [spec, run] : runs_a) {
    stop_where_interrupted();
    const auto other = runs_b.find(spec);
    if (other == runs_b.end()) {
      differences.push_back({spec_of(run), "", run, {}});
      continue;
    }
    Comparison(spec_of(run), rtol, differences).compare(run, other->second, Json::json_pointer());
    for (TrajectoryDifference& difference :
         compare_trajectories(trajectory_of(dir_a, run), trajectory_of(dir_b, other->second), rtol))
      differences.push_back(
          {spec_of(run), std::move(difference.place), std::move(difference.a), std::move(difference.b)});
  }
  for (const auto& [spec, run] : runs_b)
    if (!runs_a.contains(spec)) differences.push_back({spec_of(run), "", {}, run});
  return differences;
}

}  // namespace daelab
