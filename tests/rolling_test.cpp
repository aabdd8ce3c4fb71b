// Discs that roll on inclined planes, against what is known of their motions by hand.
#include <gmock/gmock.h>

#include "core/mechanism/problem.hpp"
#include "results/record_values.hpp"
#include "tests/build_paths.hpp"
#include "tests/event_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

Json run_of(const std::string& problem, const std::string& t_end) {
  const Json record = record_of_run({{"problem", problem},
                                     {"method", dormand_prince},
                                     {"formulation", "projected"},
                                     {"rtol", "1e-11"},
                                     {"t_end", t_end}});
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return record;
}
double number(const Json& record, const char* kind, std::size_t i) {
  return static_cast<double>(record_number(record[kind][i]));
}
std::string on_slope(const std::string& parameters) {
  return "@" + source_path("/problems/rolling_disc_on_slope.json") + ":" + parameters;
}

// On a horizontal plane the coin draws a circle of the radius r phi'/theta' = 3/4 around (0, 3/4).
TEST(RollingCoin, DrawsACircleOnAHorizontalPlane) {
  const auto coin = Registry<Problem>::instance().make("rolling-coin:slope=0", "");
  for (const char* t : {"1/3", "1", "4"}) {
    const Motion motion = *coin->independent_solution(Exact(t).as<Real50>(), 40);
    const Real50 dx = motion.q[0], dy = motion.q[1] - Real50(3) / 4;
    EXPECT_LT(abs(dx * dx + dy * dy - Real50(9) / 16), Real50("1e-45"));  // round-off
  }
}

// After a turn its height is that of before: on average it moves across the slope, by pi r k/w^2 - with
// k = g sin(alpha)/(r (1 + I/(m r^2))) = 6.54 and w = 2 by 6.54 pi/8 - not down.
TEST(RollingCoin, DriftsAcrossTheSlope) {
  const auto coin = Registry<Problem>::instance().make("rolling-coin", "");
  const Motion motion = *coin->independent_solution(Exact("pi").as<Real50>(), 40);
  EXPECT_LT(abs(motion.q[0]), Real50("1e-45"));  // round-off
  EXPECT_LT(abs(motion.q[1] - Exact("6.54*pi/8").as<Real50>()), Real50("1e-45"));
  const Json record = run_of("rolling-coin", "5");
  EXPECT_LT(record["error"]["q"].get<double>(), 1e-8);
}

// Without a slope it is rolling-disc, whose certified end is compared.
TEST(RollingDiscOnSlope, IsRollingDiscOnAHorizontalPlane) {
  const Json ours = run_of(on_slope("slope=0"), "1"), disc = run_of("rolling-disc", "1");
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(number(ours, "q", i), number(disc, "q", i), 1e-8);
    EXPECT_NEAR(number(ours, "v", i), number(disc, "v", i), 1e-8);
  }
}

// Upright and straight down it has the acceleration g sin(alpha)/(1 + I/(m r^2)): from rest, in 2 s,
// 9.81/2/(3/2) 2^2/2 = 6.54 m.
TEST(RollingDiscOnSlope, RollsStraightDown) {
  const Json record = run_of(on_slope("inclination=pi/2,inclination_rate=0,precession=0,spin=0"), "2");
  EXPECT_NEAR(number(record, "q", 0), 6.54, 1e-8);
  EXPECT_NEAR(number(record, "q", 1), 0, 1e-8);
  EXPECT_NEAR(number(record, "v", 5), -13.08, 1e-8);  // 6.54/r
}

TEST(RollingDiscOnSlope, KeepsItsEnergyWhileItLeans) {
  const Json record = run_of(on_slope("slope=pi/6"), "3");
  EXPECT_LT(record["max"]["energy_error"].get<double>(), 1e-7);  // of 50 J; measured 1e-10
}

}  // namespace TEST_FILE
}  // namespace daelab
