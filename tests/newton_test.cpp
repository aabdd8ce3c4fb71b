// Newton's method on scalar targets whose iterates are known: rates, tests, the round-off floor, failures.
#include "core/solvers/newton.hpp"
#include "tests/newton_support.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// f(x) = 0 with f' given; records every correction.
template <class T>
class Scalar final : public NewtonTarget<T> {
 public:
  using Function = std::function<T(const T&)>;
  Scalar(T x0, Function f, Function slope) : x(std::move(x0)), f_(std::move(f)), slope_(std::move(slope)) {}

  Status linearize() override {
    ++linearizations;
    jacobian_ = slope_(x);
    if (jacobian_ == T(0)) return {StatusCode::singular, "f' = 0"};
    return {};
  }
  Status evaluate() override {
    ++evaluations;
    residual_ = f_(x);
    return evaluation_status;
  }
  void correct(const T& relaxation) override {
    corrections.push_back(relaxation * residual_ / jacobian_);
    x -= corrections.back();
  }
  T residual_size() override { return abs_of(residual_); }
  T correction_size() override { return abs_of(corrections.back()); }

  T x;
  std::vector<T> corrections;
  int linearizations = 0, evaluations = 0;
  Status evaluation_status;

 private:
  static T abs_of(const T& value) { return value < T(0) ? T(-value) : value; }
  Function f_, slope_;
  T jacobian_{1}, residual_{0};
};

NewtonOptions options(const char* name, const char* tolerance = nullptr) {
  NewtonOptions o = newton_options(name);
  if (tolerance) o.tolerance = tolerance;
  return o;
}

#ifndef DAELAB_DOUBLE_ONLY
// x^2 = 2 from 3/2: e_(k+1) = e_k^2/(2 x_k).
Scalar<Real50> square_root() {
  return {Real50(1.5), [](const Real50& x) { return Real50(x * x - 2); },
          [](const Real50& x) { return Real50(2 * x); }};
}

TEST(Newton, FullConvergesQuadratically) {
  Scalar<Real50> target = square_root();
  Statistics statistics;
  ASSERT_TRUE(newton<Real50>(NewtonSettings<Real50>(options("full", "1e-45")), target, false, statistics).ok());
  EXPECT_LT(abs(target.x - sqrt(Real50(2))), 2 * epsilon<Real50>());
  // Errors 9e-2, 2e-3, 2e-6, 2e-12, 1e-24, 1e-48: the corrections are those, so the sixth is below 1e-45.
  EXPECT_EQ(statistics.newton_iterations, 6);
  EXPECT_EQ(target.linearizations, 6) << "one in every iteration";
  for (std::size_t k = 1; k < 5; ++k) {
    const Real50 ratio = target.corrections[k] / (target.corrections[k - 1] * target.corrections[k - 1]);
    // The limit is 0.354, of errors that are not yet small.
    EXPECT_NEAR(static_cast<double>(abs(ratio)), 1 / (2 * std::sqrt(2.0)), 0.02);
  }
}

// With the slope frozen at 3: e_(k+1) = e_k (1 - 2 sqrt(2)/3) = 0.057 e_k in the limit.
TEST(Newton, SimplifiedConvergesLinearlyWithOneJacobian) {
  Scalar<Real50> target = square_root();
  Statistics statistics;
  ASSERT_TRUE(newton<Real50>(NewtonSettings<Real50>(options("simplified", "2e-25")), target, false, statistics).ok());
  EXPECT_EQ(target.linearizations, 1);
  const double theta = 1 - 2 * std::sqrt(2.0) / 3;
  const std::size_t last = target.corrections.size() - 1;
  // The limit, after some 20 iterations.
  EXPECT_NEAR(static_cast<double>(abs(target.corrections[last] / target.corrections[last - 1])), theta, 1e-6);
  // theta/(1 - theta) |correction| <= 2e-25 bounds the error, one iteration before the correction itself does.
  EXPECT_LT(abs(target.x - sqrt(Real50(2))), Real50("2e-25"));
  EXPECT_GT(abs(target.corrections[last]), Real50("2e-25")) << "stopped by the rate, not by the bare correction";
}
#endif

