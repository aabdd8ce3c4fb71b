#include "app/run_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>

#include "app/terminal.hpp"
#include "core/base/input_error.hpp"
#include "lab/reproduce.hpp"
#include "lab/runs/progress.hpp"
#include "report/layout/shown_text.hpp"
#include "report/tables/verdict_table.hpp"
#include "results/provenance.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"

namespace daelab::app {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

void add_failed_runs(FailedRuns& failed, const std::string& set) {
  visit_runs(set, false, [&](const Json& record) {
    const auto end = record.get<RunEnd>();
    if (end.ok()) return;
    const Json spec = spec_in(record);
    failed[canonical_text(spec)] = {run_text(spec), fmt::format("{}, {}", to_string(end.status), end.cause)};
  });
}

void print_summary(const ScheduleSummary& summary, const FailedRuns& failed) {
  const std::string text = fmt::format(
      "{} runs computed, {} reused{}{}", summary.computed, summary.reused,
      summary.repeated ? fmt::format(", {} repeated for their times", summary.repeated) : "", failed_text(failed));
  fmt::print(stderr, "{}", error_lines(text));
}

void print_failed_runs(const FailedRuns& failed) {
  constexpr std::size_t most = 5;
  std::size_t shown = 0;
  for (const auto& [spec, run] : failed)
    if (++shown <= most) print_wrapped(fmt::format("{}: {}: {}", tinted(Tint::bad, "failed"), run.name, run.end), 2);
  if (failed.size() > most) fmt::print("... and {} more\n", failed.size() - most);
}

int stop_interrupted(const std::string& out) {
  fmt::print(stderr, "interrupted; finished runs are kept in {} and will not be computed again\n", out);
  return interrupted;
}

std::string report_folder(const std::string& folder) {
  std::string path = folder + "/report";
  if (fs::is_symlink(path))
    throw InputError(
        fmt::format("{} is a symbolic link, which is not followed: remove it, or write the report to "
                    "another folder: daelab report {} --to FOLDER",
                    path, folder));
  return path;
}

void print_judgements(const std::vector<Judgement>& judgements, bool verbose, bool quiet) {
  if (quiet && as_expected(judgements)) return;
  const auto painted = [](VerdictKind kind, const std::string& text) { return tinted(tint_of(kind), text); };
  fmt::print("{}", verbose ? verdict_table_text(judgements, terminal_width(), painted)
                           : notable_verdicts_text(judgements, terminal_width(), painted));
}

bool print_stale_passages(const std::vector<TextPassage>& passages) {
  bool all_told = true;
  for (const TextPassage& passage : passages) {
    if (passage.told) continue;
    fmt::print("{} tells other numbers than the results, which say\n    {}\n", passage.document, passage.text);
    all_told = false;
  }
  return all_told;
}

}  // namespace daelab::app
