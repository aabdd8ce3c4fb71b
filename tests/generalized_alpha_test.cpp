// Newmark, HHT and generalized-alpha with fixed steps: orders, damping, error constant, forms, and published errors.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/newmark/generalized_alpha_stepper.hpp"

#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"
#include "tests/newton_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double open = -1;  // nothing is expected there

struct Expected {
  double q, v, a, lambda;
};
void expect_orders(const PerComponent& found, const Expected& expected, double within) {
  const PerComponent wanted{expected.q, expected.v, expected.a, expected.lambda};
  const char* names[] = {"q", "v", "a", "lambda"};
  for (std::size_t i = 0; i < 4; ++i) {
    if (wanted[i] != open) {
      EXPECT_NEAR(found[i], wanted[i], within) << names[i];
    }
  }
}

// ---------------------------------------------------------------- coefficients

std::string exact_coefficient(const std::string& method, const std::string& symbol) {
  for (const Method::Coefficient& c : Registry<Method>::instance().make(method, "")->coefficients())
    if (c.symbol == symbol) return exact_text(c.values(0, 0));
  return "none";
}

TEST(GeneralizedAlpha, CoefficientsFollowFromRho) {
  const std::string method = "generalized-alpha:rho=4/5";
  EXPECT_EQ(exact_coefficient(method, "alpha_m"), "1/3");
  EXPECT_EQ(exact_coefficient(method, "alpha_f"), "4/9");
  EXPECT_EQ(exact_coefficient(method, "gamma"), "11/18");
  EXPECT_EQ(exact_coefficient(method, "beta"), "25/81");
  EXPECT_EQ(exact_coefficient(method, "eta"), "6/5") << "2 - rho";
  EXPECT_EQ(exact_coefficient(method, "c"), "-7/72") << "-(1 + 3 D^2)/(12 (1 - D)), D = 1/9";
  EXPECT_EQ(exact_coefficient("generalized-alpha:rho=1", "c"), "-1/12");
  EXPECT_EQ(exact_coefficient("generalized-alpha:rho=0", "c"), "none") << "diverges";
  EXPECT_EQ(exact_coefficient("generalized-alpha:rho=4/5,gamma=printed", "gamma"), "23/18");
}

TEST(GeneralizedAlpha, HhtIsItWithTheSameLagBetaAndGamma) {
  // D = 1/4 for rho = 3/5.
  for (const char* symbol : {"beta", "gamma", "c"})
    EXPECT_EQ(exact_coefficient("hht:alpha=1/4", symbol), exact_coefficient("generalized-alpha:rho=3/5", symbol));
  EXPECT_EQ(exact_coefficient("hht:alpha=1/4", "alpha_m"), "0");
  EXPECT_EQ(exact_coefficient("newmark:gamma=3/5", "beta"), "121/400");
}

// ---------------------------------------------------------------- orders

struct OrderCase {
  std::string name, problem, formulation, method;
  Expected expected;
  std::vector<int> counts{100, 200, 400, 800};
  Steps steps = Steps::constant;
  double within = 0.06;  // what the next terms leave at these steps
  friend void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.name; }
};
class OrderInDouble : public testing::TestWithParam<OrderCase> {};

TEST_P(OrderInDouble, IsThatOfTheTheory) {
  const OrderCase& c = GetParam();
  const double end = c.problem == "seven-body" ? 0.01 : 0.5;
  const PerComponent orders = observed_orders<double>(c.problem, c.formulation, c.method, end, c.counts, c.steps);
  expect_orders(orders, c.expected, c.within);
}

