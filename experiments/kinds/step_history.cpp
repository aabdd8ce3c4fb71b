// Step history: step size, order, error estimate, rejected attempts and work against time, of runs with error control.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/measures/figure_spec.hpp"
#include "experiments/measures/run_times.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

template <auto column>
double attempt_value(const StepHistoryRecord& attempts, std::size_t i) {
  return static_cast<double>((attempts.*column)[i]);
}

// Shares are listed up to it, also of runs that stay below.
constexpr int most_common_order = 5;

/// What a panel shows against time.
struct Quantity {
  const char *name, *label;
  bool log, stairs;  // stairs: holds over a whole step; the others belong to its end, counts summed up from the start
  double (*of)(const StepHistoryRecord& attempts, std::size_t i);
};
using Attempts = StepHistoryRecord;
constexpr Quantity quantities[] = {
    {"h", "step size h [s]", true, true, attempt_value<&Attempts::h>},
    {"order", "order", false, true, attempt_value<&Attempts::order>},
    {"error", "error / tolerance", true, false, attempt_value<&Attempts::error>},
    {"newton_iterations", "Newton iterations", false, false, attempt_value<&Attempts::newton_iterations>},
    {"residuals", "residuals", false, false, attempt_value<&Attempts::residuals>},
    {"jacobians", "Jacobians", false, false, attempt_value<&Attempts::jacobians>},
    {"factorizations", "factorisations", false, false, attempt_value<&Attempts::factorizations>}};

const Quantity* find_quantity(const std::string& name) {
  const auto place = std::find_if(std::begin(quantities), std::end(quantities),
                                  [&](const Quantity& quantity) { return name == quantity.name; });
  return place == std::end(quantities) ? nullptr : place;
}

struct HistoryFigure {
  std::string id, caption;
  std::vector<std::string> panels{"h", "order", "error"};
  std::vector<std::string> runs;
  bool rejections = true;
  std::optional<Exact> t_max;

  Options options() {
    return {option("id", id, "file stem"),
            option("caption", caption, "what is shown, and how it was made"),
            option("panels", panels,
                   "axes over time, stacked: h, order, error, or a count summed up "
                   "(newton_iterations, residuals, jacobians, factorizations)"),
            option("runs", runs, "labels of the runs shown; empty: all"),
            option("rejections", rejections, "mark the attempts that were dropped, by cause, beside h and error"),
            option("t_max", t_max, "last time shown [s]; null: the end", positive())};
  }
  bool shows(const std::string& run) const {
    return runs.empty() || std::find(runs.begin(), runs.end(), run) != runs.end();
  }
};

// The attempts of one run, by what became of them. An attempt leads from t to t + h.
class History {
 public:
  explicit History(Attempts attempts) : attempts_(std::move(attempts)) {
    for (std::size_t i = 0; i < attempts_.t.size(); ++i) (outcome(i) == "accepted" ? accepted_ : dropped_).push_back(i);
  }

  bool empty() const { return attempts_.t.empty(); }
  double value(const Quantity& quantity, std::size_t i) const { return quantity.of(attempts_, i); }
  double begin(std::size_t i) const { return attempts_.t[i]; }
  double h(std::size_t i) const { return attempts_.h[i]; }
  double end(std::size_t i) const { return begin(i) + h(i); }
  int order(std::size_t i) const { return attempts_.order[i]; }
  const std::string& outcome(std::size_t i) const { return attempts_.outcome[i]; }
  const std::vector<std::size_t>& accepted() const { return accepted_; }
  const std::vector<std::size_t>& dropped() const { return dropped_; }

