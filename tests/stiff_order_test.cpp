// Orders in the stiff limit, from Hairer, Wanner 1996, table IV.15.1, at a fixed L.
#include "analysis/stiff_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

StiffOrder of(const std::string& method) { return stiff_order(method_of(method)->form()); }

// Gauss h^(s+1) for odd s, h^s for even s.
TEST(StiffOrder, OfGaussMethodsIsOddOrEven) {
  for (const auto& [s, order] : {std::pair{1, 2}, {2, 2}, {3, 4}, {4, 4}})
    EXPECT_EQ(of("gauss:s=" + std::to_string(s)).order, order) << s;
}

// Radau IIA h^(s+1)/(L h), Lobatto IIIC h^s/(L h).
TEST(StiffOrder, OfStifflyAccurateMethodsIsTheStageOrder) {
  for (const int s : {2, 3, 4}) {
    EXPECT_EQ(of("radau-iia:s=" + std::to_string(s)).order, s);
    EXPECT_EQ(of("lobatto-iiic:s=" + std::to_string(s)).order, s - 1);
  }
}

// Li, Ding, Li 2019: order r, whatever the Padé pair and the nodes.
TEST(StiffOrder, OfBlockSchemesIsTheNumberOfNodes) {
  for (const char* method : {"pade-block:r=3,k=1", "pade-block:r=3,k=2", "pade-block:r=3,k=2,nodes=lobatto"})
    EXPECT_EQ(of(method).order, 3) << method;
  EXPECT_EQ(of("pade-block:r=4,k=2").order, 4);
}

// Lobatto IIIA h^(s+1)/(L h) for even s, and h^s/(L h) for odd s, whose errors add up: R(infinity) = 1.
TEST(StiffOrder, LosesOneWhereErrorsAddUp) {
  const auto stiff = [](const char* tableau) {
    return stiff_order(Registry<Method>::instance().make(Json::parse(tableau), "")->form());
  };
  EXPECT_EQ(stiff(R"({"name": "trapezoidal rule", "A": [["0", "0"], ["1/2", "1/2"]], "b": ["1/2", "1/2"]})").order, 2);
  EXPECT_EQ(stiff(R"({"name": "lobatto-iiia-3", "b": ["1/6", "2/3", "1/6"],
                      "A": [["0", "0", "0"], ["5/24", "1/3", "-1/24"], ["1/6", "2/3", "1/6"]]})")
                .order,
            2);
}

// Stages of order 2 hand no error to the step end.
TEST(StiffOrder, OfAPseudoStageOrderIsThatOrder) {
  EXPECT_EQ(of("kvaerno-4").order, 2);
  EXPECT_EQ(of("skvortsov-4").order, 3);
}

TEST(StiffOrder, OfBdfIsItsOrder) {
  for (const int k : {1, 2, 5}) EXPECT_EQ(of("bdf:k=" + std::to_string(k)).order, k);
}

TEST(StiffOrder, IsNoneWithoutStability) {
  for (const char* method : {"runge-kutta", "adams-bashforth:k=2", "newmark"}) {
    EXPECT_FALSE(of(method).order) << method;
    EXPECT_THAT(of(method).source, testing::StartsWith("none: ")) << method;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
