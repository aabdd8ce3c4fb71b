// Sparse factorisations kept from step to step, and matrices made of blocks, factorised densely or sparsely.
//
// [DPN10] Davis, Palamadai Natarajan, ACM Transactions on Mathematical Software 37(3), 2010, 36:1-36:17.
#pragma once

#include <complex>
#include <memory>

#include "core/solvers/linear_solver.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// What solutions are used as. What a correction lacks the next one brings, so its matrix may lose more digits.
enum class SolutionUse { result, correction };

/// LU of a matrix on a fixed pattern. Fill values(), factorize(), then solve as often as needed.
///
/// KLU [DPN10] orders the matrix once and chooses pivots at the first factorisation, in double; all others repeat its
/// steps on new numbers, in S, without allocation. Where a pivot becomes a thousandth of its column, they are chosen
/// anew for that matrix alone; of corrections, where it becomes a hundred-thousandth, for all that follow, too. S:
/// double, Real50, or std::complex of these.
template <class S>
class SparseLu {
 public:
  explicit SparseLu(std::shared_ptr<const SparsePattern> pattern, SolutionUse use = SolutionUse::result);
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  Vector<S>& values();  // (entries)
  /// StatusCode::singular when a pivot vanishes to round-off, of the matrix with scaled rows and columns, too;
  /// non_finite for bad entries.
  Status factorize();
  /// b := A^-1 b.
  void solve(Vector<S>& b);
  /// A^-1 b without copying it: in b, or in memory of its own until the next solution, where b keeps what it has.
  const Vector<S>& solution(Vector<S>& b);
  /// Entries of the factors; additions and multiplications of a factorisation by the sequence at hand.
  Index fill() const;
  double flops() const;
  /// How many times pivots have been chosen.
  long pivotings() const;

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

/// A square matrix that is the sum of blocks times factors, factorised sparsely, or densely where more than half of its
/// entries are not zero and it has more than 32 unknowns (100 in complex numbers). Context::largest_dense_size, as it
/// is when the matrix is completed: dense ones up to this size however full, and none where it is 0. Tests compare both
/// ways.
///
/// Sparse factorisations are faster from six unknowns on where patterns have room (bench/large_bench.cpp and problems;
/// ns of one factorisation and solution, dense / sparse): car-axis, 6 unknowns, 310 / 190; two-link manipulator, 10,
/// 520 / 270; seven-body, 13, 860 / 500; chains of 4, 8 and 32 links, 20, 40 and 160: 2000 / 610, 7700 / 1300, 254000 /
/// 5700; in complex numbers by twice as much. Generated code is faster for full ones, too: 8 unknowns, 301 / 112, 14,
/// 738 / 368, 24, 2640 / 1710 (docs/performance.md). Dense matrices would choose the best pivots every time; those of a
/// sparse one are watched, and chosen anew where they are poor.
template <class S>
class BlockLu : public BlockSum<S> {
 public:
  explicit BlockLu(Index size, SolutionUse use = SolutionUse::result)
      : BlockSum<S>(size, size), size_(size), use_(use) {}

  /// After all blocks.
  void complete();
  bool is_sparse() const { return sparse_ != nullptr; }

  void clear();
  Status factorize() { return sparse_ ? sparse_->factorize() : dense_->factorize(); }
  void solve(Vector<S>& b) { sparse_ ? sparse_->solve(b) : dense_->solve(b); }
  /// As SparseLu::solution.
  const Vector<S>& solution(Vector<S>& b) { return sparse_ ? sparse_->solution(b) : (dense_->solve(b), b); }
  /// Additions and multiplications of a factorisation, and of a solution.
  double factor_flops() const {
    const double n = static_cast<double>(size_);
    return sparse_ ? sparse_->flops() : 2 * n * n * n / 3;
  }
  double solve_flops() const {
    const double n = static_cast<double>(size_);
    return 2 * (sparse_ ? static_cast<double>(sparse_->fill()) : n * n);
  }

 private:
  Index size_;
  SolutionUse use_;
  std::unique_ptr<SparseLu<S>> sparse_;
  std::unique_ptr<DenseLu<S>> dense_;
};

}  // namespace daelab
