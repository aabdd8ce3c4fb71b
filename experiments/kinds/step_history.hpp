// Step history: step size, order, error estimate, rejected attempts and work against time, of runs with error control.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/status.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// The attempts of one run, by what became of them. An attempt leads from t to t + h.
class StepAttempts {
 public:
  StepAttempts() = default;
  explicit StepAttempts(StepHistoryRecord attempts);

  const StepHistoryRecord& attempts() const { return attempts_; }
  bool empty() const { return attempts_.t.empty(); }
  double begin(std::size_t i) const { return attempts_.t[i]; }
  double h(std::size_t i) const { return attempts_.h[i]; }
  double end(std::size_t i) const { return begin(i) + h(i); }
  int order(std::size_t i) const { return attempts_.order[i]; }
  const StepOutcome& outcome(std::size_t i) const { return attempts_.outcome[i]; }
  const std::vector<std::size_t>& accepted() const { return accepted_; }
  const std::vector<std::size_t>& dropped() const { return dropped_; }

  /// The accepted steps whose size was chosen: the last one is cut to the end time.
  std::vector<double> chosen_sizes() const;
  /// Share of the attempts that were dropped; and among these the share that followed a dropped one.
  double dropped_share() const;
  double dropped_again_share() const;
  /// What half of the attempts need at most; counts of attempts are summed up from the start.
  double median_newton_iterations() const;
  /// How many attempts were dropped for which cause, in the order of their texts.
  std::vector<std::pair<StepOutcome, long>> causes() const;
  int largest_order() const;
  /// The numerical smoothness of the accepted steps, and the share of them whose order is higher; nothing where the
  /// method has no differences. [Ren20, after eq. (86)]
  std::optional<double> mean_smoothness() const;
  std::optional<double> share_below_order() const;
  /// How many accepted steps it takes from a start at order 1 until the order is the median one of the run and the step
  /// half of its median or more: the median over all starts; nothing where there are none. [Ren20, Sec. 5.2]
  std::optional<double> steps_to_recover() const;

 private:
  bool is_smoothness_known(std::size_t i) const;

  StepHistoryRecord attempts_;
  std::vector<std::size_t> accepted_, dropped_;
};

/// Which part of the accepted steps, and of the time, each order has.
struct OrderShare {
  std::vector<double> steps, time;  // [k]: of order k
  double mean = 0;                  // over the steps

  OrderShare(const StepAttempts& history, int largest);
};

struct HistoryFigure {
  std::string id, caption;
  std::vector<std::string> panels{"h", "order", "error"};
  std::vector<std::string> runs;
  bool rejections = true;
  std::optional<Exact> t_max;

  Options options();
};

struct StepHistoryExperiment {
  static constexpr const char* name = "step-history";
  static constexpr const char* summary =
      "Step size, order, error estimate, rejected attempts and work against time; shares of the orders.";
  static constexpr const char* source = "Ren, Zhou 2020, figures 4 and 7";
  static MemberUnits units() {
    return with_run_times("/series/*/stats", {{"/series/*/h_min", "s"},
                                              {"/series/*/h_max", "s"},
                                              {"/series/*/attempts/t", "s"},
                                              {"/series/*/attempts/h", "s"}});
  }

  std::string caption;
  std::vector<HistoryFigure> figures;

  Options options();
  void validate(const std::string& where) const;
  void check(const Config& config) const;

  struct RunResult {
    std::string label;
    StatusCode status = StatusCode::ok;
    std::string cause;
    Json spec;
    RunStatistics stats;
    StepAttempts history;
    long rejected_by_error = 0, cut = 0, failed = 0;  // attempts that were dropped
    std::optional<double> least_step, largest_step;   // of those whose size was chosen [s]
    std::optional<double> largest_growth;             // from one of them to the next
  };
  struct Result {
    std::vector<RunResult> runs;
  };

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference) const;
  Artifacts present(const Config& config, const Result& result) const;

  /// The names of what panels show against time.
  static std::vector<std::string> quantity_names();
};

using StepHistoryResult = StepHistoryExperiment::Result;

/// {"series": [{"label", "spec", "stats", "causes", "order_share": {ORDER: share}, ..., "attempts"}]}: what claims
/// point into.
void members(JsonMembers& json, StepHistoryResult& result);

}  // namespace daelab