TEST(Newton, UsesAFactorisationAtHand) {
  Scalar<double> target(
      1.0, [](const double& x) { return x - 3; }, [](const double&) { return 7.0; });
  Statistics statistics;  // the target's own initial slope is 1, which is exact here
  ASSERT_TRUE(newton<double>(NewtonSettings<double>(options("simplified")), target, true, statistics).ok());
  EXPECT_EQ(target.linearizations, 0);
  EXPECT_EQ(target.x, 3);
}

// The increment test looks at the change of x, the residual test at f: with f' = 1e-6 they differ by that.
TEST(Newton, TestsTheIncrementOrTheResidual) {
  const auto iterations = [](NewtonTest test) {
    Scalar<double> target(
        1.0, [](const double& x) { return 1e-6 * (x * x - 2); }, [](const double& x) { return 2e-6 * x; });
    NewtonOptions o = options("full", "1e-7");
    o.test = test;
    Statistics statistics;
    EXPECT_TRUE(newton<double>(NewtonSettings<double>(o), target, false, statistics).ok());
    return std::pair(statistics.newton_iterations, target.x);
  };
  const auto [increments, x] = iterations(NewtonTest::increment);
  const auto [residuals, y] = iterations(NewtonTest::residual);
  // x = 1, 1.5, 1.4167, 1.414216: f = 1e-6 (0.25, 0.007, ...), so |f| <= 1e-7 holds at the third iterate.
  EXPECT_EQ(residuals, 2);
  EXPECT_NEAR(y, 17.0 / 12, 1e-15);
  EXPECT_EQ(increments, 5) << "changes 0.5, 0.08, 2e-3, 2e-6, 2e-12";
  EXPECT_EQ(x, std::sqrt(2.0));
}

TEST(Newton, AResidualThatIsSmallAtOnceNeedsNoCorrection) {
  Scalar<double> target(
      2.0, [](const double& x) { return x - 2; }, [](const double&) { return 1.0; });
  NewtonOptions o = options("simplified", "1e-12");
  o.test = NewtonTest::residual;
  Statistics statistics;
  ASSERT_TRUE(newton<double>(NewtonSettings<double>(o), target, false, statistics).ok());
  EXPECT_EQ(statistics.newton_iterations, 0);
}

TEST(Newton, ToleranceDefaultsToAHundredUnitsOfRoundOff) {
  EXPECT_EQ(NewtonSettings<double>(options("full")).tolerance, 100 * epsilon<double>());
#ifndef DAELAB_DOUBLE_ONLY
  EXPECT_EQ(NewtonSettings<Real50>(options("full")).tolerance, 100 * epsilon<Real50>());
  EXPECT_EQ(NewtonSettings<Real50>(options("full", "0.1")).tolerance, Real50(1) / 10)
      << "decimal, not through a double";
#endif
}

// A frozen slope of the wrong size contracts by 0.9: the tolerance is out of reach in the iterations allowed.
TEST(Newton, GivesUpAfterTheAllowedIterations) {
  Scalar<double> target(
      1.0, [](const double& x) { return x; }, [](const double&) { return 10.0; });
  NewtonOptions o = options("simplified", "1e-12");
  o.max_iterations = 7;
  Statistics statistics;
  const Status status = newton<double>(NewtonSettings<double>(o), target, false, statistics);
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_THAT(status.cause, AllOf(HasSubstr("7 iterations"), HasSubstr("5.3e-02")));  // 0.1 * 0.9^6
  EXPECT_EQ(statistics.newton_iterations, 7);
}

// Slope 1/4 for f = x: corrections 4, -12, 36, ...: they grow, and the iteration does not wait for the limit.
TEST(Newton, GivesUpAtOnceWhenItGrows) {
  Scalar<double> target(
      1.0, [](const double& x) { return x; }, [](const double&) { return 0.25; });
  Statistics statistics;
  const Status status = newton<double>(NewtonSettings<double>(options("simplified")), target, false, statistics);
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_THAT(status.cause, HasSubstr("grows"));
  EXPECT_EQ(statistics.newton_iterations, 2);
}

