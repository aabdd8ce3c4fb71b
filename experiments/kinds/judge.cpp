// Judge: results of other programs against the reference solution of a problem, beside methods of ours: errors at the
// end time by class of components, observed orders, energy and constraints over all their states.
#include "experiments/kinds/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/norm.hpp"
#include "experiments/measures/foreign_drift.hpp"
#include "experiments/measures/foreign_faults.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// Infinity norm of the error of a class over the entries that are known; NaN where none is.
Real50 known_error(const ForeignState& state, const ReferenceSolution& reference, const std::string& kind) {
  const Vector<Real50>& exact = reference.of(kind);
  const auto found = state.classes.find(kind);
  if (found == state.classes.end() || found->second.size() != exact.size())
    return std::numeric_limits<Real50>::quiet_NaN();
  NormOf<Real50> largest;
  bool any = false;
  for (Index i = 0; i < exact.size(); ++i)
    if (const Real50& entry = found->second[i]; entry == entry) any = true, largest.add(Real50(entry - exact[i]));
  return any ? largest.value() : std::numeric_limits<Real50>::quiet_NaN();
}

using JudgedRun = JudgeResult::JudgedRun;

struct Judge {
  static constexpr const char* name = "judge";
  static constexpr const char* summary =
      "Results of other programs against the reference: errors, observed orders, energy and constraints, beside "
      "methods.";
  static constexpr const char* source = "errors and orders as of convergence";
  static MemberUnits units() {
    return {{"/runs/*/h", "s"}, {"/runs/*/drift/energy_error", "J"}, {"/runs/*/digits/drift/energy_error", "J"}};
  }

  std::vector<ForeignFile> files;
  std::optional<Exact> order;
  Json certified;

  Options options() {
    return {option("files", files, "tables of states that other programs made"),
            option("order", order, "order that their method claims, of q, v and y", positive()),
            option("certified", certified,
                   "state of the reference at the end time, where none is stored: {\"source\", \"digits_trusted\", "
                   "\"q\", ...}",
                   {{"type", {"object", "null"}}})};
  }
  /// The files beside the config that a result depends on.
  std::vector<std::string> inputs(const Config& config) const {
    std::vector<std::string> paths;
    for (const ForeignFile& file : files) paths.push_back(beside(config, file).path);
    return paths;
  }

  void check(const Config& config) const {
    if (files.empty()) throw InputError("/files", "is missing: a list of tables to judge");
    common_classes(config, "/runs");
    for (std::size_t i = 0; i < config.runs.size(); ++i)
      for (const char* key : {"problem", "t_end"})
        if (integration(config, i).json()[key] != integration(config, 0).json()[key])
          throw InputError("/runs", fmt::format("all runs must have one {}, that of the files", key));
    if (certified.is_null()) check_reference(config, integration(config, 0));
    for (std::size_t f = 0; f < files.size(); ++f) {
      const std::string where = fmt::format("/files/{}", f);
      try {
        read_foreign_results(beside(config, files[f]), integration(config, 0));
      } catch (const InputError& error) {
        throw InputError(where, error.what());
      }
    }
  }

