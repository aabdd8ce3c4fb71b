// Work that takes long ends once somebody asks, and not only runs do.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "analysis/method_report.hpp"
#include "core/base/context.hpp"
#include "core/base/interrupted.hpp"
#include "core/integration/method.hpp"
#include "results/compare.hpp"
#include "results/store.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using Clock = std::chrono::steady_clock;

// How long the work goes on after it was asked to stop [s].
template <class Work>
double seconds_after_request(const Work& work) {
  Context context = Context::process();
  const Context::Scope scope(context);
  Clock::time_point asked;
  std::jthread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    asked = Clock::now();
    context.interrupt.request();
  });
  EXPECT_THROW(work(), Interrupted);
  user.join();
  return std::chrono::duration<double>(Clock::now() - asked).count();
}

// s steps of the explicit or implicit Euler method.
std::shared_ptr<Method> many_stages(int s, bool is_explicit) {
  const std::string part = "1/" + std::to_string(s);
  Json json = {{"name", "many"}, {"order", 1}, {"A", Json::array()}, {"b", Json::array()}};
  for (int i = 0; i < s; ++i) {
    Json row = Json::array();
    for (int j = 0; j < s; ++j) row.push_back(j < i + (is_explicit ? 0 : 1) ? part : "0");
    json["A"].push_back(row), json["b"].push_back(part);
  }
  return Registry<Method>::instance().make(json, "");
}

// Minutes of rational arithmetic.
TEST(Interruption, EndsReportsOfManyStages) {
  for (const bool is_explicit : {true, false}) {
    const auto method = many_stages(200, is_explicit);
    EXPECT_LT(seconds_after_request([&] { method_report(*method); }), 1) << is_explicit;
  }
}

TEST(Interruption, EndsComparisons) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    ResultStore store = ResultStore::open(folder.path() + "/" + name, "set", Json::object());
    store.append({{"key", "k"}, {"spec", {{"h", "0.01"}}}, {"status", "ok"}, {"stats", Json::object()}});
  }
  EXPECT_TRUE(compare(folder.path() + "/a", folder.path() + "/b", 0).empty());
  Context context = Context::process();
  const Context::Scope scope(context);
  context.interrupt.request();
  EXPECT_THROW(compare(folder.path() + "/a", folder.path() + "/b", 0), Interrupted);
}

}  // namespace TEST_FILE
}  // namespace daelab
