#include "core/solvers/sparse_rank.hpp"

#ifdef DAELAB_SPQR
#include <SuiteSparseQR_C.h>
#include <cholmod.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>

#include "core/base/strict_arithmetic.hpp"
#include "core/solvers/sparse_rank_without_blas.hpp"

namespace daelab {
namespace {

#ifdef DAELAB_SPQR
// CHOLMOD's workspace of this thread and call.
class Cholmod {
 public:
  Cholmod() { cholmod_l_start(&common_); }
  ~Cholmod() { cholmod_l_finish(&common_); }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  cholmod_common* operator&() { return &common_; }

 private:
  cholmod_common common_;
};
#endif

struct Transposed {
  std::vector<std::int64_t> start, row;
  std::vector<double> value;
};

// A^T, column by column: one of each row of A.
Transposed transposed(const SparseMatrix<double>& A) {
  Transposed t;
  t.start.assign(static_cast<std::size_t>(A.rows()) + 1, 0);
  A.visit([&](Index i, Index, double) { ++t.start[static_cast<std::size_t>(i) + 1]; });
  for (std::size_t i = 1; i < t.start.size(); ++i) t.start[i] += t.start[i - 1];
  t.row.resize(static_cast<std::size_t>(A.values.size())), t.value.resize(t.row.size());
  std::vector<std::int64_t> next = t.start;
  A.visit([&](Index i, Index j, double value) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++);
    t.row[place] = j, t.value[place] = value;
  });
  return t;
}

double longest_row(const Transposed& t) {
  double longest = 0;
  for (std::size_t i = 0; i + 1 < t.start.size(); ++i) {
    double sum = 0;
    for (auto k = t.start[i]; k < t.start[i + 1]; ++k) {
      const double x = t.value[static_cast<std::size_t>(k)];
      sum += x * x;
    }
    longest = std::max(longest, sum);
  }
  return std::sqrt(longest);
}

#ifdef DAELAB_SPQR
// R may be a staircase: a column is independent of those before it where it reaches one row further down.
void read_triangle(const cholmod_sparse& R, const std::int64_t* order, RowDependence& result) {
  const auto* start = static_cast<const std::int64_t*>(R.p);
  const auto* row = static_cast<const std::int64_t*>(R.i);
  const auto* value = static_cast<const double*>(R.x);
  std::int64_t rank = 0;
  double smallest = 0, largest = 0;
  for (std::size_t k = 0; k < R.ncol; ++k) {
    double pivot = 0;
    for (std::int64_t e = start[k]; e < start[k + 1]; ++e)
      if (row[e] == rank) pivot = std::abs(value[e]);
    const Index constraint = order != nullptr ? order[k] : static_cast<Index>(k);
    if (pivot == 0) {
      result.dependent_rows.push_back(constraint);
      continue;
    }
    result.independent_rows.push_back(constraint);
    smallest = rank++ == 0 ? pivot : std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  result.smallest_kept = largest > 0 ? smallest / largest : 0;
  std::ranges::sort(result.independent_rows), std::ranges::sort(result.dependent_rows);
}
#endif

// The rows of A with these numbers.
SparseMatrix<double> rows_of(const SparseMatrix<double>& A, const std::vector<Index>& rows) {
  std::vector<int> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = static_cast<Index>(rows.size()), pattern->columns = A.columns();
  pattern->start.assign(static_cast<std::size_t>(A.columns()) + 1, 0);
  std::vector<double> values;
  A.visit([&](Index i, Index j, double value) {
    if (place[static_cast<std::size_t>(i)] < 0) return;
    pattern->row.push_back(place[static_cast<std::size_t>(i)]);
    pattern->start[static_cast<std::size_t>(j) + 1] = static_cast<int>(pattern->row.size());
    values.push_back(value);
  });
  for (std::size_t j = 1; j < pattern->start.size(); ++j)
    pattern->start[j] = std::max(pattern->start[j], pattern->start[j - 1]);
  SparseMatrix<double> result;
  result.take(pattern);
  result.values = Eigen::Map<Vector<double>>(values.data(), static_cast<Index>(values.size()));
  return result;
}

// A A^T then has few entries beside A: not where all constraints hang on one coordinate.
bool columns_are_short(const SparsePattern& A) {
  constexpr double short_column = 32;  // entries, in the mean over entries
  double products = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(A.columns); ++j) {
    const double length = A.start[j + 1] - A.start[j];
    products += length * length;
  }
  return products <= short_column * static_cast<double>(A.entries());
}

double largest_distance(const SparseMatrix<double>& A, const Transposed& t, const RowDependence& found,
                        double longest) {
  RowSpan span;
  if (!span.factorize(rows_of(A, found.independent_rows)).ok()) return 0;
  double largest = 0;
  Vector<double> row(A.columns());
  for (const Index i : found.dependent_rows) {
    row.setZero();
    for (auto k = t.start[static_cast<std::size_t>(i)]; k < t.start[static_cast<std::size_t>(i) + 1]; ++k)
      row[t.row[static_cast<std::size_t>(k)]] = t.value[static_cast<std::size_t>(k)];
    largest = std::max(largest, span.distance(row));
  }
  return largest / longest;
}

