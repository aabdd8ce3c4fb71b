// The quasi-Newton iteration on corrections of given sizes: monitor, renewal and reuse of the Jacobian, relaxation,
// round-off floor, failures.
#include <gmock/gmock.h>

#include "core/solvers/newton.hpp"
#include "lab/runs/run.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Corrections of given sizes; records at which of them the Jacobian was renewed.
class Prescribed final : public NewtonTarget<double> {
 public:
  explicit Prescribed(std::vector<double> sizes, double residual = 1) : sizes_(std::move(sizes)), residual_(residual) {}
  Status linearize() override {
    renewed_at.push_back(relaxations.size());
    return linearize_status;
  }
  Status evaluate() override { return evaluate_status; }
  void correct(const double& relaxation) override { relaxations.push_back(relaxation); }
  double residual_size() override { return residual_; }
  double correction_size() override { return sizes_.at(relaxations.size() - 1); }

  std::vector<std::size_t> renewed_at;
  std::vector<double> relaxations;  // one per correction
  Status linearize_status, evaluate_status;

 private:
  std::vector<double> sizes_;
  double residual_;
};

// In units of the error tolerance: a thousandth is asked for, a hundredth is the floor.
QuasiNewton<double> quasi_newton(NewtonOptions options = {}) {
  NewtonSettings<double> settings(options);
  settings.use_error_tolerances();
  return QuasiNewton<double>(settings);
}

Status solve(QuasiNewton<double>& iteration, Prescribed& target, double ratio = 0) {
  Statistics statistics;
  const Status status = iteration.solve(target, ratio, statistics);
  EXPECT_EQ(statistics.newton_iterations, static_cast<long>(target.relaxations.size()));
  return status;
}

// sigma = 1/10: the error after the third correction is below sigma / (1 - sigma) 5e-3 = 5.6e-4.
TEST(QuasiNewton, StopsByTheBoundOnTheErrorNotByTheCorrection) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed target({0.5, 0.05, 5e-3, 5e-4});
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_EQ(target.relaxations.size(), 3u);
  EXPECT_THAT(target.renewed_at, ElementsAre(0));
}

TEST(QuasiNewton, ASmallFirstCorrectionIsEnough) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed small({9e-5}), larger({2e-4, 1e-5});
  EXPECT_TRUE(solve(iteration, small).ok());
  EXPECT_TRUE(solve(iteration, larger).ok());
  EXPECT_EQ(small.relaxations.size(), 1u);
  EXPECT_EQ(larger.relaxations.size(), 2u) << "the rate of the first correction is not known";
}

// The rate is remembered at half its size: after one lucky correction the bound is still that of sigma = 0.4.
TEST(QuasiNewton, OneLuckyCorrectionDoesNotLowerTheRateByMoreThanHalf) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed target({0.1, 0.08, 2e-3, 2e-3 * 0.1, 0});
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_EQ(target.relaxations.size(), 4u) << "0.4 / 0.6 * 2e-3 > 1e-3 although 2e-3 / 0.08 is 1/40";
}

TEST(QuasiNewton, RenewsTheJacobianWhenCorrectionsShrinkByLessThanATenth) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed target({1e-1, 0.91e-1, 1e-2, 1e-6});
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_THAT(target.renewed_at, ElementsAre(0, 2));
}

// sigma = 0.8 leaves 4 * 0.8 * 0.8^3 = 1.6 tolerances after five corrections, more than half a one.
TEST(QuasiNewton, RenewsTheJacobianWhenFiveCorrectionsWillNotDo) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed target({1, 0.8, 1e-2, 1e-6});
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_THAT(target.renewed_at, ElementsAre(0, 2));
}

// sigma = 1/2 promises 1/16, and delivers that: too much after five.
TEST(QuasiNewton, RenewsTheJacobianAfterFiveCorrections) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed target({1, 0.5, 0.25, 0.125, 0.0625, 1e-2, 1e-6});
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_THAT(target.renewed_at, ElementsAre(0, 5));
}

// sigma r + |r - 1| <= 1/3 with sigma = 1/10.
TEST(QuasiNewton, ReusesAFactorisationForSimilarSteps) {
  QuasiNewton<double> iteration = quasi_newton();
  EXPECT_FALSE(iteration.reusable(1)) << "nothing is at hand";
  Prescribed target({0.5, 0.05, 5e-3});
  ASSERT_TRUE(solve(iteration, target).ok());
  for (const double near : {0.75, 1.0, 1.2}) EXPECT_TRUE(iteration.reusable(near)) << near;
  for (const double far : {0.0, 0.7, 1.25, -1.0}) EXPECT_FALSE(iteration.reusable(far)) << far;
  Prescribed next({0.1, 9e-5}), forced({1e-5});
  ASSERT_TRUE(solve(iteration, next, 1.2).ok());
  EXPECT_TRUE(next.renewed_at.empty());
  ASSERT_TRUE(solve(iteration, forced, 0).ok());
  EXPECT_THAT(forced.renewed_at, ElementsAre(0)) << "0 says that there is no factorisation";
}

