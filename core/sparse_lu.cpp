#include "core/sparse_lu.hpp"

#include <klu.h>

#include <algorithm>
#include <atomic>
#include <numeric>

namespace daelab {
namespace {

std::atomic<Index> dense_size{measured_largest_dense_size};

// A pivot may be this much smaller than the largest candidate of its column when pivots are chosen, and when their
// sequence is used again.
constexpr double choice_threshold = 0.1, reuse_threshold = 1e-4;

template <class S>
struct RealOf {
  using type = S;
};
template <class R>
struct RealOf<std::complex<R>> {
  using type = R;
};

// |re| + |im| ranks pivots as well as the modulus, without a root.
template <class S>
auto magnitude_of(const S& x) {
  using std::abs;
  if constexpr (std::is_same_v<S, typename RealOf<S>::type>)
    return S(abs(x));
  else
    return typename RealOf<S>::type(abs(x.real()) + abs(x.imag()));
}

// What KLU decides: P A Q is block upper triangular, its diagonal blocks are L U.
struct PivotSequence {
  std::vector<int> rows, columns;  // P and Q
  std::vector<int> block_end;      // (n) of the block a column belongs to: its first row, last row + 1
  std::vector<int> block_begin;
  std::vector<int> L_start, L_row, U_start, U_row;  // without the diagonals
};

class Klu {
 public:
  explicit Klu(const SparsePattern& pattern) : pattern_(pattern) {
    klu_defaults(&common_);
    common_.scale = 0;
    common_.tol = choice_threshold;
    // KLU reads only.
    symbolic_ = klu_analyze(size(), const_cast<int*>(pattern.start.data()), const_cast<int*>(pattern.row.data()), &common_);
  }
  ~Klu() { klu_free_symbolic(&symbolic_, &common_); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  /// False: structurally or exactly singular.
  bool choose(Vector<double>& values, PivotSequence& sequence) {
    return symbolic_ != nullptr && extract(klu_factor(start(), row(), values.data(), symbolic_, &common_), sequence, false);
  }
  bool choose(Vector<std::complex<double>>& values, PivotSequence& sequence) {
    return symbolic_ != nullptr &&
           extract(klu_z_factor(start(), row(), reinterpret_cast<double*>(values.data()), symbolic_, &common_), sequence, true);
  }

 private:
  int size() const { return static_cast<int>(pattern_.columns); }
  int* start() const { return const_cast<int*>(pattern_.start.data()); }
  int* row() const { return const_cast<int*>(pattern_.row.data()); }

  bool extract(klu_numeric* numeric, PivotSequence& s, bool complex) {
    if (numeric == nullptr) return false;
    const auto n = static_cast<std::size_t>(size());
    const auto nz = [](int count) { return static_cast<std::size_t>(count); };
    std::vector<int> L_start(n + 1), U_start(n + 1), blocks(n + 1);
    std::vector<int> L_row(nz(numeric->lnz)), U_row(nz(numeric->unz));
    s.rows.resize(n), s.columns.resize(n);
    std::vector<double> real(std::max(L_row.size(), U_row.size())), imaginary(complex ? real.size() : 0);  // without them, no rows
    if (complex) {
      klu_z_extract(numeric, symbolic_, L_start.data(), L_row.data(), real.data(), imaginary.data(), U_start.data(),
                    U_row.data(), real.data(), imaginary.data(), nullptr, nullptr, nullptr, nullptr, s.rows.data(),
                    s.columns.data(), nullptr, blocks.data(), &common_);
      klu_z_free_numeric(&numeric, &common_);
    } else {
      klu_extract(numeric, symbolic_, L_start.data(), L_row.data(), real.data(), U_start.data(), U_row.data(), real.data(),
                  nullptr, nullptr, nullptr, s.rows.data(), s.columns.data(), nullptr, blocks.data(), &common_);
      klu_free_numeric(&numeric, &common_);
    }
    without_diagonal(L_start, L_row, s.L_start, s.L_row);
    without_diagonal(U_start, U_row, s.U_start, s.U_row);
    s.block_begin.assign(n, 0), s.block_end.assign(n, 0);
    for (std::size_t b = 0; b < nz(symbolic_->nblocks); ++b)
      for (int k = blocks[b]; k < blocks[b + 1]; ++k)
        s.block_begin[nz(k)] = blocks[b], s.block_end[nz(k)] = blocks[b + 1];
    return true;
  }
  // Rows ascending: an order in which columns depend on columns before.
  static void without_diagonal(const std::vector<int>& start, const std::vector<int>& row, std::vector<int>& new_start,
                               std::vector<int>& new_row) {
    new_start.assign(1, 0), new_row.clear();
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
      const auto first = static_cast<std::ptrdiff_t>(new_row.size());
      for (int e = start[k]; e < start[k + 1]; ++e)
        if (const int i = row[static_cast<std::size_t>(e)]; i != static_cast<int>(k)) new_row.push_back(i);
      std::sort(new_row.begin() + first, new_row.end());
      new_start.push_back(static_cast<int>(new_row.size()));
    }
  }

