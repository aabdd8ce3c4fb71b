// Another chart near a coordinate singularity: the transformation, the history of multistep methods in the new
// coordinates, orders and steps through switches, and what becomes of a run that stays in its chart.
#include <gmock/gmock.h>

#include "core/integration/event_watch.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/newmark/generalized_alpha_stepper.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

template <class T>
struct Point {
  Vector<T> q, v, a;
};

// The coordinates of the top at a time, by the closed form.
Vector<Real50> q_of_top(const Real50& t, const std::string& spec = "heavy-top") {
  return Registry<Problem>::instance().make(spec, "")->independent_solution(t, 50)->q;
}

template <class T>
Vector<T> observed(MechanicalModel<T>& model, const Point<T>& at) {
  Vector<T> out(static_cast<Index>(model.observable_names().size()));
  model.observables(T(0), joined(at.q, at.v), out);
  return out;
}

template <class T>
class TopInItsCharts : public testing::Test {
 protected:
  TopInItsCharts() : top("heavy-top", "index-1") {
    RandomNumbers random(6);
    at = {top.model->initial_q() + random.vector<T>(3) / T(2), random.vector<T>(3), random.vector<T>(3)};
  }
  double tolerance() const { return 100 * static_cast<double>(epsilon<T>()); }  // measured 1.3 eps in double
  BoundProblem<T> top;
  Point<T> at;
};
TYPED_TEST_SUITE(TopInItsCharts, Scalars);

TYPED_TEST(TopInItsCharts, ComesBackToRoundOff) {
  Point<TypeParam> there = this->at;
  this->top.model->charted()->to_chart(1, this->at.q, there.q, there.v, there.a);
  EXPECT_GT(largest(there.q - this->at.q), 0.1) << "other coordinates";  // measured 1.5
  this->top.model->charted()->set_chart(1);
  this->top.model->charted()->to_chart(0, this->at.q, there.q, there.v, there.a);
  EXPECT_LT(largest(there.q - this->at.q), this->tolerance());
  EXPECT_LT(largest(there.v - this->at.v), this->tolerance());
  EXPECT_LT(largest(there.a - this->at.a), this->tolerance());
}

TYPED_TEST(TopInItsCharts, KeepsToTheBranchNextToTheLastPlace) {
  Point<TypeParam> there = this->at, further = this->at;
  this->top.model->charted()->to_chart(1, this->at.q, there.q, there.v, there.a);
  Vector<TypeParam> near = there.q;
  near[0] += TypeParam(12), near[2] -= TypeParam(25);  // two turns on, four turns back
  this->top.model->charted()->to_chart(1, near, further.q, further.v, further.a);
  const TypeParam turn = 2 * pi<TypeParam>();
  EXPECT_LT(largest(further.q - there.q - Vector<TypeParam>{{2 * turn, TypeParam(0), -4 * turn}}), this->tolerance());
}

// Mass, forces, energy and momenta in both charts are those of the same top.
TYPED_TEST(TopInItsCharts, IsTheSameMotion) {
  MechanicalModel<TypeParam>& model = *this->top.model;
  Vector<TypeParam> lambda(0), a(3);
  Point<TypeParam> there = this->at;
  ASSERT_TRUE(solve_accelerations(model, TypeParam(0), there.q, there.v, there.a, lambda).ok());
  const Vector<TypeParam> before = observed(model, there);
  const Energy<TypeParam> energy = model.energy(TypeParam(0), there.q, there.v);
  model.charted()->to_chart(1, there.q, there.q, there.v, there.a);
  model.charted()->set_chart(1);
  ASSERT_TRUE(solve_accelerations(model, TypeParam(0), there.q, there.v, a, lambda).ok());
  EXPECT_LT(largest(a - there.a), 100 * this->tolerance());  // forces are solved for: measured 16 eps
  EXPECT_LT(largest(observed(model, there) - before), this->tolerance());
  const Energy<TypeParam> same = model.energy(TypeParam(0), there.q, there.v);
  EXPECT_NEAR(static_cast<double>(same.kinetic - energy.kinetic), 0, this->tolerance());
  EXPECT_NEAR(static_cast<double>(same.potential - energy.potential), 0, this->tolerance());
}

