#include "lab/lab.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/base/write_file.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

RunSpec pendulum() {
  RunSpec spec;
  spec.problem = "pendulum", spec.method = "gauss:s=3", spec.h = "1/50", spec.t_end = "1";
  return spec;
}

// The pointer of the InputError of binding it; "" when there is none.
std::string refused_at(const RunSpec& spec) {
  try {
    bind(spec);
  } catch (const InputError& error) {
    return error.where();
  }
  return "";
}

TEST(Bind, ATypedSpecificationIsTheOneInJson) {
  const Json json = {{"problem", "pendulum"}, {"method", {{"name", "gauss"}, {"s", 3}}}, {"h", "1/50"}, {"t_end", "1"}};
  EXPECT_EQ(bind(pendulum())->json(), Run::bind(json, "")->json());
  RunSpec spec = pendulum();
  spec.method = {"gauss", {{"s", 3}}};
  EXPECT_EQ(bind(spec)->json(), Run::bind(json, "")->json());
}

TEST(Bind, ACompletedSpecificationIsComplete) {
  const auto run = bind(pendulum());
  EXPECT_EQ(bind(run->spec())->json(), run->json());
}

TEST(Bind, MethodsInJsonAreThere) {
  RunSpec spec = pendulum();
  spec.method = "kvaerno-5";  // methods/runge_kutta/kvaerno-5.json
  EXPECT_EQ(refused_at(spec), "");
}

TEST(Bind, AnErrorHasThePlaceOfItsKey) {
  RunSpec spec = pendulum();
  spec.h = "-1/50";
  EXPECT_EQ(refused_at(spec), "/h");
  spec = pendulum(), spec.method = "gauss:s=99";
  EXPECT_EQ(refused_at(spec), "/method/s");
  spec = pendulum(), spec.problem = "pendulm";
  EXPECT_EQ(refused_at(spec), "/problem");
  spec = pendulum(), spec.formulation = "index-7";
  EXPECT_EQ(refused_at(spec), "/formulation");
  EXPECT_THAT([] { bind(RunSpec()); }, testing::ThrowsMessage<InputError>("a run needs a \"problem\""));
}

// The states that a run tells, t and q one after the other.
class Follower final : public RunListener {
 public:
  explicit Follower(std::vector<double> times) : times_(std::move(times)) {}
  void reached(double /*t*/, double /*t_start*/, double /*t_end*/) override {}
  void warned(const Warning& /*warning*/) override {}
  bool follows_states() const override { return true; }
  std::vector<double> times() const override { return times_; }
  void stepped(const StateView& state) override {
    t.push_back(state.t);
    q.insert(q.end(), state.q.begin(), state.q.end());
    classes = {state.q.size(), state.v.size(), state.a.size(), state.lambda.size(), state.y.size()};
  }

  std::vector<double> t, q;
  std::vector<std::size_t> classes;

 private:
  std::vector<double> times_;
};

TEST(RunListener, IsToldTheStatesAtStepEnds) {
  Follower follower({});
  const RunRecord record = bind(pendulum())->integrate(&follower).record;
  EXPECT_EQ(follower.t.size(), 51U);
  EXPECT_THAT(follower.classes, testing::ElementsAre(2, 2, 2, 1, 0));
  EXPECT_EQ(follower.q.back(), static_cast<double>(record.state.q[1]));
}

// The numbers are those of the samples of a specification.
TEST(RunListener, IsToldTheStatesAtItsTimes) {
  RunSpec spec = pendulum();
  spec.samples = {"0", "0.013", "0.5", "1"};
  const RunRecord record = bind(spec)->integrate().record;
  Follower follower({0, 0.013, 0.5, 1});
  bind(pendulum())->integrate(&follower);
  ASSERT_EQ(follower.t.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i)
    for (Index j = 0; j < 2; ++j)
      EXPECT_EQ(follower.q[2 * i + static_cast<std::size_t>(j)], static_cast<double>(record.samples->at(i).q[j]));
}

// A folder with a result set of two runs.
class StoredSet : public testing::Test {
 protected:
  StoredSet() {
    load_project();
    const Json config = {
        {"name", "small"},
        {"title", "Small"},
        {"experiment", "drift"},
        {"runs", {{{"problem", "pendulum"}, {"method", "gauss"}, {"h", {"1/50", "1/100"}}, {"t_end", "1"}}}}};
    write_file(folder_.path() + "/config.json", config.dump());
    run_configs({read_config(folder_.path() + "/config.json")}, {.out_dir = out(), .jobs = 1, .quiet = true});
  }
  std::string out() const { return folder_.path() + "/out"; }

  TemporaryFolder folder_;
};

TEST_F(StoredSet, IsLoadedAsItWasMade) {
  const LoadedSet set = load(out() + "/small");
  EXPECT_EQ(set.name, "small");
  EXPECT_EQ(set.title, "Small");
  EXPECT_EQ(set.experiment, "drift");
  ASSERT_EQ(set.runs.size(), 2U);
  for (const LoadedRun& run : set.runs) {
    const RunRecord stored = run.as<>(), again = Run::bind(stored.spec, "")->integrate().record;
    EXPECT_EQ(stored.state.q, again.state.q);
    EXPECT_EQ(stored.state.t, 1);
    EXPECT_EQ(Json(stored)["max"], Json(again)["max"]);
  }
}

TEST_F(StoredSet, IsFoundInItsFolder) {
  const std::vector<std::string> sets = {out() + "/small"};
  EXPECT_EQ(result_sets(out()), sets);
  EXPECT_EQ(result_sets(sets.front()), sets);
}

TEST_F(StoredSet, ThoseOfAPaperHaveItsOrder) {
  std::filesystem::copy(out() + "/small", out() + "/a", std::filesystem::copy_options::recursive);
  std::filesystem::copy(out() + "/small", out() + "/other", std::filesystem::copy_options::recursive);
  list_paper_sets(out(), {"small", "a", "missing"});
  EXPECT_THAT(result_sets(out()), testing::ElementsAre(out() + "/small", out() + "/a"));
}

TEST(Load, AFolderWithoutResultsIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { load(folder.path()); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("is not a results folder")));
  EXPECT_THAT([&] { result_sets(folder.path()); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("no results")));
}

TEST(Reproduce, AnUnknownPaperIsRefusedWithTheNearest) {
  EXPECT_THAT([] { reproduce("li2018"); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("did you mean 'li2019'")));
}

}  // namespace TEST_FILE
}  // namespace daelab
