// Claims about small result sets: what is looked up, compared and said.
#include "results/claims.hpp"
#include "results/provenance.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/write_file.hpp"
#include "results/printed_number.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"
#include "tests/claims_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

// ----- claims on small result sets -----

TEST(Claims, NumberOfARunIsJudgedAndCarried) {
  const Judgement j = judge_one(energy_claim("0.01"));
  EXPECT_EQ(j.verdict, "all printed digits");
  EXPECT_EQ(j.ours, "7.0007E-5");
  EXPECT_EQ(j.reason, "because");
  EXPECT_EQ(j.table, "Table 1");
  EXPECT_TRUE(j.as_expected());
}

TEST(Claims, SelectorsMatchNumbersByValue) {
  EXPECT_EQ(judge_one(energy_claim(0.01)).verdict, "all printed digits");
  EXPECT_EQ(judge_one(energy_claim("1/100")).verdict, "all printed digits");
  EXPECT_EQ(judge_one(energy_claim("0.010")).verdict, "all printed digits");
  EXPECT_EQ(judge_one(energy_claim("0.0100001")).verdict, "differs");
}

TEST(Claims, TrueValueStandsBeside) {
  Json claim = energy_claim("0.01");
  claim["true_value"] = claim["value"];
  claim["true_value"]["run"]["/scalar"] = "real50";
  EXPECT_EQ(judge_one(claim).true_value, "7.0007E-5");
  claim["true_value"]["run"]["/h"] = "0.005";  // never computed
  EXPECT_EQ(judge_one(claim).true_value, "");
}

TEST(Claims, FailedRunDiffersAndSaysWhy) {
  const Judgement j = judge_one(energy_claim("0.1"));
  EXPECT_EQ(j.verdict, "differs");
  EXPECT_EQ(j.ours, "-");
  EXPECT_THAT(j.reason, AllOf(HasSubstr("newton-diverged"), HasSubstr("step 3")));
  EXPECT_FALSE(j.as_expected());
}

TEST(Claims, MissingRunSetOrEntryDiffersAndSaysWhy) {
  EXPECT_THAT(judge_one(energy_claim("0.3")).reason, HasSubstr("/h=0.3 /scalar=double"));
  Json claim = energy_claim("0.01");
  claim["value"]["pointer"] = "/max/nothing";
  EXPECT_THAT(judge_one(claim).reason, HasSubstr("/max/nothing"));
  claim["value"]["set"] = "table-9";
  EXPECT_EQ(judge_one(claim).verdict, "differs");
  EXPECT_THAT(judge_one(claim).reason, HasSubstr("table-9"));
}

TEST(Claims, AmbiguousSelectorsAreAnError) {
  Json claim = energy_claim("0.01");
  claim["value"]["run"].erase("/scalar");
  EXPECT_THAT(claim_error(claim), AllOf(HasSubstr("more than one"), HasSubstr("/scalar")));
}

// Digits at round-off level are luck, even when they agree.
TEST(Claims, MagnitudeNeverCountsDigits) {
  Json claim = energy_claim("0.01");
  claim["kind"] = "magnitude", claim["expected"] = "differs";
  EXPECT_EQ(judge_one(claim).verdict, "same order of magnitude");
  claim["printed"] = "7.0007E-3";
  EXPECT_EQ(judge_one(claim).verdict, "differs");
}

TEST(Claims, TimesAreShownButNeverJudged) {
  Json claim = energy_claim("0.01", "5.8906");
  claim["kind"] = "time", claim["expected"] = "not reproducible";
  claim["value"]["pointer"] = "/stats/cpu_seconds";
  const Judgement j = judge_one(claim);
  EXPECT_EQ(j.verdict, "not reproducible");
  EXPECT_EQ(j.ours, "0.0049");
  claim["value"]["run"]["/h"] = "0.3";
  EXPECT_EQ(judge_one(claim).verdict, "not reproducible");
  EXPECT_EQ(judge_one(claim).ours, "-");
}

TEST(Claims, ClaimedOrderAgainstTheMeasuredOne) {
  const Judgement refuted = judge_one(series_claim("order", 4, 4));
  EXPECT_EQ(refuted.verdict, "refuted");
  EXPECT_EQ(refuted.ours, "4.99 ± 0.08");
  EXPECT_TRUE(refuted.as_expected());
  EXPECT_EQ(judge_one(series_claim("order", 3, 2)).verdict, "refuted");
  EXPECT_EQ(judge_one(series_claim("order", 4, 5)).verdict, "confirmed");
  EXPECT_EQ(judge_one(series_claim("order", 4, 5.07)).verdict, "confirmed") << "4.99 ± 0.08";
  EXPECT_EQ(judge_one(series_claim("order", 4, 5.08)).verdict, "refuted");
}

