// The Runge-Kutta engines: observed orders in 50 digits on an ODE and on index 1, 2 and 3, the cases that
// theory forbids, steps as pure functions, agreement of the Newton iterations, and printed tables.
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996.
#include "methods/runge_kutta/runge_kutta.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/order_estimate.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/run.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "results/record_values.hpp"
#include "tests/method_support.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

// ---------------------------------------------------------------- an ordinary differential equation

#ifndef DAELAB_DOUBLE_ONLY  // orders in 50 digits
std::unique_ptr<Stepper<Real50>> stepper(const std::string& method, System<Real50>& system, NewtonOptions newton = {}) {
  newton.max_iterations = 100;  // one Jacobian a step gains a digit or two an iteration, and 50 are wanted
  return method_of(method)->stepper(system, newton);
}

double ode_order(const std::string& method, const std::vector<int>& steps) {
  auto ode = forced_oscillator<Real50>();
  const Vector<Real50> y0{{Real50(1), Real50(1) / 2}};
  const Vector<Real50> exact = ode_solution(ode, y0, Real50(1));
  std::vector<OrderPoint> points;
  for (int n : steps) {
    const auto method_stepper = stepper(method, ode);
    State<Real50> state = start_state(ode, y0);
    const Real50 h = Real50(1) / n;
    const Status status = integrate<Real50>(*method_stepper, state, Real50(1), h, {});
    EXPECT_TRUE(status.ok()) << method << ": " << status.cause;
    points.push_back(order_point(h, Real50((state.y - exact).cwiseAbs().maxCoeff())));
  }
  const OrderEstimate estimate = estimate_order(points);
  EXPECT_TRUE(estimate.decided) << method << ": " << estimate.statement;
  return estimate.order;
}

struct OdeCase {
  std::string method;
  int order;
  int coarsest = 8;  // steps; explicit methods become asymptotic later
  friend void PrintTo(const OdeCase& c, std::ostream* out) { *out << c.method; }
};
std::string test_name(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}
class OdeOrder : public testing::TestWithParam<OdeCase> {};

TEST_P(OdeOrder, IsTheClassicalOrder) {
  const int n = GetParam().coarsest;
  // Orders estimated from four steps, each half the one before.
  EXPECT_NEAR(ode_order(GetParam().method, {n, 2 * n, 4 * n, 8 * n}), GetParam().order, 0.15);
}

// [HW96, Sec. IV.5]: 2s - 1 for Radau IIA, 2s - 2 for Lobatto IIIC, 2s for Gauss. Pade blocks:
// min(quadrature order of the last row, k + j); j < r is allowed on an ODE.
INSTANTIATE_TEST_SUITE_P(
    Families, OdeOrder,
    testing::Values(OdeCase{"radau-iia:s=1", 1}, OdeCase{"radau-iia:s=2", 3}, OdeCase{"radau-iia:s=3", 5},
                    OdeCase{"radau-iia:s=4", 7}, OdeCase{"lobatto-iiic:s=2", 2}, OdeCase{"lobatto-iiic:s=3", 4},
                    OdeCase{"lobatto-iiic:s=4", 6}, OdeCase{"gauss:s=1", 2}, OdeCase{"gauss:s=2", 4},
                    OdeCase{"gauss:s=3", 6}, OdeCase{"alexander:s=2", 2}, OdeCase{"alexander:s=3", 3},
                    OdeCase{"tr-bdf2", 2}, OdeCase{"crouzeix-2", 3}, OdeCase{"crouzeix-3", 4},
                    OdeCase{"sdirk-4", 4, 16}, OdeCase{"kvaerno-3", 3}, OdeCase{"kvaerno-4", 4},
                    OdeCase{"kvaerno-5", 5}, OdeCase{"kennedy-carpenter-3", 3}, OdeCase{"kennedy-carpenter-4", 4},
                    OdeCase{"kennedy-carpenter-5", 5}, OdeCase{"kennedy-carpenter-6", 6}, OdeCase{"skvortsov-4", 4},
                    OdeCase{"runge-kutta", 4, 32}, OdeCase{"runge-kutta:tableau=rk4-three-eighths", 4, 32},
                    OdeCase{"pade-block:r=1", 1}, OdeCase{"pade-block:r=2", 2}, OdeCase{"pade-block:r=2,k=1", 3},
                    OdeCase{"pade-block:r=3", 4}, OdeCase{"pade-block:r=3,k=2,nodes=lobatto", 5},
                    OdeCase{"pade-block:r=4", 6}, OdeCase{"pade-block:r=4,k=3,nodes=lobatto", 7},
                    OdeCase{"pade-block:r=3,k=1,j=2", 3}, OdeCase{"pade-block:r=3,k=2,j=2", 4}),
    [](const auto& info) { return test_name(info.param.method); });

