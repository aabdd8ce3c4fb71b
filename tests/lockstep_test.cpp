// Runs in lockstep: the steps, the records and the counts of single runs, whoever is beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "core/base/context.hpp"
#include "experiments/runs/compact_run.hpp"
#include "experiments/runs/lockstep.hpp"
#include "experiments/runs/run.hpp"
#include "tests/experiment_support.hpp"
#include "tests/lockstep_support.hpp"

namespace daelab {
namespace TEST_FILE {

// --- Steps.

bool same_bits(const Vector<double>& a, const Vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y));
  });
}

void expect_same(const State<double>& a, const State<double>& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_TRUE(same_bits(a.y, b.y));
  EXPECT_TRUE(same_bits(a.ydot, b.ydot));
  EXPECT_TRUE(same_bits(a.compensation, b.compensation));
}

void expect_same_work(const Member& a, const Member& b) {
  EXPECT_EQ(a.stepper->statistics().steps, b.stepper->statistics().steps);
  EXPECT_EQ(a.stepper->statistics().residuals, b.stepper->statistics().residuals);
  EXPECT_EQ(a.stepper->statistics().back_solves, b.stepper->statistics().back_solves);
  EXPECT_EQ(a.multipliers->statistics().solves, b.multipliers->statistics().solves);
}

const std::vector<std::string> four_manipulators{"two-link-manipulator:mass1=36", "two-link-manipulator:mass1=37",
                                                 "two-link-manipulator:mass1=38.5", "two-link-manipulator:mass1=40"};
// A value of 0, 1 or 2 would be simplified, or be found among the constants of the equations: other expressions.
const std::vector<std::string> pendulums{"pendulum:mass=1.5,gravity=9.7", "pendulum:mass=1.75,gravity=9.8",
                                         "pendulum:mass=1.5,length=1,gravity=9.5,vy=1/2",
                                         "pendulum:mass=7,gravity=9.9,vy=-1"};

class LockstepSteps : public testing::TestWithParam<const char*> {};

TEST_P(LockstepSteps, HaveTheBitsOfSingleOnes) {
  for (std::size_t count : {2, 3, 4}) {
    const std::vector<std::string> problems(pendulums.begin(), pendulums.begin() + static_cast<std::ptrdiff_t>(count));
    const Members together = members_of(problems, GetParam()), alone = members_of(problems, GetParam());
    const auto lockstep = joined(together);
    for (int k = 0; k < 50; ++k) {
      const double h = k < 30 ? 1.0 / 64 : 1.0 / 100;
      std::vector<const State<double>*> from;
      for (const auto& member : together) from.push_back(&member->state);
      lockstep->compute(h, from);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_TRUE(together[i]->stepper->step(together[i]->state, h, together[i]->next).ok());
        ASSERT_TRUE(alone[i]->stepper->step(alone[i]->state, h, alone[i]->next).ok());
        expect_same(together[i]->next, alone[i]->next);
        std::swap(together[i]->state, together[i]->next), std::swap(alone[i]->state, alone[i]->next);
      }
    }
    for (std::size_t i = 0; i < count; ++i) expect_same_work(*together[i], *alone[i]);
  }
}
INSTANTIATE_TEST_SUITE_P(Tableaus, LockstepSteps,
                         testing::Values("runge-kutta", "runge-kutta:tableau=dormand-prince",
                                         "runge-kutta:tableau=verner-87", "runge-kutta:tableau=explicit-euler"));

// A step is taken once, from the state and with the size that it was computed for.
TEST(LockstepStep, IsTakenWhereItFitsAlone) {
  const Members together = members_of(pendulums, "runge-kutta"), alone = members_of(pendulums, "runge-kutta");
  const auto lockstep = joined(together);
  std::vector<const State<double>*> from;
  for (const auto& member : together) from.push_back(&member->state);
  from[2] = nullptr;
  lockstep->compute(0.01, from);
  for (std::size_t i = 0; i < from.size(); ++i)
    for (const double h : {0.02, 0.01, 0.01}) {
      ASSERT_TRUE(together[i]->stepper->step(together[i]->state, h, together[i]->next).ok());
      ASSERT_TRUE(alone[i]->stepper->step(alone[i]->state, h, alone[i]->next).ok());
      expect_same(together[i]->next, alone[i]->next);
    }
  for (std::size_t i = 0; i < from.size(); ++i) expect_same_work(*together[i], *alone[i]);
}

