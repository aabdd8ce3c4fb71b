// What verbs that carry out runs print of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/runs/schedule.hpp"
#include "results/artifacts.hpp"
#include "results/told_numbers.hpp"

namespace daelab::app {

/// Exit code.
inline constexpr int interrupted = 130;

struct FailedRun {
  std::string name, end;
};
using FailedRuns = std::map<std::string, FailedRun>;  // by specification: several sets may share one

void add_failed_runs(FailedRuns& failed, const std::string& set);

void print_summary(const ScheduleSummary& summary, const FailedRuns& failed = {});

/// The first of them, by name and cause: all are in the report.
void print_failed_runs(const FailedRuns& failed);

/// Prints what an interrupted run keeps; returns the exit code.
int stop_interrupted(const std::string& out);

/// Where a report goes unless told otherwise: in a folder that came from elsewhere a link could lead anywhere.
std::string report_folder(const std::string& folder);

/// Prints counts and notable verdicts; all if verbose; only unexpected ones if quiet.
void print_judgements(const std::vector<Judgement>& judgements, bool verbose, bool quiet);

/// Prints passages of documents that differ from the results, with the right text. True if none differs.
bool print_stale_passages(const std::vector<TextPassage>& passages);

}  // namespace daelab::app
