// The program as its users meet it: a child process with arguments, exit code, standard output and error.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/json.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Arguments = std::vector<std::string>;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

long lines(const fs::path& path) {
  const std::string text = read(path);
  return std::count(text.begin(), text.end(), '\n');
}

struct Outcome {
  int code = -1;
  std::string out, err;
};

// The program, started in a folder of its own.
class Child {
 public:
  Child(const Arguments& arguments, const fs::path& folder) : folder_(folder) {
    Arguments all{DAELAB_BINARY};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& argument : all) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const fs::path out = folder / ".stdout", err = folder / ".stderr";
    pid_ = ::fork();
    if (pid_ != 0) return;
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect(out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (::chdir(folder.c_str()) == 0) ::execv(DAELAB_BINARY, pointers.data());
    ::_exit(127);
  }
  void interrupt() const { ::kill(pid_, SIGINT); }
  Outcome wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(folder_ / ".stdout"),
            read(folder_ / ".stderr")};
  }

 private:
  static void redirect(const fs::path& path, int flags, int target) { ::dup2(::open(path.c_str(), flags, 0644), target); }
  fs::path folder_;
  pid_t pid_ = -1;
};

class Cli : public testing::Test {
 protected:
  Cli() {
    ::setenv("DAELAB_ROOT", DAELAB_SOURCE_DIR, 1);
    std::string name = testing::TempDir() + "daelab-cli-XXXXXX";
    folder = ::mkdtemp(name.data());
  }
  ~Cli() override { fs::remove_all(folder); }

