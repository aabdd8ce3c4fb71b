// Orders on index 1, index 2 and as half-explicit methods, from trees, against tables of the literature.
//
// [HLR89] Hairer, Lubich, Roche, LNM 1409, 1989. [BH93] Brasey, Hairer 1993. [HW96] Hairer, Wanner, Solving Ordinary
// Differential Equations II, Tables VI.1.1, VII.4.1.
#include "analysis/dae_orders.hpp"

#include <gmock/gmock.h>

#include <array>

#include "analysis/dae_trees.hpp"
#include "analysis/order_conditions.hpp"
#include "core/base/exact.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

std::vector<std::size_t> counts(const DaeForest& forest, Vertex root, int most) {
  std::vector<std::size_t> found;
  for (int order = 1; order <= most; ++order) found.push_back(forest.of(root, order).size());
  return found;
}

// Numbers of conditions that do not repeat: [HLR89] has the trees, two evaluations of all of them the repetitions.
TEST(DaeTrees, AreCountedAsKnown) {
  DaeForest two(2), three(3);
  two.grow_to(5), three.grow_to(4);
  EXPECT_THAT(counts(two, Vertex::y, 5), testing::ElementsAre(1, 2, 6, 21, 81));
  EXPECT_THAT(counts(two, Vertex::z, 4), testing::ElementsAre(1, 2, 7, 25));
  EXPECT_THAT(counts(three, Vertex::y, 4), testing::ElementsAre(1, 2, 10, 100));
  EXPECT_THAT(counts(three, Vertex::z, 3), testing::ElementsAre(1, 10, 100));
  EXPECT_THAT(counts(three, Vertex::u, 2), testing::ElementsAre(10, 100));
}

Tableau tableau_of(const std::string& spec) {
  const MethodForm form = method_of(spec)->form();
  return std::get<Tableau>(form);
}

// The first order of y whose conditions fail, and the residual of the first that does.
struct Failing {
  const char* method;
  int order;
  const char* condition;
  double residual;
};
class FirstFailingTree : public testing::TestWithParam<Failing> {};
TEST_P(FirstFailingTree, IsTheKnownOne) {
  const Failing& expected = GetParam();
  const DaeConditions y = index_two_conditions(tableau_of(expected.method), 6).y;
  ASSERT_TRUE(y.is_exact);
  EXPECT_EQ(y.order + 1, expected.order);
  EXPECT_THAT(y.violated, testing::StartsWith(std::string("b^T(") + expected.condition + ") = "));
  EXPECT_NEAR(static_cast<double>(y.residual), expected.residual, 1e-6);
}
INSTANTIATE_TEST_SUITE_P(Known, FirstFailingTree,
                         testing::Values(Failing{"radau-iia:s=2", 4, "c^3", 1.0 / 36},
                                         Failing{"gauss:s=2", 3, "W(c^3)", 1.0 / 6},
                                         Failing{"gauss:s=3", 4, "W(c^4)", 1.0 / 20},
                                         Failing{"alexander:s=3", 3, "c * W(c^2)", 0.19984334}));

