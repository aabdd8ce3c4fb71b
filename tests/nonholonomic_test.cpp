// Nonholonomic constraints in every form and family of methods: orders, constraints kept, error control, refusals.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, Sec. 12.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Table VII.4.1.
//
// Bounds of 1e-40 and less are round-off in 50 digits.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// ---------------------------------------------------------------- problems

#ifndef DAELAB_DOUBLE_ONLY
// m y'' = mu cos(theta) with y'' = g sin(alpha) sin(2 w t): mu = 2 m g sin(alpha) sin(w t).
TEST(KnifeEdge, IsHeldSidewaysByTheForceOfTheClosedForm) {
  const Real50 t = Real50(7) / 10, weight = Real50("9.81") / 2;
  const ConstrainedMotion motion = known_motion("knife-edge", t);
  EXPECT_LT(abs(motion.lambda[0] - 2 * weight * sin(Real50(2 * t))), Real50("1e-48"));
}

// An upright disc rolls straight on at constant speed.
TEST(RollingDisc, RollsStraightWhenUpright) {
  const Real50 t = Real50(3) / 4;
  const ConstrainedMotion motion =
      known_motion("rolling-disc:inclination=pi/2,inclination_rate=0,precession=0,spin=-4", t);
  const Vector<Real50> q{{2 * t, 0, Real50(1) / 2, 0, Exact("pi/2").as<Real50>(), -4 * t}};
  EXPECT_LT(largest(motion.q - q), 1e-44);  // round-off of extrapolation
  EXPECT_LT(largest(motion.lambda - Vector<Real50>{{Real50("-9.81"), 0, 0}}), 1e-44);
}

// At steady precession W and constant inclination the moments about the contact balance where
//   A W^2 sin cos - (B + m r^2) W sin w = m g r cos.                                     [O'Reilly 1996]
// With m = 1, r = 1/2, theta = pi/4, W = 2: w = -(9.81 sqrt(2)/2 - 1/4)/(3/4 sqrt(2)), spin = w - W cos(theta).
TEST(RollingDisc, PrecessesSteadilyOnACircle) {
  const ConstrainedMotion motion = known_motion(
      "rolling-disc:inclination=pi/4,inclination_rate=0,precession=2,"
      "spin=-(9.81*sqrt(2)/2 - 1/4)/(3*sqrt(2)/4) - sqrt(2)",
      Real50(1));
  EXPECT_LT(abs(motion.q[4] - Exact("pi/4").as<Real50>()), Real50("1e-40"));
  EXPECT_LT(abs(motion.q[3] - 2), Real50("1e-40"));
  EXPECT_LT(std::max(static_cast<double>(abs(motion.a[3])), static_cast<double>(abs(motion.a[4]))), 1e-40);
}
#endif

// ---------------------------------------------------------------- orders

constexpr double open = -1;  // nothing is expected there

struct OrderCase {
  std::string problem, formulation, method;
  PerComponent expected;  // q, v, a, lambda
  std::vector<int> counts{100, 200, 400, 800};
  double within = 0.15;
  friend void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.problem << c.formulation << c.method; }
};
std::string name_of(const testing::TestParamInfo<OrderCase>& info) {
  const OrderCase& c = info.param;
  return test_name_of(c.problem + "_" + c.formulation + "_" + c.method);
}

template <class T>
void expect_orders(const OrderCase& c, const T& end) {
  const PerComponent orders = observed_orders<T>(c.problem, c.formulation, c.method, end, c.counts);
  const char* names[] = {"q", "v", "a", "lambda"};
  for (std::size_t i = 0; i < 4; ++i)
    if (c.expected[i] != open) {
      EXPECT_NEAR(orders[i], c.expected[i], c.within) << names[i];
    }
}

class NonholonomicOrder : public testing::TestWithParam<OrderCase> {};
TEST_P(NonholonomicOrder, IsThatOfTheTheory) { expect_orders<double>(GetParam(), 0.5); }

