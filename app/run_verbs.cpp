// run, check, reproduce, report, compare: configs, papers and what is made of their results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "app/commands.hpp"
#include "app/engines.hpp"
#include "app/run_and_report.hpp"
#include "app/solve_command.hpp"
#include "app/terminal.hpp"
#include "cluster/run_as_array.hpp"
#include "core/base/write_file.hpp"
#include "lab/reproduce.hpp"
#include "lab/result_sets.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/progress.hpp"
#include "lab/runs/schedule.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/shown_text.hpp"
#include "report/page/contents_page.hpp"
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

struct FailedRun {
  std::string name, end;
};
using FailedRuns = std::map<std::string, FailedRun>;  // by specification: several sets may share one

void add_failed_runs(FailedRuns& failed, const std::string& set) {
  visit_runs(set, false, [&](const Json& record) {
    const auto end = record.get<RunEnd>();
    if (end.ok()) return;
    const Json spec = spec_in(record);
    failed[canonical_text(spec)] = {run_text(spec), fmt::format("{}, {}", to_string(end.status), end.cause)};
  });
}

// "2 failed: A; B"
std::string failed_text(const FailedRuns& failed) {
  constexpr std::size_t most = 3;
  if (failed.empty()) return "";
  std::vector<std::string> names;
  for (const auto& [spec, run] : failed)
    if (names.size() < most) names.push_back(run.name);
  return fmt::format(", {} failed: {}{}", failed.size(), fmt::join(names, "; "),
                     failed.size() > most ? fmt::format("; and {} more", failed.size() - most) : "");
}

void print_summary(const ScheduleSummary& summary, const FailedRuns& failed = {}) {
  const std::string text = fmt::format(
      "{} runs computed, {} reused{}{}", summary.computed, summary.reused,
      summary.repeated ? fmt::format(", {} repeated for their times", summary.repeated) : "", failed_text(failed));
  fmt::print(stderr, "{}", error_lines(text));
}

// The first of them, by name and cause: all are in the report.
void print_failed_runs(const FailedRuns& failed) {
  constexpr std::size_t most = 5;
  std::size_t shown = 0;
  for (const auto& [spec, run] : failed)
    if (++shown <= most) print_wrapped(fmt::format("{}: {}: {}", tinted(Tint::bad, "failed"), run.name, run.end), 2);
  if (failed.size() > most) fmt::print("... and {} more\n", failed.size() - most);
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

// Green for what holds, yellow for what holds in part or is open, red for what does not.
Tint tint_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::all_digits:
    case VerdictKind::confirmed:
    case VerdictKind::understated:
    case VerdictKind::holds:
    case VerdictKind::agrees:
      return Tint::good;
    case VerdictKind::differs:
    case VerdictKind::refuted:
    case VerdictKind::does_not_hold:
      return Tint::bad;
    case VerdictKind::some_digits:
    case VerdictKind::same_order:
    case VerdictKind::undecided:
    case VerdictKind::unknown:
      return Tint::warning;
    case VerdictKind::not_reproducible:
      break;
  }
  return Tint::none;
}

// Prints counts and what stands out, or everything; quietly what is not as expected alone.
void print_judgements(const std::vector<Judgement>& judgements, bool verbose, bool quiet) {
  if (quiet && as_expected(judgements)) return;
  const auto painted = [](VerdictKind kind, const std::string& text) { return tinted(tint_of(kind), text); };
  fmt::print("{}", verbose ? verdict_table_text(judgements, terminal_width(), painted)
                           : notable_verdicts_text(judgements, terminal_width(), painted));
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
  counts += wrapped(fmt::format("{}: {}", paper, verdict_counts_text(result.judgements)), terminal_width(), 0);
  const bool told = print_stale_passages(result.passages);
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

TrajectoryFiles trajectory_files(const std::string& name) {
  if (name == "automatic") return TrajectoryFiles::automatic;
  if (name == "csv") return TrajectoryFiles::csv;
  if (name != "hdf5") throw InputError("--trajectories: '" + name + "' is not allowed; allowed: automatic, csv, hdf5");
  if (const std::string refusal = packing_refusal(); !refusal.empty()) throw InputError("--trajectories: " + refusal);
  return TrajectoryFiles::hdf5;
}

}  // namespace

namespace {

// A set on the page that lists several: what came out of it, and how its entries were judged.
ContentsEntry contents_entry(const Config& config, const ReportSummary& written,
                             const std::vector<Judgement>& judgements) {
  std::string line = written.headline;
  if (!judgements.empty()) line += (line.empty() ? "" : " ") + verdict_counts_text(judgements) + ".";
  if (line.empty()) line = fmt::format("{} runs.", config.runs.size());
  const std::string folder = config.name + "/report/";
  return {config.title, line, folder + "index.html", written.drawing.empty() ? "" : folder + written.drawing};
}

// Of more than one set; "": there is no such page.
std::string write_contents(const std::vector<ContentsEntry>& pages, const std::string& out) {
  if (pages.size() < 2) return "";
  const std::string path = out + "/reports.html";
  write_file(path, contents_to_html(fmt::format("{} reports", pages.size()), pages));
  return path;
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
  std::vector<ContentsEntry> pages;
  FailedRuns all_failed;
  for (const Config& config : configs) {
    const std::string set = arguments.out + "/" + config.name;
    const std::vector<Judgement> judgements = judge_entries(config.entries, stored_results(arguments.out));
    write_verdicts(judgements, set);
    const ReportSummary written =
        write_report({set}, report_folder(set), {.paper_dir = set, .command_of = solve_command});
    if (!arguments.quiet) print_wrapped(tinted(Tint::strong, config.title));
    if (!arguments.quiet)
      for (const Table& table : written.main_tables) {
        fmt::print("{}", table_to_narrow_text(table, terminal_width()));
        print_wrapped(table.caption);
      }
    print_faults(written, arguments.quiet);
    FailedRuns failed;
    if (summary.failed > 0) add_failed_runs(failed, set);
    print_failed_runs(failed);
    all_failed.merge(failed);
    if (!judgements.empty()) print_judgements(judgements, true, arguments.quiet);
    const bool told = print_stale_passages(passages_of(config.entries, stored_results(arguments.out)));
    if (!arguments.quiet) fmt::print("\n");
    pages.push_back(contents_entry(config, written, judgements));
    expected = expected && told && as_expected(judgements) && written.faults.empty();
  }
  if (!arguments.quiet) {
    print_summary(summary, all_failed);
    for (const ContentsEntry& page : pages) fmt::print("report: {}/{}\n", arguments.out, page.page);
  }
  if (const std::string list = write_contents(pages, arguments.out); !list.empty() && !arguments.quiet) {
    fmt::print("all of them: {}\n", list);
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
    fmt::print("{}: {}, {} runs of experiment {}{}\n", config.path, tinted(Tint::good, "ok"), config.runs.size(),
               config.experiment->name(), config.reference ? ", and their reference" : "");
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
  fmt::print("{}\n", tinted(count == 0 ? Tint::good : Tint::bad, fmt::format("{} differences", count)));
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
