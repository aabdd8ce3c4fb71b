#include "experiments/measures/diagram_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/exact.hpp"
#include "core/base/spec_text.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/run.hpp"
#include "results/reference.hpp"
#include "results/value_format.hpp"

namespace daelab {
namespace {

// Of different orders, so that they hardly share an error.
constexpr const char* reference_methods[] = {"radau-iia:s=5", "radau-iia:s=7"};
constexpr const char* reference_forms[] = {"ode", "ggl", "index-1", "index-2"};  // the first that applies

void refuse_what_the_experiment_says(const Json& entry, const std::string& where) {
  for (const char* key : {"method", "formulation", "h", "scalar"})
    if (entry.contains(key))
      throw InputError(fmt::format("{}/{}", where, key),
                       "diagrams have methods of their own, each on its form, with error control in double: "
                       "\"methods\" beside the runs lists them");
  if (!entry.contains("problem")) throw InputError(where + "/problem", "is missing: a problem, or a list of problems");
  if (!entry.contains("rtol")) throw InputError(where + "/rtol", "is missing: tolerances, from loose to tight");
}

std::vector<Json> choices_of(const Json& entry, const char* key, const std::string& where) {
  std::vector<Json> choices;
  for (const Json& one : expand_grid({{key, entry.at(key)}}, where)) choices.push_back(one.at(key));
  return choices;
}

Json with_method(Json entry, const Json& formulation, const Json& method) {
  entry["formulation"] = formulation, entry["method"] = method;
  return entry;
}

// The run with its first tolerance, where the method takes a step of it; nothing and `refusal` otherwise.
std::shared_ptr<const Run> applicable(Json entry, const std::string& where, std::string& refusal) {
  entry.erase("label");
  Json trial = expand_grid(entry, where).front();
  trial["max_steps"] = 1;
  try {
    std::shared_ptr<const Run> run = Run::bind(trial, where);
    const RunRecord record = run->integrate().record;
    if (record.status != StatusCode::not_applicable) return run;
    refusal = record.cause;
  } catch (const InputError& error) {
    refusal = error.what();
  }
  return nullptr;
}

// Tolerances of an entry, except where the config leaves the run out.
std::vector<Json> kept_tolerances(const Run& run, const std::string& label, const std::vector<Json>& tolerances,
                                  const std::vector<LeftOutRuns>& left_out) {
  std::vector<Json> kept;
  for (const Json& rtol : tolerances) {
    Json spec = run.json();
    spec["rtol"] = rtol;
    if (std::ranges::none_of(left_out, [&](const LeftOutRuns& one) { return one.has(label, spec); }))
      kept.push_back(rtol);
  }
  return kept;
}

// A power of ten, a thousandth of the tightest tolerance or less.
Json reference_tolerance(const std::vector<Json>& tolerances, const std::string& where) {
  double tightest = 1;
  for (const Json& rtol : tolerances)
    tightest = std::min(tightest, exact_from_json(rtol, where + "/rtol").as<double>());
  return fmt::format("1e{:.0f}", std::floor(std::log10(tightest)) - 3);
}

// Takes as many steps as its tolerance asks for.
void add_reference(Json entry, const std::string& label, const Json& rtol, const std::string& where,
                   std::vector<Json>& entries) {
  for (const char* key : {"atol", "atol_velocity", "atol_components", "max_steps"}) entry.erase(key);
  entry["rtol"] = rtol;
  std::string refusal;
  for (const char* form : reference_forms) {
    if (!applicable(with_method(entry, form, reference_methods[0]), where, refusal)) continue;
    entry["label"] = reference_label(label);
    for (const char* method : reference_methods) entries.push_back(with_method(entry, form, method));
    return;
  }
  throw InputError(where + "/problem",
                   fmt::format("no reference of {} is stored, and none can be made: {}", label, refusal));
}

void add_problem(Json entry, const std::vector<DiagramMethod>& methods, const std::vector<LeftOutRuns>& left_out,
                 const std::string& where, std::vector<Json>& entries) {
  const Json problem = entry.at("problem");
  if (!problem_file(problem).empty() && !problem_file(problem).starts_with('/'))
    throw InputError(where + "/problem", "problems in files are not drawn; allowed: names of problems, with options");
  const std::string label = entry.value("label", problem.is_string() ? problem.get<std::string>() : spec_text(problem));
  entry["label"] = label;
  const std::vector<Json> tolerances = choices_of(entry, "rtol", where);
  std::shared_ptr<const Run> any;
  std::string refusal;
  for (const DiagramMethod& one : methods) {
    Json with = with_method(entry, one.formulation.json(), one.method.json());
    const auto run = applicable(with, where, refusal);
    if (!run) continue;
    any = run;
    with["rtol"] = kept_tolerances(*run, label, tolerances, left_out);
    if (!with["rtol"].empty()) entries.push_back(std::move(with));
  }
  if (!any) throw InputError(where + "/problem", fmt::format("no method applies to {}: {}", label, refusal));
  if (!any->references().find(any->t_end()))
    add_reference(std::move(entry), label, reference_tolerance(tolerances, where), where, entries);
}

}  // namespace

Options DiagramMethod::options() {
  return {option("formulation", formulation, "formulation"), option("method", method, "method")};
}

bool NamedMethod::is_of(const Run& run) const {
  return run.spec().method.text() == method && run.formulation_text() == formulation;
}

std::vector<NamedMethod> named(const std::vector<DiagramMethod>& methods) {
  std::vector<NamedMethod> all;
  for (const DiagramMethod& one : methods) {
    const auto method = Registry<Method>::instance().make(one.method, "");
    const auto formulation = Registry<Formulation>::instance().make(one.formulation, "");
    const bool of_mechanisms = formulation->traits().of_mechanisms;
    all.push_back({ComponentSpec(method->spec()).text(), ComponentSpec(formulation->spec()).text(),
                   one.method.text() + (of_mechanisms ? ", " + one.formulation.text() : ""), of_mechanisms});
  }
  return all;
}

Options LeftOutRuns::options() {
  return {
      option("problems", problems, "labels of the problems whose runs these are; none: all"),
      option("runs", runs, "selectors of the runs, as of claims: {\"/method/name\": \"hht\"}", {{"type", "object"}}),
      option("reason", reason, "why they are not made")};
}

void LeftOutRuns::check(const std::string& where) const {
  if (reason.empty()) throw InputError(where + "/reason", "is missing: a sentence");
  for (const auto& [pointer, value] : runs.items())
    if (!pointer.starts_with("/"))
      throw InputError(where + "/runs", fmt::format("'{}' is no JSON pointer such as /method/name", pointer));
}

bool LeftOutRuns::has(const std::string& problem, const Json& spec) const {
  return (problems.empty() || std::ranges::find(problems, problem) != problems.end()) && selects(runs, spec);
}

std::vector<Json> diagram_entries(const Json& entry, const std::vector<DiagramMethod>& methods,
                                  const std::vector<LeftOutRuns>& left_out, const std::string& where) {
  if (methods.empty()) throw InputError("/methods", "is missing: a list of {\"formulation\", \"method\"}");
  refuse_what_the_experiment_says(entry, where);
  const std::vector<Json> problems = choices_of(entry, "problem", where);
  if (problems.size() > 1 && entry.contains("label"))
    throw InputError(where + "/label", "names one problem; allowed beside a single problem alone");
  std::vector<Json> entries;
  for (const Json& problem : problems) {
    Json one = entry;
    one["problem"] = problem;
    add_problem(std::move(one), methods, left_out, where, entries);
  }
  return entries;
}

std::string reference_label(const std::string& label) { return label + ", reference"; }

}  // namespace daelab
