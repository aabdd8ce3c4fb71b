// Tables in the shape that a config chooses: rows, columns and what cells show, from runs made by hand.
#include "experiments/measures/chosen_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/tables/latex_table.hpp"
#include "report/tables/table.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Json record(const std::string& method, const std::string& formulation, const std::string& h, double error) {
  return {
      {"spec", {{"problem", "pendulum"}, {"method", method}, {"formulation", formulation}, {"h", h}, {"t_end", "1"}}},
      {"t", 1.0},
      {"q", {1 + error, 0.0}},
      {"v", {0.0, 0.0}},
      {"a", {0.0, 0.0}},
      {"lambda", {0.0}}};
}

// NaN of a cell without a number.
double number(const TableCell& cell) { return cell.real() == nullptr ? std::nan("") : *cell.real(); }

HandMadeRuns two_methods() {
  HandMadeRuns runs;
  runs.compare_with(record("gauss:s=6", "index-1", "1/100", 0));
  const std::pair<const char*, double> points[] = {{"1/10", 4e-3}, {"1/20", 1e-3}};
  for (const auto& [h, error] : points) runs.add("", "gauss", record("gauss:s=1", "index-2", h, error));
  for (const auto& [h, error] : points) runs.add("", "radau", record("radau-iia:s=2", "index-2", h, error * error));
  return runs;
}

// The last table of a convergence experiment that asks for this one.
Table made(const HandMadeRuns& runs, const Json& table, const std::string& experiment = "convergence") {
  return runs.evaluate(experiment, {{"tables", {table}}}).artifacts.tables.back();
}

std::vector<std::string> heads(const Table& table) {
  std::vector<std::string> all;
  for (const Column& column : table.columns) all.push_back(column.label);
  return all;
}

TEST(ChosenTables, StepsByMethodsWithErrorsAndOrders) {
  const Table table = made(two_methods(), {{"rows", "h"}, {"columns", "method"}, {"show", {"error of q", "EOC"}}});
  EXPECT_THAT(heads(table), ElementsAre("h [s]", "gauss", "EOC", "radau-iia", "EOC"));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], TableCell("1/10"));
  EXPECT_NEAR(number(table.rows[1][1]), 1e-3, 1e-15);
  EXPECT_TRUE(table.rows[0][2].empty()) << "no coarser step";
  EXPECT_NEAR(number(table.rows[1][2]), 2, 1e-9);
  EXPECT_NEAR(number(table.rows[1][4]), 4, 1e-9);
  EXPECT_EQ(table.id, "runs-table-1");
  EXPECT_EQ(table.caption, "Error of q, EOC: pendulum, index-2, t = 1 s.");
  EXPECT_TRUE(table.best.empty());
}

TEST(ChosenTables, TheOtherWayRound) {
  const Table table = made(two_methods(), {{"rows", "method"}, {"columns", "h"}, {"show", {"error of q1"}}});
  EXPECT_THAT(heads(table), ElementsAre("method", "1/10", "1/20"));
  EXPECT_EQ(table.rows[1][0], TableCell("radau-iia"));
  EXPECT_NEAR(number(table.rows[1][2]), 1e-6, 1e-12);
}

TEST(ChosenTables, SeveralFactorsOnOneSide) {
  HandMadeRuns runs = two_methods();
  runs.add("", "gauss", record("gauss:s=1", "index-3", "1/10", 5e-3));
  const Table table =
      made(runs, {{"rows", "formulation, h"}, {"columns", "method"}, {"show", {"error of q", "error of v"}}});
  EXPECT_THAT(heads(table),
              ElementsAre("formulation", "h [s]", "gauss: q", "gauss: v", "radau-iia: q", "radau-iia: v"));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[2][0], TableCell("index-3"));
  EXPECT_TRUE(table.rows[2][4].empty()) << "no such run";
}

TEST(ChosenTables, TheBestOfEachRowIsBold) {
  const Table table = made(two_methods(), {{"show", {"error of q", "EOC"}}, {"best", true}});
  EXPECT_THAT(table.best, ElementsAre(CellPlace{0, 3}, CellPlace{1, 3}));
  EXPECT_THAT(table_to_markdown(table), HasSubstr("**1.00E-6**"));
  EXPECT_THAT(table_to_html(table), HasSubstr("<b>1.00E-6</b>"));
  EXPECT_THAT(table_to_latex(table), HasSubstr("\\bfseries 1.00E-6"));
  EXPECT_THAT(table_to_csv(table), Not(HasSubstr("*")));
  Artifacts artifacts;
  artifacts.tables = {table};
  EXPECT_EQ(Json(artifacts).get<Artifacts>().tables[0].best, table.best);
}

TEST(ChosenTables, FailedRunsSayWhy) {
  HandMadeRuns runs = two_methods();
  runs.list[1].record["status"] = "newton-diverged";
  const Table table = made(runs, {{"show", {"error of q", "EOC"}}});
  EXPECT_EQ(table.rows[1][1], TableCell("newton-diverged"));
  EXPECT_TRUE(table.rows[1][2].empty());
}

TEST(ChosenTables, DigitsAndCostsOfWorkPrecision) {
  HandMadeRuns runs = two_methods();
  for (StoredRun& run : runs.list) run.record["stats"]["steps"] = 7;
  const Table table = made(runs, {{"show", {"scd", "steps"}}, {"best", true}}, "work-precision");
  EXPECT_THAT(heads(table), ElementsAre("h [s]", "gauss: scd", "gauss: steps", "radau-iia: scd", "radau-iia: steps"));
  EXPECT_NEAR(number(table.rows[1][1]), 3, 1e-9);
  EXPECT_THAT(table.best, ElementsAre(CellPlace{0, 3}, CellPlace{0, 2}, CellPlace{0, 4}, CellPlace{1, 3},
                                      CellPlace{1, 2}, CellPlace{1, 4}))
      << "more digits, fewer steps, all of equals";
}

TEST(ChosenTables, WhatCannotBeShownIsRefused) {
  const HandMadeRuns runs = two_methods();
  const auto refusal = [&](const Json& table, const char* experiment = "convergence") {
    return input_error_of([&] { made(runs, table, experiment); });
  };
  EXPECT_THAT(refusal(Json::object()), HasSubstr("/tables/0/show: names nothing"));
  EXPECT_THAT(refusal({{"show", {"error of q"}}, {"rows", "metod"}, {"columns", "h"}}),
              HasSubstr("/tables/0/rows: no run has 'metod'; did you mean 'method'?"));
  EXPECT_THAT(refusal({{"show", {"error of q"}}, {"columns", "formulation"}}),
              HasSubstr("/tables/0: two runs are in one cell: they differ in 'method'"));
  EXPECT_THAT(refusal({{"show", {"error of q", "order"}}}), HasSubstr("/tables/0/show/1: expected \"error of q\""));
  EXPECT_THAT(refusal({{"show", {"EOC"}}}), HasSubstr("/tables/0/show/0"));
  EXPECT_THAT(refusal({{"show", {"error of q9"}}}), HasSubstr("/tables/0/show/0"));
  EXPECT_THAT(refusal({{"show", {"stepz"}}}, "work-precision"),
              HasSubstr("/tables/0/show/0: no cost 'stepz'; there are: steps"));
  EXPECT_THAT(refusal({{"show", {"error of q"}}, {"rows", ""}}), HasSubstr("/tables/0/rows: names nothing"));
}

}  // namespace TEST_FILE
}  // namespace daelab
