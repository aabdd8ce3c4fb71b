// From stored results to tables, figures and one page. Nothing is computed again.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/layout/layout.hpp"
#include "report/page/page_data.hpp"
#include "report/tables/verdict_table.hpp"
#include "results/artifacts.hpp"

namespace daelab {

struct ReportSummary {
  std::string index;               // the page, "" when html was not asked for
  std::vector<std::string> files;  // everything written, relative to the report
  std::size_t result_sets = 0, tables = 0, figures = 0;
  VerdictCounts verdicts;
  std::string headline;  // what came out of a page of one set, in a sentence; "": nothing is said
  std::string drawing;   // of its main figure, relative to the report; "": none
  // What the terminal shows of the first set.
  std::vector<Table> main_tables;
  std::vector<std::string> faults, remarks;
};

/// All formats a report can be asked for: csv, html, md, pdf, pgf, png, svg, tex.
const std::set<std::string>& report_formats();

/// What a report is asked for.
struct ReportSettings {
  std::set<std::string> formats = {"svg", "pdf", "tex", "md", "csv", "html"};
  std::string paper_dir = {};          // holds verdicts.json of a paper or a set; "": none are shown
  int columns = 1;                     // of the class that LaTeX tables are written for: 1 or 2
  double width = journal_column;       // of figures [mm]
  std::vector<std::string> only = {};  // names of the tables and figures to write; none: all
  CommandOfRun command_of = {};        // makes a run of the page again; none: no commands are shown
};

/// Reads result.json of every result set and, when it is there, verdicts.json of `paper_dir`.
/// Writes <report_dir>/index.html and verdicts.{md,csv,tex}, and the tables and figures of each set
/// in <report_dir>/<name>/; html draws svg too, tex alone pdf. Throws InputError for an unknown format or name, another
/// number of columns and a folder without results, std::runtime_error when a figure cannot be drawn.
ReportSummary write_report(const std::vector<std::string>& result_dirs, const std::string& report_dir,
                           const ReportSettings& settings = {});

}  // namespace daelab
