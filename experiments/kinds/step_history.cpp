// Step history: step size, order, error estimate, rejected attempts and work against time, of runs with error control.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/measures/figure_spec.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

/// What a panel shows against time.
struct Quantity {
  const char *name, *label;
  bool log, count;  // counts are summed up from the start
};
constexpr Quantity quantities[] = {{"h", "step size h [s]", true, false},
                                   {"order", "order", false, false},
                                   {"error", "error / tolerance", true, false},
                                   {"newton_iterations", "Newton iterations", false, true},
                                   {"residuals", "residuals", false, true},
                                   {"jacobians", "Jacobians", false, true},
                                   {"factorizations", "factorisations", false, true}};

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

// The attempts of one run, from its record. An attempt leads from t to t + h.
class History {
 public:
  explicit History(const LabelledRun& run) : run_(run), columns_(run.record.value("history", Json::object())) {
    for (std::size_t i = 0; i < size(); ++i) (outcome(i) == "accepted" ? accepted_ : dropped_).push_back(i);
  }

  const LabelledRun& run() const { return run_; }
  std::size_t size() const { return columns_.contains("t") ? columns_["t"].size() : 0; }
  double value(const char* column, std::size_t i) const {
    return static_cast<double>(record_number(columns_[column][i]));
  }
  double end(std::size_t i) const { return value("t", i) + value("h", i); }
  int order(std::size_t i) const { return columns_["order"][i].get<int>(); }
  std::string outcome(std::size_t i) const { return columns_["outcome"][i].get<std::string>(); }
  const std::vector<std::size_t>& accepted() const { return accepted_; }
  const std::vector<std::size_t>& dropped() const { return dropped_; }

  // The accepted steps whose size was chosen: the last one is cut to the end time.
  std::vector<double> chosen_sizes() const {
    std::vector<double> sizes;
    for (const std::size_t i : accepted_) sizes.push_back(value("h", i));
    if (sizes.size() > 1) sizes.pop_back();
    return sizes;
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
  const LabelledRun& run_;
  Json columns_;
  std::vector<std::size_t> accepted_, dropped_;
};

// Which part of the accepted steps, and of the time, each order has.
struct OrderShare {
  std::vector<double> steps, time;  // [k]: of order k
  double mean = 0;                  // over the steps

  OrderShare(const History& history, int largest) : steps(static_cast<std::size_t>(largest) + 1, 0), time(steps) {
    double length = 0;
    for (const std::size_t i : history.accepted()) length += history.value("h", i);
    const double count = static_cast<double>(history.accepted().size());
    for (const std::size_t i : history.accepted()) {
      const auto k = static_cast<std::size_t>(history.order(i));
      steps[k] += 1 / count, time[k] += history.value("h", i) / length;
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
  static constexpr int most_common_order = 5;

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
      if (!config.runs[i].value("history", false))
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

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    std::vector<History> histories(runs.begin(), runs.end());
    Json& series = evaluation.analysis["series"] = Json::array();
    for (const History& history : histories) {
      series.push_back(analyse(history));
      const Json& record = history.run().record;
      if (record["status"] != "ok")
        evaluation.artifacts.notes.push_back(fmt::format("{}: {} - {}", history.run().label,
                                                         record["status"].get<std::string>(),
                                                         record["cause"].get<std::string>()));
    }
    evaluation.artifacts.tables.push_back(statistics_table(config, histories));
    if (Table table = order_table(config, histories); !table.rows.empty())
      evaluation.artifacts.tables.push_back(std::move(table));
    for (const HistoryFigure& figure : figures.empty() ? default_figures(config) : figures)
      evaluation.artifacts.figures.push_back(history_figure(figure, histories));
    return evaluation;
  }

 private:
  // ----- numbers -----

  static Json analyse(const History& history) {
    const Json& record = history.run().record;
    const std::vector<double> sizes = history.chosen_sizes();
    const auto causes = history.causes();
    const double accepted = static_cast<double>(history.accepted().size());
    Json entry = {{"label", history.run().label}, {"spec", record["spec"]},   {"status", record["status"]},
                  {"cause", record["cause"]},     {"stats", record["stats"]}, {"accepted", history.accepted().size()}};
    entry["rejected_by_error"] = causes.contains("error") ? causes.at("error") : 0;
    entry["cut"] = causes.contains("cut") ? causes.at("cut") : 0;
    entry["failed"] =
        history.dropped().size() - entry["rejected_by_error"].get<std::size_t>() - entry["cut"].get<std::size_t>();
    entry["causes"] = causes;
    entry["h_min"] = sizes.empty() ? Json() : Json(*std::min_element(sizes.begin(), sizes.end()));
    entry["h_max"] = sizes.empty() ? Json() : Json(*std::max_element(sizes.begin(), sizes.end()));
    entry["largest_growth"] = largest_growth(sizes);
    for (const char* count : {"newton_iterations", "residuals", "jacobians", "factorizations"})
      entry[std::string(count) + "_per_step"] = number(record["stats"][count].get<double>() / accepted);
    entry.update(order_json(history));
    return entry;
  }

  static Json largest_growth(const std::vector<double>& sizes) {
    if (sizes.size() < 2) return nullptr;
    double largest = 0;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) largest = std::max(largest, sizes[i + 1] / sizes[i]);
    return largest;
  }

