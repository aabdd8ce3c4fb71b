// Index 1 pulled back by a penalty: what is added is the gradient of the penalty, violations decay, the motion and the
// orders are those of the mechanism, and explicit methods integrate it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/observers.hpp"
#include "tests/drift_support.hpp"
#include "tests/input_error_support.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// C and R = C_q v + C_t at (q, v).
template <class T>
std::pair<Vector<T>, Vector<T>> violations(const BoundProblem<T>& bound, const T& t, const Vector<T>& q,
                                           const Vector<T>& v) {
  const Index m = bound.layout.m;
  Vector<T> C(m), R(m);
  bound.model->constraint_level(Level::position, t, q, v, v, C);
  bound.model->constraint_level(Level::velocity, t, q, v, v, R);
  return {C, R};
}

#ifndef DAELAB_DOUBLE_ONLY
// By central differences of |C|^2/2 by q and of |R|^2/2 by v in 50 digits, off the constraints.
TEST(PenaltyPullBack, AddsTheGradientsOfThePenalties) {
  using T = Real50;
  for (const char* problem : {"pendulum", "two-link-arm", "driven-crank", "knife-edge"}) {
    const BoundProblem<T> plain(problem, "index-1"), pulled(problem, "penalty-pull-back:kappa=3");
    const Index n = plain.layout.n;
    RandomNumbers random(5);
    State<T> at = plain.start;
    at.y.head(2 * n) += random.vector<T>(2 * n) / 10;
    State<T> other = at;
    ASSERT_TRUE(plain.system->consistent_derivatives(at.t, at.y, at.ydot).ok());
    ASSERT_TRUE(pulled.system->consistent_derivatives(at.t, other.y, other.ydot).ok());
    const Vector<T> q = at.y.head(n), v = at.y.segment(n, n);
    const auto half_square = [](const Vector<T>& x) { return Vector<T>{{x.squaredNorm() / 2}}; };
    const Matrix<T> by_q = difference(
                        q, [&](const Vector<T>&x) { return half_square(violations<T>(plain, at.t, x, v).first); }),
                    by_v = difference(
                        v, [&](const Vector<T>&x) { return half_square(violations<T>(plain, at.t, q, x).second); });
    EXPECT_GT(largest(by_v), 1e-3) << problem;
    const Vector<T> pull = (other.ydot - at.ydot).head(2 * n);
    EXPECT_LT(largest(Vector<T>(pull.head(n) + 3 * by_q.transpose())), difference_tolerance) << problem;
    EXPECT_LT(largest(Vector<T>(pull.tail(n) + 3 * by_v.transpose())), difference_tolerance) << problem;
    EXPECT_LT(largest(Vector<T>(other.y - at.y)), 1e-45) << problem;  // the multipliers are those of index 1
  }
}

TEST(PenaltyPullBack, LeadsMethodsToTheTrueMotionWithTheirOrders) {
  for (const auto& [method, order] :
       {std::pair{"runge-kutta", 4}, std::pair{"rkc:stages=6", 2}, std::pair{"rock4:stages=6", 4}}) {
    const PerComponent orders =
        observed_orders<Real50>("pendulum", "penalty-pull-back:kappa=16", method, Real50(1), {256, 512, 1024});
    for (const double observed : orders) EXPECT_NEAR(observed, order, 0.2) << method;  // the next term
  }
}
#endif

TEST(PenaltyPullBack, HasTheOrderOfItsMethodInDouble) {
  method_of("heun");
  for (const char* problem : {"pendulum", "two-link-manipulator"}) {
    EXPECT_NEAR(observed_order(problem, "penalty-pull-back:kappa=8", "runge-kutta", 0.5, {160, 320, 640}), 4, 0.2);
    EXPECT_NEAR(observed_order(problem, "penalty-pull-back:kappa=8", "heun", 0.5, {400, 800, 1600}), 2, 0.2);
  }
}

