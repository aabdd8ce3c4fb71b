#include "core/solvers/sparse_lu.hpp"

#include <klu.h>

#include <algorithm>
#include <numeric>

#include "core/base/context.hpp"

namespace daelab {
namespace {

// Matrices with a larger part of their entries filled are factorised densely: there is little to save, and the dense
// loops are the faster ones.
constexpr double most_filled = 0.5;

// A pivot may be this much smaller than the largest candidate of its column when pivots are chosen, and when their
// sequence is used again: what KLU allows itself in either case.
constexpr double choice_threshold = 0.1, reuse_threshold = 0.001;

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
    symbolic_ =
        klu_analyze(size(), const_cast<int*>(pattern.start.data()), const_cast<int*>(pattern.row.data()), &common_);
  }
  ~Klu() { klu_free_symbolic(&symbolic_, &common_); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  /// False: structurally or exactly singular.
  bool choose(Vector<double>& values, PivotSequence& sequence) {
    return symbolic_ != nullptr &&
           extract(klu_factor(start(), row(), values.data(), symbolic_, &common_), sequence, false);
  }
  bool choose(Vector<std::complex<double>>& values, PivotSequence& sequence) {
    return symbolic_ != nullptr &&
           extract(klu_z_factor(start(), row(), reinterpret_cast<double*>(values.data()), symbolic_, &common_),
                   sequence, true);
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
    // Without places for numbers, no rows are given.
    std::vector<double> real(std::max(L_row.size(), U_row.size())), imaginary(complex ? real.size() : 0);
    if (complex) {
      klu_z_extract(numeric, symbolic_, L_start.data(), L_row.data(), real.data(), imaginary.data(), U_start.data(),
                    U_row.data(), real.data(), imaginary.data(), nullptr, nullptr, nullptr, nullptr, s.rows.data(),
                    s.columns.data(), nullptr, blocks.data(), &common_);
      klu_z_free_numeric(&numeric, &common_);
    } else {
      klu_extract(numeric, symbolic_, L_start.data(), L_row.data(), real.data(), U_start.data(), U_row.data(),
                  real.data(), nullptr, nullptr, nullptr, s.rows.data(), s.columns.data(), nullptr, blocks.data(),
                  &common_);
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

// A product of complex numbers without the search for infinities, which entries that are checked do not need.
template <class S>
S product(const S& x, const S& y) {
  if constexpr (std::is_same_v<S, typename RealOf<S>::type>)
    return x * y;
  else
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

template <class R>
double rounded(const R& x) {
  return static_cast<double>(x);
}
template <class R>
std::complex<double> rounded(const std::complex<R>& x) {
  return {rounded(x.real()), rounded(x.imag())};
}

// One sequence of pivots with the factors computed by it.
template <class S>
class Elimination {
 public:
  using Real = typename RealOf<S>::type;
  enum class Outcome { fine, small_pivot, singular, non_finite };

  explicit Elimination(const SparsePattern& pattern) : pattern_(pattern) {
    for (Vector<S>* x : {&work_, &pivot_, &inverse_}) x->setZero(pattern.columns);
  }
  bool exists() const { return !order_.rows.empty(); }
  void forget() { order_ = {}; }

  /// False: there is none.
  bool choose(Klu& klu, const Vector<S>& values) {
    auto rough = values.unaryExpr([](const S& x) { return rounded(x); }).eval();
    if (!klu.choose(rough, order_)) {
      forget();
      return false;
    }
    arrange();
    return true;
  }

  // Left-looking, column by column. What is not in the pattern of a column is zero in `work`.
  Outcome factorize(const Vector<S>& values, const Real& threshold) {
    const Outcome outcome = numbers(values, threshold);
    if (outcome != Outcome::fine) work_.setZero();
    return outcome;
  }

  void solve(Vector<S>& b) {
    const Index n = pattern_.columns;
    for (Index k = 0; k < n; ++k) work_[k] = b[order_.rows[static_cast<std::size_t>(k)]];
    for (Index end = n; end > 0;) {
      const Index begin = order_.block_begin[static_cast<std::size_t>(end - 1)];
      solve_block(begin, end);
      end = begin;
    }
    for (Index k = 0; k < n; ++k) {
      b[order_.columns[static_cast<std::size_t>(k)]] = work_[k];
      work_[k] = S(0);
    }
  }
  double flops() const {
    double count = 0;
    const auto below = [&](std::size_t k) { return static_cast<double>(order_.L_start[k + 1] - order_.L_start[k]); };
    for (const int j : order_.U_row) count += 2 * below(static_cast<std::size_t>(j));
    return count + static_cast<double>(L_.size() + pattern_.columns);
  }
  Index fill() const { return L_.size() + U_.size() + F_.size() + pattern_.columns; }

 private:
  // Entries of each permuted column: where they go in `work`, those above the diagonal block apart.
  void arrange() {
    const auto n = static_cast<std::size_t>(pattern_.columns);
    std::vector<int> position(n);
    for (std::size_t i = 0; i < n; ++i) position[static_cast<std::size_t>(order_.rows[i])] = static_cast<int>(i);
    target_.clear(), source_.clear(), target_start_.assign(1, 0);
    F_start_.assign(1, 0), F_row_.clear(), F_entry_.clear();
    for (std::size_t k = 0; k < n; ++k) {
      const auto column = static_cast<std::size_t>(order_.columns[k]);
      for (int e = pattern_.start[column]; e < pattern_.start[column + 1]; ++e) {
        const int i = position[static_cast<std::size_t>(pattern_.row[static_cast<std::size_t>(e)])];
        const bool above = i < order_.block_begin[k];
        (above ? F_row_ : target_).push_back(i);
        (above ? F_entry_ : source_).push_back(e);
      }
      F_start_.push_back(static_cast<int>(F_row_.size())), target_start_.push_back(static_cast<int>(target_.size()));
    }
    L_.setZero(static_cast<Index>(order_.L_row.size())), U_.setZero(static_cast<Index>(order_.U_row.size()));
    F_.setZero(static_cast<Index>(F_row_.size()));
  }

  Outcome numbers(const Vector<S>& values, const Real& threshold) {
    Real smallest = std::numeric_limits<Real>::max(), largest(0);
    for (Index e = 0; e < F_.size(); ++e) {
      F_[e] = values[F_entry_[static_cast<std::size_t>(e)]];
      if (!(magnitude_of(F_[e]) <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(pattern_.columns); ++k) {
      for (int e = target_start_[k]; e < target_start_[k + 1]; ++e)
        work_[target_[static_cast<std::size_t>(e)]] = values[source_[static_cast<std::size_t>(e)]];
      eliminate(k);
      const Real size = take_column(k, smallest);
      if (!(size <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
      const Real diagonal = magnitude_of(pivot_[static_cast<Index>(k)]);
      if (diagonal == Real(0)) return Outcome::singular;
      if (diagonal < threshold * size) return Outcome::small_pivot;
      largest = std::max(largest, diagonal);
    }
    return smallest <= epsilon<Real>() * largest ? Outcome::singular : Outcome::fine;
  }
  void eliminate(std::size_t k) {
    for (int u = order_.U_start[k]; u < order_.U_start[k + 1]; ++u) {
      const auto j = static_cast<std::size_t>(order_.U_row[static_cast<std::size_t>(u)]);
      const S x = work_[static_cast<Index>(j)];
      work_[static_cast<Index>(j)] = S(0);
      U_[u] = x;
      if (x == S(0)) continue;
      for (int l = order_.L_start[j]; l < order_.L_start[j + 1]; ++l)
        work_[order_.L_row[static_cast<std::size_t>(l)]] -= product(L_[l], x);
    }
  }
  // The size of the largest candidate; `work` is zero again.
  Real take_column(std::size_t k, Real& smallest) {
    const S diagonal = work_[static_cast<Index>(k)], inverse = diagonal == S(0) ? S(0) : S(S(1) / diagonal);
    work_[static_cast<Index>(k)] = S(0);
    pivot_[static_cast<Index>(k)] = diagonal, inverse_[static_cast<Index>(k)] = inverse;
    Real size = magnitude_of(diagonal);
    smallest = std::min(smallest, size);
    bool finite = size <= std::numeric_limits<Real>::max();
    for (int l = order_.L_start[k]; l < order_.L_start[k + 1]; ++l) {
      S& x = work_[order_.L_row[static_cast<std::size_t>(l)]];
      const Real candidate = magnitude_of(x);
      finite = finite && candidate <= std::numeric_limits<Real>::max();
      size = std::max(size, candidate);
      L_[l] = product(x, inverse);
      x = S(0);
    }
    return finite ? size : std::numeric_limits<Real>::quiet_NaN();
  }

  // The columns above the block take what is found out of the right-hand sides of the blocks before it.
  void solve_block(Index begin, Index end) {
    const auto subtract = [&](const std::vector<int>& start, const std::vector<int>& row, const Vector<S>& entries,
                              Index k) {
      const S known = work_[k];
      if (known == S(0)) return;
      for (int e = start[static_cast<std::size_t>(k)]; e < start[static_cast<std::size_t>(k) + 1]; ++e)
        work_[row[static_cast<std::size_t>(e)]] -= product(entries[e], known);
    };
    for (Index k = begin; k < end; ++k) subtract(order_.L_start, order_.L_row, L_, k);
    for (Index k = end - 1; k >= begin; --k) {
      work_[k] = product(work_[k], inverse_[k]);
      subtract(order_.U_start, order_.U_row, U_, k);
      subtract(F_start_, F_row_, F_, k);
    }
  }

  const SparsePattern& pattern_;
  PivotSequence order_;
  Vector<S> L_, U_, F_, pivot_, inverse_, work_;
  std::vector<int> target_start_, target_, source_, F_start_, F_row_, F_entry_;
};

}  // namespace

// What was computed before must not show in what is computed now, so that a step from a copied state gives the same
// bits: the sequence of the first matrix is tried for every other one, and where it fails, another is taken for that
// one alone.
template <class S>
struct SparseLu<S>::Storage {
  using Real = typename RealOf<S>::type;
  using Outcome = typename Elimination<S>::Outcome;

  explicit Storage(std::shared_ptr<const SparsePattern> fixed)
      : pattern(std::move(fixed)),
        klu(*pattern),
        values(Vector<S>::Zero(pattern->entries())),
        usual(*pattern),
        special(*pattern) {}

  Status factorize() {
    present = &usual;
    const bool known = usual.exists();
    Outcome outcome = known ? usual.factorize(values, Real(reuse_threshold)) : choose(usual);
    if (known && (outcome == Outcome::small_pivot || outcome == Outcome::singular)) outcome = choose(special);
    if (outcome == Outcome::non_finite)
      return {StatusCode::non_finite, "an entry of the iteration matrix is not finite"};
    if (outcome != Outcome::fine)
      return {StatusCode::singular, "a pivot of the iteration matrix vanishes to round-off"};
    return {};
  }
  // A sequence is kept as the usual one when it works.
  Outcome choose(Elimination<S>& elimination) {
    for (const S& x : values)
      if (!(magnitude_of(x) <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
    present = &elimination;
    if (!elimination.choose(klu, values)) return Outcome::singular;
    ++pivotings;
    const Outcome outcome = elimination.factorize(values, Real(0));
    if (outcome != Outcome::fine) elimination.forget();
    return outcome;
  }

  std::shared_ptr<const SparsePattern> pattern;
  Klu klu;
  Vector<S> values;
  Elimination<S> usual, special;
  Elimination<S>* present = &usual;
  long pivotings = 0;
};

template <class S>
SparseLu<S>::SparseLu(std::shared_ptr<const SparsePattern> pattern)
    : storage_(std::make_unique<Storage>(std::move(pattern))) {}
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
  return storage_->factorize();
}
template <class S>
void SparseLu<S>::solve(Vector<S>& b) {
  storage_->present->solve(b);
}
template <class S>
Index SparseLu<S>::fill() const {
  return storage_->present->fill();
}
template <class S>
double SparseLu<S>::flops() const {
  return storage_->present->flops();
}
template <class S>
long SparseLu<S>::pivotings() const {
  return storage_->pivotings;
}

template <class S>
void BlockLu<S>::complete() {
  this->assembly_.complete(false);
  const double entries = static_cast<double>(this->assembly_.pattern()->entries()), size = static_cast<double>(size_);
  const Index largest_dense = Context::current().largest_dense_size;
  const bool densely = size_ <= largest_dense || (largest_dense > 0 && entries > most_filled * size * size);
  if (densely) this->assembly_.complete(true);
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

#define DAELAB_INSTANTIATE(T)               \
  template class SparseLu<T>;               \
  template class SparseLu<std::complex<T>>; \
  template class BlockLu<T>;                \
  template class BlockLu<std::complex<T>>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
