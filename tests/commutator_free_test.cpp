// Commutator-free tableaus: their order conditions on Lie groups by ordered trees, and errors of documents.
#include "methods/lie_group/commutator_free_tableau.hpp"

#include <gmock/gmock.h>

#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json document(const std::string& name) { return read_json_file(project_path("methods/lie_group/" + name + ".json")); }

std::string refusal(const Json& json) {
  try {
    commutator_free_from_json(json, "");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CommutatorFreeTableau, ProvesExactlyTheClaimedOrder) {
  for (const auto& [name, order] : {std::pair{"crouch-grossman-2", 2}, std::pair{"crouch-grossman-3", 3},
                                    std::pair{"crouch-grossman-4", 4}, std::pair{"celledoni-marthinsen-owren-4", 4}}) {
    const LieScheme scheme = lie_scheme_of(commutator_free_from_json(document(name), ""));
    EXPECT_EQ(lie_order_defect(scheme, 5, LieEquation::autonomous).order, order + 1) << name;
  }
}

// Of R^n: the classical method is that of order 4 whose exponentials are merged.
TEST(CommutatorFreeTableau, IsARungeKuttaTableauInRealSpace) {
  const Tableau t = commutator_free_from_json(document("celledoni-marthinsen-owren-4"), "").tableau();
  EXPECT_LT(abs(t.b[0] - Real100(1) / 6), Real100("1e-90"));
  EXPECT_EQ(t.A(3, 0), 0);
  EXPECT_EQ(t.A(3, 2), 1);
  EXPECT_EQ(t.c[3], 1);
}

// The classical method with one exponential each has order 2 on groups, 4 in R^n.
TEST(CommutatorFreeTableau, SeesWhatConditionsOfRungeKuttaDoNot) {
  Json naive = {{"name", "naive"}, {"order", 2}};
  naive["exponentials"] = Json::parse(R"([[], [["1/2"]], [["0","1/2"]], [["0","0","1"]]])");
  naive["step"] = Json::parse(R"([["1/6","1/3","1/3","1/6"]])");
  EXPECT_EQ(refusal(naive), "");
  naive["order"] = 3;
  EXPECT_THAT(refusal(naive), HasSubstr("a condition of order 3 does not hold: the coefficient of the ordered trees"));
  EXPECT_THAT(refusal(naive), HasSubstr("so the method has order 2 on Lie groups"));
}

// What the rows of a much used library come to, with the factors of the third stage in the other order.
TEST(CommutatorFreeTableau, FindsARowInTheWrongOrder) {
  Json wrong = document("crouch-grossman-3");
  wrong["exponentials"][2] = Json::parse(R"([["17/108"], ["0", "119/216"]])");
  EXPECT_THAT(refusal(wrong), HasSubstr("/order: is 3, but a condition of order 3 does not hold"));
  wrong["order"] = 2;
  EXPECT_EQ(refusal(wrong), "");
}

TEST(CommutatorFreeTableau, SaysWhatIsWrongWithADocument) {
  Json wrong = document("crouch-grossman-3");
  wrong["exponentials"][1][0] = Json::parse(R"(["3/4", "1/8"])");
  EXPECT_THAT(refusal(wrong), HasSubstr("/exponentials/1/0/1: must be 0: the slope 2 is not known there"));
  wrong = document("crouch-grossman-3");
  wrong["exponentials"][0] = Json::parse(R"([["1"]])");
  EXPECT_THAT(refusal(wrong), HasSubstr("the first one empty"));
  wrong = document("crouch-grossman-3");
  wrong["step"][0] = Json::parse(R"(["1", "1", "1", "1"])");
  EXPECT_THAT(refusal(wrong), HasSubstr("/step/0: has 4 entries"));
  wrong = document("crouch-grossman-3");
  wrong["step"][0][0] = "13/5i";
  EXPECT_THAT(refusal(wrong), HasSubstr("/step/0/0"));
  wrong = document("crouch-grossman-3");
  wrong.erase("step");
  EXPECT_THAT(refusal(wrong), HasSubstr("/step: is missing"));
  wrong = document("crouch-grossman-3");
  for (int i = 0; i < 100; ++i) wrong["exponentials"].push_back(Json::array());
  EXPECT_THAT(refusal(wrong), HasSubstr("/exponentials: has 103 stages, allowed are 64"));
  wrong = document("crouch-grossman-3");
  wrong["sumary"] = "";
  EXPECT_THAT(refusal(wrong), HasSubstr("summary"));
  wrong = document("crouch-grossman-3");
  wrong["order"] = 9;
  EXPECT_THAT(refusal(wrong), HasSubstr("/order"));
}

TEST(CommutatorFreeTableau, IsAMethodUnderItsNames) {
  EXPECT_EQ(method_of("cf4")->name(), "celledoni-marthinsen-owren-4");
  EXPECT_EQ(method_of("cg3")->name(), "crouch-grossman-3");
}

}  // namespace TEST_FILE
}  // namespace daelab
