#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "analysis/classical_sr1.hpp"
#include "analysis/sr1_properties.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/linear_run.hpp"
#include "lab/runs/schedule.hpp"
#include "results/claims.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

template <class T>
LinearSystem<T> system_of(const Json& spec) {
  return linear_system<T>(Registry<LinearProblem>::instance().make(spec, "/problem")->pair());
}

Json random_psd(int perturbation_rank, const std::string& sign, int seed, const Json& perturbation = "1/2") {
  return {{"name", "random-psd"},
          {"size", 8},
          {"rank", 6},
          {"perturbation_rank", perturbation_rank},
          {"sign", sign},
          {"seed", seed},
          {"perturbation", perturbation}};
}

Json given(const char* A0, const char* A, const char* b) {
  return {{"name", "given-matrices"}, {"A0", Json::parse(A0)}, {"A", Json::parse(A)}, {"b", Json::parse(b)}};
}

template <class T>
Sr1Settings settings() {
  return {std::is_same_v<T, double> ? "1e-10" : "1e-40", "0", 50};
}

// ----- the theory -----

template <class T>
class Sr1Theory : public testing::Test {};
TYPED_TEST_SUITE(Sr1Theory, Scalars);

// (12), (14), (15), (17) to (21) and the projection property hold to rounding: each is a product of matrices of
// condition 10 and size 8, so a few hundred roundings of the last v = H r.
TYPED_TEST(Sr1Theory, PropertiesHoldToRounding) {
  for (const char* sign : {"positive", "negative"})
    for (const int rank : {1, 3, 5}) {
      const Sr1Properties p = sr1_properties(system_of<TypeParam>(random_psd(rank, sign, 11)), settings<TypeParam>());
      for (const auto& [name, deviation] : sr1_deviations)
        // Measured: 3 of these roundings.
        EXPECT_LT(p.deviations.*deviation, 300 * p.rounding) << name << " " << sign << " " << rank;
      EXPECT_LT(p.deviations.residual, 1e3 * static_cast<double>(epsilon<TypeParam>()));  // measured: 3 eps
      EXPECT_LT(p.deviations.inverse_range, 1e3 * static_cast<double>(epsilon<TypeParam>()));
      EXPECT_EQ(p.skipped, 0);
    }
}

// Bounds are 300 roundings of H, as above, and 1e3 eps of x: measured 5 eps.
// k = r1 on exit with H = A^+: rank passes, rank + 1 updates of x.
TYPED_TEST(Sr1Theory, PassesAreTheRankOfThePerturbation) {
  for (const char* sign : {"positive", "negative"})
    for (int rank = 1; rank <= 4; ++rank) {
      const Sr1Properties p = sr1_properties(system_of<TypeParam>(random_psd(rank, sign, 3)), settings<TypeParam>());
      EXPECT_TRUE(p.converged);
      EXPECT_EQ(p.passes, rank) << sign;
      EXPECT_LT(p.inverse_error, 300 * p.rounding) << sign;
      EXPECT_LT(p.solution_error, 1e3 * static_cast<double>(epsilon<TypeParam>()));
      EXPECT_NEAR(p.norm_ratio, 1, 1e-12);  // round-off of x
    }
}

// Within (22) no norm grows, H stays positive definite, and |x_k - x^0| contracts by |eps F_0| / lambda_r at least.
TYPED_TEST(Sr1Theory, NormsDoNotGrowWithinTheBound) {
  for (const char* sign : {"positive", "negative"})
    for (int seed = 1; seed <= 4; ++seed) {
      const Sr1Properties p =
          sr1_properties(system_of<TypeParam>(random_psd(4, sign, seed, "9/10")), settings<TypeParam>());
      EXPECT_NEAR(p.perturbation, 0.9, 1e-12);  // round-off of a norm
      for (const Decrease* d : {&p.perturbations, &p.inverse_errors, &p.solution_errors}) EXPECT_EQ(d->increases, 0);
      for (const double change : p.relative_changes.values) EXPECT_LT(change, 1);  // it may grow all the same
      EXPECT_EQ(p.perturbations.values.size(), 5u);                                // k = 0 ... 4
      EXPECT_EQ(p.solution_errors.values.size(), 6u);                              // x_0 ... x_5
      EXPECT_LE(p.solution_errors.largest_factor, 0.9);
      EXPECT_GT(p.least_eigenvalue, 0);
    }
}

