// Events that hold multipliers or algebraic states, against times and places by hand; and the patterns of
// docs/events.md for what rests, sticks, hangs on a string or lifts off.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "lab/runs/run.hpp"
#include "tests/build_paths.hpp"
#include "tests/event_support.hpp"
#include "tests/experiment_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using std::numbers::pi;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;

std::string example(const std::string& name) { return "@" + source_path("/docs/examples/") + name + ".json"; }

std::vector<double> times(const Json& record, const std::string& event) {
  std::vector<double> list;
  for (const Json& occurrence : record["events"]["list"])
    if (occurrence["event"] == event) list.push_back(occurrence["t"].get<double>());
  return list;
}

// ----- algebraic states of differential equations -----

// w = 1/2 where a = cos t = 5/8, w = 0 where it is 0.
void expect_levels(const Json& record, double bound) {
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  const double half = std::acos(0.625);
  EXPECT_THAT(times(record, "half"),
              Pointwise(DoubleNear(bound), std::vector<double>{half, 2 * pi - half, 2 * pi + half}));
  EXPECT_THAT(times(record, "zero"), Pointwise(DoubleNear(bound), std::vector<double>{pi / 2, 5 * pi / 2}));
}

class AlgebraicEvents : public testing::TestWithParam<std::string> {};

// The states satisfy their equation inside a step, whatever a method's own values there are. Bounds: implicit Euler,
// whose times err by 1.8e-4 with error control and by 0.07 with fixed steps.
TEST_P(AlgebraicEvents, AreLocatedByEveryMethod) {
  if (Registry<Method>::instance().missing().contains(GetParam())) GTEST_SKIP();
  int taken = 0;
  for (const auto& [key, value, bound] : {std::tuple{"rtol", "1e-8", 3e-4}, {"h", "1/50", 0.1}}) {
    const Json record = record_of_run({{"problem", "@" + source_path("/tests/problems/cubic_root.json")},
                                       {"formulation", "ode"},
                                       {"method", GetParam()},
                                       {key, value}});
    if (record["status"] == "not-applicable") continue;
    expect_levels(record, bound);
    ++taken;
  }
  if (taken == 0) GTEST_SKIP() << "it is for mechanisms";
}
INSTANTIATE_TEST_SUITE_P(AllMethods, AlgebraicEvents, testing::ValuesIn(registered_methods()),
                         [](const auto& info) { return test_name_of(info.param); });

// To the accuracy of the method, also where steps are long: 18 of them.
TEST(AlgebraicEvents, HaveTheAccuracyOfTheMethod) {
  const auto run = [](const char* method, const char* key, const char* value) {
    return record_of_run(
        {{"problem", "@" + source_path("/tests/problems/cubic_root.json")}, {"method", method}, {key, value}});
  };
  expect_levels(run("gauss:s=3", "h", "1/2"), 1e-5);
  expect_levels(run("radau-iia:s=3", "rtol", "1e-8"), 1e-8);
  expect_levels(run(dormand_prince, "rtol", "1e-8"), 1e-7);
  expect_levels(run("kvaerno-4", "rtol", "1e-8"), 1e-7);
}

// u' = w, w = s sin t, where s changes its sign at 0.3, 0.6, ..., 6: sums of cosines.
TEST(AlgebraicEvents, JumpBesideThem) {
  const Record flips = [](Recording& r) {
    r.states({"u", "s", "w"});
    r.algebraic_states = 1;
    r.start_s = {0, 1, 0};
    r.rates = {r.s[2], 0, r.s[2] - r.s[1] * sin(r.t)};
    r.event({"flip", Crossing::either, Consequence::jump}, sin(Exact("pi") * r.t * 10 / 3)).s[1] = -r.s[1];
  };
  double exact = 0, sign = 1;
  for (int k = 0; k < 21; ++k, sign = -sign)
    exact += sign * (std::cos(0.3 * k) - std::cos(k == 20 ? 2 * pi : 0.3 * (k + 1)));
  for (const char* method : {"radau-iia:s=3", "bdf", "kvaerno-4", dormand_prince}) {
    const auto run = watched_run<double>(flips, method, "ode", 2 * pi, controlled(1e-8));
    ASSERT_TRUE(run.status.ok()) << run.status.cause;
    EXPECT_EQ(run.events.size(), 20u) << method;
    EXPECT_NEAR(run.end.y[0], exact, 1e-6) << method;  // 100 tolerances: bdf takes 6
  }
}

