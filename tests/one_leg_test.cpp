// One-leg methods: what Dahlquist proved of them, orders on every form, the methods they are equal to, and refusals.
//
// [Dah75] Dahlquist, Error analysis for a class of methods for stiff non-linear initial value problems, Lecture Notes
// in Mathematics 506, 1976, 60-72.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. V.6.
#include "methods/multistep/one_leg.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/method_report.hpp"
#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"
#include "tests/input_error_support.hpp"
#include "tests/method_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

MultistepFormula formula_of(const std::string& method) {
  return std::get<MultistepForm>(method_of(method)->form()).formula;
}

// Values at n + 1 nodes of steps of size h.
template <class T>
std::vector<Vector<T>> path(OdeSystem<T>& ode, const std::string& method, const Vector<T>& y0, const T& h, int n) {
  const auto stepper = method_of(method)->stepper(ode, {});
  State<T> state = start_state(ode, y0);
  state.memory = stepper->make_memory();
  State<T> next = state;
  std::vector<Vector<T>> values{state.y};
  for (int k = 0; k < n; ++k) {
    EXPECT_TRUE(stepper->step(state, h, next).ok()) << method;
    std::swap(state, next);
    values.push_back(state.y);
  }
  return values;
}

// ---------------------------------------------------------------- orders

template <class T>
double ode_order(const std::string& method, const std::vector<int>& counts) {
  OdeSystem<Real50> exact_ode = forced_oscillator<Real50>();
  const Vector<Real50> y0{{Real50("0.5"), Real50("-0.25")}}, exact = ode_solution(exact_ode, y0, Real50(1));
  OdeSystem<T> ode = forced_oscillator<T>();
  std::vector<OrderPoint> points;
  for (const int n : counts) {
    const Vector<T> end = path<T>(ode, method, y0.cast<T>(), T(1) / T(n), n).back();
    points.push_back(order_point(1.0 / n, largest(Vector<Real50>(end.template cast<Real50>() - exact))));
  }
  return estimate_order(points).order;
}

struct OrderCase {
  const char* method;
  int order;
};
// Adams-Moulton of k = 3, 4 have the orders 3, 4; their means are of order 1, so that one-leg methods have the order 2.
const std::vector<OrderCase> ode_cases{{"one-leg", 2},
                                       {"one-leg:theta=1/5", 2},
                                       {"one-leg:theta=3/2,middle=1/4", 2},
                                       {"one-leg:formula=trapezoidal", 2},
                                       {"one-leg:formula=bdf,k=1", 1},
                                       {"one-leg:formula=bdf,k=3", 3},
                                       {"one-leg:formula=bdf,k=5", 5},
                                       {"one-leg:formula=adams-moulton,k=1", 1},
                                       {"one-leg:formula=adams-moulton,k=3", 2},
                                       {"one-leg:formula=adams-moulton,k=4", 2}};

TEST(OneLeg, HasItsOrderOnOrdinaryEquations) {
  for (const OrderCase& c : ode_cases)
    EXPECT_NEAR(ode_order<double>(c.method, {64, 128, 256}), c.order, 0.15) << c.method;
}
#ifndef DAELAB_DOUBLE_ONLY
TEST(OneLeg, HasItsOrderOnOrdinaryEquationsIn50Digits) {
  for (const OrderCase& c : ode_cases)
    EXPECT_NEAR(ode_order<Real50>(c.method, {512, 1024, 2048}), c.order, 0.03) << c.method;
}
#endif