// Local orders that still move neither confirm nor refute what lies outside the interval.
TEST(Claims, AnOrderThatHasNotSettled) {
  const auto judge_order = [](const char* kind, double claimed, const Json& beyond) {
    ResultSet set;
    set.analysis["series"].push_back(
        {{"spec", {{"method", {{"r", 4}}}}},
         {"orders", {{"q", {{"decided", true}, {"order", 5.33}, {"half_width", 0.12}, {"differs_beyond", beyond}}}}}});
    return judge(claims_file(series_claim(kind, 4, claimed)), [&](const std::string&) { return std::optional(set); })
        .front();
  };
  const Judgement judgement = judge_order("order", 5, 0.62);
  EXPECT_EQ(judgement.verdict, "undecided");
  EXPECT_EQ(judgement.ours, "5.33 ± 0.12");
  EXPECT_NE(judgement.reason.find("not settled"), std::string::npos) << judgement.reason;
  EXPECT_EQ(judge_order("order", 4, 0.62).verdict, "refuted");
  EXPECT_EQ(judge_order("order", 4, nullptr).verdict, "undecided") << "too few local orders";
  EXPECT_EQ(judge_order("order", 5.45, nullptr).verdict, "confirmed");
  EXPECT_EQ(judge_order("at-least", 5, nullptr).verdict, "confirmed");
  EXPECT_EQ(judge_order("at-least", 5.5, 0.62).verdict, "undecided");
  EXPECT_EQ(judge_order("at-least", 6, 0.62).verdict, "refuted");
  EXPECT_EQ(judge_order("at-most", 5, 0.62).verdict, "undecided");
  EXPECT_EQ(judge_order("at-most", 4.5, 0.62).verdict, "refuted");
}

// Rising local orders do not refute what they may still reach.
TEST(Claims, AnOrderThatRises) {
  const auto judge_order = [](const char* kind, double claimed) {
    ResultSet set;
    set.analysis["series"].push_back(
        {{"spec", {{"method", {{"r", 4}}}}},
         {"orders",
          {{"q",
            {{"decided", true}, {"order", 2.06}, {"half_width", 0.05}, {"differs_beyond", 0.3}, {"rises_to", 3.1}}}}}});
    return judge(claims_file(series_claim(kind, 4, claimed)), [&](const std::string&) { return std::optional(set); })
        .front()
        .verdict;
  };
  EXPECT_EQ(judge_order("order", 3), "undecided");
  EXPECT_EQ(judge_order("at-least", 3), "undecided");
  EXPECT_EQ(judge_order("at-least", 3.5), "refuted");
  EXPECT_EQ(judge_order("order", 1), "refuted");
  EXPECT_EQ(judge_order("at-most", 1), "refuted");
  EXPECT_EQ(judge_order("at-least", 2), "confirmed");
}

TEST(Claims, AtLeastIsOneSided) {
  EXPECT_EQ(judge_one(series_claim("at-least", 4, 4)).verdict, "confirmed");
  EXPECT_EQ(judge_one(series_claim("at-least", 3, 4)).verdict, "refuted");
  Json claim = series_claim("at-least", 4, 12.5);
  claim["value"] = {{"set", "figure-8"}, {"result", "/best"}};
  EXPECT_EQ(judge_one(claim).verdict, "confirmed");
  claim["claimed"] = 12.51;  // a plain number has no tolerance
  EXPECT_EQ(judge_one(claim).verdict, "refuted");
}

TEST(Claims, AtMostIsOneSided) {
  EXPECT_EQ(judge_one(series_claim("at-most", 3, 3)).verdict, "confirmed");
  EXPECT_EQ(judge_one(series_claim("at-most", 4, 3)).verdict, "refuted");
  Json claim = series_claim("at-most", 4, 12.5);
  claim["value"] = {{"set", "figure-8"}, {"result", "/best"}};
  EXPECT_EQ(judge_one(claim).verdict, "confirmed");
  claim["claimed"] = 12.49;  // a plain number has no tolerance
  EXPECT_EQ(judge_one(claim).verdict, "refuted");
}

// How a run ended is what the claim is about, so a failed run is no obstacle.
TEST(Claims, StatusOfAFailedRun) {
  Json claim = energy_claim("0.1");
  claim["kind"] = "status", claim["expected"] = "confirmed", claim["claimed"] = "newton-diverged",
  claim["value"]["pointer"] = "/status";
  const Judgement j = judge_one(claim);
  EXPECT_EQ(j.verdict, "confirmed");
  EXPECT_EQ(j.ours, "newton-diverged");
  claim["claimed"] = "ok";
  EXPECT_EQ(judge_one(claim).verdict, "refuted");
  claim["value"]["pointer"] = "/max";
  EXPECT_EQ(judge_one(claim).verdict, "undecided");
  claim["claimed"] = 4;
  EXPECT_THROW(judge_one(claim), InputError);
}

