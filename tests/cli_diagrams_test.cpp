// Work-precision diagrams of many problems: which runs they have, what the page shows of them, and the test set.
#include <fmt/format.h>

#include <set>

#include "core/base/json_file.hpp"
#include "core/base/registry.hpp"
#include "core/mechanism/problem.hpp"
#include "experiments/measures/diagram_runs.hpp"
#include "lab/project.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/run.hpp"
#include "tests/cli_support.hpp"
#include "tests/input_error_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

class Diagrams : public Cli {
 protected:
  Diagrams() { load_project(); }
  static Json config(const Json& runs) {
    return {{"name", "small"},
            {"experiment", "diagrams"},
            {"title", "Small diagrams"},
            {"methods", Json::parse(R"([{"formulation": "index-1", "method": "dormand-prince"},
                                        {"formulation": "index-2", "method": "half-explicit"},
                                        {"formulation": "ode", "method": "dormand-prince"},
                                        {"formulation": "ode", "method": "radau-iia:s=3"}])")},
            {"common", {{"rtol", {"1e-4", "1e-6"}}, {"max_steps", 10000}}},
            {"runs", runs}};
  }
  // "pendulum: index-1, dormand-prince, 1e-4"
  static std::vector<std::string> runs_of(const Json& json) {
    const Config config = make_config(json, "");
    std::vector<std::string> list;
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const RunSpec& spec = integration(config, i).spec();
      list.push_back(fmt::format("{}: {}, {}, {}", config.entry_labels[i], spec.formulation->name(), spec.method.name(),
                                 spec.rtol->text()));
    }
    return list;
  }
};

TEST_F(Diagrams, HaveTheMethodsThatApply) {
  EXPECT_THAT(runs_of(config({{"problem", "pendulum"}})),
              UnorderedElementsAre("pendulum: index-1, dormand-prince, 1e-4", "pendulum: index-1, dormand-prince, 1e-6",
                                   "pendulum: index-2, half-explicit, 1e-4", "pendulum: index-2, half-explicit, 1e-6"));
  // Explicit methods need y' of all states, and half-explicit ones constraints of positions.
  EXPECT_THAT(
      runs_of(config({{"problem", {"jay", "knife-edge"}}})),
      UnorderedElementsAre("jay: ode, radau-iia, 1e-4", "jay: ode, radau-iia, 1e-6",
                           "knife-edge: index-1, dormand-prince, 1e-4", "knife-edge: index-1, dormand-prince, 1e-6"));
}

TEST_F(Diagrams, LeaveOutWhatTheConfigNames) {
  Json some = config({{"problem", {"hires", "linear-test"}}});
  some["left_out"] = Json::parse(R"([{"problems": ["hires"], "runs": {"/method/name": "dormand-prince"}, "reason": "r"},
                                     {"runs": {"/method/name": "radau-iia", "/rtol": "0.0001"}, "reason": "r"}])");
  EXPECT_THAT(runs_of(some),
              UnorderedElementsAre("hires: ode, radau-iia, 1e-6", "linear-test: ode, radau-iia, 1e-6",
                                   "linear-test: ode, dormand-prince, 1e-4", "linear-test: ode, dormand-prince, 1e-6"));
}

TEST_F(Diagrams, MakeAReferenceWhereNoneIsStored) {
  const Json problem = {{"problem", {{"name", "pendulum"}, {"length", "2"}, {"x", "-2"}}}};
  const std::vector<std::string> runs = runs_of(config(problem));
  EXPECT_THAT(runs, testing::Contains("pendulum:length=2,x=-2, reference: ggl, radau-iia, 1e-9").Times(2));
  EXPECT_EQ(runs.size(), 6u);
}

TEST_F(Diagrams, RefuseWhatTheyCannotDraw) {
  const auto error = [](const Json& json) { return input_error_of([&] { make_config(json, ""); }); };
  EXPECT_THAT(error(config({{"problem", "pendulum"}, {"method", "bdf"}})),
              HasSubstr("/runs/method: diagrams have methods of their own"));
  EXPECT_THAT(error(config({{"rtol", "1e-4"}})), HasSubstr("/runs/problem: is missing"));
  EXPECT_THAT(error(config({{"problem", "pendulm"}})), HasSubstr("did you mean 'pendulum'?"));
  EXPECT_THAT(error(config({{"problem", "@mine.json"}})), HasSubstr("problems in files are not drawn"));
  EXPECT_THAT(error(config({{"problem", {"pendulum", "jay"}}, {"label", "one"}})), HasSubstr("names one problem"));
  Json none = config({{"problem", "pendulum"}});
  none.erase("methods");
  EXPECT_THAT(error(none), HasSubstr("/methods: is missing"));
  none["methods"] = Json::parse(R"([{"formulation": "ode", "method": "bdf"}])");
  EXPECT_THAT(error(none), HasSubstr("no method applies to pendulum"));
  Json unknown = config({{"problem", "pendulum"}});
  unknown["left_out"] = Json::parse(R"([{"problems": ["pendlum"], "reason": "r"}])");
  EXPECT_THAT(error(unknown), HasSubstr("/left_out/0/problems/0: no runs of 'pendlum'; did you mean 'pendulum'?"));
  unknown["left_out"] = Json::parse(R"([{"problems": ["pendulum"], "runs": {"/rtol": "1e-4"}}])");
  EXPECT_THAT(error(unknown), HasSubstr("/left_out/0/reason: is missing"));
  unknown["left_out"] = Json::array();
  unknown["collections"] =
      Json::parse(R"([{"id": "theirs", "caption": "c", "problems": [{"name": "A", "label": "hires"}]}])");
  EXPECT_THAT(error(unknown), HasSubstr("/collections/0/problems/0/label: no runs of 'hires'"));
}

