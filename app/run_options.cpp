#include "app/run_options.hpp"

#include <algorithm>
#include <vector>

#include "app/argument_checks.hpp"
#include "app/run_arguments.hpp"
#include "core/base/options.hpp"
#include "core/start/start_options.hpp"
#include "lab/runs/run_spec.hpp"

namespace daelab::app {
namespace {

std::string short_name(const std::string& key) {
  static const std::map<std::string, std::string> names{
      {"problem", "problem,-p,"}, {"method", "-m,"}, {"formulation", "-f,"}, {"t_end", "-t,"}, {"scalar", "-s,"}};
  const auto found = names.find(key);
  return found == names.end() ? "" : found->second;
}

void add_run_option(CLI::App& verb, const Option& option, Json& run, Candidates& candidates) {
  const std::string key = option.name();
  const std::string name = short_name(key) + option_name(key);
  const Json schema = option.schema(), value = option.write();
  const std::string doc = option.doc() + (value.is_string() ? " [" + value.get<std::string>() + "]" : "");
  if (value.is_boolean()) {
    verb.add_flag_callback(
        name, [&run, key] { run[key] = true; }, doc);
  } else if (schema.value("type", Json()) == "array") {
    verb.add_option_function<std::vector<std::string>>(
            name, [&run, key](const std::vector<std::string>& list) { run[key] = list; }, doc)
        ->delimiter(',');
  } else {
    auto* added = verb.add_option_function<std::string>(
        name, [&run, key](const std::string& text) { run[key] = text; }, doc);
    candidates[added] = [key](const std::vector<std::string>&) { return names_of(key); };
  }
}

}  // namespace

void add_run_options(CLI::App& verb, Json& run, Candidates& candidates, const std::set<std::string>& own) {
  RunSpec spec;
  const Options options = spec.options();  // refers to spec
  for (const Option& option : options.list())
    if (option.name() != "atol_components" && !own.contains(option.name()))  // --atol takes them
      add_run_option(verb, option, run, candidates);
}

void add_start_values(CLI::App& verb, std::map<std::string, std::string>& values) {
  StartOptions start;
  const Options options = start.options();
  for (const Option& option : options.list()) {
    const auto& keys = StartOptions::value_keys();
    const std::string key = option.name();
    if (std::ranges::find(keys, key) == keys.end()) continue;
    verb.add_option_function<std::string>(
        option_name(key), [&values, key](const std::string& text) { values[key] = text; }, option.doc());
  }
}

void add_reference_options(CLI::App& verb, ReferenceArguments& arguments) {
  verb.add_option("--t", arguments.times, "times [s]")->required()->delimiter(',');
  verb.add_option("--start", arguments.analysis,
                  "consistent, the default, or project: what is done with start values of mechanisms");
  add_start_values(verb, arguments.start);
  verb.add_option("--store", arguments.folder,
                  "write it where runs look for it: results/reference/<problem>.json, or beside a problem file "
                  "mine.json as mine.reference.json; with a folder, into that")
      ->expected(0, 1);
}

void add_certify_options(CLI::App& verb, CertifyArguments& arguments, Candidates& candidates) {
  candidates[verb.add_option("problem", arguments.problem, "SPEC")->required()] = [](const std::vector<std::string>&) {
    return names_of("problem");
  };
  verb.add_option("--t", arguments.t, "time, a decimal number [s]; default: the problem's end");
  verb.add_option("--digits", arguments.digits, "decimals to prove")->capture_default_str()->check(CLI::Range(1, 200));
  verb.add_option("--to", arguments.to, "file to write the certificate to, JSON");
  verb.add_option("--start", arguments.analysis, "consistent, the only one: what is done with start values");
  add_start_values(verb, arguments.start);
  verb.add_flag("--json", arguments.json, "the certificate instead of a text");
  const auto* store =
      verb.add_option("--store", arguments.folder,
                      "refute the stored reference at that time, or store the decimals to which it is proved, and the "
                      "certificate: results/reference/certificates/<problem>-<t>.json, or beside a problem file; "
                      "with a folder, into that")
          ->expected(0, 1);
  verb.parse_complete_callback([&arguments, store] { arguments.store = store->count() > 0; });
}

void add_judge_options(CLI::App& verb, JudgeArguments& arguments, Candidates& candidates) {
  verb.add_option("files", arguments.files, "tables of states, CSV or with blanks between the cells")->required();
  const auto names = [](const char* kind) {
    return [kind](const std::vector<std::string>&) { return names_of(kind); };
  };
  candidates[verb.add_option("-p,--problem", arguments.problem, "SPEC of their problem")->required()] =
      names("problem");
  candidates[verb.add_option("-f,--formulation", arguments.formulation, "formulation of daelab's methods")] =
      names("formulation");
  candidates[verb.add_option("-m,--beside", arguments.beside,
                             "one of daelab's methods, run at the same steps or tolerances; repeat it for more")
                 ->take_all()
                 ->allow_extra_args(false)
                 ->capture_default_str()] = names("method");
  verb.add_option("--columns", arguments.columns, "names of columns that differ from daelab's, THEIRS=DAELAB'S,...")
      ->delimiter(',');
  verb.add_option("--h", arguments.h, "step size [s], if no column has it; one, or one for each file")->delimiter(',');
  verb.add_option("--rtol", arguments.rtol, "relative tolerance, likewise")->delimiter(',');
  verb.add_option("--label", arguments.label, "name of the method that made all files; default: each file's name");
  verb.add_option("--order", arguments.order, "order that the method claims");
  verb.add_option("-t,--t-end", arguments.t_end, "time that is judged [s]; default: the problem's end");
  verb.add_option("-o,--out", arguments.out, "folder of the result set")->capture_default_str();
  verb.add_flag("-q,--quiet", arguments.quiet, "print only failures");
}

void add_engine(CLI::App& verb, EngineArguments& engine) {
  verb.add_option("--engine", engine.name, "runs on threads (local), on ranks of mpirun (mpi), as an array (slurm)")
      ->capture_default_str();
  verb.add_option("--ranks", engine.ranks, "mpi: ranks, one of which manages; 0: one per core and the manager")
      ->check(not_negative);
  verb.add_option("--mpirun", engine.mpirun, "mpi: a further option of mpirun, --mpirun=--hostfile=nodes.txt")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--shards", engine.shards, "slurm: tasks of the array; 0: one for a hundred runs")
      ->check(not_negative);
  verb.add_option("--slurm", engine.slurm, "slurm: a further option of sbatch, --slurm=--time=1:00:00")
      ->take_all()
      ->allow_extra_args(false);
}

void add_overrides(CLI::App& verb, std::vector<std::string>& overrides) {
  verb.add_option("--set", overrides, "/json/pointer=VALUE, changes the configs")->take_all()->allow_extra_args(false);
}

void add_repeat(CLI::App& verb, std::optional<int>& repeat) {
  verb.add_option("--repeat", repeat,
                  "repeat each run N times, one at a time, and report the shortest time; default: what the config says")
      ->check(repeat_number);
}

}  // namespace daelab::app
