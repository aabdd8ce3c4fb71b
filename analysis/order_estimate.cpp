#include "analysis/order_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/line_fit.hpp"
#include "core/base/interval_text.hpp"

namespace daelab {
namespace {

constexpr double widest_decision = 0.5;
// Closer than this factor to a floor, an error is off by 10 % or more.
constexpr double floor_factor = 10;
// For a limit that is extrapolated, as of the grid convergence index over three grids and more.      [Roache 1998]
constexpr double safety = 1.25;
// Local orders that move by h, 2 h, ... while h is halved end within 4/3 of their spread: with the same safety, and
// once more for moves that shrink slower.
constexpr double settled_spreads = 3;
// Orders are whole numbers or halves: so near to one no order is told from it.
constexpr double nearest_order = 0.25, next_order = 0.5;
// Round-off, an iteration and a reference leave less.
constexpr double large_error = 1e-3;

// The statement shows two decimals, and the local slopes of few points may agree by luck.
double smallest_half_width(std::size_t points) { return points == 3 ? 0.05 : points == 4 ? 0.02 : 0.01; }

// The usable points, coarse to fine.
struct Sample {
  std::vector<double> x, y;  // log h, log error
  std::vector<std::size_t> index;
  std::size_t size() const { return x.size(); }
};

// The fit with the next term of the error expansion, log error = c + limit log h + b h.
struct NextTerm {
  double change = 0;     // of the slope, by b h
  double limit = 0;      // the slope that is left as h -> 0
  double explained = 0;  // the share of b h in the squared residuals of the line
};

// Regressing the residuals on those of h gives b and spares a 3 x 3 system.
NextTerm next_term(const Sample& sample, std::size_t first, std::size_t last) {
  std::vector<double> h(sample.size(), 0);
  for (std::size_t i = first; i < last; ++i) h[i] = std::exp(sample.x[i] - sample.x[first]);
  const FittedLine of_y = fit_line(sample.x, sample.y, first, last);
  const FittedLine of_h = fit_line(sample.x, h, first, last);
  const double product = std::inner_product(of_h.residuals.begin(), of_h.residuals.end(), of_y.residuals.begin(), 0.0);
  const double b = product / of_h.square_sum, change = b * of_h.slope;
  return {std::abs(change), of_y.slope - change, of_y.square_sum > 0 ? product * b / of_y.square_sum : 0};
}

// Twice what the next term still does to the slope. Also without the finest point: a little noise there can hide a
// drift.
double drift(const Sample& sample, std::size_t first, std::size_t last) {
  const double whole = 2 * next_term(sample, first, last).change;
  return last - first < 5 ? whole : std::max(whole, 2 * next_term(sample, first, last - 1).change);
}

// A candidate for the asymptotic window, [first, last) of the sample.
struct Window {
  std::size_t first = 0, last = 0;
  FittedLine line;
  double half_width = 0;
  std::size_t size() const { return last - first; }
};

Window fit_window(const Sample& sample, std::size_t first, std::size_t last) {
  Window window{first, last, fit_line(sample.x, sample.y, first, last), 0};
  window.half_width =
      std::max({smallest_half_width(last - first), slope_half_width(window.line), drift(sample, first, last)});
  return window;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

// The first point that is no higher than 3 times the median of itself and all finer ones. On
// converging errors these are the last few points, on a floor all of its points.
std::size_t level_start(const Sample& sample) {
  std::size_t k = 0;
  while (sample.y[k] > std::log(3.0) + median({sample.y.begin() + static_cast<std::ptrdiff_t>(k), sample.y.end()})) ++k;
  return k;
}

// Do the points from k on stand still, although those before them converged? A slower regime that
// sets in (order reduction) converges itself: it is the true asymptotic one and no floor.
bool stands_still(const Sample& sample, std::size_t k) {
  if (k < 2) return false;
  const std::size_t n = sample.size();
  const double before = fit_line(sample.x, sample.y, k < 3 ? 0 : k - 3, k).slope;
  const FittedLine tail = fit_line(sample.x, sample.y, k + 1 == n ? k - 1 : k, n);
  if (before < standstill || tail.slope > before / 2) return false;
  return n - k < 3 || tail.slope < standstill || slope_half_width(tail) > tail.slope / 5;
}

// Drops the fine end once it has reached an unknown floor.
void cut_floor(Sample& sample, OrderEstimate& estimate) {
  if (sample.size() < 3) return;
  const std::size_t k = level_start(sample);
  if (!stands_still(sample, k)) return;
  const double level = median({sample.y.begin() + static_cast<std::ptrdiff_t>(k), sample.y.end()});
  std::size_t end = 0;
  while (sample.y[end] > level + std::log(floor_factor)) ++end;
  estimate.at_floor += static_cast<int>(sample.size() - end);
  for (auto* values : {&sample.x, &sample.y}) values->resize(end);
  sample.index.resize(end);
}

// A window that leaves out only the finest point, because that one is far off its line: round-off
// that happens to cancel.
bool leaves_out_an_outlier(const Sample& sample, const Window& window) {
  if (window.last + 1 != sample.size() || window.size() < 4) return false;
  const double scatter = std::sqrt(window.line.square_sum / static_cast<double>(window.size()));
  const double distance = std::abs(sample.y.back() - window.line.at(sample.x.back()));
  return distance > std::max(std::log(1.5), 10 * scatter);
}

bool converges(const Window& window) { return window.line.slope > standstill && window.line.slope > window.half_width; }

// The converging windows of at least three points that reach the fine end.
std::vector<Window> candidates(const Sample& sample) {
  std::vector<Window> windows;
  const std::size_t n = sample.size();
  for (std::size_t last = n - 1; last <= n; ++last)
    for (std::size_t first = 0; first + 3 <= last; ++first) {
      Window window = fit_window(sample, first, last);
      if (converges(window) && (last == n || leaves_out_an_outlier(sample, window)))
        windows.push_back(std::move(window));
    }
  return windows;
}

// The smallest half-width; of nearly equal ones the longest window, then the finest.
const Window& best_window(const std::vector<Window>& windows) {
  const auto narrower = [](const Window& a, const Window& b) { return a.half_width < b.half_width; };
  const double smallest = std::min_element(windows.begin(), windows.end(), narrower)->half_width;
  const double nearly = std::max(1.2 * smallest, 0.02);
  const Window* best = nullptr;
  for (const Window& window : windows)
    if (window.half_width <= nearly && (!best || window.size() >= best->size())) best = &window;
  return *best;
}

// The local orders of the finer half tell where they go, which one coarse point far off can hide from the fit over all
// of them. Where the next term explains nearly all residuals of that half, the interval reaches to the limit it leads
// to; otherwise they are noise. Of three points it explains everything, so that four are taken where the window has
// more; and over no more than a factor of 2 in h noise is extrapolated too far. Only after the choice: among many short
// windows there is always one that a little noise makes look straight.
void widen_by_finer_half(const Sample& sample, Window& window) {
  std::size_t half = std::max<std::size_t>(window.size() > 4 ? 4 : 3, (window.size() + 1) / 2);
  while (half < window.size() && sample.x[window.last - half] - sample.x[window.last - 1] < std::log(2.1)) ++half;
  const NextTerm term = next_term(sample, window.last - half, window.last);
  if (term.explained > 0.9)
    window.half_width = std::max(window.half_width, safety * std::abs(window.line.slope - term.limit));
}

// The largest less the smallest of the local orders: those of the window, and before it as many as make three, because
// two agree by luck. Infinite where there are not so many.
double spread_of_local_orders(const Sample& sample, const Window& window) {
  if (window.last < 4) return std::numeric_limits<double>::infinity();
  std::vector<double> orders;
  for (std::size_t i = std::min(window.first, window.last - 4) + 1; i < window.last; ++i)
    orders.push_back((sample.y[i - 1] - sample.y[i]) / (sample.x[i - 1] - sample.x[i]));
  const auto [least, largest] = std::minmax_element(orders.begin(), orders.end());
  return *largest - *least;
}

// Of local orders that rise at each of the last two moves: the limit of a geometric series of such moves. The ratio of
// two moves is noise where they are small, so moves are never taken to shrink sooner than by a half each, nor later
// than by a twentieth. Three local orders tell nothing of what comes within the distance of two orders.
double rises_to(const Sample& sample, const Window& window) {
  const double few = window.size() <= 4 ? window.line.slope + next_order : window.line.slope;
  if (window.last < 4) return few;
  const auto local_order = [&](std::size_t i) {
    return (sample.y[i - 1] - sample.y[i]) / (sample.x[i - 1] - sample.x[i]);
  };
  const double last = local_order(window.last - 1), move = last - local_order(window.last - 2),
               before = local_order(window.last - 2) - local_order(window.last - 3);
  if (move <= 0 || before <= 0) return few;
  const double ratio = std::clamp(move / before, 0.5, 0.95);
  return std::max(few, last + move * ratio / (1 - ratio));
}

// Sorts the points into failed ones, those at a known floor (or exactly zero) and the sample.
Sample usable_points(const std::vector<OrderPoint>& points, const OrderOptions& options, OrderEstimate& estimate) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return points[a].log_h > points[b].log_h; });
  const double floor = options.log10_floor ? (*options.log10_floor + std::log10(floor_factor)) * std::log(10.0)
                                           : -std::numeric_limits<double>::infinity();
  Sample sample;
  estimate.failed = options.failed, estimate.shortened = options.shortened;
  for (const std::size_t i : order) {
    const auto [x, y] = points[i];
    if (!std::isfinite(x) || std::isnan(y) || y == std::numeric_limits<double>::infinity()) {
      ++estimate.failed;
    } else if (y <= floor) {
      ++estimate.at_floor;
    } else if (sample.x.empty() || sample.x.back() - x > 1e-9) {
      sample.x.push_back(x);
      sample.y.push_back(y);
      sample.index.push_back(i);
    }
  }
  estimate.total = static_cast<int>(sample.size()) + estimate.at_floor + estimate.failed + estimate.shortened;
  return sample;
}

