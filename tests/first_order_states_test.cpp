// First-order states beside the mechanical ones, in every form and with every family of methods.
// Bounds of 1e-12 and less are round-off in double.
#include <gtest/gtest.h>

#include "analysis/order_estimate.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/run.hpp"
#include "tests/experiment_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

// Two masses geared to each other, q2 = 2 q1, on springs and dampers, pushed by an actuator s that lags behind its
// command: in x = q1 alone 9 x'' = s - 10 x - x',  s' = -rate s - 2 x - x'. The constraint is linear, so every form
// with an implicit method is that method applied to these equations.
Record lagging_actuator(const Exact& rate = 3) {
  return [rate](Recording& r) {
    r.coordinates({"q1", "q2"});
    r.states({"s"});
    r.start_q = {1, 2}, r.start_s = {1};
    const Expressions &q = r.q, &v = r.v, &s = r.s;
    r.mass(0, 0) = 1, r.mass(1, 1) = 2;
    r.force[0] = s[0] - 6 * q[0];
    r.force[1] = -q[1] - v[1] / 4;
    r.rates[0] = -s[0] * rate - q[1] - v[0];
    r.constraints = {q[1] - 2 * q[0]};
  };
}

// (x, x', s) at t, by the series of the matrix exponential.
Vector<Real50> exact_motion(const Real50& t) {
  Matrix<Real50> A(3, 3);
  A << 0, 1, 0, Real50(-10) / 9, Real50(-1) / 9, Real50(1) / 9, -2, -1, -3;
  Vector<Real50> sum(3), term(3);
  term << 1, 0, 1;
  sum = term;
  for (int k = 1; k < 150; ++k) {
    term = (A.lazyProduct(term) * Real50(t / k)).eval();
    sum += term;
  }
  return sum;
}

template <class T>
struct BoundActuator {
  explicit BoundActuator(const std::string& formulation, const Exact& rate = 3)
      : model(recorded_model<T>(lagging_actuator(rate))),
        multipliers(multipliers_for<T>(*model)),
        system(Registry<Formulation>::instance().make(formulation, "")->system(*model, *multipliers)) {
    state.y.setZero(system->size()), state.ydot.setZero(system->size()), state.compensation.setZero(system->size());
    state.y.head(3) = model->initial_q(), state.y.segment(3, 3) = model->initial_v();
    EXPECT_TRUE(system->consistent_derivatives(state.t, state.y, state.ydot).ok());
  }
  Status advance(const std::string& method, const T& end, int steps, const NewtonOptions& newton = {}) {
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*system, newton);
    return integrate<T>(*stepper, state, end, T(end / T(steps)), {});
  }
  /// The state s, which is at the end of v.
  T s() const { return state.y[5]; }

  std::unique_ptr<MechanicalModel<T>> model;
  std::unique_ptr<Multipliers<T>> multipliers;
  std::unique_ptr<System<T>> system;
  State<T> state;
};

TEST(FirstOrderState, StandsAtTheEndOfTheVelocitiesAndItsIntegralAtTheEndOfThePositions) {
  const BoundActuator<double> bound("index-3");
  EXPECT_EQ(bound.model->coordinates(), 3);
  EXPECT_EQ(bound.model->integrated_states(), 1);
  EXPECT_EQ(bound.state.y.head(6), (Vector<double>{{1, 2, 0, 0, 0, 1}}));
  // x'' = (1 - 10)/9 = -1, s' = -3 - 2 = -5, and the integral of s grows with s.
  EXPECT_EQ(bound.state.ydot[2], 1);
  EXPECT_NEAR(bound.state.ydot[3], -1, 1e-15);
  EXPECT_NEAR(bound.state.ydot[4], -2, 1e-15);
  EXPECT_NEAR(bound.state.ydot[5], -5, 1e-15);
}

