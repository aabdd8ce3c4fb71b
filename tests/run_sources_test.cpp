#include "lab/runs/run_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "core/base/context.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/base/registry.hpp"
#include "core/base/write_file.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/method_files.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/linear_problem.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "lab/runs/experiment.hpp"
#include "results/reference.hpp"
#include "results/store.hpp"
#include "tests/build_paths.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Contains;
using testing::EndsWith;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

// Tableaus are methods of the program.
class RunSources : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_method_files(project_path("methods")); }
};

std::vector<std::string> sources_of(const Json& run) {
  std::vector<std::string> names;
  const Json sources = run_sources(Run::bind(run, "")->json(), Integrations::kind().file);
  for (const auto& [name, hash] : sources.items()) names.push_back(name);
  return names;
}

Json pendulum(const std::string& method) {
  return {{"problem", "pendulum"}, {"formulation", "index-2"}, {"method", method}, {"h", "1/10"}, {"t_end", "1"}};
}

TEST_F(RunSources, AreTheEnginesAndTheFilesOfItsOwnComponents) {
  const auto sources = sources_of(pendulum("radau-iia:s=2"));
  EXPECT_THAT(sources, IsSupersetOf({"engines", "problems/pendulum.cpp", "formulations/index_2.cpp",
                                     "methods/runge_kutta/radau_iia.cpp", "multiplier_solvers/written_out.cpp"}));
  for (const char* other : {"problems/seven_body.cpp", "formulations/index_1.cpp", "methods/multistep/bdf.cpp",
                            "methods/runge_kutta/dormand-prince.json", "experiments/kinds/drift.cpp"})
    EXPECT_THAT(sources, Not(Contains(other)));
}

// One file more, or changed: the keys of the runs that name what is in it, and of no others.
TEST_F(RunSources, AChangedFileChangesTheKeysOfItsRunsOnly) {
  const auto key_with = [](const std::string& method, const SourceHashes& hashes) {
    const Json spec = Run::bind(pendulum(method), "")->json();
    return make_run_key(spec, run_sources(spec, Integrations::kind().file, hashes));
  };
  const SourceHashes before = source_hashes();
  const auto changes = [&](const std::string& method, const std::string& source) {
    SourceHashes after = before;
    after[source] = "changed";
    return key_with(method, before) != key_with(method, after);
  };
  EXPECT_TRUE(changes("gauss:s=2", "methods/runge_kutta/gauss.cpp"));
  EXPECT_FALSE(changes("gauss:s=2", "methods/runge_kutta/radau_iia.cpp"));
  EXPECT_FALSE(changes("gauss:s=2", "methods/runge_kutta/new.cpp"));
  EXPECT_FALSE(changes("gauss:s=2", "problems/seven_body.cpp"));
  EXPECT_FALSE(changes("gauss:s=2", "experiments/kinds/drift.cpp"));
  EXPECT_TRUE(changes("radau-iia:s=2", "problems/pendulum.cpp"));
  EXPECT_TRUE(changes("radau-iia:s=2", "engines"));
}

// By an option, or by the method itself.
TEST_F(RunSources, HoldTheMethodsThatAMethodStartsWith) {
  Json run = pendulum("adams-pece:k=4");
  run["formulation"] = "index-1";
  EXPECT_THAT(sources_of(run), IsSupersetOf({"methods/multistep/adams_pece.cpp", "methods/runge_kutta/runge_kutta.cpp",
                                             "methods/runge_kutta/rk4-classical.json"}));
  EXPECT_THAT(sources_of(pendulum("bdf")),
              IsSupersetOf({"methods/runge_kutta/cooper-verner.json", "methods/runge_kutta/dormand-prince.json"}));
  for (const char* method : {"bdf:k=2", "ndf"}) {
    std::vector<std::string> of_methods;
    for (const std::string& source : sources_of(pendulum(method)))
      if (source.starts_with("methods/")) of_methods.push_back(source);
    EXPECT_THAT(of_methods, UnorderedElementsAre(EndsWith("df.cpp"), "methods/runge_kutta/runge_kutta.cpp",
                                                 "methods/runge_kutta/cooper-verner.json",
                                                 "methods/runge_kutta/dormand-prince.json"));
  }
  run["method"] = "adams-variable";
  EXPECT_THAT(sources_of(run), Contains("methods/extrapolation/extrapolation.cpp"));
  run["method"] = "runge-kutta:tableau=heun";
  EXPECT_THAT(sources_of(run), Contains("methods/runge_kutta/heun.json"));
  run["method"] = "composition:base=implicit-midpoint,scheme=kahan-li-6";
  EXPECT_THAT(sources_of(run), IsSupersetOf({"methods/geometric/composition.cpp", "methods/geometric/kahan-li-6.json",
                                             "methods/runge_kutta/implicit-midpoint.json"}));
}

