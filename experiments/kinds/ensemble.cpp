#include "experiments/kinds/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/documents/problem_document.hpp"
#include "core/mechanism/state_names.hpp"

namespace daelab {
namespace {

using Course = Ensemble::Course;
using Group = Ensemble::Group;
using Quantity = Ensemble::Quantity;

/// A number that a record has: an entry of its states, or one of its maxima.
struct Measured {
  std::string kind;       // class of entries of a state; "": a maximum
  std::size_t index = 0;  // among these
  std::optional<Real50> Maxima::*largest = nullptr;

  std::optional<double> of(const StateRecord& state) const {
    if (kind.empty()) return {};
    const Vector<Real50>& entries = state.of(kind);
    if (std::cmp_less_equal(entries.size(), index)) return {};
    const auto value = static_cast<double>(entries[static_cast<Index>(index)]);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  std::optional<double> at_end(const RunRecord& record) const {
    if (largest == nullptr) return of(record.state);
    const std::optional<Real50>& value = record.max.*largest;
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  }
};

constexpr std::pair<const char*, std::optional<Real50> Maxima::*> maxima_by_name[] = {
    {"energy_error", &Maxima::energy_error},
    {"position_constraint", &Maxima::position_constraint},
    {"velocity_constraint", &Maxima::velocity_constraint},
    {"acceleration_constraint", &Maxima::acceleration_constraint}};

Measured measured(const std::string& name, const Problem& problem, const std::string& where) {
  for (const auto& [known, largest] : maxima_by_name)
    if (name == known) return {"", 0, largest};
  const StateNames names(problem);
  const StateEntry& entry = names.find("qvy", name, where);  // "q6" is the sixth of its class
  return {std::string(1, entry.kind), std::stoul(entry.name.substr(1)) - 1, nullptr};
}

std::vector<std::string> default_quantities(const Problem& problem) {
  const StateNames names(problem);
  std::vector<std::string> list;
  for (const char kind : {'q', 'y'})
    for (const StateEntry& entry : names.of(kind)) list.push_back(entry.own.empty() ? entry.name : entry.own);
  return list;
}

// The places that draws of a config name.
std::vector<std::string> drawn_places(const Json& config) {
  std::vector<std::string> places;
  const auto add = [&](const Json& run) {
    if (!run.is_object() || !run.contains("draws") || !run["draws"].contains("values")) return;
    for (const auto& [place, distribution] : run["draws"]["values"].items()) places.push_back(place);
  };
  const Json runs = config.value("runs", Json());
  add(config.value("common", Json()));
  add(runs);
  for (std::size_t i = 0; runs.is_array() && i < runs.size(); ++i) add(runs[i]);
  return places;
}

std::vector<std::string> varied_places(const Ensemble& spec, const Config& config) {
  return spec.vary.empty() ? drawn_places(config.json) : spec.vary;
}

// A specification without what a place names; false where it has no such. Completed specifications name entries of a
// start as trajectories do: there the whole of q, v or y is left out. Options of a problem that is a document are its
// parameters.
bool leave_out(Json& spec, const std::string& place) {
  constexpr std::string_view start = "/start/", problem = "/problem/";
  if (place.starts_with(problem) && is_problem_document(spec["problem"])) {
    Json without = without_parameter(spec["problem"], place.substr(problem.size()));
    const bool has = without != spec["problem"];
    if (has) spec["problem"] = std::move(without);
    if (has) return true;
  }
  const Json::json_pointer pointer(place.starts_with(start) ? place.substr(0, place.find('/', start.size())) : place);
  if (!spec.contains(pointer)) return false;
  spec.erase(pointer);
  return true;
}

std::vector<RunGroup> groups_of(const Config& config, const std::vector<std::string>& places) {
  return group_runs(config, [&](Json& spec) {
    for (const std::string& place : places) leave_out(spec, place);
  });
}

// Whoever misspells a place would get each run as a group of its own.
void check_vary(const std::vector<std::string>& vary, const Config& config) {
  for (std::size_t i = 0; i < vary.size(); ++i) {
    const bool is_known = std::ranges::any_of(config.runs, [&](const auto& run) {
      Json spec = *run->specification();
      return leave_out(spec, vary[i]);
    });
    if (!is_known)
      throw InputError(
          fmt::format("/vary/{}", i),
          fmt::format("no run has '{}': a place is a JSON pointer into the runs, such as /problem/mass", vary[i]));
  }
}

// What the runs of a group have of one quantity: their numbers alone, because their records are too many to keep.
class Sample {
 public:
  Sample(std::string name, const Measured& what) : name_(std::move(name)), what_(what) {}

  void add(const RunRecord& record) {
    if (const auto value = what_.at_end(record)) at_end_.push_back(*value);
    if (is_first_ && record.samples)
      for (const StateRecord& sample : *record.samples) times_.push_back(static_cast<double>(sample.t));
    is_first_ = false;
    on_the_way_.resize(times_.size());
    for (std::size_t k = 0; record.samples && k < std::min(times_.size(), record.samples->size()); ++k)
      if (const auto value = what_.of((*record.samples)[k])) on_the_way_[k].push_back(*value);
  }

  /// Leaves nothing behind.
  Quantity quantity(const std::vector<double>& parts, int intervals) {
    Quantity quantity{name_, {}, {}, course(parts)};
    if (at_end_.empty()) return quantity;
    quantity.histogram = histogram(at_end_, intervals);
    quantity.statistics = sample_statistics(std::move(at_end_), parts);
    return quantity;
  }

