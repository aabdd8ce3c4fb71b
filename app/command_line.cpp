#include "app/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/argument_checks.hpp"
#include "app/commands.hpp"
#include "app/pack_options.hpp"
#include "app/run_options.hpp"
#include "app/usage.hpp"
#include "core/base/context.hpp"
#include "core/base/json.hpp"
#include "core/base/limits.hpp"
#include "core/expressions/code.hpp"
#include "core/expressions/program.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/project.hpp"
#include "lab/reproduce.hpp"

namespace daelab::app {
namespace {

// What the user typed, for manifests and captions.
std::string command_line(int argc, char** argv) {
  std::string text = "daelab";
  for (int i = 1; i < argc; ++i) text += std::string(" ") + argv[i];
  return text;
}

struct CommandLine {
  using Words = std::vector<std::string>;
  CLI::App app{"daelab: the testbed for time integrators of constrained mechanics", "daelab"};
  int exit_code = 0;

  CommandLine(std::string command, std::vector<std::string> typed) {
    run_.typed = std::move(typed);
    app.set_help_flag("--help", "print this help and exit");
    app.set_version_flag("--version", version_and_modules,
                         "version, commit, compiler, scalars and modules of this build");
    app.formatter(help_format());
    app.require_subcommand(1);
    app.parse_complete_callback([this] { load_files(); });  // before those of the verbs
    app.footer(
        "SPEC is name, name:key=value,key=value, or @file.json.\n"
        "Exit codes: 0 fine; 1 it ran but something does not hold; 2 bad usage or input;\n"
        "130 interrupted. daelab help VERB says what a verb takes.");
    add_list();
    add_show();
    add_solve();
    add_choose();
    add_animate(command);
    add_run(command);
    add_judge(command);
    add_audit();
    add_shards(std::move(command));
    add_reproduce();
    add_pack_verb(app, pack_, candidates_, exit_code);
    add_rerun();
    add_report();
    add_start();
    add_rest();
    add_help();
    add_limits();
  }

