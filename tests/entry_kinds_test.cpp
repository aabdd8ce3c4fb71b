// Kinds of entries: claims, findings and checks have words and keys of their own; rankings, guarantees and exact
// constants.
#include "results/claims.hpp"
#include "results/provenance.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/base/write_file.hpp"
#include "results/printed_number.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"
#include "tests/claims_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

// The same entry as a finding, with its verdict.
Json as_finding(Json entry, const std::string& expected = "holds") {
  const bool number = !entry.contains("claimed") && !entry.contains("values");
  if (number) entry["recorded"] = entry["printed"];
  entry["statement"] = number ? Json("energy error") : entry["printed"];
  entry["expected"] = expected;
  entry.erase("printed");
  return entry;
}

// ----- kinds of entries -----

// The words of a kind are its own: "refuted" is said of what a paper states, and of nothing else.
TEST(Entries, KindsHaveTheirOwnVerdicts) {
  const EntryKind finding = EntryKind::finding, check = EntryKind::check;
  EXPECT_EQ(judge_one(as_finding(energy_claim("0.01")), finding).verdict, "holds");
  EXPECT_EQ(judge_one(as_finding(energy_claim("0.01", "7.0035E-5")), finding).verdict, "does not hold") << "3 digits";
  EXPECT_EQ(judge_one(as_finding(energy_claim("0.1")), finding).verdict, "undecided") << "the run failed";
  EXPECT_EQ(judge_one(as_finding(series_claim("order", 4, 5)), finding).verdict, "holds");
  EXPECT_EQ(judge_one(as_finding(series_claim("order", 4, 4)), finding).verdict, "does not hold");
  EXPECT_EQ(judge_one(as_finding(series_claim("order", 4, 4, "/orders/v")), finding).verdict, "undecided");
  EXPECT_EQ(judge_one(as_check(energy_claim("0.01")), check).verdict, "agrees");
  EXPECT_EQ(judge_one(as_check(energy_claim("0.01", "7.0035E-5")), check).verdict, "3 digits");
  EXPECT_EQ(judge_one(as_check(energy_claim("0.01", "6.5E-5")), check).verdict, "same order of magnitude");
  EXPECT_EQ(judge_one(as_check(energy_claim("0.1")), check).verdict, "differs");
  EXPECT_EQ(judge_one(as_check(less_claim({"0.005", "0.01"})), check).verdict, "agrees");
  EXPECT_EQ(judge_one(as_check(less_claim({"0.01", "0.005"})), check).verdict, "differs");
}

TEST(Entries, MagnitudeOfAFindingHolds) {
  Json entry = energy_claim("0.01", "6.5E-5");
  entry["kind"] = "magnitude";
  EXPECT_EQ(judge_one(as_finding(entry), EntryKind::finding).verdict, "holds");
}

TEST(Entries, CarryWhatTheyAreAbout) {
  const Judgement finding = judge_one(as_finding(energy_claim("0.01")), EntryKind::finding);
  EXPECT_EQ(finding.kind, EntryKind::finding);
  EXPECT_EQ(finding.statement, "energy error");
  EXPECT_EQ(finding.recorded, "7.0007E-5");
  EXPECT_EQ(finding.printed, "") << "nothing is quoted";
  EXPECT_EQ(finding.ours, "7.0007E-5") << "in the style of the recorded number";
  EXPECT_EQ(judge_one(as_check(energy_claim("0.01")), EntryKind::check).source, "Test Set for IVP Solvers 2.4, II-19");
}

// "printed" is what the paper says, "judged_by" what we measure for it. A finding says it in its statement.
TEST(Entries, SayWhatTheyAreJudgedBy) {
  Json claim = energy_claim("0.01");
  EXPECT_EQ(judge_one(claim).judged_by, "");
  claim["judged_by"] = "the energy error over 10 s";
  EXPECT_EQ(judge_one(claim).judged_by, "the energy error over 10 s");
  EXPECT_EQ(Json(judge_one(claim)).get<Judgement>().judged_by, "the energy error over 10 s") << "it is stored";
  EXPECT_THAT(claim_error(as_finding(claim), EntryKind::finding), HasSubstr("/findings/0/judged_by: unknown key"));
  claim["judged_by"] = "";
  EXPECT_THAT(claim_error(claim), HasSubstr("needs \"judged_by\", a text"));
}

// A higher order than the guaranteed one does not contradict the paper: 4.99 and 3.0 are measured.
TEST(Claims, AGuaranteeMayBeUnderstated) {
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 4)).verdict, "understated");
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 5)).verdict, "confirmed");
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 6)).verdict, "refuted");
  EXPECT_EQ(judge_one(series_claim("guarantee", 3, 2)).verdict, "understated");
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 4, "/orders/v")).verdict, "undecided");
  EXPECT_THAT(claim_error(as_finding(series_claim("guarantee", 4, 4)), EntryKind::finding),
              AllOf(HasSubstr("/findings/0/kind"), HasSubstr("'guarantee' is of claims alone")));
}