// A semidefinite perturbation of any size leaves H positive definite; (22) is needed for the contraction alone.
TEST(Sr1TheoryLimits, LargePerturbationKeepsTheInversePositiveDefinite) {
  for (int seed = 1; seed <= 10; ++seed) {
    const Sr1Properties p = sr1_properties(system_of<double>(random_psd(3, "positive", seed, 10)), settings<double>());
    EXPECT_EQ(p.passes, 3);
    EXPECT_GT(p.least_eigenvalue, 0);
    EXPECT_EQ(p.inverse_errors.increases, 0);
  }
}

// Where the range turns, the limit is the solution in the range of A0, not the one of least norm; the identities hold
// for A restricted to that range. The turned directions lie at arctan(1/2): |x| up to sqrt(5)/2 of the least norm.
TEST(Sr1TheoryLimits, TurnedRangeGivesTheObliqueSolution) {
  // Identities hold to 300 roundings of H, as above; bounds of x are round-off of a few values of order one.
  Json problem = random_psd(2, "positive", 5);
  problem["common_range"] = false;
  const LinearSystem<double> system = system_of<double>(problem);
  const Sr1Properties p = sr1_properties(system, settings<double>());
  EXPECT_TRUE(p.converged);
  EXPECT_LT(p.solution_error, 1e-14);
  EXPECT_GT(p.norm_ratio, 1.01);  // measured 1.03
  EXPECT_LE(p.norm_ratio, std::sqrt(5.0) / 2 + 1e-12);
  EXPECT_GT(p.deviations.vectors_range, 1e-3);  // residuals lie in the range of A
  for (const double deviation :
       {p.deviations.quasi_newton, p.deviations.residual, p.deviations.update, p.deviations.secant})
    EXPECT_LT(deviation, 300 * p.rounding);
}

// ----- counterexamples -----

// Their values and those of the measures are exact in theory: bounds of 1e-14 and 1e-15 are some ten roundings.

// Lemma 4 and the non-vanishing denominators: s_1 = 0, H_1 = diag(1, 0), and the residual stays f.
TEST(Sr1Counterexamples, IndefinitePerturbationOfAnySizeStallsTheIteration) {
  for (const auto& [f, A] : {std::pair(0.5, "[[1, 0.5], [0.5, 1]]"), std::pair(0.001, "[[1, 0.001], [0.001, 1]]")}) {
    const Sr1Properties p =
        sr1_properties(system_of<double>(given("[[1, 0], [0, 1]]", A, "[1, 0]")), {"1e-12", "0", 20});
    EXPECT_FALSE(p.converged);
    EXPECT_EQ(p.passes, 20);
    ASSERT_TRUE(p.singular_at.has_value());
    EXPECT_EQ(*p.singular_at, 1);
    EXPECT_NEAR(p.least_eigenvalue, 0, 1e-15);
    EXPECT_THAT(p.residuals, Each(testing::DoubleNear(f, 1e-15)));
  }
}

// A0 = E, F = diag(1/2, 1/2, 3/10): b sees two different eigenvalues, so two passes; the third direction is never met.
TEST(Sr1Counterexamples, DecreaseIsNotStrict) {
  const Sr1Properties p =
      sr1_properties(system_of<double>(given("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
                                             "[[1.5, 0, 0], [0, 1.5, 0], [0, 0, 1.3]]", "[1, 1, 1]")),
                     {"1e-12", "0", 20});
  EXPECT_TRUE(p.converged);
  EXPECT_EQ(p.passes, 2);
  EXPECT_LT(p.solution_error, 1e-15);
  EXPECT_THAT(p.perturbations.values,
              testing::ElementsAre(testing::DoubleNear(0.5, 1e-14), testing::DoubleNear(0.5, 1e-14),
                                   testing::DoubleNear(0.5, 1e-14)));
  EXPECT_EQ(p.perturbations.standstills, 2);
  EXPECT_EQ(p.perturbations.increases, 0);
  EXPECT_NEAR(p.inverse_error, 1 / 3.0 / (1 / 1.3), 1e-14);  // (1 - 1/1.5) / |A^+|
}

// F = diag(1, -1)/2 and s_0 = b = (c, d): F_1 = F - F s s^T F / (s^T F s) has norm |F| / |c^2 - d^2|. Within (22).
TEST(Sr1Counterexamples, IndefinitePerturbationGrows) {
  const Sr1Properties p = sr1_properties(
      system_of<double>(given("[[1, 0], [0, 1]]", "[[1.5, 0], [0, 0.5]]", "[\"4/5\", \"3/5\"]")), {"1e-12", "0", 20});
  EXPECT_EQ(p.perturbations.increases, 1);
  EXPECT_NEAR(p.perturbations.largest_factor, 25 / 7.0, 1e-14);
  EXPECT_LT(p.perturbation, 1);
  EXPECT_EQ(p.passes, 2);
}

