// What a terminal of 80 columns shows: help, completion, descriptions, summaries, ratios.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Terminal : public Cli {
 protected:
  // No line is wider than 80 characters.
  void expect_narrow(const Arguments& arguments) const {
    SCOPED_TRACE(testing::PrintToString(arguments));
    std::istringstream text(daelab_ok(arguments).out);
    for (std::string line; std::getline(text, line);)
      EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }), 80) << line;
  }
};

TEST_F(Terminal, HelpFitsAndIsPrintedWhereNothingIsAsked) {
  const std::string help = daelab_ok({}).out;
  EXPECT_EQ(help, daelab_ok({"--help"}).out);
  EXPECT_EQ(help, daelab_ok({"help"}).out);
  for (const char* verb : {"list", "show", "solve", "run", "reproduce", "report", "start", "compare", "completion"}) {
    expect_narrow({verb, "--help"});
    EXPECT_EQ(daelab_ok({"help", verb}).out, daelab_ok({verb, "--help"}).out);
  }
  EXPECT_THAT(daelab_ok({"solve", "--help"}).out, Not(HasSubstr("file-bytes")));  // once: help limits
  EXPECT_THAT(daelab_ok({"help", "limits"}).out, HasSubstr("file-bytes"));
  expect_refused({"help", "slove"}, {"no topic 'slove'", "did you mean 'solve'?"});
}

TEST_F(Terminal, TheVersionNamesCommitCompilerScalarsAndModules) {
  const std::string text = daelab_ok({"--version"}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("commit "), HasSubstr("double"), HasSubstr("the modules: ")));
  for (const char* module : {"HDF5", "PDF"}) EXPECT_THAT(text, HasSubstr(module));
}

TEST_F(Terminal, ShellsCompleteVerbsOptionsAndNames) {
  EXPECT_EQ(daelab_ok({"complete", "sol"}).out, "solve\n");
  EXPECT_EQ(daelab_ok({"complete", "show", "problem", "pend"}).out, "pendulum\n");
  EXPECT_EQ(daelab_ok({"complete", "solve", "-p", "pendulum", "--method", "radau-"}).out, "radau-iia\n");
  EXPECT_EQ(daelab_ok({"complete", "solve", "--form"}).out, "--formulation\n");
  EXPECT_THAT(daelab_ok({"complete", "reproduce", ""}).out, HasSubstr("li2019\n"));
  EXPECT_EQ(daelab_ok({"complete", "run", "sm"}).out, "");  // files
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_THAT(daelab_ok({"completion", shell}).out, HasSubstr("daelab complete")) << shell;
  expect_refused({"completion", "csh"}, {"no shell 'csh'"});
  const std::string bash = "cd '" + folder.string() + "' && PATH=" + fs::path(built_program()).parent_path().string() +
                           ":$PATH bash -c 'eval \"$(daelab completion bash)\"; COMP_WORDS=(daelab show method gau); "
                           "COMP_CWORD=3; _daelab; echo \"${COMPREPLY[*]}\"' >found";
  ASSERT_EQ(std::system(bash.c_str()), 0);
  EXPECT_EQ(read(folder / "found"), "gauss\n");
}

