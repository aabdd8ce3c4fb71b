// Norms of errors over time, compared with numbers by hand, and what convergence refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Json run_spec(const char* method) {
  return {{"problem", "pendulum"}, {"method", method}, {"h", "1/2"}, {"t_end", "1"}, {"samples", {"0", "1/2", "1"}}};
}

Json state(double t, double q1, double q2) {
  return {{"t", t}, {"q", {q1, q2}}, {"v", {0, 0}}, {"a", {0, 0}}, {"lambda", {0}}};
}

// The errors of q1 are 0, 0.3, 0.1, those of q2 are 0, -0.2, 0.4; the reference is q1 = 2, q2 = 0.
Json errors(const Json& options) {
  HandMadeRuns runs;
  Json record = state(1, 2.1, 0.4);
  record["spec"] = run_spec("gauss");
  record["samples"] = {state(0, 2, 0), state(0.5, 2.3, -0.2), state(1, 2.1, 0.4)};
  runs.add("series", "run", record);
  Json reference = state(1, 2, 0);
  reference["spec"] = run_spec("radau-iia");
  reference["samples"] = {state(0, 2, 0), state(0.5, 2, 0), state(1, 2, 0)};
  runs.compare_with(reference);
  Json with_component = options;
  with_component["figures"] = {{{"id", "first"}, {"components", {"q1"}}, {"caption", "Of q1."}}};
  const Json analysis = runs.evaluate("convergence", with_component).analysis;
  return analysis["series"][0]["points"][0]["errors"];
}
double error(const Json& options, const char* component) {
  return std::stod(errors(options).at(component).dump().substr(errors(options).at(component).is_string() ? 1 : 0));
}

TEST(TimeNorm, IsAsByHand) {
  EXPECT_NEAR(error(Json::object(), "q"), 0.4, 1e-14);
  EXPECT_NEAR(error({{"norm", "end"}}, "q1"), 0.1, 1e-14);
  EXPECT_NEAR(error({{"norm", "end"}, {"relative", true}}, "q"), 0.2, 1e-14);
  EXPECT_NEAR(error({{"norm", "maximum"}}, "q"), 0.4, 1e-14);
  EXPECT_NEAR(error({{"norm", "maximum"}}, "q1"), 0.3, 1e-14);
  EXPECT_NEAR(error({{"norm", "maximum"}, {"relative", true}}, "q1"), 0.15, 1e-14);
  // 1/2 ((0 + 0.2^2)/2 + (0.2^2 + 0.4^2)/2) = 0.06, of q1 1/2 ((0 + 0.3^2)/2 + (0.3^2 + 0.1^2)/2) = 0.0475
  EXPECT_NEAR(error({{"norm", "l2"}}, "q"), std::sqrt(0.06), 1e-14);
  EXPECT_NEAR(error({{"norm", "l2"}}, "q1"), std::sqrt(0.0475), 1e-14);
  EXPECT_NEAR(error({{"norm", "l2"}, {"relative", true}}, "q"), std::sqrt(0.06) / 2, 1e-14);
}

// A relative error of a reference of zero is undefined, not zero.
TEST(TimeNorm, IsUndefinedOverZero) { EXPECT_TRUE(errors({{"relative", true}}).at("lambda").is_null()); }

Json convergence(const Json& more) {
  Json config = Json::parse(R"({"experiment": "convergence", "title": "Small",
    "common": {"problem": "pendulum", "t_end": 1, "formulation": "index-1", "sample_every": "1/10"},
    "runs": {"h": ["1/20", "1/40", "1/80", "1/160"], "method": "radau-iia:s=2"},
    "reference": {"method": "gauss:s=4", "h": "1/100", "scalar": "double"}})");
  config.update(more);
  return config;
}