// The same in double precision, down to 1e-12.
TEST(FirstOrderState, ReachesTwelveDigitsInEveryForm) {
  const Vector<Real50> exact = exact_motion(2);
  const auto expect_digits = [&](const std::string& form, const std::string& method) {
    BoundActuator<double> bound(form);
    const Status status = bound.advance(method, 2, 200);
    ASSERT_TRUE(status.ok()) << status.cause;
    EXPECT_NEAR(bound.s(), static_cast<double>(exact[2]), 1e-12) << method << " on " << form;
  };
  for (const char* form : {"index-1", "index-2", "index-3", "ggl", "stabilized-index-1", "baumgarte"})
    for (const char* method : {"gauss:s=4", "radau-iia:s=4", "pade-block:r=4"}) expect_digits(form, method);
  for (const char* form : {"index-1", "baumgarte", "projected", "penalty"})
    expect_digits(form, "runge-kutta:tableau=verner-87");
}

// ---------------------------------------------------------------- the motor-crank

// Steady on average: the integral makes the mean speed that of reference, and the mean current carries load and
// friction.
TEST(MotorCrank, SettlesAtTheReferenceSpeed) {
  for (const char* controller : {"continuous", "sampled"}) {
    const Json problem = {{"name", "motor-crank"}, {"controller", controller}, {"slider_mass", "1e-6"}};
    const Json record = record_of_run(
        {{"problem", problem}, {"formulation", "index-3"}, {"method", "radau-iia"}, {"rtol", "1e-8"}, {"t_end", 5}});
    ASSERT_EQ(record["status"], "ok") << record["cause"];
    // What the piston of 1 mg leaves of ripple, and the tolerance: measured 3e-6.
    EXPECT_NEAR(record["v"][0].get<double>(), 20, 1e-3) << controller;
    EXPECT_NEAR(record["y"][0].get<double>(), (0.1 + 0.001 * 20) / 0.1, 1e-3) << controller;
  }
}

// A curved constraint: forms differ, and the order of the states is at least that of the velocities.
TEST(MotorCrank, StatesHaveAtLeastTheOrderOfVelocities) {
  struct Row {
    const char *formulation, *method;
    double order;
  };
  const char* rk4 = "runge-kutta:tableau=rk4-classical";
  for (const Row& row :
       {Row{"index-1", rk4, 4}, Row{"projected", rk4, 4}, Row{"penalty:chi=200", rk4, 4}, Row{"baumgarte", rk4, 4},
        Row{"index-1", "gauss:s=2", 4}, Row{"ggl", "radau-iia:s=2", 3}, Row{"index-2", "radau-iia:s=2", 3},
        Row{"index-3", "radau-iia:s=2", 2}, Row{"stabilized-index-1", "radau-iia:s=2", 3}, Row{"index-3", "bdf:k=2", 2},
        Row{"ggl", "bdf:k=2", 2}, Row{"stabilized-index-1", "bdf:k=2", 2},
        Row{"index-3", "generalized-alpha:rho=4/5", 2}, Row{"ggl", "generalized-alpha:rho=4/5", 2},
        Row{"index-3", "hht:alpha=1/10", 2}, Row{"index-3", "newmark", 2}}) {
    std::vector<OrderPoint> points;
    for (const int steps : {250, 500, 1000}) {
      const Json record = record_of_run({{"problem", "motor-crank"},
                                         {"formulation", row.formulation},
                                         {"method", row.method},
                                         {"h", fmt::format("1/{}", 2 * steps)},
                                         {"t_end", "1/2"}});
      ASSERT_EQ(record["status"], "ok") << record["cause"];
      points.push_back(order_point(0.5 / steps, record["error"]["y"].get<double>()));
    }
    const OrderEstimate estimate = estimate_order(points);
    // These steps are long: measured 0.27 below it.
    EXPECT_GT(estimate.order, row.order - 0.3) << row.method << " on " << row.formulation << ": " << estimate.statement;
  }
}

// ---------------------------------------------------------------- records