TEST_F(Terminal, TheManualPageHasEveryVerb) {
  const std::string page = daelab_ok({"man"}).out;
  EXPECT_THAT(page, StartsWith(".TH DAELAB 1"));
  for (const char* part : {".SS solve", ".SS reproduce", "\\-\\-formulation", "file\\-bytes", "NO_COLOR"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST_F(Terminal, KindsMayBeSingularPluralOrLeftOut) {
  const std::string shown = daelab_ok({"show", "problem", "pendulum"}).out;
  EXPECT_EQ(daelab_ok({"show", "problems", "pendulum"}).out, shown);
  EXPECT_EQ(daelab_ok({"show", "pendulum"}).out, shown);
  EXPECT_EQ(daelab_ok({"list", "method"}).out, daelab_ok({"list", "methods"}).out);
  EXPECT_THAT(daelab_ok({"show", "paper", "li2019"}).out, HasSubstr("L-stable"));
  expect_refused({"show", "methods"}, {"the name is missing", "daelab list methods"});
  expect_refused({"show", "pendulm"}, {"neither a kind nor the name"});
}

TEST_F(Terminal, AProblemIsShownWithItsFacts) {
  const std::string text = daelab_ok({"show", "problem", "seven-body"}).out;
  for (const char* part : {"coordinates         7: beta", "constraints         6, rank 6", "degrees of freedom  1",
                           "end time            3/100 s", "observables         beta_mod_2pi", "proved to 37 digits"})
    EXPECT_THAT(text, HasSubstr(part));
  expect_narrow({"show", "problem", "seven-body"});
}

TEST_F(Terminal, AMethodIsShownWithItsTableau) {
  const std::string text = daelab_ok({"show", "method", "gauss:s=2"}).out;
  EXPECT_THAT(text, HasSubstr("  (3 - sqrt(3))/6 |                1/4  (3 - 2 sqrt(3))/12\n"));
  const std::string proof = "every pole has a";
  EXPECT_LE(text.find(proof), text.rfind(proof));
  EXPECT_THAT(text, HasSubstr("A-stable                yes [2]"));
  for (const char* method : {"gauss:s=2", "bdf", "dormand-prince", "pade-block"})
    expect_narrow({"show", "method", method});
}

TEST_F(Terminal, SolveSaysWhatWasRun) {
  const std::string text = daelab_ok({"solve", "-p", "pendulum", "-m", "gauss", "--h", "0.01", "-t", "1"}).out;
  EXPECT_THAT(text, StartsWith("pendulum on index-1 (default) by gauss, h = 0.01 s, to t = 1 s, double\n"));
  EXPECT_THAT(text, Not(HasSubstr("pivot fallbacks")));  // zero
  EXPECT_THAT(text, Not(HasSubstr("\033")));             // no colours into a file
  expect_narrow({"solve", "-p", "seven-body", "-m", "bdf", "--rtol", "1e-6"});
  expect_refused({"solve", "-p", "pendulum", "-m", "radau-ii"}, {"--method: no method 'radau-ii'", "'radau-iia'"});
}

TEST_F(Terminal, SolveNamesTheOptionsThatWereSet) {
  const auto heading = [&](const Arguments& more) {
    return daelab_ok(with({"solve", "-p", "pendulum", "-t", "1"}, more)).out;
  };
  EXPECT_THAT(heading({"-m", "bdf", "--rtol", "1e-4"}),
              StartsWith("pendulum on index-3 (default) by bdf, rtol = 1e-4"));
  EXPECT_THAT(heading({"-m", "bdf:k=5,growth=true", "--rtol", "1e-4"}), HasSubstr(" by bdf:k=5,growth=true, rtol"));
  EXPECT_THAT(heading({"-m", "gauss:s=2", "--h", "0.1"}), HasSubstr(" by gauss:s=2, h = 0.1 s"));
}

TEST_F(Terminal, SolveSaysThatTheLastStepIsShorter) {
  const auto heading = [&](const char* h) {
    return daelab_ok({"solve", "-p", "pendulum", "-m", "gauss", "--h", h, "-t", "10"}).out;
  };
  EXPECT_THAT(heading("0.03"),
              AllOf(HasSubstr("h = 0.03 s (the last step is shorter;"), HasSubstr("10/333 would divide")));
  EXPECT_THAT(heading("0.02"), Not(HasSubstr("shorter")));
}

#ifndef DAELAB_DOUBLE_ONLY
TEST_F(Terminal, FiftyDigitsFitAndHeadingsAreWords) {
  const Arguments run{"solve", "-p", "pendulum", "-m", "gauss", "--h", "0.1", "-t", "1", "-s", "real50"};
  expect_narrow(run);
  EXPECT_THAT(daelab_ok(run).out,
              AllOf(HasSubstr("\nlargest on the way\n  energy error  "), HasSubstr("\nerror at the end\n"),
                    HasSubstr("\nwork\n  steps  "), Not(HasSubstr("\nstats\n")), Not(HasSubstr("\nmax\n"))));
}
#endif

TEST_F(Terminal, CoefficientsAreSideBySide) {
  const std::string text = daelab_ok({"show", "method", "pade-block:r=4"}).out;
  EXPECT_LT(std::count(text.begin() + static_cast<long>(text.find("Coefficients")), text.end(), '\n'), 80);
  EXPECT_THAT(text, HasSubstr("  coordinate-partitioning  6  6  6       6  [1]\n"));
  EXPECT_THAT(text, HasSubstr("  index-3                  5  4  3       3  [4]\n"));
  expect_narrow({"show", "method", "pade-block:r=4"});
}

TEST_F(Terminal, MissingArgumentsAreSaidWithTheUsage) {
  expect_refused({"animate", "pendulum", "-m", "bdf"},
                 {"animate: --out is missing; usage: daelab animate PROBLEM --method METHOD --out OUT [OPTIONS]"});
  expect_refused({"judge"}, {"judge: FILES, --problem are missing; usage: daelab judge FILES ... --problem PROBLEM"});
  expect_refused({"solve", "pendulum", "--h"}, {"solve: --h", "usage: daelab solve PROBLEM [OPTIONS]"});
}

TEST_F(Terminal, SuggestionsStandBeforeLongLists) {
  const std::string error = daelab({"solve", "pendulm", "--h", "0.1"}).err;
  EXPECT_THAT(error, StartsWith("daelab: --problem: no problem 'pendulm'; did you mean 'pendulum'? (known: "));
  expect_refused({"animate", "pendulm", "-m", "gauss", "--out", "x.html"}, {"--problem: no problem 'pendulm'"});
  expect_refused({"solve", "pendulum", "-m", "runge-kutta"}, {"--h is missing: give the step size", "as --h 0.01"});
}

TEST_F(Terminal, AStartIsPrintedByNames) {
  const std::string text = daelab_ok({"start", "-p", "two-link-manipulator"}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("  th1 "), HasSubstr("lambda4 "), HasSubstr("degrees of freedom  2")));
  EXPECT_THAT(text, Not(HasSubstr("{")));
  expect_narrow({"start", "-p", "two-link-manipulator"});
}

const char* const two_methods =
    R"({"name": "two", "experiment": "convergence", "title": "Two methods", "common": {"problem": "pendulum",
        "formulation": "index-1", "t_end": 1, "h": ["1/10", "1/20"]},
        "runs": [{"method": "gauss"}, {"method": "radau-iia"}]})";