TEST(Claims, HoldsIsTrueOrFalseAsClaimed) {
  const ResultLookup lookup = [](const std::string&) {
    return ResultSet{
        {{{"spec", {{"k", 3}}}, {"status", "ok"}, {"a_stable", {{"holds", false}, {"certificate", "exact"}}}}}, {}};
  };
  Json claim = {{"id", "a"},
                {"location", "Lemma 6"},
                {"kind", "holds"},
                {"printed", "not A-stable"},
                {"claimed", false},
                {"value", {{"set", "s"}, {"run", {{"/k", 3}}}, {"pointer", "/a_stable/holds"}}},
                {"expected", "confirmed"}};
  Judgement j = judge(claims_file(claim), lookup).at(0);
  EXPECT_EQ(j.verdict, "confirmed");
  EXPECT_EQ(j.ours, "does not hold");
  claim["claimed"] = true;
  EXPECT_EQ(judge(claims_file(claim), lookup).at(0).verdict, "refuted");
  claim["value"]["pointer"] = "/a_stable/certificate";
  j = judge(claims_file(claim), lookup).at(0);
  EXPECT_EQ(j.verdict, "undecided");
  EXPECT_EQ(j.reason, "the value is neither true nor false");
  claim["claimed"] = 1;
  EXPECT_THAT(claim_error(claim), HasSubstr("needs \"claimed\", true or false"));
}

TEST(Claims, OfAConfigAreAboutItsOwnRunsUnlessTheySaySo) {
  Json claim = energy_claim("0.01");
  claim["value"].erase("set");
  const std::vector<Json> runs{{{"h", "1/100"}, {"scalar", "double"}}, {{"h", "1/200"}, {"scalar", "double"}}};
  Json config = {{"claims", Json::array({claim})}};
  const Json entries = entries_of_config(config, "table-1", runs);
  EXPECT_EQ(entries["claims"][0]["value"]["set"], "table-1");
  EXPECT_EQ(judge_entries(entries, look_up_small_sets).at(0).verdict, "all printed digits");

  config["claims"][0]["value"]["set"] = "another";  // whose runs are not known here
  EXPECT_EQ(entries_of_config(config, "table-1", {})["claims"][0]["value"]["set"], "another");
}

// 7.0E-5 and 8.8E-7: a factor of 79.48.
TEST(Claims, AValueOverAnotherIsTheirQuotient) {
  Json claim = series_claim("at-least", 4, 79);
  claim["value"] = energy_claim("0.01")["value"];
  claim["value"]["over"] = energy_claim("0.005")["value"];
  EXPECT_EQ(judge_one(claim).verdict, "confirmed");
  EXPECT_EQ(judge_one(claim).ours, "79.483");
  claim["claimed"] = 80;
  EXPECT_EQ(judge_one(claim).verdict, "refuted");

  claim["value"]["over"] = energy_claim("0.1")["value"];
  EXPECT_EQ(judge_one(claim).verdict, "undecided");
  EXPECT_THAT(judge_one(claim).reason, HasSubstr("newton-diverged"));
  claim["value"]["over"] = {{"set", "figure-8"}, {"result", "/series/0/label"}};
  EXPECT_EQ(judge_one(claim).verdict, "undecided");
  claim["value"]["over"] = {{"set", "figure-8"}};
  EXPECT_THAT(claim_error(claim), HasSubstr("/claims/0/value/over"));
}

TEST(Claims, QuotientsOfAConfigAreAboutItsOwnRuns) {
  Json claim = series_claim("at-least", 4, 79);
  claim["value"] = energy_claim("0.01")["value"];
  claim["value"]["over"] = energy_claim("0.005")["value"];
  claim["value"].erase("set"), claim["value"]["over"].erase("set");
  const Json config = {{"claims", Json::array({claim})}};
  const std::vector<Json> runs{{{"h", "1/100"}, {"scalar", "double"}}, {{"h", "1/200"}, {"scalar", "double"}}};
  EXPECT_EQ(judge_entries(entries_of_config(config, "table-1", runs), look_up_small_sets).at(0).verdict, "confirmed");
}

TEST(Claims, UndecidedOrderDecidesNothing) {
  const Judgement j = judge_one(series_claim("order", 4, 4, "/orders/v"));
  EXPECT_EQ(j.verdict, "undecided");
  EXPECT_THAT(j.reason, HasSubstr("every error is zero"));
  EXPECT_EQ(judge_one(series_claim("order", 7, 4)).verdict, "undecided");  // no such series
}

