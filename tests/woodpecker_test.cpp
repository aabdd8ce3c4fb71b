// The woodpecker toy: its motion in closed form against the published start of its limit cycle, and runs against it.
#include <gmock/gmock.h>

#include "core/mechanism/problem.hpp"
#include "results/record_values.hpp"
#include "tests/event_support.hpp"
#include "tests/run_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using T = Real50;

std::shared_ptr<Problem> toy(const std::string& parameters = "") {
  return Registry<Problem>::instance().make("woodpecker" + parameters, "");
}
enum WoodpeckerEvent { beak, lower, upper, opens, slides_no_more, slides };

std::vector<Index> kinds(const std::vector<ExactEvent>& events, std::size_t first, std::size_t count) {
  std::vector<Index> list;
  for (std::size_t i = first; i < first + count; ++i) list.push_back(events[i].event);
  return list;
}

// On the limit cycle.
const char* const on_cycle = ":y_rate=-0.33947862235,phiS_rate=-7.46209464264";
constexpr double period = 0.145976065144;

// The order of events is that of the source: it jams on the lower contact, is free, hits by the upper contact, the
// beak, the upper contact again, is free, hits twice by the lower contact, on which it slides until it jams.
TEST(Woodpecker, GoesThroughThePhasesOfTheSource) {
  const std::vector<ExactEvent> events = *toy(on_cycle)->exact_events(T(period) * 2, 40);
  ASSERT_EQ(events.size(), 18u);
  const std::vector<Index> cycle{slides_no_more, slides, opens, upper, beak, upper, opens, lower, lower};
  EXPECT_EQ(kinds(events, 0, 9), cycle);
  EXPECT_EQ(kinds(events, 9, 9), cycle);
}

// Found by time stepping (Moreau, h = 1E-5), too: 0.1460 s. The published start, y' = -0.3411 and phiS' = -7.4583, is
// by time stepping as well.
TEST(Woodpecker, HasALimitCycle) {
  const Motion motion = *toy(on_cycle)->independent_solution(T(period), 40);
  const auto at = [&](const Vector<T>& x, Index i) { return static_cast<double>(x[i]); };
  EXPECT_NEAR(at(motion.q, 2), -0.2788, 1e-10);  // 12 digits of the start and of the period
  EXPECT_NEAR(at(motion.v, 0), -0.33947862235, 1e-10);
  EXPECT_NEAR(at(motion.v, 2), -7.46209464264, 1e-9);
  EXPECT_NEAR(-0.3411, at(motion.v, 0), 0.005 * 0.3411);
  EXPECT_NEAR(-7.4583, at(motion.v, 2), 0.005 * 7.4583);
}

// The times between the last pecks of a run.
std::vector<double> last_intervals(const std::string& parameters) {
  const Json record = record_of_run({{"problem", "woodpecker" + parameters},
                                     {"method", dormand_prince},
                                     {"formulation", "index-1"},
                                     {"rtol", "1e-9"},
                                     {"t_end", "12"}});
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  std::vector<double> pecks;
  for (const Json& event : record["events"]["list"])
    if (event["event"] == "beak") pecks.push_back(static_cast<double>(record_number(event["t"])));
  std::vector<double> intervals;
  for (std::size_t i = pecks.size() - 3; i < pecks.size(); ++i) intervals.push_back(pecks[i] - pecks[i - 1]);
  return intervals;
}

// A slower start leads to another cycle, of two pecks, which another method finds as well: 0.137907 + 0.167375 s.
TEST(Woodpecker, TendsToOneOfTwoCycles) {
  for (const double interval : last_intervals("")) EXPECT_NEAR(interval, period, 1e-7);
  const std::vector<double> two = last_intervals(":phiS_rate=-7,y_rate=-0.3");
  EXPECT_NEAR(two[0] + two[1], 0.305282, 1e-5);
  EXPECT_NEAR(two[0], two[2], 1e-6);
  EXPECT_GT(std::abs(two[0] - two[1]), 0.02);
}

TEST(Woodpecker, LosesEnergyAtEachImpact) {
  const auto problem = toy();
  const auto model = problem->mechanical_model(As<Widest>{});
  const auto energy = [&](const T& t) {
    const Motion motion = *problem->independent_solution(t, 40);
    return static_cast<double>(
        model->energy(Widest(0), motion.q.cast<Widest>().eval(), motion.v.cast<Widest>().eval()).total());
  };
  const std::vector<ExactEvent> events = *problem->exact_events(T("0.3"), 40);
  for (const ExactEvent& event : events) {
    const T little("1e-15");
    const double before = energy(event.t - little), after = energy(event.t + little);
    if (event.event <= upper)
      EXPECT_LT(after, before - 1e-7) << event.event;  // of 1e-4 J
    else
      EXPECT_NEAR(after, before, 1e-14) << event.event;
  }
}

class WoodpeckerRuns : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(WoodpeckerRuns, FindTheEvents) {
  const auto& [method, formulation] = GetParam();
  const Json record =
      record_of_run({{"problem", "woodpecker"}, {"method", method}, {"formulation", formulation}, {"rtol", "1e-8"}});
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  const std::vector<ExactEvent> exact = *toy()->exact_events(T("0.3"), 40);
  const Json& list = record["events"]["list"];
  ASSERT_EQ(list.size(), exact.size());
  const char* const names[] = {"beak", "lower", "upper", "opens", "slides-no-more", "slides"};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_EQ(list[i]["event"], names[exact[i].event]) << i;
    EXPECT_NEAR(static_cast<double>(record_number(list[i]["t"])), static_cast<double>(exact[i].t), 1e-7) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, WoodpeckerRuns,
                         testing::Values(std::pair(dormand_prince, "index-1"), std::pair(verner_87, "projected"),
                                         std::pair("radau-iia:s=3", "index-3"), std::pair("bdf", "index-1")));

TEST(Woodpecker, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_THROW(toy(":rM=0.002"), InputError);
  EXPECT_THROW(toy(":e1=2"), InputError);
}

}  // namespace TEST_FILE
}  // namespace daelab
