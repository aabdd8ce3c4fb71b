// Symmetric projection: both constraint levels, symmetry, orders of the base, energy, refusals.
//
// [Hai00] Hairer, BIT 40, 2000, 726-734.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/predicted_order.hpp"
#include "core/integration/symmetric_method.hpp"
#include "tests/constrained_motion.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string projection(const std::string& base) { return "symmetric-projection:base=" + base; }

// The largest violation of positions and of velocities over a hundred steps.
std::pair<double, double> violations(const char* problem, const std::string& method, double h) {
  const BoundProblem<double> bound(problem, "index-1");
  const auto stepper = stepper_of(method, bound);
  State<double> state = bound.start;
  state.memory = stepper->make_memory();
  State<double> next = state;
  Vector<double> defect(bound.layout.m);
  double position = 0, velocity = 0;
  for (int k = 0; k < 100; ++k) {
    const Status status = stepper->step(state, h, next);
    EXPECT_TRUE(status.ok()) << status.cause;
    if (!status.ok()) break;
    std::swap(state, next);
    const Vector<double> q = bound.layout.q(state.y), v = bound.layout.v(state.y);
    bound.model->constraint_level(Level::position, state.t, q, v, v, defect);
    position = std::max(position, largest(defect));
    bound.model->constraint_level(Level::velocity, state.t, q, v, v, defect);
    velocity = std::max(velocity, largest(defect));
  }
  return {position, velocity};
}

// Round-off of q, and of the velocities that multiply C_q, in units of their sizes. The base alone drifts.
TEST(SymmetricProjection, KeepsBothLevelsOfTheConstraints) {
  for (const auto& [problem, h, scale] :
       {std::tuple{"pendulum", 0.02, 10.0}, std::tuple{"two-link-manipulator", 1e-3, 10.0},
        std::tuple{"seven-body", 1e-5, 1000.0}, std::tuple{"car-axis", 1e-4, 10.0},
        std::tuple{"rolling-disc", 1e-2, 100.0}})
    for (const char* base : {"stormer-verlet", "gauss:s=2", "implicit-midpoint", "trapezoidal"}) {
      SCOPED_TRACE(fmt::format("{} {}", problem, base));
      const auto [position, velocity] = violations(problem, projection(base), h);
      EXPECT_LT(position, 1e-14);
      EXPECT_LT(velocity, scale * 1e-14);
    }
  EXPECT_GT(violations("pendulum", "implicit-midpoint", 0.02).first, 1e-6);
}

// A step of h and one of -h; with the end alone projected the way back ends elsewhere.
TEST(SymmetricProjection, StepsBackToWhereItStarted) {
  const auto off = [](const char* formulation, const std::string& method) {
    const BoundProblem<double> bound("two-link-manipulator", formulation);
    const auto stepper = stepper_of(method, bound);
    State<double> rest = bound.start;
    rest.memory = stepper->make_memory();
    State<double> start = rest, there = rest, back = rest;
    const double h = 0.01;
    EXPECT_TRUE(stepper->step(rest, 0.1, start).ok());
    EXPECT_TRUE(stepper->step(start, h, there).ok());
    EXPECT_TRUE(stepper->step(there, -h, back).ok());
    const Index n = bound.layout.n;
    EXPECT_GT(largest(Vector<double>(there.y.head(n) - start.y.head(n))), 1e-5);
    return largest(Vector<double>(back.y.head(2 * n) - start.y.head(2 * n)));
  };
  for (const char* base : {"stormer-verlet", "gauss:s=2", "implicit-midpoint", "lobatto-iiia-iiib-3"})
    EXPECT_LT(off("index-1", projection(base)), 1e-12) << base;
  EXPECT_GT(off("projected", "stormer-verlet"), 1e-11);
}

// Over 5000 steps the energy errs as much as over the first 500.
TEST(SymmetricProjection, KeepsTheEnergyWithoutDrift) {
  for (const char* base : {"stormer-verlet", "gauss:s=2", "implicit-midpoint"}) {
    const auto [few, all] = energy_errors(projection(base), "index-1", 0.02, 5000, 500);
    EXPECT_GT(few, 1e-8) << base;
    EXPECT_LT(all, 1.05 * few) << base;
  }
  const auto [few, all] = energy_errors("rk4-classical", "projected", 0.02, 5000, 500);
  EXPECT_GT(all, 5 * few);
}

