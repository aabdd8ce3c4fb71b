// Runs of linear problems, and the experiment on their iterations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/classical_sr1.hpp"
#include "analysis/sr1_properties.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/linear_run.hpp"
#include "lab/runs/schedule.hpp"
#include "results/claims.hpp"
#include "tests/linear_problem_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

// ----- runs and the experiment -----

Json run_linear(const Json& run) { return LinearRun::bind(run, "/runs")->execute().record; }

TEST(LinearRun, SolverStandsBesideTheProperties) {
  const Json record = run_linear({{"problem", random_psd(3, "positive", 2)}, {"eps_abs", "1e-10"}});
  EXPECT_EQ(record["status"], "ok");
  EXPECT_EQ(record["spec"]["multiplier_solver"]["name"], "sr1-paper");
  EXPECT_EQ(record["spec"]["multiplier_solver"]["eps_abs"], "1e-10");
  EXPECT_EQ(record["report"]["passes"], 3);  // primed by its own factorisation of A0
  EXPECT_EQ(record["properties"]["passes"], 3);
  EXPECT_EQ(record["classical"], (Json{{"converged", true}, {"steps", 4}, {"products", 11}}));
  EXPECT_LT(record["report"]["error"].get<double>(), 1e-13);  // round-off: measured 2.6e-16

  const Json direct = run_linear({{"problem", random_psd(3, "positive", 2)}, {"multiplier_solver", "svd"}});
  EXPECT_EQ(direct["report"]["passes"], 0);
  EXPECT_EQ(direct["report"]["rank"], 6);
  EXPECT_EQ(direct["properties"], record["properties"]);
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(LinearRun, NumbersOf50DigitsAreText) {
  const Json record =
      run_linear({{"problem", random_psd(2, "negative", 2)}, {"scalar", "real50"}, {"eps_abs", "1e-40"}});
  EXPECT_GT(record["report"]["x"][0].get<std::string>().size(), 45u);
  EXPECT_LT(record["report"]["error"].get<double>(), 1e-45);  // rounding of 50 digits
}
#endif

// What is stored is read as it was written.
TEST(LinearRun, RecordIsReadAsItWasWritten) {
  for (const char* solver : {"sr1-paper", "svd"}) {
    const Json record = run_linear({{"problem", random_psd(2, "negative", 3)}, {"multiplier_solver", solver}});
    EXPECT_EQ(Json(record.get<LinearRecord>()), record);
  }
  Json strange = run_linear({{"problem", random_psd(2, "negative", 3)}});
  strange["report"]["outcome"] = "lucky";
  EXPECT_THROW(strange.get<LinearRecord>(), Json::exception);
}

TEST(LinearRun, FailureIsRecordedWithTheProperties) {
  const Json record =
      run_linear({{"problem", given("[[1, 0], [0, 1]]", "[[1, 0.5], [0.5, 1]]", "[1, 0]")}, {"max_passes", 20}});
  EXPECT_EQ(record["status"], "not-converged");
  EXPECT_NE(record["cause"], "");
  EXPECT_FALSE(record["properties"]["converged"].get<bool>());
  EXPECT_EQ(record["properties"]["singular_at"], 1);
}

class LinearExperiment : public testing::Test {
 protected:
  Config config(const std::string& text) const {
    write_file(folder_ + "/config.json", text);
    return read_config(folder_ + "/config.json");
  }
  std::string refusal_of(const std::string& text) const {
    try {
      config(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  ScheduleSummary run(const Config& config) const {
    ScheduleOptions options;
    options.out_dir = folder_ + "/out", options.jobs = 1;
    return run_configs({config}, options);
  }
  Json result(const std::string& file) const { return read_json_file(folder_ + "/out/small/" + file); }

  TemporaryFolder temporary_;
  std::string folder_ = temporary_.path();
};

const std::string head = R"({"name": "small", "experiment": "linear-iterations", )";

TEST_F(LinearExperiment, GroupsTheSeedsAndJudgesEachGroup) {
  const Config small = config(head + R"("runs": {"problem": {"name": "random-psd", "size": 6, "rank": 4,
    "perturbation_rank": [1, 2, 3], "seed": [1, 2, 3, 4]}, "scalar": "double"}})");
  EXPECT_EQ(small.runs.size(), 12u);
  const ScheduleSummary summary = run(small);
  EXPECT_EQ(summary.computed, 12);
  EXPECT_EQ(summary.failed, 0);
  const Json series = result("analysis.json")["series"];
  ASSERT_EQ(series.size(), 3u);
  for (int rank = 1; rank <= 3; ++rank) {
    const Json& s = series[static_cast<std::size_t>(rank - 1)];
    EXPECT_EQ(s["spec"]["problem"]["perturbation_rank"], rank);
    EXPECT_FALSE(s["spec"]["problem"].contains("seed"));
    EXPECT_EQ(s["label"], "perturbation_rank = " + std::to_string(rank));
    EXPECT_EQ(s["problems"], 4);
    EXPECT_EQ(s["k"]["min"], rank);
    EXPECT_EQ(s["k"]["max"], rank);
    for (const auto& [property, roundings] : s["roundings"].items())
      EXPECT_LT(roundings.get<double>(), 300) << property;  // as in PropertiesHoldToRounding; measured 3
    EXPECT_EQ(s["monotone"]["solution"]["increasing"], 0);
    EXPECT_LE(s["contraction_over_bound"].get<double>(), 1);
    EXPECT_GT(s["independence"], 0);
    EXPECT_GT(s["curvature"], 0);
    EXPECT_GT(s["product"]["asymmetry"], 0);  // H_0 and the perturbation do not commute
  }
  const Json artifacts = result("result.json");
  EXPECT_EQ(artifacts["tables"].size(), 4u);  // passes, deviations, decrease, definiteness
  EXPECT_EQ(artifacts["tables"][0]["rows"].size(), 3u);
  EXPECT_EQ(artifacts["figures"][0]["panels"][0]["series"].size(), 2u);  // one curve and the line k = rank
  EXPECT_EQ(run(small).reused, 12);
}

TEST_F(LinearExperiment, ClaimsPointIntoItsSeries) {
  run(config(head + R"("runs": {"problem": {"name": "random-psd", "perturbation_rank": [1, 2], "seed": [1, 2]}}})"));
  const Json claims = Json::parse(R"({"paper": "p", "title": "t", "reference": "r", "contents": {"sections": ["1"]},
    "claims": [{"id": "k", "location": "Section 1",
    "printed": "2", "expected": "all printed digits",
    "value": {"set": "small", "series": {"/problem/perturbation_rank": 2}, "pointer": "/k/max"}}]})");
  const std::vector<Judgement> judgements = judge(claims, stored_results(folder_ + "/out"));
  EXPECT_EQ(judgements[0].verdict, "all printed digits") << judgements[0].reason;
}

