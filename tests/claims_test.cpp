#include "results/claims.hpp"
#include "results/provenance.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "results/printed_number.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"
#include "tests/build_paths.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

// ----- single numbers, from Li, Ding, Li (2019) -----

TEST(JudgeNumber, CountsSignificantDigits) {
  EXPECT_EQ(significant_digits("7.0007E-5"), 5);
  EXPECT_EQ(significant_digits("0.0021"), 2);
  EXPECT_EQ(significant_digits("0.0704"), 3);
  EXPECT_EQ(significant_digits("3.7480E-7"), 5);
  EXPECT_EQ(significant_digits("10.8750"), 6);
  EXPECT_EQ(significant_digits("2177"), 4);
}

TEST(JudgeNumber, AllPrintedDigits) {
  EXPECT_EQ(judge_number(7.00071e-5, "7.0007E-5"), "all printed digits");
  EXPECT_EQ(judge_number(2.1449e-3, "0.0021"), "all printed digits");
  EXPECT_EQ(judge_number(0.262849, "0.2628"), "all printed digits");
  EXPECT_EQ(judge_number(6.66858e-9, "6.6686E-9"), "all printed digits");
  EXPECT_EQ(judge_number(9.99996, "10.000"), "all printed digits");  // across a power of ten
}

TEST(JudgeNumber, KDigits) {
  EXPECT_EQ(judge_number(6.6685e-9, "6.6686E-9"), "4 digits");  // 1.5e-5 apart
  EXPECT_EQ(judge_number(7.01e-5, "7.0007E-5"), "2 digits");
  EXPECT_EQ(judge_number(7.0035e-5, "7.0007E-5"), "3 digits");
}

// One digit alike is luck: 5.352E-11 in our double, 5.5074E-11 printed.
TEST(JudgeNumber, SameOrderOfMagnitude) {
  EXPECT_EQ(judge_number(5.352e-11, "5.5074E-11"), "same order of magnitude");
  EXPECT_EQ(judge_number(1.196e-13, "7.6766E-13"), "same order of magnitude");
  EXPECT_EQ(judge_number(2.716e-3, "0.0021"), "same order of magnitude");  // the (2,3) scheme
}

TEST(JudgeNumber, Differs) {
  EXPECT_EQ(judge_number(5.53e-6, "5.8212E-5"), "differs");  // the (2,3) scheme, factor 10.5
  EXPECT_EQ(judge_number(0, "5.8212E-5"), "differs");
  EXPECT_EQ(judge_number(-7.0007e-5, "7.0007E-5"), "differs");
  EXPECT_EQ(judge_number(std::nan(""), "7.0007E-5"), "differs");
}

TEST(PrintAlike, FollowsTheStyleOfThePaper) {
  EXPECT_EQ(print_alike(7.000712e-5, "7.0007E-5"), "7.0007E-5");
  EXPECT_EQ(print_alike(5.352e-11, "5.5074E-11"), "5.3520E-11");
  EXPECT_EQ(print_alike(2.1449e-3, "0.0021"), "0.0021");
  EXPECT_EQ(print_alike(0.98541, "0.9854"), "0.9854");
  EXPECT_EQ(print_alike(1.23e-9, "0.0021"), "1.2E-9");
  EXPECT_EQ(print_alike(123, "0.0704"), "1.23E2");
  EXPECT_EQ(print_alike(0, "0.0021"), "0.0E0");
}

// ----- claims on small result sets -----

Json run_of(const Json& spec, double error, const std::string& status = "ok") {
  return {{"spec", spec},
          {"status", status},
          {"cause", status == "ok" ? "" : "step 3"},
          {"max", {{"energy_error", error}}},
          {"stats", {{"cpu_seconds", 0.0049}}}};
}

const char* small_sets = R"({
  "figure-8": {"series": [
    {"label": "r=4", "spec": {"method": {"r": 4}},
     "orders": {"q": {"decided": true, "order": 4.99, "half_width": 0.08},
                "v": {"decided": false, "order": null, "half_width": null,
                      "statement": "undecided: every error is zero"}}},
    {"label": "r=3", "spec": {"method": {"r": 3}},
     "orders": {"q": {"decided": true, "order": 3.0, "half_width": 0.02}}}],
    "best": 12.5}})";

