#include "core/solvers/sparse_lu.hpp"

#include <algorithm>

#include "core/base/context.hpp"
#include "core/base/plain_arithmetic.hpp"
#include "core/solvers/equilibration.hpp"
#include "core/solvers/generated_lu.hpp"
#include "core/solvers/pivot_sequence.hpp"

namespace daelab {
namespace {

// Matrices with more entries, of more unknowns than `most_full_unknowns`, are factorised densely: code for them would
// be too long, and dense loops are faster than sparse ones.
constexpr double most_filled = 0.5;
template <class S>
constexpr Index most_full_unknowns = 32;
template <class R>
constexpr Index most_full_unknowns<std::complex<R>> = 100;

// A pivot may be this much smaller than the largest candidate of its column when a sequence is used again. What KLU
// allows itself loses three digits; corrections may lose five, for the entries of a mechanism's matrix that are pivots
// pass through zero as it moves, and choosing anew costs as much as a step.
constexpr double reuse_threshold(SolutionUse use) { return use == SolutionUse::result ? 1e-3 : 1e-5; }

// Pivots below this times the largest vanish to round-off: of a scaled matrix, whose entries are of one size, there are
// a few digits less. It has to be clearly regular, where it seemed to be singular without scales.
template <class Real>
Real vanishing(bool scaled) {
  return scaled ? Real(1000) * epsilon<Real>() : epsilon<Real>();
}

template <class S>
using RealOf = typename Eigen::NumTraits<S>::Real;

// |re| + |im| ranks pivots as well as the modulus, without a root.
template <class S>
auto magnitude_of(const S& x) {
  using std::abs;
  if constexpr (std::is_same_v<S, RealOf<S>>)
    return S(abs(x));
  else
    return RealOf<S>(abs(x.real()) + abs(x.imag()));
}

template <class R>
double rounded(const R& x) {
  return static_cast<double>(x);
}
template <class R>
std::complex<double> rounded(const std::complex<R>& x) {
  return {rounded(x.real()), rounded(x.imag())};
}

// One sequence of pivots with the factors computed by it, of the scaled matrix if it has scales.
template <class S>
class Elimination {
 public:
  using Real = RealOf<S>;
  enum class Outcome { fine, small_pivot, singular, non_finite };

  explicit Elimination(const SparsePattern& pattern) : pattern_(pattern) {
    for (Vector<S>* x : {&work_, &pivot_, &inverse_}) x->setZero(pattern.columns);
  }
  bool exists() const { return !order_.rows.empty(); }
  void forget() { order_ = {}, scales_ = {}, shared_ = nullptr, code_ = nullptr; }

  /// False: there is none.
  bool choose(Klu& klu, const Vector<S>& values, bool scaled) {
    auto rough = values.unaryExpr([](const S& x) { return rounded(x); }).eval();
    scales_ = scaled ? equilibrate(pattern_, rough.cwiseAbs()) : Scales{};
    if (scaled) rough.array() *= scales_.entries.array();
    scaled_.setZero(scales_.entries.size());
    if (!klu.choose(rough, order_)) {
      forget();
      return false;
    }
    arrange();
    return true;
  }
  /// Takes generated code, which equal sequences share.
  void share() {
    if constexpr (in_double) {
      shared_ = SequenceCode::of(order_, pattern_.entries(), is_complex);
      if (shared_ != nullptr) use(shared_->at_hand());
    }
  }

  // Left-looking, column by column. What is not in the pattern of a column is zero in `work`.
  Outcome factorize(const Vector<S>& given, const Real& threshold) {
    if (is_scaled()) scaled_ = given, scale(scaled_, scales_.entries);
    const Vector<S>& values = is_scaled() ? scaled_ : given;
    if (by_code(values, threshold)) return Outcome::fine;
    const Outcome outcome = numbers(values, threshold);
    if (outcome != Outcome::fine) work_.setZero();
    return outcome;
  }

  void solve(Vector<S>& b) {
    scale(b, scales_.rows);
    if (!code_) {
      solve_by_loops(b);
    } else {
      other_ = b;  // not swapped: others know where the entries of b are
      solve_by_code(other_, b);
    }
    scale(b, scales_.columns);
  }
  const Vector<S>& solution(Vector<S>& b) {
    if (is_scaled()) return solve(b), b;
    if (!code_) return solve_by_loops(b), b;
    solve_by_code(b, other_);
    return other_;
  }
  double flops() const { return static_cast<double>(2 * order_.updates() + L_.size() + pattern_.columns); }
  Index fill() const { return L_.size() + U_.size() + F_.size() + pattern_.columns; }