 private:
  Course course(const std::vector<double>& parts) {
    Course course;
    for (std::size_t k = 0; k < times_.size(); ++k) {
      if (on_the_way_[k].empty()) continue;
      course.t.push_back(times_[k]);
      course.statistics.push_back(sample_statistics(std::move(on_the_way_[k]), parts));
    }
    return course;
  }

  std::string name_;
  Measured what_;
  bool is_first_ = true;
  std::vector<double> at_end_, times_;           // samples are where those of the first run are
  std::vector<std::vector<double>> on_the_way_;  // at each of these times
};

// Samples of one group.
std::vector<Sample> empty_samples(const std::vector<std::string>& quantities, const Problem& problem) {
  std::vector<Sample> samples;
  for (const std::string& name : quantities.empty() ? default_quantities(problem) : quantities)
    samples.emplace_back(name, measured(name, problem, "/quantities"));
  return samples;
}

}  // namespace

std::string quantity_words(const std::string& name) {
  std::string words = name;
  const bool is_largest = std::ranges::find(maxima_by_name, name, [](const auto& one) { return one.first; }) !=
                          std::ranges::end(maxima_by_name);
  if (is_largest) std::ranges::replace(words, '_', ' ');
  return words;
}

Options Ensemble::options() {
  return {
      option("caption", caption, "what the table shows; what its columns are is added to it"),
      option("vary", vary,
             "places that the runs of a group differ in, as JSON pointers into the run: [\"/problem/mass\"]; empty: "
             "those of \"draws\""),
      option("quantities", quantities,
             "entries of the state at the end, named as in trajectories or by the problem, or energy_error, "
             "position_constraint, velocity_constraint, acceleration_constraint over the run; empty: all "
             "coordinates and first-order states"),
      option("quantiles", quantiles, "parts of the runs below", between(0, 1)),
      option("intervals", intervals, "of histograms", at_least(1))};
}

void Ensemble::validate(const std::string& where) const {
  for (std::size_t i = 0; i < vary.size(); ++i) try {
      Json::json_pointer{vary[i]};
    } catch (const Json::exception&) {
      throw InputError(fmt::format("{}/vary/{}", where, i),
                       fmt::format("must be a JSON pointer such as /problem/mass, not '{}'", vary[i]));
    }
}

void Ensemble::check(const Config& config) const {
  if (varied_places(*this, config).empty())
    throw InputError("/vary", "is missing: what the runs of an ensemble differ in, where no \"draws\" say it");
  check_vary(vary, config);
  std::string checked;  // problem
  for (std::size_t r = 0; r < config.runs.size() && !quantities.empty(); ++r) {
    const std::string name = config.runs[r]->specification()->at("problem").at("name");
    if (name == checked) continue;
    const auto run = static_cast<const CompactRun&>(*config.runs[r]).whole();
    for (std::size_t i = 0; i < quantities.size(); ++i)
      measured(quantities[i], run->problem(), fmt::format("/quantities/{}", i));
    checked = name;
  }
}

Ensemble::Result Ensemble::evaluate(const Config& config, const RunReader<CompactRun, RunRecord>& runs) const {
  Result result;
  for (const Exact& part : quantiles) result.quantiles.push_back(part.as<double>());
  const std::vector<RunGroup> groups = groups_of(config, varied_places(*this, config));
  std::vector<std::size_t> group_of(config.runs.size());
  std::vector<std::vector<Sample>> samples;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t i : groups[g].runs) group_of[i] = g;
    const auto first = static_cast<const CompactRun&>(*config.runs[groups[g].runs.front()]).whole();
    samples.push_back(empty_samples(quantities, first->problem()));
    result.groups.push_back({groups[g].label, groups[g].spec, static_cast<long>(groups[g].runs.size()), 0, {}});
  }
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    const RunRecord record = runs(i).record;
    if (!record.ok()) continue;
    ++result.groups[group_of[i]].ended;
    for (Sample& sample : samples[group_of[i]]) sample.add(record);
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (Sample& sample : samples[g])
      result.groups[g].quantities.push_back(sample.quantity(result.quantiles, intervals));
  return result;
}

const ExperimentEntry<Ensemble> ensemble_entry;

// ----- as JSON -----

namespace {

void statistics_members(JsonMembers& json, SampleStatistics& x) {
  json("mean", x.mean)("deviation", x.deviation)("standard_error", x.standard_error);
  json("least", x.least)("largest", x.largest)("quantiles", x.quantiles);
}

}  // namespace

void members(JsonMembers& json, SampleStatistics& statistics) { statistics_members(json, statistics); }

void members(JsonMembers& json, Histogram& histogram) { json("edges", histogram.edges)("counts", histogram.counts); }

void members(JsonMembers& json, Ensemble::Course& course) { json("t", course.t)("statistics", course.statistics); }

void members(JsonMembers& json, Ensemble::Quantity& quantity) {
  json("name", quantity.name)("end", quantity.statistics)("histogram", quantity.histogram)("course", quantity.course);
}

void members(JsonMembers& json, Ensemble::Group& group) {
  json("label", group.label)("spec", group.spec)("runs", group.runs)("ended", group.ended);
  json("quantities", group.quantities);
}

void members(JsonMembers& json, EnsembleResult& result) {
  json("groups", result.groups)("quantiles", result.quantiles);
}

}  // namespace daelab