// Samples at step ends have the order of the method, 3.
TEST(TimeNorm, OrdersAndCaptionsUseIt) {
  for (const char* norm : {"maximum", "l2"}) {
    const SmallConfig config(convergence({{"norm", norm}, {"relative", true}}));
    const Json analysis = config.analysis(), result = config.result();
    EXPECT_EQ(analysis["norm"], std::string(norm) + ", relative");
    EXPECT_EQ(analysis["series"][0]["orders"]["q"]["agreement"], "agrees") << analysis["series"][0]["orders"]["q"];
    for (const std::size_t table : {0, 1})
      EXPECT_THAT(result["tables"][table]["caption"].get<std::string>(),
                  AllOf(HasSubstr("over the sampled time"), HasSubstr("over the same norm of the reference."),
                        Not(HasSubstr("Errors at the end time"))));
    EXPECT_THAT(result["figures"][0]["caption"].get<std::string>(), HasSubstr("relative error of q over the sampled"));
    EXPECT_THAT(result["figures"][0]["panels"][0]["y_label"].get<std::string>(),
                HasSubstr("relative error of q up to t = 1 s"));
  }
}

TEST(TimeNorm, TheUsualOneIsAsItWas) {
  const SmallConfig config(convergence(Json::object()));
  EXPECT_FALSE(config.analysis().contains("norm"));
  EXPECT_THAT(config.result()["tables"][1]["caption"].get<std::string>(),
              AllOf(HasSubstr("Errors at the end time (infinity norm per component class)"),
                    HasSubstr("Errors are the largest over the components, each in its unit.")));
  EXPECT_EQ(config.result()["figures"][0]["panels"][0]["y_label"], "error of q at t = 1 s");
}

TEST(TimeNorm, NeedsSamplesOfRunsAndOfAReferenceRun) {
  Json without = convergence({{"norm", "l2"}});
  without.erase("reference");
  EXPECT_THAT([&] { const SmallConfig config(without); },
              throws_input_error("/norm: 'l2' needs the reference at all sampled times, and stored references are for "
                                 "end times: give a \"reference\" run, or choose the norm 'end'"));
  Json unsampled = convergence({{"norm", "maximum"}});
  unsampled["common"].erase("sample_every");
  EXPECT_THAT([&] { const SmallConfig config(unsampled); },
              throws_input_error("/norm: 'maximum' needs samples, and run '", "set \"sample_every\""));
  Json other = convergence({{"norm", "l2"}});
  other["reference"]["sample_every"] = "1/5";
  EXPECT_THAT([&] { const SmallConfig config(other); }, throws_input_error("/reference: has other samples than run '"));
  EXPECT_THAT(
      [&] {
        const SmallConfig config(convergence({{"norm", "maximun"}}));
      },
      throws_input_error("/norm", "maximum"));
}

// Half a turn about x and a little more of it are next to each other, but their rotation vectors are not.
TEST(TimeNorm, MayBeTheAngleBetweenRotations) {
  const auto at_end = [](double x, const char* method) {
    const Json spec = {{"problem", "rigid-body"}, {"method", method}, {"h", "1/2"}, {"t_end", "1"}};
    return Json{{"t", 1},         {"q", {x, 0, 0}},          {"v", {0, 0, 0}},
                {"a", {0, 0, 0}}, {"lambda", Json::array()}, {"spec", spec}};
  };
  const auto error_of_q = [&](const char* rotations) {
    HandMadeRuns runs;
    runs.add("series", "run", at_end(3.1, "gauss"));
    runs.compare_with(at_end(-3.1, "radau-iia"));
    const Json analysis = runs.evaluate("convergence", {{"rotations", rotations}}).analysis;
    const Json q = analysis["series"][0]["points"][0]["errors"]["q"];
    return q.is_string() ? std::stod(q.get<std::string>()) : q.get<double>();
  };
  EXPECT_NEAR(error_of_q("components"), 6.2, 1e-14);
  EXPECT_NEAR(error_of_q("geodesic"), 2 * M_PI - 6.2, 1e-14);
}

TEST(TimeNorm, HasAnglesOfRotationsAlone) {
  EXPECT_THAT(
      [&] {
        const SmallConfig config(convergence({{"rotations", "geodesic"}}));
      },
      throws_input_error("/rotations: 'geodesic' is the angle between rotations, and the problem of run '",
                         "choose 'components'"));
}

}  // namespace TEST_FILE
}  // namespace daelab
