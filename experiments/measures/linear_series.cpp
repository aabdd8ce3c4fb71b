#include "experiments/measures/linear_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/record_values.hpp"

namespace daelab {
namespace {

// The records of a series.
class LinearRecords {
 public:
  LinearRecords(const RunGroup& group, const std::vector<FinishedLinearRun>& runs) {
    for (const std::size_t i : group.runs) records_.push_back(&runs[i].record);
  }
  const std::vector<const LinearRecord*>& list() const { return records_; }
  std::vector<double> values(const auto& of) const {
    std::vector<double> list;
    for (const LinearRecord* record : records_) list.push_back(static_cast<double>(of(*record)));
    return list;
  }
  std::vector<double> values(double Sr1Properties::*member) const {
    return values([&](const LinearRecord& r) { return r.properties.*member; });
  }
  std::vector<double> values(int Sr1Properties::*member) const {
    return values([&](const LinearRecord& r) { return r.properties.*member; });
  }

 private:
  std::vector<const LinearRecord*> records_;
};

double smallest_of(std::vector<double> values) {
  for (double& x : values) x = -x;
  return -largest_of(values);
}
double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
std::vector<double> quotients(std::vector<double> values, const std::vector<double>& divisors) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= divisors[i];
  return values;
}
long count(const std::vector<double>& values, const auto& is_counted) {
  return std::count_if(values.begin(), values.end(), is_counted);
}

Spread spread(const std::vector<double>& values) {
  return {smallest_of(values), sum(values) / static_cast<double>(values.size()), largest_of(values)};
}

DecreaseSummary summarise(const LinearRecords& records, Decrease Sr1Properties::*norm) {
  const auto values = [&](auto Decrease::*member) {
    return records.values([&](const LinearRecord& r) { return r.properties.*norm.*member; });
  };
  const auto positive = [](double x) { return x > 0; };
  const std::vector<double> increases = values(&Decrease::increases);
  DecreaseSummary summary;
  summary.increasing = count(increases, positive);
  summary.share = static_cast<double>(summary.increasing) / static_cast<double>(records.list().size());
  summary.share_of_passes = sum(increases) / sum(records.values(&Sr1Properties::passes));
  summary.standing_still = count(values(&Decrease::standstills), positive);
  summary.largest_factor = largest_of(values(&Decrease::largest_factor));
  return summary;
}

void count_statuses(const LinearRecords& records, LinearSeries& series) {
  for (const LinearRecord* record : records.list()) {
    auto place = std::find_if(series.statuses.begin(), series.statuses.end(),
                              [&](const auto& counted) { return counted.first == to_string(record->status); });
    if (place == series.statuses.end()) place = series.statuses.insert(place, {to_string(record->status), 0});
    ++place->second;
  }
}

void summarise_classical(const LinearRecords& records, LinearSeries::Classical& classical) {
  const std::vector<double> steps = records.values([](const LinearRecord& r) { return r.classical.steps; });
  classical.steps = spread(steps);
  classical.steps_more =
      spread(records.values([](const LinearRecord& r) { return r.properties.passes + 1 - r.classical.steps; }));
  // The last step needs no new H.
  classical.products = largest_of(quotients(
      records.values([](const LinearRecord& r) { return r.classical.products + r.classical.converged; }), steps));
  classical.unconverged = count(records.values([](const LinearRecord& r) { return r.classical.converged; }),
                                [](double converged) { return converged == 0; });
}

void summarise(const LinearRecords& records, LinearSeries& series) {
  count_statuses(records, series);
  series.problems = records.list().size();
  series.passes = spread(records.values(&Sr1Properties::passes));
  series.unconverged = std::count_if(records.list().begin(), records.list().end(),
                                     [](const LinearRecord* r) { return !r->properties.converged; });
  series.skipped = largest_of(records.values(&Sr1Properties::skipped));
  for (const auto& [key, member] : sr1_deviations) {
    const auto values =
        records.values([member = member](const LinearRecord& r) { return r.properties.deviations.*member; });
    series.deviations.*member = largest_of(values);
    series.roundings.*member = largest_of(quotients(values, records.values(&Sr1Properties::rounding)));
  }
  series.solution_error = largest_of(records.values(&Sr1Properties::solution_error));
  series.inverse_error = largest_of(records.values(&Sr1Properties::inverse_error));
  series.perturbation = largest_of(records.values(&Sr1Properties::perturbation));
  series.norm_ratio = largest_of(records.values(&Sr1Properties::norm_ratio));
  for (std::size_t i = 0; i < series.decreases.size(); ++i)
    series.decreases[i] = summarise(records, sr1_decreases[i].second);
  const auto contractions =
      records.values([](const LinearRecord& r) { return r.properties.solution_errors.largest_factor; });
  series.contraction_over_bound = largest_of(quotients(contractions, records.values(&Sr1Properties::perturbation)));
  const std::vector<double> least = records.values(&Sr1Properties::least_eigenvalue);
  series.least_eigenvalue = smallest_of(least);
  series.independence = smallest_of(records.values(&Sr1Properties::independence));
  series.curvature = smallest_of(records.values(&Sr1Properties::curvature));
  series.product_form = smallest_of(records.values(&Sr1Properties::product_form));
  series.product_asymmetry = largest_of(records.values(&Sr1Properties::product_asymmetry));
  series.not_positive_definite = count(least, [](double x) { return !(x > 0); });
  series.products = largest_of(quotients(records.values([](const LinearRecord& r) { return r.properties.products; }),
                                         records.values(&Sr1Properties::passes)));
  summarise_classical(records, series.classical);
  series.solver = {spread(records.values([](const LinearRecord& r) { return r.report.passes; })),
                   largest_of(records.values([](const LinearRecord& r) { return r.report.residual; })),
                   largest_of(records.values([](const LinearRecord& r) { return r.error; }))};
  series.first = records.list().front()->properties;
}

}  // namespace

