// Work in a process of its own: what it returns, and what becomes of it where it cannot end well.
#include "core/base/own_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

std::string refusal(const std::function<std::string()>& work, const ProcessLimits& limits = {}) {
  try {
    return "read: " + in_own_process(work, limits);
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(OwnProcess, ReturnsWhatItMade) {
  const std::string large(3'000'000, 'x');
  int here = 1;
  EXPECT_EQ(in_own_process([&] { return here = 2, large; }), large);
  EXPECT_EQ(here, 1) << "what it changes is its own";
  EXPECT_EQ(in_own_process([] { return std::string(); }), "");
}

TEST(OwnProcess, SaysWhyItReturnsNothing) {
  EXPECT_EQ(refusal([]() -> std::string { throw InputError("no"); }), "no");
  EXPECT_THAT(refusal([]() -> std::string { std::raise(SIGSEGV), std::abort(); }), HasSubstr("crashed"));
  EXPECT_THAT(refusal([]() -> std::string { std::_Exit(3); }), HasSubstr("crashed"));
  EXPECT_THAT(refusal([]() -> std::string { throw std::bad_alloc(); }), HasSubstr("more memory than it may have"));
  EXPECT_THAT(refusal([] { return std::string(1000, 'x'); }, {.result_bytes = 100}), HasSubstr("more than"));
  EXPECT_THAT(refusal(
                  []() -> std::string {
                    for (std::atomic<long> i{0};; ++i) {
                    }
                  },
                  {.seconds = 1}),
              HasSubstr("takes more than 1 s"));
}

TEST(OwnProcess, IsMadeAnewWhereItWaitsForALockOfAnotherThread) {
  std::mutex mutex;
  std::latch is_held(1);
  std::thread holder([&] {
    const std::lock_guard lock(mutex);
    is_held.count_down();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  is_held.wait();
  const auto locked = [&] {
    const std::lock_guard lock(mutex);
    return std::string("done");
  };
  EXPECT_EQ(in_own_process(locked, {.idle_seconds = 0.2}), "done");
  holder.join();
  EXPECT_THAT(refusal([]() -> std::string { return ::pause(), ""; }, {.idle_seconds = 0.2}), HasSubstr("does not end"));
}

TEST(OwnProcess, EndsWhenItIsAskedTo) {
  Context context = Context::current();
  const Context::Scope scope(context);
  context.interrupt.request();
  EXPECT_THROW(in_own_process([]() -> std::string {
                 for (std::atomic<long> i{0};; ++i) {
                 }
               }),
               std::runtime_error);
}

}  // namespace TEST_FILE
}  // namespace daelab
