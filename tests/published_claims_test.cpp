// The claims, findings and checks of published papers: what the packs of the project hold.
#include "results/claims.hpp"
#include "results/provenance.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include <map>

#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "results/entry.hpp"
#include "results/packs.hpp"
#include "results/printed_number.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"
#include "tests/build_paths.hpp"
#include "tests/claims_support.hpp"

namespace daelab {
namespace TEST_FILE {

Json li2019() { return read_json_file(source_path("/experiments/li2019/pack.json")); }

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

// The numbers of results that the papers print, in those of test-set and li2019 too many to repeat.
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
  EXPECT_THAT(refuted("kinon2023"), ElementsAre("initial-values/printed", "figures/printed"));
  for (const char* paper : {"dae-orders", "kinon2025", "fang2023", "kynema", "exudyn-lie", "lietop"})
    EXPECT_THAT(refuted(paper), testing::IsEmpty()) << paper;
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
  for (const char* paper :
       {"li2019", "ivanov2023", "wang", "ren2020", "textbook", "kinon2025", "kynema", "exudyn-lie", "lietop"})
    for (const Json& claim : claims_of(paper))
      for (const std::string& text : ours)
        EXPECT_EQ(claim["printed"].get<std::string>().find(text), std::string::npos) << claim["id"] << ": " << text;
}

// A busy machine changes no verdict: processor times are shown, never judged.
TEST(Entries, NoPublishedVerdictHangsOnAClock) {
  for (const std::string& paper : project_packs()) {
    const Json entries = read_entries(paper);
    for (const char* list : {"claims", "findings", "checks"})
      for (const Json& entry : entries.value(list, Json::array())) {
        if (entry.value("kind", "number") == "time") continue;
        EXPECT_EQ(entry.dump().find("seconds\""), std::string::npos) << entry["id"];
      }
  }
}

// Numbers in the files of their repositories: of each, how many agree, and which stand for something else.
TEST(Entries, StoredNumbersOfOthersAreJudgedOneByOne) {
  const auto ids = [](const std::string& paper, const std::string& prefix, const auto& has) {
    std::vector<std::string> list;
    for (const Json& claim : claims_of(paper))
      if (claim["id"].get<std::string>().starts_with(prefix) && has(claim)) list.push_back(claim["id"]);
    return list;
  };
  const auto agrees = [](const Json& claim) {
    const VerdictKind verdict = verdict_kind(claim["expected"]);
    return verdict == VerdictKind::all_digits || verdict == VerdictKind::some_digits;
  };
  EXPECT_EQ(ids("kinon2025", "error/", agrees).size(), 20u);
  EXPECT_THAT(ids("kinon2025", "error/", [&](const Json& claim) { return !agrees(claim); }),
              testing::ElementsAre("error/MP/lambda/0.01", "error/MP/lambda/0.005", "error/MP/lambda/0.002",
                                   "error/MP/lambda/0.001"));  // of averaged multipliers
  EXPECT_EQ(ids("kinon2025", "run/", agrees).size(), 20u);
  EXPECT_EQ(ids("fang2023", "count/", [](const Json&) { return true; }).size(), 18u);
  EXPECT_EQ(ids("fang2023", "count/", [](const Json& c) { return c["expected"] == "all printed digits"; }).size(), 7u);
}

TEST(Li2019, NothingComputedIsNothingReproduced) {
  const std::vector<Judgement> judgements = judge(li2019(), [](const std::string&) { return std::nullopt; });
  EXPECT_GT(judgements.size(), 140u);  // 140 claims and 20 findings
  for (const Judgement& j : judgements)
    EXPECT_TRUE(verdict_kind(j.verdict) == VerdictKind::not_reproducible || !j.as_expected()) << j.id;
}

}  // namespace TEST_FILE
}  // namespace daelab