// ---------------------------------------------------------------- the closed form

#ifndef DAELAB_DOUBLE_ONLY
// The top in full at a time, in one of its charts.
Point<Real50> top_at(const Real50& t, Index chart = 0) {
  const BoundProblem<Real50> top("heavy-top", "index-1");
  const Motion motion = *top.problem->independent_solution(t, 50);
  Point<Real50> at{motion.q, motion.v, Vector<Real50>::Zero(3)};
  Vector<Real50> lambda(0);
  EXPECT_TRUE(solve_accelerations(*top.model, t, at.q, at.v, at.a, lambda).ok());
  if (chart > 0) top.model->charted()->to_chart(chart, Vector<Real50>::Zero(3), at.q, at.v, at.a);
  return at;
}

TEST(HeavyTop, ClosedFormSatisfiesTheEquationsOfMotion) {
  for (const char* time : {"0.1", "0.5", "1.9"}) {
    const Point<Real50> at = top_at(Real50(time));
    const auto q = [](const Real50& t) { return top_at(t).q; };
    const auto v = [](const Real50& t) { return top_at(t).v; };
    EXPECT_LT(largest(derivative(Real50(time), q) - at.v), difference_tolerance) << time;
    EXPECT_LT(largest(derivative(Real50(time), v) - at.a), difference_tolerance) << time;
  }
}

TEST(HeavyTop, PassesTheUprightPositionAsCloselyAsItIsTold) {
  const BoundProblem<Real50> top("heavy-top", "index-1");
  const auto theta = [&](const Real50& t) { return top.problem->independent_solution(t, 50)->q[1]; };
  // Near it theta^2 is a parabola in time, up to small terms: its vertex.
  Real50 time("0.234");
  for (Real50 h("1e-3"); h > Real50("1e-8"); h /= 10) {
    const auto square = [&](const Real50& t) { return Real50(theta(t) * theta(t)); };
    const Real50 before = square(time - h), now = square(time), after = square(time + h);
    time += h * (before - after) / (2 * (before - 2 * now + after));
  }
  EXPECT_NEAR(static_cast<double>(theta(time)), 1e-6, 1e-9);  // 1e-3 of what it is told, for what a parabola leaves out
}

// ---------------------------------------------------------------- histories

class Transformation final : public CoordinateChange<Real50> {
 public:
  Transformation(MechanicalModel<Real50>& model, Index chart) : model_(model), chart_(chart) {}
  void apply(const Vector<Real50>& near, Vector<Real50>& q, Vector<Real50>& v, Vector<Real50>& a) override {
    model_.charted()->to_chart(chart_, near, q, v, a);
  }

 private:
  MechanicalModel<Real50>& model_;
  Index chart_;
};

// t_n, t_(n-1), ...: an uneven grid on which the axis comes near the vertical.
std::vector<Real50> past_times() {
  constexpr std::array steps{"0.005", "0.004", "0.007", "0.003", "0.005", "0.006", "0.004", "0.005"};
  static_assert(steps.size() == bdf_columns);
  std::vector<Real50> times{Real50("0.21")};
  for (const char* h : steps) times.push_back(times.back() - Real50(h));
  return times;
}

// (q, v) in a chart; angles without jumps.
std::vector<Vector<Real50>> find_past_values(Index chart) {
  std::vector<Vector<Real50>> list;
  for (const Real50& t : past_times()) {
    const Point<Real50> at = top_at(t, chart);
    Vector<Real50>& x = list.emplace_back(6);
    x << at.q, at.v;
    const Real50 turn = 2 * pi<Real50>();
    for (int i : {0, 2}) x[i] += turn * round(Real50((list[0][i] - x[i]) / turn));
  }
  return list;
}

const std::vector<Vector<Real50>>& past_values(Index chart) {
  static const std::array<std::vector<Vector<Real50>>, 2> known{find_past_values(0), find_past_values(1)};
  return known[static_cast<std::size_t>(chart)];
}