double largest_of(const std::vector<double>& values) {
  double result = -INFINITY;
  for (const double x : values)
    if (!(x <= result)) result = x;
  return result;
}

std::string LinearSeries::status_text() const {
  if (statuses.size() == 1) return statuses.front().first;
  std::vector<std::string> parts;
  for (const auto& [status, number] : statuses) parts.push_back(fmt::format("{} {}", status, number));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<LinearSeries> linear_series(const Config& config) {
  std::vector<LinearSeries> all;
  for (const RunGroup& group : group_runs(config, "/problem/seed")) {
    LinearSeries& series = all.emplace_back();
    series.label = group.label, series.entry_label = group.entry_label, series.spec = group.spec;
  }
  return all;
}

std::vector<LinearSeries> linear_series(const Config& config, const std::vector<FinishedLinearRun>& runs) {
  std::vector<LinearSeries> all = linear_series(config);
  const std::vector<RunGroup> groups = group_runs(config, "/problem/seed");
  for (std::size_t i = 0; i < all.size(); ++i) summarise(LinearRecords(groups[i], runs), all[i]);
  return all;
}

// ----- as JSON -----

void members(JsonMembers& json, Spread& spread) { json("min", spread.min)("mean", spread.mean)("max", spread.max); }

void members(JsonMembers& json, DecreaseSummary& decrease) {
  json("increasing", decrease.increasing)("share", decrease.share)("share_of_passes", decrease.share_of_passes);
  json("standing_still", decrease.standing_still)("largest_factor", decrease.largest_factor);
}

void members(JsonMembers& json, LinearSeries::Classical& classical) {
  json("steps", classical.steps)("steps_more", classical.steps_more)("products_a_step", classical.products);
  json("unconverged", classical.unconverged);
}

void members(JsonMembers& json, LinearSeries::Solver& solver) {
  json("passes", solver.passes)("residual", solver.residual)("error", solver.error);
}

void members(JsonMembers& json, Sr1Deviations& deviations) {
  for (const auto& [key, member] : sr1_deviations) json(key, deviations.*member);
}

void members(JsonMembers& json, LinearSeries& series) {
  json("label", series.label)("entry_label", series.entry_label)("spec", series.spec)("problems", series.problems);
  json.group("statuses", [&series](JsonMembers& statuses) { statuses.all(series.statuses); });
  json("k", series.passes)("products_a_pass", series.products)("classical", series.classical);
  json("unconverged", series.unconverged)("skipped", series.skipped);
  json.group("largest", [&series](JsonMembers& largest) {
    members(largest, series.deviations);
    largest("solution_error", series.solution_error)("inverse_error", series.inverse_error);
    largest("perturbation", series.perturbation)("norm_ratio", series.norm_ratio);
  });
  json("roundings", series.roundings);
  json.group("monotone", [&series](JsonMembers& monotone) {
    for (std::size_t i = 0; i < series.decreases.size(); ++i) monotone(sr1_decreases[i].first, series.decreases[i]);
  });
  json("contraction_over_bound", series.contraction_over_bound)("least_eigenvalue", series.least_eigenvalue);
  json("independence", series.independence)("curvature", series.curvature);
  json.group("product", [&series](JsonMembers& product) {
    product("asymmetry", series.product_asymmetry)("least_form", series.product_form);
  });
  json("not_positive_definite", series.not_positive_definite)("solver", series.solver)("first", series.first);
}

}  // namespace daelab
