// Tables for papers: what goes into the caption, into notes and below each other. That nothing is overfull is shown by
// LaTeX itself, in .ci/latex.
#include "report/tables/latex_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/input_error.hpp"
#include "core/base/process.hpp"
#include "core/base/write_file.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"
#include "report/tables/latex_column.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::Not;

Column text(const std::string& label) { return {label, "", CellFormat::text, 0}; }
Column scientific(const std::string& label) { return {label, "", CellFormat::scientific, 5}; }

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t n = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++n;
  return n;
}

TEST(LatexTable, EscapesTextAndSizesItsColumns) {
  const Table table{
      "table-1",
      "Drift, 5% | all_steps",
      {text("method_name"), {"|H - H0|", "$|H-H_0|$", CellFormat::scientific, 5}, {"EOC", "", CellFormat::fixed, 2}},
      {Json::array({"pade|block", 7.00071e-5, nullptr}),
       Json::array({"a, \"quoted\" <name>", "1.23456789012345678901234567890e-45", -4.017}),
       Json::array({"line\nbreak & 100%", "diverged", nullptr})}};
  const std::string latex = table_to_latex(table);
  EXPECT_THAT(latex, HasSubstr("\\caption{Drift, 5\\% $|$ all\\_steps}"));
  EXPECT_THAT(latex, HasSubstr("\\label{tab:table-1}"));
  EXPECT_THAT(latex, HasSubstr("{lS[table-format=1.4e-2]S[table-format=-1.2]}"));
  EXPECT_THAT(latex, HasSubstr("& {$|H-H_0|$} & {EOC} \\\\"));
  EXPECT_THAT(latex, HasSubstr("line break \\& 100\\% & {diverged} & {--} \\\\"));
  EXPECT_EQ(escape_latex("a_b^c\\d{e}~#$"),
            "a\\_b\\textasciicircum{}c\\textbackslash{}d\\{e\\}\\textasciitilde{}\\#\\$");
}

TEST(LatexTable, WhatIsTheSameInAllRowsIsSaidOnce) {
  const Table table{"t",
                    "Drift.",
                    {text("h"), scientific("q"), text("Status")},
                    {Json::array({"1/10", 1e-3, "ok"}), Json::array({"1/20", 1e-4, "ok"})}};
  const std::string latex = table_to_latex(table);
  EXPECT_THAT(latex, HasSubstr("\\caption{Drift. In all rows: Status ok.}"));
  EXPECT_THAT(latex, Not(HasSubstr("& ok")));
}

TEST(LatexTable, WithoutRowsItHasItsHead) {
  const std::string latex = table_to_latex({"t", "Mean levels.", {text("Run"), scientific("Level")}, {}});
  EXPECT_EQ(count(latex, "\\begin{table}"), 1u);
  EXPECT_THAT(latex, HasSubstr("Run & Level \\\\"));
}

// One note serves all rows that say the same; its mark is beside the nearest text.
TEST(LatexTable, RepeatedSentencesBecomeNotes) {
  const std::string why = "The paper does not state the end time, so that the number cannot be made again.";
  const Table table{"t",
                    "",
                    {text("h"), scientific("q"), text("reason")},
                    {Json::array({"1/10", 1e-3, why}), Json::array({"1/20", 1e-4, why}),
                     Json::array({"1/40", 1e-5, nullptr}), Json::array({"1/80", 1e-6, why})}};
  const std::string latex = table_to_latex(table);
  EXPECT_EQ(count(latex, "cannot be made again"), 1u);
  EXPECT_EQ(count(latex, "\\textsuperscript{a} &"), 3u);
  EXPECT_THAT(latex, HasSubstr("1/\\allowbreak{}40 & "));
}

TEST(LatexTable, NothingToSayHasNoMark) {
  const std::string why = "The paper does not state the end time, so that the number cannot be made again.";
  const Table table{
      "t",
      "",
      {text("h"), text("reason")},
      {Json::array({"1/10", why}), Json::array({"1/20", ""}), Json::array({"1/40", why}), Json::array({"1/80", why})}};
  EXPECT_EQ(count(table_to_latex(table), "\\textsuperscript"), 4u);  // three rows and the note
}

