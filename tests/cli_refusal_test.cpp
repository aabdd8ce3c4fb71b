// Bad input: exit code 2, one line that names the place, what is allowed and the nearest name, nothing written.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

TEST_F(Cli, RefusesUnknownNamesAndNamesTheNearest) {
  expect_refused({"sovle"}, {"no verb 'sovle'", "did you mean 'solve'?"});
  expect_refused(with(pendulum, {"--fromulation", "index-1"}), {"--fromulation", "did you mean '--formulation'?"});
  expect_refused(with(pendulum, {"--formulation", "index-4"}), {"--formulation", "index-1, index-2, index-3"});
  expect_refused(with(pendulum, {"--scalar", "quad"}), {"--scalar", "double, real50"});
  expect_refused(with(pendulum, {"--start", "sideways"}), {"--start", "zero-acceleration"});
  expect_refused(with(pendulum, {"--newton", "fulll"}), {"--newton", "did you mean 'full'?"});
  expect_refused(with(pendulum, {"--newton", "full:norm=mx"}), {"--newton, option norm", "did you mean 'max'?"});
  expect_refused({"solve", "--problem", "pendulm", "--method", "pade-block", "--h", "1"},
                 {"--problem", "no problem 'pendulm'", "did you mean 'pendulum'?"});
  expect_refused({"solve", "--problem", "pendulum", "--method", "pade-blok", "--h", "1"},
                 {"--method", "no method 'pade-blok'", "did you mean 'pade-block'?"});
  expect_refused({"solve", "--problem", "pendulum:lenght=2", "--method", "pade-block", "--h", "1"},
                 {"--problem, option lenght", "did you mean 'length'?"});
  expect_refused({"solve", "--problem", "pendulum", "--method", "runge-kutta:tableau=rk4-clasical", "--h", "1"},
                 {"--method, option tableau", "did you mean 'rk4-classical'?"});
  expect_refused({"list", "problms"}, {"did you mean 'problems'?"});
  expect_refused({"show", "problem", "pendulum:foo=1"}, {"foo"});
  expect_refused(
      {"show", "methd", "gauss"},
      {"known: problem, linear-problem, formulation, method, multiplier-solver, experiment", "did you mean 'method'?"});
  expect_refused({"reproduce", "li2018"}, {"no paper 'li2018'", "did you mean 'li2019'?"});
}

#ifdef DAELAB_DOUBLE_ONLY
TEST_F(Cli, RefusesFiftyDigitsWhereTheBuildHasNone) {
  expect_refused(with(pendulum, {"--scalar", "real50"}), {"--scalar: this build has double only, not real50"});
  expect_config_refused(
      R"({"name": "t", "experiment": "drift", "runs": {"problem": "pendulum", "method": "gauss", "h": "1/10",
    "scalar": "real50"}})",
      {"/runs/scalar: this build has double only"});
  expect_config_refused(R"({"name": "t", "experiment": "convergence", "runs": {"problem": "pendulum", "method": "gauss",
    "h": "1/10"}, "reference": {"method": "gauss", "h": "1/20"}})",
                        {"/reference/scalar: this build has double only, not real50 (CMake: DAELAB_SCALARS); "
                         "\"scalar\": \"double\" in it"});
  expect_config_refused(
      R"({"name": "t", "experiment": "linear-iterations", "runs": {"problem": "random-psd", "scalar": "real50"}})",
      {"/runs/scalar: this build has double only"});
  expect_refused({"reference", "pendulum", "--t", "1"}, {"this build leaves out"});
}
#endif

TEST_F(Cli, RefusesMethodOptionsThatMakeNoMethod) {
  const auto refused = [&](const std::string& method, const std::vector<std::string>& parts) {
    expect_refused({"solve", "--problem", "pendulum", "--method", method, "--h", "0.01"}, parts);
  };
  refused("pade-block:r=11", {"--method, option r", "11", "1 to 10"});
  refused("pade-block:r=0", {"--method, option r", "1 to 10"});
  refused("pade-block:r=four", {"--method, option r", "expected an integer"});
  refused("pade-block:q=3", {"unknown option 'q'", "r, k, j, nodes"});
  refused("pade-block:r=3,r=4", {"given twice"});
  refused("pade-block:r", {"not key=value"});
  refused("pade-block:r=3,nodes=1/3 1/3 1", {"c_2 = 1/3", "twice"});
  refused("pade-block:r=3,nodes=0 1/3 1", {"c_1 = 0", "(0, 1]"});
  refused("pade-block:r=3,nodes=1/3 3/2 1", {"c_2 = 3/2", "(0, 1]"});
  refused("pade-block:r=3,nodes=1/3 2/3", {"2 nodes given, but r = 3"});
  refused("pade-block:r=3,nodes=unifrom", {"no node family", "uniform, chebyshev, legendre, lobatto"});
  refused("pade-block:r=3,k=0,j=1", {"k + j = 1", "(2,3) (1,3)"});
  refused("pade-block:r=3,k=0,j=4", {"j = 4 exceeds the number of nodes 3"});
  refused("radau-iia:s=10", {"--method, option s", "1 to 9"});
}

