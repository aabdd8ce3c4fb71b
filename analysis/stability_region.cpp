#include "analysis/stability_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "analysis/roots.hpp"

namespace daelab {
namespace {

using Complex = std::complex<double>;

// The coefficients of pi are real: of a rectangle symmetric to the real axis half is enough.
template <class Value>
Matrix<double> on_grid(const PlaneGrid& grid, const Value& value) {
  const bool symmetric = grid.bottom == -grid.top;
  Matrix<double> values(grid.rows, grid.columns);
  for (int j = 0; j < grid.rows; ++j) {
    const int mirrored = grid.rows - 1 - j;
    if (symmetric && mirrored < j)
      values.row(j) = values.row(mirrored);
    else
      for (int i = 0; i < grid.columns; ++i) values(j, i) = value(Complex(grid.x(i), grid.y(j)));
  }
  return values;
}

// ----- order star near the origin -----

// R exp(-w) - 1 = -(exp(w) Q - P) / (exp(w) Q), where the series of exp(w) Q - P starts with w^(p+1): no cancellation.
class StarNearOrigin {
 public:
  static constexpr double radius = 4;  // beyond it 16 digits suffice up to order 20
  explicit StarNearOrigin(const StabilityPolynomial& pi) : denominator_(pi.c.col(1).cast<double>()) {
    constexpr Index terms = 64;
    Vector<Real100> defect = Vector<Real100>::Zero(terms);
    Real100 inverse_factorial = 1;
    for (Index m = 0; m < terms; ++m) {
      if (m > 0) inverse_factorial /= m;
      for (Index i = 0; i < pi.c.rows() && i + m < terms; ++i) defect[i + m] += pi.c(i, 1) * inverse_factorial;
    }
    for (Index i = 0; i < std::min(pi.c.rows(), terms); ++i) defect[i] += pi.c(i, 0);
    for (Real100& d : defect)
      if (abs(d) < Real100("1e-80")) d = 0;
    defect_ = defect.cast<double>();
  }
  double operator()(const Complex& w) const {
    const Complex x = -horner(defect_, w) / (std::exp(w) * horner(denominator_, w));
    return std::log1p(2 * x.real() + std::norm(x)) / 2;
  }

 private:
  static Complex horner(const Vector<double>& p, const Complex& w) {
    Complex sum = 0;
    for (Index i = p.size(); i-- > 0;) sum = sum * w + p[i];
    return sum;
  }
  Vector<double> defect_, denominator_;
};

// ----- marching squares -----

// The closed curves around value <= level. A ring of nodes outside the region is laid around the grid, at the place of
// its border, so that every curve closes along the border by itself.
class Contours {
 public:
  using Loop = std::vector<std::size_t>;  // crossed edges in order, the region on the left

  Contours(const Matrix<double>& values, const PlaneGrid& grid, double level)
      : values_(values),
        grid_(grid),
        level_(level),
        width_(grid.columns + 2),
        height_(grid.rows + 2),
        next_(2 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), none) {
    for (int j = 0; j + 1 < height_; ++j)
      for (int i = 0; i + 1 < width_; ++i) add_cell(i, j);
    std::vector<bool> visited(next_.size(), false);
    for (std::size_t edge = 0; edge < next_.size(); ++edge) {
      if (next_[edge] == none || visited[edge]) continue;
      Loop loop;
      for (std::size_t at = edge; !visited[at]; at = next_[at]) loop.push_back(at), visited[at] = true;
      loops_.push_back(std::move(loop));
    }
  }

  const std::vector<Loop>& loops() const { return loops_; }
  /// Leads to a node of the ring: its crossing is part of the border, not of the level curve.
  bool on_border(std::size_t edge) const {
    const auto [a, b] = ends(edge);
    return is_ring(a) || is_ring(b);
  }
  /// Appends the crossing of an edge, unless it is where the last one was.
  void add_point(std::size_t edge, Polygon& polygon) const {
    const auto [a, b] = ends(edge);
    const double part = value(a) / (value(a) - value(b));
    const double x = x_of(a) + part * (x_of(b) - x_of(a)), y = y_of(a) + part * (y_of(b) - y_of(a));
    if (!polygon.x.empty() && polygon.x.back() == x && polygon.y.back() == y) return;
    polygon.x.push_back(x), polygon.y.push_back(y);
  }

 private:
  struct Node {
    int i, j;
  };
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  bool is_ring(const Node& n) const { return n.i == 0 || n.j == 0 || n.i == width_ - 1 || n.j == height_ - 1; }
  double x_of(const Node& n) const { return grid_.x(std::clamp(n.i - 1, 0, grid_.columns - 1)); }
  double y_of(const Node& n) const { return grid_.y(std::clamp(n.j - 1, 0, grid_.rows - 1)); }
  // Bounded, so that crossings beside poles and zeros are numbers too.
  double value(const Node& n) const {
    constexpr double huge = 1e6;
    if (is_ring(n)) return huge;
    const double v = values_(n.j - 1, n.i - 1) - level_;
    return std::isnan(v) ? huge : std::clamp(v, -huge, huge);
  }
  bool is_inside(const Node& n) const { return value(n) <= 0; }

