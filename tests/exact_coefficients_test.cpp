// Coefficients as text: closed forms, and what is stored of them.
#include "analysis/exact_coefficients.hpp"

#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

ExactCoefficients coefficients_of(const std::string& method) {
  return exact_coefficients(*Registry<Method>::instance().make(method, ""));
}

TEST(ExactCoefficients, KeepBothNodesOfABlock) {
  const ExactCoefficients block = coefficients_of("pade-block:r=2");
  EXPECT_EQ(block.find("c")->size(), 2u);
  EXPECT_EQ(block.find("c_runge_kutta")->size(), 3u);
  EXPECT_EQ(block.find("B")->at(0).at(0).exact, "3/2");
  EXPECT_EQ(block.find("D"), nullptr);
}

TEST(ExactCoefficients, AreReadAsWritten) {
  const Json json = coefficients_of("radau-iia:s=2");
  EXPECT_EQ(json["A"][0][0], (Json{{"exact", "5/12"}, {"decimal", "0.41666666666666666667"}}));
  EXPECT_EQ(Json(json.get<ExactCoefficients>()).dump(), json.dump());
}

TEST(ExactCoefficients, AreNoneOfAMethodWithout) { EXPECT_EQ(Json(coefficients_of("kinematic")), Json::object()); }

}  // namespace TEST_FILE
}  // namespace daelab
