// Numbers as papers print them, tables, and four kinds of escaping.
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/base/options.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/layout.hpp"
#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"
#include "report/page/page_parts.hpp"
#include "report/tables/table.hpp"
#include "tests/report_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Column scientific_column = {"e", "", CellFormat::scientific, 5};
const Column fixed_column = {"p", "", CellFormat::fixed, 2};
const Column integer_column = {"n", "", CellFormat::integer, 0};
const Column seconds_column = {"t", "", CellFormat::seconds, 3};
const Column text_column = {"s", "", CellFormat::text, 0};

// ---- numbers

// A double rounds as its shortest decimal form does, halves of that form with it: in 100 digits they are to either
// side.
TEST(ReportNumbers, DoublesRoundAsTheirDecimalForms) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> mantissa(-10, 10);
  std::uniform_int_distribution<int> exponent(-300, 300), places(0, 17), digits(0, 18);
  for (int i = 0; i < 20000; ++i) {
    const std::string short_form = fmt::format("{:.{}e}", mantissa(random), places(random));
    const std::string text = short_form.substr(0, short_form.find('e')) + fmt::format("e{}", exponent(random));
    const double x = std::stod(i % 2 ? text : text.substr(0, text.find('e')) + "5" + text.substr(text.find('e')));
    const Column column{"", "", CellFormat::scientific, digits(random)};
    EXPECT_EQ(format_cell(x, column), format_scientific(Real100(fmt::format("{}", x)), column.digits)) << text;
  }
}

TEST(ReportNumbers, ScientificAsPapersPrint) {
  EXPECT_EQ(format_cell(7.00071e-5, scientific_column), "7.0007E-5");
  EXPECT_EQ(format_cell(-2.1449e-3, scientific_column), "-2.1449E-3");
  EXPECT_EQ(format_cell(12345.678, scientific_column), "1.2346E4");
  EXPECT_EQ(format_cell(1.0, scientific_column), "1.0000E0");
  EXPECT_EQ(format_cell(3e-12, {"", "", CellFormat::scientific, 1}), "3E-12");
  EXPECT_EQ(format_cell(-9.6e-12, {"", "", CellFormat::scientific, 1}), "-1E-11");
}

TEST(ReportNumbers, RoundingMayCarryIntoTheExponent) {
  EXPECT_EQ(format_cell(9.99996e-5, scientific_column), "1.0000E-4");
  EXPECT_EQ(format_cell(9.99994e-5, scientific_column), "9.9999E-5");
  EXPECT_EQ(format_cell("9.99996e-100", scientific_column), "1.0000E-99");
}

TEST(ReportNumbers, ZeroHasNoExponentAndNoSign) {
  EXPECT_EQ(format_cell(0.0, scientific_column), "0");
  EXPECT_EQ(format_cell(-0.0, scientific_column), "0");
  EXPECT_EQ(format_cell("0.000", scientific_column), "0");
  EXPECT_EQ(format_cell(-0.001, fixed_column), "0.00");
}

// 1e-400 is 0 and 1e400 is infinite in double: the string must not pass through it.
TEST(ReportNumbers, FiftyDigitStringsKeepTheirRange) {
  EXPECT_EQ(format_cell("1.2345678901234567890123456789012345678901234567890e-45", scientific_column), "1.2346E-45");
  EXPECT_EQ(format_cell("-7.00065e-400", scientific_column), "-7.0007E-400");
  EXPECT_EQ(format_cell("2.5e400", scientific_column), "2.5000E400");
  // The digit that decides is beyond double precision.
  EXPECT_EQ(format_cell("1.000050000000000000000000000001", scientific_column), "1.0001E0");
}

TEST(ReportNumbers, OtherFormats) {
  EXPECT_EQ(format_cell(3.976, fixed_column), "3.98");
  EXPECT_EQ(format_cell(-3.974, fixed_column), "-3.97");
  EXPECT_EQ(format_cell(3.976, {"", "", CellFormat::fixed, 0}), "4");
  EXPECT_EQ(format_cell(2177, integer_column), "2177");
  EXPECT_EQ(format_cell(1.234, seconds_column), "1.23");
  EXPECT_EQ(format_cell(0.045, seconds_column), "0.0450");
  EXPECT_EQ(format_cell(8.1e-6, seconds_column), "8.10E-6");
  EXPECT_EQ(format_cell(1234.25, seconds_column), "1234");
  EXPECT_EQ(format_cell(0, seconds_column), "0");
}

