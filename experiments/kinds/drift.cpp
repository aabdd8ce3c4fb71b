// Drift: energy and constraint levels over time, as maxima in a table and as curves; over several end times the power
// of time by which they grow; verdicts on how the errors of invariants grow along each run that watches some.
#include "experiments/kinds/drift.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/options.hpp"
#include "experiments/measures/run_times.hpp"
#include "lab/runs/experiment.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

struct Drift {
  static constexpr const char* name = "drift";
  static constexpr const char* summary =
      "Largest energy error and constraint violations over step ends; curves over time.";
  static constexpr const char* source = "Li, Ding, Li 2019, tables 1-5, figures 2-7";
  static MemberUnits units() { return with_run_times("/runs/*/time", {{"/runs/*/max/energy_error", "J"}}); }

  std::string caption;
  std::vector<TrajectoryFigureSpec> figures;

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("figures", figures, "figures over stored trajectories")};
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < config.runs.size(); ++i)
      if (const Run& run = integration(config, i); run.is_ode() && run.spec().invariants.empty())
        throw InputError("/runs", fmt::format("run '{}' is an ordinary differential equation: it has neither "
                                              "constraints nor an energy; give the \"invariants\" that its problem "
                                              "declares, or use the experiment trajectories, convergence or "
                                              "work-precision",
                                              config.labels[i]));
    std::set<std::string> used;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const std::string where = fmt::format("/figures/{}", i);
      check_figure_id(figures[i].id, used, where);
      check_trajectory_figure(figures[i], config, where);
    }
  }

  using Result = DriftResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* /*reference*/) const {
    Result result;
    for (const FinishedRun& run : runs) {
      const RunRecord& r = run.record;
      const auto error = r.error ? std::optional(r.error->of.at("q")) : std::nullopt;
      result.runs.push_back(
          {run.label, r.status, r.cause, r.scalar, r.max, error, r.stats.newton_iterations, r.stats, verdicts_of(r)});
    }
    for (const RunGroup& group : group_runs(config, "/t_end")) {
      if (group.runs.size() < 3) continue;
      Result::Growth& growth = result.growth.emplace_back(Result::Growth{group.label, group.spec, {}});
      for (const Growing& what : growing) growth.of[what.key] = growth_of(group, runs, what.value);
    }
    result.trajectories = trajectories_of(runs);
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    artifacts.tables.push_back(drift_table(config, result.runs));
    if (!result.growth.empty()) artifacts.tables.push_back(growth_table(config, result.growth));
    if (std::ranges::any_of(result.runs, [](const auto& run) { return !run.verdicts.empty(); }))
      artifacts.tables.push_back(verdict_table(config, result.runs));
    for (const TrajectoryFigureSpec& figure : figures)
      artifacts.figures.push_back(trajectory_figure(figure, result.trajectories));
    for (const Result::Row& run : result.runs)
      if (run.status != StatusCode::ok)
        artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, to_string(run.status), run.cause));
    for (const Result::Row& run : result.runs)
      for (const Result::Verdict& x : run.verdicts)
        artifacts.notes.push_back(fmt::format("{}, {}: {}", run.label, x.invariant, x.growth.statement));
    return artifacts;
  }

  /// What may grow with the end time.
  struct Growing {
    const char *key, *label;
    std::optional<Real50> Maxima::*value;
  };
  static constexpr Growing growing[] = {{"energy_error", "H max", &Maxima::energy_error},
                                        {"position_constraint", "|C| max", &Maxima::position_constraint},
                                        {"velocity_constraint", "|dC/dt| max", &Maxima::velocity_constraint}};

 private:
  static std::vector<Result::Verdict> verdicts_of(const RunRecord& record) {
    std::vector<Result::Verdict> verdicts;
    if (!record.ok() || !record.invariants) return verdicts;
    const double rounding = record.scalar == Scalar::binary64 ? epsilon<double>() : double(epsilon<Real50>());
    for (const ErrorBlocks& errors : *record.invariants)
      verdicts.push_back({errors.name, errors.steps, errors.largest, judge_growth(errors, rounding)});
    return verdicts;
  }

  static Table verdict_table(const Config& config, const std::vector<Result::Row>& runs) {
    Table table{config.name + "-verdicts",
                "Errors of invariants over all steps of each run, each in its unit: the largest, the power of the "
                "length of a stretch by which their range grows (95 %), their slope per second (95 %), and the verdict "
                "on their growth.",
                {{"Run", "", CellFormat::text, 0},
                 {"Invariant", "", CellFormat::text, 0},
                 {"Steps", "", CellFormat::integer, 0},
                 {"Largest", "", CellFormat::scientific, 3},
                 {"Exponent", "", CellFormat::text, 0},
                 {"Slope [1/s]", "", CellFormat::text, 0},
                 {"Verdict", "", CellFormat::text, 0}},
                {}};
    for (const Result::Row& run : runs)
      for (const Result::Verdict& x : run.verdicts)
        table.rows.push_back({run.label, x.invariant, x.steps, x.largest, exponent_text(x.growth),
                              estimated_text(x.growth.slope), name_of(x.growth.verdict)});
    return table;
  }

  static OrderEstimate growth_of(const RunGroup& group, const std::vector<FinishedRun>& runs,
                                 std::optional<Real50> Maxima::*value) {
    std::vector<OrderPoint> points;
    OrderOptions options;
    for (const std::size_t i : group.runs)
      if (const RunRecord& record = runs[i].record; record.ok() && record.max.*value)
        points.push_back(order_point(static_cast<Real50>(runs[i].run->length()), *(record.max.*value)));
      else
        ++options.failed;
    return estimate_order(points, options);
  }

  static Table growth_table(const Config& config, const std::vector<Result::Growth>& all) {
    Table table{config.name + "-growth",
                "Powers of the end time by which the largest values grow (95 %).",
                {{"Runs", "", CellFormat::text, 0}},
                {}};
    for (const Growing& what : growing) table.columns.push_back({what.label, "", CellFormat::text, 0});
    for (const Result::Growth& growth : all) {
      TableRow row{growth.label};
      for (const Growing& what : growing) row.push_back(order_text(growth.of.at(what.key)));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  std::string full_caption(const Config& config, bool energy, bool error, const RunTimes& times) const {
    std::string what =
        "constraint violation |C| and its first and second time derivative (infinity norms, each constraint in its "
        "unit)";
    if (energy) what = "energy error |E(t) - E(0)|, " + what;
    return fmt::format("{} Largest {} over all step ends{}; number of Newton iterations; {}.",
                       caption.empty() ? config.title + "." : caption, what,
                       error ? "; error of q at the end time (infinity norm, each component in its unit)" : "",
                       times.words());
  }

  static TableCell cell(const std::optional<Real50>& x) { return x ? TableCell(static_cast<double>(*x)) : TableCell(); }

  // A column that no run fills stays away: a model without energy, a problem without reference.
  Table drift_table(const Config& config, const std::vector<Result::Row>& runs) const {
    const bool energy = std::ranges::any_of(runs, [](const auto& run) { return run.max.energy_error.has_value(); });
    const bool error = std::ranges::any_of(runs, [](const auto& run) { return run.error_of_q.has_value(); });
    RunTimes times;
    for (const Result::Row& run : runs) times.add(run.time);
    Table table{config.name, full_caption(config, energy, error, times), {{"Run", "", CellFormat::text, 0}}, {}};
    const auto scientific = [&](const char* label, const char* tex) {
      table.columns.push_back({label, tex, CellFormat::scientific, 5});
    };
    if (energy) scientific("H max [J]", "$|H|_{\\max}$ [J]");
    scientific("|C| max", "$|C|_{\\max}$");
    scientific("|dC/dt| max", "$|\\dot C|_{\\max}$");
    scientific("|d²C/dt²| max", "$|\\ddot C|_{\\max}$");
    if (error) scientific("Error of q", "error of $q$");
    table.columns.push_back({"Newton", "", CellFormat::integer, 0});
    times.add_columns(table);
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const Result::Row& run : runs) {
      TableRow row{run.label};
      if (energy) row.push_back(cell(run.max.energy_error));
      for (const auto& level :
           {run.max.position_constraint, run.max.velocity_constraint, run.max.acceleration_constraint})
        row.push_back(cell(level));
      if (error) row.push_back(run.error_of_q);
      row.push_back(run.newton_iterations), times.add_cells(row, run.time), row.push_back(to_string(run.status));
      table.rows.push_back(std::move(row));
    }
    return table;
  }
};

const ExperimentEntry<Drift> drift_entry;

}  // namespace

void members(JsonMembers& json, Estimated& x) { json("value", x.value)("half_width", x.half_width); }

void members(JsonMembers& json, DriftResult::Verdict& x) {
  json("invariant", x.invariant)("verdict", x.growth.verdict)("steps", x.steps)("largest", x.largest);
  json("exponent", x.growth.exponent)("slope", x.growth.slope);
  json("roundings_a_step", x.growth.roundings_a_step)("statement", x.growth.statement);
}

void members(JsonMembers& json, DriftResult::Row& row) {
  json("label", row.label)("status", row.status)("cause", row.cause)("scalar", row.scalar).in(row.scalar);
  json("max", row.max)("error_of_q", row.error_of_q)("newton_iterations", row.newton_iterations)("time", row.time);
  json.where(!row.verdicts.empty(), "verdicts", row.verdicts);
}

void members(JsonMembers& json, DriftResult::Growth& growth) {
  json("label", growth.label)("spec", growth.spec)("growth", growth.of);
}

void members(JsonMembers& json, DriftResult& result) {
  json("runs", result.runs)("series", result.growth)("trajectories", result.trajectories);
}

}  // namespace daelab