// The card knows these orders without integrating.
TEST(OneLeg, CardSaysItsOrderAndGStability) {
  for (const OrderCase& c : ode_cases) {
    const MethodReport report = method_report(*method_of(c.method));
    EXPECT_EQ(report.order->value, c.order) << c.method;
    EXPECT_THAT(report.form, HasSubstr("one-leg method")) << c.method;
    EXPECT_EQ(report.g_stable.holds, report.a_stable.holds) << c.method;  // Dahlquist 1978
  }
  EXPECT_THAT(method_report(*method_of("one-leg:formula=adams-moulton,k=3")).order->how, HasSubstr("order 1"));
  EXPECT_TRUE(method_report(*method_of("one-leg")).g_stable.holds);
  EXPECT_FALSE(method_report(*method_of("one-leg:formula=bdf,k=3")).g_stable.holds);
  // A-stable exactly for theta >= 0 and middle <= 1/2.
  EXPECT_TRUE(method_report(*method_of("one-leg:theta=5,middle=1/2")).a_stable.holds);
  EXPECT_FALSE(method_report(*method_of("one-leg:theta=1,middle=51/100")).a_stable.holds);
  EXPECT_TRUE(method_report(*method_of("one-leg:theta=0,middle=0")).a_stable.holds);
  EXPECT_FALSE(method_report(*method_of("one-leg:theta=-1/100,middle=0")).a_stable.holds);
}

// Of q, v, a and lambda, on the pendulum until t = 1/2. BDF has its own test.
template <class T>
void expect_orders(const std::string& method, const std::string& formulation, int order, const std::vector<int>& counts,
                   double bound) {
  const PerComponent found = observed_orders<T>("pendulum", formulation, method, T(1) / T(2), counts);
  for (const double x : found) EXPECT_NEAR(x, order, bound) << method << " on " << formulation;
}

const std::vector<std::string> damped{"one-leg", "one-leg:theta=1/2,middle=0"};

TEST(OneLeg, HasOrder2OnEveryIndex) {
  for (const std::string& method : damped)
    for (const char* formulation : {"index-1", "index-2", "index-3", "ggl", "stabilized-index-1", "null-space"})
      expect_orders<double>(method, formulation, 2, {200, 400, 800}, 0.2);
  for (const char* formulation : {"index-1", "index-2", "ggl"})
    expect_orders<double>("one-leg:formula=trapezoidal", formulation, 2, {200, 400, 800}, 0.2);
}
#ifndef DAELAB_DOUBLE_ONLY
TEST(OneLeg, HasOrder2OnEveryIndexIn50Digits) {
  for (const std::string& method : damped)
    for (const char* formulation : {"index-1", "index-2", "index-3", "ggl"})
      expect_orders<Real50>(method, formulation, 2, {400, 800, 1600}, 0.1);
}
#endif

// A zero of sigma on the unit circle: from a moving start the midpoint rule leaves C = 0 by c h^2 (1 - (-1)^n)/2, which
// velocities divide by h and add up. On index 2 nothing is added up.
TEST(OneLeg, MidpointRuleLosesVelocitiesOnIndex3) {
  const std::string moving = "pendulum:x=-3/5,y=4/5,vx=8/5,vy=6/5";
  method_of("radau-iia");
  const ConstrainedMotion exact = march<double>(moving, "index-1", "radau-iia:s=5", 0.5, 50);
  const auto errors = [&](const char* formulation, int count) {
    return errors_of(march<double>(moving, formulation, "one-leg:formula=trapezoidal", 0.5, count), exact);
  };
  EXPECT_GT(errors("index-3", 400)[1], 0.1);
  EXPECT_NEAR(errors("index-3", 400)[1] / errors("index-3", 200)[1], 1, 0.1);
  EXPECT_NEAR(errors("index-2", 200)[1] / errors("index-2", 400)[1], 4, 0.1);
}

// ---------------------------------------------------------------- what it is equal to

