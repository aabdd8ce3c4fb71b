// "ok" means right: tolerances in the size of the problem, and warnings where errors are many tolerances.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include "lab/runs/run.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Json pendulum(const std::string& method, const std::string& formulation, const std::string& rtol) {
  return record_of_run(
      {{"problem", "pendulum"}, {"formulation", formulation}, {"method", method}, {"rtol", rtol}, {"t_end", 1}});
}

// Largest error of a component relative to the end of Robertson's problem in the test set.
double robertson_error(const Json& record) {
  const double end[] = {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050};
  double largest = 0;
  for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(record["y"][i].get<double>() / end[i] - 1));
  return largest;
}

// With atol = rtol a negative s2 is within the tolerance, and runs away to -2E7. [HW96, Sec. IV.10]
TEST(DefaultTolerance, IsInTheSizeOfTheComponents) {
  for (const char* method : {"bdf:k=5", "bdf", "radau-iia", "radau-iia:s=5"})
    for (const char* rtol : {"1e-4", "1e-6", "1e-8"}) {
      const Json record = record_of_run({{"problem", "robertson"}, {"method", method}, {"rtol", rtol}});
      EXPECT_EQ(record["status"], "ok");
      // 30 tolerances are a margin: measured 2.5 at 1e-4.
      EXPECT_LT(robertson_error(record), 30 * std::stod(rtol)) << method << " " << rtol;
      EXPECT_THAT(kinds_of_warnings(record), Each("accumulation"));  // of BDF with many steps
    }
  const Json e5 = record_of_run({{"problem", "e5"}, {"method", "bdf"}, {"rtol", "1e-6"}});
  EXPECT_NEAR(e5["y"][1].get<double>() / 8.861233521e-23, 1, 2e-3);  // round-off leaves three digits in double
}

TEST(DefaultTolerance, LeavesGivenOnesAndOtherProblemsAlone) {
  const auto atol = [](const Json& spec) { return Run::bind(spec, "")->json()["atol"]; };
  EXPECT_EQ(atol({{"problem", "robertson"}, {"method", "bdf"}, {"rtol", "1e-6"}, {"atol", "1e-9"}}), "1e-9");
  EXPECT_EQ(atol({{"problem", "hires"}, {"method", "bdf"}, {"rtol", "1e-6"}}), "1e-6");
  EXPECT_EQ(Exact(atol({{"problem", "robertson"}, {"method", "bdf"}, {"rtol", "1e-6"}}).get<std::string>()).value(),
            Exact("1e-20").value());
}

TEST(DefaultTolerance, AWarningTellsOfOnesAboveIt) {
  const Json record =
      record_of_run({{"problem", "robertson"}, {"method", "bdf:k=5"}, {"rtol", "1e-6"}, {"atol", "1e-6"}});
  ASSERT_THAT(kinds_of_warnings(record), Contains("loose-atol"));
  EXPECT_THAT(record["warnings"].back()["text"].get<std::string>(), HasSubstr("may diverge"));
}

// Its error is that of 50 digits: no round-off, but N^(2/3) of the tolerance.
TEST(Accumulation, IsSaidOfTheErrorPerStepOfOrderTwo) {
  const Json coarse = pendulum("rkc", "index-1", "1e-10"), fine = pendulum("rkc", "index-1", "1e-12");
  // Measured within 0.06.
  EXPECT_NEAR(coarse["error"]["q"].get<double>() / fine["error"]["q"].get<double>(), std::pow(100, 2.0 / 3), 0.5);
  EXPECT_THAT(kinds_of_warnings(coarse), Contains("accumulation"));
  EXPECT_THAT(coarse["warnings"][0]["text"].get<std::string>(), HasSubstr("power 2/3"));
  EXPECT_THAT(kinds_of_warnings(pendulum("hht", "index-3", "1e-10")), ElementsAre("accumulation", "algebraic"));
}