  Outcome daelab(const Arguments& arguments) const { return Child(arguments, folder).wait(); }
  Outcome daelab_ok(const Arguments& arguments) const {
    Outcome outcome = daelab(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  Json json_of(const Arguments& arguments, int code = 0) const {
    const Outcome outcome = daelab(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return Json::parse(outcome.out);  // one document and nothing else, or this throws
  }
  // Exit code 2, nothing printed, and a message with all these parts.
  void expect_refused(const Arguments& arguments, const std::vector<std::string>& parts) const {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Outcome outcome = daelab(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, StartsWith("daelab: "));
    EXPECT_THAT(outcome.err, Not(HasSubstr("json.exception")));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const std::string& part : parts) EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  // The same for a config, which must leave no result set behind either.
  void expect_config_refused(const std::string& text, const std::vector<std::string>& parts) const {
    SCOPED_TRACE(text);
    write(folder / "config.json", text);
    expect_refused({"run", "config.json"}, parts);
    EXPECT_FALSE(fs::exists(folder / "out"));
  }

  fs::path folder;
};

const Arguments two_link{"solve", "--problem", "two-link-manipulator", "--json"};
const Arguments pendulum{"solve", "--problem", "pendulum", "--method", "pade-block", "--h", "0.01", "--t-end", "1"};

Arguments with(Arguments base, const Arguments& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

int digits(const std::string& number) {
  std::string mantissa = number.substr(0, number.find_first_of("eE"));
  mantissa.erase(0, mantissa.find_first_of("123456789"));
  return static_cast<int>(std::count_if(mantissa.begin(), mantissa.end(), [](unsigned char c) { return std::isdigit(c); }));
}

// ---------------------------------------------------------------------------------------------- solve

// [Li, Ding, Li 2019, table 1]: 7.0007E-5.
TEST_F(Cli, SolvePrintsOneDocumentWithThePublishedEnergyError) {
  const Json run = json_of(with(two_link, {"--formulation", "index-1", "--method", "pade-block:r=4,nodes=uniform", "--h",
                                           "0.01", "--t-end", "10"}));
  Arguments keys;
  for (const auto& [key, value] : run.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("problem", "formulation", "method", "scalar", "status", "cause", "t", "q", "v", "a",
                                "lambda", "max", "error", "stats", "reaction", "multiplier_solver", "multipliers"));
  EXPECT_EQ(run["problem"]["name"], "two-link-manipulator");
  EXPECT_EQ(run["problem"]["parameters"]["gravity"], "9.81");
  EXPECT_EQ(run["formulation"], "index-1");
  EXPECT_EQ(run["method"], Json::parse(R"({"name": "pade-block", "options": {"r": 4, "k": 2, "j": 4, "nodes": "uniform"}})"));
  EXPECT_EQ(run["scalar"], "double");
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["cause"], "");
  EXPECT_EQ(run["t"], 10.0);
  for (const char* key : {"q", "v", "a"}) EXPECT_EQ(run[key].size(), 6u) << key;
  EXPECT_EQ(run["lambda"].size(), 4u);
  EXPECT_NEAR(run["max"]["energy_error"].get<double>(), 7.0007e-5, 0.00005e-5);
  for (const char* key : {"position_constraint", "velocity_constraint", "acceleration_constraint"})
    EXPECT_TRUE(run["max"][key].is_number()) << key;
  for (const char* key : {"rejected", "newton_iterations", "residuals", "jacobians", "factorizations", "back_solves"})
    EXPECT_TRUE(run["stats"][key].is_number_integer()) << key;
  EXPECT_EQ(run["stats"]["steps"], 1000);
  EXPECT_TRUE(run["stats"]["wall_seconds"].is_number());
}

// Observed: the error of a sixth-order scheme at h = 1/100 is near 1e-9 (q) on index 1.
TEST_F(Cli, SolveComparesWithTheStoredReference) {
  const Json run = json_of(with(two_link, {"--method", "pade-block", "--h", "1/100", "--t-end", "1"}));
  for (const char* key : {"q", "v", "a", "lambda"}) EXPECT_LT(run["error"][key].get<double>(), 1e-6) << key;
  EXPECT_GT(run["error"]["q"].get<double>(), 1e-12);
  EXPECT_GE(run["error"]["digits_trusted"].get<int>(), 30);
  EXPECT_THAT(run["error"]["reference"].get<std::string>(), HasSubstr("two-link-manipulator.json"));
}

TEST_F(Cli, SolvePrintsFiftyDigitsAsText) {
  const Json run = json_of(with(two_link, {"--method", "pade-block", "--h", "1/100", "--t-end", "1/20", "--scalar", "real50"}));
  EXPECT_EQ(run["t"], "0.05");
  for (const char* key : {"q", "v", "a", "lambda"})
    for (const Json& x : run[key]) {
      ASSERT_TRUE(x.is_string()) << key;
      EXPECT_LE(digits(x.get<std::string>()), 50);
      EXPECT_GE(digits(x.get<std::string>()), 45) << x;  // zeros at the end are not written
    }
  EXPECT_TRUE(run["max"]["energy_error"].is_string());
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
            "t,q1,q2,v1,v2,a1,a2,lambda1,kinetic_energy,potential_energy,total_energy,energy_error,"
            "position_constraint,velocity_constraint,acceleration_constraint");
  EXPECT_EQ(lines(folder / "path.csv"), 1 + 1 + 10);  // header, start, every tenth of 100 steps
}

TEST_F(Cli, SolveRecordsThatNewtonFailed) {
  const Json run = json_of(with(two_link, {"--formulation", "index-3", "--method", "pade-block:r=4", "--newton", "full",
                                           "--h", "0.1", "--t-end", "10"}), 1);
  EXPECT_EQ(run["status"], "newton-diverged");
  EXPECT_THAT(run["cause"].get<std::string>(), HasSubstr("step from t = "));
  EXPECT_LT(run["t"].get<double>(), 10);
  EXPECT_TRUE(run["error"].is_null());
}

TEST_F(Cli, SolveRecordsWhatAMethodCannotTreat) {
  const Json run = json_of(with(two_link, {"--formulation", "index-3", "--method", "pade-block:r=3,k=1,j=2", "--h", "0.01"}), 1);
  EXPECT_EQ(run["status"], "not-applicable");
  EXPECT_THAT(run["cause"].get<std::string>(), HasSubstr("singular"));
  const Json rk4 = json_of(with(two_link, {"--formulation", "index-3", "--method", "runge-kutta", "--h", "0.01"}), 1);
  EXPECT_EQ(rk4["status"], "not-applicable");
}

TEST_F(Cli, SolveProjectsInconsistentStartValuesWhenAsked) {
  const Json run = json_of({"solve", "--problem", "pendulum:x=-1.1", "--method", "pade-block", "--h", "0.01", "--t-end", "1",
                            "--start", "project", "--json"});
  EXPECT_EQ(run["status"], "ok");
  EXPECT_LT(run["max"]["position_constraint"].get<double>(), 1e-9);
}

// ------------------------------------------------------------------------------------ list, show, start

TEST_F(Cli, ListsAndShowsEveryComponentAsJson) {
  const Json all = json_of({"list", "--json"});
  for (const char* kind : {"problem", "formulation", "method", "experiment"}) {
    const Json& components = all[std::string(kind) + "s"];
    EXPECT_FALSE(components.empty()) << kind;
    for (const Json& component : components) {
      const std::string name = component["name"];
      const Json shown = json_of({"show", kind, name, "--json"});
      EXPECT_EQ(shown["name"], name);
      EXPECT_FALSE(shown["summary"].get<std::string>().empty()) << name;
      for (const auto& [option, schema] : shown["options"].items())
        EXPECT_TRUE(schema.contains("description") && schema.contains("default")) << name << " " << option;
      EXPECT_THAT(daelab_ok({"show", kind, name}).out, StartsWith(name));
    }
  }
  std::vector<std::string> papers;
  for (const Json& paper : all["papers"]) papers.push_back(paper["name"]);
  EXPECT_THAT(papers, ElementsAre("ivanov2023", "li2019", "wang"));
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
  EXPECT_EQ(shown["stability_function"], "(360 + 120 w + 12 w^2)/(360 - 240 w + 72 w^2 - 12 w^3 + w^4)");
  EXPECT_EQ(shown["pade_pair"], Json::parse("[2, 4]"));
  EXPECT_EQ(shown["R_infinity"], "0");
  EXPECT_EQ(shown["order"]["order"], 6);
  EXPECT_EQ(shown["stage_order"], 4);
  EXPECT_EQ(shown["L_stable"]["holds"], true);
  const std::string text = daelab_ok({"show", "method", "pade-block:r=4,nodes=uniform"}).out;
  for (const char* part : {"431/1440", "-73/2880", "(360 + 120 w + 12 w^2)", "R(inf)               0"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(Cli, StartReportsAndProjects) {
  const Json given = json_of({"start", "--problem", "pendulum", "--json"});
  EXPECT_EQ(given["projected"], false);
  EXPECT_EQ(given["rank"], 1);
  const Json moved = json_of({"start", "--problem", "pendulum", "--q", "-1.1,0", "--json"});
  EXPECT_EQ(moved["projected"], true);
  EXPECT_NEAR(moved["q"][0].get<double>(), -1, 1e-12);
}

TEST_F(Cli, HelpAndVersionAreNoErrors) {
  EXPECT_THAT(daelab_ok({"--help"}).out, HasSubstr("reproduce"));
  EXPECT_THAT(daelab_ok({"solve", "--help"}).out, HasSubstr("--newton"));
  EXPECT_THAT(daelab_ok({"--version"}).out, StartsWith("daelab "));
}

// ------------------------------------------------------------------------------------------- bad input

TEST_F(Cli, RefusesUnknownNamesAndNamesTheNearest) {
  expect_refused({"sovle"}, {"no verb 'sovle'", "did you mean 'solve'?"});
  expect_refused(with(pendulum, {"--fromulation", "index-1"}), {"--fromulation", "did you mean '--formulation'?"});
  expect_refused(with(pendulum, {"--formulation", "index-4"}), {"--formulation", "index-1, index-2, index-3"});
  expect_refused(with(pendulum, {"--scalar", "quad"}), {"--scalar", "double, real50"});
  expect_refused(with(pendulum, {"--start", "sideways"}), {"--start", "zero-acceleration"});
  expect_refused(with(pendulum, {"--newton", "fulll"}), {"--newton", "did you mean 'full'?"});
  expect_refused(with(pendulum, {"--newton", "full:norm=mx"}), {"--newton/norm", "did you mean 'max'?"});
  expect_refused({"solve", "--problem", "pendulm", "--method", "pade-block", "--h", "1"},
                 {"--problem", "no problem 'pendulm'", "did you mean 'pendulum'?"});
  expect_refused({"solve", "--problem", "pendulum", "--method", "pade-blok", "--h", "1"},
                 {"--method", "no method 'pade-blok'", "did you mean 'pade-block'?"});
  expect_refused({"solve", "--problem", "pendulum:lenght=2", "--method", "pade-block", "--h", "1"},
                 {"--problem/lenght", "did you mean 'length'?"});
  expect_refused({"solve", "--problem", "pendulum", "--method", "runge-kutta:tableau=rk4-clasical", "--h", "1"},
                 {"--method/tableau", "did you mean 'rk4-classical'?"});
  expect_refused({"list", "problms"}, {"did you mean 'problems'?"});
  expect_refused({"show", "problem", "pendulum:foo=1"}, {"foo"});
  expect_refused({"show", "methd", "gauss"}, {"known: problem, formulation, method, multiplier-solver, experiment"});
  expect_refused({"reproduce", "li2018"}, {"no paper 'li2018'", "did you mean 'li2019'?"});
}

TEST_F(Cli, RefusesMethodOptionsThatMakeNoMethod) {
  const auto refused = [&](const std::string& method, const std::vector<std::string>& parts) {
    expect_refused({"solve", "--problem", "pendulum", "--method", method, "--h", "0.01"}, parts);
  };
  refused("pade-block:r=11", {"--method/r", "11", "1 to 10"});
  refused("pade-block:r=0", {"--method/r", "1 to 10"});
  refused("pade-block:r=four", {"--method/r", "expected an integer"});
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
  refused("radau-iia:s=8", {"--method/s", "1 to 7"});
}

TEST_F(Cli, RefusesStepsAndTimesThatMakeNoRun) {
  const auto refused = [&](const Arguments& more, const std::vector<std::string>& parts) {
    expect_refused(with({"solve", "--problem", "pendulum", "--method", "pade-block"}, more), parts);
  };
  refused({}, {"--h is missing"});
  refused({"--h", "0"}, {"--h: 0", "above 0"});
  refused({"--h", "-0.01"}, {"--h: -0.01", "above 0"});
  refused({"--h", "abc"}, {"--h: cannot read \"abc\" as a number"});
  refused({"--h", "0.02", "--t-end", "0.01"}, {"--h", "0.02 is larger than the interval 0.01"});
  refused({"--h", "0.01", "--t-end", "-1"}, {"--t-end: -1", "above 0"});
  refused({"--rtol", "1e-3"}, {"--rtol", "fixed steps only"});
  refused({"--h", "0.01", "--every", "0"}, {"--every", "at least 1"});
  refused({"--h", "0.01", "--every", "x"}, {"--every"});
  refused({"--h", "0.01", "--newton", "full:tolerance=-1"}, {"--newton/tolerance", "above 0"});
}

TEST_F(Cli, RefusesInconsistentInitialValues) {
  expect_refused({"solve", "--problem", "pendulum:x=-1.1", "--method", "pade-block", "--h", "0.01"},
                 {"--problem", "|C| = 1.05e-01", "allowed 1e-08", "project"});
  expect_refused({"solve", "--problem", "pendulum:length=-1", "--method", "pade-block", "--h", "0.01"},
                 {"--problem/length", "above 0"});
  expect_refused({"start", "--problem", "pendulum", "--q", "1"}, {"--q: 1 values given, 2 needed"});
  expect_refused({"start", "--problem", "pendulum", "--q", "a,b"}, {"--q: cannot read \"a\""});
}

TEST_F(Cli, RefusesPathsThatCannotBeReadOrWritten) {
  write(folder / "file", "");
  expect_refused({"run", "missing.json"}, {"cannot read missing.json", "No such file"});
  expect_refused({"check", "."}, {"cannot read .", "directory"});
  expect_refused({"solve", "--problem", "@missing.json", "--method", "gauss", "--h", "1"}, {"cannot read missing.json"});
  expect_refused({"solve", "--problem", "pendulum", "--method", "@missing.json", "--h", "1"}, {"cannot read missing.json"});
  expect_refused(with(pendulum, {"--trajectory", "no/folder/x.csv"}), {"--trajectory", "no/folder"});
  expect_refused(with(pendulum, {"--trajectory", "."}), {"--trajectory", "directory"});
  expect_refused({"report", "missing"}, {"no folder 'missing'"});
  expect_refused({"report", "."}, {"no results in '.'"});
  expect_refused({"compare", "missing", "missing"}, {"missing is no results folder"});
  write(folder / "config.json", R"({"name": "t", "experiment": "drift",
    "runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1"}})");
  expect_refused({"run", "config.json", "--out", "file"}, {"cannot create results folder file/t", "Not a directory"});
  expect_refused({"run", "config.json", "--jobs", "-1"}, {"--jobs", "0 or above"});
  expect_refused({"run", "config.json", "config.json"}, {"/name", "another config"});
  EXPECT_FALSE(fs::exists(folder / "out"));
  daelab_ok({"run", "config.json"});
  expect_refused({"report", "out/t", "--to", "file/x"}, {"file/x", "Not a directory"});
  expect_refused({"report", "out/t", "--format", "svg,jpg"}, {"'jpg'", "csv, html, md, pdf, svg, tex"});
}

TEST_F(Cli, RefusesTheResultsFolderOfAnotherConfig) {
  const std::string config = R"({"name": "NAME", "experiment": "drift",
    "runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1"}})";
  write(folder / "a.json", std::string(config).replace(config.find("NAME"), 4, "a"));
  write(folder / "b.json", std::string(config).replace(config.find("NAME"), 4, "b"));
  daelab_ok({"run", "a.json"});
  fs::rename(folder / "out/a", folder / "out/b");
  const std::string before = read(folder / "out/b/runs.jsonl");
  expect_refused({"run", "b.json"}, {"out/b", "of config 'a', not of 'b'", "--force"});
  EXPECT_EQ(read(folder / "out/b/runs.jsonl"), before);
  daelab_ok({"run", "b.json", "--force"});
}

