// Regions of the plane: areas and boundaries that are known, steps of the real methods on y' = lambda y, and the
// sectors of order stars.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996.
#include "analysis/stability_region.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/integration/method.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using Complex = std::complex<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix<double> sampled(const PlaneGrid& grid, const std::function<double(double, double)>& f) {
  Matrix<double> values(grid.rows, grid.columns);
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i) values(j, i) = f(grid.x(i), grid.y(j));
  return values;
}

PlaneGrid square(double half, int points) { return {-half, half, -half, half, points, points}; }

double area(const Polygon& p) {
  double sum = 0;
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    const std::size_t next = (k + 1) % p.x.size();
    sum += (p.x[k] * p.y[next] - p.x[next] * p.y[k]) / 2;
  }
  return sum;
}

double area(const std::vector<Polygon>& polygons) {
  double sum = 0;
  for (const Polygon& p : polygons) sum += area(p);
  return sum;
}

double length(const Polygon& curve) {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < curve.x.size(); ++k)
    sum += std::hypot(curve.x[k + 1] - curve.x[k], curve.y[k + 1] - curve.y[k]);
  return sum;
}

StabilityPolynomial polynomial_of(const std::string& method) {
  return *stability_polynomial(Registry<Method>::instance().make(method, "")->form());
}

// ---------------------------------------------------------------- marching squares

// Chords of at most sqrt(2) h cut off less than 1.05 h^2 of the area; the crossings are off by O(h^2) too.
TEST(MarchingSquares, AreaAndPerimeterOfADiscConvergeQuadratically) {
  for (const int n : {40, 80, 160, 320}) {
    const PlaneGrid grid = square(1.3, n);
    const double h = 2.6 / (n - 1);
    const Matrix<double> values = sampled(grid, [](double x, double y) { return std::log(std::hypot(x, y)); });
    const auto polygons = sublevel_polygons(values, grid);
    const auto curves = level_curves(values, grid);
    ASSERT_EQ(polygons.size(), 1u);
    ASSERT_EQ(curves.size(), 1u);
    EXPECT_EQ(curves[0].x.front(), curves[0].x.back());
    EXPECT_EQ(curves[0].y.front(), curves[0].y.back());
    EXPECT_NEAR(area(polygons), M_PI, 1.5 * h * h);
    EXPECT_NEAR(length(curves[0]), 2 * M_PI, 1.5 * h * h);
  }
}

// Bounds are O(h^2), h = 1/40: measured 4e-4.
TEST(MarchingSquares, HolesRunClockwise) {
  const PlaneGrid grid = square(2.5, 200);
  const auto from_ring = [](double x, double y) { return std::abs(std::hypot(x, y) - 1.5) - 0.5; };
  const Matrix<double> values = sampled(grid, from_ring);
  const auto polygons = sublevel_polygons(values, grid);
  ASSERT_EQ(polygons.size(), 2u);
  const double first = area(polygons[0]), second = area(polygons[1]);
  EXPECT_NEAR(std::max(first, second), 4 * M_PI, 0.01);
  EXPECT_NEAR(std::min(first, second), -M_PI, 0.01);
}

// A linear function is interpolated exactly: bounds are round-off.
TEST(MarchingSquares, RegionsAreClosedAlongTheBorder) {
  const PlaneGrid grid = square(1, 20);
  const Matrix<double> values = sampled(grid, [](double x, double y) { return x - y / 4; });
  const auto polygons = sublevel_polygons(values, grid);
  ASSERT_EQ(polygons.size(), 1u);
  EXPECT_NEAR(area(polygons), 2, 1e-13);
  const auto curves = level_curves(values, grid);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_NEAR(length(curves[0]), 2 * std::hypot(1, 0.25), 1e-13);
  EXPECT_EQ(std::abs(curves[0].y.front()), 1);
  EXPECT_EQ(curves[0].y.back(), -curves[0].y.front());
  for (std::size_t k = 0; k < curves[0].x.size(); ++k) EXPECT_NEAR(curves[0].x[k], curves[0].y[k] / 4, 1e-13);
}

