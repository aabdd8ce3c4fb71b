// What users of problem files meet: contact forces that begin at zero, starts, equations, samples, tolerances,
// messages.
#include "core/mechanism/state_names.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string contact = "@" + source_path("/tests/problems/hunt_crossley.json");

class ProblemFiles : public Cli {
 protected:
  // Written as NAME.json in the folder of the test; the result names it.
  std::string file(const std::string& name, const std::string& rest) const {
    write(folder / (name + ".json"), R"json({"name": ")json" + name + R"json(", "end_time": "1", )json" + rest + "}");
    return "@" + name + ".json";
  }
};

// Two balls above a compliant floor: forces are powers 3/2 of how deep they are, 0 at the start, where Jacobians need
// their derivatives. By SciPy's DOP853 at 1e-12 with steps of 1e-3 at most.
TEST_F(ProblemFiles, ContactForcesBeginAtZero) {
  for (const char* method : {"radau-iia:s=3", "kvaerno-5", "dormand-prince"}) {
    const Json end = json_of({"solve", "--problem", contact, "--method", method, "--rtol", "1e-8", "--json"});
    EXPECT_EQ(end["status"], "ok") << method;
    EXPECT_NEAR(end["q"][0].get<double>(), 0.09959314, 1e-5) << method;
    EXPECT_NEAR(end["q"][1].get<double>(), 0.37194512, 1e-5) << method;
  }
  const std::string rest =
      file("at-rest", R"json("states": {"x": "-max(0, x)^(3/2)", "y": "1"}, "start": {"x": "-1"})json");
  for (const char* method : {"radau-iia:s=3", "bdf", "gauss", "kvaerno-5", "taylor"}) {
    const Json end = json_of({"solve", "--problem", rest, "--method", method, "--h", "1/10", "--json"});
    EXPECT_EQ(end["y"], Json({-1.0, 1.0})) << method;
  }
}

TEST_F(ProblemFiles, EquationsWithAMatrixOfRates) {
  const std::string singular = file("singular", R"json("states": {"y": "-y", "z": "z - y^2"},
    "rates_mass": [["1", "0"], ["0", "0"]], "start": {"y": "1", "z": "5"})json");
  const std::string text = daelab_ok({"show", "problem", singular, "--equations"}).out;
  EXPECT_THAT(text, HasSubstr("M y' = f, without zeros; index 1, by the equations of z"));
  EXPECT_THAT(text, HasSubstr("Start of runs, if it differs: on the equations\n  z = 1\n"));
  const std::string code = daelab_ok({"show", "problem", singular, "--equations", "python"}).out;
  EXPECT_THAT(code,
              AllOf(HasSubstr("# Index 1, by the equations of z."), HasSubstr("start = np.array([1.0,\n    1.0])"),
                    HasSubstr("def mass(t, y):"), HasSubstr("return mass(t, y) @ yp - rates(t, y)")));
  EXPECT_THAT(code, Not(HasSubstr("def rhs")));
}

// Text is read back to the same constants: nothing is rounded to double, and what is zero is left out.
TEST_F(ProblemFiles, EquationsHaveAllDigits) {
  EXPECT_THAT(daelab_ok({"show", "problem", "oscillator-chain", "--equations"}).out,
              AllOf(Not(HasSubstr("e-10")), Not(HasSubstr("0.408248")), Not(HasSubstr("49.99"))));
  const std::string root = file("root", R"json("states": {"y": "-exp(sqrt(2))*y"})json");
  EXPECT_THAT(daelab_ok({"show", "problem", root, "--equations"}).out, HasSubstr("4.1132503787829275171735818151403"));
}

TEST_F(ProblemFiles, TrajectoriesHaveTheirRowsAtTheSamples) {
  const Arguments run{"solve",   "--problem", "pendulum",       "--method", "bdf",          "--rtol", "1e-6",
                      "--t-end", "1",         "--sample-every", "1/4",      "--trajectory", "a.csv",  "--json"};
  const Json end = json_of(run);
  EXPECT_EQ(lines(folder / "a.csv"), 6) << "a header and t = 0, 1/4, ..., 1";
  std::ifstream rows(folder / "a.csv");
  std::string row;
  for (const char* begin : {"t,x", "0,", "0.25,", "0.5,", "0.75,", "1,"}) {
    std::getline(rows, row);
    EXPECT_TRUE(row.starts_with(begin)) << row;
  }
  EXPECT_EQ(std::stod(comma_separated(row)[1]), end["q"][0].get<double>());
  expect_refused(with(run, {"--every", "2"}), {"--every", "--sample-every"});
}

TEST_F(ProblemFiles, SolveStatesItsTolerances) {
  const std::string small = file("small", R"json("states": {"y": "-y"}, "start": {"y": "1/2000"})json");
  const Json chosen = json_of({"solve", "--problem", small, "--method", "bdf", "--rtol", "1e-4", "--json"});
  EXPECT_EQ(chosen["tolerances"], Json({{"rtol", 1e-4}, {"atol", 1e-7}}));
  const Json given =
      json_of({"solve", "--problem", small, "--method", "bdf", "--rtol", "1e-4", "--atol", "y1=1e-9", "--json"});
  EXPECT_EQ(given["tolerances"]["atol_components"], Json({{"y1", 1e-9}}));
  EXPECT_FALSE(
      json_of({"solve", "--problem", small, "--method", "heun", "--h", "1/10", "--json"}).contains("tolerances"));
}

TEST_F(ProblemFiles, MessagesNameTheCause) {
  const std::string flat =
      file("flat", R"json("states": {"y": "-y"}, "algebraic": {"z": "z^2 = y"}, "start": {"y": "1"})json");
  const Json end = json_of({"solve", "--problem", flat, "--method", "radau-iia", "--h", "1/10", "--json"}, 1);
  EXPECT_THAT(end["cause"].get<std::string>(),
              HasSubstr("at t = 0 and z = 0 all derivatives of the equation of z by algebraic states are 0"));
  const auto refused = [&](const std::string& rate, const std::string& message) {
    const std::string problem =
        file("sums", R"json("vectors": {"x": "3"}, "states": {"x[i] for i in 1..3": ")json" + rate + R"json("})json");
    expect_refused({"solve", "--problem", problem, "--method", "heun", "--h", "1/10"}, {message});
  };
  refused("-sum(j in 1..3, x[j] if j > 1)", "a condition belongs to the range, sum(i in 1..N if i > 1, x[i])");
  refused("-sum(x[j] for j in 1..3 if j > 1)", "write sum(i in 1..N if i > 1, x[i])");
  refused("-x[i] if i > 1", "no operator 'if'; write select(condition, a, b)");
  const std::string ball = file("ball", R"json("coordinates": ["x"], "mass": ["1"], "forces": {"x": "-9.81"},
    "start": {"x": "1"}, "events": {"floor": {"function": "x", "direction": -1, "consequence": "impact", "then": {"x'": "-x'/2"}}})json");
  expect_refused({"reference", ball, "--t", "1"}, {"ball has the event 'floor', which changes the motion"});
}

}  // namespace TEST_FILE
}  // namespace daelab
