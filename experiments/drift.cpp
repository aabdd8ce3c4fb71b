// Drift: energy and constraint levels over time, as maxima in a table and as curves.
#include <fmt/format.h>

#include "experiments/figure_spec.hpp"

namespace daelab {
namespace {

struct Drift {
  static constexpr const char* name = "drift";
  static constexpr const char* summary =
      "Largest energy error and constraint violations over step ends; curves over time.";
  static constexpr const char* source = "Li, Ding, Li 2019, tables 1-5, figures 2-7";

  std::string caption = "Largest deviations over all step ends: energy error |E(t) - E(0)|, constraints "
                        "and their first and second time derivative (infinity norms).";
  std::vector<TrajectoryFigureSpec> figures;

  Options options() {
    return {option("caption", caption, "caption of the table"),
            option("figures", figures, "figures over stored trajectories")};
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    evaluation.artifacts.tables.push_back(drift_table(config, runs));
    for (std::size_t i = 0; i < figures.size(); ++i)
      evaluation.artifacts.figures.push_back(
          trajectory_figure(figures[i], runs, config.path + ": /figures/" + std::to_string(i)));
    for (const LabelledRun& run : runs)
      if (run.record["status"] != "ok")
        evaluation.artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label,
                                                         run.record["status"].get<std::string>(),
                                                         run.record["cause"].get<std::string>()));
    evaluation.analysis = {{"runs", runs.size()}};
    return evaluation;
  }

 private:
  Table drift_table(const Config& config, const std::vector<LabelledRun>& runs) const {
    Table table{config.name, caption, {}, {}};
    const auto scientific = [](const char* label, const char* tex) {
      return Column{label, tex, CellFormat::scientific, 5};
    };
    table.columns = {{"Run", "", CellFormat::text, 0},
                     scientific("H max [J]", "$|H|_{\\max}$ [J]"),
                     scientific("Position", "$|C|_{\\max}$"),
                     scientific("Velocity", "$|\\dot C|_{\\max}$"),
                     scientific("Acceleration", "$|\\ddot C|_{\\max}$"),
                     scientific("Error of q", "error of $q$"),
                     {"Newton", "", CellFormat::integer, 0},
                     {"CPU", "", CellFormat::seconds, 0},
                     {"Status", "", CellFormat::text, 0}};
    for (const LabelledRun& run : runs) {
      const Json& r = run.record;
      table.rows.push_back(Json::array({run.label, r["max"]["energy_error"], r["max"]["position_constraint"],
                                        r["max"]["velocity_constraint"], r["max"]["acceleration_constraint"],
                                        r["error"].is_null() ? Json() : r["error"]["q"],
                                        r["stats"]["newton_iterations"], r["stats"]["wall_seconds"], r["status"]}));
    }
    return table;
  }
};
const ExperimentEntry<Drift> entry;

}  // namespace
}  // namespace daelab
