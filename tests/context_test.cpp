// Contexts: what two threads do with different ones at the same time.
#include "core/base/context.hpp"
#include "core/base/json_file.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <typeinfo>

#include "core/base/exact.hpp"
#include "core/base/in_parallel.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "core/mechanism/forms.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/lab.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// f(), by another thread in this context.
template <class F>
auto in_thread(const Context& context, F f) {
  return std::async(std::launch::async, [&context, f = std::move(f)] {
    const Context::Scope scope(context);
    return f();
  });
}

static_assert(!std::is_constructible_v<Context::Scope, Context>, "a scope of a context that ends with the line");

TEST(ContextTest, AScopeIsOfItsThreadAndEnds) {
  const Context outer, inner;
  {
    const Context::Scope scope(outer);
    try {
      const Context::Scope nested(inner);
      EXPECT_EQ(&Context::current(), &inner);
      throw std::runtime_error("");
    } catch (const std::runtime_error&) {
      EXPECT_EQ(&Context::current(), &outer);
    }
    std::thread([] { EXPECT_EQ(&Context::current(), &Context::process()); }).join();
  }
  EXPECT_EQ(&Context::current(), &Context::process());
}

TEST(ContextTest, ACopyHasTheSettingsAndNoRequestToStop) {
  Context context{.evaluator = Evaluator::interpreter, .project_root = "/somewhere"};
  EXPECT_TRUE(context.interrupt.request());
  EXPECT_FALSE(context.interrupt.request()) << "it was requested before";
  const Context copy = context;
  EXPECT_EQ(copy.settings(), context.settings());
  EXPECT_EQ(copy.project_root, "/somewhere");
  EXPECT_FALSE(copy.interrupt.is_requested());
  context.interrupt.withdraw();
  EXPECT_FALSE(context.interrupt.is_requested());
}

TEST(ContextTest, ThreadsOfALoopInheritIt) {
  const Context context;
  const Context::Scope scope(context);
  std::mutex mutex;
  std::set<const Context*> seen;
  in_parallel(200, [&](std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that other threads take part
    const std::lock_guard lock(mutex);
    seen.insert(&Context::current());
  });
  EXPECT_THAT(seen, testing::ElementsAre(&context));
}

TEST(ContextTest, LimitsAreOfTheThread) {
  const Context strict{.limits = {.digits = 10}}, usual;
  std::latch both(2);
  const auto refusals_of_20_digits = [&both] {
    both.arrive_and_wait();
    int refused = 0;
    for (int i = 0; i < 1000; ++i) try {
        Exact("12345678901234567890");
      } catch (const InputError&) {
        ++refused;
      }
    return refused;
  };
  auto a = in_thread(strict, refusals_of_20_digits), b = in_thread(usual, refusals_of_20_digits);
  EXPECT_EQ(a.get(), 1000);
  EXPECT_EQ(b.get(), 0);
}

// Problems that were read are kept, by their text: limits of another context hold all the same.
TEST(ContextTest, WhatOneContextAllowedIsNotAllowedInAnother) {
  RunSpec spec;
  spec.problem =
      Json::parse(R"({"name": "decay", "states": {"x": "-1.00000000001*x"}, "start": {"x": 1}, "end_time": 1})");
  spec.method = "gauss", spec.h = "1/10";
  const Context narrow{.limits = {.digits = 5}}, wide;
  EXPECT_EQ(bind(spec, wide)->integrate().record.status, StatusCode::ok);
  EXPECT_THAT([&] { bind(spec, narrow); }, testing::ThrowsMessage<InputError>(HasSubstr("--limit digits=N")));
}

TEST(ContextTest, StrictArithmeticIsOfTheThread) {
  const Context strict{.strict = true}, usual;
  std::latch both(2);
  const auto powers = [&both] {
    both.arrive_and_wait();
    std::vector<double> values;
    for (int i = 1; i <= 4000; ++i) values.push_back(std::pow(0.01 * i, 0.7));
    return values;
  };
  auto a = in_thread(strict, powers), b = in_thread(usual, powers);
  EXPECT_NE(a.get(), b.get()) << "some are rounded otherwise: tests/strict_arithmetic_test.cpp";
}

TEST(ContextTest, FilesAreThoseOfTheThread) {
  const Context context{
      .project_root = "/project",
      .copies = std::make_shared<const FileCopies>(FileCopies{"/kept", {{"/kept/a.json", "/copies/a.json"}}})};
  const auto place = [] { return project_path("x") + " " + path_to_read("a.json"); };
  EXPECT_EQ(in_thread(context, place).get(), "/project/x /copies/a.json");
  EXPECT_EQ(place(), project_root() + "/x a.json");
}

// ---------------------------------------------------------------- runs

RunSpec pendulum() {
  RunSpec spec;
  spec.problem = "pendulum", spec.method = "gauss:s=3", spec.h = "1/50", spec.t_end = "2";
  return spec;
}