std::vector<OrderCase> order_cases() {
  const Expected one{1, 1, 1, 1}, two{2, 2, 2, 2};
  const std::string damped = "oscillator-chain:size=3,slowest=1,fastest=4,damping=1/10";
  std::vector<OrderCase> cases;
  for (const std::string form : {"index-3", "index-2", "index-1", "ggl", "stabilized-index-1"}) {
    const auto add = [&](const std::string& name, const std::string& problem, const std::string& method,
                         const Expected& expected) {
      std::string form_name = form;
      std::erase(form_name, '-');
      cases.push_back({name + "_" + form_name, problem, form, method, expected});
    };
    add("Pendulum", "pendulum", "generalized-alpha:rho=4/5", two);
    add("PendulumAnnihilation", "pendulum", "generalized-alpha:rho=0", two);
    add("PendulumPrintedGamma", "pendulum", "generalized-alpha:rho=4/5,gamma=printed", one);
    add("PendulumHht", "pendulum", "hht", two);
    // Without damping round-off stays in a and lambda of index 3; accelerations of index 1 are better by accident.
    Expected undamped = two;
    if (form == "index-3") undamped.a = undamped.lambda = open;
    if (form == "index-1") undamped.a = open;
    add("PendulumNewmark", "pendulum", "newmark", undamped);
    add("PendulumNewmarkDamped", "pendulum", "newmark:gamma=3/5", one);
    add("DampedOscillators", damped, "generalized-alpha:rho=4/5", {2, 2, 2, open});
  }
  // The mass of the seven-body mechanism depends on its angles.
  const std::vector<int> many{500, 1000, 2000, 4000};
  for (const std::string form : {"index-3", "index-1", "ggl"}) {
    const std::string name = form == "ggl" ? "ggl" : form.substr(0, 5) + form.substr(6);
    cases.push_back({"SevenBodyHht_" + name, "seven-body", form, "hht", two, many});
    cases.push_back({"SevenBodyHhtMassOfTheEnd_" + name,
                     "seven-body",
                     form,
                     "hht:mass=end",
                     {open, 1, 1, open},
                     many,
                     Steps::constant,
                     0.15});
  }
  // Steps 2:1; where a_n is rescaled to the new step, order 2 is back, except for the multipliers of index 3.
  const auto changing = [&](const char* name, const char* form, const char* rescale, const Expected& expected) {
    cases.push_back({name,
                     "pendulum",
                     form,
                     std::string("generalized-alpha:rescale=") + rescale,
                     expected,
                     {800, 1600, 3200, 6400},
                     Steps::alternating,
                     0.15});
  };
  changing("ChangingStepsGgl", "ggl", "never", {1, 1, 1, 1});
  changing("ChangingStepsGglRescaled", "ggl", "always", two);
  changing("ChangingStepsGglAutomatic", "ggl", "automatic", two);
  changing("ChangingStepsIndex3", "index-3", "never", {open, open, 1, 1});
  changing("ChangingStepsIndex3Rescaled", "index-3", "always", {open, open, 1, 1});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(NewmarkFamily, OrderInDouble, testing::ValuesIn(order_cases()),
                         [](const auto& info) { return info.param.name; });

// ---------------------------------------------------------------- verified errors of the method [Ren20, Sec. 3]

struct Row {
  const char *problem, *formulation, *method;
  double end;
  int count;
  Steps steps;
  bool relative;
  PerComponent errors;
  double within = 0.05;  // two digits
};
void expect_errors(const Row& row) {
  SCOPED_TRACE(std::string(row.problem) + ", " + row.formulation + ", " + row.method);
  const ConstrainedMotion end = march<double>(row.problem, row.formulation, row.method, row.end, row.count, row.steps);
  const PerComponent e = errors_of(end, known_motion(row.problem, Real50(row.end)), row.relative);
  for (std::size_t i = 0; i < 4; ++i) {
    if (row.errors[i] != open) {
      EXPECT_NEAR(e[i] / row.errors[i], 1, row.within) << i;
    }
  }
}

// Errors at t = 1 after 800 steps.
TEST(PublishedErrors, OfThePendulum) {
  const auto row = [](const char* form, const char* rescale, Steps steps, double q, double v, double lambda) {
    const std::string method = std::string("generalized-alpha:rho=4/5,rescale=") + rescale;
    expect_errors({"pendulum", form, method.c_str(), 1, 800, steps, false, {q, v, open, lambda}});
  };
  row("index-3", "never", Steps::constant, 9.5e-6, 4.8e-5, 2.0e-4);
  row("index-3", "never", Steps::alternating, 1.1e-4, 8.9e-4, 1.9);
  row("index-3", "always", Steps::alternating, 4.0e-4, 1.1e-3, 4.0);
  row("ggl", "never", Steps::constant, 7.7e-6, 3.8e-5, 1.8e-4);
  row("ggl", "never", Steps::alternating, 9.7e-5, 1.6e-4, 1.2e-2);
  row("ggl", "always", Steps::alternating, 1.0e-5, 5.0e-5, 2.4e-5);
}

// Relative errors at t = 0.01 after 4000 steps; in a and lambda round-off is 2 % of them on index 3.
TEST(PublishedErrors, OfTheSevenBodyMechanism) {
  const auto row = [](const char* form, const char* method, const PerComponent& errors, double within = 0.05) {
    expect_errors({"seven-body", form, method, 0.01, 4000, Steps::constant, true, errors, within});
  };
  // Round-off in a is eps/h^2, up to 7 % of this error.
  row("index-3", "generalized-alpha:rho=4/5", {1.74e-7, 9.43e-8, 6.76e-7, 1.20e-6}, 0.1);
  row("index-3", "generalized-alpha:rho=4/5,gamma=printed", {7.73e-4, 1.01e-3, 3.14e-4, 6.11e-4});
  row("ggl", "generalized-alpha:rho=4/5", {2.28e-7, 1.87e-7, 2.04e-7, 8.96e-7});
}

// Relative errors of the elastic coordinates at t = 0.001 after 2000 steps; on index 3 a and lambda are at round-off.
TEST(PublishedErrors, OfTheSliderCrank) {
  const std::string problem = "slider-crank:start=rigid";
  const ConstrainedMotion exact = march<double>(problem, "index-1", "gauss:s=5", 0.001, 400);
  const auto row = [&](const char* form, const char* method, const PerComponent& expected) {
    SCOPED_TRACE(std::string(form) + ", " + method);
    const auto elastic = [](const ConstrainedMotion& x) {
      return ConstrainedMotion{x.q.tail(4), x.v.tail(4), x.a.tail(4), x.lambda};
    };
    const PerComponent e = errors_of(elastic(march<double>(problem, form, method, 0.001, 2000)), elastic(exact), true);
    for (std::size_t i = 0; i < 4; ++i) {
      if (expected[i] != open) {
        // Three printed digits, and the errors of ours: measured 0.0044.
        EXPECT_NEAR(e[i] / expected[i], 1, 0.02) << i;
      }
    }
  };
  row("index-3", "generalized-alpha:rho=4/5", {1.18e-6, 1.51e-5, open, open});
  row("index-3", "generalized-alpha:rho=4/5,gamma=printed", {1.10e-3, 3.09e-3, 4.82e-2, 6.90e-3});
  row("ggl", "generalized-alpha:rho=4/5", {1.18e-6, 1.51e-5, 1.22e-4, 1.74e-5});
}

// ---------------------------------------------------------------- the iteration

// What the iteration leaves in v adds up to 1/h times as much in q.
// Measured after 8000 steps: 1e-11.
TEST(FixedSteps, IterateDownToRoundOff) {
  NewtonOptions full;
  full.iteration = NewtonIteration::full;
  for (const char* method : {"bdf:k=2", "bdf:k=4", "generalized-alpha:rho=1/2"}) {
    const auto q = [&](const NewtonOptions& newton) {
      return march<double>("heavy-top:closest=1/2,charts=one", "index-3", method, 2, 8000, Steps::constant, newton).q;
    };
    EXPECT_LT((q({}) - q(full)).cwiseAbs().maxCoeff(), 1e-10) << method;
  }
}

// ---------------------------------------------------------------- the linear oscillator

TEST(Damping, NewmarkWithoutItConservesTheEnergyOfOscillators) {
  const auto energy_after = [](const std::string& method) {
    const BoundProblem<double> bound("oscillator-chain", "index-3");  // frequencies 0.05 to 50
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
    State<double> state = bound.start;
    EXPECT_TRUE(integrate<double>(*stepper, state, 100, 0.1, {}).ok());
    const auto energy = [&](const State<double>& x) {
      return bound.model->energy(x.t, bound.layout.q(x.y), bound.layout.v(x.y)).total();
    };
    return energy(state) / energy(bound.start);
  };
  // Round-off of 1000 steps of 2e-16.
  EXPECT_NEAR(energy_after("newmark"), 1, 1e-11);
  EXPECT_NEAR(energy_after("hht:alpha=0"), 1, 1e-11);
  EXPECT_NEAR(energy_after("generalized-alpha:rho=1"), 1, 1e-11);
  // The fast modes lose their share: measured 0.61 and 0.41.
  EXPECT_LT(energy_after("generalized-alpha:rho=1/2"), 0.8);
  EXPECT_LT(energy_after("newmark:gamma=3/5"), 0.8);
}

// ---------------------------------------------------------------- forms, Newton iterations, refusals

TEST(GeneralizedAlpha, IndexThreeAndGglHoldRedundantConstraints) {
  for (const char* form : {"index-3", "ggl"})
    for (const char* method : {"generalized-alpha", "hht"}) {
      SCOPED_TRACE(std::string(form) + ", " + method);
      const PerComponent orders = observed_orders<double>("rowing-boat", form, method, 0.25, {50, 100, 200, 400});
      expect_orders(orders, {2, 2, 2, open}, 0.1);
    }
}

TEST(GeneralizedAlpha, GglHoldsPositionsAndVelocitiesOnTheConstraints) {
  const BoundProblem<double> bound("seven-body", "index-1");
  const auto violations = [&](const char* form) {
    const ConstrainedMotion x = march<double>("seven-body", form, "generalized-alpha", 0.01, 500);
    const Vector<double> q = x.q.cast<double>(), v = x.v.cast<double>();
    Vector<double> position(6), velocity(6);
    bound.model->constraint_level(Level::position, 0, q, v, v, position);
    bound.model->constraint_level(Level::velocity, 0, q, v, v, velocity);
    return std::pair(largest(position), largest(velocity));
  };
  const auto [q3, v3] = violations("index-3");
  const auto [q2, v2] = violations("ggl");
  // Round-off of lengths of centimetres.
  EXPECT_LT(q3, 1e-14);
  EXPECT_GT(v3, 1e-6) << "velocities of index 3 miss the constraints by the error";
  EXPECT_LT(q2, 1e-14);
  EXPECT_LT(v2, 1e-12) << "of 1000 rad/s";
}

TEST(GeneralizedAlpha, AllNewtonIterationsAgree) {
  for (const char* form : {"index-3", "ggl", "index-1"}) {
    const ConstrainedMotion expected = march<double>("two-link-manipulator", form, "hht", 0.5, 50);
    for (const char* name : {"full", "modified", "simplified", "quasi"}) {
      SCOPED_TRACE(std::string(form) + ", " + name);
      const NewtonOptions newton = newton_options(name);
      const PerComponent e =
          errors_of(march<double>("two-link-manipulator", form, "hht", 0.5, 50, Steps::constant, newton), expected);
      // What the iterations leave, more in rates and multipliers: measured 9.5e-14, 3.7e-13 and 3.6e-11.
      EXPECT_LT(e[0], 1e-13);
      EXPECT_LT(e[1], 1e-11);
      EXPECT_LT(e[3], 1e-8);
    }
  }
}

TEST(GeneralizedAlpha, NeedsASecondOrderSystem) {
  auto ode = forced_oscillator<double>();
  EXPECT_THAT([&] { Registry<Method>::instance().make("generalized-alpha", "")->stepper(ode, {}); },
              ThrowsMessage<NotApplicable>(HasSubstr("second-order")));
}

TEST(GeneralizedAlpha, RefusesParametersOutOfRange) {
  const auto refusal = [](const char* method) {
    return [method] { Registry<Method>::instance().make(method, "/method"); };
  };
  EXPECT_THAT(refusal("generalized-alpha:rho=11/10"), ThrowsMessage<InputError>(HasSubstr("allowed: 0 to 1")));
  EXPECT_THAT(refusal("generalized-alpha:rho=-1"), ThrowsMessage<InputError>(HasSubstr("/method/rho")));
  EXPECT_THAT(refusal("hht:alpha=0.34"), ThrowsMessage<InputError>(HasSubstr("allowed: 0 to 1/3")));
  EXPECT_THAT(refusal("newmark:gamma=0.4"), ThrowsMessage<InputError>(HasSubstr("allowed: 0.5 to 1")));
  EXPECT_THAT(refusal("newmark:beta=0"), ThrowsMessage<InputError>(HasSubstr("above 0")));
  EXPECT_THAT(refusal("generalized-alpha:deadband=1"), ThrowsMessage<InputError>(HasSubstr("allowed: 0 to 0.9")));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

class OrderIn50Digits : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(OrderIn50Digits, IsTwoInAllComponents) {
  const auto [form, method] = GetParam();
  NewtonOptions newton;
  newton.iteration = NewtonIteration::full, newton.tolerance = "1e-25";
  const PerComponent orders = observed_orders<Real50>("two-link-manipulator", form, method, Real50(1) / 4,
                                                      {40, 80, 160, 320}, Steps::constant, newton);
  expect_orders(orders, {2, 2, 2, 2}, 0.02);
}
INSTANTIATE_TEST_SUITE_P(NewmarkFamily, OrderIn50Digits,
                         testing::Combine(testing::Values("index-3", "ggl"),
                                          testing::Values("generalized-alpha:rho=4/5", "hht", "newmark")));

TEST(GeneralizedAlpha, PrintedGammaHasOrderOneIn50Digits) {
  for (const char* form : {"index-3", "ggl"})
    expect_orders(observed_orders<Real50>("pendulum", form, "generalized-alpha:rho=4/5,gamma=printed", Real50(1) / 4,
                                          {100, 200, 400}),
                  {1, 1, 1, 1}, 0.03);
}

const char* const oscillator = "oscillator-chain:size=1,slowest=1,fastest=1";

// a_n.
Real50& carried(State<Real50>& state) { return state.memory.as<GeneralizedAlphaMemory<Real50>>().a[0]; }

// (q, h v, h^2 a_n) after a step of size h, as a matrix on those before it.
Matrix<Real50> amplification(const std::string& method, const Real50& h) {
  const BoundProblem<Real50> bound(oscillator, "index-3");
  Matrix<Real50> A(3, 3);
  for (Index j = 0; j < 3; ++j) {
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
    State<Real50> state = bound.start, next;
    state.y << Real50(j == 0 ? 1 : 0), Real50(j == 1 ? 1 : 0) / h;
    EXPECT_TRUE(bound.system->consistent_derivatives(state.t, state.y, state.ydot).ok());
    state.memory = stepper->make_memory();
    carried(state) = Real50(j == 2 ? 1 : 0) / (h * h);
    state.memory_step = h;
    next = state;
    EXPECT_TRUE(stepper->step(state, h, next).ok());
    A.col(j) << next.y[0], h * next.y[1], h * h * carried(next);
  }
  return A;
}

// The eigenvalues at infinity are -rho, -rho and -alpha_f/(1 - alpha_f): by their sum, the sum of their products and
// their product, because equal ones are ill-conditioned.
void expect_eigenvalues_at_infinity(const std::string& method, const Real50& r, const Real50& s) {
  SCOPED_TRACE(method);
  const Matrix<Real50> A = amplification(method, Real50("1e12"));
  const Real50 minors = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0) + A(0, 0) * A(2, 2) - A(0, 2) * A(2, 0) +
                        A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1);
  const Real50 determinant = A(0, 0) * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1)) -
                             A(0, 1) * (A(1, 0) * A(2, 2) - A(1, 2) * A(2, 0)) +
                             A(0, 2) * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
  const Real50 tolerance("1e-20");  // terms of the size 1/h^2 = 1e-24 are left out
  EXPECT_LT(abs(A.trace() - (2 * r + s)), tolerance);
  EXPECT_LT(abs(minors - (r * r + 2 * r * s)), tolerance);
  EXPECT_LT(abs(determinant - r * r * s), tolerance);
}