std::optional<ResultSet> small_lookup(const std::string& set) {
  if (set == "figure-8") return ResultSet{{}, Json::parse(small_sets)["figure-8"]};
  if (set != "table-1") return std::nullopt;
  return ResultSet{{run_of({{"h", "0.01"}, {"scalar", "double"}}, 7.00071e-5),
                    run_of({{"h", "0.01"}, {"scalar", "real50"}}, 7.00069e-5),
                    run_of({{"h", "0.005"}, {"scalar", "double"}}, 8.8078e-7),
                    run_of({{"h", "0.1"}, {"scalar", "double"}}, 1, "newton-diverged")},
                   {}};
}

Json paper_of(EntryKind kind, const Json& entry) {
  Json paper = {{"paper", "p"}, {"title", "t"}, {"reference", "r"}, {"claims", Json::array()}};
  paper["contents"] = {{"sections", {"5", "8.2"}},
                       {"tables", {"1"}},
                       {"figures", {"8"}},
                       {"formulas", {"27"}},
                       {"parts", {"Abstract", "Conclusions", "Lemma 5", "Lemma 6"}}};
  paper[entry_list(kind)] = Json::array({entry});
  return paper;
}

Json claims_file(const Json& claim) { return paper_of(EntryKind::claim, claim); }

// A claim about the energy error of the run of table-1 with this step size.
Json energy_claim(const Json& h, const std::string& printed = "7.0007E-5") {
  return {
      {"id", "e"},
      {"location", "Table 1"},
      {"table", "Table 1"},
      {"row", "h"},
      {"column", "H max"},
      {"printed", printed},
      {"value", {{"set", "table-1"}, {"run", {{"/h", h}, {"/scalar", "double"}}}, {"pointer", "/max/energy_error"}}},
      {"expected", "all printed digits"},
      {"reason", "because"}};
}

Json series_claim(const std::string& kind, int r, double claimed, const char* pointer = "/orders/q") {
  return {{"id", "o"},
          {"location", "Figure 8"},
          {"kind", kind},
          {"printed", "order"},
          {"claimed", claimed},
          {"value", {{"set", "figure-8"}, {"series", {{"/method/r", r}}}, {"pointer", pointer}}},
          {"expected", "refuted"}};
}

// The same entry as a finding, with its verdict.
Json as_finding(Json entry, const std::string& expected = "holds") {
  const bool number = !entry.contains("claimed") && !entry.contains("values");
  if (number) entry["recorded"] = entry["printed"];
  entry["statement"] = number ? Json("energy error") : entry["printed"];
  entry["expected"] = expected;
  entry.erase("printed");
  return entry;
}

Json as_check(Json entry, const std::string& expected = "agrees") {
  entry["source"] = "Test Set for IVP Solvers 2.4, II-19";
  entry["expected"] = expected;
  return entry;
}

Json less_claim(const std::vector<const char*>& steps) {
  Json claim = {{"id", "l"},
                {"location", "Conclusions"},
                {"kind", "less"},
                {"printed", "smaller is better"},
                {"values", Json::array()},
                {"expected", "confirmed"}};
  for (const char* h : steps) claim["values"].push_back(energy_claim(h)["value"]);
  return claim;
}

Judgement judge_one(const Json& entry, EntryKind kind = EntryKind::claim) {
  return judge(paper_of(kind, entry), small_lookup).at(0);
}

