// Tables, figures and judgements that reports are made of, and a folder for them.
#pragma once

#include "report/report.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/write_file.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/layout.hpp"
#include "report/layout/symbols.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/table.hpp"
#include "tests/file_support.hpp"

namespace daelab {

// A folder of its own for every test, gone afterwards.
class Report : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("daelab-report-") + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

inline Table sample_table() {
  Table table;
  table.id = "table-1";
  table.caption = "Drift, 5% | all_steps";
  table.columns = {{"method_name", "", CellFormat::text, 0},
                   {"|H - H0|", "$|H-H_0|$", CellFormat::scientific, 5},
                   {"EOC", "", CellFormat::fixed, 2}};
  table.rows = {TableRow({"pade|block", 7.00071e-5, nullptr}),
                TableRow({"a, \"quoted\" <name>", "1.23456789012345678901234567890e-45", -4.017}),
                TableRow({"line\nbreak & 100%", "diverged", nullptr})};
  return table;
}

inline Figure figure_of(const Series& series, bool log_y) {
  Panel panel;
  panel.x_label = "time [s]";
  panel.y_label = "error_max [m]";
  panel.log_y = log_y;
  panel.series = {series};
  return {"figure-1", "A figure.", {panel}};
}

inline Series inline_series(std::vector<double> x, std::vector<double> y) {
  Series series;
  series.label = "it's a_b {c} `d` \\ \"e\" f''";  // every character gnuplot could trip over
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

inline Judgement judgement(const std::string& verdict, const std::string& expected) {
  Judgement claim;
  claim.id = "table-1/h=0.01/energy";
  claim.location = "Table 1, h = 0.01, H max";
  claim.table = "Table 1";
  claim.row = "h = 0.01";
  claim.column = "H max";
  claim.printed = "7.0007E-5";
  claim.ours = "7.0008E-5";
  claim.verdict = verdict;
  claim.expected = expected;
  return claim;
}

inline const char* const all_digits = "all printed digits";

// A claim that differs, a finding that holds and a check that agrees.
inline std::vector<Judgement> of_every_kind() {
  Judgement finding = judgement("holds", "holds"), check = judgement("agrees", "agrees");
  finding.kind = EntryKind::finding, finding.printed = "", finding.table = "";
  finding.statement = "work of a solve", finding.recorded = "629", finding.location = "Section 4";
  check.kind = EntryKind::check, check.source = "Test Set, II-19", check.location = "v6(0.1)";
  return {judgement("differs", "differs"), finding, check};
}

}  // namespace daelab
