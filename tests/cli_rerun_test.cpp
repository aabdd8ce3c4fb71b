// A result set is carried out again from its folder alone: the manifest and the inputs that it keeps.
#include <cmath>
#include <sstream>

#include "core/base/json_file.hpp"
#include "results/run_log.hpp"
#include "results/set_files.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ContainsRegex;
using testing::HasSubstr;

class Rerun : public Cli {
 protected:
  Rerun() {
    for (const char* part : {"project/results/reference", "project/problems", "project/experiments"})
      fs::create_directories(folder / part);
    fs::copy(source_path("/methods"), root / "methods", fs::copy_options::recursive);
    fs::copy(source_path("/results/reference/pendulum.json"), root / "results/reference");
    fs::copy(source_path("/docs/examples/my_problem.json"), root / "problems");
    fs::copy(source_path("/docs/examples/my_problem.json"), folder / "problem.json");
    fs::copy(source_path("/docs/examples/my_tableau.json"), folder / "tableau.json");
    fs::copy(root / "methods/runge_kutta/heun.json", folder / "inner.json");
    ::setenv("DAELAB_ROOT", root.c_str(), 1);
    // Names of files beside the config, in an option, and in a grid; components of the project; a stored reference.
    write(folder / "c.json", R"({"name": "kept", "experiment": "drift", "common": {"t_end": "1/10", "h": "1/50"},
      "runs": [{"problem": "@problem.json:m2=2", "method": ["@tableau.json", "bdf:k=2"], "trajectory": 1},
               {"problem": "@problem.json", "formulation": "baumgarte", "method": ["runge-kutta:tableau=heun",
                {"name": "runge-kutta", "tableau": "@inner.json"}, "rk4-three-eighths"]},
               {"problem": "double-pendulum", "method": "bdf"},
               {"problem": "pendulum", "formulation": "index-2", "method": "radau-iia", "t_end": 1}]})");
  }
  ~Rerun() override { ::setenv("DAELAB_ROOT", source_path("").c_str(), 1); }

  Json manifest() const { return read_checked_file(set / "manifest.json"); }

  fs::path root = folder / "project", set = folder / "out/kept";
};

TEST_F(Rerun, NeedsNothingButTheFolder) {
  daelab_ok({"run", "c.json", "--set", "/common/h=1/40"});
  for (const char* name : {"c.json", "problem.json", "tableau.json", "inner.json",
                           "project/methods/runge_kutta/heun.json", "project/problems/my_problem.json"})
    fs::remove(folder / name);
  // A reference and a tableau that are others now than they were.
  const fs::path reference = root / "results/reference/pendulum.json";
  Json file = read_json_file(reference);
  file["states"][0]["q"][0] = "7";
  write(reference, file.dump());
  const fs::path tableau = root / "methods/runge_kutta/rk4-three-eighths.json";
  ASSERT_TRUE(fs::exists(tableau));
  fs::copy(root / "methods/runge_kutta/rk4-classical.json", tableau, fs::copy_options::overwrite_existing);
  fs::rename(folder / "out", folder / "elsewhere");

  const Outcome outcome = daelab_ok({"rerun", "elsewhere/kept"});
  EXPECT_THAT(outcome.out, HasSubstr("0 differences\nprogram, machine and libraries are the same\n"));
  EXPECT_THAT(outcome.err, HasSubstr("7 runs computed, 0 reused"));
  EXPECT_FALSE(fs::exists(folder / "elsewhere/kept/rerun"));

  // What it made is a result set of the same kind.
  daelab_ok({"rerun", "elsewhere/kept", "--out", "second", "--jobs", "1"});
  fs::remove_all(folder / "elsewhere");
  EXPECT_THAT(daelab_ok({"rerun", "second/kept"}).out, HasSubstr("0 differences"));
}

