#include "core/expressions/taylor_series.hpp"

#include <algorithm>

#include "core/base/three_limb_sums.hpp"
#include "core/expressions/operations.hpp"
#include "core/expressions/program.hpp"

namespace daelab {
namespace {

// sum_i a[i] b[-i], i < count.
double sum_of_products(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[-i];
  return sum;
}
Real50 sum_of_products(const Real50* a, const Real50* b, int count) {
  if (count == 1) return *a * *b;
  Real50 sum;
  if (three_limbs::add_products(sum, a, b, count)) return sum;
  for (int i = 0; i < count; ++i) sum += a[i] * b[-i];
  return sum;
}

// sum_j a_j b_(k-j), j = first, ..., last.
template <class T>
T product(const Coefficients<T>& a, const Coefficients<T>& b, int k, int first, int last) {
  first = std::max(first, k - b.degree), last = std::min(last, a.degree);
  return first > last ? T(0) : sum_of_products(a.x + first, b.x + k - first, last - first + 1);
}
// Product of a = b, first = `first`, last = k - first: half of the products.
template <class T>
T square(const Coefficients<T>& a, int k, int first = 0) {
  T sum = product(a, a, k, first, (k - 1) / 2);
  sum += sum;
  if (k % 2 == 0 && k / 2 >= first && k / 2 <= a.degree) sum += a.x[k / 2] * a.x[k / 2];
  return sum;
}

// How many series an operation keeps beside its result.
int count_aside(Operation operation) {
  switch (operation) {
    case Operation::exp:
    case Operation::log:
    case Operation::sines_and_cosines:
      return 1;
    case Operation::power:
    case Operation::tan:
    case Operation::tanh:
    case Operation::asin:
    case Operation::acos:
    case Operation::atan:
    case Operation::sinh:
    case Operation::cosh:
      return 2;
    case Operation::atan2:
      return 4;
    default:
      return 0;
  }
}

// Those whose first series aside is k a_k: as short as that of the argument.
bool keeps_slope_of_argument(Operation operation) {
  switch (operation) {
    case Operation::exp:
    case Operation::sines_and_cosines:
    case Operation::power:
    case Operation::tan:
    case Operation::tanh:
    case Operation::sinh:
    case Operation::cosh:
      return true;
    default:
      return false;
  }
}

// y_k of y = a^p where a_0 = 0: with a = t^m c and y = t^(m p) d the coefficients of d = c^p follow from c d' = p c' d.
// The series ends where its next power of t is not whole: what follows is infinite.
template <class T>
T power_from_zero(const Coefficients<T>& a, const Coefficients<T>& y, const T& p, int k) {
  using std::abs, std::floor, std::pow;
  int m = 1;
  while (m <= k && a.x[m] == T(0)) ++m;
  if (m > k) return T(0);
  const T first = m * p, nearest = floor(T(first + T(0.5)));  // exponents are rounded: 3 times 7/3 is 7
  const bool is_whole = abs(T(first - nearest)) <= 8 * epsilon<T>() * first;
  if (p > T(1) && T(k) < (is_whole ? nearest : first)) return T(0);
  if (p < T(1) || !is_whole) return T(std::numeric_limits<double>::infinity());
  const int n = static_cast<int>(nearest);
  if (k == n) return T(pow(a.x[m], p));
  T sum = T(0);
  for (int i = 1; i <= k - n; ++i) sum += (p * i - (k - n - i)) * a.x[m + i] * y.x[k - i];
  return sum / ((k - n) * a.x[m]);
}

template <class T>
void sine_and_cosine(const T& angle, T& s, T& c) {
  if constexpr (std::is_same_v<T, double>) {
    const double angles[4] = {angle, angle, angle, angle};
    double sines[4], cosines[4];
    sines_and_cosines(angles, sines, cosines);
    s = sines[0], c = cosines[0];
  } else {
    sincos(angle, s, c);
  }
}

}  // namespace

template <class T>
TaylorSeries<T>::TaylorSeries(const Tape& tape, int order, const std::vector<int>& degrees)
    : order_(order), series_(tape.slots) {
  std::size_t count = tape.slots;
  for (const Instruction& x : tape.instructions)
    count += static_cast<std::size_t>(count_aside(x.operation)) * (x.operation == Operation::sines_and_cosines ? 4 : 1);
  const auto length = static_cast<std::size_t>(order) + 1;
  memory_.resize(count * length, T(0));
  for (Series& series : series_) series.x = memory_.data() + taken_, taken_ += length;
  for (std::size_t i = 0; i < degrees.size(); ++i) series_[i].degree = std::min(degrees[i], order);
  for (std::size_t i = 0; i < tape.constants.size(); ++i)
    series_[tape.first_constant() + i].x[0] = static_cast<T>(tape.constants[i]);
  steps_.reserve(tape.instructions.size());
  for (const Instruction& x : tape.instructions)
    if (x.operation == Operation::sines_and_cosines)
      add_sines(x, tape.angles[x.a]);
    else
      steps_.push_back(step_of(x));
  for (const Tape::Result& result : tape.results) results_.push_back(result.slot);
}

template <class T>
auto TaylorSeries<T>::step_of(const Instruction& x) -> Step {
  series_[x.result].degree =
      series_degree(x.operation, series_[x.a].degree, series_[x.b].degree, series_[x.c].degree, order_);
  Step step{x.operation, series_[x.result], series_[x.a], series_[x.b], series_[x.c], {}};
  for (int i = 0; i < count_aside(x.operation); ++i) {
    step.aside[i] = {memory_.data() + taken_, order_};
    taken_ += static_cast<std::size_t>(order_) + 1;
  }
  if (keeps_slope_of_argument(x.operation)) step.aside[0].degree = step.a.degree;
  return step;
}

// A step for each angle: y is the sine, b the cosine. Lanes that repeat the last angle have no readers.
template <class T>
void TaylorSeries<T>::add_sines(const Instruction& x, const std::array<Slot, 4>& angles) {
  for (Slot lane = 0; lane < 4 && (lane == 0 || angles[lane] != angles[lane - 1]); ++lane) {
    Step step = step_of({Operation::sines_and_cosines, x.result + lane, angles[lane]});
    Series& cosine = series_[x.result + 4 + lane];
    cosine.degree = step.y.degree;
    step.b = cosine;
    steps_.push_back(step);
  }
}

template <class T>
void TaylorSeries<T>::advance(int k) {
  if (k == 0) {
    for (Step& step : steps_) begin(step);
    return;
  }
  for (Step& step : steps_)
    if (k <= step.y.degree) go_on(step, k);
}

// y_0, and what is kept beside it.
template <class T>
void TaylorSeries<T>::begin(Step& s) {
  using std::cosh, std::sinh, std::sqrt;
  const T &a = s.a.x[0], &b = s.b.x[0];
  if (s.operation == Operation::sines_and_cosines) return sine_and_cosine(a, s.y.x[0], s.b.x[0]);
  T& y = s.y.x[0];
  y = apply(s.operation, a, b, s.c.x[0]);
  switch (s.operation) {
    case Operation::tan:
      s.aside[1].x[0] = T(1) + y * y;
      break;
    case Operation::tanh:
      s.aside[1].x[0] = T(1) - y * y;
      break;
    case Operation::sinh:
      s.aside[1].x[0] = apply(Operation::cosh, a, b, b);
      break;
    case Operation::cosh:
      s.aside[1].x[0] = apply(Operation::sinh, a, b, b);
      break;
    case Operation::asin:
    case Operation::acos:
      s.aside[1].x[0] = sqrt(T((T(1) - a) * (T(1) + a)));
      break;
    case Operation::atan:
      s.aside[1].x[0] = T(1) + a * a;
      break;
    case Operation::atan2:
      s.aside[1].x[0] = a * a + b * b;
      break;
    default:
      break;
  }
}

// y_k, k > 0.
template <class T>
void TaylorSeries<T>::go_on(Step& s, int k) {
  const Series &a = s.a, &b = s.b;
  T& y = s.y.x[k];
  switch (s.operation) {
    case Operation::add:
      y = a.x[k] + b.x[k];
      break;
    case Operation::subtract:
      y = a.x[k] - b.x[k];
      break;
    case Operation::negate:
      y = -a.x[k];
      break;
    case Operation::multiply:
      y = a.x == b.x ? square(a, k) : product(a, b, k, 0, k);
      break;
    case Operation::divide:  // y b = a
      y = (a.x[k] - product(b, s.y, k, 1, k)) / b.x[0];
      break;
    case Operation::sqrt:  // y y = a
      y = a.x[k] - square(s.y, k, 1);
      if (s.y.x[0] != T(0) || y != T(0)) y /= s.y.x[0] + s.y.x[0];  // of what is zero throughout 0
      break;
    case Operation::abs:
      y = a.x[0] < T(0) ? T(-a.x[k]) : a.x[k];
      break;
    case Operation::min:
      y = b.x[0] < a.x[0] ? b.x[k] : a.x[k];
      break;
    case Operation::max:
      y = a.x[0] < b.x[0] ? b.x[k] : a.x[k];
      break;
    case Operation::select:
      y = a.x[0] != T(0) ? b.x[k] : s.c.x[k];
      break;
    case Operation::log:
    case Operation::asin:
    case Operation::acos:
    case Operation::atan:
    case Operation::atan2:
      advance_inverse_function(s, k);
      break;
    default:
      advance_function(s, k);
  }
}

// aside: k a_k; w, the other function.
template <class T>
void TaylorSeries<T>::advance_function(Step& s, int k) {
  const Series &slope = s.aside[0], &w = s.aside[1];
  slope.x[k] = k * s.a.x[k];
  T& y = s.y.x[k];
  switch (s.operation) {
    case Operation::exp:  // y' = a' y
      y = product(slope, s.y, k, 1, k) / k;
      break;
    case Operation::sines_and_cosines:  // y' = a' b, b' = -a' y
      y = product(slope, s.b, k, 1, k) / k;
      s.b.x[k] = -product(slope, s.y, k, 1, k) / k;
      break;
    case Operation::sinh:
    case Operation::cosh:  // y' = a' w, w' = a' y
      y = product(slope, w, k, 1, k) / k;
      w.x[k] = product(slope, s.y, k, 1, k) / k;
      break;
    case Operation::tan:  // y' = a' w, w = 1 + y^2
      y = product(slope, w, k, 1, k) / k;
      w.x[k] = square(s.y, k);
      break;
    case Operation::tanh:  // y' = a' w, w = 1 - y^2
      y = product(slope, w, k, 1, k) / k;
      w.x[k] = -square(s.y, k);
      break;
    case Operation::power:  // a y' = b a' y; w_k = k y_k
      if (s.a.x[0] == T(0)) {
        y = power_from_zero(s.a, s.y, s.b.x[0], k);
        break;
      }
      y = (s.b.x[0] * product(slope, s.y, k, 1, k) - product(w, s.a, k, 1, k - 1)) / (k * s.a.x[0]);
      w.x[k] = k * y;
      break;
    default:
      y = T(std::numeric_limits<double>::quiet_NaN());
  }
}

// aside: k y_k; w, the denominator in w y' = ...; of atan2 k a_k and k b_k, too.
template <class T>
void TaylorSeries<T>::advance_inverse_function(Step& s, int k) {
  const Series &a = s.a, &slope = s.aside[0], &w = s.aside[1];
  T& y = s.y.x[k];
  switch (s.operation) {
    case Operation::log:  // a y' = a'
      y = (a.x[k] - product(slope, a, k, 1, k - 1) / k) / a.x[0];
      slope.x[k] = k * y;
      break;
    case Operation::atan:  // w y' = a', w = 1 + a^2
      w.x[k] = square(a, k);
      y = (a.x[k] - product(slope, w, k, 1, k - 1) / k) / w.x[0];
      slope.x[k] = k * y;
      break;
    case Operation::asin:  // w y' = a', w = sqrt(1 - a^2), w' = -a y'
      y = (a.x[k] - product(slope, w, k, 1, k - 1) / k) / w.x[0];
      slope.x[k] = k * y;
      w.x[k] = -product(slope, a, k, 1, k) / k;
      break;
    case Operation::acos:  // w y' = -a', w' = a y'
      y = (-a.x[k] - product(slope, w, k, 1, k - 1) / k) / w.x[0];
      slope.x[k] = k * y;
      w.x[k] = product(slope, a, k, 1, k) / k;
      break;
    default: {  // of atan2: w y' = b a' - a b', w = a^2 + b^2
      const Series &b = s.b, &a_slope = s.aside[2], &b_slope = s.aside[3];
      a_slope.x[k] = k * a.x[k], b_slope.x[k] = k * b.x[k];
      w.x[k] = square(a, k) + square(b, k);
      y = (product(a_slope, b, k, 1, k) - product(b_slope, a, k, 1, k) - product(slope, w, k, 1, k - 1)) / (k * w.x[0]);
      slope.x[k] = k * y;
    }
  }
}

#define DAELAB_INSTANTIATE(T) template class TaylorSeries<T>;
DAELAB_INSTANTIATE(double)
DAELAB_INSTANTIATE(Real50)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
