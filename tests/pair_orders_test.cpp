// Orders of pairs of tableaus on index 3 with both constraints, from trees and simplifying assumptions.
//
// [Jay96] Jay, SIAM J. Numer. Anal. 33(1), 1996: Lobatto IIIA-IIIB pairs of s stages have order 2s - 2.
#include "analysis/pair_orders.hpp"

#include <gmock/gmock.h>

#include "analysis/method_report.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

PairForm pair_of(const std::string& spec) { return std::get<PairForm>(method_of(spec)->form()); }

class LobattoPairs : public testing::TestWithParam<int> {};
TEST_P(LobattoPairs, HaveOrderTwoSMinusTwo) {
  const int s = GetParam();
  const PairOrders orders = pair_orders(pair_of("lobatto-pair:s=" + std::to_string(s)));
  EXPECT_EQ(orders.order, 2 * s - 2) << orders.how;
  EXPECT_TRUE(orders.is_exact);
  EXPECT_EQ(orders.B, 2 * s - 2);
  EXPECT_EQ(orders.C, s);
  EXPECT_EQ(orders.D, s - 2);
  EXPECT_EQ(orders.conjugate_C, s - 2);
  EXPECT_EQ(orders.conjugate_D, s);
}
INSTANTIATE_TEST_SUITE_P(Jay96, LobattoPairs, testing::Range(2, 7));

// Trees alone, without the theorem: they find the order of three stages, and what fails beyond.
TEST(PairConditions, DecideTheOrderOfThreeStages) {
  const PairConditions found = pair_conditions(pair_of("lobatto-pair:s=3"), 6);
  EXPECT_EQ(found.y.order, 4) << found.y.violated;
  EXPECT_EQ(found.z.order, 4) << found.z.violated;
  EXPECT_TRUE(found.z.is_exact);
  EXPECT_THAT(found.z.violated, HasSubstr("must be"));
}

// Four stages satisfy all conditions of order 5, which three do not.
TEST(PairConditions, HoldAsFarAsTreesAreLookedAt) {
  const PairConditions found = pair_conditions(pair_of("lobatto-pair:s=4"), 5);
  EXPECT_EQ(found.y.order, 5) << found.y.violated;
  EXPECT_EQ(found.z.order, 5) << found.z.violated;
}

// Stages of velocities that lack accuracy cost orders, and the condition that fails first is named.
TEST(PairOrders, OfAPerturbedPairAreLower) {
  PairForm pair = pair_of("lobatto-pair:s=3");
  pair.conjugate(0, 0) += Real100("1e-9"), pair.conjugate(0, 1) -= Real100("1e-9");  // the same row sum
  const PairOrders orders = pair_orders(pair);
  EXPECT_LT(orders.order, 4);
  EXPECT_GE(orders.order, 1);
  EXPECT_THAT(orders.how, HasSubstr("fails by"));
  EXPECT_LT(orders.conjugate_D, 3);
}

TEST(PairOrders, NeedStagesNearTheMultipliers) {
  PairForm pair = pair_of("lobatto-pair:s=3");
  pair.conjugate(1, 1) += Real100("1e-6");
  const PairOrders orders = pair_orders(pair);
  EXPECT_EQ(orders.order, 0);
  EXPECT_THAT(orders.how, HasSubstr("a â 1 = c^2/2 fails by"));
}

TEST(PairCards, ShowTheProof) {
  const MethodReport report = method_report(*method_of("lobatto-pair:s=4"));
  EXPECT_EQ(report.form, "pair of Runge-Kutta tableaus of 4 stages, for positions and velocities");
  EXPECT_TRUE(report.has_form);
  EXPECT_EQ(report.order->value, 6);
  ASSERT_EQ(report.dae_orders.size(), 1u);
  EXPECT_EQ(report.dae_orders[0].y, 6);
  EXPECT_FALSE(report.unconditionally_stable.applicable);
  const MethodReport rattle = method_report(*method_of("rattle"));
  EXPECT_EQ(rattle.order->value, 2);
  EXPECT_EQ(rattle.oscillator_limit, method_report(*method_of("shake")).oscillator_limit);
}

}  // namespace TEST_FILE
}  // namespace daelab