TEST(Accumulation, IsNotSaidOfFewStepsOrLocalExtrapolation) {
  EXPECT_THAT(kinds_of_warnings(pendulum("rkc", "index-1", "1e-3")), IsEmpty());
  const Json many = pendulum("runge-kutta:tableau=bogacki-shampine", "index-1", "1e-11");
  EXPECT_GT(many["stats"]["steps"].get<long>(), 1000);  // measured 9400
  EXPECT_THAT(kinds_of_warnings(many), IsEmpty());
  EXPECT_LT(many["error"]["q"].get<double>(), 1e-10);  // ten tolerances: measured 1.4
}

// On ggl velocities are tested too: errors are in proportion to the tolerance.
TEST(Accumulation, IsNotSaidOfEstimatesOfTheOrderOfTheError) {
  const Json coarse = pendulum("generalized-alpha", "ggl", "1e-5"), fine = pendulum("generalized-alpha", "ggl", "1e-6");
  EXPECT_GT(fine["stats"]["steps"].get<long>(), 1000);  // measured 1700
  // Measured within 0.02.
  EXPECT_NEAR(coarse["error"]["q"].get<double>() / fine["error"]["q"].get<double>(), 10, 3);
  EXPECT_THAT(kinds_of_warnings(fine), IsEmpty());
}

// BDF and Fehlberg's pairs go on with the solution whose error is estimated; Dormand and Prince with the better one.
TEST(Accumulation, IsSaidOfEveryMethodThatGoesOnWithWhatItEstimates) {
  const auto to_ten = [](const char* method, const char* formulation, const char* rtol) {
    const Json record =
        record_of_run({{"problem", "pendulum"}, {"formulation", formulation}, {"method", method}, {"rtol", rtol}});
    EXPECT_GT(record["stats"]["steps"].get<long>(), 500) << method;  // enough to accumulate over: measured 530 and more
    return record;
  };
  const Json bdf = to_ten("bdf", "index-3", "1e-8");
  ASSERT_THAT(kinds_of_warnings(bdf), ElementsAre("accumulation"));
  EXPECT_THAT(bdf["warnings"][0]["text"].get<std::string>(), HasSubstr("power 5/6"));
  EXPECT_THAT(kinds_of_warnings(to_ten("runge-kutta:tableau=fehlberg-45", "projected", "1e-8")),
              ElementsAre("accumulation"));
  EXPECT_THAT(kinds_of_warnings(to_ten("runge-kutta:tableau=dormand-prince", "projected", "1e-9")), IsEmpty());
}

// Two stages of order 2 and an estimate of order 3: 16 000 tolerances off were said to be ok.
// Bound: 100 tolerances. Measured 411.
TEST(Accumulation, IsSaidOfImplicitRungeKuttaMethods) {
  const Json record = pendulum("pade-block:r=2", "index-3", "1e-8");
  EXPECT_THAT(kinds_of_warnings(record), ElementsAre("accumulation", "algebraic"));
  EXPECT_GT(record["error"]["q"].get<double>(), 100e-8);
  EXPECT_THAT(kinds_of_warnings(pendulum("radau-iia:s=1", "index-2", "1e-6")), Contains("accumulation"));
  EXPECT_THAT(kinds_of_warnings(pendulum("radau-iia", "index-3", "1e-8")), ElementsAre("algebraic"));
  EXPECT_THAT(kinds_of_warnings(pendulum("lobatto-iiic", "ggl", "1e-8")), IsEmpty());
}

// Of order 4 with an estimate of order h^4: better than it says, by h. On index 3 it is of order 3, and is not.
TEST(Accumulation, FollowsFromTheOrderOnTheForm) {
  const auto to_ten = [](const char* formulation) {
    return record_of_run(
        {{"problem", "pendulum"}, {"formulation", formulation}, {"method", "pade-block:r=3"}, {"rtol", "1e-8"}});
  };
  const Json good = to_ten("index-2"), bad = to_ten("index-3");
  EXPECT_THAT(kinds_of_warnings(good), Not(Contains("accumulation")));
  EXPECT_THAT(kinds_of_warnings(bad), Contains("accumulation"));
  EXPECT_GT(bad["error"]["q"].get<double>(), 100 * good["error"]["q"].get<double>());  // measured 310
}