// Calls something after so many steps.
class After final : public RunListener {
 public:
  After(int steps, std::function<void()> action) : steps_(steps), action_(std::move(action)) {}
  void reached(double /*t*/, double /*t_start*/, double /*t_end*/) override {
    if (--steps_ == 0) action_();
  }
  void warned(const Warning& /*warning*/) override {}

 private:
  int steps_;
  std::function<void()> action_;
};

// The run that goes on is in its fifth step while the other one is interrupted and ends.
TEST(ContextTest, AnInterruptEndsTheRunsOfItsContextAlone) {
  Context a, b;
  const auto stopped = bind(pendulum(), a), other = bind(pendulum(), b);
  std::latch underway(1), ended(1);
  After wait(5, [&] {
    underway.count_down();
    ended.wait();
  });
  auto whole = std::async(std::launch::async, [&] { return other->integrate(&wait); });
  underway.wait();
  After interrupt(10, [&a] { a.interrupt.request(); });
  const Run::Outcome outcome = stopped->integrate(&interrupt);
  ended.count_down();
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.record.status, StatusCode::interrupted);
  EXPECT_LT(outcome.record.state.t, Real50("0.3")) << "some ten steps of 1/50";
  const Run::Outcome undisturbed = bind(pendulum())->integrate(), unstopped = whole.get();
  EXPECT_FALSE(unstopped.interrupted);
  EXPECT_EQ(unstopped.record.status, StatusCode::ok);
  EXPECT_EQ(unstopped.record.state.q, undisturbed.record.state.q) << "to the bit";
}

// The programs of the equations, which problems of the same text share.
const std::type_info& type_of_programs() {
  const auto problem = Registry<Problem>::instance().make(Json("pendulum"), "");
  const Program<double>& program = problem->recorded()->mode(0).program<double>({FormKind::data});
  return typeid(program);
}

TEST(ContextTest, EvaluationIsOfTheThreadAndGivesTheSameBits) {
  load_project();
  if (!machine_code_refusal().empty()) GTEST_SKIP() << machine_code_refusal();
  const Context interpreted{.evaluator = Evaluator::interpreter}, compiled{.evaluator = Evaluator::machine_code};
  std::latch both(2);
  const auto work = [&both] {
    both.arrive_and_wait();
    const StateRecord end = bind(pendulum())->integrate().record.state;
    return std::tuple(&type_of_programs(), evaluation_text(), end.q, end.lambda);
  };
  auto a = in_thread(interpreted, work), b = in_thread(compiled, work);
  const auto [type, text, q, lambda] = a.get();
  const auto [other_type, other_text, other_q, other_lambda] = b.get();
  EXPECT_NE(*type, *other_type);
  EXPECT_THAT(text, StartsWith("interpreter"));
  EXPECT_THAT(other_text, StartsWith("machine code"));
  EXPECT_EQ(q, other_q);
  EXPECT_EQ(lambda, other_lambda);
}

// Bound in one context, a run is carried out in it by a thread that has another one.
TEST(ContextTest, ARunKeepsTheContextThatItIsGiven) {
  Context context;
  const auto run = bind(pendulum(), context);
  context.interrupt.request();
  EXPECT_EQ(run->integrate().record.status, StatusCode::interrupted);
  EXPECT_EQ(bind(pendulum())->integrate().record.status, StatusCode::ok);
}

class ContextOfSets : public testing::Test {
 protected:
  ContextOfSets() {
    load_project();
    const Json config = {
        {"name", "small"},
        {"experiment", "drift"},
        {"runs", {{"problem", "pendulum"}, {"method", "gauss"}, {"h", {"1/50", "1/100"}}, {"t_end", 1}}}};
    write_file(folder_.path() + "/config.json", config.dump());
  }
  ScheduleSummary carry_out(const Context* context) const {
    return run_configs({read_config(folder_.path() + "/config.json")},
                       {.out_dir = folder_.path(), .jobs = 2, .quiet = true, .context = context});
  }

  TemporaryFolder folder_;
};

TEST_F(ContextOfSets, AreCarriedOutInTheContextOfTheirOptions) {
  Context context{.evaluator = Evaluator::interpreter, .strict = true};
  context.interrupt.request();
  EXPECT_TRUE(carry_out(&context).interrupted);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/small/analysis.json"));
  context.interrupt.withdraw();
  const ScheduleSummary summary = carry_out(&context);
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(summary.computed, 2) << "of the keys of strict runs";
  const Json made_by = read_json_file(folder_.path() + "/small/manifest.json")["provenance"];
  EXPECT_THAT(made_by["evaluation"].get<std::string>(), StartsWith("interpreter"));
  EXPECT_THAT(made_by["evaluation"].get<std::string>(), EndsWith("strict"));
}

}  // namespace TEST_FILE
}  // namespace daelab
