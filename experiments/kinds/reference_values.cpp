// Reference values of problems at one time, one run for each problem: what printed values are judged against.
#include "experiments/kinds/reference_values.hpp"

#include <fmt/format.h>

#include "core/base/component_spec.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/runs/experiment.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

struct ReferenceValueSpec {
  ComponentSpec problem;
  std::optional<Exact> t_end;

  Options options() {
    return {option("problem", problem, "problem"), option("t_end", t_end, "time [s]; null: the problem's own end")};
  }
};

#ifdef DAELAB_DOUBLE_ONLY
using Widest = double;
#else
using Widest = Real50;
#endif

// What is known of a problem at one time.
struct ReferenceValueRecord {
  Json spec;
  StatusCode status = StatusCode::ok;
  std::string cause;
  std::optional<ReferenceState> state;                      // nothing where none is stored
  std::vector<std::pair<std::string, Real50>> observables;  // of the model, by name, in its order
};

void members(JsonMembers& json, ReferenceValueRecord& record) {
  json("status", record.status)("cause", record.cause)("spec", record.spec);
  if (!json.has("digits_trusted", record.state.has_value())) return;
  if (json.from()) record.state.emplace();
  ReferenceState& state = *record.state;
  json("digits_trusted", state.digits_trusted)("source", state.source);
  if (json.has("proved", state.proof.has_value()))
    json("proved", json.from() ? state.proof.emplace().digits : state.proof->digits);
  for (const auto& [kind, values] :
       {std::pair("q", &state.q), {"v", &state.v}, {"a", &state.a}, {"lambda", &state.lambda}, {"y", &state.y}})
    json.where(values->size() > 0, kind, *values);
  json.group("observables", [&](JsonMembers& of) { of.in(scalar_of<Widest>).all(record.observables); });
}

// A reference value: one problem x time, looked up.
class ReferenceValue final : public SpecifiedRun {
 public:
  /// Throws InputError under `where`.
  static std::shared_ptr<const ReferenceValue> bind(const Json& json, const std::string& where) {
    ReferenceValueSpec spec;
    spec.options().read(json, where);
    if (!json.contains("problem")) throw InputError(where, "a reference value needs a \"problem\"");
    auto problem = Registry<Problem>::instance().make(spec.problem, where + "/problem");
    spec.problem = problem->spec();
    if (!spec.t_end) spec.t_end = problem->end_time();
    return std::shared_ptr<const ReferenceValue>(new ReferenceValue(std::move(spec), std::move(problem)));
  }

  const Exact& t_end() const { return *spec_.t_end; }
  Json inputs() const override { return stored_reference(spec_.problem, t_end()); }
  RunOutcome execute() const override {
    ReferenceValueRecord record{json(), StatusCode::ok, "", find_reference(spec_.problem, t_end()), {}};
    if (record.state) {
      record.observables = observables(*record.state);
    } else {
      record.status = StatusCode::not_applicable;
      record.cause = "no reference of this problem is stored for this time";
    }
    return {record};
  }

 private:
  ReferenceValue(ReferenceValueSpec spec, std::shared_ptr<Problem> problem)
      : SpecifiedRun(spec.options().write()), spec_(std::move(spec)), problem_(std::move(problem)) {}

  // For the state (q, v), or y where there are no coordinates.
  std::vector<std::pair<std::string, Real50>> observables(const ReferenceState& state) const {
    const auto model = problem_->model(As<Widest>{});
    const std::vector<std::string> names = model->observable_names();
    MechanicalModel<Widest>* const mechanism = model->mechanical();
    Vector<Widest> y(model->size());
    y.head(state.q.size()) = state.q.cast<Widest>();
    y.tail(y.size() - state.q.size()) = (mechanism != nullptr ? state.v : state.y).cast<Widest>();
    if (mechanism != nullptr) from_reported(*mechanism, y);
    Vector<Widest> values = Vector<Widest>::Zero(static_cast<Index>(names.size()));
    if (state.lambda.size() > 0) {  // where systems have them, for observables that hold some
      y.conservativeResize(y.size() + state.lambda.size());
      y.tail(state.lambda.size()) = state.lambda.cast<Widest>();
    }
    model->observables(t_end().as<Widest>(), y, values);
    std::vector<std::pair<std::string, Real50>> list;
    for (std::size_t i = 0; i < names.size(); ++i) list.emplace_back(names[i], values[static_cast<Index>(i)]);
    return list;
  }

  ReferenceValueSpec spec_;
  std::shared_ptr<Problem> problem_;
};

struct ReferenceValueRuns {
  using Run = ReferenceValue;
  using Record = ReferenceValueRecord;
  static const RunKind& kind() { return run_kind_of<ReferenceValue, ReferenceValueSpec>(); }
};

struct ReferenceValues {
  static constexpr const char* name = "reference-values";
  static constexpr const char* summary = "Reference values of problems at one time, for printed ones to be judged by.";
  static constexpr const char* source = "results/reference/";
  static MemberUnits units() { return {{"/rows/*/t_end", "s"}}; }
  using Runs = ReferenceValueRuns;
  using FinishedValue = Finished<ReferenceValue, ReferenceValueRecord>;

  Options options() { return {}; }

  using Result = ReferenceValuesResult;

  Result evaluate(const Config& /*config*/, const std::vector<FinishedValue>& runs,
                  const FinishedValue* /*reference*/) const {
    Result result;
    for (const FinishedValue& run : runs) {
      Result::Row& row = result.rows.emplace_back();
      row.label = run.label, row.spec = run.run->json(), row.t_end = run.run->t_end();
      row.status = run.record.status, row.cause = run.record.cause;
      if (const auto& state = run.record.state)
        row.digits_trusted = state->digits(), row.known = state->digits_text(), row.source = state->source;
    }
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Table table{config.name,
                config.title + ": how well they are known, in decimals, and the first of the two routes.",
                {{"Problem", "", CellFormat::text, 0},
                 {"t [s]", "$t$ [s]", CellFormat::text, 0},
                 {"Decimals", "", CellFormat::integer, 0},
                 {"Known", "", CellFormat::text, 0},
                 {"Source", "", CellFormat::text, 0},
                 {"Status", "", CellFormat::text, 0}},
                {}};
    for (const Result::Row& row : result.rows)
      table.rows.push_back(
          {row.label, row.t_end.text(), row.digits_trusted, row.known, row.source, to_string(row.status)});
    Artifacts artifacts;
    artifacts.tables.push_back(std::move(table));
    return artifacts;
  }
};

const ExperimentEntry<ReferenceValues> reference_values_entry;

}  // namespace

void members(JsonMembers& json, ReferenceValuesResult::Row& row) {
  json("label", row.label)("spec", row.spec)("t_end", row.t_end)("source", row.source)("status", row.status);
  json("cause", row.cause)("digits_trusted", row.digits_trusted)("known", row.known);
}

void members(JsonMembers& json, ReferenceValuesResult& result) { json("rows", result.rows); }

}  // namespace daelab
