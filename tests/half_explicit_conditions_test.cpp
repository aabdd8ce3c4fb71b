// The order conditions of half-explicit Runge-Kutta methods for index 2, in exact arithmetic.
//
// [HLR89] Hairer, Lubich, Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods,
//         Springer, 1989.
#include <gmock/gmock.h>

#include <deque>

#include "core/base/rational.hpp"
#include "methods/constrained/half_explicit_scheme.hpp"

namespace daelab {
namespace TEST_FILE {

// a + b sqrt(6), what all coefficients are.
struct Surd {
  Rational a, b;
  Surd(Rational a = 0, Rational b = 0) : a(std::move(a)), b(std::move(b)) {}  // NOLINT: implicit on purpose
  friend Surd operator+(const Surd& x, const Surd& y) { return {x.a + y.a, x.b + y.b}; }
  friend Surd operator-(const Surd& x, const Surd& y) { return {x.a - y.a, x.b - y.b}; }
  friend Surd operator*(const Surd& x, const Surd& y) { return {x.a * y.a + 6 * x.b * y.b, x.a * y.b + x.b * y.a}; }
  friend Surd operator/(const Surd& x, const Surd& y) {
    const Rational norm = y.a * y.a - 6 * y.b * y.b;
    return x * Surd(y.a / norm, -y.b / norm);
  }
  friend bool operator==(const Surd&, const Surd&) = default;
};
using Surds = std::vector<Surd>;

Surd exact_coefficient(const Real100& x) {
  if (const auto fraction = recover_fraction(x)) return {*fraction};
  const QuadraticSurd surd = recover_surd(x).value();
  EXPECT_EQ(surd.D, 6);
  return {Rational(surd.a, surd.c), Rational(surd.b, surd.c)};
}

// A tree of y' = f(y, z) with f linear in z: its sons, and the sons of the z-son, which is absent where there are none.
// A z-son with a single son gives no condition of its own. [HLR89, Sec. 5]
struct Tree {
  int order = 1;
  std::vector<const Tree*> sons, sons_of_z;
};

class Trees {
 public:
  explicit Trees(int most) {
    for (int order = 1; order <= most; ++order) {
      std::vector<Tree> fresh;
      for (const auto& sons : forests(order - 1)) fresh.push_back({order, sons, {}});
      for (int in_z = 2; in_z <= order; ++in_z)
        for (const auto& sons_of_z : forests(in_z))
          if (sons_of_z.size() > 1)
            for (const auto& sons : forests(order - in_z)) fresh.push_back({order, sons, sons_of_z});
      for (Tree& tree : fresh) all_.push_back(std::move(tree));
    }
  }
  const std::deque<Tree>& all() const { return all_; }

 private:
  using Forest = std::vector<const Tree*>;
  // Those of so many nodes in all, from the trees there are.
  std::vector<Forest> forests(int nodes) const {
    std::vector<Forest> list;
    add(nodes, 0, {}, list);
    return list;
  }
  void add(int nodes, std::size_t first, const Forest& begun, std::vector<Forest>& list) const {
    if (nodes == 0) list.push_back(begun);
    for (std::size_t k = first; k < all_.size(); ++k) {
      if (all_[k].order > nodes) continue;
      Forest longer = begun;
      longer.push_back(&all_[k]);
      add(nodes - all_[k].order, k, longer, list);
    }
  }

  std::deque<Tree> all_;
};

// The slopes of elementary differentials, exact ones as factor x^power, and those of the stages.
class Slopes {
 public:
  explicit Slopes(const HalfExplicitScheme& scheme)
      : A_(rows(scheme.tableau.A)), D_(rows(scheme.constrained)), first_(scheme.explicit_first_stage() ? 1 : 0) {}

  struct Monomial {
    Rational factor = 1;
    int power = 0;
  };
  static Monomial exact(const Tree& tree) {
    Monomial x, z = product(tree.sons_of_z);
    x = product(tree.sons);
    if (tree.sons_of_z.empty()) return x;
    return {x.factor * z.factor * z.power, x.power + z.power - 1};  // z: the derivative of what its sons say
  }
  static Rational exact_step(const Tree& tree) { return product({&tree}).factor; }

