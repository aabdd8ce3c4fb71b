// ESDIRK pair of order 4 and pseudo-stage order 3, against order reduction: Skvortsov's idea, coefficients derived
// here, since the review that names his methods prints none. On linear equations of any stiffness the errors of size
// h^3 that stages have do not reach the step end.
//
// Stages 2 to 4 have stage order 2, errors d = A c^2 - c^3/3, and N d, N^2 d = 0 with N = A below the diagonal. Later
// stages take them as one sum n Y, n orthogonal to d and N d, and have stage order 3 themselves, so no error is handed
// on. Stage 7 is the embedded solution of order 3. Both solutions are stiffly accurate and L-stable. The nodes 3, 4 and
// 6 are free: chosen for small coefficients, which are at most 1.3, and a small error of order 5.
//
// [Skv06] Skvortsov, Diagonally implicit Runge-Kutta methods for stiff problems, Comput. Math. Math. Phys. 46, 2006,
// 2110-2123.
#include "core/solvers/dense.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

class StagesByConditions {
 public:
  StagesByConditions() { limits_[0] = 1; }

  // Stage order 2 from stages 1 and 2, or for that one alone.
  void add_early(const Real100& node) {
    A_(size_, 1) = node * (node / 2 - g_) / (2 * g_);
    A_(size_, 0) = node - A_(size_, 1) - g_;
    close(node);
  }

  // Stages 2 to 4 become the sum n Y.
  void join_early() {
    const auto [d2, d3, d4] = std::tuple(error(1), error(2), error(3));
    sources_.col(1).segment(1, 3) << A_(3, 1) * d3 - A_(2, 1) * d4, -(A_(3, 1) * d2), A_(2, 1) * d2;
  }

  // Stage order 3; as many further conditions as there are stages before it to fulfil them.
  enum Conditions { none, vanishes_at_infinity, also_order_4 };
  void add(const Real100& node, Conditions further) {
    // n c^2 = 2 gamma n c, so the third condition holds by the node where two sources are all there are.
    const Index unknowns = size_ - 2;
    std::vector<Vector<Real100>> left{Vector<Real100>::Ones(8), c_};
    std::vector<Real100> right{node - g_, node * (node / 2 - g_)};
    const auto demand = [&](const Vector<Real100>& row, const Real100& value) {
      left.push_back(row), right.push_back(value);
    };
    if (unknowns > 2) demand(c_.cwiseAbs2(), node * node * (node / 3 - g_));
    if (further != none) demand(limits_, 0);
    if (further == also_order_4) demand(c_.array().cube().matrix(), Real100(1) / 4 - g_);
    Matrix<Real100> M(unknowns, unknowns);
    for (Index i = 0; i < unknowns; ++i)
      M.row(i) = left[static_cast<std::size_t>(i)].transpose() * sources_.leftCols(unknowns);
    A_.row(size_) = sources_.leftCols(unknowns) * dense::solve(M, Eigen::Map<Vector<Real100>>(right.data(), unknowns));
    close(node);
  }

  const Matrix<Real100>& A() const { return A_; }

 private:
  void close(const Real100& node) {
    limits_[size_] = -A_.row(size_).dot(limits_) / g_;
    A_(size_, size_) = g_, c_[size_] = node;
    ++size_;
  }
  Real100 error(Index i) const { return A_.row(i).dot(c_.cwiseAbs2()) - c_[i] * c_[i] * c_[i] / 3; }

  const Real100 g_ = Real100(1) / 4;
  Index size_ = 1;
  Matrix<Real100> A_ = Matrix<Real100>::Zero(8, 8);
  Vector<Real100> c_ = Vector<Real100>::Zero(8);
  Vector<Real100> limits_ = Vector<Real100>::Zero(8);  // of the stages of y' = L y, y(0) = 1, as h L -> -infinity
  // What later stages are made of, a column each: stage 1, n Y, stages 5 to 7.
  Matrix<Real100> sources_ = [] {
    Matrix<Real100> S = Matrix<Real100>::Zero(8, 5);
    S(0, 0) = S(4, 2) = S(5, 3) = S(6, 4) = 1;
    return S;
  }();
};

struct Skvortsov4 {
  static constexpr const char* name = "skvortsov-4";
  static constexpr const char* summary =
      "ESDIRK after Skvortsov: eight stages, order 4, embedded order 3, L-stable, stage order 2, pseudo-stage order 3.";
  static constexpr const char* source = "Skvortsov 2006; coefficients derived here";

  Options options() { return {}; }

  Tableau tableau(const std::string& /*where*/) const {
    StagesByConditions stages;
    stages.add_early(Real100(1) / 2);
    stages.add_early(Real100(1) / 5);
    stages.add_early(1);
    stages.join_early();
    stages.add((3 - sqrt(Real100(3))) / 4, StagesByConditions::none);
    stages.add(Real100(3) / 5, StagesByConditions::none);
    stages.add(1, StagesByConditions::vanishes_at_infinity);
    stages.add(1, StagesByConditions::also_order_4);
    Tableau t;
    t.name = name;
    t.claimed_order = 4, t.embedded_order = 3;
    t.A = stages.A();
    t.b = t.A.row(7).transpose(), t.b_embedded = t.A.row(6).transpose();
    t.c = t.A.rowwise().sum();
    return t;
  }
};
const TableauEntry<Skvortsov4> skvortsov_4_entry;

}  // namespace
}  // namespace daelab
