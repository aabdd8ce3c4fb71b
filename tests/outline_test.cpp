// Outlines: every mechanism draws itself, with the geometry that its constraints describe.
// Bounds of 1e-14 and less are round-off.
#include "core/mechanism/outline.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "core/documents/json_problem.hpp"
#include "core/mechanism/drawn_outline.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::DoubleNear;
using testing::ElementsAre;

std::shared_ptr<Problem> problem(const std::string& spec) { return Registry<Problem>::instance().make(spec, ""); }

std::vector<DrawnShape> drawn_at(const Problem& problem, const char* t) {
  const Real50 time(t);
  const Motion motion = *problem.independent_solution(time, 20);
  return OutlineMotion(problem).at(static_cast<double>(time), motion.q.cast<double>(), Vector<double>(0));
}

std::vector<DrawnShape> of_kind(const std::vector<DrawnShape>& shapes, ShapeKind kind) {
  std::vector<DrawnShape> found;
  for (const DrawnShape& shape : shapes)
    if (shape.kind == kind) found.push_back(shape);
  return found;
}

double distance(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

TEST(Outline, EveryMechanismDrawsItself) {
  for (const std::string& name : Registry<Problem>::instance().names()) {
    const auto made = problem(name);
    if (!made->model(As<double>{})->mechanical()) continue;
    const OutlineMotion outline(*made);
    EXPECT_FALSE(outline.is_empty()) << name;
    for (const DrawnShape& shape : outline.at_start()) {
      const auto [least, most] = point_counts(shape.kind);
      EXPECT_TRUE(shape.points.size() >= least && shape.points.size() <= most) << name << ": " << shape.name;
      for (const auto& [x, y] : shape.points) EXPECT_TRUE(std::isfinite(x) && std::isfinite(y)) << name;
    }
  }
}

// One mechanism, drawn from relative angles and from absolute coordinates, on its way.
TEST(Outline, IsTheSameInOtherCoordinates) {
  const auto relative = drawn_at(*problem("seven-body"), "0.02");
  const auto absolute = drawn_at(*problem("seven-body-absolute"), "0.02");
  ASSERT_EQ(relative.size(), absolute.size());
  for (std::size_t i = 0; i < relative.size(); ++i) {
    EXPECT_EQ(relative[i].kind, absolute[i].kind);
    for (std::size_t k = 0; k < relative[i].points.size(); ++k)
      EXPECT_LT(distance(relative[i].points[k], absolute[i].points[k]), 1e-14) << i << ": " << relative[i].name;
  }
}

// Lengths of table 3 of [Ren20]; the constraints close the loops.
TEST(Outline, RodsHaveTheirLengths) {
  for (const DrawnShape& rod : of_kind(drawn_at(*problem("seven-body"), "0.02"), ShapeKind::line)) {
    const double length = distance(rod.points[0], rod.points[1]);
    const double expected = rod.name == "1"                      ? 0.007
                            : rod.name == "2"                    ? 0.028
                            : rod.name == "4" || rod.name == "6" ? 0.02
                                                                 : 0.04;
    EXPECT_NEAR(length, expected, 1e-14) << rod.name;
  }
}

// The handle of each oar is where its crank pin is: joints come in pairs.
TEST(Outline, LoopsAreClosed) {
  const auto joints = of_kind(drawn_at(*problem("rowing-boat"), "2"), ShapeKind::joint);
  ASSERT_EQ(joints.size(), 4);
  for (std::size_t i = 0; i < joints.size(); i += 2)
    EXPECT_LT(distance(joints[i].points[0], joints[i + 1].points[0]), 1e-14);
}

TEST(Outline, TheBentRodEndsAtTheSlider) {
  const auto shapes = OutlineMotion(*problem("slider-crank")).at_start();
  const auto lines = of_kind(shapes, ShapeKind::line), guides = of_kind(shapes, ShapeKind::guide);
  EXPECT_LT(distance(lines[1].points.back(), guides[0].points[0]), 1e-15);
}

Json drawing(const char* shape) {
  return {{"name", "drawn"}, {"coordinates", {"x", "y"}},         {"kinetic_energy", "(x'^2 + y'^2)/2"},
          {"end_time", "1"}, {"start", {{"x", "2"}, {"y", "3"}}}, {"outline", Json::array({Json::parse(shape)})}};
}

TEST(Outline, OfAProblemInJson) {
  const auto made = make_json_problem(drawing(R"({"circle": ["x + t", "y", "x/4"], "name": "C_1"})"), "");
  const DrawnShape circle = OutlineMotion(*made).at(1, Vector<double>{{2, 3}}, Vector<double>(0)).at(0);
  EXPECT_THAT(circle.points, ElementsAre(ElementsAre(3, 3)));
  EXPECT_EQ(circle.radius, 0.5);
  EXPECT_EQ(circle.name, "C_1");
}

// Seen from the direction (1, -sqrt(3)) 25 degrees above the horizon, the default.
TEST(Outline, OfASpatialProblemIsProjected) {
  const auto made = make_json_problem(drawing(R"({"line": [["0", "0", "1"], ["x", "0", "0"]]})"), "");
  const DrawnShape line = OutlineMotion(*made).at_start().at(0);
  const double elevation = 25 * M_PI / 180;
  EXPECT_THAT(line.points[0], ElementsAre(DoubleNear(0, 1e-15), DoubleNear(std::cos(elevation), 1e-15)));
  EXPECT_THAT(line.points[1], ElementsAre(DoubleNear(std::sqrt(3), 1e-15), DoubleNear(-std::sin(elevation), 1e-15)));
}

TEST(Outline, RefusesWhatCannotBeDrawn) {
  const auto refused = [](const char* shape, const char* message) {
    EXPECT_THAT([&] { make_json_problem(drawing(shape), "p"); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(message)))
        << shape;
  };
  refused(R"({"lin": [["0", "0"], ["x", "y"]]})", "p/outline/0/lin: unknown shape 'lin'");
  refused(R"({"line": [["x", "y"]]})", "p/outline/0/line: 1 points given, 2 to 1000 needed");
  refused(R"({"line": [["x", "y"], ["x", "y", "0"]]})", "p/outline/0/line/1: 3 expressions given, 2 needed");
  refused(R"({"joint": ["x", "y"], "mass": ["x", "y"]})", "p/outline/0: a shape is one of");
  refused(R"({"joint": ["x'", "y"]})", "an outline must not depend on a velocity");
}

}  // namespace TEST_FILE
}  // namespace daelab