// The means of a one-leg method satisfy the multistep formula. [Dah75; HW96, Sec. V.6]
TEST(OneLeg, MeansSatisfyTheMultistepFormula) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const double h = 1.0 / 16;
  for (const char* method : {"one-leg", "one-leg:theta=1/2,middle=0", "one-leg:formula=adams-moulton,k=4"}) {
    const MultistepFormula formula = formula_of(method);
    const Vector<double> alpha = formula.alpha.cast<double>(), beta = formula.beta.cast<double>();
    const int k = static_cast<int>(formula.steps());
    const auto y = path<double>(ode, method, Vector<double>{{0.5, -0.25}}, h, 6 * k);
    std::vector<Vector<double>> means, slopes;
    for (int n = 2 * k; n < static_cast<int>(y.size()); ++n) {
      Vector<double> mean = Vector<double>::Zero(2), slope = mean;
      double t = 0;
      for (int j = 0; j <= k; ++j) mean += beta[j] * y[n - j], t += beta[j] * h * (n - j);
      ASSERT_TRUE(ode.consistent_derivatives(t, mean, slope).ok());
      means.push_back(mean), slopes.push_back(slope);
    }
    for (int n = k; n < static_cast<int>(means.size()); ++n) {
      Vector<double> defect = Vector<double>::Zero(2);
      for (int j = 0; j <= k; ++j) defect += alpha[j] * means[n - j] - h * beta[j] * slopes[n - j];
      EXPECT_LT(largest(defect), 1e-14) << method;  // round-off
    }
  }
}

// The same numbers to round-off, which index 3 amplifies.
TEST(OneLeg, OfBdfIsBdfAndOfTheTrapezoidalRuleTheMidpointRule) {
  struct Pair {
    const char *one_leg, *other, *formulation;
    double bound;
  };
  for (const Pair& c : {Pair{"one-leg:formula=bdf,k=3", "bdf:k=3", "index-1", 1e-13},
                        Pair{"one-leg:formula=bdf,k=3", "bdf:k=3", "index-3", 1e-8},
                        Pair{"one-leg:formula=trapezoidal", "implicit-midpoint", "index-1", 1e-13},
                        Pair{"one-leg:formula=trapezoidal", "implicit-midpoint", "index-2", 1e-11},
                        Pair{"one-leg:theta=2,middle=0", "bdf:k=2", "index-2", 1e-11},
                        Pair{"one-leg:formula=given,alpha=11/6 -3 3/2 -1/3,beta=1 0 0 0", "bdf:k=3", "ggl", 1e-11}}) {
    method_of(c.other);
    const auto x = march<double>("pendulum", c.formulation, c.one_leg, 1.0, 64),
               z = march<double>("pendulum", c.formulation, c.other, 1.0, 64);
    for (const double error : errors_of(x, z)) EXPECT_LT(error, c.bound) << c.one_leg << " on " << c.formulation;
  }
}

// On y' = -y^3 the difference of two solutions never grows in the norm of G = diag((1 + theta)/4, (1 - theta)/4), which
// the family of Dahlquist, Liniger and Nevanlinna has.
TEST(OneLeg, ContractsInTheNormOfG) {
  OdeSystem<double> ode(
      1, [](const double&, const Vector<double>& y, Vector<double>& f) { f[0] = -y[0] * y[0] * y[0]; },
      [](const double&, const Vector<double>& y, Matrix<double>& J) { J(0, 0) = -3 * y[0] * y[0]; });
  const double theta = 2.0 / 3;
  for (const double h : {0.125, 0.5}) {
    const auto x = path<double>(ode, "one-leg", Vector<double>{{1.5}}, h, 40),
               z = path<double>(ode, "one-leg", Vector<double>{{-0.75}}, h, 40);
    const auto norm = [&](std::size_t n) {
      const double now = x[n][0] - z[n][0], before = x[n - 1][0] - z[n - 1][0];
      return (1 + theta) / 4 * now * now + (1 - theta) / 4 * before * before;
    };
    for (std::size_t n = 2; n < x.size(); ++n) EXPECT_LE(norm(n), norm(n - 1) * (1 + 1e-14)) << h << ", " << n;
  }
}

