// Random positive semidefinite systems: the abstract problem of the symmetric rank-one iteration.
//
//   A0 = U L U^T,  A = U (L + V Phi V^T) U^T,  b0 = U c,  b = U c,
//
// with random orthonormal U (n, r) and V (r, r1), L = diag(kappa ... 1), so lambda_r(A0) = 1, and
// Phi = diag(phi), max |phi_j| = perturbation, the others between half of it and all of it.
// Turned ranges: U V leaves the range of A0, U V_j -> cos(theta) U V_j + sin(theta) W_j with W orthogonal to U
// and tan(theta) = perturbation, in A and b. [Iv23, eqs. (4) to (8), (22), (26)]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include <cstdint>
#include <random>

#include "core/solvers/linear_problem.hpp"

namespace daelab {
namespace {

using Mat = Matrix<Real100>;
using Vec = Vector<Real100>;

// The same on every platform: the standard fixes mt19937, but no distribution.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  /// In (-1, 1).
  Real100 symmetric() { return Real100(2 * static_cast<std::uint64_t>(engine_()) + 1) / Real100(1ull << 32) - 1; }
  Real100 between(const Real100& lower, const Real100& upper) {
    return lower + (upper - lower) * (symmetric() + 1) / 2;
  }
  Vec vector(Index size) {
    Vec x(size);
    for (Real100& entry : x) entry = symmetric();
    return x;
  }

 private:
  std::mt19937 engine_;
};

Real100 dot(const auto& x, const auto& y) {
  Real100 sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// `count` random orthonormal columns, orthogonal to those of `basis`. Gram-Schmidt.
Mat orthonormal(RandomNumbers& random, Index count, const Mat& basis) {
  Mat all(basis.rows(), basis.cols() + count);
  all.leftCols(basis.cols()) = basis;
  for (Index k = basis.cols(); k < all.cols(); ++k) {
    Vec q = random.vector(basis.rows());
    for (Index j = 0; j < k; ++j) q -= Vec(all.col(j) * dot(all.col(j), q));
    all.col(k) = q / Real100(sqrt(dot(q, q)));
  }
  return all.rightCols(count);
}

// Q B Q^T, symmetric to the last bit.
Mat congruent(const Mat& Q, const Mat& B) {
  const Mat QB = Q.lazyProduct(B);
  Mat A(Q.rows(), Q.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j <= i; ++j) A(i, j) = A(j, i) = dot(QB.row(i), Q.row(j));
  return A;
}

struct RandomPsd {
  static constexpr const char* name = "random-psd";
  static constexpr const char* summary =
      "Random positive semidefinite system and a perturbation of it, of given ranks.";
  static constexpr const char* source = "Ivanov 2023, eqs. (4) to (8), (22), (26)";

  enum class Sign { positive, negative, indefinite };
  friend std::vector<std::string> names_of(Sign) { return {"positive", "negative", "indefinite"}; }

  int size = 8, rank = 5, perturbation_rank = 2, seed = 1;
  Sign sign = Sign::positive;
  Exact perturbation = "1/2", condition = 10;
  bool common_range = true;

  Options options() {
    return {option("size", size, "n, of the system", at_least(1)),
            option("rank", rank, "r, of A0 and of A", at_least(1)),
            option("perturbation_rank", perturbation_rank, "r1, of A - A0", at_least(1)),
            option("sign", sign, "of the nonzero eigenvalues of A - A0; indefinite: alternating"),
            option("perturbation", perturbation,
                   "|A - A0| relative to the least nonzero eigenvalue of A0; below 1 unless positive", positive()),
            option("condition", condition, "condition number of A0 on its range (1 where the rank is 1)", at_least(1)),
            option("common_range", common_range,
                   "false: the perturbed directions also leave the range of A0, by the angle arctan(perturbation)"),
            option("seed", seed, "of the random numbers", at_least(0))};
  }

  void validate(const std::string& where) const {
    const auto check = [&](bool holds, const char* key, const std::string& message) {
      if (!holds) throw InputError(where + "/" + key, message);
    };
    check(rank <= size, "rank", fmt::format("{} is larger than the size {}", rank, size));
    check(perturbation_rank <= rank, "perturbation_rank",
          fmt::format("{} is larger than the rank {}", perturbation_rank, rank));
    check(sign != Sign::indefinite || perturbation_rank > 1, "perturbation_rank",
          "an indefinite perturbation has rank 2 or more");
    check(sign == Sign::positive || perturbation.value() < 1, "perturbation",
          fmt::format("{} is out of range: below 1, so that A keeps its rank when eigenvalues fall",
                      perturbation.text()));
    check(common_range || perturbation_rank <= size - rank, "perturbation_rank",
          fmt::format("{} directions cannot leave the range: only {} are orthogonal to it", perturbation_rank,
                      size - rank));
  }

  LinearPair pair() const {
    RandomNumbers random(static_cast<unsigned>(seed));
    const Mat U = orthonormal(random, rank, Mat(size, 0)), V = orthonormal(random, perturbation_rank, Mat(rank, 0));
    const Mat L = eigenvalues(random).asDiagonal(), Phi = perturbations(random).asDiagonal();
    const Vec c = random.vector(rank);
    const Mat Q = common_range ? U : turned(U, V, orthonormal(random, perturbation_rank, U));
    return {congruent(U, L), congruent(Q, L + congruent(V, Phi)), U.lazyProduct(c), Q.lazyProduct(c)};
  }

 private:
  Vec eigenvalues(RandomNumbers& random) const {
    Vec l(rank);
    for (Index i = 0; i < rank; ++i)
      l[i] = i == rank - 1 ? Real100(1) : i == 0 ? condition.value() : random.between(1, condition.value());
    return l;
  }
  Vec perturbations(RandomNumbers& random) const {
    Vec phi(perturbation_rank);
    for (Index j = 0; j < perturbation_rank; ++j) {
      phi[j] = j == 0 ? perturbation.value() : random.between(perturbation.value() / 2, perturbation.value());
      if (sign == Sign::negative || (sign == Sign::indefinite && j % 2 == 1)) phi[j] = -phi[j];
    }
    return phi;
  }
  // U + (U V (cos - 1) + W sin) V^T.
  Mat turned(const Mat& U, const Mat& V, const Mat& W) const {
    const Real100 cosine = 1 / sqrt(1 + perturbation.value() * perturbation.value());
    const Real100 sine = perturbation.value() * cosine;
    const Mat change = U.lazyProduct(V) * Real100(cosine - 1) + W * sine;
    return U + Mat(change.lazyProduct(V.transpose()));
  }
};
const LinearProblemEntry<RandomPsd> random_psd_entry;

}  // namespace
}  // namespace daelab
