#include "core/integration/enclosed_step.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {
namespace {

using Powers = std::array<double, 6>;

// The cubic polynomial through (y, y'), from the differences over the step: see DenseOutput.
template <class T>
Powers cubic_powers(const State<T>& from, const State<T>& to, const T& h, Index i) {
  const T rise = to.y[i] - from.y[i], a = h * from.ydot[i] - rise, b = h * to.ydot[i] - rise;
  return {static_cast<double>(from.y[i]),
          static_cast<double>(T(rise + a)),
          static_cast<double>(T(-(a + a + b))),
          static_cast<double>(T(a + b)),
          0,
          0};
}

// The quintic one through (q, v, a).
template <class T>
Powers quintic_powers(const State<T>& from, const State<T>& to, const T& h, const MechanicalLayout& layout, Index i) {
  const Index n = layout.n;
  const T q0 = from.y[i], v0 = h * from.y[n + i], a0 = h * h * layout.accelerations_of(from)[i];
  const T c0 = to.y[i] - q0 - v0 - a0 / 2, c1 = h * to.y[n + i] - v0 - a0 - 3 * c0;
  const T c2 = (h * h * layout.accelerations_of(to)[i] - a0 - 6 * c0 - 6 * c1) / 2;
  return {static_cast<double>(q0),
          static_cast<double>(v0),
          static_cast<double>(T(a0 / 2)),
          static_cast<double>(T(c0 - c1 + c2)),
          static_cast<double>(T(c1 - 2 * c2)),
          static_cast<double>(c2)};
}

Powers derivative_of(const Powers& c, double h) {
  Powers result{};
  for (std::size_t k = 1; k < c.size(); ++k) result[k - 1] = static_cast<double>(k) * c[k] / h;
  return result;
}

// About the middle of an interval of x.
Powers shifted(Powers c, double middle) {
  for (std::size_t i = 0; i + 1 < c.size(); ++i)
    for (std::size_t k = c.size() - 1; k-- > i;) c[k] += middle * c[k + 1];
  return c;
}

Enclosure enclosed(const Powers& c, double x0, double x1, double h) {
  const double middle = x0 + (x1 - x0) / 2, radius = (x1 - x0) / 2;
  const Powers about = shifted(c, middle);
  double size = 0, value = 0, slope = 0, slope_size = 0, power = 1;
  for (std::size_t k = 0; k < c.size(); ++k)
    size += std::abs(c[k]), slope_size += static_cast<double>(k) * std::abs(c[k]);
  for (std::size_t k = 1; k < c.size(); ++k) {
    if (k > 1) slope += static_cast<double>(k) * std::abs(about[k]) * power;
    power *= radius;
    value += std::abs(about[k]) * power;
  }
  constexpr double rounding = 4e-15;
  value += rounding * size, slope += rounding * slope_size;
  return {{about[0] - value, about[0] + value}, {(about[1] - slope) / h, (about[1] + slope) / h}};
}

}  // namespace

template <class T>
EnclosedStep<T>::EnclosedStep(const Recording& recording, const Expression& function, const MechanicalLayout& layout)
    : program_(recording.graph(), function), layout_(layout) {
  for (const auto& place : program_.inputs()) add(place, static_cast<Index>(recording.q.size()));
}

// First-order states of a mechanism are at the end of v.
template <class T>
void EnclosedStep<T>::add(const EnclosingProgram::Place& place, Index coordinates) {
  const auto block = static_cast<InputBlock>(place.block);
  const bool of_mechanism = block == InputBlock::s && layout_.n > 0;
  courses_.push_back({place, of_mechanism ? InputBlock::v : block, place.index + (of_mechanism ? coordinates : 0)});
}

template <class T>
void EnclosedStep<T>::take_course(Course& course, const State<T>& from, const State<T>& to) const {
  const T h = to.t - from.t;
  if (course.block == InputBlock::s) course.powers = cubic_powers(from, to, h, course.index);
  if (course.block != InputBlock::q && course.block != InputBlock::v) return;
  course.powers = quintic_powers(from, to, h, layout_, course.index);
  if (course.block == InputBlock::v) course.powers = derivative_of(course.powers, length_);
}

template <class T>
void EnclosedStep<T>::take(const State<T>& from, const State<T>& to, const Vector<T>& held) {
  start_ = static_cast<double>(from.t), length_ = static_cast<double>(T(to.t - from.t));
  for (Course& course : courses_)
    if (course.block == InputBlock::held)
      course.powers = {static_cast<double>(held[course.index])};
    else
      take_course(course, from, to);
}

template <class T>
Enclosure EnclosedStep<T>::over(double a, double b) {
  for (const Course& course : courses_)
    if (course.block == InputBlock::time)
      program_.set(course.place, {Bounds{start_, start_} + Bounds{a, b}, {1, 1}});
    else
      program_.set(course.place, enclosed(course.powers, a / length_, b / length_, length_));
  return program_.run();
}

#define DAELAB_INSTANTIATE(T) template class EnclosedStep<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
