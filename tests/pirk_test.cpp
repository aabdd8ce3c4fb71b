// Parallel iterated Runge-Kutta methods: coefficients, packs of four stages against one stage after the other, error
// control, forms, and iterations that do not converge. Orders of fixed steps are in explicit_methods_test.cpp.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/order_conditions.hpp"
#include "core/expressions/program.hpp"
#include "core/integration/integrate.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/lobatto_packs.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// [HW96, Table IV.5.7]: B(2s - 2), C(s), D(s - 2); the quadrature without the middle node is of order s - 1.
TEST(LobattoIiia, HasItsOrders) {
  for (int s = 3; s <= 9; ++s) {
    const Tableau tableau = lobatto_iiia(s);
    const OrderReport report = order_report(tableau, 2 * s - 2);
    EXPECT_EQ(report.order, 2 * s - 2) << s;
    EXPECT_TRUE(report.is_exact) << s;
    EXPECT_EQ(report.C, s) << s;
    EXPECT_EQ(report.D, s - 2) << s;
    EXPECT_TRUE(tableau.explicit_first_stage() && tableau.stiffly_accurate()) << s;
    Tableau embedded = tableau;
    embedded.b = tableau.b_embedded;
    EXPECT_EQ(order_report(embedded, s).quadrature_order, s - 1) << s;
  }
}

// Simpson's rule and the method of order 4: c = 0, 1/2, 1; a = (5, 8, -1)/24, (1, 4, 1)/6. [HW96, Table IV.5.7]
TEST(LobattoIiia, OfThreeStagesIsThatOfTheTable) {
  const Tableau tableau = lobatto_iiia(3);
  const Real100 exact[3][3] = {{0, 0, 0}, {5, 8, -1}, {4, 16, 4}};
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) EXPECT_LT(abs(Real100(24 * tableau.A(i, j) - exact[i][j])), Real100("1e-90"));
  // The implicit part (8, -1; 16, 4)/24 has |eigenvalue|^2 = det = 48/576.
  EXPECT_NEAR(contraction(tableau), std::sqrt(48.0 / 576), 1e-14);
}

// y and y' at the end of each step, with fixed steps.
struct Path {
  std::vector<Vector<double>> y, ydot;
  Statistics statistics;
};
Path path(const std::string& method, System<double>& system, State<double> state, double h, int steps) {
  const auto stepper = method_of(method)->stepper(system, {});
  state.memory = stepper->make_memory();
  State<double> next = state;
  Path path;
  for (int i = 0; i < steps; ++i) {
    const Status status = stepper->step(state, h, next);
    EXPECT_TRUE(status.ok()) << status.cause;
    std::swap(state, next);
    path.y.push_back(state.y), path.ydot.push_back(state.ydot);
  }
  path.statistics = stepper->statistics();
  return path;
}