TEST_F(Cli, RefusesMalformedConfigs) {
  const std::string runs = R"("problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1")";
  const std::string head = R"({"name": "t", "experiment": "drift", )";
  expect_config_refused("{\"name\": \"t\",\n \"experiment\": drift}", {"config.json:2:16: syntax error"});
  expect_config_refused("", {"config.json:1:1"});
  expect_config_refused("[1]", {"config.json: a config is an object"});
  expect_config_refused(head + "\"runs\": {" + runs + ", \"h\": 1}}", {"/runs/h: the key is given twice"});
  expect_config_refused(head + "\"runs\": {" + runs + "}, \"titel\": \"\"}", {"config.json: /titel", "unknown option"});
  expect_config_refused(head + "\"runs\": {" + runs + ", \"formulatoin\": \"index-1\"}}",
                        {"/runs/formulatoin", "did you mean 'formulation'?"});
  expect_config_refused(head + "\"runs\": {" + runs + ", \"trajectory\": \"x\"}}",
                        {"/runs/trajectory: expected an integer", "got a string"});
  expect_config_refused(head + R"("runs": [{"problem": "pendulum", "method": {"name": "pade-block", "r": [3, "four"]}}]})",
                        {"/runs/0/method/r: expected an integer (1 to 10)"});
  expect_config_refused(head + "\"runs\": {" + runs + "}, \"title\": 5}", {"/title: must be text"});
  expect_config_refused(head + "\"runs\": {" + runs + "}, \"reference\": 5}", {"/reference: must be an object"});
  expect_config_refused(head + "\"runs\": []}", {"/runs: must be an object or a non-empty list"});
  expect_config_refused(head + "\"runs\": {\"problem\": \"pendulum\", \"method\": \"gauss\", \"h\": []}}",
                        {"/runs/h: an empty list"});
  expect_config_refused(head + "\"runs\": {\"method\": \"gauss\"}}", {"/runs: a run needs a \"problem\""});
  expect_config_refused(R"({"name": "t", "experiment": "drift"})", {"/runs: is missing"});
  expect_config_refused(R"({"experiment": "drift", "runs": {}})", {"/name: is missing"});
  expect_config_refused(R"({"name": "../t", "experiment": "drift", "runs": {}})", {"/name", "no slashes"});
  expect_config_refused(R"({"name": "t", "experiment": "drfit", "runs": {}})", {"/experiment", "did you mean 'drift'?"});
}

