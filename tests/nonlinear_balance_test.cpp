// Algebraic states beside coordinates, and forces that depend on multipliers: in every form, against solutions by hand.
#include <algorithm>

#include "analysis/order_estimate.hpp"
#include "core/accelerations/implicit_accelerations.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/run.hpp"
#include "tests/experiment_support.hpp"
#include "tests/linear_algebra_support.hpp"
#include "tests/nonlinear_balance_support.hpp"

namespace daelab {
namespace TEST_FILE {

// ---------------------------------------------------------------- problems

// A bead of mass 1 on a rod that turns with omega = 2 in a horizontal plane, with Coulomb friction, mu = 1/2. Across
// the rod it presses with 2 omega r' = |lambda|, so that r'' = omega^2 r - 2 mu omega r': outwards
//   r = (e^(s t) s' - e^(s' t) s) / (s' - s) + ..., s, s' = omega (-mu +- sqrt(mu^2 + 1)).
void record_bead(Recording& r) {
  const Expression omega = 2, c = cos(omega * r.t), s = sin(omega * r.t);
  r.coordinates({"x", "y"});
  r.start_q = {1, 0}, r.start_v = {1, 2};
  r.mass(0, 0) = r.mass(1, 1) = 1;
  r.constraints = {r.q[1] * c - r.q[0] * s};
  const Expression along = r.v[0] * c + r.v[1] * s, friction = -sign(along) * abs(r.multiplier(0)) / 2;
  r.force = {friction * c, friction * s};
}

// A pendulum in a fluid after Eyring: the stress z grows with the inverse hyperbolic sine of the rate. Either the
// fluid's law is an algebraic equation, sinh z = rate, or it is solved by hand, z = log(rate + sqrt(rate^2 + 1)).
Record pendulum_in_fluid(bool by_hand) {
  return [by_hand](Recording& r) {
    r.coordinates({"x", "y"});
    r.start_q = {1, 0}, r.start_v = {0, 1};
    r.mass(0, 0) = r.mass(1, 1) = 1;
    r.constraints = {(square(r.q[0]) + square(r.q[1]) - 1) / 2};
    const Expression rate = 3 * (r.q[0] * r.v[1] - r.q[1] * r.v[0]);
    Expression z = log(rate + sqrt(square(rate) + 1));
    if (!by_hand) {
      r.states({"z"});
      r.algebraic_states = 1;
      z = r.s[0];
      r.rates[0] = (exp(z) - exp(-z)) / 2 - rate;
    }
    r.force = {z * r.q[1], -z * r.q[0] - 5};
  };
}

// The friction of a rough circle by a smooth |lambda|, sqrt(lambda^2 + 1/100), that is a state of its own, or written
// into the force; beside it a lagging differential state that takes part.
Record rough_circle(bool by_hand) {
  return [by_hand](Recording& r) {
    r.coordinates({"x", "y"});
    r.states(by_hand ? std::vector<std::string>{"heat"} : std::vector<std::string>{"heat", "N"});
    r.start_q = {1, 0}, r.start_v = {0, 2};
    r.mass(0, 0) = r.mass(1, 1) = 1;
    r.constraints = {(square(r.q[0]) + square(r.q[1]) - 1) / 2};
    const Expression lambda = r.multiplier(0), law = sqrt(square(lambda) + Exact("1/100"));
    const Expression N = by_hand ? law : r.s[1], slip = r.q[0] * r.v[1] - r.q[1] * r.v[0];
    if (!by_hand) {
      r.algebraic_states = 1;
      r.rates[1] = N * (1 + square(N)) - law * (1 + square(law));  // one root
      r.start_s[1] = 5;
    }
    const Expression friction = N * slip / 5 / (1 + r.s[0]);
    r.rates[0] = friction * slip - r.s[0];
    r.force = {friction * r.q[1], -friction * r.q[0] - 3};
  };
}

// All that a model may have: mass that changes, constraints that move, of velocities too, forces and algebraic
// equations of everything.
Record moving_reactive_model(const Record& mechanism) {
  return [mechanism](Recording& r) {
    mechanism(r);
    r.states({"s", "z1", "z2"});
    r.algebraic_states = 2;
    const Expressions &q = r.q, &v = r.v, &s = r.s;
    const Expression l1 = r.multiplier(0), l2 = r.multiplier(1);
    r.force[0] += s[1] * v[0] - square(l1) / 4, r.force[2] += l2 * s[2] * q[1] + s[0];
    r.rates = {s[0] * s[1] - l1 * q[2], s[1] + square(s[1]) * s[1] - l1 * q[0] + v[1] * s[0],
               exp(s[2]) + s[1] * l2 - sin(q[1] + r.t) * v[2]};
  };
}

template <class T>
struct Bound {
  Bound(const Record& record, const std::string& formulation)
      : model(recorded_model<T>(record)),
        multipliers(multipliers_for<T>(*model)),
        system(Registry<Formulation>::instance().make(formulation, "")->system(*model, *multipliers)) {
    state.y.setZero(system->size()), state.ydot.setZero(system->size()), state.compensation.setZero(system->size());
    const Index n = model->coordinates();
    state.y.head(n) = model->initial_q(), state.y.segment(n, n) = model->initial_v();
    state.y.segment(2 * n, model->multipliers()) = model->initial_multipliers();
    const Status status = system->consistent_derivatives(state.t, state.y, state.ydot);
    EXPECT_TRUE(status.ok()) << status.cause;
  }
  Status advance(const std::string& method, const T& end, int steps) {
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*system, {});
    return integrate<T>(*stepper, state, end, T(end / T(steps)), {});
  }