// 230 steps, 82 steps: few, but of order 2.
// Bound of the error: 100 tolerances. Measured 138.
TEST(Accumulation, IsSaidOfFewStepsOfLowOrder) {
  const Json record = pendulum("generalized-alpha", "index-3", "1e-6");
  EXPECT_LT(record["stats"]["steps"].get<long>(), 300);
  EXPECT_THAT(kinds_of_warnings(record), ElementsAre("accumulation", "algebraic"));
  EXPECT_GT(record["error"]["q"].get<double>(), 100e-6);
  EXPECT_THAT(kinds_of_warnings(record_of_run({{"problem", "link-chain"}, {"method", "hht"}, {"rtol", "1e-4"}})),
              Contains("accumulation"));
}

// What it says is what it is: the sum of the estimates of the accepted steps.
TEST(Accumulation, IsTheSumOfTheEstimates) {
  const Json record = record_of_run({{"problem", "pendulum"},
                                     {"formulation", "index-2"},
                                     {"method", "hht"},
                                     {"rtol", "1e-6"},
                                     {"t_end", 1},
                                     {"history", true}});
  double sum = 0;
  for (std::size_t i = 0; i < record["history"]["error"].size(); ++i)
    if (record["history"]["outcome"][i] == "accepted") sum += record["history"]["error"][i].get<double>();
  EXPECT_THAT(record["warnings"][0]["text"].get<std::string>(), HasSubstr(fmt::format("add up to {:.2g} toler", sum)));
}

// On index 1 an error of C'' is integrated twice: the distance from the circle is part of the error of q.
TEST(Drift, IsSaidOfTheDistanceFromTheConstraints) {
  const auto to_ten = [](const char* formulation) {
    return record_of_run({{"problem", "pendulum"},
                          {"formulation", formulation},
                          {"method", "runge-kutta:tableau=fehlberg-45"},
                          {"rtol", "1e-8"}});
  };
  const Json record = to_ten("index-1");
  ASSERT_THAT(kinds_of_warnings(record), Contains("drift"));
  const double x = record["q"][0], y = record["q"][1], off = std::abs(std::hypot(x, y) - 1);
  EXPECT_THAT(record["warnings"].back()["text"].get<std::string>(), HasSubstr("tolerances off the constraints"));
  EXPECT_GT(off, 100e-8);  // 100 tolerances: measured 2900
  EXPECT_GT(record["error"]["q"].get<double>(), off / 2);
  EXPECT_THAT(kinds_of_warnings(to_ten("projected")), Not(Contains("drift")));
}

// As many constraints as coordinates: the estimate must not be what is left of it on the constraints, nothing.
TEST(DeterminedMotion, IsFollowedByImplicitRungeKuttaMethods) {
  for (const char* problem : {"driven-mass", "driven-crank"})
    for (const char* formulation : {"index-3", "ggl", "stabilized-index-1"})
      for (const char* method : {"radau-iia", "lobatto-iiic", "pade-block"}) {
        SCOPED_TRACE(testing::Message() << problem << " " << formulation << " " << method);
        const Json record =
            record_of_run({{"problem", problem}, {"formulation", formulation}, {"method", method}, {"rtol", "1e-6"}});
        ASSERT_EQ(record["status"], "ok");
        EXPECT_LT(record["error"]["q"].get<double>(), 1e-6);  // the tolerance: measured 2e-11
        EXPECT_LT(record["error"]["v"].get<double>(), 2e-4);  // was 1E-3 to 5E-2, and 8 pi of angles
      }
}

