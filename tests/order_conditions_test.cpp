// Orders from rooted trees, against the theory of each family.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, Sec. II.2.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Sec. IV.5.
#include "analysis/order_conditions.hpp"

#include <gmock/gmock.h>

#include <array>

#include "analysis/tree_hulls.hpp"
#include "core/base/exact.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

struct BlockOrder {
  std::string family;
  int r, k, order;
};

class PadeBlockOrder : public testing::TestWithParam<BlockOrder> {};

// The stage order is r, the order is min(quadrature order of the last row, k + j). Quadrature: r +
// 1, or r + 2 for symmetric nodes with even r; 2 (r - 1) for Legendre (r >= 3); 2r for Lobatto.
TEST_P(PadeBlockOrder, IsTheSmallerOfQuadratureAndPadeOrder) {
  const BlockOrder& expected = GetParam();
  const Tableau t = pade_block(node_family(expected.family, expected.r), expected.k, expected.r).tableau();
  const OrderReport report = order_report(t);
  EXPECT_TRUE(report.is_exact) << report.how;
  EXPECT_EQ(report.order, expected.order) << report.how;
  EXPECT_EQ(report.stage_order, expected.r);
  EXPECT_EQ(t.claimed_order, expected.order);
  EXPECT_EQ(report.order, std::min(report.quadrature_order, expected.k + expected.r));
}

// One row per r and pair: the orders for uniform, chebyshev, legendre, lobatto nodes. For r = 7 and
// 8 trees up to order 15 settle the values 12 and 14 of Legendre nodes.
std::vector<BlockOrder> block_orders() {
  struct Row {
    int r, k;
    std::array<int, 4> orders;
  };
  const std::vector<Row> rows{{1, 0, {1, 1, 1, 1}},   {2, 0, {2, 2, 2, 2}},     {2, 1, {3, 3, 3, 3}},
                              {3, 1, {4, 4, 4, 4}},   {3, 2, {4, 4, 4, 5}},     {4, 2, {6, 6, 6, 6}},
                              {4, 3, {6, 6, 6, 7}},   {5, 3, {6, 6, 8, 8}},     {5, 4, {6, 6, 8, 9}},
                              {6, 4, {8, 8, 10, 10}}, {6, 5, {8, 8, 10, 11}},   {7, 5, {8, 8, 12, 12}},
                              {7, 6, {8, 8, 12, 13}}, {8, 6, {10, 10, 14, 14}}, {8, 7, {10, 10, 14, 15}}};
  std::vector<BlockOrder> cases;
  for (const Row& row : rows)
    for (std::size_t f = 0; f < 4; ++f) cases.push_back({node_families()[f], row.r, row.k, row.orders[f]});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Table, PadeBlockOrder, testing::ValuesIn(block_orders()), [](const auto& info) {
  return info.param.family + std::to_string(info.param.r) + "k" + std::to_string(info.param.k);
});

// [HW96, Sec. IV.5]: Gauss 2s, Radau IIA 2s - 1, Lobatto IIIC 2s - 2, with C(s), C(s), C(s - 1) and
// D(s), D(s - 1), D(s - 1).
TEST(OrderConditions, KnowTheCollocationFamilies) {
  for (int s = 1; s <= 7; ++s) {
    SCOPED_TRACE(s);
    const OrderReport g = order_report(gauss(s)), r = order_report(radau_iia(s));
    EXPECT_TRUE(g.is_exact && r.is_exact);
    EXPECT_EQ(g.order, 2 * s);
    EXPECT_EQ(g.quadrature_order, 2 * s);
    EXPECT_EQ(g.stage_order, s);
    EXPECT_EQ(g.D, s);
    EXPECT_EQ(r.order, 2 * s - 1);
    EXPECT_EQ(r.stage_order, s);
    EXPECT_EQ(r.D, s - 1);
    if (s < 2) continue;
    const OrderReport l = order_report(lobatto_iiic(s));
    EXPECT_EQ(l.order, 2 * s - 2);
    EXPECT_EQ(l.stage_order, s - 1);
    EXPECT_EQ(l.D, s - 1);
  }
}