  std::unique_ptr<MechanicalModel<T>> model;
  std::unique_ptr<Multipliers<T>> multipliers;
  std::unique_ptr<System<T>> system;
  State<T> state;
};

const std::vector<std::string> forms{"index-1",   "index-2",   "index-3",           "ggl",
                                     "baumgarte", "projected", "stabilized-index-1"};

std::vector<Record> moving_reactive_models() {
  return {moving_reactive_model(record_moving_model), moving_reactive_model(record_moving_nonholonomic_model)};
}

// ---------------------------------------------------------------- models

TEST(NonlinearBalance, MultipliersAreThoseOfConstraintsAndThenAlgebraicStates) {
  const auto model = recorded_model<double>(rough_circle(false));
  EXPECT_EQ(model->coordinates(), 3);  // with the integral of the heat
  EXPECT_EQ(model->constraints(), 1);
  EXPECT_EQ(model->integrated_states(), 1);
  EXPECT_EQ(model->algebraic_states(), 1);
  EXPECT_FALSE(model->has_linear_equations());
  EXPECT_EQ(model->initial_multipliers(), (Vector<double>{{0, 5}}));
  EXPECT_FALSE(recorded_model<double>(rough_circle(true))->has_linear_equations());
  EXPECT_FALSE(recorded_model<double>(pendulum_in_fluid(false))->has_linear_equations());
  EXPECT_TRUE(recorded_model<double>(pendulum_in_fluid(true))->has_linear_equations());
}

// A multiplier that is named and not used changes nothing.
TEST(NonlinearBalance, IsOneOfForcesThatUseIt) {
  const auto model = recorded_model<double>([](Recording& r) {
    pendulum_in_fluid(true)(r);
    r.force[0] += 0 * r.multiplier(0);
  });
  EXPECT_TRUE(model->has_linear_equations());
}

// At the start r' = 1: the rod presses with 2 omega r' = 4, and r'' = omega^2 r - 2 = 2 along it; across omega r'
// twice.
TEST(NonlinearBalance, AccelerationsAreThoseByHand) {
  Bound<double> bead(record_bead, "index-1");
  EXPECT_NEAR(bead.state.y[4], -4, 1e-14);
  EXPECT_NEAR(bead.state.ydot[2], 2 - 4, 1e-14);  // less the centripetal omega^2 r
  EXPECT_NEAR(bead.state.ydot[3], 4, 1e-14);
  Vector<double> a(2), lambda(1);
  ASSERT_TRUE(
      solve_accelerations<double>(*bead.model, 0, bead.model->initial_q(), bead.model->initial_v(), a, lambda).ok());
  EXPECT_NEAR(lambda[0], -4, 1e-14);
  Bound<double> fluid(pendulum_in_fluid(false), "index-1");
  EXPECT_NEAR(fluid.state.y[5], std::asinh(3.0), 1e-15);
}

// Round-off times a growth of at most 1000 through condensing and elimination of ten unknowns, by pivots of a tenth of
// their columns; a hundred times that with the products of blocks that stabilised forms have.
template <class T>
void expect_structured_solves(double limit) {
  for (const Record& record : moving_reactive_models())
    for (const std::string& form : forms) {
      if (form == "projected" || form == "baumgarte") continue;  // no implicit form, and that of index-1 with gains
      const auto model = recorded_model<T>(record);
      const auto multipliers = multipliers_for<T>(*model);
      const auto system = Registry<Formulation>::instance().make(form, "")->system(*model, *multipliers);
      Point<T> p(*system);
      const Index n = model->coordinates(), l = model->multipliers();
      if (system->size() > 2 * n + l) p.y.tail(system->size() - 2 * n - l).setZero();  // where mu and tau belong
      for (const double h : {1.0, 1.0 / 100, 1.0 / 10000}) {
        SCOPED_TRACE(testing::Message() << form << ", h " << h);
        expect_structured_solves_match<T>(*system, p, h, limit);
      }
    }
}

TEST(NonlinearBalance, StructuredSolvesMatchTheCoupledMatrix) {
  expect_structured_solves<double>(100000 * epsilon<double>());
#ifndef DAELAB_DOUBLE_ONLY
  expect_structured_solves<Real50>(1e-45);
#endif
}

// ---------------------------------------------------------------- the same motion by hand

// Stages satisfy the algebraic equation to Newton's tolerance, so every method gives what it gives where the equation
// is solved by hand. 1e-11: two hundred steps, each off by 1e-13 or so; lambda of index 3 has the round-off of
// positions over h^2, 1e-16 * 1e4, which 200 steps make 100 times as large.
void expect_same_motion(const std::function<Record(bool)>& problem, const std::string& form,
                        const std::string& method) {
  SCOPED_TRACE(form + ", " + method);
  Bound<double> here(problem(false), form), by_hand(problem(true), form);
  const Status status = here.advance(method, 2, 200);
  ASSERT_TRUE(status.ok()) << status.cause;
  ASSERT_TRUE(by_hand.advance(method, 2, 200).ok());
  const Index n = here.model->coordinates();
  EXPECT_LT(largest(Vector<double>(here.state.y.head(2 * n + 1) - by_hand.state.y.head(2 * n + 1))),
            form == "index-3" ? 1e-9 : 1e-11);
}

TEST(NonlinearBalance, MovesAsWithTheAlgebraicStateEliminated) {
  for (const auto& problem : {pendulum_in_fluid, rough_circle}) {
    for (const char* form : {"index-1", "index-2", "index-3", "ggl", "stabilized-index-1", "baumgarte"})
      for (const char* method : {"radau-iia:s=3", "gauss:s=2", "kvaerno-3"}) {
        if (std::string(method) == "gauss:s=2" && std::string(form) == "index-3") continue;  // lambda oscillates
        expect_same_motion(problem, form, method);
      }
    for (const char* form : {"index-1", "baumgarte", "projected"})
      for (const char* method : {"runge-kutta:tableau=dormand-prince", "adams-pece:k=3"})
        expect_same_motion(problem, form, method);
    for (const char* form : {"index-1", "index-3", "ggl"}) expect_same_motion(problem, form, "bdf:k=3");
    for (const char* form : {"index-3", "ggl"}) expect_same_motion(problem, form, "generalized-alpha:rho=4/5");
  }
}

// ---------------------------------------------------------------- orders

struct Case {
  std::string formulation, method;
  int steps;  // the fewest
  double q, v, lambda;
};

// Errors of (q, v, lambda) at t = 1.
template <class T>
std::array<OrderEstimate, 3> orders(const Case& c) {
  std::array<std::vector<OrderPoint>, 3> points;
  const Vector<Real50> exact = exact_bead(1);
  for (const int steps : {c.steps, 2 * c.steps, 4 * c.steps}) {
    Bound<T> bead(record_bead, c.formulation);
    const Status status = bead.advance(c.method, T(1), steps);
    EXPECT_TRUE(status.ok()) << status.cause;
    const auto error = [&](Index first, Index size) {
      return largest(
          Vector<Real50>(bead.state.y.segment(first, size).template cast<Real50>() - exact.segment(first, size)));
    };
    const double h = 1.0 / steps;
    points[0].push_back(order_point(h, error(0, 2))), points[1].push_back(order_point(h, error(2, 2)));
    points[2].push_back(order_point(h, error(4, 1)));
  }
  return {estimate_order(points[0]), estimate_order(points[1]), estimate_order(points[2])};
}

// Those of motions without friction: index 3, Radau IIA of s stages: 2 s - 1, s, s - 1; index 2 and ggl: 2 s - 1, 2 s -
// 1, s. [Hairer, Lubich, Roche 1989, Table 2.3] At least these: lambda of stiffly accurate methods on index 1 has all.
const std::vector<Case>& cases() {
  static const std::vector<Case> list{{"index-3", "radau-iia:s=2", 32, 2, 2, 1},
                                      {"index-3", "radau-iia:s=3", 16, 3, 3, 2},
                                      {"index-2", "radau-iia:s=2", 128, 3, 3, 2},
                                      {"ggl", "radau-iia:s=3", 16, 5, 5, 3},
                                      {"stabilized-index-1", "radau-iia:s=2", 32, 3, 3, 2},
                                      {"index-1", "gauss:s=2", 16, 4, 4, 4},
                                      {"index-1", "radau-iia:s=3", 8, 5, 5, 5},
                                      {"index-3", "bdf:k=2", 64, 2, 2, 2},
                                      {"index-3", "generalized-alpha:rho=4/5", 64, 2, 2, 2},
                                      {"ggl", "generalized-alpha:rho=4/5", 64, 2, 2, 2},
                                      {"index-1", "runge-kutta:tableau=rk4-classical", 16, 4, 4, 4},
                                      {"projected", "runge-kutta:tableau=rk4-classical", 16, 4, 4, 4},
                                      {"baumgarte", "runge-kutta:tableau=rk4-classical", 64, 4, 4, 4}};
  return list;
}

template <class T>
void expect_orders() {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.method + " on " + c.formulation);
    const auto [q, v, lambda] = orders<T>(c);
    EXPECT_GT(q.order, c.q - 0.3) << q.statement;
    EXPECT_GT(v.order, c.v - 0.3) << v.statement;
    EXPECT_GT(lambda.order, c.lambda - 0.3) << lambda.statement;
  }
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(CoulombFriction, KeepsTheOrdersOfMethods) { expect_orders<double>(); }
TEST(CoulombFriction, KeepsTheOrdersOfMethodsInFiftyDigits) { expect_orders<Real50>(); }

