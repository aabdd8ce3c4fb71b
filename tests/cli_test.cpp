// solve, list, show, start, run, check and report, by their effects.
#include "core/integration/method.hpp"
#include "lab/runs/config.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;

// ---------------------------------------------------------------------------------------------- solve

// [Li, Ding, Li 2019, table 1]: 7.0007E-5.
TEST_F(Cli, SolvePrintsOneDocumentWithThePublishedEnergyError) {
  const Json run = json_of(with(two_link, {"--formulation", "index-1", "--method", "pade-block:r=4,nodes=uniform",
                                           "--h", "0.01", "--t-end", "10"}));
  Arguments keys;
  for (const auto& [key, value] : run.items()) keys.push_back(key);
  EXPECT_THAT(
      keys, ElementsAre("problem", "formulation", "method", "scalar", "status", "cause", "warnings", "t", "q", "v", "a",
                        "lambda", "max", "error", "stats", "reaction", "multiplier_solver", "multipliers", "start"));
  EXPECT_EQ(run["problem"]["name"], "two-link-manipulator");
  EXPECT_EQ(run["problem"]["parameters"]["gravity"], "9.81");
  EXPECT_EQ(run["formulation"], "index-1");
  EXPECT_EQ(run["method"],
            Json::parse(R"({"name": "pade-block", "options": {"r": 4, "k": 2, "j": 4, "nodes": "uniform"}})"));
  EXPECT_EQ(run["scalar"], "double");
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["cause"], "");
  EXPECT_EQ(run["t"], 10.0);
  for (const char* key : {"q", "v", "a"}) EXPECT_EQ(run[key].size(), 6u) << key;
  EXPECT_EQ(run["lambda"].size(), 4u);
  EXPECT_NEAR(run["max"]["energy_error"].get<double>(), 7.0007e-5, 0.00005e-5);  // half a unit of the last digit
  for (const char* key : {"position_constraint", "velocity_constraint", "acceleration_constraint"})
    EXPECT_TRUE(run["max"][key].is_number()) << key;
  for (const char* key : {"rejected", "newton_iterations", "residuals", "jacobians", "factorizations", "back_solves"})
    EXPECT_TRUE(run["stats"][key].is_number_integer()) << key;
  EXPECT_EQ(run["stats"]["steps"], 1000);
  for (const char* time : {"cpu_seconds", "wall_seconds"}) EXPECT_GE(run["stats"][time].get<double>(), 0) << time;
}

// Processor time is that of the run's own thread: it does not pass while other runs have the machine.
TEST_F(Cli, SolveTakesNoMoreProcessorTimeThanTimePasses) {
  const Json stats = json_of(with(two_link, {"--method", "pade-block", "--h", "1/500"}))["stats"];
  EXPECT_GT(stats["cpu_seconds"].get<double>(), 0);
  // For the resolution of two clocks.
  EXPECT_LT(stats["cpu_seconds"].get<double>(), stats["wall_seconds"].get<double>() + 0.01);
}

