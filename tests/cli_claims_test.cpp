// Claims in configs: judged by daelab run, refused before any run when they are malformed.
#include <algorithm>

#include "core/base/json_file.hpp"
#include "tests/cli_support.hpp"
#include "tests/packed_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::Not;

class CliClaims : public Cli {
 protected:
  // A pendulum on index 2 over 1 s, with these claims about it.
  static std::string config(const std::string& claims) {
    return R"({"name": "small", "experiment": "drift", "title": "Small drift", "claims": )" + claims + R"(,
      "runs": {"problem": "pendulum", "t_end": 1, "h": ["1/20", "1/40"], "formulation": "index-2",
               "method": "radau-iia:s=2"}})";
  }
  static std::string claim(const std::string& limit, const std::string& expected, const std::string& h = "1/20") {
    return R"([{"id": "position", "location": "textbook", "kind": "at-most", "printed": "index 2 hardly drifts",
      "claimed": )" +
           limit + R"(, "value": {"run": {"/h": ")" + h + R"("}, "pointer": "/max/position_constraint"},
      "expected": ")" +
           expected + R"(", "reason": "one local error per step"}])";
  }
  // The block that the scripts of a page read.
  static Json page_data(const fs::path& file) { return data_of_page(read(file)); }
  // A command as a shell splits it, without the program, as JSON.
  static Arguments words(const std::string& command) {
    Arguments list{""};
    bool quoted = false;
    for (const char c : command)
      if (c == '\'')
        quoted = !quoted;
      else if (c == ' ' && !quoted)
        list.emplace_back();
      else
        list.back() += c;
    list.erase(list.begin());
    list.push_back("--json");
    return list;
  }
  void expect_claims_refused(const std::string& claims, const std::vector<std::string>& parts) const {
    expect_config_refused(config(claims), parts);
  }
};

TEST_F(CliClaims, AreJudgedByTheResultsOfTheConfig) {
  write(folder / "config.json", config(claim("0.01", "confirmed")));
  const Outcome outcome = daelab_ok({"run", "config.json"});
  EXPECT_THAT(outcome.out, HasSubstr("Small drift\n"));
  EXPECT_THAT(outcome.out, HasSubstr("✓ confirmed"));
  EXPECT_THAT(outcome.out, HasSubstr("1 claim: 1 confirmed; all verdicts as expected"));
  const Json verdicts = read_json_file(folder / "out/small/verdicts.json")["verdicts"];
  EXPECT_EQ(verdicts[0]["verdict"], "confirmed");
  EXPECT_EQ(verdicts[0]["reason"], "one local error per step");
  const std::string page = read(folder / "out/small/report/index.html");
  for (const char* text : {"<h1>Small drift</h1>", "Verdicts", "index 2 hardly drifts", "one local error per step"})
    EXPECT_THAT(page, HasSubstr(text));
}

#ifndef DAELAB_DOUBLE_ONLY  // reference values as they are stored, and their observables
TEST_F(CliClaims, JudgePrintedEndValuesNumberByNumber) {
  const Outcome outcome = daelab_ok({"reproduce", "test-set", "--only", "end-values"});
  EXPECT_THAT(outcome.out, HasSubstr("all verdicts as expected"));
  const Json verdicts = read_json_file(folder / "out/test-set/verdicts.json")["verdicts"];
  EXPECT_GE(verdicts.size(), 216u);
  EXPECT_THAT(outcome.out, HasSubstr("8 checks: 6 some\ndigits, 2 agrees"));
  for (const Json& verdict : verdicts) {
    if (verdict["id"] == "car-axis/yl'") {
      EXPECT_EQ(verdict["verdict"], "9 digits");
    }
  }
}

// No number of a reason or of a document is of earlier results: a document that tells other numbers is exit code 1. The
// papers with many runs, ren2020 and li2019, are left to .ci/latex, which reproduces all of them.
TEST_F(CliClaims, PapersAndTheirDocumentsTellTheNumbersOfTheResults) {
  for (const char* paper :
       {"wang", "ivanov2023", "textbook", "kinon2025", "kinon2023", "kynema", "exudyn-lie", "lietop"}) {
    std::string text = daelab_ok({"reproduce", paper}).out;
    std::ranges::replace(text, '\n', ' ');  // lines break at a width
    EXPECT_THAT(text, HasSubstr("all verdicts as expected")) << paper;
    EXPECT_THAT(text, Not(HasSubstr("tells other numbers"))) << paper;
    const Json judged = read_json_file(folder / "out" / paper / "verdicts.json");
    for (const Json& verdict : judged["verdicts"])
      EXPECT_THAT(verdict["reason"].get<std::string>(), Not(HasSubstr("?"))) << verdict["id"].get<std::string>();
  }
}
#endif