TEST_F(Cli, RefusesMultiplierSolversAndFormulationsThatAreNone) {
  const Arguments boat{"solve", "--problem", "rowing-boat", "--method", "runge-kutta", "--h", "1e-3", "--t-end", "1"};
  const auto solver = [&](const char* spec) { return with(boat, {"--multiplier-solver", spec}); };
  expect_refused(solver("svg"), {"--multiplier-solver", "no multiplier-solver 'svg'", "did you mean 'svd'?"});
  expect_refused(solver("sr1:eps_abs=-1"), {"--multiplier-solver, option eps_abs", "-1 is out of range", "above 0"});
  expect_refused(solver("svd:tolerance=2"), {"--multiplier-solver, option tolerance", "above 0 to 1"});
  expect_refused(solver("svd:rank=0"), {"--multiplier-solver, option rank", "at least 1"});
  expect_refused(solver("sr1-paper:skip=eps"),
                 {"--multiplier-solver, option skip", "eps-abs, eps-abs-squared, never-skip"});
  expect_refused(with(boat, {"--formulation", "baumgarte:position_gain=-1"}),
                 {"--formulation, option position_gain", "at least 0"});
  expect_refused({"solve", "--problem", "rowing-boat:crank_radius=0", "--method", "runge-kutta", "--h", "1e-3"},
                 {"--problem, option crank_radius", "0 is out of range", "above 0"});
}

TEST_F(Cli, RefusesStepsAndTimesThatMakeNoRun) {
  const auto refused = [&](const Arguments& more, const std::vector<std::string>& parts) {
    expect_refused(with({"solve", "--problem", "pendulum", "--method", "pade-block"}, more), parts);
  };
  refused({"--h", "0"}, {"--h: 0", "above 0"});
  refused({"--h", "-0.01"}, {"--h: -0.01", "above 0"});
  refused({"--h", "abc"}, {"--h: cannot read \"abc\" as a number"});
  refused({"--h", "0.02", "--t-end", "0.01"}, {"--h", "0.02 is larger than the interval 0.01"});
  refused({"--h", "0.01", "--t-end", "-1"}, {"--t-end: -1", "above 0"});
  refused({"--rtol", "-1e-3"}, {"--rtol: -1e-3", "above 0"});
  refused({"--atol", "0"}, {"--atol: 0", "above 0"});
  refused({"--rtol", "1e-17"}, {"--rtol: 1e-17 is below round-off of double"});
  refused({"--h", "0.01", "--every", "0"}, {"--every", "at least 1"});
  refused({"--h", "0.01", "--every", "x"}, {"--every"});
  refused({"--h", "0.01", "--newton", "full:tolerance=-1"}, {"--newton, option tolerance", "above 0"});
}

TEST_F(Cli, RefusesOptionsOutOfRange) {
  const auto refused = [&](const std::string& method, const std::vector<std::string>& parts) {
    expect_refused({"solve", "--problem", "pendulum", "--method", method, "--h", "0.01"}, parts);
  };
  refused("bdf:k=7", {"--method, option k: 7 is out of range", "1 to 6"});
  refused("bdf:selector=skelbo", {"--method, option selector", "did you mean 'skelboe'?"});
  refused("generalized-alpha:rho=1.1", {"--method, option rho: 1.1 is out of range", "0 to 1"});
  refused("hht:alpha=1/2", {"--method, option alpha", "1/3"});
  refused("newmark:gamma=1/4", {"--method, option gamma: 1/4 is out of range", "0.5 to 1"});
}

// What only the combination shows is a recorded refusal, not bad input.
TEST_F(Cli, MethodsWithoutAnErrorEstimateAreNotApplicable) {
  const Json record =
      json_of({"solve", "--problem", "pendulum", "--method", "adams-bashforth", "--rtol", "1e-3", "--json"}, 1);
  EXPECT_EQ(record["status"], "not-applicable");
  EXPECT_THAT(record["cause"].get<std::string>(), testing::HasSubstr("fixed steps only"));
}