// nabla^j x_n = tau_1 ... tau_j x[t_n, ..., t_(n-j)]
std::vector<Vector<Real50>> differences(std::vector<Vector<Real50>> column) {
  const std::vector<Real50> times = past_times();
  std::vector<Vector<Real50>> result{column[0]};
  Real50 product(1);
  for (std::size_t j = 1; j < times.size(); ++j) {
    for (std::size_t i = 0; i + j < times.size(); ++i)
      column[i] = (column[i] - column[i + 1]) / (times[i] - times[i + j]);
    product *= times[0] - times[j];
    result.push_back(product * column[0]);
  }
  return result;
}

void fill(BdfHistory<Real50>& history, const std::vector<Vector<Real50>>& nabla) {
  const std::vector<Real50> times = past_times();
  for (int j = 1; j <= bdf_columns; ++j) {
    history.difference(j) = nabla[j].head(history.components());
    history.tau[j] = times[0] - times[j];
  }
}

double distance(const BdfHistory<Real50>& history, const std::vector<Vector<Real50>>& nabla, int columns) {
  double result = 0;
  for (int j = 1; j <= columns; ++j) result = std::max(result, largest(history.difference(j) - nabla[j]));
  return result;
}

constexpr double after_divisions = 1e-42;  // 1e-50 times v = 50, and 2^8 for the last difference

TEST(BdfDifferences, GiveThePastValuesAndComeBack) {
  const std::vector<Vector<Real50>> values = past_values(0), nabla = differences(values);
  BdfHistory<Real50> history(6);
  fill(history, nabla);
  to_past_values(history, bdf_columns, 0, 6, values[0]);
  EXPECT_LT(distance(history, values, bdf_columns), after_divisions);
  to_differences(history, bdf_columns, 0, 6, values[0]);
  EXPECT_LT(distance(history, nabla, bdf_columns), after_divisions);
}

class HistoryOfOrder : public testing::TestWithParam<int> {};

// As if the past steps had been made in the new chart.
TEST_P(HistoryOfOrder, IsThatOfTheTransformedMotion) {
  const BoundProblem<Real50> top("heavy-top", "index-3");
  const auto stepper = Registry<Method>::instance().make("bdf", "")->stepper(*top.system, {});
  State<Real50> state = top.start;
  state.t = past_times()[0];
  state.y = past_values(0)[0];
  state.memory = stepper->make_memory(), state.memory_step = state.t - past_times()[1];
  BdfHistory<Real50>& history = state.memory.as<BdfMemory<Real50>>().history;
  fill(history, differences(past_values(0)));
  history.order = GetParam(), history.steps = 20;
  Transformation change(*top.model, 1);
  ASSERT_TRUE(stepper->change_coordinates(state, change));
  EXPECT_LT(distance(history, differences(past_values(1)), GetParam() + 2), after_divisions);
  EXPECT_EQ(history.order, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Bdf, HistoryOfOrder, testing::Range(1, bdf_highest_order + 1));

// a_n stands for q'' at t_n - D h: in the new chart it stands for that of the same moment, to O(h^2).
TEST(GeneralizedAlphaMemory, IsTheTransformedAccelerationOfItsMoment) {
  const BoundProblem<Real50> top("heavy-top", "index-3");
  const auto stepper = Registry<Method>::instance().make("generalized-alpha:rho=1/2", "")->stepper(*top.system, {});
  const Real50 D = Real50(1) / 3, t("0.2");  // alpha_f - alpha_m = (1 - rho)/(1 + rho)
  std::vector<double> errors;
  for (const Real50& h : {Real50("1e-3"), Real50("5e-4")}) {
    const Point<Real50> now = top_at(t);
    State<Real50> state = top.start;
    state.t = t;
    state.y << now.q, now.v;
    state.ydot << now.v, now.a;
    state.memory = stepper->make_memory();
    Vector<Real50>& a = state.memory.as<GeneralizedAlphaMemory<Real50>>().a;
    a = top_at(t - D * h).a, state.memory_step = h;
    Transformation change(*top.model, 1);
    ASSERT_TRUE(stepper->change_coordinates(state, change));
    errors.push_back(largest(a - top_at(t - D * h, 1).a));
  }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.1);  // O(h^2) over a factor 2
}
#endif

// ---------------------------------------------------------------- runs