TEST_F(Cli, RefusesContradictoryConfigs) {
  const std::string drift = R"({"name": "t", "experiment": "drift", )";
  const std::string convergence = R"({"name": "t", "experiment": "convergence", )";
  const std::string runs = R"("runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1"})";
  const std::string stored = R"("runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1", "trajectory": 1})";
  const std::string reference = R"("reference": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": )";
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "gauss", "h": "2", "t_end": "1"}})",
                        {"/runs/h: the step 2 is larger than the interval 1"});
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "gauss", "t_end": "1", "samples": [1, 0.5]}})",
                        {"/runs/samples: times must ascend"});
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "gauss", "t_end": "1", "samples": [2]}})",
                        {"/runs/samples/0", "outside the interval 0 to 1"});
  expect_config_refused(drift + R"("runs": [{"problem": "pendulum", "method": "gauss"},
                                            {"problem": "pendulum:x=-1.1", "method": "gauss"}]})",
                        {"/runs/1/problem", "violate the constraints"});
  expect_config_refused(drift + runs + R"(, "figures": [{"id": "f", "panels": [{"y": ["q1"]}]}]})",
                        {"/figures/0", "\"trajectory\": 1"});
  expect_config_refused(drift + stored + R"(, "figures": [{"id": "f", "runs": ["x"], "panels": [{"y": ["q1"]}]}]})",
                        {"/figures/0/runs", "no run 'x'"});
  expect_config_refused(drift + stored + R"(, "figures": [{"id": "f", "panels": [{"y": ["total_enrgy"]}]}]})",
                        {"/figures/0/panels/0/y/0", "did you mean 'total_energy'?"});
  expect_config_refused(drift + stored + R"(, "figures": [{"id": "f", "panels": [{"y": ["q1"]}]},
                                                          {"id": "f", "panels": [{"y": ["q2"]}]}]})",
                        {"/figures/1/id", "also called 'f'"});
  expect_config_refused(convergence + R"("runs": {"problem": "pendulum:length=2,x=-2", "method": "gauss", "t_end": "1"}})",
                        {"/reference", "no reference of pendulum", "is stored"});
  expect_config_refused(convergence + runs + ", " + reference + R"("2"}})", {"/reference/t_end: \"2\" here, but \"1\""});
  expect_config_refused(convergence + runs + ", " + reference + R"("1"}, "figures": [{"id": "f", "components": ["q9"]}]})",
                        {"/figures/0/components", "there is no q9: q has 2 components"});
  expect_config_refused(convergence + runs + ", " + reference + R"("1"}, "figures": [{"id": "f", "components": ["w"]}]})",
                        {"/figures/0/components", "'w' is no component"});
  expect_config_refused(convergence + runs + ", " + reference + R"("1"}, "figures": [{"id": "f", "series": ["x"]}]})",
                        {"/figures/0/series", "no series 'x'"});
}