  /// Of stages, then at both ends.
  Surds operator()(const Tree& tree) const {
    Surds x = stages(tree);
    const Monomial end = exact(tree);
    x.emplace_back(end.power == 0 ? end.factor : Rational(0));
    x.emplace_back(end.factor);
    return x;
  }

 private:
  static std::vector<Surds> rows(const Matrix<Real100>& A) {
    std::vector<Surds> list(static_cast<std::size_t>(A.rows()));
    for (Index i = 0; i < A.rows(); ++i)
      for (Index j = 0; j < A.cols(); ++j) list[static_cast<std::size_t>(i)].push_back(exact_coefficient(A(i, j)));
    return list;
  }
  static Monomial product(const std::vector<const Tree*>& sons) {
    Monomial x;
    for (const Tree* son : sons) {
      const Monomial slope = exact(*son);
      x.factor *= slope.factor / (slope.power + 1), x.power += slope.power + 1;
    }
    return x;
  }
  Surds product(const std::vector<const Tree*>& sons, const std::vector<Surds>& coefficients) const {
    Surds x(A_.size(), Surd(1));
    for (const Tree* son : sons) {
      const Surds slope = stages(*son);
      for (std::size_t i = 0; i < x.size(); ++i) {
        Surd sum;
        for (std::size_t j = 0; j < x.size(); ++j) sum = sum + coefficients[i][j] * slope[j];
        x[i] = x[i] * sum;
      }
    }
    return x;
  }
  // The constraint of a stage: a row of D times the z of all stages is what the sons of z make of it.
  Surds stages(const Tree& tree) const {
    Surds x = product(tree.sons, A_);
    if (tree.sons_of_z.empty()) return x;
    Surds z = product(tree.sons_of_z, D_);
    for (std::size_t i = 0; i < z.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) z[i] = z[i] - D_[i][j] * z[j];
      z[i] = i < first_ ? Surd(0) : z[i] / D_[i][i];
      x[i] = x[i] * z[i];
    }
    return x;
  }

  std::vector<Surds> A_, D_;
  std::size_t first_;
};

Surd weighted(const Vector<Real100>& weights, const Surds& slopes) {
  Surd sum;
  for (Index i = 0; i < weights.size(); ++i)
    sum = sum + exact_coefficient(weights[i]) * slopes[static_cast<std::size_t>(i)];
  return sum;
}

// Every condition of index 2 up to the order, in exact arithmetic; the embedded weights meet theirs, and miss every one
// of the next order, so that the estimate sees each elementary differential of that order. Numbers of trees: as a
// computer algebra system made them.
TEST(HalfExplicit, CoefficientsMeetTheOrderConditions) {
  const Trees trees(5);
  std::array<int, 6> counts{};
  for (const Tree& tree : trees.all()) ++counts[static_cast<std::size_t>(tree.order)];
  EXPECT_THAT(counts, testing::ElementsAre(0, 1, 2, 7, 29, 130));
  for (int order = 1; order <= 5; ++order) {
    SCOPED_TRACE(order);
    const HalfExplicitScheme scheme = half_explicit_scheme(order);
    EXPECT_EQ(scheme.tableau.claimed_order, order);
    const Slopes slopes(scheme);
    for (const Tree& tree : trees.all()) {
      const Surds of_tree = slopes(tree);
      const Surd exact(Slopes::exact_step(tree));
      if (tree.order <= order) {
        EXPECT_EQ(weighted(scheme.tableau.b, of_tree), exact) << tree.order;
      }
      const Surd embedded = weighted(scheme.embedded, of_tree);
      if (tree.order <= scheme.embedded_order) {
        EXPECT_EQ(embedded, exact) << tree.order;
      } else if (order > 1 && tree.order == scheme.embedded_order + 1) {
        EXPECT_NE(embedded, exact) << tree.order;
      }
    }
    EXPECT_EQ(scheme.constrained.bottomRows(1), scheme.tableau.b.transpose()) << "steps end on the constraints";
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
