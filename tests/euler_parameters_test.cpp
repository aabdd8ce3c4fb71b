// The heavy top in Euler parameters, which are never singular, against that in angles with two charts: through the
// upright position.
#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "core/base/json_file.hpp"
#include "lab/runs/run.hpp"
#include "tests/build_paths.hpp"

namespace daelab {
namespace TEST_FILE {

Json end(const Json& problem, const char* formulation, const char* method) {
  const Json spec = {{"problem", problem}, {"formulation", formulation}, {"method", method}, {"rtol", "1e-10"}};
  return Run::bind(spec, "")->execute().record;
}

std::array<double, 3> axis_of_angles(const Json& q) {
  const double phi = q[0], theta = q[1];
  return {std::sin(phi) * std::sin(theta), -std::cos(phi) * std::sin(theta), std::cos(theta)};
}

std::array<double, 3> axis_of_parameters(const Json& q) {
  const double p0 = q[0], p1 = q[1], p2 = q[2], p3 = q[3];
  return {2 * (p1 * p3 + p0 * p2), 2 * (p2 * p3 - p0 * p1), p0 * p0 - p1 * p1 - p2 * p2 + p3 * p3};
}

constexpr const char* verner = "runge-kutta:tableau=verner-87";

// Runs at 1e-10 whose errors grow on the way past the unstable upright position: 1e-6 is what both directions share.
TEST(EulerParameters, TakeTheTopThroughTheUprightPosition) {
  const Json problem = read_json_file(source_path("/problems/heavy_top_euler_parameters.json"));
  const Json angles = end("heavy-top", "index-1", verner);
  ASSERT_EQ(angles["status"], "ok") << angles["cause"];
  for (const auto& [formulation, method] : {std::pair("projected", verner),
                                            {"null-space", "runge-kutta:tableau=dormand-prince"},
                                            {"ggl", "radau-iia"},
                                            {"index-2", "bdf"}}) {
    SCOPED_TRACE(std::string(formulation) + ", " + method);
    const Json parameters = end(problem, formulation, method);
    ASSERT_EQ(parameters["status"], "ok") << parameters["cause"];
    const auto a = axis_of_angles(angles["q"]), b = axis_of_parameters(parameters["q"]);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << i;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
