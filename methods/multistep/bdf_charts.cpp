#include "methods/multistep/bdf_charts.hpp"

namespace daelab {

template <class T>
void change_coordinates(BdfHistory<T>& history, const Vector<T>& y, Index n, Index accelerations,
                        CoordinateChange<T>& change) {
  const int columns = history.order > 0 ? history.order + 2 : static_cast<int>(history.steps);
  Vector<T> x = y, near = Vector<T>::Zero(n), q(n), v(n), a = Vector<T>::Zero(n);
  const auto each_block = [&](auto convert) {
    convert(history, columns, 0, 2 * n, x);
    if (accelerations > 0) convert(history, columns, accelerations, n, x);
  };
  each_block(to_past_values<T>);
  for (int j = 0; j <= columns; ++j) {
    T* past = j == 0 ? x.data() : history.difference(j).data();
    std::copy_n(past, n, q.data()), std::copy_n(past + n, n, v.data());
    if (accelerations > 0) std::copy_n(past + accelerations, n, a.data());
    change.apply(near, q, v, a);
    std::copy_n(q.data(), n, past), std::copy_n(v.data(), n, past + n);
    if (accelerations > 0) std::copy_n(a.data(), n, past + accelerations);
    near = q;
  }
  each_block(to_differences<T>);
}

#define DAELAB_INSTANTIATE(T) \
  template void change_coordinates<T>(BdfHistory<T>&, const Vector<T>&, Index, Index, CoordinateChange<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
