// BDF with error control: each selector on given sizes of differences, caps and instability in runs, errors against
// tolerances on every form, the filter of velocities, restarts, redundant constraints.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
//
// Ratios of small differences are met to 1e-9: E adds eps, 1e-10 of the smallest one here. Bounds of 1e-12 are
// round-off.
#include "methods/multistep/order_selection.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

// ---------------------------------------------------------------- the rules

// |nabla^1|, |nabla^2|, ... after a step of order k on a uniform grid.
DifferenceSizes sizes(int k, const std::vector<double>& nabla) {
  DifferenceSizes s;
  s.order = k;
  for (std::size_t j = 0; j < nabla.size(); ++j) s.nabla[j + 1] = nabla[j];
  for (int j = 1; j <= k + 1; ++j) s.error[j] = 1.0 / (j + 1);
  return s;
}
OrderSelector selector(const std::string& name, bool growth_caps = false, int highest = 5) {
  return OrderSelector(name, highest, growth_caps);
}
int order_after(const std::string& name, const DifferenceSizes& s) { return selector(name).next(s).order; }

// E_1 = (0.2/2)^(1/2) = 0.316, E_2 = (0.004/3)^(1/3) = 0.110, E_3 = (0.0036/4)^(1/4) = 0.173,
// E_4 = (0.0005/5)^(1/5) = 0.158
const DifferenceSizes smooth = sizes(3, {1, 0.2, 0.004, 0.0036, 0.0005});
// E_2 = 0.585, E_3 = (0.5/4)^(1/4) = 0.595, E_4 = (0.4/5)^(1/5) = 0.603
const DifferenceSizes level = sizes(3, {0.8, 0.7, 0.6, 0.5, 0.4});
// E_2 = 0.215, E_3 = 0.178, E_4 = (0.001/5)^(1/5) = 0.182: falls fast enough for the highest order
const DifferenceSizes falling = sizes(3, {1, 0.3, 0.03, 0.004, 0.00001});

// h_j = h / (1.3 E_2), h / (1.2 E_3), h / (1.4 E_4): order 2 where its E is the least, 4 where E_4 gains 1.4 / 1.2.
TEST(OrderSelection, TakesTheLargestStep) {
  EXPECT_EQ(order_after("plain", smooth), 2);
  EXPECT_EQ(order_after("difsub", smooth), 2);
  EXPECT_EQ(order_after("plain", falling), 4);
  EXPECT_EQ(order_after("difsub", falling), 4);
  const StepChoice difsub = selector("difsub").next(smooth), plain = selector("plain").next(smooth);
  const double E = std::cbrt(0.004 / 3);
  EXPECT_NEAR(difsub.ratio, 1 / (1.3 * E), 1e-9);
  EXPECT_NEAR(plain.ratio, 0.8 / E, 1e-9);
}

// The bias of eq. (85): a lower or higher order must gain 1.3 / 1.2 or 1.4 / 1.2 in the step.
TEST(OrderSelection, DifsubKeepsTheOrderWhereTheGainIsSmall) {
  EXPECT_EQ(order_after("plain", level), 2);
  EXPECT_EQ(order_after("difsub", level), 3);
  EXPECT_NEAR(selector("difsub").next(level).ratio, 1 / (1.2 * std::pow(0.5 / 4, 0.25)), 1e-12);
}

TEST(OrderSelection, PlainDropsFreely) {
  // E_1 = (1e-6/2)^(1/2) = 7e-4 is the least by far
  EXPECT_EQ(order_after("plain", sizes(4, {1, 1e-6, 0.5, 0.4, 0.3, 0.2})), 1);
  EXPECT_EQ(order_after("difsub", sizes(4, {1, 1e-6, 0.5, 0.4, 0.3, 0.2})), 4);
}

// ||nabla^(k-1)|| >= ||nabla^k|| >= ||nabla^(k+1)|| >= ||nabla^(k+2)||, and the factor 2^(-1/(j+1)).
TEST(OrderSelection, DasslRaisesOnlyWhereAllDifferencesFall) {
  EXPECT_EQ(order_after("dassl", falling), 4);
  EXPECT_NEAR(selector("dassl").next(falling).ratio, std::pow(2 * 0.00001 / 5, -0.2), 1e-9);
  EXPECT_EQ(order_after("dassl", sizes(3, {1, 0.02, 0.03, 0.004, 0.00001})), 3);     // nabla^2 < nabla^3
  EXPECT_EQ(order_after("combined", sizes(3, {1, 0.02, 0.03, 0.004, 0.00001})), 4);  // which it does not ask
  EXPECT_EQ(order_after("dassl", sizes(1, {0.3, 0.1, 1e-7})), 2);
}