// Global orders of y and z; nothing for what does not converge or is not settled by trees.
struct Known {
  const char* method;
  std::optional<int> one_y, one_z, two_y, two_z;
};
class KnownDaeOrders : public testing::TestWithParam<Known> {};
TEST_P(KnownDaeOrders, AreProved) {
  const Known& expected = GetParam();
  const Tableau t = tableau_of(expected.method);
  const std::vector<DaeOrders> found = dae_orders(t, order_report(t));
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].y, expected.one_y) << found[0].how;
  EXPECT_EQ(found[0].z, expected.one_z) << found[0].how;
  EXPECT_EQ(found[1].y, expected.two_y) << found[1].how;
  EXPECT_EQ(found[1].z, expected.two_z) << found[1].how;
}
INSTANTIATE_TEST_SUITE_P(Tables, KnownDaeOrders,
                         testing::Values(Known{"radau-iia:s=1", 1, 1, 1, 1}, Known{"radau-iia:s=2", 3, 3, 3, 2},
                                         Known{"radau-iia:s=3", 5, 5, 5, 3}, Known{"lobatto-iiic:s=2", 2, 2, 2, 1},
                                         Known{"lobatto-iiic:s=3", 4, 4, 4, 2}, Known{"lobatto-iiic:s=4", 6, 6, 6, 3},
                                         Known{"gauss:s=1", 2, 2, 2, {}}, Known{"gauss:s=2", 4, 2, 2, {}},
                                         Known{"gauss:s=3", 6, 4, 4, {}}, Known{"alexander:s=2", 2, 2, 2, 1},
                                         Known{"alexander:s=3", 3, 3, 2, 1}));

TEST(DaeOrders, OfIndexThreeAreBoundsOfTheStageOrder) {
  const Tableau radau = tableau_of("radau-iia:s=3"), gauss = tableau_of("gauss:s=3");
  const DaeOrders bounds = dae_orders(radau, order_report(radau)).back();
  EXPECT_EQ(bounds.index, 3);
  EXPECT_EQ(bounds.y, 3);
  EXPECT_EQ(bounds.u, 2);
  EXPECT_EQ(dae_orders(gauss, order_report(gauss)).back().index, 2);  // the step end is no stage
}

Tableau explicit_tableau(const std::vector<std::vector<const char*>>& A, const std::vector<const char*>& b) {
  const auto s = static_cast<Index>(b.size());
  Tableau t;
  t.A = Matrix<Real100>::Zero(s, s), t.b = Vector<Real100>(s);
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j)
      t.A(static_cast<Index>(i), static_cast<Index>(j)) = Exact(A[i][j]).value();
  for (std::size_t i = 0; i < b.size(); ++i) t.b[static_cast<Index>(i)] = Exact(b[i]).value();
  t.c = t.A.rowwise().sum();
  return t;
}

// HEM4 of [BH93] satisfies all conditions of order 4, HEM3 those of order 3.
TEST(HalfExplicitOrders, AreThoseOfBraseyAndHairer) {
  const Tableau hem3 = explicit_tableau({{}, {"1/3"}, {"-1", "2"}}, {"0", "3/4", "1/4"});
  EXPECT_EQ(half_explicit_conditions(hem3, 6).y.order, 3);
  const Tableau hem4 = explicit_tableau({{},
                                         {"3/10"},
                                         {"(1+sqrt(6))/30", "(11-4sqrt(6))/30"},
                                         {"(-79-31sqrt(6))/150", "(-1-4sqrt(6))/30", "(24+11sqrt(6))/25"},
                                         {"(14+5sqrt(6))/6", "(-8+7sqrt(6))/6", "(-9-7sqrt(6))/4", "(9-sqrt(6))/4"}},
                                        {"0", "0", "(16-sqrt(6))/36", "(16+sqrt(6))/36", "1/9"});
  const DaeConditions y = half_explicit_conditions(hem4, 6).y;
  EXPECT_EQ(y.order, 4) << y.violated;
  EXPECT_TRUE(y.is_exact);
  // The same stages without their shift: classical Runge-Kutta of order 4 has order 2 as a half-explicit method.
  EXPECT_EQ(half_explicit_conditions(tableau_of("rk4-classical"), 6).y.order, 2);
}

// One digit of one entry is enough to lose an order, and the tree that tells is named.
TEST(DaeOrders, FindASlip) {
  Tableau t = tableau_of("radau-iia:s=3");
  t.A(0, 0) += Real100("1e-9");
  const DaeConditions y = index_two_conditions(t, 6).y;
  EXPECT_LT(y.order, 3);
  EXPECT_TRUE(y.is_exact);
}

}  // namespace TEST_FILE
}  // namespace daelab