TEST(NonlinearBalance, DerivativesMatchDifferences) {
  for (const Record& record : moving_reactive_models())
    for (const char* form : {"index-1", "index-2", "index-3", "baumgarte"}) {
      SCOPED_TRACE(form);
      const auto model = recorded_model<Real50>(record);
      const auto multipliers = multipliers_for<Real50>(*model);
      const auto system = Registry<Formulation>::instance().make(form, "")->system(*model, *multipliers);
      expect_dense_jacobians_match_differences(*system);
    }
}
#endif

// ---------------------------------------------------------------- problem files

TEST(NonlinearBalance, ObservablesAskForTheMultipliersTheyHold) {
  const auto model = recorded_model<double>([](Recording& r) {
    record_bead(r);
    r.observe("force", r.multiplier(0));
  });
  Vector<double> y(5), out(1);
  y << 1, 0, 1, 2, -4;
  model->observables(0, y, out);
  EXPECT_EQ(out[0], -4);
  EXPECT_THROW(model->observables(0, y.head(4), out), std::logic_error);
}

// ---------------------------------------------------------------- error control

// Mistakes of problems in C++.
TEST(NonlinearBalance, RecordingsAreChecked) {
  EXPECT_THROW(recorded_model<double>([](Recording& r) {
                 record_bead(r);
                 r.constraints[0] += r.multiplier(0);
               }),
               std::logic_error);
  EXPECT_THROW(recorded_model<double>([](Recording& r) {
                 pendulum_in_fluid(false)(r);
                 r.rates[0] = r.q[0];
               }),
               std::logic_error);
}

}  // namespace TEST_FILE
}  // namespace daelab
