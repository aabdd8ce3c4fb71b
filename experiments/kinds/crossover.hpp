// Crossover: the work that methods spend while a parameter of the problem grows, its stiffness or the number of its
// bodies, and where one of them turns dearer than another.
//
// Work is that of the cheapest run within an accuracy, or of the cheapest one that ends well. Two groups of methods are
// compared as the least of each; without groups every pair of methods is, and each gets its growth, the p of
// work = C value^p.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "experiments/measures/cost.hpp"
#include "experiments/measures/cost_growth.hpp"
#include "experiments/measures/crossover_point.hpp"
#include "experiments/measures/swept_parameter.hpp"
#include "lab/runs/experiment.hpp"
#include "results/artifacts.hpp"
#include "results/members.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// The run within the accuracy that costs least.
struct CheapestRun {
  std::string steps_text;  // "rtol = 1E-6, atol = 1E-8"
  std::optional<Exact> rtol, h;
  RunStatistics stats;
  double cost = 0;
  std::optional<double> error;  // nothing where no accuracy is asked for
};

struct CrossoverResult {
  /// A method on the problem with one value of the parameter, over its tolerances or step sizes.
  struct Point {
    double value = 0;
    long tried = 0;
    std::optional<CheapestRun> cheapest;  // nothing where no run reached the accuracy
  };
  struct Series {
    Json spec;  // without the parameter and the tolerances
    std::string label;
    std::vector<Factor> factors;       // of the label
    std::vector<Point> points;         // ascending in value
    std::optional<CostGrowth> growth;  // without groups, from three costs on
  };
  /// The first group against another one, by a factor.
  struct Comparison {
    std::string rival;
    Exact factor;
    Crossover crossover;
  };
  /// All in one cost.
  struct Swept {
    std::string cost;
    std::vector<Series> series;
    std::vector<Least> first, second;  // of the groups
    Crossover drawn;                   // where both cost the same
    std::vector<Comparison> comparisons;
    std::vector<PairCrossing> pairs;  // of the series, without groups
  };
  std::string failure;  // why there are no errors; "": there are
  std::vector<Swept> swept;
};

/// {"failure", COST: {"series", "crossover": {RIVAL: {FACTOR: {"up_to", "beyond_the_sweep"}}}, ...}} for each cost:
/// what claims point into. Without groups {COST: {"series", "pairs": [{"first", "second", "at"}]}}.
void members(JsonMembers& json, CrossoverResult& result);

struct MethodGroup {
  std::string label;
  std::vector<std::string> series;

  Options options();
};

/// What a cost is of.
enum class CostOf { run, step };
std::vector<std::string> names_of(CostOf);

struct CrossoverExperiment {
  static constexpr const char* name = "crossover";
  static constexpr const char* summary =
      "Least work for an accuracy, or for a step, against the stiffness of the problem or the number of its bodies; "
      "where methods turn dearer than others, and how fast their work grows.";
  static constexpr const char* source =
      "Ren, Zhou 2020, section 9: faster than generalized-alpha below a stiffness of 1E4";
  static MemberUnits units() { return with_run_times("/*/series/*/points/*/stats", {{"/*/series/*/points/*/h", "s"}}); }

  std::string caption, x_label, accuracy;
  Json over = "/problem/stiffness";
  std::optional<Exact> within = Exact("1e-6");
  std::vector<std::string> cost{"evaluations", "seconds"};
  CostOf per = CostOf::run;
  std::vector<Exact> factors{Exact(1)};
  std::vector<MethodGroup> groups;
  std::vector<std::string> drawn;

  Options options();
  void validate(const std::string& where) const;
  void check(const Config& config) const;

  using Result = CrossoverResult;
  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference_run) const;
  Artifacts present(const Config& config, const Result& result) const;

 private:
  using Point = CrossoverResult::Point;
  using SweptSeries = CrossoverResult::Series;
  using Swept = CrossoverResult::Swept;

  SweptParameter swept_parameter() const { return {over, "/over"}; }
  std::string x_axis() const { return x_label.empty() ? swept_parameter().label() : x_label; }
  std::string measure(const Run& run) const { return accuracy.empty() ? run.classes().front() : accuracy; }
  std::function<void(Json&)> without_sweep() const;
  std::vector<MethodGroup> rivals() const;
  void check_groups(const Config& config) const;

  std::vector<SweptSeries> sweep(const Config& config, const std::vector<FinishedRun>& runs,
                                 const FinishedRun* reference_run, const Cost& measured) const;
  void consider(const FinishedRun& run, const FinishedRun* reference_run, const Cost& measured, Point& point) const;
  void compare_groups(Swept& swept) const;

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }
  std::string conditions(const Config& config) const;
  std::string label_of(const Swept& swept) const;
  Column value_column(const Swept& swept) const;
  Table least_table(const std::string& name, const std::string& heading, const Swept& swept) const;
  Table run_table(const std::string& id, const std::string& heading, const Swept& swept) const;
  Table crossing_table(const Config& config, const std::vector<Swept>& all) const;
  Table pair_table(const Config& config, const std::vector<Swept>& all) const;
  Table growth_table(const Config& config, const std::vector<Swept>& all) const;
  Panel panel(const Swept& swept) const;
};

}  // namespace daelab
