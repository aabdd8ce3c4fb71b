// The embedded pairs of the project: their published properties, and how accurate they are for their cost.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#include <gmock/gmock.h>

#include "analysis/stability.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/run.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

struct Pair {
  const char* name;
  int order, embedded_order, stages;
  bool first_same_as_last;
  int nodes_of_time_error = 0;
};
const Pair pairs[] = {{"bogacki-shampine", 3, 2, 4, true}, {"fehlberg-45", 4, 5, 6, false},
                      {"cash-karp", 5, 4, 6, false},       {"dormand-prince", 5, 4, 7, true},
                      {"dverk", 6, 5, 8, false},           {"fehlberg-78", 7, 8, 13, false, 10},
                      {"verner-87", 8, 7, 13, false}};

// Orders are checked to 1E-70 when the file is read: rounded coefficients do not pass.
TEST(EmbeddedPairs, HaveTheirOrdersAndStages) {
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(pair.name);
    const Tableau t = tableau_by_name(pair.name, "");
    EXPECT_EQ(t.claimed_order, pair.order);
    EXPECT_EQ(t.embedded_order, pair.embedded_order);
    EXPECT_EQ(t.stages(), pair.stages);
    EXPECT_TRUE(t.is_explicit());
    EXPECT_EQ(t.stiffly_accurate(), pair.first_same_as_last);
    EXPECT_EQ(stability_function(t).linear_order(), pair.order);
  }
}

// b - b_embedded of the 7(8) pair is 41/840 (f_1 + f_11 - f_12 - f_13): the nodes are 0, 1, 0, 1, so that the
// difference is zero for any quadrature problem. [HNW93, Sec. II.5] Runs add what another rule on its nodes says.
TEST(EmbeddedPairs, OfFehlbergIsBlindToQuadratureAndItsRunsAreNot) {
  const Tableau t = tableau_by_name("fehlberg-78", "");
  const char* difference[] = {"41/840", "0", "0", "0", "0", "0", "0", "0", "0", "0", "41/840", "-41/840", "-41/840"};
  for (Index i = 0; i < 13; ++i) EXPECT_EQ(exact_text(t.b[i] - t.b_embedded[i]), difference[i]) << i;
  const auto estimate = [](const char* name) {
    OdeSystem<double> ode(1, [](double time, const Vector<double>&, Vector<double>& f) { f[0] = std::exp(3 * time); });
    const auto stepper =
        Registry<Method>::instance().make(std::string("runge-kutta:tableau=") + name, "")->stepper(ode, {});
    stepper->control({1e-12, 1e-12, 1e-12});
    State<double> from = start_state<double>(ode, Vector<double>::Zero(1)), to = from;
    EXPECT_TRUE(stepper->step(from, 1.0, to).ok());
    const double estimated = stepper->judge(from, 1.0, to, 0).error, error = to.y[0] - std::expm1(3.0) / 3;
    EXPECT_GT(estimated, 0.9 * std::abs(error) / 1e-12) << name;  // measured 0.96 of it
    return estimated;
  };
  EXPECT_GT(estimate("fehlberg-78"), 1e6);  // measured 1.9e7
  EXPECT_GT(estimate("verner-87"), 1e6);    // measured 1.2e7
}

// Equations without t pay nothing for what the pair does not see of f(t).
TEST(EmbeddedPairs, OfFehlbergEvaluatesItsStagesAlone) {
  const Json problem = {{"name", "swing"},
                        {"states", {{"x", "v"}, {"v", "-x"}}},
                        {"start", {{"x", "1"}, {"v", "0"}}},
                        {"end_time", "10"}};
  const RunRecord record =
      Run::bind({{"problem", problem}, {"method", "runge-kutta:tableau=fehlberg-78"}, {"rtol", "1e-8"}}, "")
          ->execute()
          .record;
  EXPECT_EQ(record.status, StatusCode::ok);
  const long attempts = 12 * record.stats.rejected + 13 * record.stats.steps;
  EXPECT_GE(record.stats.residuals, attempts);
  EXPECT_LE(record.stats.residuals, attempts + 5);  // of the start and its first step
}

// Evaluations for 1E-10 on the forced oscillator: the higher the order, the fewer.
TEST(EmbeddedPairs, PayOffAtStrictTolerances) {
  OdeSystem<double> ode = forced_oscillator<double>();
  OdeSystem<Real50> oracle = forced_oscillator<Real50>();
  const Vector<double> exact =
      ode_solution(oracle, Vector<Real50>{{Real50(1), Real50(1) / 2}}, Real50(1)).cast<double>();
  long before = std::numeric_limits<long>::max();
  for (const char* name : {"bogacki-shampine", "cash-karp", "dverk", "verner-87"}) {
    const auto stepper =
        Registry<Method>::instance().make(std::string("runge-kutta:tableau=") + name, "")->stepper(ode, {});
    stepper->control({1e-10, 1e-10, 1e-10});
    State<double> state = start_state<double>(ode, Vector<double>{{1.0, 0.5}});
    ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 1.0, 0.0, {}).ok());
    EXPECT_LT(largest(state.y - exact), 1e-9) << name;  // ten tolerances: measured 1.7
    EXPECT_LT(stepper->statistics().residuals, before) << name;
    before = stepper->statistics().residuals;
  }
}

// The slope at the step end is the first one of the next step: an attempt that is rejected goes without it where the
// estimate does. One that passes is the step. What the pair of Fehlberg does not see of f(t) takes a slope at each node
// but the first, of equations with t in them, and none where the pair rejects the step itself.
TEST(EmbeddedPairs, DoNotCompleteStepsThatTheyReject) {
  OdeSystem<double> ode = forced_oscillator<double>();
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(pair.name);
    const auto stepper =
        Registry<Method>::instance().make(std::string("runge-kutta:tableau=") + pair.name, "")->stepper(ode, {});
    stepper->control({1e-8, 1e-8, 1e-8});
    const State<double> from = start_state<double>(ode, Vector<double>{{1.0, 0.5}});
    State<double> step = from, attempt = from;
    const auto evaluations = [&](const auto& what) {
      const long before = stepper->statistics().residuals;
      EXPECT_TRUE(what().ok());
      return stepper->statistics().residuals - before;
    };
    const int of_step = pair.stages - (pair.first_same_as_last ? 1 : 0);
    for (const double h : {5.0, 1e-3}) {
      EXPECT_EQ(evaluations([&] { return stepper->step(from, h, step); }), of_step);
      const StepDecision<double> decision = stepper->judge(from, h, step, 0);
      EXPECT_EQ(decision.accepted, h < 1);
      const int saved = decision.accepted || pair.first_same_as_last ? 0 : 1;
      const int unseen = decision.accepted && pair.nodes_of_time_error > 0 ? pair.nodes_of_time_error - 1 : 0;
      EXPECT_EQ(evaluations([&] { return stepper->attempt(from, h, attempt); }), of_step - saved + unseen);
      EXPECT_EQ(stepper->judge(from, h, attempt, 0).error, decision.error);
      EXPECT_EQ(attempt.y, step.y);
      EXPECT_EQ(attempt.ydot, saved > 0 ? from.ydot : step.ydot);
    }
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