TEST(MarchingSquares, EverythingAndNothing) {
  const PlaneGrid grid{-1, 2, -1, 1, 7, 5};
  const Matrix<double> inside = Matrix<double>::Constant(5, 7, -1);
  const auto all = sublevel_polygons(inside, grid);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].x.size(), 4u);
  EXPECT_EQ(area(all), 6);
  EXPECT_TRUE(level_curves(inside, grid).empty());
  EXPECT_TRUE(sublevel_polygons(-inside, grid).empty());
  EXPECT_TRUE(level_curves(-inside, grid).empty());
}

// The diamond |x| + |y| = 1 through nodes of the grid; a value of zero everywhere; a node of its own.
TEST(MarchingSquares, LevelsHitAtNodes) {
  const PlaneGrid grid = square(2, 17);
  const Matrix<double> diamond = sampled(grid, [](double x, double y) { return std::abs(x) + std::abs(y) - 1; });
  EXPECT_NEAR(area(sublevel_polygons(diamond, grid)), 2, 1e-13);  // linear in each cell: exact, to round-off
  EXPECT_EQ(level_curves(diamond, grid).size(), 1u);
  EXPECT_NEAR(length(level_curves(diamond, grid)[0]), 4 * std::sqrt(2), 1e-13);  // so is the boundary
  EXPECT_EQ(area(sublevel_polygons(Matrix<double>::Zero(17, 17), grid)), 16);
  Matrix<double> point = Matrix<double>::Ones(17, 17);
  point(8, 8) = 0;
  EXPECT_TRUE(sublevel_polygons(point, grid).empty());
}

// Poles, zeros and values that are neither.
TEST(MarchingSquares, InfiniteValues) {
  const PlaneGrid grid = square(1, 3);
  Matrix<double> values = Matrix<double>::Constant(3, 3, -1);
  values(1, 1) = infinity;
  EXPECT_NEAR(area(sublevel_polygons(values, grid)), 2, 1e-5);  // the hole reaches to the neighbours
  values(1, 1) = std::nan("");
  EXPECT_NEAR(area(sublevel_polygons(values, grid)), 2, 1e-5);
  values = Matrix<double>::Ones(3, 3);
  values(1, 1) = -infinity;
  EXPECT_NEAR(area(sublevel_polygons(values, grid)), 2, 1e-5);  // as far as it reaches there
}

// A chessboard: every cell a saddle. The polygons never lose a piece: each corner inside belongs to one of them.
TEST(MarchingSquares, SaddlesKeepTheArea) {
  const PlaneGrid grid = square(1, 9);
  const Matrix<double> board = sampled(grid, [&](double x, double y) {
    return (std::lround(4 * (x + 1)) + std::lround(4 * (y + 1))) % 2 == 0 ? -1 : 1.5;
  });
  // Apart, since the mean is outside: 25 + 16 nodes, each with its triangles of legs h/2.5.
  const double leg = 0.25 / 2.5, triangle = leg * leg / 2;
  EXPECT_EQ(sublevel_polygons(board, grid).size(), 41u);
  // Linear along each edge: exact, to round-off.
  EXPECT_NEAR(area(sublevel_polygons(board, grid)), 4 * 64 * triangle / 2, 1e-13);
  EXPECT_NEAR(area(sublevel_polygons(board, grid)) + area(sublevel_polygons(-board, grid)), 4, 1e-13);
}

// ---------------------------------------------------------------- methods

// y' = lambda y with complex lambda as a real system, y = y_1 + i y_2.
OdeSystem<double> linear_system(const Complex& lambda) {
  const double a = lambda.real(), b = lambda.imag();
  return {2,
          [=](const double&, const Vector<double>& y, Vector<double>& f) {
            f[0] = a * y[0] - b * y[1], f[1] = b * y[0] + a * y[1];
          },
          [=](const double&, const Vector<double>&, Matrix<double>& J) { J << a, -b, b, a; }};
}

Complex one_step(const std::string& method, const Complex& w) {
  constexpr double h = 0.5;
  auto system = linear_system(w / h);
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(system, {});
  State<double> from = start_state<double>(system, Vector<double>{{1, 0}});
  from.memory = stepper->make_memory();
  State<double> to = from;
  const Status status = stepper->step(from, h, to);
  EXPECT_TRUE(status.ok()) << method << ": " << status.cause;
  return {to.y[0], to.y[1]};
}