// The forms of one problem; alone, G is of index 2 in the index-3 form as well.
std::vector<OrderCase> order_cases() {
  const PerComponent two{2, 2, 2, 2}, three{3, 3, 3, 3}, four{4, 4, 4, 4};
  std::vector<OrderCase> cases;
  for (const std::string problem : {"knife-edge", "rolling-disc"}) {
    // The edge turns uniformly, theta = w t without error: a and lambda are of higher order by accident.
    const auto add = [&](const std::string& form, const std::string& method, PerComponent expected) {
      if (problem == "knife-edge") expected[2] = expected[3] = open;
      cases.push_back({problem, form, method, expected});
    };
    for (const std::string form : {"index-3", "index-2", "index-1", "ggl", "stabilized-index-1"}) {
      add(form, "generalized-alpha:rho=4/5", two);
      add(form, "bdf:k=2", two);
      add(form, "bdf:k=3", three);
    }
    // [HW96]: 2 s - 1 in (q, v), s in what is of index 2.
    for (const std::string form : {"index-2", "ggl"}) add(form, "radau-iia:s=2", {3, 3, 2, 2});
    for (const std::string form : {"index-1", "stabilized-index-1"}) add(form, "radau-iia:s=2", three);
    // [HW96]: order s of an even number of Gauss stages on index 2, 2 s on index 1.
    add("index-2", "gauss:s=2", {open, 2, 2, 2});
    add("index-1", "gauss:s=2", four);
    add("index-2", "pade-block:r=3", {4, 4, 3, 3});
    for (const std::string form : {"projected", "baumgarte"}) add(form, "runge-kutta", four);
    add("penalty:chi=100", "rkc", two);
  }
  cases.push_back({"knife-edge", "index-3", "radau-iia:s=2", {3, 3, open, open}});
  // Jay 1993: s, s - 1, s - 1 in v, a, lambda; v is better here.
  cases.push_back({"rolling-disc", "index-3", "radau-iia:s=2", {open, open, 1, 1}});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Forms, NonholonomicOrder, testing::ValuesIn(order_cases()), name_of);

#ifndef DAELAB_DOUBLE_ONLY
class NonholonomicOrderIn50Digits : public testing::TestWithParam<OrderCase> {};
TEST_P(NonholonomicOrderIn50Digits, IsThatOfTheTheory) { expect_orders<Real50>(GetParam(), Real50(1) / 4); }

std::vector<OrderCase> order_cases_in_50_digits() {
  const PerComponent two{2, 2, 2, 2}, five{5, 5, 5, 5};
  std::vector<OrderCase> cases{{"rolling-disc", "projected", "runge-kutta:tableau=dormand-prince", five, {40, 80, 160}},
                               {"rolling-disc", "index-2", "radau-iia:s=3", {5, 5, 3, 3}, {20, 40, 80}}};
  for (const char* form : {"index-3", "ggl"}) {
    cases.push_back({"rolling-disc", form, "generalized-alpha:rho=4/5", two, {100, 200, 400}, 0.05});
    cases.push_back({"rolling-disc", form, "bdf:k=5", five, {100, 200, 400}});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Forms, NonholonomicOrderIn50Digits, testing::ValuesIn(order_cases_in_50_digits()), name_of);
#endif

// ---------------------------------------------------------------- constraints

struct EndViolation {
  double position, velocity;
};
EndViolation violation_at_the_end(const std::string& problem, const std::string& form, const std::string& method) {
  const BoundProblem<double> bound(problem, form);
  const ConstrainedMotion end = march<double>(problem, form, method, 1.0, 100);
  const Vector<double> q = end.q.cast<double>(), v = end.v.cast<double>(), none = Vector<double>::Zero(q.size());
  Vector<double> C(bound.layout.m), G(bound.layout.m);
  bound.model->constraint_level(Level::position, 1.0, q, v, none, C);
  bound.model->constraint_level(Level::velocity, 1.0, q, v, none, G);
  return {largest(C), largest(G.tail(bound.model->nonholonomic()))};
}

TEST(NonholonomicConstraints, HoldAtStepEndsWhereTheFormEnforcesThem) {
  struct Case {
    const char *form, *method;
  };
  for (const char* problem : {"knife-edge", "rolling-disc"})
    for (const Case& c : std::vector<Case>{{"index-3", "generalized-alpha"},
                                           {"index-3", "bdf:k=3"},
                                           {"index-2", "generalized-alpha"},
                                           {"index-2", "bdf:k=3"},
                                           {"index-2", "radau-iia:s=3"},
                                           {"ggl", "generalized-alpha"},
                                           {"ggl", "bdf:k=3"},
                                           {"stabilized-index-1", "radau-iia:s=2"},
                                           {"projected", "runge-kutta:tableau=dormand-prince"}}) {
      SCOPED_TRACE(testing::Message() << problem << ", " << c.form << ", " << c.method);
      const EndViolation end = violation_at_the_end(problem, c.form, c.method);
      // Round-off of 100 steps and less: measured 1.2e-15 and 5.6e-17.
      EXPECT_LT(end.velocity, 1e-13);
      if (std::string(c.form) != "index-2") {
        EXPECT_LT(end.position, 1e-14);
      }
    }
}

// A skate that starts off its constraint by 1e-3.
double violation_after_a_wrong_start(const std::string& form) {
  const BoundProblem<double> bound("knife-edge", form);
  const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*bound.system, {});
  State<double> state = bound.start;
  state.y[4] -= 1e-3;
  EXPECT_TRUE(bound.system->consistent_derivatives(0, state.y, state.ydot).ok());
  EXPECT_TRUE(integrate<double>(*stepper, state, 0.5, 1.0 / 4000, {}).ok());
  Vector<double> G(1);
  const Vector<double> q = state.y.head(3), v = state.y.segment(3, 3), none = Vector<double>::Zero(3);
  bound.model->constraint_level(Level::velocity, 0.5, q, v, none, G);
  return G[0];
}