// Numbers of one lane, whatever they are, are nothing to the others.
TEST(LockstepStep, IsNotDisturbedByOthers) {
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e15, 1e-310, -0.0}) {
    const Members together = members_of(four_manipulators, "runge-kutta"),
                  alone = members_of(four_manipulators, "runge-kutta");
    const auto lockstep = joined(together);
    std::vector<const State<double>*> from;
    for (const auto& member : together) from.push_back(&member->state);
    for (const Members* members : {&together, &alone}) (*members)[1]->state.y.head(4).setConstant(wrong);
    lockstep->compute(0.001, from);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Status status = together[i]->stepper->step(together[i]->state, 0.001, together[i]->next);
      const Status expected = alone[i]->stepper->step(alone[i]->state, 0.001, alone[i]->next);
      EXPECT_EQ(status.code, expected.code);
      EXPECT_EQ(status.cause, expected.cause);
      if (status.ok()) expect_same(together[i]->next, alone[i]->next);
    }
  }
}

TEST(LockstepStepper, IsAloneWhereItsSlopesAreOthers) {
  Member member("pendulum", "runge-kutta");
  const auto method = Registry<Method>::instance().make("runge-kutta", "");
  const auto has_lockstep = [&](const char* formulation, const char* solver) {
    const auto multipliers = Registry<MultiplierSolver>::instance()
                                 .make(solver, "")
                                 ->bind(As<double>{}, member.model->coordinates(), member.model->constraints());
    const auto system = Registry<Formulation>::instance().make(formulation, "")->system(*member.model, *multipliers);
    const auto stepper = method->stepper(*system, {});
    return dynamic_cast<LockstepStepper&>(*stepper).lockstep() != nullptr;
  };
  EXPECT_TRUE(has_lockstep("index-1", "written-out"));
  EXPECT_FALSE(has_lockstep("index-1", "schur-cholesky"));
  EXPECT_FALSE(has_lockstep("baumgarte", "written-out"));
  EXPECT_FALSE(has_lockstep("projected", "written-out"));
  EXPECT_FALSE(has_lockstep("penalty", "written-out"));
}

TEST(LockstepStepper, JoinsThoseWhoseModelsDifferInNumbersAlone) {
  const auto stepper_of = [](const Member& member) { return &member.lockstep_stepper(); };
  const Member first("pendulum:mass=1.5", "runge-kutta"), same("pendulum:gravity=7,mass=3", "runge-kutta"),
      other("pendulum:gravity=0,mass=3", "runge-kutta"), third("seven-body", "runge-kutta");
  const auto lockstep = stepper_of(first)->lockstep();
  EXPECT_TRUE(stepper_of(first)->join(lockstep));
  EXPECT_TRUE(stepper_of(same)->join(lockstep));
  EXPECT_FALSE(stepper_of(other)->join(lockstep));
  EXPECT_FALSE(stepper_of(third)->join(lockstep));
}

// --- Runs.

// All of a record but its times.
Json without_times(Json record) {
  for (const char* key : {"key", "trajectory_checksum", "checksum"}) record.erase(key);
  for (const char* time : {"cpu_seconds", "wall_seconds"}) record["stats"].erase(time);
  return record;
}

void expect_records_of_single_runs(const std::vector<Json>& specs) {
  std::vector<std::shared_ptr<const BoundRun>> runs;
  std::vector<const BoundRun*> whole, compact;
  LockstepGroups groups;
  const auto compact_binder = CompactRun::binder();
  const auto add = [&](std::shared_ptr<const BoundRun> run, std::vector<const BoundRun*>& list) {
    runs.push_back(std::move(run)), list.push_back(runs.back().get());
    EXPECT_EQ(groups.of(*runs.back()), groups.of(*runs.front()));
    EXPECT_NE(groups.of(*runs.back()), "");
  };
  for (const Json& spec : specs) add(Run::bind(spec, ""), whole), add(compact_binder->bind(spec, ""), compact);
  LockstepRunner runner;
  for (const auto* together : {&whole, &compact, &whole}) {
    const std::vector<RunOutcome> outcomes = runner.execute(*together);
    ASSERT_EQ(outcomes.size(), specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const RunOutcome alone = Run::bind(specs[i], "")->execute();
      EXPECT_EQ(without_times(outcomes[i].record), without_times(alone.record)) << specs[i];
      EXPECT_EQ(outcomes[i].trajectory, alone.trajectory);
    }
  }
}

std::vector<Json> varied(const Json& run, const std::string& place, const std::vector<Json>& values) {
  std::vector<Json> specs;
  for (const Json& value : values) {
    specs.push_back(run);
    specs.back()[Json::json_pointer(place)] = value;
  }
  return specs;
}

Json run_of(const char* problem, const char* method, const char* h, const char* t_end) {
  return {{"problem", {{"name", problem}}}, {"method", method}, {"formulation", "index-1"}, {"h", h}, {"t_end", t_end}};
}

