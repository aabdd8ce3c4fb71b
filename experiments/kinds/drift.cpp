// Drift: energy and constraint levels over time, as maxima in a table and as curves; over several end times the power
// of time by which they grow.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/order_estimate.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/runs/component.hpp"

namespace daelab {
namespace {

struct Drift {
  static constexpr const char* name = "drift";
  static constexpr const char* summary =
      "Largest energy error and constraint violations over step ends; curves over time.";
  static constexpr const char* source = "Li, Ding, Li 2019, tables 1-5, figures 2-7";

  std::string caption;
  std::vector<TrajectoryFigureSpec> figures;

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("figures", figures, "figures over stored trajectories")};
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < config.runs.size(); ++i)
      if (component_classes(config.runs[i]).front() == "y")
        throw InputError("/runs", fmt::format("run '{}' is an ordinary differential equation: it has neither "
                                              "constraints nor an energy; use the experiment trajectories, "
                                              "convergence or work-precision",
                                              config.labels[i]));
    std::set<std::string> used;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const std::string where = fmt::format("/figures/{}", i);
      check_figure_id(figures[i].id, used, where);
      check_trajectory_figure(figures[i], config, where);
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    evaluation.artifacts.tables.push_back(drift_table(config, runs));
    for (const TrajectoryFigureSpec& figure : figures)
      evaluation.artifacts.figures.push_back(trajectory_figure(figure, runs));
    for (const LabelledRun& run : runs)
      if (run.record["status"] != "ok")
        evaluation.artifacts.notes.push_back(fmt::format(
            "{}: {} - {}", run.label, run.record["status"].get<std::string>(), run.record["cause"].get<std::string>()));
    evaluation.analysis = {{"runs", runs.size()}, {"series", Json::array()}};
    add_growth(config, runs, evaluation);
    return evaluation;
  }

 private:
  static constexpr std::pair<const char*, const char*> growing[] = {
      {"energy_error", "H max"}, {"position_constraint", "Position"}, {"velocity_constraint", "Velocity"}};

  // Largest value ~ t_end^p over runs that differ in their end time alone, three at least.
  static OrderEstimate growth(const RunGroup& group, const std::vector<LabelledRun>& runs, const char* key) {
    std::vector<OrderPoint> points;
    OrderOptions options;
    for (const std::size_t i : group.runs) {
      const Json& record = runs[i].record;
      if (record["status"] == "ok" && !record["max"][key].is_null())
        points.push_back(order_point(Exact(record["spec"]["t_end"].get<std::string>()).as<Real50>(),
                                     record_number(record["max"][key])));
      else
        ++options.failed;
    }
    return estimate_order(points, options);
  }

  static void add_growth(const Config& config, const std::vector<LabelledRun>& runs, Evaluation& evaluation) {
    Table table{config.name + "-growth",
                "Powers of the end time by which the largest values grow (95 %).",
                {{"Runs", "", CellFormat::text, 0}},
                {}};
    for (const auto& [key, label] : growing) table.columns.push_back({label, "", CellFormat::text, 0});
    for (const RunGroup& group : group_runs(config, "/t_end")) {
      if (group.runs.size() < 3) continue;
      Json json = {{"label", group.label}, {"spec", group.spec}, {"growth", Json::object()}};
      Json row = Json::array({group.label});
      for (const auto& [key, label] : growing) {
        const OrderEstimate estimate = growth(group, runs, key);
        json["growth"][key] = estimate;
        row.push_back(order_text(estimate));
      }
      table.rows.push_back(std::move(row));
      evaluation.analysis["series"].push_back(std::move(json));
    }
    if (!table.rows.empty()) evaluation.artifacts.tables.push_back(std::move(table));
  }

  // A column that no run fills stays away: a model without energy, a problem without reference.
  static bool any(const std::vector<LabelledRun>& runs, const char* group, const char* key) {
    return std::any_of(runs.begin(), runs.end(), [&](const LabelledRun& run) {
      return !run.record[group].is_null() && !run.record[group][key].is_null();
    });
  }

  std::string full_caption(const Config& config, bool energy, bool error) const {
    std::string what = "constraint violation |C| and its first and second time derivative (infinity norms)";
    if (energy) what = "energy error |E(t) - E(0)|, " + what;
    return fmt::format("{} Largest {} over all step ends{}; number of Newton iterations; CPU time.",
                       caption.empty() ? config.title + "." : caption, what,
                       error ? "; error of q at the end time (infinity norm)" : "");
  }

  Table drift_table(const Config& config, const std::vector<LabelledRun>& runs) const {
    const bool energy = any(runs, "max", "energy_error"), error = any(runs, "error", "q");
    Table table{config.name, full_caption(config, energy, error), {{"Run", "", CellFormat::text, 0}}, {}};
    const auto scientific = [&](const char* label, const char* tex) {
      table.columns.push_back({label, tex, CellFormat::scientific, 5});
    };
    if (energy) scientific("H max [J]", "$|H|_{\\max}$ [J]");
    scientific("Position", "$|C|_{\\max}$");
    scientific("Velocity", "$|\\dot C|_{\\max}$");
    scientific("Acceleration", "$|\\ddot C|_{\\max}$");
    if (error) scientific("Error of q", "error of $q$");
    table.columns.push_back({"Newton", "", CellFormat::integer, 0});
    table.columns.push_back({"CPU", "", CellFormat::seconds, 0});
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const LabelledRun& run : runs) {
      const Json &r = run.record, &max = r["max"];
      Json row = Json::array({run.label});
      if (energy) row.push_back(max["energy_error"]);
      for (const char* level : {"position_constraint", "velocity_constraint", "acceleration_constraint"})
        row.push_back(max[level]);
      if (error) row.push_back(r["error"].is_null() ? Json() : r["error"]["q"]);
      for (const char* count : {"newton_iterations", "cpu_seconds"}) row.push_back(r["stats"][count]);
      row.push_back(r["status"]);
      table.rows.push_back(std::move(row));
    }
    return table;
  }
};
const ExperimentEntry<Drift> drift_entry;

}  // namespace
}  // namespace daelab