 private:
  bool is_scaled() const { return scales_.rows.size() > 0; }
  static void scale(Vector<S>& x, const Vector<double>& scales) {
    for (Index i = 0; i < scales.size(); ++i) x[i] *= Real(scales[i]);
  }
  void solve_by_loops(Vector<S>& b) {
    if (shared_ != nullptr) use(shared_->after_a_solution());
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
  void arrange() {
    L_.setZero(static_cast<Index>(order_.L_row.size())), U_.setZero(static_cast<Index>(order_.U_row.size()));
    F_.setZero(static_cast<Index>(order_.F_row.size()));
    shared_ = nullptr, code_ = nullptr;
  }
  // Factors at hand may be those of the loops: they are the same.
  void use(const GeneratedLu* code) {
    code_ = code;
    if (code == nullptr) return;
    other_.setZero(pattern_.columns);
    code_work_.setZero(static_cast<Index>(std::max(code->factorize->work_size(), code->solve->work_size())));
  }

  // False where there is none, or where what it found is close to anything but fine: then the loops decide.
  bool by_code(const Vector<S>& values, const Real& threshold) {
    if constexpr (in_double) {
      if (!code_ || threshold == 0) return false;
      const double* const in[] = {parts(values)};
      double* const out[] = {parts(L_), parts(U_), parts(F_), parts(pivot_), parts(inverse_)};
      code_->factorize->run(in, out, code_work_.data());
      return is_surely_fine(threshold);
    }
    return false;
  }
  bool is_surely_fine(const Real& threshold) const {
    double smallest = std::numeric_limits<double>::max(), largest = 0;
    for (const S& x : pivot_) {
      const double size = magnitude_of(x);
      if (!(size * size > least_square && size * size < 1 / least_square)) return false;
      smallest = std::min(smallest, size), largest = std::max(largest, size);
    }
    const auto within = [](const Vector<S>& entries, double bound) {
      bool all = true;
      for (const S& x : entries) all = all && magnitude_of(x) <= bound;
      return all;
    };
    return smallest > 2 * vanishing<double>(is_scaled()) * largest && within(L_, 0.5 / threshold) &&
           within(F_, std::numeric_limits<double>::max());
  }
  void solve_by_code(const Vector<S>& b, Vector<S>& x) {
    if constexpr (in_double) {
      const double* const in[] = {parts(b), parts(L_), parts(U_), parts(F_), parts(inverse_)};
      double* const out[] = {parts(x)};
      code_->solve->run(in, out, code_work_.data());
    }
  }
  static auto parts(auto& x) {
    return reinterpret_cast<
        std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(x)>>, const double, double>*>(x.data());
  }

  Outcome numbers(const Vector<S>& values, const Real& threshold) {
    Real smallest = std::numeric_limits<Real>::max(), largest(0);
    for (Index e = 0; e < F_.size(); ++e) {
      F_[e] = values[order_.F_entry[static_cast<std::size_t>(e)]];
      if (!(magnitude_of(F_[e]) <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(pattern_.columns); ++k) {
      for (int e = order_.target_start[k]; e < order_.target_start[k + 1]; ++e)
        work_[order_.target[static_cast<std::size_t>(e)]] = values[order_.source[static_cast<std::size_t>(e)]];
      eliminate(k);
      const Real size = take_column(k, smallest);
      if (!(size <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
      const Real diagonal = magnitude_of(pivot_[static_cast<Index>(k)]);
      if (diagonal == Real(0)) return Outcome::singular;
      if (diagonal < threshold * size) return Outcome::small_pivot;
      largest = std::max(largest, diagonal);
    }
    return smallest <= vanishing<Real>(is_scaled()) * largest ? Outcome::singular : Outcome::fine;
  }
  void eliminate(std::size_t k) {
    for (int u = order_.U_start[k]; u < order_.U_start[k + 1]; ++u) {
      const auto j = static_cast<std::size_t>(order_.U_row[static_cast<std::size_t>(u)]);
      const S x = work_[static_cast<Index>(j)];
      work_[static_cast<Index>(j)] = S(0);
      U_[u] = x;
      if (x == S(0)) continue;
      for (int l = order_.L_start[j]; l < order_.L_start[j + 1]; ++l)
        work_[order_.L_row[static_cast<std::size_t>(l)]] -= plain_product(L_[l], x);
    }
  }
  // The size of the largest candidate; `work` is zero again.
  Real take_column(std::size_t k, Real& smallest) {
    const S diagonal = work_[static_cast<Index>(k)], inverse = diagonal == S(0) ? S(0) : plain_inverse(diagonal);
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
      L_[l] = plain_product(x, inverse);
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
        work_[row[static_cast<std::size_t>(e)]] -= plain_product(entries[e], known);
    };
    for (Index k = begin; k < end; ++k) subtract(order_.L_start, order_.L_row, L_, k);
    for (Index k = end - 1; k >= begin; --k) {
      work_[k] = plain_product(work_[k], inverse_[k]);
      subtract(order_.U_start, order_.U_row, U_, k);
      subtract(order_.F_start, order_.F_row, F_, k);
    }
  }

  static constexpr bool in_double = std::is_same_v<Real, double>, is_complex = !std::is_same_v<S, Real>;

  const SparsePattern& pattern_;
  PivotSequence order_;
  Scales scales_;  // empty: none
  Vector<S> scaled_, L_, U_, F_, pivot_, inverse_, work_;
  SequenceCode* shared_ = nullptr;
  const GeneratedLu* code_ = nullptr;
  Vector<S> other_;  // a right-hand side or a solution
  Vector<double> code_work_;
};

}  // namespace

// A sequence that fails is followed by another one. Corrections go on with that: at most their last digits show what
// was computed before. In results it must not show, so they take it for that matrix alone, and return to the first one.
template <class S>
struct SparseLu<S>::Storage {
  using Real = RealOf<S>;
  using Outcome = typename Elimination<S>::Outcome;

  Storage(std::shared_ptr<const SparsePattern> fixed, SolutionUse use)
      : pattern(std::move(fixed)),
        threshold(reuse_threshold(use)),
        keeps_the_last(use == SolutionUse::correction),
        klu(*pattern),
        values(Vector<S>::Zero(pattern->entries())),
        usual(*pattern),
        special(*pattern) {}

  Status factorize() {
    present = &usual;
    const bool known = usual.exists();
    Outcome outcome = known ? usual.factorize(values, threshold) : choose(usual);
    // Code is for sequences that last, and the first one is likely to: those of single matrices would fill its table.
    if (outcome == Outcome::fine && ++served == (pivotings == 1 ? 1 : 10)) usual.share();
    if (known && (outcome == Outcome::small_pivot || outcome == Outcome::singular))
      outcome = choose(keeps_the_last ? usual : special);
    if (outcome == Outcome::non_finite)
      return {StatusCode::non_finite, "an entry of the iteration matrix is not finite"};
    if (outcome != Outcome::fine)
      return {StatusCode::singular, "a pivot of the iteration matrix vanishes to round-off"};
    return {};
  }
  // A sequence is kept when it works. Where a pivot vanishes beside others, it may do so for its units alone: masses in
  // grammes beside lengths in kilometres. So the scaled matrix decides.
  Outcome choose(Elimination<S>& elimination) {
    for (const S& x : values)
      if (!(magnitude_of(x) <= std::numeric_limits<Real>::max())) return Outcome::non_finite;
    present = &elimination;
    served = 0;
    Outcome outcome = Outcome::singular;
    for (const bool scaled : {false, true}) {
      const bool chosen = elimination.choose(klu, values, scaled);
      outcome = chosen ? elimination.factorize(values, Real(0)) : Outcome::singular;
      if (outcome == Outcome::fine) return ++pivotings, outcome;
    }
    elimination.forget();
    return outcome;
  }

  std::shared_ptr<const SparsePattern> pattern;
  Real threshold;  // of pivots that are used again
  bool keeps_the_last;
  Klu klu;
  Vector<S> values;
  Elimination<S> usual, special;
  Elimination<S>* present = &usual;
  long pivotings = 0, served = 0;  // factorisations by the usual sequence
};

template <class S>
SparseLu<S>::SparseLu(std::shared_ptr<const SparsePattern> pattern, SolutionUse use)
    : storage_(std::make_unique<Storage>(std::move(pattern), use)) {}
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
const Vector<S>& SparseLu<S>::solution(Vector<S>& b) {
  return storage_->present->solution(b);
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
  const bool full = entries > most_filled * size * size && size_ > most_full_unknowns<S>;
  const bool densely = size_ <= largest_dense || (largest_dense > 0 && full);
  if (densely) this->assembly_.complete(true);
  if (densely) {
    dense_ = std::make_unique<DenseLu<S>>(size_);
    this->entries_ = dense_->matrix().data();
  } else {
    sparse_ = std::make_unique<SparseLu<S>>(this->assembly_.pattern(), use_);
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