// Collocation: the stage order. ESDIRK of stage order 2: no more than that, but where later stages leave out the errors
// of the first ones. [Skv06]
TEST(OrderConditions, KnowThePseudoStageOrder) {
  EXPECT_EQ(order_report(radau_iia(3)).pseudo_stage_order, 3);
  EXPECT_EQ(order_report(gauss(3)).pseudo_stage_order, 3);
  const auto of_named = [](const char* spec) {
    const OrderReport report = order_report(std::get<Tableau>(method_of(spec)->form()));
    return std::pair(report.stage_order, report.pseudo_stage_order);
  };
  EXPECT_EQ(of_named("sdirk-4"), std::pair(1, 1));
  EXPECT_EQ(of_named("kvaerno-4"), std::pair(2, 2));
  EXPECT_EQ(of_named("kennedy-carpenter-5"), std::pair(2, 2));
  EXPECT_EQ(of_named("skvortsov-4"), std::pair(2, 3));
}

Tableau read(const char* text) { return tableau_from_json(Json::parse(text), ""); }

TEST(OrderConditions, CheckExplicitMethodsByAllTrees) {
  const OrderReport rk4 = order_report(read(R"({"A": [[0,0,0,0], ["1/2",0,0,0], [0,"1/2",0,0],
                                                [0,0,1,0]], "b": ["1/6","1/3","1/3","1/6"]})"));
  EXPECT_EQ(rk4.order, 4);
  EXPECT_EQ(rk4.stage_order, 1);
  EXPECT_THAT(rk4.how, HasSubstr("all rooted trees with up to 5 nodes"));
  // Among the nine trees with five nodes, a root with two children of one leaf each is missed most, by
  // 1/80; the bush (Simpson's rule on x^4: 5/24 for 1/5) only by 1/120.
  EXPECT_LT(abs(rk4.residual - Real100(1) / 80), Real100("1e-90"));

  // [HNW93, Sec. II.5]: Dormand and Prince, order 5.
  const OrderReport dopri5 = order_report(read(R"({"A": [
      [0,0,0,0,0,0,0], ["1/5",0,0,0,0,0,0], ["3/40","9/40",0,0,0,0,0],
      ["44/45","-56/15","32/9",0,0,0,0],
      ["19372/6561","-25360/2187","64448/6561","-212/729",0,0,0],
      ["9017/3168","-355/33","46732/5247","49/176","-5103/18656",0,0],
      ["35/384",0,"500/1113","125/192","-2187/6784","11/84",0]],
      "b": ["35/384",0,"500/1113","125/192","-2187/6784","11/84",0]})"));
  EXPECT_EQ(dopri5.order, 5);
  EXPECT_TRUE(dopri5.is_exact);
}

TEST(OrderConditions, ExplicitEulerHasOrderOne) {
  const OrderReport euler = order_report(read(R"({"A": [[0]], "b": [1]})"));
  EXPECT_EQ(euler.order, 1);
  EXPECT_EQ(euler.stage_order, 1);
  EXPECT_EQ(euler.residual, Real100(1) / 2);
}

// A good quadrature formula is not enough: Heun's weights of order 3 on wrong stages.
TEST(OrderConditions, QuadratureAloneDoesNotGiveOrder) {
  const OrderReport report = order_report(read(R"({"A": [[0,0], ["2/3",0]], "b": ["1/4","3/4"]})"));
  EXPECT_EQ(report.quadrature_order, 3);
  EXPECT_EQ(report.order, 2);
}

// Adds stages that nothing uses and that satisfy C(1) only: no tree can be left out any more.
Tableau with_unused_stages(const Tableau& used, Index stages) {
  const Index s = used.stages();
  Tableau t;
  t.A = Matrix<Real100>::Zero(stages, stages);
  t.A.topLeftCorner(s, s) = used.A;
  for (Index i = s; i < stages; ++i) t.A(i, i - s) = i;
  t.b = Vector<Real100>::Zero(stages);
  t.b.head(s) = used.b;
  t.c = t.A.rowwise().sum();
  return t;
}

