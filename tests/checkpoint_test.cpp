// A state is a checkpoint: every method, on every form it takes, goes on from a copy of it to the same bits, with
// another system and another stepper, and attempts that were dropped leave no trace but what the state says.
//
// Matrices are factorised densely here. A sparse factorisation takes its sequence of pivots from an earlier matrix of
// its stepper, for speed; from another one, the corrections differ by rounding.
#include <gtest/gtest.h>

#include "core/base/context.hpp"
#include "core/integration/method.hpp"
#include "core/integration/passage.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

struct Case {
  std::string method, problem, formulation, newton;
};

// A case made anew: system and stepper, with error control or without.
struct Made {
  Made(const Case& c, bool controlled) : bound(c.problem, c.formulation) {
    stepper = Registry<Method>::instance().make(c.method, "")->stepper(*bound.system, newton_options(c.newton));
    if (controlled) stepper->control({1e-4, 1e-4, 1e-4});
  }
  BoundProblem<double> bound;
  std::unique_ptr<Stepper<double>> stepper;
};

// The step ends of a run, and the size asked for after each.
class Recorder final : public Observer<double> {
 public:
  void start(const State<double>&) override {}
  void step(const State<double>&, const State<double>& to) override { states.push_back(to); }
  void attempt(const StepAttempt<double>& attempt) override {
    if (attempt.status.ok() && attempt.decision.accepted) sizes.push_back(attempt.decision.h);
  }
  std::vector<State<double>> states;
  std::vector<double> sizes;
};

constexpr double end_time = 0.5, fixed_step = 1.0 / 64;  // a power of two: the grid is the same from any of its nodes

// From a state, which may be a checkpoint, to the end. h is the first step of error control; 0: the method's choice.
Status run(Made& made, State<double> state, bool controlled, bool resumes, double h, Recorder& recorder) {
  Interruptions<double> interruptions;
  interruptions.resumes = resumes;
  if (controlled) return integrate_adaptive<double>(*made.stepper, state, end_time, h, {&recorder}, &interruptions);
  return integrate<double>(*made.stepper, state, end_time, fixed_step, {&recorder}, &interruptions);
}

// Whether the case is one: the method takes the form, and comes to the end.
bool goes_on_from_a_copy(const Case& c, bool controlled) {
  SCOPED_TRACE(c.method + " on " + c.problem + ", " + c.formulation + ", " + c.newton);
  Recorder whole, rest;
  Made first(c, controlled);
  if (!run(first, first.bound.start, controlled, false, 0, whole).ok() || whole.states.size() < 4) return false;
  const std::size_t middle = whole.states.size() / 2;
  Made second(c, controlled);
  const double h = controlled ? whole.sizes[middle] : 0;
  EXPECT_TRUE(run(second, whole.states[middle], controlled, true, h, rest).ok());
  EXPECT_EQ(rest.states.size(), whole.states.size() - middle - 1);
  for (std::size_t i = 0; i < rest.states.size() && !testing::Test::HasFailure(); ++i) {
    const State<double>&x = whole.states[middle + 1 + i], &y = rest.states[i];
    EXPECT_EQ(x.t, y.t) << "step " << i;
    EXPECT_EQ(x.y, y.y) << "step " << i;
    EXPECT_EQ(x.ydot, y.ydot) << "step " << i;
    EXPECT_EQ(x.compensation, y.compensation) << "step " << i;
  }
  return true;
}

// Attempts at one step, the first one much too long: what came of them.
std::vector<double> attempts_from(Stepper<double>& stepper, State<double> state, double h) {
  const std::vector<Observer<double>*> nobody;
  Interruptions<double> interruptions;
  interruptions.resumes = true;
  Passage<double> passage(stepper, state, nobody, interruptions);
  EXPECT_TRUE(passage.begin().ok());
  std::vector<double> seen;
  for (int failures = 0; failures < 8; ++failures) {
    const Attempt<double> attempt = passage.attempt(h, state.t + h, failures);
    seen.insert(seen.end(), {h, static_cast<double>(attempt.status.code)});
    if (attempt.status.ok()) {
      seen.insert(seen.end(), {attempt.decision.error, attempt.decision.h});
      const Vector<double>& y = passage.next().y;
      seen.insert(seen.end(), y.begin(), y.end());
    }
    if (attempt.passed()) break;
    const Retry<double> retry = stepper.retry(state, h, failures);
    h = attempt.status.ok() ? attempt.decision.h : retry.h;
    if (!attempt.status.ok()) state.control.order = retry.order;
  }
  return seen;
}