// Full Newton cycles on x^3 - 2x + 2 from 0: 0, 1, 0, 1, ...
TEST(Newton, FullGivesUpOnACycle) {
  Scalar<double> target(
      0.0, [](const double& x) { return x * x * x - 2 * x + 2; }, [](const double& x) { return 3 * x * x - 2; });
  Statistics statistics;
  const Status status = newton<double>(NewtonSettings<double>(options("full")), target, false, statistics);
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_EQ(statistics.newton_iterations, 25);
}

// A residual with noise of 1e-10 never meets 1e-14; corrections below sqrt(eps) = 1.5e-8 that stop shrinking
// are the floor, and the iteration has converged as far as it can.
TEST(Newton, TheRoundOffFloorCountsAsConverged) {
  for (const char* name : {"full", "simplified"}) {
    int sign = 1;
    Scalar<double> target(
        1.5, [&sign](const double& x) { return x * x - 2 + 1e-10 * (sign = -sign); },
        [](const double& x) { return 2 * x; });
    Statistics statistics;
    const Status status = newton<double>(NewtonSettings<double>(options(name, "1e-14")), target, false, statistics);
    EXPECT_TRUE(status.ok()) << name << ": " << status.cause;
    EXPECT_LT(statistics.newton_iterations, 15) << name;   // measured 12
    EXPECT_NEAR(target.x, std::sqrt(2.0), 1e-10) << name;  // the noise
  }
}

// Corrections of given sizes.
class Prescribed final : public NewtonTarget<double> {
 public:
  explicit Prescribed(std::vector<double> sizes) : sizes_(std::move(sizes)) {}
  Status linearize() override { return {}; }
  Status evaluate() override { return {}; }
  void correct(const double& /*relaxation*/) override { ++corrections; }
  double residual_size() override { return 1; }
  double correction_size() override { return sizes_.at(static_cast<std::size_t>(corrections - 1)); }
  bool is_round_off() override { return corrections_are_round_off; }
  int corrections = 0;
  bool corrections_are_round_off = false;

 private:
  std::vector<double> sizes_;
};

// With one Jacobian a step and a good guess the corrections of index 3 are small at once and may grow for an
// iteration or two before they shrink: that is no floor. Three without progress are.
TEST(Newton, PassingGrowthIsNotTheFloor) {
  Statistics statistics;
  const NewtonSettings<double> settings(options("simplified", "1e-13"));
  Prescribed growing({6e-9, 9e-9, 1.1e-8, 4e-10, 2e-11, 1e-12, 5e-14});
  EXPECT_TRUE(newton<double>(settings, growing, false, statistics).ok());
  EXPECT_EQ(growing.corrections, 6) << "1e-12 at a rate of 1/20: the error is below 1e-13";
  Prescribed stuck({1e-12, 5e-13, 6e-13, 5e-13, 7e-13, 0});
  EXPECT_TRUE(newton<double>(settings, stuck, false, statistics).ok());
  EXPECT_EQ(stuck.corrections, 5);
  // Noise may more than double: below sqrt(eps) that is no divergence.
  Prescribed noisy({1e-12, 2e-13, 5e-13, 2.1e-13, 6e-13, 0});
  EXPECT_TRUE(newton<double>(NewtonSettings<double>(options("simplified", "1e-14")), noisy, false, statistics).ok());
  EXPECT_EQ(noisy.corrections, 5);
}

// Noise of 1e-6 is above sqrt(eps): no floor of round-off, but a failure.
TEST(Newton, StagnationAboveTheFloorIsNotConvergence) {
  int sign = 1;
  Scalar<double> target(
      1.5, [&sign](const double& x) { return x * x - 2 + 1e-6 * (sign = -sign); },
      [](const double& x) { return 2 * x; });
  Statistics statistics;
  EXPECT_EQ(newton<double>(NewtonSettings<double>(options("full", "1e-14")), target, false, statistics).code,
            StatusCode::newton_diverged);
}

