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

// Those of all trees: what methods need whose A^-1 and A do not cancel.
TEST(DaeTrees, OfAllKindsAreCountedAsKnown) {
  DaeForest two(2, {}, Trees::all), three(3, {}, Trees::all);
  two.grow_to(5), three.grow_to(4);
  EXPECT_THAT(counts(two, Vertex::y, 5), testing::ElementsAre(1, 3, 22, 192, 1972));
  EXPECT_THAT(counts(two, Vertex::z, 4), testing::ElementsAre(2, 13, 112, 1131));
  EXPECT_THAT(counts(three, Vertex::y, 4), testing::ElementsAre(1, 2, 17, 305));
  EXPECT_THAT(counts(three, Vertex::z, 3), testing::ElementsAre(1, 12, 256));
  EXPECT_THAT(counts(three, Vertex::u, 2), testing::ElementsAre(10, 164));
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
                                         Known{"gauss:s=1", 2, 2, 2, 0}, Known{"gauss:s=2", 4, 2, 2, 0},
                                         Known{"gauss:s=3", 6, 4, 4, 2}, Known{"gauss:s=4", 8, 4, 4, 2},
                                         Known{"alexander:s=2", 2, 2, 2, 1}, Known{"alexander:s=3", 3, 3, 2, 1}));

// Orders of local conditions on index 3, of y up to 5: another program evaluated all trees of y up to order 4.
struct KnownLocal {
  const char* method;
  int y, z, u;
};
class LocalConditionsOfIndexThree : public testing::TestWithParam<KnownLocal> {};
TEST_P(LocalConditionsOfIndexThree, AreSatisfiedUpToTheKnownOrder) {
  const KnownLocal& expected = GetParam();
  const IndexThreeConditions found = index_three_conditions(tableau_of(expected.method), 5);
  EXPECT_EQ(found.y.order, expected.y) << found.y.violated;
  EXPECT_EQ(found.z.order, expected.z) << found.z.violated;
  EXPECT_EQ(found.u.order, expected.u) << found.u.violated;
}
INSTANTIATE_TEST_SUITE_P(Known, LocalConditionsOfIndexThree,
                         testing::Values(KnownLocal{"radau-iia:s=2", 3, 1, 0}, KnownLocal{"radau-iia:s=3", 5, 2, 1},
                                         KnownLocal{"lobatto-iiic:s=3", 4, 1, 0}, KnownLocal{"gauss:s=2", 2, 1, 0},
                                         KnownLocal{"gauss:s=3", 3, 2, 1}));

std::vector<DaeOrders> orders_of(const std::string& method) {
  const Tableau t = tableau_of(method);
  return dae_orders(t, order_report(t));
}

// [Jay95]: Radau IIA 2s - 2 in general, Lobatto IIIC 2s - 3 if u enters linearly.
TEST(DaeOrders, OfIndexThreeFollowFromAssumptions) {
  const std::vector<DaeOrders> radau = orders_of("radau-iia:s=3"), lobatto = orders_of("lobatto-iiic:s=4");
  ASSERT_EQ(radau.size(), 4u);
  EXPECT_EQ(radau[2].y, 4);
  EXPECT_EQ(radau[2].z, 3);
  EXPECT_EQ(radau[2].u, 2);
  EXPECT_FALSE(radau[2].linear_in_u);
  EXPECT_TRUE(radau[3].linear_in_u);
  EXPECT_EQ(radau[3].y, 5);
  EXPECT_EQ(lobatto.back().y, 5);
  EXPECT_EQ(lobatto.back().z, 3);
  EXPECT_THAT(radau[2].how, testing::HasSubstr("z of order 3 fails by"));
}

TEST(DaeOrders, OfIndexThreeSayWhyThereAreNone) {
  const DaeOrders gauss = orders_of("gauss:s=3").back(), alexander = orders_of("alexander:s=3").back();
  EXPECT_FALSE(gauss.y);
  EXPECT_THAT(gauss.how, testing::HasSubstr("the step end is no stage; local conditions: y of order 4 fails"));
  EXPECT_EQ(alexander.index, 3);
  EXPECT_FALSE(alexander.y);
  EXPECT_THAT(alexander.how, testing::HasSubstr("stage order 1"));
  EXPECT_THAT(orders_of("kvaerno-5").back().how, testing::HasSubstr("the first stage is explicit"));
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
