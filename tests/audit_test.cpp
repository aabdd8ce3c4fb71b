// audit: slips that copyists make are found, and what is right is confirmed. Orders and pairs are those of the
// literature: [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, Sec. II.5.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/exact.hpp"
#include "lab/project.hpp"
#include "tests/audit_support.hpp"
#include "tests/input_error_support.hpp"

namespace daelab {
namespace TEST_FILE {

using namespace audit_tests;
using testing::HasSubstr;
using testing::IsEmpty;

class Audits : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_project(); }
};

std::string first_repair(const Audit& audit) { return audit.repairs.empty() ? "" : audit.repairs.front().text; }

std::string in_places(const Json& number, int places) {
  return fmt::format("{:.{}f}", static_cast<double>(exact_from_json(number, "").value()), places);
}

TEST_F(Audits, ConfirmsWhatIsRight) {
  const Audit dopri = audit_of(document("runge_kutta/dormand-prince"));
  EXPECT_EQ(verdict(dopri, "order"), "confirmed");
  EXPECT_EQ(verdict(dopri, "embedded order"), "confirmed");
  EXPECT_EQ(order(dopri), 5);
  EXPECT_EQ(order(dopri, "embedded order"), 4);
  EXPECT_TRUE(holds(dopri, "FSAL"));
  EXPECT_FALSE(holds(dopri, "symplectic"));
  EXPECT_FALSE(holds(dopri, "symmetric"));
  EXPECT_THAT(dopri.repairs, IsEmpty());
  // Alexander's method: order 3, stage order 1, L-stable; index 2: y 2, z 1 [HLR89].
  const Audit sdirk = audit_with("alexander:s=3", {{"order", 3}, {"L-stable", true}, {"index-2 order of z", 1}});
  EXPECT_EQ(sdirk.count(AuditVerdict::confirmed), 3u);
}

TEST_F(Audits, KnowsStructure) {
  for (const char* name : {"gauss:s=1", "gauss:s=2", "gauss:s=3", "implicit-midpoint"}) {
    const Audit gauss = audit_of(name);
    EXPECT_TRUE(holds(gauss, "symplectic")) << name;
    EXPECT_TRUE(holds(gauss, "symmetric")) << name;
    EXPECT_TRUE(holds(gauss, "B-stable")) << name;
  }
  EXPECT_TRUE(holds(audit_of("trapezoidal"), "symmetric"));
  EXPECT_FALSE(holds(audit_of("trapezoidal"), "symplectic"));
  EXPECT_THAT(row(audit_of("radau-iia:s=2"), "symmetric").fact.proof, HasSubstr("differs by"));
  // Two equal stages with half the weight each are the implicit midpoint rule, though M is not 0 and stages are equal.
  const Json reducible = Json::parse(R"({"A": [["1/2", "0"], ["1/2", "0"]], "b": ["1/2", "1/2"]})");
  EXPECT_TRUE(holds(audit_of(reducible), "symplectic"));
  EXPECT_TRUE(holds(audit_of(reducible), "symmetric"));
  EXPECT_THAT(row(audit_of(reducible), "symplectic").fact.proof, HasSubstr("basis of all trees"));
}

// The other sign of an entry: the order falls, and the suggestion is the entry.
TEST_F(Audits, FindsAWrongSignInDormandPrince) {
  Json slip = document("runge_kutta/dormand-prince");
  slip.erase("c");
  const std::string right = slip["A"][4][3];
  slip["A"][4][3] = right.starts_with("-") ? right.substr(1) : "-" + right;
  const Audit found = audit_of(slip);
  EXPECT_EQ(verdict(found, "order"), "refuted");
  EXPECT_LT(order(found), 5);
  EXPECT_THAT(row(found, "order").fact.proof, HasSubstr("must be"));
  EXPECT_THAT(first_repair(found), HasSubstr("/A/4/3: " + right + " in the place of"));
  EXPECT_THAT(first_repair(found), HasSubstr("the other sign"));
  EXPECT_THAT(first_repair(found), HasSubstr("order 5, embedded order 4"));
}

// With the nodes printed the row no longer sums to them, and y' = f(t, y) has an order of its own.
TEST_F(Audits, TellsTimeFromOtherVariables) {
  Json slip = document("runge_kutta/rk4-classical");
  slip["c"] = {"0", "1/2", "1/3", "1"};
  const Audit found = audit_of(slip);
  EXPECT_EQ(order(found, "autonomous order"), 4);
  EXPECT_EQ(order(found), 1) << "b^T c = 4/9";
  EXPECT_EQ(verdict(found, "order"), "refuted");
  EXPECT_THAT(first_repair(found), HasSubstr("/c/2: 1/2 in the place of 1/3"));
}