TEST_F(Rerun, SaysWhereResultsAndTheirOriginDiffer) {
  daelab_ok({"run", "c.json"});
  std::vector<std::string> lines;
  std::istringstream records(read(set / "runs.jsonl"));
  for (std::string line; std::getline(records, line);) lines.push_back(line);
  Json record = parse_run(lines.front());
  ASSERT_TRUE(record.contains("q"));
  record["q"][0] = std::nextafter(record["q"][0].get<double>(), 10);
  lines.front() = run_line(record);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write(set / "runs.jsonl", text);
  Json changed = manifest();
  changed["provenance"]["libraries"]["SLEEF"] = "2.0";
  write(set / "manifest.json", checked_text(changed, 2));

  const Outcome outcome = daelab({"rerun", "out/kept"});
  EXPECT_EQ(outcome.code, 1);
  // Where the line breaks depends on the digits of this machine.
  EXPECT_THAT(outcome.out, ContainsRegex("[ \n]/q/0:[ \n]"));
  EXPECT_THAT(outcome.out, HasSubstr("1 differences\nwhat made the results differs, then | now:\n"
                                     "  /libraries/SLEEF: \"2.0\" | \"3."));
  const std::string kept = "the new results are kept in ";
  ASSERT_THAT(outcome.out, HasSubstr(kept));
  const std::string where = outcome.out.substr(outcome.out.rfind(kept) + kept.size());
  EXPECT_TRUE(fs::exists(fs::path(where.substr(0, where.size() - 1)) / "manifest.json")) << where;
  fs::remove_all(fs::path(where).parent_path());
}

TEST_F(Rerun, RefusesInputsThatAreNotAsTheyWereKept) {
  daelab_ok({"run", "c.json"});
  expect_refused({"rerun", "out"}, {"out is not a results folder: it has no out/manifest.json"});
  expect_refused({"rerun", "out/kept", "--out", "out"}, {"--out: this folder holds the results to compare with"});

  const Json whole = manifest();
  const std::string kept = whole["inputs"]["files"]["methods/runge_kutta/heun.json"]["kept"];
  const std::string tableau = read(set / kept);
  write(set / kept, tableau + " ");
  expect_refused({"rerun", "out/kept"}, {kept, "its hash does not match"});
  fs::remove(set / kept);
  expect_refused({"rerun", "out/kept"}, {kept, "is missing"});
  write(set / kept, tableau);

  Json outside = whole;
  outside["inputs"]["files"]["methods/runge_kutta/heun.json"]["kept"] = "inputs/../../../tableau.json";
  write(set / "manifest.json", checked_text(outside, 2));
  expect_refused({"rerun", "out/kept"}, {"/kept", "is not the place of this file"});
  Json old = whole;
  old.erase("inputs");
  write(set / "manifest.json", checked_text(old, 2));
  expect_refused({"rerun", "out/kept"}, {"it does not say what the runs read", "daelab run completes it"});
}

// A manifest that was changed may ask for any file, and say anything.
TEST_F(Rerun, ReadsNothingThatIsNotKeptAndPrintsNoControls) {
  daelab_ok({"run", "c.json"});
  const Json whole = manifest();
  Json other = whole;
  fs::copy(folder / "tableau.json", folder / "private.json");
  other["config"]["runs"][0]["method"] = Json::array({"@private.json"});
  write(set / "manifest.json", checked_text(other, 2));
  expect_refused(
      {"rerun", "out/kept"},
      {"private.json: is none of the files that may be read here, those of the pack or of the inputs that are kept"});

  Json strange = whole;
  strange["provenance"]["libraries"]["\x1b[2J"] = "\x1b[31m";
  write(set / "manifest.json", checked_text(strange, 2));
  const Outcome outcome = daelab({"rerun", "out/kept"});
  EXPECT_THAT(outcome.out, HasSubstr("what made the results differs"));
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
}

TEST_F(Rerun, TheManifestNamesMachineAndLibraries) {
  daelab_ok({"run", "c.json", "--set", "/common/h=1/40"});
  const Json whole = manifest(), provenance = whole["provenance"];
  for (const char* name : {"Eigen", "Boost", "MPFR", "GMP", "nlohmann/json", "fmt", "oneTBB", "asmjit", "SLEEF",
                           "SuiteSparse", "KLU", "SPQR", "CHOLMOD", "glibc", "libstdc++"})
    EXPECT_THAT(provenance["libraries"].at(name).get<std::string>(), testing::ContainsRegex("^[0-9]+")) << name;
  for (const char* name : {"BLAS", "LAPACK"})  // the files that are loaded
    EXPECT_TRUE(fs::is_regular_file(provenance["libraries"].at(name).get<std::string>())) << name;
  EXPECT_EQ(provenance["scalars"][0], "double");
  EXPECT_THAT(provenance["system"].get<std::string>(), HasSubstr("; "));
#ifdef __x86_64__
  EXPECT_EQ(provenance["cpu_extensions"][0], "sse2");
#endif
  EXPECT_EQ(whole["inputs"]["overrides"], Json::array({"/common/h=1/40"}));
  EXPECT_EQ(whole["inputs"]["config_file"], (folder / "c.json").string());
}

}  // namespace TEST_FILE
}  // namespace daelab
