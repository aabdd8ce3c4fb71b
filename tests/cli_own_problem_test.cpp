// A problem file of one's own, from a stored reference to curves of trajectories: what registered problems have.
#include "results/reference_errors.hpp"
#include "results/store.hpp"
#include "tests/cli_support.hpp"
#include "tests/packed_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A damped pendulum on a spring whose start lies beside the circle.
constexpr const char* swing = R"json({
  "name": "own-swing", "parameters": {"L": "1", "k": "25", "d": "1/2"},
  "coordinates": ["x", "y"], "kinetic_energy": "(x'^2 + y'^2)/2", "potential_energy": "9.81*y + k*x^2/2",
  "constraints": ["x^2 + y^2 = L^2"], "forces": {"x": "-d*x'", "y": "-d*y'"}, "energy": "changes",
  "start": {"x": "0.8", "y": "-0.7", "x'": "0.1"}, "end_time": "1/5"})json";

class OwnProblem : public Cli {
 protected:
  OwnProblem() { write(folder / "swing.json", swing); }

  // Text of a config, whose runs have what is in `common` in common.
  static std::string config(const std::string& name, const std::string& experiment, const std::string& common,
                            const std::string& more = "") {
    return R"({"name": ")" + name + R"(", "experiment": ")" + experiment + R"(", "title": "Own", "common": {)" +
           common + R"(, "start": "project"}, "runs": {})" + more + "}";
  }
  Json analysis(const std::string& set) const { return read_analysis((folder / "out" / set).string()); }
};

constexpr const char* two_methods =
    R"("problem": "@swing.json:k=20", "method": ["gauss:s=2", "radau-iia:s=2"], "h": ["1/20", "1/40"])";
constexpr const char* with_reference = R"(, "reference": {"method": "gauss:s=6", "h": "1/100"})";

TEST_F(OwnProblem, IsShownWithoutSayingThatItIsOne) {
  const std::string shown = daelab_ok({"show", "@swing.json"}).out;
  EXPECT_EQ(shown, daelab_ok({"show", "problem", "@swing.json"}).out);
  EXPECT_THAT(shown, AllOf(HasSubstr("own-swing"), HasSubstr("not conserved")));
}

#ifndef DAELAB_DOUBLE_ONLY
// The words of a command after "daelab" as a shell would read them.
Arguments words_of(std::string command) {
  Arguments words;
  for (std::size_t at = 0; at < command.size();) {
    const bool is_quoted = command[at] == '\'';
    const std::size_t begin = at + (is_quoted ? 1 : 0),
                      end = std::min(command.find(is_quoted ? '\'' : ' ', begin), command.size());
    words.push_back(command.substr(begin, end - begin));
    at = end + (is_quoted ? 2 : 1);
  }
  return words;
}

TEST_F(OwnProblem, TheCureOfAMissingReferenceWorksAsItIsPrinted) {
  write(folder / "c.json", config("c", "convergence", two_methods));
  const std::string message = daelab({"run", "c.json"}).err;
  const std::string cure = "or store one with: daelab ";
  ASSERT_THAT(message, HasSubstr(cure));
  std::string command = message.substr(message.find(cure) + cure.size());
  command.erase(command.find('\n'));
  EXPECT_EQ(command, "reference '@swing.json:k=20' --t 1/5 --start project --store");
  const Outcome stored = daelab_ok(words_of(command));
  EXPECT_THAT(stored.err, HasSubstr("stored in swing.reference.json\n"));
  EXPECT_EQ(Json::parse(stored.out)["start"], "project");
  daelab_ok({"run", "c.json"});
  for (const Json& run : read_runs((folder / "out/c").string())) {
    EXPECT_LT(run["error"]["q"].get<double>(), 1e-3);
    EXPECT_THAT(run["error"]["reference"].get<std::string>(), testing::StartsWith("swing.reference.json: Gragg"));
  }
  // Where it has other parameters, or starts elsewhere, it is another solution.
  const Arguments solve{"solve", "--problem", "@swing.json", "--method", "gauss",
                        "--h",   "1/20",      "--start",     "project",  "--json"};
  EXPECT_TRUE(json_of(solve)["error"].is_null());
  Arguments trusting = with(solve, {"--fix", "x"});
  trusting[2] = "swing.json:k=20";
  EXPECT_TRUE(json_of(trusting)["error"].is_null());
  Arguments same = solve;
  same[2] = "swing.json:k=20";
  EXPECT_LT(json_of(same)["error"]["q"].get<double>(), 1e-4);
  // What a set needs to be carried out again is in it.
  fs::remove(folder / "swing.reference.json");
  daelab_ok({"rerun", "out/c"});
}

