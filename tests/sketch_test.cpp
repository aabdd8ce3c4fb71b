// Sketches: shapes on paper, their symbols and names.
// Bounds of 1e-12 are round-off.
#include "report/sketch/sketch.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "report/layout/layout.hpp"
#include "results/artifacts.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const std::vector<DrawnShape> pendulum{{ShapeKind::line, {{0, 0}, {3, -4}}, 0, 1, "L"},
                                       {ShapeKind::support, {{0, 0}}, 0, 1, "O"},
                                       {ShapeKind::mass, {{3, -4}}, 0, 1, "m_1"},
                                       {ShapeKind::dimension, {{0, 0}, {3, -4}}, 0, 1, "l"}};

// The rod of length 5 spans 3 by 4: the height of 75 mm decides, and 5 units are 93.75 mm.
TEST(Sketch, KeepsProportions) {
  const SketchPage page = sketch_page(pendulum);
  const std::vector<PaperPoint>& rod = page.strokes.front().path;
  EXPECT_NEAR(std::hypot(rod[1].x - rod[0].x, rod[1].y - rod[0].y), 93.75, 1e-12);
  EXPECT_NEAR((rod[1].x - rod[0].x) / (rod[0].y - rod[1].y), 0.75, 1e-12);
}

TEST(Sketch, StaysOnThePage) {
  const SketchPage page = sketch_page(pendulum);
  EXPECT_EQ(page.width, journal_column);
  for (const Stroke& stroke : page.strokes)
    for (const PaperPoint& point : stroke.path) {
      EXPECT_TRUE(point.x >= 0 && point.x <= page.width) << point.x;
      EXPECT_TRUE(point.y >= 0 && point.y <= page.height) << point.y;
    }
}

TEST(Sketch, MakesRoomForDimensionsFarAway) {
  for (const double side : {3.0, -3.0})
    for (const std::array<double, 2>& end : {std::array{4.0, 0.0}, std::array{0.0, 4.0}}) {
      const SketchPage page = sketch_page(
          {{ShapeKind::line, {{0, 0}, end}, 0, 1, ""}, {ShapeKind::dimension, {{0, 0}, end}, 0, side, "l"}});
      constexpr double half_a_name = 1.5;
      for (const Stroke& stroke : page.strokes)
        for (const PaperPoint& point : stroke.path) {
          EXPECT_GT(std::min(point.x, point.y), half_a_name) << side;
          EXPECT_LT(point.x, page.width - half_a_name) << side;
          EXPECT_LT(point.y, page.height - half_a_name) << side;
        }
    }
}

TEST(Sketch, NamesDoNotCoverEachOther) {
  const SketchPage page = sketch_page(pendulum);
  ASSERT_EQ(page.names.size(), 4);
  for (const PlacedName& a : page.names)
    for (const PlacedName& b : page.names)
      if (&a != &b) {
        EXPECT_TRUE(std::abs(a.at.x - b.at.x) > (name_width(a.text) + name_width(b.text)) / 2 ||
                    std::abs(a.at.y - b.at.y) > 2)
            << a.text << " and " << b.text;
      }
}

TEST(Sketch, NamesArePlacedWhereTheyHideLeast) {
  const std::vector<Stroke> strokes{{Pen::body, {{10, 10}, {30, 10}}}};
  const auto placed = placed_names({{"A", {{20, 10}, {20, 15}}}}, strokes, 50, 50);
  ASSERT_EQ(placed.size(), 1);
  EXPECT_EQ(placed[0].at.y, 15) << "not on the line";
}

TEST(Sketch, ASubscriptIsPrintedAsOne) {
  const FigureFiles files = sketch_files(sketch_page(pendulum), "p", "# p");
  EXPECT_THAT(files.script, HasSubstr("'{/:Italic m}_{1}'"));
  EXPECT_THAT(files.script, HasSubstr("set output 'p.'.format"));
}

TEST(Sketch, OfAPointIsDrawn) {
  const SketchPage page = sketch_page({{ShapeKind::mass, {{1, 1}}, 0, 1, "m"}});
  double left = page.width, right = 0;
  for (const PaperPoint& point : page.strokes.front().path)
    left = std::min(left, point.x), right = std::max(right, point.x);
  EXPECT_NEAR(right - left, 2 * 0.95, 0.05) << "the diameter of a mass on paper, of a polygon";
  EXPECT_GE(left, 0);
  EXPECT_LE(right, page.width);
}

TEST(Sketch, IsStoredWithItsFigure) {
  Artifacts artifacts;
  artifacts.figures.push_back({"f", "caption", {}, pendulum});
  const auto read = Json(artifacts).get<Artifacts>();
  ASSERT_EQ(read.figures[0].sketch.size(), pendulum.size());
  EXPECT_EQ(read.figures[0].sketch[3].kind, ShapeKind::dimension);
  EXPECT_EQ(read.figures[0].sketch[2].points, pendulum[2].points);
  Json changed = artifacts;
  changed["figures"][0]["sketch"][0]["kind"] = "lime";
  EXPECT_THAT([&] { changed.get<Artifacts>(); },
              testing::ThrowsMessage<InputError>(HasSubstr("/figures/0/sketch/0/kind")));
}

}  // namespace TEST_FILE
}  // namespace daelab