// What follows may depend on them, too: a latch that keeps w + 1, where w = 2 sin t and cos t falls through zero.
TEST(AlgebraicEvents, GiveWhatFollows) {
  const Record latch = [](Recording& r) {
    r.states({"a", "b", "kept", "w"});
    r.algebraic_states = 1;
    r.start_s = {1, 0, 0, 1};
    r.rates = {-r.s[1], r.s[0], 0, r.s[3] - 2 * r.s[1]};
    r.event({"top", Crossing::falling, Consequence::jump}, r.s[0]).s[2] = r.s[3] + 1;
  };
  const auto run = watched_run<double>(latch, "radau-iia:s=3", "ode", 3, controlled(1e-9));
  ASSERT_TRUE(run.status.ok()) << run.status.cause;
  EXPECT_NEAR(run.end.y[2], 3, 1e-8);
}

// ----- multipliers -----

// A mass on a sphere lifts off where v^2 = g y: with push^2/2 + g = v^2/2 + g y at y = 2/3 + push^2/(3 g).
const double lift_off_height = 2.0 / 3 + 1 / (3 * 9.81);

class LiftOff : public testing::TestWithParam<std::string> {};
TEST_P(LiftOff, IsWhereTheForceOfTheConstraintVanishes) {
  for (const char* method : {"radau-iia:s=3", "bdf", dormand_prince, "generalized-alpha"}) {
    const Json record = record_of_run(
        {{"problem", example("lift_off")}, {"formulation", GetParam()}, {"method", method}, {"rtol", "1e-7"}});
    if (record["status"] == "not-applicable") continue;
    ASSERT_EQ(record["status"], "ok") << record["cause"];
    EXPECT_EQ(times(record, "lift").size(), 1u) << method;
    EXPECT_NEAR(record["q"][1].get<double>(), lift_off_height, 1e-4) << method;  // generalized-alpha: 1.8e-5
  }
}
INSTANTIATE_TEST_SUITE_P(AllForms, LiftOff, testing::ValuesIn(mechanical_formulations()),
                         [](const auto& info) { return test_name_of(info.param); });

// The bound is the tolerance.
TEST(LiftOff, HasTheAccuracyOfTheMethod) {
  for (const char* formulation : {"index-3", "index-2", "ggl", "index-1", "projected"}) {
    const Json record = record_of_run({{"problem", example("lift_off")},
                                       {"formulation", formulation},
                                       {"method", "radau-iia:s=3"},
                                       {"rtol", "1e-8"}});
    EXPECT_NEAR(record["q"][1].get<double>(), lift_off_height, 1e-8) << formulation;
  }
}

