// The verbs run, check and report: sets of runs that are stored, taken up again and reported.
#include "core/base/json_file.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/config.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// Varies the scalar, or the formulation in a build with one scalar.
#ifndef DAELAB_DOUBLE_ONLY
const std::string varied = "scalar", first = "double", second = "real50";
#else
const std::string varied = "formulation", first = "index-1", second = "baumgarte";
#endif
const std::string small_config = R"({
  "name": "small", "experiment": "drift", "title": "A pendulum",
  "common": {"problem": "pendulum", "t_end": "1", "trajectory": 5},
  "runs": [
    {"label": "block", "method": {"name": "pade-block", "r": [2, 3], "nodes": "uniform"}, "h": ["1/20", "1/50"],
     "formulation": ["index-1", "index-3"]},
    {"label": "RK4", "method": "runge-kutta", "h": "1/50", ")" +
                                 varied + R"(": [")" + first + R"(", ")" + second + R"("]}
  ],
  "figures": [{"id": "energy", "caption": "Energy.", "runs": ["RK4, )" +
                                 first + R"("],
               "panels": [{"y": ["energy_error"], "y_label": "energy error [J]"}]}]
})";
constexpr int small_runs = 2 * 2 * 2 + 2;

TEST_F(Cli, RunStoresResultsAndComputesNothingTwice) {
  write(folder / "small.json", small_config);
  const Outcome first = daelab_ok({"run", "small.json"});
  EXPECT_THAT(first.err, HasSubstr("10 runs computed, 0 reused"));
  EXPECT_THAT(first.out, StartsWith("A pendulum\nRun "));  // the main table
  EXPECT_THAT(first.out, testing::EndsWith("\nreport: out/small/report/index.html\n"));
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
  EXPECT_THAT(daelab_ok({"check", "small.json", "--set", "/runs/0/h=1/20", "--set", "/runs/1/" + varied + "=" + first,
                         "--set", "/figures=[]"})
                  .out,
              HasSubstr("5 runs of experiment drift"));
}

TEST_F(Cli, AFailedRunIsARowWithItsStatus) {
  write(folder / "config.json", R"({"name": "t", "experiment": "drift", "runs": {"problem": "pendulum",
    "method": ["gauss", "runge-kutta"], "formulation": "index-3", "h": "1/50", "t_end": "1"}})");
  EXPECT_THAT(daelab_ok({"run", "config.json"}).err, HasSubstr("1 failed: "));
  EXPECT_THAT(read(folder / "out/t/report/t/t.md"), HasSubstr("not-applicable"));
}

#ifndef DAELAB_DOUBLE_ONLY
// Problems, lists of claims and their tableaus are no configs.
bool is_config(const fs::path& file) {
  const fs::path folder = file.parent_path().filename();
  return file.extension() == ".json" && file.filename() != "experiment.schema.json" && file.filename() != "pack.json" &&
         file.filename() != "claims.json" && folder != "problems" && folder != "mechanisms" && folder != "tableaus";
}

// Configs of established codes, in a build without them.
bool needs_missing_methods(const fs::path& config) {
  return config.parent_path().filename() == "peers" && !Registry<Method>::instance().missing().empty();
}
#endif

TEST_F(Cli, ShippedConfigsAndSchemaAreValid) {
#ifndef DAELAB_DOUBLE_ONLY  // some of them run in 50 digits
  Arguments check{"check"};
  for (const auto& file : fs::recursive_directory_iterator(source_path("/experiments")))
    if (is_config(file.path()) && !needs_missing_methods(file.path())) check.push_back(file.path().string());
  const Outcome outcome = daelab_ok(check);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), static_cast<long>(check.size()) - 1);
#endif
  EXPECT_TRUE(daelab_ok({"schema"}).out == read(source_path("/experiments/experiment.schema.json")))
      << "refresh it: daelab schema > experiments/experiment.schema.json";
}

TEST_F(Cli, TheSchemaIsFoldedButIsTheSame) {
  const std::string text = daelab_ok({"schema"}).out;
  EXPECT_EQ(Json::parse(text), config_schema());
  EXPECT_THAT(text, HasSubstr("\n  \"$schema\": {\"type\": \"string\"},\n"))
      << "an entry a line where they do not fit on one";
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

// One page leads to the reports of several sets, with a picture and a line of each.
TEST_F(Cli, RunsOfSeveralConfigsAreListed) {
  Json config = Json::parse(small_config);
  write(folder / "small.json", config.dump());
  config["name"] = "other", config["title"] = "Another <pendulum>";
  write(folder / "other.json", config.dump());
  EXPECT_THAT(daelab_ok({"run", "small.json"}).out, Not(HasSubstr("reports.html"))) << "one report needs no list";
  EXPECT_FALSE(fs::exists(folder / "out/reports.html"));
  EXPECT_THAT(daelab_ok({"run", "small.json", "other.json"}).out, testing::EndsWith("all of them: out/reports.html\n"));
  const std::string list = read(folder / "out/reports.html");
  EXPECT_THAT(list, HasSubstr("<b>Another &lt;pendulum&gt;</b>"));
  for (const char* link :
       {"small/report/index.html", "small/report/small/energy.svg", "other/report/other/energy.svg"}) {
    EXPECT_THAT(list, HasSubstr(link));
    EXPECT_TRUE(fs::exists(folder / "out" / link)) << link;
  }
}

TEST_F(Cli, RepeatedRunsShowTheirLeastTimesAndTheSpread) {
  write(folder / "small.json", R"({"name": "small", "experiment": "drift", "runs": {"problem": "pendulum",
    "method": "newmark", "formulation": "index-1", "t_end": "0.1", "h": ["0.1", "0.05"]}})");
  EXPECT_THAT(daelab_ok({"run", "small.json"}).err, HasSubstr("2 runs computed, 0 reused\n"));
  EXPECT_THAT(read(folder / "out/small/report/small/small.csv"), HasSubstr("CPU [s]"));
  EXPECT_THAT(daelab_ok({"run", "small.json", "--repeat", "3"}).err,
              HasSubstr("0 runs computed, 2 reused, 2 repeated for their times\n"));
  EXPECT_THAT(daelab_ok({"run", "small.json"}).err, HasSubstr("0 runs computed, 2 reused\n"));
  EXPECT_THAT(read(folder / "out/small/report/small/small.csv"), HasSubstr("Time [s],max/min"));
  EXPECT_THAT(read(folder / "out/small/report/small/small.md"), HasSubstr("the least of 3 repeats alone on a core"));
  for (const char* verb : {"run", "reproduce"})
    expect_refused({verb, "small.json", "--repeat", "2.5"}, {"--repeat", "whole number from 0 to 1000, not '2.5'"});
}

#ifndef DAELAB_DOUBLE_ONLY
// What only runs in 50 digits can show.

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
#endif

}  // namespace TEST_FILE
}  // namespace daelab