  // The accepted steps whose size was chosen: the last one is cut to the end time.
  std::vector<double> chosen_sizes() const {
    std::vector<double> sizes;
    for (const std::size_t i : accepted_) sizes.push_back(h(i));
    if (sizes.size() > 1) sizes.pop_back();
    return sizes;
  }
  // Share of the attempts that were dropped; and among these the share that followed a dropped one.
  double dropped_share() const { return share(dropped_.size(), attempts_.t.size()); }
  double dropped_again_share() const {
    const auto again =
        std::ranges::count_if(dropped_, [this](std::size_t i) { return i > 0 && outcome(i - 1) != "accepted"; });
    return share(static_cast<std::size_t>(again), dropped_.size());
  }
  // What half of the attempts need at most; counts of attempts are summed up from the start.
  double median_newton_iterations() const {
    std::vector<long> own;
    for (std::size_t i = 0; i < attempts_.t.size(); ++i)
      own.push_back(attempts_.newton_iterations[i] - (i > 0 ? attempts_.newton_iterations[i - 1] : 0));
    if (own.empty()) return 0;
    const auto middle = own.begin() + static_cast<std::ptrdiff_t>((own.size() - 1) / 2);
    std::ranges::nth_element(own, middle);
    return static_cast<double>(*middle);
  }
  std::map<std::string, long> causes() const {
    std::map<std::string, long> number;
    for (const std::size_t i : dropped_) ++number[outcome(i)];
    return number;
  }
  int largest_order() const {
    int largest = 0;
    for (const std::size_t i : accepted_) largest = std::max(largest, order(i));
    return largest;
  }

 private:
  static double share(std::size_t part, std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
  }

  Attempts attempts_;
  std::vector<std::size_t> accepted_, dropped_;
};

// Which part of the accepted steps, and of the time, each order has.
struct OrderShare {
  std::vector<double> steps, time;  // [k]: of order k
  double mean = 0;                  // over the steps

  OrderShare(const History& history, int largest) : steps(static_cast<std::size_t>(largest) + 1, 0), time(steps) {
    double length = 0;
    for (const std::size_t i : history.accepted()) length += history.h(i);
    const double count = static_cast<double>(history.accepted().size());
    for (const std::size_t i : history.accepted()) {
      const auto k = static_cast<std::size_t>(history.order(i));
      steps[k] += 1 / count, time[k] += history.h(i) / length;
      mean += history.order(i) / count;
    }
  }
};

std::string cause_text(const std::string& outcome) {
  return outcome == "error" ? "rejected by error" : outcome == "cut" ? "cut to an event" : outcome;
}

struct StepHistoryExperiment {
  static constexpr const char* name = "step-history";
  static constexpr const char* summary =
      "Step size, order, error estimate, rejected attempts and work against time; shares of the orders.";
  static constexpr const char* source = "Ren, Zhou 2020, figures 4 and 7";

  std::string caption;
  std::vector<HistoryFigure> figures;

  Options options() {
    return {option("caption", caption, "what the tables compare; what their columns are is added to it"),
            option("figures", figures, "curves over time; none: step size, order and error of all runs")};
  }