// A method whose past cannot be transformed.
template <class T>
class Forgetful final : public Stepper<T> {
 public:
  explicit Forgetful(std::unique_ptr<Stepper<T>> inner)
      : Stepper<T>({.is_multistep = inner->is_multistep()}), inner_(std::move(inner)) {}
  Status step(const State<T>& from, const T& h, State<T>& to) override { return inner_->step(from, h, to); }
  HeldMemory make_memory() const override { return inner_->make_memory(); }
  void control(const Tolerances<T>& tolerances) override { inner_->control(tolerances); }
  T first_step(const State<T>& start, const T& length) const override { return inner_->first_step(start, length); }
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    return inner_->judge(from, h, to, failures);
  }
  Retry<T> retry(const State<T>& from, const T& h, int failures) const override {
    return inner_->retry(from, h, failures);
  }
  bool interpolate(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) override {
    return inner_->interpolate(from, to, t, y);
  }
  bool change_coordinates(State<T>&, CoordinateChange<T>&) override { return false; }

 private:
  std::unique_ptr<Stepper<T>> inner_;
};

enum class Past { transformed, forgotten };

struct Outcome {
  Status status;
  Vector<Real50> q;                // at the end, in chart 0
  double energy = 0, momenta = 0;  // how far they went from their first values
  std::vector<double> switches;    // times
  std::vector<StepHistory<double>::Row> attempts;
  /// Steps, from a time on.
  double accepted(double from = 0) const {
    return static_cast<double>(std::count_if(attempts.begin(), attempts.end(),
                                             [&](const auto& row) { return row.outcome.accepted() && row.t >= from; }));
  }
};

// With a tolerance: error control, otherwise steps h.
template <class T>
struct Bench {
  Bench(const std::string& spec, const std::string& formulation) : top(spec, formulation) {}
  Outcome run(const std::string& method, const T& end, const T& h, const T& tolerance = T(0),
              Past past = Past::transformed) {
    auto stepper = Registry<Method>::instance().make(method, "")->stepper(*top.system, {});
    if (past == Past::forgotten) stepper = std::make_unique<Forgetful<T>>(std::move(stepper));
    if (tolerance > T(0)) stepper->control({tolerance, tolerance, tolerance});
    EventWatch<T> watch(*top.model, *top.system, *stepper, end);
    Interruptions<T> interruptions{&watch};
    DriftObserver<T> drift(*top.model, top.layout.accelerations);
    StepHistory<T> history;
    State<T> state = top.start;
    Outcome result;
    const Vector<T> before = observed(*top.model, point(state));
    if (tolerance > T(0))
      result.status = integrate_adaptive<T>(*stepper, state, end, h, {&drift, &history}, &interruptions);
    else
      result.status = integrate<T>(*stepper, state, end, h, {&drift}, &interruptions);
    result.momenta = largest((observed(*top.model, point(state)) - before).tail(2));
    result.energy = static_cast<double>(drift.energy_error);
    to_first_chart(*top.model, *top.system, state);
    result.q = top.layout.q(state.y).template cast<Real50>();
    for (const Occurrence<T>& event : watch.occurrences()) result.switches.push_back(static_cast<double>(event.t));
    if constexpr (std::is_same_v<T, double>) result.attempts = history.rows();
    return result;
  }
  Point<T> point(const State<T>& state) const { return {top.layout.q(state.y), top.layout.v(state.y), Vector<T>(0)}; }
  BoundProblem<T> top;
};

struct OrderCase {
  std::string method, formulation;
  int order, coarsest;  // number of steps
  std::string problem = "heavy-top";
  friend void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.method << " on " << c.formulation; }
};
class OrderThroughSwitches : public testing::TestWithParam<OrderCase> {
 protected:
  // To t = 1/2: to the second chart and back. The errors scatter by some per cent, with where in a step f passes the
  // alarm: 1/10 of an order over a factor 4 in the step.
  template <class T>
  void expect_order() const {
    const OrderCase& c = GetParam();
    const Vector<Real50> exact = q_of_top(Real50(1) / 2, c.problem);
    std::vector<double> errors;
    for (const int steps : {c.coarsest, 4 * c.coarsest}) {
      Bench<T> bench(c.problem, c.formulation);
      const Outcome run = bench.run(c.method, T(1) / T(2), T(1) / T(2 * steps));
      ASSERT_TRUE(run.status.ok()) << run.status.cause;
      EXPECT_EQ(run.switches.size(), c.problem == "heavy-top" ? 2u : 1u);
      errors.push_back(largest(run.q - exact));
    }
    // More than twice that scatter.
    EXPECT_GT(std::log2(errors[0] / errors[1]) / 2, c.order - 0.25) << errors[0] << ", " << errors[1];
  }
};