// ---------------------------------------------------------------- orders on the constrained equations

struct Errors {
  Real50 q, v, lambda;
};
struct Orders {
  double q, v, lambda;
};

const Real50 order_end(0.25);

struct ExactEnd {
  Vector<Real50> q, v, lambda;
  ExactEnd() {
    const BoundProblem<Real50> two_link("two-link-manipulator", "index-1");
    const Motion motion = *two_link.problem->independent_solution(order_end, 32);
    q = motion.q, v = motion.v, lambda.resize(4);
    Vector<Real50> a(6);
    solve_accelerations(*two_link.model, order_end, q, v, a, lambda);
  }
};

Errors errors_at_end(const std::string& method, const std::string& formulation, int steps,
                     bool zero_acceleration = false) {
  static const ExactEnd exact;
  const BoundProblem<Real50> two_link("two-link-manipulator", formulation);
  NewtonOptions newton;
  newton.iteration = NewtonIteration::modified;  // one Jacobian per stage: few iterations in 50 digits
  newton.tolerance = "1e-30";  // times 1/h^2 <= 4e5 on index 3 still below every error measured, 1e-21 and more
  newton.guess = NewtonGuess::extrapolated;
  const auto method_stepper = stepper(method, *two_link.system, newton);
  State<Real50> state = two_link.start;
  if (zero_acceleration) state.ydot.segment(6, 6).setZero();
  const Status status = integrate<Real50>(*method_stepper, state, order_end, order_end / steps, {});
  EXPECT_TRUE(status.ok()) << method << ", " << formulation << ", " << steps << " steps: " << status.cause;
  const auto error = [](const auto& x, const Vector<Real50>& y) { return Real50((x - y).cwiseAbs().maxCoeff()); };
  const MechanicalLayout& layout = two_link.layout;
  return {error(layout.q(state.y), exact.q), error(layout.v(state.y), exact.v),
          error(layout.lambda(state.y), exact.lambda)};
}

Orders observed_orders(const std::string& method, const std::string& formulation, const std::vector<int>& steps,
                       bool zero_acceleration = false) {
  std::vector<OrderPoint> q, v, lambda;
  for (int n : steps) {
    const Errors e = errors_at_end(method, formulation, n, zero_acceleration);
    const Real50 h = order_end / n;
    q.push_back(order_point(h, e.q)), v.push_back(order_point(h, e.v)), lambda.push_back(order_point(h, e.lambda));
  }
  const OrderEstimate of_q = estimate_order(q), of_v = estimate_order(v), of_lambda = estimate_order(lambda);
  if (std::getenv("DAELAB_SHOW"))
    fmt::print("{} {}: q {} | v {} | lambda {}\n", method, formulation, of_q.statement, of_v.statement,
               of_lambda.statement);
  return {of_q.order, of_v.order, of_lambda.order};
}

struct DaeCase {
  std::string method, formulation;
  Orders expected;
  double within_q = 0.15;
  friend void PrintTo(const DaeCase& c, std::ostream* out) { *out << c.method << ", " << c.formulation; }
};
class DaeOrder : public testing::TestWithParam<DaeCase> {};

// Bound: orders estimated from three steps, each half the one before.
TEST_P(DaeOrder, OnTheTwoLinkManipulator) {
  const DaeCase& c = GetParam();
  const Orders orders = observed_orders(c.method, c.formulation, {40, 80, 160});
  EXPECT_NEAR(orders.q, c.expected.q, c.within_q);
  EXPECT_NEAR(orders.v, c.expected.v, 0.15);
  EXPECT_NEAR(orders.lambda, c.expected.lambda, 0.15);
}