TEST_F(Diagrams, ShowEachProblemOnThePage) {
  Json some = config({{"problem", {"pendulum", "hires", {{"name", "pendulum"}, {"length", "2"}, {"x", "-2"}}}}});
  some["collections"] = Json::parse(
      R"([{"id": "theirs", "caption": "Theirs", "problems": [{"name": "HIRES", "label": "hires"}, {"name": "B"}]}])");
  some["left_out"] =
      Json::parse(R"([{"problems": ["hires"], "runs": {"/method/name": "dormand-prince"}, "reason": "stiff"}])");
  write(folder / "config.json", some.dump());
  EXPECT_THAT(daelab_ok({"run", "config.json"}).out, Not(HasSubstr("failed")));
  const Json found = read_json_file(folder / "out/small/analysis.json");
  EXPECT_EQ(found["problems"], 3);
  EXPECT_EQ(found["without_curve"], 0);
  const Json &hires = found["diagrams"][0], &own = found["diagrams"][2];
  EXPECT_EQ(hires["label"], "hires");
  EXPECT_THAT(hires["known"].get<std::string>(), HasSubstr("proved to "));
  EXPECT_THAT(hires["without"], ElementsAre("dormand-prince"));
  EXPECT_EQ(hires["cheapest"], "radau-iia:s=3");
  EXPECT_EQ(hires["equations"], "8 equations");
  EXPECT_EQ(own["equations"], "mechanism: 2 coordinates, 1 constraint");
  // Each run keeps its tolerance of 1e-12, so that the two agree in ten decimals and more.
  EXPECT_THAT(own["known"].get<std::string>(), testing::MatchesRegex("agreed by these runs to 1[0-5] digits"));
  EXPECT_EQ(own["work"]["series"][0]["label"], "dormand-prince, index-1");
  const Json result = read_json_file(folder / "out/small/result.json");
  EXPECT_EQ(result["cards"][0]["figures"], Json::array({"diagram-hires"}));
  EXPECT_EQ(result["cards"][1]["figures"], Json({"sketch-pendulum", "diagram-pendulum"}));
  for (const Json& table : result["tables"])
    if (table["id"] == "theirs") {
      EXPECT_EQ(table["rows"][0][0], "HIRES");
      EXPECT_EQ(table["rows"][0][1], "hires");
      EXPECT_EQ(table["rows"][1][1], nullptr);
    }
  const std::string page = read(folder / "out/small/report/index.html");
  for (const char* part : {"<h2 id=\"index\">Index</h2>", "href=\"#card-small-1\"", "id=\"card-small-3\"", "stiff",
                           "<svg class=\"miniature\"", "id=\"figure-small-sketch-pendulum\""})
    EXPECT_THAT(page, HasSubstr(part));
}

// A new problem gets its line in the config; nothing else keeps the test set complete.
TEST_F(Diagrams, OfTheTestSetAreOfAllProblems) {
  const Json file = read_json_file(source_path("/experiments/test-set/diagrams.json"));
  std::set<std::string> drawn, missing;
  for (const Json& entry : file["runs"]) {
    const Json problems = entry["problem"].is_array() ? entry["problem"] : Json::array({entry["problem"]});
    for (const Json& problem : problems)
      drawn.insert(problem.is_object() ? problem["name"].get<std::string>() : problem.get<std::string>());
  }
  for (const std::string& name : Registry<Problem>::instance().names())
    if (!drawn.contains(name)) missing.insert(name);
  EXPECT_THAT(missing, IsEmpty()) << "add them to \"problem\" in experiments/test-set/diagrams.json";
}

#ifndef DAELAB_DOUBLE_ONLY  // sets of the pack
// So that a sample of a large pack can be judged.
TEST_F(Diagrams, OfAPackAreLeftOutByOnly) {
  const Outcome outcome = daelab_ok({"reproduce", "textbook", "--only", "figure-2-1"});
  EXPECT_THAT(outcome.out, HasSubstr("all verdicts as expected"));
  const Json judged = read_json_file(folder / "out/textbook/verdicts.json");
  EXPECT_EQ(judged["verdicts"].size(), 2u);
  EXPECT_FALSE(fs::exists(folder / "out/textbook/orders"));
  expect_refused({"reproduce", "textbook", "--only", "figure-2"}, {"--only: no result set 'figure-2'; did you mean"});
  expect_refused({"reproduce", "dae-orders", "textbook", "--only", "orders"}, {"--only: chooses result sets of one"});
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
