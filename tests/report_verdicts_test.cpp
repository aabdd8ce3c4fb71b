// Verdicts on the terminal, in tables and on the page.
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "core/base/options.hpp"
#include "core/base/process.hpp"
#include "report/figures/figure.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/gnuplot.hpp"
#include "report/layout/layout.hpp"
#include "report/page/packed_text.hpp"
#include "report/page/page.hpp"
#include "report/tables/table.hpp"
#include "results/claims.hpp"
#include "tests/packed_support.hpp"
#include "tests/report_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ReportVerdicts, KindsAreRecognisedByTheirWords) {
  for (std::size_t k = 0; k < verdict_kinds; ++k) {
    const auto kind = static_cast<VerdictKind>(k);
    if (kind != VerdictKind::some_digits) {
      EXPECT_EQ(verdict_kind(verdict_words(kind)), kind);
    }
  }
  EXPECT_EQ(verdict_kind("3 digits"), VerdictKind::some_digits);
  EXPECT_EQ(verdict_kind(digits_verdict(1)), VerdictKind::some_digits);
  for (const char* none : {"pending", "some digits", "digits", "3 digits more", ""})
    EXPECT_EQ(verdict_kind(none), VerdictKind::unknown) << none;
}

TEST(ReportVerdicts, TerminalTableMarksTheUnexpected) {
  const std::string table =
      verdict_table_text({judgement(all_digits, all_digits), judgement("differs", all_digits)}, 80);
  EXPECT_THAT(table, HasSubstr("Table 1, h = 0.01, H max  7.0007E-5  7.0008E-5  ✓ all printed digits"));
  EXPECT_THAT(table, HasSubstr("✗ differs: Table 1, h = 0.01, H max"));
  EXPECT_THAT(table, HasSubstr("! expected: all printed digits"));
  EXPECT_THAT(table, HasSubstr("2 claims: 1 all printed digits, 1 differs; 1 not as expected"));
  EXPECT_THAT(verdict_table_text({judgement(all_digits, all_digits)}, 80),
              testing::AllOf(HasSubstr("1 claim: "), HasSubstr("all verdicts as expected"), Not(HasSubstr("!"))));
}

TEST(ReportVerdicts, KindsOfEntriesAreCountedApart) {
  const std::string text = verdict_table_text(of_every_kind(), 80);
  EXPECT_THAT(text, HasSubstr("1 claim: 1 differs; 1 finding: 1 holds; 1 check: 1 agrees; all verdicts as\nexpected"));
  EXPECT_THAT(text, HasSubstr("✓ holds: Section 4\n    work of a solve: 629\n    ours: 7.0008E-5\n"));
  EXPECT_EQ(verdict_counts_text({}), "0 claims");
}

TEST(ReportVerdicts, TheTerminalShowsWhatStandsOut) {
  EXPECT_EQ(notable_verdicts_text({judgement(all_digits, all_digits)}, 80),
            "1 claim: 1 all printed digits; all verdicts as expected\n");
  const std::string text =
      notable_verdicts_text({judgement(all_digits, all_digits), judgement("differs", all_digits)}, 80);
  EXPECT_THAT(text, testing::StartsWith("✗ differs: Table 1, h = 0.01, H max ! expected: all printed digits\n"
                                        "    7.0007E-5\n    ours: 7.0008E-5\n\n2 claims: "));
}

TEST(ReportVerdicts, VerdictsArePaintedWithoutMovingColumns) {
  const std::vector<Judgement> judgements{judgement(all_digits, all_digits), judgement("differs", "differs")};
  const VerdictPainter painted = [](VerdictKind kind, const std::string& text) {
    return (kind == VerdictKind::differs ? "\033[31m" : "\033[32m") + text + "\033[0m";
  };
  const std::string text = verdict_table_text(judgements, 80, painted);
  EXPECT_THAT(text, AllOf(HasSubstr("\033[32m✓ all printed digits\033[0m"), HasSubstr("\033[31m✗ differs\033[0m")));
  EXPECT_EQ(std::regex_replace(text, std::regex("\033\\[[0-9]*m"), ""), verdict_table_text(judgements, 80));
  EXPECT_THAT(notable_verdicts_text(judgements, 80, painted), testing::StartsWith("\033[31m✗ differs\033[0m: Table 1"));
}

TEST(ReportVerdicts, TheTerminalSaysWhatUnderstatedMeans) {
  EXPECT_THAT(notable_verdicts_text({judgement("understated", "understated")}, 80),
              testing::StartsWith("✓ understated (true, and more than it says): Table 1"));
}

