// Pages about many things: an index of small pictures, and each thing with its figures, facts and entries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page/card_index.hpp"
#include "results/evidence.hpp"
#include "tests/report_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// Two problems, one with a sketch, and two published values of the first.
Page page_with_cards() {
  Figure sketch, curves = figure_of(inline_series({1e-6, 1e-3}, {10, 1}), true), others = curves, alone = curves;
  sketch.id = "sketch-a", curves.id = "diagram-a", others.id = "diagram-b", alone.id = "alone";
  PageSection section;
  section.folder = "set";
  section.drawings = {{"sketch-a", "<svg>a</svg>"}, {"diagram-a", "<svg>b</svg>"}};
  section.artifacts.title = "Problems";
  section.artifacts.figures = {sketch, curves, others, alone};
  section.artifacts.cards = {
      {"a <b>", "a", "2 equations", {{"reference", "proved to 47 digits"}}, {"sketch-a", "diagram-a"}},
      {"b", "b", "", {}, {"diagram-b"}}};
  Page page;
  page.sections = {section};
  page.judgements = {judgement("all printed digits", "all printed digits"), judgement("differs", "14 digits"),
                     judgement("differs", "differs")};
  for (std::size_t i = 0; i < 3; ++i) page.judgements[i].id = std::string("entry-") + static_cast<char>('1' + i);
  page.problems = {{"entry-1", {"a"}}, {"entry-2", {"a", "c"}}, {"entry-3", {"c"}}};
  return page;
}

std::size_t times(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ReportCards, LeadFromTheIndexToAllOfAProblem) {
  const std::string html = page_to_html(page_with_cards());
  for (const char* part :
       {"<h2 id=\"index\">", "<a href=\"#card-set-1\">", "<article class=\"card\" id=\"card-set-1\">", "a &lt;b&gt;",
        "<dt>reference</dt><dd>proved to 47 digits</dd>", "2 published values", "1 not as expected"})
    EXPECT_THAT(html, HasSubstr(part));
  for (const char* figure : {"id=\"figure-set-sketch-a\"", "id=\"figure-set-diagram-a\"", "id=\"figure-set-alone\""})
    EXPECT_EQ(times(figure, html), 1u) << figure;
  // A figure that is no card's opens the page.
  EXPECT_LT(html.find("id=\"figure-set-alone\""), html.find("id=\"index\""));
  EXPECT_GT(html.find("id=\"figure-set-diagram-b\""), html.find("id=\"card-set-2\""));
}

TEST(ReportCards, HaveTheEntriesAboutTheirProblem) {
  const Page page = page_with_cards();
  const std::vector<Card>& cards = page.sections[0].artifacts.cards;
  EXPECT_THAT(entries_of(cards[0], page), SizeIs(2));
  EXPECT_THAT(entries_of(cards[1], page), SizeIs(0));
  EXPECT_EQ(card_index_html(Page()), "");
}

// On logarithmic axes, the larger value above: corners of 100 by 62 with a margin of 3.
TEST(ReportCards, HaveSmallPicturesOfTheirCurves) {
  const Figure figure = figure_of(inline_series({1e-6, 1e-3, 0}, {10, 1, 5}), true);
  Figure logarithmic = figure;
  logarithmic.panels[0].log_x = logarithmic.panels[0].log_y = true;
  EXPECT_THAT(miniature_html(logarithmic), HasSubstr("points=\"3.0,3.0 97.0,59.0\""));
  EXPECT_EQ(miniature_html(Figure()), "");
}

TEST(ReportCards, SurviveTheirFile) {
  Artifacts artifacts = page_with_cards().sections[0].artifacts;
  EXPECT_EQ(Json(Json(artifacts).get<Artifacts>()), Json(artifacts));
  artifacts.cards.clear();
  EXPECT_FALSE(Json(artifacts).contains("cards"));
}

TEST(Evidence, KnowsTheProblemsAndSetsOfEntries) {
  const Json entries = Json::parse(R"({"paper": "p", "passages": [{}], "claims": [
    {"id": "1", "value": {"set": "s", "run": {"/problem/name": "hires"}, "pointer": "/y/0"}},
    {"id": "2", "values": [{"set": "s", "series": {"/problem/name": "e5"}, "pointer": "/y"}, {"set": "t", "result": "/x"}]},
    {"id": "3", "value": {"set": "t", "result": "/x"}}]})");
  const auto problems = problems_of(entries);
  EXPECT_THAT(problems.at("1"), ElementsAre("hires"));
  EXPECT_THAT(problems.at("2"), ElementsAre("e5"));
  EXPECT_FALSE(problems.contains("3"));
  const Json of_s = entries_about(entries, {"s"});
  ASSERT_EQ(of_s["claims"].size(), 1u);
  EXPECT_EQ(of_s["claims"][0]["id"], "1");
  EXPECT_FALSE(of_s.contains("passages"));
  EXPECT_EQ(of_s["paper"], "p");
}

}  // namespace TEST_FILE
}  // namespace daelab
