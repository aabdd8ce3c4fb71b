// Discrete gradient methods: published numbers of four particles, energy, momenta, symmetry, orders, refusals.
//
// [KMS25] Kinon, Morandin, Schulze, Applied Numerical Mathematics, 2025, doi 10.1016/j.apnum.2025.12.006; numbers of
//         the data behind its figures, github.com/plkinon/phdae_discrete_gradients, 3d82f11, results/*.csv.
// [KBS23] Kinon, Betsch, Schneider, Nonlinear Dynamics, 2023, doi 10.1007/s11071-023-08522-7; numbers of an independent
//         program of its scheme EMS.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "core/base/paths.hpp"
#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// One problem, one method, steps of one size.
template <class T = double>
class Walk {
 public:
  Walk(const std::string& problem, const std::string& formulation, const std::string& spec)
      : bound(problem, formulation), stepper(Registry<Method>::instance().make(spec, "")->stepper(*bound.system, {})) {
    state = next = bound.start;
  }
  // look(state before, state after) at each step.
  void go(int steps, const T& h, auto&& look) {
    for (int k = 0; k < steps; ++k) {
      const Status status = stepper->step(state, h, next);
      ASSERT_TRUE(status.ok()) << status.cause << ", step " << k;
      look(state, next);
      std::swap(state, next);
    }
  }
  void go(int steps, const T& h) {
    go(steps, h, [](const State<T>&, const State<T>&) {});
  }
  Vector<T> q(const State<T>& x) const { return bound.layout.q(x.y); }
  Vector<T> v(const State<T>& x) const { return bound.layout.v(x.y); }
  T energy(const State<T>& x) { return bound.model->energy(x.t, q(x), v(x)).total(); }

  BoundProblem<T> bound;
  std::unique_ptr<Stepper<T>> stepper;
  State<T> state, next;
};

// A problem of problems/, with options such as ":eta=0".
std::string in_file(const std::string& name, const std::string& options = "") {
  return "@" + project_path("problems/" + name + ".json") + options;
}
std::string damped() { return in_file("four_particles"); }
std::string undamped() { return in_file("four_particles", ":eta=0"); }

// The start of four particles, and runs on index-2 with the multipliers of the step.
Walk<> four_particles(const std::string& options, const std::string& formulation = "index-2",
                      const std::string& problem = damped()) {
  return {problem, formulation, "discrete-gradient:" + options};
}
Vector<double> fourth(const Vector<double>& x) { return x.tail(3); }
double relative_error(const Vector<double>& x, const Vector<double>& exact) {
  return (x - exact).norm() / exact.norm();
}

// [KMS25] errors at t = 0.1 s, relative 2-norms: positions and velocities of the fourth particle. Its Newton iteration
// stops at 1E-10, which the velocities of the smallest step show. Multipliers of the midpoint rule are recomputed:
// those stored are means over two steps from an inconsistent start, 2 lambda_n - lambda_(n-1) in turn.
TEST(DiscreteGradient, HasTheErrorsOfItsSource) {
  const Vector<double> q = Vector<double>{{0.9959913700582607, 0.9962624043349306, 0.11725868954600029}},
                       v = Vector<double>{{-0.08024555752463461, -0.10689735129193288, 1.1635313594660703}};
  const double lambda = 0.029263695819029135;
  struct Row {
    const char* gradient;
    double h, q, v, lambda;
  };
  for (const Row& row : {Row{"joint", 0.01, 3.41072300336845e-5, 2.378287333048197e-4, 5.398406640152571e-2},
                         {"joint", 0.005, 8.665852253624283e-6, 5.2659898136116265e-5, 2.7000389791693134e-2},
                         {"joint", 0.002, 1.3900067897335373e-6, 8.101973717514868e-6, 1.0625165070146799e-2},
                         {"joint", 0.001, 3.451155742900515e-7, 1.9993950072507447e-6, 5.06349411216047e-3},
                         {"midpoint-rule", 0.01, 3.092117015052897e-5, 1.3652765340115044e-4, 5.8989812844e-2},
                         {"midpoint-rule", 0.005, 7.800244709450135e-6, 2.8677362367314296e-5, 2.8478577298e-2},
                         {"midpoint-rule", 0.002, 1.2483659283202484e-6, 4.324507157141034e-6, 1.0878849785e-2},
                         {"midpoint-rule", 0.001, 3.0959323434753194e-7, 1.05845668022511e-6, 5.1281480883e-3}}) {
    SCOPED_TRACE(fmt::format("{} {}", row.gradient, row.h));
    Walk<> walk = four_particles(fmt::format("gradient={},multipliers=step", row.gradient));
    double alternating = 0;
    walk.go(static_cast<int>(std::lround(0.1 / row.h)), row.h, [&](const State<double>&, const State<double>& to) {
      alternating = 2 * walk.bound.layout.lambda(to.y)[0] - alternating;
    });
    EXPECT_NEAR(relative_error(fourth(walk.q(walk.state)), q) / row.q, 1, 1e-7);
    EXPECT_NEAR(relative_error(fourth(walk.v(walk.state)), v) / row.v, 1, 4e-6);
    const double of_step = walk.bound.layout.lambda(walk.state.y)[0];
    EXPECT_NEAR(std::abs(of_step - lambda) / lambda / row.lambda, 1, 2e-5);
    if (row.gradient == std::string("midpoint-rule") && row.h == 0.01) {
      EXPECT_NEAR(alternating, 0.029209227718821052, 1e-12);
    }
  }
}