// Lemma 6 says that the product of an SPD and a PSD matrix is symmetric PSD. H_0 F = diag(1, 10) ((1, 1), (1, 1)) =
// ((1, 1), (10, 10)): |P - P^T| = 9 sqrt(2) of |P| = sqrt(202); (P + P^T)/2 has the eigenvalues 11/2 +- sqrt(50.5).
TEST(Sr1Counterexamples, ProductOfDefiniteMatricesNeedNotBeSymmetricNorDefinite) {
  const Sr1Properties p = sr1_properties(system_of<double>(given("[[1, 0], [0, 0.1]]", "[[2, 1], [1, 1.1]]", "[1, 0]")),
                                         settings<double>());
  EXPECT_NEAR(p.product_asymmetry, 9 * std::sqrt(2.0 / 202), 1e-14);
  EXPECT_NEAR(p.product_form, (5.5 - std::sqrt(50.5)) / std::sqrt(202.0), 1e-14);
}

// A0 = E commutes with F = diag(1/2, 1/2, 3/10), so there it does hold; the least eigenvalue is 3/10.
TEST(Sr1Measures, ProductOfCommutingMatricesIsSymmetricAndDefinite) {
  const Sr1Properties p =
      sr1_properties(system_of<double>(given("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
                                             "[[1.5, 0, 0], [0, 1.5, 0], [0, 0, 1.3]]", "[1, 1, 1]")),
                     settings<double>());
  EXPECT_EQ(p.product_asymmetry, 0);
  EXPECT_NEAR(p.product_form, 0.3 / std::sqrt(0.59), 1e-14);
}

// Two equations, F = diag(1, 0) on A0 = E, b = (1, 1): s_0 = (1, 1), r_1 = v = (1, 0), y_0 = (2, 1), so the cosine of
// (v, y) is 2/sqrt(5); s_1 = -v/2, at 45 degrees to s_0. Then x = (1/2, 1) is the solution.
TEST(Sr1Measures, FindAnglesOfLemma4AndOfTheRemark) {
  const Sr1Properties p =
      sr1_properties(system_of<double>(given("[[1, 0], [0, 1]]", "[[2, 0], [0, 1]]", "[1, 1]")), settings<double>());
  EXPECT_EQ(p.passes, 1);
  EXPECT_NEAR(p.curvature, 2 / std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(p.independence, std::sqrt(0.5), 1e-15);
}

// What it is used for holds all the same: A >= A0 on one range makes A0^+ - A^+ positive semidefinite.
TEST(Sr1Counterexamples, InverseIsMonotoneOnACommonRange) {
  for (int seed = 1; seed <= 5; ++seed) {
    const LinearSystem<double> s = system_of<double>(random_psd(3, "positive", seed, 2));
    RandomNumbers random(static_cast<unsigned>(seed));
    for (int i = 0; i < 20; ++i) {
      const auto x = random.vector<double>(8);
      EXPECT_GE(x.dot((s.H0 - s.inverse) * x), -1e-14);  // semidefinite, to round-off
    }
  }
}

// ----- the method with line search -----

// Its steps are those of conjugate gradients preconditioned by H_0: one for each different eigenvalue of H_0 A on the
// range, r1 + 1 of them where r1 < r, r where r1 = r. The iteration (11) takes r1 + 1 steps always.
TYPED_TEST(Sr1Theory, LineSearchSavesAStepWherePerturbationsHaveFullRank) {
  const std::string eps_abs = std::is_same_v<TypeParam, double> ? "1e-10" : "1e-40";
  for (const int rank : {1, 3, 5, 6}) {
    if (std::is_same_v<TypeParam, double> && rank > 3) continue;  // the tolerance of double is met earlier
    const LinearSystem<TypeParam> system = system_of<TypeParam>(random_psd(rank, "positive", 2));
    const ClassicalSr1 classical = classical_sr1(system, eps_abs, 50);
    EXPECT_TRUE(classical.converged);
    EXPECT_EQ(classical.steps, rank < 6 ? rank + 1 : 6);
    EXPECT_EQ(classical.products, 3 * classical.steps - 1) << "the last step needs no new H";
    const Sr1Properties iteration = sr1_properties(system, settings<TypeParam>());
    EXPECT_EQ(iteration.passes, rank);
    EXPECT_EQ(iteration.products, 2 * iteration.passes);
  }
}

TEST(Sr1LineSearch, GivesUp) {
  const ClassicalSr1 classical = classical_sr1(system_of<double>(random_psd(4, "positive", 2)), "1e-10", 2);
  EXPECT_FALSE(classical.converged);
  EXPECT_EQ(classical.steps, 2);
}

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