// LaTeX stops at a caption before a first column of siunitx in xltabular.
TEST(LatexTable, ALongTableWithTextToBreakBeginsWithNoColumnOfSiunitx) {
  Table table{"worst", "Farthest off.", {scientific("error"), text("method")}, {}};
  for (int r = 0; r < 60; ++r)
    table.rows.push_back({1.2345e-5 * (r + 1), "a method whose name is long, " + std::to_string(r) +
                                                   ", and that has more to say than a line can hold"});
  const std::string latex = table_to_latex(table);
  EXPECT_THAT(latex, HasSubstr("\\begin{xltabular}{\\linewidth}{rL{1.00}}"));
  EXPECT_THAT(latex, HasSubstr("\\num{1.2345E-5} & "));
  EXPECT_THAT(latex, HasSubstr("\\toprule\nerror & method"));
}

Table wide_table(int columns, int rows) {
  Table table{"wide", "", {text("h")}, {}};
  for (int c = 0; c < columns; ++c) table.columns.push_back(scientific("q" + std::to_string(c)));
  for (int r = 0; r < rows; ++r) {
    TableRow row{"1/" + std::to_string(r + 1)};
    for (int c = 0; c < columns; ++c) row.push_back(1.2345e-5 * (r + 1) * (c + 1));
    table.rows.push_back(row);
  }
  return table;
}

TEST(LatexTable, FewWideRowsStandUpright) {
  // 9 numbers of 9 characters in a row do not fit 345 pt; 3 rows of them do as columns.
  const std::string latex = table_to_latex(wide_table(9, 3));
  EXPECT_THAT(latex, HasSubstr("h & 1/\\allowbreak{}1 & 1/\\allowbreak{}2 & 1/\\allowbreak{}3 \\\\"));
  EXPECT_THAT(latex, HasSubstr("q8 & "));
}

TEST(LatexTable, ManyWideRowsAreSplitBelowEachOther) {
  const std::string latex = table_to_latex(wide_table(9, 10));
  EXPECT_EQ(count(latex, "\\begin{tabular}"), 2u);
  EXPECT_EQ(count(latex, "\nh & "), 2u);  // each part names its rows
  EXPECT_EQ(count(latex, "\\label"), 1u);
  EXPECT_THAT(latex, HasSubstr("output-exponent-marker"));
}

// A column of 246 pt is too narrow for three parts below each other.
TEST(LatexTable, TwoColumnDocumentsGetAWideFloatWhereTheyMust) {
  EXPECT_THAT(table_to_latex(wide_table(3, 10), {2}), HasSubstr("\\begin{table}["));
  EXPECT_THAT(table_to_latex(wide_table(12, 10), {2}), HasSubstr("\\begin{table*}["));
}

// 27 digits of text are 119 pt wide however narrow their column is made.
TEST(LatexTable, WordsThatCannotBeBrokenCount) {
  const std::string digits = "0.493455784275402809122e-1";
  Table table{"t", "", {text("claim"), text("printed"), text("ours"), text("verdict")}, {}};
  for (int i = 0; i < 10; ++i)
    table.rows.push_back({"Section II-17, x" + std::to_string(i), digits + std::to_string(9 - i),
                          digits + std::to_string(i), "12 digits"});
  table.rows[0][3] = "9 digits";
  EXPECT_EQ(count(table_to_latex(table), "\\toprule"), 2u);
}

TEST(LatexTable, LongTablesRepeatTheirHeadAndKeepNoRowAlone) {
  const std::string latex = table_to_latex(wide_table(3, 100));
  EXPECT_THAT(latex, HasSubstr("\\endfirsthead"));
  EXPECT_EQ(count(latex, "\\label"), 1u);
  EXPECT_EQ(count(latex, "\\\\*\n"), 2u);  // after the first row and before the last
  EXPECT_THAT(table_to_latex(wide_table(3, 100), {2}), AllOf(Not(HasSubstr("longtable")), HasSubstr("(continued)")));
}

