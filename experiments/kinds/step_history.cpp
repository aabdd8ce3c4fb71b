#include "experiments/kinds/step_history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "experiments/measures/figure_spec.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// Shares are listed up to it, also of runs that stay below.
constexpr int most_common_order = 5;

double share(std::size_t part, std::size_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

template <class T>
T lower_median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

StepHistoryExperiment::RunResult run_result(const FinishedRun& run) {
  const RunRecord& r = run.record;
  StepHistoryExperiment::RunResult result{
      run.label, r.status, r.cause, r.spec, r.stats, StepAttempts(r.history.value_or(StepHistoryRecord{})),
      0,         0,        0,       {},     {},      {}};
  using Kind = StepOutcome::Kind;
  for (const auto& [outcome, count] : result.history.causes())
    (outcome.kind == Kind::error ? result.rejected_by_error
     : outcome.kind == Kind::cut ? result.cut
                                 : result.failed) += count;
  const std::vector<double> sizes = result.history.chosen_sizes();
  if (!sizes.empty()) result.least_step = std::ranges::min(sizes), result.largest_step = std::ranges::max(sizes);
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
    result.largest_growth = std::max(result.largest_growth.value_or(0), sizes[i + 1] / sizes[i]);
  return result;
}

}  // namespace

// ----- the attempts -----

StepAttempts::StepAttempts(StepHistoryRecord attempts) : attempts_(std::move(attempts)) {
  for (std::size_t i = 0; i < attempts_.t.size(); ++i) (outcome(i).accepted() ? accepted_ : dropped_).push_back(i);
}

std::vector<double> StepAttempts::chosen_sizes() const {
  std::vector<double> sizes;
  for (const std::size_t i : accepted_) sizes.push_back(h(i));
  if (sizes.size() > 1) sizes.pop_back();
  return sizes;
}

double StepAttempts::dropped_share() const { return share(dropped_.size(), attempts_.t.size()); }

double StepAttempts::dropped_again_share() const {
  const auto again =
      std::ranges::count_if(dropped_, [this](std::size_t i) { return i > 0 && !outcome(i - 1).accepted(); });
  return share(static_cast<std::size_t>(again), dropped_.size());
}

double StepAttempts::median_newton_iterations() const {
  std::vector<long> own;
  for (std::size_t i = 0; i < attempts_.t.size(); ++i)
    own.push_back(attempts_.newton_iterations[i] - (i > 0 ? attempts_.newton_iterations[i - 1] : 0));
  return own.empty() ? 0 : static_cast<double>(lower_median(std::move(own)));
}

std::vector<std::pair<StepOutcome, long>> StepAttempts::causes() const {
  std::map<std::string, std::pair<StepOutcome, long>> by_text;
  for (const std::size_t i : dropped_) {
    auto& [cause, count] = by_text[to_string(outcome(i))];
    cause = outcome(i), ++count;
  }
  std::vector<std::pair<StepOutcome, long>> causes;
  for (const auto& [text, cause] : by_text) causes.push_back(cause);
  return causes;
}

