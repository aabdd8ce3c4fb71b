// Half-implicit: Euler steps of bodies with rotation matrices, half and fully implicit, on constraints of index 3, and
// the corrections that they take (experiments/measures/rotating_bodies.hpp).
#include "experiments/kinds/half_implicit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/json_file.hpp"
#include "core/base/message.hpp"
#include "experiments/measures/body_system.hpp"
#include "lab/runs/experiment.hpp"

namespace daelab {
namespace {

struct BodyRunSpec {
  Json problem;
  BodyScheme scheme = BodyScheme::half_implicit;
  GyroscopicPredictor predictor = GyroscopicPredictor::right;
  Exact h = "1/100", t_end = 1, tolerance = "1e-10";
  int lead = 0, max_iterations = 100;

  Options options() {
    return {
        option("problem", problem, "bodies and constraints: @FILE, or the object itself",
               Json{{"type", Json::array({"object", "string"})}}),
        option("scheme", scheme, "directions of constraints and gyroscopic terms of the old point, or of the new one"),
        option("predictor", predictor,
               "sign of the gyroscopic term in the predictor of half-implicit steps; reversed: as the programs of "
               "the paper have it"),
        option("h", h, "step size [s]", positive()),
        option("t_end", t_end, "end time [s]", positive()),
        option("tolerance", tolerance, "of the 2-norm of a correction, units mixed", positive()),
        option("lead", lead,
               "steps by which the time of the constraints is ahead of that of the state; so many steps fewer are "
               "made",
               at_least(0)),
        option("max_iterations", max_iterations, "corrections after which a step is given up", at_least(1))};
  }
};

class BodyRun final : public SpecifiedRun {
 public:
  static std::shared_ptr<const BodyRun> bind(const Json& json, const std::string& where) {
    BodyRunSpec spec;
    spec.options().read(json, where);
    if (!json.contains("problem"))
      throw InputError(where, "a run needs a \"problem\": @FILE with bodies and constraints");
    std::string place = where + "/problem";
    if (spec.problem.is_string()) {
      const std::string file = spec.problem;
      if (!file.starts_with('@'))
        throw InputError(place, fmt::format("must be @FILE, or an object, not '{}'", without_middle(file)));
      place = file.substr(1);
      spec.problem = read_json_file(place);
    }
    BodySystem system = read_body_system(spec.problem, place);
    if (spec.lead + 1 > steps(spec)) throw InputError(where + "/lead", "leaves no step");
    return std::shared_ptr<const BodyRun>(new BodyRun(std::move(spec), std::move(system)));
  }

  double expected_cost() const override { return intervals(spec_); }
  RunOutcome execute() const override {
    const BodySteps settings{.scheme = spec_.scheme,
                             .predictor = spec_.predictor,
                             .h = spec_.h.as<double>(),
                             .tolerance = spec_.tolerance.as<double>(),
                             .steps = steps(spec_) - spec_.lead,
                             .lead = spec_.lead,
                             .max_iterations = spec_.max_iterations};
    const BodyStepsResult made = make_body_steps(system_, settings);
    BodyStepsRecord record{made.status.code,
                           made.status.cause,
                           made.iterations,
                           intervals(spec_),
                           made.driver_changes,
                           made.largest_violation,
                           {},
                           {},
                           {}};
    for (const RotatingBody& body : made.bodies)
      for (const auto& [list, x] : {std::pair(&record.r, body.r), {&record.v, body.v}, {&record.omega, body.omega}})
        list->insert(list->end(), x.begin(), x.end());
    RunOutcome outcome{record};
    outcome.record["spec"] = json();
    return outcome;
  }

 private:
  BodyRun(BodyRunSpec spec, BodySystem system)
      : SpecifiedRun(spec.options().write()), spec_(std::move(spec)), system_(std::move(system)) {}
  static double intervals(const BodyRunSpec& spec) {
    return std::round(static_cast<double>(Real100(spec.t_end.value() / spec.h.value())));
  }
  static long steps(const BodyRunSpec& spec) { return static_cast<long>(intervals(spec)); }