std::string error_of(const Json& entry, EntryKind kind = EntryKind::claim) {
  try {
    judge_one(entry, kind);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

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
  EXPECT_THAT(error_of(claim), AllOf(HasSubstr("more than one"), HasSubstr("/scalar")));
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
  EXPECT_THAT(error_of(claim), HasSubstr("needs \"claimed\", true or false"));
}

TEST(Claims, OfAConfigAreAboutItsOwnRunsUnlessTheySaySo) {
  Json claim = energy_claim("0.01");
  claim["value"].erase("set");
  const std::vector<Json> runs{{{"h", "1/100"}, {"scalar", "double"}}, {{"h", "1/200"}, {"scalar", "double"}}};
  Json config = {{"claims", Json::array({claim})}};
  const Json entries = entries_of_config(config, "table-1", runs);
  EXPECT_EQ(entries["claims"][0]["value"]["set"], "table-1");
  EXPECT_EQ(judge_entries(entries, small_lookup).at(0).verdict, "all printed digits");

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
  EXPECT_THAT(error_of(claim), HasSubstr("/claims/0/value/over"));
}

TEST(Claims, QuotientsOfAConfigAreAboutItsOwnRuns) {
  Json claim = series_claim("at-least", 4, 79);
  claim["value"] = energy_claim("0.01")["value"];
  claim["value"]["over"] = energy_claim("0.005")["value"];
  claim["value"].erase("set"), claim["value"]["over"].erase("set");
  const Json config = {{"claims", Json::array({claim})}};
  const std::vector<Json> runs{{{"h", "1/100"}, {"scalar", "double"}}, {{"h", "1/200"}, {"scalar", "double"}}};
  EXPECT_EQ(judge_entries(entries_of_config(config, "table-1", runs), small_lookup).at(0).verdict, "confirmed");
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
    ResultSet set = *small_lookup("table-1");
    set.runs[0]["max"]["energy_error"] = "7.0007123456789012345678901234567890e-5";
    return std::optional(set);
  };
  EXPECT_EQ(judge(claims_file(energy_claim("0.01")), lookup)[0].verdict, "all printed digits");
}

TEST(Claims, MalformedFilesAreNamedByPointer) {
  const auto with = [](const char* patch) {
    auto claim = nlohmann::ordered_json::parse(energy_claim("0.01").dump());
    claim.merge_patch(nlohmann::ordered_json::parse(patch));
    return error_of(Json::parse(claim.dump()));
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
  EXPECT_THROW(judge(file, small_lookup), InputError);
}

TEST(Claims, StoredResultsAreLookedUpByConfigName) {
  const TemporaryFolder folder;
  const std::string& root = folder.path();
  {
    ResultStore store = ResultStore::open(root + "/table-1", "table-1", Json::object());
    Json run = run_of({{"h", "0.01"}, {"scalar", "double"}}, 7.0007e-5);
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
  EXPECT_THAT(error_of(as_finding(claim), EntryKind::finding), HasSubstr("/findings/0/judged_by: unknown key"));
  claim["judged_by"] = "";
  EXPECT_THAT(error_of(claim), HasSubstr("needs \"judged_by\", a text"));
}

// A higher order than the guaranteed one does not contradict the paper: 4.99 and 3.0 are measured.
TEST(Claims, AGuaranteeMayBeUnderstated) {
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 4)).verdict, "understated");
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 5)).verdict, "confirmed");
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 6)).verdict, "refuted");
  EXPECT_EQ(judge_one(series_claim("guarantee", 3, 2)).verdict, "understated");
  EXPECT_EQ(judge_one(series_claim("guarantee", 4, 4, "/orders/v")).verdict, "undecided");
  EXPECT_THAT(error_of(as_finding(series_claim("guarantee", 4, 4)), EntryKind::finding),
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
  EXPECT_EQ(wrong.ours, "\"(11 - 2 sqrt(2))/24\" at /1/0");
  claim["claimed"] = Json::array({"107/360"});  // of another shape
  EXPECT_EQ(judge(claims_file(claim), lookup).at(0).verdict, "refuted");
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
  EXPECT_THAT(error_of(as_finding(energy_claim("0.01"), "confirmed"), EntryKind::finding),
              AllOf(HasSubstr("/findings/0/expected"), HasSubstr("known: holds, does not hold, undecided")));
  EXPECT_THAT(error_of(as_check(energy_claim("0.01"), "all printed digits"), EntryKind::check),
              AllOf(HasSubstr("/checks/0/expected"), HasSubstr("agrees, k digits")));
  Json claim = energy_claim("0.01");
  claim["expected"] = "all printed digit";
  EXPECT_THAT(error_of(claim), AllOf(HasSubstr("/claims/0/expected"), HasSubstr("did you mean 'all printed digits'?")));
}

