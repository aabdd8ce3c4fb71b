// What a page says came out of a study, and what it calls its runs: report/page/headline.hpp, curve_names.hpp.
#include "report/page/headline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page/curve_names.hpp"
#include "report/page/page.hpp"
#include "tests/packed_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::Not;

Json point(const char* rtol, double error, double seconds, const char* status = "ok") {
  return {{"rtol", rtol}, {"status", status}, {"errors", {{"q", error}}}, {"cost", {{"seconds", seconds}}}};
}

// At 1E-6, which both reach, `slow` needs sqrt(1 * 4) = 2 s between its points, `fast` 1 s.
Json two_series() {
  return {{"series",
           {{{"label", "slow"}, {"points", Json::array({point("1e-4", 1e-5, 1), point("1e-6", 1e-7, 4)})}},
            {{"label", "fast"},
             {"points",
              Json::array({point("1e-3", 1e-4, 0.5), point("1e-4", 1e-6, 1), point("1e-5", 2e-10, 9, "failed")})}}}}};
}

TEST(Headline, NamesTheMostAccurateAndTheCheapest) {
  const Headline headline = headline_of(two_series());
  EXPECT_EQ(headline.sentence,
            "Most accurate: slow (error of q 1.0E-7). Cheapest at an error of 1E-6, which all 2 reach: fast.");
  ASSERT_EQ(headline.facts.size(), 2u);
  EXPECT_EQ(headline.facts[0].note, "error of q 1.0E-7 at rtol = 1e-6") << "a run that failed is not accurate";
  EXPECT_THAT(headline.facts[1].note, HasSubstr("1.00 s"));
}

// One that does not converge would make the common accuracy a poor one.
TEST(Headline, LeavesOutWhatDoesNotImprove) {
  Json analysis = two_series();
  analysis["series"].push_back(
      {{"label", "stuck"}, {"points", Json::array({point("1e-4", 3, 0.1), point("1e-5", 2, 0.2)})}});
  EXPECT_THAT(headline_of(analysis).sentence, HasSubstr("Cheapest at an error of 1E-6, which 2 of 3 reach: fast."));
}

TEST(Headline, CountsOrdersThatAreAsInTheory) {
  const Json order = {{"agreement", "agrees"}}, other = {{"agreement", "differs"}}, open = {{"agreement", Json()}};
  const Json analysis = {{"series",
                          {{{"label", "a"}, {"orders", {{"q", order}, {"v", open}}}},
                           {{"label", "lambda"}, {"orders", {{"q", order}, {"v", other}}}}}}};
  const Headline headline = headline_of(analysis);
  EXPECT_EQ(headline.sentence, "2 of 3 orders are as the theory says.");
  EXPECT_EQ(headline.facts.back().note, "not: λ");
  EXPECT_TRUE(headline_of(Json::object()).sentence.empty());
  EXPECT_TRUE(headline_of(Json()).facts.empty());
}

TEST(Headline, StandsOnThePageOfOneSetAsText) {
  Page page;
  PageSection section;
  section.folder = "set";
  section.data = {
      {"headline",
       {{"sentence", "a < b."}, {"facts", Json::array({{{"name", "n"}, {"value", "<v>"}, {"note", "c"}}})}}}};
  page.sections = {section};
  EXPECT_THAT(page_to_html(page), HasSubstr("<p class=\"headline\">a &lt; b.</p>"));
  EXPECT_THAT(page_to_html(page), HasSubstr("<dd>&lt;v&gt;<small>c</small>"));
  page.sections.push_back(section);
  EXPECT_THAT(page_to_html(page), Not(HasSubstr("class=\"headline\"")));
}

TEST(CurveNames, AreThoseOfTheEvaluation) {
  const Json spec = {{"method", {{"name", "bdf"}, {"k", 2}}}, {"h", "1/20"}, {"formulation", "ggl"}};
  const Json factors = {{{"name", "label"}, {"value", "mine"}}, {{"name", "h"}, {"value", "h = 1/20"}}};
  const Json analysis = {
      {"series", {{{"label", "mine"}, {"spec", {{"method", spec["method"]}, {"formulation", "ggl"}}}}}},
      {"trajectories", {{{"label", "mine, h = 1/20"}, {"file", "trajectories/abc.csv"}, {"factors", factors}}}}};
  const CurveNames names(analysis);
  EXPECT_EQ(names.of("none", spec)["label"], "mine") << "whatever the step";
  EXPECT_EQ(names.of("abc", Json::object())["label"], "mine") << "a curve is followed along h";
  EXPECT_TRUE(names.of("none", {{"method", "bdf"}}).is_null());
  EXPECT_TRUE(CurveNames(Json()).of("abc", spec).is_null());
}

}  // namespace TEST_FILE
}  // namespace daelab