  using Result = JudgeResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference_run) const {
    Result result;
    if (result.failure = reference_failure(reference_run); !result.failure.empty()) return result;
    const Run& first = integration(config, 0);
    const ReferenceSolution reference =
        certified.is_null() ? reference_solution(first, reference_run) : given_reference(first);
    result.reference = reference.text(), result.log10_floor = reference.log10_floor, result.classes = first.classes();
    ForeignDrift meter(first);
    for (const ForeignFile& file : files) add_file(beside(config, file), first, reference, meter, result);
    std::erase_if(result.series, [](const OrderSeries& series) { return series.points.empty(); });
    for (OrderSeries& series : result.series) keep_given_classes(series), fit_orders(series);
    for (const RunGroup& group : group_runs(config, leave_out_steps))
      for (const std::size_t i : group.runs) add_own(runs[i], group.label, reference, result);
    if (config_has_fixed_steps(config)) {
      std::vector<OrderSeries> own = observe_orders(
          config, runs, [&](const Run&) { return reference; }, {}, [](const Run& run) { return expected_orders(run); });
      std::ranges::move(own, std::back_inserter(result.series));
    }
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    for (const auto* texts : {&result.faults, &result.notes})
      artifacts.notes.insert(artifacts.notes.end(), texts->begin(), texts->end());
    if (!result.failure.empty()) return artifacts.notes.push_back(result.failure), artifacts;
    std::vector<OrderSeries> fitted;
    for (const OrderSeries& series : result.series)
      if (series.points.size() > 1) fitted.push_back(series);
    if (!fitted.empty())
      artifacts.tables.push_back(
          order_table(config.name + "-orders", "Observed orders (95 %) and those of theory.", fitted));
    artifacts.tables.push_back(error_table(config, result));
    artifacts.terminal = {static_cast<int>(artifacts.tables.size()), result.faults, result.notes};
    if (std::ranges::any_of(result.runs, [](const JudgedRun& run) { return run.drift.has_value(); }))
      artifacts.tables.push_back(drift_table(config, result));
    for (const OrderSeries& series : fitted)
      for (std::string& note : order_notes(series)) artifacts.notes.push_back(std::move(note));
    for (const std::string& kind : result.classes) add_figure(config, result, fitted, kind, artifacts);
    return artifacts;
  }

  // Null where there is nothing.
  static TableCell cell(const Real50& x) { return static_cast<double>(x); }
  static TableCell cell(const std::optional<Real50>& x) { return x ? cell(*x) : TableCell(); }
  static TableCell cell(const std::optional<Exact>& x) { return x ? TableCell(x->text()) : TableCell(); }

 private:
  static ForeignFile beside(const Config& config, ForeignFile file) {
    const std::filesystem::path folder = std::filesystem::path(config.path).parent_path();
    if (file.label.empty()) file.label = std::filesystem::path(file.path).stem().string();
    file.path = (folder / file.path).string();
    return file;
  }
  static bool config_has_fixed_steps(const Config& config) {
    for (std::size_t i = 0; i < config.runs.size(); ++i)
      if (!integration(config, i).spec().h || integration(config, i).spec().adaptive()) return false;
    return true;
  }
  ReferenceSolution given_reference(const Run& run) const {
    ReferenceSolution solution;
    for (const std::string& kind : run.classes()) solution.classes[kind] = record_vector(certified.at(kind));
    solution.log10_floor = -certified.at("digits_trusted").get<double>();
    solution.source = certified.at("source");
    solution.known = fmt::format("agreed by two routes to {} digits", certified.at("digits_trusted").get<int>());
    return solution;
  }

  void add_file(const ForeignFile& file, const Run& run, const ReferenceSolution& reference, ForeignDrift& meter,
                Result& result) const {
    const ForeignResults theirs = read_foreign_results(file, run);
    OrderSeries& series = series_of_label(file.label, run, reference, result);
    for (const ForeignRun& one : theirs.runs) {
      JudgedRun judged{file.label, one.h, one.rtol, static_cast<long>(one.states.size()), {}, meter.measure(one)};
      for (const std::string& kind : run.classes())
        judged.error[kind] = known_error(one.states.back(), reference, kind);
      if (one.h) series.points.push_back({*one.h, StatusCode::ok, "", "", judged.error});
      result.runs.push_back(std::move(judged));
    }
    const ForeignFaults found = faults_of(file.label, theirs, reference.classes);
    for (const std::string& fault : found.wrong) add_once(result.faults, fault);
    for (const std::string& note : found.notes) add_once(result.notes, note);
  }

  // Adds a text once: it may hold of several files with one label.
  static void add_once(std::vector<std::string>& texts, const std::string& text) {
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }

  // Files with one label are one method: of each step size a trajectory, say.
  OrderSeries& series_of_label(const std::string& label, const Run& run, const ReferenceSolution& reference,
                               Result& result) const {
    const auto known = std::ranges::find(result.series, label, &OrderSeries::label);
    if (known != result.series.end()) return *known;
    OrderSeries& series = result.series.emplace_back();
    series.label = series.method = label, series.factors = {{"method", label}}, series.spec = {{"label", label}};
    series.run = std::shared_ptr<const Run>(std::shared_ptr<void>{}, &run);
    series.formulation = run.formulation_text(), series.t_end = run.t_end(), series.classes = run.classes();
    series.reference = reference.source, series.known = reference.known, series.log10_floor = reference.log10_floor;
    series.expected.source = "theory of this method is not known here";
    if (order) {
      series.expected.source = "order as stated";
      for (const char* kind : {"q", "v", "y"}) series.expected.of[kind] = order->as<double>();
    }
    return series;
  }

  // A run that failed has no errors, a table may lack a class.
  static bool has_errors(const OrderSeries& series, const std::string& kind) {
    return std::ranges::any_of(series.points, [&](const ErrorPoint& point) {
      const auto error = point.error.find(kind);
      return error != point.error.end() && isfinite(error->second);
    });
  }

  // Nothing is said of the order of what no table gives.
  static void keep_given_classes(OrderSeries& series) {
    std::erase_if(series.classes, [&](const std::string& kind) { return !has_errors(series, kind); });
  }

  static void add_own(const FinishedRun& run, const std::string& label, const ReferenceSolution& reference,
                      Result& result) {
    JudgedRun judged{label, run.run->spec().h, {}, 0, {}, {}};
    if (run.record.max.position_constraint) judged.drift = run.record.max;
    if (run.run->spec().adaptive()) judged.h.reset(), judged.rtol = run.run->spec().rtol;
    judged.status = run.record.status;
    for (const std::string& kind : run.run->classes())
      judged.error[kind] =
          run.record.ok() ? error_of(run.record, reference, kind) : std::numeric_limits<Real50>::quiet_NaN();
    result.runs.push_back(std::move(judged));
  }

  // Columns that tell the runs apart: the step size, the tolerance.
  static std::vector<std::optional<Exact> JudgedRun::*> steps_of(const Result& result, Table& table) {
    std::vector<std::optional<Exact> JudgedRun::*> all;
    const auto add = [&](auto member, const char* label, const char* tex) {
      if (std::ranges::none_of(result.runs, [&](const JudgedRun& run) { return (run.*member).has_value(); })) return;
      all.push_back(member), table.columns.push_back({label, tex, CellFormat::text, 0});
    };
    add(&JudgedRun::h, "h [s]", "$h$ [s]");
    add(&JudgedRun::rtol, "rtol", "");
    return all;
  }

  static Table error_table(const Config& config, const Result& result) {
    Table table{
        config.name + "-errors",
        fmt::format("Errors at t = {} s (infinity norm per class over the entries that are known). Reference: {}.",
                    integration(config, 0).t_end().text(), result.reference),
        {{"Results", "", CellFormat::text, 0}},
        {}};
    const auto steps = steps_of(result, table);
    for (const std::string& kind : result.classes)
      table.columns.push_back({kind, class_tex(kind), CellFormat::scientific, 3});
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const JudgedRun& run : result.runs) {
      TableRow row{run.label};
      for (const auto member : steps) row.push_back(cell(run.*member));
      for (const std::string& kind : result.classes) row.push_back(cell(run.error.at(kind)));
      row.push_back(to_string(run.status));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  static Table drift_table(const Config& config, const Result& result) {
    Table table{config.name + "-drift",
                "Largest energy error and constraint violation, |C| and its time derivative (infinity norms), over the "
                "states that were read, of methods of ours over all step ends.",
                {{"Results", "", CellFormat::text, 0}},
                {}};
    const auto steps = steps_of(result, table);
    table.columns.push_back({"States", "", CellFormat::integer, 0});
    table.columns.push_back({"H max [J]", "$|H|_{\\max}$ [J]", CellFormat::scientific, 3});
    table.columns.push_back({"Position", "$|C|_{\\max}$", CellFormat::scientific, 3});
    table.columns.push_back({"Velocity", "$|\\dot C|_{\\max}$", CellFormat::scientific, 3});
    for (const JudgedRun& run : result.runs) {
      if (!run.drift) continue;
      TableRow row{run.label};
      for (const auto member : steps) row.push_back(cell(run.*member));
      row.push_back(run.states > 0 ? TableCell(run.states) : TableCell());
      for (const auto& value :
           {run.drift->energy_error, run.drift->position_constraint, run.drift->velocity_constraint})
        row.push_back(cell(value));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  static void add_figure(const Config& config, const Result& result, const std::vector<OrderSeries>& fitted,
                         const std::string& kind, Artifacts& artifacts) {
    Panel panel;
    const std::string t_end = integration(config, 0).t_end().text();
    panel.log_x = panel.log_y = true;
    panel.y_label = fmt::format("error of {} at t = {} s", kind, t_end);
    std::vector<const OrderSeries*> shown;
    for (const OrderSeries& series : fitted) {
      if (!has_errors(series, kind)) continue;
      shown.push_back(&series);
      panel.series.push_back(error_curve(series, kind));
      name_curve(panel.series.back(), &series, "");
    }
    panel.x_label = "step size h [s]";
    if (panel.series.empty()) {
      panel.x_label = "relative tolerance";
      panel.series = tolerance_curves(result, kind);
    }
    if (panel.series.empty()) return;
    for (Series& line : theory_lines(shown, {kind})) panel.series.push_back(std::move(line));
    const std::string against = shown.empty() ? "relative tolerance" : "step size";
    artifacts.figures.push_back({fmt::format("{}-{}", config.name, kind),
                                 fmt::format("Error of {} at t = {} s against the {}.", kind, t_end, against),
                                 {panel}});
  }

  static std::vector<Series> tolerance_curves(const Result& result, const std::string& kind) {
    std::vector<Series> curves;
    for (const JudgedRun& run : result.runs) {
      if (!run.rtol || !isfinite(run.error.at(kind))) continue;
      auto curve = std::ranges::find(curves, run.label, &Series::label);
      if (curve == curves.end()) {
        curve = curves.insert(curve, Series{});
        curve->label = run.label, curve->style = CurveStyle::line_points, curve->factors = {{"method", run.label}};
      }
      curve->x.push_back(run.rtol->as<double>()), curve->y.push_back(static_cast<double>(run.error.at(kind)));
    }
    std::erase_if(curves, [](const Series& curve) { return curve.x.size() < 2; });
    return curves;
  }
};

const ExperimentEntry<Judge> judge_entry;

}  // namespace

// ----- as JSON -----

void members(JsonMembers& json, JudgeResult::JudgedRun& run) {
  json("label", run.label)("states", run.states)("status", run.status);
  json.where_given("h", run.h).where_given("rtol", run.rtol);
  json.derived("error", [&run] {
    Json errors = Json::object();
    for (const auto& [kind, error] : run.error) errors[kind] = Judge::cell(error);
    return errors;
  });
  if (run.drift)
    json.derived("drift", [&drift = *run.drift]() -> Json {
      return {{"energy_error", Judge::cell(drift.energy_error)},
              {"position_constraint", Judge::cell(drift.position_constraint)},
              {"velocity_constraint", Judge::cell(drift.velocity_constraint)}};
    });
  json.group("digits", [&run](JsonMembers& digits) {
    digits("error", run.error);
    if (run.drift) digits.derived("drift", [&run] { return maxima_json(*run.drift, Scalar::real50); });
    if (const Json* from = digits.from(); from && from->contains("drift")) run.drift = from->at("drift").get<Maxima>();
  });
}

void members(JsonMembers& json, JudgeResult& result) {
  json("failure", result.failure)("reference", result.reference)("log10_floor", result.log10_floor);
  json("classes", result.classes)("runs", result.runs)("series", result.series);
  json("faults", result.faults)("notes", result.notes);
}

}  // namespace daelab