TEST_P(OrderThroughSwitches, IsFullInDouble) { expect_order<double>(); }
#ifndef DAELAB_DOUBLE_ONLY
TEST_P(OrderThroughSwitches, IsFullIn50Digits) { expect_order<Real50>(); }
#endif
INSTANTIATE_TEST_SUITE_P(
    Methods, OrderThroughSwitches,
    testing::Values(OrderCase{"bdf:k=2", "index-3", 2, 300}, OrderCase{"bdf:k=3", "index-3", 3, 300},
                    OrderCase{"bdf:k=4", "index-3", 4, 200}, OrderCase{"bdf:k=3", "stabilized-index-1", 3, 300},
                    OrderCase{"generalized-alpha:rho=1/2", "index-3", 2, 200},
                    OrderCase{"radau-iia:s=3", "index-1", 5, 100},
                    OrderCase{"runge-kutta:tableau=dormand-prince", "index-1", 5, 100},
                    // below the alarm from the first: the switch is among the steps of another method
                    OrderCase{"bdf:k=4", "index-3", 4, 200, "heavy-top:inclination=1/5,spin=60"}));

// The lowest order of the attempts that begin at a switch. Cardan angles ask for shorter steps than Euler angles here,
// so that some fail.
int lowest_order_after(const Outcome& run) {
  int lowest = bdf_highest_order;
  for (const auto& attempt : run.attempts)
    if (std::find(run.switches.begin(), run.switches.end(), attempt.t) != run.switches.end())
      lowest = std::min(lowest, attempt.order);
  return lowest;
}

class BdfErrorControl : public testing::TestWithParam<double> {};

// "Restarting from order 1 costs 10-20 steps; better transform the back values and keep the order." [Ren20, Sec. 5.2]
TEST_P(BdfErrorControl, KeepsItsOrderWhereARestartCostsSteps) {
  const Outcome kept = Bench<double>("heavy-top", "index-3").run("bdf:restart=order-1", 2, 0, GetParam());
  const Outcome restarted =
      Bench<double>("heavy-top", "index-3").run("bdf:restart=order-1", 2, 0, GetParam(), Past::forgotten);
  ASSERT_TRUE(kept.status.ok() && restarted.status.ok());
  EXPECT_EQ(kept.switches.size(), 5u);
  EXPECT_EQ(restarted.switches.size(), 5u);
  EXPECT_EQ(lowest_order_after(restarted), 1);
  EXPECT_GE(lowest_order_after(kept), 3);
  const double cost = (restarted.accepted() - kept.accepted()) / 5;
  RecordProperty("steps_of_a_restart", std::to_string(cost));
  EXPECT_GE(cost, 10);
  EXPECT_LE(cost, 20);  // "10-20 steps": measured 14 at most
}
INSTANTIATE_TEST_SUITE_P(Tolerances, BdfErrorControl, testing::Values(1e-6, 1e-8));

// Against the same motion without a switch: all of it in the second chart.
TEST(ChartSwitch, CostsNoSteps) {
  Bench<double> switching("heavy-top", "index-3"), staying("heavy-top", "index-3");
  Point<double> at = staying.point(staying.top.start);
  at.a = Vector<double>::Zero(3);
  staying.top.model->charted()->to_chart(1, at.q, at.q, at.v, at.a);
  staying.top.model->charted()->set_chart(1);
  staying.top.start.y << at.q, at.v;
  ASSERT_TRUE(staying.top.system->consistent_derivatives(0, staying.top.start.y, staying.top.start.ydot).ok());
  const Outcome two = switching.run("bdf", 0.4, 0, 1e-6), one = staying.run("bdf", 0.4, 0, 1e-6);
  EXPECT_EQ(two.switches.size(), 1u);
  EXPECT_EQ(one.switches.size(), 0u);
  const double after = two.switches.front();
  // Ten percent: measured 5 of 58 steps.
  EXPECT_NEAR(two.accepted(after), one.accepted(after), 0.1 * one.accepted(after));
}