TEST_F(Audits, FindsExchangedEntriesInFehlberg) {
  Json slip = document("runge_kutta/fehlberg-45");
  slip.erase("c");
  std::swap(slip["A"][4][1], slip["A"][4][2]);
  const Audit found = audit_of(slip);
  EXPECT_EQ(verdict(found, "order"), "refuted");
  EXPECT_THAT(first_repair(found), HasSubstr("/A/4/1 and /A/4/2 exchanged"));
  Json weights = document("runge_kutta/fehlberg-45");
  std::swap(weights["b"], weights["b_embedded"]);
  std::swap(weights["order"], weights["embedded_order"]);
  EXPECT_EQ(audit_of(weights).count(AuditVerdict::refuted), 0u) << "it steps with the other order, and says so";
  std::swap(weights["order"], weights["embedded_order"]);
  const Audit stepped = audit_of(weights);
  EXPECT_EQ(verdict(stepped, "order"), "understated");
  EXPECT_EQ(verdict(stepped, "embedded order"), "refuted");
  EXPECT_THAT(first_repair(stepped), HasSubstr("/b and /b_embedded exchanged: order 4, embedded order 5"));
}

// a_53 = -3554/2565 for -3544/2565, as a package printed it for years.
TEST_F(Audits, FindsADigit) {
  Json slip = document("runge_kutta/fehlberg-45");
  slip.erase("c");
  ASSERT_EQ(slip["A"][5][2], "-3544/2565");
  slip["A"][5][2] = "-3554/2565";
  const Audit found = audit_of(slip);
  EXPECT_EQ(verdict(found, "order"), "confirmed") << "b does not weigh the last stage";
  EXPECT_EQ(verdict(found, "embedded order"), "refuted");
  EXPECT_THAT(first_repair(found), HasSubstr("/A/5/2: -3544/2565 in the place of -3554/2565, one digit"));
}

TEST_F(Audits, FindsExchangedAndReversedRows) {
  const Json rows =  // Radau IIA
      Json::parse(R"({"order": 3, "A": [["3/4", "1/4"], ["5/12", "-1/12"]], "b": ["3/4", "1/4"]})");
  EXPECT_THAT(first_repair(audit_of(rows)),
              HasSubstr("/A/0 and /A/1 exchanged, and with it /c/0: 1/3, /c/1: 1: order 3"));
  Json reversed = document("runge_kutta/fehlberg-45");
  std::swap(reversed["A"][3][0], reversed["A"][3][2]);
  reversed.erase("c");
  EXPECT_THAT(first_repair(audit_of(reversed)), HasSubstr("/A/3/0 and /A/3/2 exchanged"));
}

TEST_F(Audits, JudgesClaimsThatAreTooHighAndTooLow) {
  const Json kutta = document("runge_kutta/rk4-classical");
  const auto claimed = [&](const char* property, const Json& value) {
    return verdict(audit_with(kutta, {{property, value}}), property);
  };
  EXPECT_EQ(claimed("order", 5), "refuted");
  EXPECT_EQ(claimed("order", 3), "understated");
  EXPECT_EQ(claimed("order", "4"), "confirmed") << "as cells of a table are";
  EXPECT_EQ(claimed("A-stable", true), "refuted");
  EXPECT_EQ(claimed("a_stable", "no"), "confirmed");
  EXPECT_EQ(claimed("stages", 4), "confirmed");
  EXPECT_EQ(claimed("stages", 5), "refuted");
  EXPECT_EQ(claimed("embedded order", 3), "undecided") << "there are no embedded weights";
  EXPECT_EQ(verdict(audit_with("gauss:s=2", {{"A-stable", false}}), "A-stable"), "understated");
  // |R(infinity)| = 0.7320508 of the method of Crouzeix, as tables print it: rounded, cut, and wrong.
  const auto radius = [&](const Json& value) {
    return verdict(audit_with("crouzeix-2", {{"spectral radius at infinity", value}}), "spectral radius at infinity");
  };
  EXPECT_EQ(radius(0.73), "confirmed");
  EXPECT_EQ(radius("0.732"), "confirmed");
  EXPECT_EQ(radius(0.75), "refuted");
}

TEST_F(Audits, RefutesAWrongEmbeddedOrder) {
  Json slip = document("runge_kutta/bogacki-shampine");
  slip["embedded_order"] = 3;
  const Audit found = audit_of(slip);
  EXPECT_EQ(verdict(found, "order"), "confirmed");
  EXPECT_EQ(verdict(found, "embedded order"), "refuted");
  Json weight = document("runge_kutta/bogacki-shampine");
  ASSERT_EQ(weight["b_embedded"][1], "1/4");
  weight["b_embedded"][1] = "-1/4";
  EXPECT_THAT(first_repair(audit_of(weight)), HasSubstr("/b_embedded/1: 1/4 in the place of -1/4, the other sign"));
}