TEST(SymmetricProjection, SaysWhatItIsFor) {
  EXPECT_THAT([] { method_of(projection("rk4-classical")); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("/base"), HasSubstr("not symmetric"), HasSubstr("gauss"),
                                              HasSubstr("stormer-verlet"))));
  for (const char* formulation : {"index-2", "index-3", "ggl", "baumgarte", "projected"})
    EXPECT_THAT(refusal_of("pendulum", formulation, projection("implicit-midpoint")), HasSubstr("use the index-1"))
        << formulation;
  EXPECT_THAT(refusal_of("rowing-boat", "index-1", projection("gauss")), HasSubstr("C_q has rank 4 of 6"));
  EXPECT_THAT(refusal_of("van-der-pol", "ode", projection("gauss")), HasSubstr("mechanical system"));
  EXPECT_THAT(refusal_of("pendulum", "index-1", projection("forest-ruth-4")), HasSubstr("depend on t and q alone"));
  EXPECT_EQ(refusal_of("oscillator-chain", "index-1", projection("forest-ruth-4")), "accepted");
}

TEST(SymmetricProjection, PredictsTheOrderOfItsBase) {
  const auto predicted = [](const std::string& method, const char* formulation) {
    return predicted_orders(*method_of(method), Registry<Formulation>::instance().make(formulation, "")->traits());
  };
  EXPECT_EQ(predicted(projection("stormer-verlet"), "index-1").lambda, 2);
  EXPECT_EQ(predicted(projection("gauss:s=3"), "index-1").q, 6);
  EXPECT_EQ(predicted("composition:base=symmetric-projection,scheme=yoshida-6", "index-1").v, 6);
  EXPECT_EQ(predicted(projection("gauss"), "projected").q, std::nullopt);
  EXPECT_EQ(predicted(projection("gauss"), "index-3").q, std::nullopt);
  EXPECT_TRUE(dynamic_cast<const SymmetricMethod&>(*method_of("symmetric-projection")).is_symmetric());
}

// Without constraints there is nothing to project: the same bits.
TEST(SymmetricProjection, IsItsBaseWithoutConstraints) {
  for (const char* base : {"stormer-verlet", "gauss:s=2"}) {
    const BoundProblem<double> bound("oscillator-chain", "index-1");
    State<double> one = bound.start, other = bound.start;
    const auto projected = stepper_of(projection(base), bound), alone = stepper_of(base, bound);
    one.memory = other.memory = alone->make_memory();
    const State<double> start = one;
    ASSERT_TRUE(projected->step(start, 0.01, one).ok());
    ASSERT_TRUE(alone->step(start, 0.01, other).ok());
    EXPECT_EQ(one.y, other.y) << base;
  }
}

TEST(SymmetricProjection, HasTheOrderOfItsBaseInDouble) {
  for (const auto& [base, order] : {std::pair{"stormer-verlet", 2}, {"implicit-midpoint", 2}, {"gauss:s=2", 4}}) {
    const PerComponent orders = observed_orders<double>("pendulum", "index-1", projection(base), 1.0, {64, 128, 256});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], order, 0.15) << base << ", component " << i;
  }
}

#ifndef DAELAB_DOUBLE_ONLY
// Bound: orders estimated from three steps, each half the one before. In compositions, too.
TEST(SymmetricProjection, HasTheOrderOfItsBaseInFiftyDigits) {
  const auto expect_order = [](const char* problem, double end, const std::string& method, int order) {
    const PerComponent orders = observed_orders<Real50>(problem, "index-1", method, Real50(end), {32, 64, 128});
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(orders[i], order, 0.25) << method << " on " << problem << ", component " << i;
  };
  for (const auto& [method, order] : {std::pair{projection("stormer-verlet"), 2},
                                      {projection("gauss:s=2"), 4},
                                      {projection("lobatto-iiia-iiib-3"), 4},
                                      {projection("gauss:s=3"), 6},
                                      {"composition:base=symmetric-projection,scheme=suzuki-4", 4}})
    expect_order("pendulum", 0.5, method, order);
  expect_order("two-link-manipulator", 0.25, projection("stormer-verlet"), 2);
  expect_order("two-link-manipulator", 0.25, projection("gauss:s=2"), 4);
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