// [KMS25] 10 s: position of the fourth particle and energy, with a damper and without, and how the energy moves. Of the
// midpoint rule with h = 0.01 the copy that we read has 0.1737730384883822; its energy and other places agree to 2e-14.
TEST(DiscreteGradient, HasTheTrajectoriesOfItsSource) {
  struct Row {
    std::string problem;
    const char* gradient;
    double h;
    Vector<double> q4;
    double energy, rise, tolerance;
  };
  const std::vector<Row> rows = {
      {damped(), "joint", 0.01, Vector<double>{{0.37628084399761214, 0.1738064770821387, 3.0498609304407487}},
       0.6850166908598104, -1.707e-7, 2e-12},
      {damped(), "joint", 0.25, Vector<double>{{0.8776947164004141, 0.6591589182016041, 2.92605089833323}},
       0.7418215699929592, -3.214e-4, 2e-12},
      {undamped(), "joint", 0.01, Vector<double>{{0.2612320401515541, 0.5762752020359735, 2.912341144033725}},
       1.1764705882352937, 0, 2e-12},
      {damped(), "midpoint-rule", 0.01, Vector<double>{{0.3762338749273326, 0.1737730383883822, 3.0498269779355534}},
       0.6850191432362536, 5.39e-6, 2e-12},
      {damped(), "midpoint-rule", 0.25, Vector<double>{{0.3964619188707771, 0.19081260841718525, 3.0683796217345654}},
       0.8179855955839178, 0.44994161, 2e-12}};
  for (const Row& row : rows) {
    SCOPED_TRACE(fmt::format("{} {} {}", row.problem, row.gradient, row.h));
    Walk<> walk = four_particles(fmt::format("gradient={}", row.gradient), "index-2", row.problem);
    double rise = -1;
    walk.go(static_cast<int>(std::lround(10 / row.h)), row.h, [&](const State<double>& from, const State<double>& to) {
      rise = std::max(rise, walk.energy(to) - walk.energy(from));
    });
    EXPECT_LT(largest(fourth(walk.q(walk.state)) - row.q4), row.tolerance);
    EXPECT_NEAR(walk.energy(walk.state), row.energy, 1e-13);
    EXPECT_NEAR(rise, row.rise, std::max(1e-3 * std::abs(row.rise), 1e-13));
  }
}

// [KBS23] EMS-std, with v4 = (0, 3, 2)/1.7: errors of the fourth position at 0.1 s against 2E-5 s steps; and EMS over
// 10 s, which is the same for quadratic constraints. Its gradient is that in distances.
TEST(DiscreteGradient, OfTheChainRuleIsTheOneInInvariants) {
  const Vector<double> fine = Vector<double>{{0.99601775, 1.03540353, 0.11289252}};
  for (const auto& [h, error] : {std::pair{1e-2, 4.92373e-4}, {1e-3, 4.69042e-6}}) {
    Walk<> walk = four_particles("gradient=chain-rule", "index-3", undamped());
    walk.state.y[12 + 10] = 3 / 1.7;
    ASSERT_TRUE(walk.bound.system->consistent_derivatives(0, walk.state.y, walk.state.ydot).ok());
    walk.go(static_cast<int>(std::lround(0.1 / h)), h);
    EXPECT_NEAR(relative_error(fourth(walk.q(walk.state)), fine), error, 8e-9) << h;
  }
  Walk<> walk = four_particles("gradient=chain-rule", "index-3", undamped());
  walk.go(1000, 0.01);
  EXPECT_LT(largest(fourth(walk.q(walk.state)) - Vector<double>{{0.26123482, 0.57615233, 2.91228291}}), 1e-8);
}

