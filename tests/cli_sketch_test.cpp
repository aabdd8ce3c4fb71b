// show problem --sketch and --data, the experiment problem-report, and methods by their aliases.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::StartsWith;

class CliSketch : public Cli {};

TEST_F(CliSketch, DrawsAMechanism) {
  daelab_ok({"show", "problem", "pendulum", "--sketch", "p.svg"});
  EXPECT_THAT(read(folder / "p.svg"), HasSubstr("<svg"));
  daelab_ok({"show", "problem", "pendulum", "--sketch", "p.pdf"});
  EXPECT_THAT(read(folder / "p.pdf"), StartsWith("%PDF"));
}

// Springs, dampers, guides, polygons, gears of angles and bodies in space: whatever an outline may hold.
TEST_F(CliSketch, DrawsEveryShape) {
  for (const char* problem : {"car-axis", "seven-body", "motor-crank", "heavy-top", "rowing-boat", "oscillator-chain",
                              "friction-oscillator", "flyball-governor"}) {
    const std::string file = std::string(problem) + ".svg";
    daelab_ok({"show", "problem", problem, "--sketch", file});
    EXPECT_THAT(read(folder / file), HasSubstr("<path")) << problem;
  }
}

TEST_F(CliSketch, RefusesWhatCannotBeDrawn) {
  expect_refused({"show", "problem", "pendulum", "--sketch", "p.png"}, {"--sketch: 'p.png'", ".svg or .pdf"});
  expect_refused({"show", "problem", "robertson", "--sketch", "r.svg"}, {"'robertson' has no outline"});
  expect_refused({"show", "method", "bdf", "--sketch", "b.svg"}, {"--sketch: applies to mechanisms"});
  for (const char* file : {"p.png", "r.svg", "b.svg"}) EXPECT_FALSE(fs::exists(folder / file)) << file;
}

// Table 3 of Ren, Zhou 2020 prints y_A = -0.00277; the test set, and the closed loops, have -0.00227.
TEST_F(CliSketch, ListsTheDataOfAProblem) {
  const auto y_A = [](const Json& shown) {
    for (const Json& datum : shown["data"]["Table 3, parameters"])
      if (datum["name"] == "y_A") return datum["value"].get<std::string>();
    return std::string("none");
  };
  EXPECT_EQ(y_A(json_of({"show", "problem", "seven-body", "--data", "--json"})), "-0.00227");
  EXPECT_EQ(y_A(json_of({"show", "problem", "seven-body:data=printed", "--data", "--json"})), "-0.00277");
  const std::string text = daelab_ok({"show", "problem", "pendulum:length=2", "--data"}).out;
  EXPECT_THAT(text, HasSubstr("length"));
  EXPECT_THAT(text, HasSubstr("rod length L [m]"));
}

TEST_F(CliSketch, ReportsProblemsSideBySide) {
  write(folder / "c.json", R"({"name": "c", "experiment": "problem-report",
      "runs": [{"label": "long", "problem": "pendulum:length=2,x=-2"}, {"label": "short", "problem": "pendulum",
                "q": {"x": "3/5", "y": "-4/5"}}]})");
  daelab_ok({"run", "c.json"});
  EXPECT_THAT(read(folder / "out/c/report/c/Options.csv"), HasSubstr("length,2,1,rod length L [m]"));
  EXPECT_THAT(read(folder / "out/c/report/c/c-2.svg"), HasSubstr("<svg"));
}

TEST_F(CliSketch, RefusesACoordinateThatDoesNotExist) {
  expect_config_refused(R"({"name": "c", "experiment": "problem-report",
                            "runs": [{"problem": "pendulum", "q": {"z": "1"}}]})",
                        {"/runs/0/q/z: no coordinate 'z' (known: x, y)"});
  expect_config_refused(R"({"name": "c", "experiment": "problem-report", "runs": [{"problem": "robertson"}]})",
                        {"/sketch: the problem of run", "has no outline"});
}

TEST_F(CliSketch, FindsMethodsByTheirAliases) {
  EXPECT_THAT(daelab_ok({"show", "method", "crank-nicolson"}).out,
              testing::AllOf(StartsWith("trapezoidal"), HasSubstr("Also called: crank-nicolson")));
  const auto end = [&](const char* method) {
    return json_of(
        {"solve", "--problem", "pendulum", "--method", method, "--h", "1/10", "--t-end", "1", "--json"})["q"];
  };
  EXPECT_EQ(end("crank-nicolson"), end("trapezoidal"));
}

}  // namespace TEST_FILE
}  // namespace daelab
