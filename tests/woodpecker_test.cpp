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

// 80 cycles later, when the start has died out.
struct LimitCycle {
  std::vector<ExactEvent> events = *toy()->exact_events(T(12), 40);
  std::size_t last = events.size() - 1;
  LimitCycle() {
    while (events[last].event != slides_no_more) --last;
  }
};

// The order of events is that of the source: jammed by the lower contact, free, upper contact, beak, upper contact
// again, free, twice the lower contact, on which it slides until it jams.
TEST(Woodpecker, GoesThroughThePhasesOfTheSource) {
  const LimitCycle cycle;
  EXPECT_THAT(kinds(cycle.events, cycle.last - 9, 10),
              testing::ElementsAre(slides_no_more, slides, opens, upper, beak, upper, opens, lower, lower,
                                   slides_no_more));
}

// The period was found by time stepping (Moreau, h = 1E-5), too: 0.1460 s.
TEST(Woodpecker, HasALimitCycle) {
  const LimitCycle cycle;
  const T period = cycle.events[cycle.last].t - cycle.events[cycle.last - 9].t;
  EXPECT_NEAR(static_cast<double>(period), 0.1459760651, 2e-10);
  // One that the start at other speeds leads to as well.
  const std::vector<ExactEvent> other = *toy(":phiS_rate=-7,y_rate=-0.3")->exact_events(T(12), 40);
  std::size_t last = other.size() - 1;
  while (other[last].event != slides_no_more) --last;
  EXPECT_NEAR(static_cast<double>(other[last].t - other[last - 9].t), 0.1459760651, 2e-10);
}

// The source starts on its cycle, by time stepping: at phiS = -0.2788, while it slides.
TEST(Woodpecker, PassesNearThePublishedStart) {
  const LimitCycle cycle;
  T from = cycle.events[cycle.last - 1].t, to = cycle.events[cycle.last].t;
  const auto problem = toy();
  for (int i = 0; i < 40; ++i) {
    const T middle = (from + to) / 2;
    (problem->independent_solution(middle, 40)->q[2] > T("-0.2788") ? from : to) = middle;
  }
  const Motion motion = *problem->independent_solution(to, 40);
  EXPECT_NEAR(static_cast<double>(motion.v[0]), -0.3411, 0.002);   // here -0.33948
  EXPECT_NEAR(static_cast<double>(motion.v[2]), -7.4583, 0.0045);  // here -7.46209
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
  const Json record = record_of_run(
      {{"problem", "woodpecker"}, {"method", method}, {"formulation", formulation}, {"rtol", "1e-8"}});
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