// One step against its function: what differs is round-off, measured 7e-15 and, times exp(-w), 1e-13.
class PictureOf : public testing::TestWithParam<const char*> {};

TEST_P(PictureOf, IsWhatOneStepOfTheMethodDoes) {
  const StabilityPolynomial pi = polynomial_of(GetParam());
  const PlaneGrid grid{-3, 1, -2, 3, 4, 5};
  const Matrix<double> values = log_radius(pi, grid), star = log_order_star(pi, grid);
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i) {
      const Complex w(grid.x(i), grid.y(j)), R = one_step(GetParam(), w);
      const double size = std::max(1.0, std::abs(R));
      EXPECT_NEAR(std::exp(values(j, i)), std::abs(R), 1e-12 * size) << w;
      EXPECT_NEAR(std::exp(star(j, i)), std::abs(R * std::exp(-w)), 1e-11 * size * std::exp(-w.real())) << w;
      ASSERT_EQ(pi.roots(w).size(), 1u);
      EXPECT_LT(std::abs(pi.roots(w)[0] - R), 1e-12 * size) << w;
    }
}
INSTANTIATE_TEST_SUITE_P(OneStepMethods, PictureOf,
                         testing::Values("runge-kutta:tableau=explicit-euler", "runge-kutta:tableau=rk4-classical",
                                         "runge-kutta:tableau=dormand-prince", "radau-iia:s=3", "gauss:s=2",
                                         "pade-block:r=4", "pade-block:r=3,k=2,j=3"));

// The largest root is what a long run of the multistep method grows by.
TEST(StabilityRegion, MultistepMethodsGrowByTheLargestRoot) {
  const Complex w(0.5, 1);
  for (const char* method : {"bdf:k=2", "bdf:k=3", "bdf:k=5"}) {
    constexpr double h = 0.25;
    auto system = linear_system(w / h);
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(system, {});
    State<double> from = start_state<double>(system, Vector<double>{{1, 0}});
    from.memory = stepper->make_memory();
    State<double> to = from;
    for (int n = 0; n < 60; ++n) {
      std::swap(from, to);
      EXPECT_TRUE(stepper->step(from, h, to).ok());
      to.t = from.t + h;
    }
    const PlaneGrid grid{w.real(), 2, w.imag(), 2, 2, 2};
    // The other roots have died out in 60 steps.
    EXPECT_NEAR(to.y.norm() / from.y.norm(), std::exp(log_radius(polynomial_of(method), grid)(0, 0)), 1e-12) << method;
  }
}

// Chords and crossings are off by O(h^2), h = 0.02: h^2/8 = 5e-5 each, 1e-4 of the area.
TEST(StabilityRegion, OfEulersMethodsIsADisc) {
  const PlaneGrid grid{-3, 3, -2, 2, 300, 200};
  const PlaneRegion outside = stability_region(polynomial_of("radau-iia:s=1"), grid);
  const PlaneRegion inside = stability_region(polynomial_of("runge-kutta:tableau=explicit-euler"), grid);
  EXPECT_NEAR(area(inside.areas), M_PI, 1e-3);
  EXPECT_NEAR(area(outside.areas), 24 - M_PI, 1e-3);  // a hole in the window
  ASSERT_EQ(outside.boundary.size(), 1u);
  EXPECT_GT(outside.boundary[0].x.size(), 100u);
  for (std::size_t k = 0; k < outside.boundary[0].x.size(); ++k)
    EXPECT_NEAR(std::hypot(outside.boundary[0].x[k] - 1, outside.boundary[0].y[k]), 1, 2e-4);
}

// |R| = 1 on the whole imaginary axis: rounding decides the sign there, and must not fray the region.
TEST(StabilityRegion, OfGaussMethodsIsTheHalfPlane) {
  const PlaneRegion region = stability_region(polynomial_of("gauss:s=3"), square(8, 401));
  EXPECT_NEAR(area(region.areas), 128, 1e-9);  // exact, to round-off
}