std::optional<double> StepAttempts::mean_smoothness() const {
  double sum = 0;
  std::size_t count = 0;
  for (const std::size_t i : accepted_)
    if (is_smoothness_known(i)) sum += attempts_.smoothness[i], ++count;
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

std::optional<double> StepAttempts::share_below_order() const {
  std::size_t known = 0, below = 0;
  for (const std::size_t i : accepted_) {
    if (!is_smoothness_known(i)) continue;
    ++known;
    if (attempts_.smoothness[i] < order(i)) ++below;
  }
  return known == 0 ? std::nullopt : std::optional(share(below, known));
}

std::optional<double> StepAttempts::steps_to_recover() const {
  if (accepted_.empty()) return {};
  std::vector<int> orders;
  std::vector<double> sizes;
  for (const std::size_t i : accepted_) orders.push_back(order(i)), sizes.push_back(h(i));
  const int normal_order = lower_median(orders);
  const double normal_size = lower_median(sizes) / 2;
  if (normal_order == 1) return {};
  std::vector<double> counts;
  for (std::size_t start = 0; start < orders.size(); ++start) {
    if (orders[start] != 1 || (start > 0 && orders[start - 1] == 1)) continue;
    std::size_t end = start;
    while (end < orders.size() && (orders[end] < normal_order || sizes[end] < normal_size)) ++end;
    if (end < orders.size()) counts.push_back(static_cast<double>(end - start));
  }
  return counts.empty() ? std::nullopt : std::optional(lower_median(counts));
}

bool StepAttempts::is_smoothness_known(std::size_t i) const {
  return i < attempts_.smoothness.size() && attempts_.smoothness[i] >= 0;
}

int StepAttempts::largest_order() const {
  int largest = 0;
  for (const std::size_t i : accepted_) largest = std::max(largest, order(i));
  return largest;
}

OrderShare::OrderShare(const StepAttempts& history, int largest)
    : steps(static_cast<std::size_t>(largest) + 1, 0), time(steps) {
  double length = 0;
  for (const std::size_t i : history.accepted()) length += history.h(i);
  const double count = static_cast<double>(history.accepted().size());
  for (const std::size_t i : history.accepted()) {
    const auto k = static_cast<std::size_t>(history.order(i));
    steps[k] += 1 / count, time[k] += history.h(i) / length;
    mean += history.order(i) / count;
  }
}

// ----- the experiment -----

Options HistoryFigure::options() {
  return {option("id", id, "file stem"),
          option("caption", caption, "what is shown, and how it was made"),
          option("panels", panels,
                 "axes over time, stacked: h, order, error, smoothness (numerical one, of BDF: the largest order up to "
                 "which differences fall), or a count summed up (newton_iterations, residuals, jacobians, "
                 "factorizations)"),
          option("runs", runs, "labels of the runs shown; empty: all"),
          option("rejections", rejections, "mark the attempts that were dropped, by cause, beside h and error"),
          option("t_max", t_max, "last time shown [s]; null: the end", positive())};
}

Options StepHistoryExperiment::options() {
  return {option("caption", caption, "what the tables compare; what their columns are is added to it"),
          option("figures", figures, "curves over time; none: step size, order and error of all runs")};
}

void StepHistoryExperiment::validate(const std::string& where) const {
  for (std::size_t f = 0; f < figures.size(); ++f) {
    const std::string place = fmt::format("{}/figures/{}/panels", where, f);
    if (figures[f].panels.empty()) throw InputError(place, "is missing: a list of axes");
    const std::vector<std::string> known = quantity_names();
    for (const std::string& panel : figures[f].panels)
      if (std::ranges::find(known, panel) == known.end())
        throw InputError(place, fmt::format("no panel '{}'; there are: {}", panel, fmt::join(known, ", ")));
  }
}

void StepHistoryExperiment::check(const Config& config) const {
  for (std::size_t i = 0; i < config.runs.size(); ++i)
    if (!integration(config, i).spec().history)
      throw InputError("/runs", fmt::format("run '{}' stores no history: give \"rtol\" or \"atol\", and "
                                            "\"history\": true",
                                            config.labels[i]));
  std::set<std::string> used;
  for (std::size_t f = 0; f < figures.size(); ++f) {
    const std::string where = fmt::format("/figures/{}", f);
    check_figure_id(figures[f].id, used, where);
    for (const std::string& wanted : figures[f].runs)
      if (std::find(config.labels.begin(), config.labels.end(), wanted) == config.labels.end())
        throw InputError(where + "/runs",
                         fmt::format("no run '{}'; there are: {}", wanted, fmt::join(config.labels, "; ")));
  }
}

StepHistoryResult StepHistoryExperiment::evaluate(const Config& /*config*/, const std::vector<FinishedRun>& runs,
                                                  const FinishedRun* /*reference*/) const {
  Result result;
  for (const FinishedRun& run : runs) result.runs.push_back(run_result(run));
  return result;
}

const ExperimentEntry<StepHistoryExperiment> step_history_entry;

// ----- as JSON -----

namespace {

// Keys are orders: "/order_share/2" of that order, "/order_share_from/3" of 3 and higher.
Json order_share_json(const StepAttempts& history) {
  const int largest = history.largest_order();
  if (largest == 0) return {{"order_share", nullptr}, {"order_time_share", nullptr}, {"mean_order", nullptr}};
  const OrderShare share(history, std::max(largest, most_common_order));
  Json steps = Json::object(), from = Json::object(), time = Json::object(), time_from = Json::object();
  for (std::size_t k = 1; k < share.steps.size(); ++k) {
    const std::string key = std::to_string(k);
    const auto rest = [k](const std::vector<double>& x) {
      double sum = 0;
      for (std::size_t j = k; j < x.size(); ++j) sum += x[j];
      return sum;
    };
    steps[key] = share.steps[k], from[key] = rest(share.steps);
    time[key] = share.time[k], time_from[key] = rest(share.time);
  }
  return {{"order_share", steps},
          {"order_share_from", from},
          {"order_time_share", time},
          {"order_time_share_from", time_from},
          {"mean_order", share.mean}};
}

}  // namespace

void members(JsonMembers& json, StepHistoryExperiment::RunResult& run) {
  json("label", run.label)("spec", run.spec)("status", run.status)("cause", run.cause)("stats", run.stats);
  json.derived("accepted", [&run] { return run.history.accepted().size(); });
  json("rejected_by_error", run.rejected_by_error)("cut", run.cut)("failed", run.failed);
  json.derived("causes", [&run] {
    Json causes = Json::object();
    for (const auto& [outcome, count] : run.history.causes()) causes[to_string(outcome)] = count;
    return causes;
  });
  json("h_min", run.least_step)("h_max", run.largest_step)("largest_growth", run.largest_growth);
  json.derived("dropped_share", [&run] { return run.history.dropped_share(); });
  json.derived("dropped_again_share", [&run] { return run.history.dropped_again_share(); });
  json.derived("median_newton_iterations", [&run] { return run.history.median_newton_iterations(); });
  if (run.history.steps_to_recover())
    json.derived("steps_to_recover", [&run] { return *run.history.steps_to_recover(); });
  if (run.history.mean_smoothness()) {
    json.derived("mean_smoothness", [&run] { return *run.history.mean_smoothness(); });
    json.derived("smoothness_below_order_share", [&run] { return *run.history.share_below_order(); });
  }
  const auto per_step = [&](const char* key, long count) {
    json.derived(
        key, [&run, count] { return static_cast<double>(count) / static_cast<double>(run.history.accepted().size()); });
  };
  per_step("newton_iterations_per_step", run.stats.newton_iterations);
  per_step("residuals_per_step", run.stats.residuals);
  per_step("jacobians_per_step", run.stats.jacobians);
  per_step("factorizations_per_step", run.stats.factorizations);
  if (const Json* from = json.from()) run.history = StepAttempts(from->at("attempts").get<StepHistoryRecord>());
  const Json shares = json.from() ? Json::object() : order_share_json(run.history);
  for (const auto& [key, share] : shares.items()) json.derived(key.c_str(), [&share = share] { return share; });
  json.derived("attempts", [&run] { return run.history.attempts(); });
}

void members(JsonMembers& json, StepHistoryResult& result) { json("series", result.runs); }

}  // namespace daelab
