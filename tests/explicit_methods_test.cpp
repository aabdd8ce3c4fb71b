// The explicit methods: observed orders in double and 50 digits, weights of the Adams methods, evaluations a step,
// exactness on polynomials, the energy of the symplectic Euler method, refusals and bad options.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006.
//
// Bounds of 1e-44 and less are round-off in 50 digits, 1e-90 in 100.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/order_estimate.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "methods/multistep/adams.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <class T>
std::unique_ptr<Stepper<T>> stepper(const std::string& method, System<T>& system) {
  return Registry<Method>::instance().make(method, "/method")->stepper(system, {});
}

// The state at t_end and the counters, after steps of size h.
template <class T>
std::pair<State<T>, Statistics> integrated(const std::string& method, System<T>& system, State<T> state, const T& t_end,
                                           const T& h) {
  const auto method_stepper = stepper(method, system);
  const Status status = integrate<T>(*method_stepper, state, t_end, h, {});
  EXPECT_TRUE(status.ok()) << method << ": " << status.cause;
  return {std::move(state), method_stepper->statistics()};
}

// ---------------------------------------------------------------- orders

struct OrderCase {
  std::string method;
  int order;
  friend void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.method; }
};

const std::vector<int> numbers_of_steps{64, 128, 256, 512};

template <class T>
using Errors = std::vector<T>;  // the largest of all components at t_end, for each number of steps

template <class T>
Errors<T> errors_at_end(const std::string& method, System<T>& system, const State<T>& start,
                        const Vector<Real50>& exact, const T& t_end) {
  Errors<T> errors;
  for (const int steps : numbers_of_steps) {
    const Vector<T> y = integrated<T>(method, system, start, t_end, t_end / T(steps)).first.y;
    errors.push_back((y - exact.cast<T>()).cwiseAbs().maxCoeff());
  }
  return errors;
}

template <class T>
double order_of(const Errors<T>& errors) {
  std::vector<OrderPoint> points;
  for (std::size_t i = 0; i < errors.size(); ++i)
    points.push_back(order_point(T(1) / T(numbers_of_steps[i]), errors[i]));
  const OrderEstimate estimate = estimate_order(points);
  EXPECT_TRUE(estimate.decided) << scalar_name<T>() << ": " << estimate.statement;
  return estimate.order;
}

// Van der Pol's equation with a forcing as q' = v, v' = a(t, q, v).
template <class T>
OdeSystem<T> second_order_oscillator() {
  const auto f = [](const T& t, const Vector<T>& y, Vector<T>& ydot) {
    using std::cos;
    ydot[0] = y[1];
    ydot[1] = (T(1) - y[0] * y[0]) * y[1] - y[0] + T(cos(t));
  };
  return {2, f, {}, 1};
}

template <class T>
Errors<T> ode_errors(const std::string& method) {
  const bool second_order = method == "semi-implicit-euler";
  const Vector<Real50> y0{{Real50(1), Real50(1) / 2}};
  auto oracle = second_order ? second_order_oscillator<Real50>() : forced_oscillator<Real50>();
  auto ode = second_order ? second_order_oscillator<T>() : forced_oscillator<T>();
  const Vector<Real50> exact = ode_solution(oracle, y0, Real50(1));
  return errors_at_end<T>(method, ode, start_state<T>(ode, y0.cast<T>()), exact, T(1));
}

// (q, v, lambda) of the two-link manipulator at t = 1/4, through minimal coordinates.
Vector<Real50> two_link_solution() {
  const BoundProblem<Widest> two_link("two-link-manipulator", "index-1");
  const Real50 t = Real50(1) / 4;
  const Motion motion = *two_link.problem->independent_solution(t, 32);
  Vector<Widest> y = two_link.start.y, ydot = two_link.start.ydot;
  y.head(6) = motion.q.cast<Widest>(), y.segment(6, 6) = motion.v.cast<Widest>();
  EXPECT_TRUE(two_link.system->consistent_derivatives(Widest(t), y, ydot).ok());
  return y.cast<Real50>();
}

template <class T>
Errors<T> dae_errors(const std::string& method) {
  static const Vector<Real50> exact = two_link_solution();
  const BoundProblem<T> two_link("two-link-manipulator", "index-1");
  return errors_at_end<T>(method, *two_link.system, two_link.start, exact, T(1) / T(4));
}