// [HW96, table V.1.1 and figure V.1.3]: BDF3 to 5 reach into the left half plane; BDF2 does not, and crosses the real
// axis at 4.
TEST(StabilityRegion, OfTheBdf) {
  for (const int k : {2, 3, 5}) {
    const StabilityPolynomial pi = polynomial_of("bdf:k=" + std::to_string(k));
    PlaneGrid grid = region_window({pi});
    grid.columns = grid.rows = 160;
    const auto boundary = stability_region(pi, grid).boundary;
    double left = 0, right = 0;
    for (const Polygon& curve : boundary)
      for (const double x : curve.x) left = std::min(left, x), right = std::max(right, x);
    if (k == 2) {
      EXPECT_NEAR(right, 4, 2e-3);  // O(h^2) of the net: measured 9e-6
    }
    EXPECT_EQ(left<-0.02, k> 2) << left;
  }
}

// ---------------------------------------------------------------- order stars

// [HW96, Lemma IV.4.3]: order p shows as p + 1 sectors at the origin, so the sign changes 2 (p + 1) times around it.
// For order 14 the values there are below 1E-20.
TEST(OrderStar, SectorsAtTheOrigin) {
  const auto sign_changes_around = [](const StabilityPolynomial& pi, double radius) {
    int changes = 0;
    double first = 0, last = 0;
    for (int k = 0; k < 360; ++k) {
      const Complex w = std::polar(radius, 2 * M_PI * (k + 0.5) / 360);
      const double value = log_order_star(pi, {w.real(), 9, w.imag(), 9, 2, 2})(0, 0);
      if (k == 0) first = value;
      changes += k > 0 && (value < 0) != (last < 0);
      last = value;
    }
    return changes + ((first < 0) != (last < 0));
  };
  EXPECT_EQ(sign_changes_around(polynomial_of("runge-kutta:tableau=explicit-euler"), 0.1), 4);
  EXPECT_EQ(sign_changes_around(polynomial_of("runge-kutta:tableau=rk4-classical"), 0.1), 10);
  EXPECT_EQ(sign_changes_around(polynomial_of("pade-block:r=4"), 0.5), 14);
  EXPECT_EQ(sign_changes_around(polynomial_of("pade-block:r=8"), 0.5), 30);
}

// [HW96, Lemma IV.4.3]: every pole lies in the star, no zero does.
TEST(OrderStar, ContainsThePolesAndNoZero) {
  const StabilityPolynomial pi = polynomial_of("pade-block:r=3,k=2,j=3");
  const ZerosAndPoles points = zeros_and_poles(pi);
  ASSERT_EQ(points.zeros.size(), 2u);
  ASSERT_EQ(points.poles.size(), 3u);
  const auto at = [&](const Complex& w) { return log_order_star(pi, {w.real(), 99, w.imag(), 99, 2, 2})(0, 0); };
  for (const Complex& w : points.poles) EXPECT_GT(at(w), 10);  // infinite up to rounding of the root: measured 33
  for (const Complex& w : points.zeros) EXPECT_LT(at(w), -10);
  const PlaneGrid window = order_star_window(pi);
  for (const auto& list : {points.zeros, points.poles})
    for (const Complex& w : list) {
      EXPECT_TRUE(window.left < w.real() && w.real() < window.right);
      EXPECT_TRUE(window.bottom < w.imag() && w.imag() < window.top);
    }
}

// The region of Euler's method reaches from -2 to 0, that of BDF2 leaves out what lies from 0 to 4; windows are wider.
TEST(RegionWindow, ShowsTheBoundaries) {
  const PlaneGrid euler = region_window({polynomial_of("runge-kutta:tableau=explicit-euler")});
  EXPECT_LT(euler.left, -2);
  EXPECT_GT(euler.left, -3);
  EXPECT_GT(euler.top, 1);
  EXPECT_EQ(euler.bottom, -euler.top);
  const PlaneGrid both = region_window({polynomial_of("runge-kutta:tableau=explicit-euler"), polynomial_of("bdf:k=2")});
  EXPECT_LT(both.left, -2);
  EXPECT_GT(both.right, 4);
  const PlaneGrid gauss = region_window({polynomial_of("gauss:s=2")});  // poles at 3 +- i sqrt(3)
  EXPECT_GT(gauss.right, 3);
  EXPECT_LT(gauss.left, -3);
  EXPECT_LT(gauss.right, 10);
}

}  // namespace TEST_FILE
}  // namespace daelab