#ifdef DAELAB_SPQR
void find_rows_by_spqr(const SparseMatrix<double>& A, Transposed& t, double drop, RowDependence& result) {
  Cholmod common;
  cholmod_sparse matrix{};
  matrix.nrow = static_cast<std::size_t>(A.columns()), matrix.ncol = static_cast<std::size_t>(A.rows());
  matrix.nzmax = t.row.size(), matrix.p = t.start.data(), matrix.i = t.row.data(), matrix.x = t.value.data();
  matrix.itype = CHOLMOD_LONG, matrix.xtype = CHOLMOD_REAL, matrix.dtype = CHOLMOD_DOUBLE;
  matrix.stype = 0, matrix.sorted = 1, matrix.packed = 1;
  cholmod_sparse* R = nullptr;
  std::int64_t* order = nullptr;
  SuiteSparseQR_C(SPQR_ORDERING_DEFAULT, drop, 0, 0, &matrix, nullptr, nullptr, nullptr, nullptr, &R, &order, nullptr,
                  nullptr, nullptr, &common);
  if (R == nullptr) throw std::bad_alloc();  // every matrix has one
  read_triangle(*R, order, result);
  cholmod_l_free_sparse(&R, &common);
  cholmod_l_free(matrix.ncol, sizeof(std::int64_t), order, &common);
}
#endif

}  // namespace

bool has_sparse_qr() {
#ifdef DAELAB_SPQR
  return true;
#else
  return false;
#endif
}

RowDependence find_dependent_rows(const SparseMatrix<double>& A, double tolerance) {
  RowDependence result;
  Transposed t = transposed(A);
  const double longest = longest_row(t);
  if (!(longest > 0 && longest <= std::numeric_limits<double>::max())) {
    for (Index i = 0; i < A.rows(); ++i) result.dependent_rows.push_back(i);
    return result;
  }
#ifdef DAELAB_SPQR
  if (!strict_arithmetic())
    find_rows_by_spqr(A, t, tolerance * longest, result);
  else
#endif
    find_rows_without_blas(A, tolerance * longest, result);
  if (!result.dependent_rows.empty()) result.largest_dropped = largest_distance(A, t, result, longest);
  return result;
}

void RowSpan::arrange(const SparseMatrix<double>& A) {
  const Index m = A.rows(), n = A.columns();
  pattern_ = A.pattern;
  identity_.take(SparsePattern::diagonal(n));
  identity_.values.setOnes();
  lu_ = BlockLu<double>(n + m);
  unit_ = lu_.add(identity_.pattern, 0, 0);
  transposed_ = lu_.add(A.pattern, 0, n, true), rows_ = lu_.add(A.pattern, n, 0);
  lu_.complete();
  x_.setZero(n + m);
}

Status RowSpan::factorize(const SparseMatrix<double>& A) {
  if (A.pattern != pattern_) arrange(A);
  lu_.clear();
  lu_.accumulate(unit_, identity_);
  lu_.accumulate(transposed_, A), lu_.accumulate(rows_, A);
  return lu_.factorize();
}

double RowSpan::distance(const Vector<double>& row) {
  x_.setZero();
  x_.head(row.size()) = row;
  lu_.solve(x_);
  return x_.head(row.size()).norm();
}

void RowSpan::solve_gram(Vector<double>& b) {
  x_.setZero();
  x_.tail(b.size()) = b;
  lu_.solve(x_);
  b = -x_.tail(b.size());
}

void RowDistance::arrange(const SparseMatrix<double>& A) {
  pattern_ = A.pattern;
  dependency_.setZero(A.rows());
  forms_gram_ = columns_are_short(*A.pattern);
  if (!forms_gram_) return;
  product_.prepare(A.pattern, A.pattern);
  product_.multiply(A, A, gram_);
  lu_ = BlockLu<double>(A.rows());
  all_ = lu_.add(gram_.pattern, 0, 0);
  lu_.complete();
}

Status RowDistance::factorize(const SparseMatrix<double>& A) {
  if (A.pattern != pattern_) arrange(A);
  if (!forms_gram_) return span_.factorize(A);
  product_.multiply(A, A, gram_);
  lu_.clear();
  lu_.accumulate(all_, gram_);
  return lu_.factorize();
}

double RowDistance::least(const SparseMatrix<double>& A) {
  if (const Status status = factorize(A); !status.ok())
    return status.code == StatusCode::singular ? 0 : std::numeric_limits<double>::quiet_NaN();
  // Multiples of the golden section modulo 1: no symmetry that could hide a combination.
  for (Index i = 0; i < dependency_.size(); ++i) {
    const double multiple = 0.6180339887498949 * static_cast<double>(i + 1);
    dependency_[i] = multiple - std::floor(multiple) - 0.5;
  }
  constexpr int iterations = 3;
  for (int k = 0; k < iterations; ++k) {
    dependency_ /= dependency_.norm();
    solve_gram(dependency_);
  }
  Index row = 0;
  dependency_.cwiseAbs().maxCoeff(&row);
  dependency_ = Vector<double>::Unit(dependency_.size(), row);
  solve_gram(dependency_);
  return 1 / std::sqrt(dependency_[row]);
}

}  // namespace daelab
