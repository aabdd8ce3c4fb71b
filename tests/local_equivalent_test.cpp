// The local equivalent system as a formulation: the trapezoidal rule on it is the scheme of its paper, every other
// method has its order, and with A of the start it is the system written down by hand for one mechanism.
//
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/drift_support.hpp"
#include "tests/input_error_support.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// [Wang, (3.7)] with V^T M of the step's start: the same numbers, to where the Picard iteration of the scheme ends.
TEST(LocalEquivalent, TrapezoidalRuleIsTheSchemeOfThePaper) {
  NewtonOptions picard;
  picard.tolerance = Exact("1e-14"), picard.norm = Norm::max, picard.max_iterations = 100;
  method_of("trapezoidal");
  for (const char* problem : {"two-link-arm", "two-link-manipulator", "pendulum", "driven-mass:time=coordinate"}) {
    const auto scheme = march<double>(problem, "index-1", "local-trapezoidal", 1.0, 100, Steps::constant, picard),
               rule = march<double>(problem, "local-equivalent", "trapezoidal", 1.0, 100);
    const PerComponent difference = errors_of(rule, scheme, true);
    EXPECT_LT(difference[0], 1e-12) << problem;
    EXPECT_LT(difference[1], 1e-12) << problem;
    const auto plain = march<double>(problem, "null-space", "trapezoidal", 1.0, 100);  // another subspace
    if (problem == std::string("two-link-arm")) {
      EXPECT_GT(errors_of(plain, scheme, true)[0], 1e-8);
    }
  }
}

// (3.4a), (3.4b) of the two-link arm with A = diag(M V, M V), V of the start, written down by hand: states A^T x, from
// which x follows.
const char* const arm = R"json({
  "name": "local-equivalent-arm", "parameters": {"g": "9.81"},
  "definitions": {
    "cD": "cos(th1 - th2)", "sD": "sin(th1 - th2)", "det": "16/9 - cD^2",
    "r1": "-sD*w2^2 - 3/2*g*cos(th1)", "r2": "sD*w1^2 - g*cos(th2)",
    "al1": "(4/3*r1 - cD*r2)/det", "al2": "(4/3*r2 - cD*r1)/det",
    "ay1": "(cos(th1)*al1 - sin(th1)*w1^2)/2", "ay2": "2*ay1 + cos(th2)*al2 - sin(th2)*w2^2"},
  "states": {"p1": "v1/2 + w1/12 + v2", "p2": "v2 + w2/3", "s1": "ay1/2 + al1/12 + ay2", "s2": "ay2 + al2/3"},
  "algebraic": {
    "x1": "x1 = cos(th1)/2", "y1": "y1 = sin(th1)/2", "th1": "p1 = y1/2 + th1/12 + y2",
    "x2": "x2 = cos(th1) + cos(th2)", "y2": "y2 = sin(th1) + sin(th2)", "th2": "p2 = y2 + th2/3",
    "u1": "u1 = -sin(th1)*w1/2", "v1": "v1 = cos(th1)*w1/2", "w1": "s1 = v1/2 + w1/12 + v2",
    "u2": "u2 = -sin(th1)*w1 - sin(th2)*w2", "v2": "v2 = cos(th1)*w1 + cos(th2)*w2", "w2": "s2 = v2 + w2/3"},
  "start": {"x1": "1/2", "x2": "2"}, "end_time": "2/5"})json";

// x = (x1, y1, th1, x2, y2, th2, u1, ..., w2) at t = 2/5.
template <class T>
Vector<T> by_hand(const std::string& method, int steps) {
  const auto problem = Registry<Problem>::instance().make(Json::parse(arm), "/problem");
  const auto model = problem->model(As<T>{});
  const auto none = Registry<MultiplierSolver>::instance().make("schur-cholesky", "")->bind(As<T>{}, 0, 0);
  const auto system = Registry<Formulation>::instance().make("ode", "")->system(*model, *none);
  const auto stepper = method_of(method)->stepper(*system, {});
  State<T> state;
  state.y.setZero(system->size()), state.ydot = state.compensation = state.y;
  state.y.head(model->initial_y().size()) = model->initial_y();
  EXPECT_TRUE(system->consistent_start(state.t, state.y, state.ydot).ok());
  const T end = T(2) / T(5);
  EXPECT_TRUE(integrate<T>(*stepper, state, end, end / T(steps), {}).ok()) << method;
  return state.y.tail(12);
}