bool forgets_attempts(const Case& c) {
  SCOPED_TRACE(c.method + " on " + c.problem + ", " + c.formulation + ", " + c.newton);
  Recorder whole;
  Made first(c, true), second(c, true);
  if (!run(first, first.bound.start, true, false, 0, whole).ok() || whole.states.size() < 4) return false;
  const std::size_t middle = whole.states.size() / 2;
  const State<double>& from = whole.states[middle];
  const std::vector<double> once = attempts_from(*first.stepper, from, 30 * whole.sizes[middle]),
                            again = attempts_from(*first.stepper, from, 30 * whole.sizes[middle]),
                            elsewhere = attempts_from(*second.stepper, from, 30 * whole.sizes[middle]);
  EXPECT_EQ(once, again);
  EXPECT_EQ(once, elsewhere);
  return true;
}

// On a mechanism in every form, an ordinary differential equation, and a mechanism without degrees of freedom; with
// the usual iteration and with others that keep a Jacobian.
std::vector<Case> cases_of(const std::string& method) {
  std::vector<Case> list;
  for (const char* newton : {"automatic", "quasi", "simplified:jacobian=reused", "modified:guess=extrapolated"}) {
    for (const std::string& form : Registry<Formulation>::instance().names())
      if (form != "ode") list.push_back({method, "two-link-manipulator", form, newton});
    list.push_back({method, "van-der-pol:mu=5", "ode", newton});
    list.push_back({method, "driven-mass", "index-1", newton});
  }
  return list;
}

int count_cases(const std::string& method, const auto& holds) {
  int count = 0;
  for (const Case& c : cases_of(method)) {
    try {
      count += holds(c) ? 1 : 0;
    } catch (const NotApplicable&) {  // the form, or error control
    }
    if (testing::Test::HasFailure()) break;
  }
  return count;
}

class Checkpoint : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (chooses_steps(GetParam()))
      GTEST_SKIP() << "an established code keeps its past to itself: a copied state goes on as after a restart";
  }
  static bool chooses_steps(const std::string& method) {
    try {
      return Made({method, "driven-mass", "index-1", "automatic"}, false).stepper->chooses_steps();
    } catch (const NotApplicable&) {
      return false;  // the codes take this form
    }
  }
  static bool refuses_fixed_steps(const std::string& method) {
    try {
      Made made({method, "driven-mass", "index-1", "automatic"}, false);
      Recorder whole;
      return run(made, made.bound.start, false, false, 0, whole).code == StatusCode::not_applicable;
    } catch (const NotApplicable&) {
      return false;  // the form
    }
  }

 private:
  Context context_{.largest_dense_size = 1000};
  Context::Scope scope_{context_};
};

TEST_P(Checkpoint, GoesOnToTheSameBits) {
  if (refuses_fixed_steps(GetParam())) GTEST_SKIP() << "it takes error control only";
  EXPECT_GT(count_cases(GetParam(), [](const Case& c) { return goes_on_from_a_copy(c, false); }), 0);
}

TEST_P(Checkpoint, GoesOnToTheSameBitsWithErrorControl) {
  if (count_cases(GetParam(), [](const Case& c) { return goes_on_from_a_copy(c, true); }) == 0)
    GTEST_SKIP() << "it takes fixed steps only";
}

TEST_P(Checkpoint, DroppedAttemptsLeaveNoTrace) {
  if (count_cases(GetParam(), forgets_attempts) == 0) GTEST_SKIP() << "it takes fixed steps only";
}

// All there are, and what their defaults leave out.
std::vector<std::string> methods() {
  std::vector<std::string> list = Registry<Method>::instance().names();
  for (const char* other :
       {"runge-kutta:tableau=dormand-prince", "bdf:formula=quasi-constant,selector=plain",
        "generalized-alpha:rescale=always", "radau-iia:s=3", "radau-iia:s=auto", "pade-block:r=auto", "gauss:s=3"})
    list.push_back(other);
  return list;
}
INSTANTIATE_TEST_SUITE_P(AllMethods, Checkpoint, testing::ValuesIn(methods()),
                         [](const auto& info) { return test_name_of(info.param); });

}  // namespace TEST_FILE
}  // namespace daelab
