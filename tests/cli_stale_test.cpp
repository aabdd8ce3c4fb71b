// Numbers that are shown are those of the runs, references and configs of now; output keeps its order.
#include <sstream>

#include "core/base/json_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// A project root of the test's own, with the methods and the reference of the pendulum, and one paper.
class CliProject : public Cli {
 protected:
  CliProject() {
    for (const char* part : {"experiments/tiny", "results/reference"}) fs::create_directories(root / part);
    fs::create_directory_symlink(source_path("/methods"), root / "methods");
    fs::copy(source_path("/results/reference/pendulum.json"), reference);
    ::setenv("DAELAB_ROOT", root.c_str(), 1);
  }
  ~CliProject() override { ::setenv("DAELAB_ROOT", source_path("").c_str(), 1); }

  // A pendulum over 1 s with these steps, a JSON list.
  static std::string config(const std::string& name, const std::string& steps, const std::string& more = "") {
    return R"({"name": ")" + name + R"(", "experiment": "drift", )" + more + R"("runs": {"problem": "pendulum",
      "t_end": 1, "method": "radau-iia:s=2", "formulation": "index-2", "h": )" +
           steps + "}}";
  }
  // That the error of q in the set is small at this step.
  static std::string claim(const std::string& set, const std::string& h) {
    return R"({"id": ")" + set + h +
           R"(", "location": "Section 1", "kind": "at-most", "printed": "small", "claimed": 0.1,
      "expected": "confirmed", "value": {"set": ")" +
           set + R"(", "run": {"/h": ")" + h + R"("}, "pointer": "/error/q"}})";
  }
  void write_paper(const std::string& claims) const {
    write(root / "experiments/tiny/pack.json",
          R"({"paper": "tiny", "title": "Tiny", "reference": "none", "contents": {"sections": ["1"]}, "claims": [)" +
              claims + "]}");
  }
  // Why a verdict of the paper is what it is.
  std::string reason(std::size_t claim) const {
    return read_json_file(folder / "out/tiny/verdicts.json")["verdicts"][claim]["reason"];
  }

  fs::path root = folder / "project", reference = root / "results/reference/pendulum.json";
};

// ------------------------------------------------------------------------------------------ references

TEST_F(CliProject, ErrorsFollowTheStoredReference) {
  const std::string original = read(reference);
  write(folder / "c.json", config("small", R"(["1/20"])", R"("claims": [)" + claim("small", "1/20") + "], "));
  daelab_ok({"run", "c.json"});

  Json file = read_json_file(reference);
  file["states"][0]["q"][0] = "7";  // at 1 s
  write(reference, file.dump());
  const Outcome moved = daelab({"run", "c.json"});
  EXPECT_EQ(moved.code, 1);
  EXPECT_THAT(moved.out, HasSubstr("✗ refuted"));
  EXPECT_THAT(moved.err, HasSubstr("1 runs computed, 0 reused"));

  // What was computed with the first one is found again, and it alone is shown.
  write(reference, original);
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("0 runs computed, 1 reused"));
}

TEST_F(CliProject, ReferencesAtOtherTimesRecomputeNothing) {
  write(folder / "c.json", config("small", R"(["1/20", "1/40"])"));
  daelab_ok({"run", "c.json"});
  Json file = read_json_file(reference);
  file["states"][1]["q"][0] = "7";
  file["states"][2]["t"] = "7";
  write(reference, file.dump());
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("0 runs computed, 2 reused"));
}

// -------------------------------------------------------------------------------------------- configs

TEST_F(CliProject, ReproduceJudgesNoRunThatItsConfigsNoLongerMake) {
  write_paper(claim("one", "1/20") + "," + claim("one", "1/40"));
  write(root / "experiments/tiny/one.json", config("one", R"(["1/20", "1/40"])"));
  EXPECT_THAT(daelab_ok({"reproduce", "tiny"}).out, HasSubstr("2 confirmed"));

  write(root / "experiments/tiny/one.json", config("one", R"(["1/20"])"));
  const Outcome outcome = daelab({"reproduce", "tiny"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("1 confirmed, 1 undecided"));
  EXPECT_THAT(reason(1), HasSubstr("there is no run of 'one'"));
}

TEST_F(CliProject, ReproduceJudgesAndReportsNoSetOfAnotherConfig) {
  write_paper(claim("one", "1/20") + "," + claim("two", "1/20"));
  write(root / "experiments/tiny/one.json", config("one", R"(["1/20"])"));
  write(root / "experiments/tiny/two.json", config("two", R"(["1/20"])"));
  daelab_ok({"reproduce", "tiny"});

  fs::remove(root / "experiments/tiny/two.json");
  EXPECT_THAT(daelab({"reproduce", "tiny"}).out, HasSubstr("1 confirmed, 1 undecided"));
  EXPECT_THAT(reason(1), HasSubstr("there are no results of 'two'"));
  daelab_ok({"report", "out/tiny", "--to", "page"});
  EXPECT_TRUE(fs::exists(folder / "page/one"));
  EXPECT_FALSE(fs::exists(folder / "page/two"));
}

TEST_F(CliProject, CompareSeesTheRunsOfTheConfigAlone) {
  write(folder / "c.json", config("small", R"(["1/20", "1/40"])"));
  daelab_ok({"run", "c.json"});
  write(folder / "c.json", config("small", R"(["1/20"])"));
  daelab_ok({"run", "c.json"});
  daelab_ok({"run", "c.json", "--out", "fresh"});
  EXPECT_THAT(daelab_ok({"compare", "out/small", "fresh/small"}).out, HasSubstr("0 differences"));
  // Nothing is lost: the run is there again when it is asked for.
  write(folder / "c.json", config("small", R"(["1/20", "1/40"])"));
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("0 runs computed, 2 reused"));
}