template <class T>
void expect_the_numbers_by_hand(const std::vector<int>& counts, double bound) {
  for (const char* method : {"radau-iia:s=2", "lobatto-iiic:s=2", "bdf:k=3", "runge-kutta", "one-leg"})
    for (const int steps : counts) {
      const ConstrainedMotion motion = march<T>("two-link-arm", "local-equivalent:A=start", method, T(2) / T(5), steps);
      Vector<Real50> x(12);
      x << motion.q, motion.v;
      EXPECT_LT(largest(Vector<Real50>(x - by_hand<T>(method, steps).template cast<Real50>())), bound) << method;
    }
}
TEST(LocalEquivalent, WithAOfTheStartIsTheSystemByHand) { expect_the_numbers_by_hand<double>({20, 80}, 2e-12); }
#ifndef DAELAB_DOUBLE_ONLY
TEST(LocalEquivalent, WithAOfTheStartIsTheSystemByHandIn50Digits) { expect_the_numbers_by_hand<Real50>({10}, 1e-40); }
#endif

// "Suits other formulas": those of every family, on a mechanism that the paper does not have.
TEST(LocalEquivalent, EveryMethodHasItsOrder) {
  for (const char* form : {"local-equivalent", "local-equivalent:A=start"})
    for (const auto& [method, order] : {std::pair{"runge-kutta", 4}, std::pair{"bdf:k=3", 3}, std::pair{"gauss:s=2", 4},
                                        std::pair{"one-leg", 2}, std::pair{"generalized-alpha", 2}}) {
      const std::vector<int> counts = order == 4 ? std::vector{40, 80, 160} : std::vector{200, 400, 800};
      EXPECT_NEAR(observed_order("two-link-manipulator", form, method, 0.5, counts), order, 0.3) << method;
    }
}

TEST(LocalEquivalent, KeepsBothLevelsAtRoundOff) {
  for (const char* form : {"local-equivalent", "local-equivalent:A=start"})
    for (const char* method : {"runge-kutta", "radau-iia:s=2", "bdf:k=3"}) {
      const RoundOff<double> found = drift({"two-link-arm", form, method, 0.01, 0.4});
      EXPECT_LE(found.position, 8) << form << ", " << method;
      EXPECT_LE(found.velocity, 16) << form << ", " << method;
    }
}

// Proposition 1 holds near the start: at a quarter of a turn V^T M of the start no longer determines all coordinates.
TEST(LocalEquivalent, AOfTheStartEndsWhereItDeterminesNoCoordinates) {
  const BoundProblem<double> bound("pendulum", "local-equivalent:A=start");
  const auto stepper = method_of("runge-kutta")->stepper(*bound.system, {});
  State<double> state = bound.start;
  const Status status = integrate<double>(*stepper, state, 2.0, 0.01, {});
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.cause, HasSubstr("local coordinates"));
  EXPECT_GT(state.t, 0.3);
  const BoundProblem<double> each("pendulum", "local-equivalent");
  State<double> other = each.start;
  EXPECT_TRUE(integrate<double>(*method_of("runge-kutta")->stepper(*each.system, {}), other, 2.0, 0.01, {}).ok());
}

TEST(LocalEquivalent, RefusesWhatHasNoSuchSystem) {
  EXPECT_THAT([] { Registry<Formulation>::instance().make("local-equivalent:A=middle", "/formulation"); },
              throws_input_error("/formulation/A", "step", "start"));
  EXPECT_THAT(input_error_of<NotApplicable>([] { BoundProblem<double>("driven-crank", "local-equivalent"); }),
              HasSubstr("independent coordinates"));
}

}  // namespace TEST_FILE
}  // namespace daelab
