// Another chart near a coordinate singularity: the transformation, and the history of multistep methods in the new
// coordinates.
#include "core/integration/event_watch.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/newmark/generalized_alpha_stepper.hpp"
#include "tests/divided_differences.hpp"
#include "tests/heavy_top_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

template <class T>
class TopInItsCharts : public testing::Test {
 protected:
  TopInItsCharts() : top("heavy-top", "index-1") {
    RandomNumbers random(6);
    at = {top.model->initial_q() + random.vector<T>(3) / T(2), random.vector<T>(3), random.vector<T>(3)};
  }
  double tolerance() const { return 100 * static_cast<double>(epsilon<T>()); }  // measured 1.3 eps in double
  BoundProblem<T> top;
  TopPoint<T> at;
};
TYPED_TEST_SUITE(TopInItsCharts, Scalars);

TYPED_TEST(TopInItsCharts, ComesBackToRoundOff) {
  TopPoint<TypeParam> there = this->at;
  this->top.model->charted()->to_chart(1, this->at.q, there.q, there.v, there.a);
  EXPECT_GT(largest(there.q - this->at.q), 0.1) << "other coordinates";  // measured 1.5
  this->top.model->charted()->set_chart(1);
  this->top.model->charted()->to_chart(0, this->at.q, there.q, there.v, there.a);
  EXPECT_LT(largest(there.q - this->at.q), this->tolerance());
  EXPECT_LT(largest(there.v - this->at.v), this->tolerance());
  EXPECT_LT(largest(there.a - this->at.a), this->tolerance());
}

TYPED_TEST(TopInItsCharts, KeepsToTheBranchNextToTheLastPlace) {
  TopPoint<TypeParam> there = this->at, further = this->at;
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
  TopPoint<TypeParam> there = this->at;
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
TopPoint<Real50> top_at(const Real50& t, Index chart = 0) {
  const BoundProblem<Real50> top("heavy-top", "index-1");
  const Motion motion = *top.problem->independent_solution(t, 50);
  TopPoint<Real50> at{motion.q, motion.v, Vector<Real50>::Zero(3)};
  Vector<Real50> lambda(0);
  EXPECT_TRUE(solve_accelerations(*top.model, t, at.q, at.v, at.a, lambda).ok());
  if (chart > 0) top.model->charted()->to_chart(chart, Vector<Real50>::Zero(3), at.q, at.v, at.a);
  return at;
}

TEST(HeavyTop, ClosedFormSatisfiesTheEquationsOfMotion) {
  for (const char* time : {"0.1", "0.5", "1.9"}) {
    const TopPoint<Real50> at = top_at(Real50(time));
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
    const TopPoint<Real50> at = top_at(t, chart);
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
std::vector<Vector<Real50>> differences(const std::vector<Vector<Real50>>& column) {
  return scaled_divided_differences(past_times(), column);
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
    const TopPoint<Real50> now = top_at(t);
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

}  // namespace TEST_FILE
}  // namespace daelab