// Every key of a run that a config has.
// What is printed into a full device is lost, which must not look like success.
TEST_F(Cli, AFullDeviceIsAFailure) {
  const std::string program = built_program(), err = (folder / "err").string();
  for (const std::string verb : {"list", "show method bdf", "solve --problem pendulum --method gauss --h 0.1 --json"}) {
    const int status = std::system((program + " " + verb + " > /dev/full 2> " + err).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << verb;
    EXPECT_THAT(read(folder / "err"), testing::HasSubstr("cannot write")) << verb;
  }
}

TEST_F(Cli, SolveTakesTheKeysOfARun) {
  const auto steps = [&](const char* atol_velocity) {
    return json_of({"solve", "--problem", "pendulum", "--method", "dormand-prince", "--rtol", "1e-10", "--t-end", "1",
                    "--atol-velocity", atol_velocity, "--json"})["stats"]["steps"]
        .get<int>();
  };
  EXPECT_LT(steps("1e-2") + 50, steps("1e-12"));  // measured 101 and 163
  const Json run =
      json_of({"solve", "--problem", "pendulum", "--method", "dormand-prince", "--rtol", "1e-6", "--t-end", "1",
               "--samples", "1/3,0.7", "--sample-every", "1/2", "--history", "--discontinuities", "detect", "--json"});
  ASSERT_EQ(run["samples"].size(), 5u);
  EXPECT_EQ(run["samples"][1]["t"], 1.0 / 3);
  EXPECT_GE(run["history"]["t"].size(), run["stats"]["steps"].get<std::size_t>());
  EXPECT_TRUE(run["events"]["discontinuities"].empty());
  expect_refused(with(pendulum, {"--atol-velocity", "1e-3"}), {"--atol-velocity: needs", "rtol"});
  expect_refused(with(pendulum, {"--samples", "2"}), {"--samples", "outside the interval"});
  expect_refused(with(pendulum, {"--history"}), {"--history: requires error control"});
}

// Observed: the error of a sixth-order scheme at h = 1/100 is near 1e-9 (q) on index 1.
// Bounds: lambda has more, measured 1.6e-7; an error of 0 would be no comparison; 38 digits are trusted.
TEST_F(Cli, SolveComparesWithTheStoredReference) {
  const Json run = json_of(with(two_link, {"--method", "pade-block", "--h", "1/100", "--t-end", "1"}));
  for (const char* key : {"q", "v", "a", "lambda"}) EXPECT_LT(run["error"][key].get<double>(), 1e-6) << key;
  EXPECT_GT(run["error"]["q"].get<double>(), 1e-10);
  EXPECT_GE(run["error"]["digits_trusted"].get<int>(), 30);
  EXPECT_THAT(run["error"]["reference"].get<std::string>(), HasSubstr("two-link-manipulator.json"));
}

TEST_F(Cli, SolveCarriesOutTheExplicitMethod) {
  const Json run = json_of(with(two_link, {"--method", "runge-kutta", "--h", "0.01", "--t-end", "10"}));
  EXPECT_NEAR(run["max"]["energy_error"].get<double>(), 0.2628, 0.00005);  // [Li, Ding, Li 2019, table 3]
  EXPECT_EQ(run["stats"]["newton_iterations"], 0);
}

TEST_F(Cli, SolveWritesATrajectory) {
  daelab_ok(with(pendulum, {"--trajectory", "path.csv", "--every", "10"}));
  const std::string text = read(folder / "path.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "t,x,y,x',y',x'',y'',lambda1,kinetic_energy,potential_energy,total_energy,energy_error,"
            "position_constraint,velocity_constraint,acceleration_constraint");
  EXPECT_EQ(lines(folder / "path.csv"), 1 + 1 + 10);  // header, start, every tenth of 100 steps
}

TEST_F(Cli, SolveRecordsThatNewtonFailed) {
  const Json run = json_of(with(two_link, {"--formulation", "index-3", "--method", "pade-block:r=4", "--newton", "full",
                                           "--h", "0.1", "--t-end", "10"}),
                           1);
  EXPECT_EQ(run["status"], "newton-diverged");
  EXPECT_THAT(run["cause"].get<std::string>(), HasSubstr("step from t = "));
  EXPECT_LT(run["t"].get<double>(), 10);
  EXPECT_TRUE(run["error"].is_null());
}

TEST_F(Cli, SolveRecordsWhatAMethodCannotTreat) {
  const Json run =
      json_of(with(two_link, {"--formulation", "index-3", "--method", "pade-block:r=3,k=1,j=2", "--h", "0.01"}), 1);
  EXPECT_EQ(run["status"], "not-applicable");
  EXPECT_THAT(run["cause"].get<std::string>(), HasSubstr("singular"));
  const Json rk4 = json_of(with(two_link, {"--formulation", "index-3", "--method", "runge-kutta", "--h", "0.01"}), 1);
  EXPECT_EQ(rk4["status"], "not-applicable");
}

// Six loop closures of rank four: the solver fits the constraints, and the record says what lambda is.
TEST_F(Cli, SolveTreatsRedundantConstraints) {
  const Arguments boat{"solve",       "--problem", "rowing-boat", "--formulation", "baumgarte", "--method",
                       "runge-kutta", "--h",       "1e-3",        "--t-end",       "0.1",       "--json"};
  const Json run = json_of(boat);
  EXPECT_EQ(run["formulation"], "baumgarte:velocity_gain=10,position_gain=10000");
  EXPECT_EQ(run["multiplier_solver"]["name"], "complete-orthogonal");
  EXPECT_EQ(run["multipliers"]["solves"], 401);  // four a step, and the start
  EXPECT_EQ(run["multipliers"]["rank"], Json::parse("[4, 4]"));
  EXPECT_EQ(run["reaction"].size(), 5u);
  EXPECT_THAT(run["multipliers"]["note"].get<std::string>(), HasSubstr("lambda is not unique"));
  const Json failed = json_of(with(boat, {"--multiplier-solver", "sr1-paper:eps_abs=1e-9"}), 1);
  EXPECT_EQ(failed["status"], "not-converged");
  EXPECT_THAT(failed["cause"].get<std::string>(), HasSubstr("residual floor"));
  const Json robust = json_of(with(boat, {"--multiplier-solver", "sr1:eps_abs=1e-9"}));
  EXPECT_THAT(robust["multipliers"]["note"].get<std::string>(), HasSubstr("residual floor"));
  EXPECT_GT(robust["multipliers"]["outcomes"]["floor"], 0);
}

TEST_F(Cli, SolveProjectsInconsistentStartValuesWhenAsked) {
  const Json run = json_of({"solve", "--problem", "pendulum:x=-1.1", "--method", "pade-block", "--h", "0.01", "--t-end",
                            "1", "--start", "project", "--json"});
  EXPECT_EQ(run["status"], "ok");
  EXPECT_LT(run["max"]["position_constraint"].get<double>(), 1e-9);  // measured 2.5e-12
}

// ------------------------------------------------------------------------------------ list, show, start

TEST_F(Cli, ListsAndShowsEveryComponentAsJson) {
  const Json all = json_of({"list", "--json"});
  int shown_count = 0;
  for (const char* kind : {"problem", "linear-problem", "formulation", "method", "multiplier-solver", "experiment"}) {
    const Json& components = all[std::string(kind) + "s"];
    EXPECT_FALSE(components.empty()) << kind;
    for (const Json& component : components) {
      const std::string name = component["name"];
      const Json shown = json_of({"show", kind, name, "--json"});
      EXPECT_EQ(shown["name"], name);
      EXPECT_FALSE(shown["summary"].get<std::string>().empty()) << name;
      for (const auto& [option, schema] : shown["options"].items())
        EXPECT_TRUE(schema.contains("description") && schema.contains("default")) << name << " " << option;
      if (++shown_count % 3 == 0) {
        EXPECT_THAT(daelab_ok({"show", kind, name}).out, StartsWith(name));
      }
    }
  }
  std::vector<std::string> papers;
  for (const Json& paper : all["papers"]) papers.push_back(paper["name"]);
  EXPECT_THAT(papers, IsSupersetOf({"dae-orders", "genalpha", "li2019", "ren2020", "test-set", "textbook", "wang"}));
  EXPECT_EQ(papers.size(), 18u);
}

// The exact scheme of r = 4 with uniform nodes, recomputed from the paper's recipe in exact arithmetic.
TEST_F(Cli, ShowMethodPrintsExactCoefficientsAndVerdicts) {
  const Json shown = json_of({"show", "method", "pade-block:r=4,nodes=uniform", "--json"});
  const char* const B[4][4] = {{"431/1440", "-49/240", "161/1440", "-73/2880"},
                               {"23/90", "1/5", "-7/90", "7/360"},
                               {"133/480", "23/80", "43/480", "1/960"},
                               {"16/45", "2/15", "16/45", "7/90"}};
  const char* const d[4] = {"197/2880", "37/360", "91/960", "7/90"};
  const char* const mu[4] = {"-1/128", "1/24", "31/128", "1"};
  const Json& coefficients = shown["coefficients"];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(coefficients["B"][i][j]["exact"], B[i][j]);
    EXPECT_EQ(coefficients["d"][i][0]["exact"], d[i]);
    EXPECT_EQ(coefficients["mu"][i][0]["exact"], mu[i]);
  }
  EXPECT_EQ(coefficients["powers"][1][2]["exact"], "1/8");         // c_2^3
  EXPECT_EQ(coefficients["derivatives"][0][4]["exact"], "5/256");  // 5 c_1^4
  EXPECT_EQ(coefficients["derivatives"][4][0]["exact"], "1");      // of t at 0
  EXPECT_EQ(coefficients["derivatives"][4][1]["exact"], "0");
  EXPECT_EQ(shown["stability_function"], "(360 + 120 w + 12 w^2)/(360 - 240 w + 72 w^2 - 12 w^3 + w^4)");
  EXPECT_EQ(shown["pade_pair"], Json::parse("[2, 4]"));
  EXPECT_EQ(shown["R_infinity"], "0");
  EXPECT_EQ(shown["order"]["order"], 6);
  EXPECT_EQ(shown["stage_order"], 4);
  EXPECT_EQ(shown["L_stable"]["holds"], true);
  const std::string text = daelab_ok({"show", "method", "pade-block:r=4,nodes=uniform"}).out;
  for (const char* part : {"431/1440", "-73/2880", "(360 + 120 w + 12 w^2)", "R(inf)                  0"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(Cli, StartReportsAndProjects) {
  const Json given = json_of({"start", "--problem", "pendulum", "--json"});
  EXPECT_EQ(given["projected"], false);
  EXPECT_EQ(given["rank"], 1);
  const Json moved = json_of({"start", "--problem", "pendulum", "--q", "-1.1,0", "--json"});
  EXPECT_EQ(moved["projected"], true);
  EXPECT_NEAR(moved["q"][0].get<double>(), -1, 1e-12);  // the nearest point, to round-off
}

TEST_F(Cli, HelpAndVersionAreNoErrors) {
  EXPECT_THAT(daelab_ok({"--help"}).out, HasSubstr("reproduce"));
  EXPECT_THAT(daelab_ok({"solve", "--help"}).out, HasSubstr("--newton"));
  EXPECT_THAT(daelab_ok({"--version"}).out, StartsWith("daelab "));
}

// ------------------------------------------------------------------------------- run, check, report

#ifndef DAELAB_DOUBLE_ONLY
// What only runs in 50 digits can show.

int digits(const std::string& number) {
  std::string mantissa = number.substr(0, number.find_first_of("eE"));
  mantissa.erase(0, mantissa.find_first_of("123456789"));
  return static_cast<int>(
      std::count_if(mantissa.begin(), mantissa.end(), [](unsigned char c) { return std::isdigit(c); }));
}

TEST_F(Cli, SolvePrintsFiftyDigitsAsText) {
  const Json run =
      json_of(with(two_link, {"--method", "pade-block", "--h", "1/100", "--t-end", "1/20", "--scalar", "real50"}));
  EXPECT_EQ(run["t"], "0.05");
  for (const char* key : {"q", "v", "a", "lambda"})
    for (const Json& x : run[key]) {
      ASSERT_TRUE(x.is_string()) << key;
      EXPECT_LE(digits(x.get<std::string>()), 50);       // of the scalar
      EXPECT_GE(digits(x.get<std::string>()), 45) << x;  // zeros at the end are not written
    }
  EXPECT_TRUE(run["max"]["energy_error"].is_string());
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
