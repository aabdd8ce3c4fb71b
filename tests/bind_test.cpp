// Calls one after another: they share components, and nobody can tell from what they answer.
#include "lab/bind.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "core/integration/foreign_method.hpp"
#include "lab/lab.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

const Json pendulum{{"problem", "pendulum"}, {"method", "rk4-classical"}, {"h", "1/100"}, {"t_end", "1"}};

Json with(Json spec, const char* key, const Json& value) {
  spec[key] = value;
  return spec;
}
// Made from nothing that is shared.
std::shared_ptr<const Run> alone(const Json& spec) { return bind(read_run_spec(spec, "")); }

TEST(BindAgain, CallsShareComponentsAndAnswerAsOneAlone) {
  const auto first = bind(pendulum);
  int compared = 0;
  for (const auto& [key, value] : {std::pair<const char*, Json>{"h", 0.02},
                                   {"h", "1/50"},
                                   {"t_end", "1/2"},
                                   {"t_end", nullptr},
                                   {"rtol", 1e-6},
                                   {"formulation", "index-3"},
                                   {"problem", "pendulum:gravity=2"},
                                   {"method", "bdf"},
                                   {"newton", "full:tolerance=1e-3"}}) {
    Json spec = with(pendulum, key, value);
    if (spec["formulation"] == "index-3" || std::string(key) == "newton") spec["method"] = "radau-iia:s=2";
    const auto run = bind(spec), expected = alone(spec);
    EXPECT_EQ(run->json(), expected->json()) << key;
    EXPECT_EQ(run->inputs(), expected->inputs()) << key;
    EXPECT_EQ(run->integrate().record.state.q, expected->integrate().record.state.q) << key;
    ++compared;
  }
  EXPECT_EQ(compared, 9);
  EXPECT_EQ(&bind(with(pendulum, "h", 0.02))->problem(), &first->problem());
  EXPECT_NE(&alone(pendulum)->problem(), &first->problem());
}

TEST(BindAgain, ARefusalIsTheSameEachTimeAndSpoilsNothing) {
  for (int time = 0; time < 2; ++time) {
    EXPECT_THAT([] { bind(with(pendulum, "problem", "pendulun")); },
                ThrowsMessage<InputError>(HasSubstr("did you mean 'pendulum'")));
    EXPECT_THAT([] { bind(with(pendulum, "h", -1)); }, ThrowsMessage<InputError>(HasSubstr("/h")));
    EXPECT_EQ(bind(pendulum)->json(), alone(pendulum)->json());
  }
}

TEST(BindAgain, AContextIsNotGivenWhatAnotherOneAllowed) {
  const Json long_number = with(pendulum, "h", "0." + std::string(40, '1'));
  bind(long_number);
  Context narrow = Context::process();
  narrow.limits.digits = 20;
  const Context::Scope scope(narrow);
  EXPECT_THAT([&] { bind(long_number); }, ThrowsMessage<InputError>(HasSubstr("--limit digits=N")));
}

TEST(BindAgain, AFileIsReadAnew) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/mine.json";
  for (const char* slope : {"1", "2"}) {
    const Json states{{"x", slope}};
    write_file(path, Json{{"name", "mine"}, {"states", states}, {"start", {{"x", "0"}}}, {"end_time", "1"}}.dump());
    const Json spec{{"problem", "@" + path}, {"method", "rk4-classical"}, {"h", "1/10"}};
    EXPECT_EQ(bind(spec)->json(), alone(spec)->json());
  }
}

TEST(BindAgain, AReferenceThatWasStoredMeanwhileCounts) {
  const TemporaryFolder folder;
  const std::string known = project_path("results/reference/pendulum.json"),
                    own = folder.path() + "/results/reference/pendulum.json";
  load_project();
  Context elsewhere = Context::process();
  elsewhere.project_root = folder.path();
  const Context::Scope scope(elsewhere);
  EXPECT_TRUE(bind(pendulum)->inputs().is_null());
  std::filesystem::create_directories(folder.path() + "/results/reference");
  std::filesystem::copy_file(known, own);
  EXPECT_EQ(bind(pendulum)->inputs(), alone(pendulum)->inputs());
  EXPECT_FALSE(bind(pendulum)->inputs().is_null());
  std::filesystem::remove(own);
  EXPECT_TRUE(bind(pendulum)->inputs().is_null());
}

// y + h f(y) times a factor.
ForeignMethod euler(const std::string& version, double factor) {
  class Euler final : public Stepper<double> {
   public:
    Euler(System<double>& system, double factor) : system_(system), factor_(factor) {}
    Status step(const State<double>& from, const double& h, State<double>& to) override {
      to = from;
      to.t = from.t + h, to.y = from.y + factor_ * h * from.ydot;
      return system_.consistent_derivatives(to.t, to.y, to.ydot);
    }

   private:
    System<double>& system_;
    double factor_;
  };
  return {.name = "bound-euler",
          .summary = "one stage",
          .source = "this test",
          .version = version,
          .options = {},
          .orders = PredictedOrders::everywhere(1, "stated here"),
          .stepper = [factor](System<double>& system, const Json& /*options*/) {
            return std::make_unique<Euler>(system, factor);
          }};
}

TEST(BindAgain, ANameStandsForItsLatestVersion) {
  const Json spec{
      {"problem", "pendulum"}, {"formulation", "index-1"}, {"method", "bound-euler"}, {"h", "1/10"}, {"t_end", "1"}};
  register_method(euler("1", 1));
  const auto first = bind(spec);
  register_method(euler("2", 0.5));
  const auto second = bind(spec);
  EXPECT_EQ(first->json().at("method").at("source"), "1");
  EXPECT_EQ(second->json().at("method").at("source"), "2");
  EXPECT_NE(first->integrate().record.state.q, second->integrate().record.state.q);
}

}  // namespace TEST_FILE
}  // namespace daelab