// Momenta are those of the start where forces have the direction of distances; the corrections of Gonzalez have the
// direction of the step and change the angular one.
TEST(DiscreteGradient, KeepsMomenta) {
  for (const auto& [gradient, keeps] :
       {std::pair{"midpoint-rule", true}, {"chain-rule", true}, {"decomposed", false}, {"joint", false}}) {
    SCOPED_TRACE(gradient);
    Walk<> walk = four_particles(std::string("gradient=") + gradient, "index-3", undamped());
    const auto observed = [&](const State<double>& x) {
      Vector<double> all(6);
      walk.bound.model->observables(x.t, x.y, all);
      return all;
    };
    const Vector<double> start = observed(walk.state);
    double angular = 0, linear = 0;
    walk.go(500, 0.02, [&](const State<double>&, const State<double>& to) {
      const Vector<double> change = observed(to) - start;
      angular = std::max(angular, largest(Vector<double>(change.head(3))));
      linear = std::max(linear, largest(Vector<double>(change.tail(3))));
    });
    if (keeps)
      EXPECT_LT(std::max(angular, linear), 1e-13);
    else
      EXPECT_GT(angular, 1e-6);
  }
}

struct Mechanism {
  std::string problem;
  double h;
};
// Constant mass matrices and others, constraints of degree two, higher and none.
std::vector<Mechanism> conservative() {
  return {{"pendulum", 0.01},
          {"two-link-manipulator", 1e-3},
          {"n-four-bar", 1e-3},
          {in_file("heavy_top_euler_parameters"), 1e-3},
          {"link-chain", 1e-3},
          {"pleiades", 1e-3},
          {in_file("joint_chain", ":N=4"), 1e-3}};
}

