#include "core/mechanism/group_charts.hpp"

#include <algorithm>
#include <cmath>

#include "core/mechanism/configuration_space.hpp"

namespace daelab {
namespace {

constexpr double far = 1;  // |theta|

template <class T>
lie::Vector3<T> three(const Vector<T>& x, Index first) {
  return {x[first], x[first + 1], x[first + 2]};
}
template <class T>
lie::Quaternion<T> turn_in(const Vector<T>& held, const GroupCoordinates& group) {
  return {held[group.base], held[group.base + 1], held[group.base + 2], held[group.base + 3]};
}

// Rotation vectors of the same turn differ by whole turns about it.
template <class T>
lie::Vector3<T> next_to(const lie::Vector3<T>& near, const lie::Vector3<T>& w) {
  using std::round;
  const T angle = w.norm(), turn = T(2) * pi<T>();
  if (angle == T(0)) return w;
  const lie::Vector3<T> axis = w / angle;
  return axis * T(angle + turn * round(T((near.dot(axis) - angle) / turn)));
}

}  // namespace

template <class T>
bool are_far(const std::vector<GroupCoordinates>& groups, const Vector<T>& q) {
  return std::ranges::any_of(
      groups, [&](const GroupCoordinates& group) { return three(q, group.first).squaredNorm() > T(far * far); });
}

template <class T>
Vector<T> bases_at(const std::vector<GroupCoordinates>& groups, const Vector<T>& held, const Vector<T>& q) {
  Configuration<T> here;
  ConfigurationSpace<T>(groups).place(held, q, here);
  return here.held;
}

template <class T>
void change_bases(const std::vector<GroupCoordinates>& groups, const Vector<T>& from, const Vector<T>& to, Vector<T>& q,
                  Vector<T>& v, Vector<T>& a) {
  const ConfigurationSpace<T> space(groups);
  Configuration<T> here;
  space.place(from, q, here);
  space.left_from_chart(q, v, a);
  space.coordinates(to, here, q);
  space.chart_from_left(q, v, a);
}

template <class T>
void to_reported(const std::vector<GroupCoordinates>& groups, const Vector<T>& held, const Vector<T>& near,
                 Vector<T>& q, Vector<T>& v, Vector<T>& a) {
  const ConfigurationSpace<T> space(groups);
  Configuration<T> here;
  space.place(held, q, here);
  space.left_from_chart(q, v, a);
  for (const GroupCoordinates& group : groups) {
    q.segment(group.first, 3) = next_to(three(near, group.first), lie::logarithm(turn_in(here.held, group)));
    if (group.group == LieGroup::se3) q.segment(group.first + 3, 3) = here.held.segment(group.base + 4, 3);
  }
}

template <class T>
void from_reported(const std::vector<GroupCoordinates>& groups, Vector<T>& held, Vector<T>& q) {
  for (const GroupCoordinates& group : groups) {
    held.segment(group.base, 4) = lie::exponential(three(q, group.first));
    if (group.group == LieGroup::se3) held.segment(group.base + 4, 3) = q.segment(group.first + 3, 3);
    q.segment(group.first, dimension(group.group)).setZero();
  }
}

template <class T>
void to_reported(const MechanicalModel<T>& model, Vector<T>& y) {
  const Index n = model.coordinates();
  const Vector<T> zero = Vector<T>::Zero(n);
  Vector<T> q = y.head(n), v = y.segment(n, n), a = zero;
  to_reported(model.groups(), model.held(), zero, q, v, a);
  y.head(n) = q, y.segment(n, n) = v;
}

template <class T>
void from_reported(MechanicalModel<T>& model, Vector<T>& y) {
  Vector<T> held = model.held();
  from_reported(model.groups(), held, y);
  model.hold(held);
}

#define DAELAB_INSTANTIATE(T)                                                                                         \
  template bool are_far<T>(const std::vector<GroupCoordinates>&, const Vector<T>&);                                   \
  template Vector<T> bases_at<T>(const std::vector<GroupCoordinates>&, const Vector<T>&, const Vector<T>&);           \
  template void change_bases<T>(const std::vector<GroupCoordinates>&, const Vector<T>&, const Vector<T>&, Vector<T>&, \
                                Vector<T>&, Vector<T>&);                                                              \
  template void to_reported<T>(const std::vector<GroupCoordinates>&, const Vector<T>&, const Vector<T>&, Vector<T>&,  \
                               Vector<T>&, Vector<T>&);                                                               \
  template void from_reported<T>(const std::vector<GroupCoordinates>&, Vector<T>&, Vector<T>&);                       \
  template void to_reported<T>(const MechanicalModel<T>&, Vector<T>&);                                                \
  template void from_reported<T>(MechanicalModel<T>&, Vector<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
