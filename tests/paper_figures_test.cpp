// Figures of papers are drawn with what the papers name, and captions say what is ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/integration/method.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json config(const std::string& name) { return read_json_file(project_path("experiments/" + name + ".json")); }

Json run_of(const Json& config, const std::string& label) {
  for (const Json& run : config["runs"])
    if (run.value("label", "") == label) return run;
  ADD_FAILURE() << config["name"] << " has no run " << label;
  return {};
}

// The paper marks the end of the path by a star and prints no coordinate.
TEST(PaperFigures, Li2019MarksTheEndByAStar) {
  const Json figure = config("li2019/figures-2-5")["figures"][0];
  EXPECT_THAT(figure["caption"], HasSubstr("are ours, the paper prints none"));
  EXPECT_EQ(figure["panels"][0]["marks"][0]["shape"], "circle");
  EXPECT_EQ(figure["panels"][0]["marks"][1]["shape"], "star");
}

// Figure 3 shows the solvers of table 5; the explicit one, which the paper does not name, is the one of our table 5.
TEST(PaperFigures, Ren2020Figure3HasTheSolversOfTable5) {
  const Json figure = config("ren2020/figure-3"), table = config("ren2020/table-5");
  EXPECT_THAT(figure["figures"][0]["caption"], HasSubstr("that it does not name"));
  for (const auto& [drawn, counted] : {std::pair("generalized-alpha", "generalized-alpha, T = 0.07"),
                                       std::pair("BDF index 3", "BDF index 3, T = 0.07"),
                                       std::pair("explicit (ROCK4, penalty form)", "ROCK4 penalty, T = 0.07")})
    for (const char* key : {"method", "formulation", "atol", "atol_velocity"})
      EXPECT_EQ(run_of(figure, drawn)[key], run_of(table, counted)[key]) << drawn << ": " << key;
  EXPECT_EQ(figure["common"]["t_end"], "7/100");
}

// From the start of section 8.2, with the accelerations of slider and elongation; Dormand-Prince is judged, not drawn.
TEST(PaperFigures, Ren2020Figure6BeginsAsSection82Says) {
  const Json figure = config("ren2020/figure-6");
  EXPECT_EQ(figure["common"]["start"]["q"], "0,0,0.45,0,0,1.033e-5,1.69e-5");
  EXPECT_EQ(figure["common"]["start"]["fix"], "q6,q7,v1");
  const Json& panels = figure["figures"][0]["panels"];
  EXPECT_EQ(panels.back()["components"], Json::array({"a7"}));
  for (const Json& panel : panels) EXPECT_EQ(panel["runs"], Json({"generalized-alpha", "BDF index 2", "BDF index 3"}));
}

// With the setting that gives the mean of 1.994.
TEST(PaperFigures, Ivanov2023Figure4HasTheSettingOfTheMean) {
  const Json figure = config("ivanov2023/figure-4");
  EXPECT_EQ(figure["figures"][0]["runs"], Json::array({"AB4, h = 5E-4"}));
  const Json run = run_of(figure, "AB4, h = 5E-4");
  EXPECT_EQ(run["method"], (Json{{"name", "adams-bashforth"}, {"k", 4}}));
  EXPECT_EQ(run["multiplier_solver"]["eps_abs"], "1e-7");
}

// The accurate solution is another method than the scheme that is judged by it.
TEST(PaperFigures, WangHasAnAccurateSolutionOfItsOwn) {
  const Json accurate = run_of(config("wang/figure-2"), "accurate, h = 0.001");
  EXPECT_EQ(accurate["formulation"], "projected");
  EXPECT_EQ(accurate, run_of(config("wang/figure-3"), "accurate, h = 0.001"));
  EXPECT_THAT(config("wang/figure-2")["figures"][0]["caption"], HasSubstr("which it does not describe"));
}

// Not every Padé pair is L-stable: (3,3) and (0,3) are not.
TEST(PaperFigures, PadeBlocksAreLStableWithinTheirBounds) {
  EXPECT_THAT(Registry<Method>::instance().find("pade-block", "").summary, HasSubstr("L-stable for k < j <= k + 2"));
}

}  // namespace TEST_FILE
}  // namespace daelab