// 60 columns of numbers in the fewest parts that fit: none is left with one column beside full ones.
TEST(LatexTable, PartsBelowEachOtherAreOfOneWidth) {
  for (int columns = 9; columns < 30; ++columns) {
    const std::string latex = table_to_latex(wide_table(columns, 10));
    std::vector<std::size_t> widths;
    for (std::size_t at = latex.find("\\toprule\n"); at != std::string::npos; at = latex.find("\\toprule\n", at + 1))
      widths.push_back(count(latex.substr(at, latex.find("\\midrule", at) - at), " & "));
    ASSERT_GT(widths.size(), 1u);
    EXPECT_GT(std::ranges::min(widths), 1u) << columns;
  }
}

TEST(LatexTable, CaptionsHaveSymbolsAndSpaceBelow) {
  Table table = wide_table(2, 2);
  table.caption = "Error of q and v against h, t = 1/20 s, of generalized-alpha:rho=1/2,gamma=3/4.";
  const std::string latex = table_to_latex(table);
  EXPECT_THAT(latex, HasSubstr("\\caption{Error of $q$ and $v$ against $h$, $t$ = 1/20 s"));
  EXPECT_THAT(latex, HasSubstr("alpha:\\allowbreak{}rho=\\allowbreak{}1/"));
  EXPECT_THAT(latex, HasSubstr("\\setlength{\\belowcaptionskip}{5pt}%\n\\caption"));
}

TEST(LatexTable, CellsHaveLettersAndDashes) {
  const Table table{"t", "", {text("h"), text("ours")}, {{"error of lambda", "-"}, {"of q", "2 at -1"}}};
  const std::string latex = table_to_latex(table);
  EXPECT_THAT(latex, HasSubstr("error of $\\lambda$ & --"));
  EXPECT_THAT(latex, HasSubstr("2 at $-$1"));
}

TEST(LatexTable, LabelsHoldPaperAndSet) {
  Table table = wide_table(2, 2);
  EXPECT_THAT(table_to_latex(table, {1, "li2019", "figure-8"}), HasSubstr("\\label{tab:li2019-figure-8-wide}"));
  table.id = "figure-8-orders";
  EXPECT_THAT(table_to_latex(table, {1, "li2019", "figure-8"}), HasSubstr("\\label{tab:li2019-figure-8-orders}"));
}

TEST(LatexTable, RefusesIncompleteRows) {
  Table table = wide_table(2, 2);
  table.rows.push_back({"only one"});
  EXPECT_THROW(table_to_latex(table), InputError);
}

// A table of orders: what makes it too wide goes into notes, whose marks are at words, because "2" with an "a" above it
// is a power.
TEST(LatexTable, RepeatedTextsThatHaveNoRoomAreNotes) {
  Table table{"orders", "Orders.", {text("Series")}, {}};
  for (const char* label : {"q", "v", "lambda"}) {
    table.columns.push_back(text(label));
    table.columns.push_back(text("theory"));
  }
  table.columns.push_back(text("Source"));
  for (int i = 0; i < 7; ++i) {
    TableRow row{"method " + std::to_string(i)};
    for (int c = 0; c < 3; ++c)
      row.push_back("3.0" + std::to_string(i) + " ± 0.02"), row.push_back(std::to_string(c + i));
    row.push_back(i < 4 ? "A book, Table VII.4.1" : "A paper, Theorem 3");
    table.rows.push_back(row);
  }
  const std::string latex = table_to_latex(table);
  EXPECT_EQ(count(latex, "\\begin{tabular}"), 1u);
  EXPECT_EQ(count(latex, "\\textsuperscript{a} &"), 4u);
  EXPECT_THAT(latex, HasSubstr("method 0\\textsuperscript{a} & "));
  EXPECT_THAT(latex, HasSubstr("\\textsuperscript{b}\\,A paper, Theorem 3"));
}

// The folder of a report and that of the paper may differ.
TEST(LatexFigure, IsFoundFromOtherFolders) {
  const std::string latex = figure_to_latex({"errors", "Errors.", {}}, "six", "pdf", {}, 85);
  EXPECT_THAT(latex, testing::StartsWith("\\providecommand{\\daelabpath}{}\n\\begin{figure}"));
  EXPECT_THAT(latex, HasSubstr("{\\daelabpath six/errors.pdf}"));
}