  const SparsePattern& pattern_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
};

double rounded(const double& x) { return x; }
double rounded(const Real50& x) { return static_cast<double>(x); }
template <class R>
std::complex<double> rounded(const std::complex<R>& x) {
  return {rounded(x.real()), rounded(x.imag())};
}

}  // namespace

Index largest_dense_size() { return dense_size; }
void set_largest_dense_size(Index size) { dense_size = size; }

template <class S>
struct SparseLu<S>::Storage {
  using Real = typename RealOf<S>::type;
  enum class Outcome { fine, small_pivot, singular, non_finite };

  explicit Storage(std::shared_ptr<const SparsePattern> fixed)
      : pattern(std::move(fixed)), klu(*pattern), values(Vector<S>::Zero(pattern->entries())) {
    work.setZero(pattern->columns), pivot.setZero(pattern->columns);
  }

  Status factorize() {
    Outcome outcome = pivotings == 0 ? Outcome::small_pivot : numbers(Real(reuse_threshold));
    if (outcome == Outcome::small_pivot || outcome == Outcome::singular) outcome = choose();
    if (outcome == Outcome::non_finite)
      return {StatusCode::non_finite, "an entry of the iteration matrix is not finite"};
    if (outcome == Outcome::singular)
      return {StatusCode::singular, "a pivot of the iteration matrix vanishes to round-off"};
    return {};
  }