  // Every verb reads something.
  void add_limits() {
    for (CLI::App* verb : app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); })) {
      // CLI11 2.4 allows no -h beside the --h of solve.
      if (verb->get_option_no_throw("--h") == nullptr) verb->set_help_flag("-h,--help", "print this help and exit");
      verb->add_option_function<std::vector<std::string>>(
              "--limit",
              [this](const std::vector<std::string>& list) {
                for (const std::string& limit : list) {
                  set_limit(Context::process().limits, limit);
                  run_.engine.inherited.insert(run_.engine.inherited.end(), {"--limit", limit});
                }
              },
              "NAME=VALUE, how much input may ask for: daelab help limits lists them")
          ->take_all()
          ->allow_extra_args(false);
    }
  }

  void add_evaluate(CLI::App* verb) {
    verb->add_option_function<std::string>(
        "--evaluate",
        [this](const std::string& name) {
          Context::process().evaluator = evaluator_of(name);
          run_.engine.inherited.insert(run_.engine.inherited.end(), {"--evaluate", name});
        },
        "problems in double by automatic, interpreter, machine-code or machine-code-sse2: the same bits");
    verb->add_flag_callback(
        "--strict", [] { Context::process().strict = true; },
        "the same bits on every machine: no function of the C library, no BLAS (docs/reliability.md)");
  }
  void add_list() {
    auto* verb = app.add_subcommand("list", "list what is available, one line each");
    suggest(
        verb->add_option("kind", kind_,
                         "problems, formulations, methods, multiplier-solvers, experiments or papers; default: all"),
        [](const Words&) { return listed_kinds(); });
    verb->add_flag("--json", json_, "one JSON document");
    verb->callback([this] { exit_code = list(kind_, json_); });
  }
  void add_show() {
    auto* verb = app.add_subcommand(
        "show",
        "describe a component: its options and source; for a method its coefficients, order and stability properties");
    suggest(verb->add_option("kind", show_.kind,
                             "problem, formulation, method, multiplier-solver or experiment; may be left out before a "
                             "name that only one of them has")
                ->required(),
            [](const Words&) { return listed_kinds(); });
    suggest(verb->add_option("spec", show_.spec, "SPEC"), [](const Words& words) { return names_of(words[1]); });
    auto* equations =
        verb->add_option("--equations", show_.equations,
                         fmt::format("equations of a problem as text (the default) or latex, or as code: {}",
                                     fmt::join(daelab::names_of(Language()), ", ")))
            ->expected(0, 1);
    verb->add_option("--sketch", show_.sketch, "file to draw a mechanism at its start, .svg or .pdf");
    verb->add_flag("--data", show_.data, "options and constants of a problem with their values");
    verb->add_flag("--json", show_.json, "one JSON document");
    verb->callback([this, equations] {
      if (equations->count() > 0 && show_.equations.empty()) show_.equations = "text";
      exit_code = show(show_);
    });
  }
  void add_solve() {
    auto* verb = app.add_subcommand("solve", "one run");
    add_run_options(*verb, solve_.run, candidates_, {"trajectory"});
    verb->add_option("--trajectory", solve_.trajectory, "CSV file to write");
    add_start_values(*verb, solve_.start);
    verb->add_option("--every", solve_.every, "steps between the rows of the trajectory")->capture_default_str();
    verb->add_flag(
        "--check-accuracy", solve_.check_accuracy,
        "estimate the error at the end from a second run with half the tolerance or half of h, and warn if it is "
        "too large");
    verb->add_flag("--json", solve_.json, "one JSON document");
    add_evaluate(verb);
    verb->callback([this] { exit_code = solve(solve_); });
  }
  void add_choose() {
    auto* verb = app.add_subcommand("choose", "try which method and formulation are cheapest on a problem");
    suggest(verb->add_option("problem", choose_.problem, "SPEC")->required(),
            [](const Words&) { return names_of("problem"); });
    verb->add_option("--digits", choose_.digits, "correct decimals of positions at the end")
        ->capture_default_str()
        ->check(CLI::Range(1, 13));
    verb->add_option("-t,--t-end", choose_.t_end, "end time [s]; default: the problem's");
    verb->add_flag("--json", choose_.json, "one JSON document");
    verb->callback([this] { exit_code = choose(choose_); });
  }
  void add_animate(std::string command) {
    auto* verb = app.add_subcommand(
        "animate", "write one HTML file with a mechanism in motion by several methods, their errors and energies");
    suggest(verb->add_option("problem", animate_.problem, "SPEC")->required(),
            [](const Words&) { return names_of("problem"); });
    suggest(verb->add_option("-m,--method", animate_.methods, "SPEC; repeat it for more")
                ->required()
                ->take_all()
                ->allow_extra_args(false),
            [](const Words&) { return names_of("method"); });
    suggest(verb->add_option("-f,--formulation", animate_.formulations,
                             "SPEC; repeat it for more: each method is run on each; default: the method's own")
                ->take_all()
                ->allow_extra_args(false),
            [](const Words&) { return names_of("formulation"); });
    suggest(verb->add_option("--reference", animate_.reference,
                             "SPEC of the method that computes the reference for errors, at 1e-11; none: no errors")
                ->capture_default_str(),
            [](const Words&) { return names_of("method"); });
    verb->add_option("--out", animate_.out, "HTML file to write")->required();
    verb->add_option("--every", animate_.every, "steps between the rows of the trajectories")->capture_default_str();
    add_run_options(*verb, animate_.run, candidates_,
                    {"problem", "method", "formulation", "trajectory", "history", "samples", "sample_every"});
    add_start_values(*verb, animate_.start);
    add_evaluate(verb);
    verb->callback([this, command = std::move(command)] { exit_code = animate(animate_, command); });
  }
  void add_run(std::string command) {
    auto* verb = app.add_subcommand("run", "carry out experiment configs");
    verb->add_option("configs", run_.configs, "JSON files")->required();
    verb->add_option("-o,--out", run_.out, "folder of the result sets")->capture_default_str();
    verb->add_option("-j,--jobs", run_.jobs, "runs at a time; 0: one per core")->check(job_number);
    add_overrides(*verb, run_.overrides);
    add_repeat(*verb, run_.repeat);
    verb->add_flag("--force", run_.force, "compute everything again; take over folders of other configs");
    verb->add_option("--trajectories", run_.trajectories,
                     "csv, or packed into hdf5 files; automatic: packed if there are more than 1000")
        ->capture_default_str();
    verb->add_flag("--no-report", run_.no_report,
                   "only store the runs; a later call makes tables, figures and verdicts");
    verb->add_flag("-q,--quiet", run_.quiet, "print only failures and unexpected verdicts");
    add_engine(*verb, run_.engine);
    add_evaluate(verb);
    verb->callback([this, command = std::move(command)] { exit_code = run(run_, command); });

    auto* check = app.add_subcommand("check", "validate configs without running them");
    check->add_option("configs", run_.configs, "JSON files")->required();
    add_overrides(*check, run_.overrides);
    check->callback([this] { exit_code = app::check(run_.configs, run_.overrides); });
  }
  void add_shards(std::string command) {
    auto* shard = app.add_subcommand("shard", "carry out the part i/n of the runs of a config, for your own scheduler");
    shard->add_option("config", shard_.config, "JSON file")->required();
    shard->add_option("part", shard_.part, "i/n, i from 1 to n")->required();
    shard
        ->add_option("-o,--out", shard_.out,
                     "folder of the result sets; the part goes to <name>.shards/<i>-of-<n>/ there")
        ->capture_default_str();
    shard->add_option("-j,--jobs", shard_.jobs, "runs at a time; 0: one per core")->check(job_number);
    add_overrides(*shard, shard_.overrides);
    add_evaluate(shard);
    shard->callback([this, command = std::move(command)] { exit_code = app::shard(shard_, command); });

    auto* trajectories = app.add_subcommand("export", "trajectories of a result set as CSV files, packed or not");
    trajectories->add_option("set", a_, "result set")->required();
    trajectories->add_option("keys", folders_, "keys of runs; default: all that have trajectories");
    trajectories->add_option("--to", to_, "folder of the CSV files")->required();
    trajectories->callback([this] { exit_code = export_trajectories(a_, folders_, to_); });

    auto* merge = app.add_subcommand("merge", "make one result set of several of the same config");
    merge->add_option("sets", folders_, "result sets, or folders of some")->required();
    merge->add_option("--to", to_, "result set to which they are added")->required();
    merge->callback([this] { exit_code = app::merge(folders_, to_); });
  }
  void add_reproduce() {
    auto* verb = app.add_subcommand("reproduce", "run all configs of a paper, judge every claim, write the report");
    add_reproduce_options(*verb, reproduce_, candidates_);
    add_evaluate(verb);
    verb->callback([this] { exit_code = reproduce(reproduce_); });
  }
  void add_judge(std::string command) {
    auto* verb = app.add_subcommand(
        "judge", "compare results of other programs with the reference of a problem and with daelab's methods");
    add_judge_options(*verb, judge_, candidates_);
    add_evaluate(verb);
    verb->callback([this, command = std::move(command)] { exit_code = judge(judge_, command); });
  }
  void add_audit() {
    auto* verb = app.add_subcommand(
        "audit", "what is claimed of methods against what is proved: orders, stability, structure, error estimates");
    suggest(verb->add_option("what", audit_.what,
                             "SPEC, @tableau.json, or a list with claims: list.json, list.csv (docs/audit.md)"),
            [](const Words&) { return names_of("method"); });
    verb->add_flag("--all", audit_.all, "every registered method, with its default options");
    verb->add_flag("--measure", audit_.measure,
                   "measure orders of methods with coefficients, too, and with --all of those without");
    verb->add_flag("--json", audit_.json, "one JSON document");
    verb->add_flag("--csv", audit_.csv, "one row for each property");
    verb->add_flag("--latex", audit_.latex, "the claims as a table for a paper");
    verb->add_option("--html", audit_.html, "all facts and proofs as one page: FILE.html");
    verb->callback([this] { exit_code = audit(audit_); });
  }
  void add_rerun() {
    auto* verb = app.add_subcommand("rerun",
                                    "carry out a result set again, from its manifest and the inputs it keeps, and "
                                    "compare bit by bit");
    verb->add_option("folder", rerun_.folder, "result set, or a folder or .zip file of several")->required();
    verb->add_option("-o,--out", rerun_.out,
                     "folder of the new results; default: a temporary one, kept if results differ");
    verb->add_option("-j,--jobs", rerun_.jobs, "runs at a time; 0: one per core")->check(job_number);
    add_evaluate(verb);
    verb->callback([this] { exit_code = rerun(rerun_, run_.engine.inherited); });
  }
  void add_report() {
    auto* verb = app.add_subcommand("report", "tables, figures and page from stored results");
    verb->add_option("folders", report_.folders, "result sets, or the folder of a paper")->required();
    verb->add_option("--to", report_.to, "folder of the report; default: report/ in the first folder");
    verb->add_option("--format", report_.formats, "of svg,pdf,png,pgf,tex,md,csv,html")->capture_default_str();
    verb->add_option("--only", report_.only, "tables and figures to write, by name; default: all")->delimiter(',');
    verb->add_option("--width", report_.width, "of figures: 1 or 2 columns of a journal (85 or 174 mm), or as 120mm")
        ->capture_default_str();
    verb->add_option("--columns", report_.columns,
                     "of text in the class that LaTeX tables are for: 1 (345 pt) or 2 (246 pt each)")
        ->capture_default_str();
    verb->callback([this] { exit_code = report(report_); });
  }
  void add_start() {
    auto* verb = app.add_subcommand("start",
                                    "consistent-start analysis alone: redundant constraints, singular "
                                    "configuration, projection, accelerations and reactions; constraints "
                                    "count from 1");
    suggest(verb->add_option("-p,--problem", start_.problem, "SPEC")->required(),
            [](const Words&) { return names_of("problem"); });
    add_start_values(*verb, start_.start);
    verb->add_option("--rank-tolerance", start_.rank_tolerance, "relative pivots of C_q below it count as zero")
        ->capture_default_str();
    verb->add_flag("--json", start_.json, "one JSON document");
    verb->callback([this] { exit_code = start(start_); });
  }
  void add_rest() {
    auto* compare = app.add_subcommand("compare", "two result sets, run by run");
    compare->add_option("a", a_, "result set")->required();
    compare->add_option("b", b_, "result set; with --by it may be left out");
    compare->add_option("--rtol", rtol_, "relative tolerance; 0: bitwise")->check(not_negative);
    compare->add_option("--by", by_,
                        "key of a run, as method or formulation: errors and work of runs that differ in it alone, as "
                        "ratios");
    compare->callback([this] { exit_code = by_.empty() ? app::compare(a_, b_, rtol_) : app::compare_by(a_, b_, by_); });

    auto* reference =
        app.add_subcommand("reference", "compute reference solutions by two independent routes, which must agree");
    auto* problem = reference->add_option("problem", reference_.problem, "SPEC");
    suggest(problem, [](const Words&) { return names_of("problem"); });
    add_reference_options(*reference, reference_);
    reference->callback([this, reference, problem] {
      reference_.store = reference->count("--store") > 0;
      // The word behind --store is the problem where no other word is.
      if (reference_.problem.empty()) std::swap(reference_.problem, reference_.folder);
      if (reference_.problem.empty()) throw CLI::RequiredError(problem->required()->get_name());
      exit_code = app::reference(reference_);
    });

    auto* certify = app.add_subcommand("certify", "prove where a motion is, by interval arithmetic");
    add_certify_options(*certify, certify_, candidates_);
    certify->callback([this] { exit_code = app::certify(certify_); });
    auto* schema = app.add_subcommand("schema", "the JSON Schema of experiment configs");
    schema->callback([this] { exit_code = app::schema(); });
  }
  void add_help() {
    auto* help = app.add_subcommand("help", "arguments of a verb; limits: values of --limit");
    suggest(help->add_option("topic", kind_, "a verb, or limits"),
            [this](const Words&) { return completions(app, {}, {""}); });
    help->callback([this] { fmt::print("{}", help_on(app, kind_)); });
    auto* completion =
        app.add_subcommand("completion", "what a shell reads to complete words: eval \"$(daelab completion bash)\"");
    suggest(completion->add_option("shell", kind_, "bash, zsh or fish")->required(), [](const Words&) {
      return Words{"bash", "zsh", "fish"};
    });
    completion->callback([this] { fmt::print("{}", completion_script(kind_)); });
    auto* man = app.add_subcommand("man", "the manual page, for man -l")->group("");
    man->callback([this] { fmt::print("{}", man_page(app)); });
    auto* complete = app.add_subcommand("complete", "the words that the last one may become")->group("");
    complete->set_help_flag();
    complete->prefix_command();
    complete->callback([this, complete] {
      for (const std::string& word : completions(app, candidates_, complete->remaining())) fmt::print("{}\n", word);
    });
  }

 private:
  // Methods and problems in JSON: the project's, or the copies in a result set.
  void load_files() const {
    if (!rerun_.folder.empty()) use_kept_inputs(rerun_.folder);
    load_project();
  }

  void suggest(const CLI::Option* option, std::function<Words(const Words& words)> words) {
    candidates_[option] = std::move(words);
  }

  Candidates candidates_;
  std::string kind_, spec_, to_, a_, b_, by_;
  std::vector<std::string> folders_;
  double rtol_ = 0;
  bool json_ = false;
  ShowArguments show_;
  SolveArguments solve_;
  ChooseArguments choose_;
  AnimateArguments animate_;
  StartArguments start_;
  ReferenceArguments reference_;
  CertifyArguments certify_;
  ReportArguments report_;
  RunArguments run_;
  JudgeArguments judge_;
  AuditArguments audit_;
  ShardArguments shard_;
  ReproduceArguments reproduce_;
  PackArguments pack_;
  RerunArguments rerun_;
};

}  // namespace

int carry_out(int argc, char** argv) {
  CommandLine line(command_line(argc, argv), {argv + 1, argv + argc});
  check_arguments(line.app, argc, argv);
  if (argc == 1) {
    fmt::print("{}", line.app.help());
    return 0;
  }
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return line.app.exit(error);  // help and version
    throw InputError(parse_failure(line.app, error));
  }
  return line.exit_code;
}

}  // namespace daelab::app
