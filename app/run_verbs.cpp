// run, check, reproduce, report, compare: configs, papers and what is made of their results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "app/commands.hpp"
#include "app/engines.hpp"
#include "app/run_and_report.hpp"
#include "app/run_output.hpp"
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
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "results/verdicts.hpp"

namespace daelab::app {
namespace {

namespace fs = std::filesystem;

std::vector<Config> read_configs(const std::vector<std::string>& paths, const std::vector<std::string>& overrides) {
  std::vector<Config> configs;
  for (const std::string& path : paths) configs.push_back(read_config(path, overrides));
  return configs;
}

// What is wrong with what was given; quietly, nothing else.
void print_faults(const ReportSummary& written, bool quiet) {
  for (const std::string& fault : written.faults)
    print_wrapped(fmt::format("{}: {}", tinted(Tint::bad, "wrong"), fault), 2);
  if (quiet) return;
  for (const std::string& remark : written.remarks) print_wrapped("note: " + remark, 2);
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
  const Table table = ratios_by(key, b.empty() ? std::vector{a} : std::vector{a, b});
  print_wrapped(table.caption);
  fmt::print("{}", table_to_narrow_text(table, terminal_width()));
  return 0;
}

}  // namespace daelab::app