// A step of another size starts anew, by the explicit method: the order stays.
TEST(OneLeg, StartsAnewWhereTheStepChanges) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const auto stepper = method_of("one-leg")->stepper(ode, {});
  State<double> state = start_state(ode, Vector<double>(Vector<double>{{0.5, -0.25}})), next = state;
  next.memory = state.memory = stepper->make_memory();
  long jacobians = 0;
  for (const auto& [h, implicit] :
       {std::pair{0.125, false}, std::pair{0.125, true}, std::pair{0.0625, false}, std::pair{0.0625, true}}) {
    ASSERT_TRUE(stepper->step(state, h, next).ok());
    EXPECT_EQ(stepper->statistics().jacobians > jacobians, implicit);
    jacobians = stepper->statistics().jacobians;
    std::swap(state, next);
  }
  EXPECT_EQ(stepper->statistics().steps, 4);
}

// ---------------------------------------------------------------- refusals

TEST(OneLeg, RefusesBadOptionsWithTheirPlace) {
  const auto refused = [](const std::string& options, const char* place, const char* what) {
    EXPECT_THAT([&] { Registry<Method>::instance().make("one-leg:" + options, "/method"); },
                throws_input_error(std::string("/method/") + place + ": ", what))
        << options;
  };
  refused("formula=trapezoid", "formula", "trapezoidal");
  refused("formula=bdf,k=7", "k", "1 to 6");
  refused("k=2", "k", "bdf or adams-moulton");
  refused("formula=bdf,theta=1", "theta", "two-step only");
  refused("alpha=1 -1", "alpha", "given only");
  refused("formula=given", "alpha", "two entries");
  refused("formula=given,alpha=1 x,beta=1 0", "alpha/1", "x");
  refused("formula=given,alpha=1 -1,beta=1", "beta", "must have as many as alpha: 2");
  refused("formula=given,alpha=0 1 -1,beta=1 0 0", "alpha/0", "y_(n+1)");
  refused("formula=given,alpha=1 -1,beta=0 1", "beta/0", "adams-bashforth");
  refused("formula=given,alpha=1 -1,beta=1 -1", "beta", "must not be 0");
  refused("formula=given,alpha=1 -1/2,beta=1 0", "alpha", "it is 1/2");
  refused("formula=given,alpha=1 0 -1,beta=1/2 0 1/2", "alpha", "it is 2 times");
}

// beta is scaled to the sum 1, and alpha with it.
TEST(OneLeg, ScalesTheFormula) {
  const MultistepFormula formula = formula_of("one-leg:formula=given,alpha=2 -2,beta=1 1");
  EXPECT_EQ(formula.alpha[0], 1);
  EXPECT_EQ(formula.beta[1], Real100(1) / 2);
}

// Zeros of sigma: 5 z^2 + 8 z - 1 has one of modulus 1.717.
TEST(OneLeg, RefusesFormulasWhoseConstraintsGrow) {
  EXPECT_NEAR(carried_violation(formula_of("one-leg:formula=adams-moulton,k=3")), 1.717, 5e-4);
  EXPECT_EQ(carried_violation(formula_of("one-leg:formula=trapezoidal")), 1);
  EXPECT_LT(carried_violation(formula_of("one-leg")), 0.64);
  for (const char* formulation : {"index-2", "index-3", "ggl"}) {
    const BoundProblem<double> bound("pendulum", formulation);
    const auto method = method_of("one-leg:formula=adams-moulton,k=3");
    EXPECT_THAT(input_error_of<NotApplicable>([&] { method->stepper(*bound.system, {}); }), HasSubstr("modulus 1.72"));
    EXPECT_THAT(input_error_of<NotApplicable>([&] { method_of("one-leg")->stepper(*bound.system, {})->control({}); }),
                HasSubstr("fixed steps only"));
  }
  const BoundProblem<double> bound("pendulum", "index-1");
  EXPECT_NO_THROW(method_of("one-leg:formula=adams-moulton,k=3")->stepper(*bound.system, {}));
}

}  // namespace TEST_FILE
}  // namespace daelab