  BodyRunSpec spec_;
  BodySystem system_;
};

struct BodyRuns {
  using Run = BodyRun;
  using Record = BodyStepsRecord;
  static const RunKind& kind() { return run_kind_of<BodyRun, BodyRunSpec>(); }
};

struct HalfImplicit {
  static constexpr const char* name = "half-implicit";
  static constexpr const char* summary =
      "Half- and fully implicit Euler steps of bodies with rotation matrices: corrections a step.";
  static constexpr const char* source = "Fang, Kissel, Zhang, Negrut 2023";
  using Runs = BodyRuns;

  std::string caption;

  Options options() { return {option("caption", caption, "what is compared; what is shown of it is added")}; }

  void check(const Config& config) const {
    if (config.reference) throw InputError("/reference", "corrections are counted, not errors: leave it out");
  }

  using Result = HalfImplicitResult;

  Result evaluate(const Config& /*config*/, const std::vector<Finished<BodyRun, BodyStepsRecord>>& runs,
                  const Finished<BodyRun, BodyStepsRecord>* /*reference*/) const {
    Result result;
    for (const auto& run : runs) result.series.push_back({run.label, run.run->json(), run.record});
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    Table table{config.name,
                lead(config) +
                    " Corrections over steps of the time axis, of all steps, changes of drivers, and the largest "
                    "violation of the constraints after a step.",
                {{"run", "", CellFormat::text, 0},
                 {"mean", "", CellFormat::fixed, 5},
                 {"corrections", "", CellFormat::integer, 0},
                 {"changes", "", CellFormat::integer, 0},
                 {"violation", "", CellFormat::scientific, 2},
                 {"Status", "", CellFormat::text, 0}},
                {}};
    for (const auto& [label, spec, record] : result.series) {
      table.rows.push_back({label, record.mean(), record.iterations, record.driver_changes, record.largest_violation,
                            to_string(record.status)});
      if (record.status != StatusCode::ok)
        artifacts.notes.push_back(fmt::format("{}: {} - {}", label, to_string(record.status), record.cause));
    }
    artifacts.tables.push_back(std::move(table));
    artifacts.figures.push_back(figure(config, result));
    return artifacts;
  }

 private:
  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  // A curve for each problem and scheme.
  Figure figure(const Config& config, const Result& result) const {
    Panel panel;
    panel.x_label = "step size h [s]", panel.y_label = "corrections a step", panel.log_x = true;
    std::map<std::string, std::map<double, double>> curves;
    for (const auto& [label, spec, record] : result.series)
      if (record.status == StatusCode::ok)
        curves[fmt::format("{}, {}", spec["problem"]["name"].get<std::string>(), spec["scheme"].get<std::string>())]
              [Exact(spec["h"].get<std::string>()).as<double>()] = record.mean();
    for (const auto& [label, points] : curves) {
      Series curve;
      curve.label = label, curve.style = CurveStyle::line_points;
      for (const auto& [h, mean] : points) curve.x.push_back(h), curve.y.push_back(mean);
      panel.series.push_back(std::move(curve));
    }
    return {config.name + "-corrections", lead(config) + " Mean number of corrections against the step size.", {panel}};
  }
};

const ExperimentEntry<HalfImplicit> half_implicit_entry;

}  // namespace

void members(JsonMembers& json, BodyStepsRecord& record) {
  json("status", record.status)("cause", record.cause)("iterations", record.iterations);
  json("intervals", record.intervals).derived("mean", [&] { return record.mean(); });
  json("driver_changes", record.driver_changes)("largest_violation", record.largest_violation);
  json("r", record.r)("v", record.v)("omega", record.omega);
}

void members(JsonMembers& json, HalfImplicitResult::Entry& entry) {
  json("label", entry.label)("spec", entry.spec);
  members(json, entry.record);
}

void members(JsonMembers& json, HalfImplicitResult& result) { json("series", result.series); }

}  // namespace daelab