// Bound: round-off of 300 steps; the midpoint rule has an error of the method.
TEST(DiscreteGradient, KeepsTheEnergy) {
  for (const Mechanism& mechanism : conservative())
    for (const char* gradient : {"decomposed", "joint", "chain-rule"})
      for (const char* formulation : {"index-2", "index-3"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", mechanism.problem, gradient, formulation));
        Walk<> walk(mechanism.problem, formulation, std::string("discrete-gradient:gradient=") + gradient);
        const double start = walk.energy(walk.state);
        double error = 0;
        walk.go(300, mechanism.h, [&](const State<double>&, const State<double>& to) {
          error = std::max(error, std::abs(walk.energy(to) - start));
        });
        EXPECT_LT(error, 1e-11 * std::max(1.0, std::abs(start)));
      }
}

// What the damper takes is h times its power at the velocity of the step, (q1 - q0)/h.
TEST(DiscreteGradient, TakesWhatTheDamperTakes) {
  for (const char* gradient : {"decomposed", "joint", "chain-rule"}) {
    Walk<> walk = four_particles(std::string("gradient=") + gradient);
    const double h = 0.02;
    walk.go(200, h, [&](const State<double>& from, const State<double>& to) {
      const Vector<double> u = (walk.q(to) - walk.q(from)) / h, middle = (walk.q(to) + walk.q(from)) / 2;
      const double power = (1 + (middle.segment(6, 3) - middle.segment(3, 3)).squaredNorm() / 2) *
                           (u.segment(6, 3) - u.segment(3, 3)).squaredNorm();
      EXPECT_NEAR(walk.energy(to) - walk.energy(from), -h * power, 1e-14);
    });
  }
}

// A step of h and one of -h. Bounds: round-off of positions, and 10/h times it in velocities.
TEST(DiscreteGradient, StepsBackToWhereItStarted) {
  for (const char* gradient : {"decomposed", "joint", "chain-rule", "midpoint-rule"})
    for (const char* formulation : {"index-2", "index-3"})
      for (const char* problem : {"two-link-manipulator", "seven-body"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", problem, gradient, formulation));
        Walk<> walk(problem, formulation, std::string("discrete-gradient:gradient=") + gradient);
        const double h = problem == std::string("seven-body") ? 1e-5 : 0.01;
        const State<double> start = walk.state;
        walk.go(1, h);
        EXPECT_GT(largest(Vector<double>(walk.q(walk.state) - walk.q(start))), 1e-10);
        walk.go(1, -h);
        EXPECT_LT(largest(Vector<double>(walk.q(walk.state) - walk.q(start))), 1e-13);
        EXPECT_LT(largest(Vector<double>(walk.v(walk.state) - walk.v(start))), 1e-13 / h);
      }
}

// [KMS25]: on constraints of degree two, those of velocities with the multipliers of the midpoint keep positions.
TEST(DiscreteGradient, KeepsPositionsOnIndex2WhereConstraintsAreQuadratic) {
  Walk<> walk = four_particles("gradient=joint");
  Vector<double> C(2);
  double largest_C = 0;
  walk.go(500, 0.02, [&](const State<double>&, const State<double>& to) {
    walk.bound.model->constraint_level(Level::position, to.t, walk.q(to), walk.v(to), walk.v(to), C);
    largest_C = std::max(largest_C, largest(C));
  });
  EXPECT_LT(largest_C, 1e-13);
}

// Against Gauss' method of order 10 with as many steps as the finest run.
template <class T>
PerComponent orders_of(const std::string& problem, const std::string& formulation, const std::string& spec,
                       const T& end, const std::vector<int>& counts) {
  return observed_orders<T>(problem, formulation, spec, end, counts,
                            march<T>(problem, "index-1", "gauss:s=5", end, counts.back()));
}

// Bound: orders estimated from three steps, each half the one before.
TEST(DiscreteGradient, HasItsOrderInDouble) {
  for (const std::string& problem : {std::string("pendulum"), damped(), in_file("heavy_top_euler_parameters")})
    for (const char* formulation : {"index-2", "index-3"})
      for (const char* gradient : {"decomposed", "joint", "chain-rule", "midpoint-rule"}) {
        const PerComponent orders = orders_of<double>(
            problem, formulation, std::string("discrete-gradient:gradient=") + gradient, 0.25, {64, 128, 256});
        for (std::size_t i = 0; i < 4; ++i)
          EXPECT_NEAR(orders[i], 2, 0.15) << problem << " " << formulation << " " << gradient << ", component " << i;
      }
}

// Multipliers of a step are those of its middle: of order 1 as values at its end, as predicted.
TEST(DiscreteGradient, HasMultipliersOfOrder1WhereTheyAreThoseOfTheStep) {
  const std::string spec = "discrete-gradient:multipliers=step";
  const PerComponent orders = orders_of<double>("pendulum", "index-2", spec, 0.25, {64, 128, 256});
  EXPECT_NEAR(orders[0], 2, 0.15);
  EXPECT_NEAR(orders[3], 1, 0.15);
  const auto made = Registry<Method>::instance().make(spec, "");
  const FormulationTraits traits = Registry<Formulation>::instance().make("index-2", "")->traits();
  EXPECT_EQ(made->predicted_orders(traits, {}).lambda, 1);
  EXPECT_EQ(made->predicted_orders(traits, {}).v, 2);
}

#ifndef DAELAB_DOUBLE_ONLY
// M of the seven-body mechanism, and of the two links, depends on the position.
TEST(DiscreteGradient, HasItsOrderIn50Digits) {
  for (const auto& [problem, end] : {std::pair{std::string("pendulum"), 1.0},
                                     {"two-link-manipulator", 0.125},
                                     {"seven-body", 0.001},
                                     {damped(), 0.125}})
    for (const char* formulation : {"index-2", "index-3"})
      for (const char* gradient : {"decomposed", "chain-rule"}) {
        const PerComponent orders = orders_of<Real50>(
            problem, formulation, std::string("discrete-gradient:gradient=") + gradient, Real50(end), {64, 128, 256});
        for (std::size_t i = 0; i < 4; ++i)
          EXPECT_NEAR(orders[i], 2, 0.1) << problem << " " << formulation << " " << gradient << ", component " << i;
      }
}

TEST(DiscreteGradient, KeepsTheEnergyTo50Digits) {
  for (const char* gradient : {"decomposed", "joint", "chain-rule"}) {
    Walk<Real50> walk("two-link-manipulator", "index-3", std::string("discrete-gradient:gradient=") + gradient);
    const Real50 start = walk.energy(walk.state);
    walk.go(20, Real50(1) / 100);
    EXPECT_LT(abs(walk.energy(walk.state) - start), Real50("1e-44")) << gradient;
  }
}
#endif

// Without constraints compositions have their order; with them the velocities that a step leaves are off by h^2, in
// turn to either side.
TEST(DiscreteGradient, IsComposedWithoutConstraints) {
  const std::string spec = "composition:base=discrete-gradient,scheme=yoshida-4";
  const PerComponent orders = orders_of<double>("pleiades", "index-1", spec, 0.25, {64, 128, 256});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(orders[i], 4, 0.2) << i;
  const auto made = Registry<Method>::instance().make(spec, "");
  EXPECT_EQ(made->predicted_orders(Registry<Formulation>::instance().make("index-3", "")->traits(), {}).q,
            std::nullopt);
}

TEST(DiscreteGradient, SaysWhatItIsFor) {
  const auto refusal = [](const char* problem, const char* formulation, const char* spec = "discrete-gradient") {
    return refusal_of(problem, formulation, spec);
  };
  for (const char* formulation : {"index-1", "ggl", "baumgarte", "projected", "penalty", "stabilized-index-1"})
    EXPECT_THAT(refusal("pendulum", formulation), HasSubstr("use index-3 or index-2")) << formulation;
  EXPECT_THAT(refusal("knife-edge", "index-2"), HasSubstr("holonomic"));
  EXPECT_THAT(refusal("van-der-pol", "ode"), HasSubstr("energy of a mechanical system"));
  EXPECT_THAT(refusal("rowing-boat", "index-3"), HasSubstr("C_q has rank 4 of 6"));
  EXPECT_EQ(refusal("pleiades", "index-1"), "accepted");
}

}  // namespace TEST_FILE
}  // namespace daelab