  void validate(const std::string& where) const {
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string place = fmt::format("{}/figures/{}/panels", where, f);
      if (figures[f].panels.empty()) throw InputError(place, "is missing: a list of axes");
      std::vector<std::string> known;
      for (const Quantity& quantity : quantities) known.push_back(quantity.name);
      for (const std::string& panel : figures[f].panels)
        if (!find_quantity(panel))
          throw InputError(place, fmt::format("no panel '{}'; there are: {}", panel, fmt::join(known, ", ")));
    }
  }

  void check(const Config& config) const {
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

  struct RunResult {
    std::string label, status, cause;
    Json spec;
    RunStatistics stats;
    History history;
    long rejected_by_error = 0, cut = 0, failed = 0;  // attempts that were dropped
    std::optional<double> least_step, largest_step;   // of those whose size was chosen
    std::optional<double> largest_growth;             // from one of them to the next
  };
  struct Result {
    std::vector<RunResult> runs;
  };

  Result evaluate(const Config& /*config*/, const std::vector<FinishedRun>& runs,
                  const FinishedRun* /*reference*/) const {
    Result result;
    for (const FinishedRun& run : runs) result.runs.push_back(run_result(run));
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    for (const RunResult& run : result.runs)
      if (run.status != "ok") artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, run.status, run.cause));
    artifacts.tables.push_back(statistics_table(config, result.runs));
    if (Table table = order_table(config, result.runs); !table.rows.empty())
      artifacts.tables.push_back(std::move(table));
    for (const HistoryFigure& figure : figures.empty() ? default_figures(config) : figures)
      artifacts.figures.push_back(history_figure(figure, result.runs));
    return artifacts;
  }

 private:
  // ----- numbers -----

  static RunResult run_result(const FinishedRun& run) {
    const RunRecord& r = run.record;
    RunResult result{run.label, r.status, r.cause, r.spec, r.stats, History(r.history.value_or(Attempts{})),
                     0,         0,        0,       {},     {},      {}};
    for (const auto& [outcome, count] : result.history.causes())
      (outcome == "error" ? result.rejected_by_error : outcome == "cut" ? result.cut : result.failed) += count;
    const std::vector<double> sizes = result.history.chosen_sizes();
    if (!sizes.empty()) result.least_step = std::ranges::min(sizes), result.largest_step = std::ranges::max(sizes);
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
      result.largest_growth = std::max(result.largest_growth.value_or(0), sizes[i + 1] / sizes[i]);
    return result;
  }

  // ----- tables -----

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  Table statistics_table(const Config& config, const std::vector<RunResult>& runs) const {
    RunTimes times;
    for (const RunResult& run : runs) times.add(run.stats);
    Table table{config.name + "-statistics",
                fmt::format("{} Accepted steps, attempts rejected by their error and attempts whose iteration failed; "
                            "work; {}; smallest and largest accepted step, without the last one, which is cut to the "
                            "end.",
                            lead(config), times.words()),
                {{"Run", "", CellFormat::text, 0}},
                {}};
    for (const char* label : {"Steps", "Rejected", "Failed", "Residuals", "Jacobians", "Factorisations", "Back solves"})
      table.columns.push_back({label, "", CellFormat::integer, 0});
    times.add_columns(table);
    table.columns.push_back({"h min [s]", "$h_{\\min}$ [s]", CellFormat::scientific, 3});
    table.columns.push_back({"h max [s]", "$h_{\\max}$ [s]", CellFormat::scientific, 3});
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const RunResult& run : runs) {
      const RunStatistics& stats = run.stats;
      Json row = {run.label,       run.history.accepted().size(), run.rejected_by_error, run.failed, stats.residuals,
                  stats.jacobians, stats.factorizations,          stats.back_solves};
      times.add_cells(row, stats);
      row.push_back(number(run.least_step)), row.push_back(number(run.largest_step)), row.push_back(run.status);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Table order_table(const Config& config, const std::vector<RunResult>& runs) const {
    int largest = 0;
    for (const RunResult& run : runs) largest = std::max(largest, run.history.largest_order());
    Table table{config.name + "-orders",
                lead(config) + " Share of each order in the accepted steps and in the time.",
                {{"Run", "", CellFormat::text, 0}, {"Share of", "", CellFormat::text, 0}},
                {}};
    for (int k = 1; k <= largest; ++k)
      table.columns.push_back({fmt::format("Order {} [%]", k), "", CellFormat::fixed, 1});
    table.columns.push_back({"Mean order", "", CellFormat::fixed, 2});
    for (const RunResult& run : runs) {
      if (run.history.largest_order() == 0) continue;
      const OrderShare share(run.history, largest);
      Json steps = {run.label, "steps"}, time = {run.label, "time"};
      for (std::size_t k = 1; k < share.steps.size(); ++k)
        steps.push_back(100 * share.steps[k]), time.push_back(100 * share.time[k]);
      steps.push_back(share.mean), time.push_back(nullptr);
      table.rows.push_back(std::move(steps)), table.rows.push_back(std::move(time));
    }
    return table;
  }

  // ----- figures -----

  static std::vector<HistoryFigure> default_figures(const Config& config) {
    HistoryFigure figure;
    figure.id = config.name;
    figure.rejections = config.runs.size() == 1;  // those of several runs hide each other
    figure.caption = "Step size, order of the formula and error estimate relative to the tolerance, against time.";
    if (figure.rejections) figure.caption += " Attempts that were dropped are marked by cause.";
    return {figure};
  }

  static Figure history_figure(const HistoryFigure& spec, const std::vector<RunResult>& runs) {
    std::vector<const RunResult*> shown;
    for (const RunResult& run : runs)
      if (spec.shows(run.label) && !run.history.empty()) shown.push_back(&run);
    Figure figure{spec.id, spec.caption, {}};
    for (const std::string& name : spec.panels) {
      const Quantity& quantity = *find_quantity(name);
      Panel panel;
      panel.x_label = "time [s]", panel.y_label = quantity.label, panel.log_y = quantity.log;
      for (const RunResult* run : shown) {
        panel.series.push_back(curve(run->history, quantity, spec));
        if (shown.size() > 1 || spec.rejections) panel.series.back().label = shown.size() > 1 ? run->label : "accepted";
      }
      if (spec.rejections && quantity.log)
        for (const RunResult* run : shown)
          for (Series& marks : marks_of(run->history, quantity, spec)) {
            if (shown.size() > 1) marks.label = run->label + ", " + marks.label;
            panel.series.push_back(std::move(marks));
          }
      figure.panels.push_back(std::move(panel));
    }
    return figure;
  }

  static bool in_time(const HistoryFigure& spec, double t) { return !spec.t_max || t <= spec.t_max->as<double>(); }

  static Series curve(const History& history, const Quantity& quantity, const HistoryFigure& spec) {
    Series series;
    const auto add = [&series](double t, double y) { series.x.push_back(t), series.y.push_back(y); };
    for (const std::size_t i : history.accepted()) {
      if (!in_time(spec, history.end(i))) break;
      const double y = history.value(quantity, i);
      if (quantity.stairs && (series.y.empty() || y != series.y.back())) add(history.begin(i), y);
      add(history.end(i), y);
    }
    return series;
  }

  // Attempts that were dropped, where they began.
  static std::vector<Series> marks_of(const History& history, const Quantity& quantity, const HistoryFigure& spec) {
    std::vector<Series> list;
    for (const auto& [outcome, count] : history.causes()) {
      Series marks;
      marks.label = cause_text(outcome), marks.style = CurveStyle::points;
      for (const std::size_t i : history.dropped()) {
        const double t = history.begin(i), y = history.value(quantity, i);
        if (history.outcome(i) != outcome || !std::isfinite(y) || !in_time(spec, t)) continue;
        marks.x.push_back(t), marks.y.push_back(y);
      }
      if (!marks.x.empty()) list.push_back(std::move(marks));
    }
    return list;
  }
};