TEST_F(Cli, RefusesBadOverrides) {
  write(folder / "config.json", R"({"name": "t", "experiment": "drift",
    "runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1"}})");
  expect_refused({"run", "config.json", "--set", "foo"}, {"--set foo", "/json/pointer=VALUE"});
  expect_refused({"run", "config.json", "--set", "/runs/h=0"}, {"/runs/h: 0 is out of range"});
  expect_refused({"run", "config.json", "--set", "/runs/h/x=0"}, {"--set /runs/h/x=0", "no such place"});
  expect_refused({"check", "config.json", "--set", "/nope=3"}, {"/nope: unknown option"});
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Cli, RefusesTableausThatAreNotWhatTheyClaim) {
  const auto refused = [&](const std::string& tableau, const std::vector<std::string>& parts) {
    SCOPED_TRACE(tableau);
    write(folder / "tableau.json", tableau);
    expect_refused({"solve", "--problem", "pendulum", "--method", "@tableau.json", "--h", "1/10", "--t-end", "1"}, parts);
    expect_refused({"show", "method", "@tableau.json"}, parts);
  };
  refused(R"({"name": "x", "A": [["1", "2"]], "b": ["1"]})", {"tableau.json/A/0", "2 entries, must have 1"});
  refused(R"({"name": "x", "A": [["abc"]], "b": ["1"]})", {"tableau.json/A/0/0", "abc"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1"], "c": ["1/3"]})", {"tableau.json/c/0", "residual 0.167"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1"], "order": 3})", {"tableau.json/order", "claims order 3", "residual"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1/2"]})", {"tableau.json/b", "must be 1"});
  refused(R"({"name": "x", "b": ["1"]})", {"tableau.json/A", "is missing"});
  refused(R"({"A": [["1/2"]], "b": ["1"]})", {"tableau.json/name", "is missing"});
  refused(R"({"name": "x", "A": [["1/2"]], "b": ["1"], "ordre": 2})", {"tableau.json/ordre", "nearest: order"});
}

// ------------------------------------------------------------------------------- run, check, report

const char* const small_config = R"({
  "name": "small", "experiment": "drift", "title": "A pendulum",
  "common": {"problem": "pendulum", "t_end": "1", "trajectory": 5},
  "runs": [
    {"label": "block", "method": {"name": "pade-block", "r": [2, 3], "nodes": "uniform"}, "h": ["1/20", "1/50"],
     "formulation": ["index-1", "index-3"]},
    {"label": "RK4", "method": "runge-kutta", "h": "1/50", "scalar": ["double", "real50"]}
  ],
  "figures": [{"id": "energy", "caption": "Energy.", "runs": ["RK4, double"],
               "panels": [{"y": ["energy_error"], "y_label": "energy error [J]"}]}]
})";
constexpr int small_runs = 2 * 2 * 2 + 2;

TEST_F(Cli, RunStoresResultsAndComputesNothingTwice) {
  write(folder / "small.json", small_config);
  const Outcome first = daelab_ok({"run", "small.json"});
  EXPECT_THAT(first.err, HasSubstr("10 runs computed, 0 reused"));
  EXPECT_EQ(first.out, "out/small/report/index.html\n");
  const fs::path set = folder / "out/small";
  EXPECT_EQ(lines(set / "runs.jsonl"), small_runs);
  EXPECT_EQ(std::distance(fs::directory_iterator(set / "trajectories"), {}), small_runs);
  const Json manifest = read_json_file(set / "manifest.json");
  EXPECT_EQ(manifest["name"], "small");
  EXPECT_EQ(manifest["config"]["title"], "A pendulum");
  EXPECT_EQ(manifest["command"], "daelab run small.json");
  EXPECT_TRUE(manifest["provenance"].contains("compiler"));
  EXPECT_TRUE(manifest.contains("finished"));

  const std::string runs = read(set / "runs.jsonl");
  EXPECT_THAT(daelab_ok({"run", "small.json"}).err, HasSubstr("0 runs computed, 10 reused"));
  EXPECT_EQ(read(set / "runs.jsonl"), runs);
}

TEST_F(Cli, RunGivesTheSameBitsForAnyNumberOfJobs) {
  write(folder / "small.json", small_config);
  daelab_ok({"run", "small.json", "--out", "one", "--jobs", "1"});
  daelab_ok({"run", "small.json", "--out", "two", "--jobs", "2"});
  EXPECT_EQ(daelab_ok({"compare", "one/small", "two/small"}).out, "0 differences\n");
  for (const auto& file : fs::directory_iterator(folder / "one/small/trajectories"))
    EXPECT_EQ(read(file.path()), read(folder / "two/small/trajectories" / file.path().filename()));

  daelab_ok({"run", "small.json", "--out", "two", "--set", "/runs/0/h=[\"1/20\", \"1/25\"]", "--force"});
  const Outcome other = daelab({"compare", "one/small", "two/small"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, Not(HasSubstr("\n0 differences")));
}

TEST_F(Cli, RunToleratesATornLastLine) {
  write(folder / "small.json", small_config);
  daelab_ok({"run", "small.json", "--out", "whole"});
  daelab_ok({"run", "small.json"});
  const fs::path runs = folder / "out/small/runs.jsonl";
  fs::resize_file(runs, fs::file_size(runs) - 40);
  EXPECT_THAT(daelab_ok({"run", "small.json"}).err, HasSubstr("1 runs computed, 9 reused"));
  daelab_ok({"compare", "whole/small", "out/small"});
}

TEST_F(Cli, OverridesChangeTheConfig) {
  write(folder / "small.json", small_config);
  EXPECT_THAT(daelab_ok({"check", "small.json"}).out, HasSubstr("10 runs of experiment drift"));
  EXPECT_THAT(daelab_ok({"check", "small.json", "--set", "/runs/0/h=1/20", "--set", "/runs/1/scalar=double", "--set",
                         "/figures=[]"}).out,
              HasSubstr("5 runs of experiment drift"));
}

TEST_F(Cli, AFailedRunIsARowWithItsStatus) {
  write(folder / "config.json", R"({"name": "t", "experiment": "drift", "runs": {"problem": "pendulum",
    "method": ["gauss", "runge-kutta"], "formulation": "index-3", "h": "1/50", "t_end": "1"}})");
  EXPECT_THAT(daelab_ok({"run", "config.json"}).err, HasSubstr("1 failed (recorded with their status)"));
  EXPECT_THAT(read(folder / "out/t/report/t/t.md"), HasSubstr("not-applicable"));
}