  Outcome choose() {
    for (const S& x : values)
      if (!(magnitude_of(x) <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
    auto rough = values.unaryExpr([](const S& x) { return rounded(x); }).eval();
    if (!klu.choose(rough, order)) {
      pivotings = 0;  // there is no sequence to use again
      return Outcome::singular;
    }
    ++pivotings;
    arrange();
    const Outcome outcome = numbers(Real(0));
    return outcome == Outcome::small_pivot ? Outcome::singular : outcome;
  }

  // Entries of each permuted column: where they go in `work`, those above the diagonal block apart.
  void arrange() {
    const SparsePattern& p = *pattern;
    const auto n = static_cast<std::size_t>(p.columns);
    std::vector<int> position(n);
    for (std::size_t i = 0; i < n; ++i) position[static_cast<std::size_t>(order.rows[i])] = static_cast<int>(i);
    target.clear(), F_start.assign(1, 0), F_row.clear(), F_entry.clear(), target_start.assign(1, 0), source.clear();
    for (std::size_t k = 0; k < n; ++k) {
      const auto column = static_cast<std::size_t>(order.columns[k]);
      for (int e = p.start[column]; e < p.start[column + 1]; ++e) {
        const int i = position[static_cast<std::size_t>(p.row[static_cast<std::size_t>(e)])];
        if (i < order.block_begin[k])
          F_row.push_back(i), F_entry.push_back(e);
        else
          target.push_back(i), source.push_back(e);
      }
      F_start.push_back(static_cast<int>(F_row.size())), target_start.push_back(static_cast<int>(target.size()));
    }
    L.setZero(static_cast<Index>(order.L_row.size())), U.setZero(static_cast<Index>(order.U_row.size()));
    F.setZero(static_cast<Index>(F_row.size()));
  }

  // Left-looking, column by column. What is not in the pattern of a column is zero in `work`.
  Outcome numbers(const Real& threshold) {
    Real smallest = std::numeric_limits<Real>::max(), largest(0);
    for (Index e = 0; e < F.size(); ++e) F[e] = values[F_entry[static_cast<std::size_t>(e)]];
    for (std::size_t k = 0; k < static_cast<std::size_t>(pattern->columns); ++k) {
      for (int e = target_start[k]; e < target_start[k + 1]; ++e)
        work[target[static_cast<std::size_t>(e)]] = values[source[static_cast<std::size_t>(e)]];
      eliminate(k);
      const Real size = take_column(k, smallest);
      if (!(size <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
      const Real diagonal = magnitude_of(pivot[static_cast<Index>(k)]);
      if (diagonal == Real(0)) return Outcome::singular;
      if (diagonal < threshold * size) return Outcome::small_pivot;
      largest = std::max(largest, diagonal);
    }
    return smallest <= epsilon<Real>() * largest ? Outcome::singular : Outcome::fine;
  }
  void eliminate(std::size_t k) {
    for (int u = order.U_start[k]; u < order.U_start[k + 1]; ++u) {
      const auto j = static_cast<std::size_t>(order.U_row[static_cast<std::size_t>(u)]);
      const S x = work[static_cast<Index>(j)];
      work[static_cast<Index>(j)] = S(0);
      U[u] = x;
      if (x == S(0)) continue;
      for (int l = order.L_start[j]; l < order.L_start[j + 1]; ++l)
        work[order.L_row[static_cast<std::size_t>(l)]] -= L[l] * x;
    }
  }
  // The size of the largest candidate; `work` is zero again.
  Real take_column(std::size_t k, Real& smallest) {
    const S diagonal = work[static_cast<Index>(k)], inverse = diagonal == S(0) ? S(0) : S(S(1) / diagonal);
    work[static_cast<Index>(k)] = S(0);
    pivot[static_cast<Index>(k)] = diagonal;
    Real size = magnitude_of(diagonal);
    smallest = std::min(smallest, size);
    bool finite = size <= std::numeric_limits<Real>::max();
    for (int l = order.L_start[k]; l < order.L_start[k + 1]; ++l) {
      S& x = work[order.L_row[static_cast<std::size_t>(l)]];
      const Real candidate = magnitude_of(x);
      finite = finite && candidate <= std::numeric_limits<Real>::max();
      size = std::max(size, candidate);
      L[l] = x * inverse;
      x = S(0);
    }
    return finite ? size : std::numeric_limits<Real>::quiet_NaN();
  }

  void solve(Vector<S>& b) {
    const Index n = pattern->columns;
    Vector<S>& x = work;
    for (Index k = 0; k < n; ++k) x[k] = b[order.rows[static_cast<std::size_t>(k)]];
    for (Index end = n; end > 0;) {
      const Index begin = order.block_begin[static_cast<std::size_t>(end - 1)];
      solve_block(begin, end);
      end = begin;
    }
    for (Index k = 0; k < n; ++k) {
      b[order.columns[static_cast<std::size_t>(k)]] = x[k];
      x[k] = S(0);
    }
  }
  // The columns above the block take what is found out of the right-hand sides of the blocks before it.
  void solve_block(Index begin, Index end) {
    Vector<S>& x = work;
    const auto subtract = [&](const std::vector<int>& start, const std::vector<int>& row, const Vector<S>& entries, Index k) {
      const S known = x[k];
      if (known == S(0)) return;
      for (int e = start[static_cast<std::size_t>(k)]; e < start[static_cast<std::size_t>(k) + 1]; ++e)
        x[row[static_cast<std::size_t>(e)]] -= entries[e] * known;
    };
    for (Index k = begin; k < end; ++k) subtract(order.L_start, order.L_row, L, k);
    for (Index k = end - 1; k >= begin; --k) {
      x[k] /= pivot[k];
      subtract(order.U_start, order.U_row, U, k);
      subtract(F_start, F_row, F, k);
    }
  }

  std::shared_ptr<const SparsePattern> pattern;
  Klu klu;
  PivotSequence order;
  long pivotings = 0;
  Vector<S> values, L, U, F, pivot, work;
  std::vector<int> target_start, target, source, F_start, F_row, F_entry;
};

template <class S>
SparseLu<S>::SparseLu(std::shared_ptr<const SparsePattern> pattern) : storage_(std::make_unique<Storage>(std::move(pattern))) {}
template <class S>
SparseLu<S>::~SparseLu() = default;
template <class S>
SparseLu<S>::SparseLu(SparseLu&&) noexcept = default;
template <class S>
SparseLu<S>& SparseLu<S>::operator=(SparseLu&&) noexcept = default;
template <class S>
Vector<S>& SparseLu<S>::values() {
  return storage_->values;
}
template <class S>
Status SparseLu<S>::factorize() {
  const Status status = storage_->factorize();
  if (!status.ok()) storage_->work.setZero();
  return status;
}
template <class S>
void SparseLu<S>::solve(Vector<S>& b) {
  storage_->solve(b);
}
template <class S>
Index SparseLu<S>::fill() const {
  return storage_->L.size() + storage_->U.size() + storage_->F.size() + storage_->pattern->columns;
}
template <class S>
long SparseLu<S>::pivotings() const {
  return storage_->pivotings;
}

template <class S>
void BlockLu<S>::complete() {
  const bool densely = size_ <= largest_dense_size();
  this->assembly_.complete(densely);
  if (densely) {
    dense_ = std::make_unique<DenseLu<S>>(size_);
    this->entries_ = dense_->matrix().data();
  } else {
    sparse_ = std::make_unique<SparseLu<S>>(this->assembly_.pattern());
    this->entries_ = sparse_->values().data();
  }
}

template <class S>
void BlockLu<S>::clear() {
  if (sparse_)
    sparse_->values().setZero();
  else
    dense_->matrix().setZero();
}

#define DAELAB_INSTANTIATE(T)              \
  template class SparseLu<T>;              \
  template class SparseLu<std::complex<T>>; \
  template class BlockLu<T>;               \
  template class BlockLu<std::complex<T>>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