// Keys are orders: "/order_share/2" of that order, "/order_share_from/3" of 3 and higher.
Json order_share_json(const History& history) {
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

void to_json(Json& json, const StepHistoryExperiment::RunResult& run) {
  const RunStatistics& stats = run.stats;
  json = {{"label", run.label},
          {"spec", run.spec},
          {"status", run.status},
          {"cause", run.cause},
          {"stats", stats},
          {"accepted", run.history.accepted().size()},
          {"rejected_by_error", run.rejected_by_error},
          {"cut", run.cut},
          {"failed", run.failed},
          {"causes", run.history.causes()},
          {"h_min", number(run.least_step)},
          {"h_max", number(run.largest_step)},
          {"largest_growth", number(run.largest_growth)}};
  const auto per_step = [&run](long count) {
    return number(static_cast<double>(count) / static_cast<double>(run.history.accepted().size()));
  };
  json["dropped_share"] = run.history.dropped_share();
  json["dropped_again_share"] = run.history.dropped_again_share();
  json["median_newton_iterations"] = run.history.median_newton_iterations();
  json["newton_iterations_per_step"] = per_step(stats.newton_iterations);
  json["residuals_per_step"] = per_step(stats.residuals);
  json["jacobians_per_step"] = per_step(stats.jacobians);
  json["factorizations_per_step"] = per_step(stats.factorizations);
  json.update(order_share_json(run.history));
}

void to_json(Json& json, const StepHistoryExperiment::Result& result) { json = {{"series", result.runs}}; }

const ExperimentEntry<StepHistoryExperiment> step_history_entry;

}  // namespace
}  // namespace daelab
