// Tables and report cards of methods as experiments, and exact numbers in tables.
#include <gmock/gmock.h>

#include "report/layout/number.hpp"
#include "report/tables/latex_table.hpp"
#include "report/tables/table.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

// ---------------------------------------------------------------- exact numbers

TEST(ExactCells, BecomeFractionsAndRoots) {
  EXPECT_EQ(exact_to_latex("-3"), "$-3$");
  EXPECT_EQ(exact_to_latex("-1/7200"), "$-\\frac{1}{7200}$");
  EXPECT_EQ(exact_to_latex("(4 - sqrt(6))/10"), "$\\frac{4 - \\sqrt{6}}{10}$");
  EXPECT_EQ(exact_to_latex("(-4 - 7 sqrt(6))/10"), "$\\frac{-4 - 7 \\sqrt{6}}{10}$");
  EXPECT_EQ(exact_to_latex("-2 sqrt(3)/3"), "$-\\frac{2 \\sqrt{3}}{3}$");
  EXPECT_EQ(exact_to_latex("1/7200 w^6"), "$\\frac{1}{7200} w^{6}$");
  EXPECT_EQ(exact_to_latex("(2 + w)/(2 - 4 w + w^12)"), "$\\frac{2 + w}{2 - 4 w + w^{12}}$");
  EXPECT_EQ(exact_to_latex("1.25e-07"), "$1.25 \\cdot 10^{-7}$");
  EXPECT_EQ(exact_to_latex("b"), "b");
  EXPECT_EQ(exact_to_latex("∞"), "$\\infty$");
  EXPECT_EQ(exact_to_latex("–"), "--");
}

TEST(ExactCells, AreRoundedOnlyWhereTheyAreDecimals) {
  EXPECT_EQ(format_exact("12345678901/23456789012", 4), "12345678901/23456789012");
  EXPECT_EQ(format_exact("0.1234567890123456789", 4), "0.1235");
  EXPECT_EQ(format_exact("-0.1234567890123456789 w^4", 4), "-0.1235 w^4");
  EXPECT_EQ(format_exact("yes", 4), "yes");
}

TEST(ExactCells, StandInEveryFormatOfATable) {
  const Table table{
      "t", "", {{"c", "$c$", CellFormat::exact, 6}}, {Json::array({"(4 - sqrt(6))/10"}), Json::array({nullptr})}};
  EXPECT_THAT(table_to_latex(table),
              AllOf(HasSubstr("\\begin{tabular}{l}"), HasSubstr("$\\frac{4 - \\sqrt{6}}{10}$ \\\\")));
  EXPECT_THAT(table_to_markdown(table), HasSubstr("(4 - sqrt(6))/10"));
  EXPECT_THAT(table_to_csv(table), HasSubstr("(4 - sqrt(6))/10"));
}

// ---------------------------------------------------------------- method-table

Json row_of(const Json& table, const std::string& method) {
  for (const Json& row : table["rows"])
    if (row[0] == method) return row;
  return nullptr;
}

TEST(MethodTable, HoldsWhatPapersPrint) {
  const SmallConfig config({{"experiment", "method-table"},
                            {"runs",
                             {{{"label", "Radau"}, {"method", "radau-iia:s=3"}},
                              {{"label", "BDF3"}, {"method", "bdf:k=3"}},
                              {{"label", "RK4"}, {"method", "runge-kutta"}},
                              {{"label", "alpha"}, {"method", "generalized-alpha:rho=4/5"}},
                              {{"label", "kinematic"}, {"method", "kinematic"}}}}});
  const Json result = config.result();
  const Json& table = result["tables"][0];
  const std::vector<std::string> headers{"method",           "order", "stage order",   "A", "A(α)", "L",
                                         "stiffly accurate", "R(∞)",  "error constant"};
  ASSERT_EQ(table["columns"].size(), headers.size());
  for (std::size_t c = 0; c < headers.size(); ++c) EXPECT_EQ(table["columns"][c]["label"], headers[c]);
  const std::string radau = R"json(["Radau", 5, 3, "yes", "A(90°)", "yes", "yes", "0", "-1/7200 w^6"])json";
  EXPECT_EQ(row_of(table, "Radau"), Json::parse(radau));
  EXPECT_EQ(row_of(table, "BDF3")[4], "A(86.03°)");
  EXPECT_EQ(row_of(table, "BDF3")[3], "no");
  EXPECT_EQ(row_of(table, "RK4"), Json::parse(R"(["RK4", 4, 1, "no", null, "no", "no", "∞", "1/120 w^5"])"));
  EXPECT_EQ(row_of(table, "alpha")[3], "yes") << "unconditionally stable";
  EXPECT_EQ(row_of(table, "alpha")[7], "0.8");
  const Json notes = result["notes"];
  EXPECT_THAT(
      notes.get<std::vector<std::string>>(),
      AllOf(Contains(AllOf(StartsWith("Radau: "), HasSubstr("A-stable: yes (exact"), HasSubstr("L-stable: yes ("))),
            Contains(HasSubstr("A(86.03°)-stable (")), Contains(StartsWith("kinematic: not-applicable - "))));
  for (const Json& run : config.runs())
    EXPECT_EQ(run["status"], run["spec"]["method"]["name"] == "kinematic" ? "not-applicable" : "ok");
}

