// reproduce: papers, which are packs, carried out and judged.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include "app/argument_checks.hpp"
#include "app/commands.hpp"
#include "app/reproduced_pack.hpp"
#include "app/run_options.hpp"
#include "app/run_output.hpp"
#include "app/solve_command.hpp"
#include "app/terminal.hpp"
#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/process.hpp"
#include "lab/reproduce.hpp"
#include "lab/result_sets.hpp"
#include "report/layout/shown_text.hpp"
#include "report/report.hpp"
#include "report/tables/verdict_table.hpp"

namespace daelab::app {
namespace {

// Methods in Python are run by the package, in a process of its own: this program has no interpreter.
int reproduce_by_python(const Pack& pack, const ReproduceArguments& arguments) {
  const std::string python = find_program("python3");
  if (python.empty()) throw InputError("--allow-python: there is no python3 in PATH");
  std::vector<std::string> words{python,  "-m",          "daelab.packs", pack.folder,
                                 "--out", arguments.out, "--jobs",       std::to_string(arguments.jobs)};
  if (arguments.quiet) words.emplace_back("--quiet");
  return run_in_foreground(words, interrupt_requested);
}

bool has_python(const Pack& pack) { return !pack.of_project && !pack.entries.value("python", Json::array()).empty(); }

// Two of one name would write into one folder.
void require_different_names(const std::vector<Pack>& packs) {
  std::set<std::string> names;
  for (const Pack& pack : packs)
    if (!names.insert(pack.name).second)
      throw InputError(fmt::format("two packs are named '{}', and would write into one folder", pack.name));
}

}  // namespace

int reproduce_pack(const Pack& pack, const std::string& given, const ReproduceArguments& arguments,
                   std::string& counts) {
  const auto begin = std::chrono::steady_clock::now();
  const Reproduction result = daelab::reproduce(pack,
                                                {.out_dir = arguments.out,
                                                 .jobs = arguments.jobs,
                                                 .quiet = arguments.quiet,
                                                 .force = arguments.force,
                                                 .command = "./daelab reproduce " + given,
                                                 .repeat = arguments.repeat},
                                                PackPython::refused, arguments.only);
  if (result.runs.interrupted) return stop_interrupted(result.folder);
  const ReportSummary written = write_report(result_sets(result.folder), report_folder(result.folder),
                                             {.paper_dir = result.folder, .command_of = solve_command});
  print_judgements(result.judgements, arguments.verbose, arguments.quiet);
  const bool told = print_stale_passages(result.passages);
  counts += wrapped(fmt::format("{}: {}{}", pack.name, verdict_counts_text(result.judgements),
                                told ? "" : "; a document tells other numbers"),
                    terminal_width(), 0);
  const int code = as_expected(result.judgements) && told ? 0 : 1;
  if (arguments.quiet) return code;
  FailedRuns failed;
  if (result.runs.failed > 0)
    for (const std::string& set : result_sets(result.folder)) add_failed_runs(failed, set);
  print_summary(result.runs, failed);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("report: {} ({} tables, {} figures), {:.1f} s\n", written.index, written.tables, written.figures, seconds);
  return code;
}

void add_reproduce_options(CLI::App& verb, ReproduceArguments& arguments, Candidates& candidates) {
  candidates[verb.add_option("papers", arguments.papers,
                             fmt::format("{}, or a folder or .zip file of a pack", fmt::join(papers(), ", ")))
                 ->required()] = [](const auto&) { return papers(); };
  verb.add_option("-o,--out", arguments.out, "folder of the results")->capture_default_str();
  verb.add_option("-j,--jobs", arguments.jobs, "runs at a time; 0: one per core")->check(job_number);
  add_repeat(verb, arguments.repeat);
  verb.add_option("--only", arguments.only, "result sets to make and judge by, of all that the paper has")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_flag("--force", arguments.force, "compute everything again");
  verb.add_flag("-q,--quiet", arguments.quiet, "print only unexpected verdicts");
  verb.add_flag("-v,--verbose", arguments.verbose, "print every verdict, not only surprising ones");
  verb.add_flag("--allow-python", arguments.allow_python, "run a pack's methods in Python, which may do anything");
}

int reproduce(const ReproduceArguments& arguments) {
  if (!arguments.only.empty() && arguments.papers.size() > 1)
    throw InputError("--only", "chooses result sets of one paper: give one");
  std::vector<Pack> packs;
  for (const std::string& given : arguments.papers) packs.push_back(open_pack(given, arguments.out));
  require_different_names(packs);
  int code = 0;
  std::string counts;  // of each pack
  for (std::size_t i = 0; i < packs.size(); ++i) {
    const int one = arguments.allow_python && has_python(packs[i])
                        ? reproduce_by_python(packs[i], arguments)
                        : reproduce_pack(packs[i], arguments.papers[i], arguments, counts);
    if (one == interrupted) return one;
    code = std::max(code, one);
  }
  if (packs.size() > 1) fmt::print("\n{}", counts);
  return code;
}

}  // namespace daelab::app