TEST(QuasiNewton, ASlowIterationIsNotReused) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed slow({4e-3, 1.5e-3, 5e-4});
  ASSERT_TRUE(solve(iteration, slow).ok());
  EXPECT_FALSE(iteration.reusable(1)) << "sigma = 0.375";
}

TEST(QuasiNewton, RelaxesOnlyCorrectionsOfAnotherStepSize) {
  NewtonOptions options;
  options.relaxation = Relaxation::second_order;
  QuasiNewton<double> relaxed = quasi_newton(options), plain = quasi_newton();
  for (QuasiNewton<double>* iteration : {&relaxed, &plain}) {
    Prescribed first({1e-1, 1e-3, 1e-6});
    ASSERT_TRUE(solve(*iteration, first).ok());
    EXPECT_THAT(first.relaxations, Each(1.0));
  }
  Prescribed reused({1e-1, 1e-3, 1e-6}), unrelaxed({1e-1, 1e-3, 1e-6}), renewed({1e-1, 0.99e-1, 1e-3, 1e-6});
  ASSERT_TRUE(solve(relaxed, reused, 1.25).ok());
  EXPECT_THAT(reused.relaxations, Each(2 / (1 + 1.25 * 1.25)));
  ASSERT_TRUE(solve(plain, unrelaxed, 1.25).ok());
  EXPECT_THAT(unrelaxed.relaxations, Each(1.0));
  ASSERT_TRUE(solve(relaxed, renewed, 1.25).ok());
  EXPECT_EQ(renewed.relaxations[1], 2 / (1 + 1.25 * 1.25));
  EXPECT_EQ(renewed.relaxations[2], 1.0) << "the new factorisation is that of the step";
}

TEST(QuasiNewton, RelaxesAsPrintedWhereAsked) {
  NewtonOptions options;
  options.options().read({{"relaxation", "printed"}}, "/newton");
  QuasiNewton<double> iteration = quasi_newton(options);
  Prescribed first({1e-1, 1e-3, 1e-6}), reused({1e-1, 1e-3, 1e-6});
  ASSERT_TRUE(solve(iteration, first).ok());
  ASSERT_TRUE(solve(iteration, reused, 1.25).ok());
  EXPECT_THAT(reused.relaxations, Each(2 * 1.25 / (1 + 1.25)));
}

// Counts decide between the factors: on the seven-body mechanism, which is not stiff, each of them shortens corrections
// that are long enough, the printed one less. [Ren20, Sec. 5.1]; measured 1240, 1387 and 1554 iterations.
TEST(QuasiNewton, RelaxationCostsIterationsWhereNothingIsStiff) {
  const auto iterations = [](const char* newton) {
    const Json record = Run::bind({{"problem", "seven-body"},
                                   {"t_end", "3/100"},
                                   {"formulation", "index-3"},
                                   {"method", "bdf"},
                                   {"newton", newton},
                                   {"rtol", "1e-6"}},
                                  "")
                            ->execute()
                            .record;
    EXPECT_EQ(record["status"], "ok");
    return record["stats"]["newton_iterations"].get<long>();
  };
  const long none = iterations("quasi"), printed = iterations("quasi:relaxation=printed");
  EXPECT_LT(none, printed);
  EXPECT_LT(printed, iterations("quasi:relaxation=true"));
}

TEST(QuasiNewton, RelaxationIsTrueFalseOrPrinted) {
  NewtonOptions options;
  for (const Json& value : {Json(false), Json(true), Json("printed")}) {
    options.options().read({{"relaxation", value}}, "/newton");
    EXPECT_EQ(options.options().write()["relaxation"], value);
  }
  EXPECT_THAT(
      [&] {
        options.options().read({{"relaxation", "sqrt"}}, "/newton");
      },
      ThrowsMessage<InputError>(AllOf(HasSubstr("/newton/relaxation"), HasSubstr("true, false or \"printed\""))));
}