TEST(Damping, AtInfinityIsRho) {
  for (const char* text : {"1", "4/5", "1/2", "1/10", "0"}) {
    const Real50 rho = Exact(text).as<Real50>();
    expect_eigenvalues_at_infinity(std::string("generalized-alpha:rho=") + text, -rho, -rho);
  }
  // HHT: -(1 - alpha)/(1 + alpha) twice, and -alpha/(1 - alpha).
  for (const char* text : {"0", "1/10", "1/3"}) {
    const Real50 alpha = Exact(text).as<Real50>();
    expect_eigenvalues_at_infinity(std::string("hht:alpha=") + text, -(1 - alpha) / (1 + alpha), -alpha / (1 - alpha));
  }
  // Newmark: double root (gamma - 3/2)/(gamma + 1/2); a_n = q''_n has no part of its own.
  expect_eigenvalues_at_infinity("newmark:gamma=9/10", Real50(-3) / 7, Real50(0));
}

// From exact q, v and a_n = q''(t_n - D h): the error of one step over c h^2 x tends to 1.
TEST(ErrorConstant, IsThatOfOneStep) {
  const Real50 t(1), h = Real50(1) / 100000;
  for (const char* rho : {"1", "9/10", "4/5", "3/5", "1/2", "3/10", "1/10"}) {
    SCOPED_TRACE(rho);
    const BoundProblem<Real50> bound(oscillator, "index-3");  // q = sin t
    const auto method = Registry<Method>::instance().make(std::string("generalized-alpha:rho=") + rho, "");
    const auto stepper = method->stepper(*bound.system, {});
    const Real50 r = Exact(rho).as<Real50>(), D = (1 - r) / (1 + r);
    State<Real50> state = bound.start;
    state.t = t;
    state.y << sin(t), cos(t);
    ASSERT_TRUE(bound.system->consistent_derivatives(state.t, state.y, state.ydot).ok());
    state.memory = stepper->make_memory();
    carried(state) = -sin(Real50(t - D * h));
    state.memory_step = h;
    State<Real50> next = state;
    ASSERT_TRUE(stepper->step(state, h, next).ok());
    const Real50 x = carried(next) - state.ydot[1];
    const Real50 c = -(1 + 3 * D * D) / (12 * (1 - D));
    // The next term, of h = 1e-5.
    EXPECT_NEAR(static_cast<double>(Real50((sin(Real50(t + h)) - next.y[0]) / (c * h * h * x))), 1, 1e-3);
  }
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