// Both solutions of ROS3P agree on linear problems, those of Fehlberg's 7(8) on quadratures.
TEST_F(Audits, SeesBlindEstimates) {
  EXPECT_TRUE(holds(audit_of("ros3p"), "estimate blind on linear problems"));
  EXPECT_TRUE(holds(audit_of("fehlberg-78"), "estimate blind on quadratures"));
  EXPECT_EQ(verdict(audit_with("ros3p", {{"blind estimate", false}}), "blind estimate"), "refuted");
  EXPECT_EQ(verdict(audit_with("rodas4", {{"blind estimate", false}}), "blind estimate"), "confirmed");
}

TEST_F(Audits, NamesTreesThatEstimatesDoNotSee) {
  const char* const trees = "estimate blind on trees of its order";
  EXPECT_FALSE(holds(audit_of("dormand-prince"), trees));
  EXPECT_FALSE(holds(audit_of("rodas4"), trees));
  EXPECT_THAT(row(audit_of("dverk"), trees).fact.proof, HasSubstr("agree on 5 of the 20 trees with 6 nodes"));
  EXPECT_THAT(row(audit_of("ros3p"), trees).fact.proof, HasSubstr("Phi = beta(beta(1))")) << "y' = J y";
  // Heun's method beside the midpoint rule: w = (1/2, -1, 1/2), w^T c^2 = 1/2 - 1/4, w^T A c = 1/2.
  const Json pair =
      Json::parse(R"({"A": [["0", "0", "0"], ["1/2", "0", "0"], ["0", "1", "0"]], "b": ["1/2", "0", "1/2"],
                                    "b_embedded": ["0", "1", "0"]})");
  EXPECT_FALSE(holds(audit_of(pair), trees));
  Json blind = pair;  // w^T A c = 0
  blind["A"][2] = {"1", "0", "0"};
  EXPECT_THAT(row(audit_of(blind), trees).fact.proof, HasSubstr("agree on 1 of the 2 trees with 3 nodes, those with "
                                                                "Phi = A(c)"));
}

TEST_F(Audits, SaysWhetherAnInconsistentStartStays) {
  const char* const start = "sensitive to an inconsistent start";
  for (const char* name : {"trapezoidal", "gauss:s=2", "newmark"}) EXPECT_TRUE(holds(audit_of(name), start)) << name;
  for (const char* name : {"radau-iia:s=3", "tr-bdf2", "rodas4", "crouzeix-2", "generalized-alpha"})
    EXPECT_FALSE(holds(audit_of(name), start)) << name;
  EXPECT_FALSE(row(audit_of("rk4-classical"), start).fact.is_known());
}

TEST_F(Audits, BoundsOrdersOnGgl) {
  const auto claimed = [](int order) {
    return verdict(audit_with("radau-iia:s=3", {{"ggl order of y", order}}), "ggl order of y");
  };
  EXPECT_EQ(claimed(5), "confirmed");
  EXPECT_EQ(claimed(6), "undecided") << "a bound";
  const Audit radau = audit_of("radau-iia:s=3");
  EXPECT_EQ(order(radau, "ggl order of z"), 3);
  EXPECT_EQ(order(radau, "index-3 order of y"), 5) << "2 s - 1 of mechanics [Jay95]";
  EXPECT_EQ(std::ranges::count(radau.rows, &audit_property("index-3 order of y", ""),
                               [](const AuditRow& one) { return one.fact.property; }),
            1);
}

TEST_F(Audits, DecidesRosenbrockMethods) {
  Json rodas = document("rosenbrock/rodas4");
  rodas["order"] = 5, rodas["index_1_order"] = 3;
  const Audit found = audit_of(rodas);
  EXPECT_EQ(verdict(found, "order"), "refuted");
  EXPECT_EQ(verdict(found, "index-1 order"), "understated");
  EXPECT_EQ(order(found), 4);
  EXPECT_EQ(order(found, "index-1 order"), 4);
  EXPECT_TRUE(holds(found, "L-stable"));
  // The polynomial of Rodas5P has order 4 [Steinebach 2023].
  EXPECT_EQ(verdict(audit_of("rodas5p"), "order of dense output"), "confirmed");
}

TEST_F(Audits, DecidesCompositions) {
  Json yoshida = document("geometric/yoshida-4");
  EXPECT_EQ(verdict(audit_of(yoshida), "order"), "confirmed");
  yoshida["order"] = 6;
  EXPECT_EQ(verdict(audit_of(yoshida), "order"), "refuted");
  yoshida["weights"][0] = "1/3";
  EXPECT_FALSE(holds(audit_of(yoshida), "symmetric"));
}