TEST(MethodTable, TakesTheColumnsAskedFor) {
  const SmallConfig config({{"experiment", "method-table"},
                            {"columns", {"C", "D", "algebraically-stable", "rho(inf)", "oscillator-limit"}},
                            {"runs", {{"method", {"gauss:s=2", "semi-implicit-euler"}}}}});
  const Json rows = config.result()["tables"][0]["rows"];
  for (int c : {1, 2}) EXPECT_EQ(rows[0][c], 2);
  EXPECT_EQ(rows[0][3], "yes");
  EXPECT_NEAR(rows[0][4].get<double>(), 1, 1e-12);  // round-off
  EXPECT_EQ(rows[0][5], "∞");
  EXPECT_EQ(rows[1][3], nullptr);
  EXPECT_NEAR(rows[1][5].get<double>(), 2, 1e-12);  // round-off
}

TEST(MethodTable, RefusesWhatItCannotShow) {
  const auto refusal = [](const std::string& column, const Json& run) {
    return input_error_of([&] {
      SmallConfig({{"experiment", "method-table"}, {"columns", Json::array({column})}, {"runs", run}});
    });
  };
  EXPECT_THAT(refusal("stage_order", {{"method", "gauss"}}),
              AllOf(HasSubstr("/columns/0: no column 'stage_order'"), HasSubstr("did you mean 'stage-order'?")));
  EXPECT_THAT(refusal("order", {{"label", "nothing"}}), HasSubstr("a method run needs a \"method\""));
}

// ---------------------------------------------------------------- method-report

std::vector<std::string> ids(const Json& list) {
  std::vector<std::string> found;
  for (const Json& item : list) found.push_back(item["id"]);
  return found;
}

TEST(MethodReportExperiment, DrawsTheCard) {
  const SmallConfig config({{"experiment", "method-report"}, {"runs", {{{"method", "radau-iia:s=2"}}}}});
  const Json result = config.result();
  EXPECT_EQ(ids(result["figures"]),
            (std::vector<std::string>{"small-region", "small-order-star", "small-spectral-radius"}));
  EXPECT_EQ(ids(result["tables"]), (std::vector<std::string>{"small-properties", "small-tableau", "small-orders"}));
  EXPECT_EQ(result["tables"][1]["rows"],
            Json::parse(R"([["1/3", "5/12", "-1/12"], ["1", "3/4", "1/4"], ["b", "3/4", "1/4"]])"));
}

TEST(MethodReportExperiment, ShowsWhatThereIs) {
  const SmallConfig config(
      {{"experiment", "method-report"},
       {"runs", {{{"label", "a"}, {"method", "newmark"}}, {{"label", "k"}, {"method", "kinematic"}}}}});
  const Json result = config.result();
  EXPECT_EQ(ids(result["figures"]), (std::vector<std::string>{"small-1-spectral-radius"}));
  EXPECT_EQ(ids(result["tables"]), (std::vector<std::string>{"small-1-properties", "small-1-coefficients",
                                                             "small-1-orders", "small-2-orders"}));
  EXPECT_THAT(result["notes"][0].get<std::string>(), StartsWith("k: not-applicable - "));
}

}  // namespace TEST_FILE
}  // namespace daelab