// Whatever made the configs differ: the folder keeps the runs of both and says so, or refuses.
TEST_F(CliProject, AFolderWithResultsOfAnotherConfigKeepsBothOrRefuses) {
  const auto run = [&](const std::string& text, const Arguments& more = {}) {
    write(folder / "c.json", text);
    Arguments arguments{"run", "c.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return daelab_ok(arguments).err;
  };
  EXPECT_EQ(run(config("small", R"(["1/20", "1/40"])")), "2 runs computed, 0 reused\n");
  EXPECT_EQ(run(config("small", R"(["1/20", "1/40"])")), "0 runs computed, 2 reused\n");
  const std::string held = "out/small: holds results of an earlier config, which differs in ";
  EXPECT_EQ(run(config("small", R"(["1/20", "1/40"])", R"("title": "New", )")),
            held + "/title; all its runs are asked for again\n0 runs computed, 2 reused\n");
  EXPECT_EQ(run(config("small", R"(["1/20"])", R"("title": "New", )")),
            held + "/runs/h; 1 of its runs are kept, which the config does not contain\n0 runs computed, 1 reused\n");
  EXPECT_EQ(
      run(config("small", R"(["1/20"])", R"("title": "New", )"), {"--set", "/runs/method=radau-iia:s=3"}),
      held + "/runs/method; 2 of its runs are kept, which the config does not contain\n1 runs computed, 0 reused\n");

  fs::rename(folder / "out/small", folder / "out/other");
  write(folder / "c.json", config("other", R"(["1/20"])"));
  expect_refused({"run", "c.json"}, {"out/other holds the results of config 'small', not of 'other'", "--force"});
  EXPECT_EQ(run(config("other", R"(["1/20"])"), {"--force"}),
            "out/other: the 3 runs of config 'small' that it held are removed\n1 runs computed, 0 reused\n");
}

// The key of a run holds what computes it: a tableau that changes is of its runs alone.
TEST_F(CliProject, AChangedTableauRecomputesItsRunsOnly) {
  fs::remove(root / "methods");
  fs::copy(source_path("/methods"), root / "methods", fs::copy_options::recursive);
  write(folder / "c.json", R"({"name": "starts", "experiment": "drift", "runs": {"problem": "pendulum", "t_end": 1,
    "formulation": "index-1", "h": "1/20", "method": ["adams-bashforth:k=2,start=heun", "heun", "gauss:s=2"]}})");
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("3 runs computed, 0 reused"));
  const fs::path heun = root / "methods/runge_kutta/heun.json";
  Json tableau = read_json_file(heun);
  tableau["summary"] = "Another.";
  write(heun, tableau.dump());
  write(root / "methods/mine.json", tableau.dump());
  EXPECT_EQ(daelab({"run", "c.json"}).code, 2);  // two of a name
  tableau["name"] = "mine", tableau.erase("aliases");
  write(root / "methods/mine.json", tableau.dump());
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("2 runs computed, 1 reused"));
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("0 runs computed, 3 reused"));
}

// Tables, derived numbers and verdicts of before are not beside runs of now.
TEST_F(CliProject, AnInterruptedRunLeavesNoEvaluationOfBefore) {
  write_paper(claim("one", "1/20"));
  write(root / "experiments/tiny/one.json",
        config("one", R"(["1/20"])", R"("claims": [)" + claim("one", "1/20") + "], "));
  const fs::path set = folder / "out/tiny/one";
  daelab_ok({"run", "project/experiments/tiny/one.json", "--out", "out/tiny"});
  daelab_ok({"reproduce", "tiny"});
  ASSERT_TRUE(fs::exists(set / "verdicts.json"));

  write(root / "experiments/tiny/one.json", config("one", R"(["1/20", "1/10000000"])"));
  Child child({"reproduce", "tiny"}, folder);
  for (int i = 0; i < 1000 && fs::exists(set / "result.json"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  child.interrupt();
  EXPECT_EQ(child.wait().code, 130);
  for (const fs::path& path :
       {set / "result.json", set / "analysis.json", set / "verdicts.json", folder / "out/tiny/verdicts.json"})
    EXPECT_FALSE(fs::exists(path)) << path;
  expect_refused({"report", "out/tiny"}, {"no results in 'out/tiny'"});
}

// --------------------------------------------------------------------------------------------- output

// A run that takes longer than a moment says how far it is.
std::string without_progress(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (line.find(" of the work, ") == std::string::npos) rest += line + "\n";
  return rest;
}

// More than a buffer full of verdicts, then on standard error the summary, then where the report is.
TEST_F(CliProject, BothStreamsInOneFileKeepLinesWholeAndInOrder) {
  std::string claims;
  for (int i = 0; i < 200; ++i) {
    std::string one = claim("small", "1/20");
    claims += (i > 0 ? ", " : "") + one.replace(one.find("small1/20"), 9, std::to_string(i));
  }
  write(folder / "c.json",
        config("small", R"(["1/20", "1"])", R"("common": {"newton": "modified"}, "claims": [)" + claims + "], "));
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("1 failed"));
  const Outcome apart = daelab_ok({"run", "c.json"});
  ASSERT_GT(apart.out.size(), 8192u);
  Child together({"run", "c.json"}, folder, Child::Streams::together);
  const std::size_t last_line = apart.out.rfind("report: ");
  ASSERT_NE(last_line, std::string::npos);
  EXPECT_EQ(without_progress(together.wait().out),
            apart.out.substr(0, last_line) + without_progress(apart.err) + apart.out.substr(last_line));
}

}  // namespace TEST_FILE
}  // namespace daelab
