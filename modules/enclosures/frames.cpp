#include "modules/enclosures/frames.hpp"

#include <algorithm>
#include <numeric>

#include "modules/enclosures/refusal.hpp"

namespace daelab {
namespace {

using Column = std::vector<double>;

double length(const Column& x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

// Orthogonal to all earlier ones; where little is left, a unit vector that has more takes its place.
void orthogonalize(std::vector<Column>& columns) {
  const std::size_t n = columns.size();
  const auto reduce = [&](Column& x, std::size_t count) {
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < count; ++k) {
        const double part = std::inner_product(x.begin(), x.end(), columns[k].begin(), 0.0);
        for (std::size_t i = 0; i < n; ++i) x[i] -= part * columns[k][i];
      }
  };
  for (std::size_t k = 0; k < n; ++k) {
    const double before = length(columns[k]);
    reduce(columns[k], k);
    double left = length(columns[k]);
    if (!(left > 1e-10 * before)) {
      Column best;
      left = 0;
      for (std::size_t i = 0; i < n; ++i) {
        Column e(n, 0);
        e[i] = 1;
        reduce(e, k);
        if (length(e) > left) left = length(e), best = e;
      }
      columns[k] = best;
    }
    for (double& x : columns[k]) x /= left;
  }
}

void complete(DecimalFrame& frame, slong precision) {
  const std::size_t n = frame.size();
  BallMatrix A(n), inverse(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) read_decimal(A(i, j), frame.text[i][j], precision);
  if (arb_mat_inv(inverse.get(), A.get(), precision) == 0)
    throw Refusal("no frame for the set of states is found", "more digits");
  frame.entries = Balls(n * n), frame.inverse = Balls(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      arb_set(frame.entries[i * n + j], A(i, j)), arb_set(frame.inverse[i * n + j], inverse(i, j));
}

}  // namespace

DecimalFrame unit_frame(std::size_t n) {
  DecimalFrame frame;
  frame.text.assign(n, std::vector<std::string>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) frame.text[i][j].assign(1, i == j ? '1' : '0');
  complete(frame, 64);
  return frame;
}

DecimalFrame fitting_frame(const Balls& B, const std::vector<double>& r, slong precision) {
  const std::size_t n = r.size();
  // Each row by its width, so that units do not matter.
  std::vector<double> widths(n, 0);
  const double largest_radius = *std::ranges::max_element(r);
  const auto entry = [&](std::size_t i, std::size_t j) {
    return middle(B[i * n + j]) * std::max(r[j] / largest_radius, 1e-12);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) widths[i] += std::abs(entry(i, j));
  const double widest = *std::ranges::max_element(widths);
  if (!(largest_radius > 0) || !(widest > 0) || !std::isfinite(widest)) return unit_frame(n);
  for (double& width : widths) width = std::max(width, 1e-9 * widest);
  std::vector<Column> columns(n, Column(n));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) columns[j][i] = entry(i, j) / widths[i];
  std::ranges::stable_sort(columns, [](const Column& a, const Column& b) { return length(a) > length(b); });
  orthogonalize(columns);
  DecimalFrame frame;
  frame.text.assign(n, std::vector<std::string>(n));
  for (std::size_t j = 0; j < n; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(columns[j][i] * widths[i]));
    for (std::size_t i = 0; i < n; ++i) {
      const double x = columns[j][i] * widths[i] / largest;
      frame.text[i][j] = std::abs(x) < 1e-25 ? "0" : short_text(x);
    }
  }
  complete(frame, precision);
  return frame;
}

double largest_growth(const std::vector<double>& A, std::vector<double> x) {
  constexpr int all = 40, counted = 20;
  const std::size_t n = x.size();
  double growth = 0;
  for (int k = 0; k < all; ++k) {
    std::vector<double> y(n, 0);
    for (std::size_t i = 0; i < n; ++i) y[i] = std::inner_product(x.begin(), x.end(), A.data() + i * n, 0.0);
    const double size = *std::ranges::max_element(y);
    if (!(size > 0)) return 0;
    if (k >= all - counted) growth += std::log(size) / counted;
    for (std::size_t i = 0; i < n; ++i) x[i] = y[i] / size;
  }
  return std::exp(growth);
}

std::vector<double> hull(const DecimalFrame& frame, const std::vector<double>& r) {
  const std::size_t n = r.size();
  std::vector<double> result(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result[i] = above(result[i] + upper_bound(frame.entries[i * n + j]) * r[j]);
  return result;
}

}  // namespace daelab
