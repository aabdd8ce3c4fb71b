// LU of the saddle-point matrix [ M G^T ; G 0 ] on its pattern: for mechanisms of many bodies, where each one is
// coupled to few others. M may be singular as long as it is positive definite on the null space of G; the rows of G
// must be independent.
#include "core/solvers/sparse_lu.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace {

template <class T>
class SparseKkt final : public Multipliers<T> {
 public:
  SparseKkt(Index coordinates, Index constraints) : n_(coordinates), m_(constraints) {
    x_.setZero(n_ + m_), r_.setZero(m_);
  }

 protected:
  Status solve_sparse_saddle_point(const SparseSaddlePoint<T>& s, Vector<T>& a, Vector<T>& mu) override {
    if (!lu_ || s.M.pattern != M_pattern_ || s.G.pattern != G_pattern_) arrange(s);
    G_.take(s.G.pattern);
    G_.values = s.G.values;
    lu_->clear();
    lu_->accumulate(M_, s.M);
    lu_->accumulate(G_transposed_, s.G);
    lu_->accumulate(G_block_, s.G);
    if (const Status status = lu_->factorize(); !status.ok()) {
      if (status.code != StatusCode::singular) return status;
      return {StatusCode::singular,
              "the saddle-point matrix is singular: dependent constraints, or a mass matrix "
              "that is singular on the motions they allow"};
    }
    const Status status = solve_right_hand_side(s.f, s.h, a, mu);
    this->report_.flops += lu_->factor_flops();
    return status;
  }
  // Of matrices that come in dense, by what is not zero in them now.
  Status solve_saddle_point(const SaddlePoint<T>& s, Vector<T>& a, Vector<T>& mu) override {
    fit(s.M, given_M_), fit(s.G, given_G_);
    return solve_sparse_saddle_point({given_M_, given_G_, s.f, s.h}, a, mu);
  }
  // The residual |G a + h| is |A mu - b| with a = M^-1 (f - G^T mu).
  Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) override {
    x_.head(n_) = f;
    x_.tail(m_) = -h;
    lu_->solve(x_);
    a = x_.head(n_), mu = x_.tail(m_);
    r_ = h;
    G_.add_product(a, r_, T(1));
    this->report_ = {};
    this->report_.residual = static_cast<double>(r_.norm());
    this->report_.rank = m_;
    this->report_.flops = lu_->solve_flops();
    return {};
  }
  Status solve_reduced(const Matrix<T>&, const Vector<T>&, Vector<T>&) override {
    return {StatusCode::not_applicable, "sparse-lu solves the saddle-point system as a whole and never forms A mu = b"};
  }

 private:
  void arrange(const SparseSaddlePoint<T>& s) {
    M_pattern_ = s.M.pattern, G_pattern_ = s.G.pattern;
    lu_ = std::make_unique<BlockLu<T>>(n_ + m_);
    M_ = lu_->add(M_pattern_, 0, 0);
    G_transposed_ = lu_->add(G_pattern_, 0, n_, true);
    G_block_ = lu_->add(G_pattern_, n_, 0);
    lu_->complete();
  }
  // The pattern grows by entries that were zero before.
  static void fit(const Matrix<T>& A, SparseMatrix<T>& x) {
    Index found = 0, nonzeros = 0;
    if (x.columns() == A.cols() && x.rows() == A.rows()) {
      const SparsePattern& p = *x.pattern;
      for (Index j = 0; j < A.cols(); ++j)
        for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j) + 1]; ++k) {
          x.values[k] = A(p.row[static_cast<std::size_t>(k)], j);
          if (x.values[k] != T(0)) ++found;
        }
      nonzeros = (A.array() != T(0)).count();
      if (found == nonzeros) return;
    }
    auto pattern = std::make_shared<SparsePattern>();
    pattern->rows = A.rows(), pattern->columns = A.cols();
    for (Index j = 0; j < A.cols(); ++j) {
      for (Index i = 0; i < A.rows(); ++i)
        if (A(i, j) != T(0)) pattern->row.push_back(static_cast<int>(i));
      pattern->start.push_back(static_cast<int>(pattern->row.size()));
    }
    x.take(pattern);
    Index k = 0;
    x.visit([&](Index i, Index j, const T&) { x.values[k++] = A(i, j); });
  }

  Index n_, m_;
  std::shared_ptr<const SparsePattern> M_pattern_, G_pattern_;
  std::unique_ptr<BlockLu<T>> lu_;
  std::size_t M_ = 0, G_transposed_ = 0, G_block_ = 0;
  SparseMatrix<T> G_, given_M_, given_G_;
  Vector<T> x_, r_;
};

struct SparseLuSolver {
  static constexpr const char* name = "sparse-lu";
  static constexpr const char* summary =
      "Sparse LU of the whole saddle-point matrix, for many bodies; independent constraints only.";
  static constexpr const char* source = "Davis, Palamadai Natarajan, ACM TOMS 37(3), 2010, 36";
  MultiplierFacts facts() const { return {.patterns = true}; }
  Options options() { return {}; }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const {
    return std::make_unique<SparseKkt<T>>(coordinates, constraints);
  }
};
const MultiplierSolverEntry<SparseLuSolver> sparse_lu_entry;

}  // namespace
}  // namespace daelab
