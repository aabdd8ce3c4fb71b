#include "methods/multistep/bdf_formula.hpp"

#include <algorithm>

#include "core/base/exact.hpp"

namespace daelab {

template <class T>
void start_history(const T& h, const Vector<T>& slope, BdfHistory<T>& to) {
  to.differences.setZero();
  to.difference(1) = h * slope;
  for (int j = 1; j <= bdf_columns; ++j) to.tau[j] = j * h;
  to.order = 0, to.steps = to.equal_steps = 0;
  to.next_order = 1;
}

namespace {

// nabla*^j = omega_j nabla^j, omega_j = prod_(i<=j) tau_i^(n+1) / tau_i^n, tau_(j+1)^(n+1) = h + tau_j^n.
// [Ren20, eqs. (58), (66)]
template <class T>
void scale(const BdfHistory<T>& from, const T& h, int columns, BdfHistory<T>& to) {
  to.tau[1] = h;
  for (int j = 1; j < bdf_columns; ++j) to.tau[j + 1] = h + from.tau[j];
  T omega(1);
  for (int j = 1; j <= columns; ++j) {
    omega *= to.tau[j] / from.tau[j];
    to.difference(j) = omega * from.difference(j);
  }
}

template <class T>
void resample(const BdfHistory<T>& from, const T& h, int columns, BdfHistory<T>& to) {
  for (int j = 1; j <= bdf_columns; ++j) to.tau[j] = j * h;
  if (h == from.tau[1]) {
    to.differences.leftCols(columns) = from.differences.leftCols(columns);
    return;
  }
  const auto RU = resampling(T(h / from.tau[1]), columns);
  for (int j = 1; j <= columns; ++j) {
    to.difference(j).setZero();
    for (int i = 1; i <= columns; ++i) to.difference(j) += RU[i][j] * from.difference(i);
  }
}

// R_ij = (1/i!) prod_(a<i) (a - j zeta); U is R for zeta = 1.
template <class T>
T binomial_entry(int i, const T& j_zeta) {
  T entry(1);
  for (int a = 0; a < i; ++a) entry *= (T(a) - j_zeta) / T(a + 1);
  return entry;
}

}  // namespace

template <class T>
std::array<BdfArray<T>, bdf_columns + 1> resampling(const T& zeta, int columns) {
  std::array<BdfArray<T>, bdf_columns + 1> RU{};
  for (int i = 1; i <= columns; ++i)
    for (int l = 1; l <= columns; ++l) {
      const T r = binomial_entry(i, T(l * zeta));
      for (int j = l; j <= columns; ++j) RU[i][j] += r * binomial_entry(l, T(j));  // U_lj = 0 for j < l
    }
  return RU;
}

template <class T>
void rescale_history(BdfFormula formula, const BdfHistory<T>& from, const T& h, int columns, BdfHistory<T>& to) {
  if (formula == BdfFormula::variable)
    scale(from, h, columns, to);
  else
    resample(from, h, columns, to);
  to.steps = from.steps, to.order = from.order, to.next_order = from.next_order;
  to.equal_steps = from.equal_steps;
}

const Real100& numerical_differentiation(int k) {
  static const std::array<Real100, bdf_columns + 1> kappa{0, Exact("-37/200").value(), Exact("-1/9").value(),
                                                          Exact("-823/10000").value(), Exact("-83/2000").value()};
  return kappa[static_cast<std::size_t>(k)];
}

template <class T>
BdfWeights<T>::BdfWeights(const BdfHistory<T>& grid, bool numerical) {
  using std::abs;
  const T& h = grid.tau[1];
  T sum(0);
  for (int j = 1; j <= bdf_columns; ++j) {
    const T ratio = h / grid.tau[j];
    sum += ratio;
    c[j] = delta[j] = sum, error[j - 1] = ratio;
  }
  for (int j = 1; j < bdf_columns && numerical; ++j) {
    const T kappa = static_cast<T>(numerical_differentiation(j));
    delta[j] -= kappa * c[j], error[j] = abs(T(error[j] + kappa * c[j]));
  }
}

template <class T>
void advance_history(BdfHistory<T>& history, int k, const Vector<T>& delta) {
  history.difference(k + 2) = delta - history.difference(k + 1);
  history.difference(k + 1) = delta;
  for (int j = k; j >= 1; --j) history.difference(j) += history.difference(j + 1);
  history.order = k;
  ++history.steps;
}

template <class T>
void append_to_history(BdfHistory<T>& history, int known, const Vector<T>& increment) {
  for (Index i = 0; i < history.components(); ++i) {
    T next = increment[i];
    for (int j = 1; j <= known; ++j) {
      const T predicted = history.difference(j)[i];
      history.difference(j)[i] = next;
      next -= predicted;
    }
    history.difference(known + 1)[i] = next;
  }
  history.order = 0;
  ++history.steps;
}

template <class T>
BdfArray<T> interpolation_weights(const BdfHistory<T>& history, int k, const T& s) {
  BdfArray<T> w{};
  T product = s;  // (t - t_n) (t - t_(n-1)) ... / (tau_1 tau_2 ...)
  for (int j = 1; j <= k; ++j) {
    product /= history.tau[j];
    w[j] = product;
    product *= s + history.tau[j];
  }
  return w;
}

template <class T>
void to_past_values(BdfHistory<T>& history, int columns, Index first, Index count, const Vector<T>& x) {
  for (int j = columns; j >= 1; --j) {
    const BdfArray<T> w = interpolation_weights(history, j, T(-history.tau[j]));
    for (Index i = first; i < first + count; ++i) {
      T sum(0);
      for (int l = j; l >= 1; --l) sum += w[l] * history.difference(l)[i];
      history.difference(j)[i] = x[i] + sum;
    }
  }
}

// Column j holds the divided difference of the last l + 1 values up to x_(n-j).
template <class T>
void to_differences(BdfHistory<T>& history, int columns, Index first, Index count, const Vector<T>& x) {
  for (int l = 1; l <= columns; ++l)
    for (int j = columns; j >= l; --j) {
      const T width = j == l ? history.tau[j] : T(history.tau[j] - history.tau[j - l]);
      const T* later = j == 1 ? x.data() : history.difference(j - 1).data();
      for (Index i = first; i < first + count; ++i)
        history.difference(j)[i] = (later[i] - history.difference(j)[i]) / width;
    }
  T product(1);
  for (int j = 1; j <= columns; ++j) {
    product *= history.tau[j];
    for (Index i = first; i < first + count; ++i) history.difference(j)[i] *= product;
  }
}

#define DAELAB_INSTANTIATE(T)                                                                        \
  template void start_history<T>(const T&, const Vector<T>&, BdfHistory<T>&);                        \
  template void rescale_history<T>(BdfFormula, const BdfHistory<T>&, const T&, int, BdfHistory<T>&); \
  template std::array<BdfArray<T>, bdf_columns + 1> resampling<T>(const T&, int);                    \
  template struct BdfWeights<T>;                                                                     \
  template void advance_history<T>(BdfHistory<T>&, int, const Vector<T>&);                           \
  template void append_to_history<T>(BdfHistory<T>&, int, const Vector<T>&);                         \
  template void to_past_values<T>(BdfHistory<T>&, int, Index, Index, const Vector<T>&);              \
  template void to_differences<T>(BdfHistory<T>&, int, Index, Index, const Vector<T>&);              \
  template BdfArray<T> interpolation_weights<T>(const BdfHistory<T>&, int, const T&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
