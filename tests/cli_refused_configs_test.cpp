// Configs and overrides that the command line refuses, with their places.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

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
  expect_config_refused(
      head + R"("runs": [{"problem": "pendulum", "h": "1/10", "method": {"name": "pade-block", "r": [3, "four"]}}]})",
      {"/runs/0/method/r: expected an integer (1 to 10)"});
  expect_config_refused(head + "\"runs\": {" + runs + "}, \"title\": 5}", {"/title: must be text"});
  expect_config_refused(head + "\"runs\": {" + runs + "}, \"reference\": 5}", {"/reference: must be an object"});
  expect_config_refused(head + "\"runs\": []}", {"/runs: must be an object or a non-empty list"});
  expect_config_refused(head + "\"runs\": {\"problem\": \"pendulum\", \"method\": \"gauss\", \"h\": []}}",
                        {"/runs/h: the list is empty"});
  expect_config_refused(head + "\"runs\": {\"method\": \"gauss\"}}", {"/runs: a run needs a \"problem\""});
  expect_config_refused(R"({"name": "t", "experiment": "drift"})", {"/runs: is missing"});
  expect_config_refused(R"({"experiment": "drift", "runs": {}})", {"/name: is missing"});
  expect_config_refused(R"({"name": "../t", "experiment": "drift", "runs": {}})",
                        {"/name", "must not contain slashes"});
  expect_config_refused("{\"name\": \"a\\u0000b\", \"experiment\": \"drift\", \"runs\": {" + runs + "}}",
                        {"/name", "control characters"});
  expect_config_refused(
      "{\"name\": \"" + std::string(300, 'a') + "\", \"experiment\": \"drift\", \"runs\": {" + runs + "}}",
      {"/name", "longer than 200 bytes"});
  for (const char* id : {"../up", "a b", "-e", ".hidden", "f;rm", "\\u00fc"})
    expect_config_refused(head + "\"runs\": {" + runs + ", \"trajectory\": 1}, \"figures\": [{\"id\": \"" + id +
                              "\", \"panels\": [{\"y\": [\"q1\"]}]}]}",
                          {"/figures/0/id", "cannot be the stem of files"});
  expect_config_refused(R"({"name": "t", "experiment": "drfit", "runs": {}})",
                        {"/experiment", "did you mean 'drift'?"});
}

TEST_F(Cli, RefusesContradictoryConfigs) {
  const std::string drift = R"({"name": "t", "experiment": "drift", )";
  const std::string convergence = R"({"name": "t", "experiment": "convergence", )";
  const std::string runs = R"("runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1"})";
  const std::string stored =
      R"("runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1", "trajectory": 1})";
  const std::string reference =
      R"("reference": {"problem": "pendulum", "method": "gauss", "h": "1/10", "scalar": "double", "t_end": )";
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "gauss"}})",
                        {"/runs: a run needs a step size \"h\", or tolerances"});
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "bdf", "rtol": "0"}})",
                        {"/runs/rtol", "above 0"});
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "bdf", "rtol": "1e-16"}})",
                        {"/runs/rtol: 1e-16 is below round-off of double"});
  expect_config_refused(
      drift + R"("runs": {"problem": "pendulum", "method": "bdf", "h": "1/10", "atol_velocity": "1"}})",
      {"/runs/atol_velocity", "needs"});
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "bdf", "h": "1/10", "history": true}})",
                        {"/runs/history", "error control"});
  expect_config_refused(drift + R"("runs": {"problem": "pendulum", "method": "gauss", "h": "2", "t_end": "1"}})",
                        {"/runs/h: the step 2 is larger than the interval 1"});
  expect_config_refused(
      drift + R"("runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1", "samples": [1, 0.5]}})",
      {"/runs/samples: times must ascend"});
  expect_config_refused(
      drift + R"("runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1", "samples": [2]}})",
      {"/runs/samples/0", "outside the interval 0 to 1"});
  expect_config_refused(drift + R"("runs": [{"problem": "pendulum", "method": "gauss", "h": "1/10"},
                                            {"problem": "pendulum:x=-1.1", "method": "gauss", "h": "1/10"}]})",
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
  expect_config_refused(
      convergence + R"("runs": {"problem": "pendulum:length=2,x=-2", "method": "gauss", "h": "1/10", "t_end": "1"}})",
      {"/reference", "no reference of pendulum", "is stored"});
  expect_config_refused(convergence + runs + ", " + reference + R"("2"}})",
                        {"/reference/t_end: \"2\" here, but \"1\""});
  expect_config_refused(
      convergence + runs + ", " + reference + R"("1"}, "figures": [{"id": "f", "components": ["q9"]}]})",
      {"/figures/0/components", "there is no q9: q has 2 components"});
  expect_config_refused(
      convergence + runs + ", " + reference + R"("1"}, "figures": [{"id": "f", "components": ["w"]}]})",
      {"/figures/0/components", "'w' is not a component"});
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

// A value that no run takes: where the runs have theirs is named.
TEST_F(Cli, RefusesOverridesThatNoRunTakes) {
  write(folder / "list.json", R"({"name": "t", "experiment": "drift",
    "common": {"problem": "pendulum", "t_end": "1"},
    "runs": [{"method": "gauss", "h": "1/10"}, {"method": "radau-iia", "h": "1/20"}]})");
  const auto refused = [&](const std::string& set, const std::string& why) {
    expect_refused({"check", "list.json", "--set", set}, {"list.json: --set " + set + ": " + why});
  };
  refused("/common/h=1/40", "every run has its own: set /runs/0/h");
  refused("/common/method/s=2", "every run has its own: set /runs/0/method");
  refused("/h=1/40", "it is a key of runs: set /runs/0/h");
  refused("/t_end=2", "it is a key of runs: set /common/t_end");
  refused("/rtol=1e-3", "it is a key of runs: set /common/rtol");
  refused("/common/tend=2", "no run takes 'tend'; did you mean /common/t_end?");
  refused("/runs/0/steps=2", "no run takes 'steps'");
  refused("/runs/h=1/40", "there is no such place in the config: set /runs/0/h");
  refused("/runs/2/h=1/40", "there is no such place in the config: set /runs/0/h");
  refused("/reference/h=1/40", "the config has no reference run");
  EXPECT_FALSE(fs::exists(folder / "out"));

  write(folder / "one.json", R"({"name": "t", "experiment": "drift",
    "runs": {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": "1"}})");
  expect_refused({"check", "one.json", "--set", "/common/h=1/40"}, {"every run has its own: set /runs/h"});
  expect_refused({"check", "one.json", "--set", "/rtol=1e-3"}, {"it is a key of runs: set /runs/rtol"});
}

TEST_F(Cli, TakesOverridesThatSomeRunTakes) {
  write(folder / "list.json", R"({"name": "t", "experiment": "drift",
    "common": {"problem": "pendulum", "t_end": "1", "h": "1/10"},
    "runs": [{"method": "gauss"}, {"method": "radau-iia", "h": "1/20"}], "reference": {"method": "gauss:s=3", "scalar": "double"}})");
  for (const char* set : {"/common/h=1/40", "/common/rtol=1e-3", "/runs/1/t_end=2", "/reference/h=1/80", "/title=new",
                          "/runs/0/label=first"})
    daelab_ok({"check", "list.json", "--set", set});
}

}  // namespace TEST_FILE
}  // namespace daelab