TEST(Claims, ExactConstantsAreComparedExactly) {
  const ResultLookup lookup = [](const std::string&) {
    return ResultSet{{}, Json::parse(R"({"B": [["107/360", {"exact": "-37/360", "decimal": "-0.1027"}],
                                               ["(11 - 2 sqrt(2))/24", 1]]})")};
  };
  Json claim = {{"id", "B"},      {"location", "Formula (27)"}, {"kind", "exact"},
                {"printed", "B"}, {"expected", "confirmed"},    {"value", {{"set", "s"}, {"result", "/B"}}}};
  claim["claimed"] = Json::parse(R"([["107/120/3", "-37/360"], ["11/24 - sqrt(2)/12", "1"]])");
  EXPECT_EQ(judge(claims_file(claim), lookup).at(0).verdict, "confirmed");
  claim["claimed"][1][0] = "(11 - 2 sqrt(2))/25";
  const Judgement wrong = judge(claims_file(claim), lookup).at(0);
  EXPECT_EQ(wrong.verdict, "refuted");
  EXPECT_EQ(wrong.ours, "(11 - 2 sqrt(2))/24 at /1/0");
  claim["claimed"] = Json::array({"107/360"});  // of another shape
  EXPECT_EQ(judge(claims_file(claim), lookup).at(0).verdict, "refuted");
  EXPECT_EQ(judge(claims_file(claim), lookup).at(0).ours, "((107/360, -37/360), ((11 - 2 sqrt(2))/24, 1))");
  claim["value"]["result"] = "/d";
  EXPECT_EQ(judge(claims_file(claim), lookup).at(0).verdict, "undecided");
}

// Times are noisy: what differs by less than a tenth has no order.
TEST(Claims, RankingsOfTimesNeedAMargin) {
  const auto verdict = [](const std::vector<double>& seconds) {
    Json claim = {{"id", "t"},           {"location", "Table 1"},   {"kind", "faster"},
                  {"printed", "sooner"}, {"values", Json::array()}, {"expected", "confirmed"}};
    for (std::size_t i = 0; i < seconds.size(); ++i)
      claim["values"].push_back({{"set", "s"}, {"result", "/" + std::to_string(i)}});
    return judge(claims_file(claim), [&](const std::string&) { return ResultSet{{}, Json(seconds)}; }).at(0).verdict;
  };
  EXPECT_EQ(verdict({1, 1.2, 2}), "confirmed");
  EXPECT_EQ(verdict({1, 1.05, 2}), "undecided");
  EXPECT_EQ(verdict({1.05, 1, 2}), "undecided");
  EXPECT_EQ(verdict({1.2, 1, 2}), "refuted");
}

TEST(Claims, SimilarIsWithinAFactor) {
  Json claim = less_claim({"0.005", "0.01"});  // 8.8E-7 and 7.0E-5: a factor of 79.5
  claim["kind"] = "similar", claim["claimed"] = 80;
  EXPECT_EQ(judge_one(claim).verdict, "confirmed");
  claim["claimed"] = 79;
  EXPECT_EQ(judge_one(claim).verdict, "refuted");
}

// "Often" is no "always": half of the cases are enough, and one in three is not.
TEST(Claims, OftenIsHalfOfTheCases) {
  const auto judged = [](const char* rule, const std::vector<double>& values) {
    Json claim = {{"id", "t"},           {"location", "Table 1"},   {"kind", rule},           {"claimed", 5},
                  {"printed", "mostly"}, {"values", Json::array()}, {"expected", "confirmed"}};
    for (std::size_t i = 0; i < values.size(); ++i)
      claim["values"].push_back({{"set", "s"}, {"result", "/" + std::to_string(i)}});
    return judge(claims_file(claim), [&](const std::string&) { return ResultSet{{}, Json(values)}; }).at(0);
  };
  EXPECT_EQ(judged("often-at-least", {5, 4}).verdict, "confirmed");
  EXPECT_EQ(judged("often-at-least", {5, 4, 4}).verdict, "refuted");
  EXPECT_EQ(judged("often-at-most", {7, 5, 4}).verdict, "confirmed");
  EXPECT_EQ(judged("often-at-most", {7, 6, 4}).ours, "1 of 3: 7, 6, 4");
}

TEST(Entries, WordsOfAnotherKindAreRefused) {
  EXPECT_THAT(claim_error(as_finding(energy_claim("0.01"), "confirmed"), EntryKind::finding),
              AllOf(HasSubstr("/findings/0/expected"), HasSubstr("known: holds, does not hold, undecided")));
  EXPECT_THAT(claim_error(as_check(energy_claim("0.01"), "all printed digits"), EntryKind::check),
              AllOf(HasSubstr("/checks/0/expected"), HasSubstr("agrees, k digits")));
  Json claim = energy_claim("0.01");
  claim["expected"] = "all printed digit";
  EXPECT_THAT(claim_error(claim),
              AllOf(HasSubstr("/claims/0/expected"), HasSubstr("did you mean 'all printed digits'?")));
}

TEST(Entries, KeysOfAnotherKindAreRefused) {
  EXPECT_THAT(claim_error(energy_claim("0.01"), EntryKind::finding),
              AllOf(HasSubstr("/findings/0/printed"), HasSubstr("\"statement\"")));
  EXPECT_THAT(claim_error(energy_claim("0.01"), EntryKind::check), HasSubstr("needs \"source\""));
  EXPECT_THAT(claim_error(as_check(energy_claim("0.01"))), HasSubstr("/claims/0/source"));
  Json unrecorded = as_finding(energy_claim("0.01"));
  unrecorded.erase("recorded");
  EXPECT_THAT(claim_error(unrecorded, EntryKind::finding), HasSubstr("needs \"recorded\""));
  Json file = claims_file(energy_claim("0.01"));
  file["finding"] = Json::array();
  try {
    check_entries(file);
    FAIL() << "a list of no kind";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("/finding"), HasSubstr("did you mean 'findings'?")));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