// "6 of 9 points (2 pre-asymptotic, 1 at the floor)"
std::string describe_points(const OrderEstimate& estimate, int used) {
  std::vector<std::string> rest;
  if (estimate.failed) rest.push_back(fmt::format("{} failed", estimate.failed));
  if (estimate.shortened) rest.push_back(fmt::format("{} with a shortened last step", estimate.shortened));
  if (estimate.pre_asymptotic) rest.push_back(fmt::format("{} pre-asymptotic", estimate.pre_asymptotic));
  if (estimate.at_floor) rest.push_back(fmt::format("{} at the floor", estimate.at_floor));
  const std::string text = fmt::format("{} of {} point{}", used, estimate.total, estimate.total == 1 ? "" : "s");
  return rest.empty() ? text : fmt::format("{} ({})", text, fmt::join(rest, ", "));
}

void adopt(const Sample& sample, const Window& window, OrderEstimate& estimate) {
  estimate.order = window.line.slope;
  estimate.half_width = window.half_width;
  estimate.differs_beyond =
      std::max({window.half_width, settled_spreads * spread_of_local_orders(sample, window), nearest_order});
  estimate.rises_to = rises_to(sample, window);
  estimate.decided = window.half_width <= widest_decision;
  estimate.used = static_cast<int>(window.size());
  estimate.pre_asymptotic = static_cast<int>(window.first);
  estimate.at_floor += static_cast<int>(sample.size() - window.last);
  estimate.residual = std::sqrt(window.line.square_sum / static_cast<double>(window.size()));
  estimate.used_points.assign(sample.index.begin() + static_cast<std::ptrdiff_t>(window.first),
                              sample.index.begin() + static_cast<std::ptrdiff_t>(window.last));
}