// Its content is in the specification.
TEST_F(RunSources, OfATableauHoldTheEngineOfItsFamily) {
  const auto sources = sources_of(pendulum("@" + project_path("docs/examples/my_tableau.json")));
  EXPECT_THAT(sources, Contains("methods/runge_kutta/runge_kutta.cpp"));
  EXPECT_THAT(sources, Not(Contains(EndsWith("my_tableau.json"))));
}

// The key of a run and its error hold the same reference, whatever is written to the file in between.
TEST_F(RunSources, ReferencesAreThoseOfTheBinding) {
  struct Project : TemporaryFolder {
    Context context{.project_root = path()};
    Context::Scope scope{context};
  } project;
  std::filesystem::create_directories(project.path() + "/results/reference");
  Json file = read_json_file(source_path("/results/reference/pendulum.json"));
  const auto store = [&](const std::string& q1) {
    file["states"][0]["q"][0] = q1;
    write_file(reference_path("pendulum"), file.dump());
  };
  Json run = pendulum("bdf");
  run["t_end"] = file["states"][0]["t"];
  store("0.5");
  const auto before = Run::bind(run, "");
  store("0.25");
  const auto after = Run::bind(run, "");
  for (const auto& [bound, q1] : {std::pair(before, "0.5"), std::pair(after, "0.25")}) {
    EXPECT_EQ(bound->inputs()["state"]["q"][0], q1);
    EXPECT_EQ(bound->references().find(bound->t_end())->q[0], Real50(q1));
  }
}

TEST_F(RunSources, HoldTheContentOfTheFilesThatOptionsName) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/mine.json";
  const std::string heun = project_path("methods/runge_kutta/heun.json");
  Json tableau = read_json_file(heun);
  Json run = pendulum("");
  run["formulation"] = "index-1", run["method"] = {{"name", "runge-kutta"}, {"tableau", "@" + file}};
  const auto key = [&] {
    write_file(file, tableau.dump());
    const auto bound = Run::bind(run, "");
    return make_run_key(bound->json(), run_sources(bound->json(), Integrations::kind().file), bound->inputs());
  };
  const std::string before = key();
  EXPECT_EQ(key(), before);
  tableau["summary"] = "another";
  EXPECT_NE(key(), before);
}

// An experiment that has its own computes their records, the others do not.
TEST_F(RunSources, HoldTheFileOfTheKindOfRun) {
  const auto kind_of = [](const char* experiment) {
    return source_name(Registry<Experiment>::instance().make({{"name", experiment}}, "")->run_kind().file);
  };
  EXPECT_EQ(kind_of("bdf-limits"), "experiments/kinds/bdf_limits.cpp");
  EXPECT_EQ(kind_of("method-table"), "lab/runs/method_run.cpp");
  EXPECT_EQ(kind_of("drift"), "lab/runs/run.cpp");
  const Json run = {{"method", {{"name", "bdf"}}}};
  for (const std::string& name : Registry<Experiment>::instance().names()) {
    const RunKind& kind = Registry<Experiment>::instance().make({{"name", name}}, "")->run_kind();
    EXPECT_TRUE(run_sources(run, kind.file).contains(source_name(kind.file))) << name;
    EXPECT_TRUE(source_hashes().contains(source_name(kind.file))) << name << ": " << kind.file;
  }
}

template <class Kind>
void expect_known_files() {
  for (const std::string& name : Registry<Kind>::instance().names()) {
    const std::string source = source_name(Registry<Kind>::instance().find(name, "").file);
    if (source.ends_with(".json")) continue;
    EXPECT_TRUE(source_hashes().contains(source)) << name << ": " << source;
    EXPECT_NE(source_hash(source), source_hash("engines")) << source;
  }
}

// What is made by name is in no specification. Components do it through Makes, which tells the registry; the core, and
// a component by the name that its option gives, ask the registry themselves.
TEST_F(RunSources, ComponentsMakeOthersThroughMakesOnly) {
  const std::regex making("::instance\\(\\)\\.make(_document)?\\(");
  std::set<std::string> who;
  for (const char* folder : {"core", "problems", "formulations", "multiplier_solvers", "methods"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(project_path(folder))) {
      if (!file.path().string().ends_with("pp")) continue;
      std::ifstream stream(file.path());
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      if (std::regex_search(text, making)) who.insert(source_name(file.path().string()));
    }
  EXPECT_THAT(who, UnorderedElementsAre("core/base/makes.hpp",
                                        "core/start/consistent_start.cpp",       // fitting_multiplier_solvers()
                                        "core/integration/method_files.cpp",     // documents
                                        "methods/geometric/symmetric_base.cpp",  // the option "base"
                                        "multiplier_solvers/written_out.cpp"));  // the option "fallback"
}

// Otherwise its runs are computed again with every change of the program.
TEST_F(RunSources, TheBuildKnowsTheFileOfEveryComponent) {
  expect_known_files<Problem>();
  expect_known_files<LinearProblem>();
  expect_known_files<Formulation>();
  expect_known_files<Method>();
  expect_known_files<MultiplierSolver>();
}

}  // namespace TEST_FILE
}  // namespace daelab
