// Orders of Rosenbrock methods on index 1 and 2 from trees.
//
// On index 2 another program observed the expected orders, in 40 digits, on y1' = y1 y2^2 z^2, y2' = y1^2
// y2^2 - 3 y2^2 z, 0 = y1^2 y2 - 1 with z as the methods carry it on, steps 1/640 and 1/1280 up to 1/4. There ros3p
// shows order 3 in y: the terms of order 3 that its trees leave add up to a multiple of f_z on this problem.
#include <gmock/gmock.h>

#include "analysis/predicted_order.hpp"
#include "analysis/rosenbrock_orders.hpp"
#include "core/equations/formulation.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

RosenbrockTableau tableau_of(const std::string& name) { return std::get<RosenbrockTableau>(method_of(name)->form()); }

std::vector<DaeOrders> orders_of(const RosenbrockTableau& tableau) {
  return dae_orders(tableau, rosenbrock_orders(tableau, false));
}

struct Known {
  const char* method;
  int one_y, one_z, two_y, two_z;
};
class RosenbrockDaeOrders : public testing::TestWithParam<Known> {};
TEST_P(RosenbrockDaeOrders, AreProved) {
  const Known& expected = GetParam();
  const std::vector<DaeOrders> found = orders_of(tableau_of(expected.method));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].y, expected.one_y) << found[0].how;
  EXPECT_EQ(found[0].z, expected.one_z) << found[0].how;
  EXPECT_EQ(found[1].y, expected.two_y) << found[1].how;
  EXPECT_EQ(found[1].z, expected.two_z) << found[1].how;
  EXPECT_FALSE(found[2].y);
  EXPECT_THAT(found[2].how, HasSubstr("refused"));
}
INSTANTIATE_TEST_SUITE_P(Observed, RosenbrockDaeOrders,
                         testing::Values(Known{"ros3p", 3, 3, 2, 2}, Known{"rodas3", 3, 3, 2, 1},
                                         Known{"rodas3p", 3, 3, 2, 2}, Known{"rodas4", 4, 4, 2, 1},
                                         Known{"rodas4p", 4, 4, 2, 2}, Known{"rodas4p2", 4, 4, 2, 2},
                                         Known{"rodas5p", 5, 5, 3, 2}, Known{"ros34pw2", 3, 3, 2, 2},
                                         Known{"ros3prl2", 3, 3, 2, 2}));

// b^T W^2 c^2 = 2, the condition of order 2 of z.
TEST(RosenbrockDaeOrders, FindASlip) {
  RosenbrockTableau t = tableau_of("rodas3p");
  t.gamma(4, 3) += Real100("1e-9");
  const LocalDaeOrders local = index_two_conditions(t, 3);
  EXPECT_EQ(local.z.order, 0);
  EXPECT_THAT(local.z.violated, HasSubstr("must be"));
}

TEST(RosenbrockDaeOrders, ArePredicted) {
  const auto on = [](const char* method, const char* formulation) {
    return predicted_orders(*method_of(method), Registry<Formulation>::instance().make(formulation, "")->traits());
  };
  EXPECT_EQ(on("rodas5p", "index-1").q, 5);
  EXPECT_EQ(on("rodas5p", "index-2").q, 3);
  EXPECT_EQ(on("rodas4", "index-2").v, 2);
  EXPECT_EQ(on("rodas4", "ggl").q, 2);
  EXPECT_FALSE(on("rodas4", "index-3").q);
  EXPECT_THAT(on("rodas4", "index-3").source, HasSubstr("refused"));
}

// Trees that are left out because their conditions follow decide nothing.
TEST(RosenbrockTrees, ArePrunedWithoutLoss) {
  for (const char* name : {"ros3p", "rodas4", "rodas5p", "grk4t"}) {
    const RosenbrockTableau t = tableau_of(name);
    const RosenbrockTrees all = rosenbrock_trees(t, false, 5), pruned = rosenbrock_trees(t, false, 5, true);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(pruned.y[k].hold, all.y[k].hold) << name << " y of order " << k + 1;
      EXPECT_EQ(pruned.z[k].hold, all.z[k].hold) << name << " z of order " << k + 1;
      EXPECT_EQ(pruned.ordinary[k].hold, all.ordinary[k].hold) << name << " order " << k + 1;
    }
    EXPECT_LT(pruned.y[4].count, all.y[4].count) << name;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