TEST_F(OwnProblem, ReferencesAreOfStartsThatSatisfyTheConstraints) {
  expect_refused({"reference", "@swing.json", "--t", "1/5"}, {"violate the constraints", "--start project"});
  expect_refused({"reference", "@swing.json", "--t", "1/5", "--start", "projct"}, {"did you mean 'project'?"});
  expect_refused({"reference", "@swing.json", "--t", "1/5", "--start", "zero-acceleration"}, {"no solution"});
  expect_refused({"reference", "@swing.json", "--t", "1/5", "--fix", "z"}, {"--fix", "x'"});
  expect_refused({"reference", "robertson", "--t", "1", "--start", "project"}, {"--start", "no coordinates"});
}

TEST_F(OwnProblem, AReferenceAtAnotherTimeJoinsThoseThatAreStored) {
  const auto store = [&](const char* t) {
    daelab_ok({"reference", "@swing.json", "--t", t, "--start", "project", "--store"});
    return Json::parse(read(folder / "swing.reference.json"));
  };
  const Json first = store("1/5").at("states").at(0), both = store("1/10").at("states");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0]["t"], "1/10");
  EXPECT_EQ(both[1], first);
  EXPECT_EQ(store("0.1").at("states").size(), 2u) << "the same time again";
}

TEST_F(OwnProblem, ReferencesGoWhereTheyAreAskedFor) {
  const Outcome stored =
      daelab_ok({"reference", "@swing.json", "--t", "1/5", "--start", "project", "--fix", "x", "--store", "kept"});
  EXPECT_THAT(stored.err, HasSubstr("stored in kept/swing.reference.json; runs look for it in swing.reference.json"));
  EXPECT_EQ(read(folder / "kept/swing.reference.json"), stored.out);
  fs::copy(folder / "kept/swing.reference.json", folder);
  EXPECT_LT(json_of({"solve", "swing.json", "--method", "gauss", "--h", "1/20", "--start", "project", "--fix", "x",
                     "--json"})["error"]["q"]
                .get<double>(),
            1e-4);
}

// A word behind --store is its folder only where there is another one for the problem.
TEST_F(OwnProblem, ReferencesOfAProblemBehindTheOptionAreItsOwn) {
  const Outcome stored =
      daelab_ok({"reference", "--store", "@swing.json", "--t", "1/5", "--start", "project", "--fix", "x"});
  EXPECT_THAT(stored.err, HasSubstr("stored in swing.reference.json\n"));
  expect_refused({"reference", "--store", "pendulm", "--t", "1"}, {"no problem 'pendulm'; did you mean 'pendulum'?"});
  expect_refused({"reference", "--store", "--t", "1"}, {"PROBLEM is missing", "usage: daelab reference PROBLEM --t T"});
}

// Errors of a run that the config compares with are where those against stored solutions are.
TEST_F(OwnProblem, ErrorsAgainstARunAreWhereStoredOnesAre) {
  write(folder / "c.json", config("c", "work-precision", two_methods, with_reference));
  daelab_ok({"run", "c.json"});
  const std::string set = (folder / "out/c").string();
  const Json points = analysis("c")["series"][0]["points"];
  std::vector<Json> runs = read_runs_with_errors(set);
  ASSERT_EQ(runs.size(), 4u);
  for (const Json& run : runs) {
    EXPECT_THAT(run["error"]["reference"].get<std::string>(), HasSubstr("reference run gauss:s=6"));
    for (const char* kind : {"q", "v", "a", "lambda"}) EXPECT_GT(run["error"][kind].get<double>(), 0) << kind;
    EXPECT_FALSE(run["error"].contains("digits_trusted"));
  }
  for (const Json& run : read_runs(set)) EXPECT_TRUE(run["error"].is_null());  // records stay as they were
  EXPECT_THAT(daelab_ok({"compare", "out/c", "--by", "method"}).out, HasSubstr("error of q"));
  const std::string page = data_of_page(read(folder / "out/c/report/index.html")).dump();
  EXPECT_THAT(page, HasSubstr("\"reference\":\"reference run gauss:s=6\""));
}
#endif

TEST_F(OwnProblem, DrawsOfAParameterAreOneGroup) {
  const std::string draws = R"("draws": {"count": 20, "values": {"/problem/k": {"normal": ["25", "1"]}}})";
  for (const char* problem : {R"("@swing.json")", R"("swing.json:d=1")", R"({"name": "@swing.json", "d": "1"})"}) {
    write(folder / "e.json",
          config("e", "ensemble",
                 "\"problem\": " + std::string(problem) + R"(, "method": "gauss:s=2", "h": "1/20", )" + draws));
    daelab_ok({"run", "e.json", "--force"});
    const Json groups = analysis("e")["groups"];
    ASSERT_EQ(groups.size(), 1u) << problem;
    EXPECT_EQ(groups[0]["runs"], 20) << groups[0].dump();
  }
  write(folder / "top.json",
        config("top", "ensemble", R"("problem": "@swing.json", "method": "gauss:s=2", "h": "1/20")", ", " + draws));
  expect_refused({"run", "top.json"}, {"/draws", "\"common\"", "\"runs\""});
}