TEST(ReportNumbers, TextAndMissingValues) {
  EXPECT_EQ(format_cell("0.0021", text_column), "0.0021");  // a printed number stays as printed
  EXPECT_EQ(format_cell("diverged", scientific_column), "diverged");
  EXPECT_EQ(format_cell(nullptr, scientific_column), dash);
  EXPECT_EQ(format_cell(nullptr, text_column), dash);
  EXPECT_EQ(format_cell(std::numeric_limits<double>::quiet_NaN(), scientific_column), dash);
}

// ---- tables

// ---- tables

TEST(ReportTables, MarkdownEscapesAndAligns) {
  const std::string markdown = table_to_markdown(sample_table());
  EXPECT_THAT(markdown, HasSubstr("**Drift, 5% \\| all\\_steps**\n\n"));
  EXPECT_THAT(markdown, HasSubstr("| pade\\|block "));
  EXPECT_THAT(markdown, HasSubstr("&lt;name&gt;"));
  EXPECT_THAT(markdown, HasSubstr("line break"));
  EXPECT_THAT(markdown, HasSubstr(" 7.0007E-5 |"));
  EXPECT_THAT(markdown, HasSubstr("-: |"));
  // Caption, blank line, header, rule, three rows: no cell may break a line.
  EXPECT_EQ(std::count(markdown.begin(), markdown.end(), '\n'), 7);
}

TEST(ReportTables, CsvQuotesAndKeepsAllDigits) {
  EXPECT_EQ(table_to_csv(sample_table()),
            "method_name,|H - H0|,EOC\n"
            "pade|block,7.00071e-05,\n"
            "\"a, \"\"quoted\"\" <name>\",1.23456789012345678901234567890e-45,-4.017\n"
            "\"line\nbreak & 100%\",diverged,\n");
}

// Programs read numbers and unique names.
TEST(ReportTables, CsvHasDecimalStepsAndUniqueNames) {
  const Table table{"t",
                    "",
                    {{"h [s]", "", CellFormat::text, 0},
                     scientific_column,
                     fixed_column,
                     {"v", "", CellFormat::scientific, 3},
                     fixed_column},
                    {Json::array({"1/160", 1e-3, nullptr, 2e-3, 1.5}), Json::array({"0.5", 1e-4, 2.5, 1e-4, 2.5})}};
  EXPECT_EQ(table_to_csv(table), "h [s],e,p of e,v,p of v\n0.00625,0.001,,0.002,1.5\n0.5,0.0001,2.5,0.0001,2.5\n");
}

TEST(ReportTables, TextIsAligned) {
  Table table = sample_table();
  table.rows.pop_back();
  EXPECT_EQ(table_to_text(table),
            "Drift, 5% | all_steps\n"
            "method_name           |H - H0|    EOC\n"
            "------------------  ----------  -----\n"
            "pade|block           7.0007E-5      –\n"
            "a, \"quoted\" <name>  1.2346E-45  -4.02\n");
}

// A terminal of 80 columns shows columns that do not fit below the others, and says what it leaves out.
TEST(ReportTables, NarrowTextHasTheOtherColumnsBelow) {
  Table table = sample_table();
  table.rows.pop_back();
  EXPECT_EQ(table_to_narrow_text(table, 40),
            "method_name           |H - H0|    EOC\n"
            "------------------  ----------  -----\n"
            "pade|block           7.0007E-5      –\n"
            "a, \"quoted\" <name>  1.2346E-45  -4.02\n");
  EXPECT_EQ(table_to_narrow_text(table, 30),
            "method_name           |H - H0|\n"
            "------------------  ----------\n"
            "pade|block           7.0007E-5\n"
            "a, \"quoted\" <name>  1.2346E-45\n"
            "\n"
            "method_name           EOC\n"
            "------------------  -----\n"
            "pade|block              –\n"
            "a, \"quoted\" <name>  -4.02\n");
  EXPECT_THAT(table_to_narrow_text(table, 26),
              AllOf(Not(HasSubstr("|H - H0|")), HasSubstr("\n2 more columns: see the report")));
  table.rows.assign(100, table.rows[0]);
  EXPECT_THAT(table_to_narrow_text(table, 40), HasSubstr("\n70 more rows: see the report\n"));
}

TEST(ReportTables, NarrowTextKeepsTheoryBesideItsOrder) {
  Table table{"orders", "", {{"Series", "", CellFormat::text, 0}}, {{"gauss"}}};
  for (const char* kind : {"q", "v", "lambda"}) {
    table.columns.push_back({kind, "", CellFormat::text, 0}), table.rows[0].push_back("5.98 ± 0.22");
    table.columns.push_back({"theory", "", CellFormat::text, 0}), table.rows[0].push_back("6");
  }
  EXPECT_EQ(table_to_narrow_text(table, 42),
            "Series  q            theory\n"
            "------  -----------  ------\n"
            "gauss   5.98 ± 0.22  6\n"
            "\n"
            "Series  v            theory\n"
            "------  -----------  ------\n"
            "gauss   5.98 ± 0.22  6\n"
            "\n"
            "Series  lambda       theory\n"
            "------  -----------  ------\n"
            "gauss   5.98 ± 0.22  6\n");
}

