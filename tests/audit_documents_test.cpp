// audit of methods on Lie groups, of multistep formulas and of dense output. Orders are those of the literature: [CG93]
// Crouch, Grossman 1993; [CMO03] Celledoni, Marthinsen, Owren 2003; [MK98] Munthe-Kaas 1998; [HNW93] Hairer, Nørsett,
// Wanner, Solving Ordinary Differential Equations I, Secs. II.6, III.3; [HW96] the same, II, Sec. V.2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/project.hpp"
#include "tests/audit_support.hpp"
#include "tests/input_error_support.hpp"

namespace daelab {
namespace TEST_FILE {

using namespace audit_tests;
using testing::AllOf;
using testing::HasSubstr;

class AuditDocuments : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_project(); }
};

int on_groups(const Audit& audit) { return order(audit, "order on Lie groups"); }
int autonomous(const Audit& audit) { return order(audit, "autonomous order on Lie groups"); }

// ----- Lie groups -----

TEST_F(AuditDocuments, KnowsOrdersOnLieGroups) {
  for (const auto& [name, expected] : {std::pair{"crouch-grossman-2", 2}, std::pair{"crouch-grossman-3", 3},
                                       std::pair{"celledoni-marthinsen-owren-4", 4}}) {
    Json json = document(std::string("lie_group/") + name);
    EXPECT_EQ(on_groups(audit_of(json)), expected) << name;
    EXPECT_EQ(verdict(audit_of(json), "order on Lie groups"), "confirmed") << name;
    EXPECT_EQ(on_groups(audit_of(name)), expected) << name << ", registered";
  }
  EXPECT_EQ(on_groups(audit_of("rkmk")), 4) << "rk4-classical in exact coordinates";
  EXPECT_EQ(on_groups(audit_of("rkmk:inverse_tangent=truncated,tableau=bogacki-shampine")), 3);
  EXPECT_EQ(on_groups(audit_of("rkmk:retraction=cayley,tableau=heun")), 2);
  EXPECT_EQ(verdict(audit_of("rkmk"), "order on Lie groups"), "confirmed");
  EXPECT_EQ(row(audit_of("rkmk:inverse_tangent=truncated,tableau=verner-87"), "order on Lie groups").fact.text(), "8")
      << "beyond the words that are looked at";
}

// One exponential a stage, without commutators: order 4 in R^n, 2 on groups. With the weights of two slopes exchanged,
// as a much used library had them, Crouch and Grossman's method has order 2 on both.
TEST_F(AuditDocuments, RefutesOrdersThatHoldInRealSpaceOnly) {
  const Json naive = Json::parse(R"({"order": 4, "exponentials": [[], [["1/2"]], [["0", "1/2"]], [["0", "0", "1"]]],
                                     "step": [["1/6", "1/3", "1/3", "1/6"]]})");
  const Audit found = audit_of(naive);
  EXPECT_EQ(order(found), 4);
  EXPECT_EQ(on_groups(found), 2);
  EXPECT_EQ(verdict(found, "order on Lie groups"), "refuted");
  EXPECT_THAT(row(found, "order on Lie groups").fact.proof, HasSubstr("of order 3, the coefficient of ["));
  Json exchanged = document("lie_group/crouch-grossman-3");
  exchanged["exponentials"][2] = Json::parse(R"([["17/108"], ["0", "119/216"]])");
  EXPECT_EQ(on_groups(audit_of(exchanged)), 2);
  EXPECT_EQ(order(audit_of(exchanged)), 2);
}

TEST_F(AuditDocuments, AsksForTheTimesOfStages) {
  Json early = document("lie_group/celledoni-marthinsen-owren-4");
  early["c"] = Json::parse(R"(["0", "0", "0", "0"])");
  const Audit found = audit_of(early);
  EXPECT_EQ(autonomous(found), 4);
  EXPECT_EQ(on_groups(found), 1);
  EXPECT_THAT(row(found, "order on Lie groups").fact.proof, HasSubstr("the coefficient of [t] is off by -0.5"));
  early["c"] = Json::parse(R"(["0", "1/2", "1/2", "1"])");
  EXPECT_EQ(on_groups(audit_of(early)), 4);
}