// In 50 digits every order shows. In double it shows up to order 4; the errors of higher orders are near round-off as
// soon as they follow the power of h. But double gives the errors of 50 digits, up to round-off: of values to 30,
// summed with compensation, a few hundred units of 2e-16. Orders are observed to 0.15: measured 0.04 in double.
void expect_order(const OrderCase& c, const Errors<Widest>& errors, const Errors<double>& errors_in_double) {
  if (std::is_same_v<Widest, Real50>) {
    EXPECT_NEAR(order_of(errors), c.order, 0.15);
  }
  if (c.order <= 4) {
    EXPECT_NEAR(order_of(errors_in_double), c.order, 0.15);
  }
  for (std::size_t i = 0; i < errors.size(); ++i)
    EXPECT_NEAR(errors_in_double[i], static_cast<double>(errors[i]), 1e-13) << numbers_of_steps[i] << " steps";
}

class ExplicitOrder : public testing::TestWithParam<OrderCase> {};

TEST_P(ExplicitOrder, OnAnOde) {
  const std::string& method = GetParam().method;
  expect_order(GetParam(), ode_errors<Widest>(method), ode_errors<double>(method));
}

// q, v and lambda: on index 1 all have the order of the method.
TEST_P(ExplicitOrder, OnTheTwoLinkManipulatorIndex1) {
  const std::string& method = GetParam().method;
  expect_order(GetParam(), dae_errors<Widest>(method), dae_errors<double>(method));
}