// C = (|q|^2 - 1)/2 of the pendulum: C' = -kappa |q|^2 C while R is small against it.
TEST(PenaltyPullBack, ViolationsDecayWithTheRate) {
  const BoundProblem<double> bound("pendulum:gravity=1e-6", "penalty-pull-back:kappa=10");
  State<double> state = bound.start;
  state.y.head(2) *= 1 + 1e-6;
  ASSERT_TRUE(bound.system->consistent_derivatives(state.t, state.y, state.ydot).ok());
  const auto C = [](const State<double>& at) { return (at.y.head(2).squaredNorm() - 1) / 2; };
  const double before = C(state);
  ASSERT_TRUE(integrate<double>(*method_of("runge-kutta")->stepper(*bound.system, {}), state, 0.5, 0.005, {}).ok());
  EXPECT_NEAR(C(state) / before, std::exp(-10 * 0.5), 1e-5);
}

// The largest violations of a run, as a share of those of index 1.
TEST(PenaltyPullBack, BoundsTheDriftThatIndex1Has) {
  struct Largest final : Observer<double> {
    explicit Largest(const BoundProblem<double>& bound) : bound(bound) {}
    void start(const State<double>&) override {}
    void step(const State<double>&, const State<double>& to) override {
      const auto [C, R] = violations<double>(bound, to.t, bound.layout.q(to.y), bound.layout.v(to.y));
      const double size = std::max(largest(C), largest(R));
      (to.t < 10 ? early : late) = std::max(to.t < 10 ? early : late, size);
    }
    const BoundProblem<double>& bound;
    double early = 0, late = 0;
  };
  const auto run = [](const char* form) {
    const BoundProblem<double> bound("pendulum", form);
    Largest observer(bound);
    State<double> state = bound.start;
    EXPECT_TRUE(
        integrate<double>(*method_of("dormand-prince")->stepper(*bound.system, {}), state, 40.0, 0.02, {&observer})
            .ok());
    return std::pair{observer.early, observer.late};
  };
  const auto [early, late] = run("index-1");
  const auto [early_pulled, late_pulled] = run("penalty-pull-back:kappa=20");
  EXPECT_GT(late, 2 * early);
  EXPECT_LT(late_pulled, 1.5 * early_pulled);
  EXPECT_LT(late_pulled, late / 5);
}

// The slowest violation decays as fast as in the penalty form: chi = 16 on the pendulum, |C_q| = 1; |C_q|^2 = 1/16 of
// one of a quarter of the length, chi = 64.
TEST(PenaltyPullBack, ChoosesItsFactorByTheWeakestConstraint) {
  for (const auto& [problem, chi] : {std::pair{"pendulum", 16.0}, std::pair{"pendulum:length=1/4,x=0,y=-1/4", 64.0}}) {
    const BoundProblem<double> bound(problem, "penalty-pull-back");
    State<double> at = bound.start;
    const double length = at.y.head(2).norm();
    at.y.head(2) *= 1 + 1e-7;
    ASSERT_TRUE(bound.system->consistent_derivatives(at.t, at.y, at.ydot).ok());
    const Vector<double> q = at.y.head(2), rate = at.ydot.head(2);
    EXPECT_NEAR(-q.dot(rate) / ((q.squaredNorm() - length * length) / 2), chi, 1e-4 * chi) << problem;
  }
}

TEST(PenaltyPullBack, IsForExplicitMethods) {
  const BoundProblem<double> bound("pendulum", "penalty-pull-back:kappa=5");
  for (const char* method : {"dormand-prince", "extrapolation", "adams-variable", "rkc", "rock2", "rock4", "pirk"}) {
    const auto stepper = method_of(method)->stepper(*bound.system, {});
    stepper->control({1e-7, 1e-7, 1e-7});
    State<double> state = bound.start;
    state.memory = stepper->make_memory();
    ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 1.0, 0.0, {}).ok()) << method;
    EXPECT_LT(errors_of(motion_of(state, bound.layout), known_motion("pendulum", Real50(1)))[0], 1e-4) << method;
  }
  for (const char* method : {"radau-iia:s=2", "bdf", "one-leg"})
    EXPECT_THAT(input_error_of<NotApplicable>([&] { method_of(method)->stepper(*bound.system, {}); }),
                HasSubstr("for explicit methods"))
        << method;
  EXPECT_THAT([] { Registry<Formulation>::instance().make("penalty-pull-back:kappa=0", "/formulation"); },
              throws_input_error("/formulation/kappa", "above 0"));
}

}  // namespace TEST_FILE
}  // namespace daelab