// Kutta's method with the powers of dexp^-1 that its order needs, and with fewer.
TEST_F(AuditDocuments, CountsPowersOfTheSeries) {
  Json kutta = document("runge_kutta/rk4-classical");
  for (const auto& [powers, expected] : {std::pair{0, 2}, std::pair{1, 3}, std::pair{2, 4}}) {
    kutta["dexpinv"] = powers;
    EXPECT_EQ(on_groups(audit_of(kutta)), expected) << powers;
  }
  kutta["dexpinv"] = "exact";
  EXPECT_EQ(on_groups(audit_of(kutta)), 4);
  kutta["A"][1][0] = "1/3", kutta.erase("c");
  EXPECT_LT(on_groups(audit_of(kutta)), 4);
}

// Munthe-Kaas' method of order 4 with two commutators, of u' = A u and of g' = g v: the sign differs.
TEST_F(AuditDocuments, TakesCommutators) {
  Json scheme = Json::parse(R"({"equation": "A u",
    "exponentials": [[], [["1/2"]], [{"weights": ["0", "1/2"], "commutators": [[1, 2, "-1/8"]]}], [["0", "0", "1"]]],
    "step": [{"weights": ["1/6", "1/3", "1/3", "1/6"], "commutators": [[1, 4, "-1/12"]]}]})");
  EXPECT_EQ(on_groups(audit_of(scheme)), 4);
  scheme["equation"] = "g v";
  EXPECT_EQ(on_groups(audit_of(scheme)), 2);
  scheme["exponentials"][2][0]["commutators"][0][2] = "1/8", scheme["step"][0]["commutators"][0][2] = "1/12";
  EXPECT_EQ(on_groups(audit_of(scheme)), 4);
  scheme["exponentials"][2][0]["weights"] = Json::parse(R"(["1/2"])");
  EXPECT_EQ(on_groups(audit_of(scheme)), 2) << "the first slope in the place of the second";
}

TEST_F(AuditDocuments, NamesPlacesInLieDocuments) {
  Json scheme = Json::parse(R"({"exponentials": [[], [["1/2"]]], "step": [["0", "1"]]})");
  const auto error = [&](const char* place, const char* value) {
    Json wrong = scheme;
    wrong[Json::json_pointer(place)] = Json::parse(value);
    return input_error_of([&] { audit_of(wrong); });
  };
  EXPECT_THAT(error("/exponentials/1/0", R"({"weight": 1})"),
              AllOf(HasSubstr("/exponentials/1/0/weight: "), HasSubstr("did you mean 'weights'?")));
  EXPECT_THAT(
      error("/exponentials/1/0", R"({"commutators": [[1, 2, "1/2"]]})"),
      HasSubstr("/exponentials/1/0/commutators/0/1: must be the number of a slope that is known there, 1 to 1"));
  EXPECT_THAT(error("/equation", R"("v g")"), HasSubstr("did you mean 'g v'?"));
  EXPECT_THAT(error("/c", R"(["0"])"), HasSubstr("/c: has 1 entries, must have 2"));
  Json kutta = document("runge_kutta/rk4-classical");
  kutta["dexpinv"] = "all";
  EXPECT_THAT(input_error_of([&] { audit_of(kutta); }), HasSubstr("/dexpinv: must be \"exact\", or the number"));
  kutta = Json::parse(R"({"A": [["1/2"]], "b": ["1"], "dexpinv": 1})");
  EXPECT_THAT(input_error_of([&] { audit_of(kutta); }), HasSubstr("methods on Lie groups are explicit here"));
}

// ----- multistep formulas -----

Json bdf2() { return Json::parse(R"({"name": "mine", "alpha": ["3/2", "-2", "1/2"], "beta": ["1"]})"); }

