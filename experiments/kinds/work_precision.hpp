// Work-precision diagrams: accuracy at the end time against what it costs, of methods over a range of tolerances or of
// step sizes. A series is made of the runs that differ in these only.
//
// scd and mescd are the accuracy measures of the field's test sets: see accuracy.hpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/options.hpp"
#include "core/base/status.hpp"
#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/chosen_table.hpp"
#include "lab/runs/experiment.hpp"

namespace daelab {

struct WorkFigure {
  static constexpr const char* cost_over_accuracy = "cost-over-accuracy";
  static constexpr const char* accuracy_over_cost = "accuracy-over-cost";

  std::string id, caption, orientation = cost_over_accuracy;
  std::vector<std::string> accuracy, cost{"steps"}, series;

  Options options();
};

struct AccuracyTarget {
  std::string accuracy = "scd";
  std::vector<Exact> at;

  Options options();
};

struct WorkPrecision {
  static constexpr const char* name = "work-precision";
  static constexpr const char* summary =
      "Accuracy at the end time against steps, evaluations, factorisations or time, over tolerances or step sizes.";
  static constexpr const char* source = "Hairer, Wanner, Solving Ordinary Differential Equations II";
  static MemberUnits units() {
    return with_run_times("/series/*/points/*/stats", {{"/series/*/t_end", "s"},
                                                       {"/series/*/points/*/h", "s"},
                                                       {"/series/*/points/*/t", "s"},
                                                       {"/series/*/points/*/cost/seconds", "s"}});
  }

  std::string caption;
  std::vector<std::string> scd_components, mescd_components;
  std::vector<WorkFigure> figures;
  std::vector<AccuracyTarget> at_accuracy;
  std::vector<ChosenTable> chosen_tables;

  Options options();
  void validate(const std::string& where) const;
  void check(const Config& config) const;

  /// A run: what it reached and what that cost.
  struct Point {
    RunSpec spec;
    StatusCode status = StatusCode::ok;
    std::string cause;
    Json t;  // reached, in the scalar of the run
    RunStatistics stats;
    std::map<std::string, double> cost;      // by name
    std::map<std::string, double> accuracy;  // error or digits by measure; empty unless the run succeeded

    bool ok() const { return status == StatusCode::ok; }
    /// Nothing of classes without entries.
    std::optional<double> reached(const std::string& measure) const;
  };
  /// What an accuracy costs; nothing where no two runs bracket it.
  struct CostOfAccuracy {
    std::string measure, at;  // "1E-4" of errors, however they are written, and "4.5" of digits
    std::map<std::string, std::optional<double>> cost;
    std::optional<double> tolerance;  // or step size, interpolated as a cost
  };
  /// One method and formulation over its tolerances or step sizes, loose to tight.
  struct RunSeries {
    std::string label;
    Json spec;                       // without tolerances and step size; "steps" says which of them
    std::shared_ptr<const Run> run;  // one of them; null in a series that was read
    std::vector<Point> points;
    std::string reference;  // its source and how well it is known
    int at_floor = 0;       // runs that reach the digits known of it
    std::vector<CostOfAccuracy> costs;
    std::vector<Factor> factors = {};  // of the label
    std::vector<std::string> classes;  // of components
    Exact t_end = 0;                   // [s]
  };
  struct Result {
    std::string failure;  // why there are no accuracies; "": there are
    std::vector<RunSeries> series;
  };

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference_run) const;
  Artifacts present(const Config& config, const Result& result) const;

  /// The JSON with tolerances and step size of a run.
  static Json with_steps(Json json, const RunSpec& spec);

  /// For a measure; errors otherwise.
  static bool counts_digits(const std::string& measure) { return measure == "scd" || measure == "mescd"; }

 private:
  /// What stands for lists that are empty.
  std::vector<std::string> of_scd(const std::vector<std::string>& classes) const;
  std::vector<std::string> of_mescd(const std::vector<std::string>& classes) const;
  std::set<std::string> measures(const Run& run) const;

  Point point(const FinishedRun& run, const ReferenceSolution* reference) const;
  std::vector<CostOfAccuracy> costs(const std::vector<Point>& points) const;
  static void check_table(const ChosenTable& table, const Config& config, const std::string& where);
  std::vector<Table> tables(const Config& config, const Result& result) const;
};

using WorkPrecisionResult = WorkPrecision::Result;

/// {"failure", "series": [{"label", "spec", "reference", "points", "at_accuracy", ...}]}: what claims point into.
/// Without accuracies there are no series. Infinite digits, of a run without error, are null.
void to_json(Json& json, const WorkPrecisionResult& result);
/// Reads only what to_json writes; otherwise throws Json::exception.
void from_json(const Json& json, WorkPrecisionResult& result);

}  // namespace daelab