// The step end of Gauss methods is no stage and off the constraints. The estimate took the distance for an error of the
// step, and no step was small enough: step-too-small on 16 of 24 pairs of problems and forms.
TEST(StepEndOffTheConstraints, IsNoErrorOfTheStep) {
  for (const char* problem : {"pendulum", "two-link-arm", "seven-body"})
    for (const char* formulation : {"index-2", "ggl"}) {
      SCOPED_TRACE(testing::Message() << problem << " " << formulation);
      const Json record =
          record_of_run({{"problem", problem}, {"formulation", formulation}, {"method", "gauss"}, {"rtol", "1e-6"}});
      ASSERT_EQ(record["status"], "ok") << record["cause"];
      EXPECT_LT(record["error"]["q"].get<double>(), 2e-6);  // two tolerances: measured 1.06
    }
}

// R(infinity) = 1 adds up what -1 takes away, and on index 3 the distance grows.
TEST(StepEndOffTheConstraints, IsRefusedWhereItStays) {
  for (const auto& [method, formulation] :
       {std::pair("gauss:s=2", "index-2"), {"gauss:s=2", "ggl"}, {"gauss:s=3", "index-3"}, {"gauss:s=2", "index-3"}}) {
    const Json record =
        record_of_run({{"problem", "pendulum"}, {"formulation", formulation}, {"method", method}, {"rtol", "1e-6"}});
    EXPECT_EQ(record["status"], "not-applicable") << method << " " << formulation;
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("leaves the constraints"));
  }
  // There is nothing to leave without constraints.
  EXPECT_EQ(pendulum("gauss:s=2", "index-1", "1e-6")["status"], "ok");
  EXPECT_EQ(
      record_of_run(
          {{"problem", "heavy-top"}, {"formulation", "index-3"}, {"method", "gauss:s=2"}, {"rtol", "1e-6"}})["status"],
      "ok");
}

// The inverse of the coefficients of ten equal nodes amplifies round-off 2400 times, to half a tolerance of 1E-12: no
// correction became smaller, and no step was small enough.
TEST(AccuracyFloor, IsThatOfTheStages) {
  const Json record = record_of_run(
      {{"problem", "motor-crank"}, {"formulation", "ggl"}, {"method", "pade-block:r=10"}, {"rtol", "1e-12"}});
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_LT(record["error"]["q"].get<double>(), 1e-12);  // the tolerance: measured 1.4e-14
  ASSERT_THAT(kinds_of_warnings(record), ElementsAre("accuracy-floor"));
  EXPECT_THAT(record["warnings"][0]["text"].get<std::string>(), HasSubstr("below rtol = 5e-13"));
}

// eps |q|/h against the tolerance of v: below 2E-12 errors of q, 5E-8, do not fall any more, while they go down to 4E-9
// in 50 digits.
TEST(AccuracyFloor, IsNamedWhereRoundOffTakesOver) {
  for (const char* method : {"hht", "generalized-alpha"}) {
    SCOPED_TRACE(method);
    EXPECT_THAT(kinds_of_warnings(pendulum(method, "index-3", "1e-10")), ElementsAre("accumulation", "algebraic"));
    for (const char* rtol : {"1e-13", "1e-14"}) {
      const Json record = pendulum(method, "index-3", rtol);
      ASSERT_THAT(kinds_of_warnings(record), ElementsAre("accuracy-floor", "accumulation", "algebraic"));
      EXPECT_THAT(record["warnings"][0]["text"].get<std::string>(),
                  testing::AnyOf(HasSubstr("below rtol = 1e-12"), HasSubstr("below rtol = 2e-12")));
      EXPECT_GT(record["error"]["q"].get<double>(), 1e-8);  // measured 2.6e-8 and more
    }
  }
  EXPECT_THAT(kinds_of_warnings(pendulum("hht", "index-1", "1e-13")), ElementsAre("accumulation", "drift"));
}

}  // namespace TEST_FILE
}  // namespace daelab
