// The whole report: the files that it writes, and what is said when there is nothing to report.
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "core/base/options.hpp"
#include "core/base/write_file.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/axis.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/gnuplot.hpp"
#include "report/layout/layout.hpp"
#include "report/layout/shown_text.hpp"
#include "report/page/page.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/table.hpp"
#include "results/claims.hpp"
#include "tests/file_support.hpp"
#include "tests/report_support.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// ---- the whole report

Artifacts sample_artifacts() {
  Artifacts artifacts;
  artifacts.name = "drift";
  artifacts.experiment = "drift";
  artifacts.title = "Energy drift";
  artifacts.command = "daelab run drift.json";
  artifacts.tables = {sample_table()};
  artifacts.figures = {figure_of(inline_series({0, 1}, {0, 1e-9}), true)};
  artifacts.notes = {"1 run failed"};
  return artifacts;
}

TEST(ReportArtifacts, RoundTripThroughJson) {
  Artifacts artifacts = sample_artifacts();
  artifacts.figures[0].panels[0].series[0].y[1] = std::numeric_limits<double>::infinity();
  const Json once = artifacts;
  const Artifacts read = Json::parse(once.dump()).get<Artifacts>();
  EXPECT_EQ(Json(read), once);
  EXPECT_EQ(read.tables[0].columns[1].format, CellFormat::scientific);
  EXPECT_TRUE(std::isnan(read.figures[0].panels[0].series[0].y[1]));  // JSON has no infinity
  const Json claim = judgement("differs", all_digits);
  EXPECT_EQ(Json(claim.get<Judgement>()), claim);
  EXPECT_EQ(claim["true_value"], "");
  const Json finding = of_every_kind()[1];
  EXPECT_EQ(Json(finding.get<Judgement>()), finding);
  EXPECT_EQ(finding["kind"], "finding");
  EXPECT_THROW(Json::parse(R"({"kind": "claims"})").get<Judgement>(), InputError);
}

TEST(ReportArtifacts, BadJsonNamesTheKey) {
  EXPECT_THROW(Json::parse(R"({"tables": [{"columns": [{"format": "roman"}]}]})").get<Artifacts>(), InputError);
  try {
    Json::parse(R"({"title": 3})").get<Artifacts>();
    FAIL() << "a number is no title";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/title"));
  }
}

TEST_F(Report, WritesEverythingThatIsAskedFor) {
  for (const char* set : {"a", "b"}) {
    fs::create_directories(path(set));
    write_file(path(std::string(set) + "/result.json"), Json(sample_artifacts()).dump());
  }
  write_file(path("verdicts.json"), Json::array({judgement("differs", all_digits)}).dump());
  const ReportSummary summary = write_report({path("a"), path("b")}, path("report"), {.paper_dir = folder_.string()});
  EXPECT_EQ(summary.result_sets, 2u);
  EXPECT_EQ(summary.tables, 2u);
  EXPECT_EQ(summary.figures, 2u);
  EXPECT_EQ(summary.verdicts.unexpected, 1u);
  for (const std::string& file : summary.files) EXPECT_GT(fs::file_size(folder_ / "report" / file), 0u) << file;
  // Sets of the same name do not overwrite each other.
  for (const char* file : {"drift/table-1.tex", "drift-2/table-1.csv", "drift/figure-1.svg", "drift-2/figure-1.pdf",
                           "verdicts.md", "verdicts.csv", "verdicts.tex"})
    EXPECT_TRUE(fs::exists(folder_ / "report" / file)) << file;
  const std::string html = read_text(summary.index);
  EXPECT_THAT(html, HasSubstr("src=\"data:image/svg+xml,<?xml"));  // the page is complete without the files beside it
  EXPECT_THAT(html, HasSubstr("href=\"drift/table-1.tex\""));
  EXPECT_THAT(html, HasSubstr("! expected: all printed digits"));
}

TEST_F(Report, WritesNothingElse) {
  write_file(path("result.json"), Json(sample_artifacts()).dump());
  const ReportSummary summary = write_report({folder_.string()}, path("report"), {.formats = {"md"}});
  EXPECT_THAT(summary.files, ElementsAre("drift/table-1.md"));
  EXPECT_TRUE(summary.index.empty());
  EXPECT_FALSE(fs::exists(path("report/index.html")));
}

TEST_F(Report, MissingResultSaysWhatToRun) {
  try {
    write_report({folder_.string()}, path("report"), {.formats = {"html"}});
    FAIL() << "there is nothing to report";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(folder_.string()));
    EXPECT_THAT(error.what(), HasSubstr("daelab run"));
  }
  EXPECT_FALSE(fs::exists(path("report")));
}

TEST_F(Report, UnknownFormatNamesTheAllowedOnes) {
  try {
    write_report({}, path("report"), {.formats = {"svg", "docx"}});
    FAIL() << "docx is no format";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("docx"));
    EXPECT_THAT(error.what(), HasSubstr("csv, html, md, pdf, pgf, png, svg, tex"));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