  // Horizontal edges first, then vertical ones, each by its lower or left end.
  std::size_t edge_at(const Node& n, bool vertical) const {
    const std::size_t nodes = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    return (vertical ? nodes : 0) + static_cast<std::size_t>(n.j) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(n.i);
  }
  std::pair<Node, Node> ends(std::size_t edge) const {
    const std::size_t width = static_cast<std::size_t>(width_), nodes = width * static_cast<std::size_t>(height_);
    const bool vertical = edge >= nodes;
    const std::size_t place = edge % nodes;
    const Node a{static_cast<int>(place % width), static_cast<int>(place / width)};
    return {a, vertical ? Node{a.i, a.j + 1} : Node{a.i + 1, a.j}};
  }

  // Corners and edges counterclockwise, edge k from corner k to the next. Where the walk around the cell leaves the
  // region a piece of the curve begins; it ends where the walk enters: behind the outside corner when the middle is
  // inside, before the inside corner otherwise.
  void add_cell(int i, int j) {
    const std::array<Node, 4> corners = {Node{i, j}, Node{i + 1, j}, Node{i + 1, j + 1}, Node{i, j + 1}};
    const std::array<std::size_t, 4> edges = {edge_at(corners[0], false), edge_at(corners[1], true),
                                              edge_at(corners[3], false), edge_at(corners[0], true)};
    std::array<bool, 4> inside{};
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) inside[k] = is_inside(corners[k]), sum += value(corners[k]);
    const std::size_t direction = sum <= 0 ? 1 : 3;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!inside[k] || inside[(k + 1) % 4]) continue;
      std::size_t m = k;
      do m = (m + direction) % 4;
      while (inside[m] || !inside[(m + 1) % 4]);
      next_[edges[k]] = edges[m];
    }
  }

  const Matrix<double>& values_;
  const PlaneGrid& grid_;
  double level_;
  int width_, height_;
  std::vector<std::size_t> next_;  // by edge: where the piece of curve that begins there ends
  std::vector<Loop> loops_;
};

// Without the inner points of horizontal and vertical pieces: the border would be most of the points.
Polygon without_straight_points(const Polygon& p) {
  const std::size_t n = p.x.size();
  Polygon kept;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t before = (k + n - 1) % n, after = (k + 1) % n;
    if (p.x[before] == p.x[k] && p.x[k] == p.x[after]) continue;
    if (p.y[before] == p.y[k] && p.y[k] == p.y[after]) continue;
    kept.x.push_back(p.x[k]), kept.y.push_back(p.y[k]);
  }
  return kept;
}

// ----- windows -----

struct Extent {
  double left = 0, right = 0, top = 0;

  void add(const Complex& w) {
    left = std::min(left, w.real());
    right = std::max(right, w.real());
    top = std::max(top, std::abs(w.imag()));
  }
  double size() const { return std::max(right - left, 2 * top); }
};

void add_zeros_and_poles(const StabilityPolynomial& pi, Extent& extent) {
  const ZerosAndPoles all = zeros_and_poles(pi);
  for (const auto& list : {all.zeros, all.poles})
    for (const Complex& w : list) extent.add(w);
}

// Along rays from the origin, a little too far. Values that are zero to rounding are no boundary: symmetric methods
// have them on the whole imaginary axis.
void add_boundary(const StabilityPolynomial& pi, Extent& extent) {
  constexpr int rays = 72;
  constexpr double nearest = 0.01, ratio = 1.08, zero = 1e-9;
  const bool may_be_unbounded = std::abs(pi.spectral_radius_at_infinity() - 1) < zero;
  const double farthest = may_be_unbounded ? 30 : 1e5;
  for (int k = 0; k <= rays; ++k) {
    const Complex direction = std::polar(1.0, M_PI * k / rays);
    double last = 0;
    for (double r = nearest; r < farthest; r *= ratio) {
      const double value = std::log(pi.spectral_radius(r * direction));
      if (std::abs(value) <= zero) continue;
      if (last != 0 && (last < 0) != (value < 0)) extent.add(r * direction);
      last = value;
    }
  }
}

