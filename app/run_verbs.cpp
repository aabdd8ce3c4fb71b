// run, check, reproduce, report, compare: configs, papers and what is made of their results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "app/commands.hpp"
#include "app/engines.hpp"
#include "app/run_and_report.hpp"
#include "app/solve_command.hpp"
#include "app/terminal.hpp"
#include "cluster/run_as_array.hpp"
#include "lab/reproduce.hpp"
#include "lab/result_sets.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/progress.hpp"
#include "lab/runs/schedule.hpp"
#include "report/figures/figure.hpp"
#include "report/report.hpp"
#include "report/tables/table.hpp"
#include "results/claims.hpp"
#include "results/compare.hpp"
#include "results/compare_by.hpp"
#include "results/merge.hpp"
#include "results/packed_file.hpp"
#include "results/provenance.hpp"
#include "results/reference_errors.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "results/verdicts.hpp"

namespace daelab::app {
namespace {

namespace fs = std::filesystem;

constexpr int interrupted = 130;

std::vector<Config> read_configs(const std::vector<std::string>& paths, const std::vector<std::string>& overrides) {
  std::vector<Config> configs;
  for (const std::string& path : paths) configs.push_back(read_config(path, overrides));
  return configs;
}

void print_summary(const ScheduleSummary& summary) {
  fmt::print(stderr, "{} runs computed, {} reused{}{}\n", summary.computed, summary.reused,
             summary.repeated ? fmt::format(", {} repeated for their times", summary.repeated) : "",
             summary.failed ? fmt::format(", {} failed (recorded with their status)", summary.failed) : "");
}

// The first of them, by name and cause: all are in the report.
void print_failed_runs(const std::string& set) {
  constexpr std::size_t most = 5;
  std::map<std::string, std::string> first;  // by specification
  std::size_t failed = 0;
  visit_runs(set, false, [&](const Json& record) {
    const auto end = record.get<RunEnd>();
    if (end.ok()) return;
    ++failed;
    const Json spec = spec_in(record);
    first[canonical_text(spec)] =
        fmt::format("{}: {}: {}, {}", tinted(Tint::bad, "failed"), run_text(spec), to_string(end.status), end.cause);
    if (first.size() > most) first.erase(std::prev(first.end()));
  });
  for (const auto& [spec, text] : first) print_wrapped(text, 2);
  if (failed > most) fmt::print("... and {} more\n", failed - most);
}

// What is wrong with what was given; quietly, nothing else.
void print_faults(const ReportSummary& written, bool quiet) {
  for (const std::string& fault : written.faults)
    print_wrapped(fmt::format("{}: {}", tinted(Tint::bad, "wrong"), fault), 2);
  if (quiet) return;
  for (const std::string& remark : written.remarks) print_wrapped("note: " + remark, 2);
}

int stop_interrupted(const std::string& out) {
  fmt::print(stderr, "interrupted; finished runs are kept in {} and will not be computed again\n", out);
  return interrupted;
}

// Where a report goes unless told otherwise: in a folder that came from elsewhere a link could lead anywhere.
std::string report_folder(const std::string& folder) {
  std::string path = folder + "/report";
  if (fs::is_symlink(path))
    throw InputError(
        fmt::format("{} is a symbolic link, which is not followed: remove it, or write the report to "
                    "another folder: daelab report {} --to FOLDER",
                    path, folder));
  return path;
}

// Prints counts and what stands out, or everything; quietly what is not as expected alone.
void print_judgements(const std::vector<Judgement>& judgements, bool verbose, bool quiet) {
  if (quiet && as_expected(judgements)) return;
  fmt::print("{}", verbose ? verdict_table_text(judgements, terminal_width())
                           : notable_verdicts_text(judgements, terminal_width()));
}

// What documents say otherwise than the results, with the text that is right. True where there is none.
bool print_stale_passages(const std::vector<TextPassage>& passages) {
  bool all_told = true;
  for (const TextPassage& passage : passages) {
    if (passage.told) continue;
    fmt::print("{} tells other numbers than the results, which say\n    {}\n", passage.document, passage.text);
    all_told = false;
  }
  return all_told;
}

int reproduce_paper(const std::string& paper, const ReproduceArguments& arguments, std::string& counts) {
  const auto begin = std::chrono::steady_clock::now();
  const Reproduction result = daelab::reproduce(paper, {.out_dir = arguments.out,
                                                        .jobs = arguments.jobs,
                                                        .quiet = arguments.quiet,
                                                        .force = arguments.force,
                                                        .command = "./daelab reproduce " + paper,
                                                        .repeat = arguments.repeat});
  if (result.runs.interrupted) return stop_interrupted(result.folder);
  const ReportSummary written = write_report(result_sets(result.folder), report_folder(result.folder),
                                             {.paper_dir = result.folder, .command_of = solve_command});
  print_judgements(result.judgements, arguments.verbose, arguments.quiet);
  counts += fmt::format("{}: {}\n", paper, verdict_counts_text(result.judgements));
  const bool told = print_stale_passages(result.passages);
  const int code = as_expected(result.judgements) && told ? 0 : 1;
  if (arguments.quiet) return code;
  print_summary(result.runs);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("report: {} ({} tables, {} figures), {:.1f} s\n", written.index, written.tables, written.figures, seconds);
  return code;
}

TrajectoryFiles trajectory_files(const std::string& name) {
  if (name == "automatic") return TrajectoryFiles::automatic;
  if (name == "csv") return TrajectoryFiles::csv;
  if (name != "hdf5") throw InputError("--trajectories: '" + name + "' is not allowed; allowed: automatic, csv, hdf5");
  if (const std::string refusal = packing_refusal(); !refusal.empty()) throw InputError("--trajectories: " + refusal);
  return TrajectoryFiles::hdf5;
}

}  // namespace

int run(const RunArguments& arguments, const std::string& command) {
  if (is_worker(arguments)) return work_for_manager(arguments);
  return run_and_report(read_configs(arguments.configs, arguments.overrides), arguments, command);
}

int run_and_report(const std::vector<Config>& configs, const RunArguments& arguments, const std::string& command) {
  const ScheduleOptions options{.out_dir = arguments.out,
                                .jobs = arguments.jobs,
                                .quiet = arguments.quiet,
                                .force = arguments.force,
                                .command = command,
                                .evaluate = !arguments.no_report,
                                .trajectories = trajectory_files(arguments.trajectories),
                                .repeat = arguments.repeat};
  const ScheduleSummary summary = run_by_engine(configs, options, arguments);
  if (summary.interrupted) return stop_interrupted(arguments.out);
  if (arguments.no_report) {
    print_summary(summary);
    return 0;
  }
  bool expected = true;
  std::vector<std::string> pages;
  for (const Config& config : configs) {
    const std::string set = arguments.out + "/" + config.name;
    const std::vector<Judgement> judgements = judge_entries(config.entries, stored_results(arguments.out));
    write_verdicts(judgements, set);
    const ReportSummary written =
        write_report({set}, report_folder(set), {.paper_dir = set, .command_of = solve_command});
    if (!arguments.quiet) print_wrapped(tinted(Tint::strong, config.title));
    if (!arguments.quiet)
      for (const Table& table : written.main_tables) fmt::print("{}", table_to_narrow_text(table, terminal_width()));
    print_faults(written, arguments.quiet);
    if (summary.failed > 0) print_failed_runs(set);
    if (!judgements.empty()) print_judgements(judgements, true, arguments.quiet);
    const bool told = print_stale_passages(passages_of(config.entries, stored_results(arguments.out)));
    if (!arguments.quiet) fmt::print("\n");
    pages.push_back(written.index);
    expected = expected && told && as_expected(judgements) && written.faults.empty();
  }
  if (!arguments.quiet) {
    print_summary(summary);
    for (const std::string& page : pages) fmt::print("report: {}\n", page);
  }
  return expected ? 0 : 1;
}

int shard(const ShardArguments& arguments, const std::string& command) {
  const Config config = read_config(arguments.config, arguments.overrides);
  const Shard shard = read_shard(arguments.part);
  const ScheduleOptions options{
      .out_dir = shard_folder(arguments.out, config.name, shard.index, shard.count),
      .jobs = arguments.jobs,
      .command = command,
      .shard = shard,
      .evaluate = false,
      .also_stored = arguments.out,
  };
  const ScheduleSummary summary = run_configs({config}, options);
  if (summary.interrupted) return stop_interrupted(options.out_dir);
  print_summary(summary);
  return 0;
}

int merge(const std::vector<std::string>& folders, const std::string& to) {
  const MergeSummary summary = merge_results(folders, to);
  for (const std::string& damaged : summary.damaged) fmt::print(stderr, "{}; left out\n", damaged);
  fmt::print("{}: {} runs added, {} were there\n", to, summary.added, summary.present);
  if (summary.missing > 0)
    fmt::print(stderr, "{} runs are missing: no set holds them; daelab run computes them\n", summary.missing);
  return summary.damaged.empty() ? 0 : 1;
}

int check(const std::vector<std::string>& paths, const std::vector<std::string>& overrides) {
  for (const Config& config : read_configs(paths, overrides))
    fmt::print("{}: ok, {} runs of experiment {}{}\n", config.path, config.runs.size(), config.experiment->name(),
               config.reference ? ", and their reference" : "");
  return 0;
}

int reproduce(const ReproduceArguments& arguments) {
  for (const std::string& paper : arguments.papers) require_paper(paper);
  int code = 0;
  std::string counts;  // of each paper
  for (const std::string& paper : arguments.papers) {
    const int one = reproduce_paper(paper, arguments, counts);
    if (one == interrupted) return one;
    code = std::max(code, one);
  }
  if (arguments.papers.size() > 1) fmt::print("\n{}", counts);
  return code;
}

int report(const ReportArguments& arguments) {
  const std::vector<std::string>& folders = arguments.folders;
  const std::string &to = arguments.to, &formats = arguments.formats;
  const double width = figure_width(arguments.width);
  std::vector<std::string> sets;
  std::string paper;
  for (const std::string& folder : folders) {
    for (const std::string& set : result_sets(folder)) sets.push_back(set);
    if (fs::exists(verdicts_path(folder))) paper = folder;
  }
  std::set<std::string> chosen;
  for (std::size_t begin = 0; begin <= formats.size();) {
    const std::size_t end = std::min(formats.find(',', begin), formats.size());
    chosen.insert(formats.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string target = to.empty() ? report_folder(folders.front()) : to;
  const ReportSummary summary = write_report(sets, target,
                                             {.formats = chosen,
                                              .paper_dir = paper,
                                              .columns = arguments.columns,
                                              .width = width,
                                              .only = arguments.only,
                                              .command_of = solve_command});
  fmt::print("{}: {} tables, {} figures\n", target, summary.tables, summary.figures);
  return 0;
}

namespace {

std::string shown(const Json& value) {
  return value.is_string() && value.get<std::string>().size() < 64 ? value.get<std::string>() : value.dump();
}

}  // namespace

int compare(const std::string& a, const std::string& b, double rtol) {
  if (b.empty()) throw InputError("compare: the second result set is missing; with --by KEY one is enough");
  std::size_t count = 0;
  daelab::compare(a, b, rtol, [&](const Difference& d) {
    ++count;
    if (d.pointer.empty())
      print_wrapped(fmt::format("only in {}: {}", d.a.is_null() ? b : a, run_text(d.spec)), 2);
    else
      print_wrapped(fmt::format("{}: {}: {} | {}", run_text(d.spec), d.pointer, shown(d.a), shown(d.b)), 2);
  });
  fmt::print("{} differences\n", count);
  return count == 0 ? 0 : 1;
}

int compare_by(const std::string& a, const std::string& b, const std::string& key) {
  std::vector<Json> runs = read_runs_with_errors(a);
  if (!b.empty())
    for (Json& run : read_runs_with_errors(b)) runs.push_back(std::move(run));
  const Table table = ratios_by(key, runs);
  print_wrapped(table.caption);
  fmt::print("{}", table_to_narrow_text(table, terminal_width()));
  return 0;
}

}  // namespace daelab::app