// On index 1 a violation stays as it is; Baumgarte's gain and the rate of the penalty form take it away exponentially.
TEST(NonholonomicConstraints, AttractWhereTheFormSaysSo) {
  EXPECT_NEAR(violation_after_a_wrong_start("index-1") / 1e-3, 1, 1e-10);  // round-off of 1e-3
  const double after = std::exp(-0.5 * 10);
  // Measured 8e-9 off.
  EXPECT_NEAR(violation_after_a_wrong_start("baumgarte:velocity_gain=10,position_gain=70") / 1e-3 / after, 1, 1e-6);
  EXPECT_NEAR(violation_after_a_wrong_start("penalty:chi=10") / 1e-3 / after, 1, 1e-6);
  EXPECT_LT(std::abs(violation_after_a_wrong_start("projected")), 1e-14);  // round-off
}

// ---------------------------------------------------------------- error control

struct AdaptiveCase {
  const char *form, *method, *rtol;
  double reached;  // largest error of q and v at the end, in rtol
};
class NonholonomicErrorControl : public testing::TestWithParam<AdaptiveCase> {};

TEST_P(NonholonomicErrorControl, ReachesTheTolerance) {
  const AdaptiveCase& c = GetParam();
  for (const char* problem : {"knife-edge", "rolling-disc"}) {
    SCOPED_TRACE(problem);
    const Json record =
        Run::bind(
            {{"problem", problem}, {"formulation", c.form}, {"method", c.method}, {"rtol", c.rtol}, {"t_end", "1"}}, "")
            ->execute()
            .record;
    ASSERT_EQ(record["status"], "ok") << record["cause"];
    const ConstrainedMotion exact = known_motion(problem, Real50(1));
    const double error =
        std::max(largest(record_vector(record["q"]) - exact.q), largest(record_vector(record["v"]) - exact.v));
    EXPECT_LT(error / std::stod(c.rtol), c.reached);
  }
}
// Newmark's family tests an error of third order in h and has the order two.
INSTANTIATE_TEST_SUITE_P(Forms, NonholonomicErrorControl,
                         testing::Values(AdaptiveCase{"index-3", "bdf", "1e-7", 1000},
                                         AdaptiveCase{"ggl", "bdf", "1e-7", 1000},
                                         AdaptiveCase{"index-2", "bdf", "1e-7", 1000},
                                         AdaptiveCase{"stabilized-index-1", "bdf", "1e-7", 1000},
                                         AdaptiveCase{"index-3", "generalized-alpha", "1e-8", 10000},
                                         AdaptiveCase{"ggl", "generalized-alpha", "1e-8", 10000},
                                         AdaptiveCase{"index-2", "radau-iia:s=3", "1e-8", 100},
                                         AdaptiveCase{"ggl", "radau-iia:s=3", "1e-8", 100},
                                         AdaptiveCase{"projected", "runge-kutta:tableau=dormand-prince", "1e-8", 100}),
                         [](const auto& info) {
                           return test_name_of(std::string(info.param.form) + "_" + info.param.method);
                         });

// ---------------------------------------------------------------- refusals

TEST(NonholonomicConstraints, AreRefusedByMethodsForHolonomicOnes) {
  const auto cause = [](const char* method, const char* form) {
    const Json record =
        Run::bind(
            {{"problem", "knife-edge"}, {"method", method}, {"formulation", form}, {"h", "1/100"}, {"t_end", "1/10"}},
            "")
            ->execute()
            .record;
    EXPECT_EQ(record["status"], "not-applicable") << method;
    return record["cause"].get<std::string>();
  };
  EXPECT_THAT(cause("kinematic", "index-1"), HasSubstr("needs holonomic constraints"));
  EXPECT_THAT(cause("local-trapezoidal", "index-1"), HasSubstr("needs holonomic constraints"));
  EXPECT_THAT(cause("runge-kutta", "index-2"), HasSubstr("explicit methods need accelerations"));
}

}  // namespace TEST_FILE
}  // namespace daelab