TEST(ReportVerdicts, KindsOfEntriesHaveTheirOwnTables) {
  const std::vector<Table> tables = verdict_tables(of_every_kind());
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].columns[1].label, "printed");
  EXPECT_EQ(tables[1].columns[1].label, "statement") << "a finding quotes nothing";
  EXPECT_EQ(tables[2].columns[1].label, "source");
  EXPECT_EQ(tables[1].caption, "Findings. 1 finding: 1 holds.");
  EXPECT_EQ(tables[2].caption, "Checks, Table 1. 1 check: 1 agrees.");
  const Table all = verdict_table(of_every_kind());
  EXPECT_EQ(all.rows[1][0], "finding");
  EXPECT_TRUE(all.rows[1][3].empty()) << "printed";
  EXPECT_EQ(all.rows[1][6], "629");
}

TEST(ReportVerdicts, WhatAClaimIsJudgedByIsNotQuoted) {
  Judgement claim = judgement("confirmed", "confirmed");
  claim.printed = "index 1 is the most accurate", claim.judged_by = "the error of q", claim.reason = "by far";
  claim.table = "";
  EXPECT_THAT(verdict_table_text({claim}, 80),
              HasSubstr("    index 1 is the most accurate\n    judged by the error of q\n    ours: "));
  EXPECT_EQ(verdict_tables({claim})[0].rows[0].back(), "judged by the error of q; by far");
  const Table all = verdict_table({claim});
  EXPECT_EQ(all.columns[4].label, "judged by");
  EXPECT_EQ(all.rows[0][4], "the error of q");
  Page page;
  page.judgements = {claim};
  EXPECT_THAT(page_to_html(page), HasSubstr("judged by the error of q<br>by far"));
}

TEST(ReportPage, ShowsKindsOfEntriesApart) {
  Page page;
  page.judgements = of_every_kind();
  const std::string html = page_to_html(page);
  for (const char* part : {"<details id=\"claims\">", "<details id=\"findings\">", "<details id=\"checks\">",
                           "1 finding: 1 holds", "Test Set, II-19", "work of a solve: 629"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(ReportPage, EscapesWhatItShows) {
  Page page;
  page.title = "A & B";
  page.judgements = {judgement("differs", "differs")};
  page.judgements[0].reason = "<script>alert('x')</script>";
  PageSection section;
  section.folder = "set";
  section.artifacts.title = "h < 1 & \"more\"";
  page.sections = {section};
  const std::string html = page_to_html(page);
  EXPECT_THAT(html, HasSubstr("<title>A &amp; B</title>"));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
  EXPECT_THAT(html, HasSubstr("h &lt; 1 &amp; &quot;more&quot;"));
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
}

// Whatever is in the data stays data: no tag ends its block, and the policy allows the page's own scripts alone.
TEST(ReportPage, DataCannotBecomeMarkup) {
  Page page;
  PageSection section;
  section.folder = "set";
  section.data = {{"title", "</script><script>alert(1)</script>"}};
  page.sections = {section};
  page.evidence = {{"a <b>", {0, Json::array({"key"})}}};
  const std::string html = page_to_html(page);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_EQ(data_of_page(html)["sets"][0]["title"], section.data["title"]) << "nothing is lost";
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(testing::ContainsRegex("(src|href)=\"https?:")));  // nothing is loaded from elsewhere
}

// SHA-256 in hex digits and in base64: of the empty text, FIPS 180-4's example "abc".
TEST(ReportPage, AllowsItsScriptsByTheirHashes) {
  EXPECT_EQ(base64_of_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(base64_of_hex("4d"), "TQ==");
  EXPECT_EQ(base64_of_hex("4d616e"), "TWFu");
}

TEST(ReportPage, OpensWithTheFirstCurvesAndLinksThePaper) {
  Page page;
  page.reference = "A. Author, Journal 1, 2, doi 10.1000/x_1.";
  page.origin = {{"commit", "abc"}, {"compiler", "g++"}};
  Figure sketch, curves = figure_of(inline_series({0, 1}, {0, 1}), false);
  sketch.id = "sketch", curves.id = "curves";
  PageSection section;
  section.folder = "set";
  section.artifacts.figures = {sketch, curves};
  page.sections = {section};
  const std::string html = page_to_html(page);
  EXPECT_THAT(html, HasSubstr("Journal 1, 2, doi <a href=\"https://doi.org/10.1000/x_1\">10.1000/x_1</a>.</p>"));
  EXPECT_LT(html.find("id=\"figure-set-curves\""), html.find("id=\"figure-set-sketch\"")) << "a sketch is no result";
  EXPECT_EQ(html.find("id=\"figure-set-curves\""), html.rfind("id=\"figure-set-curves\"")) << "it stands once";
  EXPECT_THAT(html, HasSubstr("<dt>compiler</dt><dd>g++</dd>"));
}

}  // namespace TEST_FILE
}  // namespace daelab
