#include "methods/runge_kutta/lobatto_packs.hpp"

#include <cstring>
#include <type_traits>

#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

std::size_t packs_for(Index stages) { return static_cast<std::size_t>((stages - 1 + pack_lanes - 1) / pack_lanes); }
// The stages in the lanes of a pack; lanes beyond the last stage repeat it.
std::array<Index, pack_lanes> stages_of(std::size_t pack, Index stages) {
  std::array<Index, pack_lanes> in_lane;
  for (Index lane = 0; lane < pack_lanes; ++lane)
    in_lane[static_cast<std::size_t>(lane)] = std::min(1 + static_cast<Index>(pack) * pack_lanes + lane, stages - 1);
  return in_lane;
}

// Rows b^T, b^T A, d^T, d^T A for d = b - b^.
Matrix<Real100> rows_of_end(const Tableau& t) {
  const Vector<Real100> d = t.b - t.b_embedded;
  Matrix<Real100> rows(pack_lanes, t.stages());
  rows << t.b.transpose(), t.b.transpose() * t.A, d.transpose(), d.transpose() * t.A;
  return rows;
}

// ---------------------------------------------------------------- loops over components, four rows at a time
//
// V holds four numbers: in registers of AVX2, or an array. Products are not fused, so that all have the same bits.

using Four = double __attribute__((vector_size(32)));

// Copies, since memory is aligned for single numbers: a vector type of that alignment loses it as a template argument
// (clang). No results, which the ABI has in registers that other functions lack.
[[gnu::always_inline]] inline void load(const double* from, Four& x) { std::memcpy(&x, from, sizeof x); }
[[gnu::always_inline]] inline void load(const auto* from, auto& x) { x = x.Map(from); }
[[gnu::always_inline]] inline void store(const Four& x, double* to) { std::memcpy(to, &x, sizeof x); }
[[gnu::always_inline]] inline void store(const auto& x, auto* to) { x.Map(to) = x; }

template <class V, int packs>
struct Weights {
  [[gnu::always_inline]] explicit inline Weights(const auto& sums) {
    for (int j = 0; j < columns; ++j) load(sums.weights().data() + pack_lanes * j, w[j]);
  }
  static constexpr int columns = 1 + pack_lanes * packs;
  V w[columns];
  // sum := that of component i.
  template <class T>
  [[gnu::always_inline]] inline void add_up(const StepSlopes<T>& slopes, Index i, V& sum) const {
    sum = w[0] * slopes.first[i];
    for (int p = 0; p < packs; ++p)
      for (int k = 0; k < pack_lanes; ++k) sum += w[1 + pack_lanes * p + k] * slopes.packs[p][pack_lanes * i + k];
  }
};

template <class T>
struct SumLoop {
  const PackedSums<T>& sums;
  const StepSlopes<T>& slopes;
  T* to;
  template <class V, int packs>
  [[gnu::always_inline]] inline void run() const {
    const Weights<V, packs> weights(sums);
    for (Index i = 0; i < slopes.components; ++i) {
      V sum;
      weights.add_up(slopes, i, sum);
      store(sum, to + pack_lanes * i);
    }
  }
};

template <class T>
struct StageLoop {
  const PackedSums<T>& sums;
  const StepSlopes<T>& slopes;
  const T *lost, *y;
  T* to;
  template <class V, int packs>
  [[gnu::always_inline]] inline void run() const {
    const Weights<V, packs> weights(sums);
    for (Index i = 0; i < slopes.components; ++i) {
      V sum;
      weights.add_up(slopes, i, sum);
      sum = y[i] + (lost[i] + sum);
      store(sum, to + pack_lanes * i);
    }
  }
};

template <class T>
struct SecondOrderLoop {
  const StagePack<T>& pack;
  const StepSlopes<T>& slopes;
  const T *lost, *y;
  T *q, *v;
  template <class V, int packs>
  [[gnu::always_inline]] inline void run() const {
    const Weights<V, packs> A(pack.A), A_squared(pack.A_squared);
    V c;
    load(pack.c.data(), c);
    const Index n = slopes.components;
    for (Index i = 0; i < n; ++i) {
      V sum;
      A.add_up(slopes, i, sum);
      sum = y[n + i] + (lost[n + i] + sum);
      store(sum, v + pack_lanes * i);
      A_squared.add_up(slopes, i, sum);
      sum = y[i] + (lost[i] + (sum + c * y[n + i]));
      store(sum, q + pack_lanes * i);
    }
  }
};

template <class T>
struct RenewLoop {
  Index components;
  const T *fresh, *weights;
  T* slopes;
  T& largest;
  template <class V, int>
  [[gnu::always_inline]] inline void run() const {
    PackColumn<T> most = PackColumn<T>::Zero();
    V sizes, now, slope;
    load(most.data(), sizes);
    for (Index i = 0; i < components; ++i) {
      load(slopes + pack_lanes * i, slope);
      load(fresh + pack_lanes * i, now);
      const V change = weights[i] * (now - slope);
      take_larger(change, sizes);
      store(now, slopes + pack_lanes * i);
    }
    store(sizes, most.data());
    largest = most.maxCoeff();
  }
  [[gnu::always_inline]] static inline void take_larger(const Four& change, Four& sizes) {
    const Four size = change < 0 ? -change : change;
    sizes = size > sizes ? size : sizes;
  }
  [[gnu::always_inline]] static inline void take_larger(const auto& change, auto& sizes) {
    sizes = sizes.max(change.abs()).eval();
  }
};