TEST(LockstepRuns, HaveTheRecordsOfSingleOnes) {
  for (const char* method : {"runge-kutta", "runge-kutta:tableau=dormand-prince", "runge-kutta:tableau=verner-87"}) {
    Json run = run_of("pendulum", method, "1/500", "2");
    const std::vector<Json> masses{"1", "1.25", "3/2", "7"};
    for (std::ptrdiff_t count : {1, 2, 3, 4})
      expect_records_of_single_runs(varied(run, "/problem/mass", {masses.begin(), masses.begin() + count}));
    expect_records_of_single_runs(
        varied(run_of("seven-body", method, "1e-5", "0.01"), "/problem/torque", {"0.03", "0.033", "0.035", "0.04"}));
    expect_records_of_single_runs(
        varied(run_of("two-link-manipulator", method, "1/1000", "1"), "/problem/mass1", {"36", "37", "38", "39"}));
  }
}

TEST(LockstepRuns, KeepTrajectoriesSamplesAndEvents) {
  Json run = run_of("pendulum", "runge-kutta:tableau=verner-87", "1/500", "2.0005");
  run["trajectory"] = 7, run["sample_every"] = "1/9";
  std::vector<Json> specs =
      varied(run, "/start", {{{"v", {{"y", "0"}}}}, {{"v", {{"y", "0.1"}}}}, {{"v", {{"y", "1"}}}}});
  expect_records_of_single_runs(specs);
  expect_records_of_single_runs(
      varied(run_of("bouncing-pendulum", "runge-kutta", "1/500", "3"), "/problem/restitution", {"0.5", "0.6", "0.7"}));
}

TEST(LockstepRuns, EndEachInItsOwnWay) {
  Json run = run_of("pendulum", "runge-kutta", "1/500", "2");
  std::vector<Json> specs = varied(run, "/problem/gravity", {"9.81", "1e7", "9.7", "1e300"});
  expect_records_of_single_runs(specs);
  const RunOutcome diverging = Run::bind(specs[1], "")->execute(), overflowing = Run::bind(specs[3], "")->execute();
  EXPECT_NE(diverging.record["status"], "ok");
  EXPECT_NE(overflowing.record["status"], "ok");
  EXPECT_NE(diverging.record["status"], overflowing.record["status"]);
}

// Values that are equal, or zero, leave other tapes: such a member is beside the others, not among them.
TEST(LockstepRuns, OfOtherShapesAreAlone) {
  expect_records_of_single_runs(
      varied(run_of("pendulum", "runge-kutta", "1/500", "2"), "/problem/gravity", {"9.81", "0", "9.7", "9.5"}));
}

TEST(LockstepRuns, AreGroupedByWhatTheyShare) {
  LockstepGroups groups;
  const auto group_of = [&](const Json& run) { return groups.of(*Run::bind(run, "")); };
  Json run = run_of("pendulum", "runge-kutta", "1/500", "2");
  const std::string common = group_of(run);
  EXPECT_NE(common, "");
  Json other = run;
  other["problem"]["mass"] = 2, other["start"] = {{"v", {{"y", "0.1"}}}};
  EXPECT_EQ(group_of(other), common);
  for (const auto& [key, value] : {std::pair<const char*, Json>{"h", "1/600"},
                                   {"t_end", "3"},
                                   {"method", "runge-kutta:tableau=verner-87"},
                                   {"trajectory", 1}}) {
    other = run;
    other[key] = value;
    EXPECT_NE(group_of(other), common) << key;
    EXPECT_NE(group_of(other), "") << key;
  }
  for (const auto& [key, value] : {std::pair<const char*, Json>{"h", "1/5"}, {"rtol", "1e-6"}, {"method", "bdf"}}) {
    other = run;
    other[key] = value;
    EXPECT_EQ(group_of(other), "") << key;
  }
}

// Any number of threads, groups of any size, either evaluator.
TEST(LockstepRuns, OfAConfigHaveTheNumbersOfSingleOnes) {
  for (const Evaluator evaluator : {Evaluator::automatic, Evaluator::interpreter, Evaluator::machine_code_sse2}) {
    if (evaluator == Evaluator::machine_code_sse2 && !evaluates_by_machine_code()) continue;
    const Context context{.evaluator = evaluator};
    const Context::Scope scope(context);
    for (const int count : {1, 2, 3, 5}) {
      const SmallConfig config(
          Json{{"experiment", "ensemble"},
               {"runs",
                {{"problem", "pendulum"},
                 {"method", {"runge-kutta", "runge-kutta:tableau=dormand-prince"}},
                 {"formulation", "index-1"},
                 {"h", "1/500"},
                 {"t_end", "1"},
                 {"draws", {{"count", count}, {"values", {{"/problem/gravity", {{"uniform", {"9", "10"}}}}}}}}}}});
      const std::vector<Json> stored = config.runs();
      ASSERT_EQ(stored.size(), static_cast<std::size_t>(2 * count));
      for (const Json& record : stored)
        EXPECT_EQ(without_times(record), without_times(Run::bind(record["spec"], "")->execute().record));
    }
  }
}

}  // namespace
}  // namespace daelab