TEST(Entries, KeysOfAnotherKindAreRefused) {
  EXPECT_THAT(error_of(energy_claim("0.01"), EntryKind::finding),
              AllOf(HasSubstr("/findings/0/printed"), HasSubstr("\"statement\"")));
  EXPECT_THAT(error_of(energy_claim("0.01"), EntryKind::check), HasSubstr("needs \"source\""));
  EXPECT_THAT(error_of(as_check(energy_claim("0.01"))), HasSubstr("/claims/0/source"));
  Json unrecorded = as_finding(energy_claim("0.01"));
  unrecorded.erase("recorded");
  EXPECT_THAT(error_of(unrecorded, EntryKind::finding), HasSubstr("needs \"recorded\""));
  Json file = claims_file(energy_claim("0.01"));
  file["finding"] = Json::array();
  try {
    check_entries(file);
    FAIL() << "a list of no kind";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("/finding"), HasSubstr("did you mean 'findings'?")));
  }
}

// ----- locations -----

TEST(Locations, NameAPlaceOfThePaper) {
  const auto at = [](const std::string& location) {
    Json claim = energy_claim("0.01");
    claim["location"] = location;
    return error_of(claim);
  };
  for (const char* place : {"Table 1", "Section 8.2, row h = 0.01", "Formula (27)", "Formula 27", "Lemma 6, proof",
                            "paragraph 3, Abstract", "Section 5, Figure 8, item 4)"})
    EXPECT_EQ(at(place), "no InputError") << place;
  EXPECT_THAT(at("Section 8.3"), AllOf(HasSubstr("/claims/0/location (e)"), HasSubstr("no 'Section 8.3'"),
                                       HasSubstr("5, 8.2"), HasSubstr("did you mean '8.2'?")));
  EXPECT_THAT(at("Table 1, Figure 9"), HasSubstr("no 'Figure 9'"));
  EXPECT_THAT(at("Figure 8 and its text"), HasSubstr("no 'Figure 8 and its text'"));
  EXPECT_THAT(at("Lemma 7"), AllOf(HasSubstr("no 'Lemma 7'"), HasSubstr("Lemma 5, Lemma 6")));
  EXPECT_THAT(at("the text, h = 0.01"), AllOf(HasSubstr("names no place"), HasSubstr("Abstract, Conclusions")));
  Json check = as_check(energy_claim("0.01"));  // elsewhere
  check["location"] = "v6(0.1)";
  EXPECT_EQ(error_of(check, EntryKind::check), "no InputError");
}

