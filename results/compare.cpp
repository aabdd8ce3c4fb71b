#include "results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/base/interrupted.hpp"
#include "results/compare_trajectories.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/stored_runs.hpp"
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
  Comparison(Json spec, double rtol, const DifferenceVisitor& visit)
      : spec_(std::move(spec)), rtol_(rtol), visit_(visit) {}

  void compare(const Json& a, const Json& b, const Json::json_pointer& at) const {
    if (a.is_object() && b.is_object())
      compare_objects(a, b, at);
    else if (a.is_array() && b.is_array() && a.size() == b.size())
      for (std::size_t i = 0; i < a.size(); ++i) compare(a[i], b[i], at / i);
    else if (!same_value(a, b, rtol_))
      visit_({spec_, at.to_string(), a, b});
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
  const DifferenceVisitor& visit_;
};

TrajectoryFile trajectory_of(const std::string& dir, const Json& run) {
  const auto head = run.get<RunHead>();
  return {trajectory_path(dir, head.key), head.trajectory};
}

// Keys whose specifications fulfil a condition.
std::vector<std::string> keys_where(const StoredRuns::KeysBySpec& keys, const auto& condition) {
  std::vector<std::string> chosen;
  for (const auto& [spec, key] : keys)
    if (condition(spec)) chosen.push_back(key);
  return chosen;
}

}  // namespace

std::vector<Difference> compare_records(const Json& a, const Json& b, double rtol) {
  std::vector<Difference> differences;
  const DifferenceVisitor add = [&differences](Difference difference) { differences.push_back(std::move(difference)); };
  Comparison(spec_of(a), rtol, add).compare(a, b, Json::json_pointer());
  const auto head_a = a.get<RunHead>(), head_b = b.get<RunHead>();
  const auto checksum = [](const RunHead& head) { return head.trajectory.empty() ? Json() : Json(head.trajectory); };
  if (head_a.trajectory != head_b.trajectory)
    differences.push_back({head_a.spec, fmt::format("/{}", trajectory_checksum), checksum(head_a), checksum(head_b)});
  return differences;
}

void compare(const std::string& dir_a, const std::string& dir_b, double rtol, const DifferenceVisitor& visit) {
  StoredRuns set_a(dir_a), set_b(dir_b);
  const StoredRuns::KeysBySpec keys_a = set_a.keys_by_spec(true), keys_b = set_b.keys_by_spec(true);
  const auto in_a = [&](const std::string& spec) { return keys_a.contains(spec); };
  const auto in_b = [&](const std::string& spec) { return keys_b.contains(spec); };
  RecordReader all_of_a(set_a, keys_where(keys_a, [](const std::string&) { return true; }));
  RecordReader shared_of_b(set_b, keys_where(keys_b, in_a)), others_of_b(set_b, keys_where(keys_b, std::not_fn(in_a)));
  for (const auto& [spec, key] : keys_a) {
    stop_where_interrupted();
    const Json run = all_of_a.next();
    if (!in_b(spec)) {
      visit({spec_of(run), "", run, {}});
      continue;
    }
    const Json run_b = shared_of_b.next();
    Comparison(spec_of(run), rtol, visit).compare(run, run_b, Json::json_pointer());
    for (TrajectoryDifference& difference :
         compare_trajectories(trajectory_of(dir_a, run), trajectory_of(dir_b, run_b), rtol))
      visit({spec_of(run), std::move(difference.place), std::move(difference.a), std::move(difference.b)});
  }
  for (const auto& [spec, key] : keys_b) {
    if (in_a(spec)) continue;
    const Json run = others_of_b.next();
    visit({spec_of(run), "", {}, run});
  }
}

std::vector<Difference> compare(const std::string& dir_a, const std::string& dir_b, double rtol) {
  std::vector<Difference> differences;
  compare(dir_a, dir_b, rtol, [&differences](Difference difference) { differences.push_back(std::move(difference)); });
  return differences;
}

}  // namespace daelab