TEST(FirstOrderStateRecord, KeepsStatesApartFromCoordinates) {
  const auto run = Run::bind({{"problem", "motor-crank"},
                              {"formulation", "ggl"},
                              {"method", "radau-iia"},
                              {"h", "1/1000"},
                              {"t_end", "1/100"},
                              {"trajectory", 1},
                              {"sample_every", "1/200"}},
                             "");
  EXPECT_EQ(run->classes(), (std::vector<std::string>{"q", "v", "a", "lambda", "y"}));
  const RunOutcome outcome = run->execute();
  for (const char* kind : {"q", "v", "a", "y", "reaction"}) EXPECT_EQ(outcome.record[kind].size(), 2u) << kind;
  EXPECT_EQ(outcome.record["samples"].back()["y"], outcome.record["y"]);
  EXPECT_TRUE(
      outcome.trajectory.starts_with("t,q1,q2,v1,v2,a1,a2,y1,y2,lambda1,crank_angle,speed_error,current,voltage,"));
  EXPECT_NO_THROW(check_components({"y", "y2", "q2"}, *run, ""));
  EXPECT_EQ(input_error_of([&] { check_components({"y3"}, *run, "/components"); }),
            "/components: there is no y3: y has 2 components");
}

TEST(FirstOrderStateRecord, ConvergenceAndWorkPrecisionKnowThem) {
  const SmallConfig convergence({{"experiment", "convergence"},
                                 {"runs",
                                  {{"problem", "motor-crank"},
                                   {"formulation", "index-3"},
                                   {"method", "generalized-alpha"},
                                   {"t_end", "1/2"},
                                   {"h", {"1/500", "1/1000", "1/2000"}}}},
                                 {"figures", {{{"id", "y"}, {"components", {"y", "y1"}}}}}});
  EXPECT_NEAR(convergence.analysis()["series"][0]["orders"]["y"]["order"].get<double>(), 2, 0.15);  // measured 0.004
  const SmallConfig work({{"experiment", "work-precision"},
                          {"runs",
                           {{"problem", "motor-crank"},
                            {"formulation", "index-3"},
                            {"method", "radau-iia"},
                            {"t_end", "1/2"},
                            {"rtol", {"1e-4", "1e-6"}}}},
                          {"figures", {{{"id", "work"}, {"accuracy", {"y"}}, {"cost", {"steps"}}}}}});
  EXPECT_EQ(work.runs().size(), 2u);
  EXPECT_EQ(work.runs()[0]["status"], "ok");
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

struct Case {
  std::string formulation, method;
  int order;       // of x, x' and s alike: a linear constraint leaves the order of the method
  int steps = 16;  // the fewest
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const char* form : {"index-1", "index-2", "index-3", "ggl", "stabilized-index-1", "baumgarte"})
    for (const auto& [method, order] :
         {std::pair("gauss:s=2", 4), std::pair("radau-iia:s=2", 3), std::pair("lobatto-iiic:s=3", 4),
          std::pair("pade-block:r=3", 4), std::pair("bdf:k=3", 3)})
      list.push_back({form, method, order});
  for (const char* form : {"index-3", "ggl", "stabilized-index-1"})
    for (const char* method : {"generalized-alpha:rho=4/5", "hht:alpha=1/10", "newmark"})
      list.push_back({form, method, 2});
  for (const char* form : {"index-1", "baumgarte", "projected", "penalty"})
    for (const auto& [method, order] :
         {std::pair("runge-kutta:tableau=heun", 2), std::pair("runge-kutta:tableau=rk4-classical", 4),
          std::pair("runge-kutta:tableau=dormand-prince", 5), std::pair("adams-pece:k=3", 3)})
      list.push_back({form, method, order, 128});
  return list;
}

class FirstOrderStateOrder : public testing::TestWithParam<Case> {};