double round_step(double span) {
  const double power = std::pow(10, std::floor(std::log10(span)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= span * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// Not much higher than wide, and not flat unless the region is: it should fit a page at equal scales.
PlaneGrid framed(Extent extent, double margin) {
  constexpr double highest = 1.15, lowest = 0.4, flat = 0.1;
  const double size = std::max(extent.size(), 1e-3);
  extent.left -= margin * size, extent.right += margin * size;
  const double width = extent.right - extent.left;
  if (const double height = 2 * extent.top; height > flat * width || height < width / 1000) {
    extent.top = std::max(extent.top + margin * size, lowest * width / 2);
    const double missing = std::max(0.0, 2 * extent.top / highest - width);
    extent.left -= missing / 2, extent.right += missing / 2;
  } else {
    extent.top *= 1.3;
  }
  const double x_step = round_step(width / 20), y_step = round_step(extent.top / 20);
  PlaneGrid grid;
  grid.left = std::floor(extent.left / x_step) * x_step, grid.right = std::ceil(extent.right / x_step) * x_step;
  grid.top = std::ceil(extent.top / y_step) * y_step, grid.bottom = -grid.top;
  return grid;
}

}  // namespace

Matrix<double> log_radius(const StabilityPolynomial& pi, const PlaneGrid& grid) {
  return on_grid(grid, [&](const Complex& w) { return std::log(pi.spectral_radius(w)); });
}

Matrix<double> log_order_star(const StabilityPolynomial& pi, const PlaneGrid& grid) {
  const auto direct = [&](const Complex& w) { return std::log(pi.spectral_radius(w)) - w.real(); };
  if (pi.degree() != 1) return on_grid(grid, direct);
  const StarNearOrigin near_origin(pi);
  return on_grid(grid,
                 [&](const Complex& w) { return std::abs(w) < StarNearOrigin::radius ? near_origin(w) : direct(w); });
}

std::vector<Polygon> sublevel_polygons(const Matrix<double>& values, const PlaneGrid& grid, double level) {
  const Contours contours(values, grid, level);
  std::vector<Polygon> polygons;
  for (const Contours::Loop& loop : contours.loops()) {
    Polygon polygon;
    for (const std::size_t edge : loop) contours.add_point(edge, polygon);
    if (polygon.x.size() > 1 && polygon.x.front() == polygon.x.back() && polygon.y.front() == polygon.y.back())
      polygon.x.pop_back(), polygon.y.pop_back();
    polygon = without_straight_points(polygon);
    if (polygon.x.size() > 2) polygons.push_back(std::move(polygon));
  }
  return polygons;
}

std::vector<Polygon> level_curves(const Matrix<double>& values, const PlaneGrid& grid, double level) {
  const Contours contours(values, grid, level);
  std::vector<Polygon> curves;
  const auto keep = [&](Polygon& curve) {
    if (curve.x.size() > 1) curves.push_back(std::move(curve));
    curve = {};
  };
  for (Contours::Loop loop : contours.loops()) {
    const auto border = std::find_if(loop.begin(), loop.end(), [&](std::size_t e) { return contours.on_border(e); });
    if (border == loop.end())
      loop.push_back(loop.front());
    else
      std::rotate(loop.begin(), border, loop.end());
    Polygon curve;
    for (const std::size_t edge : loop)
      if (contours.on_border(edge))
        keep(curve);
      else
        contours.add_point(edge, curve);
    keep(curve);
  }
  return curves;
}

PlaneRegion stability_region(const StabilityPolynomial& pi, const PlaneGrid& grid) {
  const Matrix<double> values = log_radius(pi, grid);
  return {sublevel_polygons(values, grid), level_curves(values, grid)};
}

PlaneRegion order_star(const StabilityPolynomial& pi, const PlaneGrid& grid) {
  const Matrix<double> values = -log_order_star(pi, grid);
  return {sublevel_polygons(values, grid), level_curves(values, grid)};
}

ZerosAndPoles zeros_and_poles(const StabilityPolynomial& pi) {
  if (pi.degree() != 1) return {};
  const auto of_column = [&](Index j) {
    std::vector<Complex> p;
    for (const Real100& a : pi.c.col(j)) p.emplace_back(static_cast<double>(a));
    return zeros(std::move(p));
  };
  return {of_column(0), of_column(1)};
}

PlaneGrid region_window(const std::vector<StabilityPolynomial>& methods) {
  Extent extent;
  for (const StabilityPolynomial& pi : methods) {
    Extent own;
    add_boundary(pi, own);
    if (own.size() == 0) add_zeros_and_poles(pi, own);
    for (const Complex& w : {Complex(own.left, own.top), Complex(own.right, own.top)}) extent.add(w);
  }
  if (extent.size() == 0) extent = {-5, 5, 5};
  // Half planes are seen as such.
  extent.left = std::min(extent.left, -extent.size() / 6);
  extent.right = std::max(extent.right, extent.size() / 12);
  return framed(extent, 0.05);
}

PlaneGrid order_star_window(const StabilityPolynomial& pi) {
  Extent extent;
  add_zeros_and_poles(pi, extent);
  if (extent.size() == 0) extent = {-1, 1, 1};
  return framed(extent, 0.35);
}

}  // namespace daelab
