// From stored results to tables, figures and one page. Nothing is computed again.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "report/verdicts.hpp"
#include "results/artifacts.hpp"

namespace daelab {

struct ReportSummary {
  std::string index;               // the page, "" when html was not asked for
  std::vector<std::string> files;  // everything written, relative to the report
  std::size_t result_sets = 0, tables = 0, figures = 0;
  VerdictCounts verdicts;
};

/// All formats a report can be asked for: csv, html, md, pdf, svg, tex.
const std::set<std::string>& report_formats();

/// Reads result.json of every result set and, when it is there, verdicts.json of `paper_dir`.
/// Writes <report_dir>/index.html and verdicts.{md,csv,tex}, and the tables and figures of each set
/// in <report_dir>/<name>/; html draws svg too. Throws InputError for an unknown format and for a
/// folder without results, std::runtime_error when a figure cannot be drawn.
ReportSummary write_report(const std::vector<std::string>& result_dirs, const std::string& report_dir,
                           const std::set<std::string>& formats, const std::string& paper_dir = "");

}  // namespace daelab