  // Keys are orders: "/order_share/2" of that order, "/order_share_from/3" of 3 and higher.
  static Json order_json(const History& history) {
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

  // ----- tables -----

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  Table statistics_table(const Config& config, const std::vector<History>& histories) const {
    Table table{config.name + "-statistics",
                lead(config) +
                    " Accepted steps, attempts rejected by their error and attempts whose iteration failed; "
                    "work; CPU time; smallest and largest accepted step, without the last one, "
                    "which is cut to the end.",
                {{"Run", "", CellFormat::text, 0}},
                {}};
    for (const char* label : {"Steps", "Rejected", "Failed", "Residuals", "Jacobians", "Factorisations", "Back solves"})
      table.columns.push_back({label, "", CellFormat::integer, 0});
    table.columns.push_back({"CPU", "", CellFormat::seconds, 0});
    table.columns.push_back({"h min [s]", "$h_{\\min}$ [s]", CellFormat::scientific, 3});
    table.columns.push_back({"h max [s]", "$h_{\\max}$ [s]", CellFormat::scientific, 3});
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const History& history : histories) {
      const Json entry = analyse(history);
      Json row = {history.run().label, entry["accepted"], entry["rejected_by_error"], entry["failed"]};
      for (const char* key : {"residuals", "jacobians", "factorizations", "back_solves", "cpu_seconds"})
        row.push_back(entry["stats"][key]);
      for (const char* key : {"h_min", "h_max", "status"}) row.push_back(entry[key]);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Table order_table(const Config& config, const std::vector<History>& histories) const {
    int largest = 0;
    for (const History& history : histories) largest = std::max(largest, history.largest_order());
    Table table{config.name + "-orders",
                lead(config) + " Share of each order in the accepted steps and in the time [%].",
                {{"Run", "", CellFormat::text, 0}, {"Share of", "", CellFormat::text, 0}},
                {}};
    for (int k = 1; k <= largest; ++k) table.columns.push_back({fmt::format("Order {}", k), "", CellFormat::fixed, 1});
    table.columns.push_back({"Mean order", "", CellFormat::fixed, 2});
    for (const History& history : histories) {
      if (history.largest_order() == 0) continue;
      const OrderShare share(history, largest);
      Json steps = {history.run().label, "steps"}, time = {history.run().label, "time"};
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

  static Figure history_figure(const HistoryFigure& spec, const std::vector<History>& histories) {
    std::vector<const History*> shown;
    for (const History& history : histories)
      if (spec.shows(history.run().label) && history.size() > 0) shown.push_back(&history);
    Figure figure{spec.id, spec.caption, {}};
    for (const std::string& name : spec.panels) {
      const Quantity& quantity = *find_quantity(name);
      Panel panel;
      panel.x_label = "time [s]", panel.y_label = quantity.label, panel.log_y = quantity.log;
      for (const History* history : shown) {
        panel.series.push_back(curve(*history, quantity, spec));
        if (shown.size() > 1 || spec.rejections)
          panel.series.back().label = shown.size() > 1 ? history->run().label : "accepted";
      }
      if (spec.rejections && quantity.log)
        for (const History* history : shown)
          for (Series& marks : marks_of(*history, quantity, spec)) {
            if (shown.size() > 1) marks.label = history->run().label + ", " + marks.label;
            panel.series.push_back(std::move(marks));
          }
      figure.panels.push_back(std::move(panel));
    }
    return figure;
  }

  static bool in_time(const HistoryFigure& spec, double t) { return !spec.t_max || t <= spec.t_max->as<double>(); }

  // Size and order hold over a whole step: stairs. The others belong to its end.
  static Series curve(const History& history, const Quantity& quantity, const HistoryFigure& spec) {
    Series series;
    const auto add = [&series](double t, double y) { series.x.push_back(t), series.y.push_back(y); };
    const bool stairs = !quantity.count && std::string(quantity.name) != "error";
    for (const std::size_t i : history.accepted()) {
      if (!in_time(spec, history.end(i))) break;
      const double y = history.value(quantity.name, i);
      if (stairs && (series.y.empty() || y != series.y.back())) add(history.value("t", i), y);
      add(history.end(i), y);
    }
    return series;
  }

  // Attempts that were dropped, where they began.
  static std::vector<Series> marks_of(const History& history, const Quantity& quantity, const HistoryFigure& spec) {
    std::vector<Series> list;
    for (const auto& [outcome, count] : history.causes()) {
      Series marks;
      marks.label = cause_text(outcome), marks.style = "points";
      for (const std::size_t i : history.dropped()) {
        const double t = history.value("t", i), y = history.value(quantity.name, i);
        if (history.outcome(i) != outcome || !std::isfinite(y) || !in_time(spec, t)) continue;
        marks.x.push_back(t), marks.y.push_back(y);
      }
      if (!marks.x.empty()) list.push_back(std::move(marks));
    }
    return list;
  }
};
const ExperimentEntry<StepHistoryExperiment> step_history_entry;

}  // namespace
}  // namespace daelab