std::string too_few(const Sample& sample, const OrderEstimate& estimate) {
  const bool nothing_but_floor = sample.size() == 0 && estimate.at_floor > 0;
  if (nothing_but_floor && estimate.failed == 0) return "undecided: every error is zero or at the floor";
  return fmt::format("undecided: {} usable, at least 3 are needed",
                     describe_points(estimate, static_cast<int>(sample.size())));
}

std::string statement_of(const OrderEstimate& estimate) {
  const std::string order = interval_text(estimate.order, estimate.half_width);
  const std::string points = describe_points(estimate, estimate.used);
  if (!estimate.decided) return fmt::format("undecided: the points scatter too much, p = {} from {}", order, points);
  return fmt::format("p = {} from {}{}", order, points, estimate.order < 0 ? ", the errors grow as h shrinks" : "");
}

// No window converges. Errors that grow over the whole range have a negative order; otherwise there
// is none to give.
void judge_without_convergence(const Sample& sample, OrderEstimate& estimate) {
  const Window whole = fit_window(sample, 0, sample.size());
  if (whole.line.slope + whole.half_width < 0 && whole.half_width <= widest_decision) {
    adopt(sample, whole, estimate);
    estimate.statement = statement_of(estimate);
    return;
  }
  const double smallest = *std::min_element(sample.y.begin(), sample.y.end());
  estimate.stands_still =
      std::abs(whole.line.slope) + whole.half_width < standstill && smallest > std::log(large_error);
  estimate.statement = fmt::format("undecided: the errors do not decrease steadily as h shrinks (slope {} over {})",
                                   interval_text(whole.line.slope, whole.half_width),
                                   describe_points(estimate, static_cast<int>(sample.size())));
}

}  // namespace

OrderEstimate estimate_order(const std::vector<OrderPoint>& points, const OrderOptions& options) {
  OrderEstimate estimate;
  Sample sample = usable_points(points, options, estimate);
  cut_floor(sample, estimate);
  if (sample.size() < 3) {
    estimate.statement = too_few(sample, estimate);
  } else if (const std::vector<Window> windows = candidates(sample); windows.empty()) {
    judge_without_convergence(sample, estimate);
  } else {
    Window best = best_window(windows);
    widen_by_finer_half(sample, best);
    adopt(sample, best, estimate);
    estimate.statement = statement_of(estimate);
  }
  if (options.theory) compare_with_theory(estimate, *options.theory);
  return estimate;
}

}  // namespace daelab
