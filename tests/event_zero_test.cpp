// What another event's jump leaves at zero has no sign until it has left zero: of every method, with error control and
// with fixed steps.
#include <gmock/gmock.h>

#include <cmath>

#include "lab/runs/run.hpp"
#include "tests/build_paths.hpp"
#include "tests/event_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::IsEmpty;

class LeftAtZero : public testing::TestWithParam<std::string> {
 protected:
  static std::string held(const std::string& file) { return "@" + source_path("/tests/problems/") + file + ".json"; }
  // Null where the method does not take such a run.
  static Json run(const std::string& problem, const char* key, const char* value) {
    const Json spec = {{"problem", problem}, {"method", GetParam()}, {key, value}};
    Json record = Run::bind(spec, "")->execute().record;
    return record["status"] == "not-applicable" ? Json() : record;
  }
  static long count(const Json& record, int kind) { return record["events"]["kinds"][kind]["count"].get<long>(); }
  // x is let go with neither speed nor force, so that round-off alone decides between its first values. That it is
  // caught again would leave it where it was, 1/6 and more away. Bound: what methods of order 1 and steps of 1/50, or a
  // tolerance of a tenth, make of it.
  static void expect_free(const std::string& problem, double end) {
    for (const auto& [key, value] : {std::pair{"rtol", "1e-4"}, {"rtol", "1e-8"}, {"h", "1/50"}}) {
      const Json record = run(problem, key, value);
      if (record.is_null()) continue;
      EXPECT_EQ(record["status"], "ok") << value << ": " << record["cause"];
      EXPECT_EQ(count(record, 0), 0) << value;
      EXPECT_EQ(count(record, 1), 0) << value;
      EXPECT_EQ(count(record, 2), 1) << value;
      EXPECT_NEAR(record["q"][0].get<double>(), end, 0.1) << value;
    }
  }
};

// x = stop - (t - 1)^3/6.
TEST_P(LeftAtZero, AMassThatIsLetGoIsFree) {
  if (Registry<Method>::instance().missing().contains(GetParam())) GTEST_SKIP();
  expect_free(held("held_mass"), 1 - 1.0 / 6);
  expect_free(held("held_mass") + ":stop=1/3", 1.0 / 3 - 1.0 / 6);
  expect_free(held("held_mass") + ":stop=1000", 1000 - 1.0 / 6);
}

// By RK4 with steps of 1/20000, the equations of each of the two modes for themselves.
TEST_P(LeftAtZero, AMassThatIsLetGoIsFreeBesideAnother) {
  if (Registry<Method>::instance().missing().contains(GetParam())) GTEST_SKIP();
  expect_free(held("held_pair"), 0.203127427064);
}

INSTANTIATE_TEST_SUITE_P(AllMethods, LeftAtZero, testing::ValuesIn(registered_methods()),
                         [](const auto& info) { return test_name_of(info.param); });

// ----- what a change of sign in a jump means -----

// A mass between the levels -1 and 2, moved at t = 1 from 1 to `place`; then it goes on with the speed `speed`. Events
// at zero: of both consequences, and one that only looks.
Record moved_mass(const Exact& place, const Exact& speed) {
  return one_mass(0, 0, [=](Recording& r) {
    Jump& moved = r.event({"moved", Crossing::rising, Consequence::jump}, r.t - 1);
    moved.q[0] = place, moved.v[0] = speed;
    r.event({"jump", Crossing::falling, Consequence::jump}, r.q[0]).v[0] = 2 * r.v[0];
    r.event({"impact", Crossing::falling, Consequence::impact}, r.q[0]).v[0] = -r.v[0];
    r.event({"seen", Crossing::either, Consequence::observe}, r.q[0]);
  });
}

struct Times {
  std::vector<double> jump, impact, seen;
};
Times times_of(const Exact& place, const Exact& speed) {
  const auto run = watched_run<double>(moved_mass(place, speed), dormand_prince, "index-1", 3, fixed(0.25));
  EXPECT_TRUE(run.status.ok()) << run.status.cause;
  return {run.times(1), run.times(2), run.times(3)};
}

TEST(JumpOfAnother, BeyondZeroIsNoEvent) {
  const Times beyond = times_of(-1, 0);
  EXPECT_THAT(beyond.jump, IsEmpty());
  EXPECT_THAT(beyond.impact, IsEmpty());
  EXPECT_THAT(beyond.seen, IsEmpty());
}

TEST(JumpOfAnother, ToZeroAndBackIsNoEvent) {
  const Times back = times_of(0, 1);
  EXPECT_THAT(back.jump, IsEmpty());
  EXPECT_THAT(back.impact, IsEmpty());
  EXPECT_THAT(back.seen, IsEmpty());
}

// A jump passes: the function had no sign. What must stay above zero is at zero and falls: the impact is at once.
TEST(JumpOfAnother, ToZeroAndBeyondIsAnImpact) {
  const Times beyond = times_of(0, -1);
  EXPECT_THAT(beyond.jump, IsEmpty());
  EXPECT_THAT(beyond.impact, ElementsAre(testing::DoubleNear(1, 1e-12)));
  EXPECT_THAT(beyond.seen, IsEmpty());
}

}  // namespace TEST_FILE
}  // namespace daelab