TEST_F(Terminal, MethodsAreComparedByRatiosOverOneGrid) {
  write(folder / "two.json", two_methods);
  const std::string shown = daelab_ok({"run", "two.json"}).out;
  EXPECT_THAT(shown, AllOf(StartsWith("Two methods\n"), HasSubstr("report: out/two/report/index.html\n")));
  EXPECT_EQ(daelab_ok({"run", "two.json", "--quiet"}).out, "");
  const std::string ratios = daelab_ok({"compare", "out/two", "--by", "method"}).out;
  EXPECT_THAT(ratios, AllOf(HasSubstr("error of q"), HasSubstr("mean"), HasSubstr("2/1"),
                            AnyOf(HasSubstr("1 = gauss, 2 = radau-iia"), HasSubstr("1 = radau-iia, 2 = gauss"))));
  expect_narrow({"compare", "out/two", "--by", "method"});
  expect_refused({"compare", "out/two", "--by", "mthod"}, {"runs have no key 'mthod'", "did you mean 'method'?"});
  expect_refused({"compare", "out/two"}, {"the second result set is missing"});
}

TEST_F(Terminal, RatiosAreInTheOrderOfTheStepSizes) {
  write(folder / "two.json", two_methods);
  daelab_ok({"run", "two.json", "--set", R"(/common/h=["1/200", "1/25", "1/100"])"});
  const std::string ratios = daelab_ok({"compare", "out/two", "--by", "method"}).out;
  const std::size_t coarse = ratios.find("\n1/25 "), middle = ratios.find("\n1/100 "), fine = ratios.find("\n1/200 ");
  EXPECT_LT(coarse, middle);
  EXPECT_LT(middle, fine);
  EXPECT_NE(fine, std::string::npos);
}

TEST_F(Terminal, FailedRunsAreNamed) {
  write(folder / "two.json", two_methods);
  const Outcome outcome =
      daelab({"run", "two.json", "--set", "/runs/0/method=rk4-classical", "--set", "/common/formulation=index-3",
              "--set", R"(/common/h=["1/10", "1/20", "1/40", "1/50"])"});
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr(", 4 failed: pendulum index-3 rk4-classical "), HasSubstr("; and 1 more\n")));
}

TEST_F(Terminal, ShortenedLastStepsAreSaidWhereOrdersAreFitted) {
  write(folder / "two.json", two_methods);
  EXPECT_THAT(daelab_ok({"run", "two.json", "--set", R"(/common/h=["1/10", "1/20", "0.03"])"}).out,
              HasSubstr("note: 2 runs are left out of the orders, because the last step is shorter; h"));
}

TEST_F(Terminal, ARunOnOneSideOnlyIsOneLine) {
  write(folder / "two.json", two_methods);
  daelab_ok({"run", "two.json", "--out", "a"});
  daelab_ok({"run", "two.json", "--out", "b", "--set", "/common/h=[\"1/10\"]"});
  const Outcome outcome = daelab({"compare", "a/two", "b/two"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("only in a/two: pendulum index-1 gauss"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("{")));
}

}  // namespace TEST_FILE
}  // namespace daelab