// Energy, momenta and axis at the end of each step, and at the start of the next one in its chart.
class JumpObserver final : public Observer<double> {
 public:
  explicit JumpObserver(MechanicalModel<double>& model) : model_(model) {}
  void start(const State<double>& state) override { last_ = quantities(state); }
  void step(const State<double>& from, const State<double>& to) override {
    jump = std::max(jump, largest(quantities(from) - last_));
    last_ = quantities(to);
  }
  double jump = 0;

 private:
  Vector<double> quantities(const State<double>& state) const {
    const Point<double> at{state.y.head(3), state.y.segment(3, 3), {}};
    Vector<double> all(6);
    all << observed(model_, at), model_.energy(0, at.q, at.v).total();
    return all;
  }
  MechanicalModel<double>& model_;
  Vector<double> last_;
};

TEST(ChartSwitch, ChangesNothingButCoordinates) {
  for (const char* method : {"bdf", "generalized-alpha:rho=1/2", "radau-iia", "runge-kutta:tableau=dormand-prince"}) {
    BoundProblem<double> top("heavy-top", "index-1");
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*top.system, {});
    stepper->control({1e-6, 1e-6, 1e-6});
    EventWatch<double> watch(*top.model, *top.system, *stepper, 2.0);
    Interruptions<double> interruptions{&watch};
    JumpObserver jumps(*top.model);
    State<double> state = top.start;
    ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 2, 0, {&jumps}, &interruptions).ok()) << method;
    EXPECT_EQ(watch.occurrences().size(), 5u) << method;
    EXPECT_LT(jumps.jump, 1e-13) << method;  // round-off: measured 1.8e-15
  }
}

TEST(ChartSwitch, OneStepMethodsKeepEnergyAndMomentaToTheirTolerance) {
  for (const char* method : {"radau-iia", "runge-kutta:tableau=dormand-prince"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Outcome run = Bench<double>("heavy-top", "index-1").run(method, 2, 0, tolerance);
      ASSERT_TRUE(run.status.ok()) << run.status.cause;
      EXPECT_LT(run.energy, 10 * tolerance) << method;  // of 5 J
      EXPECT_LT(run.momenta, tolerance) << method;
    }
}

// Near the pole phi turns by half a turn within 1e-6 of a radian of theta: a step there is that short, or wrong.
TEST(OneChart, CostsManyTimesTheSteps) {
  for (const char* method : {"bdf", "radau-iia", "runge-kutta:tableau=dormand-prince"}) {
    const Outcome two = Bench<double>("heavy-top", "index-1").run(method, 2, 0, 1e-8),
                  one = Bench<double>("heavy-top:charts=one", "index-1").run(method, 2, 0, 1e-8);
    ASSERT_TRUE(two.status.ok()) << method;
    EXPECT_EQ(one.switches.size(), 0u);
    EXPECT_TRUE(!one.status.ok() || one.accepted() > 10 * two.accepted())
        << method << ": " << one.accepted() << " steps against " << two.accepted();
  }
}

TEST(OneChart, IsWrongWithFixedSteps) {
  const Vector<Real50> exact = q_of_top(Real50(2));
  for (const char* method : {"radau-iia", "runge-kutta:tableau=dormand-prince"}) {
    const Outcome two = Bench<double>("heavy-top", "index-1").run(method, 2, 1.0 / 500),
                  one = Bench<double>("heavy-top:charts=one", "index-1").run(method, 2, 1.0 / 500);
    ASSERT_TRUE(two.status.ok()) << method;
    EXPECT_LT(largest(two.q - exact), 1e-7) << method;  // measured 6e-9
    EXPECT_TRUE(!one.status.ok() || largest(one.q - exact) > 100 * largest(two.q - exact))
        << method << ": " << largest(one.q - exact) << " against " << largest(two.q - exact);
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
