// A run has the same bits however often its process repeats it: what the process keeps meanwhile (code of factors,
// tables of tableaus, recordings, start values that were analysed last) shows in times alone. The first one is
// interpreted.
#include <gtest/gtest.h>

#include "core/base/context.hpp"
#include "lab/runs/run.hpp"
#include "results/run_record.hpp"

namespace daelab {
namespace TEST_FILE {

Json without_times(Json record) {
  Json& stats = record["stats"];
  for (const char* time : {"cpu_seconds", "wall_seconds"}) stats.erase(time);
  return record;
}

Json mechanism(const char* problem, const char* formulation, const char* method, const char* t_end) {
  return {{"problem", problem}, {"formulation", formulation}, {"method", method}, {"rtol", "1e-4"}, {"t_end", t_end}};
}

class SameAgain : public testing::TestWithParam<Json> {};

Json record_of(const Json& spec) { return without_times(Run::bind(spec, "")->execute().record); }

TEST_P(SameAgain, HasTheSameBits) {
  const auto interpreted = [] {
    const Context context{.evaluator = Evaluator::interpreter};
    const Context::Scope scope(context);
    return record_of(GetParam());
  };
  const Json first = interpreted();
  EXPECT_EQ(first["status"], "ok") << first["cause"];
  for (int time = 1; time <= 5; ++time) EXPECT_EQ(record_of(GetParam()), first) << "time " << time;
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, SameAgain,
                         testing::Values(mechanism("seven-body", "index-2", "radau-iia", "3/100"),
                                         mechanism("seven-body", "ggl", "bdf", "3/100"),
                                         mechanism("seven-body", "index-2", "half-explicit", "3/100"),
                                         mechanism("seven-body-absolute", "ggl", "radau-iia", "1/100"),
                                         mechanism("two-link-manipulator", "index-1", "pade-block", "1"),
                                         mechanism("two-link-manipulator", "index-3", "generalized-alpha", "1"),
                                         mechanism("car-axis", "stabilized-index-1", "kvaerno-3", "1/2"),
                                         mechanism("slider-crank:start=smooth", "ggl", "gauss:s=3", "1/50"),
                                         mechanism("pleiades", "index-1", "radau-iia", "1/2"),
                                         mechanism("rowing-boat", "index-3", "bdf", "1/10"),
                                         mechanism("link-chain:links=16", "index-1", "radau-iia", "1/2"),
                                         mechanism("link-chain:links=16", "projected", "pirk", "1/2"),
                                         mechanism("bouncing-pendulum", "ggl", "bdf", "1"),
                                         mechanism("motor-crank", "index-1", "bdf", "1/10")));

// Rates with a mass of their own, full and with half of its entries; algebraic states; a stiff reaction.
std::vector<Json> first_order() {
  std::vector<Json> all;
  for (const char* mass : {R"json([["2 + sin(t)", 0], [0, 3]])json", R"json([["2 + sin(t)", "x/9"], [1, 3]])json"}) {
    const Json problem = {{"name", "rates"},
                          {"states", {{"x", "(2 + sin(t))*(x - x*y)"}, {"y", "3*(x*y - y + sin(t))"}}},
                          {"rates_mass", Json::parse(mass)},
                          {"start", {{"x", "2"}, {"y", "1/2"}}},
                          {"end_time", "2"}};
    for (const char* method : {"runge-kutta:tableau=dormand-prince", "radau-iia", "bdf", "extrapolation"})
      all.push_back({{"problem", problem}, {"method", method}, {"rtol", "1e-6"}});
  }
  for (const char* problem : {"hires", "transistor-amplifier", "robertson"})
    all.push_back({{"problem", problem}, {"method", "radau-iia"}, {"rtol", "1e-4"}, {"t_end", "1/10"}});
  return all;
}
INSTANTIATE_TEST_SUITE_P(FirstOrder, SameAgain, testing::ValuesIn(first_order()));

}  // namespace TEST_FILE
}  // namespace daelab