TEST_F(AuditDocuments, DecidesMultistepFormulas) {
  Json json = bdf2();
  json["order"] = 2, json["zero_stable"] = true, json["a_stable"] = true, json["g_stable"] = true, json["angle"] = 90;
  const Audit found = audit_of(json);
  EXPECT_EQ(found.count(AuditVerdict::confirmed), 5u);
  EXPECT_TRUE(holds(found, "L-stable"));
  // BDF 3 is A(86.03°)-stable [HW96]; the formula of the highest order of two steps is unstable [HNW93].
  const Json bdf3 = Json::parse(R"({"alpha": ["11/6", "-3", "3/2", "-1/3"], "beta": ["1"]})");
  EXPECT_EQ(verdict(audit_with(bdf3, {{"A(alpha) angle in degrees", "86.03"}}), "angle"), "confirmed");
  EXPECT_EQ(verdict(audit_with(bdf3, {{"A-stable", true}}), "A-stable"), "refuted");
  const Json unstable = Json::parse(R"({"order": 3, "alpha": ["1", "4", "-5"], "beta": ["0", "4", "2"]})");
  EXPECT_EQ(verdict(audit_of(unstable), "order"), "confirmed");
  EXPECT_FALSE(holds(audit_of(unstable), "zero-stable"));
}

TEST_F(AuditDocuments, FindsSlipsInMultistepFormulas) {
  Json json = bdf2();
  json["order"] = 2, json["alpha"][2] = "1/3";
  EXPECT_EQ(verdict(audit_of(json), "order"), "refuted");
  EXPECT_EQ(order(audit_of(json)), 0) << "not exact for constants";
}

// Adams-Moulton of order 4 as codes print it, and the formula of Dahlquist, Liniger and Nevanlinna with sqrt(1/2).
TEST_F(AuditDocuments, TakesRoundedMultistepFormulas) {
  Json adams = Json::parse(R"({"order": 4, "alpha": ["1", "-1"],
    "beta": ["0.37500000000", "0.79166666667", "-0.20833333333", "0.04166666667"]})");
  EXPECT_EQ(verdict(audit_of(adams), "order"), "confirmed");
  EXPECT_THAT(row(audit_of(adams), "zero-stable").fact.proof, HasSubstr("exact"));
  adams["beta"][1] = "0.79166666767";
  EXPECT_EQ(verdict(audit_of(adams), "order"), "refuted") << "a digit within the printed ones";
  const Json bdf = Json::parse(R"({"alpha": ["1", "-1.33333333333333", "0.33333333333333"],
                                   "beta": ["0.66666666666667"]})");
  EXPECT_TRUE(holds(audit_of(bdf), "A-stable")) << "as printed a zero of rho is outside the circle";
}

// The mean has order 2 at its own time: one more at most has the one-leg method.
TEST_F(AuditDocuments, TellsOneLegMethodsAndPredictors) {
  Json moulton = Json::parse(R"({"alpha": ["1", "-1", "0"], "beta": ["5/12", "2/3", "-1/12"]})");
  EXPECT_EQ(order(audit_of(moulton)), 3);
  moulton["one_leg"] = true;
  EXPECT_EQ(order(audit_of(moulton)), 2);
  moulton["one_leg"] = false;
  moulton["predictor"] = Json::parse(R"({"alpha": ["1", "-1"], "beta": ["0", "1"]})");
  EXPECT_EQ(order(audit_of(moulton)), 2) << "one more than that of Euler's method";
}

TEST_F(AuditDocuments, NamesPlacesInMultistepDocuments) {
  const auto error = [](const char* text) { return input_error_of([&] { audit_of(Json::parse(text)); }); };
  EXPECT_THAT(error(R"({"alpha": ["1", "-1"]})"), HasSubstr("/beta: is missing"));
  EXPECT_THAT(error(R"({"alpha": ["0", "-1"], "beta": ["1"]})"), HasSubstr("/alpha/0: must not be 0"));
  EXPECT_THAT(error(R"({"alpha": ["1", "x"], "beta": ["1"]})"), HasSubstr("/alpha/1"));
  EXPECT_THAT(error(R"({"alpha": ["1", "-1"], "beta": ["1"], "oneleg": true})"), HasSubstr("did you mean 'one_leg'"));
  EXPECT_THAT(error(R"({"alpha": ["1", "-1"], "beta": ["1/2", "1/2"], "predictor": {"alpha": ["1", "-1"],
                        "beta": ["1"]}})"),
              HasSubstr("/predictor/beta/0: must be 0: a predictor is explicit"));
  EXPECT_THAT(error(R"({"alpha": ["1", "-1"], "beta": ["1", "-1"], "one_leg": true})"), HasSubstr("sum must not be 0"));
}