// The order stays 10, and all 3047 trees with up to 11 nodes must be looked at.
TEST(OrderConditions, OfNineStagesToOrderTen) {
  const OrderReport report = order_report(with_unused_stages(gauss(5), 9));
  EXPECT_EQ(report.C, 1);
  EXPECT_EQ(report.order, 10);
  EXPECT_TRUE(report.is_exact);
}

// The 4766 trees with 12 nodes are too many, and most follow from others.
TEST(OrderConditions, KnowHighOrdersFromFewTrees) {
  const OrderReport report = order_report(with_unused_stages(gauss(7), 8));
  EXPECT_EQ(report.order, 14);
  EXPECT_TRUE(report.is_exact);
  EXPECT_EQ(report.all_trees, 11);
  EXPECT_EQ(report.quadrature_order, 14);
  EXPECT_EQ(report.residuals.size(), 14u);
  EXPECT_THAT(report.how, HasSubstr("with up to 15 those that the others follow from; order 15 fails"));
}

// The same conditions as all trees give, where both are looked at: up to order 10 by the trees alone.
TEST(OrderConditions, OfFewTreesFailWhereThoseOfAllDo) {
  for (const char* spec : {"dormand-prince", "verner-87", "extrapolation:order=8", "kennedy-carpenter-5"}) {
    const Tableau t = std::get<Tableau>(method_of(spec)->form());
    const OrderReport report = order_report(t);
    const RoundedCoefficients coefficients(t);
    TreeHulls hulls(coefficients);
    for (int nodes = 1; nodes <= report.order + 1; ++nodes) {
      const auto conditions = hulls.check(nodes);
      ASSERT_TRUE(conditions) << spec << " " << nodes;
      EXPECT_EQ(conditions->violated.empty(), nodes <= report.order) << spec << " " << nodes;
    }
  }
}

// Extrapolation of the explicit midpoint rule has the order it is named after.
TEST(OrderConditions, KnowExtrapolationOfHighOrder) {
  for (const int order : {12, 14, 16}) {
    const auto method = method_of("extrapolation:order=" + std::to_string(order));
    const OrderReport report = order_report(std::get<Tableau>(method->form()));
    EXPECT_EQ(report.order, order) << report.how;
    EXPECT_TRUE(report.is_exact) << report.how;
  }
}

TEST(OrderConditions, RefuseHighOrdersThatAreNotThere) {
  Tableau t = std::get<Tableau>(method_of("extrapolation:order=12")->form());
  const auto claim = [&t](int order) {
    Json json = {{"name", "high"}, {"order", order}, {"A", Json::array()}, {"b", Json::array()}};
    for (Index i = 0; i < t.stages(); ++i) {
      Json row = Json::array();
      for (Index j = 0; j < t.stages(); ++j) row.push_back(exact_text(t.A(i, j)));
      json["A"].push_back(row), json["b"].push_back(exact_text(t.b[i]));
    }
    return tableau_from_json(json, "");
  };
  EXPECT_NO_THROW(claim(12));
  EXPECT_THAT([&] { claim(13); },
              testing::ThrowsMessage<InputError>(HasSubstr("claims order 13, but the order is 12")));
}

TEST(OrderConditions, SayWhenTheyGiveALowerBound) {
  const OrderReport report = order_report(std::get<Tableau>(method_of("extrapolation:order=20")->form()));
  EXPECT_GE(report.order, 15);
  EXPECT_FALSE(report.is_exact);
  EXPECT_EQ(report.residual, 0);
  EXPECT_EQ(report.quadrature_order, 20);
  EXPECT_THAT(report.how, HasSubstr("a lower bound"));
}

TEST(OrderConditions, GoBeyondTheLimitWhereFewTreesRemain) {
  const OrderReport report = order_report(gauss(7), 2);
  EXPECT_EQ(report.order, 14);
  EXPECT_TRUE(report.is_exact);
  EXPECT_THAT(report.how, HasSubstr("subtrees reduced by C(7)"));
}

}  // namespace TEST_FILE
}  // namespace daelab
