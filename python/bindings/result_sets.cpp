#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <daelab/analysis/audit_subjects.hpp>
#include <daelab/analysis/exact_coefficients.hpp>
#include <daelab/analysis/method_report.hpp>
#include <daelab/core/base/paths.hpp>
#include <daelab/core/mechanism/problem.hpp>
#include <daelab/lab/measured_audit.hpp>
#include <daelab/results/verdicts.hpp>

#include "bindings.hpp"
#include "conversion.hpp"
#include "interruption.hpp"

namespace nb = nanobind;

namespace daelab::python {
namespace {

// As members of a dict; a set, and the verdicts beside it.
Json set_json(const LoadedSet& set, const std::vector<Judgement>& judgements) {
  Json runs = Json::array();
  for (const LoadedRun& run : set.runs) runs.push_back(run.record);
  return {{"folder", set.folder},         {"name", set.name}, {"title", set.title},
          {"experiment", set.experiment}, {"runs", runs},     {"analysis", set.analysis},
          {"verdicts", Json(judgements)}};
}

nb::object load_folder(const std::string& folder) {
  Json sets = Json::array();
  {
    const Unlocked unlocked;
    for (const std::string& set : result_sets(folder)) sets.push_back(set_json(load(set), read_verdicts(set)));
  }
  return object_of(sets);
}

nb::object verdicts_in(const std::string& folder) { return object_of(Json(read_verdicts(folder))); }

// What a config is made of: a path, or its JSON, whose paths begin in the folder where Python runs. Of JSON, errors
// name the place alone: there is no file.
Config config_of(const Json& source, const std::vector<std::string>& overrides) {
  if (source.is_string()) return read_config(source, overrides);
  return make_config(source, "config.json", overrides);
}

// Carries out a config as `daelab run` does, with its verdicts; the folder of its result set.
std::string run(nb::handle source, const ScheduleOptions& options, const std::vector<std::string>& overrides) {
  const Json given = json_of(source);
  std::string folder;
  const Unlocked unlocked;
  run_interruptibly([&] {
    load_project();
    const Config config = config_of(given, overrides);
    if (run_configs({config}, options).interrupted) return;
    folder = options.out_dir + "/" + config.name;
    write_verdicts(judge_entries(config.entries, stored_results(options.out_dir)), folder);
  });
  return folder;
}

// A list of texts, or one text, or nothing, in the arguments of judge.
std::vector<std::string> texts(const Json& arguments, const char* key) {
  const Json given = arguments.value(key, Json());
  if (given.is_null()) return {};
  return given.is_array() ? given.get<std::vector<std::string>>() : std::vector<std::string>{given.get<std::string>()};
}

Json judgement_config(const Json& arguments) {
  const auto text = [&](const char* key) { return arguments.value(key, std::string()); };
  Json config = judge_config({.files = texts(arguments, "files"),
                              .problem = arguments.at("problem"),
                              .formulation = text("formulation"),
                              .t_end = text("t_end"),
                              .beside = texts(arguments, "beside"),
                              .columns = texts(arguments, "columns"),
                              .h = texts(arguments, "h"),
                              .rtol = texts(arguments, "rtol"),
                              .label = text("label"),
                              .order = text("order")});
  const std::string out = text("out");
  return out.empty() ? config : named_apart(std::move(config), out);
}

// The config that judges tables of other programs; a reference that is not stored is computed.
nb::object judge_tables(nb::handle arguments) {
  const Json given = json_of(arguments);
  Json config;
  {
    const Unlocked unlocked;
    run_interruptibly([&] { config = judgement_config(given); });
  }
  return object_of(config);
}

std::string reproduce_paper(const std::string& paper, const ScheduleOptions& options, bool allow_python) {
  std::string folder;
  const Unlocked unlocked;
  const PackPython python = allow_python ? PackPython::registered : PackPython::refused;
  run_interruptibly([&] { folder = reproduce(open_pack(paper, options.out_dir), options, python).folder; });
  return folder;
}

nb::object opened_pack(const std::string& paper, const std::string& out) {
  const Pack pack = open_pack(paper, out);
  return object_of({{"name", pack.name},
                    {"folder", pack.folder},
                    {"of_project", pack.of_project},
                    {"python", pack.entries.value("python", Json::array())}});
}

nb::object method_card(nb::handle spec) {
  const Json given = json_of(spec);
  Json card;
  {
    const Unlocked unlocked;
    load_project();
    const std::shared_ptr<Method> method = Registry<Method>::instance().make(given, "/method");
    card = method_report(*method);
    card["coefficients"] = exact_coefficients(*method);
  }
  return object_of(card);
}

// Orders of step functions are measured, which takes a while.
nb::object audits_of(nb::handle what, bool measure) {
  const Json given = json_of(what);
  Json audits = Json::array();
  {
    const Unlocked unlocked;
    run_interruptibly([&] {
      load_project();
      for (const AuditSubject& subject : audit_subjects(given, ""))
        audits.push_back(Json(audit(subject, measure ? Measure::always : Measure::without_coefficients)));
    });
  }
  return object_of(audits);
}

template <class Kind>
Json names_of() {
  return Registry<Kind>::instance().names();
}

nb::object component_names() {
  load_project();
  return object_of({{"problems", names_of<Problem>()},
                    {"methods", names_of<Method>()},
                    {"formulations", names_of<Formulation>()},
                    {"multiplier_solvers", names_of<MultiplierSolver>()},
                    {"papers", Json(papers())}});
}

}  // namespace

void bind_result_sets(nb::module_& module) {
  module.def("load", &load_folder, nb::arg("folder"));
  module.def("verdicts", &verdicts_in, nb::arg("folder"));
  module.def(
      "run",
      [](nb::handle config, const std::string& out, int jobs, bool quiet, const std::vector<std::string>& overrides) {
        return run(config, {.out_dir = out, .jobs = jobs, .quiet = quiet, .command = "daelab.run"}, overrides);
      },
      nb::arg("config"), nb::arg("out"), nb::arg("jobs"), nb::arg("quiet"), nb::arg("overrides"));
  module.def(
      "reproduce",
      [](const std::string& paper, const std::string& out, int jobs, bool quiet, bool allow_python) {
        return reproduce_paper(paper,
                               {.out_dir = out, .jobs = jobs, .quiet = quiet, .command = "./daelab reproduce " + paper},
                               allow_python);
      },
      nb::arg("paper"), nb::arg("out"), nb::arg("jobs"), nb::arg("quiet"), nb::arg("allow_python"));
  module.def("open_pack", &opened_pack, nb::arg("pack"), nb::arg("out"));
  module.def("judge_config", &judge_tables, nb::arg("arguments"));
  module.def("method", &method_card, nb::arg("spec"));
  module.def("audit", &audits_of, nb::arg("what"), nb::arg("measure"));
  module.def("names", &component_names);
  module.def(
      "spec_text", [](nb::handle spec) { return spec_text(json_of(spec)); }, nb::arg("spec"));
  module.def("data_path", &project_path, nb::arg("relative"));
}

}  // namespace daelab::python