TEST_F(Cli, InterruptionKeepsFinishedRuns) {
  write(folder / "long.json", R"({"name": "long", "experiment": "drift", "runs": {"problem": "two-link-manipulator",
    "method": "pade-block", "t_end": "1/2", "scalar": "real50",
    "h": ["1/60", "1/61", "1/62", "1/63", "1/64", "1/65", "1/66", "1/67", "1/68", "1/69"]}})");
  const fs::path runs = folder / "out/long/runs.jsonl";
  Child child({"run", "long.json", "--jobs", "1"}, folder);
  for (int i = 0; i < 2000 && (!fs::exists(runs) || lines(runs) == 0); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  child.interrupt();
  const Outcome interrupted = child.wait();
  EXPECT_EQ(interrupted.code, 130) << interrupted.err;
  EXPECT_THAT(interrupted.err, HasSubstr("finished runs are kept"));
  EXPECT_THAT(interrupted.out, IsEmpty());
  const long kept = lines(runs);
  EXPECT_GE(kept, 1);
  EXPECT_LT(kept, 10);
  EXPECT_FALSE(fs::exists(folder / "out/long/result.json"));

  const std::string expected = std::to_string(10 - kept) + " runs computed, " + std::to_string(kept) + " reused";
  EXPECT_THAT(daelab_ok({"run", "long.json"}).err, HasSubstr(expected));
  EXPECT_EQ(lines(runs), 10);
}

