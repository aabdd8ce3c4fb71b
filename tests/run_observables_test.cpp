// Observables whose values at the end of a run are kept with it.
#include <gmock/gmock.h>

#include <cmath>

#include "core/base/json_file.hpp"
#include "tests/build_paths.hpp"
#include "tests/input_error_support.hpp"
#include "tests/method_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

Json four_bar_with(const Json& more) {
  Json spec = {{"problem", "n-four-bar"}, {"method", "bdf"}, {"rtol", "1e-6"}, {"t_end", "1/10"}};
  spec.update(more);
  return spec;
}

TEST(RunObservables, AreTheirValuesAtTheEnd) {
  const Json record = record_of_run(four_bar_with({{"observables", {"B0_x", "B0_vy"}}}));
  ASSERT_EQ(record["observables"].size(), 2u);
  const double phi = record["q"][2], rate = record["v"][2];
  EXPECT_NEAR(record["observables"]["B0_x"].get<double>(), record["q"][0].get<double>() + std::cos(phi) / 2, 1e-15);
  EXPECT_NEAR(record["observables"]["B0_vy"].get<double>(), record["v"][1].get<double>() + rate * std::cos(phi) / 2,
              1e-15);
  EXPECT_EQ(Run::bind(four_bar_with({{"observables", "B0_x,B0_y"}}), "")->spec().observables,
            (std::vector<std::string>{"B0_x", "B0_y"}));
}

// A run without them is as it was, and they change none of its numbers.
TEST(RunObservables, ChangeNothingElse) {
  const Json alone = record_of_run(four_bar_with({})), kept = record_of_run(four_bar_with({{"observables", "B0_x"}}));
  EXPECT_FALSE(alone.contains("observables"));
  EXPECT_FALSE(alone["spec"].contains("observables"));
  EXPECT_EQ(alone["q"], kept["q"]);
  EXPECT_EQ(alone["stats"]["steps"], kept["stats"]["steps"]);
}

// In the coordinates that the run ends in: the base of a fast top has moved on.
TEST(RunObservables, KnowTheBasesOfRotations) {
  const Json record = record_of_run({{"problem", "heavy-top-so3"},
                                     {"formulation", "index-1"},
                                     {"method", "rkmk"},
                                     {"h", "1/1000"},
                                     {"t_end", "1/5"},
                                     {"observables", {"p1", "p2", "p3", "p4", "omega_y", "R12"}}});
  std::vector<double> p;
  double length = 0;
  for (const char* name : {"p1", "p2", "p3", "p4"}) {
    p.push_back(record["observables"][name]);
    length += p.back() * p.back();
  }
  EXPECT_NEAR(length, 1, 1e-14);
  EXPECT_NEAR(record["observables"]["omega_y"].get<double>(), record["v"][1].get<double>(), 1e-11);
  EXPECT_NEAR(record["observables"]["R12"].get<double>(), 2 * (p[1] * p[2] - p[0] * p[3]), 1e-14);
}

TEST(RunObservables, UnknownNamesAreRefused) {
  const auto refusal = [](const Json& names) {
    return input_error_of([&] { Run::bind(four_bar_with({{"observables", names}}), "/runs"); });
  };
  EXPECT_EQ(refusal({"B0_x", "B0_z"}),
            "/runs/observables/1: the problem has no observable 'B0_z'; it has B0_x, B0_y, B0_vx, B0_vy; did you mean "
            "'B0_x'?");
  EXPECT_EQ(refusal({"B0_x", "B0_x"}), "/runs/observables/1: 'B0_x' is given twice");
}

}  // namespace TEST_FILE
}  // namespace daelab