TEST_F(OwnProblem, ParametersMakeGrids) {
  write(folder / "e.json",
        config("e", "ensemble",
               R"("problem": {"name": "@swing.json", "k": [20, 30], "d": {"from": 0, "to": 1, "count": 3}},
                                     "method": "gauss:s=2", "h": "1/20")",
               R"(, "vary": ["/problem/k"])"));
  daelab_ok({"run", "e.json"});
  const Json groups = analysis("e")["groups"];
  ASSERT_EQ(groups.size(), 3u);
  for (const Json& group : groups) EXPECT_EQ(group["runs"], 2) << group.dump();
}

// What a damper takes is no error of a method.
TEST_F(OwnProblem, AnEnergyThatChangesHasNoError) {
  const Arguments solve{"solve", "swing.json", "--method", "gauss", "--h", "1/20", "--start", "project"};
  EXPECT_THAT(daelab_ok(solve).out, AllOf(HasSubstr("position constraint"), Not(HasSubstr("energy error"))));
  EXPECT_TRUE(json_of(with(solve, {"--json"}))["max"]["energy_error"].is_null());
  Json document = Json::parse(swing);
  document.erase("energy"), document.erase("forces");
  write(folder / "kept.json", document.dump());
  EXPECT_LT(json_of({"solve", "kept.json", "--method", "gauss", "--h", "1/20", "--start", "project",
                     "--json"})["max"]["energy_error"]
                .get<double>(),
            1e-5);
}

TEST_F(OwnProblem, ColumnsOfTrajectoriesHaveItsNames) {
  daelab_ok(
      {"solve", "swing.json", "--method", "gauss", "--h", "1/20", "--start", "project", "--trajectory", "own.csv"});
  EXPECT_THAT(read(folder / "own.csv"), testing::StartsWith("t,x,y,x',y',x'',y'',lambda1,kinetic_energy,"));
  // At rest in the first row: velocities and accelerations of 0, whatever their signs are.
  daelab_ok({"solve", "pendulum", "--method", "gauss", "--h", "1/20", "--t-end", "1", "--trajectory", "own.csv"});
  const std::string own = read(folder / "own.csv");
  EXPECT_THAT((own + "\n").substr(own.find('\n')), Not(testing::ContainsRegex(",-0[,\n]")));
  const std::string first = own.substr(0, own.find("kinetic_energy"));
  EXPECT_EQ(first, "t,x,y,x',y',x'',y'',lambda1,");
  // judge reads both kinds of names.
  write(folder / "numbered.csv", "t,q1,q2,v1,v2,a1,a2,lambda1," + own.substr(first.size()));
  Json errors;
  for (const char* name : {"own", "numbered"}) {
    daelab_ok({"judge", std::string(name) + ".csv", "--problem", "pendulum", "--h", "1/20", "--t-end", "1"});
    errors[name] = analysis(name)["runs"][0]["error"];
    for (const char* kind : {"q", "v", "a", "lambda"}) EXPECT_GT(errors[name][kind].get<double>(), 0) << kind;
  }
  EXPECT_EQ(errors["own"], errors["numbered"]);
}

// A coordinate called as a column that means something else keeps its number.
TEST_F(OwnProblem, ColumnsThatMeanSomethingElseKeepTheirNumbers) {
  write(folder / "fall.json", R"json({"name": "fall", "coordinates": ["h"], "mass": ["1"], "forces": {"h": "-9.81"},
    "start": {"h": "1"}, "end_time": "1/5"})json");
  daelab_ok({"solve", "fall.json", "--method", "gauss", "--h", "1/20", "--trajectory", "fall.csv"});
  EXPECT_THAT(read(folder / "fall.csv"), testing::StartsWith("t,q1,h',h'',"));
}

TEST_F(OwnProblem, EquationsForAPaperNameParameters) {
  const std::string page = daelab_ok({"show", "swing.json", "--equations", "latex"}).out;
  EXPECT_THAT(page, AllOf(HasSubstr("% Parameters"), HasSubstr("d &= \\frac{1}{2}"),
                          HasSubstr("V &= \\frac{k x^{2}}{2} + 9.81 y"), HasSubstr("-d \\dot{x}")));
  EXPECT_THAT(daelab_ok({"show", "swing.json", "--equations"}).out, Not(HasSubstr("L^2")));  // text is read back
}

}  // namespace TEST_FILE
}  // namespace daelab