// Over [0, 2], in 50 digits, where neither round-off nor the Newton iteration shows.
// The next terms leave 0.25 of an order.
TEST_P(FirstOrderStateOrder, IsThatOfTheMethod) {
  const Case& c = GetParam();
  const Vector<Real50> exact = exact_motion(2);
  std::vector<OrderPoint> position, velocity, state;
  for (const int steps : {c.steps, 2 * c.steps, 4 * c.steps}) {
    BoundActuator<Real50> bound(c.formulation);
    const Status status = bound.advance(c.method, Real50(2), steps);
    ASSERT_TRUE(status.ok()) << status.cause;
    const auto error = [&](Index i, Index k) { return std::abs(static_cast<double>(bound.state.y[i] - exact[k])); };
    const double h = 2.0 / steps;
    position.push_back(order_point(h, error(0, 0))), velocity.push_back(order_point(h, error(3, 1)));
    state.push_back(order_point(h, error(5, 2)));
  }
  for (const auto& points : {position, velocity, state}) {
    const OrderEstimate estimate = estimate_order(points);
    EXPECT_NEAR(estimate.order, c.order, 0.25) << estimate.statement;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryForm, FirstOrderStateOrder, testing::ValuesIn(cases()), [](const auto& info) {
  return test_name_of(info.param.formulation + "_" + info.param.method);
});

// s' = -rate s with rate h to infinity. The velocity formula and the balance of forces give two factors per step,
// -alpha_f/(1 - alpha_f) = -rho and -(1 - gamma)/gamma = -(3 rho - 1)/(3 - rho): generalized-alpha damps states by at
// least rho, except for rho < 0.17, where it leaves up to 1/3.
TEST(FirstOrderState, IsDampedByGeneralizedAlphaAtInfinity) {
  for (const auto& [rho, factor] : {std::pair("1/2", -0.5), std::pair("1/4", -0.25), std::pair("0", 1.0 / 3)}) {
    const auto state_after = [rho = rho](int steps) {
      BoundActuator<Real50> bound("index-3", "1e30");
      EXPECT_TRUE(bound.advance(std::string("generalized-alpha:rho=") + rho, Real50(steps), steps).ok());
      return bound.s();
    };
    // The other factor has died out: (0.2/0.5)^30 = 1e-12 for rho = 1/2.
    EXPECT_NEAR(static_cast<double>(Real50(state_after(31) / state_after(30))), factor, 1e-8) << rho;
  }
}

// The power balance E' = u i - R i^2 - b phi'^2 - T_load phi' along any motion, at points on the constraints.
void expect_power_balance(const std::string& controller) {
  const auto problem = Registry<Problem>::instance().make("motor-crank:controller=" + controller, "");
  const auto model = problem->mechanical_model(As<Real50>{});
  const Index n = model->coordinates();
  RandomNumbers random(11);
  for (int trial = 0; trial < 5; ++trial) {
    Vector<Real50> q = model->initial_q() + random.vector<Real50>(n), v = Real50(20) * random.vector<Real50>(n);
    ASSERT_TRUE(project_start(*model, q, v).ok());
    if (model->sampling_period() > 0) model->sample(Real50(trial), joined(q, v));
    Vector<Real50> a(n), lambda(1), out(4);
    ASSERT_TRUE(solve_accelerations(*model, Real50(0), q, v, a, lambda).ok());
    model->observables(Real50(0), joined(q, v), out);
    const Real50 i = out[2], u = out[3], w = v[0];
    const auto energy = [&](const Real50& s) {
      return Vector<Real50>::Constant(1, model->energy(s, q + v * s, v + a * s).total()).eval();
    };
    const Real50 power = u * i - i * i - w * w / 1000 - w / 10;
    // Differences with steps of 1e-16 are off by 1e-32 times third derivatives.
    EXPECT_LT(abs(Real50(derivative(Real50(0), energy)[0] - power)), Real50("1e-28")) << controller;
  }
}

TEST(MotorCrank, EnergyChangesByThePowerOfSourceResistanceAndLoad) {
  expect_power_balance("continuous");
  expect_power_balance("sampled");
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