// Decimals are taken to their digits, as when a tableau is read.
// Kicks and drifts of McLachlan and Atela 1992, and with two drifts exchanged.
TEST_F(Audits, DecidesPartitionedMethods) {
  Json scheme = document("nystrom/mclachlan-atela-4");
  const Audit right = audit_of(scheme);
  EXPECT_EQ(verdict(right, "order"), "confirmed");
  EXPECT_EQ(order(right), 4);
  EXPECT_TRUE(holds(right, "symplectic"));
  std::swap(scheme["drifts"][0], scheme["drifts"][1]);
  const Audit wrong = audit_of(scheme);
  EXPECT_EQ(verdict(wrong, "order"), "refuted");
  EXPECT_LT(order(wrong), 4);
}

// Yoshida's scheme and Rodas4 in the digits of many codes: thirteen places.
TEST_F(Audits, TakesThirteenPlacesAsRounded) {
  const Json yoshida = {{"order", 4}, {"weights", {"1.3512071919597", "-1.7024143839193", "1.3512071919597"}}};
  EXPECT_EQ(verdict(audit_of(yoshida), "order"), "confirmed");
  const Json wrong = {{"order", 4}, {"weights", {"1.3512071919597", "-1.7024143839192", "1.3512071919595"}}};
  EXPECT_EQ(verdict(audit_of(wrong), "order"), "confirmed") << "the last digit is not told from rounding";
  Json rodas = document("rosenbrock/rodas4");
  for (const char* key : {"alpha", "gamma"})
    for (std::size_t i = 0; i < rodas[key].size(); ++i)
      for (std::size_t j = 0; j < rodas[key][i].size(); ++j) rodas[key][i][j] = in_places(rodas[key][i][j], 13);
  for (const char* key : {"weights", "embedded_weights"})
    for (std::size_t i = 0; i < rodas[key].size(); ++i) rodas[key][i] = in_places(rodas[key][i], 13);
  EXPECT_EQ(verdict(audit_of(rodas), "order"), "confirmed");
}

TEST_F(Audits, TakesRoundedCoefficients) {
  Json decimals = Json::parse(R"({"order": 3, "b": ["0.5", "0.5"], "A": [["0.78867513459481288225", "0"],
                                 ["-0.57735026918962576451", "0.78867513459481288225"]]})");
  EXPECT_EQ(verdict(audit_of(decimals), "order"), "confirmed") << "Crouzeix's method of order 3";
  decimals["A"][1][0] = "0.57735026918962576451";
  const Audit found = audit_of(decimals);
  EXPECT_EQ(verdict(found, "order"), "refuted");
  EXPECT_THAT(first_repair(found), HasSubstr("/A/1/0: -0.577350269189625764"));
}

TEST_F(Audits, RefusesWhatCannotBeClaimed) {
  const Json kutta = document("runge_kutta/rk4-classical");
  const auto refusal = [&](const Json& claims) { return input_error_of([&] { audit_with(kutta, claims); }); };
  EXPECT_THAT(refusal({{"A-stabel", true}}), HasSubstr("list/0/claims/A-stabel: no property 'A-stabel'; did you mean "
                                                       "'A-stable'?"));
  EXPECT_THAT(refusal({{"order", nullptr}}), HasSubstr("must be claimed as a whole number from 0 to 1000, found null"));
  EXPECT_THAT(refusal({{"order", "four"}}), HasSubstr("whole number"));
  EXPECT_THAT(refusal({{"symmetric", 1}}), HasSubstr("must be claimed as true or false, found 1"));
  EXPECT_THAT(refusal({{"spectral radius at infinity", true}}), HasSubstr("must be claimed as a number"));
  Json ragged = kutta;
  ragged["A"][1] = Json::array({"1/2"});
  EXPECT_THAT(input_error_of([&] { audit_of(ragged); }), HasSubstr("/A/1: has 1 entries, must have 4"));
  EXPECT_THAT(input_error_of([] { audit_list(Json::parse(R"([{"nam": "x"}])"), "", "list"); }),
              HasSubstr("did you mean 'name'"));
  EXPECT_THAT(input_error_of([] { audit_list(Json::parse(R"([{"name": "x"}])"), "", "list"); }),
              HasSubstr("either a tableau, or a method"));
}

// No method of the project claims what is not so.
TEST_F(Audits, RefutesNothingOfTheRegistry) {
  std::size_t claims = 0;
  for (const AuditSubject& subject : registered_subjects()) {
    const Audit found = audit(subject);
    for (const AuditRow& one : found.rows) {
      if (!one.claim) continue;
      ++claims;
      EXPECT_EQ(*one.verdict, AuditVerdict::confirmed)
          << found.name << ": " << one.fact.property->name << " claimed " << one.claim->text << ", is "
          << one.fact.text() << ": " << one.fact.proof;
    }
  }
  EXPECT_GT(claims, 80u);
}

}  // namespace TEST_FILE
}  // namespace daelab