// Table 2: s_3 = 0.59, s_4 = 0.65, s_5 = 0.89. Differences above 1 speak for order k against k - 1, the last one
// against k + 1: only the test lowers the order.
TEST(OrderSelection, SkelboeLeavesAnUnstableOrder) {
  const double s[] = {0, 0, 0, 0.59, 0.65, 0.89};
  for (int k = 3; k <= 5; ++k)
    for (const std::string& name : OrderSelector::names())
      for (const double factor : {0.98, 1.02}) {
        std::vector<double> nabla(k + 2, 1000);
        nabla[k] = factor * s[k] * 1000, nabla[k + 1] = 1e9;
        const bool tests = name == "skelboe" || name == "combined" || name == "skelboe-stewart";
        EXPECT_EQ(order_after(name, sizes(k, nabla)), tests && factor > 1 ? k - 1 : k) << name << " " << k;
      }
}
TEST(OrderSelection, SkelboeTrustsOrdersOneAndTwo) {
  EXPECT_EQ(order_after("skelboe", sizes(2, {1000, 1000, 1000, 1e9})), 2);
  EXPECT_EQ(order_after("skelboe", sizes(1, {1000, 1000, 1e9})), 1);
}

// ell ||nabla^(k+2)|| < max(||nabla^(k+1)||, 0.9 ||nabla^k||)
TEST(OrderSelection, StewartRaisesWhereTheNextDifferenceIsSmall) {
  for (const char* name : {"stewart", "skelboe-stewart"}) {
    DifferenceSizes s = sizes(2, {1, 1e-2, 1e-3, 1e-5});
    EXPECT_EQ(order_after(name, s), 3) << name;
    s.growth = 890;  // 8.9e-3 < 0.9 * 1e-2
    EXPECT_EQ(order_after(name, s), 3) << name;
    s.growth = 910;
    EXPECT_EQ(order_after(name, s), 2) << name;
  }
}

// incr: ||nabla^k|| >= ||nabla^(k+1)|| >= ||nabla^(k+2)||. [algorithm 4, g]
TEST(OrderSelection, CombinedRaisesWhereTheLastDifferencesFall) {
  EXPECT_EQ(order_after("combined", falling), 4);
  EXPECT_EQ(order_after("combined", sizes(2, {1000, 1000, 1200, 1e-9})), 2);
  EXPECT_EQ(order_after("difsub", sizes(2, {1000, 1000, 1200, 1e-9})), 3);
}

TEST(OrderSelection, NeverLeavesItsOrders) {
  for (const std::string& name : OrderSelector::names()) {
    EXPECT_EQ(selector(name, false, 3).next(falling).order, 3) << name;
    EXPECT_GE(selector(name).next(sizes(1, {1e-9, 1, 1})).order, 1) << name;
  }
}

// Table 1 by the order chosen: 1 unlimited, 2.6, 1.9, 1.5, 1.2.
TEST(OrderSelection, CapsTheGrowth) {
  const double cap[] = {0, 1e300, 2.6, 1.9, 1.5, 1.2};
  for (const std::string& name : OrderSelector::names())
    for (int k = 1; k <= 5; ++k) {
      std::vector<double> nabla(k + 2);
      for (int j = 0; j < k + 2; ++j) nabla[j] = std::pow(1e-3, j + 1);
      const StepChoice capped = selector(name, true).next(sizes(k, nabla)), free = selector(name).next(sizes(k, nabla));
      EXPECT_LE(capped.ratio, cap[capped.order]) << name << k;
      EXPECT_GT(free.ratio, 2.6) << name << k;  // the largest cap
    }
}

// Steps are compared after they are capped: a lower order, which may grow by more, wins where all could.
// [algorithm 4, f]
TEST(OrderSelection, ComparesCappedSteps) {
  EXPECT_EQ(selector("combined", true).next(falling).order, 2);
  EXPECT_EQ(selector("combined", true).next(falling).ratio, 2.6);
}

// A rejected step: algorithm 4 keeps the order unless Skelboe's test lowers it; no rule raises it or enlarges the step.
TEST(OrderSelection, RetriesWithASmallerStep) {
  const DifferenceSizes rejected = sizes(3, {1, 0.5, 20, 8, 0.001});  // E_3 = 2^(1/4), nabla^4 < 0.59 nabla^3
  const StepChoice kept = selector("combined").again(rejected);
  EXPECT_EQ(kept.order, 3);
  EXPECT_NEAR(kept.ratio, 1 / (1.2 * std::pow(2, 0.25)), 1e-12);
  const StepChoice lowered = selector("combined").again(sizes(3, {1, 0.5, 10, 8, 0.001}));
  EXPECT_EQ(lowered.order, 2);
  EXPECT_NEAR(lowered.ratio, 1 / (1.3 * std::cbrt(10.0 / 3)), 1e-12);
  for (const std::string& name : OrderSelector::names()) {
    const StepChoice again = selector(name).again(sizes(3, {1, 0.5, 1e-6, 8, 1e-9}));
    EXPECT_LE(again.order, 3) << name;
    EXPECT_LE(again.ratio, 1) << name;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