TEST_F(Cli, RefusesInconsistentInitialValues) {
  expect_refused({"solve", "--problem", "pendulum:x=-1.1", "--method", "pade-block", "--h", "0.01"},
                 {"--problem", "|C| = 1.05e-01", "allowed 1e-08", "project"});
  expect_refused({"solve", "--problem", "pendulum:length=-1", "--method", "pade-block", "--h", "0.01"},
                 {"--problem, option length", "above 0"});
  expect_refused({"start", "--problem", "pendulum", "--q", "1"}, {"--q: 1 values given, 2 needed"});
  expect_refused({"start", "--problem", "pendulum", "--q", "a,b"}, {"--q: cannot read \"a\""});
}

TEST_F(Cli, RefusesPathsThatCannotBeReadOrWritten) {
  write(folder / "file", "");
  expect_refused({"run", "missing.json"}, {"cannot read missing.json", "No such file"});
  expect_refused({"check", "."}, {"cannot read .", "directory"});
  expect_refused({"solve", "--problem", "@missing.json", "--method", "gauss", "--h", "1"},
                 {"cannot read missing.json"});
  expect_refused({"solve", "--problem", "pendulum", "--method", "@missing.json", "--h", "1"},
                 {"cannot read missing.json"});
  expect_refused(with(pendulum, {"--trajectory", "no/folder/x.csv"}), {"--trajectory", "no/folder"});
  expect_refused(with(pendulum, {"--trajectory", "."}), {"--trajectory", "directory"});
  expect_refused({"report", "missing"}, {"no folder 'missing'"});
  expect_refused({"report", "."}, {"no results in '.'"});
  expect_refused({"compare", "missing", "missing"}, {"missing is not a results folder"});
  write(folder / "config.json", R"({"name": "t", "experiment": "drift",
    "runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1"}})");
  expect_refused({"run", "config.json", "--out", "file"}, {"cannot create results folder file/t", "Not a directory"});
  expect_refused({"run", "config.json", "--jobs", "-1"}, {"--jobs", "0 or above"});
  for (const char* jobs : {"1025", "2147483647", "99999999999"})
    expect_refused({"run", "config.json", "--jobs", jobs}, {"--jobs", "at most 1024"});
  expect_refused({"run", "config.json", "config.json"}, {"/name", "another config"});
  EXPECT_FALSE(fs::exists(folder / "out"));
  daelab_ok({"run", "config.json"});
  expect_refused({"report", "out/t", "--to", "file/x"}, {"file/x", "Not a directory"});
  expect_refused({"report", "out/t", "--format", "svg,jpg"}, {"'jpg'", "csv, html, md, pdf, pgf, png, svg, tex"});
  for (const char* width : {"3", "wide", "-85", "1e9"})
    expect_refused({"report", "out/t", "--width", width}, {width, "1 or 2", "60 to 400 mm"});
  expect_refused({"report", "out/t", "--only", "tabel"}, {"--only: no table or figure 'tabel'", "known: "});
}