// ----- dense output -----

// The polynomial of degree 4 of Dormand and Prince's method [HNW93]: conditions to order 4, so that errors in a run
// have order 5.
Json dormand_prince() {
  Json json = document("runge_kutta/dormand-prince");
  json["dense_output"] = Json::parse(R"([
    ["1", "-8048581381/2820520608", "8663915743/2820520608", "-12715105075/11282082432"], [],
    ["0", "131558114200/32700410799", "-68118460800/10900136933", "87487479700/32700410799"],
    ["0", "-1754552775/470086768", "14199869525/1410260304", "-10690763975/1880347072"],
    ["0", "127303824393/49829197408", "-318862633887/49829197408", "701980252875/199316789632"],
    ["0", "-282668133/205662961", "2019193451/616988883", "-1453857185/822651844"],
    ["0", "40617522/29380423", "-110615467/29380423", "69997945/29380423"]])");
  return json;
}

TEST_F(AuditDocuments, KnowsOrdersOfDenseOutput) {
  Json json = dormand_prince();
  const Audit found = audit_of(json);
  EXPECT_EQ(order(found, "order of dense output by conditions"), 4);
  EXPECT_EQ(order(found, "order of dense output"), 5);
  EXPECT_THAT(row(found, "order of dense output by conditions").fact.proof, HasSubstr("for theta = "));
  EXPECT_EQ(verdict(audit_with(json, {{"dense order", 8}}), "order of dense output"), "refuted");
  json["dense_output"][3][2] = "-14199869525/1410260304";
  const Audit slip = audit_of(json);
  EXPECT_EQ(order(slip, "order of dense output by conditions"), 0);
  EXPECT_THAT(row(slip, "order of dense output").fact.proof, HasSubstr("theta = 1 are not those of the step"));
}

// Cubic Hermite with the slope of the last stage at the end; the midpoint rule has it at 1/2.
TEST_F(AuditDocuments, CountsDenseOutputTwice) {
  const Json heun = Json::parse(R"({"A": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"],
                                    "dense_output": [["1", "-1/2"], ["0", "1/2"]]})");
  EXPECT_EQ(order(audit_of(heun), "order of dense output by conditions"), 2);
  EXPECT_EQ(order(audit_of(heun), "order of dense output"), 2) << "that of the step ends";
  const Json midpoint = Json::parse(R"({"A": [["0", "0"], ["1/2", "0"]], "b": ["0", "1"],
                                        "dense_output": [["1", "-2", "1"], ["0", "2", "-1"]]})");
  EXPECT_EQ(order(audit_of(midpoint), "order of dense output by conditions"), 1);
  EXPECT_EQ(order(audit_of(midpoint), "order of dense output"), 2);
  EXPECT_EQ(order(audit_of("dormand-prince"), "order of dense output"), 5) << "bootstrapped";
  EXPECT_EQ(order(audit_of("rodas5p"), "order of dense output by conditions"), 4);
}

TEST_F(AuditDocuments, NamesPlacesInDenseOutput) {
  Json json = dormand_prince();
  json["dense_output"] = Json::parse(R"([["1"]])");
  EXPECT_THAT(input_error_of([&] { audit_of(json); }), HasSubstr("/dense_output: must be a list of 7 rows"));
  json = dormand_prince(), json["dense_output"][3][2] = "x";
  EXPECT_THAT(input_error_of([&] { audit_of(json); }), HasSubstr("/dense_output/3/2"));
}

}  // namespace TEST_FILE
}  // namespace daelab
