#include "core/solvers/pivot_sequence.hpp"

#include <klu.h>

#include <algorithm>
#include <memory>
#include <new>

namespace daelab {
namespace {

// A pivot may be this much smaller than the largest candidate of its column when pivots are chosen.
constexpr double choice_threshold = 0.1;

// Rows ascending: an order in which columns depend on columns before.
void without_diagonal(const std::vector<int>& start, const std::vector<int>& row, std::vector<int>& new_start,
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

void place_entries(const SparsePattern& pattern, PivotSequence& s) {
  const auto n = static_cast<std::size_t>(pattern.columns);
  std::vector<int> position(n);
  for (std::size_t i = 0; i < n; ++i) position[static_cast<std::size_t>(s.rows[i])] = static_cast<int>(i);
  s.target.clear(), s.source.clear(), s.target_start.assign(1, 0);
  s.F_start.assign(1, 0), s.F_row.clear(), s.F_entry.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const auto column = static_cast<std::size_t>(s.columns[k]);
    for (int e = pattern.start[column]; e < pattern.start[column + 1]; ++e) {
      const int i = position[static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)])];
      const bool above = i < s.block_begin[k];
      (above ? s.F_row : s.target).push_back(i);
      (above ? s.F_entry : s.source).push_back(e);
    }
    s.F_start.push_back(static_cast<int>(s.F_row.size())), s.target_start.push_back(static_cast<int>(s.target.size()));
  }
}

}  // namespace

Index PivotSequence::updates() const {
  Index count = 0;
  for (const int j : U_row) {
    const auto column = static_cast<std::size_t>(j);
    count += L_start[column + 1] - L_start[column];
  }
  return count;
}

namespace {

klu_common settings() {
  klu_common common{};
  klu_defaults(&common);
  common.scale = 0;
  common.tol = choice_threshold;
  return common;
}

// Without it, a matrix is not singular.
void require_memory(const klu_common& common) {
  if (common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
}

template <bool is_complex>
void free_numeric(klu_numeric* numeric) {
  klu_common common = settings();
  is_complex ? klu_z_free_numeric(&numeric, &common) : klu_free_numeric(&numeric, &common);
}
using Numeric = std::unique_ptr<klu_numeric, void (*)(klu_numeric*)>;

}  // namespace

// Shared: what KLU writes into, its settings, is made for each call.
struct Klu::Analysis {
  explicit Analysis(const SparsePattern& of) : pattern(of) {
    klu_common common = settings();
    symbolic = klu_analyze(size(), start(), row(), &common);
    require_memory(common);
  }
  ~Analysis() {
    klu_common common = settings();
    klu_free_symbolic(&symbolic, &common);
  }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  // The last one of a thread is kept: the real and the complex matrix of a method have one pattern, and so have runs of
  // one mechanism.
  static std::shared_ptr<const Analysis> of(const SparsePattern& pattern) {
    thread_local std::shared_ptr<const Analysis> last;
    const bool is_same = last && last->pattern.start == pattern.start && last->pattern.row == pattern.row;
    if (!is_same) last = std::make_shared<const Analysis>(pattern);
    return last;
  }

  bool extract(const Numeric& numeric, klu_common& common, PivotSequence& s, bool complex) const;
  int size() const { return static_cast<int>(pattern.columns); }
  // KLU reads only.
  int* start() const { return const_cast<int*>(pattern.start.data()); }
  int* row() const { return const_cast<int*>(pattern.row.data()); }

  const SparsePattern pattern;
  klu_symbolic* symbolic = nullptr;  // null: structurally singular
};

bool Klu::Analysis::extract(const Numeric& numeric, klu_common& common, PivotSequence& s, bool complex) const {
  require_memory(common);
  if (numeric == nullptr) return false;
  const auto n = static_cast<std::size_t>(size());
  const auto nz = [](int count) { return static_cast<std::size_t>(count); };
  std::vector<int> L_start(n + 1), U_start(n + 1), blocks(n + 1);
  std::vector<int> L_row(nz(numeric->lnz)), U_row(nz(numeric->unz));
  s.rows.resize(n), s.columns.resize(n);
  // Without places for numbers, no rows are given.
  std::vector<double> real(std::max(L_row.size(), U_row.size())), imaginary(complex ? real.size() : 0);
  if (complex) {
    klu_z_extract(numeric.get(), symbolic, L_start.data(), L_row.data(), real.data(), imaginary.data(), U_start.data(),
                  U_row.data(), real.data(), imaginary.data(), nullptr, nullptr, nullptr, nullptr, s.rows.data(),
                  s.columns.data(), nullptr, blocks.data(), &common);
  } else {
    klu_extract(numeric.get(), symbolic, L_start.data(), L_row.data(), real.data(), U_start.data(), U_row.data(),
                real.data(), nullptr, nullptr, nullptr, s.rows.data(), s.columns.data(), nullptr, blocks.data(),
                &common);
  }
  without_diagonal(L_start, L_row, s.L_start, s.L_row);
  without_diagonal(U_start, U_row, s.U_start, s.U_row);
  s.block_begin.assign(n, 0), s.block_end.assign(n, 0);
  for (std::size_t b = 0; b < nz(symbolic->nblocks); ++b)
    for (int k = blocks[b]; k < blocks[b + 1]; ++k)
      s.block_begin[nz(k)] = blocks[b], s.block_end[nz(k)] = blocks[b + 1];
  place_entries(pattern, s);
  return true;
}

Klu::Klu(const SparsePattern& pattern) : analysis_(Analysis::of(pattern)) {}
Klu::~Klu() = default;

bool Klu::choose(Vector<double>& values, PivotSequence& sequence) {
  const Analysis& a = *analysis_;
  klu_common common = settings();
  if (a.symbolic == nullptr) return false;
  const Numeric numeric(klu_factor(a.start(), a.row(), values.data(), a.symbolic, &common), free_numeric<false>);
  return a.extract(numeric, common, sequence, false);
}

bool Klu::choose(Vector<std::complex<double>>& values, PivotSequence& sequence) {
  const Analysis& a = *analysis_;
  klu_common common = settings();
  if (a.symbolic == nullptr) return false;
  double* const numbers = reinterpret_cast<double*>(values.data());
  const Numeric numeric(klu_z_factor(a.start(), a.row(), numbers, a.symbolic, &common), free_numeric<true>);
  return a.extract(numeric, common, sequence, true);
}

}  // namespace daelab
