// Bodies with rotation matrices under constraints of index 3: their Euler steps and the corrections they take.
#include "experiments/measures/rotating_bodies.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "experiments/measures/body_system.hpp"
#include "tests/build_paths.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

Json mechanism(const std::string& name) {
  return read_json_file(source_path("/experiments/fang2023/mechanisms/" + name + ".json"));
}

BodyStepsResult steps_of(const std::string& name, BodyScheme scheme, double tolerance) {
  BodySteps settings;
  settings.scheme = scheme, settings.predictor = GyroscopicPredictor::reversed;
  settings.h = 0.01, settings.tolerance = tolerance, settings.steps = 799, settings.lead = 1;
  return make_body_steps(read_body_system(mechanism(name), name), settings);
}

// The sums that the published mean counts are made of: 3.67875, 5.59 and 6.855 times 800.
TEST(RotatingBodies, HalfImplicitStepsTakeThePublishedCorrections) {
  EXPECT_EQ(steps_of("double_pendulum", BodyScheme::half_implicit, 1e-7).iterations, 2943);
  const BodyStepsResult crank = steps_of("slider_crank", BodyScheme::half_implicit, 1e-10);
  EXPECT_EQ(crank.iterations, 4472);
  EXPECT_EQ(crank.driver_changes, 32);
  EXPECT_EQ(steps_of("four_link", BodyScheme::half_implicit, 1e-10).iterations, 5484);
}

// After 8 turns the crank is where it was, and the slider moves as the driver says: -y y'/x of the crank's pin.
TEST(RotatingBodies, DrivenMechanismsMoveAsTheirDrivers) {
  for (const BodyScheme scheme : {BodyScheme::half_implicit, BodyScheme::fully_implicit}) {
    const BodyStepsResult result = steps_of("slider_crank", scheme, 1e-7);
    ASSERT_TRUE(result.status.ok()) << result.status.cause;
    EXPECT_LT(result.largest_violation, 1e-7);
    EXPECT_NEAR(result.bodies[2].r[0], 0.2, 1e-6);
    EXPECT_NEAR(result.bodies[2].v[0], -0.08 * M_PI - 7.63e-3, 1e-5);  // of order 1 in h
  }
}

TEST(RotatingBodies, StepsThatDoNotConvergeSayWhere) {
  BodySteps settings;
  settings.h = 0.01, settings.tolerance = 1e-30, settings.steps = 5, settings.max_iterations = 3;
  const BodyStepsResult result = make_body_steps(read_body_system(mechanism("double_pendulum"), ""), settings);
  EXPECT_EQ(result.status.code, StatusCode::newton_diverged);
  EXPECT_THAT(result.status.cause, HasSubstr("t = 0.01"));
  EXPECT_EQ(result.iterations, 3);
}

// A free body of unequal inertias: both schemes turn it, and momentum in space is kept to the order of the step.
TEST(RotatingBodies, EulerStepsOfAFreeBodyConverge) {
  const auto drift = [](double h) {
    Json json = mechanism("double_pendulum");
    json["gravity"] = {"0", "0", "0"};
    json["bodies"] = Json::array({json["bodies"][0], json["bodies"][1]});
    json["bodies"][0]["angular_velocity"] = {"1", "2", "1/2"};
    json["bodies"][0]["inertia"] = {"1", "2", "3"};
    json["constraints"] = Json::array({{{"type", "CD"}, {"i", "ground"}, {"j", "bar-2"}, {"c", {"1", "0", "0"}}}});
    const BodySystem system = read_body_system(json, "");
    BodySteps settings;
    settings.h = h, settings.tolerance = 1e-10, settings.steps = std::lround(1 / h);
    const RotatingBody start = system.bodies[0], end = make_body_steps(system, settings).bodies[0];
    const auto momentum = [](const RotatingBody& b) { return Vector3d(b.A * b.inertia.cwiseProduct(b.omega)); };
    return (momentum(end) - momentum(start)).norm();
  };
  const double coarse = drift(0.01), fine = drift(0.005);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
  EXPECT_LT(coarse, 0.2);
}

TEST(RotatingBodies, BadMechanismsNameTheirPlace) {
  const auto refusal = [](const std::function<void(Json&)>& change) {
    Json json = mechanism("double_pendulum");
    change(json);
    try {
      read_body_system(json, "file");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  EXPECT_EQ(refusal([](Json&) {}), "no InputError");
  EXPECT_THAT(refusal([](Json& m) { m["constraints"][0]["i"] = "bar1"; }),
              AllOf(HasSubstr("file/constraints/0/i"), HasSubstr("did you mean 'bar-1'?")));
  EXPECT_THAT(refusal([](Json& m) { m["constraints"][0]["type"] = "DP3"; }), HasSubstr("file/constraints/0/type"));
  EXPECT_THAT(refusal([](Json& m) {
                m["bodies"][0]["inertia"] = {"1", "2"};
              }),
              AllOf(HasSubstr("file/bodies/0/inertia"), HasSubstr("2 numbers, not 3")));
  EXPECT_THAT(refusal([](Json& m) { m["bodies"][1]["rotation"][0] = "2"; }), HasSubstr("no rotation matrix"));
  EXPECT_THAT(refusal([](Json& m) { m["bodies"][1]["name"] = "bar-1"; }), HasSubstr("file/bodies/1/name"));
  EXPECT_THAT(refusal([](Json& m) { m["bodies"][0]["mass"] = "0"; }), HasSubstr("file/bodies/0/mass"));
  EXPECT_THAT(refusal([](Json& m) { m["bodies"][0]["inertia"][1] = "0"; }), HasSubstr("file/bodies/0/inertia"));
  EXPECT_THAT(refusal([](Json& m) {
                m["constraints"][2]["drivers"] = Json::array({{{"a_i", {"1", "0", "0"}}, {"a_j", {"1", "0", "0"}}}});
              }),
              HasSubstr("file/constraints/2/drivers"));
  EXPECT_THAT(refusal([](Json& m) { m["bodies"] = Json::array(); }), HasSubstr("file/bodies"));
}

TEST(RotatingBodies, BadRunsNameTheirPlace) {
  const auto refusal = [](const Json& run) {
    return input_error_of([&] { SmallConfig({{"experiment", "half-implicit"}, {"title", "t"}, {"runs", run}}); });
  };
  const std::string file = "@" + source_path("/experiments/fang2023/mechanisms/double_pendulum.json");
  EXPECT_THAT(refusal({{"h", "1/10"}}), AllOf(HasSubstr("/runs"), HasSubstr("needs a \"problem\"")));
  EXPECT_THAT(refusal({{"problem", "pendulum"}}), AllOf(HasSubstr("/runs/problem"), HasSubstr("must be @FILE")));
  EXPECT_THAT(refusal({{"problem", "@none.json"}}), HasSubstr("none.json"));
  EXPECT_THAT(refusal({{"problem", file}, {"h", "1"}, {"t_end", "1"}, {"lead", 1}}),
              AllOf(HasSubstr("/runs/lead"), HasSubstr("leaves no step")));
  EXPECT_THAT(refusal({{"problem", file}, {"predictor", "rigth"}}), HasSubstr("/predictor"));
}

}  // namespace TEST_FILE
}  // namespace daelab