// A bead on a rod that turns with omega = 2, whose friction is half of what it presses: N = |lambda| = 2 omega r' is 8
// where it is as fast as that along the rod, r' = 2.
TEST(Multipliers, AreLookedAtWhereForcesHoldThemToo) {
  const Json bead = Json::parse(R"json({
    "name": "bead", "coordinates": ["x", "y"], "mass": ["1", "1"], "constraints": ["y*c = x*s"],
    "definitions": {"c": "cos(2*t)", "s": "sin(2*t)", "along": "x'*c + y'*s", "friction": "-sign(along)*N/2"},
    "algebraic": {"N": "N = abs(lambda1)"}, "forces": {"x": "friction*c", "y": "friction*s"},
    "start": {"x": "1", "x'": "1", "y'": "2", "N": "4"}, "end_time": "3",
    "observables": {"speed": "along"},
    "events": {"hard": {"function": "N - 8", "direction": 1, "consequence": "stop"}}})json");
  for (const char* formulation : {"index-1", "ggl", "index-2", "index-3"})
    for (const char* method : {"radau-iia:s=3", "bdf", dormand_prince}) {
      const Json record =
          record_of_run({{"problem", bead}, {"formulation", formulation}, {"method", method}, {"rtol", "1e-8"}});
      if (record["status"] == "not-applicable") continue;
      ASSERT_EQ(record["status"], "ok") << formulation << ", " << method << ": " << record["cause"];
      const double t = record["t"].get<double>();
      EXPECT_LT(t, 2) << "it ends at the event";
      EXPECT_NEAR(record["v"][0].get<double>() * std::cos(2 * t) + record["v"][1].get<double>() * std::sin(2 * t), 2,
                  1e-6)
          << formulation << ", " << method;
    }
}

// ----- rest, stick, string -----

class Patterns : public testing::TestWithParam<const char*> {
 protected:
  static Json run(const std::string& name) {
    Json record = record_of_run({{"problem", example(name)}, {"method", GetParam()}, {"rtol", "1e-9"}});
    EXPECT_EQ(record["status"], "ok") << record["cause"];
    return record;
  }
  // A hundred tolerances: bdf takes 60.
  static auto near(std::vector<double> exact) { return Pointwise(DoubleNear(1e-7), std::move(exact)); }
};

// From 1 m under -10 + 4 t: on the floor where 1 - 5 t^2 + 2/3 t^3 = 0; from 2.5 s on it rises by 2/3 (t - 2.5)^3.
TEST_P(Patterns, Rest) {
  const Json record = run("rest");
  EXPECT_THAT(times(record, "floor"), near({0.4616470984671}));
  EXPECT_THAT(times(record, "lift"), near({2.5}));
  EXPECT_NEAR(record["q"][0].get<double>(), 2.0 / 3 * std::pow(2.5, 3), 1e-7);
}

// It sticks until 4 x = 3, slides about x = 1/2 with the frequency 2 for (2/2) (pi - atan(1/4 2/(1/2))) s to x = 1/4,
// and so on.
TEST_P(Patterns, Stick) {
  const Json record = run("stick_slip");
  const double slide = pi - std::atan(1.0);
  EXPECT_THAT(times(record, "slip"), near({1.5, 2.5 + slide}));
  EXPECT_THAT(times(record, "stick"), near({1.5 + slide, 2.5 + 2 * slide}));
  EXPECT_NEAR(record["q"][0].get<double>(), 0.25 + (8 - 2.5 - 2 * slide) / 2, 1e-7);
}

// From the lowest point with v^2 = 7/2 g: slack 30 degrees above the centre, by quadrature of 1/phi'; a parabola for
// 2 sqrt(3) v/g with v^2 = g/2, which ends at the lowest point with v/2 along the circle: 1/16 g of energy remain.
TEST_P(Patterns, String) {
  const Json record = run("slack_string");
  EXPECT_THAT(times(record, "slack"), near({0.481994283461422}));
  EXPECT_THAT(times(record, "stretched"), near({1.2640561704672}));
  const double phi = record["q"][1].get<double>(), rate = record["v"][1].get<double>();
  EXPECT_NEAR(rate * rate / 2 + 9.81 * (1 - std::cos(phi)), 9.81 / 16, 1e-6);
  EXPECT_NEAR(record["q"][0].get<double>(), 1, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, Patterns, testing::Values(dormand_prince, "radau-iia:s=3", "bdf"),
                         [](const auto& info) { return test_name_of(info.param); });

}  // namespace TEST_FILE
}  // namespace daelab