// The page says how to make a run again alone: the same numbers come out.
TEST_F(CliClaims, LeadToTheirRunAndItsCommand) {
  write(folder / "config.json", config(claim("0.01", "confirmed")));
  daelab_ok({"run", "config.json"});
  const Json data = page_data(folder / "out/small/report/index.html");
  const Json evidence = data["evidence"]["position"];
  ASSERT_EQ(evidence[1].size(), 1u);
  const Json& runs = data["sets"][evidence[0].get<std::size_t>()]["runs"];
  for (const Json& run : runs["list"]) {
    if (run["key"] != evidence[1][0]) continue;
    EXPECT_EQ(run["spec"]["h"], "1/20");
    const Json again = Json::parse(daelab_ok(words(run["command"])).out);
    EXPECT_EQ(again["q"], run["q"]);
    EXPECT_EQ(again["max"], run["max"]);
    return;
  }
  FAIL() << "no run with the key of the claim";
}

TEST_F(CliClaims, AnUnexpectedVerdictIsExitCodeOne) {
  write(folder / "config.json", config(claim("1e-12", "confirmed")));
  const Outcome outcome = daelab({"run", "config.json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("✗ refuted"));
  EXPECT_THAT(outcome.out, HasSubstr("! expected: confirmed"));
  // What is expected to be refuted may be.
  write(folder / "config.json", config(claim("1e-12", "refuted")));
  daelab_ok({"run", "config.json", "--force"});
}

TEST_F(CliClaims, ThatAreTakenBackLeaveNoVerdictBehind) {
  write(folder / "config.json", config(claim("0.01", "confirmed")));
  daelab_ok({"run", "config.json"});
  write(folder / "config.json", config("[]"));
  EXPECT_THAT(daelab_ok({"run", "config.json", "--force"}).out, Not(HasSubstr("confirmed")));
  EXPECT_FALSE(fs::exists(folder / "out/small/verdicts.json"));
  for (const char* format : {"tex", "md", "csv"})
    EXPECT_FALSE(fs::exists(folder / "out/small/report" / (std::string("verdicts.") + format))) << format;
}

TEST_F(CliClaims, MayBeAboutTheResultsOfAnotherConfig) {
  write(folder / "one.json", config("[]"));
  std::string other = config(claim("0.01", "confirmed"));
  other.replace(other.find("\"small\""), 7, "\"other\"");
  other.replace(other.find("{\"run\""), 1, "{\"set\": \"small\", ");
  write(folder / "two.json", other);
  daelab_ok({"run", "one.json", "two.json"});
  EXPECT_EQ(read_json_file(folder / "out/other/verdicts.json")["verdicts"][0]["verdict"], "confirmed");
}

TEST_F(CliClaims, MalformedOnesAreRefusedBeforeAnyRun) {
  expect_claims_refused(R"({"id": "a"})", {"config.json", "/claims", "must be an array"});
  expect_claims_refused(R"([{"id": "a"}])", {"config.json", "/claims/0", "needs \"location\""});
  expect_claims_refused(R"([{"id": "a", "locatoin": "b"}])", {"/claims/0/locatoin", "did you mean 'location'?"});
  expect_claims_refused(claim("\"small\"", "confirmed"), {"/claims/0", "needs \"claimed\", a number"});
  expect_claims_refused(claim("1", "confirmed", "1/30"), {"/claims/0/value/run", "0 of the 2 runs have /h=1/30"});
}

TEST_F(CliClaims, FindingsAndChecksOfAConfigAreJudgedApart) {
  std::string finding = claim("0.01", "holds");
  finding.replace(finding.find("\"printed\""), 9, "\"statement\"");
  finding.replace(finding.find("position"), 8, "finding");
  std::string text = config(claim("0.01", "confirmed"));
  text.replace(text.find("\"runs\""), 6, "\"findings\": " + finding + ", \"runs\"");
  std::string unknown = text;
  unknown.replace(text.find("\"findings\""), 10, "\"finding\"");
  expect_config_refused(unknown, {"config.json", "finding"});

  write(folder / "config.json", text);
  EXPECT_THAT(daelab_ok({"run", "config.json"}).out,
              HasSubstr("1 claim: 1 confirmed; 1 finding: 1 holds; all verdicts as expected"));
  EXPECT_EQ(read_json_file(folder / "out/small/verdicts.json")["verdicts"][1]["kind"], "finding");
}

TEST_F(CliClaims, MustSelectOneRun) {
  std::string both = claim("1", "confirmed");
  both.replace(both.find("{\"/h\": \"1/20\"}"), 14, "{}");
  expect_claims_refused(both, {"/claims/0/value/run", "2 of the 2 runs"});
}

}  // namespace TEST_FILE
}  // namespace daelab