// The first packs of a mechanism are evaluated stage by stage, later ones four stages per instruction.
class PackBits : public testing::TestWithParam<std::pair<const char*, double>> {};
TEST_P(PackBits, AreThoseOfOneStageAfterTheOther) {
  if (!evaluates_by_machine_code()) GTEST_SKIP() << "without machine code there are no packs";
  const auto [problem, h] = GetParam();
  BoundProblem<double> bound(problem, "index-1");
  const auto elimination = multipliers_for(*bound.model, "written-out");
  const auto system = Registry<Formulation>::instance().make("index-1", "")->system(*bound.model, *elimination);
  const auto has_packs = [&] { return bound.model->forms().has_program_of_lanes({FormKind::accelerations}); };
  // clang 14 captures no structured bindings.
  const auto step = [&, h = h](const char* method) { return path(method, *system, bound.start, h, 1); };

  const std::vector<const char*> methods{"pirk:s=3", "pirk:s=5", "pirk:s=7", "pirk:s=9"};
  std::vector<Path> apart;
  for (const char* method : methods) apart.push_back(step(method));
  ASSERT_FALSE(has_packs()) << "asked for before in this process";
  for (int i = 0; i < 100 && !has_packs(); ++i) step("pirk");
  ASSERT_TRUE(has_packs());
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const Path together = step(methods[i]);
    EXPECT_EQ(apart[i].y, together.y) << methods[i];
    EXPECT_EQ(apart[i].ydot, together.ydot) << methods[i];
    EXPECT_EQ(apart[i].statistics.residuals, together.statistics.residuals) << methods[i];
    EXPECT_EQ(apart[i].statistics.factorizations, together.statistics.factorizations) << methods[i];
  }
}
// With parameters that no other test has.
INSTANTIATE_TEST_SUITE_P(Problems, PackBits,
                         testing::Values(std::pair{"seven-body:torque=0.0331", 1e-5},
                                         std::pair{"two-link-manipulator:mass1=1.01", 1e-3},
                                         std::pair{"link-chain:links=23", 1e-3},
                                         std::pair{"link-chain:links=201", 1e-3}),
                         [](const auto& info) {
                           std::string name = info.param.first;
                           std::replace_if(
                               name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

// To the bits of one stepper that goes on, whatever the other has done before.
TEST(Pirk, GoesOnFromACopy) {
  BoundProblem<double> bound("pendulum", "index-1");
  const auto one = method_of("pirk")->stepper(*bound.system, {}), other = method_of("pirk")->stepper(*bound.system, {});
  State<double> state = bound.start;
  state.memory = one->make_memory();
  State<double> next = state, copy = state;
  for (const double h : {0.01, 0.02, 0.02, 0.013}) {
    ASSERT_TRUE(one->step(state, h, next).ok());
    ASSERT_TRUE(other->step(state, 0.005, copy).ok());
    ASSERT_TRUE(other->step(state, h, copy).ok());
    EXPECT_EQ(next.y, copy.y);
    EXPECT_EQ(next.memory, copy.memory);
    std::swap(state, next);
  }
}

struct Controlled {
  State<double> state;
  Status status;
  Statistics statistics;
  std::vector<Warning> warnings;
};
Controlled controlled(const std::string& method, System<double>& system, State<double> state, double t_end,
                      double tolerance) {
  const auto stepper = method_of(method)->stepper(system, {});
  stepper->control({tolerance, tolerance, tolerance});
  const Status status = integrate_adaptive<double>(*stepper, state, t_end, 0, {});
  return {std::move(state), status, stepper->statistics(), stepper->warnings()};
}

// Under error control accelerations and multipliers of the last stage stand for those of the step end: they differ by
// what the iteration leaves.
TEST(Pirk, EndsWithTheSlopeOfTheLastStage) {
  BoundProblem<double> bound("seven-body", "index-1");
  const Controlled run = controlled("pirk", *bound.system, bound.start, 0.01, 1e-8);
  ASSERT_TRUE(run.status.ok()) << run.status.cause;
  Vector<double> y = run.state.y, ydot = Vector<double>::Zero(y.size());
  ASSERT_TRUE(bound.system->consistent_derivatives(run.state.t, y, ydot).ok());
  EXPECT_LT((ydot - run.state.ydot).cwiseAbs().maxCoeff(), 1e-6 * ydot.cwiseAbs().maxCoeff());
  EXPECT_LT((y.tail(6) - run.state.y.tail(6)).cwiseAbs().maxCoeff(), 1e-6 * y.tail(6).cwiseAbs().maxCoeff());
}

class PirkOnForm : public testing::TestWithParam<std::string> {};
// To a hundred tolerances: errors of all steps add up.
TEST_P(PirkOnForm, FollowsThePendulum) {
  const BoundProblem<double> pendulum("pendulum", GetParam());
  const Motion exact = *pendulum.problem->independent_solution(Real50(1), 40);
  for (const char* method : {"pirk:s=4", "pirk", "pirk:s=9"}) {
    const Controlled result = controlled(method, *pendulum.system, pendulum.start, 1, 1e-9);
    ASSERT_TRUE(result.status.ok()) << method << ": " << result.status.cause;
    for (Index i = 0; i < 2; ++i)
      EXPECT_NEAR(result.state.y[i], static_cast<double>(exact.q[i]), 1e-7) << method << ", " << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Forms, PirkOnForm,
                         testing::Values("index-1", "projected", "penalty", "baumgarte", "null-space"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The error at the end, in tolerances: what accumulates over 20 s of a limit cycle.
TEST(Pirk, MeetsItsTolerance) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const State<double> start = start_state<double>(ode, Vector<double>{{1.0, 0.5}});
  const Controlled exact = controlled("verner-87", ode, start, 20, 1e-13);
  for (const char* method : {"pirk:s=4", "pirk", "pirk:s=9"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const Controlled result = controlled(method, ode, start, 20, tolerance);
      ASSERT_TRUE(result.status.ok()) << method << ": " << result.status.cause;
      EXPECT_LT((result.state.y - exact.state.y).cwiseAbs().maxCoeff(), 100 * tolerance) << method << tolerance;
    }
}

// y' = -1000 (y - cos t): a pass contracts at up to 1000 h times 0.165, so h is limited, and the run says why.
TEST(Pirk, SaysWhatIsStiff) {
  OdeSystem<double> stiff(
      1, [](const double& t, const Vector<double>& y, Vector<double>& f) { f = -1000 * (y.array() - std::cos(t)); });
  const State<double> start = start_state<double>(stiff, Vector<double>{{1.0}});
  const auto stepper = method_of("pirk")->stepper(stiff, {});
  State<double> state = start;
  const Status status = integrate<double>(*stepper, state, 1, 0.1, {});
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_THAT(status.cause, HasSubstr("the fixed-point iteration does not converge"));
  const Controlled result = controlled("pirk", stiff, start, 10, 1e-4);
  ASSERT_TRUE(result.status.ok()) << result.status.cause;
  EXPECT_NEAR(result.state.y[0], std::cos(10.0), 1e-2);
  EXPECT_GT(result.statistics.steps, 10 * 165);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_EQ(result.warnings.front().kind, "stiff");
}

TEST(Pirk, RefusesFormsThatGiveNoAccelerations) {
  BoundProblem<double> pendulum("pendulum", "index-3");
  EXPECT_THROW(method_of("pirk")->stepper(*pendulum.system, {}), NotApplicable);
}

}  // namespace TEST_FILE
}  // namespace daelab