TEST_F(Cli, ShippedConfigsAndSchemaAreValid) {
  Arguments check{"check"};
  for (const auto& file : fs::recursive_directory_iterator(DAELAB_SOURCE_DIR "/experiments"))
    if (file.path().extension() == ".json" && file.path().filename() != "experiment.schema.json")
      check.push_back(file.path().string());
  const Outcome outcome = daelab_ok(check);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), static_cast<long>(check.size()) - 1);
  EXPECT_TRUE(daelab_ok({"schema"}).out == read(DAELAB_SOURCE_DIR "/experiments/experiment.schema.json"))
      << "refresh it: daelab schema > experiments/experiment.schema.json";
}

// What any LaTeX run would stumble over first.
void expect_balanced(const fs::path& path) {
  const std::string tex = read(path);
  const auto count = [&](const std::string& what) {
    long n = 0;
    for (auto at = tex.find(what); at != std::string::npos; at = tex.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("{") - count("\\{"), count("}") - count("\\}")) << path;
  EXPECT_EQ(count("\\begin{"), count("\\end{")) << path;
  EXPECT_EQ((count("$") - count("\\$")) % 2, 0) << path;
  EXPECT_GT(count("\\toprule"), 0) << path;
}

TEST_F(Cli, ReportWorksFromStoredResultsAlone) {
  write(folder / "small.json", small_config);
  daelab_ok({"run", "small.json"});
  fs::remove(folder / "small.json");
  fs::rename(folder / "out/small", folder / "elsewhere");
  fs::remove_all(folder / "elsewhere/report");
  EXPECT_EQ(daelab_ok({"report", "elsewhere", "--to", "paper"}).out, "paper: 1 tables, 1 figures\n");
  for (const char* name : {"index.html", "small/small.tex", "small/small.md", "small/small.csv", "small/energy.svg",
                           "small/energy.pdf", "small/energy.gp", "small/energy.dat"})
    EXPECT_GT(fs::file_size(folder / "paper" / name), 0u) << name;
  EXPECT_THAT(read(folder / "paper/small/energy.svg"), HasSubstr("<svg"));
  EXPECT_THAT(read(folder / "paper/small/energy.pdf"), StartsWith("%PDF"));
  expect_balanced(folder / "paper/small/small.tex");

  daelab_ok({"report", "elsewhere", "--to", "tables", "--format", "md"});
  EXPECT_TRUE(fs::exists(folder / "tables/small/small.md"));
  EXPECT_FALSE(fs::exists(folder / "tables/small/energy.svg"));
  EXPECT_FALSE(fs::exists(folder / "tables/index.html"));
}

TEST_F(Cli, ConvergenceComparesWithItsReferenceRun) {
  write(folder / "config.json", R"({"name": "orders", "experiment": "convergence",
    "common": {"problem": "pendulum:length=2,x=-2", "t_end": "1"},
    "reference": {"method": "gauss:s=6", "h": "1/50", "newton": "full"}, "theory": {"q": 3},
    "runs": {"method": "radau-iia:s=2", "formulation": "index-1", "scalar": "real50",
             "newton": "full:tolerance=1e-30", "h": ["1/20", "1/40", "1/80", "1/160"]}})");
  daelab_ok({"run", "config.json"});
  const Json analysis = read_json_file(folder / "out/orders/analysis.json");
  EXPECT_THAT(analysis["series"][0]["reference"].get<std::string>(), HasSubstr("gauss"));
  // Two-stage Radau IIA has order 2 s - 1 = 3 on an ODE and on index 1. [HW96, Sec. IV.5]
  EXPECT_NEAR(analysis["series"][0]["orders"]["q"]["order"].get<double>(), 3, 0.15);
  expect_balanced(folder / "out/orders/report/orders/orders-1.tex");
}

}  // namespace
}  // namespace daelab
