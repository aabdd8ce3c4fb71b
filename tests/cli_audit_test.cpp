// audit on the command line: exit codes, formats, lists with claims, bad input.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

class Audited : public Cli {
 protected:
  // Kutta's method of order 3; the first entry of row 3 has the other sign.
  static constexpr const char* kutta = R"({"name": "kutta", "order": 3,
  "A": [["0", "0", "0"], ["1/2", "0", "0"], ["-1", "2", "0"]], "b": ["1/6", "2/3", "1/6"]})";
  static constexpr const char* slip = R"({"name": "slip", "order": 3,
  "A": [["0", "0", "0"], ["1/2", "0", "0"], ["1", "2", "0"]], "b": ["1/6", "2/3", "1/6"]})";
};

TEST_F(Audited, TellsByItsExitCodeWhetherAClaimIsRefuted) {
  write(folder / "kutta.json", kutta), write(folder / "slip.json", slip);
  const Outcome right = daelab_ok({"audit", "@kutta.json"});
  EXPECT_THAT(right.out, AllOf(HasSubstr("kutta: explicit Runge-Kutta tableau of 3 stages"), HasSubstr("confirmed"),
                               HasSubstr("1 claim: 1 confirmed")));
  const Outcome wrong = daelab({"audit", "slip.json"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("refuted"), HasSubstr("suggestion: /A/2/0: -1 in the place of 1, the other")));
}

TEST_F(Audited, PrintsLists) {
  write(folder / "kutta.json", kutta);
  write(folder / "claims.csv",
        "# read by hand\nname,file,property,claim\nK,kutta.json,order,4\nK,kutta.json,FSAL,no\n"
        ",ros3p,blind estimate,no\n");
  const Json result = json_of({"audit", "claims.csv", "--json"}, 1);
  EXPECT_EQ(result["counts"], (Json{{"confirmed", 4}, {"understated", 0}, {"refuted", 2}, {"undecided", 0}}));
  EXPECT_EQ(result["methods"][0]["name"], "K");
  EXPECT_EQ(result["methods"][1]["name"], "ros3p");
  const Outcome text = daelab({"audit", "claims.csv"}), table = daelab({"audit", "claims.csv", "--csv"}),
                paper = daelab({"audit", "claims.csv", "--latex"});
  EXPECT_THAT(text.out, HasSubstr("2 methods, 6 claims: 4 confirmed, 2 refuted"));
  EXPECT_THAT(table.out,
              AllOf(HasSubstr("method,property,true,claimed,verdict,reason"), HasSubstr("K,order,3,4,refuted")));
  EXPECT_THAT(paper.out, AllOf(HasSubstr("\\toprule"), HasSubstr("refuted"), HasSubstr("label{tab:audit}")));
  EXPECT_EQ(paper.code, 1);
}

// Files of results have paths relative to the list.
TEST_F(Audited, JudgesMembersOfAFamilyAndResults) {
  std::filesystem::create_directory(folder / "pack");
  write(folder / "pack/member.json", R"({"family": "generalized-alpha", "rho": "1/2", "start": "zero", "order": 2})");
  write(folder / "pack/errors.csv", "h,u\n0.1,1e-2\n0.05,2.5e-3\n0.025,6.25e-4\n0.0125,1.5625e-4\n");
  write(folder / "pack/list.json", R"([{"name": "M", "tableau": "member.json"},
  {"name": "R", "errors": "errors.csv", "claims": {"order": 2}}])");
  const Outcome found = daelab({"audit", "pack/list.json"});
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out,
              AllOf(HasSubstr("M: generalized-alpha family: alpha_m = 0, alpha_f = 1/3"),
                    HasSubstr("suggestion: start: consistent"), HasSubstr("errors that were measured, u at 4"),
                    HasSubstr("2 methods, 2 claims: 1 confirmed, 1 refuted")));
  write(folder / "wrong.json", R"({"family": "generalized-alfa"})");
  expect_refused({"audit", "@wrong.json"}, {"wrong.json", "/family", "generalized-alpha"});
  expect_refused({"audit", "pack/errors.csv"}, {"no column 'h'"});
}

TEST_F(Audited, WritesAPage) {
  write(folder / "slip.json", slip);
  const Outcome written = daelab({"audit", "slip.json", "rodas3", "--html", "audit.html"});
  EXPECT_EQ(written.code, 1);
  EXPECT_THAT(written.out, AllOf(HasSubstr("1 refuted"), HasSubstr("audit.html")));
  const std::string page = read(folder / "audit.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<title>Audit of 2 methods</title>"), HasSubstr("<details open><summary>slip: "),
                          HasSubstr("<details><summary>rodas3: "), HasSubstr("<li>/A/2/0: -1 in the place of 1"),
                          HasSubstr("refuted"), HasSubstr("k &lt;= q"), testing::Not(HasSubstr("<script"))));
  expect_refused({"audit", "slip.json", "--json", "--html", "audit.html"}, {"choose one"});
}

TEST_F(Audited, SaysWhatIsWrongWithItsInput) {
  write(folder / "kutta.json", kutta);
  write(folder / "list.json", R"([{"name": "K", "tableau": "kutta.json", "claims": {"stage ordr": 1}}])");
  write(folder / "claims.csv", "name,file,property,claim\nK,kutta.json,order,\n");
  write(folder / "columns.csv", "name,file,propperty,claim\n");
  write(folder / "other.json", R"({"masses": [1]})");
  expect_refused({"audit"}, {"nothing is named"});
  expect_refused({"audit", "list.json"}, {"list.json: /0/claims/stage ordr", "did you mean 'stage order'"});
  expect_refused({"audit", "claims.csv"}, {"claims.csv: line 2", "order must be claimed as a whole number"});
  expect_refused({"audit", "columns.csv"}, {"columns.csv: line 1", "did you mean 'property'"});
  expect_refused({"audit", "other.json"}, {"other.json", "is no document of a method"});
  expect_refused({"audit", "dormant-prince"}, {"did you mean 'dormand-prince'"});
  expect_refused({"audit", "kutta.json", "--json", "--csv"}, {"choose one"});
}

}  // namespace TEST_FILE
}  // namespace daelab