TEST(Claims, LessComparesInOrder) {
  const Judgement holds = judge_one(less_claim({"0.005", "0.01"}));
  EXPECT_EQ(holds.verdict, "confirmed");
  EXPECT_EQ(holds.ours, "8.8078E-7 < 7.0007E-5");
  const Judgement fails = judge_one(less_claim({"0.01", "0.005"}));
  EXPECT_EQ(fails.verdict, "refuted");
  EXPECT_EQ(fails.ours, "7.0007E-5 > 8.8078E-7");
  EXPECT_EQ(judge_one(less_claim({"0.01", "0.01"})).verdict, "refuted");
  const Judgement failed_run = judge_one(less_claim({"0.01", "0.1"}));
  EXPECT_EQ(failed_run.verdict, "undecided");
  EXPECT_THAT(failed_run.reason, HasSubstr("newton-diverged"));
}

TEST(Claims, FiftyDigitTextIsANumber) {
  const auto lookup = [](const std::string&) {
    ResultSet set = *look_up_small_sets("table-1");
    set.runs[0]["max"]["energy_error"] = "7.0007123456789012345678901234567890e-5";
    return std::optional(set);
  };
  EXPECT_EQ(judge(claims_file(energy_claim("0.01")), lookup)[0].verdict, "all printed digits");
}

TEST(Claims, MalformedFilesAreNamedByPointer) {
  const auto with = [](const char* patch) {
    auto claim = nlohmann::ordered_json::parse(energy_claim("0.01").dump());
    claim.merge_patch(nlohmann::ordered_json::parse(patch));
    return claim_error(Json::parse(claim.dump()));
  };
  EXPECT_THAT(with(R"({"printd": "1"})"), AllOf(HasSubstr("/claims/0/printd"), HasSubstr("'printed'")));
  EXPECT_THAT(with(R"({"kind": "numbr"})"), AllOf(HasSubstr("/claims/0/kind"), HasSubstr("did you mean 'number'?")));
  EXPECT_THAT(with(R"({"printed": "7.0O07E-5"})"), HasSubstr("/claims/0/printed"));
  EXPECT_THAT(with(R"({"expected": null})"), HasSubstr("\"expected\""));
  EXPECT_THAT(with(R"({"value": null})"), HasSubstr("\"value\""));
  EXPECT_THAT(with(R"({"value": {"pointer": "max"}})"), HasSubstr("/claims/0/value/pointer"));
  EXPECT_THAT(with(R"({"value": {"series": {}}})"), HasSubstr("exactly one"));
  EXPECT_THAT(with(R"({"value": {"run": {"h": "0.01"}}})"), HasSubstr("/claims/0/value/run"));
  EXPECT_THAT(with(R"({"kind": "order", "expected": "confirmed"})"), HasSubstr("\"claimed\""));
  EXPECT_THAT(with(R"({"kind": "less", "expected": "confirmed"})"), HasSubstr("\"values\""));
  EXPECT_THAT(with(R"({"kind": "similar", "expected": "confirmed", "value": null, "values": null})"),
              HasSubstr("\"values\""));
  EXPECT_THAT(with(R"({"kind": "exact", "expected": "confirmed", "claimed": ["1/2", "1/0"]})"),
              HasSubstr("/claims/0/claimed/1"));
}

TEST(Claims, IdsAreUnique) {
  Json file = claims_file(energy_claim("0.01"));
  file["claims"].push_back(file["claims"][0]);
  EXPECT_THROW(judge(file, look_up_small_sets), InputError);
}

TEST(Claims, StoredResultsAreLookedUpByConfigName) {
  const TemporaryFolder folder;
  const std::string& root = folder.path();
  {
    ResultStore store = ResultStore::open(root + "/table-1", "table-1", Json::object());
    Json run = claimed_run({{"h", "0.01"}, {"scalar", "double"}}, 7.0007e-5);
    run["key"] = "k";
    store.append(run);
    store.ask_for({"k"}, "", {{"engines", source_hash("engines")}});
    store.write_analysis({{"best", 1}});
  }
  const ResultLookup lookup = stored_results(root);
  EXPECT_EQ(lookup("table-1")->analysis["best"], 1);
  EXPECT_FALSE(lookup("table-2").has_value());
  EXPECT_EQ(judge(claims_file(energy_claim("0.01")), lookup)[0].verdict, "all printed digits");

  Json manifest = read_checked_file(root + "/table-1/manifest.json");
  manifest["sources"]["engines"] = "other";
  write_file(root + "/table-1/manifest.json", checked_text(manifest, 2));
  EXPECT_FALSE(lookup("table-1").has_value());
}

}  // namespace TEST_FILE
}  // namespace daelab
