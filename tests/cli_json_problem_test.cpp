// Problems without a compiler, from the command line.
#include "tests/cli_support.hpp"

#include <chrono>

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const std::string examples = source_path("/docs/examples/");
const std::string twins = source_path("/tests/problems/");

TEST_F(Cli, SolvesAProblemFromAFile) {
  const Json run = json_of({"solve", "--problem", "@" + examples + "my_problem.json", "--method", "radau-iia:s=3",
                            "--h", "1/200", "--formulation", "index-2", "--json"});
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["problem"]["name"], "double-pendulum");
  EXPECT_EQ(run["problem"]["parameters"]["L2"], "1/2");
  EXPECT_EQ(run["t"], 2.0);
  EXPECT_LT(run["max"]["energy_error"].get<double>(), 1e-4);          // measured 3.2e-7
  EXPECT_LT(run["max"]["velocity_constraint"].get<double>(), 1e-12);  // solved for in every step: measured 1.3e-15
  const Json shorter = json_of({"solve", "--problem", "@" + examples + "my_problem.json:L1=2,end_time=1/10", "--method",
                                "radau-iia:s=3", "--h", "1/100", "--json"});
  EXPECT_EQ(shorter["problem"]["parameters"]["L1"], 2);
  EXPECT_EQ(shorter["t"], 0.1);
  EXPECT_NEAR(shorter["q"][0].get<double>(), 2, 0.1);  // g t^2/2 is 0.05
}

// What a person waits for: the plot of a new mechanism's convergence.
TEST_F(Cli, PlotsTheConvergenceOfAProblemFromAFile) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome run = daelab({"run", examples + "my_problem_experiment.json"});
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(fs::exists(folder / "out/my-problem/report/my-problem/errors-of-q.svg")) << run.out;
  RecordProperty("seconds", std::to_string(waited.count()));
  EXPECT_LT(waited.count(), 10) << "under a second on a machine that does nothing else";
}

// The same bits as the problems in C++, over a run.
TEST_F(Cli, TwinsInJsonMoveAlike) {
  const auto expect_alike = [&](const std::string& cpp, const std::string& file, const Arguments& how) {
    Json a = json_of(with({"solve", "--json", "--problem", cpp}, how)),
         b = json_of(with({"solve", "--json", "--problem", "@" + twins + file}, how));
    for (const char* key : {"q", "v", "a", "lambda", "max"}) EXPECT_EQ(a[key], b[key]) << cpp << " " << key;
  };
  expect_alike("pendulum", "pendulum.json", {"--method", "radau-iia:s=3", "--h", "1/50", "--t-end", "1"});
  expect_alike("two-link-manipulator", "two_link_manipulator.json",
               {"--method", "pade-block", "--h", "1/50", "--t-end", "1"});
  expect_alike("seven-body", "seven_body.json", {"--method", "radau-iia:s=3", "--h", "1/5000", "--t-end", "1/200"});
}

class JsonProblemFile : public Cli {
 protected:
  ~JsonProblemFile() override { ::setenv("DAELAB_ROOT", source_path("").c_str(), 1); }
  Json document = Json::parse(R"json({"name": "mine", "parameters": {"L": "1"}, "coordinates": ["x", "y"],
    "kinetic_energy": "(x'^2 + y'^2)/2", "potential_energy": "9.81*y", "constraints": ["x^2 + y^2 = L^2"],
    "start": {"x": "L"}, "end_time": "1"})json");

  void refused(const std::string& pointer, const Json& value, const std::vector<std::string>& parts) const {
    Json changed = document;
    changed[Json::json_pointer(pointer)] = value;
    write(folder / "mine.json", changed.dump());
    expect_refused({"solve", "--problem", "@mine.json", "--method", "radau-iia", "--h", "0.1"}, parts);
  }
};

TEST_F(JsonProblemFile, BadInputIsRefusedWithItsPlace) {
  refused("/constraint", 1, {"mine.json", "/constraint", "did you mean 'constraints'?"});
  refused("/constraints/0", "x^2 + y^2 = LL^2",
          {"mine.json: /constraints/0", "unknown name 'LL'", "position 13", "did you mean 'L'?"});
  refused("/constraints/0", "squareroot(x)", {"mine.json: /constraints/0", "unknown function 'squareroot'"});
  refused("/constraints/0", std::string(1000000, '('), {"mine.json: /constraints/0", "nested more than 200 levels"});
  refused("/definitions", Json::parse(R"json({"a": "b", "b": "a"})json"),
          {"mine.json: /definitions/a", "in a cycle: a -> b -> a"});
  refused("/definitions", Json::parse(R"json({"L": "1"})json"), {"mine.json: /definitions/L", "used twice"});
  refused("/mass", Json::parse(R"json([["1"]])json"), {"mine.json: /mass", "1 row given, 2 needed"});
  refused("/start/x", "L + 1/10", {"row 1 by 2.1e-01 (position), x^2 + y^2 - 1 = 0", "\"project\""});
  refused("/start/x'", "1", {"row 1 by 2.0e+00 (velocity), x^2 + y^2 - 1 = 0"});
  write(folder / "twice.json", R"json({"name": "a", "coordinates": ["x"], "coordinates": ["y"]})json");
  expect_refused({"solve", "--problem", "@twice.json", "--method", "radau-iia", "--h", "0.1"},
                 {"twice.json", "coordinates"});
  expect_refused({"show", "problem", "@nothing.json"}, {"nothing.json"});
}

