// Certified values of problems at one time, one run for each problem: what printed values are judged against.
#include <fmt/format.h>

#include "core/model/problem.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/record.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

struct ReferenceValueSpec {
  Json problem;
  std::optional<Exact> t_end;

  Options options() {
    return {option("problem", problem, "problem: name:key=value, @file.json or an object with \"name\"",
                   {{"type", {"string", "object"}}}),
            option("t_end", t_end, "time [s]; null: the problem's own end", positive())};
  }
};

Json resolve_reference_value(const Json& run, const std::string& where) {
  ReferenceValueSpec spec;
  spec.options().read(run, where);
  if (!run.contains("problem")) throw InputError(where, "a reference value needs a \"problem\"");
  const auto problem = Registry<Problem>::instance().make(spec.problem, where + "/problem");
  spec.problem = problem->spec();
  if (!spec.t_end) spec.t_end = problem->end_time();
  return spec.options().write();
}

#ifdef DAELAB_DOUBLE_ONLY
using Widest = double;
#else
using Widest = Real50;
#endif

// By name, of the state (q, v), or y of an ordinary differential equation.
Json observables_json(const Problem& problem, const Exact& t, const ReferenceState& state) {
  const auto model = problem.model(As<Widest>{});
  const std::vector<std::string> names = model->observable_names();
  const bool is_mechanism = model->mechanical() != nullptr;
  Vector<Widest> y(model->initial_y().size());
  y.head(state.q.size()) = state.q.cast<Widest>();
  y.tail(y.size() - state.q.size()) = (is_mechanism ? state.v : state.y).cast<Widest>();
  Vector<Widest> values = Vector<Widest>::Zero(static_cast<Index>(names.size()));
  model->observables(t.as<Widest>(), y, values);
  Json json = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) json[names[i]] = number(values[static_cast<Index>(i)]);
  return json;
}

RunOutcome look_up_reference_value(const Json& resolved) {
  ReferenceValueSpec spec;
  spec.options().read(resolved, "");
  const auto problem = Registry<Problem>::instance().make(spec.problem, "/problem");
  const std::optional<ReferenceState> reference = find_reference(spec.problem, *spec.t_end);
  RunOutcome outcome;
  outcome.record = {{"status", to_string(reference ? StatusCode::ok : StatusCode::not_applicable)},
                    {"cause", reference ? "" : "no reference is stored of that problem at that time"},
                    {"spec", resolved}};
  if (!reference) return outcome;
  outcome.record["digits_trusted"] = reference->digits_trusted, outcome.record["source"] = reference->source;
  for (const char* kind : {"q", "v", "a", "lambda", "y"})
    if (reference->of(kind).size() > 0) outcome.record[kind] = numbers(reference->of(kind));
  outcome.record["observables"] = observables_json(*problem, *spec.t_end, *reference);
  return outcome;
}

Json schema_of_reference_value() { return ReferenceValueSpec{}.options().schema(); }
double cost_of_reference_value(const Json& /*spec*/) { return 1; }
Json inputs_of_reference_value(const Json& resolved) {
  return stored_reference(resolved["problem"], Exact(resolved["t_end"].get<std::string>()));
}

struct ReferenceValues {
  static constexpr const char* name = "reference-values";
  static constexpr const char* summary = "Certified values of problems at one time, for printed ones to be judged by.";
  static constexpr const char* source = "results/reference/";

  Options options() { return {}; }
  static const RunKind& run_kind() {
    static const RunKind kind{resolve_reference_value, look_up_reference_value, schema_of_reference_value,
                              cost_of_reference_value, inputs_of_reference_value};
    return kind;
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    Table table{config.name,
                config.title + ": how many decimals two independent routes agree in, and the first of them.",
                {{"Problem", "", CellFormat::text, 0},
                 {"t [s]", "$t$ [s]", CellFormat::text, 0},
                 {"Decimals", "", CellFormat::integer, 0},
                 {"Source", "", CellFormat::text, 0},
                 {"Status", "", CellFormat::text, 0}},
                {}};
    for (const LabelledRun& run : runs) {
      const Json& r = run.record;
      table.rows.push_back(
          {run.label, r["spec"]["t_end"], r.value("digits_trusted", Json()), r.value("source", ""), r["status"]});
    }
    evaluation.artifacts.tables.push_back(std::move(table));
    return evaluation;
  }
};
const ExperimentEntry<ReferenceValues> reference_values_entry;

}  // namespace
}  // namespace daelab