// Index 1: order p in all components. Index 2: p in q and v, r in lambda. Index 3: r in v, r - 1 in lambda,
// q = max(r, p - 1) where the tangential drift vanishes. p is the order on an ODE.
std::vector<DaeCase> block_cases() {
  struct Row {
    int r, k;
    const char* nodes;
    int p, index3_q;
  };
  const std::vector<Row> rows{
      {1, 0, "uniform", 1, 1},   {2, 0, "uniform", 2, 2},  {2, 1, "uniform", 3, 2}, {3, 1, "uniform", 4, 3},
      {3, 1, "chebyshev", 4, 4}, {3, 1, "legendre", 4, 3}, {3, 1, "lobatto", 4, 3}, {3, 2, "uniform", 4, 3},
      {3, 2, "chebyshev", 4, 3}, {3, 2, "legendre", 4, 3}, {3, 2, "lobatto", 5, 4}, {4, 2, "uniform", 6, 5},
      {4, 2, "chebyshev", 6, 5}, {4, 2, "legendre", 6, 5}, {4, 2, "lobatto", 6, 5}, {4, 3, "uniform", 6, 5},
      {4, 3, "chebyshev", 6, 5}, {4, 3, "legendre", 6, 5}, {4, 3, "lobatto", 7, 6}};
  std::vector<DaeCase> cases;
  for (const Row& row : rows) {
    const std::string method = fmt::format("pade-block:r={},k={},nodes={}", row.r, row.k, row.nodes);
    const double p = row.p, r = row.r, q3 = row.index3_q;
    cases.push_back({method, "index-1", {p, p, p}});
    cases.push_back({method, "index-2", {p, p, r}});
    // One case becomes asymptotic late: the term of order 5 is small and met by the next of opposite sign.
    const bool late = row.r == 4 && row.k == 2 && row.nodes == std::string("chebyshev");
    cases.push_back({method, "index-3", {q3, r, row.r == 1 ? 1 : r - 1}, late ? 0.25 : 0.15});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(PadeBlock, DaeOrder, testing::ValuesIn(block_cases()),
                         [](const auto& info) { return test_name(info.param.method + "_" + info.param.formulation); });

// The start derivative enters the first step (d != 0): with a_0 = 0 its error, of size h, stays.
// Bound: an order estimated from three steps, each half the one before.
class ZeroStartAcceleration : public testing::TestWithParam<std::string> {};
TEST_P(ZeroStartAcceleration, ReducesEveryFormToOrderOne) {
  const Orders orders = observed_orders("pade-block:r=4", GetParam(), {40, 80, 160}, true);
  EXPECT_NEAR(orders.q, 1, 0.15);
}
INSTANTIATE_TEST_SUITE_P(Forms, ZeroStartAcceleration, testing::Values("index-1", "index-2", "index-3"),
                         [](const auto& info) { return test_name(info.param); });
#endif

// ---------------------------------------------------------------- what the theory forbids

std::string refusal(const std::string& method, const std::string& formulation) {
  const BoundProblem<double> bound("pendulum", formulation);
  try {
    Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
  } catch (const NotApplicable& reason) {
    return reason.what();
  }
  return "";
}

// With j < r the determinant of B is 0 and h B cannot carry the constraint.
TEST(PadeBlock, WithSingularBIsRefusedOnIndexTwoAndThree) {
  EXPECT_THAT(refusal("pade-block:r=3,k=1,j=2", "index-2"), AllOf(HasSubstr("singular"), HasSubstr("index-2")));
  EXPECT_THAT(refusal("pade-block:r=3,k=1,j=2", "index-3"), AllOf(HasSubstr("singular"), HasSubstr("index-3")));
  EXPECT_EQ(refusal("pade-block:r=3,k=1,j=2", "index-1"), "");
  EXPECT_EQ(refusal("pade-block:r=3,k=1,j=3", "index-3"), "");
}

TEST(ExplicitRungeKutta, IsRefusedOnIndexTwoAndThree) {
  EXPECT_THAT(refusal("runge-kutta", "index-2"), HasSubstr("index-1"));
  EXPECT_THAT(refusal("runge-kutta", "index-3"), HasSubstr("index-1"));
  EXPECT_EQ(refusal("runge-kutta", "index-1"), "");
}

// ---------------------------------------------------------------- steps

#ifndef DAELAB_DOUBLE_ONLY
// Y is exact for polynomials up to t^r, so a step of y' = p t^(p-1) is exact for p <= r, and for any degree
// up to the quadrature order of the last row: r + 1 with uniform nodes and odd r, r + 2 with even r.
TEST(PadeBlock, IsExactOnPolynomials) {
  for (int r = 1; r <= 5; ++r) {
    const int exact_up_to = r == 1 ? 1 : r % 2 ? r + 1 : r == 2 ? 2 : r + 2;
    for (int p = 1; p <= exact_up_to + 1; ++p) {
      OdeSystem<Real50> ode(
          1, [p](const Real50& t, const Vector<Real50>&, Vector<Real50>& f) { f[0] = p * pow(t, p - 1); },
          [](const Real50&, const Vector<Real50>&, Matrix<Real50>& J) { J.setZero(); });
      State<Real50> from = start_state(ode, Vector<Real50>{{Real50(0)}});
      from.t = 1, from.y[0] = 1;
      ASSERT_TRUE(ode.consistent_derivatives(from.t, from.y, from.ydot).ok());
      const auto block = stepper(fmt::format("pade-block:r={}", r), ode);
      from.memory = block->make_memory();
      State<Real50> to = from;
      const Real50 h = Real50(1) / 4;
      ASSERT_TRUE(block->step(from, h, to).ok());
      const Real50 error = abs(to.y[0] - pow(from.t + h, p));
      if (p <= exact_up_to)
        EXPECT_LT(error, Real50("1e-48")) << "r " << r << ", t^" << p;  // rounding of 50 digits
      else
        EXPECT_GT(error, Real50("1e-12")) << "r " << r << ", t^" << p;  // of a step of 1/4, far from rounding
    }
  }
}
#endif

struct Engine {
  std::string method, formulation, newton;
};
const std::vector<Engine>& engines() {
  static const std::vector<Engine> list{{"pade-block", "index-1", "full"},
                                        {"pade-block", "index-3", "modified:guess=extrapolated"},
                                        {"pade-block", "index-1", "simplified:guess=extrapolated"},
                                        {"pade-block", "index-2", "simplified"},
                                        {"radau-iia", "index-2", "automatic"},
                                        {"gauss", "index-1", "automatic:guess=extrapolated"},
                                        {"tr-bdf2", "index-1", "automatic"},
                                        {"alexander", "index-2", "simplified"},
                                        {"kvaerno-4", "index-3", "automatic"},
                                        {"crouzeix-2", "index-1", "full"},
                                        {"runge-kutta", "index-1", "automatic"},
                                        {"runge-kutta:tableau=dormand-prince", "index-1", "automatic"},
                                        {"semi-implicit-euler", "index-1", "automatic"},
                                        {"adams-bashforth", "index-1", "automatic"},
                                        {"adams-pece:k=3", "index-1", "automatic"}};
  return list;
}
bool equal(const State<double>& x, const State<double>& y) {
  return x.t == y.t && x.y == y.y && x.ydot == y.ydot && x.compensation == y.compensation && x.memory == y.memory &&
         x.memory_step == y.memory_step;
}

// A state is a checkpoint: the step leaves it alone, and from a copy the same bits follow, also from another
// stepper and after the stepper has been elsewhere.
TEST(Step, IsAFunctionOfTheState) {
  for (const Engine& e : engines()) {
    SCOPED_TRACE(e.method + " " + e.formulation + " " + e.newton);
    const BoundProblem<double> bound("two-link-manipulator", e.formulation);
    const auto method = method_of(e.method);
    const auto first = method->stepper(*bound.system, newton_options(e.newton));
    const auto second = method->stepper(*bound.system, newton_options(e.newton));
    const double h = 1.0 / 128;
    State<double> state = bound.start;
    state.memory = first->make_memory();
    State<double> next = state;
    for (int k = 0; k < 3; ++k) {  // enough to fill the history of the Adams methods
      ASSERT_TRUE(first->step(state, h, next).ok());
      std::swap(state, next);
    }
    const State<double> checkpoint = state;
    State<double> once = state, again = state, elsewhere = state, other = state;
    ASSERT_TRUE(first->step(state, h, once).ok());
    EXPECT_TRUE(equal(state, checkpoint)) << "the step changed `from`";
    ASSERT_TRUE(first->step(once, h / 2, elsewhere).ok());
    ASSERT_TRUE(first->step(checkpoint, h, again).ok());
    ASSERT_TRUE(second->step(checkpoint, h, other).ok());
    EXPECT_TRUE(equal(once, again));
    EXPECT_TRUE(equal(once, other));
  }
}

// A rejected step is dropped: after a failure the stepper goes on as if it had not been tried.
TEST(Step, AFailureLeavesNoTrace) {
  const BoundProblem<double> bound("two-link-manipulator", "index-3");
  const auto stepper =
      Registry<Method>::instance().make("pade-block", "")->stepper(*bound.system, newton_options("modified"));
  State<double> to = bound.start, after = bound.start;
  ASSERT_TRUE(stepper->step(bound.start, 1.0 / 128, to).ok());
  EXPECT_FALSE(stepper->step(to, 4.0, after).ok());
  ASSERT_TRUE(stepper->step(bound.start, 1.0 / 128, after).ok());
  EXPECT_TRUE(equal(to, after));
}

}  // namespace TEST_FILE
}  // namespace daelab