TEST(QuasiNewton, SmallCorrectionsThatStopShrinkingAreTheFloor) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed floor({9e-3, 8.9e-3, 0}), above({2e-2, 1.9e-2, 1e-3, 1e-6});
  EXPECT_TRUE(solve(iteration, floor).ok());
  EXPECT_EQ(floor.relaxations.size(), 2u);
  EXPECT_TRUE(solve(iteration, above).ok());
  EXPECT_THAT(above.renewed_at, ElementsAre(0, 2)) << "two hundredths are no round-off";
}

TEST(QuasiNewton, GivesUpWhenCorrectionsGrowWithANewJacobian) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed target({1, 3, 2, 5});
  const Status status = solve(iteration, target);
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_THAT(status.cause, HasSubstr("grows with a new Jacobian"));
  EXPECT_THAT(target.renewed_at, ElementsAre(0, 2)) << "growth with the first one is given another chance";
}

TEST(QuasiNewton, GivesUpAfterTheAllowedIterations) {
  NewtonOptions options;
  options.max_iterations = 6;
  QuasiNewton<double> iteration = quasi_newton(options);
  Prescribed target(std::vector<double>(6, 1.0));
  const Status status = solve(iteration, target);
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_THAT(status.cause, HasSubstr("did not meet its tolerance: last correction 1.0e+00 after 6 iterations"));
}

TEST(QuasiNewton, StartsAnewAfterAFailure) {
  const double bad = std::numeric_limits<double>::quiet_NaN();
  for (const double size : {bad, std::numeric_limits<double>::infinity()}) {
    QuasiNewton<double> iteration = quasi_newton();
    Prescribed good({1e-1, 1e-3, 1e-6}), failing({1e-1, size}), next({1e-5});
    ASSERT_TRUE(solve(iteration, good).ok());
    EXPECT_EQ(solve(iteration, failing, 1).code, StatusCode::non_finite);
    EXPECT_FALSE(iteration.reusable(1));
    ASSERT_TRUE(solve(iteration, next, 1).ok());
    EXPECT_THAT(next.renewed_at, ElementsAre(0));
  }
}

TEST(QuasiNewton, PassesOnFailuresOfTheTarget) {
  QuasiNewton<double> iteration = quasi_newton();
  Prescribed singular({}), broken({});
  singular.linearize_status = {StatusCode::singular, "no pivot"};
  broken.evaluate_status = {StatusCode::not_converged, "no residual here"};
  EXPECT_EQ(solve(iteration, singular).cause, "no pivot");
  EXPECT_EQ(solve(iteration, broken).cause, "no residual here");
  EXPECT_FALSE(iteration.reusable(1));
}

TEST(QuasiNewton, TestsTheResidualWhereAsked) {
  NewtonOptions options;
  options.test = NewtonTest::residual;
  QuasiNewton<double> iteration = quasi_newton(options);
  Prescribed small({}, 1e-4), large({1e-9, 1e-10}, 1);
  EXPECT_TRUE(solve(iteration, small).ok());
  EXPECT_TRUE(small.relaxations.empty());
  EXPECT_THROW(solve(iteration, large), std::out_of_range) << "small corrections do not end it";
}

// With one small component that contracts slowly behind a large one that contracts fast, 1e-6 is not the rate.
TEST(QuasiNewton, TowardsRoundOffAFastRateIsNotTrusted) {
  QuasiNewton<double> iteration{NewtonSettings<double>(NewtonOptions())};  // tolerance 2.2e-14
  Prescribed target({1e-6, 1e-12, 1e-13, 2e-14, 2e-15});
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_EQ(target.relaxations.size(), 4u) << "(1/3) / (2/3) 2e-14 is the first bound below the tolerance";
}

TEST(QuasiNewton, WhatNoLongerShrinksAfterAFastRateIsRoundOff) {
  QuasiNewton<double> iteration{NewtonSettings<double>(NewtonOptions())};
  Prescribed target({1e10, 1e-6, 2e-7, 2e-7, 2e-7});  // all above the floor, the square root of eps
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_EQ(target.relaxations.size(), 4u);
  EXPECT_THAT(target.renewed_at, ElementsAre(0));
}

TEST(QuasiNewton, ANamedToleranceIsKept) {
  NewtonOptions options;
  options.tolerance = "1e-6";
  QuasiNewton<double> iteration = quasi_newton(options);
  Prescribed target({1e-2, 1e-4, 1e-6, 1e-8});
  EXPECT_TRUE(solve(iteration, target).ok());
  EXPECT_EQ(target.relaxations.size(), 3u) << "0.01 / 0.99 * 1e-4 is a little too much";
}

}  // namespace TEST_FILE
}  // namespace daelab