// Nothing where there is no pdflatex with what tables need; otherwise what it complains of.
std::optional<std::string> complaints(const std::string& body) {
  if (find_program("kpsewhich").empty() || find_program("pdflatex").empty()) return {};
  for (const char* package : {"siunitx.sty", "xltabular.sty", "booktabs.sty"})
    if (run_process({"kpsewhich", package}).code != 0) return {};
  const TemporaryFolder folder;
  write_file(folder.path() + "/all.tex", fmt::format("\\documentclass{{article}}\\usepackage{{graphicx,amsmath}}\n{}\n"
                                                     "\\extrafloats{{200}}\\begin{{document}}\n{}\\end{{document}}\n",
                                                     latex_preamble, body));
  const ProcessOutcome outcome =
      run_process({"pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"}, folder.path());
  const bool runs_off = outcome.output.find("Overfull \\vbox") != std::string::npos;
  return outcome.code == 0 && !runs_off ? "" : outcome.output;
}

// 200 notes take three pages. Nothing that LaTeX sets may run off one.
TEST(LatexTable, NotesOfALongTableGoOnOverPages) {
  Table table{"t", "", {text("claim"), text("verdict"), text("reason")}, {}};
  for (int r = 0; r < 400; ++r)
    table.rows.push_back(
        {fmt::format("place {}", r), "refuted",
         fmt::format("This is reason {} of a claim, and it is longer than a line of a table.", r / 2)});
  const std::string latex = table_to_latex(table);
  EXPECT_THAT(latex, AllOf(HasSubstr("\\textsuperscript{gr}\\,"), Not(HasSubstr("minipage"))));
  EXPECT_THAT(table_to_latex(table, {2}), Not(HasSubstr("minipage"))) << "nor in the last of many floats";
  const std::optional<std::string> complaint = complaints(latex);
  if (!complaint) GTEST_SKIP() << "no pdflatex with siunitx and xltabular here";
  EXPECT_EQ(*complaint, "");
}

// As a document that loads no encoding has it: what begins a cell, a caption, a title, and what is inside.
TEST(LatexTable, AnyTextCompiles) {
  std::vector<std::string> hostile{"\"",         "a \"quoted\" word",
                                   "[x]",        "*",
                                   "* a",        "\\",
                                   "\\input{x}", "$",
                                   "$$",         "a}b{",
                                   "%",          "a%",
                                   "&",          "#1",
                                   "^^M",        "~",
                                   "_",          "x_",
                                   "``",         "''",
                                   "--",         "?`",
                                   "|",          "<>",
                                   "@",          "\\end{document}",
                                   "-",          "\t",
                                   "1/2",        "q_λ",
                                   "e^ü",        "漢字",
                                   "\u202e",     "1e5",
                                   "NaN"};
  for (unsigned code = 0x20; code < 0x1A0; ++code) {
    if (code == 0x7F) code = 0xA0;
    const std::string one =
        code < 0x80 ? std::string(1, static_cast<char>(code))
                    : std::string{static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    hostile.push_back(one + "y");
  }
  std::string body = "\\title{" + escape_latex(hostile[1]) + "}\\maketitle\n";
  for (const std::size_t rows : {std::size_t{4}, hostile.size()}) {
    Table table{"hostile", hostile[1], {text("\"head\""), scientific("*n"), text("[text]")}, {}};
    for (std::size_t i = 0; i < rows; ++i)
      table.rows.push_back(
          {hostile[i], 1e-3 * static_cast<double>(i), hostile[hostile.size() - 1 - i] + " at the end"});
    body += table_to_latex(table);
  }
  for (const std::string& one : hostile)
    body += (one.size() > 2 ? "\\section{" + escape_latex(one) + "}\n\n" : "") + breakable_latex(one) + " " +
            latex_label("λ_" + one + " q^" + one) + "\n\n";
  const std::optional<std::string> found = complaints(body);
  if (!found) GTEST_SKIP() << "no pdflatex with siunitx, xltabular and booktabs here";
  EXPECT_EQ(*found, "");
}

}  // namespace TEST_FILE
}  // namespace daelab