TEST_F(Cli, RefusesTableausThatAreNotWhatTheyClaim) {
  const auto refused = [&](const std::string& tableau, const std::vector<std::string>& parts) {
    SCOPED_TRACE(tableau);
    write(folder / "tableau.json", tableau);
    expect_refused({"solve", "--problem", "pendulum", "--method", "@tableau.json", "--h", "1/10", "--t-end", "1"},
                   parts);
    expect_refused({"show", "method", "@tableau.json"}, parts);
  };
  refused(R"({"name": "x", "A": [["1", "2"]], "b": ["1"]})", {"tableau.json: /A/0", "2 entries, must have 1"});
  refused(R"({"name": "x", "A": [["abc"]], "b": ["1"]})", {"tableau.json: /A/0/0", "abc"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1"], "c": ["1/3"]})", {"tableau.json: /c/0", "residual 0.167"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1"], "order": 3})",
          {"tableau.json: /order", "claims order 3", "residual"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1/2"]})", {"tableau.json: /b", "must be 1"});
  refused(R"({"name": "x", "b": ["1"]})", {"tableau.json: /A", "is missing"});
  refused(R"({"A": [["1/2"]], "b": ["1"]})", {"tableau.json: /name", "is missing"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1"], "ordre": 2})",
          {"tableau.json: /ordre", "did you mean 'order'?"});
}

// A wrong file in methods/ is no obstacle to the others.
TEST_F(Cli, VerifiesAFileInMethodsWhenItIsAskedFor) {
  for (const char* part : {"methods", "experiments"}) fs::create_directories(folder / "project" / part);
  write(folder / "project/methods/wrong.json",
        R"({"name": "wrong", "order": 3, "A": [["0", "0"], ["1/2", "0"]], "b": ["0", "1"]})");
  ::setenv("DAELAB_ROOT", (folder / "project").c_str(), 1);
  EXPECT_THAT(daelab_ok({"list", "methods"}).out,
              testing::AllOf(testing::HasSubstr("wrong"), testing::HasSubstr("radau-iia")));
  expect_refused({"show", "method", "wrong"}, {"wrong.json", "order 3"});
}

TEST_F(Cli, RefusesNumbersBeyondDouble) {
  const Arguments solve{"solve", "--problem", "pendulum", "--method", "gauss"};
  expect_refused(with(solve, {"--h", "1e400"}), {"--h", "1e400 is beyond the range of double"});
  expect_refused(with(solve, {"--h", "1e-400"}), {"--h", "1e-400 is below the range of double"});
  expect_refused(with(solve, {"--h", "1e-20"}), {"--h", "steps of 1e-20 are more than 1e+12 in the interval 10"});
  expect_refused(with(solve, {"--h", "1", "--t-end", "10^400"}), {"--t-end", "beyond the range of double"});
  expect_refused(with(pendulum, {"--newton", "full:tolerance=1e400"}),
                 {"--newton, option tolerance", "beyond the range of double"});
  expect_refused({"solve", "--problem", "pendulum:mass=1e400", "--method", "gauss", "--h", "1"},
                 {"--problem, option mass", "1e400"});
  expect_refused({"show", "method", "generalized-alpha:rho=1e400"}, {"method/rho", "1e400"});
  expect_refused({"reference", "pendulum", "--t", "1e400"}, {"--t", "1e400"});
  expect_refused({"reference", "pendulum", "--t", "1,-1"}, {"--t: -1 is out of range; allowed: above 0"});

  const std::string config =
      R"({"name": "t", "experiment": "drift", "runs": [{"problem": "pendulum", "method": "gauss", "h": )";
  expect_config_refused(config + R"([1, 1e400]}]})",
                        {"config.json: /runs/0/h/1: the number 1e400 is beyond the range of double"});
  expect_config_refused(config + R"("1e400"}]})", {"config.json: /runs/0/h: 1e400 is beyond the range of double"});
  expect_config_refused(config + R"(1}], "claims": [{"claimed": -1e999}]})",
                        {"config.json: /claims/0/claimed: the number -1e999"});
  write(folder / "config.json", config + "1}]}");
  expect_refused({"check", "config.json", "--set", "/runs/0/h=1e400"}, {"config.json: /runs/0/h: 1e400 is beyond"});
  write(folder / "tableau.json", R"({"name": "x", "A": [["0", "0"], [1e400, "0"]], "b": ["1/2", "1/2"]})");
  expect_refused({"show", "method", "@tableau.json"}, {"tableau.json: /A/1/0: the number 1e400 is beyond"});
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Cli, RefusesTextThatIsNotUtf8) {
  for (const Arguments& arguments : {Arguments{"l\xE9st"},
                                     {"list", "probl\xE8mes"},
                                     {"show", "method", "bdf:k=\xFF"},
                                     {"start", "--problem", "pendulum:\xFF=1"},
                                     {"run", "caf\xE9.json"},
                                     {"check", "config.json", "--set", "/name=\xFF"},
                                     {"compare", "a", "b\xFF"},
                                     {"solve", "--problem", "pendulum", "--method", "radau-iia:s=\xFF", "--h", "1"}})
    expect_refused(arguments, {"argument ", "is not UTF-8", "\uFFFD"});
  write(folder / "config.json", "{\"name\": \"caf\xE9\"}");
  expect_refused({"check", "config.json"}, {"config.json:1:15", "ill-formed UTF-8"});
}

// A file in messages of solve keeps its path.
TEST_F(Cli, NamesFilesByTheirWholePath) {
  const std::string path = (folder / "tableau.json").string();
  write(path, R"({"name": "x", "A": [["abc"]], "b": ["1"]})");
  expect_refused({"solve", "--problem", "pendulum", "--method", "@" + path, "--h", "1"},
                 {"daelab: " + path + ": /A/0/0"});
}

// What another program, or an editor, made of stored files.
TEST_F(Cli, RefusesStoredFilesThatWereChanged) {
  write(folder / "config.json",
        R"({"name": "t", "experiment": "convergence", "runs": {"problem": "pendulum", "formulation": "index-1",
    "method": "gauss:s=1", "t_end": 1, "h": ["1/10", "1/20"]}, "claims": [{"id": "order", "location": "here", "kind": "order",
    "printed": "2", "claimed": 2, "expected": "undecided", "value": {"series": {"/h": "1"}, "pointer": "/orders/q"}}]})");
  daelab_ok({"run", "config.json"});
  struct Case {
    const char *file, *text;
    Arguments arguments;
    const char* message;
  };
  const Arguments report{"report", "out/t"}, compare{"compare", "out/t", "out/t"}, run{"run", "config.json"};
  const Case cases[] = {
      {"out/t/result.json", R"({"tables": [{"columns": [{"label": 1}]}]})", report,
       "out/t/result.json: /tables/0/columns/0/label: expected text, found number"},
      {"out/t/result.json", R"({"figures": 3})", report, "out/t/result.json: /figures: expected a list, found number"},
      {"out/t/result.json", R"({"figures": [{"panels": [{"x_range": [1]}]}]})", report,
       "/figures/0/panels/0/x_range: must be two numbers"},
      {"out/t/result.json", "[]", report, "out/t/result.json: expected an object, found array"},
      {"out/t/verdicts.json", R"([{"id": "a"}, {"id": []}])", report,
       "out/t/verdicts.json: /1/id: expected text, found array"},
      {"out/t/verdicts.json", "{}", report, "out/t/verdicts.json: /verdicts: is missing"},
      {"out/t/manifest.json", R"({"name": "t", "runs": {}})", compare, "out/t/manifest.json: /runs: expected a list"},
      {"out/t/manifest.json", R"({"name": "t", "runs": {}})", run, "out/t/manifest.json: /runs: expected a list"},
      {"out/t/runs.jsonl", R"({"key": "k", "status": {}})", compare,
       "out/t/runs.jsonl:1: the line is not as it was written"},
      {"out/sets.json", R"({"a": 1})", {"report", "out"}, "out/sets.json: expected a list, found object"},
      {"out/sets.json", R"(["t", 1])", {"report", "out"}, "out/sets.json: /1: expected text, found number"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const bool there = fs::exists(folder / c.file);
    const std::string before = read(folder / c.file);
    write(folder / c.file, c.text);
    expect_refused(c.arguments, {c.message});
    if (there)
      write(folder / c.file, before);
    else
      fs::remove(folder / c.file);
  }
}

// The same of files of the project: references, published claims, tableaus.
TEST_F(Cli, RefusesFilesOfTheProjectThatWereChanged) {
  const fs::path project = folder / "project";
  for (const char* part : {"methods", "experiments/paper", "results/reference"}) fs::create_directories(project / part);
  ::setenv("DAELAB_ROOT", project.c_str(), 1);
  const std::pair<const char*, const char*> references[] = {
      {R"([])", "pendulum.json: expected an object, found array"},
      {R"({"problem": 1})", "pendulum.json: /problem: expected an object, found number"},
      {R"({"problem": {"name": "pendulum"}, "route": "r"})", "pendulum.json: /states: is missing"},
      {R"({"problem": {"name": "pendulum"}, "route": "r", "states": [{"t": 1}]})",
       "/states/0/t: expected text, found number"},
      {R"({"problem": {"name": "pendulum"}, "route": "r", "states": [{"t": "1", "digits_trusted": 9, "q": ["1", 2]}]})",
       "pendulum.json: /states/0/q/1: expected text, found number"},
      {R"({"problem": {"name": "pendulum"}, "route": "r", "states": [], "variants": [{}]})",
       "/variants/0/problem: is missing"}};
  for (const auto& [text, message] : references) {
    SCOPED_TRACE(text);
    write(project / "results/reference/pendulum.json", text);
    expect_refused(pendulum, {message});
  }
  const std::pair<const char*, const char*> claims[] = {{R"({"paper": 1})", "pack.json: needs \"paper\", a text"},
                                                        {"7", "pack.json: must be an object"}};
  for (const auto& [text, message] : claims) {
    SCOPED_TRACE(text);
    write(project / "experiments/paper/pack.json", text);
    expect_refused({"list", "papers"}, {message});
    expect_refused({"reproduce", "paper"}, {message});
  }
  write(project / "methods/mine.json", R"({"name": "gauss", "A": [["1/2"]], "b": ["1"]})");
  expect_refused({"list", "methods"}, {"mine.json: /name: 'gauss' is the name of a method already, in "});
}

}  // namespace TEST_FILE
}  // namespace daelab