TEST_F(LinearExperiment, FailedRunsStayInTablesAndNotes) {
  const ScheduleSummary summary = run(config(head + R"("common": {"max_passes": 20}, "runs": [
    {"label": "stall", "problem": {"name": "given-matrices"}},
    {"label": "two", "problem": [{"name": "given-matrices", "A0": [[1, 0], [0, 1]], "A": [[2, 0], [0, 1]], "b": [1, 1]},
                                 {"name": "given-matrices", "A0": [[1, 0], [0, 1]], "A": [[3, 0], [0, 1]], "b": [1, 1]}]}],
    "figures": [{"id": "r", "caption": "c", "show": "residual", "series": ["stall"]}]})"));
  EXPECT_EQ(summary.computed, 3);  // the matrices are no grid
  EXPECT_EQ(summary.failed, 1);
  const Json series = result("analysis.json")["series"];
  EXPECT_EQ(series[0]["statuses"], (Json{{"not-converged", 1}}));
  EXPECT_EQ(series[0]["unconverged"], 1);
  EXPECT_EQ(series[1]["k"]["max"], 1);
  const Json artifacts = result("result.json");
  EXPECT_EQ(artifacts["tables"][0]["rows"][0].back(), "not-converged");
  EXPECT_THAT(artifacts["notes"][0].get<std::string>(), HasSubstr("stall: not-converged - "));
  EXPECT_EQ(artifacts["figures"][0]["panels"][0]["series"][0]["x"].size(), 21u);
}

TEST_F(LinearExperiment, RefusesWhatItCannotUse) {
  const std::string runs = R"("runs": {"problem": "random-psd"})";
  EXPECT_THAT(refusal_of(head + R"("runs": {"problem": "random-psd", "h": "0.01"}})"), HasSubstr("unknown option 'h'"));
  EXPECT_THAT(refusal_of(head + R"("runs": {"problem": "pendulum"}})"), HasSubstr("no linear-problem 'pendulum'"));
  EXPECT_THAT(refusal_of(head + R"("runs": {"scalar": "double"}})"), HasSubstr("needs a \"problem\""));
  EXPECT_THAT(refusal_of(head + R"("runs": {"problem": {"name": "random-psd", "size": 3, "rank": 4}}})"),
              HasSubstr("/runs/problem/rank"));
  EXPECT_THAT(refusal_of(head + runs + R"(, "reference": {"problem": "random-psd"}})"), HasSubstr("/reference"));
  EXPECT_THAT(refusal_of(head + runs + R"(, "figures": [{"id": "f", "series": ["x"]}]})"),
              AllOf(HasSubstr("/figures/0/series"), HasSubstr("no series 'x'")));
  EXPECT_THAT(refusal_of(head + R"("runs": {"problem": "given-matrices"}, "figures": [{"id": "f"}]})"),
              HasSubstr("no perturbation_rank"));
  EXPECT_THAT(refusal_of(head + R"("runs": {"problem": "random-psd", "skip": "never"}})"), HasSubstr("never-skip"));
  EXPECT_THAT(
      refusal_of(R"({"name": "small", "experiment": "drift", "runs": {"problem": "random-psd", "eps_abs": 1}})"),
      HasSubstr("unknown option 'eps_abs'"));
}

#ifndef DAELAB_DOUBLE_ONLY
// Configs of other experiments hold integrations, resolved as a single run is.
TEST(RunKinds, AreIntegrationsUnlessAnExperimentSaysOtherwise) {
  const Config config = read_config(project_path("experiments/li2019/table-1.json"));
  EXPECT_EQ(&config.experiment->run_kind(), &Integrations::kind());
  std::vector<Json> completed;
  for (const Json& entry : config.json["runs"]) {
    Json merged = config.json["common"];
    merged.update(entry);
    for (const Json& run : expand_grid(merged, "")) completed.push_back(Run::bind(run, "")->json());
  }
  EXPECT_EQ(specifications(config), completed);
  ASSERT_EQ(config.runs.size(), 6u);
  const auto cost = [&](std::size_t i) { return config.runs[i]->expected_cost(); };
  EXPECT_DOUBLE_EQ(cost(2), 10 * cost(0));
  EXPECT_DOUBLE_EQ(cost(3), 100 * cost(0));  // 50 digits
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