// In tolerances the floor may be as high as round-off is: the target knows.
TEST(Newton, StagnationAtTheRoundOffOfTheTargetIsConvergence) {
  const std::vector<double> sizes{1, 0.2, 0.05, 0.06, 0.055, 0.06, 0.05, 0.06, 0.05, 0.06};
  const auto end = [&sizes](const char* name, bool is_round_off) {
    Prescribed target(sizes);
    target.corrections_are_round_off = is_round_off;
    NewtonOptions o = options(name);
    o.max_iterations = static_cast<int>(sizes.size());
    NewtonSettings<double> settings(o);
    settings.use_error_tolerances();
    Statistics statistics;
    const Status status = std::string(name) == "quasi" ? QuasiNewton<double>(settings).solve(target, 0, statistics)
                                                       : newton<double>(settings, target, false, statistics);
    return std::pair(status.ok(), target.corrections);
  };
  EXPECT_EQ(end("full", true), std::pair(true, 4)) << "the first that is not half of the last";
  EXPECT_EQ(end("quasi", true), std::pair(true, 4)) << "the first that does not shrink";
  EXPECT_EQ(end("simplified", true), std::pair(true, 6)) << "the third in succession";
  for (const char* name : {"full", "quasi", "simplified"}) EXPECT_FALSE(end(name, false).first) << name;
}

TEST(Newton, DetectsCorrectionsThatAreNotFinite) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const char* name : {"full", "simplified"}) {
      Scalar<double> target(
          1.0, [bad](const double&) { return bad; }, [](const double&) { return 1.0; });
      Statistics statistics;
      EXPECT_EQ(newton<double>(NewtonSettings<double>(options(name)), target, false, statistics).code,
                StatusCode::non_finite);
    }
}

// NaN residuals must not pass the residual test either.
TEST(Newton, NotANumberFailsTheResidualTest) {
  Scalar<double> target(
      1.0, [](const double&) { return std::numeric_limits<double>::quiet_NaN(); }, [](const double&) { return 1.0; });
  NewtonOptions o = options("full");
  o.test = NewtonTest::residual;
  Statistics statistics;
  EXPECT_EQ(newton<double>(NewtonSettings<double>(o), target, false, statistics).code, StatusCode::non_finite);
}

TEST(Newton, PassesOnFailuresOfTheTarget) {
  Statistics statistics;
  Scalar<double> flat(
      0.0, [](const double& x) { return x; }, [](const double&) { return 0.0; });
  EXPECT_EQ(newton<double>(NewtonSettings<double>(options("full")), flat, false, statistics).code,
            StatusCode::singular);
  Scalar<double> broken(
      0.0, [](const double& x) { return x; }, [](const double&) { return 1.0; });
  broken.evaluation_status = {StatusCode::singular, "no residual here"};
  EXPECT_EQ(newton<double>(NewtonSettings<double>(options("full")), broken, false, statistics).cause,
            "no residual here");
  EXPECT_TRUE(broken.corrections.empty());
}

TEST(NewtonOptions, BadOptionsNameThePointerTheAllowedAndTheNearest) {
  const auto reading = [](const char* text) {
    return [text] { NewtonOptions{}.options().read(Json::parse(text), "/newton"); };
  };
  const auto refused = [](auto... parts) { return ThrowsMessage<InputError>(AllOf(HasSubstr(parts)...)); };
  EXPECT_THAT(reading(R"({"name": "simplifed"})"),
              refused("/newton/name: ", "automatic, full, modified, simplified", "did you mean 'simplified'?"));
  EXPECT_THAT(reading(R"({"test": "incremnt"})"), refused("/newton/test: ", "increment, residual", "'increment'"));
  EXPECT_THAT(reading(R"({"norm": "l2"})"), refused("/newton/norm: ", "scaled, max, two"));
  EXPECT_THAT(reading(R"({"tolerance": 0})"), refused("/newton/tolerance: ", "above 0"));
  EXPECT_THAT(reading(R"({"max_iterations": 0})"), refused("/newton/max_iterations: ", "1 to 1000"));
  EXPECT_THAT(reading(R"({"jacobian": "once"})"), refused("/newton/jacobian: ", "every-step, reused"));
  EXPECT_THAT(reading(R"({"guess": "zero"})"), refused("/newton/guess: ", "constant, extrapolated"));
  EXPECT_THAT(reading(R"({"tolerence": 1})"), refused("/newton/tolerence: ", "did you mean 'tolerance'?"));
}

}  // namespace TEST_FILE
}  // namespace daelab