std::vector<OrderCase> order_cases() {
  std::vector<OrderCase> cases{{"semi-implicit-euler", 1}};
  for (const auto& [tableau, order] : std::vector<std::pair<const char*, int>>{{"explicit-euler", 1},
                                                                               {"explicit-midpoint", 2},
                                                                               {"heun", 2},
                                                                               {"ralston", 2},
                                                                               {"rk3-kutta", 3},
                                                                               {"dormand-prince", 5},
                                                                               {"cooper-verner", 8},
                                                                               {"bogacki-shampine", 3},
                                                                               {"fehlberg-45", 4},
                                                                               {"cash-karp", 5},
                                                                               {"butcher-6", 6},
                                                                               {"dverk", 6},
                                                                               {"fehlberg-78", 7},
                                                                               {"verner-87", 8}})
    cases.push_back({fmt::format("runge-kutta:tableau={}", tableau), order});
  for (int k = 1; k <= 8; ++k) {
    cases.push_back({fmt::format("adams-bashforth:k={}", k), k});
    cases.push_back({fmt::format("adams-pece:k={}", k), k});
  }
  cases.push_back({"adams-pece:k=3,corrector=4", 4});
  for (int k = 1; k <= 8; ++k) cases.push_back({fmt::format("adams-variable:k={}", k), k + 1});
  for (const char* a2 : {"1/4", "2", "-1"}) cases.push_back({fmt::format("two-stage-runge-kutta:a2={}", a2), 2});
  for (const char* rkc : {"rkc", "rkc:stages=2", "rkc:stages=7"}) cases.push_back({rkc, 2});
  for (const char* rock : {"rock2", "rock2:stages=8"}) cases.push_back({rock, 2});
  for (const char* rock : {"rock4", "rock4:stages=8"}) cases.push_back({rock, 4});
  for (int order = 2; order <= 8; order += 2) cases.push_back({fmt::format("extrapolation:order={}", order), order});
  cases.push_back({"extrapolation:order=4,smoothing=true", 4});
  for (int s = 3; s <= 5; ++s) cases.push_back({fmt::format("pirk:s={}", s), 2 * s - 2});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Methods, ExplicitOrder, testing::ValuesIn(order_cases()), [](const auto& info) {
  std::string name = info.param.method;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// [Tb, (2-14) to (2-18)]: a2 names the member.
TEST(TwoStageRungeKutta, ContainsTheMethodsWithNames) {
  for (const auto& [a2, name] : {std::pair("1/2", "heun"), {"3/4", "ralston"}, {"1", "explicit-midpoint"}}) {
    const auto member = Registry<Method>::instance().make(fmt::format("two-stage-runge-kutta:a2={}", a2), "");
    const Tableau tableau = std::get<Tableau>(member->form()), named = tableau_by_name(name, "");
    EXPECT_EQ(tableau.A, named.A) << name;
    EXPECT_EQ(tableau.b, named.b) << name;
  }
  EXPECT_THAT([] { Registry<Method>::instance().make("two-stage-runge-kutta:a2=0", "/method"); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("/method/a2: 0 is not allowed")));
}

// A start of order k - 1 suffices, one of order k - 2 does not.
TEST(AdamsBashforth, HasTheOrderThatItsStartAllows) {
  EXPECT_NEAR(order_of(ode_errors<Widest>("adams-bashforth:k=4,start=rk3-kutta")), 4, 0.15);
  EXPECT_NEAR(order_of(ode_errors<Widest>("adams-bashforth:k=4,start=heun")), 3, 0.15);  // measured 0.02
}

// ---------------------------------------------------------------- work

struct WorkCase {
  std::string method;
  int evaluations;  // a step
  int start_steps = 0, start_evaluations = 0;
};

// y' = -y, counting its evaluations.
OdeSystem<double> counted_decay(long& evaluations) {
  return {1, [&evaluations](double, const Vector<double>& y, Vector<double>& f) {
            ++evaluations;
            f = -y;
          }};
}

TEST(ExplicitMethods, EvaluateAsOftenAsTheyMust) {
  const int steps = 20;
  std::vector<WorkCase> cases{{"runge-kutta:tableau=explicit-euler", 1},
                              {"runge-kutta:tableau=explicit-midpoint", 2},
                              {"runge-kutta:tableau=heun", 2},
                              {"runge-kutta:tableau=ralston", 2},
                              {"runge-kutta:tableau=rk3-kutta", 3},
                              {"runge-kutta", 4},
                              {"runge-kutta:tableau=dormand-prince", 6},
                              {"adams-bashforth:k=1", 1},
                              {"adams-bashforth:k=2", 1, 1, 4},
                              {"adams-bashforth:k=4", 1, 3, 4},
                              {"adams-bashforth:k=5", 1, 4, 6},
                              {"adams-bashforth:k=8", 1, 7, 11},
                              {"adams-pece:k=1", 2},
                              {"adams-pece:k=4", 2, 3, 4},
                              {"runge-kutta:tableau=bogacki-shampine", 3},
                              {"runge-kutta:tableau=verner-87", 13},
                              {"rkc:stages=7", 7},
                              {"rkc:spectral_radius=1", 2},
                              {"rock2:stages=9", 9},
                              {"rock2:spectral_radius=1", 3},
                              {"rock4:stages=9", 9},
                              {"rock4:spectral_radius=1", 5},
                              {"extrapolation:order=2", 2},
                              {"extrapolation:order=8", 17},
                              {"extrapolation:order=8,smoothing=true", 21}};
  for (const WorkCase& c : cases) {
    SCOPED_TRACE(c.method);
    long evaluations = 0;
    auto ode = counted_decay(evaluations);
    const State<double> start = start_state<double>(ode, Vector<double>::Ones(1));
    evaluations = 0;
    const Statistics statistics = integrated<double>(c.method, ode, start, 1, 1.0 / steps).second;
    EXPECT_EQ(evaluations, c.start_steps * c.start_evaluations + (steps - c.start_steps) * c.evaluations);
    EXPECT_EQ(statistics.residuals, evaluations);
    EXPECT_EQ(statistics.steps, steps);
  }
}

TEST(SemiImplicitEuler, EvaluatesOnceAStep) {
  auto ode = second_order_oscillator<double>();
  const State<double> start = start_state<double>(ode, Vector<double>::Ones(2));
  EXPECT_EQ(integrated<double>("semi-implicit-euler", ode, start, 1, 1.0 / 20).second.residuals, 20);
}

// Past slopes belong to one step size: after a change, as by the shortened last step, the start begins anew.
TEST(AdamsBashforth, StartsAnewWhenTheStepChanges) {
  long evaluations = 0;
  auto ode = counted_decay(evaluations);
  State<double> state = start_state<double>(ode, Vector<double>::Ones(1)), next = state;
  const auto adams = stepper<double>("adams-bashforth:k=4", ode);
  next.memory = state.memory = adams->make_memory();
  std::vector<long> work;
  for (int step = 0; step < 10; ++step) {
    evaluations = 0;
    ASSERT_TRUE(adams->step(state, step < 5 ? 0.125 : 0.0625, next).ok());
    work.push_back(evaluations);
    std::swap(state, next);
  }
  EXPECT_THAT(work, testing::ElementsAre(4, 4, 4, 1, 1, 4, 4, 4, 1, 1));
}

// ---------------------------------------------------------------- methods that are others in disguise

template <class T>
Vector<T> oscillator_end(const std::string& method) {
  auto ode = forced_oscillator<T>();
  return integrated<T>(method, ode, start_state<T>(ode, Vector<T>::Ones(2)), T(1), T(1) / 64).first.y;
}

TEST(AdamsBashforth, OfOneStepIsEulersMethod) {
  const Vector<double> adams = oscillator_end<double>("adams-bashforth:k=1");
  EXPECT_EQ(adams, oscillator_end<double>("runge-kutta:tableau=explicit-euler"));
}

// ---------------------------------------------------------------- energy

// q'' = -q with h = 0.1. The explicit Euler method multiplies q^2 + v^2 by 1 + h^2 every step. The semi-implicit one
// keeps q^2 + v^2 - h q v [HLW06, Sec. I.1.2], so that q^2 + v^2 stays within (2 + h)/(2 - h) of its start.
TEST(SemiImplicitEuler, KeepsTheEnergyThatExplicitEulerLoses) {
  OdeSystem<double> oscillator(
      2, [](double, const Vector<double>& y, Vector<double>& f) { f[0] = y[1], f[1] = -y[0]; }, {}, 1);
  const double h = 0.1;
  const State<double> start = start_state<double>(oscillator, Vector<double>{{1.0, 0.0}});
  for (const int steps : {10, 100, 1000, 10000}) {
    const auto at_end = [&](const char* method) -> Vector<double> {
      return integrated<double>(method, oscillator, start, steps * h, h).first.y;
    };
    const Vector<double> y = at_end("semi-implicit-euler");
    // Round-off of up to 10 000 steps, 2e-12 and less.
    EXPECT_NEAR(y.squaredNorm() - h * y[0] * y[1], 1, 1e-12) << steps;
    EXPECT_LE(std::abs(y.squaredNorm() - 1), h / (2 - h)) << steps;
    const double growth = std::pow(1 + h * h, steps);
    EXPECT_NEAR(at_end("runge-kutta:tableau=explicit-euler").squaredNorm() / growth, 1, 1e-11) << steps;
  }
}

// ---------------------------------------------------------------- refusals and bad options

TEST(ExplicitMethods, AreRefusedOnIndexTwoAndThree) {
  for (const char* formulation : {"index-2", "index-3"}) {
    const BoundProblem<double> pendulum("pendulum", formulation);
    for (const char* method : {"semi-implicit-euler", "adams-bashforth", "adams-pece", "runge-kutta:tableau=heun",
                               "rkc", "rock4", "extrapolation"})
      EXPECT_THAT([&] { stepper<double>(method, *pendulum.system); },
                  ThrowsMessage<NotApplicable>(HasSubstr("use the index-1 formulation")))
          << method;
  }
}

TEST(SemiImplicitEuler, IsRefusedOnFirstOrderSystems) {
  auto ode = forced_oscillator<double>();
  EXPECT_THAT([&] { stepper<double>("semi-implicit-euler", ode); },
              ThrowsMessage<NotApplicable>(HasSubstr("not of second order")));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// y' = p t^(p-1) from t = 1, over twice as many steps as the method has.
Real50 polynomial_error(const std::string& method, int p, int steps) {
  OdeSystem<Real50> ode(1,
                        [p](const Real50& t, const Vector<Real50>&, Vector<Real50>& f) { f[0] = p * pow(t, p - 1); });
  State<Real50> state = start_state<Real50>(ode, Vector<Real50>{{Real50(1)}});
  state.t = 1;
  EXPECT_TRUE(ode.consistent_derivatives(state.t, state.y, state.ydot).ok());
  const Real50 t_end = 1 + Real50(steps) / 8;
  return abs(integrated<Real50>(method, ode, state, t_end, Real50(1) / 8).first.y[0] - pow(t_end, p));
}

// The weights integrate slopes of degree k - 1 exactly, and so does the quadrature of the start.
TEST(Adams, IntegratesPolynomialsOfDegreeKExactly) {
  for (int k = 1; k <= 8; ++k)
    for (const char* family : {"adams-bashforth", "adams-pece"}) {
      const std::string method = fmt::format("{}:k={}", family, k);
      for (int p = 1; p <= k; ++p)
        EXPECT_LT(polynomial_error(method, p, 2 * k), Real50("1e-44")) << method << ", t^" << p;
      EXPECT_GT(polynomial_error(method, k + 1, 2 * k), Real50("1e-10")) << method;  // h^(k+1) = 7e-9 and more
    }
  EXPECT_LT(polynomial_error("adams-pece:k=3,corrector=4", 4, 6), Real50("1e-44")) << "the corrector decides";
}

// Predictor Euler, corrector trapezoid: the improved Euler method and the two-stage method of Heun are one.
TEST(AdamsPece, OfOneStepWithTrapezoidIsHeunsMethod) {
  const Vector<Real50> pece = oscillator_end<Real50>("adams-pece:k=1,corrector=2");
  EXPECT_LT(largest(pece - oscillator_end<Real50>("runge-kutta:tableau=heun")), 1e-47);
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