TEST(Locations, ContentsAreLists) {
  const auto with = [](const Json& contents) {
    Json file = claims_file(energy_claim("0.01"));
    file["contents"] = contents;
    try {
      check_entries(file);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  EXPECT_THAT(with({{"section", {"1"}}}), AllOf(HasSubstr("/contents/section"), HasSubstr("did you mean 'sections'?")));
  EXPECT_THAT(with({{"tables", "1"}}), HasSubstr("/contents/tables: expected a list"));
  EXPECT_THAT(with({{"tables", {1}}}), HasSubstr("/contents/tables/0: expected text"));
  EXPECT_THAT(with({{"parts", {"Lemma 5, proof"}}}), HasSubstr("/contents/parts/0"));
  EXPECT_THAT(with(nullptr), HasSubstr("/contents"));
}

TEST(Locations, OfConfigsThatCiteAPaperNameAPlaceOfIt) {
  const auto with = [](const std::string& location) {
    Json claim = energy_claim("0.01");
    claim["location"] = location;
    const Json config = {{"claims", {claim}}};
    try {
      entries_of_config(config, "another set", {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  EXPECT_EQ(with("Ren, Zhou 2020, Section 5.2"), "no InputError");
  EXPECT_EQ(with("HW96, Sec. V.2; Ren, Zhou 2020, Table 2, below"), "no InputError");
  EXPECT_EQ(with("my own notes, page 3"), "no InputError");
  EXPECT_THAT(with("Ren, Zhou 2020, Section 9.9"),
              AllOf(HasSubstr("/claims/0/location"), HasSubstr("no 'Section 9.9'"), HasSubstr("8.1, 8.2, 9")));
  EXPECT_THAT(with("HW96, Sec. V.2; Ren, Zhou 2020, section 5.2"), HasSubstr("names no place"));
}

// Every location of every paper exists.
TEST(Locations, OfThePublishedPapers) {
  int papers = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_path("/results/published"))) {
    const Json paper = read_json_file(file.path().string());
    EXPECT_EQ(paper["paper"], file.path().stem().string());
    EXPECT_NO_THROW(check_entries(paper)) << file.path();
    ++papers;
  }
  EXPECT_GE(papers, 5);
}

// ----- the claims of the paper -----

Json li2019() { return read_json_file(source_path("/results/published/li2019.json")); }

TEST(Li2019, HoldsEveryPrintedNumber) {
  const Json file = li2019();
  check_entries(file);
  std::map<std::string, int> cells, kinds;
  for (const Json& claim : file["claims"]) {
    if (claim.contains("table")) ++cells[claim["table"]];
    ++kinds[claim.value("kind", "number")];
  }
  EXPECT_THAT(cells, testing::ElementsAre(std::pair("Table 1", 15), std::pair("Table 2", 10), std::pair("Table 3", 10),
                                          std::pair("Table 4", 15), std::pair("Table 5", 15)));
  EXPECT_EQ(kinds["number"], 36);     // reproducible to all printed digits
  EXPECT_EQ(kinds["magnitude"], 16);  // round-off
  EXPECT_EQ(kinds["time"], 13);
  EXPECT_EQ(kinds["guarantee"], 2);
}

// The paper against itself: sets made of its printed tables. Every selector finds exactly one run, and every conclusion
// that the tables decide gets the verdict the file expects.
class PrintedTables {
 public:
  explicit PrintedTables(const Json& file) {
    for (const Json& claim : file["claims"])
      if (claim.contains("table")) add(claim["value"], std::atof(claim["printed"].get<std::string>().c_str()));
  }
  std::optional<ResultSet> operator()(const std::string& name) const {
    const auto set = sets_.find(name);
    return set == sets_.end() ? std::nullopt : std::optional(set->second);
  }
  /// Whether the tables print what this value is. Counts of work are taken for the times that are printed.
  bool print(Json& value) const {
    if (value["pointer"].get<std::string>().starts_with("/stats/")) value["pointer"] = "/stats/cpu_seconds";
    return value["set"].get<std::string>().starts_with("table-") && value["pointer"] != "/error/q";
  }

 private:
  static Json spec_of(const Json& selectors) {
    Json spec;
    for (const auto& [pointer, value] : selectors.items()) spec[Json::json_pointer(pointer)] = value;
    return spec;
  }
  void add(const Json& value, double number) {
    ResultSet& set = sets_[value["set"]];
    const Json spec = spec_of(value["run"]);
    auto run = std::find_if(set.runs.begin(), set.runs.end(), [&](const Json& r) { return r["spec"] == spec; });
    if (run == set.runs.end()) run = set.runs.insert(set.runs.end(), Json{{"spec", spec}, {"status", "ok"}});
    (*run)[Json::json_pointer(value["pointer"].get<std::string>())] = number;
  }
  std::map<std::string, ResultSet> sets_;
};

TEST(Li2019, PrintedTablesSupportTheExpectedVerdicts) {
  const Json file = li2019();
  const PrintedTables tables(file);
  Json decided = Json::array();
  for (Json claim : file["claims"]) {
    bool printed = true;
    if (!claim.contains("values"))
      printed = tables.print(claim["value"]);
    else
      for (Json& value : claim["values"]) printed = tables.print(value) && printed;
    if (printed) decided.push_back(claim);
  }
  EXPECT_EQ(decided.size(), 91u);  // 65 cells; 5, 5, 4, 9 and 3 statements of items 1) to 5) of section 3
  for (const Judgement& j : judge_entries({{"claims", decided}}, tables))
    EXPECT_TRUE(j.as_expected()) << j.id << ": " << j.verdict << ", " << j.ours << "; " << j.reason;
}

Json claims_of(const std::string& paper) { return read_entries(paper).at("claims"); }

// The numbers of results that the papers print, in results/published/test-set.json and li2019.json too many to repeat.
// Numbers of ours are recorded by findings, those of other literature are checks.
TEST(Entries, ClaimsHoldTheNumbersThatPapersPrint) {
  using testing::UnorderedElementsAre;
  const auto printed = [](const std::string& paper) {
    std::vector<std::string> numbers;
    for (const Json& claim : claims_of(paper))
      if (const std::string kind = claim.value("kind", "number"); kind == "number" || kind == "magnitude")
        numbers.push_back(claim["printed"]);
    return numbers;
  };
  EXPECT_THAT(printed("ivanov2023"), UnorderedElementsAre("1.994", "2", "3"));  // section 4; products, section 2
  EXPECT_THAT(printed("wang"), UnorderedElementsAre("0.001", "0.002"));         // tick labels of figure 3
  EXPECT_THAT(printed("textbook"), testing::IsEmpty());
  EXPECT_THAT(printed("ren2020"),
              UnorderedElementsAre("3148", "946", "568",          // table 5
                                   "494", "436", "444",           // table 6
                                   "0.1", "0.1",                  // note 5: about 10 %
                                   "1",                           // section 3: c of (34)
                                   "100", "100", "100", "100"));  // section 8, note 4: two orders of magnitude
}

// A statement is refuted only where the paper makes it: whoever adds one looks it up there.
TEST(Entries, RefutedAreStatementsThatPapersMake) {
  using testing::ElementsAre;
  const auto refuted = [](const std::string& paper) {
    std::vector<std::string> ids;
    for (const Json& claim : claims_of(paper))
      if (claim["expected"] == "refuted") ids.push_back(claim["id"]);
    return ids;
  };
  EXPECT_THAT(refuted("li2019"), ElementsAre("explicit/index-2", "formula-14/pair"));
  EXPECT_THAT(refuted("ivanov2023"),
              ElementsAre("cost/cholesky", "updates/without-the-inverse", "normal-pseudo-solution", "effective-rank",
                          "theory/lemma-6/symmetric", "theory/lemma-6/semidefinite", "theory/monotone/relative-change",
                          "theory/strict"));
  EXPECT_THAT(refuted("wang"), ElementsAre("time-as-coordinate", "remark-2/condition"));
  EXPECT_THAT(refuted("textbook"), testing::IsEmpty());
  EXPECT_THAT(refuted("ren2020"),
              ElementsAre("table-1/k=2", "table-1/k=3", "table-1/k=4", "table-1/k=5", "table-2/k=3", "table-2/k=4",
                          "table-2/k=5", "note-5/generalized-alpha", "eq-27/printed/q", "eq-27/printed/v",
                          "eq-27/printed/a", "eq-27/printed/lambda", "eq-27/slider/printed/q", "eq-27/slider/printed/v",
                          "formula-22", "formula-23", "formula-39", "formula-84", "algorithm-2/relaxation",
                          "algorithm-3/second-failure", "algorithm-4/differences", "hht/equivalent", "formula/faster",
                          "selectors/no-failures", "reuse/newton/evaluations",
                          "figure-6/coincide/bending/generalized-alpha", "figure-6/coincide/bending/BDF index 3",
                          "figure-6/coincide/bending/BDF index 2", "section-8/rtol/slider-crank"));
}

// What a claim quotes has no setting of ours in it: no tolerance, no step, no problem that the paper does not name
// there.
TEST(Entries, ClaimsQuoteNoSettingsOfOurs) {
  const std::vector<std::string> ours = {"RTOL = ", "ATOL", "error of q of", "residuals",   "pendulum",
                                         "h = 1/",  "(q)",  "(lambda)",      "two-link arm"};
  for (const char* paper : {"li2019", "ivanov2023", "wang", "ren2020", "textbook"})
    for (const Json& claim : claims_of(paper))
      for (const std::string& text : ours)
        EXPECT_EQ(claim["printed"].get<std::string>().find(text), std::string::npos) << claim["id"] << ": " << text;
}

// A busy machine changes no verdict: processor times are shown, never judged.
TEST(Entries, NoPublishedVerdictHangsOnAClock) {
  for (const char* paper : {"li2019", "ivanov2023", "wang", "ren2020", "textbook", "test-set"}) {
    const Json entries = read_entries(paper);
    for (const char* list : {"claims", "findings", "checks"})
      for (const Json& entry : entries.value(list, Json::array())) {
        if (entry.value("kind", "number") == "time") continue;
        EXPECT_EQ(entry.dump().find("seconds\""), std::string::npos) << entry["id"];
      }
  }
}

TEST(Li2019, NothingComputedIsNothingReproduced) {
  for (const Judgement& j : judge(li2019(), [](const std::string&) { return std::nullopt; }))
    EXPECT_TRUE(verdict_kind(j.verdict) == VerdictKind::not_reproducible || !j.as_expected()) << j.id;
}

}  // namespace TEST_FILE
}  // namespace daelab