TEST_F(JsonProblemFile, InconsistentStartsAreProjectedOnRequest) {
  document["start"]["x"] = "11/10";
  write(folder / "mine.json", document.dump());
  const Json run = json_of(
      {"solve", "--problem", "@mine.json", "--method", "radau-iia", "--h", "0.1", "--start", "project", "--json"});
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(json_of({"start", "--problem", "@mine.json", "--json"})["projected"], true);
}

TEST_F(JsonProblemFile, OptionsOfAFileAreItsParameters) {
  write(folder / "mine.json", document.dump());
  EXPECT_EQ(json_of({"show", "problem", "@mine.json", "--json"})["options"]["L"]["default"], "1");
  const std::string solved =
      daelab_ok({"solve", "--problem", "@mine.json:L=1/2", "--method", "radau-iia", "--h", "0.1"}).out;
  EXPECT_THAT(solved, HasSubstr("status ok"));
  expect_refused({"solve", "--problem", "@mine.json:K=2", "--method", "radau-iia", "--h", "0.1"},
                 {"/K", "unknown key 'K'"});
  expect_refused({"solve", "--problem", "@mine.json:L", "--method", "radau-iia", "--h", "0.1"}, {"is not key=value"});
}

// A project folder with one more file in problems/: known by name everywhere.
TEST_F(JsonProblemFile, AFileInProblemsIsKnownByName) {
  const fs::path root = folder / "root";
  for (const char* name : {"methods", "experiments", "results"}) {
    fs::create_directories(root);
    fs::create_directory_symlink(fs::path(source_path("")) / name, root / name);
  }
  fs::create_directories(root / "problems");
  write(root / "problems/mine.json", document.dump());
  ::setenv("DAELAB_ROOT", root.c_str(), 1);
  EXPECT_THAT(daelab_ok({"list", "problems"}).out, HasSubstr("mine "));
  EXPECT_THAT(daelab_ok({"show", "problem", "mine"}).out, HasSubstr("L [1]"));
  EXPECT_EQ(json_of({"solve", "--problem", "mine:L=2", "--method", "radau-iia", "--h", "0.1",
                     "--json"})["problem"]["parameters"]["L"],
            2);
  expect_refused({"solve", "--problem", "mine:M=2", "--method", "radau-iia", "--h", "0.1"},
                 {"option M: unknown option 'M' (known: L, start_time, end_time)"});
  document["name"] = "pendulum";
  write(root / "problems/mine.json", document.dump());
  expect_refused({"list", "problems"}, {"'pendulum' is the name of a problem already"});
}

TEST_F(Cli, ShowsEquations) {
  const std::string text = daelab_ok({"show", "problem", "pendulum", "--equations"}).out;
  EXPECT_THAT(text, HasSubstr("Mass matrix, upper triangle without zeros\n  M[1,1] = 1\n  M[2,2] = 1\n"));
  EXPECT_THAT(text, HasSubstr("Q[y] = -9.81"));
  EXPECT_THAT(text, HasSubstr("C1 = (x^2 + y^2 - 1)/2"));
  EXPECT_THAT(daelab_ok({"show", "problem", "pendulum", "--equations", "latex"}).out,
              HasSubstr("C_{1} &= \\frac{x^{2} + y^{2} - 1}{2}"));
  const Json json = json_of({"show", "problem", "pendulum:length=2,x=-2", "--equations", "--json"});
  EXPECT_EQ(json["equations"][0]["title"], "Energies");
  EXPECT_EQ(json["equations"][3]["equations"][0],
            Json::parse(R"json({"left": "C1", "right": "(x^2 + y^2 - 4)/2"})json"));
  EXPECT_THAT(daelab_ok({"show", "problem", "bouncing-pendulum", "--equations"}).out,
              HasSubstr("Event impact: its function falls to zero, impact\n  function = x\n  x' after = -4/5*x'"));
  expect_refused({"show", "problem", "pendulum", "--equations", "latx"}, {"--equations", "did you mean 'latex'?"});
  expect_refused({"show", "method", "gauss", "--equations"}, {"--equations"});
}

}  // namespace TEST_FILE
}  // namespace daelab