TEST(ReportTables, HtmlIsEscaped) {
  const std::string html = table_to_html(sample_table());
  EXPECT_THAT(html, HasSubstr("a, &quot;quoted&quot; &lt;name&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<name>")));
}

TEST(ReportTables, AHeadWithoutANameIsNoHead) {
  const Table table{"t", "Caption", {{"", ""}, {"order", ""}}, {TableRow{"BDF", "2"}}};
  const std::string html = table_to_html(table);
  EXPECT_THAT(html, HasSubstr("<td></td><th scope=\"col\">order</th>"));
}

TEST(ReportTables, PagesShowTheFirstRowsOfLongTables) {
  Table table{"long", "Long", {{"k", "", CellFormat::integer, 0}}, {}};
  for (int k = 0; k < 1001; ++k) table.rows.push_back({k});
  const std::string html = table_to_html(table);
  EXPECT_THAT(html, AllOf(HasSubstr(">999<"), Not(HasSubstr(">1000<")), HasSubstr("The first 1000 of 1001 rows")));
  EXPECT_THAT(table_to_csv(table), HasSubstr("\n1000\n"));
  table.rows.pop_back();
  EXPECT_THAT(table_to_html(table), Not(HasSubstr("The first")));
}

TEST(ReportTables, IncompleteRowIsAnError) {
  Table table = sample_table();
  table.rows.push_back({"only one"});
  EXPECT_THROW(table_to_csv(table), InputError);
  EXPECT_THROW(table_to_markdown(table), InputError);
}

TEST(ReportText, WidthsCountCharactersNotBytes) {
  EXPECT_EQ(text_width("λ_1 ±"), 5u);
  EXPECT_EQ(padded("λ", 3, true), "  λ");
  EXPECT_EQ(shortened("αβγδε", 5), "αβγδε");
  EXPECT_EQ(shortened("αβγδεζ", 5), "αβγδ…");
}

TEST(ReportText, LinesAreBrokenBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(wrapped("a-word-that-is-too-long b", 5, 0), "a-word-that-is-too-long\nb\n");
  EXPECT_EQ(wrapped("by bdf:k=5,growth=true,restart=order-1, h", 12, 1),
            " by\n bdf:k=5,\n growth=true,\n restart=order-1,\n h\n");
  EXPECT_EQ(wrapped("", 80, 4), "");
}

TEST(ReportText, GreekWordsAndMinusSignsAreSet) {
  EXPECT_EQ(typeset("error of lambda, rho = 4/5"), "error of λ, ρ = 4/5");
  EXPECT_EQ(typeset("h/T = omega h/(2 pi)"), "h/T = ω h/(2 π)");
  EXPECT_EQ(typeset("A x - b at -8"), "A x − b at −8");
  for (const char* spec : {"generalized-alpha:rho=4/5", "/method/rho", "eps_abs", "1e-8", "a-stable", "alphabet"})
    EXPECT_EQ(typeset(spec), spec);
}

TEST(ReportText, FileStemsStayInTheirFolder) {
  EXPECT_EQ(file_stem("figure-8_b.2"), "figure-8_b.2");
  EXPECT_EQ(file_stem("../x y'z"), "-..-x-y-z");
}

// ---- figures

TEST(ReportText, SpreadsheetsTakeTextForText) {
  Table table;
  table.columns = {{"=name", "", CellFormat::text, 0}, {"value", "", CellFormat::text, 0}};
  table.rows = {TableRow({"=HYPERLINK(\"x\")", "-1.5E-3"}), TableRow({"@a", "-"}), TableRow({"+b", "a=b"}),
                TableRow({"-c", 7})};
  EXPECT_EQ(table_to_csv(table), "'=name,value\n\"'=HYPERLINK(\"\"x\"\")\",-1.5E-3\n'@a,-\n'+b,a=b\n'-c,7\n");
}

TEST(ReportText, LatexIsGivenWhatItKnows) {
  EXPECT_EQ(escape_latex("a\u202eb"), "a(U+202E)b");
  EXPECT_EQ(escape_latex("\x07 漢"), "(U+0007) (U+6F22)");
  EXPECT_EQ(escape_latex("Gröbner λ ≤ 2"), "Gröbner $\\lambda$ $\\le$ 2");
}

}  // namespace TEST_FILE
}  // namespace daelab