#ifdef __x86_64__
template <int packs>
__attribute__((target("avx2"))) void run_by_avx2(const auto& loop) {
  loop.template run<Four, packs>();
}
bool has_avx2() { return __builtin_cpu_supports("avx2") != 0; }
#else
template <int packs>
void run_by_avx2(const auto&) {}
bool has_avx2() { return false; }
#endif

template <class T>
void run(Index packs, const auto& loop) {
  using Plain = Eigen::Array<T, pack_lanes, 1, Eigen::DontAlign>;
  if constexpr (std::is_same_v<T, double>)
    if (has_avx2()) return packs == 1 ? run_by_avx2<1>(loop) : run_by_avx2<2>(loop);
  packs == 1 ? loop.template run<Plain, 1>() : loop.template run<Plain, 2>();
}

}  // namespace

double contraction(const Tableau& lobatto) {
  const Index implicit = lobatto.stages() - 1;
  const Matrix<double> A = lobatto.A.bottomRightCorner(implicit, implicit).cast<double>();
  return dense::eigenvalues(A).cwiseAbs().maxCoeff();
}

template <class T>
PackedSums<T>::PackedSums(const Matrix<Real100>& W, const std::array<Index, pack_lanes>& rows)
    : weights_(Pack<T>::Zero(pack_lanes, 1 + pack_lanes * static_cast<Index>(packs_for(W.cols())))) {
  for (Index lane = 0; lane < pack_lanes; ++lane)
    weights_.row(lane).head(W.cols()) = W.row(rows[static_cast<std::size_t>(lane)]).template cast<T>();
}

template <class T>
void PackedSums<T>::operator()(const StepSlopes<T>& slopes, T* to) const {
  run<T>(weights_.cols() / pack_lanes, SumLoop<T>{*this, slopes, to});
}
template <class T>
void PackedSums<T>::stages(const StepSlopes<T>& slopes, const T* lost, const T* y, T* to) const {
  run<T>(weights_.cols() / pack_lanes, StageLoop<T>{*this, slopes, lost, y, to});
}
template <class T>
void StagePack<T>::second_order_stages(const StepSlopes<T>& slopes, const T* lost, const T* y, T* q, T* v) const {
  run<T>(A.weights().cols() / pack_lanes, SecondOrderLoop<T>{*this, slopes, lost, y, q, v});
}

template <class T>
T renew(const T* fresh, const T* weights, Pack<T>& slopes) {
  T largest(0);
  const RenewLoop<T> loop{slopes.cols(), fresh, weights, slopes.data(), largest};
  run<T>(1, loop);
  return largest;
}

template <class T>
PackExtrapolation<T>::PackExtrapolation(const Tableau& t) : nodes_(t.c.template cast<T>()), weights_(t.stages()) {
  for (std::size_t p = 0; p < packs_for(t.stages()); ++p) sums_.emplace_back(t.A, stages_of(p, t.stages()));
  for (Index j = 0; j < t.stages(); ++j) {
    Real100 product = 1;
    for (Index k = 0; k < t.stages(); ++k)
      if (k != j) product *= t.c[j] - t.c[k];
    weights_[j] = static_cast<T>(1 / product);
  }
}

// Weight j at x > 1 is weights_[j] prod_k (x - c_k) / (x - c_j).
template <class T>
void PackExtrapolation<T>::set_ratio(const T& ratio) {
  if (ratio == ratio_) return;
  ratio_ = ratio;
  const Index s = nodes_.size();
  for (std::size_t p = 0; p < sums_.size(); ++p) {
    PackColumn<T> x, product = PackColumn<T>::Ones();
    const auto stages = stages_of(p, s);
    for (std::size_t lane = 0; lane < stages.size(); ++lane)
      x[static_cast<Index>(lane)] = T(1) + ratio * nodes_[stages[lane]];
    for (Index k = 0; k < s; ++k) product.array() *= x.array() - nodes_[k];
    for (Index j = 0; j < s; ++j) sums_[p].weights().col(j) = weights_[j] * product.array() / (x.array() - nodes_[j]);
  }
}

template <class T>
LobattoPacks<T>::LobattoPacks(const Tableau& t) : stages(t.stages()), end(rows_of_end(t), {0, 1, 2, 3}), next(t) {
  const Matrix<Real100> A_squared = t.A * t.A;
  for (std::size_t p = 0; p < packs_for(stages); ++p) {
    const auto rows = stages_of(p, stages);
    packs.push_back({{}, {t.A, rows}, {A_squared, rows}});
    for (std::size_t lane = 0; lane < rows.size(); ++lane)
      packs[p].c[static_cast<Index>(lane)] = static_cast<T>(t.c[rows[lane]]);
  }
}

template <class T>
void LobattoPacks<T>::scale(const LobattoPacks& unscaled, const T& h) {
  const T square = h * h;
  for (std::size_t p = 0; p < packs.size(); ++p) {
    packs[p].c = h * unscaled.packs[p].c;
    packs[p].A.scale(unscaled.packs[p].A, PackColumn<T>::Constant(h));
    packs[p].A_squared.scale(unscaled.packs[p].A_squared, PackColumn<T>::Constant(square));
  }
  end.scale(unscaled.end, PackColumn<T>(h, square, h, square));
}

#define DAELAB_INSTANTIATE(T)                                             \
  template class PackedSums<T>;                                           \
  template struct StagePack<T>;                                           \
  template T renew<T>(const T* fresh, const T* weights, Pack<T>& slopes); \
  template struct LobattoPacks<T>;                                        \
  template class PackExtrapolation<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
